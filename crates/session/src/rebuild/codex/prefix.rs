//! The whole history of a thread: its own rollout and, before it, what it inherits.
//!
//! A paginated fork or revert begins with a `history_base {thread_id, end_ordinal_exclusive,
//! end_byte_offset}`: the named rollout's records below that ordinal come first, and so on recursively
//! (contract topic `forks`; corpus: `fork-paginated`, `revert-paginated`). `thread_id` there is a rollout id.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use recount_formats::codex::record::SessionMeta;
use recount_formats::jsonl::{Body, lines};
use recount_formats::view::View;
use recount_formats::{Code, Finding, Position};

use super::record::{self, Rec, Top};
use crate::rebuild::Input;

/// More bases than this are a mistake or a trap.
const DEPTH: usize = 1_000;

/// A file, or the part of it that counts.
#[derive(Debug)]
pub(super) struct Segment<'a> {
    pub(super) source: Arc<str>,
    /// The id by which it is inherited from; nothing for the one that was opened.
    pub(super) rollout: Option<String>,
    pub(super) bytes: Cow<'a, [u8]>,
    /// Where the part that counts ends.
    end: usize,
    /// Records from this ordinal on do not count.
    end_ordinal: Option<u64>,
}

impl Segment<'_> {
    /// The text of a record.
    pub(super) fn text(&self, at: Position) -> Option<String> {
        let start = usize::try_from(at.byte).ok()?;
        let end = start.checked_add(usize::try_from(at.len).ok()?)?;
        let line = std::str::from_utf8(self.bytes.get(start..end)?).ok()?;
        Some(line.trim_ascii().to_owned())
    }
}

/// Where a rollout says that its history begins.
#[derive(Debug, Clone)]
struct Base {
    rollout: String,
    end_ordinal: Option<u64>,
    end_byte: Option<u64>,
    at: Position,
}

/// The files that make up a history, oldest first.
#[derive(Debug)]
pub(super) struct Segments<'a> {
    pub(super) all: Vec<Segment<'a>>,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Segments<'a> {
    /// Follows the bases from the rollout that was opened.
    pub(super) fn of(input: &Input<'a>) -> Self {
        let own = Segment {
            source: Arc::clone(input.source),
            rollout: None,
            bytes: Cow::Borrowed(input.bytes),
            end: input.bytes.len(),
            end_ordinal: None,
        };
        let mut all = vec![own];
        let mut findings = Vec::new();
        let mut seen = HashSet::new();
        while let Some(newest) = all.last() {
            let Some(base) = base_of(&newest.bytes) else { break };
            let complain = |code, message| Finding::new(code, &newest.source, base.at, message);
            if all.len() > DEPTH || !seen.insert(base.rollout.clone()) {
                let message = format!("the bases form a circle at `{}`", base.rollout);
                findings.push(complain(Code::ParentCycle, message));
                break;
            }
            let Some(bytes) = input.companions.read(&base.rollout) else {
                let message =
                    format!("rollout `{}`, on which this one builds, is not there", base.rollout);
                findings.push(complain(Code::MissingBase, message));
                break;
            };
            let (end, problem) = end_of(&bytes, &base);
            findings.extend(problem.map(|message| complain(Code::BaseMismatch, message)));
            let source = input.companions.source(&base.rollout).into();
            all.push(Segment {
                source,
                rollout: Some(base.rollout),
                bytes,
                end,
                end_ordinal: base.end_ordinal,
            });
        }
        all.reverse();
        Self { all, findings }
    }

    /// Reads the records of all files, each file's own header but the last left out.
    pub(super) fn records(&self) -> (Vec<Rec<'_>>, Vec<Finding>) {
        let mut all = Vec::new();
        let mut findings = Vec::new();
        let last = self.all.len().saturating_sub(1);
        // The opened file's header comes first: it is the thread's.
        for (n, segment) in self.all.iter().enumerate() {
            let read = record::read(n, &segment.source, &segment.bytes, segment.end);
            findings.extend(read.findings);
            if n == last {
                all.extend(read.all);
                continue;
            }
            let mut header = true;
            all.extend(read.all.into_iter().filter(|r| {
                let own_header = std::mem::take(&mut header) && r.top == Top::SessionMeta;
                let beyond = segment.end_ordinal.zip(r.ordinal).is_some_and(|(end, n)| n >= end);
                !own_header && !beyond
            }));
        }
        (all, findings)
    }
}

/// The base that the first line of a rollout names.
fn base_of(bytes: &[u8]) -> Option<Base> {
    let line = lines(bytes).next()?;
    let Body::Value(record) = line.parse() else { return None };
    if record.str("type")? != "session_meta" {
        return None;
    }
    let base = SessionMeta::view(record.get("payload")?)?.history_base?;
    Some(Base {
        rollout: base.thread_id?.get().into_owned(),
        end_ordinal: base.end_ordinal_exclusive.and_then(|n| u64::try_from(n).ok()),
        end_byte: base.end_byte_offset.and_then(|n| u64::try_from(n).ok()),
        at: line.at,
    })
}

/// Where the part of a base that counts ends: at the byte that is named, if a line ends there and the
/// ordinals agree; else the ordinals alone decide.
fn end_of(bytes: &[u8], base: &Base) -> (usize, Option<String>) {
    let Some(end) = base.end_byte else { return (bytes.len(), None) };
    let end = usize::try_from(end).unwrap_or(usize::MAX);
    let whole_lines = end <= bytes.len() && (end == 0 || bytes.get(end - 1) == Some(&b'\n'));
    if !whole_lines {
        let message = format!(
            "byte {end} of rollout `{}` is no end of a line; the records are taken by their ordinals",
            base.rollout
        );
        return (bytes.len(), Some(message));
    }
    let Some(end_ordinal) = base.end_ordinal else { return (end, None) };
    let ordinal = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok()?;
        recount_formats::json::parse(text).ok()?.get("ordinal")?.as_u64()
    };
    let before = bytes[..end].rsplit(|&b| b == b'\n').find_map(ordinal);
    let behind = bytes[end..].split(|&b| b == b'\n').find_map(ordinal);
    if before.is_none_or(|n| n < end_ordinal) && behind.is_none_or(|n| n >= end_ordinal) {
        return (end, None);
    }
    let message = format!(
        "byte {end} and ordinal {end_ordinal} of rollout `{}` are different places; the ordinal was taken",
        base.rollout
    );
    (bytes.len(), Some(message))
}
