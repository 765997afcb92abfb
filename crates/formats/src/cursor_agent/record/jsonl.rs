// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of cursor-agent: jsonl.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `jsonl / role=user`: A prompt in the copy.
    JsonlUser {
        role: Text<'a> = "role",
        message: JsonlUserMessage<'a> = "message",
    }

    /// A part of the record above.
    JsonlUserMessage {
        content: List<'a, Json<'a>> = "content",
    }

    /// `jsonl / role=assistant`: An answer in the copy: its text, then its calls.
    JsonlAssistant {
        role: Text<'a> = "role",
        message: JsonlAssistantMessage<'a> = "message",
    }

    /// A part of the record above.
    JsonlAssistantMessage {
        content: List<'a, Json<'a>> = "content",
    }

    /// `jsonl / type=turn_ended`: A turn ended, and how.
    JsonlTypeTurnEnded {
        type_: Text<'a> = "type",
        status: Text<'a> = "status",
        error: Text<'a> = "error",
    }

    /// `jsonl / type=metadata`: An overview of the transcript, as its first line.
    JsonlTypeMetadata {
        type_: Text<'a> = "type",
        metadata: JsonlTypeMetadataMetadata<'a> = "metadata",
    }

    /// A part of the record above.
    JsonlTypeMetadataMetadata {
        overview: Text<'a> = "overview",
    }
}
