//! Shell commands and exploring.

use recount_formats::Json;
use serde::{Serialize, Serializer};

use super::message::TextTone;
use crate::history::time::Timestamp;
use crate::history::wire::{Fault, Read, object, tagged, words};

words! {
    /// What a command does.
    ExecAction {
        /// It reads files.
        Read = "read",
        /// It searches.
        Search = "search",
        /// It lists files.
        List = "list",
        /// Anything else.
        Run = "run",
    }
}

words! {
    /// How a command stands.
    ExecStatus {
        /// It runs.
        Running = "running",
        /// It ended well.
        Success = "success",
        /// It failed.
        Error = "error",
    }
}

object! {
    /// A part of a stream's output.
    OutputChunk {
        /// Where it begins in the stream, in bytes. What lies before the first chunk or between two was cut.
        offset: u64,
        /// The text.
        content: String,
    }
}

object! {
    /// Something said while a command was waited for.
    WaitNote {
        /// What.
        message: String,
        /// What it is about.
        tone: TextTone,
        /// When.
        timestamp: Timestamp,
    }
}

object! {
    /// Reads a file.
    ParsedRead {
        /// The command.
        cmd: String,
        /// The file's name.
        name: String,
        ? /// The file's path.
        path: String,
    }
}

object! {
    /// Lists files.
    ParsedList {
        /// The command.
        cmd: String,
        ? /// The folder.
        path: String,
    }
}

object! {
    /// Searches.
    ParsedSearch {
        /// The command.
        cmd: String,
        ? /// What is searched.
        query: String,
        ? /// Where.
        path: String,
    }
}

object! {
    /// Anything else.
    ParsedUnknown {
        /// The command.
        cmd: String,
    }
}

tagged! {
    /// One command of a command line, and what it does.
    ParsedCommand {
        /// Reads a file.
        Read(ParsedRead) = "read",
        /// Lists files.
        List(ParsedList) = "list_files",
        /// Searches.
        Search(ParsedSearch) = "search",
        /// Anything else.
        Unknown(ParsedUnknown) = "unknown",
    }
}

object! {
    /// A shell command.
    Exec {
        /// The command: program and arguments, or one command line where nobody knows how it was cut.
        command: Vec<String>,
        /// What it does, command by command.
        parsed: Vec<ParsedCommand>,
        /// What it does.
        action: ExecAction,
        /// How it stands.
        status: ExecStatus,
        /// Standard output; stands for both where they were stored together.
        stdout_chunks: Vec<OutputChunk>,
        /// Standard error.
        stderr_chunks: Vec<OutputChunk>,
        /// Whether it is being waited for.
        wait_active: bool,
        /// What was said while it was waited for.
        wait_notes: Vec<WaitNote>,
        /// When it began.
        started_at: Timestamp,
        ? /// The call.
        call_id: String,
        ? /// Its exit code.
        exit_code: i64,
        ? /// How long it was waited for, in milliseconds.
        wait_total_ms: u64,
        ? /// When it ended.
        completed_at: Timestamp,
    }
}

/// How many bytes of a stream are not there, by the places of its chunks.
pub fn cut_bytes(chunks: &[OutputChunk]) -> u64 {
    let mut end = 0_u64;
    chunks.iter().fold(0_u64, |cut, chunk| {
        let gap = chunk.offset.saturating_sub(end);
        end = end.max(chunk.offset.saturating_add(chunk.content.len() as u64));
        cut.saturating_add(gap)
    })
}

object! {
    /// Why a look failed.
    ExploreError {
        ? /// The exit code.
        exit_code: i64,
    }
}

object! {
    /// A look that failed.
    ExploreFailure {
        /// Why.
        error: ExploreError,
    }
}

words! {
    /// How a look stands, unless it failed.
    ExploreState {
        /// It runs.
        Running = "running",
        /// It found something.
        Success = "success",
        /// It found nothing.
        NotFound = "not_found",
    }
}

/// How a look stands.
#[derive(Debug, Clone, PartialEq)]
pub enum ExploreStatus {
    /// It did not fail.
    State(ExploreState),
    /// It failed.
    Failed(ExploreFailure),
}

impl Read for ExploreStatus {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.is_object() {
            ExploreFailure::read(value).map(Self::Failed)
        } else {
            ExploreState::read(value).map(Self::State)
        }
    }
}

impl Serialize for ExploreStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::State(state) => state.serialize(serializer),
            Self::Failed(failure) => failure.serialize(serializer),
        }
    }
}

#[cfg(any(test, feature = "schema"))]
impl schemars::JsonSchema for ExploreStatus {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ExploreStatus".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let state = generator.subschema_for::<ExploreState>();
        let failure = generator.subschema_for::<ExploreFailure>();
        let either = serde_json::json!({ "anyOf": [state.to_value(), failure.to_value()] });
        crate::history::schema::made(either)
    }
}

object! {
    /// One look.
    ExploreEntry {
        /// The command, or the tool and what it looked at.
        command: Vec<String>,
        /// How it stands.
        status: ExploreStatus,
        ? /// The working directory.
        cwd: String,
    }
}

object! {
    /// A look around: reads, searches and lists that belong together.
    ///
    /// In states that were made from threads, the calls themselves follow, one record each, in the same order.
    Explore {
        /// The looks.
        entries: Vec<ExploreEntry>,
        /// Whether it is the last thing so far, so that more may come.
        trailing: bool,
    }
}
