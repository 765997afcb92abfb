//! Lines to nodes: one pass over a transcript, each line decoded once.
//!
//! Lines with a `uuid` are the nodes of the conversation tree; all others are metadata, of which the last one
//! of a kind counts (they are written again and again near the end of the file).

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use recount_formats::claude_code::Kind;
use recount_formats::json::Fields;
use recount_formats::jsonl::{self, Body, Content};
use recount_formats::{Code, Finding, Json, Position, Text, finding};

use crate::json::RawJson;

/// Index of a node in [`Transcript::nodes`].
pub(super) type NodeId = usize;

/// What a node is, as far as the tree cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    User,
    Assistant,
    System,
    Attachment,
    /// Progress of a tool: old builds wrote it, and children may hang on it.
    Progress,
    /// A type that the catalogue lacks. Children may hang on it too.
    Unknown,
}

/// A line of the conversation tree.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: NodeKind,
    /// The whole record, and its members.
    pub(super) record: Json<'a>,
    pub(super) fields: Fields<'a>,
    pub(super) uuid: Cow<'a, str>,
    pub(super) at: Position,
    /// Earlier lines with the same uuid, which this one replaced.
    pub(super) also_at: Vec<Position>,
    pub(super) parent_uuid: Option<Cow<'a, str>>,
    /// On a compaction boundary: the last node before it.
    pub(super) logical_parent_uuid: Option<Cow<'a, str>>,
    pub(super) is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) timestamp: Option<Text<'a>>,
    /// Subtype of a system record, type of an attachment.
    pub(super) subtype: Option<Cow<'a, str>>,
    pub(super) message: Message<'a>,
    /// Whether the line is one that the real program cannot read, such as one of two on the same line.
    pub(super) recovered: bool,
}

/// The `message` of a user or assistant record.
#[derive(Debug, Clone, Default)]
pub(super) struct Message<'a> {
    pub(super) id: Option<Text<'a>>,
    /// A string, or an array of the blocks.
    pub(super) content: Option<Json<'a>>,
    pub(super) blocks: Vec<Block<'a>>,
    pub(super) model: Option<Text<'a>>,
    pub(super) stop_reason: Option<Text<'a>>,
    pub(super) usage: Option<Json<'a>>,
    /// Whether one of the blocks answers a tool call.
    pub(super) has_tool_result: bool,
}

/// A block of a message: the members that most kinds of block have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<'a> {
    /// The whole block.
    pub(super) raw: Json<'a>,
    type_: Option<Text<'a>>,
    /// The id of a call, in the call and in its result.
    call: Option<Text<'a>>,
    pub(super) name: Option<Text<'a>>,
    /// The text of a text or a thought.
    text: Option<Text<'a>>,
    /// The arguments of a call.
    pub(super) input: Option<Json<'a>>,
    /// The content of a result.
    pub(super) content: Option<Json<'a>>,
    /// Whether a result tells of an error.
    pub(super) is_error: bool,
}

impl<'a> Block<'a> {
    /// Reads a block; a plain string is a text.
    pub(super) fn of(raw: Json<'a>) -> Self {
        let mut block = Self {
            raw,
            type_: None,
            call: None,
            name: None,
            text: raw.text(),
            input: None,
            content: None,
            is_error: false,
        };
        for (key, value) in raw.members() {
            match &*key.get() {
                "type" => block.type_ = value.text(),
                "id" | "tool_use_id" => block.call = value.text(),
                "name" => block.name = value.text(),
                "text" | "thinking" => block.text = value.text(),
                "input" => block.input = Some(value),
                "content" => block.content = Some(value),
                "is_error" => block.is_error = value.as_bool() == Some(true),
                _ => {}
            }
        }
        block
    }

    pub(super) fn type_(&self) -> Cow<'a, str> {
        self.type_.map_or(Cow::Borrowed(if self.raw.is_object() { "" } else { "text" }), Text::get)
    }

    pub(super) fn is(&self, type_: &str) -> bool {
        match self.type_ {
            Some(own) => own.is(type_),
            None => !self.raw.is_object() && type_ == "text",
        }
    }

    /// Whether it answers a call.
    pub(super) fn is_result(&self) -> bool {
        self.type_.is_some_and(|t| t.inner().ends_with("tool_result"))
    }

    /// Whether it is a call.
    pub(super) fn is_call(&self) -> bool {
        self.type_.is_some_and(|t| t.inner().ends_with("tool_use"))
    }

    /// The id of the call; empty where it has none.
    pub(super) fn call(&self) -> Cow<'a, str> {
        self.call.map(Text::get).unwrap_or_default()
    }

    pub(super) fn text(&self) -> Option<Cow<'a, str>> {
        self.text.map(Text::get)
    }

    /// An argument of a call that is a string.
    pub(super) fn argument(&self, key: &str) -> Option<Cow<'a, str>> {
        self.input?.str(key)
    }
}

