// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of opencode: session message.

use crate::json::{Json, Text};
use crate::view::{List, views};

views! {
    /// `session_message / user`: A prompt, with the files that were attached and the agents and skills that were mentioned.
    SessionMessageUser {
        data: SessionMessageUserData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageUserData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageUserDataTime<'a> = "time",
        text: Text<'a> = "text",
        files: List<'a, Json<'a>> = "files",
        agents: List<'a, Json<'a>> = "agents",
        skills: List<'a, Json<'a>> = "skills",
    }

    /// A part of the record above.
    SessionMessageUserDataTime {
        created: i64 = "created",
    }

    /// `session_message / synthetic`: Text that the program puts where a prompt would stand: a sub-agent or a background command has finished, a plugin has something to say.
    SessionMessageSynthetic {
        data: SessionMessageSyntheticData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageSyntheticData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageSyntheticDataTime<'a> = "time",
        text: Text<'a> = "text",
        description: Text<'a> = "description",
    }

    /// A part of the record above.
    SessionMessageSyntheticDataTime {
        created: i64 = "created",
    }

    /// `session_message / system`: News about the instructions, as the model got it: a file of rules has changed, a tool has another name.
    SessionMessageSystem {
        data: SessionMessageSystemData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageSystemData {
        metadata: SessionMessageSystemDataMetadata<'a> = "metadata",
        time: SessionMessageSystemDataTime<'a> = "time",
        text: Text<'a> = "text",
        description: Text<'a> = "description",
    }

    /// A part of the record above.
    SessionMessageSystemDataMetadata {
        notice: Text<'a> = "notice",
        instruction_sources: List<'a, Text<'a>> = "instructionSources",
    }

    /// A part of the record above.
    SessionMessageSystemDataTime {
        created: i64 = "created",
    }

    /// `session_message / skill`: A skill was switched on, and its text given to the model.
    SessionMessageSkill {
        data: SessionMessageSkillData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageSkillData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageSkillDataTime<'a> = "time",
        skill: Text<'a> = "skill",
        name: Text<'a> = "name",
        text: Text<'a> = "text",
    }

    /// A part of the record above.
    SessionMessageSkillDataTime {
        created: i64 = "created",
    }

    /// `session_message / shell`: A command that the user ran with `!`, and what it printed.
    SessionMessageShell {
        data: SessionMessageShellData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageShellData {
        metadata: SessionMessageShellDataMetadata<'a> = "metadata",
        shell_id: Text<'a> = "shellID",
        command: Text<'a> = "command",
        status: Text<'a> = "status",
        exit: f64 = "exit",
        output: SessionMessageShellDataOutput<'a> = "output",
        time: SessionMessageShellDataTime<'a> = "time",
    }

    /// A part of the record above.
    SessionMessageShellDataMetadata {
        background: bool = "background",
    }

    /// A part of the record above.
    SessionMessageShellDataOutput {
        output: Text<'a> = "output",
        cursor: f64 = "cursor",
        size: f64 = "size",
        truncated: bool = "truncated",
    }

    /// A part of the record above.
    SessionMessageShellDataTime {
        created: i64 = "created",
        completed: i64 = "completed",
    }

    /// `session_message / assistant`: A step: one request to the model, with everything that it answered, the tools it called and what they gave back, what it cost and how it ended.
    SessionMessageAssistant {
        data: SessionMessageAssistantData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageAssistantData {
        agent: Text<'a> = "agent",
        model: SessionMessageAssistantDataModel<'a> = "model",
        content: List<'a, Json<'a>> = "content",
        snapshot: SessionMessageAssistantDataSnapshot<'a> = "snapshot",
        finish: Text<'a> = "finish",
        raw_finish: Text<'a> = "rawFinish",
        native: Json<'a> = "native",
        provider_state: Json<'a> = "providerState",
        cost: f64 = "cost",
        tokens: SessionMessageAssistantDataTokens<'a> = "tokens",
        error: SessionMessageAssistantDataError<'a> = "error",
        retry: SessionMessageAssistantDataRetry<'a> = "retry",
        metadata: Json<'a> = "metadata",
        time: SessionMessageAssistantDataTime<'a> = "time",
    }

    /// A part of the record above.
    SessionMessageAssistantDataModel {
        id: Text<'a> = "id",
        provider_id: Text<'a> = "providerID",
        variant: Text<'a> = "variant",
    }

    /// A part of the record above.
    SessionMessageAssistantDataSnapshot {
        start: Text<'a> = "start",
        end: Text<'a> = "end",
        files: List<'a, Text<'a>> = "files",
    }

    /// A part of the record above.
    SessionMessageAssistantDataTokens {
        input: f64 = "input",
        output: f64 = "output",
        reasoning: f64 = "reasoning",
        cache: SessionMessageAssistantDataTokensCache<'a> = "cache",
    }

    /// A part of the record above.
    SessionMessageAssistantDataTokensCache {
        read: f64 = "read",
        write: f64 = "write",
    }

    /// A part of the record above.
    SessionMessageAssistantDataError {
        type_: Text<'a> = "type",
        message: Text<'a> = "message",
        status: i64 = "status",
        response: Json<'a> = "response",
        retry_after_ms: i64 = "retryAfterMs",
    }

    /// A part of the record above.
    SessionMessageAssistantDataRetry {
        attempt: f64 = "attempt",
        at: f64 = "at",
        error: Json<'a> = "error",
    }

    /// A part of the record above.
    SessionMessageAssistantDataTime {
        created: i64 = "created",
        streamed: i64 = "streamed",
        completed: i64 = "completed",
    }

    /// `session_message / compaction (running)`: A summary is being written.
    SessionMessageCompactionRunning {
        data: SessionMessageCompactionRunningData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageCompactionRunningData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageCompactionRunningDataTime<'a> = "time",
        status: Text<'a> = "status",
        reason: Text<'a> = "reason",
        summary: Text<'a> = "summary",
        recent: Text<'a> = "recent",
    }

    /// A part of the record above.
    SessionMessageCompactionRunningDataTime {
        created: i64 = "created",
    }

    /// `session_message / compaction (completed)`: The point at which the model's history starts over, from a summary or from the provider's own window.
    SessionMessageCompactionCompleted {
        data: SessionMessageCompactionCompletedData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageCompactionCompletedData {
        metadata: SessionMessageCompactionCompletedDataMetadata<'a> = "metadata",
        recent: Text<'a> = "recent",
        time: SessionMessageCompactionCompletedDataTime<'a> = "time",
        status: Text<'a> = "status",
        reason: Text<'a> = "reason",
        model: Json<'a> = "model",
        summary: Text<'a> = "summary",
        native: Json<'a> = "native",
        provider_context: Json<'a> = "providerContext",
        cost: f64 = "cost",
        tokens: SessionMessageCompactionCompletedDataTokens<'a> = "tokens",
    }

    /// A part of the record above.
    SessionMessageCompactionCompletedDataMetadata {
        keep_id: Text<'a> = "keepID",
        recent: Text<'a> = "recent",
    }

    /// A part of the record above.
    SessionMessageCompactionCompletedDataTime {
        created: i64 = "created",
        completed: i64 = "completed",
    }

    /// A part of the record above.
    SessionMessageCompactionCompletedDataTokens {
        input: f64 = "input",
        output: f64 = "output",
        reasoning: f64 = "reasoning",
        cache: SessionMessageCompactionCompletedDataTokensCache<'a> = "cache",
    }

    /// A part of the record above.
    SessionMessageCompactionCompletedDataTokensCache {
        read: f64 = "read",
        write: f64 = "write",
    }

    /// `session_message / compaction (failed)`: A compaction that came to nothing.
    SessionMessageCompactionFailed {
        data: SessionMessageCompactionFailedData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageCompactionFailedData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageCompactionFailedDataTime<'a> = "time",
        status: Text<'a> = "status",
        reason: Text<'a> = "reason",
        summary: Text<'a> = "summary",
        recent: Text<'a> = "recent",
        error: SessionMessageCompactionFailedDataError<'a> = "error",
        cost: f64 = "cost",
        tokens: SessionMessageCompactionFailedDataTokens<'a> = "tokens",
    }

    /// A part of the record above.
    SessionMessageCompactionFailedDataTime {
        created: i64 = "created",
        completed: i64 = "completed",
    }

    /// A part of the record above.
    SessionMessageCompactionFailedDataError {
        type_: Text<'a> = "type",
        message: Text<'a> = "message",
        status: i64 = "status",
        response: Json<'a> = "response",
        retry_after_ms: i64 = "retryAfterMs",
    }

    /// A part of the record above.
    SessionMessageCompactionFailedDataTokens {
        input: f64 = "input",
        output: f64 = "output",
        reasoning: f64 = "reasoning",
        cache: SessionMessageCompactionFailedDataTokensCache<'a> = "cache",
    }

    /// A part of the record above.
    SessionMessageCompactionFailedDataTokensCache {
        read: f64 = "read",
        write: f64 = "write",
    }

    /// `session_message / idle`: The turn is over, and this is how it went.
    SessionMessageIdle {
        data: SessionMessageIdleData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageIdleData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageIdleDataTime<'a> = "time",
        outcome: Text<'a> = "outcome",
        error: SessionMessageIdleDataError<'a> = "error",
    }

    /// A part of the record above.
    SessionMessageIdleDataTime {
        created: i64 = "created",
    }

    /// A part of the record above.
    SessionMessageIdleDataError {
        type_: Text<'a> = "type",
        message: Text<'a> = "message",
        status: i64 = "status",
        response: Json<'a> = "response",
        retry_after_ms: i64 = "retryAfterMs",
    }

    /// `session_message / agent-switched`: Another agent works from here on.
    SessionMessageAgentSwitched {
        data: SessionMessageAgentSwitchedData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageAgentSwitchedData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageAgentSwitchedDataTime<'a> = "time",
        agent: Text<'a> = "agent",
        previous: Text<'a> = "previous",
    }

    /// A part of the record above.
    SessionMessageAgentSwitchedDataTime {
        created: i64 = "created",
    }

    /// `session_message / model-switched`: Another model answers from here on.
    SessionMessageModelSwitched {
        data: SessionMessageModelSwitchedData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageModelSwitchedData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageModelSwitchedDataTime<'a> = "time",
        model: SessionMessageModelSwitchedDataModel<'a> = "model",
        previous: Json<'a> = "previous",
    }

    /// A part of the record above.
    SessionMessageModelSwitchedDataTime {
        created: i64 = "created",
    }

    /// A part of the record above.
    SessionMessageModelSwitchedDataModel {
        id: Text<'a> = "id",
        provider_id: Text<'a> = "providerID",
        variant: Text<'a> = "variant",
    }

    /// `session_message / location-switched`: The session has moved to another folder, workspace or project.
    SessionMessageLocationSwitched {
        data: SessionMessageLocationSwitchedData<'a> = "data",
    }

    /// A part of the record above.
    SessionMessageLocationSwitchedData {
        metadata: Json<'a> = "metadata",
        time: SessionMessageLocationSwitchedDataTime<'a> = "time",
        location: SessionMessageLocationSwitchedDataLocation<'a> = "location",
        project_id: Text<'a> = "projectID",
        subpath: Text<'a> = "subpath",
        previous: Json<'a> = "previous",
    }

    /// A part of the record above.
    SessionMessageLocationSwitchedDataTime {
        created: i64 = "created",
    }

    /// A part of the record above.
    SessionMessageLocationSwitchedDataLocation {
        directory: Text<'a> = "directory",
        workspace_id: Text<'a> = "workspaceID",
    }
}
