//! What Codex's own display lost and the file still holds.
//!
//! Legacy events know no shell commands, images that were looked at, dynamic tools or agents, and neither
//! history mode shows a command that was declined or a patch that did not apply. The calls and their
//! outputs stand among the response items, though, because the model needs them. Each call that no
//! displayed item stands for becomes an item marked `recovered`, at its place in the turn.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::Json;
use recount_formats::codex::record as r;
use recount_formats::view::View;

use super::items::own;
use super::record::{Rec, Top};
use super::turns::Pending;
use crate::model::item::{ContentItem, NoticeLevel};
use crate::model::{Item, ItemKind, TurnStatus};

mod calls;
mod message;
mod output;
mod patch;

pub(super) use output::Told;

/// Calls and other things that may turn out to be missing in the display.
#[derive(Debug, Default)]
pub(super) struct Recovered {
    /// Whether the display consists of canonical items, which lack less.
    paginated: bool,
    found: Vec<Found>,
    /// Where the call of each id stands in `found`.
    calls: HashMap<String, usize>,
    /// Which command runs in each shell session.
    sessions: HashMap<String, usize>,
    /// The working directory of the turn.
    cwd: Option<String>,
    summaries: Vec<Summary>,
}

/// Something that may be missing.
#[derive(Debug)]
struct Found {
    seq: usize,
    /// The turn that was open.
    serial: Option<usize>,
    /// The turn that the record itself names.
    turn_id: Option<String>,
    item: Item,
    /// Whether it is only added if nothing in the turn says the same, because it has no id of its own.
    by_content: bool,
    /// Whether it is told by another item: input for a command that is shown.
    part_of: Option<usize>,
}

/// A compaction: the display has a marker at most, the record may hold a readable summary.
#[derive(Debug)]
struct Summary {
    seq: usize,
    serial: Option<usize>,
    text: Option<String>,
    item: Item,
}

impl Recovered {
    pub(super) fn new(paginated: bool) -> Self {
        Self { paginated, ..Self::default() }
    }

    /// Takes the next record. `serial` is the turn that it stands in.
    pub(super) fn record(
        &mut self,
        seq: usize,
        rec: &Rec<'_>,
        serial: Option<usize>,
        source: &Arc<str>,
    ) {
        let at = Place { seq, rec, serial, source };
        match rec.top {
            Top::TurnContext => {
                let cwd = r::TurnContext::view(rec.payload).and_then(|t| own(t.cwd));
                self.cwd = cwd.or(self.cwd.take());
            }
            Top::SessionMeta if self.cwd.is_none() => {
                self.cwd = rec.payload.str("cwd").map(std::borrow::Cow::into_owned);
            }
            Top::ResponseItem => self.response(&at),
            Top::EventMsg if rec.tag == "exec_command_end" => self.ended(&at),
            Top::EventMsg if rec.tag == "view_image_tool_call" => self.viewed(&at),
            Top::EventMsg if rec.tag == "error" => {
                if let Some(text) = rec.payload.str("message") {
                    let text = text.into_owned();
                    let kind = ItemKind::Notice { level: NoticeLevel::Error, text };
                    self.add(&at, None, None, kind, false);
                }
            }
            Top::Compacted => {
                let text = rec.payload.str("message").filter(|t| !t.trim().is_empty());
                let text = text.map(std::borrow::Cow::into_owned);
                let kind = ItemKind::ContextCompaction { summary: text.clone(), trigger: None };
                let item = at.item(format!("compacted-{}", rec.at.line), kind);
                self.summaries.push(Summary { seq, serial, text, item });
            }
            _ => {}
        }
    }

