//! The model view: what the model has in front of it.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::json::RawJson;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The harness, as system prompt.
    System,
    /// The harness, as developer message.
    Developer,
    /// The person, or what the harness sends in the person's place.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A call of a tool.
    ToolCall {
        /// The call's id.
        id: String,
        /// The tool.
        name: String,
        /// The arguments.
        arguments: RawJson,
    },
    /// The result of a call.
    ToolResult {
        /// The call's id; written as `toolCallId` too, so that it cannot be taken for the result's own.
        #[serde(flatten, serialize_with = "call_id")]
        id: String,
        /// A string or parts, as the harness sends them. Parts are followed by `text`, what is readable in them,
        /// so that nobody has to know how each harness spells its parts.
        #[serde(flatten, serialize_with = "content_and_text")]
        content: RawJson,
        /// Whether the tool failed.
        is_error: bool,
    },
    /// Reasoning.
    Reasoning {
        /// The readable part.
        text: String,
    },
    /// An image.
    Image {
        /// As the harness sends it.
        value: RawJson,
    },
    /// A document.
    Document {
        /// As the harness sends it.
        value: RawJson,
    },
    /// Sound.
    Audio {
        /// As the harness sends it.
        value: RawJson,
    },
    /// A summary that stands in for what came before, readable or not.
    Compaction {
        /// As the harness sends it.
        value: RawJson,
    },
    /// Anything else.
    Raw {
        /// As the harness sends it.
        value: RawJson,
    },
}

fn content_and_text<S: Serializer>(content: &RawJson, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("content", content)?;
    let value = content.get();
    if value.is_array() {
        let texts: Vec<_> = value.elements().filter_map(|part| part.str("text")).collect();
        map.serialize_entry("text", &texts.join("\n"))?;
    }
    map.end()
}

fn call_id<S: serde::Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("id", id), ("toolCallId", id)])
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// A message of the model view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The parts.
    pub content: Vec<Block>,
}

/// What the model has in front of it at the end of a branch, by the harness's own rules.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// The messages in the order in which they are sent.
    pub messages: Vec<Message>,
    /// How many compactions stand before the end.
    pub compactions: u64,
    /// How many turns of the display view are no longer there word for word.
    pub dropped_turns: u64,
}

#[cfg(test)]
mod tests {
    use super::Block;
    use crate::json::RawJson;

    fn shown(content: &str) -> String {
        let content = RawJson::parse(content).unwrap();
        serde_json::to_string(&Block::ToolResult { id: "c".into(), content, is_error: false })
            .unwrap()
    }

    #[test]
    fn parts_of_a_result_are_readable_beside_what_was_sent() {
        assert_eq!(
            shown(r#"[{"type":"text","text":"a\u00e9"},{"type":"image","data":"x"},{"text":"b"}]"#),
            r#"{"type":"toolResult","id":"c","toolCallId":"c","content":[{"type":"text","text":"a\u00e9"},{"type":"image","data":"x"},{"text":"b"}],"text":"aé\nb","isError":false}"#
        );
        assert_eq!(
            shown(r#""plain""#),
            r#"{"type":"toolResult","id":"c","toolCallId":"c","content":"plain","isError":false}"#
        );
    }
}
