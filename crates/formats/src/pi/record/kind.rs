// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of pi, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::view::{kinds, tag_of, text_at};

kinds! {
    Session = "session", SessionHeader;
    Message = "message", MetadataOther;
    MessageSystem = "message / system", SystemMessage;
    MessageUser = "message / user", UserMessage;
    MessageAssistant = "message / assistant", AssistantMessage;
    MessageToolResult = "message / toolResult", ToolResult;
    MessageBashExecution = "message / bashExecution", ToolCall;
    MessageCustom = "message / custom", SystemMessage;
    ModelChange = "model_change", SessionSettings;
    ThinkingLevelChange = "thinking_level_change", SessionSettings;
    Usage = "usage", TokenUsage;
    Compaction = "compaction", Compaction;
    BranchSummary = "branch_summary", Summary;
    Custom = "custom", MetadataOther;
    CustomMessage = "custom_message", SystemMessage;
    ContextEdit = "context_edit", MetadataOther;
    Label = "label", MetadataOther;
    SessionInfo = "session_info", SessionTitle;
}

/// The keys that tell record types apart, in the order in which they are looked at.
const DISCRIMINATORS: &[&[&str]] = &[&["type"], &["message", "role"]];

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
            "branch_summary" => return Kind::BranchSummary,
            "compaction" => return Kind::Compaction,
            "context_edit" => return Kind::ContextEdit,
            "custom" => return Kind::Custom,
            "custom_message" => return Kind::CustomMessage,
            "label" => return Kind::Label,
            "message" => {
                if let Some(tag) = text_at(record, &["message", "role"]) {
                    match &*tag {
                        "assistant" => return Kind::MessageAssistant,
                        "bashExecution" => return Kind::MessageBashExecution,
                        "custom" | "hookMessage" => return Kind::MessageCustom,
                        "system" => return Kind::MessageSystem,
                        "toolResult" => return Kind::MessageToolResult,
                        "user" => return Kind::MessageUser,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Message;
            }
            "model_change" => return Kind::ModelChange,
            "session" => return Kind::Session,
            "session_info" => return Kind::SessionInfo,
            "thinking_level_change" => return Kind::ThinkingLevelChange,
            "usage" => return Kind::Usage,
            _ => return Kind::Unknown,
        }
    }
    Kind::Unknown
}
