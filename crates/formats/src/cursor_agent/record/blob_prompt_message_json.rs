// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of cursor-agent: blob prompt message json.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `blob: prompt message JSON / role=system`: The system prompt.
    BlobPromptMessageJSONSystem {
        role: Text<'a> = "role",
        content: Text<'a> = "content",
    }

    /// `blob: prompt message JSON / role=user`: What is sent in the person's name: the query inside `<user_query>`, or context that the program puts in (`<user_info>`, reminders, notifications, times).
    BlobPromptMessageJSONUser {
        role: Text<'a> = "role",
        content: Json<'a> = "content",
        provider_options: BlobPromptMessageJSONUserProviderOptions<'a> = "providerOptions",
    }

    /// A part of the record above.
    BlobPromptMessageJSONUserProviderOptions {
        cursor: BlobPromptMessageJSONUserProviderOptionsCursor<'a> = "cursor",
    }

    /// A part of the record above.
    BlobPromptMessageJSONUserProviderOptionsCursor {
        request_id: Text<'a> = "requestId",
        request_context_completeness: Json<'a> = "requestContextCompleteness",
        is_summary: bool = "isSummary",
    }

    /// `blob: prompt message JSON / role=assistant`: One answer of the model: reasoning, text, calls.
    BlobPromptMessageJSONAssistant {
        role: Text<'a> = "role",
        id: Text<'a> = "id",
        content: List<'a, Json<'a>> = "content",
        provider_options: BlobPromptMessageJSONAssistantProviderOptions<'a> = "providerOptions",
    }

    /// A part of the record above.
    BlobPromptMessageJSONAssistantProviderOptions {
        cursor: BlobPromptMessageJSONAssistantProviderOptionsCursor<'a> = "cursor",
    }

    /// A part of the record above.
    BlobPromptMessageJSONAssistantProviderOptionsCursor {
        pending_tool_call_started_at_ms: f64 = "pendingToolCallStartedAtMs",
    }

    /// `blob: prompt message JSON / role=tool`: The result of one call, as the model gets it, and once more as data.
    BlobPromptMessageJSONTool {
        role: Text<'a> = "role",
        id: Text<'a> = "id",
        content: List<'a, Json<'a>> = "content",
        provider_options: BlobPromptMessageJSONToolProviderOptions<'a> = "providerOptions",
    }

    /// A part of the record above.
    BlobPromptMessageJSONToolProviderOptions {
        cursor: BlobPromptMessageJSONToolProviderOptionsCursor<'a> = "cursor",
    }

    /// A part of the record above.
    BlobPromptMessageJSONToolProviderOptionsCursor {
        high_level_tool_call_result: BlobPromptMessageJSONToolProviderOptionsCursorHighLevelToolCallResult<'a> = "highLevelToolCallResult",
    }

    /// A part of the record above.
    BlobPromptMessageJSONToolProviderOptionsCursorHighLevelToolCallResult {
        output: Json<'a> = "output",
        is_error: bool = "isError",
        raw_error_messages: List<'a, Text<'a>> = "rawErrorMessages",
    }
}
