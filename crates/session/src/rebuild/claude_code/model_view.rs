//! What the model has in front of it at the end of a branch, by the rules of the real program.
//!
//! The truth is what it sent when it resumed the corpus's sessions (`context.json` beside the cases). In order:
//!
//! 1. The lines since the last compaction, with those that it kept put behind the summary (or, after
//!    «summarize from here», behind the boundary).
//! 2. Lines of one response come together, then the results of its calls in the order of the file, then what else was
//!    said in the role of the user: attachments first, in one message.
//! 3. Attachments in the role of the system follow in one message, a blank line between them.
//! 4. A call without result is left out; at the end it gets a result that says so. A result without call is left out.
//! 5. A conversation that ends with the user's side gets a placeholder as answer.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use recount_formats::{Json, Text};

use super::branch::Sequence;
use super::compaction;
use super::prompt::{self, UserLine, is_type};
use super::transcript::{Block, Node, NodeId, NodeKind, SYNTHETIC_MODEL, Transcript};
use super::tree::Tree;
use crate::json::RawJson;
use crate::model::{Message, Role, context as view};

/// The result of a call that the end of the session cut off.
const INTERRUPTED: &str = "[Tool call interrupted: the session ended before this call's result was \
     recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it \
     again.]";
/// The answer where none was given.
const NO_ANSWER: &str = "No response requested.";
/// What stands where a message lost all that it held.
const NO_CONTENT: &str = "(no content)";
/// What is said behind a result that names tools which were loaded.
const TOOL_LOADED: &str = "Tool loaded.";
/// What stands for a result that micro-compaction took out.
const CLEARED: &str = "[Old tool result content cleared]";

/// The lines of a branch that are sent, in order: those since its last compaction and those that it kept.
pub(super) fn nodes(transcript: &Transcript<'_>, tree: &Tree, shown: &Sequence) -> Vec<NodeId> {
    let mut sequence = shown.nodes.clone();
    sequence.retain(|id| !shown.beside.contains(id));
    let boundary = sequence.iter().rposition(|&id| transcript.nodes[id].is_boundary());
    let Some(at) = boundary else { return sequence };
    let kept = compaction::kept(transcript, sequence[at]);
    let is_kept: HashSet<NodeId> = kept.nodes.iter().copied().collect();
    let since = &sequence[at..];
    let anchor = kept.anchor.filter(|anchor| since.contains(anchor)).or_else(|| {
        // What was kept up to the end goes behind the summary; what was kept of the beginning before it.
        let is_end = kept.nodes.last() == tree.parent(sequence[at]).as_ref();
        since.iter().copied().find(|&id| is_end && transcript.nodes[id].flag("isCompactSummary"))
    });
    let anchor = anchor.unwrap_or(sequence[at]);
    let mut nodes = Vec::new();
    for &id in since {
        if !is_kept.contains(&id) {
            nodes.push(id);
        }
        if id == anchor {
            nodes.extend(&kept.nodes);
        }
    }
    nodes
}

/// What comes behind the last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The next prompt: what waits for an answer gets a placeholder.
    Answered,
    /// The lines of a sub-agent that goes on from there.
    Open,
}

/// The messages that these lines are sent as.
pub(super) fn messages(transcript: &Transcript<'_>, nodes: &[NodeId], end: End) -> Vec<Message> {
    let mut sender = Sender::of(transcript, nodes);
    for &id in nodes {
        let node = &transcript.nodes[id];
        // Lines that the real program cannot read are not sent.
        if !node.recovered {
            sender.node(id, node);
        }
    }
    let placeholder = end == End::Answered && sender.needs_placeholder(nodes);
    sender.end(placeholder)
}

/// What is said between two responses.
#[derive(Default)]
struct Side<'a> {
    /// Answers of tools, by their lines.
    results: Vec<(NodeId, Block<'a>)>,
    /// Attachments in the role of the user.
    front: Vec<view::Block>,
    /// What a person or the program says in the role of the user, with the line that each block comes from.
    said: Vec<(NodeId, view::Block)>,
    /// Attachments that are put into the last result where there is one, else in front.
    beside: Vec<String>,
    /// Attachments in the role of the system.
    system: Vec<String>,
    /// Whether any line of the user stands here, though nothing of it may be left.
    any: bool,
}

/// A response and what follows it.
struct Step<'a> {
    response: Option<Cow<'a, str>>,
    blocks: Vec<(Block<'a>, Option<Text<'a>>)>,
    side: Side<'a>,
}

