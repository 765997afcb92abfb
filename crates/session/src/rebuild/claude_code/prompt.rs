//! Lines in the role of the user: what a person typed apart from what the program put there.

use std::borrow::Cow;

use recount_formats::Json;

use super::transcript::{Node, NodeKind};
use crate::model::item::UserInput;

/// What a user line is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UserLine<'a> {
    /// Results of tools.
    ToolResults,
    /// The summary that a compaction left.
    Summary,
    /// Text for the model that nobody typed.
    Injected,
    /// What a person typed.
    Prompt(Vec<UserInput>),
    /// A slash command and its arguments, as a person typed them.
    Command(String),
    /// A shell command that a person typed behind `!`.
    Shell(String),
    /// What such a shell command printed.
    ShellOutput { stdout: String, stderr: String },
    /// What a slash command printed.
    CommandOutput { text: String, failed: bool },
    /// A person broke the turn off.
    Interrupted,
    /// News of something that ran in the background.
    Notification(Cow<'a, str>),
    /// A message of another agent or program.
    Peer { from: Option<Cow<'a, str>>, text: Cow<'a, str> },
}

/// Whether a block is of a type.
pub(super) fn is_type(block: Json<'_>, name: &str) -> bool {
    block.get("type").and_then(Json::text).is_some_and(|t| t.is(name))
}

/// What a user line is.
pub(super) fn classify<'a>(node: &Node<'a>) -> UserLine<'a> {
    if node.message.has_tool_result {
        return UserLine::ToolResults;
    }
    if node.flag("isCompactSummary") {
        return UserLine::Summary;
    }
    let texts = || node.message.blocks.iter().filter_map(super::transcript::Block::text);
    let said = texts().find(|text| !is_injected_text(text));
    let text = said.or_else(|| first_text(node.message.content));
    if let Some(text) = &text
        && text.starts_with("[Request interrupted by user")
    {
        return UserLine::Interrupted;
    }
    if node.is_meta || node.flag("isVisibleInTranscriptOnly") {
        return UserLine::Injected;
    }
    let text = text.unwrap_or_default();
    let origin = node.fields.get("origin");
    let origin_kind = origin.and_then(|o| o.str("kind"));
    match origin_kind.as_deref() {
        None | Some("human") => {}
        Some("task-notification") => return UserLine::Notification(text),
        Some(kind) => {
            let from = origin
                .and_then(|o| o.str("name").or_else(|| o.str("from")))
                .or_else(|| Some(Cow::Owned(kind.to_owned())));
            let body = origin.and_then(|o| o.str("body")).unwrap_or(text);
            return UserLine::Peer { from, text: body };
        }
    }
    let is_system = node.text("promptSource").is_some_and(|source| source == "system");
    if is_system || text.starts_with("<task-notification>") {
        return UserLine::Notification(text);
    }
    if let Some(line) = tagged(&text) {
        return line;
    }
    let content = prompt_content(node.message.content);
    if content.is_empty() { UserLine::Injected } else { UserLine::Prompt(content) }
}

/// What a person typed on this line, as text: a prompt, a slash command, a shell command.
pub(super) fn typed_text(node: &Node<'_>) -> Option<String> {
    if node.kind == NodeKind::Attachment {
        return absorbed(node).map(|content| text_of(&content));
    }
    if node.kind != NodeKind::User {
        return None;
    }
    match classify(node) {
        UserLine::Prompt(content) => Some(text_of(&content)),
        UserLine::Command(text) => Some(text),
        UserLine::Shell(text) => Some(format!("!{text}")),
        _ => None,
    }
}

/// What a person typed while the turn was running and the model got with the next request: it has no user line, only
/// an attachment. Notifications come in the same form and are nobody's prompts.
pub(super) fn absorbed(node: &Node<'_>) -> Option<Vec<UserInput>> {
    if node.subtype.as_deref() != Some("queued_command") {
        return None;
    }
    let attachment = node.fields.get("attachment")?;
    let prompt = attachment.get("prompt")?;
    let text = first_text(Some(prompt)).unwrap_or_default();
    let by_human = match attachment.get("origin").and_then(|o| o.str("kind")) {
        Some(kind) => kind == "human",
        // Builds before origins were stored.
        None => {
            attachment.str("commandMode").is_none_or(|mode| mode == "prompt")
                && !text.starts_with("<task-notification>")
        }
    };
    let is_meta = attachment.get("isMeta").and_then(Json::as_bool) == Some(true);
    (by_human && !is_meta)
        .then(|| prompt_content(Some(prompt)))
        .filter(|content| !content.is_empty())
}

