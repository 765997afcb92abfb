//! A scanner that was kept goes on as if nothing had been; names in odd spelling are found.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use recount_formats::Harness;

use super::super::{Feeder, Scanner, Transcript};

/// The transcripts among our fixtures.
fn transcripts() -> Vec<(Harness, PathBuf)> {
    fn walk(folder: &Path, harness: Harness, found: &mut Vec<(Harness, PathBuf)>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, harness, found);
            } else if path.extension().is_some_and(|e| e == "jsonl") {
                found.push((harness, path));
            }
        }
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut found = Vec::new();
    for harness in [Harness::ClaudeCode, Harness::Codex, Harness::Pi] {
        walk(&fixtures.join("samples").join(harness.id()), harness, &mut found);
        walk(&fixtures.join(harness.id()), harness, &mut found);
    }
    assert!(found.len() > 20);
    found
}

fn feeder(harness: Harness, path: &Path) -> Feeder {
    let name = path.file_stem().unwrap().to_str().unwrap();
    Feeder::new(Scanner::new(harness, name, false).unwrap(), false)
}

fn whole(harness: Harness, path: &Path, bytes: &[u8]) -> Transcript {
    let mut feeder = feeder(harness, path);
    feeder.feed(bytes, true);
    feeder.finish()
}

#[test]
fn a_scanner_that_was_kept_goes_on() {
    let mut responses = 0;
    for (harness, path) in transcripts() {
        let bytes = std::fs::read(&path).unwrap();
        let want = whole(harness, &path, &bytes);
        responses += want.responses.len();
        for end in memchr::memchr_iter(b'\n', &bytes).map(|n| n + 1) {
            let mut first = feeder(harness, &path);
            first.feed(&bytes[..end], true);
            let kept = serde_json::to_vec(&first.into_scanner()).unwrap();
            let mut scanner: Scanner = serde_json::from_slice(&kept).unwrap();
            scanner.wake();
            let mut second = Feeder::new(scanner, false).starting_at(end as u64);
            second.feed(&bytes[end..], true);
            assert_eq!(second.finish(), want, "{} from {end}", path.display());
        }
    }
    assert!(responses > 40);
}

#[test]
fn spaces_order_and_escapes_change_nothing() {
    for (harness, path) in transcripts() {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        // Positions move with the text.
        let plain = |mut t: Transcript| {
            t.responses.iter_mut().for_each(|r| r.byte = 0);
            t
        };
        let escaped = text
            .replace("\"usage\"", "\"us\\u0061ge\"")
            .replace("\"token_usage_record\"", "\"token\\u005fusage_record\"")
            .replace("_token_usage\"", "_toke\\u006E_us\\u0061ge\"");
        let want = plain(whole(harness, &path, text.as_bytes()));
        assert_eq!(plain(whole(harness, &path, escaped.as_bytes())), want, "{}", path.display());
        let turned: Vec<String> = text.lines().map(turned).collect();
        let got = plain(whole(harness, &path, turned.join("\n").as_bytes()));
        assert_eq!(got.responses, want.responses, "{}", path.display());
    }
}

/// A record with spaces and with its keys the other way round.
fn turned(line: &str) -> String {
    fn put(value: recount_formats::Json<'_>, out: &mut String) {
        let mut parts = Vec::new();
        if value.is_object() {
            for (key, member) in value.members() {
                let mut part = format!("{} : ", key.raw());
                put(member, &mut part);
                parts.push(part);
            }
            parts.reverse();
            let _ = write!(out, "{{ {} }}", parts.join(" , "));
        } else if value.is_array() {
            for element in value.elements() {
                let mut part = String::new();
                put(element, &mut part);
                parts.push(part);
            }
            let _ = write!(out, "[ {} ]", parts.join(" , "));
        } else {
            *out += value.raw();
        }
    }
    let Ok(value) = recount_formats::json::parse(line) else { return line.to_owned() };
    let mut out = String::new();
    put(value, &mut out);
    out
}
