//! What is written is told.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use recount_formats::Harness;
use serde_json::Value;
use tower::ServiceExt as _;

use super::{Page, known, part};
use crate::support::Home;

/// A stream of events.
struct Events {
    stream: BodyDataStream,
    read: String,
}

impl Events {
    async fn of(page: &Page, address: &str) -> Self {
        let request = known(address).body(Body::empty()).unwrap();
        let response = page.app.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { stream: response.into_body().into_data_stream(), read: String::new() }
    }

    /// The next event within some seconds: its name and its data.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let value = |name: &str| {
                    event
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .unwrap_or("")
                        .trim()
                        .to_owned()
                };
                let (name, data) = (value("event:"), value("data:"));
                self.read = rest.to_string();
                if name.is_empty() {
                    continue;
                }
                return Some((name, serde_json::from_str(&data).unwrap()));
            }
            let more = tokio::time::timeout(Duration::from_secs(20), self.stream.next()).await;
            let bytes = more.expect("nothing was told").transpose().unwrap()?;
            self.read.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }
}

/// The longest sample of a harness that keeps lines: its id, its file, its lines.
fn sample(home: &Home, harness: Harness) -> (String, PathBuf, Vec<Vec<u8>>) {
    let sessions = home.stores.list().0.into_iter();
    let own = sessions.filter(|s| s.harness == harness && !s.is_subagent);
    let head = own.max_by_key(|s| s.size).unwrap();
    let bytes = fs::read(&head.path).unwrap();
    let lines = bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    (head.id, head.path, lines)
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn who_follows_a_session_knows_what_is_there() {
    for harness in [Harness::Codex, Harness::ClaudeCode, Harness::Pi] {
        let page = Page::samples();
        let (id, path, lines) = sample(&page.home, harness);
        let base = format!("/api/sessions/{}", part(&id));
        let half = lines.len() / 2;
        fs::write(&path, lines[..half].concat()).unwrap();
        let all = |from: u64| format!("{base}/items?limit=500&from={from}");
        let mut shown = page.json(&all(0))["items"].as_array().unwrap().clone();
        let mut events = page.runtime.block_on(Events::of(&page, &format!("{base}/events")));
        let (name, first) = page.runtime.block_on(events.next()).unwrap();
        assert_eq!((name.as_str(), &first["total"]), ("change", &first["firstChanged"]));
        assert_eq!(first["total"], shown.len());

        for line in &lines[half..] {
            append(&path, line);
        }
        // As a page does: what may have changed is asked for again, until all of it is there.
        let discover = recount_store::discover::of(harness).unwrap();
        let head = discover.at_path(&path).unwrap();
        let wanted = discover.open(&head).unwrap().thread(None).items().count();
        while shown.len() < wanted {
            let (_, change) = page.runtime.block_on(events.next()).unwrap();
            let from = change["firstChanged"].as_u64().unwrap();
            shown.truncate(usize::try_from(from).unwrap());
            shown.extend(page.json(&all(from))["items"].as_array().unwrap().iter().cloned());
        }
        let whole = page.json(&all(0));
        assert_eq!(Value::from(shown), whole["items"], "{harness}");

        // It is rewound: less is left.
        fs::write(&path, lines[..half].concat()).unwrap();
        let (_, change) = page.runtime.block_on(events.next()).unwrap();
        assert_eq!(change["total"], first["total"], "{harness}");
        assert!(change["firstChanged"].as_u64() <= change["total"].as_u64());

        fs::remove_file(&path).unwrap();
        let (name, _) = page.runtime.block_on(events.next()).unwrap();
        assert_eq!(name, "gone");
        assert!(page.runtime.block_on(events.next()).is_none());
        assert_eq!(page.get(&base).status, StatusCode::NOT_FOUND);
    }
}

#[test]
fn what_changed_before_somebody_follows_is_told_at_once() {
    let page = Page::samples();
    let (id, path, lines) = sample(&page.home, Harness::Pi);
    let base = format!("/api/sessions/{}", part(&id));
    fs::write(&path, lines[..lines.len() / 2].concat()).unwrap();
    let before = page.json(&base)["items"].as_u64().unwrap();
    let mut first = page.runtime.block_on(Events::of(&page, &format!("{base}/events")));
    page.runtime.block_on(first.next()).unwrap();
    append(&path, &lines[lines.len() / 2..].concat());
    page.runtime.block_on(first.next()).unwrap();
    // A second page comes: it shares the look, and begins with what is there.
    let mut second = page.runtime.block_on(Events::of(&page, &format!("{base}/events")));
    let (_, change) = page.runtime.block_on(second.next()).unwrap();
    assert!(change["total"].as_u64().unwrap() > before);
    assert_eq!(change["total"], page.json(&base)["items"]);
}

#[test]
fn a_session_that_is_read_by_pages_is_read_anew_when_it_grows() {
    let page = Page::samples();
    let (id, path, lines) = sample(&page.home, Harness::ClaudeCode);
    let base = format!("/api/sessions/{}", part(&id));
    fs::write(&path, lines[..lines.len() / 2].concat()).unwrap();
    let before = page.json(&format!("{base}/items"))["total"].as_u64();
    append(&path, &lines[lines.len() / 2..].concat());
    assert!(page.json(&format!("{base}/items"))["total"].as_u64() > before);
    assert_eq!(page.json(&base)["items"], page.json(&format!("{base}/items"))["total"]);
}

#[test]
fn a_new_session_is_told_to_who_looks_at_the_list() {
    let page = Page::samples();
    let (_, path, lines) = sample(&page.home, Harness::Pi);
    let mut events = page.runtime.block_on(Events::of(&page, "/api/events"));
    let count = page.json("/api/sessions?all=1")["total"].as_u64().unwrap();
    let new = "019f3622-51d8-7aa0-b0f4-c29e7d1a3bff";
    let text = String::from_utf8(lines.concat()).unwrap();
    let old = text.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let name = path.file_name().unwrap().to_str().unwrap().replace(&old, new);
    page.runtime.block_on(async {
        // The first look is what there was.
        tokio::time::sleep(Duration::from_millis(500)).await;
        fs::write(path.with_file_name(name), text.replace(&old, new)).unwrap();
        let (name, _) = events.next().await.unwrap();
        assert_eq!(name, "sessions");
    });
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(page.json("/api/sessions?all=1")["total"], count + 1);
}
