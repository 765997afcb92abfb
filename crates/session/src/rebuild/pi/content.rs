//! What stands in messages: a string, or blocks.

use std::borrow::Cow;

use recount_formats::json::{self, Json};

use crate::model::item::{ContentItem, UserInput};

/// A part of a message.
#[derive(Debug, Clone)]
pub(super) enum Part<'a> {
    /// Text, and the block unless it is a plain string.
    Text(Cow<'a, str>, Option<Json<'a>>),
    /// A picture.
    Image(Json<'a>),
    /// Thinking.
    Thinking(Cow<'a, str>, Json<'a>),
    /// A call of a tool.
    Call(Json<'a>),
    /// Anything else.
    Other(Json<'a>),
}

/// Several members of an object in one walk; of one that stands twice the last.
pub(super) fn pick<'a, const N: usize>(object: Json<'a>, keys: [&str; N]) -> [Option<Json<'a>>; N] {
    let mut found = [None; N];
    for (key, value) in object.members() {
        if let Some(n) = keys.iter().position(|k| key.is(k)) {
            found[n] = Some(value);
        }
    }
    found
}

/// The parts of a message's content. Content that is neither string nor array has none.
pub(super) fn parts(content: Json<'_>) -> impl Iterator<Item = Part<'_>> {
    let plain = content.as_str().map(|text| Part::Text(text, None));
    plain.into_iter().chain(content.elements().map(part))
}

fn part(block: Json<'_>) -> Part<'_> {
    let [kind, text, thinking] = pick(block, ["type", "text", "thinking"]);
    let kind = kind.and_then(Json::as_str);
    match kind.as_deref() {
        Some("text") => match text.and_then(Json::as_str) {
            Some(text) => Part::Text(text, Some(block)),
            None => Part::Other(block),
        },
        Some("image") => Part::Image(block),
        Some("thinking") => {
            Part::Thinking(thinking.and_then(Json::as_str).unwrap_or_default(), block)
        }
        Some("toolCall") => Part::Call(block),
        _ => Part::Other(block),
    }
}

/// The content of a message or of an extension's entry.
pub(super) fn of(message: Json<'_>) -> Json<'_> {
    message.get("content").unwrap_or(Json::NULL)
}

/// The text in content, its parts on lines of their own.
pub(super) fn text(content: Json<'_>) -> String {
    joined(content, "\n")
}

/// The text of a prompt as pi's lists show it: parts joined by spaces.
pub(super) fn prompt(message: Json<'_>) -> String {
    joined(of(message), " ")
}

fn joined(content: Json<'_>, by: &str) -> String {
    let mut out = String::new();
    let mut first = true;
    for part in parts(content) {
        if let Part::Text(text, _) = part {
            if !first {
                out.push_str(by);
            }
            first = false;
            out.push_str(&text);
        }
    }
    out
}

/// A picture as a data URL.
fn data_url(image: Json<'_>) -> String {
    let mime = image.str("mimeType").unwrap_or(Cow::Borrowed("application/octet-stream"));
    format!("data:{mime};base64,{}", image.str("data").unwrap_or_default())
}

/// What the person put in.
pub(super) fn user_input(content: Json<'_>) -> Vec<UserInput> {
    parts(content)
        .map(|part| match part {
            Part::Text(text, _) | Part::Thinking(text, _) => UserInput::text(text),
            Part::Image(image) => {
                UserInput::Image { url: Some(data_url(image)), file_id: None, detail: None }
            }
            Part::Call(block) | Part::Other(block) => UserInput::text(block.raw()),
        })
        .collect()
}

/// What a tool answered.
pub(super) fn content_items(content: Json<'_>) -> Vec<ContentItem> {
    parts(content)
        .map(|part| match part {
            Part::Text(text, _) | Part::Thinking(text, _) => {
                ContentItem::InputText { text: text.into() }
            }
            Part::Image(image) => ContentItem::InputImage { image_url: data_url(image) },
            Part::Call(block) | Part::Other(block) => {
                ContentItem::InputText { text: block.raw().into() }
            }
        })
        .collect()
}

/// The phase that OpenAI gives a text (`commentary`, `final_answer`), which pi keeps in the signature.
pub(super) fn phase(block: Json<'_>) -> Option<String> {
    let signature = block.str("textSignature")?;
    json::parse(&signature).ok()?.str("phase").map(Cow::into_owned)
}
