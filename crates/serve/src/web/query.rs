//! What is asked for in an address.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Harness;
use recount_index::filter;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;

/// What stands behind the `?`.
pub(super) struct Asked<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let asked = Query::<T>::try_from_uri(&parts.uri);
        asked.map(|Query(asked)| Self(asked)).map_err(|e| Refusal::wrong(e.body_text()))
    }
}

/// The parts of the path that stand for something.
pub(super) struct Named<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Named<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let named = Path::<T>::from_request_parts(parts, state).await;
        let wrong = |e: PathRejection| Refusal::wrong(e.body_text());
        named.map(|Path(named)| Self(named)).map_err(wrong)
    }
}

/// A text, if there is any: forms send what was left empty, too.
pub(super) fn given(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// Whether something is switched on.
pub(super) fn is_on(text: Option<&String>) -> bool {
    given(text).is_some_and(|text| matches!(text, "1" | "true" | "yes" | "on"))
}

/// Harnesses by their names, with commas between them.
pub(super) fn harnesses(text: Option<&String>) -> Result<Vec<Harness>, Refusal> {
    let names = given(text).into_iter().flat_map(|text| text.split(','));
    let known = |name: &str| {
        Harness::from_id(name.trim())
            .ok_or_else(|| Refusal::wrong(format!("unknown harness `{name}`")))
    };
    names.map(known).collect()
}

/// The time zone of days: the system's where none is named.
pub(super) fn zone(text: Option<&String>) -> Result<TimeZone, Refusal> {
    let Some(name) = given(text) else { return Ok(TimeZone::system()) };
    TimeZone::get(name).map_err(|e| Refusal::wrong(e.to_string()))
}

/// The two ends of a span of time.
pub(super) fn bounds(
    since: Option<&String>,
    until: Option<&String>,
    zone: &TimeZone,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Refusal> {
    let now = Timestamp::now();
    let read = |text: Option<&String>, end| {
        let read = given(text).map(|text| filter::bound(text, now, zone, end)).transpose();
        read.map_err(|e| Refusal::wrong(format!("{}: {e}", if end { "until" } else { "since" })))
    };
    Ok((read(since, false)?, read(until, true)?))
}

/// A part of a path or a query, so that it stands for nothing but itself.
pub(super) fn encoded(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn a_part_of_a_path_stands_for_itself() {
        assert_eq!(encoded("a-1_b.c~"), "a-1_b.c~");
        assert_eq!(encoded("a / b?c#d&e=\"ü"), "a%20%2F%20b%3Fc%23d%26e%3D%22%C3%BC");
    }
}
