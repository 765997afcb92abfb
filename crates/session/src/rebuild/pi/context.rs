//! The model view: what pi's session manager projects (oracle `sm-*.json`), in the words in which pi sends it.

use std::collections::HashMap;
use std::fmt::Write as _;

use recount_formats::json::Json;
use recount_formats::pi::Kind;

use super::content::{self, Part};
use super::entries::{Entry, Transcript};
use crate::json::RawJson;
use crate::model::{Block, Message, ModelView, Role};

/// What stands at the place of an entry's content by the last edit that aims at it; nothing when it is left out.
type Edits<'a> = HashMap<std::borrow::Cow<'a, str>, Option<Json<'a>>>;

/// The messages at the end of a path.
pub(super) fn project(transcript: &Transcript<'_>, path: &[usize]) -> ModelView {
    let entries: Vec<&Entry<'_>> = path.iter().map(|&n| &transcript.entries[n]).collect();
    let mut edits: Edits<'_> = HashMap::new();
    for entry in entries.iter().filter(|e| e.kind == Kind::ContextEdit) {
        if let Some(target) = entry.json.str("targetId") {
            let replacement = entry.json.get("replacement").filter(|r| r.is_object());
            edits.insert(target, replacement.map(content::of));
        }
    }
    let mut view = ModelView::default();
    let is_prompt = |e: &&&Entry<'_>| e.kind == Kind::MessageUser;
    let word_for_word = |e: &&Entry<'_>| e.kind == Kind::MessageUser && !edits.contains_key(&e.id);
    let mut sent = 0;
    // The last compaction of the path decides (contract: compaction).
    let compaction = entries.iter().rposition(|e| e.kind == Kind::Compaction);
    let after = compaction.map_or(0, |n| n + 1);
    if let Some(n) = compaction {
        let compaction = entries[n];
        if let Some(checkpoint) = compaction.json.get("systemMessage").filter(|m| m.is_object()) {
            view.messages.extend(system(checkpoint));
        }
        let summary = compaction.json.str("summary").unwrap_or_default();
        view.messages.push(user(vec![Block::text(format!(
            "The conversation history before this point was compacted into the following summary:\n\n<summary>\n{summary}\n</summary>"
        ))]));
        let first = first_kept(transcript, &entries[..n], path, compaction);
        for entry in first.map_or(&[][..], |first| &entries[first..n]) {
            // The checkpoint stands for the system messages that are kept.
            if entry.kind != Kind::MessageSystem {
                view.messages.extend(message(entry, &edits));
                sent += u64::from(word_for_word(entry));
            }
        }
    }
    for entry in &entries[after..] {
        view.messages.extend(message(entry, &edits));
        sent += u64::from(word_for_word(entry));
    }
    view.compactions = entries.iter().filter(|e| e.kind == Kind::Compaction).count() as u64;
    view.dropped_turns = (entries.iter().filter(is_prompt).count() as u64).saturating_sub(sent);
    view
}

