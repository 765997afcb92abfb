//! What can happen to a state, and what a screen is told of it.

use std::sync::Arc;

use super::bound;
use super::record::exec::{Exec, ExecAction, ExecStatus, ParsedCommand, WaitNote};
use super::record::message::{MessageMetadata, TokenUsage};
use super::record::stream::{AssistantMessage, AssistantStream, Delta};
use super::record::tool::{ResultPreview, RunningTool, ToolArgument, ToolCall, ToolStatus};
use super::state::{HistoryState, Lookup};
use super::{HistoryId, Kind, Maybe, Origin, Timestamp, Unknown};

/// One of a command's two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Something that happens. Calls and streams that nobody announced get a record of their own: nothing is lost.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A record is added at the end, or before another one.
    Insert {
        /// The record behind it.
        before: Option<HistoryId>,
        /// What it is.
        kind: Kind,
        /// Where in a thread it comes from.
        origin: Option<Origin>,
    },
    /// A record becomes another one and keeps its id.
    Replace {
        /// The record.
        id: HistoryId,
        /// What it is now.
        kind: Kind,
        /// Where in a thread it comes from; as before when nothing is given.
        origin: Option<Origin>,
    },
    /// A record goes.
    Remove {
        /// The record.
        id: HistoryId,
    },
    /// Everything behind a record goes, or everything: a rewind.
    TruncateAfter {
        /// The last record that stays.
        id: Option<HistoryId>,
    },
    /// A command begins.
    ExecStarted {
        /// The call.
        call_id: String,
        /// Program and arguments.
        command: Vec<String>,
        /// What it does, command by command.
        parsed: Vec<ParsedCommand>,
        /// What it does.
        action: ExecAction,
        /// When.
        at: Timestamp,
    },
    /// A command says something.
    ExecOutput {
        /// The call.
        call_id: String,
        /// Where it says it.
        stream: OutputStream,
        /// What.
        content: String,
        /// When.
        at: Timestamp,
    },
    /// A command is waited for, or no longer.
    ExecWaiting {
        /// The call.
        call_id: String,
        /// Whether it is being waited for.
        active: bool,
        /// How long it was waited for in all, in milliseconds.
        total_ms: Option<u64>,
        /// What is said about it.
        note: Option<WaitNote>,
        /// When.
        at: Timestamp,
    },
    /// A command ends.
    ExecFinished {
        /// The call.
        call_id: String,
        /// Its exit code.
        exit_code: Option<i64>,
        /// How it ended.
        status: ExecStatus,
        /// When.
        at: Timestamp,
    },
    /// A tool begins.
    ToolStarted {
        /// The call.
        call_id: String,
        /// What it is called.
        title: String,
        /// What it was given.
        arguments: Vec<ToolArgument>,
        /// When.
        at: Timestamp,
    },
    /// A tool waits.
    ToolWaiting {
        /// The call.
        call_id: String,
        /// For how long at most, in milliseconds.
        cap_ms: Option<u64>,
        /// Whether it waits for something that is named.
        has_target: bool,
        /// Whether it waits for another call.
        has_call_id: bool,
        /// When.
        at: Timestamp,
    },
    /// A tool ends.
    ToolFinished {
        /// The call.
        call_id: String,
        /// How it ended.
        status: ToolStatus,
        /// How long it took, in milliseconds.
        duration_ms: Option<u64>,
        /// What came out.
        result: Option<ResultPreview>,
        /// Why it failed.
        error: Option<String>,
    },
    /// A message grows.
    StreamText {
        /// The stream.
        stream_id: String,
        /// The text that is added.
        delta: String,
        /// Its number in the stream.
        sequence: Option<u64>,
        /// When.
        at: Timestamp,
    },
    /// A message is done.
    StreamFinished {
        /// The stream.
        stream_id: String,
        /// The whole text; what was streamed when nothing is given.
        markdown: Option<String>,
        /// Sources, added to those that are there.
        citations: Vec<String>,
        /// What is known about the message.
        metadata: Option<MessageMetadata>,
        /// Tokens of the response.
        token_usage: Option<TokenUsage>,
        /// When.
        at: Timestamp,
    },
}

/// What became of the records. Applied in order by id, changes keep a screen as the state is; it never builds anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A record was added, at the end or before another one.
    Inserted {
        /// The new record.
        id: HistoryId,
        /// The record behind it.
        before: Option<HistoryId>,
    },
    /// A record is another one now.
    Replaced {
        /// The record.
        id: HistoryId,
    },
    /// A record is gone.
    Removed {
        /// The record.
        id: HistoryId,
    },
    /// Everything behind a record is gone, or everything.
    TruncatedAfter {
        /// The last record that stayed.
        id: Option<HistoryId>,
    },
}

/// Why an event was refused. The state is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// No record has this id.
    NoSuchRecord(HistoryId),
    /// No id is left.
    OutOfIds,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchRecord(id) => write!(f, "no record has the id {id}"),
            Self::OutOfIds => f.write_str("no id is left"),
        }
    }
}

