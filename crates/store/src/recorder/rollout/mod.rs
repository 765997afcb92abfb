//! A rollout that is written while an agent works.
//!
//! [`Recorder`] takes [`Event`]s and appends their records; the same call gives the changes of the view. The file is made
//! with the first record. Each event is one write of whole lines, so a crash at any moment costs at most the event that was
//! being written: what is left reads back to the last whole record, and a resume ends a torn line with a line ending
//! before it goes on. One writer has a thread at a time, by Codex's own lock.
//!
//! `crates/store/examples/record.rs` is a program that uses it.

use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Harness;
use recount_session::live::{Change, Event, Live, Misfit, Mode};
use recount_session::model::{Thread, Turn};
use recount_session::rebuild::codex::layout;

use super::append::{self, Sync};
use super::edit::{self, Cut, EditError, Editor, Report};
use super::line::{self, Object};
use super::lock::{self, Held, LockError, WriterLock};
use crate::container::file;
use crate::discover::{Discover as _, codex::Codex};
use crate::head::SessionHead;

mod lines;
#[cfg(test)]
mod tests;

/// What a new thread is.
#[derive(Debug, Clone)]
pub struct Start {
    /// How it is kept.
    pub mode: Mode,
    /// The working directory, absolute.
    pub cwd: String,
    /// The program that writes it.
    pub originator: String,
    /// That program's version.
    pub version: String,
    /// The model provider's id in Codex's configuration.
    pub model_provider: String,
    /// The system instructions.
    pub instructions: Option<String>,
    /// When records reach the disk.
    pub sync: Sync,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            mode: Mode::Paginated,
            cwd: "/".to_owned(),
            originator: "recount".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model_provider: "openai".to_owned(),
            instructions: None,
            sync: Sync::Turn,
        }
    }
}

/// Why an event was not recorded. Nothing was written.
#[derive(Debug)]
pub enum RecordError {
    /// The event does not fit.
    Misfit(Misfit),
    /// It could not be written.
    Edit(EditError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misfit(misfit) => misfit.fmt(f),
            Self::Edit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<Misfit> for RecordError {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
    }
}

impl From<EditError> for RecordError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// Writes a thread.
#[derive(Debug)]
pub struct Recorder {
    root: PathBuf,
    thread_id: String,
    path: PathBuf,
    /// The file, once there is one.
    file: Option<File>,
    lock: Arc<WriterLock>,
    live: Live,
    /// The number of the next record.
    ordinal: u64,
    sync: Sync,
    /// The header that the first record brings along.
    header: Option<String>,
    clock: fn() -> Timestamp,
}

impl Recorder {
    /// Begins a thread in the Codex home `root`. Nothing is written before there is something to write.
    pub fn start(root: &Path, start: &Start) -> Result<Self, RecordError> {
        let now = Timestamp::now();
        let thread_id = new_id();
        let lock = Arc::new(locked(root, &thread_id)?);
        let instructions =
            start.instructions.as_ref().map(|text| Object::new().text("text", text).end());
        let mode = if start.mode == Mode::Paginated { "paginated" } else { "legacy" };
        let header = Object::new()
            .text("session_id", &thread_id)
            .text("id", &thread_id)
            .text("timestamp", &line::timestamp(now))
            .text("cwd", &start.cwd)
            .text("originator", &start.originator)
            .text("cli_version", &start.version)
            .text("source", "cli")
            .text("model_provider", &start.model_provider)
            .raw("base_instructions", instructions.as_deref().unwrap_or("null"))
            .text("history_mode", mode)
            .raw("context_window", &Object::new().text("window_id", &new_id()).end());
        Ok(Self {
            path: edit::rollout_path(root, now, &TimeZone::system(), &thread_id),
            root: root.to_owned(),
            thread_id,
            file: None,
            lock,
            live: Live::new(start.mode, Some(start.cwd.clone())),
            ordinal: 0,
            sync: start.sync,
            header: Some(header.end()),
            clock: Timestamp::now,
        })
    }

    /// Goes on with a thread. A compressed rollout is made plain and a torn line is ended. `extended` says how much a
    /// legacy rollout keeps from here on.
    pub fn resume(head: &SessionHead, extended: bool, sync: Sync) -> Result<Self, RecordError> {
        if head.harness != Harness::Codex {
            let what = "only Codex's threads can be recorded".to_owned();
            return Err(EditError::Unsupported { harness: head.harness, what }.into());
        }
        let lock = Arc::new(locked(&head.root, &head.id)?);
        let by = lock::writers(&head.path);
        if !by.is_empty() {
            return Err(EditError::Held(Held { path: head.path.clone(), by }).into());
        }
        let mut head = head.clone();
        if file::is_zst(&head.path) {
            let plain = head.path.with_extension("");
            edit::restored(&head.path, &plain, Sync::Data).map_err(at(&head.path))?;
            head.path = plain;
        }
        append::append(&head.path, "", sync).map_err(at(&head.path))?;
        let mut recorder = Self {
            root: head.root.clone(),
            thread_id: head.id.clone(),
            path: head.path.clone(),
            file: None,
            lock,
            live: Live::new(Mode::Limited, None),
            ordinal: 0,
            sync,
            header: None,
            clock: Timestamp::now,
        };
        recorder.live = recorder.read(extended)?;
        Ok(recorder)
    }

