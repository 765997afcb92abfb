// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: event msg.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `event_msg / task_started`: A turn begins.
    EventTaskStarted {
        turn_id: Text<'a> = "turn_id",
        root_turn_id: Text<'a> = "root_turn_id",
        turn_attribution: EventTaskStartedTurnAttribution<'a> = "turn_attribution",
        trace_id: Text<'a> = "trace_id",
        started_at: i64 = "started_at",
        model_context_window: i64 = "model_context_window",
        collaboration_mode_kind: Text<'a> = "collaboration_mode_kind",
    }

    /// A part of the record above.
    EventTaskStartedTurnAttribution {
        turn_id: Text<'a> = "turn_id",
        turn_trigger: Text<'a> = "turn_trigger",
        parent_turn_id: Text<'a> = "parent_turn_id",
        initiating_agent_path: Text<'a> = "initiating_agent_path",
        root_turn_id: Text<'a> = "root_turn_id",
    }

    /// `event_msg / task_complete`: A turn is over, by itself or by an error that ended it.
    EventTaskComplete {
        turn_id: Text<'a> = "turn_id",
        root_turn_id: Text<'a> = "root_turn_id",
        last_agent_message: Text<'a> = "last_agent_message",
        error: EventTaskCompleteError<'a> = "error",
        started_at: i64 = "started_at",
        completed_at: i64 = "completed_at",
        duration_ms: i64 = "duration_ms",
        time_to_first_token_ms: i64 = "time_to_first_token_ms",
    }

    /// A part of the record above.
    EventTaskCompleteError {
        message: Text<'a> = "message",
        codex_error_info: Json<'a> = "codex_error_info",
    }

    /// `event_msg / turn_aborted`: A turn was cut off: by the user, by the next one, by the end of a review, or by a budget.
    EventTurnAborted {
        turn_id: Text<'a> = "turn_id",
        root_turn_id: Text<'a> = "root_turn_id",
        reason: Text<'a> = "reason",
        error: Json<'a> = "error",
        started_at: i64 = "started_at",
        completed_at: i64 = "completed_at",
        duration_ms: i64 = "duration_ms",
    }

    /// `event_msg / token_count`: Usage so far and of the newest answer, with the state of the plan's limits.
    EventTokenCount {
        info: EventTokenCountInfo<'a> = "info",
        rate_limits: EventTokenCountRateLimits<'a> = "rate_limits",
    }

    /// A part of the record above.
    EventTokenCountInfo {
        total_token_usage: EventTokenCountInfoTotalTokenUsage<'a> = "total_token_usage",
        last_token_usage: EventTokenCountInfoLastTokenUsage<'a> = "last_token_usage",
        model_context_window: i64 = "model_context_window",
        last_usage_includes_reasoning: bool = "last_usage_includes_reasoning",
    }

    /// A part of the record above.
    EventTokenCountInfoTotalTokenUsage {
        input_tokens: i64 = "input_tokens",
        cached_input_tokens: i64 = "cached_input_tokens",
        cache_write_input_tokens: i64 = "cache_write_input_tokens",
        output_tokens: i64 = "output_tokens",
        reasoning_output_tokens: i64 = "reasoning_output_tokens",
        total_tokens: i64 = "total_tokens",
    }

    /// A part of the record above.
    EventTokenCountInfoLastTokenUsage {
        input_tokens: i64 = "input_tokens",
        cached_input_tokens: i64 = "cached_input_tokens",
        cache_write_input_tokens: i64 = "cache_write_input_tokens",
        output_tokens: i64 = "output_tokens",
        reasoning_output_tokens: i64 = "reasoning_output_tokens",
        total_tokens: i64 = "total_tokens",
    }

    /// A part of the record above.
    EventTokenCountRateLimits {
        limit_id: Text<'a> = "limit_id",
        limit_name: Text<'a> = "limit_name",
        normal_model_slug: Text<'a> = "normal_model_slug",
        primary: EventTokenCountRateLimitsPrimary<'a> = "primary",
        secondary: EventTokenCountRateLimitsSecondary<'a> = "secondary",
        credits: EventTokenCountRateLimitsCredits<'a> = "credits",
        individual_limit: Json<'a> = "individual_limit",
        spend_control_reached: bool = "spend_control_reached",
        plan_type: Text<'a> = "plan_type",
        rate_limit_reached_type: Text<'a> = "rate_limit_reached_type",
    }

    /// A part of the record above.
    EventTokenCountRateLimitsPrimary {
        used_percent: f64 = "used_percent",
        window_minutes: i64 = "window_minutes",
        resets_at: i64 = "resets_at",
        resets_in_seconds: i64 = "resets_in_seconds",
    }

    /// A part of the record above.
    EventTokenCountRateLimitsSecondary {
        used_percent: f64 = "used_percent",
        window_minutes: i64 = "window_minutes",
        resets_at: i64 = "resets_at",
        resets_in_seconds: i64 = "resets_in_seconds",
    }

    /// A part of the record above.
    EventTokenCountRateLimitsCredits {
        has_credits: bool = "has_credits",
        unlimited: bool = "unlimited",
        balance: Text<'a> = "balance",
    }

    /// `event_msg / thread_settings_applied`: The thread's settings as they now are.
    EventThreadSettingsApplied {
        thread_id: Text<'a> = "thread_id",
        thread_settings: EventThreadSettingsAppliedThreadSettings<'a> = "thread_settings",
    }

    /// A part of the record above.
    EventThreadSettingsAppliedThreadSettings {
        model: Text<'a> = "model",
        model_provider_id: Text<'a> = "model_provider_id",
        service_tier: Text<'a> = "service_tier",
        approval_policy: Json<'a> = "approval_policy",
        approvals_reviewer: Text<'a> = "approvals_reviewer",
        requested_approvals_reviewer: Text<'a> = "requested_approvals_reviewer",
        permission_profile: Json<'a> = "permission_profile",
        active_permission_profile: Json<'a> = "active_permission_profile",
        cwd: Text<'a> = "cwd",
        runtime_workspace_roots: List<'a, Text<'a>> = "runtime_workspace_roots",
        reasoning_effort: Text<'a> = "reasoning_effort",
        reasoning_summary: Text<'a> = "reasoning_summary",
        personality: Text<'a> = "personality",
        collaboration_mode: EventThreadSettingsAppliedThreadSettingsCollaborationMode<'a> = "collaboration_mode",
        disabled_plugin_ids: List<'a, Text<'a>> = "disabled_plugin_ids",
    }

    /// A part of the record above.
    EventThreadSettingsAppliedThreadSettingsCollaborationMode {
        mode: Text<'a> = "mode",
        settings: EventThreadSettingsAppliedThreadSettingsCollaborationModeSettings<'a> = "settings",
    }

    /// A part of the record above.
    EventThreadSettingsAppliedThreadSettingsCollaborationModeSettings {
        model: Text<'a> = "model",
        reasoning_effort: Text<'a> = "reasoning_effort",
        developer_instructions: Text<'a> = "developer_instructions",
    }

    /// `event_msg / thread_goal_updated`: The goal of the thread is set, or its state or budget moved.
    EventThreadGoalUpdated {
        thread_id: Text<'a> = "threadId",
        turn_id: Text<'a> = "turnId",
        goal: EventThreadGoalUpdatedGoal<'a> = "goal",
    }

    /// A part of the record above.
    EventThreadGoalUpdatedGoal {
        thread_id: Text<'a> = "threadId",
        objective: Text<'a> = "objective",
        status: Text<'a> = "status",
        token_budget: i64 = "tokenBudget",
        tokens_used: i64 = "tokensUsed",
        time_used_seconds: i64 = "timeUsedSeconds",
        created_at: i64 = "createdAt",
        updated_at: i64 = "updatedAt",
    }

    /// `event_msg / thread_rolled_back`: Rewind: the newest N turns no longer count.
    EventThreadRolledBack {
        num_turns: i64 = "num_turns",
    }

    /// `event_msg / user_message`: What the user sent, as the screen shows it.
    EventUserMessage {
        message: Text<'a> = "message",
        client_id: Text<'a> = "client_id",
        images: List<'a, Text<'a>> = "images",
        image_details: List<'a, Json<'a>> = "image_details",
        file_ids: List<'a, Text<'a>> = "file_ids",
        file_id_details: List<'a, Json<'a>> = "file_id_details",
        image_order: List<'a, Json<'a>> = "image_order",
        local_images: List<'a, Text<'a>> = "local_images",
        local_image_details: List<'a, Json<'a>> = "local_image_details",
        audio: List<'a, Text<'a>> = "audio",
        local_audio: List<'a, Text<'a>> = "local_audio",
        text_elements: List<'a, EventUserMessageTextElementsElement<'a>> = "text_elements",
    }

    /// A part of the record above.
    EventUserMessageTextElementsElement {
        byte_range: EventUserMessageTextElementsElementByteRange<'a> = "byte_range",
        placeholder: Text<'a> = "placeholder",
    }

    /// A part of the record above.
    EventUserMessageTextElementsElementByteRange {
        start: i64 = "start",
        end: i64 = "end",
    }

    /// `event_msg / agent_message`: What the assistant said, as the screen shows it.
    EventAgentMessage {
        message: Text<'a> = "message",
        phase: Text<'a> = "phase",
        memory_citation: Json<'a> = "memory_citation",
        delivery: Text<'a> = "delivery",
        questions: List<'a, EventAgentMessageQuestionsElement<'a>> = "questions",
    }

    /// A part of the record above.
    EventAgentMessageQuestionsElement {
        title: Text<'a> = "title",
        options: List<'a, Json<'a>> = "options",
    }

    /// `event_msg / agent_reasoning`: A summary of reasoning, as the screen shows it.
    EventAgentReasoning {
        text: Text<'a> = "text",
    }

    /// `event_msg / agent_reasoning_raw_content`: Reasoning itself, as the screen shows it.
    EventAgentReasoningRawContent {
        text: Text<'a> = "text",
    }

    /// `event_msg / entered_review_mode`: A `/review` begins.
    EventEnteredReviewMode {
        target: EventEnteredReviewModeTarget<'a> = "target",
        user_facing_hint: Text<'a> = "user_facing_hint",
        turn_id: Text<'a> = "turn_id",
        item_id: Text<'a> = "item_id",
    }

    /// A part of the record above.
    EventEnteredReviewModeTarget {
        type_: Text<'a> = "type",
        branch: Text<'a> = "branch",
        sha: Text<'a> = "sha",
        title: Text<'a> = "title",
        instructions: Text<'a> = "instructions",
    }

    /// `event_msg / exited_review_mode`: A review is over; here are its findings.
    EventExitedReviewMode {
        turn_id: Text<'a> = "turn_id",
        item_id: Text<'a> = "item_id",
        review_output: EventExitedReviewModeReviewOutput<'a> = "review_output",
    }

    /// A part of the record above.
    EventExitedReviewModeReviewOutput {
        findings: List<'a, EventExitedReviewModeReviewOutputFindingsElement<'a>> = "findings",
        overall_correctness: Text<'a> = "overall_correctness",
        overall_explanation: Text<'a> = "overall_explanation",
        overall_confidence_score: f64 = "overall_confidence_score",
    }

    /// A part of the record above.
    EventExitedReviewModeReviewOutputFindingsElement {
        title: Text<'a> = "title",
        body: Text<'a> = "body",
        confidence_score: f64 = "confidence_score",
        priority: i64 = "priority",
        code_location: EventExitedReviewModeReviewOutputFindingsElementCodeLocation<'a> = "code_location",
    }

    /// A part of the record above.
    EventExitedReviewModeReviewOutputFindingsElementCodeLocation {
        absolute_file_path: Text<'a> = "absolute_file_path",
        line_range: EventExitedReviewModeReviewOutputFindingsElementCodeLocationLineRange<'a> = "line_range",
    }

    /// A part of the record above.
    EventExitedReviewModeReviewOutputFindingsElementCodeLocationLineRange {
        start: i64 = "start",
        end: i64 = "end",
    }

    /// `event_msg / patch_apply_end`: A patch was applied, or was not.
    EventPatchApplyEnd {
        call_id: Text<'a> = "call_id",
        turn_id: Text<'a> = "turn_id",
        stdout: Text<'a> = "stdout",
        stderr: Text<'a> = "stderr",
        success: bool = "success",
        changes: Json<'a> = "changes",
        status: Text<'a> = "status",
    }

    /// `event_msg / context_compacted`: A mark for the screen: the context was compacted here.
    EventContextCompacted {
        type_: Text<'a> = "type",
    }

    /// `event_msg / mcp_tool_call_end`: A call of an MCP tool, with what it gave back.
    EventMcpToolCallEnd {
        call_id: Text<'a> = "call_id",
        turn_id: Text<'a> = "turn_id",
        invocation: EventMcpToolCallEndInvocation<'a> = "invocation",
        connector_id: Text<'a> = "connector_id",
        mcp_app_resource_uri: Text<'a> = "mcp_app_resource_uri",
        mcp_app_ui: EventMcpToolCallEndMcpAppUi<'a> = "mcp_app_ui",
        link_id: Text<'a> = "link_id",
        app_name: Text<'a> = "app_name",
        action_name: Text<'a> = "action_name",
        plugin_id: Text<'a> = "plugin_id",
        read_only_hint: bool = "read_only_hint",
        duration: EventMcpToolCallEndDuration<'a> = "duration",
        result: EventMcpToolCallEndResult<'a> = "result",
    }

    /// A part of the record above.
    EventMcpToolCallEndInvocation {
        server: Text<'a> = "server",
        tool: Text<'a> = "tool",
        arguments: Json<'a> = "arguments",
    }

    /// A part of the record above.
    EventMcpToolCallEndMcpAppUi {
        resource_uri: Text<'a> = "resourceUri",
        preferred_model_display_mode: Text<'a> = "preferredModelDisplayMode",
    }

    /// A part of the record above.
    EventMcpToolCallEndDuration {
        secs: i64 = "secs",
        nanos: i64 = "nanos",
    }

    /// A part of the record above.
    EventMcpToolCallEndResult {
        ok: EventMcpToolCallEndResultOk<'a> = "Ok",
        err: Text<'a> = "Err",
    }

    /// A part of the record above.
    EventMcpToolCallEndResultOk {
        content: List<'a, Json<'a>> = "content",
        structured_content: Json<'a> = "structuredContent",
        is_error: bool = "isError",
        meta: Json<'a> = "_meta",
    }

    /// `event_msg / web_search_end`: A search of the web, or a look into a page.
    EventWebSearchEnd {
        call_id: Text<'a> = "call_id",
        query: Text<'a> = "query",
        action: EventWebSearchEndAction<'a> = "action",
        results: List<'a, Json<'a>> = "results",
    }

    /// A part of the record above.
    EventWebSearchEndAction {
        type_: Text<'a> = "type",
        query: Text<'a> = "query",
        queries: List<'a, Text<'a>> = "queries",
        url: Text<'a> = "url",
        pattern: Text<'a> = "pattern",
    }

    /// `event_msg / image_generation_end`: A picture was made, or could not be.
    EventImageGenerationEnd {
        call_id: Text<'a> = "call_id",
        status: Text<'a> = "status",
        revised_prompt: Text<'a> = "revised_prompt",
        result: Text<'a> = "result",
        file_id: Text<'a> = "fileId",
        transparent_background: bool = "transparent_background",
        failure: EventImageGenerationEndFailure<'a> = "failure",
        saved_path: Text<'a> = "saved_path",
        input_images: List<'a, EventImageGenerationEndInputImagesElement<'a>> = "input_images",
    }

    /// A part of the record above.
    EventImageGenerationEndFailure {
        type_: Text<'a> = "type",
        limit_id: Text<'a> = "limitId",
        resets_at: i64 = "resetsAt",
    }

    /// A part of the record above.
    EventImageGenerationEndInputImagesElement {
        path: Text<'a> = "path",
        sha256: Text<'a> = "sha256",
    }

    /// `event_msg / sub_agent_activity`: A sub-agent was started, spoken to, or stopped.
    EventSubAgentActivity {
        model: Text<'a> = "model",
        reasoning_effort: Text<'a> = "reasoning_effort",
        event_id: Text<'a> = "event_id",
        occurred_at_ms: i64 = "occurred_at_ms",
        agent_thread_id: Text<'a> = "agent_thread_id",
        agent_path: Text<'a> = "agent_path",
        kind: Text<'a> = "kind",
    }

    /// `event_msg / exec_command_end`: A command has ended.
    EventExecCommandEnd {
        call_id: Text<'a> = "call_id",
        process_id: Text<'a> = "process_id",
        turn_id: Text<'a> = "turn_id",
        command: List<'a, Text<'a>> = "command",
        cwd: Text<'a> = "cwd",
        parsed_cmd: List<'a, EventExecCommandEndParsedCmdElement<'a>> = "parsed_cmd",
        source: Text<'a> = "source",
        interaction_input: Text<'a> = "interaction_input",
        stdout: Text<'a> = "stdout",
        stderr: Text<'a> = "stderr",
        aggregated_output: Text<'a> = "aggregated_output",
        exit_code: i64 = "exit_code",
        duration: EventExecCommandEndDuration<'a> = "duration",
        formatted_output: Text<'a> = "formatted_output",
        status: Text<'a> = "status",
    }

    /// A part of the record above.
    EventExecCommandEndParsedCmdElement {
        type_: Text<'a> = "type",
        cmd: Text<'a> = "cmd",
        name: Text<'a> = "name",
        path: Text<'a> = "path",
        query: Text<'a> = "query",
    }

    /// A part of the record above.
    EventExecCommandEndDuration {
        secs: i64 = "secs",
        nanos: i64 = "nanos",
    }

    /// `event_msg / view_image_tool_call`: The agent looked at a picture on disk.
    EventViewImageToolCall {
        call_id: Text<'a> = "call_id",
        path: Text<'a> = "path",
    }

    /// `event_msg / error`: The turn ran into an error.
    EventError {
        message: Text<'a> = "message",
        codex_error_info: Json<'a> = "codex_error_info",
    }
}
