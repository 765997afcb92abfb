//! The model's side: JSON messages of the prompt.

use std::borrow::Cow;
use std::collections::HashMap;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::Blobs;
use recount_formats::{Json, json};

use super::chat::Chat;
use crate::json::RawJson;
use crate::model::{Block, Message, Role};

/// The messages of a root, in order. Those that are missing or unreadable are left out; [`super::checks`] tells them.
pub(super) fn messages(chat: &Chat<'_>, root: &Wire<'_>) -> Vec<Message> {
    root.ids("root_prompt_messages_json")
        .filter_map(|id| {
            let bytes = chat.get(&id)?;
            message(parse(&bytes)?)
        })
        .collect()
}

/// A blob as a message of the prompt.
pub(super) fn parse(bytes: &[u8]) -> Option<Json<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    json::parse(text).ok().filter(|json| json.is_object())
}

fn message(json: Json<'_>) -> Option<Message> {
    let role = match &*json.str("role")? {
        "system" => Role::System,
        "developer" => Role::Developer,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return None,
    };
    let content = json.get("content").unwrap_or(Json::NULL);
    let content = match content.as_str() {
        Some(text) => vec![Block::text(text)],
        None => content.elements().map(|part| block(part, json)).collect(),
    };
    Some(Message { role, content })
}

fn block(part: Json<'_>, message: Json<'_>) -> Block {
    let text = |key: &str| part.str(key).unwrap_or_default().into_owned();
    match part.str("type").as_deref() {
        Some("text") => Block::Text { text: text("text") },
        Some("reasoning") => Block::Reasoning { text: text("text") },
        Some("tool-call") => Block::ToolCall {
            id: text("toolCallId"),
            name: text("toolName"),
            arguments: part.get("args").map_or_else(RawJson::null, RawJson::new),
        },
        Some("tool-result") => Block::ToolResult {
            id: text("toolCallId"),
            content: part.get("result").map_or_else(RawJson::null, RawJson::new),
            is_error: is_error(message),
        },
        Some("image") => Block::Image { value: RawJson::new(part) },
        Some("file") => Block::Document { value: RawJson::new(part) },
        _ => Block::Raw { value: RawJson::new(part) },
    }
}

fn is_error(message: Json<'_>) -> bool {
    message
        .at(&["providerOptions", "cursor", "highLevelToolCallResult", "isError"])
        .and_then(Json::as_bool)
        == Some(true)
}

/// Whether it is the summary of a compaction.
pub(super) fn is_summary(json: Json<'_>) -> bool {
    json.at(&["providerOptions", "cursor", "isSummary"]).and_then(Json::as_bool) == Some(true)
}

/// The request that a query belongs to.
pub(super) fn request_id(json: Json<'_>) -> Option<Cow<'_, str>> {
    json.at(&["providerOptions", "cursor", "requestId"])?.as_str()
}

/// All texts of a message, a line each.
pub(super) fn text_of(json: Json<'_>) -> String {
    let content = json.get("content").unwrap_or(Json::NULL);
    if let Some(text) = content.as_str() {
        return text.into_owned();
    }
    let texts: Vec<_> = content
        .elements()
        .filter(|part| part.str("type").as_deref() == Some("text"))
        .filter_map(|part| part.str("text"))
        .collect();
    texts.join("\n")
}

/// What a person typed: the text inside of `<user_query>`. Without such a tag the text stands for itself.
pub(super) fn query(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("<user_query>")?;
    let inner = rest.rsplit_once("</user_query>").map_or(rest, |(inner, _)| inner);
    Some(inner.trim_matches('\n'))
}

/// What the model's side tells of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct ModelCall {
    /// The name by which the model knows the tool.
    pub(super) name: Option<String>,
    /// The arguments as the model gave them.
    pub(super) arguments: Option<RawJson>,
    /// What the model was told.
    pub(super) result: Option<String>,
    /// Whether it was told of an error.
    pub(super) is_error: bool,
    /// The blobs of the call and of the result.
    pub(super) blobs: Vec<String>,
}

/// The calls on the model's side, by id.
#[derive(Debug, Default)]
pub(super) struct ModelCalls(HashMap<String, ModelCall>);

impl ModelCalls {
    /// Reads the messages of a root and those that compactions took out of it.
    pub(super) fn of(chat: &Chat<'_>, root: &Wire<'_>) -> Self {
        let mut calls = Self::default();
        for archive in archives(chat, root) {
            let bytes = chat.get(&archive);
            let bytes = bytes.as_deref().unwrap_or_default();
            for id in Wire::read("ConversationSummaryArchive", bytes).ids("summarized_messages") {
                calls.add(chat, &id);
            }
        }
        for id in root.ids("root_prompt_messages_json") {
            calls.add(chat, &id);
        }
        calls
    }

