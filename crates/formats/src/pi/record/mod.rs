// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Every record type of pi: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod kind;
mod line;
mod message;

pub use kind::{Kind, type_of};
pub use line::*;
pub use message::*;

/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {
    /// `session`
    Session(Session<'a>),
    /// `message`
    Message(Message<'a>),
    /// `message / system`
    MessageSystem(MessageSystem<'a>),
    /// `message / user`
    MessageUser(MessageUser<'a>),
    /// `message / assistant`
    MessageAssistant(MessageAssistant<'a>),
    /// `message / toolResult`
    MessageToolResult(MessageToolResult<'a>),
    /// `message / bashExecution`
    MessageBashExecution(MessageBashExecution<'a>),
    /// `message / custom`
    MessageCustom(MessageCustom<'a>),
    /// `model_change`
    ModelChange(ModelChange<'a>),
    /// `thinking_level_change`
    ThinkingLevelChange(ThinkingLevelChange<'a>),
    /// `usage`
    Usage(Usage<'a>),
    /// `compaction`
    Compaction(Compaction<'a>),
    /// `branch_summary`
    BranchSummary(BranchSummary<'a>),
    /// `custom`
    Custom(Custom<'a>),
    /// `custom_message`
    CustomMessage(CustomMessage<'a>),
    /// `context_edit`
    ContextEdit(ContextEdit<'a>),
    /// `label`
    Label(Label<'a>),
    /// `session_info`
    SessionInfo(SessionInfo<'a>),
    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}

impl<'a> Record<'a> {
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {
        let known = match Kind::of(record) {
            Kind::Session => Some(record).and_then(View::view).map(Record::Session),
            Kind::Message => Some(record).and_then(View::view).map(Record::Message),
            Kind::MessageSystem => Some(record).and_then(View::view).map(Record::MessageSystem),
            Kind::MessageUser => Some(record).and_then(View::view).map(Record::MessageUser),
            Kind::MessageAssistant => {
                Some(record).and_then(View::view).map(Record::MessageAssistant)
            }
            Kind::MessageToolResult => {
                Some(record).and_then(View::view).map(Record::MessageToolResult)
            }
            Kind::MessageBashExecution => {
                Some(record).and_then(View::view).map(Record::MessageBashExecution)
            }
            Kind::MessageCustom => Some(record).and_then(View::view).map(Record::MessageCustom),
            Kind::ModelChange => Some(record).and_then(View::view).map(Record::ModelChange),
            Kind::ThinkingLevelChange => {
                Some(record).and_then(View::view).map(Record::ThinkingLevelChange)
            }
            Kind::Usage => Some(record).and_then(View::view).map(Record::Usage),
            Kind::Compaction => Some(record).and_then(View::view).map(Record::Compaction),
            Kind::BranchSummary => Some(record).and_then(View::view).map(Record::BranchSummary),
            Kind::Custom => Some(record).and_then(View::view).map(Record::Custom),
            Kind::CustomMessage => Some(record).and_then(View::view).map(Record::CustomMessage),
            Kind::ContextEdit => Some(record).and_then(View::view).map(Record::ContextEdit),
            Kind::Label => Some(record).and_then(View::view).map(Record::Label),
            Kind::SessionInfo => Some(record).and_then(View::view).map(Record::SessionInfo),
            Kind::Unknown => None,
        };
        known.unwrap_or(Self::Unknown(record))
    }
}