/// The texts of a prompt, a line each.
pub(super) fn text_of(content: &[UserInput]) -> String {
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| match part {
            UserInput::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n")
}

/// A plain string, or the first text block.
pub(super) fn first_text(content: Option<Json<'_>>) -> Option<Cow<'_, str>> {
    let content = content?;
    content.as_str().or_else(|| {
        let block = content.elements().find(|block| is_type(*block, "text"))?;
        block.str("text")
    })
}

/// What the person put in, without the blocks that the program added.
fn prompt_content(content: Option<Json<'_>>) -> Vec<UserInput> {
    let Some(content) = content else { return Vec::new() };
    if let Some(text) = content.as_str() {
        return if text.is_empty() { Vec::new() } else { vec![UserInput::text(text)] };
    }
    let mut parts = Vec::new();
    for block in content.elements() {
        let type_ = block.str("type").unwrap_or_default();
        match &*type_ {
            "text" => {
                let text = block.str("text").unwrap_or_default();
                if !is_injected_text(&text) {
                    parts.push(UserInput::text(text));
                }
            }
            "image" => {
                parts.push(UserInput::Image {
                    url: source_url(block),
                    file_id: None,
                    detail: None,
                });
            }
            "document" => {
                let name = block.str("title").map_or_else(
                    || block.at(&["source", "media_type"]).and_then(Json::as_str),
                    Some,
                );
                let name = name.unwrap_or(Cow::Borrowed("document")).into_owned();
                parts.push(UserInput::Mention { name, path: String::new() });
            }
            _ => {}
        }
    }
    parts
}

/// Blocks of text that stand beside the typed ones: reminders, and what an editor tells.
fn is_injected_text(text: &str) -> bool {
    const TAGS: [&str; 5] = [
        "<system-reminder>",
        "<ide_opened_file>",
        "<ide_selection>",
        "<ide_diagnostics>",
        "<local-command-caveat>",
    ];
    let text = text.trim_start();
    text.is_empty() || TAGS.iter().any(|tag| text.starts_with(tag))
}

/// The address of an image: a data URL, or where it lies.
pub(super) fn source_url(block: Json<'_>) -> Option<String> {
    let source = block.get("source")?;
    if let Some(url) = source.str("url") {
        return Some(url.into_owned());
    }
    let data = source.get("data").and_then(Json::text)?;
    let media_type = source.str("media_type").unwrap_or(Cow::Borrowed("image/png"));
    Some(format!("data:{media_type};base64,{}", data.get()))
}

/// Lines that the program writes with tags around what a person typed or a command printed.
fn tagged<'a>(text: &str) -> Option<UserLine<'a>> {
    let start = text.trim_start();
    if let Some(line) = slash_command(start) {
        return Some(UserLine::Command(line));
    }
    if start.starts_with("<bash-input>") {
        return Some(UserLine::Shell(inside(start, "bash-input")?.trim().to_owned()));
    }
    if start.starts_with("<bash-stdout>") || start.starts_with("<bash-stderr>") {
        return Some(UserLine::ShellOutput {
            stdout: inside(start, "bash-stdout").unwrap_or_default().to_owned(),
            stderr: inside(start, "bash-stderr").unwrap_or_default().to_owned(),
        });
    }
    if let Some(line) = command_output(start) {
        return Some(line);
    }
    let injected = start.starts_with("<local-command-caveat>")
        || start.starts_with("<system-reminder>")
        || start.starts_with("<fork-boilerplate>")
        || start.starts_with(
            "Caveat: The messages below were generated by the user while running local commands",
        );
    injected.then_some(UserLine::Injected)
}

/// `/name arguments` of the tags that stand for a typed slash command.
pub(super) fn slash_command(text: &str) -> Option<String> {
    if !text.starts_with("<command-name>") && !text.starts_with("<command-message>") {
        return None;
    }
    let name = inside(text, "command-name").or_else(|| inside(text, "command-message"))?.trim();
    let name = name.strip_prefix('/').unwrap_or(name);
    let arguments = inside(text, "command-args").unwrap_or_default().trim();
    Some(if arguments.is_empty() { format!("/{name}") } else { format!("/{name} {arguments}") })
}

/// What a slash command printed.
pub(super) fn command_output<'a>(text: &str) -> Option<UserLine<'a>> {
    let (tag, failed) = if text.starts_with("<local-command-stdout>") {
        ("local-command-stdout", false)
    } else if text.starts_with("<local-command-stderr>") {
        ("local-command-stderr", true)
    } else {
        return None;
    };
    Some(UserLine::CommandOutput { text: without_escapes(inside(text, tag)?), failed })
}

/// The text between a tag and its end, or to the end of the text when the tag is not closed.
pub(super) fn inside<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let start = text.find(&format!("<{tag}>"))? + tag.len() + 2;
    let rest = &text[start..];
    Some(rest.rfind(&format!("</{tag}>")).map_or(rest, |end| &rest[..end]))
}

/// Text without the terminal's escape sequences, which commands print for colours.
pub(super) fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        if chars.next_if_eq(&'[').is_some() {
            for c in chars.by_ref() {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        } else {
            chars.next();
        }
    }
    out
}
