//! Answers as JSON and as events.
//!
//! - [`sessions`]: all sessions
//! - [`session`]: one session: what it is, its turns and branches
//! - [`items`]: its items, a part at a time
//! - [`within`]: words within it
//! - [`timeline`]: it on a time axis
//! - [`events`]: what changes
//! - [`search`]: words of all sessions
//! - [`usage`]: tokens and cost
//! - [`files`]: who touched a file
//! - [`formats`]: the formats themselves
//! - [`findings`]: what is damaged or unknown

use axum::http::header;
use axum::response::{IntoResponse, Response};
use recount_session::model::ItemKind;
use serde::Serialize;

use super::refusal::Refusal;

pub mod events;
pub mod files;
pub mod findings;
pub mod formats;
pub mod items;
pub mod search;
pub mod session;
pub mod sessions;
pub mod timeline;
pub mod usage;
pub mod within;

/// The shape of the whole API; `cargo xtask generate` writes it.
const DOCUMENT: &str = include_str!("../../../../../docs/openapi.json");

/// `/api/openapi.json`
pub(super) async fn openapi() -> Response {
    sent(DOCUMENT.into())
}

/// A value as JSON.
fn json(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(value).map_err(|e| Refusal::internal(e.to_string()))
}

/// An answer of JSON.
fn sent(json: Vec<u8>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// Text in pieces, some of which are what was looked for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// The piece.
    pub text: String,
    /// Whether it is what was looked for.
    pub mark: bool,
}

/// Cuts a text at the places of matches. They follow each other.
fn pieces(text: &str, marks: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut put = |part: Option<&str>, mark| {
        if let Some(text) = part.filter(|part| !part.is_empty()) {
            pieces.push(Piece { text: text.to_owned(), mark });
        }
    };
    for range in marks {
        if range.start < at || text.get(range.clone()).is_none() {
            continue;
        }
        put(text.get(at..range.start), false);
        put(text.get(range.clone()), true);
        at = range.end;
    }
    put(text.get(at..), false);
    pieces
}

/// The row of a timeline that an item stands in.
const fn lane(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::UserMessage { .. }
        | ItemKind::AgentMessage { .. }
        | ItemKind::Plan { .. }
        | ItemKind::EnteredReviewMode { .. }
        | ItemKind::ExitedReviewMode { .. } => "message",
        ItemKind::Reasoning { .. } => "reasoning",
        ItemKind::CommandExecution { .. } => "command",
        ItemKind::FileChange { .. } => "file",
        ItemKind::FunctionCallOutput { .. }
        | ItemKind::McpToolCall { .. }
        | ItemKind::DynamicToolCall { .. }
        | ItemKind::ImageView { .. }
        | ItemKind::Sleep { .. }
        | ItemKind::ImageGeneration { .. } => "tool",
        ItemKind::CollabAgentToolCall { .. } | ItemKind::SubAgentActivity { .. } => "subagent",
        ItemKind::WebSearch { .. } => "web",
        ItemKind::ContextCompaction { .. } => "compaction",
        ItemKind::HookPrompt { .. } | ItemKind::Notice { .. } => "notice",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_text_whatever_the_marks() {
        let of = |text: &str, marks: &[std::ops::Range<usize>]| {
            let pieces = pieces(text, marks.iter().cloned());
            pieces.into_iter().map(|p| (p.text, p.mark)).collect::<Vec<_>>()
        };
        let own = |text: &str, mark| (text.to_owned(), mark);
        assert_eq!(
            of("one two", std::slice::from_ref(&(4..7))),
            [own("one ", false), own("two", true)]
        );
        assert_eq!(of("ab", &[0..1, 1..2]), [own("a", true), own("b", true)]);
        // A mark that cuts a letter, goes too far or comes twice is none.
        assert_eq!(of("äb", &[1..2, 2..9]), [own("äb", false)]);
        assert_eq!(of("abc", &[0..2, 1..3]), [own("ab", true), own("c", false)]);
    }
}
