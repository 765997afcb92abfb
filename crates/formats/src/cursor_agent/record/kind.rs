// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of cursor-agent, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::tags::{Paths, Tagged, Tags};
use crate::view::kinds;

kinds! {
    Meta0 = "meta / '0'", SessionHeader;
    BlobAgentV1ConversationStateStructureRootCheckpoint = "blob: agent.v1.ConversationStateStructure (root checkpoint)", SessionSettings;
    BlobAgentV1ConversationTurnStructureAgentConversationTurn = "blob: agent.v1.ConversationTurnStructure / agent_conversation_turn", TurnStart;
    BlobAgentV1ConversationTurnStructureShellConversationTurn = "blob: agent.v1.ConversationTurnStructure / shell_conversation_turn", ToolCall;
    BlobAgentV1ShellCommand = "blob: agent.v1.ShellCommand", ToolCall;
    BlobAgentV1ShellOutput = "blob: agent.v1.ShellOutput", ToolResult;
    BlobAgentV1UserMessage = "blob: agent.v1.UserMessage", UserMessage;
    BlobAgentV1ConversationStepAssistantMessage = "blob: agent.v1.ConversationStep / assistant_message", AssistantMessage;
    BlobAgentV1ConversationStepThinkingMessage = "blob: agent.v1.ConversationStep / thinking_message", Reasoning;
    BlobAgentV1ConversationStepToolCall = "blob: agent.v1.ConversationStep / tool_call", ToolCall;
    BlobAgentV1TodoItem = "blob: agent.v1.TodoItem", MetadataOther;
    BlobAgentV1ConversationSummary = "blob: agent.v1.ConversationSummary", Summary;
    BlobAgentV1ConversationSummaryArchive = "blob: agent.v1.ConversationSummaryArchive", Compaction;
    BlobAgentV1SubagentPersistedState = "blob: agent.v1.SubagentPersistedState", SessionLineage;
    BlobRawFileContent = "blob: raw file content", WorkspaceState;
    BlobSupersededRootCheckpointsAndStepsUnreachable = "blob: superseded root checkpoints and steps (unreachable)", MetadataOther;
    BlobPromptMessageJSONSystem = "blob: prompt message JSON / role=system", SystemMessage;
    BlobPromptMessageJSONUser = "blob: prompt message JSON / role=user", UserMessage;
    BlobPromptMessageJSONAssistant = "blob: prompt message JSON / role=assistant", AssistantMessage;
    BlobPromptMessageJSONTool = "blob: prompt message JSON / role=tool", ToolResult;
    JsonlUser = "jsonl / role=user", UserMessage;
    JsonlAssistant = "jsonl / role=assistant", AssistantMessage;
    JsonlTypeTurnEnded = "jsonl / type=turn_ended", TurnEnd;
    JsonlTypeMetadata = "jsonl / type=metadata", Summary;
    MetaJson = "meta.json", SessionTitle;
    PromptHistoryJson = "prompt_history.json", Queue;
}

impl Tagged for Kind {
    const PATHS: Paths = &[&["as"], &["blobs", "data", "role"], &["role"], &["type"]];

    fn of_tags(tags: &Tags<'_>) -> Self {
        match tags.get(0).as_deref() {
            Some("ConversationStateStructure") => {
                Self::BlobAgentV1ConversationStateStructureRootCheckpoint
            }
            Some("ConversationStep / assistant_message") => {
                Self::BlobAgentV1ConversationStepAssistantMessage
            }
            Some("ConversationStep / thinking_message") => {
                Self::BlobAgentV1ConversationStepThinkingMessage
            }
            Some("ConversationStep / tool_call") => Self::BlobAgentV1ConversationStepToolCall,
            Some("ConversationSummary") => Self::BlobAgentV1ConversationSummary,
            Some("ConversationSummaryArchive") => Self::BlobAgentV1ConversationSummaryArchive,
            Some("ConversationTurnStructure / agent_conversation_turn") => {
                Self::BlobAgentV1ConversationTurnStructureAgentConversationTurn
            }
            Some("ConversationTurnStructure / shell_conversation_turn") => {
                Self::BlobAgentV1ConversationTurnStructureShellConversationTurn
            }
            Some("ShellCommand") => Self::BlobAgentV1ShellCommand,
            Some("ShellOutput") => Self::BlobAgentV1ShellOutput,
            Some("SubagentPersistedState") => Self::BlobAgentV1SubagentPersistedState,
            Some("TodoItem") => Self::BlobAgentV1TodoItem,
            Some("UserMessage") => Self::BlobAgentV1UserMessage,
            Some("content") => Self::BlobRawFileContent,
            Some("meta.json") => Self::MetaJson,
            Some("prompt message") => match tags.get(1).as_deref() {
                Some("assistant") => Self::BlobPromptMessageJSONAssistant,
                Some("system") => Self::BlobPromptMessageJSONSystem,
                Some("tool") => Self::BlobPromptMessageJSONTool,
                Some("user") => Self::BlobPromptMessageJSONUser,
                _ => Self::Unknown,
            },
            Some("prompt_history.json") => Self::PromptHistoryJson,
            Some("settings") => Self::Meta0,
            Some("unreachable") => Self::BlobSupersededRootCheckpointsAndStepsUnreachable,
            None => match tags.get(2).as_deref() {
                Some("assistant") => Self::JsonlAssistant,
                Some("user") => Self::JsonlUser,
                None => match tags.get(3).as_deref() {
                    Some("metadata") => Self::JsonlTypeMetadata,
                    Some("turn_ended") => Self::JsonlTypeTurnEnded,
                    _ => Self::Unknown,
                },
                Some(_) => Self::Unknown,
            },
            Some(_) => Self::Unknown,
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
