//! The display of legacy rollouts: events, one after the other, into turns.
//!
//! The rules are those by which Codex's app-server answers `thread/read` (`corpus/codex/*-legacy`,
//! `old-*`). They keep the person's view; the shell commands and other calls that these events lack are
//! added by [`super::recovered`].

use std::sync::Arc;

use recount_formats::codex::record as r;
use recount_formats::view::{List, View};
use recount_formats::{Json, Text};

use super::items::{self, millis, own};
use super::record::{Rec, Top};
use super::render;
use super::turns::Pending;
use crate::json::RawJson;
use crate::model::item::{Extra, HookFragment, ItemStatus, UserInput};
use crate::model::{Item, ItemKind, TurnError, TurnStatus};

/// What a message for the model holds that came from a hook and is shown.
pub(super) const HOOK: &str = "<hook_prompt";

/// Turns as far as they were read.
#[derive(Debug, Default)]
pub(super) struct Legacy {
    turns: Vec<Pending>,
    current: Option<Pending>,
    /// The number of the next item that has no id of its own.
    next_item: usize,
    /// How many records Codex has counted.
    counted: usize,
    /// Whether lines were passed over whose records are not counted: from there on no number of a record is certain.
    uncounted: bool,
    /// Whether such a number was needed.
    guessed: bool,
    serials: usize,
}

impl Legacy {
    pub(super) fn new() -> Self {
        Self { next_item: 1, ..Self::default() }
    }

