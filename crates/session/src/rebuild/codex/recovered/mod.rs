//! What Codex's own display lost and the file still holds.
//!
//! Legacy events know no shell commands, images that were looked at, dynamic tools or agents, and neither
//! history mode shows a command that was declined or a patch that did not apply. The calls and their
//! outputs stand among the response items, though, because the model needs them. Each call that no
//! displayed item stands for becomes an item marked `recovered`, at its place in the turn.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::codex::record as r;
use recount_formats::view::View;
use recount_formats::{Json, Text};

use super::items::own;
use super::record::{Rec, Top};
use super::turns::Pending;
use crate::model::item::{ContentItem, NoticeLevel};
use crate::model::{At, Item, ItemKind};

mod calls;
pub(super) mod message;
mod output;
mod patch;

pub(super) use output::Told;

/// Calls and other things that may turn out to be missing in the display. They stay as they are stored until
/// it is known which ones are: most are displayed.
#[derive(Debug, Default)]
pub(super) struct Recovered<'a> {
    /// Whether the display consists of canonical items, which lack less.
    paginated: bool,
    found: Vec<Found<'a>>,
    /// Where the newest call of each id stands in `found`.
    calls: HashMap<Cow<'a, str>, usize>,
    /// The working directories of the turns, the current one last.
    folders: Vec<String>,
    summaries: Vec<Found<'a>>,
}

