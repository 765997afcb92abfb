//! Bytes to records: how fast lines are split, checked and told apart, beside what else could be used.
//!
//! `cargo bench -p recount-formats`; set `RECOUNT_BENCH_CORPUS` to a folder of transcripts to measure those.

#[path = "support/corpus.rs"]
mod corpus;

use std::hint::black_box;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::BytesCount;
use recount_formats::{Harness, claude_code, codex, jsonl};
use serde::Deserialize;
use serde_json::value::RawValue;

static CODEX: LazyLock<Vec<u8>> = LazyLock::new(|| corpus::of(Harness::Codex));
static CLAUDE_CODE: LazyLock<Vec<u8>> = LazyLock::new(|| corpus::of(Harness::ClaudeCode));

fn main() {
    divan::main();
}

fn measure<T>(bencher: Bencher<'_, '_>, harness: Harness, run: impl Fn(&'static [u8]) -> T + Sync) {
    let bytes: &'static [u8] = if harness == Harness::Codex { &CODEX } else { &CLAUDE_CODE };
    bencher.counter(BytesCount::of_slice(bytes)).bench(|| run(black_box(bytes)));
}

const HARNESSES: &[Harness] = &[Harness::Codex, Harness::ClaudeCode];

/// The record layer: lines, UTF-8, the whole syntax, and what kind each record is.
#[divan::bench(args = HARNESSES)]
fn records_with_header(bencher: Bencher<'_, '_>, harness: Harness) {
    measure(bencher, harness, |bytes| match harness {
        Harness::Codex => jsonl::lines(bytes)
            .map(|line| line.parse_as::<codex::Kind>())
            .fold(0, |n, (_, kind)| n + usize::from(kind.is_some())),
        _ => jsonl::lines(bytes)
            .map(|line| line.parse_as::<claude_code::Kind>())
            .fold(0, |n, (_, kind)| n + usize::from(kind.is_some())),
    });
}

/// The same from a reader, as files are streamed.
#[divan::bench(args = HARNESSES)]
fn streamed_with_header(bencher: Bencher<'_, '_>, harness: Harness) {
    measure(bencher, harness, |bytes| {
        let mut reader = jsonl::Reader::new(bytes);
        let mut n = 0;
        while let Ok(Some(line)) = reader.next_line() {
            n += usize::from(match harness {
                Harness::Codex => line.parse_as::<codex::Kind>().1.is_some(),
                _ => line.parse_as::<claude_code::Kind>().1.is_some(),
            });
        }
        n
    });
}

/// Reference: only splitting lines.
#[divan::bench(args = HARNESSES)]
fn ref_split_lines(bencher: Bencher<'_, '_>, harness: Harness) {
    measure(bencher, harness, |bytes| memchr::memchr_iter(b'\n', bytes).count());
}

#[derive(Deserialize)]
struct CodexHeader<'a> {
    #[serde(borrow, rename = "type")]
    _kind: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ClaudeHeader<'a> {
    #[serde(borrow, rename = "type")]
    _kind: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
}

/// Reference: serde_json reading only the outermost tag, the rest as raw text.
#[divan::bench(args = HARNESSES)]
fn ref_serde_json_raw_header(bencher: Bencher<'_, '_>, harness: Harness) {
    measure(bencher, harness, |bytes| {
        let mut n = 0;
        for line in jsonl::lines(bytes) {
            n += match harness {
                Harness::Codex => serde_json::from_slice::<CodexHeader<'_>>(line.raw)
                    .ok()
                    .and_then(|h| h.payload)
                    .map_or(0, |p| p.get().len()),
                _ => serde_json::from_slice::<ClaudeHeader<'_>>(line.raw)
                    .ok()
                    .and_then(|h| h.message)
                    .map_or(0, |p| p.get().len()),
            };
        }
        n
    });
}

/// Reference: serde_json building whole values.
#[divan::bench(args = HARNESSES, sample_count = 5)]
fn ref_serde_json_value(bencher: Bencher<'_, '_>, harness: Harness) {
    measure(bencher, harness, |bytes| {
        jsonl::lines(bytes)
            .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line.raw).ok())
            .filter(|value| value.get("type").is_some())
            .count()
    });
}