    /// The number of the item without an id that would come next.
    pub(super) fn next_item(recs: &[Rec<'_>], source: &Arc<str>) -> usize {
        let mut builder = Self::new();
        for (seq, rec) in recs.iter().enumerate() {
            builder.record(seq, rec, source);
        }
        builder.next_item
    }

    /// The turn that a record at this point belongs to.
    pub(super) fn open_turn(&self) -> Option<usize> {
        self.current.as_ref().or(self.turns.last()).map(|t| t.serial)
    }

    /// Whether a record opened the turn that is open or was last: files that do so are not likely to need numbers of records, by
    /// which turns are called that nothing opens.
    pub(super) fn is_announced(&self) -> bool {
        self.current.as_ref().or(self.turns.last()).is_some_and(|t| t.explicit)
    }

    /// Counts a record that Codex counts and shows nothing of.
    pub(super) const fn count(&mut self) {
        self.counted += 1;
    }

    /// Lines were passed over that may hold any number of such records.
    pub(super) const fn lose_count(&mut self) {
        self.uncounted = true;
    }

    /// Whether an id was made of a number that is not certain.
    pub(super) const fn has_guessed(&self) -> bool {
        self.guessed
    }

    /// The turns.
    pub(super) fn finish(mut self) -> Vec<Pending> {
        self.finish_current();
        self.turns
    }

    /// Takes the next record.
    pub(super) fn record(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>) {
        if !rec.counts {
            return;
        }
        match rec.top {
            Top::EventMsg => self.event(seq, rec, source),
            Top::Compacted => self.ensure().saw_compaction = true,
            Top::ResponseItem if rec.tag == "message" => self.hook_prompt(seq, rec, source),
            _ => {}
        }
        self.counted += 1;
    }

    /// [`SHOWS_NOTHING`] names some of those for which nothing happens here.
    fn event(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>) {
        let payload = rec.payload;
        let at = Place { seq, rec, source };
        match &*rec.tag {
            "user_message" => self.user_message(&at, payload),
            "agent_message" => self.agent_message(&at, payload),
            "agent_reasoning" => self.reasoning(&at, payload, true),
            "agent_reasoning_raw_content" => self.reasoning(&at, payload, false),
            "task_started" | "turn_started" => self.started(payload),
            "task_complete" | "turn_complete" => self.completed(payload),
            "turn_aborted" => self.aborted(payload),
            "thread_rolled_back" => self.rolled_back(payload),
            "context_compacted" => {
                let id = self.next_id();
                let kind = ItemKind::ContextCompaction { summary: None, trigger: None };
                self.ensure().push(seq, at.item(id, kind));
            }
            "item_completed" | "item_started" => self.item(&at, payload),
            "entered_review_mode" => {
                let Some(p) = r::EventEnteredReviewMode::view(payload) else { return };
                let review = render::review_request(p.user_facing_hint);
                self.review(&at, p.turn_id, p.item_id, ItemKind::EnteredReviewMode { review });
            }
            "exited_review_mode" => {
                let Some(p) = r::EventExitedReviewMode::view(payload) else { return };
                let review = render::review_output(p.review_output.map(|o| o.raw));
                self.review(&at, p.turn_id, p.item_id, ItemKind::ExitedReviewMode { review });
            }
            _ => {
                if let Some((turn, id, kind)) = tool(&rec.tag, payload) {
                    let item = at.item(id, kind);
                    match turn {
                        Some(turn) => self.upsert_in(&turn, seq, item),
                        None => self.ensure().upsert(seq, item),
                    }
                }
            }
        }
    }

    fn user_message(&mut self, at: &Place<'_, '_>, payload: Json<'_>) {
        // Prompts stay in turns that a record opened. Old files open none: there each prompt begins one,
        // except directly behind a compaction.
        let leave = self
            .current
            .as_ref()
            .is_some_and(|t| !(t.explicit || (t.saw_compaction && t.turn.items.is_empty())));
        if leave {
            self.finish_current();
        }
        let id = self.next_id();
        let Some(p) = r::EventUserMessage::view(payload) else { return };
        let kind = ItemKind::UserMessage { content: user_inputs(&p), client_id: own(p.client_id) };
        self.ensure().push(at.seq, at.item(id, kind));
    }

    fn agent_message(&mut self, at: &Place<'_, '_>, payload: Json<'_>) {
        let Some(p) = r::EventAgentMessage::view(payload) else { return };
        let text = own(p.message).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let id = self.next_id();
        let kind = ItemKind::AgentMessage {
            text,
            phase: own(p.phase),
            memory_citation: p.memory_citation.filter(|c| !c.is_null()).map(render::camel_keys),
            delivery: own(p.delivery),
            questions: p.questions.map(|l| RawJson::new(l.raw())),
        };
        self.ensure().push(at.seq, at.item(id, kind));
    }

    fn reasoning(&mut self, at: &Place<'_, '_>, payload: Json<'_>, readable: bool) {
        let text = payload.str("text").unwrap_or_default().into_owned();
        if text.is_empty() {
            return;
        }
        let turn = self.ensure();
        if let Some(last) = turn.turn.items.last_mut()
            && let ItemKind::Reasoning { summary, content } = &mut last.kind
        {
            if readable {
                summary.push(text);
            } else {
                content.push(text);
            }
            last.also_at.push(at.rec.place(at.source));
            return;
        }
        let id = self.next_id();
        let (summary, content) =
            if readable { (vec![text], Vec::new()) } else { (Vec::new(), vec![text]) };
        self.ensure().push(at.seq, at.item(id, ItemKind::Reasoning { summary, content }));
    }

    /// Of the canonical items a legacy file shows those that no legacy event stands for.
    fn item(&mut self, at: &Place<'_, '_>, payload: Json<'_>) {
        let Some(p) = r::ItemCompleted::view(payload) else { return };
        let Some((id, kind)) = p.item.and_then(items::completed) else { return };
        let shown = match &kind {
            ItemKind::Plan { text } => !text.is_empty(),
            ItemKind::UserMessage { .. }
            | ItemKind::AgentMessage { .. }
            | ItemKind::Reasoning { .. }
            | ItemKind::ImageView { .. }
            | ItemKind::FileChange { .. }
            | ItemKind::McpToolCall { .. }
            | ItemKind::ContextCompaction { .. } => false,
            ItemKind::WebSearch { .. } | ItemKind::ImageGeneration { .. } => {
                p.item.and_then(|i| i.str("type")).is_some_and(|t| t == "Extension")
            }
            _ => true,
        };
        if !shown {
            return;
        }
        if matches!(kind, ItemKind::EnteredReviewMode { .. } | ItemKind::ExitedReviewMode { .. }) {
            self.review_item(at.seq, p.turn_id, at.item(id, kind));
        } else {
            let turn = own(p.turn_id).unwrap_or_default();
            self.upsert_in(&turn, at.seq, at.item(id, kind));
        }
    }

    fn review(
        &mut self,
        at: &Place<'_, '_>,
        turn: Option<Text<'_>>,
        id: Option<Text<'_>>,
        kind: ItemKind,
    ) {
        let id = own(id).unwrap_or_else(|| self.next_id());
        self.review_item(at.seq, turn, at.item(id, kind));
    }

    /// A review names its turn before any record opens it.
    fn review_item(&mut self, seq: usize, turn: Option<Text<'_>>, item: Item) {
        let Some(turn) = own(turn) else {
            self.ensure().upsert(seq, item);
            return;
        };
        let there = self.current.iter().chain(&self.turns).any(|t| t.turn.id == turn);
        if !there {
            self.finish_current();
            self.current = Some(self.implicit(turn.clone()));
        }
        self.upsert_in(&turn, seq, item);
    }

    fn started(&mut self, payload: Json<'_>) {
        self.finish_current();
        let Some(p) = r::EventTaskStarted::view(payload) else { return };
        let mut turn = Pending::new(own(p.turn_id).unwrap_or_default(), self.serial());
        turn.explicit = true;
        turn.turn.started_at = p.started_at;
        turn.turn.root_turn_id = own(p.root_turn_id);
        self.current = Some(turn);
    }

    fn completed(&mut self, payload: Json<'_>) {
        let Some(p) = r::EventTaskComplete::view(payload) else { return };
        let id = own(p.turn_id).unwrap_or_default();
        let apply = |pending: &mut Pending| {
            let turn = &mut pending.turn;
            if let Some(error) = p.error {
                turn.status = TurnStatus::Failed;
                turn.error = Some(turn_error(error.raw));
            } else if turn.status == TurnStatus::InProgress {
                turn.status = TurnStatus::Completed;
            }
            turn.completed_at = p.completed_at;
            turn.duration_ms = p.duration_ms;
            pending.ended = true;
        };
        if let Some(turn) = self.current.as_mut().filter(|t| t.turn.id == id) {
            apply(turn);
            self.finish_current();
        } else if let Some(turn) = self.turns.iter_mut().find(|t| t.turn.id == id) {
            apply(turn);
        } else if let Some(turn) = &mut self.current {
            apply(turn);
            self.finish_current();
        }
    }

    fn aborted(&mut self, payload: Json<'_>) {
        let Some(p) = r::EventTurnAborted::view(payload) else { return };
        let id = own(p.turn_id);
        let named = |t: &&mut Pending| id.as_ref().is_some_and(|id| t.turn.id == *id);
        let turn = if self.current.as_mut().as_ref().is_some_and(named) {
            self.current.as_mut()
        } else {
            // A named turn that is not there: the open one is meant.
            self.turns.iter_mut().find(|t| named(t)).or(self.current.as_mut())
        };
        if let Some(pending) = turn {
            pending.turn.status = TurnStatus::Interrupted;
            pending.turn.completed_at = p.completed_at;
            pending.turn.duration_ms = p.duration_ms;
            pending.ended = true;
        }
    }

    /// Counts turns, not prompts: a turn that only compacted counts too (`old-v118-compact`).
    fn rolled_back(&mut self, payload: Json<'_>) {
        self.finish_current();
        let n = payload.get("num_turns").and_then(Json::as_u64).unwrap_or(0);
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        self.turns.truncate(self.turns.len().saturating_sub(n));
        self.next_item = self.turns.iter().map(|t| t.turn.items.len()).sum::<usize>() + 1;
    }

    fn hook_prompt(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>) {
        // Looking for the tag first spares a walk through every message.
        if memchr::memmem::find(rec.payload.raw().as_bytes(), HOOK.as_bytes()).is_none() {
            return;
        }
        let Some(p) = r::ResponseMessageUser::view(rec.payload) else { return };
        if p.role.is_none_or(|role| !role.is("user")) {
            return;
        }
        let Some(fragments) = p.content.and_then(|c| render::hook_fragments(c.raw())) else {
            return;
        };
        let fragments =
            fragments.into_iter().map(|(text, hook_run_id)| HookFragment { text, hook_run_id });
        let kind = ItemKind::HookPrompt { fragments: fragments.collect() };
        let at = Place { seq, rec, source };
        let id = own(p.id).unwrap_or_else(|| {
            self.guessed |= self.uncounted;
            format!("hook-{seq}")
        });
        self.ensure().push(seq, at.item(id, kind));
    }

    fn finish_current(&mut self) {
        if let Some(turn) = self.current.take()
            && (!turn.turn.items.is_empty() || turn.explicit || turn.saw_compaction)
        {
            self.turns.push(turn);
        }
    }

    fn serial(&mut self) -> usize {
        self.serials += 1;
        self.serials
    }

    /// A turn that no record opened: it counts as completed unless told otherwise.
    fn implicit(&mut self, id: String) -> Pending {
        let mut turn = Pending::new(id, self.serial());
        turn.turn.status = TurnStatus::Completed;
        turn
    }

    fn ensure(&mut self) -> &mut Pending {
        if self.current.is_none() {
            self.guessed |= self.uncounted;
            let turn = self.implicit(format!("rollout-{}", self.counted));
            self.current = Some(turn);
        }
        self.current.get_or_insert_with(|| Pending::new("", 0))
    }

    fn upsert_in(&mut self, turn: &str, seq: usize, item: Item) {
        // An item of a turn that is not there is not shown; it is found again among the calls.
        if let Some(turn) =
            self.current.iter_mut().chain(&mut self.turns).find(|t| t.turn.id == turn)
        {
            turn.upsert(seq, item);
        }
    }

    fn next_id(&mut self) -> String {
        let id = format!("item-{}", self.next_item);
        self.next_item += 1;
        id
    }
}

/// Where an item comes from.
struct Place<'p, 'a> {
    seq: usize,
    rec: &'p Rec<'a>,
    source: &'p Arc<str>,
}

impl Place<'_, '_> {
    fn item(&self, id: String, kind: ItemKind) -> Item {
        let took = kind.duration_ms();
        let mut item = Item::new(id, kind, self.rec.place(self.source));
        // The event of a call is written at its end.
        item.timestamp = self.rec.time().map(|end| items::began(end, took));
        item
    }
}

/// An error as a turn shows it.
pub(super) fn turn_error(error: Json<'_>) -> TurnError {
    TurnError {
        message: error.str("message").unwrap_or_default().into_owned(),
        codex_error_info: error.get("codex_error_info").and_then(render::error_info),
        additional_details: None,
    }
}

/// Events of which nothing is shown and of which there are many, or large ones.
pub(super) const SHOWS_NOTHING: &[&str] = &["token_count", "exec_command_end"];

/// The event that ends a tool call: the turn that it names, the call's id, the item.
fn tool(tag: &str, payload: Json<'_>) -> Option<(Option<String>, String, ItemKind)> {
    let named = |turn: Option<Text<'_>>| own(turn).filter(|t| !t.is_empty());
    Some(match tag {
        "patch_apply_end" => {
            let p = r::EventPatchApplyEnd::view(payload)?;
            let status = match p.status {
                None if p.success == Some(false) => ItemStatus::Failed,
                status => items::status(status),
            };
            let changes = p.changes.map(items::changes).unwrap_or_default();
            (named(p.turn_id), own(p.call_id)?, ItemKind::FileChange { changes, status })
        }
        "mcp_tool_call_end" => {
            let p = r::EventMcpToolCallEnd::view(payload)?;
            (None, own(p.call_id)?, mcp(&p))
        }
        "web_search_end" => {
            let p = r::EventWebSearchEnd::view(payload)?;
            let kind = ItemKind::WebSearch {
                query: own(p.query).unwrap_or_default(),
                action: Some(p.action.map_or_else(
                    || RawJson::of(&serde_json::json!({"type": "other"})),
                    |a| render::search_action(a.raw),
                )),
                results: p.results.map(|l| RawJson::new(l.raw())),
                status: None,
                text: None,
            };
            (None, own(p.call_id)?, kind)
        }
        "image_generation_end" => {
            (None, payload.str("call_id")?.into_owned(), items::image(payload))
        }
        "sub_agent_activity" => {
            let p = r::EventSubAgentActivity::view(payload)?;
            let kind = ItemKind::SubAgentActivity {
                kind: render::camel(&own(p.kind).unwrap_or_default()),
                agent_thread_id: own(p.agent_thread_id).unwrap_or_default(),
                agent_path: own(p.agent_path).unwrap_or_default(),
                model: payload.str("model").map(std::borrow::Cow::into_owned),
                reasoning_effort: payload.str("reasoning_effort").map(std::borrow::Cow::into_owned),
                message: None,
            };
            (None, own(p.event_id)?, kind)
        }
        _ => return None,
    })
}

/// The end of a command as extended files of 0.118 hold it. Codex does not show it any more, so it is no
/// part of the display; [`super::recovered`] adds it.
pub(super) fn ended_command(payload: Json<'_>) -> Option<(Option<String>, String, ItemKind)> {
    let p = r::EventExecCommandEnd::view(payload)?;
    let cwd = p.cwd.map(|c| render::path(&c.get()));
    let kind = ItemKind::CommandExecution {
        command: render::command_line(p.command.into_iter().flat_map(List::iter)),
        command_actions: render::command_actions(
            p.parsed_cmd.map_or(Json::NULL, recount_formats::view::List::raw),
            cwd.as_deref(),
        ),
        cwd,
        status: items::status(p.status),
        source: p.source.map_or_else(|| "agent".to_owned(), |s| render::camel(&s.get())),
        aggregated_output: own(p.aggregated_output).filter(|t| !t.is_empty()),
        exit_code: p.exit_code,
        duration_ms: p.duration.and_then(|d| millis(d.secs, d.nanos)),
        process_id: own(p.process_id),
        plugin_id: None,
        script_path: None,
    };
    Some((own(p.turn_id), own(p.call_id)?, kind))
}

fn mcp(p: &r::EventMcpToolCallEnd<'_>) -> ItemKind {
    let ok = p.result.and_then(|r| r.ok);
    let error = p.result.and_then(|r| r.err);
    let failed = error.is_some() || ok.is_some_and(|ok| ok.is_error == Some(true));
    let app = p.connector_id.map(|connector| {
        render::app_context(
            connector,
            [p.link_id, p.mcp_app_resource_uri, p.app_name, p.action_name],
        )
    });
    let extra: Extra =
        items::mcp_extra(app, p.mcp_app_ui.map(|u| u.raw), p.plugin_id, p.read_only_hint);
    ItemKind::McpToolCall {
        server: own(p.invocation.and_then(|i| i.server)).unwrap_or_default(),
        tool: own(p.invocation.and_then(|i| i.tool)).unwrap_or_default(),
        status: if failed { ItemStatus::Failed } else { ItemStatus::Completed },
        arguments: items::raw(p.invocation.and_then(|i| i.arguments)),
        result: ok.map(|ok| render::mcp_result(ok.raw)),
        error: error.map(|e| RawJson::of(&serde_json::json!({"message": e.get()}))),
        duration_ms: p.duration.and_then(|d| millis(d.secs, d.nanos)),
        extra,
    }
}

/// The parts of a prompt: text, then images, then sound.
pub(super) fn user_inputs(p: &r::EventUserMessage<'_>) -> Vec<UserInput> {
    let mut content = Vec::new();
    let text = own(p.message).unwrap_or_default();
    if !text.trim().is_empty() {
        let text_elements =
            render::text_elements(p.text_elements.map(recount_formats::view::List::raw));
        content.push(UserInput::Text { text, text_elements });
    }
    let details = |list: Option<List<'_, Json<'_>>>| -> Vec<Option<String>> {
        list.map(|l| l.iter().map(|d| d.as_str().map(std::borrow::Cow::into_owned)).collect())
            .unwrap_or_default()
    };
    let nth = |list: &[Option<String>], n: usize| list.get(n).cloned().flatten();
    let given = details(p.image_details);
    for (n, url) in items::strings(p.images).into_iter().enumerate() {
        content.push(UserInput::Image { url: Some(url), file_id: None, detail: nth(&given, n) });
    }
    let given = details(p.file_id_details);
    for (n, id) in items::strings(p.file_ids).into_iter().enumerate() {
        content.push(UserInput::Image { url: None, file_id: Some(id), detail: nth(&given, n) });
    }
    let given = details(p.local_image_details);
    for (n, path) in items::strings(p.local_images).into_iter().enumerate() {
        content.push(UserInput::LocalImage { path: render::path(&path), detail: nth(&given, n) });
    }
    content.extend(items::strings(p.audio).into_iter().map(|url| UserInput::Audio { url }));
    content.extend(
        items::strings(p.local_audio)
            .into_iter()
            .map(|path| UserInput::LocalAudio { path: render::path(&path) }),
    );
    content
}
