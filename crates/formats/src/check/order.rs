//! What can only be said of lines in their order: ordinals, the header, the version of the program.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::finding::{Code, Finding};
use crate::json::{Json, Kind};
use crate::position::Position;

/// What a stretch of lines amounts to. Stretches that were checked apart are put together in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Lines, blank ones too.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Records, whatever they are.
    pub records: u64,
    /// Records of a type that the catalogue lacks.
    pub unknown: u64,
    /// Lines that are no record.
    pub junk: u64,
    /// The first record: its place and whether it is the header.
    first: Option<(Position, bool)>,
    ordinals: Option<Ordinals>,
    /// Lines that are no record, since the last ordinal or the beginning: they may have carried one.
    gap: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ordinals {
    first: u64,
    first_at: Position,
    /// Lines that are no record before the first.
    gap: u64,
    last: u64,
}

impl Progress {
    /// Counts a record that is the first or not.
    pub(super) fn record(&mut self, at: Position, is_header: bool) {
        self.records += 1;
        self.first.get_or_insert((at, is_header));
    }

    /// Counts a line that is no record.
    pub(super) fn junk(&mut self) {
        self.junk += 1;
        self.gap += 1;
    }

    /// Takes the ordinal of a record, when it has one.
    pub(super) fn ordinal(
        &mut self,
        record: Json<'_>,
        at: Position,
        source: &Arc<str>,
    ) -> Option<Finding> {
        // Codex writes the ordinal before the payload, so that a look at it is cheap.
        let mut head = record.members().take_while(|(key, _)| !key.is("payload"));
        let value = head.find(|(key, _)| key.is("ordinal"))?.1;
        let ordinal = (value.kind() == Kind::Number).then(|| value.as_u64()).flatten()?;
        let gap = std::mem::take(&mut self.gap);
        match &mut self.ordinals {
            None => {
                self.ordinals = Some(Ordinals { first: ordinal, first_at: at, gap, last: ordinal });
                None
            }
            Some(ordinals) => {
                let last = std::mem::replace(&mut ordinals.last, ordinal);
                out_of_order(last, ordinal, gap, at, source)
            }
        }
    }

    /// Puts the stretch that follows behind this one; says what is wrong where they meet.
    pub fn append(&mut self, next: &Self, source: &Arc<str>) -> Option<Finding> {
        self.lines += next.lines;
        self.bytes += next.bytes;
        self.records += next.records;
        self.unknown += next.unknown;
        self.junk += next.junk;
        self.first = self.first.or(next.first);
        let Some(then) = next.ordinals else {
            self.gap += next.gap;
            return None;
        };
        let gap = self.gap + then.gap;
        self.gap = next.gap;
        match &mut self.ordinals {
            None => {
                self.ordinals = Some(Ordinals { gap, ..then });
                None
            }
            Some(ordinals) => {
                let last = std::mem::replace(&mut ordinals.last, then.last);
                out_of_order(last, then.first, gap, then.first_at, source)
            }
        }
    }

    /// The first record, and whether it is the header.
    pub(super) const fn first(&self) -> Option<(Position, bool)> {
        self.first
    }
}

fn out_of_order(
    last: u64,
    ordinal: u64,
    gap: u64,
    at: Position,
    source: &Arc<str>,
) -> Option<Finding> {
    // A line that is no record may have carried the ordinals that seem to be missing.
    if ordinal > last && ordinal - last <= gap + 1 {
        return None;
    }
    let what = match ordinal.cmp(&last) {
        Ordering::Equal => format!("the ordinal {ordinal} stands twice"),
        Ordering::Less => format!("the ordinal goes back from {last} to {ordinal}"),
        Ordering::Greater => format!("the ordinals between {last} and {ordinal} are missing"),
    };
    Some(Finding::new(Code::OrdinalGap, source, at, what).with_pointer("/ordinal"))
}
