//! Every answer is as the API's document says, and every address stands in it.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use recount_serve::web::route;
use serde_json::{Value, json};

use super::{Page, part, settled};
use crate::support::root;

fn document() -> Value {
    let path = root().join("docs/openapi.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_address_stands_in_the_document() {
    let document = document();
    let described: BTreeSet<&str> =
        document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let answered: BTreeSet<&str> = route::ALL
        .iter()
        .map(|route| route.path)
        .filter(|path| path.starts_with("/api/"))
        .collect();
    assert_eq!(described, answered);
    let served = Page::samples().json("/api/openapi.json");
    assert_eq!(served, document);
}

/// Holds answers to the document.
struct Shapes {
    document: Value,
    known: BTreeMap<String, jsonschema::Validator>,
}

impl Shapes {
    fn check(&mut self, path: &str, address: &str, answer: &Value) {
        let Self { document, known } = self;
        let validator = known.entry(path.to_owned()).or_insert_with(|| {
            let content = &document["paths"][path]["get"]["responses"]["200"]["content"];
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "components": document["components"],
                "allOf": [content["application/json"]["schema"]],
            });
            jsonschema::validator_for(&schema).unwrap()
        });
        let errors: Vec<String> = validator
            .iter_errors(answer)
            .take(3)
            .map(|error| format!("{} at {}", error, error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{address}: {errors:#?}");
    }
}

#[test]
fn every_answer_is_as_the_document_says() {
    let page = Page::samples();
    settled(&page, "/api/sessions?all=1&limit=1000");
    let mut shapes = Shapes { document: document(), known: BTreeMap::new() };
    let mut ask = |path: &str, address: &str| {
        let answer = page.json(address);
        shapes.check(path, address, &answer);
        answer
    };
    ask("/api/sessions", "/api/sessions?all=1&q=cart&limit=3");
    for by in ["day", "week,model", "hour-block", "session", "project,harness"] {
        ask("/api/usage", &format!("/api/usage?by={by}&timezone=UTC"));
    }
    ask("/api/usage/heatmap", "/api/usage/heatmap?timezone=Europe/Berlin");
    ask("/api/search", "/api/search?q=cart");
    ask("/api/search", "/api/search?q=%2F(%2F");
    let files = ask("/api/files", "/api/files");
    let file = files["files"][0]["path"].as_str().unwrap();
    ask("/api/files", &format!("/api/files?path={}", part(file)));
    ask("/api/findings", "/api/findings");
    for format in ask("/api/formats", "/api/formats")["harnesses"].as_array().unwrap() {
        let harness = format["harness"].as_str().unwrap();
        for described in format["types"].as_array().unwrap() {
            let name = part(described["type"].as_str().unwrap());
            let address = format!("/api/formats/{harness}/{name}");
            ask("/api/formats/{harness}/{type}", &address);
        }
    }
    for id in page.ids() {
        let base = format!("/api/sessions/{}", part(&id));
        let session = ask("/api/sessions/{id}", &base);
        let items = ask("/api/sessions/{id}/items", &format!("{base}/items?limit=500"));
        assert_eq!(items["total"], session["items"]);
        for item in items["items"].as_array().unwrap() {
            let address = format!("{base}/items/{}", part(item["id"].as_str().unwrap()));
            ask("/api/sessions/{id}/items/{item}", &address);
        }
        ask("/api/sessions/{id}/find", &format!("{base}/find?q=e"));
        ask("/api/sessions/{id}/timeline", &format!("{base}/timeline"));
        for branch in session["branches"].as_array().unwrap() {
            let leaf = part(branch["leaf"].as_str().unwrap());
            let other = ask("/api/sessions/{id}", &format!("{base}?branch={leaf}"));
            assert_eq!(other["branch"], branch["leaf"]);
            ask("/api/sessions/{id}/items", &format!("{base}/items?branch={leaf}"));
        }
    }
}

#[test]
fn errors_have_one_shape() {
    let page = Page::samples();
    let id = part(&page.ids()[0]);
    for (address, status) in [
        ("/api/nothing".to_owned(), StatusCode::NOT_FOUND),
        ("/api/sessions/none".to_owned(), StatusCode::NOT_FOUND),
        (format!("/api/sessions/{id}?branch=none"), StatusCode::NOT_FOUND),
        (format!("/api/sessions/{id}/items/none"), StatusCode::NOT_FOUND),
        (format!("/api/sessions/{id}/find"), StatusCode::BAD_REQUEST),
        (format!("/api/sessions/{id}/items?from=-1"), StatusCode::BAD_REQUEST),
        ("/api/sessions?harness=none".to_owned(), StatusCode::BAD_REQUEST),
        ("/api/sessions?since=someday".to_owned(), StatusCode::BAD_REQUEST),
        ("/api/usage?by=colour".to_owned(), StatusCode::BAD_REQUEST),
        ("/api/usage?timezone=Nowhere/None".to_owned(), StatusCode::BAD_REQUEST),
        ("/api/findings?severity=odd".to_owned(), StatusCode::BAD_REQUEST),
        ("/api/formats/none/none".to_owned(), StatusCode::NOT_FOUND),
        // Paths are no ids.
        ("/api/sessions/..%2F..%2Fetc%2Fpasswd".to_owned(), StatusCode::NOT_FOUND),
        ("/api/sessions/%2Fetc%2Fpasswd".to_owned(), StatusCode::NOT_FOUND),
    ] {
        let answer = page.get(&address);
        assert_eq!(answer.status, status, "{address}: {}", answer.text());
        let error = &answer.json()["error"];
        assert!(error["code"].is_string() && error["message"].is_string(), "{address}: {error}");
    }
}
