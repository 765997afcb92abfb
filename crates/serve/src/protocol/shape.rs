//! Values that are carried through as a harness wrote them, held to the shape that the protocol promises.
//!
//! A damaged or newer transcript may hold anything where the protocol promises an object with certain fields. Typed
//! clients give up on a whole answer for one such value, so it is left out instead.

use std::path::Path;

use recount_formats::Json;
use recount_formats::json::Kind;
use recount_session::RawJson;

/// The value when it passes, else nothing.
pub(super) fn only(value: Option<&RawJson>, fits: fn(Json<'_>) -> bool) -> Option<&RawJson> {
    value.filter(|value| fits(value.get()))
}

fn is_string(value: Json<'_>) -> bool {
    value.kind() == Kind::String
}

fn has_strings(value: Json<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_some_and(is_string))
}

/// Whether each key is absent, `null` or a string.
fn may_have_strings(value: Json<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_none_or(|v| v.is_null() || is_string(v)))
}

fn is_number(value: Json<'_>) -> bool {
    value.as_u64().is_some()
}

/// `MemoryCitation`
pub(super) fn memory_citation(value: Json<'_>) -> bool {
    let entry = |entry: Json<'_>| {
        has_strings(entry, &["note", "path"])
            && ["lineStart", "lineEnd"].iter().all(|key| entry.get(key).is_some_and(is_number))
    };
    let all = |key, fits: fn(Json<'_>) -> bool| {
        value.get(key).is_some_and(|list| list.is_array() && list.elements().all(fits))
    };
    all("entries", entry) && all("threadIds", is_string)
}

/// A list of `AsyncUserInputQuestion`.
pub(super) fn questions(value: Json<'_>) -> bool {
    value.is_array()
        && value.elements().all(|question| {
            has_strings(question, &["title"])
                && question.members().all(|(key, _)| matches!(&*key.get(), "title" | "options"))
                && question.get("options").is_none_or(|options| {
                    options.is_null() || (options.is_array() && options.elements().all(is_string))
                })
        })
}

/// `CommandAction`
pub(super) fn command_action(value: Json<'_>) -> bool {
    has_strings(value, &["command"])
        && match value.str("type").as_deref() {
            Some("read") => has_strings(value, &["name", "path"]),
            Some("listFiles" | "search") => may_have_strings(value, &["path", "query"]),
            Some("unknown") => true,
            _ => false,
        }
}

/// `McpToolCallResult`
pub(super) fn mcp_result(value: Json<'_>) -> bool {
    value.get("content").is_some_and(Json::is_array)
}

/// `McpToolCallError`
pub(super) fn mcp_error(value: Json<'_>) -> bool {
    has_strings(value, &["message"])
}

/// `McpToolCallAppContext`
pub(super) fn app_context(value: Json<'_>) -> bool {
    has_strings(value, &["connectorId"])
        && may_have_strings(value, &["actionName", "appName", "linkId", "resourceUri"])
}

/// `McpAppUi`
pub(super) fn app_ui(value: Json<'_>) -> bool {
    has_strings(value, &["resourceUri"])
        && value
            .str("preferredModelDisplayMode")
            .is_some_and(|mode| matches!(&*mode, "inline" | "fullscreen"))
}

/// `CollabAgentState`
pub(super) fn agent_state(value: Json<'_>) -> bool {
    let known = |status: &str| {
        matches!(
            status,
            "pendingInit"
                | "running"
                | "interrupted"
                | "completed"
                | "errored"
                | "shutdown"
                | "notFound"
        )
    };
    value.str("status").is_some_and(|status| known(&status))
        && may_have_strings(value, &["message"])
}

/// `WebSearchAction`
pub(super) fn web_action(value: Json<'_>) -> bool {
    match value.str("type").as_deref() {
        Some("search") => {
            may_have_strings(value, &["query"])
                && value.get("queries").is_none_or(|queries| {
                    queries.is_null() || (queries.is_array() && queries.elements().all(is_string))
                })
        }
        Some("openPage") => may_have_strings(value, &["url"]),
        Some("findInPage") => may_have_strings(value, &["url", "pattern"]),
        Some("other") => true,
        _ => false,
    }
}

/// A list of `TextElement`.
pub(super) fn text_elements(value: Json<'_>) -> bool {
    let is_element = |element: Json<'_>| {
        element.get("byteRange").is_some_and(|range| {
            ["start", "end"].iter().all(|key| range.get(key).is_some_and(is_number))
        }) && may_have_strings(element, &["placeholder"])
    };
    value.is_array() && value.elements().all(is_element)
}

/// `FunctionCallOutputBody`
pub(super) fn function_output(value: Json<'_>) -> bool {
    let part = |part: Json<'_>| match part.str("type").as_deref() {
        Some("input_text") => has_strings(part, &["text"]),
        Some("input_image") => has_strings(part, &["image_url"]) || has_strings(part, &["file_id"]),
        Some("input_audio") => has_strings(part, &["audio_url"]),
        Some("encrypted_content") => has_strings(part, &["encrypted_content"]),
        _ => false,
    };
    is_string(value) || (value.is_array() && value.elements().all(part))
}

/// `CodexErrorInfo`: words and objects that a client does not know are allowed.
pub(super) fn error_info(value: Json<'_>) -> bool {
    is_string(value) || value.is_object()
}

/// `ImageGenerationFailure`
pub(super) fn image_failure(value: Json<'_>) -> bool {
    value.str("type").is_some_and(|t| t == "usageLimitExceeded")
        && has_strings(value, &["limitId"])
        && value.get("resetsAt").is_none_or(|at| at.is_null() || at.as_i64().is_some())
}

/// A list of `ImageGenerationInputImage`.
pub(super) fn input_images(value: Json<'_>) -> bool {
    value.is_array()
        && value.elements().all(|image| {
            has_strings(image, &["path", "sha256"])
                && image.str("path").is_some_and(|path| is_absolute(&path))
        })
}

/// A list of anything.
pub(super) fn list(value: Json<'_>) -> bool {
    value.is_array()
}

/// A string.
pub(super) fn string(value: Json<'_>) -> bool {
    is_string(value)
}

/// `true` or `false`.
pub(super) fn boolean(value: Json<'_>) -> bool {
    value.as_bool().is_some()
}

/// Whether a path is one in which clients of the protocol believe. A transcript may come from another system.
pub(super) fn is_absolute(path: &str) -> bool {
    let drive = |path: &str| {
        let mut chars = path.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.next() == Some(':')
            && matches!(chars.next(), Some('\\' | '/'))
    };
    Path::new(path).is_absolute()
        || path.starts_with('/')
        || drive(path)
        || path.starts_with("\\\\")
}
