//! Telling which harness wrote a transcript, from its first lines.

use crate::claude_code;
use crate::harness::Harness;
use crate::json::Json;
use crate::jsonl::{self, Body};

/// How many records are looked at.
const RECORDS: usize = 50;

/// Tells which harness wrote the transcript that starts with these bytes; nothing when no line says so.
///
/// The first record that one format has and the others lack decides. The bytes may end anywhere.
pub fn harness(start: &[u8]) -> Option<Harness> {
    jsonl::lines(start)
        .filter_map(|line| match line.parse() {
            Body::Value(record) if record.is_object() => Some(record),
            _ => None,
        })
        .take(RECORDS)
        .find_map(of_record)
}

/// Tells which harness writes such a record.
fn of_record(record: Json<'_>) -> Option<Harness> {
    let has = |key: &str| record.get(key).is_some();
    // Every line of a rollout is an envelope, whatever its type.
    if has("timestamp") && has("payload") && has("type") {
        return Some(Harness::Codex);
    }
    // pi's header; Claude Code has no such record.
    if record.str("type").as_deref() == Some("session") && has("cwd") {
        return Some(Harness::Pi);
    }
    // Nodes of its tree name the session and a version. Loose records are told by type.
    if has("sessionId") && (has("parentUuid") || has("version")) {
        return Some(Harness::ClaudeCode);
    }
    if has("parentId") && has("id") {
        return Some(Harness::Pi);
    }
    (claude_code::Kind::of(record) != claude_code::Kind::Unknown).then_some(Harness::ClaudeCode)
}
