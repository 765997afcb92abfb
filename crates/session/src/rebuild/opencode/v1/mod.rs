//! 1.x: messages with parts.

mod context;
mod turns;

pub(super) use context::model_view;
pub(super) use turns::thread;

use recount_formats::Json;
use recount_formats::opencode::Kind;

use super::rows::Row;

/// A message with its parts.
pub(super) type Message<'a> = (Row<'a>, Vec<Row<'a>>);

/// The first part of a kind.
pub(super) fn part<'r, 'a>(parts: &'r [Row<'a>], kind: Kind) -> Option<&'r Row<'a>> {
    parts.iter().find(|part| part.kind == kind)
}

/// Whether a text part was put in by the program.
pub(super) fn is_synthetic(part: &Row<'_>) -> bool {
    part.get("synthetic").and_then(Json::as_bool) == Some(true)
}

/// Whether a message is the summary of a compaction.
pub(super) fn is_summary(row: &Row<'_>) -> bool {
    row.get("summary").and_then(Json::as_bool) == Some(true)
}

/// The message of an error, `{name, data: {message}}`.
pub(super) fn error_message(error: Json<'_>) -> String {
    error
        .at(&["data", "message"])
        .and_then(Json::as_str)
        .filter(|m| !m.is_empty())
        .or_else(|| error.str("message"))
        .or_else(|| error.str("name"))
        .unwrap_or_else(|| error.raw().into())
        .into_owned()
}

/// Whether an error says that somebody broke the answer off.
pub(super) fn is_abort(error: Json<'_>) -> bool {
    error.str("name").as_deref() == Some("MessageAbortedError")
}

/// The messages of a branch: up to and with its leaf. Only a staged revert makes two branches.
pub(super) fn branch<'r, 'a>(messages: &'r [Message<'a>], leaf: Option<&str>) -> &'r [Message<'a>] {
    let end = leaf.and_then(|leaf| messages.iter().position(|(row, _)| row.id() == leaf));
    end.map_or(messages, |n| &messages[..=n])
}
