//! One pass over a rollout: lines to records with the few things that every reader of them needs.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::codex::Kind;
use recount_formats::jsonl::{self, Body};
use recount_formats::tags::{Tagged, Tags};
use recount_formats::{Code, Finding, Json, Position, Text};

use crate::model::At;

/// The outer type of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Top {
    SessionMeta,
    ResponseItem,
    EventMsg,
    Compacted,
    TurnContext,
    TokenUsage,
    InterAgent,
    /// Known, and of no use for a rebuild.
    Other,
    /// Not in the catalogue.
    Unknown,
}

impl Top {
    pub(super) fn of(name: &str) -> Self {
        match name {
            "session_meta" => Self::SessionMeta,
            "response_item" => Self::ResponseItem,
            "event_msg" => Self::EventMsg,
            "compacted" => Self::Compacted,
            "turn_context" => Self::TurnContext,
            "token_usage_record" => Self::TokenUsage,
            "inter_agent_communication" => Self::InterAgent,
            "world_state"
            | "inter_agent_communication_metadata"
            | "security_risk_score"
            | "retained_context"
            | "realtime_item" => Self::Other,
            _ => Self::Unknown,
        }
    }
}

/// A record of a rollout.
#[derive(Debug, Clone)]
pub(super) struct Rec<'a> {
    /// Which segment of the history it stands in; see [`super::prefix`].
    pub(super) segment: usize,
    pub(super) at: Position,
    pub(super) top: Top,
    /// `payload.type`, empty when there is none.
    pub(super) tag: Cow<'a, str>,
    kind: Kind,
    pub(super) timestamp: Option<Text<'a>>,
    pub(super) ordinal: Option<u64>,
    pub(super) payload: Json<'a>,
    /// Whether Codex reads a record of this type. One that it cannot read it skips without counting it.
    pub(super) counts: bool,
    /// Whether a line directly before or behind it could not be read.
    pub(super) near_damage: bool,
}

/// The records of a file, and what was wrong with its lines.
#[derive(Debug, Default)]
pub(super) struct Records<'a> {
    pub(super) all: Vec<Rec<'a>>,
    pub(super) findings: Vec<Finding>,
}

/// Reads the lines of one file up to `end`.
pub(super) fn read<'a>(
    segment: usize,
    source: &Arc<str>,
    bytes: &'a [u8],
    end: usize,
) -> Records<'a> {
    let mut records = Records::default();
    let find = |code, at, message: String| Finding::new(code, source, at, message);
    if bytes.is_empty() {
        records.findings.push(find(
            Code::EmptyFile,
            Position::WHOLE,
            "the file has no bytes".into(),
        ));
    }
    if bytes.starts_with(jsonl::BOM) {
        let message = "the file starts with a byte order mark; Codex does not read it".to_owned();
        records.findings.push(find(Code::ByteOrderMark, first(bytes), message));
    }
    let mut damage = Vec::new();
    // Each line is looked at alone, on several cores where there are many.
    let look = |line: jsonl::Line<'a>| {
        let mut own = Records::default();
        let lost = !own.take(segment, source, &line);
        (own, lost.then_some(line.at.line))
    };
    for (mut own, lost) in jsonl::map(&bytes[..end.min(bytes.len())], look) {
        records.all.append(&mut own.all);
        records.findings.append(&mut own.findings);
        damage.extend(lost);
    }
    mark_damage(&mut records.all, &damage);
    records
}

/// The records of one line; what is wrong with it is left out. Nothing where the line is one record and `is_enough` says that
/// more than its types is not wanted: taking it apart costs as much as checking it.
pub(super) fn of_line<'a>(
    source: &Arc<str>,
    line: &jsonl::Line<'a>,
    is_enough: impl FnMut(&Tags<'a>) -> bool,
) -> Option<Vec<Rec<'a>>> {
    let mut records = Records::default();
    let read = records.take_unless(0, source, line, is_enough);
    (read != Took::Nothing).then_some(records.all)
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Took {
    /// Codex can read it.
    Readable,
    /// Codex cannot read it.
    Damaged,
    /// Its types were enough.
    Nothing,
}

impl<'a> Records<'a> {
    /// Takes the records of a line; whether Codex can read it.
    fn take(&mut self, segment: usize, source: &Arc<str>, line: &jsonl::Line<'a>) -> bool {
        self.take_unless(segment, source, line, |_| false) != Took::Damaged
    }

