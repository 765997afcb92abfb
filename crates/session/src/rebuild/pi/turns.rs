//! The display view: a path to turns and items.
//!
//! pi writes no records for turns (contract: turns). A turn begins with a prompt, or with an extension's message that
//! sets the model going; text that is typed while the model works belongs to the running turn. What happens between
//! turns (shell commands, compactions, notes of extensions) stands at the end of the turn before, and in front of the
//! first prompt when there is none.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::finding::excerpt;
use recount_formats::json::Json;
use recount_formats::pi::Kind;
use recount_formats::pi::record::{MessageBashExecutionMessage, MessageToolResultMessage};
use recount_formats::view::View as _;
use recount_formats::{Code, Finding, Position, Text};

use super::about::Label;
use super::content::{self, Part};
use super::entries::{Entry, Transcript};
use super::tools;
use crate::model::item::{ItemStatus, NoticeLevel};
use crate::model::{At, Item, ItemKind, Turn, TurnError, TurnStatus};

/// The turns of a path.
pub(super) fn build<'t>(
    source: &'t Arc<str>,
    transcript: &'t Transcript<'_>,
    labels: &HashMap<usize, Label<'_>>,
    cwd: Option<&'t str>,
    path: &[usize],
    findings: &'t mut Vec<Finding>,
) -> Vec<Turn> {
    let mut builder = Builder {
        source,
        cwd,
        findings,
        turns: Vec::new(),
        calls: HashMap::new(),
        transcript,
        answered: OnceCell::new(),
        last: Last::default(),
        model: None,
        thinking: None,
    };
    let answered = answered_next(transcript, path);
    for (&n, answered) in path.iter().zip(answered) {
        builder.entry(&transcript.entries[n], answered);
        if let Some(label) = labels.get(&n) {
            let by = &transcript.entries[label.by];
            builder.notice(by, NoticeLevel::Info, format!("Label: {}", label.text));
        }
    }
    builder.end()
}

/// For each entry of a path whether the next one who speaks is the model, not the person.
fn answered_next(transcript: &Transcript<'_>, path: &[usize]) -> Vec<bool> {
    let mut next = false;
    let mut answered = vec![false; path.len()];
    for (out, &n) in answered.iter_mut().zip(path).rev() {
        *out = next;
        match transcript.entries[n].kind {
            Kind::MessageUser => next = false,
            Kind::MessageAssistant => next = true,
            _ => {}
        }
    }
    answered
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Stop {
    End,
    Tools,
    Failed(String),
    Aborted,
    Deferred,
}

/// A call without a result so far.
struct Waiting {
    turn: usize,
    item: usize,
    at: Position,
}

/// How far the newest turn has come.
#[derive(Default)]
struct Last {
    /// It has a prompt, or the model has spoken.
    begun: bool,
    /// Why the last answer ended; nothing before the first one.
    stop: Option<Stop>,
    /// Results that are awaited.
    awaited: usize,
    /// What tells of a failed answer, in case that pi tries again; else it becomes the error of the turn.
    failure: Option<Item>,
    /// When it began and when its last message was written, in milliseconds.
    began: Option<i64>,
    ended: Option<i64>,
}

struct Builder<'b> {
    source: &'b Arc<str>,
    cwd: Option<&'b str>,
    findings: &'b mut Vec<Finding>,
    turns: Vec<Turn>,
    calls: HashMap<String, Waiting>,
    transcript: &'b Transcript<'b>,
    /// The calls that have a result on some branch, once that is asked.
    answered: OnceCell<HashSet<Cow<'b, str>>>,
    last: Last,
    model: Option<String>,
    thinking: Option<String>,
}

