// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! The kinds of record of opencode, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::view::{kinds, tag_of, text_at};

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

/// The keys that tell record types apart, in the order in which they are looked at.
const DISCRIMINATORS: &[&[&str]] =
    &[&["table"], &["type"], &["data", "status"], &["data", "role"], &["data", "type"]];

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
    if let Some(tag) = text_at(record, &["table"]) {
        match &*tag {
            "event" => return Kind::EventRow,
            "event_sequence" => return Kind::EventSequenceRow,
            "instruction_blob" | "instruction_entry" | "instruction_state" => {
                return Kind::InstructionEntryInstructionStateInstructionBlobRows;
            }
            "kv" => return Kind::KvRow,
            "message" => {
                if let Some(tag) = text_at(record, &["data", "role"]) {
                    match &*tag {
                        "assistant" => return Kind::LegacyMessage1XRowAssistant,
                        "user" => return Kind::LegacyMessage1XRowUser,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::LegacyMessage1XRow;
            }
            "part" => {
                if let Some(tag) = text_at(record, &["data", "type"]) {
                    match &*tag {
                        "agent" => return Kind::LegacyPartAgent,
                        "compaction" => return Kind::LegacyPartCompaction,
                        "file" => return Kind::LegacyPartFile,
                        "patch" => return Kind::LegacyPartPatch,
                        "reasoning" => return Kind::LegacyPartReasoning,
                        "retry" => return Kind::LegacyPartRetry,
                        "snapshot" => return Kind::LegacyPartSnapshot,
                        "step-finish" => return Kind::LegacyPartStepFinish,
                        "step-start" => return Kind::LegacyPartStepStart,
                        "subtask" => return Kind::LegacyPartSubtask,
                        "text" => return Kind::LegacyPartText,
                        "tool" => return Kind::LegacyPartTool,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "session" => return Kind::SessionRow,
            "session_inbox" => return Kind::SessionInboxRow,
            "session_message" => {
                if let Some(tag) = text_at(record, &["type"]) {
                    match &*tag {
                        "agent-switched" => return Kind::SessionMessageAgentSwitched,
                        "assistant" => return Kind::SessionMessageAssistant,
                        "compaction" => {
                            if let Some(tag) = text_at(record, &["data", "status"]) {
                                match &*tag {
                                    "completed" => return Kind::SessionMessageCompactionCompleted,
                                    "failed" => return Kind::SessionMessageCompactionFailed,
                                    "running" => return Kind::SessionMessageCompactionRunning,
                                    _ => return Kind::Unknown,
                                }
                            }
                            return Kind::Unknown;
                        }
                        "idle" => return Kind::SessionMessageIdle,
                        "location-switched" => return Kind::SessionMessageLocationSwitched,
                        "model-switched" => return Kind::SessionMessageModelSwitched,
                        "shell" => return Kind::SessionMessageShell,
                        "skill" => return Kind::SessionMessageSkill,
                        "synthetic" => return Kind::SessionMessageSynthetic,
                        "system" => return Kind::SessionMessageSystem,
                        "user" => return Kind::SessionMessageUser,
                        _ => return Kind::Unknown,
                    }
                }
                return Kind::Unknown;
            }
            "session_v2" => return Kind::SessionV2Row,
            "todo" => return Kind::Todo1XRow,
            _ => return Kind::Unknown,
        }
    }
    Kind::Unknown
}
