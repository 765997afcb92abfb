// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Claude Code: line.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// What surrounds a record: the envelope `conversation`.
    ConversationEnvelope {
        type_: Text<'a> = "type",
        uuid: Text<'a> = "uuid",
        parent_uuid: Text<'a> = "parentUuid",
        logical_parent_uuid: Text<'a> = "logicalParentUuid",
        is_sidechain: bool = "isSidechain",
        session_id: Text<'a> = "sessionId",
        session_id_alt: Text<'a> = "session_id",
        timestamp: Text<'a> = "timestamp",
        version: Text<'a> = "version",
        cwd: Text<'a> = "cwd",
        git_branch: Text<'a> = "gitBranch",
        user_type: Text<'a> = "userType",
        entrypoint: Text<'a> = "entrypoint",
        slug: Text<'a> = "slug",
        agent_id: Text<'a> = "agentId",
        is_meta: bool = "isMeta",
        prompt_id: Text<'a> = "promptId",
        request_id: Text<'a> = "requestId",
        forked_from: ConversationEnvelopeForkedFrom<'a> = "forkedFrom",
    }

    /// A part of the record above.
    ConversationEnvelopeForkedFrom {
        session_id: Text<'a> = "sessionId",
        message_uuid: Text<'a> = "messageUuid",
    }

    /// What surrounds a record: the envelope `metadata`.
    MetadataEnvelope {
        type_: Text<'a> = "type",
        session_id: Text<'a> = "sessionId",
    }

    /// `user`: Something said to the model in the role of the user: a prompt, a command and its output, text that the program injects, or, most often, the result of a tool call.
    User {
        image_paste_ids: List<'a, Json<'a>> = "imagePasteIds",
        interrupted_message_id: Text<'a> = "interruptedMessageId",
        is_compact_summary: bool = "isCompactSummary",
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        mcp_meta: UserMcpMeta<'a> = "mcpMeta",
        message: UserMessage<'a> = "message",
        origin: UserOrigin<'a> = "origin",
        permission_decision: UserPermissionDecision<'a> = "permissionDecision",
        permission_mode: Text<'a> = "permissionMode",
        prompt_source: Text<'a> = "promptSource",
        queue_skip_attachments: bool = "queueSkipAttachments",
        queue_skip_slash_commands: bool = "queueSkipSlashCommands",
        queue_transcript_only: bool = "queueTranscriptOnly",
        repeats_compact_summary: bool = "repeatsCompactSummary",
        sandboxed: bool = "sandboxed",
        server_classifier_context: UserServerClassifierContext<'a> = "serverClassifierContext",
        source_tool_assistant_uuid: Text<'a> = "sourceToolAssistantUUID",
        source_tool_use_id: Text<'a> = "sourceToolUseID",
        summarized_turn_prompt_uuids: List<'a, Text<'a>> = "summarizedTurnPromptUuids",
        tool_denial_kind: Text<'a> = "toolDenialKind",
        tool_ends_turn: bool = "toolEndsTurn",
        turn_companion: bool = "turnCompanion",
        turn_origin: Text<'a> = "turnOrigin",
        turn_position: UserTurnPosition<'a> = "turnPosition",
        user_feedback: Text<'a> = "userFeedback",
        tool_use_result: Json<'a> = "toolUseResult",
        sent_at_ms: i64 = "sentAtMs",
        row_source: Text<'a> = "rowSource",
        thinking_metadata: UserThinkingMetadata<'a> = "thinkingMetadata",
        replaces_span: Json<'a> = "replacesSpan",
        session_kind: Text<'a> = "sessionKind",
        is_virtual: bool = "isVirtual",
        virtual_in_resume_run: Json<'a> = "virtualInResumeRun",
    }

    /// A part of the record above.
    UserMcpMeta {
        meta: Json<'a> = "_meta",
        structured_content: Json<'a> = "structuredContent",
    }

    /// A part of the record above.
    UserMessage {
        content: Json<'a> = "content",
        role: Text<'a> = "role",
    }

    /// A part of the record above.
    UserOrigin {
        body: Text<'a> = "body",
        from: Text<'a> = "from",
        handback: bool = "handback",
        handback_report_text: Text<'a> = "handbackReportText",
        kind: Text<'a> = "kind",
        name: Text<'a> = "name",
        producer: Text<'a> = "producer",
        run_id: Text<'a> = "runId",
        sender_task_id: Text<'a> = "senderTaskId",
    }

    /// A part of the record above.
    UserPermissionDecision {
        classifier_category: Text<'a> = "classifierCategory",
        decision: Text<'a> = "decision",
        grant_scope: Text<'a> = "grantScope",
        reason_code: Text<'a> = "reasonCode",
        reason_type: Text<'a> = "reasonType",
        rule_source: Text<'a> = "ruleSource",
        source: Text<'a> = "source",
    }

    /// A part of the record above.
    UserServerClassifierContext {
        context: UserServerClassifierContextContext<'a> = "context",
        request: Text<'a> = "request",
    }

    /// A part of the record above.
    UserServerClassifierContextContext {
        git_state: Json<'a> = "git_state",
        live_cwd: Text<'a> = "live_cwd",
        platform: Text<'a> = "platform",
    }

    /// A part of the record above.
    UserTurnPosition {
        prompt_index: i64 = "promptIndex",
        turn_index: i64 = "turnIndex",
    }

    /// A part of the record above.
    UserThinkingMetadata {
        level: Text<'a> = "level",
        disabled: bool = "disabled",
        triggers: List<'a, Json<'a>> = "triggers",
    }

    /// `assistant`: One content block of a reply by the model. A reply with several blocks becomes as many lines, which have `message.id` and `requestId` in common.
    Assistant {
        advisor_model: Text<'a> = "advisorModel",
        api_block_index: i64 = "apiBlockIndex",
        attribution_agent: Text<'a> = "attributionAgent",
        attribution_mcp_server: Text<'a> = "attributionMcpServer",
        attribution_mcp_tool: Text<'a> = "attributionMcpTool",
        attribution_plugin: Text<'a> = "attributionPlugin",
        attribution_skill: Text<'a> = "attributionSkill",
        effort: Text<'a> = "effort",
        error: Text<'a> = "error",
        is_api_error_message: bool = "isApiErrorMessage",
        message: AssistantMessage<'a> = "message",
        per_turn_effort: Text<'a> = "perTurnEffort",
        request_ref: Text<'a> = "requestRef",
        requested_model: Text<'a> = "requestedModel",
        server_classifier_request: Text<'a> = "serverClassifierRequest",
        thinking_display: Text<'a> = "thinkingDisplay",
        thinking_duration_ms: f64 = "thinkingDurationMs",
        truncated_after_output: bool = "truncatedAfterOutput",
        wire_ingest_context: Json<'a> = "wireIngestContext",
        wire_tool_inputs: Json<'a> = "wireToolInputs",
        api_error_status: i64 = "apiErrorStatus",
        resumed_from_incomplete_thinking: Json<'a> = "resumedFromIncompleteThinking",
        prompt_cache_requested: Text<'a> = "promptCacheRequested",
        made_by: Text<'a> = "madeBy",
        tool_input_stream_ms: i64 = "toolInputStreamMs",
        request_session_id: Text<'a> = "requestSessionId",
    }

    /// A part of the record above.
    AssistantMessage {
        container: Json<'a> = "container",
        content: List<'a, Json<'a>> = "content",
        context_management: Json<'a> = "context_management",
        diagnostics: AssistantMessageDiagnostics<'a> = "diagnostics",
        id: Text<'a> = "id",
        input_transformations: List<'a, AssistantMessageInputTransformationsElement<'a>> = "input_transformations",
        model: Text<'a> = "model",
        role: Text<'a> = "role",
        stop_details: Json<'a> = "stop_details",
        stop_reason: Text<'a> = "stop_reason",
        stop_sequence: Text<'a> = "stop_sequence",
        type_: Text<'a> = "type",
        usage: AssistantMessageUsage<'a> = "usage",
    }

    /// A part of the record above.
    AssistantMessageDiagnostics {
        cache_miss_reason: AssistantMessageDiagnosticsCacheMissReason<'a> = "cache_miss_reason",
    }

    /// A part of the record above.
    AssistantMessageDiagnosticsCacheMissReason {
        cache_missed_input_tokens: i64 = "cache_missed_input_tokens",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AssistantMessageInputTransformationsElement {
        path: Text<'a> = "path",
        reason: Text<'a> = "reason",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    AssistantMessageUsage {
        cache_creation: AssistantMessageUsageCacheCreation<'a> = "cache_creation",
        cache_creation_input_tokens: i64 = "cache_creation_input_tokens",
        cache_read_input_tokens: i64 = "cache_read_input_tokens",
        fallback_credit: Json<'a> = "fallback_credit",
        inference_geo: Text<'a> = "inference_geo",
        input_tokens: i64 = "input_tokens",
        iterations: List<'a, Json<'a>> = "iterations",
        output_tokens: i64 = "output_tokens",
        output_tokens_details: AssistantMessageUsageOutputTokensDetails<'a> = "output_tokens_details",
        server_tool_use: AssistantMessageUsageServerToolUse<'a> = "server_tool_use",
        service_tier: Text<'a> = "service_tier",
        speed: Text<'a> = "speed",
    }

    /// A part of the record above.
    AssistantMessageUsageCacheCreation {
        ephemeral_1h_input_tokens: i64 = "ephemeral_1h_input_tokens",
        ephemeral_5m_input_tokens: i64 = "ephemeral_5m_input_tokens",
    }

    /// A part of the record above.
    AssistantMessageUsageOutputTokensDetails {
        thinking_tokens: i64 = "thinking_tokens",
    }

    /// A part of the record above.
    AssistantMessageUsageServerToolUse {
        web_fetch_requests: i64 = "web_fetch_requests",
        web_search_requests: i64 = "web_search_requests",
    }

    /// `progress`: A sign of life from a running tool, hook or sub-agent, found in old files only.
    Progress {
        data: Json<'a> = "data",
        tool_use_id: Text<'a> = "toolUseID",
        parent_tool_use_id: Text<'a> = "parentToolUseID",
    }

    /// `ai-title`: A title that the model made up for the session.
    AiTitle {
        ai_title: Text<'a> = "aiTitle",
    }

    /// `last-prompt`: Points at the tip of the conversation and repeats the last prompt.
    LastPrompt {
        explicit: bool = "explicit",
        last_prompt: Text<'a> = "lastPrompt",
        leaf_uuid: Text<'a> = "leafUuid",
        rewound: bool = "rewound",
    }

    /// `mode`: Mode of the user interface.
    Mode {
        mode: Text<'a> = "mode",
    }

    /// `permission-mode`: Permission mode that is in force.
    PermissionMode {
        permission_mode: Text<'a> = "permissionMode",
    }

    /// `atis-latch`: A small opaque value that the program keeps for itself.
    AtisLatch {
        atis: Text<'a> = "atis",
    }

    /// `cost-state`: Cost and tokens of the session so far, in total and by model.
    CostState {
        total_cost_usd: f64 = "totalCostUSD",
        total_apiduration: f64 = "totalAPIDuration",
        total_apiduration_without_retries: f64 = "totalAPIDurationWithoutRetries",
        total_tool_duration: f64 = "totalToolDuration",
        total_lines_added: i64 = "totalLinesAdded",
        total_lines_removed: i64 = "totalLinesRemoved",
        total_duration: f64 = "totalDuration",
        start_time: f64 = "startTime",
        model_usage: Json<'a> = "modelUsage",
        has_unknown_model_cost: bool = "hasUnknownModelCost",
    }

    /// `pr-link`: A pull request that belongs to the session.
    PrLink {
        pr_number: i64 = "prNumber",
        pr_repository: Text<'a> = "prRepository",
        pr_url: Text<'a> = "prUrl",
        timestamp: Text<'a> = "timestamp",
    }

    /// `queue-operation`: A change to the queue of prompts that wait while the program is busy.
    QueueOperation {
        command_uuid: Text<'a> = "commandUuid",
        content: Text<'a> = "content",
        delivery_id: Text<'a> = "deliveryId",
        operation: Text<'a> = "operation",
        reason: Text<'a> = "reason",
        timestamp: Text<'a> = "timestamp",
    }

    /// `file-history-snapshot`: A checkpoint of the files that Claude has edited, tied to a prompt, so that `/rewind` can bring them back.
    FileHistorySnapshot {
        is_snapshot_update: bool = "isSnapshotUpdate",
        message_id: Text<'a> = "messageId",
        snapshot: FileHistorySnapshotSnapshot<'a> = "snapshot",
    }

    /// A part of the record above.
    FileHistorySnapshotSnapshot {
        message_id: Text<'a> = "messageId",
        timestamp: Text<'a> = "timestamp",
        tracked_file_backups: Json<'a> = "trackedFileBackups",
    }

    /// `file-history-delta`: One more backup that is added to an existing checkpoint, so that the checkpoint need not be written again.
    FileHistoryDelta {
        backup: FileHistoryDeltaBackup<'a> = "backup",
        message_id: Text<'a> = "messageId",
        snapshot_message_id: Text<'a> = "snapshotMessageId",
        timestamp: Text<'a> = "timestamp",
        tracking_path: Text<'a> = "trackingPath",
    }

    /// A part of the record above.
    FileHistoryDeltaBackup {
        backup_file_name: Text<'a> = "backupFileName",
        backup_time: Text<'a> = "backupTime",
        real_parent_dir: Text<'a> = "realParentDir",
        version: i64 = "version",
    }

    /// `api-request`: The parameters of one request to the API. Its messages are named by hash: some taken over from an earlier request, the rest listed.
    ApiRequest {
        agent_id: Text<'a> = "agentId",
        base: Text<'a> = "base",
        cache_control: List<'a, ApiRequestCacheControlElement<'a>> = "cacheControl",
        id: Text<'a> = "id",
        keep: i64 = "keep",
        params: ApiRequestParams<'a> = "params",
        query_source: Text<'a> = "querySource",
        request_digest: Text<'a> = "requestDigest",
        shape_hash: Text<'a> = "shapeHash",
        tail: List<'a, Text<'a>> = "tail",
        timestamp: Text<'a> = "timestamp",
        version: Json<'a> = "version",
        thread: ApiRequestThread<'a> = "thread",
        echo_wire_tool_inputs: bool = "echoWireToolInputs",
        withheld: List<'a, Json<'a>> = "withheld",
        cut: Json<'a> = "cut",
        cut_request_digest: Text<'a> = "cutRequestDigest",
    }

    /// A part of the record above.
    ApiRequestCacheControlElement {
        path: List<'a, Json<'a>> = "path",
        value: Json<'a> = "value",
    }

    /// A part of the record above.
    ApiRequestParams {
        betas: List<'a, Text<'a>> = "betas",
        context_management: ApiRequestParamsContextManagement<'a> = "context_management",
        max_tokens: i64 = "max_tokens",
        model: Text<'a> = "model",
        output_config: ApiRequestParamsOutputConfig<'a> = "output_config",
        safeguards: List<'a, Json<'a>> = "safeguards",
        thinking: ApiRequestParamsThinking<'a> = "thinking",
    }

    /// A part of the record above.
    ApiRequestParamsContextManagement {
        edits: List<'a, Json<'a>> = "edits",
    }

    /// A part of the record above.
    ApiRequestParamsOutputConfig {
        effort: Text<'a> = "effort",
    }

    /// A part of the record above.
    ApiRequestParamsThinking {
        display: Text<'a> = "display",
        type_: Text<'a> = "type",
    }

    /// A part of the record above.
    ApiRequestThread {
        type_: Text<'a> = "type",
    }

    /// `api-request-blob`: One message of a request, stored under its hash.
    ApiRequestBlob {
        agent_id: Text<'a> = "agentId",
        hash: Text<'a> = "hash",
        message: ApiRequestBlobMessage<'a> = "message",
    }

    /// A part of the record above.
    ApiRequestBlobMessage {
        content: Json<'a> = "content",
        output_config: ApiRequestBlobMessageOutputConfig<'a> = "output_config",
        role: Text<'a> = "role",
    }

    /// A part of the record above.
    ApiRequestBlobMessageOutputConfig {
        effort: Text<'a> = "effort",
    }

    /// `api-request-shape`: System prompt and tool definitions of a request, stored under their hash.
    ApiRequestShape {
        agent_id: Text<'a> = "agentId",
        shape: ApiRequestShapeShape<'a> = "shape",
        shape_hash: Text<'a> = "shapeHash",
        timestamp: Text<'a> = "timestamp",
        version: Json<'a> = "version",
    }

    /// A part of the record above.
    ApiRequestShapeShape {
        system: List<'a, Json<'a>> = "system",
        tools: List<'a, Json<'a>> = "tools",
    }

    /// `fork-context-ref`: Says that a forked sub-agent began with the conversation of its parent, and how far that reached.
    ForkContextRef {
        agent_id: Text<'a> = "agentId",
        context_length: i64 = "contextLength",
        parent_last_uuid: Text<'a> = "parentLastUuid",
        parent_session_id: Text<'a> = "parentSessionId",
    }

    /// `frame-link`: How many artifacts the session has published, or where one of them is.
    FrameLink {
        artifact_count: i64 = "artifactCount",
        frame_url: Text<'a> = "frameUrl",
        path: Text<'a> = "path",
        timestamp: Text<'a> = "timestamp",
        title: Text<'a> = "title",
    }

    /// `artifact-comment-monitor`: Which artifacts are being watched for comments.
    ArtifactCommentMonitor {
        artifacts: Json<'a> = "artifacts",
        v: i64 = "v",
    }

    /// `artifact-autoreact-ledger`: Which comments on artifacts have been answered automatically.
    ArtifactAutoreactLedger {
        account_uuid: Text<'a> = "accountUuid",
        artifacts: Json<'a> = "artifacts",
        v: i64 = "v",
    }

    /// `summary`: Title or summary of a conversation in old files, tied to its last node.
    Summary {
        summary: Text<'a> = "summary",
        leaf_uuid: Text<'a> = "leafUuid",
    }

    /// `custom-title`: A title that a person or a hook gave to the session; it goes before one made up by the model.
    CustomTitle {
        custom_title: Text<'a> = "customTitle",
    }

    /// `tag`: A tag on the session.
    Tag {
        tag: Text<'a> = "tag",
    }

    /// `agent-name`: Name under which the session works in a team of agents; also written with a title of one's own.
    AgentName {
        agent_name: Text<'a> = "agentName",
    }

    /// `agent-color`: Colour in which a named agent is shown.
    AgentColor {
        agent_color: Text<'a> = "agentColor",
    }

    /// `agent-setting`: Agent definition with which the session was started (`--agent`).
    AgentSetting {
        agent_setting: Text<'a> = "agentSetting",
    }
}
