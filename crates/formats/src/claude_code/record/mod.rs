// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Every record type of Claude Code: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod attachment;
mod attachment_2;
mod kind;
mod line;
mod line_2;
mod system;

pub use attachment::*;
pub use attachment_2::*;
pub use kind::{Kind, type_of};
pub use line::*;
pub use line_2::*;
pub use system::*;

/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {
    /// `user`
    User(User<'a>),
    /// `assistant`
    Assistant(Assistant<'a>),
    /// `system / turn_duration`
    SystemTurnDuration(SystemTurnDuration<'a>),
    /// `system / stop_hook_summary`
    SystemStopHookSummary(SystemStopHookSummary<'a>),
    /// `system / away_summary`
    SystemAwaySummary(SystemAwaySummary<'a>),
    /// `system / compact_boundary`
    SystemCompactBoundary(SystemCompactBoundary<'a>),
    /// `system / local_command`
    SystemLocalCommand(SystemLocalCommand<'a>),
    /// `system / informational`
    SystemInformational(SystemInformational<'a>),
    /// `system / api_error`
    SystemApiError(SystemApiError<'a>),
    /// `system / microcompact_boundary`
    SystemMicrocompactBoundary(SystemPlain<'a>),
    /// `system / permission_retry`
    SystemPermissionRetry(SystemPlain<'a>),
    /// `system / memory_saved`
    SystemMemorySaved(SystemPlain<'a>),
    /// `system / agents_killed`
    SystemAgentsKilled(SystemPlain<'a>),
    /// `system / thinking`
    SystemThinking(SystemPlain<'a>),
    /// `system / file_snapshot`
    SystemFileSnapshot(SystemPlain<'a>),
    /// `system / bridge_status`
    SystemBridgeStatus(SystemPlain<'a>),
    /// `system / scheduled_task_fire`
    SystemScheduledTaskFire(SystemPlain<'a>),
    /// `system / read_divider`
    SystemReadDivider(SystemPlain<'a>),
    /// `system / model_fallback`
    SystemModelFallback(SystemPlain<'a>),
    /// `system / model_consent_fallback`
    SystemModelConsentFallback(SystemPlain<'a>),
    /// `system / model_refusal_fallback`
    SystemModelRefusalFallback(SystemPlain<'a>),
    /// `system / model_refusal_no_fallback`
    SystemModelRefusalNoFallback(SystemPlain<'a>),
    /// `system / rewind_stand_in`
    SystemRewindStandIn(SystemPlain<'a>),
    /// `system / cloud_session_status`
    SystemCloudSessionStatus(SystemPlain<'a>),
    /// `progress`
    Progress(Progress<'a>),
    /// `ai-title`
    AiTitle(AiTitle<'a>),
    /// `last-prompt`
    LastPrompt(LastPrompt<'a>),
    /// `mode`
    Mode(Mode<'a>),
    /// `permission-mode`
    PermissionMode(PermissionMode<'a>),
    /// `atis-latch`
    AtisLatch(AtisLatch<'a>),
    /// `cost-state`
    CostState(CostState<'a>),
    /// `pr-link`
    PrLink(PrLink<'a>),
    /// `queue-operation`
    QueueOperation(QueueOperation<'a>),
    /// `file-history-snapshot`
    FileHistorySnapshot(FileHistorySnapshot<'a>),
    /// `file-history-delta`
    FileHistoryDelta(FileHistoryDelta<'a>),
    /// `api-request`
    ApiRequest(ApiRequest<'a>),
    /// `api-request-blob`
    ApiRequestBlob(ApiRequestBlob<'a>),
    /// `api-request-shape`
    ApiRequestShape(ApiRequestShape<'a>),
    /// `fork-context-ref`
    ForkContextRef(ForkContextRef<'a>),
    /// `frame-link`
    FrameLink(FrameLink<'a>),
    /// `artifact-comment-monitor`
    ArtifactCommentMonitor(ArtifactCommentMonitor<'a>),
    /// `artifact-autoreact-ledger`
    ArtifactAutoreactLedger(ArtifactAutoreactLedger<'a>),
    /// `summary`
    Summary(Summary<'a>),
    /// `custom-title`
    CustomTitle(CustomTitle<'a>),
    /// `tag`
    Tag(Tag<'a>),
    /// `agent-name`
    AgentName(AgentName<'a>),
    /// `agent-color`
    AgentColor(AgentColor<'a>),
    /// `agent-setting`
    AgentSetting(AgentSetting<'a>),
    /// `relocated`
    Relocated(Relocated<'a>),
    /// `ended-by-model`
    EndedByModel(EndedByModel<'a>),
    /// `continued-in`
    ContinuedIn(ContinuedIn<'a>),
    /// `worktree-state`
    WorktreeState(WorktreeState<'a>),
    /// `isolation-latch`
    IsolationLatch(IsolationLatch<'a>),
    /// `dev-mods`
    DevMods(DevMods<'a>),
    /// `memory-mode`
    MemoryMode(MemoryMode<'a>),
    /// `bridge-session`
    BridgeSession(BridgeSession<'a>),
    /// `history-suppression`
    HistorySuppression(HistorySuppression<'a>),
    /// `attribution-snapshot`
    AttributionSnapshot(AttributionSnapshot<'a>),
    /// `content-replacement`
    ContentReplacement(ContentReplacement<'a>),
    /// `observer-ref`
    ObserverRef(ObserverRef<'a>),
    /// `tools-used`
    ToolsUsed(ToolsUsed<'a>),
    /// `attachment / agent_listing_delta`
    AttachmentAgentListingDelta(AttachmentAgentListingDelta<'a>),
    /// `attachment / auto_mode`
    AttachmentAutoMode(AttachmentAutoMode<'a>),
    /// `attachment / command_permissions`
    AttachmentCommandPermissions(AttachmentCommandPermissions<'a>),
    /// `attachment / compact_file_reference`
    AttachmentCompactFileReference(AttachmentCompactFileReference<'a>),
    /// `attachment / credential_org`
    AttachmentCredentialOrg(AttachmentCredentialOrg<'a>),
    /// `attachment / date`
    AttachmentDate(AttachmentDate<'a>),
    /// `attachment / deferred_tools_delta`
    AttachmentDeferredToolsDelta(AttachmentDeferredToolsDelta<'a>),
    /// `attachment / deferred_tools_record`
    AttachmentDeferredToolsRecord(AttachmentDeferredToolsRecord<'a>),
    /// `attachment / edited_text_file`
    AttachmentEditedTextFile(AttachmentEditedTextFile<'a>),
    /// `attachment / environment`
    AttachmentEnvironment(AttachmentEnvironment<'a>),
    /// `attachment / file`
    AttachmentFile(AttachmentFile<'a>),
    /// `attachment / hook_additional_context`
    AttachmentHookAdditionalContext(AttachmentHookAdditionalContext<'a>),
    /// `attachment / hook_success`
    AttachmentHookSuccess(AttachmentHookSuccess<'a>),
    /// `attachment / instructions`
    AttachmentInstructions(AttachmentInstructions<'a>),
    /// `attachment / invoked_skills`
    AttachmentInvokedSkills(AttachmentInvokedSkills<'a>),
    /// `attachment / mcp_instructions_delta`
    AttachmentMcpInstructionsDelta(AttachmentMcpInstructionsDelta<'a>),
    /// `attachment / model`
    AttachmentModel(AttachmentModel<'a>),
    /// `attachment / nested_memory`
    AttachmentNestedMemory(AttachmentNestedMemory<'a>),
    /// `attachment / prompt_snapshot`
    AttachmentPromptSnapshot(AttachmentPromptSnapshot<'a>),
    /// `attachment / queued_command`
    AttachmentQueuedCommand(AttachmentQueuedCommand<'a>),
    /// `attachment / read_truncation_notice`
    AttachmentReadTruncationNotice(AttachmentReadTruncationNotice<'a>),
    /// `attachment / session_context`
    AttachmentSessionContext(AttachmentSessionContext<'a>),
    /// `attachment / silent_turn_reminder`
    AttachmentSilentTurnReminder(AttachmentSilentTurnReminder<'a>),
    /// `attachment / skill_listing`
    AttachmentSkillListing(AttachmentSkillListing<'a>),
    /// `attachment / task_status`
    AttachmentTaskStatus(AttachmentTaskStatus<'a>),
    /// `attachment / thinking_drop`
    AttachmentThinkingDrop(AttachmentThinkingDrop<'a>),
    /// `attachment / total_tokens_reminder`
    AttachmentTotalTokensReminder(AttachmentTotalTokensReminder<'a>),
    /// `attachment / account_memory_recall`
    AttachmentAccountMemoryRecall(AttachmentPlain<'a>),
    /// `attachment / advisor_stripped`
    AttachmentAdvisorStripped(AttachmentPlain<'a>),
    /// `attachment / advisor_tool`
    AttachmentAdvisorTool(AttachmentPlain<'a>),
    /// `attachment / agent_mention`
    AttachmentAgentMention(AttachmentPlain<'a>),
    /// `attachment / already_read_file`
    AttachmentAlreadyReadFile(AttachmentPlain<'a>),
    /// `attachment / artifact_opening_prefetch`
    AttachmentArtifactOpeningPrefetch(AttachmentPlain<'a>),
    /// `attachment / async_hook_response`
    AttachmentAsyncHookResponse(AttachmentPlain<'a>),
    /// `attachment / async_hook_response_batch`
    AttachmentAsyncHookResponseBatch(AttachmentPlain<'a>),
    /// `attachment / at_mention_reference`
    AttachmentAtMentionReference(AttachmentPlain<'a>),
    /// `attachment / attention_budget`
    AttachmentAttentionBudget(AttachmentPlain<'a>),
    /// `attachment / auto_mode_exit`
    AttachmentAutoModeExit(AttachmentPlain<'a>),
    /// `attachment / bash_output_audience_note`
    AttachmentBashOutputAudienceNote(AttachmentPlain<'a>),
    /// `attachment / batching_reminder`
    AttachmentBatchingReminder(AttachmentPlain<'a>),
    /// `attachment / batching_reminder_sent`
    AttachmentBatchingReminderSent(AttachmentPlain<'a>),
    /// `attachment / budget_usd`
    AttachmentBudgetUsd(AttachmentPlain<'a>),
    /// `attachment / context_efficiency`
    AttachmentContextEfficiency(AttachmentPlain<'a>),
    /// `attachment / context_sections`
    AttachmentContextSections(AttachmentPlain<'a>),
    /// `attachment / coordinator_context`
    AttachmentCoordinatorContext(AttachmentPlain<'a>),
    /// `attachment / cowork_memory_context`
    AttachmentCoworkMemoryContext(AttachmentPlain<'a>),
    /// `attachment / critical_system_reminder`
    AttachmentCriticalSystemReminder(AttachmentPlain<'a>),
    /// `attachment / date_change`
    AttachmentDateChange(AttachmentPlain<'a>),
    /// `attachment / diagnostics`
    AttachmentDiagnostics(AttachmentPlain<'a>),
    /// `attachment / directory`
    AttachmentDirectory(AttachmentPlain<'a>),
    /// `attachment / dir_sync_notice`
    AttachmentDirSyncNotice(AttachmentPlain<'a>),
    /// `attachment / dynamic_skill`
    AttachmentDynamicSkill(AttachmentPlain<'a>),
    /// `attachment / edited_image_file`
    AttachmentEditedImageFile(AttachmentPlain<'a>),
    /// `attachment / elapsed_time_reminder`
    AttachmentElapsedTimeReminder(AttachmentPlain<'a>),
    /// `attachment / fork_briefing`
    AttachmentForkBriefing(AttachmentPlain<'a>),
    /// `attachment / goal_status`
    AttachmentGoalStatus(AttachmentPlain<'a>),
    /// `attachment / goals`
    AttachmentGoals(AttachmentPlain<'a>),
    /// `attachment / hook_blocking_error`
    AttachmentHookBlockingError(AttachmentPlain<'a>),
    /// `attachment / hook_cancelled`
    AttachmentHookCancelled(AttachmentPlain<'a>),
    /// `attachment / hook_deferred_tool`
    AttachmentHookDeferredTool(AttachmentPlain<'a>),
    /// `attachment / hook_error_during_execution`
    AttachmentHookErrorDuringExecution(AttachmentPlain<'a>),
    /// `attachment / hook_non_blocking_error`
    AttachmentHookNonBlockingError(AttachmentHookNonBlockingError<'a>),
    /// `attachment / hook_permission_decision`
    AttachmentHookPermissionDecision(AttachmentPlain<'a>),
    /// `attachment / hook_plugin_listing`
    AttachmentHookPluginListing(AttachmentPlain<'a>),
    /// `attachment / hook_stopped_continuation`
    AttachmentHookStoppedContinuation(AttachmentPlain<'a>),
    /// `attachment / hook_system_message`
    AttachmentHookSystemMessage(AttachmentPlain<'a>),
    /// `attachment / inlined_image_paths`
    AttachmentInlinedImagePaths(AttachmentPlain<'a>),
    /// `attachment / language`
    AttachmentLanguage(AttachmentPlain<'a>),
    /// `attachment / max_turns_reached`
    AttachmentMaxTurnsReached(AttachmentPlain<'a>),
    /// `attachment / mcp_dropped_tools_delta`
    AttachmentMcpDroppedToolsDelta(AttachmentPlain<'a>),
    /// `attachment / mcp_resource`
    AttachmentMcpResource(AttachmentPlain<'a>),
    /// `attachment / memory_update`
    AttachmentMemoryUpdate(AttachmentPlain<'a>),
    /// `attachment / opened_file_in_ide`
    AttachmentOpenedFileInIde(AttachmentPlain<'a>),
    /// `attachment / output_limit_note`
    AttachmentOutputLimitNote(AttachmentPlain<'a>),
    /// `attachment / output_style`
    AttachmentOutputStyle(AttachmentPlain<'a>),
    /// `attachment / output_style_instructions`
    AttachmentOutputStyleInstructions(AttachmentPlain<'a>),
    /// `attachment / output_token_usage`
    AttachmentOutputTokenUsage(AttachmentPlain<'a>),
    /// `attachment / pdf_reference`
    AttachmentPdfReference(AttachmentPlain<'a>),
    /// `attachment / peer_mention`
    AttachmentPeerMention(AttachmentPlain<'a>),
    /// `attachment / plan_file_reference`
    AttachmentPlanFileReference(AttachmentPlain<'a>),
    /// `attachment / plan_mode`
    AttachmentPlanMode(AttachmentPlanMode<'a>),
    /// `attachment / plan_mode_exit`
    AttachmentPlanModeExit(AttachmentPlanModeExit<'a>),
    /// `attachment / plan_mode_reentry`
    AttachmentPlanModeReentry(AttachmentPlain<'a>),
    /// `attachment / poll_events`
    AttachmentPollEvents(AttachmentPlain<'a>),
    /// `attachment / prefix_delta`
    AttachmentPrefixDelta(AttachmentPlain<'a>),
    /// `attachment / proactivity`
    AttachmentProactivity(AttachmentPlain<'a>),
    /// `attachment / project_doc_reads`
    AttachmentProjectDocReads(AttachmentPlain<'a>),
    /// `attachment / projects_thread_ask`
    AttachmentProjectsThreadAsk(AttachmentPlain<'a>),
    /// `attachment / prompt_render_point`
    AttachmentPromptRenderPoint(AttachmentPlain<'a>),
    /// `attachment / relevant_memories`
    AttachmentRelevantMemories(AttachmentPlain<'a>),
    /// `attachment / remote_session_change`
    AttachmentRemoteSessionChange(AttachmentRemoteSessionChange<'a>),
    /// `attachment / sandbox_instructions`
    AttachmentSandboxInstructions(AttachmentPlain<'a>),
    /// `attachment / secondary_reminder`
    AttachmentSecondaryReminder(AttachmentPlain<'a>),
    /// `attachment / secondary_reminder_sent`
    AttachmentSecondaryReminderSent(AttachmentPlain<'a>),
    /// `attachment / selected_lines_in_diff`
    AttachmentSelectedLinesInDiff(AttachmentPlain<'a>),
    /// `attachment / selected_lines_in_ide`
    AttachmentSelectedLinesInIde(AttachmentPlain<'a>),
    /// `attachment / session_cron_carry`
    AttachmentSessionCronCarry(AttachmentPlain<'a>),
    /// `attachment / session_settings`
    AttachmentSessionSettings(AttachmentPlain<'a>),
    /// `attachment / skill_mention`
    AttachmentSkillMention(AttachmentPlain<'a>),
    /// `attachment / structured_output`
    AttachmentStructuredOutput(AttachmentStructuredOutput<'a>),
    /// `attachment / task_reminder`
    AttachmentTaskReminder(AttachmentPlain<'a>),
    /// `attachment / team_context`
    AttachmentTeamContext(AttachmentPlain<'a>),
    /// `attachment / teammate_mailbox`
    AttachmentTeammateMailbox(AttachmentPlain<'a>),
    /// `attachment / teammate_shutdown_batch`
    AttachmentTeammateShutdownBatch(AttachmentPlain<'a>),
    /// `attachment / thinking_stripped`
    AttachmentThinkingStripped(AttachmentPlain<'a>),
    /// `attachment / thread_state`
    AttachmentThreadState(AttachmentPlain<'a>),
    /// `attachment / todo_reminder`
    AttachmentTodoReminder(AttachmentPlain<'a>),
    /// `attachment / token_usage`
    AttachmentTokenUsage(AttachmentPlain<'a>),
    /// `attachment / tool_host_result_lines`
    AttachmentToolHostResultLines(AttachmentPlain<'a>),
    /// `attachment / tool_hosts_correction`
    AttachmentToolHostsCorrection(AttachmentPlain<'a>),
    /// `attachment / tool_hosts_notice`
    AttachmentToolHostsNotice(AttachmentPlain<'a>),
    /// `attachment / tool_search_usage_reminder`
    AttachmentToolSearchUsageReminder(AttachmentPlain<'a>),
    /// `attachment / ultra_effort_enter`
    AttachmentUltraEffortEnter(AttachmentPlain<'a>),
    /// `attachment / ultra_effort_exit`
    AttachmentUltraEffortExit(AttachmentPlain<'a>),
    /// `attachment / ultrathink_effort`
    AttachmentUltrathinkEffort(AttachmentPlain<'a>),
    /// `attachment / unknown_command_fallback`
    AttachmentUnknownCommandFallback(AttachmentPlain<'a>),
    /// `attachment / withheld_memory`
    AttachmentWithheldMemory(AttachmentPlain<'a>),
    /// `attachment / workflow_keyword_request`
    AttachmentWorkflowKeywordRequest(AttachmentPlain<'a>),
    /// `attachment / workflow_size_guideline_change`
    AttachmentWorkflowSizeGuidelineChange(AttachmentPlain<'a>),
    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}

impl<'a> Record<'a> {
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {
        let known = match Kind::of(record) {
            Kind::User => Some(record).and_then(View::view).map(Record::User),
            Kind::Assistant => Some(record).and_then(View::view).map(Record::Assistant),
            Kind::SystemTurnDuration => {
                Some(record).and_then(View::view).map(Record::SystemTurnDuration)
            }
            Kind::SystemStopHookSummary => {
                Some(record).and_then(View::view).map(Record::SystemStopHookSummary)
            }
            Kind::SystemAwaySummary => {
                Some(record).and_then(View::view).map(Record::SystemAwaySummary)
            }
            Kind::SystemCompactBoundary => {
                Some(record).and_then(View::view).map(Record::SystemCompactBoundary)
            }
            Kind::SystemLocalCommand => {
                Some(record).and_then(View::view).map(Record::SystemLocalCommand)
            }
            Kind::SystemInformational => {
                Some(record).and_then(View::view).map(Record::SystemInformational)
            }
            Kind::SystemApiError => Some(record).and_then(View::view).map(Record::SystemApiError),
            Kind::SystemMicrocompactBoundary => {
                Some(record).and_then(View::view).map(Record::SystemMicrocompactBoundary)
            }
            Kind::SystemPermissionRetry => {
                Some(record).and_then(View::view).map(Record::SystemPermissionRetry)
            }
            Kind::SystemMemorySaved => {
                Some(record).and_then(View::view).map(Record::SystemMemorySaved)
            }
            Kind::SystemAgentsKilled => {
                Some(record).and_then(View::view).map(Record::SystemAgentsKilled)
            }
            Kind::SystemThinking => Some(record).and_then(View::view).map(Record::SystemThinking),
            Kind::SystemFileSnapshot => {
                Some(record).and_then(View::view).map(Record::SystemFileSnapshot)
            }
            Kind::SystemBridgeStatus => {
                Some(record).and_then(View::view).map(Record::SystemBridgeStatus)
            }
            Kind::SystemScheduledTaskFire => {
                Some(record).and_then(View::view).map(Record::SystemScheduledTaskFire)
            }
            Kind::SystemReadDivider => {
                Some(record).and_then(View::view).map(Record::SystemReadDivider)
            }
            Kind::SystemModelFallback => {
                Some(record).and_then(View::view).map(Record::SystemModelFallback)
            }
            Kind::SystemModelConsentFallback => {
                Some(record).and_then(View::view).map(Record::SystemModelConsentFallback)
            }
            Kind::SystemModelRefusalFallback => {
                Some(record).and_then(View::view).map(Record::SystemModelRefusalFallback)
            }
            Kind::SystemModelRefusalNoFallback => {
                Some(record).and_then(View::view).map(Record::SystemModelRefusalNoFallback)
            }
            Kind::SystemRewindStandIn => {
                Some(record).and_then(View::view).map(Record::SystemRewindStandIn)
            }
            Kind::SystemCloudSessionStatus => {
                Some(record).and_then(View::view).map(Record::SystemCloudSessionStatus)
            }
            Kind::Progress => Some(record).and_then(View::view).map(Record::Progress),
            Kind::AiTitle => Some(record).and_then(View::view).map(Record::AiTitle),
            Kind::LastPrompt => Some(record).and_then(View::view).map(Record::LastPrompt),
            Kind::Mode => Some(record).and_then(View::view).map(Record::Mode),
            Kind::PermissionMode => Some(record).and_then(View::view).map(Record::PermissionMode),
            Kind::AtisLatch => Some(record).and_then(View::view).map(Record::AtisLatch),
            Kind::CostState => Some(record).and_then(View::view).map(Record::CostState),
            Kind::PrLink => Some(record).and_then(View::view).map(Record::PrLink),
            Kind::QueueOperation => Some(record).and_then(View::view).map(Record::QueueOperation),
            Kind::FileHistorySnapshot => {
                Some(record).and_then(View::view).map(Record::FileHistorySnapshot)
            }
            Kind::FileHistoryDelta => {
                Some(record).and_then(View::view).map(Record::FileHistoryDelta)
            }
            Kind::ApiRequest => Some(record).and_then(View::view).map(Record::ApiRequest),
            Kind::ApiRequestBlob => Some(record).and_then(View::view).map(Record::ApiRequestBlob),
            Kind::ApiRequestShape => Some(record).and_then(View::view).map(Record::ApiRequestShape),
            Kind::ForkContextRef => Some(record).and_then(View::view).map(Record::ForkContextRef),
            Kind::FrameLink => Some(record).and_then(View::view).map(Record::FrameLink),
            Kind::ArtifactCommentMonitor => {
                Some(record).and_then(View::view).map(Record::ArtifactCommentMonitor)
            }
            Kind::ArtifactAutoreactLedger => {
                Some(record).and_then(View::view).map(Record::ArtifactAutoreactLedger)
            }
            Kind::Summary => Some(record).and_then(View::view).map(Record::Summary),
            Kind::CustomTitle => Some(record).and_then(View::view).map(Record::CustomTitle),
            Kind::Tag => Some(record).and_then(View::view).map(Record::Tag),
            Kind::AgentName => Some(record).and_then(View::view).map(Record::AgentName),
            Kind::AgentColor => Some(record).and_then(View::view).map(Record::AgentColor),
            Kind::AgentSetting => Some(record).and_then(View::view).map(Record::AgentSetting),
            Kind::Relocated => Some(record).and_then(View::view).map(Record::Relocated),
            Kind::EndedByModel => Some(record).and_then(View::view).map(Record::EndedByModel),
            Kind::ContinuedIn => Some(record).and_then(View::view).map(Record::ContinuedIn),
            Kind::WorktreeState => Some(record).and_then(View::view).map(Record::WorktreeState),
            Kind::IsolationLatch => Some(record).and_then(View::view).map(Record::IsolationLatch),
            Kind::DevMods => Some(record).and_then(View::view).map(Record::DevMods),
            Kind::MemoryMode => Some(record).and_then(View::view).map(Record::MemoryMode),
            Kind::BridgeSession => Some(record).and_then(View::view).map(Record::BridgeSession),
            Kind::HistorySuppression => {
                Some(record).and_then(View::view).map(Record::HistorySuppression)
            }
            Kind::AttributionSnapshot => {
                Some(record).and_then(View::view).map(Record::AttributionSnapshot)
            }
            Kind::ContentReplacement => {
                Some(record).and_then(View::view).map(Record::ContentReplacement)
            }
            Kind::ObserverRef => Some(record).and_then(View::view).map(Record::ObserverRef),
            Kind::ToolsUsed => Some(record).and_then(View::view).map(Record::ToolsUsed),
            Kind::AttachmentAgentListingDelta => {
                Some(record).and_then(View::view).map(Record::AttachmentAgentListingDelta)
            }
            Kind::AttachmentAutoMode => {
                Some(record).and_then(View::view).map(Record::AttachmentAutoMode)
            }
            Kind::AttachmentCommandPermissions => {
                Some(record).and_then(View::view).map(Record::AttachmentCommandPermissions)
            }
            Kind::AttachmentCompactFileReference => {
                Some(record).and_then(View::view).map(Record::AttachmentCompactFileReference)
            }
            Kind::AttachmentCredentialOrg => {
                Some(record).and_then(View::view).map(Record::AttachmentCredentialOrg)
            }
            Kind::AttachmentDate => Some(record).and_then(View::view).map(Record::AttachmentDate),
            Kind::AttachmentDeferredToolsDelta => {
                Some(record).and_then(View::view).map(Record::AttachmentDeferredToolsDelta)
            }
            Kind::AttachmentDeferredToolsRecord => {
                Some(record).and_then(View::view).map(Record::AttachmentDeferredToolsRecord)
            }
            Kind::AttachmentEditedTextFile => {
                Some(record).and_then(View::view).map(Record::AttachmentEditedTextFile)
            }
            Kind::AttachmentEnvironment => {
                Some(record).and_then(View::view).map(Record::AttachmentEnvironment)
            }
            Kind::AttachmentFile => Some(record).and_then(View::view).map(Record::AttachmentFile),
            Kind::AttachmentHookAdditionalContext => {
                Some(record).and_then(View::view).map(Record::AttachmentHookAdditionalContext)
            }
            Kind::AttachmentHookSuccess => {
                Some(record).and_then(View::view).map(Record::AttachmentHookSuccess)
            }
            Kind::AttachmentInstructions => {
                Some(record).and_then(View::view).map(Record::AttachmentInstructions)
            }
            Kind::AttachmentInvokedSkills => {
                Some(record).and_then(View::view).map(Record::AttachmentInvokedSkills)
            }
            Kind::AttachmentMcpInstructionsDelta => {
                Some(record).and_then(View::view).map(Record::AttachmentMcpInstructionsDelta)
            }
            Kind::AttachmentModel => Some(record).and_then(View::view).map(Record::AttachmentModel),
            Kind::AttachmentNestedMemory => {
                Some(record).and_then(View::view).map(Record::AttachmentNestedMemory)
            }
            Kind::AttachmentPromptSnapshot => {
                Some(record).and_then(View::view).map(Record::AttachmentPromptSnapshot)
            }
            Kind::AttachmentQueuedCommand => {
                Some(record).and_then(View::view).map(Record::AttachmentQueuedCommand)
            }
            Kind::AttachmentReadTruncationNotice => {
                Some(record).and_then(View::view).map(Record::AttachmentReadTruncationNotice)
            }
            Kind::AttachmentSessionContext => {
                Some(record).and_then(View::view).map(Record::AttachmentSessionContext)
            }
            Kind::AttachmentSilentTurnReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentSilentTurnReminder)
            }
            Kind::AttachmentSkillListing => {
                Some(record).and_then(View::view).map(Record::AttachmentSkillListing)
            }
            Kind::AttachmentTaskStatus => {
                Some(record).and_then(View::view).map(Record::AttachmentTaskStatus)
            }
            Kind::AttachmentThinkingDrop => {
                Some(record).and_then(View::view).map(Record::AttachmentThinkingDrop)
            }
            Kind::AttachmentTotalTokensReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentTotalTokensReminder)
            }
            Kind::AttachmentAccountMemoryRecall => {
                Some(record).and_then(View::view).map(Record::AttachmentAccountMemoryRecall)
            }
            Kind::AttachmentAdvisorStripped => {
                Some(record).and_then(View::view).map(Record::AttachmentAdvisorStripped)
            }
            Kind::AttachmentAdvisorTool => {
                Some(record).and_then(View::view).map(Record::AttachmentAdvisorTool)
            }
            Kind::AttachmentAgentMention => {
                Some(record).and_then(View::view).map(Record::AttachmentAgentMention)
            }
            Kind::AttachmentAlreadyReadFile => {
                Some(record).and_then(View::view).map(Record::AttachmentAlreadyReadFile)
            }
            Kind::AttachmentArtifactOpeningPrefetch => {
                Some(record).and_then(View::view).map(Record::AttachmentArtifactOpeningPrefetch)
            }
            Kind::AttachmentAsyncHookResponse => {
                Some(record).and_then(View::view).map(Record::AttachmentAsyncHookResponse)
            }
            Kind::AttachmentAsyncHookResponseBatch => {
                Some(record).and_then(View::view).map(Record::AttachmentAsyncHookResponseBatch)
            }
            Kind::AttachmentAtMentionReference => {
                Some(record).and_then(View::view).map(Record::AttachmentAtMentionReference)
            }
            Kind::AttachmentAttentionBudget => {
                Some(record).and_then(View::view).map(Record::AttachmentAttentionBudget)
            }
            Kind::AttachmentAutoModeExit => {
                Some(record).and_then(View::view).map(Record::AttachmentAutoModeExit)
            }
            Kind::AttachmentBashOutputAudienceNote => {
                Some(record).and_then(View::view).map(Record::AttachmentBashOutputAudienceNote)
            }
            Kind::AttachmentBatchingReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentBatchingReminder)
            }
            Kind::AttachmentBatchingReminderSent => {
                Some(record).and_then(View::view).map(Record::AttachmentBatchingReminderSent)
            }
            Kind::AttachmentBudgetUsd => {
                Some(record).and_then(View::view).map(Record::AttachmentBudgetUsd)
            }
            Kind::AttachmentContextEfficiency => {
                Some(record).and_then(View::view).map(Record::AttachmentContextEfficiency)
            }
            Kind::AttachmentContextSections => {
                Some(record).and_then(View::view).map(Record::AttachmentContextSections)
            }
            Kind::AttachmentCoordinatorContext => {
                Some(record).and_then(View::view).map(Record::AttachmentCoordinatorContext)
            }
            Kind::AttachmentCoworkMemoryContext => {
                Some(record).and_then(View::view).map(Record::AttachmentCoworkMemoryContext)
            }
            Kind::AttachmentCriticalSystemReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentCriticalSystemReminder)
            }
            Kind::AttachmentDateChange => {
                Some(record).and_then(View::view).map(Record::AttachmentDateChange)
            }
            Kind::AttachmentDiagnostics => {
                Some(record).and_then(View::view).map(Record::AttachmentDiagnostics)
            }
            Kind::AttachmentDirectory => {
                Some(record).and_then(View::view).map(Record::AttachmentDirectory)
            }
            Kind::AttachmentDirSyncNotice => {
                Some(record).and_then(View::view).map(Record::AttachmentDirSyncNotice)
            }
            Kind::AttachmentDynamicSkill => {
                Some(record).and_then(View::view).map(Record::AttachmentDynamicSkill)
            }
            Kind::AttachmentEditedImageFile => {
                Some(record).and_then(View::view).map(Record::AttachmentEditedImageFile)
            }
            Kind::AttachmentElapsedTimeReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentElapsedTimeReminder)
            }
            Kind::AttachmentForkBriefing => {
                Some(record).and_then(View::view).map(Record::AttachmentForkBriefing)
            }
            Kind::AttachmentGoalStatus => {
                Some(record).and_then(View::view).map(Record::AttachmentGoalStatus)
            }
            Kind::AttachmentGoals => Some(record).and_then(View::view).map(Record::AttachmentGoals),
            Kind::AttachmentHookBlockingError => {
                Some(record).and_then(View::view).map(Record::AttachmentHookBlockingError)
            }
            Kind::AttachmentHookCancelled => {
                Some(record).and_then(View::view).map(Record::AttachmentHookCancelled)
            }
            Kind::AttachmentHookDeferredTool => {
                Some(record).and_then(View::view).map(Record::AttachmentHookDeferredTool)
            }
            Kind::AttachmentHookErrorDuringExecution => {
                Some(record).and_then(View::view).map(Record::AttachmentHookErrorDuringExecution)
            }
            Kind::AttachmentHookNonBlockingError => {
                Some(record).and_then(View::view).map(Record::AttachmentHookNonBlockingError)
            }
            Kind::AttachmentHookPermissionDecision => {
                Some(record).and_then(View::view).map(Record::AttachmentHookPermissionDecision)
            }
            Kind::AttachmentHookPluginListing => {
                Some(record).and_then(View::view).map(Record::AttachmentHookPluginListing)
            }
            Kind::AttachmentHookStoppedContinuation => {
                Some(record).and_then(View::view).map(Record::AttachmentHookStoppedContinuation)
            }
            Kind::AttachmentHookSystemMessage => {
                Some(record).and_then(View::view).map(Record::AttachmentHookSystemMessage)
            }
            Kind::AttachmentInlinedImagePaths => {
                Some(record).and_then(View::view).map(Record::AttachmentInlinedImagePaths)
            }
            Kind::AttachmentLanguage => {
                Some(record).and_then(View::view).map(Record::AttachmentLanguage)
            }
            Kind::AttachmentMaxTurnsReached => {
                Some(record).and_then(View::view).map(Record::AttachmentMaxTurnsReached)
            }
            Kind::AttachmentMcpDroppedToolsDelta => {
                Some(record).and_then(View::view).map(Record::AttachmentMcpDroppedToolsDelta)
            }
            Kind::AttachmentMcpResource => {
                Some(record).and_then(View::view).map(Record::AttachmentMcpResource)
            }
            Kind::AttachmentMemoryUpdate => {
                Some(record).and_then(View::view).map(Record::AttachmentMemoryUpdate)
            }
            Kind::AttachmentOpenedFileInIde => {
                Some(record).and_then(View::view).map(Record::AttachmentOpenedFileInIde)
            }
            Kind::AttachmentOutputLimitNote => {
                Some(record).and_then(View::view).map(Record::AttachmentOutputLimitNote)
            }
            Kind::AttachmentOutputStyle => {
                Some(record).and_then(View::view).map(Record::AttachmentOutputStyle)
            }
            Kind::AttachmentOutputStyleInstructions => {
                Some(record).and_then(View::view).map(Record::AttachmentOutputStyleInstructions)
            }
            Kind::AttachmentOutputTokenUsage => {
                Some(record).and_then(View::view).map(Record::AttachmentOutputTokenUsage)
            }
            Kind::AttachmentPdfReference => {
                Some(record).and_then(View::view).map(Record::AttachmentPdfReference)
            }
            Kind::AttachmentPeerMention => {
                Some(record).and_then(View::view).map(Record::AttachmentPeerMention)
            }
            Kind::AttachmentPlanFileReference => {
                Some(record).and_then(View::view).map(Record::AttachmentPlanFileReference)
            }
            Kind::AttachmentPlanMode => {
                Some(record).and_then(View::view).map(Record::AttachmentPlanMode)
            }
            Kind::AttachmentPlanModeExit => {
                Some(record).and_then(View::view).map(Record::AttachmentPlanModeExit)
            }
            Kind::AttachmentPlanModeReentry => {
                Some(record).and_then(View::view).map(Record::AttachmentPlanModeReentry)
            }
            Kind::AttachmentPollEvents => {
                Some(record).and_then(View::view).map(Record::AttachmentPollEvents)
            }
            Kind::AttachmentPrefixDelta => {
                Some(record).and_then(View::view).map(Record::AttachmentPrefixDelta)
            }
            Kind::AttachmentProactivity => {
                Some(record).and_then(View::view).map(Record::AttachmentProactivity)
            }
            Kind::AttachmentProjectDocReads => {
                Some(record).and_then(View::view).map(Record::AttachmentProjectDocReads)
            }
            Kind::AttachmentProjectsThreadAsk => {
                Some(record).and_then(View::view).map(Record::AttachmentProjectsThreadAsk)
            }
            Kind::AttachmentPromptRenderPoint => {
                Some(record).and_then(View::view).map(Record::AttachmentPromptRenderPoint)
            }
            Kind::AttachmentRelevantMemories => {
                Some(record).and_then(View::view).map(Record::AttachmentRelevantMemories)
            }
            Kind::AttachmentRemoteSessionChange => {
                Some(record).and_then(View::view).map(Record::AttachmentRemoteSessionChange)
            }
            Kind::AttachmentSandboxInstructions => {
                Some(record).and_then(View::view).map(Record::AttachmentSandboxInstructions)
            }
            Kind::AttachmentSecondaryReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentSecondaryReminder)
            }
            Kind::AttachmentSecondaryReminderSent => {
                Some(record).and_then(View::view).map(Record::AttachmentSecondaryReminderSent)
            }
            Kind::AttachmentSelectedLinesInDiff => {
                Some(record).and_then(View::view).map(Record::AttachmentSelectedLinesInDiff)
            }
            Kind::AttachmentSelectedLinesInIde => {
                Some(record).and_then(View::view).map(Record::AttachmentSelectedLinesInIde)
            }
            Kind::AttachmentSessionCronCarry => {
                Some(record).and_then(View::view).map(Record::AttachmentSessionCronCarry)
            }
            Kind::AttachmentSessionSettings => {
                Some(record).and_then(View::view).map(Record::AttachmentSessionSettings)
            }
            Kind::AttachmentSkillMention => {
                Some(record).and_then(View::view).map(Record::AttachmentSkillMention)
            }
            Kind::AttachmentStructuredOutput => {
                Some(record).and_then(View::view).map(Record::AttachmentStructuredOutput)
            }
            Kind::AttachmentTaskReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentTaskReminder)
            }
            Kind::AttachmentTeamContext => {
                Some(record).and_then(View::view).map(Record::AttachmentTeamContext)
            }
            Kind::AttachmentTeammateMailbox => {
                Some(record).and_then(View::view).map(Record::AttachmentTeammateMailbox)
            }
            Kind::AttachmentTeammateShutdownBatch => {
                Some(record).and_then(View::view).map(Record::AttachmentTeammateShutdownBatch)
            }
            Kind::AttachmentThinkingStripped => {
                Some(record).and_then(View::view).map(Record::AttachmentThinkingStripped)
            }
            Kind::AttachmentThreadState => {
                Some(record).and_then(View::view).map(Record::AttachmentThreadState)
            }
            Kind::AttachmentTodoReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentTodoReminder)
            }
            Kind::AttachmentTokenUsage => {
                Some(record).and_then(View::view).map(Record::AttachmentTokenUsage)
            }
            Kind::AttachmentToolHostResultLines => {
                Some(record).and_then(View::view).map(Record::AttachmentToolHostResultLines)
            }
            Kind::AttachmentToolHostsCorrection => {
                Some(record).and_then(View::view).map(Record::AttachmentToolHostsCorrection)
            }
            Kind::AttachmentToolHostsNotice => {
                Some(record).and_then(View::view).map(Record::AttachmentToolHostsNotice)
            }
            Kind::AttachmentToolSearchUsageReminder => {
                Some(record).and_then(View::view).map(Record::AttachmentToolSearchUsageReminder)
            }
            Kind::AttachmentUltraEffortEnter => {
                Some(record).and_then(View::view).map(Record::AttachmentUltraEffortEnter)
            }
            Kind::AttachmentUltraEffortExit => {
                Some(record).and_then(View::view).map(Record::AttachmentUltraEffortExit)
            }
            Kind::AttachmentUltrathinkEffort => {
                Some(record).and_then(View::view).map(Record::AttachmentUltrathinkEffort)
            }
            Kind::AttachmentUnknownCommandFallback => {
                Some(record).and_then(View::view).map(Record::AttachmentUnknownCommandFallback)
            }
            Kind::AttachmentWithheldMemory => {
                Some(record).and_then(View::view).map(Record::AttachmentWithheldMemory)
            }
            Kind::AttachmentWorkflowKeywordRequest => {
                Some(record).and_then(View::view).map(Record::AttachmentWorkflowKeywordRequest)
            }
            Kind::AttachmentWorkflowSizeGuidelineChange => {
                Some(record).and_then(View::view).map(Record::AttachmentWorkflowSizeGuidelineChange)
            }
            Kind::Unknown => None,
        };
        known.unwrap_or(Self::Unknown(record))
    }
}
