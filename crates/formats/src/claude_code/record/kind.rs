// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of Claude Code, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::view::{kinds, tag_of, text_at};

kinds! {
    User = "user", UserMessage;
    Assistant = "assistant", AssistantMessage;
    SystemTurnDuration = "system / turn_duration", TurnEnd;
    SystemStopHookSummary = "system / stop_hook_summary", Hook;
    SystemAwaySummary = "system / away_summary", Summary;
    SystemCompactBoundary = "system / compact_boundary", Compaction;
    SystemLocalCommand = "system / local_command", SystemMessage;
    SystemInformational = "system / informational", SystemMessage;
    SystemApiError = "system / api_error", Error;
    SystemMicrocompactBoundary = "system / microcompact_boundary", Compaction;
    SystemPermissionRetry = "system / permission_retry", Permission;
    SystemMemorySaved = "system / memory_saved", SystemMessage;
    SystemAgentsKilled = "system / agents_killed", SessionLineage;
    SystemThinking = "system / thinking", Reasoning;
    SystemFileSnapshot = "system / file_snapshot", WorkspaceState;
    SystemBridgeStatus = "system / bridge_status", SystemMessage;
    SystemScheduledTaskFire = "system / scheduled_task_fire", SystemMessage;
    SystemReadDivider = "system / read_divider", SystemMessage;
    SystemModelFallback = "system / model_fallback", SystemMessage;
    SystemModelConsentFallback = "system / model_consent_fallback", SystemMessage;
    SystemModelRefusalFallback = "system / model_refusal_fallback", SystemMessage;
    SystemModelRefusalNoFallback = "system / model_refusal_no_fallback", SystemMessage;
    SystemRewindStandIn = "system / rewind_stand_in", Compaction;
    SystemCloudSessionStatus = "system / cloud_session_status", SystemMessage;
    Progress = "progress", ToolProgress;
    AiTitle = "ai-title", SessionTitle;
    LastPrompt = "last-prompt", SessionLineage;
    Mode = "mode", SessionSettings;
    PermissionMode = "permission-mode", SessionSettings;
    AtisLatch = "atis-latch", MetadataOther;
    CostState = "cost-state", Cost;
    PrLink = "pr-link", SessionLineage;
    QueueOperation = "queue-operation", Queue;
    FileHistorySnapshot = "file-history-snapshot", WorkspaceState;
    FileHistoryDelta = "file-history-delta", WorkspaceState;
    ApiRequest = "api-request", MetadataOther;
    ApiRequestBlob = "api-request-blob", MetadataOther;
    ApiRequestShape = "api-request-shape", SessionSettings;
    ForkContextRef = "fork-context-ref", SessionLineage;
    FrameLink = "frame-link", MetadataOther;
    ArtifactCommentMonitor = "artifact-comment-monitor", MetadataOther;
    ArtifactAutoreactLedger = "artifact-autoreact-ledger", MetadataOther;
    Summary = "summary", Summary;
    CustomTitle = "custom-title", SessionTitle;
    Tag = "tag", MetadataOther;
    AgentName = "agent-name", SessionTitle;
    AgentColor = "agent-color", MetadataOther;
    AgentSetting = "agent-setting", SessionSettings;
    Relocated = "relocated", SessionLineage;
    EndedByModel = "ended-by-model", TurnEnd;
    ContinuedIn = "continued-in", SessionLineage;
    WorktreeState = "worktree-state", WorkspaceState;
    IsolationLatch = "isolation-latch", SessionSettings;
    DevMods = "dev-mods", SessionSettings;
    MemoryMode = "memory-mode", SessionSettings;
    BridgeSession = "bridge-session", SessionLineage;
    HistorySuppression = "history-suppression", MetadataOther;
    AttributionSnapshot = "attribution-snapshot", WorkspaceState;
    ContentReplacement = "content-replacement", Compaction;
    ObserverRef = "observer-ref", SessionLineage;
    ToolsUsed = "tools-used", MetadataOther;
    AttachmentAgentListingDelta = "attachment / agent_listing_delta", SessionSettings;
    AttachmentAutoMode = "attachment / auto_mode", Permission;
    AttachmentCommandPermissions = "attachment / command_permissions", Permission;
    AttachmentCompactFileReference = "attachment / compact_file_reference", Compaction;
    AttachmentCredentialOrg = "attachment / credential_org", SessionSettings;
    AttachmentDate = "attachment / date", SystemMessage;
    AttachmentDeferredToolsDelta = "attachment / deferred_tools_delta", SessionSettings;
    AttachmentDeferredToolsRecord = "attachment / deferred_tools_record", SessionSettings;
    AttachmentEditedTextFile = "attachment / edited_text_file", Attachment;
    AttachmentEnvironment = "attachment / environment", SessionSettings;
    AttachmentFile = "attachment / file", Attachment;
    AttachmentHookAdditionalContext = "attachment / hook_additional_context", Hook;
    AttachmentHookSuccess = "attachment / hook_success", Hook;
    AttachmentInstructions = "attachment / instructions", SystemMessage;
    AttachmentInvokedSkills = "attachment / invoked_skills", Attachment;
    AttachmentMcpInstructionsDelta = "attachment / mcp_instructions_delta", SystemMessage;
    AttachmentModel = "attachment / model", SessionSettings;
    AttachmentNestedMemory = "attachment / nested_memory", SystemMessage;
    AttachmentPromptSnapshot = "attachment / prompt_snapshot", SessionSettings;
    AttachmentQueuedCommand = "attachment / queued_command", Queue;
    AttachmentReadTruncationNotice = "attachment / read_truncation_notice", ToolResult;
    AttachmentSessionContext = "attachment / session_context", SystemMessage;
    AttachmentSilentTurnReminder = "attachment / silent_turn_reminder", SystemMessage;
    AttachmentSkillListing = "attachment / skill_listing", SessionSettings;
    AttachmentTaskStatus = "attachment / task_status", ToolProgress;
    AttachmentThinkingDrop = "attachment / thinking_drop", Reasoning;
    AttachmentTotalTokensReminder = "attachment / total_tokens_reminder", TokenUsage;
    AttachmentAccountMemoryRecall = "attachment / account_memory_recall", SystemMessage;
    AttachmentAdvisorStripped = "attachment / advisor_stripped", SystemMessage;
    AttachmentAdvisorTool = "attachment / advisor_tool", SystemMessage;
    AttachmentAgentMention = "attachment / agent_mention", SystemMessage;
    AttachmentAlreadyReadFile = "attachment / already_read_file", Attachment;
    AttachmentArtifactOpeningPrefetch = "attachment / artifact_opening_prefetch", SystemMessage;
    AttachmentAsyncHookResponse = "attachment / async_hook_response", Hook;
    AttachmentAsyncHookResponseBatch = "attachment / async_hook_response_batch", Hook;
    AttachmentAtMentionReference = "attachment / at_mention_reference", Attachment;
    AttachmentAttentionBudget = "attachment / attention_budget", TokenUsage;
    AttachmentAutoModeExit = "attachment / auto_mode_exit", Permission;
    AttachmentBashOutputAudienceNote = "attachment / bash_output_audience_note", SystemMessage;
    AttachmentBatchingReminder = "attachment / batching_reminder", SystemMessage;
    AttachmentBatchingReminderSent = "attachment / batching_reminder_sent", SystemMessage;
    AttachmentBudgetUsd = "attachment / budget_usd", TokenUsage;
    AttachmentContextEfficiency = "attachment / context_efficiency", SystemMessage;
    AttachmentContextSections = "attachment / context_sections", SystemMessage;
    AttachmentCoordinatorContext = "attachment / coordinator_context", SystemMessage;
    AttachmentCoworkMemoryContext = "attachment / cowork_memory_context", SystemMessage;
    AttachmentCriticalSystemReminder = "attachment / critical_system_reminder", SystemMessage;
    AttachmentDateChange = "attachment / date_change", SystemMessage;
    AttachmentDiagnostics = "attachment / diagnostics", SystemMessage;
    AttachmentDirectory = "attachment / directory", Attachment;
    AttachmentDirSyncNotice = "attachment / dir_sync_notice", SystemMessage;
    AttachmentDynamicSkill = "attachment / dynamic_skill", SystemMessage;
    AttachmentEditedImageFile = "attachment / edited_image_file", Attachment;
    AttachmentElapsedTimeReminder = "attachment / elapsed_time_reminder", SystemMessage;
    AttachmentForkBriefing = "attachment / fork_briefing", SystemMessage;
    AttachmentGoalStatus = "attachment / goal_status", SystemMessage;
    AttachmentGoals = "attachment / goals", SystemMessage;
    AttachmentHookBlockingError = "attachment / hook_blocking_error", Hook;
    AttachmentHookCancelled = "attachment / hook_cancelled", Hook;
    AttachmentHookDeferredTool = "attachment / hook_deferred_tool", Hook;
    AttachmentHookErrorDuringExecution = "attachment / hook_error_during_execution", Hook;
    AttachmentHookNonBlockingError = "attachment / hook_non_blocking_error", Hook;
    AttachmentHookPermissionDecision = "attachment / hook_permission_decision", Hook;
    AttachmentHookPluginListing = "attachment / hook_plugin_listing", Hook;
    AttachmentHookStoppedContinuation = "attachment / hook_stopped_continuation", Hook;
    AttachmentHookSystemMessage = "attachment / hook_system_message", Hook;
    AttachmentInlinedImagePaths = "attachment / inlined_image_paths", Attachment;
    AttachmentLanguage = "attachment / language", SystemMessage;
    AttachmentMaxTurnsReached = "attachment / max_turns_reached", SystemMessage;
    AttachmentMcpDroppedToolsDelta = "attachment / mcp_dropped_tools_delta", SystemMessage;
    AttachmentMcpResource = "attachment / mcp_resource", Attachment;
    AttachmentMemoryUpdate = "attachment / memory_update", SystemMessage;
    AttachmentOpenedFileInIde = "attachment / opened_file_in_ide", Attachment;
    AttachmentOutputLimitNote = "attachment / output_limit_note", SystemMessage;
    AttachmentOutputStyle = "attachment / output_style", SystemMessage;
    AttachmentOutputStyleInstructions = "attachment / output_style_instructions", SystemMessage;
    AttachmentOutputTokenUsage = "attachment / output_token_usage", TokenUsage;
    AttachmentPdfReference = "attachment / pdf_reference", Attachment;
    AttachmentPeerMention = "attachment / peer_mention", SystemMessage;
    AttachmentPlanFileReference = "attachment / plan_file_reference", Attachment;
    AttachmentPlanMode = "attachment / plan_mode", Permission;
    AttachmentPlanModeExit = "attachment / plan_mode_exit", Permission;
    AttachmentPlanModeReentry = "attachment / plan_mode_reentry", Permission;
    AttachmentPollEvents = "attachment / poll_events", Queue;
    AttachmentPrefixDelta = "attachment / prefix_delta", SystemMessage;
    AttachmentProactivity = "attachment / proactivity", SystemMessage;
    AttachmentProjectDocReads = "attachment / project_doc_reads", SystemMessage;
    AttachmentProjectsThreadAsk = "attachment / projects_thread_ask", SystemMessage;
    AttachmentPromptRenderPoint = "attachment / prompt_render_point", SystemMessage;
    AttachmentRelevantMemories = "attachment / relevant_memories", SystemMessage;
    AttachmentRemoteSessionChange = "attachment / remote_session_change", SystemMessage;
    AttachmentSandboxInstructions = "attachment / sandbox_instructions", SystemMessage;
    AttachmentSecondaryReminder = "attachment / secondary_reminder", SystemMessage;
    AttachmentSecondaryReminderSent = "attachment / secondary_reminder_sent", SystemMessage;
    AttachmentSelectedLinesInDiff = "attachment / selected_lines_in_diff", Attachment;
    AttachmentSelectedLinesInIde = "attachment / selected_lines_in_ide", Attachment;
    AttachmentSessionCronCarry = "attachment / session_cron_carry", SystemMessage;
    AttachmentSessionSettings = "attachment / session_settings", SystemMessage;
    AttachmentSkillMention = "attachment / skill_mention", SystemMessage;
    AttachmentStructuredOutput = "attachment / structured_output", SystemMessage;
    AttachmentTaskReminder = "attachment / task_reminder", SystemMessage;
    AttachmentTeamContext = "attachment / team_context", SystemMessage;
    AttachmentTeammateMailbox = "attachment / teammate_mailbox", Queue;
    AttachmentTeammateShutdownBatch = "attachment / teammate_shutdown_batch", SystemMessage;
    AttachmentThinkingStripped = "attachment / thinking_stripped", SystemMessage;
    AttachmentThreadState = "attachment / thread_state", SystemMessage;
    AttachmentTodoReminder = "attachment / todo_reminder", SystemMessage;
    AttachmentTokenUsage = "attachment / token_usage", TokenUsage;
    AttachmentToolHostResultLines = "attachment / tool_host_result_lines", SystemMessage;
    AttachmentToolHostsCorrection = "attachment / tool_hosts_correction", SystemMessage;
    AttachmentToolHostsNotice = "attachment / tool_hosts_notice", SystemMessage;
    AttachmentToolSearchUsageReminder = "attachment / tool_search_usage_reminder", SystemMessage;
    AttachmentUltraEffortEnter = "attachment / ultra_effort_enter", SystemMessage;
    AttachmentUltraEffortExit = "attachment / ultra_effort_exit", SystemMessage;
    AttachmentUltrathinkEffort = "attachment / ultrathink_effort", SystemMessage;
    AttachmentUnknownCommandFallback = "attachment / unknown_command_fallback", SystemMessage;
    AttachmentWithheldMemory = "attachment / withheld_memory", SystemMessage;
    AttachmentWorkflowKeywordRequest = "attachment / workflow_keyword_request", SystemMessage;
    AttachmentWorkflowSizeGuidelineChange = "attachment / workflow_size_guideline_change", SystemMessage;
}

