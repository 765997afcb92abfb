//! Pages, readable without scripts. Scripts take over what stands in `main`.
//!
//! One file for each page; [`frame`] is what surrounds all of them.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use recount_export::html::escape::escaped;

use super::refusal::Refusal;

pub mod files;
pub mod findings;
pub mod formats;
mod frame;
pub mod search;
pub mod session;
pub mod sessions;
pub mod timeline;
pub mod usage;

use frame::Frame;

/// A page of HTML.
pub(super) struct Html(String);

impl IntoResponse for Html {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], self.0).into_response()
    }
}

/// An error as a page.
#[derive(Debug)]
pub(super) struct Failed(Refusal);

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        refused(&self.0)
    }
}

/// An error as a page.
pub(super) fn refused(refusal: &Refusal) -> Response {
    let title = match refusal.status {
        StatusCode::UNAUTHORIZED => "Who are you?",
        StatusCode::NOT_FOUND => "Not there",
        StatusCode::INTERNAL_SERVER_ERROR => "This did not work",
        _ => "Not like this",
    };
    let mut frame = Frame::new("error", title);
    let mut message = refusal.message.clone();
    if let Some(first) = message.get(..1).map(str::to_uppercase) {
        message.replace_range(..1, &first);
    }
    let message = escaped(&message);
    frame.put(format_args!("<h1>{title}</h1>\n<p>{message}.</p>\n"));
    if refusal.status == StatusCode::UNAUTHORIZED {
        // A browser that came here from another page sends its key with the second request only.
        frame.put(format_args!("<p>Opened it already? <a href=\"\">Try again</a>.</p>\n"));
    }
    (refusal.status, frame.end()).into_response()
}

/// What is at no address.
pub(super) async fn nowhere(uri: axum::http::Uri) -> Response {
    let refusal = Refusal::missing("there is nothing at this address");
    let path = uri.path();
    if path.starts_with("/api/") || path.starts_with("/assets/") {
        return refusal.into_response();
    }
    refused(&refusal)
}
