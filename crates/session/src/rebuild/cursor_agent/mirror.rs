//! The readable copy of a chat, for chats whose store is gone: JSON Lines, and the text of early builds.

use std::sync::Arc;

use recount_formats::cursor_agent::record::Kind;
use recount_formats::jsonl::{self, Body};
use recount_formats::{Code, Finding, Harness, Json, Position, json};

use super::prompts;
use super::said::{Said, Turns};
use crate::json::RawJson;
use crate::model::item::{NoticeLevel, UserInput};
use crate::model::{At, Block, Message, ModelView, Role, Subagent, Thread, ThreadStatus};
use crate::rebuild::Input;

/// Whether a transcript is a readable copy, by its name: a store has no lines.
pub(super) fn is_mirror(source: &str) -> bool {
    let extension = source.rsplit('.').next().unwrap_or_default();
    extension.eq_ignore_ascii_case("jsonl") || is_text(source)
}

fn is_text(source: &str) -> bool {
    source.rsplit('.').next().unwrap_or_default().eq_ignore_ascii_case("txt")
}

/// The display view.
pub(super) fn thread(input: Input<'_>) -> Thread {
    let id = input.facts.id.clone().unwrap_or_default();
    let mut thread = Thread::new(Harness::CursorAgent, id);
    thread.findings.clone_from(&input.facts.findings);
    thread.title.clone_from(&input.facts.title);
    thread.updated_at.clone_from(&input.facts.updated_at);
    thread.lineage.parent_id.clone_from(&input.facts.parent_id);
    thread.lineage.subagents = children(&input);
    let turns = if is_text(input.source) {
        text(&input, &thread.id)
    } else {
        lines(&input, &thread.id, &mut thread.findings)
    };
    thread.turns = turns.turns;
    thread.status = if thread.turns.is_empty() { ThreadStatus::Empty } else { ThreadStatus::Idle };
    thread.preview = super::preview(&thread.turns);
    thread.title = thread.title.take().or_else(|| super::title_of(thread.preview.as_deref()));
    thread
}

/// The sub-agents whose copies stand beside this one.
fn children(input: &Input<'_>) -> Vec<Subagent> {
    let mut children = input.facts.children.clone();
    for name in input.companions.names() {
        let id = name.strip_prefix("subagents/").and_then(|n| n.strip_suffix(".jsonl"));
        if let Some(id) = id.filter(|id| !children.iter().any(|c| c.id == *id)) {
            children.push(Subagent { id: id.to_owned(), tool_call_id: None, name: None });
        }
    }
    children
}

/// The records of the copy, each with its place. What is no record is a finding.
fn records<'a>(input: &Input<'a>, findings: &mut Vec<Finding>) -> Vec<(Position, Json<'a>)> {
    let mut records = Vec::new();
    for line in jsonl::lines(input.bytes) {
        match line.parse() {
            Body::Blank => {}
            Body::Value(value) if value.is_object() => records.push((line.at, value)),
            Body::Value(_) => findings.push(Finding::new(
                Code::NotAnObject,
                input.source,
                line.at,
                "the line is JSON, but no object",
            )),
            Body::Junk(code, message) => {
                findings.push(Finding::new(code, input.source, line.at, message));
            }
        }
    }
    records
}

fn lines(input: &Input<'_>, thread: &str, findings: &mut Vec<Finding>) -> Turns {
    let mut turns = Turns::default();
    let mut overview = None;
    for (position, record) in records(input, findings) {
        let place = format!("line-{}", position.line);
        let at = At::line(input.source, position);
        match Kind::of(record) {
            Kind::JsonlUser => {
                let text = parts_text(record);
                let text = prompts::query(&text).unwrap_or(&text).to_owned();
                turns.prompt(&place, place.clone(), vec![UserInput::text(text)], at.clone());
                if let Some(text) = overview.take() {
                    turns.notice(&place, NoticeLevel::Info, text, at);
                }
            }
            Kind::JsonlAssistant => answer(&mut turns, record, &place, thread, &at),
            Kind::JsonlTypeTurnEnded => {
                let error = record.str("error").map(std::borrow::Cow::into_owned);
                turns.end(&record.str("status").unwrap_or_default(), error);
            }
            Kind::JsonlTypeMetadata => {
                let text = record.at(&["metadata", "overview"]).and_then(Json::as_str);
                overview = text.map(|text| format!("Overview: {text}"));
            }
            _ => findings.push(Finding::new(
                Code::UnknownRecordType,
                input.source,
                position,
                format!(
                    "the type `{}` is not in the catalogue",
                    recount_formats::cursor_agent::type_of(record)
                ),
            )),
        }
    }
    turns
}

