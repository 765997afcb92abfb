//! One pass over a rollout: lines to records with the few things that every reader of them needs.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::codex::Kind;
use recount_formats::json;
use recount_formats::jsonl::{self, Body};
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
    fn of(name: &str) -> Self {
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
    for line in jsonl::lines(&bytes[..end.min(bytes.len())]) {
        let take = |value: Json<'a>, records: &mut Records<'a>| {
            let record = decode(segment, line.at, value);
            if !value.is_object() {
                records.findings.push(find(Code::NotAnObject, line.at, "not a record".into()));
                return;
            }
            if !record.counts {
                let name = json::parse(value.raw())
                    .map_or_else(|_| "?".into(), recount_formats::codex::type_of);
                let message = format!(
                    "record type `{}` is not known",
                    recount_formats::finding::excerpt(&name)
                );
                records.findings.push(find(Code::UnknownRecordType, line.at, message));
            }
            records.all.push(record);
        };
        match line.parse() {
            Body::Blank => {}
            Body::Value(value) => take(value, &mut records),
            Body::Junk(code, message) => {
                records.findings.push(find(code, line.at, message));
                damage.push(line.at.line);
                if code == Code::GluedLine {
                    // Codex loses such a line; what parses on it is kept here.
                    let mut rest = std::str::from_utf8(line.body()).unwrap_or("");
                    while let Ok((value, behind)) = json::parse_first(rest) {
                        if !value.is_object() {
                            break;
                        }
                        take(value, &mut records);
                        rest = behind;
                    }
                }
            }
        }
    }
    mark_damage(&mut records.all, &damage);
    records
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

fn decode(segment: usize, at: Position, value: Json<'_>) -> Rec<'_> {
    let mut top = Top::Unknown;
    let mut payload = Json::NULL;
    let mut timestamp = None;
    let mut ordinal = None;
    for (key, member) in value.members() {
        match key.inner() {
            "type" => top = member.as_str().map_or(Top::Unknown, |t| Top::of(&t)),
            "payload" => payload = member,
            "timestamp" => timestamp = member.text(),
            "ordinal" => ordinal = member.as_u64(),
            _ => {}
        }
    }
    let tag = match top {
        Top::ResponseItem | Top::EventMsg => payload
            .members()
            .find(|(key, _)| key.inner() == "type")
            .and_then(|(_, tag)| tag.as_str())
            .unwrap_or_default(),
        _ => Cow::Borrowed(""),
    };
    let counts = match top {
        Top::Unknown => false,
        Top::EventMsg if tag == "item_completed" => is_known_item(payload),
        // The sandbox of 0.50 had a `mode` where a `type` is expected now: Codex cannot read it any more
        // (`old-v050-exec`).
        Top::TurnContext => payload.at(&["sandbox_policy", "type"]).is_some(),
        Top::EventMsg => {
            COMMON_EVENTS.contains(&&*tag)
                || NEVER_WRITTEN.contains(&&*tag)
                || Kind::of(value) != Kind::Unknown
        }
        // Codex has a catch-all for response items of unknown types.
        _ => true,
    };
    Rec { segment, at, top, tag, timestamp, ordinal, payload, counts, near_damage: false }
}

/// Events that make up nearly all of every file: asking the catalogue about each would cost another walk.
const COMMON_EVENTS: &[&str] = &[
    "agent_message",
    "agent_reasoning",
    "token_count",
    "user_message",
    "task_started",
    "task_complete",
    "exec_command_end",
    "patch_apply_end",
    "mcp_tool_call_end",
];

/// Whether an `item_completed` holds an item that Codex knows.
fn is_known_item(payload: Json<'_>) -> bool {
    let Some((_, item)) = payload.members().find(|(key, _)| key.inner() == "item") else {
        return false;
    };
    let Some(kind) =
        item.members().find(|(key, _)| key.inner() == "type").and_then(|(_, t)| t.as_str())
    else {
        return false;
    };
    ITEMS.contains(&&*kind)
}

/// The items of `item_completed`.
const ITEMS: &[&str] = &[
    "AgentMessage",
    "CollabAgentToolCall",
    "CommandExecution",
    "ContextCompaction",
    "DynamicToolCall",
    "EnteredReviewMode",
    "ExitedReviewMode",
    "Extension",
    "FileChange",
    "FunctionCallOutput",
    "HookPrompt",
    "ImageGeneration",
    "ImageView",
    "McpToolCall",
    "Plan",
    "Reasoning",
    "SubAgentActivity",
    "UserMessage",
    "WebSearch",
];

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
