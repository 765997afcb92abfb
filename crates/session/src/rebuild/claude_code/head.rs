//! What both ends of a transcript tell of its session, for lists of thousands of them.

use std::borrow::Cow;

use recount_formats::jsonl::{BadUtf8, Content};
use recount_formats::{Json, Text, json};

use super::prompt::{self, UserLine};
use super::title;
use super::transcript::{Metadata, Node, NodeKind, SYNTHETIC_MODEL, Transcript};
use crate::rebuild::Facts;

/// What the first and the last lines of a transcript tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The session: of a sub-agent's file the one that it belongs to.
    pub session_id: Option<String>,
    /// The agent, in a sub-agent's file.
    pub agent_id: Option<String>,
    /// Whether all messages are those of a sub-agent.
    pub is_sidechain: bool,
    /// The name, by the rule that [`super::thread`] follows.
    pub title: Option<String>,
    /// The working directory at the start.
    pub cwd: Option<String>,
    /// The time of the first line that has one.
    pub created_at: Option<String>,
    /// The time of the last line that has one.
    pub updated_at: Option<String>,
    /// The model of the last answer.
    pub model: Option<String>,
    /// The session whose lines were copied to the start of this one.
    pub forked_from_id: Option<String>,
    /// The first node of the conversation and its time. Copies in other sessions have the same.
    pub first_node: Option<(String, String)>,
    /// Whether it has any message of a person or the model.
    pub has_messages: bool,
}

/// Reads the first bytes of a transcript and, when these are not all of it, the last ones. Lines that are cut at the
/// ends are left out. `facts` is what stands elsewhere.
///
/// No more lines are decoded than are needed: the first ones up to the first prompt, the last ones up to one with a time
/// and one with a model, and those with a title.
pub fn head(first: &[u8], last: Option<&[u8]>, facts: &Facts) -> Head {
    let last = last.unwrap_or(first);
    let model = last_model(last).or_else(|| last_model(first));
    let mut metadata = Metadata {
        custom_title: last_of(last, "custom-title", |record| record.str("customTitle")),
        agent_name: last_of(last, "agent-name", |record| record.str("agentName")),
        ai_title: last_of(last, "ai-title", |record| record.str("aiTitle")),
        ..Metadata::default()
    };
    // The last line of the first bytes may be cut: it is no JSON then and says nothing.
    let first = Content::new(first, BadUtf8::Replace);
    let start = start(&first);

    let text = |key: &str| {
        let mut texts = start.nodes.iter().filter_map(|node| node.text(key));
        texts.find(|text| !text.is_empty()).map(Cow::into_owned)
    };
    let owned = |text: Text<'_>| text.get().into_owned();
    let mut head = Head {
        session_id: text("sessionId")
            .or_else(|| start.metadata.session_id.clone().map(Cow::into_owned)),
        agent_id: text("agentId"),
        is_sidechain: !start.nodes.is_empty() && start.nodes.iter().all(|node| node.is_sidechain),
        title: None,
        cwd: text("cwd"),
        created_at: start.metadata.first_timestamp.map(owned),
        updated_at: last_timestamp(last).or_else(|| start.metadata.last_timestamp.map(owned)),
        forked_from_id: start
            .nodes
            .iter()
            .find_map(|node| node.fields.get("forkedFrom")?.str("sessionId"))
            .map(Cow::into_owned),
        first_node: start
            .nodes
            .first()
            .and_then(|node| Some((node.uuid.to_string(), owned(node.timestamp?)))),
        has_messages: model.is_some() || start.nodes.iter().any(Node::is_message),
        model,
    };
    metadata.custom_title = metadata.custom_title.or_else(|| start.metadata.custom_title.clone());
    metadata.agent_name = metadata.agent_name.or_else(|| start.metadata.agent_name.clone());
    metadata.ai_title = metadata.ai_title.or_else(|| start.metadata.ai_title.clone());
    metadata.summaries.clone_from(&start.metadata.summaries);
    head.title = title::title(&Transcript { metadata, ..start }, facts);
    head
}

/// The first lines, up to the first prompt.
fn start<'a>(content: &'a Content<'_>) -> Transcript<'a> {
    let source = "".into();
    let mut start = Transcript::default();
    for line in content.parsed() {
        let known = start.nodes.len();
        start.line(line, content, &source);
        let prompted = start.nodes[known..].iter().any(|node| {
            node.kind == NodeKind::User
                && matches!(prompt::classify(node), UserLine::Prompt(_) | UserLine::Shell(_))
        });
        if prompted {
            break;
        }
    }
    start
}

/// The time of the last line that has one.
fn last_timestamp(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let line;
        (rest, line) = last_line(rest);
        if let Some(timestamp) = record(line).and_then(|record| record.str("timestamp")) {
            return Some(timestamp.into_owned());
        }
    }
    None
}

/// The model of the last answer.
fn last_model(bytes: &[u8]) -> Option<String> {
    let model = last_of(bytes, "assistant", |record| {
        record.get("message")?.str("model").filter(|model| model != SYNTHETIC_MODEL)
    });
    model.map(Cow::into_owned)
}

/// The value in the last record of a type that has one. The bytes are searched for the type's name first; what is found
/// is decoded then, so that neither white space nor the order of keys matters.
fn last_of<'a, T>(
    bytes: &'a [u8],
    type_: &str,
    value: impl Fn(Json<'a>) -> Option<T>,
) -> Option<T> {
    // The name may stand in a text any number of times, but hardly ever as a whole string.
    const ATTEMPTS: usize = 16;
    let name = format!("\"{type_}\"");
    // Searching forwards is much faster than backwards.
    let found: Vec<usize> = memchr::memmem::find_iter(bytes, &name).collect();
    let mut end = bytes.len();
    for &found in found.iter().rev().take(ATTEMPTS) {
        // Several times on one line.
        if found >= end {
            continue;
        }
        let start = memchr::memrchr(b'\n', &bytes[..found]).map_or(0, |n| n + 1);
        let behind = memchr::memchr(b'\n', &bytes[found..]).map_or(bytes.len(), |n| found + n);
        if let Some(record) = record(&bytes[start..behind])
            && record.str("type").is_some_and(|own| own == type_)
            && let Some(value) = value(record)
        {
            return Some(value);
        }
        end = start;
    }
    None
}

/// What stands before the last line, and that line.
fn last_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let start = memchr::memrchr(b'\n', body).map_or(0, |n| n + 1);
    (&bytes[..start], &bytes[start..])
}

fn record(line: &[u8]) -> Option<Json<'_>> {
    json::parse(std::str::from_utf8(line).ok()?).ok().filter(|record| record.is_object())
}
