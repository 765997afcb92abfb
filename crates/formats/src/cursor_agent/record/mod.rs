// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Every record type of cursor-agent: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod blob_prompt_message_json;
mod jsonl;
mod kind;
mod line;
mod meta;

pub use blob_prompt_message_json::*;
pub use jsonl::*;
pub use kind::{Kind, type_of};
pub use line::*;
pub use meta::*;

/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {
    /// `meta / '0'`
    Meta0(Meta0<'a>),
    /// `blob: prompt message JSON / role=system`
    BlobPromptMessageJSONSystem(BlobPromptMessageJSONSystem<'a>),
    /// `blob: prompt message JSON / role=user`
    BlobPromptMessageJSONUser(BlobPromptMessageJSONUser<'a>),
    /// `blob: prompt message JSON / role=assistant`
    BlobPromptMessageJSONAssistant(BlobPromptMessageJSONAssistant<'a>),
    /// `blob: prompt message JSON / role=tool`
    BlobPromptMessageJSONTool(BlobPromptMessageJSONTool<'a>),
    /// `jsonl / role=user`
    JsonlUser(JsonlUser<'a>),
    /// `jsonl / role=assistant`
    JsonlAssistant(JsonlAssistant<'a>),
    /// `jsonl / type=turn_ended`
    JsonlTypeTurnEnded(JsonlTypeTurnEnded<'a>),
    /// `jsonl / type=metadata`
    JsonlTypeMetadata(JsonlTypeMetadata<'a>),
    /// `meta.json`
    MetaJson(MetaJson<'a>),
    /// `prompt_history.json`
    PromptHistoryJson(PromptHistoryJson<'a>),
    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}

impl<'a> Record<'a> {
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {
        let known = match Kind::of(record) {
            Kind::Meta0 => record.at(&["meta['0']"]).and_then(View::view).map(Record::Meta0),
            Kind::BlobPromptMessageJSONSystem => record
                .at(&["blobs", "data"])
                .and_then(View::view)
                .map(Record::BlobPromptMessageJSONSystem),
            Kind::BlobPromptMessageJSONUser => record
                .at(&["blobs", "data"])
                .and_then(View::view)
                .map(Record::BlobPromptMessageJSONUser),
            Kind::BlobPromptMessageJSONAssistant => record
                .at(&["blobs", "data"])
                .and_then(View::view)
                .map(Record::BlobPromptMessageJSONAssistant),
            Kind::BlobPromptMessageJSONTool => record
                .at(&["blobs", "data"])
                .and_then(View::view)
                .map(Record::BlobPromptMessageJSONTool),
            Kind::JsonlUser => Some(record).and_then(View::view).map(Record::JsonlUser),
            Kind::JsonlAssistant => Some(record).and_then(View::view).map(Record::JsonlAssistant),
            Kind::JsonlTypeTurnEnded => {
                Some(record).and_then(View::view).map(Record::JsonlTypeTurnEnded)
            }
            Kind::JsonlTypeMetadata => {
                Some(record).and_then(View::view).map(Record::JsonlTypeMetadata)
            }
            Kind::MetaJson => record.at(&["file"]).and_then(View::view).map(Record::MetaJson),
            Kind::PromptHistoryJson => {
                Some(record).and_then(View::view).map(Record::PromptHistoryJson)
            }
            Kind::BlobAgentV1ConversationStateStructureRootCheckpoint
            | Kind::BlobAgentV1ConversationTurnStructureAgentConversationTurn
            | Kind::BlobAgentV1ConversationTurnStructureShellConversationTurn
            | Kind::BlobAgentV1ShellCommand
            | Kind::BlobAgentV1ShellOutput
            | Kind::BlobAgentV1UserMessage
            | Kind::BlobAgentV1ConversationStepAssistantMessage
            | Kind::BlobAgentV1ConversationStepThinkingMessage
            | Kind::BlobAgentV1ConversationStepToolCall
            | Kind::BlobAgentV1TodoItem
            | Kind::BlobAgentV1ConversationSummary
            | Kind::BlobAgentV1ConversationSummaryArchive
            | Kind::BlobAgentV1SubagentPersistedState
            | Kind::BlobRawFileContent
            | Kind::BlobSupersededRootCheckpointsAndStepsUnreachable
            | Kind::Unknown => None,
        };
        known.unwrap_or(Self::Unknown(record))
    }
}
