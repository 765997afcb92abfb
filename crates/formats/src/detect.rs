//! Telling which harness wrote a transcript, from its first lines.

use crate::format::{self, Likeness};
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

/// Tells which harness writes such a record: the one whose format it is most like, the first of several.
fn of_record(record: Json<'_>) -> Option<Harness> {
    let (mut best, mut found) = (Likeness::None, None);
    for &harness in Harness::ALL {
        let likeness = (format::of(harness).likeness)(record);
        if likeness > best {
            (best, found) = (likeness, Some(harness));
        }
    }
    found
}
