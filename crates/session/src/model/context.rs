//! The model view: what the model has in front of it.

use serde::Serialize;

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
        /// The call's id.
        id: String,
        /// A string or parts, as the harness sends them.
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
