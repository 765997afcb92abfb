//! Messages that stand for something that a person saw: shell commands that the person ran, and messages
//! whose event was damaged, because the record for the model stands beside it and says the same.

use recount_formats::Json;

use crate::model::ItemKind;
use crate::model::item::UserInput;

/// Whether a message tells the model of a command that the person ran.
pub(super) fn is_shell_command(payload: Json<'_>) -> bool {
    memchr::memmem::find(payload.raw().as_bytes(), b"\"<user_shell_command>").is_some()
}

/// The shell command that the person ran.
pub(super) fn ran(payload: Json<'_>, cwd: Option<&str>) -> Option<ItemKind> {
    let block = payload.get("content")?.elements().next()?;
    let text = block.str("text")?;
    let inner =
        text.trim().strip_prefix("<user_shell_command>")?.strip_suffix("</user_shell_command>")?;
    let between = |tag: &str| {
        let (_, rest) = inner.split_once(&format!("<{tag}>\n"))?;
        rest.rsplit_once(&format!("\n</{tag}>")).map(|(body, _)| body)
    };
    Some(super::calls::user_shell(between("command")?, between("result").unwrap_or(""), cwd))
}

/// A message that a person may have seen, from the record for the model.
pub(in crate::rebuild::codex) fn lost(payload: Json<'_>) -> Option<ItemKind> {
    let texts = || {
        let content = payload.get("content").into_iter().flat_map(Json::elements);
        content.filter_map(|block| block.str("text"))
    };
    let kind = match &*payload.str("role")? {
        "assistant" => {
            let text: String = texts().collect();
            // Plans are taken out of the text and shown by themselves.
            if text.is_empty() || text.contains("<proposed_plan>") {
                return None;
            }
            let phase = payload.str("phase").map(std::borrow::Cow::into_owned);
            ItemKind::AgentMessage {
                text,
                phase,
                memory_citation: None,
                delivery: None,
                questions: None,
            }
        }
        "user" => {
            let metadata = payload.get("internal_chat_message_metadata_passthrough");
            if !is_typed(metadata, texts()) {
                return None;
            }
            ItemKind::UserMessage {
                content: texts().map(UserInput::text).collect(),
                client_id: None,
            }
        }
        _ => return None,
    };
    Some(kind)
}

/// Whether a message of role user was typed rather than put in by Codex.
fn is_typed<'a>(
    metadata: Option<Json<'_>>,
    texts: impl Iterator<Item = std::borrow::Cow<'a, str>>,
) -> bool {
    if let Some(kinds) = metadata.and_then(|m| m.get("content_item_kinds")) {
        return kinds.elements().any(|kind| kind.as_str().is_some_and(|k| k.starts_with("user.")));
    }
    let mut any = false;
    for text in texts {
        let text = text.trim_start();
        if text.starts_with('<') || text.starts_with("# AGENTS.md") {
            return false;
        }
        any |= !text.is_empty();
    }
    any
}

/// The text of a prompt.
pub(super) fn text(content: &[UserInput]) -> String {
    content
        .iter()
        .filter_map(|part| match part {
            UserInput::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