impl std::error::Error for Refused {}

impl HistoryState {
    /// Lets something happen.
    pub fn apply(&mut self, event: Event) -> Result<Change, Refused> {
        match event {
            Event::Insert { before, kind, origin } => {
                let id = self.insert(before, kind, origin)?;
                Ok(Change::Inserted { id, before })
            }
            Event::Replace { id, kind, origin } => {
                self.replace(id, kind, origin)?;
                Ok(Change::Replaced { id })
            }
            Event::Remove { id } => {
                self.remove(id)?;
                Ok(Change::Removed { id })
            }
            Event::TruncateAfter { id } => {
                self.truncate_after(id)?;
                Ok(Change::TruncatedAfter { id })
            }
            Event::ExecStarted { call_id, command, parsed, action, at } => {
                self.exec(call_id, at, |exec, _| {
                    // Output may have come first.
                    exec.command = command;
                    exec.parsed = parsed;
                    exec.action = action;
                })
            }
            Event::ExecOutput { call_id, stream, content, at } => {
                self.exec(call_id, at, |exec, bytes| match stream {
                    OutputStream::Stdout => {
                        bound::push_output(&mut exec.stdout_chunks, &mut bytes[0], content);
                    }
                    OutputStream::Stderr => {
                        bound::push_output(&mut exec.stderr_chunks, &mut bytes[1], content);
                    }
                })
            }
            Event::ExecWaiting { call_id, active, total_ms, note, at } => {
                self.exec(call_id, at, |exec, _| {
                    exec.wait_active = active;
                    if total_ms.is_some() {
                        exec.wait_total_ms = total_ms.into();
                    }
                    exec.wait_notes.extend(note);
                })
            }
            Event::ExecFinished { call_id, exit_code, status, at } => {
                let ended = at.clone();
                self.exec(call_id, at, |exec, _| {
                    exec.status = status;
                    exec.exit_code = exit_code.into();
                    exec.completed_at = Maybe::Is(ended);
                    exec.wait_active = false;
                })
            }
            Event::ToolStarted { call_id, title, arguments, at } => {
                let kind = running(title, at, arguments);
                self.put(Lookup::Tool, call_id, kind)
            }
            Event::ToolWaiting { call_id, cap_ms, has_target, has_call_id, at } => {
                let mut tool = match self.named(Lookup::Tool, &call_id) {
                    Some(Kind::RunningTool(tool)) => tool.clone(),
                    // It is done: there is nothing to wait for.
                    Some(done) => {
                        let done = done.clone();
                        return self.put(Lookup::Tool, call_id, done);
                    }
                    None => running(call_id.clone(), at, Vec::new()),
                };
                tool.wait_cap_ms = cap_ms.into();
                tool.wait_has_target = has_target;
                tool.wait_has_call_id = has_call_id;
                self.put(Lookup::Tool, call_id, tool)
            }
            Event::ToolFinished { call_id, status, duration_ms, result, error } => {
                let (title, arguments, other) = match self.named(Lookup::Tool, &call_id) {
                    Some(Kind::RunningTool(t)) => {
                        (t.title.clone(), t.arguments.clone(), t.other.clone())
                    }
                    Some(Kind::ToolCall(t)) => {
                        (t.title.clone(), t.arguments.clone(), t.other.clone())
                    }
                    _ => (call_id.clone(), Vec::new(), Unknown::default()),
                };
                let call = ToolCall {
                    status,
                    title,
                    arguments,
                    duration_ms: duration_ms.into(),
                    result_preview: result.into(),
                    error_message: error.into(),
                    other,
                };
                self.put(Lookup::Tool, call_id, call)
            }
            Event::StreamText { stream_id, delta, sequence, at } => {
                self.stream_text(stream_id, delta, sequence, at)
            }
            Event::StreamFinished { stream_id, markdown, citations, metadata, token_usage, at } => {
                let message = AssistantMessage {
                    markdown: markdown.unwrap_or_default(),
                    citations,
                    created_at: at,
                    stream_id: Maybe::Is(stream_id.clone()),
                    metadata: metadata.into(),
                    token_usage: token_usage.into(),
                    cut_bytes: Maybe::Absent,
                    other: Unknown::default(),
                };
                self.finish_stream(stream_id, message)
            }
        }
    }

    fn named(&self, lookup: Lookup, key: &str) -> Option<&Kind> {
        self.found(lookup, key).and_then(|id| self.get(id)).map(super::Record::kind)
    }

    /// Replaces what a name leads to; adds it when it leads to nothing.
    fn put(
        &mut self,
        lookup: Lookup,
        key: String,
        kind: impl Into<Kind>,
    ) -> Result<Change, Refused> {
        if let Some(id) = self.found(lookup, &key) {
            self.replace(id, kind.into(), None)?;
            return Ok(Change::Replaced { id });
        }
        let id = self.insert(None, kind.into(), None)?;
        self.add_key(lookup, Arc::from(key), id);
        Ok(Change::Inserted { id, before: None })
    }