/// Where what is kept begins, among the entries above the compaction. Nothing when its own id stands there, or one
/// that is not on the path: then nothing is kept.
fn first_kept(
    transcript: &Transcript<'_>,
    above: &[&Entry<'_>],
    path: &[usize],
    compaction: &Entry<'_>,
) -> Option<usize> {
    if let Some(id) = compaction.json.str("firstKeptEntryId") {
        return above.iter().position(|e| e.id == id);
    }
    // Version 1 counts all values of the file, the header too.
    let index = compaction.json.get("firstKeptEntryIndex")?.as_u64()?;
    let entry = (*transcript.values.get(usize::try_from(index).ok()?)?)?;
    path[..above.len()].iter().position(|&n| n == entry)
}

fn user(content: Vec<Block>) -> Message {
    Message { role: Role::User, content }
}

/// What an entry adds to the context.
fn message(entry: &Entry<'_>, edits: &Edits<'_>) -> Option<Message> {
    let holder = match entry.kind {
        Kind::MessageSystem => return system(entry.message),
        Kind::MessageBashExecution => return shell(entry.message),
        Kind::BranchSummary => {
            let summary = entry.json.str("summary").filter(|s| !s.is_empty())?;
            return Some(user(vec![Block::text(format!(
                "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n{summary}</summary>"
            ))]));
        }
        Kind::CustomMessage => entry.json,
        Kind::MessageUser
        | Kind::MessageAssistant
        | Kind::MessageToolResult
        | Kind::MessageCustom => entry.message,
        _ => return None,
    };
    let content = match edits.get(&entry.id) {
        Some(replacement) => (*replacement)?,
        None => content::of(holder),
    };
    Some(match entry.kind {
        Kind::MessageAssistant => Message { role: Role::Assistant, content: blocks(content) },
        Kind::MessageToolResult => Message {
            role: Role::Tool,
            content: vec![Block::ToolResult {
                id: holder.str("toolCallId").unwrap_or_default().into_owned(),
                content: result(content),
                is_error: holder.get("isError").and_then(Json::as_bool).unwrap_or(false),
            }],
        },
        _ => user(blocks(content)),
    })
}

/// The content of a result, always as parts: an edit may have put a string there.
fn result(content: Json<'_>) -> RawJson {
    if content.is_array() {
        return RawJson::new(content);
    }
    let parts: Vec<_> = content
        .as_str()
        .map(|text| serde_json::json!({"type": "text", "text": text}))
        .into_iter()
        .collect();
    RawJson::of(&serde_json::Value::Array(parts))
}

fn blocks(content: Json<'_>) -> Vec<Block> {
    content::parts(content).map(block).collect()
}

fn block(part: Part<'_>) -> Block {
    match part {
        Part::Text(text, _) => Block::text(text),
        Part::Image(image) => Block::Image { value: RawJson::new(image) },
        Part::Call(call) => Block::ToolCall {
            id: call.str("id").unwrap_or_default().into_owned(),
            name: call.str("name").unwrap_or_default().into_owned(),
            arguments: call.get("arguments").map_or_else(RawJson::null, RawJson::new),
        },
        // Thinking goes back to the provider together with its signature, so the whole block is what is sent.
        Part::Thinking(_, block) | Part::Other(block) => Block::Raw { value: RawJson::new(block) },
    }
}

/// A system message: instructions and named sections as text, then what it says about tools and removed sections.
fn system(message: Json<'_>) -> Option<Message> {
    let mut content = blocks(content::of(message));
    content.retain(|block| !matches!(block, Block::Text { text } if text.is_empty()));
    for (name, section) in message.get("sections").into_iter().flat_map(Json::members) {
        content.push(match section.as_str() {
            Some(text) => Block::text(text),
            None => raw("sections", &format!("{{{}:{}}}", name.raw(), section.raw())),
        });
    }
    for key in ["toolsAdded", "toolsRemoved"] {
        if let Some(tools) = message.get(key) {
            content.push(raw(key, tools.raw()));
        }
    }
    (!content.is_empty()).then_some(Message { role: Role::System, content })
}

/// A member of a system message, as it stands there.
fn raw(key: &str, value: &str) -> Block {
    let value = RawJson::parse(&format!("{{\"{key}\":{value}}}"));
    Block::Raw { value: value.unwrap_or_else(RawJson::null) }
}

/// A shell command of the person, in the text that pi makes of it for the model.
fn shell(message: Json<'_>) -> Option<Message> {
    let flag = |key| message.get(key).and_then(Json::as_bool).unwrap_or(false);
    if flag("excludeFromContext") {
        return None;
    }
    let mut text = format!("Ran `{}`\n", message.str("command").unwrap_or_default());
    match message.str("output").filter(|output| !output.is_empty()) {
        Some(output) => _ = write!(text, "```\n{output}\n```"),
        None => text.push_str("(no output)"),
    }
    let code = message.get("exitCode").and_then(Json::as_i64).unwrap_or(0);
    if flag("cancelled") {
        text.push_str("\n\n(command cancelled)");
    } else if code != 0 {
        _ = write!(text, "\n\nCommand exited with code {code}");
    }
    if let Some(path) = message.str("fullOutputPath").filter(|_| flag("truncated")) {
        _ = write!(text, "\n\n[Output truncated. Full output: {path}]");
    }
    Some(user(vec![Block::text(text)]))
}
