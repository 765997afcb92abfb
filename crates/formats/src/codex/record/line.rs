// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of Codex: line.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// What surrounds a record: the envelope `line`.
    LineEnvelope {
        timestamp: Text<'a> = "timestamp",
        ordinal: i64 = "ordinal",
        type_: Text<'a> = "type",
        payload: Json<'a> = "payload",
        metadata: LineEnvelopeMetadata<'a> = "metadata",
    }

    /// A part of the record above.
    LineEnvelopeMetadata {
        client_authored: bool = "client_authored",
        fallback_token_limit_override: i64 = "fallback_token_limit_override",
        retained_source: LineEnvelopeMetadataRetainedSource<'a> = "retained_source",
        user_input_order: i64 = "user_input_order",
        guardian_sources: List<'a, Json<'a>> = "guardian_sources",
        guardian_review_ids: List<'a, Json<'a>> = "guardian_review_ids",
        guardian_source_order_guidance: bool = "guardian_source_order_guidance",
        guardian_retained_omissions: Json<'a> = "guardian_retained_omissions",
        delivered_assistant_message: Text<'a> = "delivered_assistant_message",
        harness_authored_configuration: bool = "harness_authored_configuration",
        compaction_model_hash: Text<'a> = "compaction_model_hash",
        compaction_output: bool = "compaction_output",
        inherited_user_message: bool = "inherited_user_message",
        mcp_attribution: Json<'a> = "mcp_attribution",
        sender_user_messages: Json<'a> = "sender_user_messages",
        history_sequence: i64 = "history_sequence",
        sampled_through_sequence: i64 = "sampled_through_sequence",
        model_search_state: Text<'a> = "model_search_state",
    }

    /// A part of the record above.
    LineEnvelopeMetadataRetainedSource {
        id: LineEnvelopeMetadataRetainedSourceId<'a> = "id",
        revision: Text<'a> = "revision",
        complete: bool = "complete",
    }

    /// A part of the record above.
    LineEnvelopeMetadataRetainedSourceId {
        message_id: Text<'a> = "message_id",
        turn_id: Text<'a> = "turn_id",
        role: Text<'a> = "role",
    }

    /// `session_meta`: The head of a rollout: which thread this is, and where, when and by what build it was begun.
    SessionMeta {
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        timestamp: Text<'a> = "timestamp",
        cwd: Text<'a> = "cwd",
        originator: Text<'a> = "originator",
        cli_version: Text<'a> = "cli_version",
        source: Json<'a> = "source",
        thread_source: Text<'a> = "thread_source",
        forked_from_id: Text<'a> = "forked_from_id",
        forked_from_ordinal_exclusive: i64 = "forked_from_ordinal_exclusive",
        parent_thread_id: Text<'a> = "parent_thread_id",
        runtime_workspace_roots: List<'a, Text<'a>> = "runtime_workspace_roots",
        creator_user_id: Text<'a> = "creator_user_id",
        creator_account_id: Text<'a> = "creator_account_id",
        agent_nickname: Text<'a> = "agent_nickname",
        agent_role: Text<'a> = "agent_role",
        agent_type: Text<'a> = "agent_type",
        agent_path: Text<'a> = "agent_path",
        model_provider: Text<'a> = "model_provider",
        base_instructions: SessionMetaBaseInstructions<'a> = "base_instructions",
        instructions: Text<'a> = "instructions",
        dynamic_tools: List<'a, Json<'a>> = "dynamic_tools",
        selected_capability_roots: List<'a, Json<'a>> = "selected_capability_roots",
        memory_mode: Text<'a> = "memory_mode",
        history_mode: Text<'a> = "history_mode",
        history_base: SessionMetaHistoryBase<'a> = "history_base",
        subagent_history_start_ordinal: i64 = "subagent_history_start_ordinal",
        multi_agent_version: Text<'a> = "multi_agent_version",
        context_window: SessionMetaContextWindow<'a> = "context_window",
        git: SessionMetaGit<'a> = "git",
        account_scoped: bool = "account_scoped",
    }

    /// A part of the record above.
    SessionMetaBaseInstructions {
        text: Text<'a> = "text",
        provenance: Json<'a> = "provenance",
    }

    /// A part of the record above.
    SessionMetaHistoryBase {
        thread_id: Text<'a> = "thread_id",
        end_ordinal_exclusive: i64 = "end_ordinal_exclusive",
        end_byte_offset: i64 = "end_byte_offset",
    }

    /// A part of the record above.
    SessionMetaContextWindow {
        window_id: Text<'a> = "window_id",
    }

    /// A part of the record above.
    SessionMetaGit {
        commit_hash: Text<'a> = "commit_hash",
        branch: Text<'a> = "branch",
        repository_url: Text<'a> = "repository_url",
    }

    /// `turn_context`: What held for a turn: model, folder, approvals, sandbox, mode.
    TurnContext {
        turn_id: Text<'a> = "turn_id",
        root_turn_id: Text<'a> = "root_turn_id",
        cwd: Text<'a> = "cwd",
        approval_policy: Json<'a> = "approval_policy",
        approvals_reviewer: Text<'a> = "approvals_reviewer",
        sandbox_policy: TurnContextSandboxPolicy<'a> = "sandbox_policy",
        permission_profile: Json<'a> = "permission_profile",
        active_permission_profile: Json<'a> = "active_permission_profile",
        file_system_sandbox_policy: Json<'a> = "file_system_sandbox_policy",
        model: Text<'a> = "model",
        comp_hash: Text<'a> = "comp_hash",
        collaboration_mode: TurnContextCollaborationMode<'a> = "collaboration_mode",
        multi_agent_version: Text<'a> = "multi_agent_version",
        realtime_active: bool = "realtime_active",
        cyber_access_program: Json<'a> = "cyber_access_program",
        disabled_plugin_ids: List<'a, Text<'a>> = "disabled_plugin_ids",
        effort: Text<'a> = "effort",
        summary: Text<'a> = "summary",
        truncation_policy: TurnContextTruncationPolicy<'a> = "truncation_policy",
        user_instructions: Text<'a> = "user_instructions",
        developer_instructions: Text<'a> = "developer_instructions",
        personality: Text<'a> = "personality",
        current_date: Text<'a> = "current_date",
        timezone: Text<'a> = "timezone",
        workspace_roots: List<'a, Text<'a>> = "workspace_roots",
    }

    /// A part of the record above.
    TurnContextSandboxPolicy {
        type_: Text<'a> = "type",
        mode: Text<'a> = "mode",
        writable_roots: List<'a, Text<'a>> = "writable_roots",
        network_access: Json<'a> = "network_access",
        exclude_tmpdir_env_var: bool = "exclude_tmpdir_env_var",
        exclude_slash_tmp: bool = "exclude_slash_tmp",
    }

    /// A part of the record above.
    TurnContextCollaborationMode {
        mode: Text<'a> = "mode",
        settings: TurnContextCollaborationModeSettings<'a> = "settings",
    }

    /// A part of the record above.
    TurnContextCollaborationModeSettings {
        model: Text<'a> = "model",
        reasoning_effort: Text<'a> = "reasoning_effort",
        developer_instructions: Text<'a> = "developer_instructions",
    }

    /// A part of the record above.
    TurnContextTruncationPolicy {
        mode: Text<'a> = "mode",
        limit: i64 = "limit",
    }

    /// `token_usage_record`: The tokens of one answer of the model, with the sums of the turn and of the thread so far.
    TokenUsageRecord {
        thread_id: Text<'a> = "thread_id",
        turn_id: Text<'a> = "turn_id",
        session_id: Text<'a> = "session_id",
        root_turn_id: Text<'a> = "root_turn_id",
        response_id: Text<'a> = "response_id",
        usage: TokenUsageRecordUsage<'a> = "usage",
        turn_token_usage: TokenUsageRecordTurnTokenUsage<'a> = "turn_token_usage",
        thread_token_usage: TokenUsageRecordThreadTokenUsage<'a> = "thread_token_usage",
    }

    /// A part of the record above.
    TokenUsageRecordUsage {
        input_tokens: i64 = "input_tokens",
        cached_input_tokens: i64 = "cached_input_tokens",
        cache_write_input_tokens: i64 = "cache_write_input_tokens",
        output_tokens: i64 = "output_tokens",
        reasoning_output_tokens: i64 = "reasoning_output_tokens",
        total_tokens: i64 = "total_tokens",
    }

    /// A part of the record above.
    TokenUsageRecordTurnTokenUsage {
        input_tokens: i64 = "input_tokens",
        cached_input_tokens: i64 = "cached_input_tokens",
        cache_write_input_tokens: i64 = "cache_write_input_tokens",
        output_tokens: i64 = "output_tokens",
        reasoning_output_tokens: i64 = "reasoning_output_tokens",
        total_tokens: i64 = "total_tokens",
    }

    /// A part of the record above.
    TokenUsageRecordThreadTokenUsage {
        input_tokens: i64 = "input_tokens",
        cached_input_tokens: i64 = "cached_input_tokens",
        cache_write_input_tokens: i64 = "cache_write_input_tokens",
        output_tokens: i64 = "output_tokens",
        reasoning_output_tokens: i64 = "reasoning_output_tokens",
        total_tokens: i64 = "total_tokens",
    }

    /// `compacted`: The history was replaced by something shorter; with `replacement_history` this line is the model's whole memory from here on.
    Compacted {
        message: Text<'a> = "message",
        replacement_history: List<'a, Json<'a>> = "replacement_history",
        replacement_history_metadata: List<'a, Json<'a>> = "replacement_history_metadata",
        guardian_history: Json<'a> = "guardian_history",
        retained_context: CompactedRetainedContext<'a> = "retained_context",
        mcp_resource_origins: Json<'a> = "mcp_resource_origins",
        window_number: i64 = "window_number",
        first_window_id: Text<'a> = "first_window_id",
        previous_window_id: Text<'a> = "previous_window_id",
        window_id: Json<'a> = "window_id",
        compaction_response_id: Text<'a> = "compaction_response_id",
        latest_token_usage_record: Json<'a> = "latest_token_usage_record",
        resume_metadata: Json<'a> = "resume_metadata",
    }

    /// A part of the record above.
    CompactedRetainedContext {
        verified_answers: List<'a, Json<'a>> = "verified_answers",
        incomplete: bool = "incomplete",
        user_messages: List<'a, Json<'a>> = "user_messages",
        user_messages_incomplete: bool = "user_messages_incomplete",
        assistant_messages: List<'a, Json<'a>> = "assistant_messages",
        assistant_messages_incomplete: bool = "assistant_messages_incomplete",
        next_order: i64 = "next_order",
        sender_deliveries: Json<'a> = "sender_deliveries",
    }

    /// `world_state`: What the model was last told about its surroundings, kept so that only changes need to be told next time.
    WorldState {
        full: bool = "full",
        state: Json<'a> = "state",
    }

    /// `inter_agent_communication`: One agent wrote to another; this is the receiver's copy.
    InterAgentCommunication {
        id: Text<'a> = "id",
        author: Text<'a> = "author",
        recipient: Text<'a> = "recipient",
        other_recipients: List<'a, Text<'a>> = "other_recipients",
        content: Text<'a> = "content",
        encrypted_content: Text<'a> = "encrypted_content",
        internal_chat_message_metadata_passthrough: Json<'a> = "internal_chat_message_metadata_passthrough",
        trigger_turn: bool = "trigger_turn",
    }

    /// `inter_agent_communication_metadata`: Did the message that was just delivered start a turn?
    InterAgentCommunicationMetadata {
        trigger_turn: bool = "trigger_turn",
    }

    /// `security_risk_score`: What classifiers thought of the risk of a tool's action; neither the model nor the user sees it.
    SecurityRiskScore {
        scores: Json<'a> = "scores",
        call_id: Text<'a> = "call_id",
        action: Json<'a> = "action",
        sampled_at: Text<'a> = "sampled_at",
    }
}
