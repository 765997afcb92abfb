//! The nodes of a branch to turns and items: the display view.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::{Code, Finding, Json, Position, finding};

use super::agents::Agents;
use super::answers::Answers;
use super::branch::Sequence;
use super::calls::{self, Surroundings};
use super::compaction;
use super::notices;
use super::open_turn::{Answered, Open};
use super::prompt::{self, UserLine};
use super::transcript::{Block, Node, NodeId, NodeKind, SYNTHETIC_MODEL, Transcript};
use crate::model::item::NoticeLevel;
use crate::model::item::{ItemStatus, UserInput};
use crate::model::{At, Item, ItemKind, Turn, TurnError};
use crate::rebuild::Companions;

/// What the display view is made from.
#[derive(Clone, Copy)]
pub(super) struct Display<'a, 'd> {
    pub(super) transcript: &'d Transcript<'a>,
    pub(super) sequence: &'d Sequence,
    pub(super) source: &'d Arc<str>,
    pub(super) thread: &'d str,
    pub(super) agents: &'d Agents,
    pub(super) companions: &'d dyn Companions,
}

/// The turns of a branch.
pub(super) fn turns(display: Display<'_, '_>, findings: &mut Vec<Finding>) -> Vec<Turn> {
    let mut builder = Builder {
        answers: Answers::of(display.transcript, display.sequence),
        display,
        turns: Vec::new(),
        open: None,
        places: HashMap::new(),
        turn_ids: HashSet::new(),
        responses: HashSet::new(),
        last_shell: None,
        summary_due: None,
        unanswered: Vec::new(),
    };
    let copied = display.transcript.copied_call();
    for &id in &display.sequence.nodes {
        if copied != Some(id) {
            builder.node(id, copied, findings);
        }
    }
    builder.close(true);
    builder.answers.report_orphans(display.transcript, display.source, findings);
    let last = builder.turns.len().saturating_sub(1);
    for (turn, id, at) in builder.unanswered {
        if turn < last {
            let text = format!("the call `{}` has no result", finding::excerpt(&id));
            findings.push(Finding::new(Code::UnansweredCall, display.source, at, text));
        }
    }
    builder.turns
}

struct Builder<'a, 'd> {
    display: Display<'a, 'd>,
    answers: Answers<'a>,
    turns: Vec<Turn>,
    open: Option<Open>,
    /// Where the item of a call stands: the turn and the item.
    places: HashMap<String, (usize, usize)>,
    turn_ids: HashSet<String>,
    /// The responses that have an agent message under their own id already.
    responses: HashSet<String>,
    /// The item of the last shell command that a person typed.
    last_shell: Option<(usize, usize)>,
    /// The compaction whose summary comes next.
    summary_due: Option<(usize, usize)>,
    /// Calls without result, with their turns.
    unanswered: Vec<(usize, String, Position)>,
}

