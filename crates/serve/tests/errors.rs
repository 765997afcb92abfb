//! What is refused, and that the connection lives on.

use serde_json::{Value, json};

use crate::support::{Home, hello};

fn code(answer: &Value) -> (Value, i64) {
    (answer["id"].clone(), answer["error"]["code"].as_i64().unwrap_or(0))
}

#[test]
fn nothing_is_answered_before_initialize() {
    let home = Home::new();
    let list = json!({"id": 1, "method": "thread/list"}).to_string();
    let answers = home.send(&[list.clone(), hello(), list, hello()]);
    assert_eq!(code(&answers[0]), (json!(1), -32600));
    assert_eq!(answers[0]["error"]["message"], "Not initialized");
    assert_eq!(answers[1]["id"], "hello");
    assert!(answers[1]["result"]["userAgent"].as_str().unwrap().starts_with("recount/0.0.0 ("));
    assert_eq!(answers[2]["result"]["data"], json!([]));
    assert_eq!(code(&answers[3]), (json!("hello"), -32600));
    assert_eq!(answers[3]["error"]["message"], "Already initialized");
}

#[test]
fn the_connection_survives_whatever_is_said() {
    let home = Home::new();
    let answers = home.send(&[
        "{".into(),
        "[1, 2]".into(),
        hello(),
        String::new(),
        "\u{0}".into(),
        json!({"id": 1, "method": "no/such"}).to_string(),
        json!({"id": {}, "method": "thread/list"}).to_string(),
        json!({"id": 2, "result": {}}).to_string(),
        json!({"method": "initialized"}).to_string(),
        json!({"id": 3, "method": "thread/read", "params": {"threadId": 5}}).to_string(),
        json!({"id": 4, "method": "thread/read", "params": [1]}).to_string(),
        json!({"id": 5, "method": "thread/list", "params": {"limit": -1}}).to_string(),
        json!({"id": 6, "method": "thread/list", "params": {"cursor": "x"}}).to_string(),
        json!({"id": 7, "method": "thread/list"}).to_string(),
    ]);
    let codes: Vec<_> = answers.iter().map(code).collect();
    assert_eq!(
        codes,
        [
            (Value::Null, -32700),
            (Value::Null, -32600),
            (json!("hello"), 0),
            (Value::Null, -32700),
            (json!(1), -32601),
            (Value::Null, -32600),
            (json!(3), -32602),
            (json!(4), -32602),
            (json!(5), -32602),
            (json!(6), -32602),
            (json!(7), 0),
        ]
    );
}

#[test]
fn what_needs_a_model_is_refused_and_told_so() {
    let home = Home::new();
    for method in ["turn/start", "thread/start", "turn/interrupt", "thread/compact/start"] {
        let (code, message) = home.refused(method, json!({"threadId": "x"}));
        assert_eq!(code, -32601);
        assert!(message.contains("recount runs none"), "{message}");
    }
    let (code, message) = home.refused("account/read", json!({}));
    assert_eq!(code, -32601);
    assert!(message.contains("threads and nothing else"), "{message}");
    let (code, message) = home.refused("thead/list", json!({}));
    assert_eq!((code, message.as_str()), (-32601, "unknown method `thead/list`"));
}

#[test]
fn a_thread_is_found_by_its_whole_id_and_by_nothing_else() {
    let home = Home::samples();
    let (sessions, _) = home.stores.list();
    let session = &sessions[0];
    let path = session.path.to_string_lossy();
    for id in ["", &session.id[..session.id.len() - 1], &path, "/etc/passwd"] {
        let (code, message) = home.refused("thread/read", json!({"threadId": id}));
        assert_eq!(code, -32600, "{message}");
    }
    home.one("thread/read", json!({"threadId": session.id}));
}
