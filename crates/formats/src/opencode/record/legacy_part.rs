// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of opencode: legacy part.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `legacy part / text`: Text, of the model or of a prompt, by the role of its message.
    LegacyPartText {
        data: LegacyPartTextData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartTextData {
        type_: Text<'a> = "type",
        text: Text<'a> = "text",
        synthetic: bool = "synthetic",
        ignored: bool = "ignored",
        time: Json<'a> = "time",
        metadata: Json<'a> = "metadata",
    }

    /// `legacy part / reasoning`: Reasoning of the model.
    LegacyPartReasoning {
        data: LegacyPartReasoningData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartReasoningData {
        type_: Text<'a> = "type",
        text: Text<'a> = "text",
        metadata: Json<'a> = "metadata",
        time: Json<'a> = "time",
    }

    /// `legacy part / file`: A file that was attached to a prompt.
    LegacyPartFile {
        data: LegacyPartFileData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartFileData {
        type_: Text<'a> = "type",
        mime: Text<'a> = "mime",
        filename: Text<'a> = "filename",
        url: Text<'a> = "url",
        source: Json<'a> = "source",
    }

    /// `legacy part / tool`: A tool call and its result.
    LegacyPartTool {
        data: LegacyPartToolData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartToolData {
        type_: Text<'a> = "type",
        call_id: Text<'a> = "callID",
        tool: Text<'a> = "tool",
        state: Json<'a> = "state",
        metadata: Json<'a> = "metadata",
    }

    /// `legacy part / step-start`: A step begins.
    LegacyPartStepStart {
        data: LegacyPartStepStartData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartStepStartData {
        type_: Text<'a> = "type",
        snapshot: Text<'a> = "snapshot",
    }

    /// `legacy part / step-finish`: A step is over, with its tokens.
    LegacyPartStepFinish {
        data: LegacyPartStepFinishData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartStepFinishData {
        type_: Text<'a> = "type",
        reason: Text<'a> = "reason",
        snapshot: Text<'a> = "snapshot",
        cost: f64 = "cost",
        tokens: LegacyPartStepFinishDataTokens<'a> = "tokens",
    }

    /// A part of the record above.
    LegacyPartStepFinishDataTokens {
        total: f64 = "total",
        input: f64 = "input",
        output: f64 = "output",
        reasoning: f64 = "reasoning",
        cache: LegacyPartStepFinishDataTokensCache<'a> = "cache",
    }

    /// A part of the record above.
    LegacyPartStepFinishDataTokensCache {
        read: f64 = "read",
        write: f64 = "write",
    }

    /// `legacy part / snapshot`: A tree of the files.
    LegacyPartSnapshot {
        data: LegacyPartSnapshotData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartSnapshotData {
        type_: Text<'a> = "type",
        snapshot: Text<'a> = "snapshot",
    }

    /// `legacy part / patch`: Which files a step changed.
    LegacyPartPatch {
        data: LegacyPartPatchData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartPatchData {
        type_: Text<'a> = "type",
        hash: Text<'a> = "hash",
        files: List<'a, Text<'a>> = "files",
    }

    /// `legacy part / agent`: An agent was mentioned with `@`.
    LegacyPartAgent {
        data: LegacyPartAgentData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartAgentData {
        type_: Text<'a> = "type",
        name: Text<'a> = "name",
        source: Json<'a> = "source",
    }

    /// `legacy part / subtask`: The user hands a task to another agent, with a command or by the API.
    LegacyPartSubtask {
        data: LegacyPartSubtaskData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartSubtaskData {
        type_: Text<'a> = "type",
        prompt: Text<'a> = "prompt",
        description: Text<'a> = "description",
        agent: Text<'a> = "agent",
        model: Json<'a> = "model",
        command: Text<'a> = "command",
    }

    /// `legacy part / retry`: A request failed and is tried again.
    LegacyPartRetry {
        data: LegacyPartRetryData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartRetryData {
        type_: Text<'a> = "type",
        attempt: f64 = "attempt",
        error: Json<'a> = "error",
        time: Json<'a> = "time",
    }

    /// `legacy part / compaction`: The prompt is a wish to compact; the summary is the message that answers it.
    LegacyPartCompaction {
        data: LegacyPartCompactionData<'a> = "data",
    }

    /// A part of the record above.
    LegacyPartCompactionData {
        type_: Text<'a> = "type",
        auto: bool = "auto",
        overflow: bool = "overflow",
        tail_start_id: Text<'a> = "tail_start_id",
    }
}