struct Sender<'a, 't> {
    transcript: &'t Transcript<'a>,
    steps: Vec<Step<'a>>,
    /// Results that hang on a response whose line is sent, though they are not on the path themselves.
    attached: HashMap<NodeId, Vec<(NodeId, Block<'a>)>>,
    /// Contents that take the place of results.
    replaced: HashMap<Cow<'a, str>, RawJson>,
}

impl<'a, 't> Sender<'a, 't> {
    fn of(transcript: &'t Transcript<'a>, nodes: &[NodeId]) -> Self {
        let sent: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut attached: HashMap<NodeId, Vec<_>> = HashMap::new();
        for (id, node) in transcript.nodes.iter().enumerate() {
            if !node.message.has_tool_result || sent.contains(&id) || node.recovered {
                continue;
            }
            let parent = node.parent_uuid.as_ref().and_then(|uuid| transcript.by_uuid.get(uuid));
            let Some(&parent) = parent else { continue };
            if sent.contains(&parent) && transcript.nodes[parent].kind == NodeKind::Assistant {
                let results = node.message.blocks.iter().filter(|block| block.is("tool_result"));
                attached.entry(parent).or_default().extend(results.map(|block| (id, *block)));
            }
        }
        let mut replaced = transcript.metadata.replaced_results();
        for &id in nodes {
            for cleared in compaction::cleared_results(&transcript.nodes[id]) {
                replaced.insert(cleared, RawJson::string(CLEARED));
            }
        }
        let first = Step { response: None, blocks: Vec::new(), side: Side::default() };
        Self { transcript, steps: vec![first], attached, replaced }
    }

    fn side(&mut self) -> &mut Side<'a> {
        if self.steps.is_empty() {
            self.steps.push(Step { response: None, blocks: Vec::new(), side: Side::default() });
        }
        let last = self.steps.len() - 1;
        &mut self.steps[last].side
    }

    fn node(&mut self, id: NodeId, node: &Node<'a>) {
        match node.kind {
            NodeKind::User => self.user(id, node),
            NodeKind::Assistant if !node.is_api_error() => self.assistant(id, node),
            NodeKind::System if node.is_system("local_command") => {
                let text = node.text("content").unwrap_or_default();
                self.say(id, view::Block::text(text));
            }
            NodeKind::Attachment => self.attachment(id, node),
            _ => {}
        }
    }

    fn say(&mut self, id: NodeId, block: view::Block) {
        let side = self.side();
        side.any = true;
        side.said.push((id, block));
    }

    fn user(&mut self, id: NodeId, node: &Node<'a>) {
        if node.flag("isVirtual") {
            return;
        }
        self.side().any = true;
        if let Some(text) = node.message.content.and_then(Json::as_str) {
            // The program wraps notifications in words of its own, which no file holds.
            let text = match prompt::classify(node) {
                UserLine::Notification(text) => Cow::Owned(reminder(&text)),
                _ => text,
            };
            if !text.trim().is_empty() {
                self.say(id, view::Block::text(text));
            }
            return;
        }
        for block in &node.message.blocks {
            if block.is("tool_result") {
                self.side().results.push((id, *block));
            } else if let Some(block) = sent_block(block.raw) {
                self.say(id, block);
            }
        }
    }

    fn assistant(&mut self, id: NodeId, node: &Node<'a>) {
        let response = node.response_id();
        // The results of early calls stand between the lines of a response.
        let continues = self.steps.last().is_some_and(|step| {
            response.is_some()
                && step.response == response
                && step.side.said.is_empty()
                && step.side.front.is_empty()
        });
        if !continues {
            self.steps.push(Step { response, blocks: Vec::new(), side: Side::default() });
        }
        let attached = self.attached.remove(&id).unwrap_or_default();
        let Some(step) = self.steps.last_mut() else { return };
        let model = node.message.model;
        let plain = node.message.content.filter(|content| content.text().is_some()).map(Block::of);
        let blocks = plain.into_iter().chain(node.message.blocks.iter().copied());
        step.blocks.extend(blocks.map(|block| (block, model)));
        step.side.results.extend(attached);
    }

    fn attachment(&mut self, id: NodeId, node: &Node<'a>) {
        let rendered = node.fields.get("rendered").filter(|r| r.elements().next().is_some());
        let queued = node.subtype.as_deref() == Some("queued_command");
        let Some(rendered) = rendered else {
            if queued {
                let prompt = node.fields.get("attachment").and_then(|a| a.get("prompt"));
                let text = prompt::first_text(prompt).unwrap_or_default();
                if prompt::absorbed(node).is_some() {
                    self.say(id, view::Block::text(text));
                } else {
                    self.side().system.push(text.into_owned());
                }
            }
            return;
        };
        let by_human = queued && prompt::absorbed(node).is_some();
        let is_system = node.text("renderedRole").is_some_and(|role| role == "system") && !by_human;
        if is_system {
            let parts: Vec<String> = rendered
                .elements()
                .filter_map(|part| {
                    let text = prompt::first_text(part.get("content"))?;
                    Some(without_reminder(&text).to_owned())
                })
                .collect();
            self.side().system.push(parts.join("\n"));
            return;
        }
        let beside = node.flag("renderedBesideToolResult");
        for part in rendered.elements() {
            let content = part.get("content").unwrap_or(Json::NULL);
            let side = self.side();
            side.any = true;
            match content.as_str() {
                Some(text) if by_human => side.said.push((id, view::Block::text(text))),
                Some(text) if beside => side.beside.push(text.into_owned()),
                Some(text) => side.front.push(injected(&text)),
                None => side.front.extend(content.elements().filter_map(sent_block)),
            }
        }
    }