    /// Changes the command of a call in place; begins one when nobody has.
    fn exec(
        &mut self,
        call_id: String,
        at: Timestamp,
        change: impl FnOnce(&mut Exec, &mut [usize; 2]),
    ) -> Result<Change, Refused> {
        let found = self.found(Lookup::Exec, &call_id);
        let (id, made) = if let Some(id) = found {
            (id, Change::Replaced { id })
        } else {
            let id = self.insert(None, begun(call_id, at).into(), None)?;
            (id, Change::Inserted { id, before: None })
        };
        let slot = self.slot_mut(id).ok_or(Refused::NoSuchRecord(id))?;
        if let Kind::Exec(exec) = slot.record.kind_mut() {
            change(exec, &mut slot.bytes);
        }
        Ok(made)
    }

    fn stream_text(
        &mut self,
        stream_id: String,
        delta: String,
        sequence: Option<u64>,
        at: Timestamp,
    ) -> Result<Change, Refused> {
        let (id, made) = if let Some(id) = self.found(Lookup::Stream, &stream_id) {
            (id, Change::Replaced { id })
        } else {
            let stream = AssistantStream {
                stream_id,
                preview_markdown: String::new(),
                deltas: Vec::new(),
                citations: Vec::new(),
                in_progress: true,
                last_updated_at: at.clone(),
                metadata: Maybe::Absent,
                cut_bytes: Maybe::Absent,
                other: Unknown::default(),
            };
            let id = self.insert(None, stream.into(), None)?;
            (id, Change::Inserted { id, before: None })
        };
        let slot = self.slot_mut(id).ok_or(Refused::NoSuchRecord(id))?;
        match slot.record.kind_mut() {
            Kind::AssistantStream(stream) => {
                stream.last_updated_at = at.clone();
                stream.in_progress = true;
                let delta = Delta {
                    delta,
                    received_at: at,
                    sequence: sequence.into(),
                    other: Unknown::default(),
                };
                let cut = bound::push_text(&mut stream.preview_markdown, &mut stream.deltas, delta);
                add_cut(&mut stream.cut_bytes, cut);
            }
            // Text that comes late belongs to its message.
            Kind::AssistantMessage(message) => {
                let mut one = Vec::new();
                let delta = Delta {
                    delta,
                    received_at: at,
                    sequence: Maybe::Absent,
                    other: Unknown::default(),
                };
                let cut = bound::push_text(&mut message.markdown, &mut one, delta);
                add_cut(&mut message.cut_bytes, cut);
            }
            _ => {}
        }
        Ok(made)
    }

    fn finish_stream(
        &mut self,
        stream_id: String,
        mut message: AssistantMessage,
    ) -> Result<Change, Refused> {
        let whole = !message.markdown.is_empty();
        match self.named(Lookup::Stream, &stream_id) {
            Some(Kind::AssistantStream(stream)) => {
                if !whole {
                    message.markdown.clone_from(&stream.preview_markdown);
                    message.cut_bytes = stream.cut_bytes;
                }
                message.citations.splice(0..0, stream.citations.iter().cloned());
                if message.metadata.get().is_none() {
                    message.metadata = stream.metadata.clone();
                }
                message.other = stream.other.clone();
            }
            Some(Kind::AssistantMessage(old)) => {
                if !whole {
                    message.markdown.clone_from(&old.markdown);
                    message.cut_bytes = old.cut_bytes;
                }
                message.citations.splice(0..0, old.citations.iter().cloned());
                if message.metadata.get().is_none() {
                    message.metadata = old.metadata.clone();
                }
                if message.token_usage.get().is_none() {
                    message.token_usage = old.token_usage.clone();
                }
                message.other = old.other.clone();
            }
            _ => {}
        }
        self.put(Lookup::Stream, stream_id, message)
    }
}

fn add_cut(sum: &mut Maybe<u64>, cut: u64) {
    if cut > 0 {
        *sum = Maybe::Is(sum.get().map_or(cut, |old| old.saturating_add(cut)));
    }
}

fn begun(call_id: String, at: Timestamp) -> Exec {
    Exec {
        command: Vec::new(),
        parsed: Vec::new(),
        action: ExecAction::Run,
        status: ExecStatus::Running,
        stdout_chunks: Vec::new(),
        stderr_chunks: Vec::new(),
        wait_active: false,
        wait_notes: Vec::new(),
        started_at: at,
        call_id: Maybe::Is(call_id),
        exit_code: Maybe::Absent,
        wait_total_ms: Maybe::Absent,
        completed_at: Maybe::Absent,
        other: Unknown::default(),
    }
}

fn running(title: String, at: Timestamp, arguments: Vec<ToolArgument>) -> RunningTool {
    RunningTool {
        title,
        started_at: at,
        arguments,
        wait_has_target: false,
        wait_has_call_id: false,
        wait_cap_ms: Maybe::Absent,
        other: Unknown::default(),
    }
}
