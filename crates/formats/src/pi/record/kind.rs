// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of pi, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::tags::{Paths, Tagged, Tags};
use crate::view::kinds;

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

impl Tagged for Kind {
    const PATHS: Paths = &[&["type"], &["message", "role"]];

    fn of_tags(tags: &Tags<'_>) -> Self {
        match tags.get(0).as_deref() {
            Some("branch_summary") => Self::BranchSummary,
            Some("compaction") => Self::Compaction,
            Some("context_edit") => Self::ContextEdit,
            Some("custom") => Self::Custom,
            Some("custom_message") => Self::CustomMessage,
            Some("label") => Self::Label,
            Some("message") => match tags.get(1).as_deref() {
                Some("assistant") => Self::MessageAssistant,
                Some("bashExecution") => Self::MessageBashExecution,
                Some("custom" | "hookMessage") => Self::MessageCustom,
                Some("system") => Self::MessageSystem,
                Some("toolResult") => Self::MessageToolResult,
                Some("user") => Self::MessageUser,
                None => Self::Message,
                Some(_) => Self::Unknown,
            },
            Some("model_change") => Self::ModelChange,
            Some("session") => Self::Session,
            Some("session_info") => Self::SessionInfo,
            Some("thinking_level_change") => Self::ThinkingLevelChange,
            Some("usage") => Self::Usage,
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