    /// The messages.
    fn end(mut self, placeholder: bool) -> Vec<Message> {
        let current_model = self
            .steps
            .iter()
            .rev()
            .flat_map(|step| step.blocks.iter().rev())
            .find_map(|(_, model)| model.filter(|model| !model.is(SYNTHETIC_MODEL)));
        let steps = std::mem::take(&mut self.steps);
        let last_response = steps.iter().rposition(|step| !step.blocks.is_empty());
        let mut messages: Vec<Message> = Vec::new();
        for (n, mut step) in steps.into_iter().enumerate() {
            step.side.results.sort_by_key(|&(id, _)| id);
            let at_end =
                last_response == Some(n) && step.side.said.is_empty() && step.side.front.is_empty();
            self.step(step, at_end, current_model, &mut messages);
        }
        if placeholder {
            messages.push(Message {
                role: Role::Assistant,
                content: vec![view::Block::text(NO_ANSWER)],
            });
        }
        messages
    }

    fn step(
        &self,
        step: Step<'a>,
        at_end: bool,
        current_model: Option<Text<'a>>,
        messages: &mut Vec<Message>,
    ) {
        let mut answers: HashMap<Cow<'a, str>, Block<'a>> = HashMap::new();
        let mut order = Vec::new();
        for (_, block) in step.side.results {
            let call = block.call();
            if answers.insert(call.clone(), block).is_none() {
                order.push(call);
            }
        }
        let mut calls: HashSet<Cow<'a, str>> = HashSet::new();
        let mut unanswered = Vec::new();
        let mut blocks = Vec::new();
        for (block, model) in step.blocks {
            if block.is("tool_use") {
                let id = block.call();
                if !calls.insert(id.clone()) {
                    continue;
                }
                if !answers.contains_key(&id) {
                    if !at_end {
                        continue;
                    }
                    unanswered.push(id);
                }
            }
            let is_thought = block.is("thinking") || block.is("redacted_thinking");
            if is_thought && model.map(Text::get) != current_model.map(Text::get) {
                continue;
            }
            blocks.extend(answer_block(&block));
        }
        // A message of thoughts alone is not sent, nor one of white space.
        let says_something = blocks.iter().any(|block| match block {
            view::Block::Text { text } => !text.trim().is_empty(),
            view::Block::Reasoning { .. } => false,
            _ => true,
        });
        if says_something {
            messages.push(Message { role: Role::Assistant, content: blocks });
        }

        let mut results = Vec::new();
        let mut loaded = false;
        for call in order.into_iter().filter(|call| calls.contains(call)) {
            let Some(&block) = answers.get(&call) else { continue };
            let content = block.content;
            loaded |=
                content.is_some_and(|c| c.elements().any(|part| is_type(part, "tool_reference")));
            let kept = || content.map_or_else(|| RawJson::string(""), RawJson::new);
            results.push(view::Block::ToolResult {
                content: self.replaced.get(&call).cloned().unwrap_or_else(kept),
                id: call.into_owned(),
                is_error: block.is_error,
            });
        }
        for call in unanswered {
            results.push(view::Block::ToolResult {
                id: call.into_owned(),
                content: RawJson::string(INTERRUPTED),
                is_error: true,
            });
        }
        let answered = !results.is_empty();
        let mut front = step.side.front;
        for text in step.side.beside {
            match results.last_mut() {
                Some(result) => put_into(result, &text),
                None => front.push(injected(&text)),
            }
        }
        if answered {
            messages.push(Message { role: Role::Tool, content: results });
        }
        if loaded {
            front.push(view::Block::text(TOOL_LOADED));
        }
        let mut said = joined(front, step.side.said);
        if said.is_empty() && step.side.any && !answered {
            said.push(view::Block::text(NO_CONTENT));
        }
        let system = (!step.side.system.is_empty()).then(|| step.side.system.join("\n\n"));
        if !said.is_empty() {
            messages.push(Message { role: Role::User, content: said });
        } else if let (Some(system), false) = (&system, answered) {
            // Nothing of the user's side is left that it could follow.
            messages.push(Message { role: Role::User, content: vec![injected(&reminder(system))] });
            return;
        }
        if let Some(system) = system {
            messages.push(Message { role: Role::System, content: vec![injected(&system)] });
        }
    }

