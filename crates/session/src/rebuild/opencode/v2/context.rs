//! The model view of 2.x: what the next request would send.

use recount_formats::Json;
use recount_formats::opencode::Kind;

use super::super::base64;
use super::super::object::Object;
use super::super::rows::{Row, Rows};
use super::turns::content;
use super::{branch, metadata, recent};
use crate::json::RawJson;
use crate::model::{Block, Message, ModelView, Role};

/// The model view at the end of a branch.
pub(in super::super) fn model_view(rows: &Rows<'_>, leaf: Option<&str>) -> ModelView {
    let messages = branch(&rows.messages, leaf);
    let mut view = ModelView::default();
    instructions(&rows.instructions, &mut view.messages);
    // Rule `compaction`: the newest completed one is where history begins; others change nothing.
    let completed = |row: &Row<'_>| row.kind == Kind::SessionMessageCompactionCompleted;
    view.compactions = messages.iter().filter(|row| completed(row)).count() as u64;
    let start = messages.iter().rposition(completed);
    if let Some(n) = start {
        let kept = kept(messages, n);
        view.dropped_turns = messages[..kept.unwrap_or(n)]
            .iter()
            .filter(|row| row.kind == Kind::SessionMessageUser)
            .count() as u64;
        checkpoint(
            &messages[n],
            kept.map(|k| &messages[k..n]),
            current_model(rows),
            &mut view.messages,
        );
    }
    for row in &messages[start.map_or(0, |n| n + 1)..] {
        message(row, &mut view.messages);
    }
    view
}

/// Where the rows begin that a compaction keeps, when they are still there.
fn kept(rows: &[Row<'_>], compaction: usize) -> Option<usize> {
    let id = rows[compaction].data.at(&["metadata", "keepID"])?.as_str()?;
    rows[..compaction].iter().position(|row| row.id() == id)
}

/// The model that would be asked: that of the session, else that of the last step.
fn current_model<'a>(rows: &Rows<'a>) -> Option<Json<'a>> {
    let session =
        rows.session.as_ref().and_then(|s| s.columns.get("model")).filter(|m| m.is_object());
    session.or_else(|| {
        rows.messages
            .iter()
            .rev()
            .find(|row| row.kind == Kind::SessionMessageAssistant)
            .and_then(|row| row.data.get("model"))
    })
}

