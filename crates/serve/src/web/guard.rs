//! Who is let in, and the headers of every answer.
//!
//! Any page that a person looks at can send requests to this machine, and so can every other user of it. So three things
//! are asked of a request. It must know the token, which only the one who started the server was told. `Host` must be a
//! name of this machine: a foreign name that leads here is a trick by which a page makes itself one of ours. And
//! `Origin`, where a browser names it, must be our own.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Uri;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Site;
use super::page;
use super::refusal::Refusal;
use crate::transport::ws::is_here;

/// Pages load and send nothing but to and from here, run no script that is written in them, and stand in no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

static HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Lets a request through, or not.
pub(super) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_page = !path.starts_with("/api/") && !path.starts_with("/assets/");
    let mut response = match admit(&site, &request) {
        Ok(Admitted::In) => next.run(request).await,
        Ok(Admitted::Introduced(response)) => response,
        Err(refusal) if is_page => page::refused(&refusal),
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What is not an asset is a person's own, and is kept nowhere.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

enum Admitted {
    In,
    /// It brought the token in its address: it is told to remember it, and goes on without.
    Introduced(Response),
}

fn admit(site: &Site, request: &Request) -> Result<Admitted, Refusal> {
    let headers = request.headers();
    if !is_ours(headers, request.uri(), site.port) {
        return Err(Refusal::forbidden("only for pages and programs of this machine"));
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Err(Refusal::method());
    }
    if let Some(response) = introduced(site, request.uri()) {
        return Ok(Admitted::Introduced(response));
    }
    let cookie = cookies(headers, &cookie_name(site.port)).any(|c| is_same(c, &site.token));
    let bearer = one(headers, &header::AUTHORIZATION).ok().flatten();
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    if cookie || bearer.is_some_and(|token| is_same(token.trim(), &site.token)) {
        Ok(Admitted::In)
    } else {
        Err(Refusal::unknown())
    }
}

/// Whether a request comes from this machine's own page, or from a program.
fn is_ours(headers: &HeaderMap, uri: &Uri, port: u16) -> bool {
    let here = |place: &str| is_here(place, Some(port));
    let host = matches!(one(headers, &header::HOST), Ok(Some(host)) if here(host));
    let origin = match one(headers, &header::ORIGIN) {
        Ok(None) => true,
        Ok(Some(origin)) => origin.strip_prefix("http://").is_some_and(here),
        Err(()) => false,
    };
    // Whom a browser sends on behalf of another page has no business with data; one who follows a link has.
    let site = match one(headers, &HeaderName::from_static("sec-fetch-site")) {
        Ok(Some("cross-site" | "same-site")) => !uri.path().starts_with("/api/"),
        Ok(_) => true,
        Err(()) => false,
    };
    host && origin && site && uri.authority().is_none_or(|authority| here(authority.as_str()))
}

/// A header that may come once. Two of them are a trick.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, ()> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        _ => Err(()),
    }
}

/// Cookies of a machine are shared by all of its ports: each server has a name of its own.
fn cookie_name(port: u16) -> String {
    format!("recount_token_{port}")
}

fn cookies<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';'))
        .filter_map(move |pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// An answer to who brings the right token in the address.
fn introduced(site: &Site, uri: &Uri) -> Option<Response> {
    let query = uri.query()?;
    let token = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
    if !is_same(token, &site.token) {
        return None;
    }
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("token=")).collect();
    // Two slashes would lead to another machine.
    let path = format!("/{}", uri.path().trim_start_matches(['/', '\\']));
    let mark = if rest.is_empty() { "" } else { "?" };
    let place = format!("{path}{mark}{}", rest.join("&"));
    let name = cookie_name(site.port);
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/");
    let headers = [(header::LOCATION, place), (header::SET_COOKIE, cookie)];
    Some((StatusCode::SEE_OTHER, headers).into_response())
}

/// Compares in a time that does not tell where two texts part.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}
