//! Output that is cut before it is kept: the middle goes, both ends stay.

use recount_formats::Json;

use crate::json::RawJson;

/// What extended legacy rollouts keep of a command's output, in bytes.
pub const COMMAND: usize = 10_000;
/// What paginated rollouts keep of a command's output and of an MCP result, in bytes.
pub const ITEM: usize = 64 << 10;

/// The two ends of a text, at most `limit` bytes with the mark between them; the text itself when it is not longer.
pub fn middle(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    // The mark for the most that can be missing is as long as any.
    let room = limit.saturating_sub(mark(text.len()).len());
    let head = floor(text, room / 2);
    let tail = ceil(text, text.len() - (room - room / 2));
    let missing = text[head..tail].chars().count();
    format!("{}{}{}", &text[..head], mark(missing), &text[tail..])
}

fn mark(missing: usize) -> String {
    format!("…{missing} chars truncated…")
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// An MCP result that is not too long, else one whose content is the beginning and the end of its text.
pub fn result(result: &RawJson, limit: usize) -> RawJson {
    if result.as_str().len() <= limit {
        return result.clone();
    }
    let text = result.get().get("content").map_or(result.as_str(), Json::raw);
    // Quoting makes text longer: leave it room.
    let content = serde_json::json!([{"type": "text", "text": middle(text, limit / 2)}]);
    let failed = result.get().get("isError").and_then(Json::as_bool);
    RawJson::of(&match failed {
        Some(failed) => serde_json::json!({"content": content, "isError": failed}),
        None => serde_json::json!({"content": content}),
    })
}