    /// Reads the rollout that stands at `path`, for going on with it.
    fn read(&mut self, extended: bool) -> Result<Live, RecordError> {
        let opened = Codex.open(&self.head()).map_err(at(&self.path))?;
        let layout = layout(opened.input());
        let mode = match (layout.paginated, extended) {
            (true, _) => Mode::Paginated,
            (false, true) => Mode::Extended,
            (false, false) => Mode::Limited,
        };
        self.ordinal = layout.end.ordinal;
        let file = File::options().append(true).open(&self.path).map_err(at(&self.path))?;
        self.file = Some(file);
        let thread = opened.thread(None);
        let cwd = thread.cwd.clone();
        Ok(Live::resume(mode, cwd, shown(thread), layout.next_item))
    }

    /// Takes this for the time.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> Timestamp) -> Self {
        self.clock = clock;
        self
    }

    /// The thread's id.
    pub fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// Its rollout, which is there once [`Recorder::is_written`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether anything was written yet.
    pub fn is_written(&self) -> bool {
        self.file.is_some()
    }

    /// The view.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// An id for a turn, different from all others.
    pub fn new_turn_id() -> String {
        new_id()
    }

    /// Writes an event; tells what it changes in the view.
    pub fn record(&mut self, event: &Event) -> Result<Vec<Change>, RecordError> {
        self.live.check(event)?;
        if self.live.mode() == Mode::Paginated
            && matches!(event, Event::RolledBack { .. } | Event::Reverted { .. })
        {
            return self.shorten(event);
        }
        let now = (self.clock)();
        let records = lines::records(&self.live, &self.thread_id, now.as_millisecond(), event);
        if !records.is_empty() {
            self.write(now, &records)?;
        }
        let ends = matches!(event, Event::TurnCompleted { .. } | Event::TurnAborted { .. });
        if let Some(file) = &self.file
            && (self.sync == Sync::Data && !records.is_empty() || self.sync == Sync::Turn && ends)
        {
            file.sync_data().map_err(at(&self.path))?;
        }
        Ok(self.live.apply(event)?)
    }

    /// Appends records in one go, behind the header when they are the first.
    fn write(&mut self, now: Timestamp, records: &[lines::Record]) -> Result<(), RecordError> {
        let paginated = self.live.mode() == Mode::Paginated;
        let mut next = self.ordinal;
        let mut text = String::new();
        let header = self.header.as_deref().map(|header| ("session_meta", header));
        for (kind, payload) in header.into_iter().chain(records.iter().map(|(k, p)| (*k, &**p))) {
            text.push_str(&line::record(now, paginated.then_some(next), kind, payload));
            next += 1;
        }
        let io = at(&self.path);
        if let Some(file) = &mut self.file {
            let before = file.metadata().map_err(&io)?.len();
            if let Err(error) = file.write_all(text.as_bytes()) {
                // What was written of it must not stay: the next event would land behind half a line.
                let _ = file.set_len(before);
                return Err(io(error).into());
            }
        } else {
            append::create(&self.path, self.sync, |file| file.write_all(text.as_bytes()))
                .map_err(&io)?;
            self.file = Some(File::options().append(true).open(&self.path).map_err(&io)?);
        }
        self.header = None;
        self.ordinal = next;
        Ok(())
    }

    /// Takes turns away from a paginated thread: it goes on in a new rollout.
    fn shorten(&mut self, event: &Event) -> Result<Vec<Change>, RecordError> {
        if self.file.is_some() && !self.live.turns().is_empty() {
            let report = match event {
                Event::RolledBack { turns } => self.editor().rollback(u64::from(*turns)),
                Event::Reverted { before } => self.editor().revert(before),
                _ => return Ok(Vec::new()),
            }?;
            let changes = self.live.apply(event)?;
            self.path = report.path;
            // The view has seen it already.
            self.read(false)?;
            return Ok(changes);
        }
        Ok(self.live.apply(event)?)
    }

    /// Makes a thread that begins with a part of this one.
    pub fn fork(&self, cut: &Cut) -> Result<Report, RecordError> {
        Ok(self.written()?.fork(cut)?)
    }

    /// Names the thread.
    pub fn name(&self, name: &str) -> Result<Report, RecordError> {
        Ok(self.written()?.name(name)?)
    }

    /// Puts the thread among the archived ones; nothing more is recorded then.
    pub fn archive(self) -> Result<Report, RecordError> {
        Ok(self.written()?.archive()?)
    }

    fn written(&self) -> Result<Editor, RecordError> {
        if self.is_written() {
            Ok(self.editor())
        } else {
            Err(EditError::Invalid("nothing has been written yet".to_owned()).into())
        }
    }

    fn editor(&self) -> Editor {
        Editor::new(&self.head()).holding(Arc::clone(&self.lock))
    }

    fn head(&self) -> SessionHead {
        SessionHead::new(Harness::Codex, &*self.thread_id, self.path.clone(), self.root.clone())
    }
}

/// The turns of a rebuild as Codex shows them: recovered items are not among them.
pub fn shown(thread: Thread) -> Vec<Turn> {
    let mut turns = thread.turns;
    for turn in &mut turns {
        turn.items.retain(|item| !item.recovered);
    }
    turns
}

fn at(path: &Path) -> impl Fn(io::Error) -> EditError {
    move |error| EditError::Io { path: path.to_owned(), error }
}

fn locked(root: &Path, thread_id: &str) -> Result<WriterLock, EditError> {
    WriterLock::acquire(root, thread_id).map_err(|e| match e {
        LockError::Held(held) => EditError::Held(held),
        LockError::Io(error) => EditError::Io { path: root.join(lock::FOLDER), error },
    })
}

/// A new id: version 7, which begins with the time and is different each time.
fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
