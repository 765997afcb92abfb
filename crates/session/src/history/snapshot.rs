//! The state as JSON, and back.

use std::sync::Arc;

use recount_formats::Json;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::state::Lookup;
use super::wire::{Fault, Members, object};
use super::{HistoryId, HistoryState, Map, Record};

object! {
    /// A serialized history state.
    Shape {
        /// The records in the order in which they are shown.
        records: Vec<Record>,
        /// The id that the next record gets; above all ids of records.
        next_id: HistoryId,
        /// Commands by call.
        exec_call_lookup: Map<HistoryId>,
        /// Tools by call.
        tool_call_lookup: Map<HistoryId>,
        /// Messages by stream.
        stream_lookup: Map<HistoryId>,
    }
}

/// Why text is no snapshot, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadSnapshot {
    /// It is no JSON.
    Syntax {
        /// Line from 1.
        line: usize,
        /// Column from 1, in bytes.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// It is JSON and no snapshot.
    Value {
        /// The place as a JSON pointer; empty for the whole value.
        pointer: String,
        /// What is wrong there.
        what: String,
    },
}

impl std::fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Syntax { line, column, what } => write!(f, "line {line} column {column}: {what}"),
            Self::Value { pointer, what } if pointer.is_empty() => write!(f, "(root): {what}"),
            Self::Value { pointer, what } => write!(f, "{pointer}: {what}"),
        }
    }
}

impl std::error::Error for BadSnapshot {}

impl From<Fault> for BadSnapshot {
    fn from(fault: Fault) -> Self {
        Self::Value { pointer: fault.pointer(), what: fault.what().to_owned() }
    }
}

fn syntax(text: &str, at: usize, what: impl Into<String>) -> BadSnapshot {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    BadSnapshot::Syntax {
        line: 1 + before.matches('\n').count(),
        column: 1 + before.len() - start,
        what: what.into(),
    }
}

impl HistoryState {
    /// The state as it is written to JSON. Nothing is copied.
    pub const fn snapshot(&self) -> Snapshot<'_> {
        Snapshot(self)
    }

    /// The state that a snapshot was taken of.
    pub fn restore_from(bytes: &[u8]) -> Result<Self, BadSnapshot> {
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let good = String::from_utf8_lossy(bytes.get(..e.valid_up_to()).unwrap_or_default());
            syntax(&good, good.len(), "not UTF-8")
        })?;
        let value = recount_formats::json::parse(text).map_err(|e| syntax(text, e.at, e.what))?;
        Ok(read(value)?)
    }
}

fn read(value: Json<'_>) -> Result<HistoryState, Fault> {
    let shape = Shape::read_members(value, None)?;
    let mut state = HistoryState::with_next_id(shape.next_id.0, shape.other);
    let mut largest = None;
    for (n, record) in shape.records.into_iter().enumerate() {
        let id = record.id();
        largest = largest.max(Some(id));
        if !state.restore(record) {
            let fault = Fault::new(format!("another record has the id {id}"));
            return Err(fault.under("id").under(n.to_string()).under("records"));
        }
    }
    if let Some(largest) = largest.filter(|id| *id >= shape.next_id) {
        let what = format!("{} is not above the largest id {largest}", shape.next_id);
        return Err(Fault::new(what).under("next_id"));
    }
    let maps = [shape.exec_call_lookup, shape.tool_call_lookup, shape.stream_lookup];
    for (lookup, map) in Lookup::ALL.into_iter().zip(maps) {
        for (key, id) in map.0 {
            let fault = match state.get(id) {
                None => Some(format!("no record has the id {id}")),
                Some(record) if !lookup.fits(&key, record.kind()) => {
                    let kind = record.kind().name();
                    Some(format!("it leads to record {id}, a {kind} that does not go by this name"))
                }
                Some(_) => None,
            };
            if let Some(what) = fault {
                return Err(Fault::new(what).under(key).under(lookup.name()));
            }
            state.add_key(lookup, Arc::from(key), id);
        }
    }
    Ok(state)
}

/// A state as JSON: what [`HistoryState::restore_from`] reads.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a>(&'a HistoryState);

struct Records<'a>(&'a HistoryState);

impl Serialize for Records<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.records())
    }
}

impl Serialize for Snapshot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("records", &Records(self.0))?;
        map.serialize_entry("next_id", &self.0.next_id())?;
        for lookup in Lookup::ALL {
            // In order, so that the same state is always the same text.
            let sorted: std::collections::BTreeMap<_, _> = self.0.lookup(lookup).iter().collect();
            map.serialize_entry(lookup.name(), &sorted)?;
        }
        self.0.other().write(&mut map)?;
        map.end()
    }
}
