// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.

//! Typed views of the records of opencode: legacy message 1 x row.

use crate::json::{Json, Text};
use crate::view::views;

views! {
    /// `legacy message (1.x row) / user`: A prompt of 1.x, or a text that the program puts in its place.
    LegacyMessage1XRowUser {
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        data: LegacyMessage1XRowUserData<'a> = "data",
    }

    /// A part of the record above.
    LegacyMessage1XRowUserData {
        role: Text<'a> = "role",
        time: LegacyMessage1XRowUserDataTime<'a> = "time",
        format: Json<'a> = "format",
        summary: Json<'a> = "summary",
        agent: Text<'a> = "agent",
        model: LegacyMessage1XRowUserDataModel<'a> = "model",
        variant: Text<'a> = "variant",
        system: Text<'a> = "system",
        tools: Json<'a> = "tools",
    }

    /// A part of the record above.
    LegacyMessage1XRowUserDataTime {
        created: i64 = "created",
    }

    /// A part of the record above.
    LegacyMessage1XRowUserDataModel {
        provider_id: Text<'a> = "providerID",
        model_id: Text<'a> = "modelID",
        id: Text<'a> = "id",
        variant: Text<'a> = "variant",
    }

    /// `legacy message (1.x row) / assistant`: A step of 1.x: one request to the model.
    LegacyMessage1XRowAssistant {
        id: Text<'a> = "id",
        session_id: Text<'a> = "session_id",
        time_created: i64 = "time_created",
        time_updated: i64 = "time_updated",
        data: LegacyMessage1XRowAssistantData<'a> = "data",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantData {
        role: Text<'a> = "role",
        time: LegacyMessage1XRowAssistantDataTime<'a> = "time",
        error: LegacyMessage1XRowAssistantDataError<'a> = "error",
        parent_id: Text<'a> = "parentID",
        model_id: Text<'a> = "modelID",
        provider_id: Text<'a> = "providerID",
        mode: Text<'a> = "mode",
        agent: Text<'a> = "agent",
        path: LegacyMessage1XRowAssistantDataPath<'a> = "path",
        summary: bool = "summary",
        cost: f64 = "cost",
        tokens: LegacyMessage1XRowAssistantDataTokens<'a> = "tokens",
        structured: Json<'a> = "structured",
        variant: Text<'a> = "variant",
        finish: Text<'a> = "finish",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantDataTime {
        created: i64 = "created",
        completed: i64 = "completed",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantDataError {
        name: Text<'a> = "name",
        data: Json<'a> = "data",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantDataPath {
        cwd: Text<'a> = "cwd",
        root: Text<'a> = "root",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantDataTokens {
        total: f64 = "total",
        input: f64 = "input",
        output: f64 = "output",
        reasoning: f64 = "reasoning",
        cache: LegacyMessage1XRowAssistantDataTokensCache<'a> = "cache",
    }

    /// A part of the record above.
    LegacyMessage1XRowAssistantDataTokensCache {
        read: f64 = "read",
        write: f64 = "write",
    }
}
