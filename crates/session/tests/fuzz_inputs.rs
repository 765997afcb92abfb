//! Tries the inputs that the fuzz targets keep (`fuzz/inputs/`), without a fuzzer.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "what fails here ends the test")]

use std::path::Path;

#[path = "../../../fuzz/src/laws.rs"]
mod laws;

fn replay(target: &str, law: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/inputs").join(target);
    let mut tried = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        law(&bytes);
        // An input that is cut off anywhere must not hurt either.
        for cut in [bytes.len() / 2, bytes.len().saturating_sub(1)] {
            law(&bytes[..cut]);
        }
        tried += 1;
    }
    assert!(tried > 0, "no inputs in {}", folder.display());
}

#[test]
fn jsonl() {
    replay("jsonl", laws::jsonl);
}

#[test]
fn json() {
    replay("json", laws::json);
}

#[test]
fn codex() {
    replay("codex", laws::codex);
}

#[test]
fn claude_code() {
    replay("claude_code", laws::claude_code);
}

#[test]
fn pi() {
    replay("pi", laws::pi);
}

#[test]
fn opencode() {
    replay("opencode", laws::opencode);
}

#[test]
fn cursor_agent() {
    replay("cursor_agent", laws::cursor_agent);
}
