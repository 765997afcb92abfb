// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of pi: message.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `message / system`: The instructions and tools that the model works with, or what has changed in them.
    MessageSystem {
        message: MessageSystemMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageSystemMessage {
        role: Text<'a> = "role",
        content: Json<'a> = "content",
        sections: Json<'a> = "sections",
        tools_added: List<'a, MessageSystemMessageToolsAddedElement<'a>> = "toolsAdded",
        tools_removed: List<'a, MessageSystemMessageToolsRemovedElement<'a>> = "toolsRemoved",
        timestamp: i64 = "timestamp",
    }

    /// A part of the record above.
    MessageSystemMessageToolsAddedElement {
        name: Text<'a> = "name",
        description: Text<'a> = "description",
        parameters: Json<'a> = "parameters",
        constrained_sampling: Json<'a> = "constrainedSampling",
    }

    /// A part of the record above.
    MessageSystemMessageToolsRemovedElement {
        name: Text<'a> = "name",
    }

    /// `message / user`: Something the person said: a prompt, or text sent after it while the model was at work.
    MessageUser {
        message: MessageUserMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageUserMessage {
        role: Text<'a> = "role",
        content: Json<'a> = "content",
        timestamp: i64 = "timestamp",
    }

    /// `message / assistant`: One response of the model: thinking, text and tool calls, with the model, the bill and the reason why it stopped.
    MessageAssistant {
        message: MessageAssistantMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageAssistantMessage {
        role: Text<'a> = "role",
        content: List<'a, Json<'a>> = "content",
        api: Text<'a> = "api",
        provider: Text<'a> = "provider",
        model: Text<'a> = "model",
        response_model: Text<'a> = "responseModel",
        response_id: Text<'a> = "responseId",
        provider_thinking_level: Text<'a> = "providerThinkingLevel",
        thinking_level: Text<'a> = "thinkingLevel",
        diagnostics: List<'a, MessageAssistantMessageDiagnosticsElement<'a>> = "diagnostics",
        usage: MessageAssistantMessageUsage<'a> = "usage",
        stop_reason: Text<'a> = "stopReason",
        deferred: MessageAssistantMessageDeferred<'a> = "deferred",
        error_message: Text<'a> = "errorMessage",
        raw_stop_reason: Text<'a> = "rawStopReason",
        end_turn: bool = "endTurn",
        timestamp: i64 = "timestamp",
        duration_ms: f64 = "durationMs",
    }

    /// A part of the record above.
    MessageAssistantMessageDiagnosticsElement {
        type_: Text<'a> = "type",
        timestamp: i64 = "timestamp",
        error: MessageAssistantMessageDiagnosticsElementError<'a> = "error",
        details: Json<'a> = "details",
    }

    /// A part of the record above.
    MessageAssistantMessageDiagnosticsElementError {
        name: Text<'a> = "name",
        message: Text<'a> = "message",
        stack: Text<'a> = "stack",
        code: Json<'a> = "code",
    }

    /// A part of the record above.
    MessageAssistantMessageUsage {
        input: i64 = "input",
        output: i64 = "output",
        cache_read: i64 = "cacheRead",
        cache_write: i64 = "cacheWrite",
        cache_write1h: i64 = "cacheWrite1h",
        reasoning: i64 = "reasoning",
        total_tokens: i64 = "totalTokens",
        cost: MessageAssistantMessageUsageCost<'a> = "cost",
    }

    /// A part of the record above.
    MessageAssistantMessageUsageCost {
        input: f64 = "input",
        output: f64 = "output",
        cache_read: f64 = "cacheRead",
        cache_write: f64 = "cacheWrite",
        total: f64 = "total",
        total_from_provider: bool = "totalFromProvider",
    }

    /// A part of the record above.
    MessageAssistantMessageDeferred {
        provider: Text<'a> = "provider",
        model_id: Text<'a> = "modelId",
        api: Text<'a> = "api",
        id: Text<'a> = "id",
        expires_at: Json<'a> = "expiresAt",
        poll_after_ms: f64 = "pollAfterMs",
        data: Json<'a> = "data",
    }

    /// `message / toolResult`: What a tool answered.
    MessageToolResult {
        message: MessageToolResultMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageToolResultMessage {
        role: Text<'a> = "role",
        tool_call_id: Text<'a> = "toolCallId",
        tool_name: Text<'a> = "toolName",
        content: List<'a, Json<'a>> = "content",
        details: MessageToolResultMessageDetails<'a> = "details",
        usage: MessageToolResultMessageUsage<'a> = "usage",
        nested_calls: MessageToolResultMessageNestedCalls<'a> = "nestedCalls",
        is_error: bool = "isError",
        timestamp: i64 = "timestamp",
        duration_ms: f64 = "durationMs",
    }

    /// A part of the record above.
    MessageToolResultMessageDetails {
        diff: Text<'a> = "diff",
        patch: Text<'a> = "patch",
        first_changed_line: i64 = "firstChangedLine",
        truncation: Json<'a> = "truncation",
        full_output_path: Text<'a> = "fullOutputPath",
        entry_limit_reached: Json<'a> = "entryLimitReached",
        result_limit_reached: Json<'a> = "resultLimitReached",
        match_limit_reached: Json<'a> = "matchLimitReached",
        lines_truncated: Json<'a> = "linesTruncated",
    }

    /// A part of the record above.
    MessageToolResultMessageUsage {
        input: i64 = "input",
        output: i64 = "output",
        cache_read: i64 = "cacheRead",
        cache_write: i64 = "cacheWrite",
        cache_write1h: i64 = "cacheWrite1h",
        reasoning: i64 = "reasoning",
        total_tokens: i64 = "totalTokens",
        cost: MessageToolResultMessageUsageCost<'a> = "cost",
    }

    /// A part of the record above.
    MessageToolResultMessageUsageCost {
        input: f64 = "input",
        output: f64 = "output",
        cache_read: f64 = "cacheRead",
        cache_write: f64 = "cacheWrite",
        total: f64 = "total",
        total_from_provider: bool = "totalFromProvider",
    }

    /// A part of the record above.
    MessageToolResultMessageNestedCalls {
        calls: List<'a, MessageToolResultMessageNestedCallsCallsElement<'a>> = "calls",
        complete: bool = "complete",
    }

    /// A part of the record above.
    MessageToolResultMessageNestedCallsCallsElement {
        id: Text<'a> = "id",
        name: Text<'a> = "name",
        arguments: Json<'a> = "arguments",
        arguments_bytes: i64 = "argumentsBytes",
        status: Text<'a> = "status",
        duration_ms: f64 = "durationMs",
        error: Text<'a> = "error",
    }

    /// `message / bashExecution`: A shell command that the person ran with `!` or `!!`, and what it printed.
    MessageBashExecution {
        message: MessageBashExecutionMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageBashExecutionMessage {
        role: Text<'a> = "role",
        command: Text<'a> = "command",
        output: Text<'a> = "output",
        exit_code: i64 = "exitCode",
        cancelled: bool = "cancelled",
        truncated: bool = "truncated",
        full_output_path: Text<'a> = "fullOutputPath",
        exclude_from_context: bool = "excludeFromContext",
        timestamp: i64 = "timestamp",
    }

    /// `message / custom`: A message of an extension in a place where it is rarely found; normally it is a `custom_message`.
    MessageCustom {
        message: MessageCustomMessage<'a> = "message",
    }

    /// A part of the record above.
    MessageCustomMessage {
        role: Text<'a> = "role",
        custom_type: Text<'a> = "customType",
        content: Json<'a> = "content",
        display: bool = "display",
        details: Json<'a> = "details",
        timestamp: i64 = "timestamp",
    }
}
