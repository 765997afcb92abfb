// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Every record type of Codex: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod event_msg;
mod item;
mod item_2;
mod kind;
mod line;
mod realtime_item;
mod response_item;
mod retained_context;

pub use event_msg::*;
pub use item::*;
pub use item_2::*;
pub use kind::{Kind, type_of};
pub use line::*;
pub use realtime_item::*;
pub use response_item::*;
pub use retained_context::*;

/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {
    /// `session_meta`
    SessionMeta(SessionMeta<'a>),
    /// `turn_context`
    TurnContext(TurnContext<'a>),
    /// `token_usage_record`
    TokenUsageRecord(TokenUsageRecord<'a>),
    /// `compacted`
    Compacted(Compacted<'a>),
    /// `world_state`
    WorldState(WorldState<'a>),
    /// `inter_agent_communication`
    InterAgentCommunication(InterAgentCommunication<'a>),
    /// `inter_agent_communication_metadata`
    InterAgentCommunicationMetadata(InterAgentCommunicationMetadata<'a>),
    /// `security_risk_score`
    SecurityRiskScore(SecurityRiskScore<'a>),
    /// `retained_context / verified_answer`
    RetainedContextVerifiedAnswer(RetainedContextVerifiedAnswer<'a>),
    /// `realtime_item / realtime_session_started`
    RealtimeRealtimeSessionStarted(RealtimeRealtimeSessionStarted<'a>),
    /// `realtime_item / transcript_segment`
    RealtimeTranscriptSegment(RealtimeTranscriptSegment<'a>),
    /// `realtime_item / bem_item_promoted`
    RealtimeBemItemPromoted(RealtimeBemItemPromoted<'a>),
    /// `realtime_item / realtime_session_closed`
    RealtimeRealtimeSessionClosed(RealtimeRealtimeSessionClosed<'a>),
    /// `response_item / message (role=user)`
    ResponseMessageUser(ResponseMessageUser<'a>),
    /// `response_item / message (role=assistant)`
    ResponseMessageAssistant(ResponseMessageAssistant<'a>),
    /// `response_item / message (role=developer)`
    ResponseMessageDeveloper(ResponseMessageDeveloper<'a>),
    /// `response_item / reasoning`
    ResponseReasoning(ResponseReasoning<'a>),
    /// `response_item / function_call`
    ResponseFunctionCall(ResponseFunctionCall<'a>),
    /// `response_item / function_call_output`
    ResponseFunctionCallOutput(ResponseFunctionCallOutput<'a>),
    /// `response_item / custom_tool_call`
    ResponseCustomToolCall(ResponseCustomToolCall<'a>),
    /// `response_item / custom_tool_call_output`
    ResponseCustomToolCallOutput(ResponseCustomToolCallOutput<'a>),
    /// `response_item / local_shell_call`
    ResponseLocalShellCall(ResponseLocalShellCall<'a>),
    /// `response_item / tool_search_call`
    ResponseToolSearchCall(ResponseToolSearchCall<'a>),
    /// `response_item / tool_search_output`
    ResponseToolSearchOutput(ResponseToolSearchOutput<'a>),
    /// `response_item / web_search_call`
    ResponseWebSearchCall(ResponseWebSearchCall<'a>),
    /// `response_item / image_generation_call`
    ResponseImageGenerationCall(ResponseImageGenerationCall<'a>),
    /// `response_item / agent_message`
    ResponseAgentMessage(ResponseAgentMessage<'a>),
    /// `response_item / additional_tools`
    ResponseAdditionalTools(ResponseAdditionalTools<'a>),
    /// `response_item / configuration_update`
    ResponseConfigurationUpdate(ResponseConfigurationUpdate<'a>),
    /// `response_item / compaction`
    ResponseCompaction(ResponseCompaction<'a>),
    /// `response_item / context_compaction`
    ResponseContextCompaction(ResponseContextCompaction<'a>),
    /// `event_msg / task_started`
    EventTaskStarted(EventTaskStarted<'a>),
    /// `event_msg / task_complete`
    EventTaskComplete(EventTaskComplete<'a>),
    /// `event_msg / turn_aborted`
    EventTurnAborted(EventTurnAborted<'a>),
    /// `event_msg / token_count`
    EventTokenCount(EventTokenCount<'a>),
    /// `event_msg / thread_settings_applied`
    EventThreadSettingsApplied(EventThreadSettingsApplied<'a>),
    /// `event_msg / thread_goal_updated`
    EventThreadGoalUpdated(EventThreadGoalUpdated<'a>),
    /// `event_msg / thread_rolled_back`
    EventThreadRolledBack(EventThreadRolledBack<'a>),
    /// `event_msg / item_completed`
    ItemCompleted(ItemCompleted<'a>),
    /// `event_msg / user_message`
    EventUserMessage(EventUserMessage<'a>),
    /// `event_msg / agent_message`
    EventAgentMessage(EventAgentMessage<'a>),
    /// `event_msg / agent_reasoning`
    EventAgentReasoning(EventAgentReasoning<'a>),
    /// `event_msg / agent_reasoning_raw_content`
    EventAgentReasoningRawContent(EventAgentReasoningRawContent<'a>),
    /// `event_msg / entered_review_mode`
    EventEnteredReviewMode(EventEnteredReviewMode<'a>),
    /// `event_msg / exited_review_mode`
    EventExitedReviewMode(EventExitedReviewMode<'a>),
    /// `event_msg / patch_apply_end`
    EventPatchApplyEnd(EventPatchApplyEnd<'a>),
    /// `event_msg / context_compacted`
    EventContextCompacted(EventContextCompacted<'a>),
    /// `event_msg / mcp_tool_call_end`
    EventMcpToolCallEnd(EventMcpToolCallEnd<'a>),
    /// `event_msg / web_search_end`
    EventWebSearchEnd(EventWebSearchEnd<'a>),
    /// `event_msg / image_generation_end`
    EventImageGenerationEnd(EventImageGenerationEnd<'a>),
    /// `event_msg / sub_agent_activity`
    EventSubAgentActivity(EventSubAgentActivity<'a>),
    /// `event_msg / item_completed / UserMessage`
    ItemUserMessage(ItemUserMessage<'a>),
    /// `event_msg / item_completed / AgentMessage`
    ItemAgentMessage(ItemAgentMessage<'a>),
    /// `event_msg / item_completed / Reasoning`
    ItemReasoning(ItemReasoning<'a>),
    /// `event_msg / item_completed / Plan`
    ItemPlan(ItemPlan<'a>),
    /// `event_msg / item_completed / CommandExecution`
    ItemCommandExecution(ItemCommandExecution<'a>),
    /// `event_msg / item_completed / FileChange`
    ItemFileChange(ItemFileChange<'a>),
    /// `event_msg / item_completed / McpToolCall`
    ItemMcpToolCall(ItemMcpToolCall<'a>),
    /// `event_msg / item_completed / DynamicToolCall`
    ItemDynamicToolCall(ItemDynamicToolCall<'a>),
    /// `event_msg / item_completed / FunctionCallOutput`
    ItemFunctionCallOutput(ItemFunctionCallOutput<'a>),
    /// `event_msg / item_completed / CollabAgentToolCall`
    ItemCollabAgentToolCall(ItemCollabAgentToolCall<'a>),
    /// `event_msg / item_completed / SubAgentActivity`
    ItemSubAgentActivity(ItemSubAgentActivity<'a>),
    /// `event_msg / item_completed / WebSearch`
    ItemWebSearch(ItemWebSearch<'a>),
    /// `event_msg / item_completed / ImageView`
    ItemImageView(ItemImageView<'a>),
    /// `event_msg / item_completed / ImageGeneration`
    ItemImageGeneration(ItemImageGeneration<'a>),
    /// `event_msg / item_completed / HookPrompt`
    ItemHookPrompt(ItemHookPrompt<'a>),
    /// `event_msg / item_completed / EnteredReviewMode`
    ItemEnteredReviewMode(ItemEnteredReviewMode<'a>),
    /// `event_msg / item_completed / ExitedReviewMode`
    ItemExitedReviewMode(ItemExitedReviewMode<'a>),
    /// `event_msg / item_completed / ContextCompaction`
    ItemContextCompaction(ItemContextCompaction<'a>),
    /// `event_msg / item_completed / Extension / web.search`
    ItemExtensionWebSearch(ItemExtensionWebSearch<'a>),
    /// `event_msg / item_completed / Extension / clock.sleep`
    ItemExtensionClockSleep(ItemExtensionClockSleep<'a>),
    /// `event_msg / item_completed / Extension / image_gen.generation`
    ItemExtensionImageGenGeneration(ItemExtensionImageGenGeneration<'a>),
    /// `event_msg / exec_command_end`
    EventExecCommandEnd(EventExecCommandEnd<'a>),
    /// `event_msg / view_image_tool_call`
    EventViewImageToolCall(EventViewImageToolCall<'a>),
    /// `event_msg / error`
    EventError(EventError<'a>),
    /// `response_item / ghost_snapshot`
    ResponseGhostSnapshot(ResponseGhostSnapshot<'a>),
    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}

impl<'a> Record<'a> {
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {
        let known = match Kind::of(record) {
            Kind::SessionMeta => {
                record.at(&["payload"]).and_then(View::view).map(Record::SessionMeta)
            }
            Kind::TurnContext => {
                record.at(&["payload"]).and_then(View::view).map(Record::TurnContext)
            }
            Kind::TokenUsageRecord => {
                record.at(&["payload"]).and_then(View::view).map(Record::TokenUsageRecord)
            }
            Kind::Compacted => record.at(&["payload"]).and_then(View::view).map(Record::Compacted),
            Kind::WorldState => {
                record.at(&["payload"]).and_then(View::view).map(Record::WorldState)
            }
            Kind::InterAgentCommunication => {
                record.at(&["payload"]).and_then(View::view).map(Record::InterAgentCommunication)
            }
            Kind::InterAgentCommunicationMetadata => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::InterAgentCommunicationMetadata),
            Kind::SecurityRiskScore => {
                record.at(&["payload"]).and_then(View::view).map(Record::SecurityRiskScore)
            }
            Kind::RetainedContextVerifiedAnswer => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::RetainedContextVerifiedAnswer),
            Kind::RealtimeRealtimeSessionStarted => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::RealtimeRealtimeSessionStarted),
            Kind::RealtimeTranscriptSegment => {
                record.at(&["payload"]).and_then(View::view).map(Record::RealtimeTranscriptSegment)
            }
            Kind::RealtimeBemItemPromoted => {
                record.at(&["payload"]).and_then(View::view).map(Record::RealtimeBemItemPromoted)
            }
            Kind::RealtimeRealtimeSessionClosed => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::RealtimeRealtimeSessionClosed),
            Kind::ResponseMessageUser => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseMessageUser)
            }
            Kind::ResponseMessageAssistant => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseMessageAssistant)
            }
            Kind::ResponseMessageDeveloper => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseMessageDeveloper)
            }
            Kind::ResponseReasoning => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseReasoning)
            }
            Kind::ResponseFunctionCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseFunctionCall)
            }
            Kind::ResponseFunctionCallOutput => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseFunctionCallOutput)
            }
            Kind::ResponseCustomToolCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseCustomToolCall)
            }
            Kind::ResponseCustomToolCallOutput => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::ResponseCustomToolCallOutput),
            Kind::ResponseLocalShellCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseLocalShellCall)
            }
            Kind::ResponseToolSearchCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseToolSearchCall)
            }
            Kind::ResponseToolSearchOutput => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseToolSearchOutput)
            }
            Kind::ResponseWebSearchCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseWebSearchCall)
            }
            Kind::ResponseImageGenerationCall => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::ResponseImageGenerationCall),
            Kind::ResponseAgentMessage => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseAgentMessage)
            }
            Kind::ResponseAdditionalTools => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseAdditionalTools)
            }
            Kind::ResponseConfigurationUpdate => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::ResponseConfigurationUpdate),
            Kind::ResponseCompaction => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseCompaction)
            }
            Kind::ResponseContextCompaction => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseContextCompaction)
            }
            Kind::EventTaskStarted => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventTaskStarted)
            }
            Kind::EventTaskComplete => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventTaskComplete)
            }
            Kind::EventTurnAborted => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventTurnAborted)
            }
            Kind::EventTokenCount => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventTokenCount)
            }
            Kind::EventThreadSettingsApplied => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventThreadSettingsApplied)
            }
            Kind::EventThreadGoalUpdated => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventThreadGoalUpdated)
            }
            Kind::EventThreadRolledBack => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventThreadRolledBack)
            }
            Kind::ItemCompleted => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemCompleted)
            }
            Kind::EventUserMessage => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventUserMessage)
            }
            Kind::EventAgentMessage => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventAgentMessage)
            }
            Kind::EventAgentReasoning => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventAgentReasoning)
            }
            Kind::EventAgentReasoningRawContent => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::EventAgentReasoningRawContent),
            Kind::EventEnteredReviewMode => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventEnteredReviewMode)
            }
            Kind::EventExitedReviewMode => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventExitedReviewMode)
            }
            Kind::EventPatchApplyEnd => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventPatchApplyEnd)
            }
            Kind::EventContextCompacted => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventContextCompacted)
            }
            Kind::EventMcpToolCallEnd => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventMcpToolCallEnd)
            }
            Kind::EventWebSearchEnd => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventWebSearchEnd)
            }
            Kind::EventImageGenerationEnd => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventImageGenerationEnd)
            }
            Kind::EventSubAgentActivity => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventSubAgentActivity)
            }
            Kind::ItemUserMessage => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemUserMessage)
            }
            Kind::ItemAgentMessage => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemAgentMessage)
            }
            Kind::ItemReasoning => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemReasoning)
            }
            Kind::ItemPlan => record.at(&["payload"]).and_then(View::view).map(Record::ItemPlan),
            Kind::ItemCommandExecution => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemCommandExecution)
            }
            Kind::ItemFileChange => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemFileChange)
            }
            Kind::ItemMcpToolCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemMcpToolCall)
            }
            Kind::ItemDynamicToolCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemDynamicToolCall)
            }
            Kind::ItemFunctionCallOutput => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemFunctionCallOutput)
            }
            Kind::ItemCollabAgentToolCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemCollabAgentToolCall)
            }
            Kind::ItemSubAgentActivity => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemSubAgentActivity)
            }
            Kind::ItemWebSearch => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemWebSearch)
            }
            Kind::ItemImageView => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemImageView)
            }
            Kind::ItemImageGeneration => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemImageGeneration)
            }
            Kind::ItemHookPrompt => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemHookPrompt)
            }
            Kind::ItemEnteredReviewMode => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemEnteredReviewMode)
            }
            Kind::ItemExitedReviewMode => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemExitedReviewMode)
            }
            Kind::ItemContextCompaction => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemContextCompaction)
            }
            Kind::ItemExtensionWebSearch => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemExtensionWebSearch)
            }
            Kind::ItemExtensionClockSleep => {
                record.at(&["payload"]).and_then(View::view).map(Record::ItemExtensionClockSleep)
            }
            Kind::ItemExtensionImageGenGeneration => record
                .at(&["payload"])
                .and_then(View::view)
                .map(Record::ItemExtensionImageGenGeneration),
            Kind::EventExecCommandEnd => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventExecCommandEnd)
            }
            Kind::EventViewImageToolCall => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventViewImageToolCall)
            }
            Kind::EventError => {
                record.at(&["payload"]).and_then(View::view).map(Record::EventError)
            }
            Kind::ResponseGhostSnapshot => {
                record.at(&["payload"]).and_then(View::view).map(Record::ResponseGhostSnapshot)
            }
            Kind::Unknown => None,
        };
        known.unwrap_or(Self::Unknown(record))
    }
}