    fn response(&mut self, at: &Place<'_, '_>) {
        let payload = at.rec.payload;
        match &*at.rec.tag {
            "function_call" => {
                let Some(p) = r::ResponseFunctionCall::view(payload) else { return };
                let (id, turn) = (own(p.call_id), p.internal_chat_message_metadata_passthrough);
                let kind = calls::function(&p, self.cwd.as_deref());
                self.call(at, id, turn, kind);
            }
            "custom_tool_call" => {
                let Some(p) = r::ResponseCustomToolCall::view(payload) else { return };
                let (id, turn) = (own(p.call_id), p.internal_chat_message_metadata_passthrough);
                self.call(at, id, turn, calls::custom(&p, self.cwd.as_deref()));
            }
            "local_shell_call" => {
                let Some(p) = r::ResponseLocalShellCall::view(payload) else { return };
                let (id, turn) =
                    (own(p.call_id.or(p.id)), p.internal_chat_message_metadata_passthrough);
                self.call(at, id, turn, calls::local_shell(&p, self.cwd.as_deref()));
            }
            "tool_search_call" => {
                let Some(p) = r::ResponseToolSearchCall::view(payload) else { return };
                let (id, turn) = (own(p.call_id), p.internal_chat_message_metadata_passthrough);
                self.call(at, id, turn, calls::tool_search(&p));
            }
            "web_search_call" => {
                let Some(p) = r::ResponseWebSearchCall::view(payload) else { return };
                let turn = p.internal_chat_message_metadata_passthrough;
                self.call(at, own(p.id), turn, calls::web_search(&p));
            }
            "image_generation_call" => {
                let turn = payload.get("internal_chat_message_metadata_passthrough");
                let id = payload.str("id").map(std::borrow::Cow::into_owned);
                self.call(at, id, turn, super::items::image(payload));
            }
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.answer(at);
            }
            "message" => {
                // Canonical items hold what a person ran in the shell; legacy events do not.
                let ran =
                    if self.paginated { None } else { message::ran(payload, self.cwd.as_deref()) };
                let lost = || if at.rec.near_damage { message::lost(payload) } else { None };
                if let Some((id, turn, kind)) = ran.or_else(lost) {
                    self.add(at, id, turn, kind, true);
                }
            }
            _ => {}
        }
    }

    fn call(
        &mut self,
        at: &Place<'_, '_>,
        id: Option<String>,
        turn: Option<Json<'_>>,
        kind: ItemKind,
    ) {
        let has_id = id.is_some();
        let n = self.add(at, id, turn, kind, !has_id);
        if has_id {
            // Ids of calls are unique; if one comes again, its output belongs to the later call.
            self.calls.insert(self.found[n].item.id.clone(), n);
        }
    }

    fn add(
        &mut self,
        at: &Place<'_, '_>,
        id: Option<String>,
        turn: Option<Json<'_>>,
        kind: ItemKind,
        by_content: bool,
    ) -> usize {
        let id =
            id.filter(|id| !id.is_empty()).unwrap_or_else(|| format!("record-{}", at.rec.at.line));
        let turn_id = turn.and_then(|t| t.str("turn_id")).map(std::borrow::Cow::into_owned);
        let item = at.item(id, kind);
        self.found.push(Found {
            seq: at.seq,
            serial: at.serial,
            turn_id,
            item,
            by_content,
            part_of: None,
        });
        self.found.len() - 1
    }

    fn answer(&mut self, at: &Place<'_, '_>) {
        let payload = at.rec.payload;
        let Some(id) = payload.str("call_id") else { return };
        let Some(&n) = self.calls.get(&*id) else { return };
        let output = payload.get("output").or_else(|| payload.get("tools")).unwrap_or(Json::NULL);
        self.found[n].item.also_at.push(at.rec.place(at.source));
        let told = output::Told::of(output);
        calls::answer(&mut self.found[n].item.kind, output, &told);
        self.follow_session(n, &told);
    }

    /// A command that runs on is continued by `write_stdin`: what comes then belongs to it.
    fn follow_session(&mut self, n: usize, told: &output::Told) {
        let ItemKind::CommandExecution { source, process_id, .. } = &mut self.found[n].item.kind
        else {
            return;
        };
        if source != calls::INTERACTION {
            if let Some(session) = &told.session {
                *process_id = Some(session.clone());
                self.sessions.insert(session.clone(), n);
            }
            return;
        }
        let Some(&first) = process_id.as_ref().and_then(|id| self.sessions.get(id)) else { return };
        self.found[n].part_of = Some(first);
        let place = self.found[n].item.at.clone();
        let item = &mut self.found[first].item;
        item.also_at.push(place);
        if let ItemKind::CommandExecution { aggregated_output, exit_code, status, .. } =
            &mut item.kind
        {
            let so_far = aggregated_output.get_or_insert_default();
            so_far.push_str(&told.text);
            *exit_code = told.exit_code;
            *status = told.status();
        }
    }

    /// Old extended files hold the end of each command as an event, with more than the model was told.
    fn ended(&mut self, at: &Place<'_, '_>) {
        let Some((turn, id, kind)) = super::legacy::ended_command(at.rec.payload) else { return };
        if let Some(&n) = self.calls.get(&id) {
            self.found[n].item.kind = kind;
            self.found[n].item.also_at.push(at.rec.place(at.source));
            self.found[n].turn_id = turn.or(self.found[n].turn_id.take());
        } else {
            let n = self.add(at, Some(id.clone()), None, kind, false);
            self.found[n].turn_id = turn;
            self.calls.insert(id, n);
        }
    }

    /// The same for images that were looked at.
    fn viewed(&mut self, at: &Place<'_, '_>) {
        let (Some(id), Some(path)) = (at.rec.payload.str("call_id"), at.rec.payload.str("path"))
        else {
            return;
        };
        if !self.calls.contains_key(&*id) {
            let kind = ItemKind::ImageView { path: super::render::path(&path) };
            let n = self.add(at, Some(id.clone().into_owned()), None, kind, false);
            self.calls.insert(id.into_owned(), n);
        }
    }

    /// Adds what the turns lack.
    pub(super) fn finish(self, turns: &mut [Pending]) {
        if turns.is_empty() {
            return;
        }
        let shown: HashSet<String> =
            turns.iter().flat_map(|t| &t.turn.items).map(|i| i.id.clone()).collect();
        let by_id: HashMap<String, usize> =
            turns.iter().enumerate().rev().map(|(n, t)| (t.turn.id.clone(), n)).collect();
        let by_serial: HashMap<usize, usize> =
            turns.iter().enumerate().map(|(n, t)| (t.serial, n)).collect();
        // What stands before the first turn belongs to it; what a rollback took away belongs nowhere.
        let place = |serial: Option<usize>| serial.map_or(Some(0), |s| by_serial.get(&s).copied());
        let told: Vec<bool> = self.found.iter().map(|f| shown.contains(&f.item.id)).collect();
        for (n, found) in self.found.into_iter().enumerate() {
            // Input for a command is told by the command's own item, which holds all of the output.
            if told[n] || found.part_of.is_some() {
                continue;
            }
            let named = found.turn_id.as_ref().and_then(|id| by_id.get(id)).copied();
            let Some(turn) = named.or_else(|| place(found.serial)).and_then(|n| turns.get_mut(n))
            else {
                continue;
            };
            if is_told(&turn.turn.items, &found) {
                continue;
            }
            let mut item = found.item;
            item.recovered = true;
            calls::settle(&mut item.kind, turn.turn.status != TurnStatus::InProgress);
            turn.insert_in_order(found.seq, item);
        }
        for summary in self.summaries {
            if let Some(turn) = place(summary.serial).and_then(|n| turns.get_mut(n)) {
                add_summary(turn, summary);
            }
        }
    }
}