    /// Whether the conversation ends with the user's side, so that an answer is put in.
    fn needs_placeholder(&self, nodes: &[NodeId]) -> bool {
        let messages = nodes.iter().rev().map(|&id| &self.transcript.nodes[id]);
        let last = messages.into_iter().find(|node| node.is_message() && !node.recovered);
        let Some(last) = last else { return false };
        match last.kind {
            NodeKind::User => !last.flag("toolEndsTurn"),
            // An error stands for the answer; a call that was cut off has none.
            _ => !last.is_api_error() && self.is_unanswered(last),
        }
    }

    fn is_unanswered(&self, node: &Node<'a>) -> bool {
        let answered = |call: &str| {
            self.steps
                .iter()
                .any(|step| step.side.results.iter().any(|(_, block)| block.call() == call))
        };
        let mut calls = node.message.blocks.iter().filter(|block| block.is("tool_use"));
        calls.any(|block| !answered(&block.call()))
    }
}

/// What is said on the user's side in one message. Where two lines meet, the text of the first one gets a line feed.
fn joined(front: Vec<view::Block>, said: Vec<(NodeId, view::Block)>) -> Vec<view::Block> {
    let mut blocks = front;
    // Attachments among themselves are no lines of their own.
    let mut before = None;
    for (line, block) in said {
        if before != Some(line) && matches!(block, view::Block::Text { .. }) {
            match blocks.last_mut() {
                Some(view::Block::Text { text }) => text.push('\n'),
                Some(view::Block::Raw { value }) => {
                    if let Some(text) = value.get().str("text") {
                        *value = text_value(&format!("{text}\n"));
                    }
                }
                _ => {}
            }
        }
        before = Some(line);
        blocks.push(block);
    }
    blocks
}

/// Puts text behind the content of a result.
fn put_into(result: &mut view::Block, more: &str) {
    let view::Block::ToolResult { content, .. } = result else { return };
    let value = content.get();
    if let Some(text) = value.as_str() {
        *content = RawJson::string(format!("{}\n\n{}", text.trim(), more.trim()).trim());
    } else if let Some(open) = content.as_str().trim_end().strip_suffix(']') {
        let comma = if value.elements().next().is_some() { "," } else { "" };
        let part = serde_json::json!({ "type": "text", "text": more.trim() });
        if let Some(longer) = RawJson::parse(&format!("{open}{comma}{part}]")) {
            *content = longer;
        }
    }
}

/// A block in the role of the user as it is sent.
fn sent_block(block: Json<'_>) -> Option<view::Block> {
    let type_ = block.str("type").unwrap_or_default();
    Some(match &*type_ {
        "text" => {
            let text = block.str("text").unwrap_or_default();
            if text.is_empty() {
                return None;
            }
            view::Block::text(text)
        }
        "image" => view::Block::Image { value: RawJson::new(block) },
        "document" => view::Block::Document { value: RawJson::new(block) },
        _ => view::Block::Raw { value: RawJson::new(block) },
    })
}

/// A block of the model as it is sent.
fn answer_block(block: &Block<'_>) -> Option<view::Block> {
    Some(match &*block.type_() {
        "text" => view::Block::text(block.text()?),
        "tool_use" => view::Block::ToolCall {
            id: block.call().into_owned(),
            name: block.name.map(Text::get).unwrap_or_default().into_owned(),
            arguments: block.input.map_or_else(RawJson::null, RawJson::new),
        },
        "thinking" => {
            view::Block::Reasoning { text: block.text().unwrap_or_default().into_owned() }
        }
        _ => return sent_block(block.raw),
    })
}

/// Text that an attachment puts in front of the model: nobody said it, so that it is no text block of the view.
fn injected(text: &str) -> view::Block {
    view::Block::Raw { value: text_value(text) }
}

fn text_value(text: &str) -> RawJson {
    let text = RawJson::string(text);
    RawJson::parse(&format!(r#"{{"type":"text","text":{}}}"#, text.as_str())).unwrap_or(text)
}

/// Text in the tags in which the program speaks in the role of the user.
fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{text}\n</system-reminder>")
}

/// The text inside such tags.
fn without_reminder(text: &str) -> &str {
    let inner = text
        .trim()
        .strip_prefix("<system-reminder>")
        .and_then(|t| t.strip_suffix("</system-reminder>"));
    match inner {
        // Several reminders in one text keep their tags.
        Some(inner) if !inner.contains("<system-reminder>") => inner.trim_matches('\n'),
        _ => text,
    }
}
