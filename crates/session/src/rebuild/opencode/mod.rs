//! opencode sessions to threads.
//!
//! The input is the rows of one session (`formats::opencode::row`), its companions are named in [`files`].
//!
//! - [`rows`]: the rows, sorted
//! - [`build`], [`tool`], [`change`], [`usage`]: what both generations share
//! - [`v2`]: rows of `session_message`
//! - [`v1`]: messages and parts

mod base64;
mod build;
mod change;
mod files;
mod object;
mod rows;
mod time;
mod tool;
mod usage;
mod v1;
mod v2;

use recount_formats::{Code, Harness, Json};

use super::{Input, window};
use crate::model::item::UserInput;
use crate::model::thread::ThreadStatus;
use crate::model::{ItemKind, ModelView, Thread, TurnStatus};
use rows::{Row, Rows};

/// The display view.
pub fn thread(input: Input<'_>, leaf: Option<&str>) -> Thread {
    let mut rows = Rows::read(input.bytes, input.source);
    let session = rows.session.clone();
    let id = session.as_ref().map(Row::id).or_else(|| input.facts.id.clone());
    let mut thread = Thread::new(Harness::Opencode, id.unwrap_or_default());
    thread.findings.clone_from(&input.facts.findings);
    thread.title.clone_from(&input.facts.title);
    thread.lineage.parent_id.clone_from(&input.facts.parent_id);
    let mut source_is_here = false;
    if let Some(session) = &session {
        thread.title = session.text("title").or_else(|| thread.title.take());
        thread.cwd = session.text("directory");
        thread.model = session.columns.at(&["model", "id"]).and_then(Json::as_str).map(Into::into);
        thread.created_at = session.number("time_created").and_then(time::rfc3339);
        thread.updated_at = session.number("time_updated").and_then(time::rfc3339);
        thread.lineage.parent_id =
            session.text("parent_id").or_else(|| thread.lineage.parent_id.take());
        thread.lineage.forked_from_id = session.text("fork_session_id");
        if let Some(fork) = &thread.lineage.forked_from_id {
            source_is_here = input.companions.read(&format!("session/{fork}")).is_some();
        }
    } else if !rows.messages.is_empty() || !rows.old.is_empty() {
        rows.find(
            input.source,
            Code::LostToHarness,
            "the session's own row is gone: opencode does not show what it said",
        );
    }
    if rows.messages.is_empty() {
        v1::thread(input, &mut rows, leaf, &mut thread);
    } else {
        v2::thread(input, &mut rows, leaf, &mut thread);
    }
    thread.bill(usage::of(&input, &thread.id, source_is_here));
    thread.window = window::last(&thread, |tokens| tokens.total);
    finish(&rows, &mut thread);
    thread.findings.append(&mut rows.findings);
    thread
}

/// What follows from the turns.
fn finish(rows: &Rows<'_>, thread: &mut Thread) {
    thread.status = match thread.turns.last().map(|turn| turn.status) {
        None => ThreadStatus::Empty,
        Some(TurnStatus::InProgress) => ThreadStatus::Open,
        Some(_) => ThreadStatus::Idle,
    };
    let preview = thread.items().find_map(|item| match &item.kind {
        ItemKind::UserMessage { content, .. } => Some(
            content
                .iter()
                .filter_map(|part| match part {
                    UserInput::Text { text, .. } => Some(text.as_str()),
                    _ => None,
                })
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        _ => None,
    });
    thread.preview = preview;
    // Rows without their session still tell when they were written.
    let times = || {
        rows.messages
            .iter()
            .chain(rows.old.iter().map(|(row, _)| row))
            .filter_map(|row| row.number("time_created"))
    };
    if thread.created_at.is_none() {
        thread.created_at = times().min().and_then(time::rfc3339);
    }
    if thread.updated_at.is_none() {
        thread.updated_at = times().max().and_then(time::rfc3339);
    }
}

/// The model view.
pub fn model_view(input: Input<'_>, leaf: Option<&str>) -> ModelView {
    let rows = Rows::read(input.bytes, input.source);
    if rows.messages.is_empty() { v1::model_view(&rows, leaf) } else { v2::model_view(&rows, leaf) }
}

#[cfg(test)]
mod tests;
