// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Claude Code: system.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `system / turn_duration`: The end of a turn, with the time it took and how many messages the conversation then had.
    SystemTurnDuration {
        duration_ms: f64 = "durationMs",
        message_count: i64 = "messageCount",
        pending_background_agent_count: i64 = "pendingBackgroundAgentCount",
        subtype: Text<'a> = "subtype",
    }

    /// `system / stop_hook_summary`: What the `Stop` or `SubagentStop` hooks did when a turn was about to end.
    SystemStopHookSummary {
        has_output: bool = "hasOutput",
        hook_additional_context: List<'a, Json<'a>> = "hookAdditionalContext",
        hook_count: i64 = "hookCount",
        hook_errors: List<'a, Json<'a>> = "hookErrors",
        hook_infos: List<'a, SystemStopHookSummaryHookInfosElement<'a>> = "hookInfos",
        level: Text<'a> = "level",
        prevented_continuation: bool = "preventedContinuation",
        stop_reason: Text<'a> = "stopReason",
        subtype: Text<'a> = "subtype",
        tool_use_id: Text<'a> = "toolUseID",
    }

    /// A part of the record above.
    SystemStopHookSummaryHookInfosElement {
        command: Text<'a> = "command",
        duration_ms: f64 = "durationMs",
    }

    /// `system / away_summary`: A short account of what happened while nobody was looking, shown to a person who comes back.
    SystemAwaySummary {
        content: Text<'a> = "content",
        subtype: Text<'a> = "subtype",
        level: Text<'a> = "level",
    }

    /// `system / compact_boundary`: The place where the conversation was compacted: for the model, the summary in the next user line takes the place of what stood before, apart from the kept messages.
    SystemCompactBoundary {
        compact_metadata: SystemCompactBoundaryCompactMetadata<'a> = "compactMetadata",
        content: Text<'a> = "content",
        level: Text<'a> = "level",
        subtype: Text<'a> = "subtype",
    }

    /// A part of the record above.
    SystemCompactBoundaryCompactMetadata {
        cumulative_dropped_tokens: i64 = "cumulativeDroppedTokens",
        duration_ms: f64 = "durationMs",
        post_tokens: i64 = "postTokens",
        pre_compact_artifact_read_versions: List<'a, Json<'a>> = "preCompactArtifactReadVersions",
        pre_compact_discovered_tools: List<'a, Json<'a>> = "preCompactDiscoveredTools",
        pre_tokens: i64 = "preTokens",
        preserved_messages: SystemCompactBoundaryCompactMetadataPreservedMessages<'a> = "preservedMessages",
        preserved_segment: SystemCompactBoundaryCompactMetadataPreservedSegment<'a> = "preservedSegment",
        trigger: Text<'a> = "trigger",
        pre_compact_organizations_cover_start: bool = "preCompactOrganizationsCoverStart",
    }

    /// A part of the record above.
    SystemCompactBoundaryCompactMetadataPreservedMessages {
        all_uuids: List<'a, Text<'a>> = "allUuids",
        anchor_uuid: Text<'a> = "anchorUuid",
        uuids: List<'a, Text<'a>> = "uuids",
    }

    /// A part of the record above.
    SystemCompactBoundaryCompactMetadataPreservedSegment {
        anchor_uuid: Text<'a> = "anchorUuid",
        head_uuid: Text<'a> = "headUuid",
        tail_uuid: Text<'a> = "tailUuid",
    }

    /// `system / local_command`: A slash command that ran here without the model, such as `/model`, `/cost` or `/branch`, or what it printed.
    SystemLocalCommand {
        command_run: SystemLocalCommandCommandRun<'a> = "commandRun",
        content: Text<'a> = "content",
        level: Text<'a> = "level",
        subtype: Text<'a> = "subtype",
    }

    /// A part of the record above.
    SystemLocalCommandCommandRun {
        args: Text<'a> = "args",
        command: Text<'a> = "command",
    }

    /// `system / informational`: A notice to the person in the conversation.
    SystemInformational {
        content: Text<'a> = "content",
        level: Text<'a> = "level",
        subtype: Text<'a> = "subtype",
        prevent_continuation: bool = "preventContinuation",
        prompt_submit_ending: SystemInformationalPromptSubmitEnding<'a> = "promptSubmitEnding",
    }

    /// A part of the record above.
    SystemInformationalPromptSubmitEnding {
        ending: SystemInformationalPromptSubmitEndingEnding<'a> = "ending",
        prompt_kept: bool = "promptKept",
    }

    /// A part of the record above.
    SystemInformationalPromptSubmitEndingEnding {
        kind: Text<'a> = "kind",
        reason: Text<'a> = "reason",
    }

    /// `system / api_error`: A request to the API failed and is tried again.
    SystemApiError {
        content: Text<'a> = "content",
        level: Text<'a> = "level",
        error: SystemApiErrorError<'a> = "error",
        retry_in_ms: f64 = "retryInMs",
        retry_attempt: i64 = "retryAttempt",
        max_retries: i64 = "maxRetries",
        source: Text<'a> = "source",
    }

    /// A part of the record above.
    SystemApiErrorError {
        message: Text<'a> = "message",
        status: i64 = "status",
        request_id: Text<'a> = "requestId",
        formatted: Text<'a> = "formatted",
        connection: Json<'a> = "connection",
        is_network_down: bool = "isNetworkDown",
        rate_limits: Json<'a> = "rateLimits",
        no_response: Json<'a> = "noResponse",
    }

    /// Several record types that have the same fields.
    SystemPlain {
        content: Text<'a> = "content",
        level: Text<'a> = "level",
    }
}