impl<'a> Builder<'a, '_> {
    fn node(&mut self, id: NodeId, copied: Option<NodeId>, findings: &mut Vec<Finding>) {
        let node = &self.display.transcript.nodes[id];
        match node.kind {
            NodeKind::User if copied.is_some_and(|call| is_briefing(node, &self.display, call)) => {
                self.briefing(node, copied);
            }
            NodeKind::User => self.user(node),
            NodeKind::Assistant => self.assistant(node, findings),
            NodeKind::System => self.system(node),
            NodeKind::Attachment => self.attachment(node),
            NodeKind::Progress | NodeKind::Unknown => {}
        }
        if let (Some(open), Some(now)) = (&mut self.open, node.milliseconds()) {
            open.saw(now);
        }
    }

    fn at(&self, node: &Node<'_>) -> At {
        At::line(self.display.source, node.at)
    }

    fn item(&self, id: impl Into<String>, kind: ItemKind, node: &Node<'_>) -> Item {
        let mut item = Item::new(id, kind, self.at(node));
        item.timestamp = node.timestamp.map(|t| t.get().into_owned());
        item.recovered = node.recovered;
        item.also_at = node.also_at.iter().map(|&at| At::line(self.display.source, at)).collect();
        item
    }

    /// Puts an item into the open turn, opening one where there is none.
    fn push(&mut self, item: Item, node: &Node<'_>) -> (usize, usize) {
        if self.open.is_none() {
            self.start(node);
        }
        let place = (self.turns.len(), self.open.as_ref().map_or(0, |open| open.turn.items.len()));
        if let Some(open) = &mut self.open {
            open.turn.items.push(item);
        }
        place
    }

    fn item_mut(&mut self, (turn, item): (usize, usize)) -> Option<&mut Item> {
        let turn = match self.turns.get_mut(turn) {
            Some(turn) => turn,
            None => &mut self.open.as_mut()?.turn,
        };
        turn.items.get_mut(item)
    }

    fn notice(&mut self, level: NoticeLevel, text: impl Into<String>, node: &Node<'_>) {
        let item = self.item(&*node.uuid, ItemKind::Notice { level, text: text.into() }, node);
        self.push(item, node);
    }

    /// Begins a turn, ending the one before it.
    fn start(&mut self, node: &Node<'_>) -> &mut Open {
        self.close(false);
        let id = node
            .text("promptId")
            .map(Cow::into_owned)
            .filter(|id| !id.is_empty() && !self.turn_ids.contains(id))
            .unwrap_or_else(|| node.uuid.clone().into_owned());
        self.turn_ids.insert(id.clone());
        self.open.insert(Open::new(id, node.milliseconds()))
    }

    fn close(&mut self, is_last: bool) {
        if let Some(open) = self.open.take() {
            self.turns.push(open.close(is_last));
        }
    }

    // ---------------------------------------------------------------- lines in the role of the user

    fn user(&mut self, node: &Node<'a>) {
        match prompt::classify(node) {
            UserLine::ToolResults => {
                if node.flag("toolEndsTurn")
                    && let Some(open) = &mut self.open
                {
                    open.answered = Answered::Done;
                }
            }
            UserLine::Summary => self.summary(node),
            UserLine::Injected => {}
            UserLine::Prompt(content) => {
                self.start(node).asked = true;
                let kind = ItemKind::UserMessage { content, client_id: None };
                let item = self.item(&*node.uuid, kind, node);
                self.push(item, node);
            }
            UserLine::Command(text) => self.command(text, node),
            UserLine::CommandOutput { text, failed } => self.command_output(&text, failed, node),
            UserLine::Shell(command) => {
                self.start(node);
                let kind = shell_command(command, node);
                let item = self.item(&*node.uuid, kind, node);
                self.last_shell = Some(self.push(item, node));
            }
            UserLine::ShellOutput { stdout, stderr } => self.shell_output(stdout, &stderr, node),
            UserLine::Interrupted => {
                if self.open.is_none() {
                    self.start(node);
                }
                if let Some(open) = &mut self.open {
                    open.interrupted = true;
                }
            }
            UserLine::Notification(text) => {
                if !self.open.as_ref().is_some_and(Open::is_running) {
                    self.start(node).asked = true;
                }
                self.notification(&text, node);
            }
            UserLine::Peer { from, text } => {
                if !self.open.as_ref().is_some_and(Open::is_running) {
                    self.start(node).asked = true;
                }
                let text = from.map_or_else(|| text.to_string(), |from| format!("{from}: {text}"));
                self.notice(NoticeLevel::Info, text, node);
            }
        }
    }

    /// The first line of a forked sub-agent: what it was asked stands in the copied call.
    fn briefing(&mut self, node: &Node<'a>, copied: Option<NodeId>) {
        let asked = copied.and_then(|call| {
            let blocks = &self.display.transcript.nodes[call].message.blocks;
            blocks.iter().filter_map(|block| block.argument("prompt")).next_back()
        });
        self.start(node).asked = true;
        let content = vec![UserInput::text(asked.unwrap_or_default())];
        let item = self.item(&*node.uuid, ItemKind::UserMessage { content, client_id: None }, node);
        self.push(item, node);
    }

    fn command(&mut self, text: String, node: &Node<'a>) {
        let kind = ItemKind::UserMessage { content: vec![UserInput::text(text)], client_id: None };
        let item = self.item(&*node.uuid, kind, node);
        // The lines of `/compact` stand behind the compaction that it caused.
        if let Some(open) = self.open.as_mut().filter(|open| open.awaits_command) {
            open.awaits_command = false;
            open.turn.items.insert(0, item);
            let turn = self.turns.len();
            self.summary_due =
                self.summary_due.map(|(t, i)| if t == turn { (t, i + 1) } else { (t, i) });
            return;
        }
        self.start(node);
        self.push(item, node);
    }

    fn command_output(&mut self, text: &str, failed: bool, node: &Node<'_>) {
        let text = text.trim();
        if text.is_empty() || text == "(no content)" {
            return;
        }
        let level = if failed { NoticeLevel::Error } else { NoticeLevel::Info };
        self.notice(level, text, node);
    }

    fn shell_output(&mut self, stdout: String, stderr: &str, node: &Node<'_>) {
        let mut output = stdout;
        if !stderr.is_empty() {
            if !output.is_empty() && !output.ends_with('\n') {
                output.push('\n');
            }
            output.push_str(stderr);
        }
        let at = self.at(node);
        let Some(item) = self.last_shell.take().and_then(|place| self.item_mut(place)) else {
            return self.notice(NoticeLevel::Info, output, node);
        };
        item.also_at.push(at);
        if let ItemKind::CommandExecution { aggregated_output, status, .. } = &mut item.kind {
            *aggregated_output = Some(output);
            *status = ItemStatus::Completed;
        }
    }

    /// News of a background task: a notice, and the rest of what the call that started it lacks.
    fn notification(&mut self, text: &str, node: &Node<'_>) {
        let news = notices::Notification::of(text);
        let at = self.at(node);
        let place = news
            .call
            .and_then(|call| self.places.get(call))
            .or_else(|| news.task.and_then(|task| self.places.get(task)))
            .copied();
        if let Some(item) = place.and_then(|place| self.item_mut(place)) {
            item.also_at.push(at);
            news.complete(item);
        }
        self.notice(news.level(), news.text(), node);
    }

    // ---------------------------------------------------------------- the model

    fn assistant(&mut self, node: &Node<'a>, findings: &mut Vec<Finding>) {
        if self.open.is_none() {
            self.start(node).asked = true;
        }
        if node.is_api_error() {
            return self.api_error(node);
        }
        let is_synthetic = node.message.model.is_some_and(|model| model.is(SYNTHETIC_MODEL));
        let plain = node.message.content.filter(|content| content.text().is_some()).map(Block::of);
        for (n, block) in plain.iter().chain(&node.message.blocks).enumerate() {
            self.block(block, n, is_synthetic, node, findings);
        }
        if let Some(open) = &mut self.open {
            open.error = None;
            open.answered = Answered::by(node.stop_reason().as_deref());
        }
        if node.stop_reason().as_deref() == Some("refusal") {
            let item = Item {
                id: format!("{}-refusal", node.uuid),
                ..self.item("", notices::refusal(), node)
            };
            self.push(item, node);
        }
    }

    fn block(
        &mut self,
        block: &Block<'a>,
        n: usize,
        is_synthetic: bool,
        node: &Node<'a>,
        findings: &mut Vec<Finding>,
    ) {
        let type_ = block.type_();
        let id = if n == 0 { node.uuid.to_string() } else { format!("{}-{n}", node.uuid) };
        match &*type_ {
            "text" => {
                let text = block.text().unwrap_or_default();
                self.agent_message(text, id, is_synthetic, node);
            }
            "thinking" => {
                let text = block.text().unwrap_or_default();
                let content = if text.is_empty() { Vec::new() } else { vec![text.into_owned()] };
                let item =
                    self.item(id, ItemKind::Reasoning { summary: Vec::new(), content }, node);
                self.push(item, node);
            }
            "redacted_thinking" => {
                let kind = ItemKind::Reasoning { summary: Vec::new(), content: Vec::new() };
                let item = self.item(id, kind, node);
                self.push(item, node);
            }
            _ if block.is_call() => self.call(block, node),
            // It stands with its call.
            _ if block.is_result() => {}
            _ => {
                let text = format!("unknown type of block: `{}`", finding::excerpt(&type_));
                let source = self.display.source;
                findings.push(Finding::new(Code::UnknownBlockType, source, node.at, text));
                let text = format!("{type_}: {}", block.raw.raw());
                let item = self.item(id, ItemKind::Notice { level: NoticeLevel::Info, text }, node);
                self.push(item, node);
            }
        }
    }

    fn agent_message(
        &mut self,
        text: Cow<'a, str>,
        id: String,
        is_synthetic: bool,
        node: &Node<'a>,
    ) {
        // What the program puts where the model was not asked for an answer; it is not shown there either.
        if text.is_empty() || (is_synthetic && text == "No response requested.") {
            return;
        }
        if is_synthetic {
            return self.notice(NoticeLevel::Warning, text, node);
        }
        let id = match node.response_id() {
            Some(response) if self.responses.insert(response.to_string()) => response.into_owned(),
            _ => id,
        };
        let kind = ItemKind::AgentMessage {
            text: text.into_owned(),
            phase: None,
            memory_citation: None,
            delivery: None,
            questions: None,
        };
        let item = self.item(id, kind, node);
        self.push(item, node);
    }

    fn call(&mut self, call: &Block<'a>, node: &Node<'a>) {
        let id = call.call();
        let answer = self.answers.first(self.display.transcript, &id);
        let agents = self.display.agents.of_call(&id);
        let around = Surroundings {
            thread: self.display.thread,
            companions: self.display.companions,
            agents: &agents,
        };
        if let Some(kind) = notices::plan(call, answer.as_ref()) {
            let item = self.item(format!("{id}-plan"), kind, node);
            self.push(item, node);
        }
        let kind = calls::item(call, answer.as_ref(), node, around);
        let started = match &kind {
            ItemKind::CollabAgentToolCall { receiver_thread_ids, .. } => {
                receiver_thread_ids.clone()
            }
            ItemKind::CommandExecution { process_id: Some(process), .. } => vec![process.clone()],
            _ => agents,
        };
        let mut item = self.item(&*id, kind, node);
        if let Some(answer) = answer.as_ref().filter(|answer| answer.at != node.at) {
            item.also_at.push(At::line(self.display.source, answer.at));
        }
        let place = self.push(item, node);
        if answer.is_none() {
            self.unanswered.push((place.0, id.to_string(), node.at));
            if let Some(open) = &mut self.open {
                open.unanswered = true;
            }
        }
        self.places.insert(id.into_owned(), place);
        for task in started {
            self.places.insert(task, place);
        }
        if let (Some(open), Some(answer)) = (&mut self.open, &answer)
            && let Some(then) = answer.milliseconds
        {
            open.saw(then);
        }
    }

    fn api_error(&mut self, node: &Node<'a>) {
        let message = prompt::first_text(node.message.content).unwrap_or_default().into_owned();
        if let Some(open) = &mut self.open {
            open.error = Some(TurnError {
                message: message.clone(),
                codex_error_info: None,
                additional_details: node.text("error").map(Cow::into_owned),
            });
            open.answered = Answered::No;
        }
        self.notice(NoticeLevel::Error, message, node);
    }

    // ---------------------------------------------------------------- what the program writes

    fn system(&mut self, node: &Node<'a>) {
        match node.subtype.as_deref().unwrap_or_default() {
            "turn_duration" => {
                if let Some(open) = &mut self.open {
                    open.ended = true;
                    open.duration = node
                        .fields
                        .get("durationMs")
                        .and_then(Json::as_f64)
                        .map(|ms| ms.round() as i64);
                }
            }
            "compact_boundary" => self.boundary(node),
            "local_command" => {
                let text = node.text("content").unwrap_or_default();
                let text = text.trim_start();
                if let Some(command) = prompt::slash_command(text) {
                    self.command(command, node);
                } else if let Some(UserLine::CommandOutput { text, failed }) =
                    prompt::command_output(text)
                {
                    self.command_output(&text, failed, node);
                } else {
                    self.command_output(&prompt::without_escapes(text), false, node);
                }
            }
            _ => {
                if let Some((level, text)) = notices::of_system(node) {
                    self.notice(level, text, node);
                }
            }
        }
    }

    fn boundary(&mut self, node: &Node<'a>) {
        let trigger = compaction::trigger(node);
        let is_manual = trigger.as_deref() == Some("manual");
        if is_manual || self.open.is_none() {
            let open = self.start(node);
            open.awaits_command = is_manual;
        }
        let kind =
            ItemKind::ContextCompaction { summary: None, trigger: trigger.map(Cow::into_owned) };
        let item = self.item(&*node.uuid, kind, node);
        self.summary_due = Some(self.push(item, node));
    }

    /// The summary of the compaction before it; the oldest builds wrote no boundary.
    fn summary(&mut self, node: &Node<'a>) {
        let text = prompt::first_text(node.message.content).unwrap_or_default().into_owned();
        let at = self.at(node);
        if let Some(place) = self.summary_due.take() {
            if let Some(item) = self.item_mut(place)
                && let ItemKind::ContextCompaction { summary, .. } = &mut item.kind
            {
                *summary = Some(text);
                item.also_at.push(at);
            }
            return;
        }
        if node.flag("repeatsCompactSummary") {
            return;
        }
        let kind = ItemKind::ContextCompaction { summary: Some(text), trigger: None };
        let item = self.item(&*node.uuid, kind, node);
        self.push(item, node);
    }

    fn attachment(&mut self, node: &Node<'a>) {
        if node.subtype.as_deref() == Some("queued_command") {
            if let Some(content) = prompt::absorbed(node) {
                let kind = ItemKind::UserMessage { content, client_id: None };
                let item = self.item(&*node.uuid, kind, node);
                self.push(item, node);
            } else {
                let text = node.fields.get("attachment").and_then(|a| a.get("prompt"));
                let text = prompt::first_text(text).unwrap_or_default();
                self.notification(&text, node);
            }
            return;
        }
        if let Some(kind) = notices::of_attachment(node) {
            let item = self.item(&*node.uuid, kind, node);
            self.push(item, node);
        }
    }
}

/// Whether a user line answers the copied call, and so is the first line of a forked sub-agent.
fn is_briefing(node: &Node<'_>, display: &Display<'_, '_>, call: NodeId) -> bool {
    node.parent_uuid.as_ref() == Some(&display.transcript.nodes[call].uuid)
}

fn shell_command(command: String, node: &Node<'_>) -> ItemKind {
    ItemKind::CommandExecution {
        command,
        cwd: node.text("cwd").map(Cow::into_owned),
        status: ItemStatus::InProgress,
        source: "userShell".into(),
        command_actions: crate::json::RawJson::of(&serde_json::json!([])),
        aggregated_output: None,
        exit_code: None,
        duration_ms: None,
        process_id: None,
        plugin_id: None,
        script_path: None,
    }
}
