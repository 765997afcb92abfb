//! What the rebuilds of both generations share: collecting items into turns.

use std::collections::HashSet;
use std::sync::Arc;

use recount_formats::Json;

use super::rows::Row;
use super::time;
use super::tool::{self, Call};
use crate::model::item::{NoticeLevel, UserInput};
use crate::model::{At, Item, ItemKind, Subagent, Turn, TurnError, TurnStatus};

/// The turns as far as they have come.
pub(super) struct Turns<'s> {
    pub(super) source: &'s Arc<str>,
    pub(super) done: Vec<Turn>,
    open: Option<(Turn, Option<i64>)>,
}

impl<'s> Turns<'s> {
    pub(super) fn new(source: &'s Arc<str>) -> Self {
        Self { source, done: Vec::new(), open: None }
    }

    /// The open turn; a row begins one when there is none. A turn has no id of its own, so it gets that of its
    /// first row.
    pub(super) fn open(&mut self, row: &Row<'_>) -> &mut Turn {
        let (turn, _) = self.open.get_or_insert_with(|| {
            let start = row.created();
            let mut turn = Turn::new(row.id());
            turn.started_at = start.map(time::seconds);
            (turn, start)
        });
        turn
    }

    /// Whether a turn is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The open turn, if there is one.
    pub(super) fn current(&mut self) -> Option<&mut Turn> {
        self.open.as_mut().map(|(turn, _)| turn)
    }

    /// Adds an item to the open turn.
    pub(super) fn push(
        &mut self,
        row: &Row<'_>,
        id: impl Into<String>,
        kind: ItemKind,
    ) -> &mut Item {
        let mut item = Item::new(id, kind, row.at(self.source));
        item.timestamp = row.created().and_then(time::rfc3339);
        let items = &mut self.open(row).items;
        let n = items.len();
        items.push(item);
        &mut items[n]
    }

    /// Adds a notice to the open turn.
    pub(super) fn notice(&mut self, row: &Row<'_>, level: NoticeLevel, text: impl Into<String>) {
        self.push(row, row.id(), ItemKind::Notice { level, text: text.into() });
    }

    /// Closes the open turn.
    pub(super) fn close(&mut self, status: TurnStatus, error: Option<TurnError>, end: Option<i64>) {
        if let Some((mut turn, start)) = self.open.take() {
            turn.status = status;
            turn.error = error;
            if status != TurnStatus::InProgress {
                turn.completed_at = end.map(time::seconds);
                turn.duration_ms = time::between(start, end);
            }
            self.done.push(turn);
        }
    }
}

/// The sessions that this one started, and the calls that started them.
pub(super) struct Children<'s> {
    known: &'s [Subagent],
    /// Those that calls led to.
    pub(super) found: Vec<Subagent>,
    taken: HashSet<String>,
}

impl<'s> Children<'s> {
    pub(super) fn new(known: &'s [Subagent]) -> Self {
        Self { known, found: Vec::new(), taken: HashSet::new() }
    }

    /// The session that a call started. An aborted call may not name it (corpus-reports:
    /// aborted-task-keeps-child): then it is the first unclaimed child whose title is that of the task. 1.x titles
    /// it `<task> (@<agent> subagent)`, 2.x with the task alone.
    pub(super) fn of(&mut self, call: &Call<'_>) -> Option<String> {
        let id = tool::child_of(call).or_else(|| {
            let task = call.input.str("description")?;
            let old =
                call.input.str("subagent_type").map(|agent| format!("{task} (@{agent} subagent)"));
            self.known
                .iter()
                .filter(|child| !self.taken.contains(&child.id))
                .find(|child| {
                    let title = child.name.as_deref();
                    title == Some(&*task) || (old.is_some() && title == old.as_deref())
                })
                .map(|child| child.id.clone())
        })?;
        self.claim(&id, &call.id, call.input.str("description").map(Into::into));
        Some(id)
    }

    fn claim(&mut self, id: &str, call: &str, name: Option<String>) {
        // A later call may go on with the same session; the first one started it.
        if self.taken.insert(id.to_owned()) {
            self.found.push(Subagent {
                id: id.to_owned(),
                tool_call_id: Some(call.to_owned()),
                name: name.or_else(|| {
                    self.known.iter().find(|c| c.id == id).and_then(|c| c.name.clone())
                }),
            });
        }
    }

    /// All of them: first those that calls led to, then those that only their rows know.
    pub(super) fn finish(mut self) -> Vec<Subagent> {
        for child in self.known {
            if self.taken.insert(child.id.clone()) {
                self.found.push(child.clone());
            }
        }
        self.found
    }
}

/// An error of 2.x, `{type, message, …}`, as that of a turn.
pub(super) fn turn_error(error: Json<'_>) -> TurnError {
    let details = error.at(&["response", "body"]).and_then(Json::as_str);
    TurnError {
        message: error
            .str("message")
            .or_else(|| error.str("type"))
            .unwrap_or_else(|| error.raw().into())
            .into_owned(),
        codex_error_info: None,
        additional_details: details.filter(|d| !d.is_empty()).map(Into::into),
    }
}

/// An attached file as a part of a prompt: pictures and sound are shown, anything else is mentioned.
pub(super) fn attachment(mime: &str, url: String, name: Option<String>) -> UserInput {
    if mime.starts_with("image/") && !url.starts_with("file:") {
        UserInput::Image { url: Some(url), file_id: None, detail: None }
    } else if mime.starts_with("audio/") && !url.starts_with("file:") {
        UserInput::Audio { url }
    } else {
        let path = url.strip_prefix("file://").map_or_else(|| url.clone(), Into::into);
        let path = if path.starts_with("data:") { String::new() } else { path };
        UserInput::Mention { name: name.unwrap_or_else(|| mime.into()), path }
    }
}

/// The places of rows that an item was made from besides its own.
pub(super) fn also(item: &mut Item, at: At) {
    item.also_at.push(at);
}
