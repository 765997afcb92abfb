//! Who is let in.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};

use super::{PORT, Page, TOKEN, known};
use crate::support::Home;

/// A request with these headers and nothing else.
fn request(address: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::get(address);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

const HERE: (&str, &str) = ("host", "127.0.0.1:4500");
const BEARER: (&str, &str) = ("authorization", "Bearer 0123456789abcdef");
const ADDRESSES: [&str; 4] = ["/", "/api/sessions", "/assets/app.js", "/nowhere"];

#[test]
fn nobody_comes_in_without_the_token() {
    let page = Page::of(Home::new());
    for address in ADDRESSES {
        for wrong in [
            &[HERE][..],
            &[HERE, ("authorization", "Bearer 0123456789abcdee")],
            &[HERE, ("authorization", "0123456789abcdef")],
            &[HERE, ("authorization", "Bearer ")],
            &[HERE, ("cookie", "recount_token=0123456789abcdef")],
            &[HERE, ("cookie", "recount_token_4501=0123456789abcdef")],
            &[HERE, ("cookie", "recount_token_4500=0123456789abcdef0")],
            &[HERE, BEARER, BEARER],
        ] {
            let answer = page.send(request(address, wrong));
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{address} {wrong:?}");
        }
        let wrong = format!("{address}?token=0123456789abcdee");
        let answer = page.send(request(&wrong, &[HERE]));
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{wrong}");
    }
    let answer = page.send(request("/", &[HERE]));
    assert!(
        answer.text().contains("open the address") || answer.text().contains("Open the address")
    );
    assert!(answer.header("content-type").starts_with("text/html"));
    let answer = page.send(request("/api/sessions", &[HERE]));
    assert_eq!(answer.json()["error"]["code"], "unauthorized");
}

#[test]
fn the_token_comes_in_by_the_address_and_stays_as_a_cookie() {
    let page = Page::of(Home::new());
    let answer = page.send(request(&format!("/?token={TOKEN}"), &[HERE]));
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), "/");
    let cookie = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let (pair, _) = cookie.split_once(';').unwrap();
    assert_eq!(pair, format!("recount_token_{PORT}={TOKEN}"));
    let several = format!("a=b; {pair}; c=d");
    assert_eq!(page.send(request("/", &[HERE, ("cookie", &several)])).status, StatusCode::OK);

    // Wherever it leads to, it leads nowhere else.
    for (address, place) in [
        (format!("/s/x?branch=y&token={TOKEN}&page=2"), "/s/x?branch=y&page=2"),
        (format!("//evil.example/?token={TOKEN}"), "/evil.example/"),
    ] {
        let answer = page.send(request(&address, &[HERE]));
        assert_eq!(answer.header("location"), place, "{address}");
    }
}

#[test]
fn only_names_of_this_machine_are_answered() {
    let page = Page::of(Home::new());
    for host in ["127.0.0.1:4500", "localhost:4500", "LocalHost:4500", "[::1]:4500"] {
        let answer = page.send(request("/", &[("host", host), BEARER]));
        assert_eq!(answer.status, StatusCode::OK, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:4500",
        "127.0.0.1",
        "127.0.0.1:4501",
        "localhost.evil.example:4500",
        "127.0.0.1:4500@evil.example",
        "",
    ] {
        for address in ADDRESSES {
            let answer = page.send(request(address, &[("host", host), BEARER]));
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{host} {address}");
        }
        // Not even the right token in the address helps.
        let introduced = format!("/?token={TOKEN}");
        let answer = page.send(request(&introduced, &[("host", host)]));
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{host}");
    }
    assert_eq!(page.send(request("/", &[BEARER])).status, StatusCode::FORBIDDEN);
    assert_eq!(page.send(request("/", &[HERE, HERE, BEARER])).status, StatusCode::FORBIDDEN);
    let absolute = page.send(request("http://evil.example:4500/", &[HERE, BEARER]));
    assert_eq!(absolute.status, StatusCode::FORBIDDEN);
}

#[test]
fn other_pages_are_kept_out() {
    let page = Page::of(Home::new());
    let with = |address: &str, name: &str, value: &str| {
        page.send(request(address, &[HERE, BEARER, (name, value)])).status
    };
    assert_eq!(with("/api/sessions", "origin", "http://127.0.0.1:4500"), StatusCode::OK);
    assert_eq!(with("/api/sessions", "sec-fetch-site", "same-origin"), StatusCode::OK);
    for origin in [
        "https://evil.example",
        "http://127.0.0.1:4501",
        "http://127.0.0.1",
        "https://127.0.0.1:4500",
        "null",
        "file://",
    ] {
        assert_eq!(with("/api/sessions", "origin", origin), StatusCode::FORBIDDEN, "{origin}");
        assert_eq!(with("/", "origin", origin), StatusCode::FORBIDDEN, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(with("/api/sessions", "sec-fetch-site", site), StatusCode::FORBIDDEN, "{site}");
        // A link from elsewhere is followed.
        assert_eq!(with("/", "sec-fetch-site", site), StatusCode::OK, "{site}");
    }
}

#[test]
fn nothing_is_changed() {
    let page = Page::of(Home::new());
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
        for address in ADDRESSES {
            let request = known(address).method(&method).body(Body::from("x")).unwrap();
            let answer = page.send(request);
            assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {address}");
            assert!(answer.headers.get("access-control-allow-origin").is_none());
        }
    }
    let head = page.send(known("/").method(Method::HEAD).body(Body::empty()).unwrap());
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
}

#[test]
fn every_answer_says_what_may_be_done_with_it() {
    let page = Page::of(Home::new());
    let mut answers: Vec<_> =
        ADDRESSES.into_iter().map(|address| (address, page.get(address))).collect();
    answers.push(("no token", page.send(request("/", &[HERE]))));
    answers.push(("no host", page.send(request("/", &[BEARER]))));
    let introduced = format!("/?token={TOKEN}");
    answers.push(("introduced", page.send(request(&introduced, &[HERE]))));
    for (name, answer) in answers {
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
            "{name}"
        );
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{name}");
        for (header, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(header), value, "{name}");
        }
        let kept = if name.starts_with("/assets") { "no-cache" } else { "no-store" };
        assert_eq!(answer.header("cache-control"), kept, "{name}");
    }
}

#[test]
fn assets_are_sent_once_and_nothing_else_is() {
    let page = Page::of(Home::new());
    let first = page.get("/assets/app.js");
    assert!(first.header("content-type").starts_with("text/javascript"));
    let tag = first.header("etag").to_owned();
    let again = known("/assets/app.js").header("if-none-match", &tag).body(Body::empty()).unwrap();
    let again = page.send(again);
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    for address in [
        "/assets/../src/lib.rs",
        "/assets/%2e%2e/%2e%2e/src/lib.rs",
        "/assets//etc/passwd",
        "/assets/%2Fetc%2Fpasswd",
        "/assets/",
        "/assets/none.js",
    ] {
        assert_eq!(page.get(address).status, StatusCode::NOT_FOUND, "{address}");
    }
}