/// A record that something displayed may stand for, or not.
#[derive(Debug)]
struct Found<'a> {
    seq: usize,
    /// The turn that was open.
    serial: Option<usize>,
    /// `payload.type`, or what else tells how to read it.
    tag: Cow<'a, str>,
    /// The id of the call or message.
    id: Option<Cow<'a, str>>,
    payload: Json<'a>,
    /// Its output, and an event that tells more of it.
    output: Option<(Json<'a>, At)>,
    event: Option<(Json<'a>, At)>,
    /// Which of the working directories holds.
    folder: usize,
    at: At,
    timestamp: Option<Text<'a>>,
}

impl<'a> Recovered<'a> {
    pub(super) fn new(paginated: bool) -> Self {
        Self { paginated, ..Self::default() }
    }

    /// Takes the next record. `serial` is the turn that it stands in.
    pub(super) fn record(
        &mut self,
        seq: usize,
        rec: &Rec<'a>,
        serial: Option<usize>,
        source: &Arc<str>,
    ) {
        let payload = rec.payload;
        let found = |id| Found {
            seq,
            serial,
            tag: rec.tag.clone(),
            id,
            payload,
            output: None,
            event: None,
            folder: self.folders.len(),
            at: rec.place(source),
            timestamp: rec.timestamp,
        };
        match rec.top {
            Top::TurnContext => {
                let folder = r::TurnContext::view(payload).and_then(|t| own(t.cwd));
                self.move_to(folder);
            }
            Top::SessionMeta if self.folders.is_empty() => {
                self.move_to(payload.str("cwd").map(Cow::into_owned));
            }
            Top::Compacted => self.summaries.push(found(None)),
            Top::ResponseItem => match &*rec.tag {
                "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                    let found = found(payload.str("call_id").or_else(|| payload.str("id")));
                    self.call(found);
                }
                "web_search_call" | "image_generation_call" => {
                    let found = found(payload.str("id"));
                    self.call(found);
                }
                "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                    self.answer(payload, &rec.place(source));
                }
                // Canonical items hold what a person ran in the shell; legacy events do not.
                "message" if !self.paginated && message::is_shell_command(payload) => {
                    let found = Found { tag: Cow::Borrowed(SHELL), ..found(payload.str("id")) };
                    self.found.push(found);
                }
                "message" if rec.near_damage => {
                    let found = found(payload.str("id"));
                    self.found.push(found);
                }
                _ => {}
            },
            Top::EventMsg => match &*rec.tag {
                "exec_command_end" | "view_image_tool_call" => {
                    let found = found(payload.str("call_id"));
                    self.event(found);
                }
                "error" => {
                    let found = found(None);
                    self.found.push(found);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn move_to(&mut self, folder: Option<String>) {
        self.folders.extend(folder.filter(|f| self.folders.last() != Some(f)));
    }

    fn call(&mut self, found: Found<'a>) {
        if let Some(id) = &found.id {
            // Ids of calls are unique; if one comes again, its output belongs to the later call.
            self.calls.insert(id.clone(), self.found.len());
        }
        self.found.push(found);
    }

    fn answer(&mut self, payload: Json<'a>, at: &At) {
        let (mut id, mut output) = (None, Json::NULL);
        for (key, value) in payload.members() {
            match key.inner() {
                "call_id" => id = value.as_str(),
                "output" | "tools" => output = value,
                _ => {}
            }
        }
        if let Some(&n) = id.and_then(|id| self.calls.get(&id)) {
            self.found[n].output = Some((output, at.clone()));
        }
    }

    /// Old extended files hold the end of each command as an event, with more than the model was told.
    fn event(&mut self, found: Found<'a>) {
        match found.id.as_ref().and_then(|id| self.calls.get(id)) {
            Some(&n) => self.found[n].event = Some((found.payload, found.at)),
            None => self.call(found),
        }
    }

    /// Adds what the turns lack.
    pub(super) fn finish(self, turns: &mut [Pending]) {
        if turns.is_empty() {
            return;
        }
        let shown: HashSet<String> =
            turns.iter().flat_map(|t| &t.turn.items).map(|i| i.id.clone()).collect();
        let places = Places::of(turns);
        // Which command runs in each shell session: its turn and its id.
        let mut sessions: HashMap<String, (usize, String)> = HashMap::new();
        for found in &self.found {
            if found.id.as_ref().is_some_and(|id| shown.contains(&**id)) {
                continue;
            }
            let folder = found.folder.checked_sub(1).and_then(|n| self.folders.get(n));
            let Some(mut item) = found.item(folder.map(String::as_str)) else { continue };
            let Some(n) = places.find(found) else { continue };
            if is_told(&turns[n].turn.items, &item, found.id.is_none() || found.tag == "message") {
                continue;
            }
            let told = found.output.as_ref().map(|(output, _)| Told::of(*output));
            if let Some((first, told)) = continued(&item, &sessions).zip(told.as_ref()) {
                go_on(turns, first, &found.at, told);
                continue;
            }
            if let (Some((output, at)), Some(told)) = (&found.output, told) {
                if let Some(session) = &told.session {
                    sessions.insert(session.clone(), (n, item.id.clone()));
                }
                calls::answer(&mut item.kind, *output, told);
                item.also_at.push(at.clone());
            }
            if let Some((event, at)) = &found.event {
                let ended = event.str("type").is_some_and(|t| t == "exec_command_end");
                if let Some((_, _, kind)) =
                    ended.then(|| super::legacy::ended_command(*event)).flatten()
                {
                    item.kind = kind;
                }
                item.also_at.push(at.clone());
            }
            item.recovered = true;
            turns[n].insert_in_order(found.seq, item);
        }
        for found in &self.summaries {
            if let Some(n) = places.find(found) {
                add_summary(&mut turns[n], found);
            }
        }
    }
}

/// How a message is marked that tells of a command of the person's.
const SHELL: &str = "user_shell_command";

impl Found<'_> {
    /// The item that it would be.
    fn item(&self, folder: Option<&str>) -> Option<Item> {
        let payload = self.payload;
        let kind = match &*self.tag {
            "function_call" => calls::function(&r::ResponseFunctionCall::view(payload)?, folder),
            "custom_tool_call" => calls::custom(&r::ResponseCustomToolCall::view(payload)?, folder),
            "local_shell_call" => {
                calls::local_shell(&r::ResponseLocalShellCall::view(payload)?, folder)
            }
            "tool_search_call" => calls::tool_search(&r::ResponseToolSearchCall::view(payload)?),
            "web_search_call" => calls::web_search(&r::ResponseWebSearchCall::view(payload)?),
            "image_generation_call" => super::items::image(payload),
            "exec_command_end" => super::legacy::ended_command(payload)?.2,
            "view_image_tool_call" => {
                ItemKind::ImageView { path: super::render::path(&payload.str("path")?) }
            }
            "error" => {
                let text = payload.str("message")?.into_owned();
                ItemKind::Notice { level: NoticeLevel::Error, text }
            }
            "message" => message::lost(payload)?,
            SHELL => message::ran(payload, folder)?,
            _ => return None,
        };
        Some(self.with(kind))
    }

    fn with(&self, kind: ItemKind) -> Item {
        let id = self.id.as_ref().filter(|id| !id.is_empty()).map(|id| id.clone().into_owned());
        let id = id.unwrap_or_else(|| match &self.at {
            At::Line { line, .. } => format!("record-{line}"),
            _ => format!("record-{}", self.seq),
        });
        let mut item = Item::new(id, kind, self.at.clone());
        item.timestamp = self.timestamp.map(|t| t.get().into_owned());
        item
    }
}

/// Where in the turns a record belongs.
struct Places {
    by_id: HashMap<String, usize>,
    by_serial: HashMap<usize, usize>,
}

impl Places {
    fn of(turns: &[Pending]) -> Self {
        Self {
            by_id: turns.iter().enumerate().rev().map(|(n, t)| (t.turn.id.clone(), n)).collect(),
            by_serial: turns.iter().enumerate().map(|(n, t)| (t.serial, n)).collect(),
        }
    }

    /// The turn that the record names, else the one that was open. What stands before the first turn
    /// belongs to it; what a rollback took away belongs nowhere.
    fn find(&self, found: &Found<'_>) -> Option<usize> {
        let event = found.event.as_ref().map(|(event, _)| *event);
        let named = event
            .and_then(|event| event.str("turn_id"))
            .or_else(|| found.payload.str("turn_id"))
            .or_else(|| {
                found.payload.get("internal_chat_message_metadata_passthrough")?.str("turn_id")
            });
        let named = named.and_then(|id| self.by_id.get(&*id).copied());
        named.or_else(|| match found.serial {
            Some(serial) => self.by_serial.get(&serial).copied(),
            None => Some(0),
        })
    }
}

/// The command that an input belongs to, when it was recovered too: its turn and its id.
fn continued<'s>(
    item: &Item,
    sessions: &'s HashMap<String, (usize, String)>,
) -> Option<&'s (usize, String)> {
    match &item.kind {
        ItemKind::CommandExecution { source, process_id: Some(id), .. }
            if source == calls::INTERACTION =>
        {
            sessions.get(id)
        }
        _ => None,
    }
}

