//! The model view of 1.x: what the next request would send.

use recount_formats::Json;
use recount_formats::opencode::Kind;

use super::super::object::Object;
use super::super::rows::{Row, Rows};
use super::{Message as Stored, branch, is_abort, is_summary, part};
use crate::json::RawJson;
use crate::model::{Block, Message, ModelView, Role};

/// What stands for the output of an old tool call that was cleared to save room.
const CLEARED: &str = "[Old tool result content cleared]";
/// What answers a call that never ended.
const BROKEN_OFF: &str = "[Tool execution was interrupted]";

/// The model view at the end of a branch.
pub(in super::super) fn model_view(rows: &Rows<'_>, leaf: Option<&str>) -> ModelView {
    let messages = branch(&rows.old, leaf);
    let mut view = ModelView::default();
    let summaries: Vec<usize> =
        (0..messages.len()).filter(|n| is_done_summary(&messages[*n].0)).collect();
    view.compactions = summaries.len() as u64;
    // The newest wish to compact that has a summary is where history begins: the wish, the summary, the messages
    // that it keeps, and then what follows.
    let start = summaries.last().and_then(|&n| {
        let asked = messages[n].0.text_of("parentID")?;
        let wish = messages[..n].iter().rposition(|(row, _)| row.id() == asked)?;
        part(&messages[wish].1, Kind::LegacyPartCompaction)?;
        Some((wish, n))
    });
    let mut send: Vec<&Stored<'_>> = Vec::new();
    match start {
        None => send.extend(messages),
        Some((wish, summary)) => {
            let tail = part(&messages[wish].1, Kind::LegacyPartCompaction)
                .and_then(|p| p.text_of("tail_start_id"))
                .and_then(|id| messages[..wish].iter().position(|(row, _)| row.id() == id));
            view.dropped_turns = messages[..tail.unwrap_or(wish)]
                .iter()
                .filter(|(row, _)| row.kind == Kind::LegacyMessage1XRowUser)
                .count() as u64;
            send.extend(&messages[wish..=summary]);
            send.extend(&messages[tail.unwrap_or(wish)..wish]);
            send.extend(&messages[summary + 1..]);
        }
    }
    for (row, parts) in send {
        match row.kind {
            Kind::LegacyMessage1XRowUser => user(parts, &mut view.messages),
            Kind::LegacyMessage1XRowAssistant => assistant(row, parts, &mut view.messages),
            _ => {}
        }
    }
    view
}

/// A summary that was finished without an error.
fn is_done_summary(row: &Row<'_>) -> bool {
    let filled = |key: &str| row.get(key).is_some_and(|v| !v.is_null());
    is_summary(row) && filled("finish") && !filled("error")
}

fn user(parts: &[Row<'_>], out: &mut Vec<Message>) {
    let mut content = Vec::new();
    for part in parts {
        match part.kind {
            Kind::LegacyPartText if part.get("ignored").and_then(Json::as_bool) != Some(true) => {
                content.extend(part.text_of("text").map(Block::text));
            }
            Kind::LegacyPartFile => content.extend(file(part.content)),
            Kind::LegacyPartCompaction => content.push(Block::text("What did we do so far?")),
            Kind::LegacyPartSubtask => {
                content.push(Block::text("The following tool was executed by the user"));
            }
            _ => {}
        }
    }
    if !content.is_empty() {
        out.push(Message { role: Role::User, content });
    }
}

/// An attached file. Text and folders are sent by the synthetic texts beside them.
fn file(file: Json<'_>) -> Option<Block> {
    let mime = file.str("mime").unwrap_or_default();
    let value = RawJson::new(file);
    match &*mime {
        "text/plain" | "application/x-directory" => None,
        mime if mime.starts_with("image/") => Some(Block::Image { value }),
        mime if mime.starts_with("audio/") => Some(Block::Audio { value }),
        _ => Some(Block::Document { value }),
    }
}

/// A step and its results. One that failed is left out, and so is one that was broken off before it said anything.
fn assistant(row: &Row<'_>, parts: &[Row<'_>], out: &mut Vec<Message>) {
    if let Some(error) = row.get("error").filter(|e| e.is_object()) {
        let said =
            |p: &Row<'_>| !matches!(p.kind, Kind::LegacyPartStepStart | Kind::LegacyPartReasoning);
        if !is_abort(error) || !parts.iter().any(said) {
            return;
        }
    }
    let (mut content, mut results) = (Vec::new(), Vec::new());
    for part in parts {
        match part.kind {
            Kind::LegacyPartText => {
                content.extend(part.text_of("text").filter(|t| !t.is_empty()).map(Block::text));
            }
            Kind::LegacyPartReasoning => {
                let text = part.text_of("text").filter(|t| !t.is_empty());
                content.extend(text.map(|text| Block::Reasoning { text }));
            }
            Kind::LegacyPartTool => {
                let state = part.data.in_member("state");
                let id = part.text_of("callID").unwrap_or_default();
                content.push(Block::ToolCall {
                    id: id.clone(),
                    name: part.text_of("tool").unwrap_or_default(),
                    arguments: state.get("input").map_or_else(RawJson::null, RawJson::new),
                });
                let result = Message { role: Role::Tool, content: vec![result(id, &state)] };
                results.push(result);
            }
            _ => {}
        }
    }
    if !content.is_empty() {
        out.push(Message { role: Role::Assistant, content });
    }
    out.append(&mut results);
}

fn result(id: String, state: &Object<'_>) -> Block {
    let text = |key: &str| state.str(key).unwrap_or_default();
    let broken = |text: &str| (RawJson::string(text), true);
    let (content, is_error) = match state.str("status").as_deref() {
        Some("completed") if state.at(&["time", "compacted"]).is_some_and(|t| !t.is_null()) => {
            (RawJson::string(CLEARED), false)
        }
        Some("completed") => {
            match state.get("attachments").filter(|a| a.elements().next().is_some()) {
                None => (RawJson::string(&text("output")), false),
                Some(files) => {
                    let output = RawJson::string(&text("output"));
                    let parts = format!(r#"[{{"type":"text","text":{}}}"#, output.as_str());
                    let files: String = files.elements().flat_map(|f| [",", f.raw()]).collect();
                    let value = RawJson::parse(&format!("{parts}{files}]"));
                    (value.unwrap_or(output), false)
                }
            }
        }
        Some("error") => {
            // What was printed before it was broken off is sent as if it had ended.
            let interrupted = state.at(&["metadata", "interrupted"]).and_then(Json::as_bool);
            let output = state.at(&["metadata", "output"]).and_then(Json::as_str);
            match output.filter(|_| interrupted == Some(true)) {
                Some(output) => (RawJson::string(&output), false),
                None => broken(&text("error")),
            }
        }
        _ => broken(BROKEN_OFF),
    };
    Block::ToolResult { id, content, is_error }
}