/// What an assistant message says that the program made up itself instead of asking the model.
pub(super) const SYNTHETIC_MODEL: &str = "<synthetic>";

impl<'a> Node<'a> {
    /// Whether it is a line that a person or the model wrote.
    pub(super) fn is_message(&self) -> bool {
        matches!(self.kind, NodeKind::User | NodeKind::Assistant)
    }

    pub(super) fn is_system(&self, subtype: &str) -> bool {
        self.kind == NodeKind::System && self.subtype.as_deref() == Some(subtype)
    }

    pub(super) fn is_boundary(&self) -> bool {
        self.is_system("compact_boundary")
    }

    /// The line at which it stands in the order of the file: that of the first of several with the same uuid.
    pub(super) fn first_line(&self) -> u64 {
        self.also_at.first().unwrap_or(&self.at).line
    }

    /// A member of the record that is true.
    pub(super) fn flag(&self, key: &str) -> bool {
        self.fields.is_true(key)
    }

    pub(super) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        self.fields.str(key)
    }

    /// The id that all lines of one response share.
    pub(super) fn response_id(&self) -> Option<Cow<'a, str>> {
        if self.kind != NodeKind::Assistant {
            return None;
        }
        self.message.id.map(Text::get).filter(|id| !id.is_empty())
    }

    /// Whether it tells of an error instead of an answer.
    pub(super) fn is_api_error(&self) -> bool {
        self.kind == NodeKind::Assistant && self.flag("isApiErrorMessage")
    }

    /// When it was written, Unix milliseconds.
    pub(super) fn milliseconds(&self) -> Option<i64> {
        let timestamp: jiff::Timestamp = self.timestamp?.get().parse().ok()?;
        Some(timestamp.as_millisecond())
    }

    pub(super) fn stop_reason(&self) -> Option<Cow<'a, str>> {
        self.message.stop_reason.map(Text::get)
    }
}

/// Which node the conversation goes on from, as the last `last-prompt` record says.
#[derive(Debug, Clone)]
pub(super) struct LastPrompt<'a> {
    pub(super) leaf: Option<Cow<'a, str>>,
    /// Whether a person chose that node, as by going back to it.
    pub(super) explicit: bool,
    pub(super) at: Position,
}

/// The metadata of a session: the last record of each kind.
#[derive(Debug, Default)]
pub(super) struct Metadata<'a> {
    pub(super) last_prompt: Option<LastPrompt<'a>>,
    pub(super) custom_title: Option<Cow<'a, str>>,
    pub(super) agent_name: Option<Cow<'a, str>>,
    pub(super) ai_title: Option<Cow<'a, str>>,
    /// Summaries of old builds, with the leaf that each one describes.
    pub(super) summaries: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    pub(super) continued_in: Option<Cow<'a, str>>,
    /// Contents that were put in place of tool results, so that a resumed session sends the same again.
    pub(super) replacements: Vec<Json<'a>>,
    /// In the file of a forked sub-agent: the place in the parent where it begins.
    pub(super) fork_context: Option<ForkContext<'a>>,
    pub(super) session_id: Option<Cow<'a, str>>,
    pub(super) first_timestamp: Option<Text<'a>>,
    pub(super) last_timestamp: Option<Text<'a>>,
}

impl<'a> Metadata<'a> {
    /// What takes the place of results, by the ids of their calls.
    pub(super) fn replaced_results(&self) -> HashMap<Cow<'a, str>, RawJson> {
        let text = |value: &Json<'a>, keys: &[&str]| keys.iter().find_map(|key| value.get(key));
        self.replacements
            .iter()
            .filter_map(|one| {
                let call = text(one, &["toolUseId", "tool_use_id", "toolUseID"])?.as_str()?;
                let content = text(one, &["replacement", "content"])?;
                Some((call, RawJson::new(content)))
            })
            .collect()
    }
}

/// A fork's reference to the conversation that it inherited.
#[derive(Debug, Clone)]
pub(super) struct ForkContext<'a> {
    pub(super) session: Cow<'a, str>,
    pub(super) last: Cow<'a, str>,
}

