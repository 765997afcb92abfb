//! The page in the browser and its API, asked as a browser asks.
//!
//! - [`document`]: every answer is as the API's document says, and every address stands in it
//! - [`guard`]: who is let in
//! - [`hostile`]: sessions that attack the page
//! - [`paging`]: a session in parts is the whole session
//! - [`changes`]: what is written is told
//! - [`whole`]: all sessions together: lists, search, usage, files, findings

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use recount_serve::web::{Options, Site, app};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::support::{Home, runtime};

mod changes;
mod document;
mod guard;
mod hostile;
mod paging;
mod whole;

const PORT: u16 = 4500;
const TOKEN: &str = "0123456789abcdef";

/// An answer.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A page for stores.
struct Page {
    app: Router,
    runtime: tokio::runtime::Runtime,
    home: Home,
}

impl Page {
    fn of(home: Home) -> Self {
        let options = Options {
            stores: home.stores.clone(),
            cache: home.folder.path().join("cache"),
            prices: std::collections::BTreeMap::new(),
        };
        let site: Arc<Site> = Site::new(options, PORT, TOKEN);
        Self { app: app(&site), runtime: runtime(), home }
    }

    fn samples() -> Self {
        Self::of(Home::samples())
    }

    /// Sends a request as it is.
    fn send(&self, request: Request<Body>) -> Answer {
        self.runtime.block_on(async {
            let response = self.app.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
            Answer { status: parts.status, headers: parts.headers, body }
        })
    }

    /// Asks as somebody who knows the token.
    fn get(&self, address: &str) -> Answer {
        self.send(known(address).body(Body::empty()).unwrap())
    }

    /// Asks for JSON that is there.
    fn json(&self, address: &str) -> Value {
        let answer = self.get(address);
        assert_eq!(answer.status, StatusCode::OK, "{address}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/json", "{address}");
        answer.json()
    }

    /// The ids of all sessions.
    fn ids(&self) -> Vec<String> {
        self.home.stores.list().0.into_iter().map(|head| head.id).collect()
    }
}

/// Asks until all sessions were read.
fn settled(page: &Page, address: &str) -> Value {
    let begun = Instant::now();
    loop {
        let answer = page.json(address);
        let known = answer["sessions"]
            .as_array()
            .is_none_or(|all| all.iter().all(|row| row["turns"].is_u64()));
        if answer["indexing"] != true && known {
            return answer;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{address}: {answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A request of somebody who knows the token.
fn known(address: &str) -> axum::http::request::Builder {
    Request::get(address)
        .header("host", format!("127.0.0.1:{PORT}"))
        .header("authorization", format!("Bearer {TOKEN}"))
}

/// A part of an address.
fn part(text: &str) -> String {
    text.bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") }
        })
        .collect()
}
