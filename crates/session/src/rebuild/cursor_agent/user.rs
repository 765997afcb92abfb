//! Prompts: text and what was attached.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::Blobs;

use super::chat::Chat;
use crate::model::item::UserInput;

/// The text as it was typed. A long one stands in a blob of its own.
pub(super) fn text(chat: &Chat<'_>, message: &Wire<'_>) -> String {
    let inline = message.str("text").unwrap_or_default();
    let whole = message.id("text_blob_id").and_then(|id| {
        let bytes = chat.get(&id)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    });
    // What stands beside the blob may be its beginning.
    match whole {
        Some(whole) if inline.is_empty() || whole.starts_with(&*inline) => whole,
        _ => inline.into_owned(),
    }
}

/// What the program wrote in the person's place: why, and the text.
pub(super) fn notice(chat: &Chat<'_>, message: &Wire<'_>) -> String {
    let reason = message.value_name("simulated_msg_reason").filter(|name| name != "UNSPECIFIED");
    let title = message.message("simulated_message_metadata").and_then(|m| m.text("title"));
    let mut words = reason.map(|name| {
        let words = name.replace('_', " ").to_lowercase();
        let mut chars = words.chars();
        chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
    });
    if let Some(title) = title {
        words =
            Some(words.map_or_else(|| title.clone(), |words: String| format!("{words} ({title})")));
    }
    let text = text(chat, message);
    match words {
        Some(words) if text.is_empty() => words,
        Some(words) => format!("{words}: {text}"),
        None => text,
    }
}

/// The parts of a prompt.
pub(super) fn content(chat: &Chat<'_>, message: &Wire<'_>) -> Vec<UserInput> {
    let mut parts = Vec::new();
    let text = text(chat, message);
    let context = message.message("selected_context");
    let images: Vec<UserInput> = context
        .iter()
        .flat_map(|c| c.messages("selected_images").map(|i| image(chat, &i)).collect::<Vec<_>>())
        .collect();
    if !text.is_empty() || images.is_empty() {
        parts.push(UserInput::text(text));
    }
    parts.extend(images);
    if let Some(context) = context {
        mentions(&context, &mut parts);
    }
    parts
}

/// An image: its bytes where the store has them, else its path, else the id of its upload.
fn image(chat: &Chat<'_>, image: &Wire<'_>) -> UserInput {
    let with_data = image.message("blob_id_with_data");
    let bytes = image
        .bytes("data")
        .or_else(|| with_data.as_ref()?.bytes("data").filter(|b| !b.is_empty()))
        .map(Cow::Borrowed)
        .or_else(|| chat.get(&image.id("blob_id")?))
        .or_else(|| chat.get(&with_data.as_ref()?.id("blob_id")?));
    let path = image.text("path");
    if let Some(bytes) = bytes {
        let media = image.text("mime_type").unwrap_or_else(|| media_type(&bytes).to_owned());
        let url = format!("data:{media};base64,{}", BASE64_STANDARD.encode(&bytes));
        return UserInput::Image { url: Some(url), file_id: None, detail: None };
    }
    if let Some(path) = path {
        return UserInput::LocalImage { path, detail: None };
    }
    let upload = image.message("prompt_upload_ref").and_then(|r| r.text("upload_id"));
    UserInput::Image { url: None, file_id: upload.or_else(|| image.text("uuid")), detail: None }
}

/// The media type that the first bytes of an image tell.
fn media_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "application/octet-stream",
    }
}

/// What was attached besides images, by name and place.
fn mentions(context: &Wire<'_>, parts: &mut Vec<UserInput>) {
    // The list in the context, the fields that name an entry, and the fields that say where it is.
    const KINDS: &[(&str, &[&str], &[&str])] = &[
        ("files", &["relative_path", "path"], &["path"]),
        ("code_selections", &["relative_path", "path"], &["path"]),
        ("folders", &["relative_path", "path"], &["path"]),
        ("terminals", &["title", "path"], &["path"]),
        ("terminal_selections", &["title", "path"], &["path"]),
        ("selected_documents", &["filename", "path"], &["path"]),
        ("selected_videos", &["filename", "path"], &["path"]),
        ("external_links", &["filename", "url"], &["url"]),
        ("cursor_commands", &["name"], &["name"]),
        ("documentations", &["name"], &["doc_id"]),
        ("git_commits", &["message", "sha"], &["sha"]),
        ("past_chats", &["name"], &["agent_id"]),
        ("selected_pull_requests", &["title", "url"], &["url"]),
        ("selected_subagents", &["name"], &["name"]),
        ("selected_browsers", &["page_title", "url"], &["url"]),
        ("selected_skills", &["full_path"], &["full_path"]),
    ];
    for (list, names, places) in KINDS {
        for entry in context.messages(list) {
            let first = |fields: &[&str]| fields.iter().find_map(|field| entry.text(field));
            let place = first(places).unwrap_or_default();
            let name = first(names).unwrap_or_else(|| place.clone());
            if !name.is_empty() || !place.is_empty() {
                parts.push(UserInput::Mention { name, path: place });
            }
        }
    }
}
