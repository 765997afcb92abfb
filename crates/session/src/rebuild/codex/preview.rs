//! The prompt that lists show.

use recount_formats::Json;
use recount_formats::codex::record::EventUserMessage;
use recount_formats::view::View;

use super::{items, legacy};
use crate::model::ItemKind;
use crate::model::item::UserInput;

/// The prompt that a record holds, for lists: the first one of a thread is its preview.
///
/// `payload` is the payload of an `event_msg`: a `user_message`, or an `item_completed` with a user message.
pub fn preview_of(payload: Json<'_>) -> Option<String> {
    let content = match &*payload.str("type")? {
        "user_message" => legacy::user_inputs(&EventUserMessage::view(payload)?),
        "item_completed" => match items::completed(payload.get("item")?)?.1 {
            ItemKind::UserMessage { content, .. } => content,
            _ => return None,
        },
        _ => return None,
    };
    preview(&content)
}

pub(super) fn prompt_of(kind: &ItemKind) -> Option<String> {
    match kind {
        ItemKind::UserMessage { content, .. } => preview(content),
        _ => None,
    }
}

/// Editors put the state of the editor before what was typed, and this line between.
const TYPED_BEHIND: &str = "## My request for Codex:";

fn preview(content: &[UserInput]) -> Option<String> {
    let mut text = String::new();
    let mut image = false;
    for part in content {
        match part {
            UserInput::Text { text: part, .. } => text.push_str(part),
            UserInput::Image { .. } | UserInput::LocalImage { .. } => image = true,
            _ => {}
        }
    }
    let typed =
        text.find(TYPED_BEHIND).map_or(text.as_str(), |n| &text[n + TYPED_BEHIND.len()..]).trim();
    match typed {
        "" if image => Some("[Image]".to_owned()),
        "" => None,
        typed => Some(typed.to_owned()),
    }
}