    fn take_unless(
        &mut self,
        segment: usize,
        source: &Arc<str>,
        line: &jsonl::Line<'a>,
        mut is_enough: impl FnMut(&Tags<'a>) -> bool,
    ) -> Took {
        let find = |code, message: String| Finding::new(code, source, line.at, message);
        match line.parse_tagged(Kind::PATHS) {
            (Body::Blank, _) => {}
            (Body::Value(value), tags) if value.is_object() => {
                if tags.as_ref().is_some_and(&mut is_enough) {
                    return Took::Nothing;
                }
                let record = decode(segment, line.at, value, &tags.unwrap_or_default());
                if record.kind == Kind::Unknown {
                    let name = tags.map_or_else(String::new, |tags| tags.joined());
                    let name = recount_formats::finding::excerpt(&name);
                    let message = format!("record type `{name}` is not known");
                    self.findings.push(find(Code::UnknownRecordType, message));
                }
                self.all.push(record);
            }
            (Body::Value(_), _) => {
                self.findings.push(find(Code::NotAnObject, "not a record".into()));
            }
            (Body::Junk(code, message), _) => {
                self.findings.push(find(code, message));
                self.all.extend(salvage(segment, line));
                return Took::Damaged;
            }
        }
        Took::Readable
    }
}

/// Whole records on a line that Codex loses.
fn salvage<'a>(segment: usize, line: &jsonl::Line<'a>) -> Vec<Rec<'a>> {
    let Ok(text) = std::str::from_utf8(line.body()) else { return Vec::new() };
    // `body` leaves out a byte order mark.
    let mark =
        if line.raw.starts_with(jsonl::BOM) && line.at.byte == 0 { jsonl::BOM.len() } else { 0 };
    jsonl::recover(text)
        .into_iter()
        .map(|(offset, value)| {
            let byte = line.at.byte + (mark + offset) as u64;
            let at = Position { byte, len: value.raw().len() as u64, ..line.at };
            decode(segment, at, value, &Tags::of(value, Kind::PATHS))
        })
        // Parts of a broken record are no records.
        .filter(|record| record.top != Top::Unknown)
        .collect()
}

/// Marks the records near lines that could not be read: what such a line held often stands a second time,
/// for the model or for the display, a line or two away.
fn mark_damage(records: &mut [Rec<'_>], damage: &[u64]) {
    for &line in damage {
        let from = records.partition_point(|r| r.at.line + NEAR < line);
        let near = records[from..].iter_mut().take_while(|r| r.at.line <= line + NEAR);
        near.for_each(|r| r.near_damage = true);
    }
}

/// How many lines away is near.
const NEAR: u64 = 3;

fn first(bytes: &[u8]) -> Position {
    jsonl::lines(bytes).next().map_or(Position::WHOLE, |l| l.at)
}

fn decode<'a>(segment: usize, at: Position, value: Json<'a>, tags: &Tags<'a>) -> Rec<'a> {
    let top = tags.get(0).map_or(Top::Unknown, |name| Top::of(&name));
    let tag = tags.get(1).unwrap_or_default();
    let kind = Kind::of_tags(tags);
    let mut payload = Json::NULL;
    let mut timestamp = None;
    let mut ordinal = None;
    for (key, member) in value.members() {
        match key.inner() {
            "payload" => payload = member,
            "timestamp" => timestamp = member.text(),
            "ordinal" => ordinal = member.as_u64(),
            _ => {}
        }
    }
    let counts = match top {
        Top::Unknown => false,
        Top::EventMsg => kind != Kind::Unknown || NEVER_WRITTEN.contains(&&*tag),
        // The sandbox of 0.50 had a `mode` where a `type` is expected now: Codex cannot read it any more
        // (`old-v050-exec`).
        Top::TurnContext => payload.at(&["sandbox_policy", "type"]).is_some(),
        // Codex has a catch-all for response items of unknown types.
        _ => true,
    };
    Rec { segment, at, top, tag, kind, timestamp, ordinal, payload, counts, near_damage: false }
}

/// Events that Codex knows and does not write: other programs' files may hold them, and they count.
const NEVER_WRITTEN: &[&str] = &[
    "warning",
    "stream_error",
    "exec_command_begin",
    "mcp_tool_call_begin",
    "web_search_begin",
    "patch_apply_begin",
    "plan_update",
    "turn_diff",
    "item_started",
    "background_event",
    "shutdown_complete",
    "session_configured",
];

impl Rec<'_> {
    /// Its place.
    pub(super) fn place(&self, source: &Arc<str>) -> At {
        At::line(source, self.at)
    }

    /// The timestamp as it is written.
    pub(super) fn time(&self) -> Option<String> {
        self.timestamp.map(|t| t.get().into_owned())
    }
}