impl Builder<'_> {
    fn entry(&mut self, entry: &Entry<'_>, answered_next: bool) {
        match entry.kind {
            Kind::MessageUser => self.prompt(entry),
            Kind::MessageAssistant => self.answer(entry),
            Kind::MessageToolResult => self.result(entry),
            Kind::MessageBashExecution => self.shell(entry),
            Kind::MessageCustom => self.custom(entry, entry.message, answered_next),
            Kind::CustomMessage => self.custom(entry, entry.json, answered_next),
            Kind::Compaction => {
                let summary = entry.json.str("summary").map(Cow::into_owned);
                self.push(entry, &entry.id, ItemKind::ContextCompaction { summary, trigger: None });
            }
            Kind::BranchSummary => {
                let summary = entry.json.str("summary").unwrap_or_default();
                let text = format!("Came back from another branch of the conversation:\n{summary}");
                self.notice(entry, NoticeLevel::Info, text);
            }
            Kind::ModelChange => {
                let part = |key| entry.json.str(key).unwrap_or_default();
                self.set_model(entry, format!("{}/{}", part("provider"), part("modelId")));
            }
            Kind::ThinkingLevelChange => {
                let level = entry.json.str("thinkingLevel").unwrap_or_default().into_owned();
                if self.last.begun && self.thinking.as_ref().is_some_and(|old| *old != level) {
                    self.notice(entry, NoticeLevel::Info, format!("Thinking level: {level}"));
                }
                self.thinking = Some(level);
            }
            // Names, labels, bills, states and edits of the context are no part of the conversation that people saw;
            // system messages are what the model alone gets.
            Kind::Session
            | Kind::Message
            | Kind::MessageSystem
            | Kind::Usage
            | Kind::Custom
            | Kind::ContextEdit
            | Kind::Label
            | Kind::SessionInfo
            | Kind::Unknown => {}
        }
    }

    fn set_model(&mut self, entry: &Entry<'_>, model: String) {
        if self.last.begun && self.model.as_ref().is_some_and(|old| *old != model) {
            self.notice(entry, NoticeLevel::Info, format!("Model: {model}"));
        }
        self.model = Some(model);
    }

    /// A prompt opens a turn, unless the model is in the middle of one.
    fn prompt(&mut self, entry: &Entry<'_>) {
        let typed = entry.message.get("timestamp").and_then(Json::as_i64);
        if !self.is_steering(typed) {
            self.open(entry, typed);
        }
        let content = content::user_input(content::of(entry.message));
        self.push(entry, &entry.id, ItemKind::UserMessage { content, client_id: None });
    }

    /// Whether text that was typed at `typed` goes into the running turn: the model has the results of its calls and
    /// has not gone on yet. Text after a program was killed at that very point is younger than the last result.
    fn is_steering(&self, typed: Option<i64>) -> bool {
        let between = self.last.stop == Some(Stop::Tools) && self.last.awaited == 0;
        between
            && !matches!(
                (typed, self.last.ended),
                (Some(typed), Some(ended)) if typed > ended.saturating_add(1000)
            )
    }

    /// Opens a turn. What stands in front of the first one becomes its beginning.
    fn open(&mut self, entry: &Entry<'_>, began: Option<i64>) {
        if self.last.begun {
            self.close(false);
        }
        if self.last.begun || self.turns.is_empty() {
            self.turns.push(Turn::new(entry.id.as_ref()));
        }
        let began = began.or_else(|| entry.millis());
        self.last = Last { begun: true, began, ..Last::default() };
        if let Some(turn) = self.turns.last_mut() {
            turn.id = entry.id.to_string();
            turn.started_at = began.map(|ms| ms.div_euclid(1000));
        }
    }

    fn item(&self, entry: &Entry<'_>, id: &str, kind: ItemKind) -> Item {
        let mut item = Item::new(id, kind, At::line(self.source, entry.at));
        item.timestamp = entry.timestamp.as_deref().map(str::to_owned);
        item.recovered = entry.recovered;
        item
    }

    fn push(&mut self, entry: &Entry<'_>, id: &str, kind: ItemKind) {
        let item = self.item(entry, id, kind);
        if self.turns.is_empty() {
            self.turns.push(Turn::new(entry.id.as_ref()));
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.items.push(item);
        }
    }

    fn notice(&mut self, entry: &Entry<'_>, level: NoticeLevel, text: String) {
        self.push(entry, &entry.id, ItemKind::Notice { level, text });
    }

    fn answer(&mut self, entry: &Entry<'_>) {
        let keys = ["content", "timestamp", "provider", "model", "stopReason", "errorMessage"];
        let [content, began, provider, model, stop, error] = content::pick(entry.message, keys);
        let text = |value: Option<Json<'_>>| value.and_then(Json::as_str).map(Cow::into_owned);
        if !self.last.begun {
            self.open(entry, began.and_then(Json::as_i64));
        }
        if let Some(model) = text(model) {
            self.model = Some(format!("{}/{model}", text(provider).unwrap_or_default()));
        }
        if let (Some(failure), Some(turn)) = (self.last.failure.take(), self.turns.last_mut()) {
            turn.items.push(failure);
        }
        let mut spoke = false;
        self.last.awaited = 0;
        for (n, part) in content::parts(content.unwrap_or(Json::NULL)).enumerate() {
            let id = format!("{}.{n}", entry.id);
            match part {
                Part::Thinking(text, _) => {
                    let content =
                        if text.is_empty() { Vec::new() } else { vec![text.into_owned()] };
                    self.push(entry, &id, ItemKind::Reasoning { summary: Vec::new(), content });
                }
                Part::Text(text, _) if text.is_empty() => {}
                Part::Text(text, block) => {
                    let id = if spoke { &*id } else { &*entry.id };
                    self.push(entry, id, agent_message(&text, block));
                    spoke = true;
                }
                Part::Call(call) => self.call(entry, call, &id),
                Part::Image(block) | Part::Other(block) => {
                    self.push(entry, &id, agent_message(block.raw(), None));
                }
            }
        }
        let stop = match text(stop).as_deref() {
            Some("toolUse") => Stop::Tools,
            Some("error") => {
                let text = text(error).unwrap_or_else(|| "the response failed".to_owned());
                let notice = ItemKind::Notice { level: NoticeLevel::Error, text: text.clone() };
                self.last.failure = Some(self.item(entry, &entry.id, notice));
                Stop::Failed(text)
            }
            Some("aborted") => Stop::Aborted,
            Some("deferred") => {
                self.notice(entry, NoticeLevel::Info, "The provider put the response off.".into());
                Stop::Deferred
            }
            Some("length") => {
                let text = "The response was cut off at the limit of tokens.".to_owned();
                self.notice(entry, NoticeLevel::Warning, text);
                Stop::End
            }
            _ => Stop::End,
        };
        self.last.stop = Some(stop);
        self.last.ended = entry.millis().or(self.last.ended);
    }

    fn call(&mut self, entry: &Entry<'_>, call: Json<'_>, id: &str) {
        let own = call.str("id");
        let id = own.as_deref().unwrap_or(id);
        self.push(entry, id, tools::call(call, self.cwd));
        let turn = self.turns.len() - 1;
        let waiting = Waiting { turn, item: self.turns[turn].items.len() - 1, at: entry.at };
        self.last.awaited += 1;
        if let Some(earlier) = self.calls.insert(id.to_owned(), waiting) {
            self.unanswered(id, &earlier);
        }
    }

    fn result(&mut self, entry: &Entry<'_>) {
        let Some(view) = MessageToolResultMessage::view(entry.message) else { return };
        let id = view.tool_call_id.map(Text::get).unwrap_or_default();
        let (turn, item) = if let Some(waiting) = self.calls.remove(&*id) {
            if waiting.turn + 1 == self.turns.len() {
                self.last.awaited = self.last.awaited.saturating_sub(1);
            }
            let item = &mut self.turns[waiting.turn].items[waiting.item];
            item.also_at.push(At::line(self.source, entry.at));
            (waiting.turn, waiting.item)
        } else {
            self.findings.push(Finding::new(
                Code::OrphanResult,
                self.source,
                entry.at,
                format!("no call `{}` stands before this result on its branch", excerpt(&id)),
            ));
            let id = if id.is_empty() { &entry.id } else { &id };
            self.push(entry, id, tools::orphan(&view));
            (self.turns.len() - 1, self.turns[self.turns.len() - 1].items.len() - 1)
        };
        let why = tools::answer(&mut self.turns[turn].items[item].kind, &view);
        if let Some(why) = why {
            self.notice(entry, NoticeLevel::Error, why);
        }
        for (n, (id, kind)) in tools::nested(&view).into_iter().enumerate() {
            let id = id.unwrap_or_else(|| format!("{}.{n}", entry.id));
            self.push(entry, &id, kind);
        }
        self.last.ended = entry.millis().or(self.last.ended);
    }

    /// A command that the person ran with `!`.
    fn shell(&mut self, entry: &Entry<'_>) {
        let Some(ran) = MessageBashExecutionMessage::view(entry.message) else { return };
        let code = ran.exit_code;
        let cancelled = ran.cancelled.unwrap_or(false);
        let failed = cancelled || code.is_some_and(|code| code != 0);
        let status = if failed { ItemStatus::Failed } else { ItemStatus::Completed };
        let text = |text: Option<Text<'_>>| text.map(|t| t.get().into_owned());
        let command = text(ran.command).unwrap_or_default();
        let mut kind = tools::shell(&command, self.cwd, "userShell", status);
        if let ItemKind::CommandExecution { aggregated_output, exit_code, .. } = &mut kind {
            *aggregated_output = text(ran.output);
            *exit_code = code;
        }
        self.push(entry, &entry.id, kind);
    }

    /// A message of an extension. It opens a turn when the model answers it although nobody asked.
    fn custom(&mut self, entry: &Entry<'_>, holder: Json<'_>, answered_next: bool) {
        let running = self.last.begun && matches!(self.last.stop, None | Some(Stop::Tools));
        if answered_next && !running {
            self.open(entry, None);
        }
        if holder.get("display").and_then(Json::as_bool).unwrap_or(true) {
            let name = holder.str("customType").unwrap_or_default();
            let text = content::text(content::of(holder));
            let text = if name.is_empty() { text } else { format!("{name}: {text}") };
            self.notice(entry, NoticeLevel::Info, text);
        }
    }

    fn unanswered(&mut self, id: &str, waiting: &Waiting) {
        fail(&mut self.turns[waiting.turn].items[waiting.item].kind);
        // The person went back to before the results: nothing is wrong with the file.
        let answered = self.answered.get_or_init(|| {
            let results =
                self.transcript.entries.iter().filter(|e| e.kind == Kind::MessageToolResult);
            results.filter_map(|e| e.message.str("toolCallId")).collect()
        });
        if answered.contains(id) {
            return;
        }
        self.findings.push(Finding::new(
            Code::UnansweredCall,
            self.source,
            waiting.at,
            format!("the call `{}` has no result on its branch", excerpt(id)),
        ));
    }

    /// Says how the newest turn ended.
    fn close(&mut self, at_end: bool) {
        let Some(turn) = self.turns.last_mut() else { return };
        let last = &self.last;
        let mut ended = last.ended;
        turn.status = match &last.stop {
            None if !last.begun => TurnStatus::Completed,
            Some(Stop::End) => TurnStatus::Completed,
            Some(Stop::Aborted) => TurnStatus::Interrupted,
            Some(Stop::Failed(message)) => {
                turn.error = Some(TurnError {
                    message: message.clone(),
                    codex_error_info: None,
                    additional_details: None,
                });
                TurnStatus::Failed
            }
            None | Some(Stop::Tools | Stop::Deferred) => {
                ended = None;
                if at_end { TurnStatus::InProgress } else { TurnStatus::Interrupted }
            }
        };
        turn.completed_at = ended.map(|ms| ms.div_euclid(1000));
        turn.duration_ms =
            last.began.zip(ended).map(|(began, ended)| ended.saturating_sub(began).max(0));
    }

    fn end(mut self) -> Vec<Turn> {
        self.close(true);
        let running = self.turns.last().is_some_and(|t| t.status == TurnStatus::InProgress);
        let mut calls: Vec<_> = std::mem::take(&mut self.calls).into_iter().collect();
        calls.sort_by_key(|(_, waiting)| (waiting.turn, waiting.item));
        for (id, waiting) in calls {
            if !(running && waiting.turn + 1 == self.turns.len()) {
                self.unanswered(&id, &waiting);
            }
        }
        self.turns
    }
}

/// A text of the model.
fn agent_message(text: &str, block: Option<Json<'_>>) -> ItemKind {
    ItemKind::AgentMessage {
        text: text.to_owned(),
        phase: block.and_then(content::phase),
        memory_citation: None,
        delivery: None,
        questions: None,
    }
}

/// Marks the item of a call that never got a result.
fn fail(kind: &mut ItemKind) {
    match kind {
        ItemKind::CommandExecution { status, .. } | ItemKind::FileChange { status, .. } => {
            *status = ItemStatus::Failed;
        }
        ItemKind::DynamicToolCall { status, success, .. } => {
            *status = ItemStatus::Failed;
            *success = Some(false);
        }
        _ => {}
    }
}
