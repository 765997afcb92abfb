// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of Codex, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::tags::{Paths, Tagged, Tags};
use crate::view::kinds;

kinds! {
    SessionMeta = "session_meta", SessionHeader;
    TurnContext = "turn_context", SessionSettings;
    TokenUsageRecord = "token_usage_record", TokenUsage;
    Compacted = "compacted", Compaction;
    WorldState = "world_state", WorkspaceState;
    InterAgentCommunication = "inter_agent_communication", UserMessage;
    InterAgentCommunicationMetadata = "inter_agent_communication_metadata", Queue;
    SecurityRiskScore = "security_risk_score", Permission;
    RetainedContextVerifiedAnswer = "retained_context / verified_answer", MetadataOther;
    RealtimeRealtimeSessionStarted = "realtime_item / realtime_session_started", TurnStart;
    RealtimeTranscriptSegment = "realtime_item / transcript_segment", UserMessage;
    RealtimeBemItemPromoted = "realtime_item / bem_item_promoted", MetadataOther;
    RealtimeRealtimeSessionClosed = "realtime_item / realtime_session_closed", TurnEnd;
    ResponseMessageUser = "response_item / message (role=user)", UserMessage;
    ResponseMessageAssistant = "response_item / message (role=assistant)", AssistantMessage;
    ResponseMessageDeveloper = "response_item / message (role=developer)", SystemMessage;
    ResponseReasoning = "response_item / reasoning", Reasoning;
    ResponseFunctionCall = "response_item / function_call", ToolCall;
    ResponseFunctionCallOutput = "response_item / function_call_output", ToolResult;
    ResponseCustomToolCall = "response_item / custom_tool_call", ToolCall;
    ResponseCustomToolCallOutput = "response_item / custom_tool_call_output", ToolResult;
    ResponseLocalShellCall = "response_item / local_shell_call", ToolCall;
    ResponseToolSearchCall = "response_item / tool_search_call", ToolCall;
    ResponseToolSearchOutput = "response_item / tool_search_output", ToolResult;
    ResponseWebSearchCall = "response_item / web_search_call", ToolCall;
    ResponseImageGenerationCall = "response_item / image_generation_call", ToolCall;
    ResponseAgentMessage = "response_item / agent_message", UserMessage;
    ResponseAdditionalTools = "response_item / additional_tools", SessionSettings;
    ResponseConfigurationUpdate = "response_item / configuration_update", SessionSettings;
    ResponseCompaction = "response_item / compaction", Compaction;
    ResponseContextCompaction = "response_item / context_compaction", Compaction;
    EventTaskStarted = "event_msg / task_started", TurnStart;
    EventTaskComplete = "event_msg / task_complete", TurnEnd;
    EventTurnAborted = "event_msg / turn_aborted", TurnAbort;
    EventTokenCount = "event_msg / token_count", TokenUsage;
    EventThreadSettingsApplied = "event_msg / thread_settings_applied", SessionSettings;
    EventThreadGoalUpdated = "event_msg / thread_goal_updated", MetadataOther;
    EventThreadRolledBack = "event_msg / thread_rolled_back", Summary;
    ItemCompleted = "event_msg / item_completed", MetadataOther;
    EventUserMessage = "event_msg / user_message", UserMessage;
    EventAgentMessage = "event_msg / agent_message", AssistantMessage;
    EventAgentReasoning = "event_msg / agent_reasoning", Reasoning;
    EventAgentReasoningRawContent = "event_msg / agent_reasoning_raw_content", Reasoning;
    EventEnteredReviewMode = "event_msg / entered_review_mode", TurnStart;
    EventExitedReviewMode = "event_msg / exited_review_mode", Summary;
    EventPatchApplyEnd = "event_msg / patch_apply_end", ToolResult;
    EventContextCompacted = "event_msg / context_compacted", Compaction;
    EventMcpToolCallEnd = "event_msg / mcp_tool_call_end", ToolResult;
    EventWebSearchEnd = "event_msg / web_search_end", ToolResult;
    EventImageGenerationEnd = "event_msg / image_generation_end", ToolResult;
    EventSubAgentActivity = "event_msg / sub_agent_activity", SessionLineage;
    ItemUserMessage = "event_msg / item_completed / UserMessage", UserMessage;
    ItemAgentMessage = "event_msg / item_completed / AgentMessage", AssistantMessage;
    ItemReasoning = "event_msg / item_completed / Reasoning", Reasoning;
    ItemPlan = "event_msg / item_completed / Plan", MetadataOther;
    ItemCommandExecution = "event_msg / item_completed / CommandExecution", ToolResult;
    ItemFileChange = "event_msg / item_completed / FileChange", ToolResult;
    ItemMcpToolCall = "event_msg / item_completed / McpToolCall", ToolResult;
    ItemDynamicToolCall = "event_msg / item_completed / DynamicToolCall", ToolResult;
    ItemFunctionCallOutput = "event_msg / item_completed / FunctionCallOutput", ToolResult;
    ItemCollabAgentToolCall = "event_msg / item_completed / CollabAgentToolCall", SessionLineage;
    ItemSubAgentActivity = "event_msg / item_completed / SubAgentActivity", SessionLineage;
    ItemWebSearch = "event_msg / item_completed / WebSearch", ToolResult;
    ItemImageView = "event_msg / item_completed / ImageView", Attachment;
    ItemImageGeneration = "event_msg / item_completed / ImageGeneration", ToolResult;
    ItemHookPrompt = "event_msg / item_completed / HookPrompt", Hook;
    ItemEnteredReviewMode = "event_msg / item_completed / EnteredReviewMode", TurnStart;
    ItemExitedReviewMode = "event_msg / item_completed / ExitedReviewMode", Summary;
    ItemContextCompaction = "event_msg / item_completed / ContextCompaction", Compaction;
    ItemExtensionWebSearch = "event_msg / item_completed / Extension / web.search", ToolResult;
    ItemExtensionClockSleep = "event_msg / item_completed / Extension / clock.sleep", ToolProgress;
    ItemExtensionImageGenGeneration = "event_msg / item_completed / Extension / image_gen.generation", ToolResult;
    EventExecCommandEnd = "event_msg / exec_command_end", ToolResult;
    EventViewImageToolCall = "event_msg / view_image_tool_call", Attachment;
    EventError = "event_msg / error", Error;
    ResponseGhostSnapshot = "response_item / ghost_snapshot", WorkspaceState;
}