fn parts(record: Json<'_>) -> impl Iterator<Item = Json<'_>> {
    record.at(&["message", "content"]).unwrap_or(Json::NULL).elements()
}

fn parts_text(record: Json<'_>) -> String {
    let content = record.at(&["message", "content"]).unwrap_or(Json::NULL);
    if let Some(text) = content.as_str() {
        return text.into_owned();
    }
    let texts: Vec<_> = content.elements().filter_map(|part| part.str("text")).collect();
    texts.join("\n")
}

fn answer(turns: &mut Turns, record: Json<'_>, place: &str, thread: &str, at: &At) {
    for part in parts(record) {
        match part.str("type").as_deref() {
            Some("tool_use") => {
                let name = part.str("name").unwrap_or_default();
                let said = Said {
                    id: None,
                    name: &name,
                    arguments: part.get("input").unwrap_or(Json::NULL),
                    result: None,
                    may_be_pending: false,
                };
                turns.call(place, &said, thread, at.clone());
            }
            _ => match part.str("text") {
                Some(text) => turns.text(place, &text, at),
                // A part of a newer build is shown as it is.
                None => turns.notice(place, NoticeLevel::Info, part.raw().to_owned(), at.clone()),
            },
        }
    }
}

/// What the model had, as far as the copy tells.
pub(super) fn model_view(input: Input<'_>) -> ModelView {
    let mut view = ModelView::default();
    if is_text(input.source) {
        for turn in text(&input, "").turns {
            for item in turn.items {
                let (role, text) = match item.kind {
                    crate::model::ItemKind::UserMessage { content, .. } => {
                        let texts: Vec<String> = content
                            .into_iter()
                            .filter_map(|part| match part {
                                UserInput::Text { text, .. } => Some(text),
                                _ => None,
                            })
                            .collect();
                        (Role::User, texts.join("\n"))
                    }
                    crate::model::ItemKind::AgentMessage { text, .. } => (Role::Assistant, text),
                    _ => continue,
                };
                view.messages.push(Message { role, content: vec![Block::text(text)] });
            }
        }
        return view;
    }
    for (_, record) in records(&input, &mut Vec::new()) {
        let role = match Kind::of(record) {
            Kind::JsonlUser => Role::User,
            Kind::JsonlAssistant => Role::Assistant,
            _ => continue,
        };
        let content = parts(record).map(|part| match part.str("type").as_deref() {
            Some("text") => Block::text(part.str("text").unwrap_or_default()),
            Some("tool_use") => Block::ToolCall {
                id: String::new(),
                name: part.str("name").unwrap_or_default().into_owned(),
                arguments: part.get("input").map_or_else(RawJson::null, RawJson::new),
            },
            _ => Block::Raw { value: RawJson::new(part) },
        });
        view.messages.push(Message { role, content: content.collect() });
    }
    view
}

/// How the last turn ended by the copy, when its last prompt is this one: the store can be ahead of the copy.
pub(super) fn outcome(mirror: &str, prompt: &str) -> Option<(String, Option<String>)> {
    let mut last_prompt = None;
    let mut ended = None;
    for line in mirror.lines() {
        let Ok(record) = json::parse(line) else { continue };
        match Kind::of(record) {
            Kind::JsonlUser => {
                let text = parts_text(record);
                last_prompt = Some(prompts::query(&text).unwrap_or(&text).to_owned());
                ended = None;
            }
            Kind::JsonlTypeTurnEnded => {
                let status = record.str("status").unwrap_or_default().into_owned();
                ended = Some((status, record.str("error").map(std::borrow::Cow::into_owned)));
            }
            _ => {}
        }
    }
    ended.filter(|_| last_prompt.is_some_and(|last| last.trim() == prompt.trim()))
}

/// Where a line of the text form belongs.
enum Section {
    User,
    Text,
    Thinking,
    /// A call, by its name, and the arguments so far.
    Call(String),
    Result,
}

/// The text form: `user:` and `assistant:` in lines of their own, marks in brackets inside of answers.
fn text(input: &Input<'_>, thread: &str) -> Turns {
    let mut reader = TextReader {
        source: input.source,
        thread,
        turns: Turns::default(),
        section: Section::Text,
        buffer: String::new(),
        start: Position::WHOLE,
    };
    for line in jsonl::lines(input.bytes) {
        let text = String::from_utf8_lossy(line.body());
        reader.line(&text, line.at);
    }
    reader.flush();
    reader.turns
}

struct TextReader<'t> {
    source: &'t Arc<str>,
    thread: &'t str,
    turns: Turns,
    section: Section,
    buffer: String,
    start: Position,
}