/// The instructions that hold from the start of the epoch: their texts stand in `instruction_blob` by hash.
/// Changes since then are system rows. What else is in the system prompt is not stored.
fn instructions(rows: &[Row<'_>], out: &mut Vec<Message>) {
    let table = |row: &&Row<'_>, name: &str| row.columns.str("table").as_deref() == Some(name);
    let mut content = Vec::new();
    for state in rows.iter().filter(|r| table(r, "instruction_state")) {
        for (_, hash) in state.columns.get("initial_values").into_iter().flat_map(Json::members) {
            let hash = hash.as_str();
            let blob = rows
                .iter()
                .filter(|r| table(r, "instruction_blob"))
                .find(|r| hash.is_some() && r.columns.str("hash") == hash);
            content.extend(blob.and_then(|b| b.columns.get("value")).map(readable));
        }
    }
    if !content.is_empty() {
        out.push(Message { role: Role::System, content });
    }
}

/// A value as text, when it is a string, else as it is.
fn readable(value: Json<'_>) -> Block {
    value.as_str().map_or_else(|| Block::Raw { value: value.into() }, Block::text)
}

/// The compaction itself: the summary, and the kept rows as text. A window of the provider's own is sent to the
/// model that made it, and stands beside the summary here.
fn checkpoint(
    row: &Row<'_>,
    kept: Option<&[Row<'_>]>,
    model: Option<Json<'_>>,
    out: &mut Vec<Message>,
) {
    let data = &row.data;
    let summary = data.str("summary").unwrap_or_default();
    let recent =
        recent(data).and_then(Json::as_str).map(String::from).or_else(|| kept.map(serialize));
    let mut text = format!("<conversation-checkpoint>\n<summary>\n{summary}\n</summary>");
    if let Some(recent) = recent.filter(|text| !text.is_empty()) {
        text.push_str("\n\n<recent-context>\n");
        text.push_str(&recent);
        text.push_str("\n</recent-context>");
    }
    text.push_str("\n</conversation-checkpoint>");
    let mut content = vec![Block::text(text)];
    let window = data.get_any(&["native", "providerContext"]).and_then(|n| n.get("messages"));
    if let Some(window) = window {
        let same = match (data.get("model"), model) {
            (Some(a), Some(b)) => {
                a.str("id") == b.str("id") && a.str("providerID") == b.str("providerID")
            }
            _ => true,
        };
        if same {
            content.push(Block::Compaction { value: window.into() });
        }
    }
    out.push(Message { role: Role::User, content });
}

/// Rows as the text of a checkpoint.
fn serialize(rows: &[Row<'_>]) -> String {
    let texts: Vec<String> = rows.iter().map(serialize_one).filter(|t| !t.is_empty()).collect();
    texts.join("\n\n")
}

fn serialize_one(row: &Row<'_>) -> String {
    let data = &row.data;
    let text = |key: &str| data.str(key).unwrap_or_default();
    match row.kind {
        Kind::SessionMessageUser => {
            let mut lines: Vec<String> = skills(data);
            lines.push(format!("[User]: {}", text("text")));
            lines.extend(data.list("files").map(|file| {
                let name = file
                    .str("name")
                    .or_else(|| file.at(&["source", "uri"])?.as_str())
                    .unwrap_or_default();
                format!("[Attached {}: {name}]", file.str("mime").unwrap_or_default())
            }));
            lines.join("\n")
        }
        Kind::SessionMessageAssistant => {
            let mut lines = Vec::new();
            for block in data.list("content") {
                let said = block.str("text").unwrap_or_default();
                match block.str("type").as_deref() {
                    Some("text") => lines.push(format!("[Assistant]: {said}")),
                    Some("reasoning") if !said.is_empty() => {
                        lines.push(format!("[Assistant reasoning]: {said}"));
                    }
                    Some("tool") => lines.extend(serialize_tool(block)),
                    _ => {}
                }
            }
            lines.join("\n")
        }
        Kind::SessionMessageSynthetic => format!("[Synthetic context]: {}", text("text")),
        Kind::SessionMessageSkill => {
            format!("[Skill activated: {}]\n{}", text("name"), text("text"))
        }
        Kind::SessionMessageShell if !in_background(data) => {
            let output = data.at(&["output", "output"]).and_then(Json::as_str).unwrap_or_default();
            format!("[Shell]: {}\n{}", text("command"), cut(&output))
        }
        _ => String::new(),
    }
}

fn serialize_tool(block: Json<'_>) -> Vec<String> {
    let state = block.get("state").map(Object::of).unwrap_or_default();
    let input = state.get("input").unwrap_or(Json::NULL);
    let input = input.as_str().unwrap_or_else(|| input.raw().into());
    let mut lines =
        vec![format!("[Assistant tool call]: {}({input})", block.str("name").unwrap_or_default())];
    match state.str("status").as_deref() {
        Some("completed") => {
            let (texts, _) = content(&state);
            lines.push(format!("[Tool result]: {}", cut(&texts.join("\n"))));
        }
        Some("error") => {
            let error = state.at(&["error", "message"]).and_then(Json::as_str).unwrap_or_default();
            lines.push(format!("[Tool error]: {error}"));
        }
        _ => {}
    }
    lines
}

/// Results are cut at 2,000 characters in a checkpoint.
fn cut(text: &str) -> String {
    match text.char_indices().nth(2000) {
        Some((end, _)) => format!("{}\n[truncated]", &text[..end]),
        None => text.into(),
    }
}

fn in_background(data: &Object<'_>) -> bool {
    data.at(&["metadata", "background"]).and_then(Json::as_bool) == Some(true)
}

fn skills(data: &Object<'_>) -> Vec<String> {
    data.list("skills")
        .filter_map(|skill| {
            let name = skill.str("name").unwrap_or_default();
            Some(format!("[Skill activated: {name}]\n{}", skill.str("text")?))
        })
        .collect()
}

/// A row as the messages that it sends.
fn message(row: &Row<'_>, out: &mut Vec<Message>) {
    let data = &row.data;
    let text = |key: &str| data.str(key).unwrap_or_default();
    let mut push = |role, content: Vec<Block>| {
        if !content.is_empty() {
            out.push(Message { role, content });
        }
    };
    match row.kind {
        Kind::SessionMessageUser => {
            let mut content: Vec<_> = skills(data).into_iter().map(Block::text).collect();
            if !text("text").is_empty() {
                content.push(Block::text(text("text")));
            }
            content.extend(data.list("files").filter_map(file));
            push(Role::User, content);
        }
        Kind::SessionMessageSynthetic | Kind::SessionMessageSkill => {
            push(Role::User, vec![Block::text(text("text"))]);
        }
        Kind::SessionMessageSystem => push(Role::System, vec![Block::text(text("text"))]),
        Kind::SessionMessageShell if !in_background(data) => {
            let output = data.at(&["output", "output"]).and_then(Json::as_str).unwrap_or_default();
            let said = format!("Shell command: {}\n\n{output}", text("command"));
            push(Role::User, vec![Block::text(said)]);
        }
        Kind::SessionMessageLocationSwitched => {
            if let Some(location) = data.get("location") {
                push(Role::User, vec![Block::Raw { value: location.into() }]);
            }
        }
        Kind::SessionMessageAssistant => assistant(data, out),
        _ => {}
    }
}

/// An attached file: text is sent as text, pictures as pictures.
fn file(file: Json<'_>) -> Option<Block> {
    let mime = file.str("mime")?;
    Some(match &*mime {
        "text/plain" | "application/x-directory" => {
            let what = if mime == "text/plain" { "file" } else { "directory" };
            let name = file
                .str("name")
                .or_else(|| file.at(&["source", "uri"])?.as_str())
                .unwrap_or_default();
            let mut text = format!("Attached {what}: {name}");
            if let Some(description) = file.str("description") {
                text.push_str("\nDescription: ");
                text.push_str(&description);
            }
            let bytes = base64::decode(&file.str("data").unwrap_or_default());
            if !bytes.is_empty() {
                text.push_str("\n\n");
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
            Block::text(text)
        }
        mime if mime.starts_with("image/") => Block::Image { value: file.into() },
        mime if mime.starts_with("audio/") => Block::Audio { value: file.into() },
        _ => Block::Document { value: file.into() },
    })
}

/// A step: what the model said and called, then a message for each result. A result of the provider's own tool
/// stands where the call does. A call that has no result yet is sent without one.
fn assistant(data: &Object<'_>, out: &mut Vec<Message>) {
    let (mut content, mut results) = (Vec::new(), Vec::new());
    for block in data.list("content") {
        let said = block.str("text").unwrap_or_default();
        match block.str("type").as_deref() {
            Some("text") if !said.is_empty() => content.push(Block::text(said)),
            Some("reasoning") if !said.is_empty() => {
                content.push(Block::Reasoning { text: said.into() });
            }
            Some("text" | "reasoning") => {}
            Some("tool") => {
                let state = block.get("state").map(Object::of).unwrap_or_default();
                let id: String = block.str("id").unwrap_or_default().into();
                content.push(Block::ToolCall {
                    id: id.clone(),
                    name: block.str("name").unwrap_or_default().into(),
                    arguments: state.get("input").map_or_else(RawJson::null, RawJson::new),
                });
                if let Some(result) = result(id, &state) {
                    if block.get("executed").and_then(Json::as_bool) == Some(true) {
                        content.push(result);
                    } else {
                        results.push(Message { role: Role::Tool, content: vec![result] });
                    }
                }
            }
            _ => content.push(Block::Raw { value: block.into() }),
        }
    }
    if !content.is_empty() {
        out.push(Message { role: Role::Assistant, content });
    }
    out.append(&mut results);
}

fn result(id: String, state: &Object<'_>) -> Option<Block> {
    let parts = || {
        let (texts, files) = content(state);
        match (texts.as_slice(), files.is_empty()) {
            ([one], true) => RawJson::string(one),
            ([], true) => structured(state),
            _ => state.get("content").map_or_else(RawJson::null, RawJson::new),
        }
    };
    match state.str("status").as_deref() {
        Some("completed") => Some(Block::ToolResult { id, content: parts(), is_error: false }),
        Some("error") => {
            let error = state.at(&["error", "message"]).and_then(Json::as_str).unwrap_or_default();
            let (texts, _) = content(state);
            let text = if texts.is_empty() {
                error.into_owned()
            } else {
                format!("{error}\n{}", texts.join("\n"))
            };
            Some(Block::ToolResult { id, content: RawJson::string(&text), is_error: true })
        }
        _ => None,
    }
}

/// Early 2.x may have no content, only the structured result.
fn structured(state: &Object<'_>) -> RawJson {
    match metadata(state) {
        value if value.is_null() => RawJson::string(""),
        value => value.into(),
    }
}
