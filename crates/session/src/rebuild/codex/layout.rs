//! Where turns stand in the files of a history, for programs that cut one there: forks and reverts.

use std::collections::HashMap;

use super::legacy::Legacy;
use super::prefix::Segments;
use super::record::{Rec, Top};
use super::{Header, display, own_records};
use crate::json::RawJson;
use crate::model::TurnStatus;
use crate::rebuild::Input;

/// A history as the files that hold it.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Whether its records are numbered, so that another rollout can begin with a part of it.
    pub paginated: bool,
    /// The rollouts that make it up, oldest first: ids of those that are inherited from, nothing for the one
    /// that was opened, which is the last.
    pub parts: Vec<Option<String>>,
    /// The turns that Codex shows, in its order.
    pub turns: Vec<TurnPlace>,
    /// Behind the last record.
    pub end: Place,
    /// Whether a copy of a parent's history stands before the first turn: a sub-agent has one.
    pub inherits_context: bool,
    /// The number that the next item without an id of its own gets, in legacy histories.
    pub next_item: usize,
    /// The payload of the last settings that were written.
    pub settings: Option<RawJson>,
}

/// A turn's records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPlace {
    /// Its id.
    pub id: String,
    /// Before its first record.
    pub start: Place,
    /// Behind the record that ends it, else before the next turn.
    pub end: Place,
    /// Whether a record ends it.
    pub ended: bool,
}

/// A place between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The rollout, by its number in [`Layout::parts`].
    pub part: usize,
    /// The byte in that rollout, uncompressed.
    pub byte: u64,
    /// The ordinal of the record behind it, in paginated histories.
    pub ordinal: u64,
}

/// Reads where turns stand.
pub fn layout(input: Input<'_>) -> Layout {
    let segments = Segments::of(&input);
    let (recs, _) = segments.records();
    let header = Header::of(&recs, segments.all.len() - 1);
    let own = own_records(&recs, header.own_from);
    let (pending, _) = display(own, &segments, header.paginated, input.source);
    let bounds = bounds(&recs);
    let mut starts: Vec<usize> = bounds.values().map(|b| b.start).collect();
    let spans: Vec<_> = pending
        .iter()
        .filter(|p| !p.lost)
        .map(|p| {
            let first = p.order.first().copied().unwrap_or(recs.len());
            let known = bounds.get(&*p.turn.id);
            let start = known.map_or_else(|| prompt_start(&recs, first), |b| b.start);
            (p.turn.id.clone(), start, known.and_then(|b| b.end), p.turn.status)
        })
        .collect();
    starts.extend(spans.iter().map(|s| s.1));
    starts.sort_unstable();
    let turns = spans
        .into_iter()
        .map(|(id, start, end, status)| {
            let next = || starts.iter().copied().find(|&s| s > start).unwrap_or(recs.len());
            TurnPlace {
                id,
                start: place(&recs, start),
                end: place(&recs, end.map_or_else(next, |end| end + 1)),
                ended: end.is_some() || status == TurnStatus::Completed,
            }
        })
        .collect();
    Layout {
        paginated: header.paginated,
        parts: segments.all.iter().map(|s| s.rollout.clone()).collect(),
        turns,
        end: place(&recs, recs.len()),
        inherits_context: header.own_from.is_some(),
        next_item: if header.paginated { 1 } else { Legacy::next_item(&recs, input.source) },
        settings: recs
            .iter()
            .rev()
            .find(|r| r.top == Top::EventMsg && r.tag == "thread_settings_applied")
            .map(|r| RawJson::new(r.payload)),
    }
}

/// The records of a numbered history before `place`, as they were written, without the header.
pub fn records_before(input: Input<'_>, place: Place) -> Vec<String> {
    let segments = Segments::of(&input);
    let (recs, _) = segments.records();
    recs.iter()
        .take_while(|r| (r.segment, r.at.byte) < (place.part, place.byte))
        .filter(|r| r.top != Top::SessionMeta)
        .filter_map(|r| segments.all.get(r.segment)?.text(r.at))
        .collect()
}

/// The records that begin and end a turn.
struct Bounds {
    start: usize,
    end: Option<usize>,
}

fn bounds<'r>(recs: &'r [Rec<'_>]) -> HashMap<std::borrow::Cow<'r, str>, Bounds> {
    let mut all: HashMap<_, Bounds> = HashMap::new();
    for (n, rec) in recs.iter().enumerate().filter(|(_, r)| r.top == Top::EventMsg) {
        let ends = match &*rec.tag {
            "task_started" | "turn_started" => false,
            "task_complete" | "turn_complete" | "turn_aborted" => true,
            _ => continue,
        };
        let Some(id) = rec.payload.str("turn_id") else { continue };
        let bounds = all.entry(id).or_insert(Bounds { start: n, end: None });
        if ends {
            bounds.end = Some(n);
        }
    }
    all
}

/// Where a turn begins that no record opens: what the model got stands before what the person saw.
fn prompt_start(recs: &[Rec<'_>], first: usize) -> usize {
    let belongs = |rec: &Rec<'_>| match rec.top {
        Top::TurnContext => true,
        Top::ResponseItem => {
            rec.tag == "message" && rec.payload.str("role").is_some_and(|r| r != "assistant")
        }
        _ => false,
    };
    let before = recs[..first.min(recs.len())].iter().rev().take_while(|r| belongs(r)).count();
    first.min(recs.len()) - before
}

/// The place before the record with this number. It lies directly behind the record before, so that it never
/// falls before the header of a rollout that inherits.
fn place(recs: &[Rec<'_>], n: usize) -> Place {
    let next = recs.get(n).and_then(|r| r.ordinal);
    match n.checked_sub(1).and_then(|before| recs.get(before)) {
        Some(before) => Place {
            part: before.segment,
            byte: before.at.byte + before.at.len,
            ordinal: before.ordinal.map(|o| o + 1).or(next).unwrap_or(0),
        },
        None => Place { part: 0, byte: 0, ordinal: next.unwrap_or(0) },
    }
}
