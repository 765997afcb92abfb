//! What must hold for any bytes at all. The fuzz targets call these with what a fuzzer thinks of, and a plain
//! test (`crates/session/tests/fuzz_inputs.rs`) with the inputs that are kept in `inputs/`.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::check::{self, Found};
use recount_formats::jsonl::{self, BadUtf8, Body, Content, Reader};
use recount_formats::{
    Harness, Json, claude_code as claude_code_records, codex as codex_records, json as values,
    opencode as opencode_records, pi as pi_records,
};
use recount_session::rebuild::{self, Alone, Companions, Facts, Input};

/// Lines lose nothing, however they are read.
pub fn jsonl(data: &[u8]) {
    let lines: Vec<_> = jsonl::lines(data).collect();
    let joined: Vec<u8> = lines.iter().flat_map(|l| l.raw).copied().collect();
    assert_eq!(joined, data, "the lines are the input");
    // The first byte chooses the limit, so that a fuzzer finds its way around it.
    let limit = usize::from(data.first().copied().unwrap_or(1));
    let mut reader = Reader::with_limit(data, limit);
    let mut joined = Vec::new();
    while let Ok(Some(line)) = reader.next_line() {
        assert_eq!(line.at.byte, joined.len() as u64);
        assert!(line.raw.len() <= limit.max(1));
        joined.extend_from_slice(line.raw);
    }
    assert_eq!(joined, data, "the parts are the input");
    for mode in [BadUtf8::Junk, BadUtf8::Replace] {
        assert_eq!(Content::new(data, mode).parsed().count(), lines.len());
    }
}

/// What is accepted is what a strict reader accepts, and every view of it works.
pub fn json(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let ours = values::parse(text);
    // The referee gives up at a certain depth.
    if text.bytes().filter(|b| matches!(b, b'[' | b'{')).count() < 100 {
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}");
    }
    if let Ok(value) = ours {
        assert_eq!(value.raw(), text.trim_matches([' ', '\t', '\n', '\r']));
        look_at(value, 0);
    }
}

fn look_at(value: Json<'_>, depth: usize) {
    if let Some(text) = value.text() {
        assert!(text.is(&text.get()));
    }
    let _ = (value.as_bool(), value.as_i64(), value.as_u64(), value.as_f64());
    if depth > 100 {
        return;
    }
    for (key, member) in value.members() {
        assert!(value.get(&key.get()).is_some());
        assert!(value.offset_of(member).is_some());
        look_at(member, depth + 1);
    }
    for element in value.elements() {
        assert!(value.offset_of(element).is_some());
        look_at(element, depth + 1);
    }
}

/// A rollout of any content is decoded, checked and rebuilt.
pub fn codex(data: &[u8]) {
    for value in records(data) {
        let _ = codex_records::Record::decode(value);
        let _ = codex_records::type_of(value);
    }
    transcript(Harness::Codex, data);
}

/// A session of any content is decoded, checked and rebuilt.
pub fn claude_code(data: &[u8]) {
    for value in records(data) {
        let _ = claude_code_records::Record::decode(value);
        let _ = claude_code_records::type_of(value);
    }
    transcript(Harness::ClaudeCode, data);
}

/// A session of any content is decoded, checked and rebuilt.
pub fn pi(data: &[u8]) {
    for value in records(data) {
        let _ = pi_records::Record::decode(value);
        let _ = pi_records::type_of(value);
    }
    transcript(Harness::Pi, data);
}

/// Rows of any content are decoded, checked and rebuilt.
pub fn opencode(data: &[u8]) {
    for value in records(data) {
        let _ = opencode_records::Record::decode(value);
        let _ = opencode_records::type_of(value);
    }
    transcript(Harness::Opencode, data);
}

/// A chat of any blobs is rebuilt. The bytes `FF` part the blobs; the first is the settings, the others are named by their
/// numbers: `01`, `02`, …
pub fn cursor_agent(data: &[u8]) {
    let mut blobs = data.split(|byte| *byte == 0xff);
    let settings = blobs.next().unwrap_or_default();
    let blobs = Blobs(blobs.take(0xff).collect());
    let source: Arc<str> = Arc::from("store.db");
    let facts = Facts::default();
    let input = Input { source: &source, bytes: settings, facts: &facts, companions: &blobs };
    let thread = rebuild::thread(Harness::CursorAgent, input, None);
    for finding in &thread.findings {
        assert!(!finding.message.contains(char::is_control), "{finding}");
    }
    let _ = rebuild::model_view(Harness::CursorAgent, input, None);
}

struct Blobs<'a>(Vec<&'a [u8]>);

impl Companions for Blobs<'_> {
    fn names(&self) -> Vec<String> {
        (1..=self.0.len()).map(|n| format!("{n:02x}")).collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let n = usize::from_str_radix(name, 16).ok()?.checked_sub(1)?;
        self.0.get(n).map(|blob| Cow::Borrowed(*blob))
    }
}

fn records(data: &[u8]) -> impl Iterator<Item = Json<'_>> {
    jsonl::lines(data).filter_map(|line| match line.parse() {
        Body::Value(value) => Some(value),
        _ => None,
    })
}

fn transcript(harness: Harness, data: &[u8]) {
    let source: Arc<str> = Arc::from("input.jsonl");
    let (progress, found) = check::transcript(Some(harness), &source, data);
    assert_eq!(progress.bytes, data.len() as u64);
    let lines = jsonl::lines(data).count() as u64;
    assert_eq!(progress.lines, lines);
    for Found { finding, .. } in &found {
        assert!(finding.line <= lines && finding.byte <= data.len() as u64, "{finding}");
        assert!(!finding.message.contains(char::is_control), "{finding}");
        assert!(finding.pointer.is_empty() || finding.pointer.starts_with('/'));
    }
    let facts = Facts::default();
    let input = Input { source: &source, bytes: data, facts: &facts, companions: &Alone };
    let thread = rebuild::thread(harness, input, None);
    for finding in &thread.findings {
        assert!(finding.line <= lines, "{finding}");
    }
    let _ = rebuild::model_view(harness, input, None);
}