/// A transcript, decoded.
#[derive(Debug, Default)]
pub(super) struct Transcript<'a> {
    /// The nodes in the order of the file.
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) by_uuid: HashMap<Cow<'a, str>, NodeId>,
    pub(super) metadata: Metadata<'a>,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Transcript<'a> {
    /// Decodes all lines.
    pub(super) fn read(content: &'a Content<'_>, source: &Arc<str>) -> Self {
        let mut transcript = Self::default();
        if content.bytes().is_empty() {
            let text = "the file is empty: the session was never written";
            transcript.find(Code::EmptyFile, source, Position::WHOLE, text);
        }
        for line in content.map(|line| Looked::at(line, content)) {
            transcript.take(line, content, source);
        }
        transcript
    }

    /// In the file of a forked sub-agent: the parent's line with the call that started it, of which the file has a copy.
    pub(super) fn copied_call(&self) -> Option<NodeId> {
        self.metadata.fork_context.as_ref()?;
        let first = self.nodes.iter().position(Node::is_message)?;
        (self.nodes[first].kind == NodeKind::Assistant).then_some(first)
    }

    /// Decodes one line.
    pub(super) fn line(
        &mut self,
        line: jsonl::Parsed<'a>,
        content: &'a Content<'_>,
        source: &Arc<str>,
    ) {
        self.take(Looked::at(line, content), content, source);
    }

    fn take(&mut self, line: Looked<'a>, content: &Content<'_>, source: &Arc<str>) {
        let at = line.at;
        if line.mended {
            let text = "bytes that are not UTF-8 were read as replacement characters";
            self.find(Code::InvalidUtf8, source, at, text);
        }
        if at.byte == 0 && content.bytes().starts_with(jsonl::BOM) {
            let text = "the file starts with a byte order mark";
            self.find(Code::ByteOrderMark, source, at, text);
        }
        if let Some((code, text)) = line.wrong {
            self.find(code, source, at, text);
        }
        for record in line.records {
            self.record(record, source);
        }
    }

    fn find(&mut self, code: Code, source: &Arc<str>, at: Position, text: impl Into<String>) {
        self.findings.push(Finding::new(code, source, at, text));
    }

    fn record(&mut self, record: Record<'a>, source: &Arc<str>) {
        let Record { node, type_, unknown } = record;
        let at = node.at;
        if let Some(timestamp) = node.timestamp {
            self.metadata.first_timestamp.get_or_insert(timestamp);
            self.metadata.last_timestamp = Some(timestamp);
        }
        if let Some(text) = unknown {
            self.find(Code::UnknownRecordType, source, at, text);
        }
        if node.uuid.is_empty() {
            if node.is_message() {
                self.find(
                    Code::MissingField,
                    source,
                    at,
                    "a message without `uuid` is in no conversation",
                );
            }
            self.metadata(type_.as_deref().unwrap_or(""), node.record, at);
            return;
        }
        // The real program keeps the place of the first line and the content of the last one.
        if let Some(&id) = self.by_uuid.get(&node.uuid) {
            let first = self.nodes[id].at;
            let text = format!("`{}` stands on line {} already", node.uuid, first.line);
            let mut also_at = std::mem::take(&mut self.nodes[id].also_at);
            also_at.push(first);
            self.nodes[id] = Node { also_at, ..node };
            self.find(Code::DuplicateId, source, at, text);
        } else {
            self.by_uuid.insert(node.uuid.clone(), self.nodes.len());
            self.nodes.push(node);
        }
    }

    fn metadata(&mut self, type_: &str, record: Json<'a>, at: Position) {
        let metadata = &mut self.metadata;
        if let Some(id) = record.str("sessionId") {
            metadata.session_id.get_or_insert(id);
        }
        match type_ {
            "last-prompt" => {
                metadata.last_prompt = Some(LastPrompt {
                    leaf: record.str("leafUuid"),
                    explicit: ["explicit", "rewound"]
                        .iter()
                        .any(|key| record.get(key).and_then(Json::as_bool) == Some(true)),
                    at,
                });
            }
            "custom-title" => metadata.custom_title = record.str("customTitle"),
            "agent-name" => metadata.agent_name = record.str("agentName"),
            "ai-title" => metadata.ai_title = record.str("aiTitle"),
            "summary" => {
                if let (Some(leaf), Some(text)) = (record.str("leafUuid"), record.str("summary")) {
                    metadata.summaries.push((leaf, text));
                }
            }
            "continued-in" => metadata.continued_in = record.str("continuedInSessionId"),
            "content-replacement" => {
                let replacements = record.get("replacements").unwrap_or(Json::NULL);
                metadata.replacements.extend(replacements.elements());
            }
            "fork-context-ref" => {
                if let (Some(session), Some(last)) =
                    (record.str("parentSessionId"), record.str("parentLastUuid"))
                {
                    metadata.fork_context = Some(ForkContext { session, last });
                }
            }
            _ => {}
        }
    }
}

/// A line as it is alone: lines are looked at on several cores, and put together in order.
struct Looked<'a> {
    at: Position,
    mended: bool,
    /// Why it is no record.
    wrong: Option<(Code, String)>,
    /// The record on it; on a damaged line, all that are still whole.
    records: Records<'a>,
}

