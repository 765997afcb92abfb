//! Tools, waits and loading.

use super::message::TextTone;
use crate::history::time::Timestamp;
use crate::history::wire::{object, tagged, words};
use crate::json::RawJson;

words! {
    /// How a call stands.
    ToolStatus {
        /// It runs.
        Running = "running",
        /// It ended well.
        Success = "success",
        /// It failed.
        Failed = "failed",
    }
}

object! {
    /// A text.
    TextValue {
        /// The text.
        text: String,
    }
}

object! {
    /// Any JSON value.
    JsonValue {
        /// The value.
        value: RawJson,
    }
}

object! {
    /// A value that is not shown.
    SecretValue {}
}

tagged! {
    /// The value of an argument.
    ArgumentValue {
        /// A text.
        Text(TextValue) = "text",
        /// Any JSON value.
        Json(JsonValue) = "json",
        /// A value that is not shown.
        Secret(SecretValue) = "secret",
    }
}

object! {
    /// An argument of a call.
    ToolArgument {
        /// Its name.
        name: String,
        /// Its value.
        value: ArgumentValue,
    }
}

object! {
    /// A tool that runs.
    RunningTool {
        /// What it is called.
        title: String,
        /// When it began.
        started_at: Timestamp,
        /// What it was given.
        arguments: Vec<ToolArgument>,
        /// Whether it waits for something that is named.
        wait_has_target: bool,
        /// Whether it waits for another call.
        wait_has_call_id: bool,
        ? /// How long it waits at most, in milliseconds.
        wait_cap_ms: u64,
    }
}

object! {
    /// The beginning of a result.
    ResultPreview {
        /// The lines.
        lines: Vec<String>,
        /// Whether there is more.
        truncated: bool,
    }
}

object! {
    /// A call of a tool.
    ToolCall {
        /// How it stands.
        status: ToolStatus,
        /// What it is called.
        title: String,
        /// What it was given.
        arguments: Vec<ToolArgument>,
        ? /// How long it took, in milliseconds.
        duration_ms: u64,
        ? /// What came out.
        result_preview: ResultPreview,
        ? /// Why it failed.
        error_message: String,
    }
}

object! {
    /// The head of a wait.
    WaitHeader {
        /// What is waited for.
        title: String,
        /// What the title is about.
        title_tone: TextTone,
        /// What the summary is about.
        summary_tone: TextTone,
        ? /// How it stands.
        summary: String,
    }
}

object! {
    /// More about a wait.
    WaitDetail {
        /// What.
        label: String,
        /// What it is about.
        tone: TextTone,
        ? /// Its value.
        value: String,
    }
}

object! {
    /// Something that is waited for.
    WaitStatus {
        /// The head.
        header: WaitHeader,
        /// More about it.
        details: Vec<WaitDetail>,
    }
}

object! {
    /// Something is being loaded.
    Loading {
        /// What.
        message: String,
    }
}