impl Tagged for Kind {
    const PATHS: Paths = &[
        &["type"],
        &["payload", "type"],
        &["payload", "role"],
        &["payload", "item", "type"],
        &["payload", "item", "kind"],
    ];

    fn of_tags(tags: &Tags<'_>) -> Self {
        match tags.get(0).as_deref() {
            Some("compacted") => Self::Compacted,
            Some("event_msg") => match tags.get(1).as_deref() {
                Some("agent_message") => Self::EventAgentMessage,
                Some("agent_reasoning") => Self::EventAgentReasoning,
                Some("agent_reasoning_raw_content") => Self::EventAgentReasoningRawContent,
                Some("context_compacted") => Self::EventContextCompacted,
                Some("entered_review_mode") => Self::EventEnteredReviewMode,
                Some("error") => Self::EventError,
                Some("exec_command_end") => Self::EventExecCommandEnd,
                Some("exited_review_mode") => Self::EventExitedReviewMode,
                Some("image_generation_end") => Self::EventImageGenerationEnd,
                Some("item_completed") => match tags.get(3).as_deref() {
                    Some("AgentMessage") => Self::ItemAgentMessage,
                    Some("CollabAgentToolCall") => Self::ItemCollabAgentToolCall,
                    Some("CommandExecution") => Self::ItemCommandExecution,
                    Some("ContextCompaction") => Self::ItemContextCompaction,
                    Some("DynamicToolCall") => Self::ItemDynamicToolCall,
                    Some("EnteredReviewMode") => Self::ItemEnteredReviewMode,
                    Some("ExitedReviewMode") => Self::ItemExitedReviewMode,
                    Some("Extension") => match tags.get(4).as_deref() {
                        Some("clock.sleep") => Self::ItemExtensionClockSleep,
                        Some("image_gen.generation") => Self::ItemExtensionImageGenGeneration,
                        Some("web.search") => Self::ItemExtensionWebSearch,
                        _ => Self::Unknown,
                    },
                    Some("FileChange") => Self::ItemFileChange,
                    Some("FunctionCallOutput") => Self::ItemFunctionCallOutput,
                    Some("HookPrompt") => Self::ItemHookPrompt,
                    Some("ImageGeneration") => Self::ItemImageGeneration,
                    Some("ImageView") => Self::ItemImageView,
                    Some("McpToolCall") => Self::ItemMcpToolCall,
                    Some("Plan") => Self::ItemPlan,
                    Some("Reasoning") => Self::ItemReasoning,
                    Some("SubAgentActivity") => Self::ItemSubAgentActivity,
                    Some("UserMessage") => Self::ItemUserMessage,
                    Some("WebSearch") => Self::ItemWebSearch,
                    None => Self::ItemCompleted,
                    Some(_) => Self::Unknown,
                },
                Some("mcp_tool_call_end") => Self::EventMcpToolCallEnd,
                Some("patch_apply_end") => Self::EventPatchApplyEnd,
                Some("sub_agent_activity") => Self::EventSubAgentActivity,
                Some("task_complete" | "turn_complete") => Self::EventTaskComplete,
                Some("task_started" | "turn_started") => Self::EventTaskStarted,
                Some("thread_goal_updated") => Self::EventThreadGoalUpdated,
                Some("thread_rolled_back") => Self::EventThreadRolledBack,
                Some("thread_settings_applied") => Self::EventThreadSettingsApplied,
                Some("token_count") => Self::EventTokenCount,
                Some("turn_aborted") => Self::EventTurnAborted,
                Some("user_message") => Self::EventUserMessage,
                Some("view_image_tool_call") => Self::EventViewImageToolCall,
                Some("web_search_end") => Self::EventWebSearchEnd,
                _ => Self::Unknown,
            },
            Some("inter_agent_communication") => Self::InterAgentCommunication,
            Some("inter_agent_communication_metadata") => Self::InterAgentCommunicationMetadata,
            Some("realtime_item") => match tags.get(1).as_deref() {
                Some("bem_item_promoted") => Self::RealtimeBemItemPromoted,
                Some("realtime_session_closed") => Self::RealtimeRealtimeSessionClosed,
                Some("realtime_session_started") => Self::RealtimeRealtimeSessionStarted,
                Some("transcript_segment") => Self::RealtimeTranscriptSegment,
                _ => Self::Unknown,
            },
            Some("response_item") => match tags.get(1).as_deref() {
                Some("additional_tools") => Self::ResponseAdditionalTools,
                Some("agent_message") => Self::ResponseAgentMessage,
                Some("compaction" | "compaction_summary") => Self::ResponseCompaction,
                Some("configuration_update") => Self::ResponseConfigurationUpdate,
                Some("context_compaction") => Self::ResponseContextCompaction,
                Some("custom_tool_call") => Self::ResponseCustomToolCall,
                Some("custom_tool_call_output") => Self::ResponseCustomToolCallOutput,
                Some("function_call") => Self::ResponseFunctionCall,
                Some("function_call_output") => Self::ResponseFunctionCallOutput,
                Some("ghost_snapshot") => Self::ResponseGhostSnapshot,
                Some("image_generation_call") => Self::ResponseImageGenerationCall,
                Some("local_shell_call") => Self::ResponseLocalShellCall,
                Some("message") => match tags.get(2).as_deref() {
                    Some("assistant") => Self::ResponseMessageAssistant,
                    Some("developer" | "system") => Self::ResponseMessageDeveloper,
                    Some("user") => Self::ResponseMessageUser,
                    _ => Self::Unknown,
                },
                Some("reasoning") => Self::ResponseReasoning,
                Some("tool_search_call") => Self::ResponseToolSearchCall,
                Some("tool_search_output") => Self::ResponseToolSearchOutput,
                Some("web_search_call") => Self::ResponseWebSearchCall,
                _ => Self::Unknown,
            },
            Some("retained_context") => match tags.get(1).as_deref() {
                Some("verified_answer") => Self::RetainedContextVerifiedAnswer,
                _ => Self::Unknown,
            },
            Some("security_risk_score") => Self::SecurityRiskScore,
            Some("session_meta") => Self::SessionMeta,
            Some("token_usage_record") => Self::TokenUsageRecord,
            Some("turn_context") => Self::TurnContext,
            Some("world_state") => Self::WorldState,
            _ => Self::Unknown,
        }
    }
}

impl Kind {
    /// Decides the kind of a record.
    pub fn of(record: Json<'_>) -> Self {
        Self::of_tags(&Tags::of(record, Self::PATHS))
    }
}

/// The name of a record's type, made from its own tags when the catalogue lacks it.
pub fn type_of(record: Json<'_>) -> String {
    let tags = Tags::of(record, Kind::PATHS);
    match Kind::of_tags(&tags) {
        Kind::Unknown => tags.joined(),
        kind => kind.name().to_owned(),
    }
}