impl TextReader<'_> {
    fn begin(&mut self, section: Section, at: Position) {
        self.flush();
        self.section = section;
        self.start = at;
    }

    fn line(&mut self, line: &str, at: Position) {
        let in_user = matches!(self.section, Section::User);
        match line {
            "user:" => return self.begin(Section::User, at),
            "assistant:" => return self.begin(Section::Text, at),
            _ => {}
        }
        if !in_user {
            if let Some(rest) = line.strip_prefix("[Thinking]") {
                self.begin(Section::Thinking, at);
                self.push(rest.trim_start());
                // What follows in lines of its own is the answer.
                return self.begin(Section::Text, at);
            }
            if let Some(name) = line.strip_prefix("[Tool call]") {
                return self.begin(Section::Call(name.trim().to_owned()), at);
            }
            if line.starts_with("[Tool result]") {
                return self.begin(Section::Result, at);
            }
            // Arguments are indented; what is not belongs to the answer again.
            let is_argument = line.starts_with(' ') || line.is_empty();
            if matches!(self.section, Section::Call(_)) && !is_argument {
                self.begin(Section::Text, at);
            }
        }
        if self.buffer.is_empty() && matches!(self.section, Section::Text | Section::User) {
            self.start = at;
        }
        self.push(line);
    }

    fn push(&mut self, line: &str) {
        if !self.buffer.is_empty() {
            self.buffer.push('\n');
        }
        self.buffer.push_str(line);
    }

    fn flush(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        let text = buffer.trim_matches('\n');
        let place = format!("line-{}", self.start.line);
        let at = At::line(self.source, self.start);
        match &self.section {
            Section::User => {
                let text = prompts::query(text).unwrap_or(text);
                if !text.is_empty() {
                    let content = vec![UserInput::text(text)];
                    self.turns.prompt(&place, place.clone(), content, at);
                }
            }
            Section::Text if !text.is_empty() => self.turns.text(&place, text, &at),
            Section::Thinking => self.turns.reasoning(&place, text, at),
            Section::Call(name) => {
                let mut arguments = serde_json::Map::new();
                for line in text.lines() {
                    if let Some((key, value)) = line.trim().split_once(':') {
                        arguments.insert(key.trim().to_owned(), value.trim().into());
                    }
                }
                let arguments = serde_json::Value::Object(arguments).to_string();
                let said = Said {
                    id: None,
                    name,
                    arguments: json::parse(&arguments).unwrap_or(Json::NULL),
                    result: None,
                    may_be_pending: false,
                };
                self.turns.call(&place, &said, self.thread, at);
            }
            // The text form names the tool of a result and mostly leaves the result out.
            Section::Result if !text.is_empty() => self.turns.answered(text),
            Section::Text | Section::Result => {}
        }
    }
}
