// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of Codex, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::view::{kinds, tag_of, text_at};

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

/// The keys that tell record types apart, in the order in which they are looked at.
const DISCRIMINATORS: &[&[&str]] = &[
    &["type"],
    &["payload", "type"],
    &["payload", "role"],
    &["payload", "item", "type"],
    &["payload", "item", "kind"],
];

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
            "compacted" => return Kind::Compacted,
            "event_msg" => {
                if let Some(tag) = text_at(record, &["payload", "type"]) {
                    match &*tag {
                        "agent_message" => return Kind::EventAgentMessage,
                        "agent_reasoning" => return Kind::EventAgentReasoning,
                        "agent_reasoning_raw_content" => {
                            return Kind::EventAgentReasoningRawContent;
                        }
                        "context_compacted" => return Kind::EventContextCompacted,
                        "entered_review_mode" => return Kind::EventEnteredReviewMode,
                        "error" => return Kind::EventError,
                        "exec_command_end" => return Kind::EventExecCommandEnd,
                        "exited_review_mode" => return Kind::EventExitedReviewMode,
                        "image_generation_end" => return Kind::EventImageGenerationEnd,
                        "item_completed" => {
                            if let Some(tag) = text_at(record, &["payload", "item", "type"]) {
                                match &*tag {
                                    "AgentMessage" => return Kind::ItemAgentMessage,
                                    "CollabAgentToolCall" => return Kind::ItemCollabAgentToolCall,
                                    "CommandExecution" => return Kind::ItemCommandExecution,
                                    "ContextCompaction" => return Kind::ItemContextCompaction,
                                    "DynamicToolCall" => return Kind::ItemDynamicToolCall,
                                    "EnteredReviewMode" => return Kind::ItemEnteredReviewMode,
                                    "ExitedReviewMode" => return Kind::ItemExitedReviewMode,
                                    "Extension" => {
                                        if let Some(tag) =
                                            text_at(record, &["payload", "item", "kind"])
                                        {
                                            match &*tag {
                                                "clock.sleep" => {
                                                    return Kind::ItemExtensionClockSleep;
                                                }
                                                "image_gen.generation" => {
                                                    return Kind::ItemExtensionImageGenGeneration;
                                                }
                                                "web.search" => {
                                                    return Kind::ItemExtensionWebSearch;
                                                }
                                                _ => return Kind::Unknown,
                                            }
                                        }
                                        return Kind::Unknown;
                                    }
                                    "FileChange" => return Kind::ItemFileChange,
                                    "FunctionCallOutput" => return Kind::ItemFunctionCallOutput,
                                    "HookPrompt" => return Kind::ItemHookPrompt,
                                    "ImageGeneration" => return Kind::ItemImageGeneration,
                                    "ImageView" => return Kind::ItemImageView,
                                    "McpToolCall" => return Kind::ItemMcpToolCall,
                                    "Plan" => return Kind::ItemPlan,
                                    "Reasoning" => return Kind::ItemReasoning,
                                    "SubAgentActivity" => return Kind::ItemSubAgentActivity,
                                    "UserMessage" => return Kind::ItemUserMessage,
                                    "WebSearch" => return Kind::ItemWebSearch,
                                    _ => return Kind::Unknown,
                                }
                            }
                            return Kind::ItemCompleted;
                        }
                        "mcp_tool_call_end" => return Kind::EventMcpToolCallEnd,
                        "patch_apply_end" => return Kind::EventPatchApplyEnd,
                        "sub_agent_activity" => return Kind::EventSubAgentActivity,
                        "task_complete" | "turn_complete" => return Kind::EventTaskComplete,
                        "task_started" | "turn_started" => return Kind::EventTaskStarted,
                        "thread_goal_updated" => return Kind::EventThreadGoalUpdated,
                        "thread_rolled_back" => return Kind::EventThreadRolledBack,
                        "thread_settings_applied" => return Kind::EventThreadSettingsApplied,
                        "token_count" => return Kind::EventTokenCount,
                        "turn_aborted" => return Kind::EventTurnAborted,
                        "user_message" => return Kind::EventUserMessage,
                        "view_image_tool_call" => return Kind::EventViewImageToolCall,
                        "web_search_end" => return Kind::EventWebSearchEnd,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "inter_agent_communication" => return Kind::InterAgentCommunication,
            "inter_agent_communication_metadata" => return Kind::InterAgentCommunicationMetadata,
            "realtime_item" => {
                if let Some(tag) = text_at(record, &["payload", "type"]) {
                    match &*tag {
                        "bem_item_promoted" => return Kind::RealtimeBemItemPromoted,
                        "realtime_session_closed" => return Kind::RealtimeRealtimeSessionClosed,
                        "realtime_session_started" => return Kind::RealtimeRealtimeSessionStarted,
                        "transcript_segment" => return Kind::RealtimeTranscriptSegment,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "response_item" => {
                if let Some(tag) = text_at(record, &["payload", "type"]) {
                    match &*tag {
                        "additional_tools" => return Kind::ResponseAdditionalTools,
                        "agent_message" => return Kind::ResponseAgentMessage,
                        "compaction" | "compaction_summary" => return Kind::ResponseCompaction,
                        "configuration_update" => return Kind::ResponseConfigurationUpdate,
                        "context_compaction" => return Kind::ResponseContextCompaction,
                        "custom_tool_call" => return Kind::ResponseCustomToolCall,
                        "custom_tool_call_output" => return Kind::ResponseCustomToolCallOutput,
                        "function_call" => return Kind::ResponseFunctionCall,
                        "function_call_output" => return Kind::ResponseFunctionCallOutput,
                        "ghost_snapshot" => return Kind::ResponseGhostSnapshot,
                        "image_generation_call" => return Kind::ResponseImageGenerationCall,
                        "local_shell_call" => return Kind::ResponseLocalShellCall,
                        "message" => {
                            if let Some(tag) = text_at(record, &["payload", "role"]) {
                                match &*tag {
                                    "assistant" => return Kind::ResponseMessageAssistant,
                                    "developer" | "system" => {
                                        return Kind::ResponseMessageDeveloper;
                                    }
                                    "user" => return Kind::ResponseMessageUser,
                                    _ => return Kind::Unknown,
                                }
                            }
                            return Kind::Unknown;
                        }
                        "reasoning" => return Kind::ResponseReasoning,
                        "tool_search_call" => return Kind::ResponseToolSearchCall,
                        "tool_search_output" => return Kind::ResponseToolSearchOutput,
                        "web_search_call" => return Kind::ResponseWebSearchCall,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "retained_context" => {
                if let Some(tag) = text_at(record, &["payload", "type"]) {
                    match &*tag {
                        "verified_answer" => return Kind::RetainedContextVerifiedAnswer,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "security_risk_score" => return Kind::SecurityRiskScore,
            "session_meta" => return Kind::SessionMeta,
            "token_usage_record" => return Kind::TokenUsageRecord,
            "turn_context" => return Kind::TurnContext,
            "world_state" => return Kind::WorldState,
            _ => return Kind::Unknown,
        }
    }
    Kind::Unknown
}