/// A command that ran on is continued by `write_stdin`: what comes then belongs to it.
fn go_on(turns: &mut [Pending], (turn, id): &(usize, String), at: &At, told: &Told) {
    let items = turns.get_mut(*turn).into_iter().flat_map(|t| &mut t.turn.items);
    let Some(item) = items.into_iter().find(|i| i.id == *id) else { return };
    if let ItemKind::CommandExecution { aggregated_output, exit_code, status, .. } = &mut item.kind
    {
        aggregated_output.get_or_insert_default().push_str(&told.text);
        *exit_code = told.exit_code;
        *status = told.status();
        item.also_at.push(at.clone());
    }
}

/// Whether an item of the turn tells the same.
fn is_told(items: &[Item], found: &Item, by_content: bool) -> bool {
    let hidden = |item: &Item| match (&item.kind, &found.kind) {
        // Input for a command that is displayed: its own item holds all of the output.
        (
            ItemKind::CommandExecution { process_id: Some(shown), .. },
            ItemKind::CommandExecution { process_id: Some(id), source, .. },
        ) => !item.recovered && source == calls::INTERACTION && shown == id,
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
    by_content && {
        let text = said(&found.kind);
        text.is_some() && items.iter().any(|item| said(&item.kind) == text)
    }
}

/// Gives a marker its summary, or adds one where the display has none.
fn add_summary(turn: &mut Pending, found: &Found<'_>) {
    let text = found.payload.str("message").map(Cow::into_owned);
    let text = text.filter(|t| !t.trim().is_empty());
    let marker = turn.turn.items.iter_mut().find_map(|item| match &mut item.kind {
        ItemKind::ContextCompaction { summary, .. } if summary.is_none() => {
            Some((summary, &mut item.also_at))
        }
        _ => None,
    });
    if let Some((summary, also_at)) = marker {
        // An empty summary marks the marker as taken until all are.
        *summary = text.or_else(|| Some(String::new()));
        also_at.push(found.at.clone());
    } else {
        let mut item = found.with(ItemKind::ContextCompaction { summary: text, trigger: None });
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

/// The parts of an output as content items.
fn parts(output: Json<'_>) -> Vec<ContentItem> {
    if let Some(text) = output.as_str() {
        return vec![ContentItem::InputText { text: text.into_owned() }];
    }
    output.elements().filter_map(super::items::content_item).collect()
}
