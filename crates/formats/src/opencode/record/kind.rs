// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of opencode, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::tags::{Paths, Tagged, Tags};
use crate::view::kinds;

kinds! {
    SessionV2Row = "session_v2 (row)", SessionHeader;
    SessionRow = "session (row)", SessionHeader;
    SessionMessageUser = "session_message / user", UserMessage;
    SessionMessageSynthetic = "session_message / synthetic", SystemMessage;
    SessionMessageSystem = "session_message / system", SystemMessage;
    SessionMessageSkill = "session_message / skill", Attachment;
    SessionMessageShell = "session_message / shell", ToolCall;
    SessionMessageAssistant = "session_message / assistant", AssistantMessage;
    SessionMessageCompactionRunning = "session_message / compaction (running)", Compaction;
    SessionMessageCompactionCompleted = "session_message / compaction (completed)", Compaction;
    SessionMessageCompactionFailed = "session_message / compaction (failed)", Compaction;
    SessionMessageIdle = "session_message / idle", TurnEnd;
    SessionMessageAgentSwitched = "session_message / agent-switched", SessionSettings;
    SessionMessageModelSwitched = "session_message / model-switched", SessionSettings;
    SessionMessageLocationSwitched = "session_message / location-switched", SessionSettings;
    SessionInboxRow = "session_inbox (row)", Queue;
    InstructionEntryInstructionStateInstructionBlobRows = "instruction_entry / instruction_state / instruction_blob (rows)", SystemMessage;
    EventRow = "event (row)", MetadataOther;
    EventSequenceRow = "event_sequence (row)", MetadataOther;
    KvRow = "kv (row)", MetadataOther;
    LegacyMessage1XRow = "legacy message (1.x row)", AssistantMessage;
    LegacyMessage1XRowUser = "legacy message (1.x row) / user", UserMessage;
    LegacyMessage1XRowAssistant = "legacy message (1.x row) / assistant", AssistantMessage;
    LegacyPartText = "legacy part / text", AssistantMessage;
    LegacyPartReasoning = "legacy part / reasoning", Reasoning;
    LegacyPartFile = "legacy part / file", Attachment;
    LegacyPartTool = "legacy part / tool", ToolCall;
    LegacyPartStepStart = "legacy part / step-start", TurnStart;
    LegacyPartStepFinish = "legacy part / step-finish", TokenUsage;
    LegacyPartSnapshot = "legacy part / snapshot", WorkspaceState;
    LegacyPartPatch = "legacy part / patch", WorkspaceState;
    LegacyPartAgent = "legacy part / agent", Attachment;
    LegacyPartSubtask = "legacy part / subtask", SessionLineage;
    LegacyPartRetry = "legacy part / retry", Error;
    LegacyPartCompaction = "legacy part / compaction", Compaction;
    Todo1XRow = "todo (1.x row)", MetadataOther;
}

impl Tagged for Kind {
    const PATHS: Paths =
        &[&["table"], &["type"], &["data", "status"], &["data", "role"], &["data", "type"]];

    fn of_tags(tags: &Tags<'_>) -> Self {
        match tags.get(0).as_deref() {
            Some("event") => Self::EventRow,
            Some("event_sequence") => Self::EventSequenceRow,
            Some("instruction_blob" | "instruction_entry" | "instruction_state") => {
                Self::InstructionEntryInstructionStateInstructionBlobRows
            }
            Some("kv") => Self::KvRow,
            Some("message") => match tags.get(3).as_deref() {
                Some("assistant") => Self::LegacyMessage1XRowAssistant,
                Some("user") => Self::LegacyMessage1XRowUser,
                None => Self::LegacyMessage1XRow,
                Some(_) => Self::Unknown,
            },
            Some("part") => match tags.get(4).as_deref() {
                Some("agent") => Self::LegacyPartAgent,
                Some("compaction") => Self::LegacyPartCompaction,
                Some("file") => Self::LegacyPartFile,
                Some("patch") => Self::LegacyPartPatch,
                Some("reasoning") => Self::LegacyPartReasoning,
                Some("retry") => Self::LegacyPartRetry,
                Some("snapshot") => Self::LegacyPartSnapshot,
                Some("step-finish") => Self::LegacyPartStepFinish,
                Some("step-start") => Self::LegacyPartStepStart,
                Some("subtask") => Self::LegacyPartSubtask,
                Some("text") => Self::LegacyPartText,
                Some("tool") => Self::LegacyPartTool,
                _ => Self::Unknown,
            },
            Some("session") => Self::SessionRow,
            Some("session_inbox") => Self::SessionInboxRow,
            Some("session_message") => match tags.get(1).as_deref() {
                Some("agent-switched") => Self::SessionMessageAgentSwitched,
                Some("assistant") => Self::SessionMessageAssistant,
                Some("compaction") => match tags.get(2).as_deref() {
                    Some("completed") => Self::SessionMessageCompactionCompleted,
                    Some("failed") => Self::SessionMessageCompactionFailed,
                    Some("running") => Self::SessionMessageCompactionRunning,
                    _ => Self::Unknown,
                },
                Some("idle") => Self::SessionMessageIdle,
                Some("location-switched") => Self::SessionMessageLocationSwitched,
                Some("model-switched") => Self::SessionMessageModelSwitched,
                Some("shell") => Self::SessionMessageShell,
                Some("skill") => Self::SessionMessageSkill,
                Some("synthetic") => Self::SessionMessageSynthetic,
                Some("system") => Self::SessionMessageSystem,
                Some("user") => Self::SessionMessageUser,
                _ => Self::Unknown,
            },
            Some("session_v2") => Self::SessionV2Row,
            Some("todo") => Self::Todo1XRow,
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