/// Whether an item says the same as one that has no id of its own.
fn is_told(items: &[Item], found: &Found) -> bool {
    let hidden = |item: &Item| match (&item.kind, &found.item.kind) {
        // Output that a person asked for by `write_stdin` in a command that is displayed.
        (
            ItemKind::CommandExecution { process_id: Some(shown), .. },
            ItemKind::CommandExecution { process_id: Some(id), source, .. },
        ) => source == calls::INTERACTION && shown == id,
        _ => false,
    };
    if items.iter().any(hidden) {
        return true;
    }
    let said = |kind: &ItemKind| match kind {
        ItemKind::WebSearch { query: text, .. }
        | ItemKind::AgentMessage { text, .. }
        | ItemKind::ExitedReviewMode { review: text }
        | ItemKind::ImageGeneration { result: Some(text), .. } => Some(text.clone()),
        ItemKind::UserMessage { content, .. } => Some(message::text(content)),
        _ => None,
    };
    found.by_content && {
        let text = said(&found.item.kind);
        text.is_some() && items.iter().any(|item| said(&item.kind) == text)
    }
}

/// Gives a marker its summary, or adds one where the display has none.
fn add_summary(turn: &mut Pending, found: Summary) {
    let marker = turn.turn.items.iter_mut().find_map(|item| match &mut item.kind {
        ItemKind::ContextCompaction { summary, .. } if summary.is_none() => {
            Some((summary, &mut item.also_at))
        }
        _ => None,
    });
    if let Some((summary, also_at)) = marker {
        *summary = found.text.or_else(|| Some(String::new()));
        also_at.push(found.item.at);
    } else {
        let mut item = found.item;
        item.recovered = true;
        turn.insert_in_order(found.seq, item);
    }
}

/// Takes away the marks that [`add_summary`] sets where there is no readable summary.
pub(super) fn tidy(turns: &mut [Pending]) {
    for item in turns.iter_mut().flat_map(|t| &mut t.turn.items) {
        if let ItemKind::ContextCompaction { summary, .. } = &mut item.kind {
            *summary = summary.take().filter(|s| !s.is_empty());
        }
    }
}

/// Where something was found.
struct Place<'p, 'a> {
    seq: usize,
    rec: &'p Rec<'a>,
    serial: Option<usize>,
    source: &'p Arc<str>,
}

impl Place<'_, '_> {
    fn item(&self, id: String, kind: ItemKind) -> Item {
        let mut item = Item::new(id, kind, self.rec.place(self.source));
        item.timestamp = self.rec.time();
        item
    }
}

/// The parts of an output as content items.
fn parts(output: Json<'_>) -> Vec<ContentItem> {
    if let Some(text) = output.as_str() {
        return vec![ContentItem::InputText { text: text.into_owned() }];
    }
    output.elements().filter_map(super::items::content_item).collect()
}