    fn add(&mut self, chat: &Chat<'_>, blob: &str) {
        let Some(bytes) = chat.get(blob) else { return };
        let Some(json) = parse(&bytes) else { return };
        self.add_message(json, blob);
    }

    /// Adds the calls and results of one message.
    pub(super) fn add_message(&mut self, json: Json<'_>, blob: &str) {
        for part in json.get("content").unwrap_or(Json::NULL).elements() {
            let Some(id) = part.str("toolCallId") else { continue };
            let is_call = part.str("type").as_deref() == Some("tool-call");
            let call = self.0.entry(id.into_owned()).or_default();
            if let Some(name) = part.str("toolName") {
                call.name = Some(name.into_owned());
            }
            if is_call {
                call.arguments = part.get("args").map(RawJson::new);
            } else {
                call.result = part.get("result").map(result_text);
                call.is_error = is_error(json);
            }
            if !blob.is_empty() && !call.blobs.iter().any(|b| b == blob) {
                call.blobs.push(blob.to_owned());
            }
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<&ModelCall> {
        self.0.get(id)
    }
}

/// A result as text: a string, the texts of an MCP result, else the JSON.
fn result_text(result: Json<'_>) -> String {
    if let Some(text) = result.as_str() {
        return text.into_owned();
    }
    let content = result.get("content").unwrap_or(Json::NULL);
    let texts: Vec<_> = content.elements().filter_map(|part| part.str("text")).collect();
    if texts.is_empty() { result.raw().to_owned() } else { texts.join("\n") }
}

/// The ids of a root's summary archives, oldest first. Roots of old builds have a single one in a field of its own.
pub(super) fn archives(chat: &Chat<'_>, root: &Wire<'_>) -> Vec<String> {
    let ids: Vec<String> = root.ids("summary_archives").filter(|id| chat.has(id)).collect();
    if ids.is_empty() {
        return root.id("summary_archive").filter(|id| chat.has(id)).into_iter().collect();
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_what_stands_in_its_tag() {
        assert_eq!(query("<user_query>\nWhy?\n</user_query>"), Some("Why?"));
        assert_eq!(
            query("<timestamp>now</timestamp>\n<user_query>\nA <user_query> in it\n</user_query>"),
            Some("A <user_query> in it")
        );
        assert_eq!(query("<user_query>\ncut"), Some("cut"));
        assert_eq!(query("plain"), None);
    }

    fn shown(json: &str) -> String {
        let json = json::parse(json).unwrap();
        serde_json::to_string(&message(json).unwrap()).unwrap()
    }

    #[test]
    fn parts_become_blocks() {
        assert_eq!(
            shown(
                r#"{"role":"assistant","id":"1","content":[{"type":"redacted-reasoning","data":"x"},{"type":"reasoning","text":"r"},{"type":"text","text":"t"},{"type":"tool-call","toolCallId":"c","toolName":null,"args":{"b":1,"a":2}},{"type":"odd","n":1e400}]}"#
            ),
            r#"{"role":"assistant","content":[{"type":"raw","value":{"type":"redacted-reasoning","data":"x"}},{"type":"reasoning","text":"r"},{"type":"text","text":"t"},{"type":"toolCall","id":"c","name":"","arguments":{"b":1,"a":2}},{"type":"raw","value":{"type":"odd","n":1e400}}]}"#
        );
        let result = r#"{"role":"tool","id":"c","content":[{"type":"tool-result","toolCallId":"c","toolName":"X","result":42}],"providerOptions":{"cursor":{"highLevelToolCallResult":{"output":{"failure":{}},"isError":true}}}}"#;
        let message = message(json::parse(result).unwrap()).unwrap();
        assert_eq!(message.role, Role::Tool);
        let content = RawJson::of(&serde_json::json!(42));
        assert_eq!(
            message.content,
            [Block::ToolResult { id: "c".into(), content, is_error: true }]
        );
    }

    #[test]
    fn calls_and_results_are_joined() {
        let mut calls = ModelCalls::default();
        let parse = |text| json::parse(text).unwrap();
        calls.add_message(
            parse(r#"{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"Read","args":{"path":"a"}}]}"#),
            "b1",
        );
        calls.add_message(
            parse(r#"{"role":"tool","id":"c","content":[{"type":"tool-result","toolCallId":"c","toolName":"Read","result":{"content":[{"type":"text","text":"A"}]}}]}"#),
            "b2",
        );
        let call = calls.get("c").unwrap();
        assert_eq!(call.name.as_deref(), Some("Read"));
        assert_eq!(call.result.as_deref(), Some("A"));
        assert_eq!(call.blobs, ["b1", "b2"]);
    }
}