/// Nearly every line has one record.
type Records<'a> =
    std::iter::Chain<std::option::IntoIter<Record<'a>>, std::vec::IntoIter<Record<'a>>>;

/// A record, what it says that it is, and what to tell of one of an unknown type.
struct Record<'a> {
    node: Node<'a>,
    type_: Option<Cow<'a, str>>,
    unknown: Option<String>,
}

impl<'a> Looked<'a> {
    fn at(line: jsonl::Parsed<'a>, content: &'a Content<'_>) -> Self {
        let at = line.at;
        let (mut one, mut more, mut wrong) = (None, Vec::new(), None);
        match line.body {
            Body::Blank => {}
            Body::Value(record) if record.is_object() => one = Some(Record::of(record, at, false)),
            Body::Value(value) => {
                let text = format!("expected an object, found {}", value.kind().name());
                wrong = Some((Code::NotAnObject, text));
            }
            Body::Junk(code, text) => {
                wrong = Some((code, text));
                let text = content.text(at).unwrap_or_default();
                let place = |offset: usize, record: Json<'_>| Position {
                    line: at.line,
                    byte: at.byte + offset as u64,
                    len: record.raw().len() as u64,
                };
                let found = jsonl::recover(text).into_iter();
                more =
                    found.map(|(n, record)| Record::of(record, place(n, record), true)).collect();
            }
        }
        Self { at, mended: line.mended, wrong, records: one.into_iter().chain(more) }
    }
}

impl<'a> Record<'a> {
    fn of(record: Json<'a>, at: Position, recovered: bool) -> Self {
        let (node, type_) = decode(record, at, recovered);
        let known = match node.kind {
            NodeKind::User | NodeKind::Assistant => true,
            _ => Kind::of(record) != Kind::Unknown,
        };
        let unknown = (!known).then(|| {
            let mut text = "unknown type of record".to_owned();
            if let Some(type_) = &type_ {
                text = format!("unknown type of record: `{}`", finding::excerpt(type_));
            }
            if let (Some(subtype), NodeKind::System | NodeKind::Attachment) =
                (&node.subtype, node.kind)
            {
                let _ = write!(text, ", `{}`", finding::excerpt(subtype));
            }
            text
        });
        Self { node, type_, unknown }
    }
}

/// Reads the members that the tree needs in one pass, and the type.
fn decode(record: Json<'_>, at: Position, recovered: bool) -> (Node<'_>, Option<Cow<'_, str>>) {
    let mut node = Node {
        kind: NodeKind::Unknown,
        record,
        fields: Fields::of(record),
        uuid: Cow::Borrowed(""),
        at,
        also_at: Vec::new(),
        parent_uuid: None,
        logical_parent_uuid: None,
        is_sidechain: false,
        is_meta: false,
        timestamp: None,
        subtype: None,
        message: Message::default(),
        recovered,
    };
    let (mut type_, mut subtype, mut attachment, mut message) = (None, None, None, None);
    for (key, value) in node.fields.iter() {
        match &*key.get() {
            "type" => type_ = value.as_str(),
            "uuid" => node.uuid = value.as_str().unwrap_or_default(),
            "parentUuid" => node.parent_uuid = value.as_str().filter(|id| !id.is_empty()),
            "logicalParentUuid" => node.logical_parent_uuid = value.as_str(),
            "isSidechain" => node.is_sidechain = value.as_bool() == Some(true),
            "isMeta" => node.is_meta = value.as_bool() == Some(true),
            "timestamp" => node.timestamp = value.text(),
            "subtype" => subtype = value.as_str(),
            "attachment" => attachment = Some(value),
            "message" => message = Some(value),
            _ => {}
        }
    }
    match type_.as_deref() {
        Some("user") => node.kind = NodeKind::User,
        Some("assistant") => node.kind = NodeKind::Assistant,
        Some("system") => {
            node.kind = NodeKind::System;
            node.subtype = subtype;
        }
        Some("attachment") => {
            node.kind = NodeKind::Attachment;
            node.subtype = attachment.and_then(|a| a.str("type"));
        }
        Some("progress") => node.kind = NodeKind::Progress,
        _ => {}
    }
    if let (Some(message), true) = (message, node.is_message()) {
        for (key, value) in message.members() {
            match &*key.get() {
                "id" => node.message.id = value.text(),
                "content" => node.message.content = Some(value),
                "model" => node.message.model = value.text(),
                "stop_reason" => node.message.stop_reason = value.text(),
                "usage" => node.message.usage = Some(value),
                _ => {}
            }
        }
        let content = node.message.content.unwrap_or(Json::NULL);
        node.message.blocks = content.elements().map(Block::of).collect();
        node.message.has_tool_result = node.kind == NodeKind::User
            && node.message.blocks.iter().any(|block| block.is("tool_result"));
    }
    (node, type_)
}
