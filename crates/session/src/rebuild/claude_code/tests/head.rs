//! Heads and tails for lists.

use super::file;
use crate::rebuild::Facts;
use crate::rebuild::claude_code::head::head;

#[test]
fn a_whole_file_tells_all() {
    let lines = file(&[
        "u1 - user Fix the cart",
        "a1 u1 says m1 Done",
        r#"{"type":"custom-title","customTitle":"Mine","sessionId":"s"}"#,
        r#"{ "sessionId": "s", "aiTitle": "Theirs", "type": "ai-title" }"#,
    ]);
    let head = head(lines.as_bytes(), None, &Facts::default());
    assert_eq!(head.title.as_deref(), Some("Mine"));
    assert_eq!(head.session_id.as_deref(), Some("s"));
    assert_eq!(head.cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(head.created_at.as_deref(), Some("2026-11-01T08:00:00.000Z"));
    assert_eq!(head.updated_at.as_deref(), Some("2026-11-01T08:00:01.000Z"));
    assert_eq!(head.model.as_deref(), Some("claude-opus-5-5"));
    assert!(head.has_messages && !head.is_sidechain);
}

#[test]
fn both_ends_tell_what_stands_in_them() {
    let lines = file(&[
        "u1 - user Say \"ai-title\" once",
        "a1 u1 says m1 Some \"custom-title\" text",
        r#"{"type":"ai-title","aiTitle":"Theirs"}"#,
        "a2 a1 says m2 The end",
        "u2 a2 user The \"custom-title\" is no title",
    ]);
    let cut = lines.find("Some").unwrap();
    let (first, last) = (&lines.as_bytes()[..cut], &lines.as_bytes()[cut..]);
    let head = head(first, Some(last), &Facts::default());
    assert_eq!(head.title.as_deref(), Some("Theirs"));
    assert_eq!(head.updated_at.as_deref(), Some("2026-11-01T08:00:04.000Z"));
}

#[test]
fn nothing_tells_nothing() {
    let head = head(b"", None, &Facts::default());
    assert_eq!(head, crate::rebuild::claude_code::head::Head::default());
}
