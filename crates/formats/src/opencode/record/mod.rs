// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Every record type of opencode: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod instruction_entry;
mod kind;
mod legacy_message_1_x_row;
mod legacy_part;
mod line;
mod session_message;

pub use instruction_entry::*;
pub use kind::{Kind, type_of};
pub use legacy_message_1_x_row::*;
pub use legacy_part::*;
pub use line::*;
pub use session_message::*;

/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {
    /// `session_v2 (row)`
    SessionV2Row(SessionV2Row<'a>),
    /// `session (row)`
    SessionRow(SessionRow<'a>),
    /// `session_message / user`
    SessionMessageUser(SessionMessageUser<'a>),
    /// `session_message / synthetic`
    SessionMessageSynthetic(SessionMessageSynthetic<'a>),
    /// `session_message / system`
    SessionMessageSystem(SessionMessageSystem<'a>),
    /// `session_message / skill`
    SessionMessageSkill(SessionMessageSkill<'a>),
    /// `session_message / shell`
    SessionMessageShell(SessionMessageShell<'a>),
    /// `session_message / assistant`
    SessionMessageAssistant(SessionMessageAssistant<'a>),
    /// `session_message / compaction (running)`
    SessionMessageCompactionRunning(SessionMessageCompactionRunning<'a>),
    /// `session_message / compaction (completed)`
    SessionMessageCompactionCompleted(SessionMessageCompactionCompleted<'a>),
    /// `session_message / compaction (failed)`
    SessionMessageCompactionFailed(SessionMessageCompactionFailed<'a>),
    /// `session_message / idle`
    SessionMessageIdle(SessionMessageIdle<'a>),
    /// `session_message / agent-switched`
    SessionMessageAgentSwitched(SessionMessageAgentSwitched<'a>),
    /// `session_message / model-switched`
    SessionMessageModelSwitched(SessionMessageModelSwitched<'a>),
    /// `session_message / location-switched`
    SessionMessageLocationSwitched(SessionMessageLocationSwitched<'a>),
    /// `session_inbox (row)`
    SessionInboxRow(SessionInboxRow<'a>),
    /// `instruction_entry / instruction_state / instruction_blob (rows)`
    InstructionEntryInstructionStateInstructionBlobRows(
        InstructionEntryInstructionStateInstructionBlobRows<'a>,
    ),
    /// `event (row)`
    EventRow(EventRow<'a>),
    /// `event_sequence (row)`
    EventSequenceRow(EventSequenceRow<'a>),
    /// `kv (row)`
    KvRow(KvRow<'a>),
    /// `legacy message (1.x row)`
    LegacyMessage1XRow(LegacyMessage1XRow<'a>),
    /// `legacy message (1.x row) / user`
    LegacyMessage1XRowUser(LegacyMessage1XRowUser<'a>),
    /// `legacy message (1.x row) / assistant`
    LegacyMessage1XRowAssistant(LegacyMessage1XRowAssistant<'a>),
    /// `legacy part / text`
    LegacyPartText(LegacyPartText<'a>),
    /// `legacy part / reasoning`
    LegacyPartReasoning(LegacyPartReasoning<'a>),
    /// `legacy part / file`
    LegacyPartFile(LegacyPartFile<'a>),
    /// `legacy part / tool`
    LegacyPartTool(LegacyPartTool<'a>),
    /// `legacy part / step-start`
    LegacyPartStepStart(LegacyPartStepStart<'a>),
    /// `legacy part / step-finish`
    LegacyPartStepFinish(LegacyPartStepFinish<'a>),
    /// `legacy part / snapshot`
    LegacyPartSnapshot(LegacyPartSnapshot<'a>),
    /// `legacy part / patch`
    LegacyPartPatch(LegacyPartPatch<'a>),
    /// `legacy part / agent`
    LegacyPartAgent(LegacyPartAgent<'a>),
    /// `legacy part / subtask`
    LegacyPartSubtask(LegacyPartSubtask<'a>),
    /// `legacy part / retry`
    LegacyPartRetry(LegacyPartRetry<'a>),
    /// `legacy part / compaction`
    LegacyPartCompaction(LegacyPartCompaction<'a>),
    /// `todo (1.x row)`
    Todo1XRow(Todo1XRow<'a>),
    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}

impl<'a> Record<'a> {
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {
        let known = match Kind::of(record) {
            Kind::SessionV2Row => Some(record).and_then(View::view).map(Record::SessionV2Row),
            Kind::SessionRow => Some(record).and_then(View::view).map(Record::SessionRow),
            Kind::SessionMessageUser => {
                Some(record).and_then(View::view).map(Record::SessionMessageUser)
            }
            Kind::SessionMessageSynthetic => {
                Some(record).and_then(View::view).map(Record::SessionMessageSynthetic)
            }
            Kind::SessionMessageSystem => {
                Some(record).and_then(View::view).map(Record::SessionMessageSystem)
            }
            Kind::SessionMessageSkill => {
                Some(record).and_then(View::view).map(Record::SessionMessageSkill)
            }
            Kind::SessionMessageShell => {
                Some(record).and_then(View::view).map(Record::SessionMessageShell)
            }
            Kind::SessionMessageAssistant => {
                Some(record).and_then(View::view).map(Record::SessionMessageAssistant)
            }
            Kind::SessionMessageCompactionRunning => {
                Some(record).and_then(View::view).map(Record::SessionMessageCompactionRunning)
            }
            Kind::SessionMessageCompactionCompleted => {
                Some(record).and_then(View::view).map(Record::SessionMessageCompactionCompleted)
            }
            Kind::SessionMessageCompactionFailed => {
                Some(record).and_then(View::view).map(Record::SessionMessageCompactionFailed)
            }
            Kind::SessionMessageIdle => {
                Some(record).and_then(View::view).map(Record::SessionMessageIdle)
            }
            Kind::SessionMessageAgentSwitched => {
                Some(record).and_then(View::view).map(Record::SessionMessageAgentSwitched)
            }
            Kind::SessionMessageModelSwitched => {
                Some(record).and_then(View::view).map(Record::SessionMessageModelSwitched)
            }
            Kind::SessionMessageLocationSwitched => {
                Some(record).and_then(View::view).map(Record::SessionMessageLocationSwitched)
            }
            Kind::SessionInboxRow => Some(record).and_then(View::view).map(Record::SessionInboxRow),
            Kind::InstructionEntryInstructionStateInstructionBlobRows => Some(record)
                .and_then(View::view)
                .map(Record::InstructionEntryInstructionStateInstructionBlobRows),
            Kind::EventRow => Some(record).and_then(View::view).map(Record::EventRow),
            Kind::EventSequenceRow => {
                Some(record).and_then(View::view).map(Record::EventSequenceRow)
            }
            Kind::KvRow => Some(record).and_then(View::view).map(Record::KvRow),
            Kind::LegacyMessage1XRow => {
                Some(record).and_then(View::view).map(Record::LegacyMessage1XRow)
            }
            Kind::LegacyMessage1XRowUser => {
                Some(record).and_then(View::view).map(Record::LegacyMessage1XRowUser)
            }
            Kind::LegacyMessage1XRowAssistant => {
                Some(record).and_then(View::view).map(Record::LegacyMessage1XRowAssistant)
            }
            Kind::LegacyPartText => Some(record).and_then(View::view).map(Record::LegacyPartText),
            Kind::LegacyPartReasoning => {
                Some(record).and_then(View::view).map(Record::LegacyPartReasoning)
            }
            Kind::LegacyPartFile => Some(record).and_then(View::view).map(Record::LegacyPartFile),
            Kind::LegacyPartTool => Some(record).and_then(View::view).map(Record::LegacyPartTool),
            Kind::LegacyPartStepStart => {
                Some(record).and_then(View::view).map(Record::LegacyPartStepStart)
            }
            Kind::LegacyPartStepFinish => {
                Some(record).and_then(View::view).map(Record::LegacyPartStepFinish)
            }
            Kind::LegacyPartSnapshot => {
                Some(record).and_then(View::view).map(Record::LegacyPartSnapshot)
            }
            Kind::LegacyPartPatch => Some(record).and_then(View::view).map(Record::LegacyPartPatch),
            Kind::LegacyPartAgent => Some(record).and_then(View::view).map(Record::LegacyPartAgent),
            Kind::LegacyPartSubtask => {
                Some(record).and_then(View::view).map(Record::LegacyPartSubtask)
            }
            Kind::LegacyPartRetry => Some(record).and_then(View::view).map(Record::LegacyPartRetry),
            Kind::LegacyPartCompaction => {
                Some(record).and_then(View::view).map(Record::LegacyPartCompaction)
            }
            Kind::Todo1XRow => Some(record).and_then(View::view).map(Record::Todo1XRow),
            Kind::Unknown => None,
        };
        known.unwrap_or(Self::Unknown(record))
    }
}