/// The keys that tell record types apart, in the order in which they are looked at.
const DISCRIMINATORS: &[&[&str]] = &[&["type"], &["subtype"], &["attachment", "type"]];

impl Kind {
    /// Decides the kind of a record.
    pub fn of(record: Json<'_>) -> Self {
        detect(record)
    }
}

/// The name of a record's type, made from its own tags when the catalogue lacks it.
pub fn type_of(record: Json<'_>) -> String {
    match detect(record) {
        Kind::Unknown => tag_of(record, DISCRIMINATORS),
        kind => kind.name().to_owned(),
    }
}

fn detect(record: Json<'_>) -> Kind {
    if let Some(tag) = text_at(record, &["type"]) {
        match &*tag {
            "agent-color" => return Kind::AgentColor,
            "agent-name" => return Kind::AgentName,
            "agent-setting" => return Kind::AgentSetting,
            "ai-title" => return Kind::AiTitle,
            "api-request" => return Kind::ApiRequest,
            "api-request-blob" => return Kind::ApiRequestBlob,
            "api-request-shape" => return Kind::ApiRequestShape,
            "artifact-autoreact-ledger" => return Kind::ArtifactAutoreactLedger,
            "artifact-comment-monitor" => return Kind::ArtifactCommentMonitor,
            "assistant" => return Kind::Assistant,
            "atis-latch" => return Kind::AtisLatch,
            "attachment" => {
                if let Some(tag) = text_at(record, &["attachment", "type"]) {
                    match &*tag {
                        "account_memory_recall" => return Kind::AttachmentAccountMemoryRecall,
                        "advisor_stripped" => return Kind::AttachmentAdvisorStripped,
                        "advisor_tool" => return Kind::AttachmentAdvisorTool,
                        "agent_listing_delta" => return Kind::AttachmentAgentListingDelta,
                        "agent_mention" => return Kind::AttachmentAgentMention,
                        "already_read_file" => return Kind::AttachmentAlreadyReadFile,
                        "artifact_opening_prefetch" => {
                            return Kind::AttachmentArtifactOpeningPrefetch;
                        }
                        "async_hook_response" => return Kind::AttachmentAsyncHookResponse,
                        "async_hook_response_batch" => {
                            return Kind::AttachmentAsyncHookResponseBatch;
                        }
                        "at_mention_reference" => return Kind::AttachmentAtMentionReference,
                        "attention_budget" => return Kind::AttachmentAttentionBudget,
                        "auto_mode" => return Kind::AttachmentAutoMode,
                        "auto_mode_exit" => return Kind::AttachmentAutoModeExit,
                        "bash_output_audience_note" => {
                            return Kind::AttachmentBashOutputAudienceNote;
                        }
                        "batching_reminder" => return Kind::AttachmentBatchingReminder,
                        "batching_reminder_sent" => return Kind::AttachmentBatchingReminderSent,
                        "budget_usd" => return Kind::AttachmentBudgetUsd,
                        "command_permissions" => return Kind::AttachmentCommandPermissions,
                        "compact_file_reference" => return Kind::AttachmentCompactFileReference,
                        "context_efficiency" => return Kind::AttachmentContextEfficiency,
                        "context_sections" => return Kind::AttachmentContextSections,
                        "coordinator_context" => return Kind::AttachmentCoordinatorContext,
                        "cowork_memory_context" => return Kind::AttachmentCoworkMemoryContext,
                        "credential_org" => return Kind::AttachmentCredentialOrg,
                        "critical_system_reminder" => {
                            return Kind::AttachmentCriticalSystemReminder;
                        }
                        "date" => return Kind::AttachmentDate,
                        "date_change" => return Kind::AttachmentDateChange,
                        "deferred_tools_delta" => return Kind::AttachmentDeferredToolsDelta,
                        "deferred_tools_record" => return Kind::AttachmentDeferredToolsRecord,
                        "diagnostics" => return Kind::AttachmentDiagnostics,
                        "dir_sync_notice" => return Kind::AttachmentDirSyncNotice,
                        "directory" => return Kind::AttachmentDirectory,
                        "dynamic_skill" => return Kind::AttachmentDynamicSkill,
                        "edited_image_file" => return Kind::AttachmentEditedImageFile,
                        "edited_text_file" => return Kind::AttachmentEditedTextFile,
                        "elapsed_time_reminder" => return Kind::AttachmentElapsedTimeReminder,
                        "environment" => return Kind::AttachmentEnvironment,
                        "file" => return Kind::AttachmentFile,
                        "fork_briefing" => return Kind::AttachmentForkBriefing,
                        "goal_status" => return Kind::AttachmentGoalStatus,
                        "goals" => return Kind::AttachmentGoals,
                        "hook_additional_context" => return Kind::AttachmentHookAdditionalContext,
                        "hook_blocking_error" => return Kind::AttachmentHookBlockingError,
                        "hook_cancelled" => return Kind::AttachmentHookCancelled,
                        "hook_deferred_tool" => return Kind::AttachmentHookDeferredTool,
                        "hook_error_during_execution" => {
                            return Kind::AttachmentHookErrorDuringExecution;
                        }
                        "hook_non_blocking_error" => return Kind::AttachmentHookNonBlockingError,
                        "hook_permission_decision" => {
                            return Kind::AttachmentHookPermissionDecision;
                        }
                        "hook_plugin_listing" => return Kind::AttachmentHookPluginListing,
                        "hook_stopped_continuation" => {
                            return Kind::AttachmentHookStoppedContinuation;
                        }
                        "hook_success" => return Kind::AttachmentHookSuccess,
                        "hook_system_message" => return Kind::AttachmentHookSystemMessage,
                        "inlined_image_paths" => return Kind::AttachmentInlinedImagePaths,
                        "instructions" => return Kind::AttachmentInstructions,
                        "invoked_skills" => return Kind::AttachmentInvokedSkills,
                        "language" => return Kind::AttachmentLanguage,
                        "max_turns_reached" => return Kind::AttachmentMaxTurnsReached,
                        "mcp_dropped_tools_delta" => return Kind::AttachmentMcpDroppedToolsDelta,
                        "mcp_instructions_delta" => return Kind::AttachmentMcpInstructionsDelta,
                        "mcp_resource" => return Kind::AttachmentMcpResource,
                        "memory_update" => return Kind::AttachmentMemoryUpdate,
                        "model" => return Kind::AttachmentModel,
                        "nested_memory" => return Kind::AttachmentNestedMemory,
                        "opened_file_in_ide" => return Kind::AttachmentOpenedFileInIde,
                        "output_limit_note" => return Kind::AttachmentOutputLimitNote,
                        "output_style" => return Kind::AttachmentOutputStyle,
                        "output_style_instructions" => {
                            return Kind::AttachmentOutputStyleInstructions;
                        }
                        "output_token_usage" => return Kind::AttachmentOutputTokenUsage,
                        "pdf_reference" => return Kind::AttachmentPdfReference,
                        "peer_mention" => return Kind::AttachmentPeerMention,
                        "plan_file_reference" => return Kind::AttachmentPlanFileReference,
                        "plan_mode" => return Kind::AttachmentPlanMode,
                        "plan_mode_exit" => return Kind::AttachmentPlanModeExit,
                        "plan_mode_reentry" => return Kind::AttachmentPlanModeReentry,
                        "poll_events" => return Kind::AttachmentPollEvents,
                        "prefix_delta" => return Kind::AttachmentPrefixDelta,
                        "proactivity" => return Kind::AttachmentProactivity,
                        "project_doc_reads" => return Kind::AttachmentProjectDocReads,
                        "projects_thread_ask" => return Kind::AttachmentProjectsThreadAsk,
                        "prompt_render_point" => return Kind::AttachmentPromptRenderPoint,
                        "prompt_snapshot" => return Kind::AttachmentPromptSnapshot,
                        "queued_command" => return Kind::AttachmentQueuedCommand,
                        "read_truncation_notice" => return Kind::AttachmentReadTruncationNotice,
                        "relevant_memories" => return Kind::AttachmentRelevantMemories,
                        "remote_session_change" => return Kind::AttachmentRemoteSessionChange,
                        "sandbox_instructions" => return Kind::AttachmentSandboxInstructions,
                        "secondary_reminder" => return Kind::AttachmentSecondaryReminder,
                        "secondary_reminder_sent" => return Kind::AttachmentSecondaryReminderSent,
                        "selected_lines_in_diff" => return Kind::AttachmentSelectedLinesInDiff,
                        "selected_lines_in_ide" => return Kind::AttachmentSelectedLinesInIde,
                        "session_context" => return Kind::AttachmentSessionContext,
                        "session_cron_carry" => return Kind::AttachmentSessionCronCarry,
                        "session_settings" => return Kind::AttachmentSessionSettings,
                        "silent_turn_reminder" => return Kind::AttachmentSilentTurnReminder,
                        "skill_listing" => return Kind::AttachmentSkillListing,
                        "skill_mention" => return Kind::AttachmentSkillMention,
                        "structured_output" => return Kind::AttachmentStructuredOutput,
                        "task_reminder" => return Kind::AttachmentTaskReminder,
                        "task_status" => return Kind::AttachmentTaskStatus,
                        "team_context" => return Kind::AttachmentTeamContext,
                        "teammate_mailbox" => return Kind::AttachmentTeammateMailbox,
                        "teammate_shutdown_batch" => return Kind::AttachmentTeammateShutdownBatch,
                        "thinking_drop" => return Kind::AttachmentThinkingDrop,
                        "thinking_stripped" => return Kind::AttachmentThinkingStripped,
                        "thread_state" => return Kind::AttachmentThreadState,
                        "todo_reminder" => return Kind::AttachmentTodoReminder,
                        "token_usage" => return Kind::AttachmentTokenUsage,
                        "tool_host_result_lines" => return Kind::AttachmentToolHostResultLines,
                        "tool_hosts_correction" => return Kind::AttachmentToolHostsCorrection,
                        "tool_hosts_notice" => return Kind::AttachmentToolHostsNotice,
                        "tool_search_usage_reminder" => {
                            return Kind::AttachmentToolSearchUsageReminder;
                        }
                        "total_tokens_reminder" => return Kind::AttachmentTotalTokensReminder,
                        "ultra_effort_enter" => return Kind::AttachmentUltraEffortEnter,
                        "ultra_effort_exit" => return Kind::AttachmentUltraEffortExit,
                        "ultrathink_effort" => return Kind::AttachmentUltrathinkEffort,
                        "unknown_command_fallback" => {
                            return Kind::AttachmentUnknownCommandFallback;
                        }
                        "withheld_memory" => return Kind::AttachmentWithheldMemory,
                        "workflow_keyword_request" => {
                            return Kind::AttachmentWorkflowKeywordRequest;
                        }
                        "workflow_size_guideline_change" => {
                            return Kind::AttachmentWorkflowSizeGuidelineChange;
                        }
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "attribution-snapshot" => return Kind::AttributionSnapshot,
            "bridge-session" => return Kind::BridgeSession,
            "content-replacement" => return Kind::ContentReplacement,
            "continued-in" => return Kind::ContinuedIn,
            "cost-state" => return Kind::CostState,
            "custom-title" => return Kind::CustomTitle,
            "dev-mods" => return Kind::DevMods,
            "ended-by-model" => return Kind::EndedByModel,
            "file-history-delta" => return Kind::FileHistoryDelta,
            "file-history-snapshot" => return Kind::FileHistorySnapshot,
            "fork-context-ref" => return Kind::ForkContextRef,
            "frame-link" => return Kind::FrameLink,
            "history-suppression" => return Kind::HistorySuppression,
            "isolation-latch" => return Kind::IsolationLatch,
            "last-prompt" => return Kind::LastPrompt,
            "memory-mode" => return Kind::MemoryMode,
            "mode" => return Kind::Mode,
            "observer-ref" => return Kind::ObserverRef,
            "permission-mode" => return Kind::PermissionMode,
            "pr-link" => return Kind::PrLink,
            "progress" => return Kind::Progress,
            "queue-operation" => return Kind::QueueOperation,
            "relocated" => return Kind::Relocated,
            "summary" => return Kind::Summary,
            "system" => {
                if let Some(tag) = text_at(record, &["subtype"]) {
                    match &*tag {
                        "agents_killed" => return Kind::SystemAgentsKilled,
                        "api_error" => return Kind::SystemApiError,
                        "away_summary" => return Kind::SystemAwaySummary,
                        "bridge_status" => return Kind::SystemBridgeStatus,
                        "cloud_session_status" => return Kind::SystemCloudSessionStatus,
                        "compact_boundary" => return Kind::SystemCompactBoundary,
                        "file_snapshot" => return Kind::SystemFileSnapshot,
                        "informational" => return Kind::SystemInformational,
                        "local_command" => return Kind::SystemLocalCommand,
                        "memory_saved" => return Kind::SystemMemorySaved,
                        "microcompact_boundary" => return Kind::SystemMicrocompactBoundary,
                        "model_consent_fallback" => return Kind::SystemModelConsentFallback,
                        "model_fallback" => return Kind::SystemModelFallback,
                        "model_refusal_fallback" => return Kind::SystemModelRefusalFallback,
                        "model_refusal_no_fallback" => return Kind::SystemModelRefusalNoFallback,
                        "permission_retry" => return Kind::SystemPermissionRetry,
                        "read_divider" => return Kind::SystemReadDivider,
                        "rewind_stand_in" => return Kind::SystemRewindStandIn,
                        "scheduled_task_fire" => return Kind::SystemScheduledTaskFire,
                        "stop_hook_summary" => return Kind::SystemStopHookSummary,
                        "thinking" => return Kind::SystemThinking,
                        "turn_duration" => return Kind::SystemTurnDuration,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "tag" => return Kind::Tag,
            "tools-used" => return Kind::ToolsUsed,
            "user" => return Kind::User,
            "worktree-state" => return Kind::WorktreeState,
            _ => return Kind::Unknown,
        }
    }
    Kind::Unknown
}
