//! What can be done to a thread that exists.
//!
//! An [`Editor`] works out the steps first and takes them then, so that `dry_run` tells exactly what would be done.
//! It holds the thread's writer lock from before it reads until it has written, and looks once more whether the
//! transcript is still what it read before it takes the first step.
//!
//! - [`codex`]: fork, rollback, revert, archive, unarchive
//! - [`names`]: names, for the harnesses that keep them in records or an index
//! - [`index`]: the thread's row in Codex's `state_5.sqlite`
//! - [`step`]: taking the steps

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Harness;
use serde::Serialize;

use super::append::Sync;
use super::guard::Seen;
use super::lock::{self, Held, LockError, WriterLock};
use crate::discover::{self, Opened};
use crate::head::SessionHead;

mod codex;
mod index;
mod names;
mod step;
#[cfg(test)]
mod tests;

pub(super) use codex::rollout_path;
pub(super) use step::restored;
pub use step::{Cell, Change};

/// Where a history is cut.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cut {
    /// Everything is kept.
    #[default]
    End,
    /// This turn is the last that is kept.
    After(String),
    /// This turn is the first that is not kept.
    Before(String),
}

/// Does things to a thread.
#[derive(Debug, Clone)]
pub struct Editor {
    head: SessionHead,
    dry_run: bool,
    sync: Sync,
    now: Option<Timestamp>,
    zone: Option<TimeZone>,
    lock: Option<Arc<WriterLock>>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `fork`, `rollback`, `revert`, `archive`, `unarchive`, `name`.
    pub operation: &'static str,
    /// The harness.
    pub harness: Harness,
    /// The thread that was changed, or read for a fork.
    pub thread_id: String,
    /// The thread that a fork made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_thread_id: Option<String>,
    /// The transcript of the result: of the new thread after a fork.
    pub path: PathBuf,
    /// The turns that the result no longer has.
    pub removed_turns: Vec<String>,
    /// How many turns it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// The name that was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether nothing was written, because that was asked for.
    pub dry_run: bool,
    /// What was written, in this order.
    pub changes: Vec<Change>,
}

/// Why nothing was done.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The harness has no such thing.
    Unsupported {
        /// The harness.
        harness: Harness,
        /// What was asked for, and why it is not there.
        what: String,
    },
    /// Somebody else writes in the thread.
    Held(Held),
    /// The thread was written while the change was worked out.
    Changed(PathBuf),
    /// The thread has no such turn.
    NoSuchTurn(String),
    /// The turn is not over.
    TurnOpen(String),
    /// What was asked for makes no sense for this thread.
    Invalid(String),
    /// The transcript's place is none in which the harness would find it.
    Outside(PathBuf),
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { harness, what } => write!(f, "{harness}: {what}"),
            Self::Held(held) => {
                write!(f, "somebody writes in this thread: {}", held.path.display())?;
                if !held.by.is_empty() {
                    let by: Vec<_> = held.by.iter().map(ToString::to_string).collect();
                    write!(f, " is held by {}", by.join(", "))?;
                }
                Ok(())
            }
            Self::Changed(path) => {
                write!(f, "{} was written meanwhile; nothing was changed", path.display())
            }
            Self::NoSuchTurn(id) => write!(f, "the thread has no turn `{id}`"),
            Self::TurnOpen(id) => write!(f, "turn `{id}` is not over"),
            Self::Invalid(message) => f.write_str(message),
            Self::Outside(path) => {
                write!(f, "{} does not lie in a store of its harness", path.display())
            }
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for EditError {}

impl EditError {
    fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

impl Editor {
    /// An editor for the thread that was found. It writes to the disk before it returns.
    pub fn new(head: &SessionHead) -> Self {
        Self {
            head: head.clone(),
            dry_run: false,
            sync: Sync::Data,
            now: None,
            zone: None,
            lock: None,
        }
    }

    /// Only tells what would be done.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Takes this for the time and the zone in which files are named, instead of the machine's.
    #[must_use]
    pub fn at(mut self, now: Timestamp, zone: TimeZone) -> Self {
        (self.now, self.zone) = (Some(now), Some(zone));
        self
    }

    /// Works under a lock that the caller has.
    #[must_use]
    pub fn holding(mut self, lock: Arc<WriterLock>) -> Self {
        self.lock = Some(lock);
        self
    }

    /// Makes a thread that begins with a part of this one, whose file stays as it is (Codex).
    pub fn fork(&self, cut: &Cut) -> Result<Report, EditError> {
        self.only_codex("has no forks that other programs can make")?;
        codex::fork(self, cut)
    }

    /// Takes the last `turns` turns away (Codex): with a marker in a legacy rollout, by a new rollout in place of
    /// a paginated one. More than there are leave an empty thread.
    pub fn rollback(&self, turns: u64) -> Result<Report, EditError> {
        self.only_codex("has no rollback that other programs can write")?;
        codex::rollback(self, turns)
    }

    /// Takes a turn and all later ones away (Codex).
    pub fn revert(&self, before_turn: &str) -> Result<Report, EditError> {
        self.only_codex("has no revert that other programs can write")?;
        codex::revert(self, before_turn)
    }

    /// Puts the thread among the archived ones (Codex).
    pub fn archive(&self) -> Result<Report, EditError> {
        self.only_codex("has no archive")?;
        codex::archive(self)
    }

    /// Takes the thread back from the archived ones (Codex).
    pub fn unarchive(&self) -> Result<Report, EditError> {
        self.only_codex("has no archive")?;
        codex::unarchive(self)
    }

    /// Names the thread (Codex, Claude Code, pi). An empty name takes it away where the harness knows that.
    pub fn name(&self, name: &str) -> Result<Report, EditError> {
        match self.head.harness {
            Harness::Codex => names::codex(self, name),
            Harness::ClaudeCode => names::claude_code(self, name),
            Harness::Pi => names::pi(self, name),
            Harness::CursorAgent | Harness::Opencode => Err(self.unsupported(
                "keeps names in its database, which only its own program can write safely",
            )),
        }
    }

    fn only_codex(&self, otherwise: &str) -> Result<(), EditError> {
        if self.head.harness == Harness::Codex { Ok(()) } else { Err(self.unsupported(otherwise)) }
    }

    fn unsupported(&self, what: &str) -> EditError {
        EditError::Unsupported { harness: self.head.harness, what: what.to_owned() }
    }

    fn now(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }

    fn zone(&self) -> TimeZone {
        self.zone.clone().unwrap_or_else(TimeZone::system)
    }

    fn report(&self, operation: &'static str) -> Report {
        Report {
            operation,
            harness: self.head.harness,
            thread_id: self.head.id.clone(),
            new_thread_id: None,
            path: self.head.path.clone(),
            removed_turns: Vec::new(),
            turns: None,
            name: None,
            dry_run: self.dry_run,
            changes: Vec::new(),
        }
    }
}

/// A thread that nobody else writes in while this lives.
struct Session {
    opened: Opened,
    seen: Seen,
    /// Codex's lock; the other harnesses have none. A dry run leaves no trace, not even a lock.
    _lock: Option<Arc<WriterLock>>,
}

impl Session {
    /// Takes the lock, then reads.
    fn open(editor: &Editor) -> Result<Self, EditError> {
        let head = &editor.head;
        let lock = match head.harness {
            _ if editor.lock.is_some() => editor.lock.clone(),
            Harness::Codex if !editor.dry_run => Some(Arc::new(locked(head)?)),
            _ => None,
        };
        let by = lock::writers(&head.path);
        if !by.is_empty() {
            return Err(EditError::Held(Held { path: head.path.clone(), by }));
        }
        let io = EditError::io(&head.path);
        let seen = Seen::of(&head.path).map_err(&io)?;
        let discover =
            discover::of(head.harness).ok_or_else(|| editor.unsupported("is not read yet"))?;
        let opened = discover.open(head).map_err(&io)?;
        Ok(Self { opened, seen, _lock: lock })
    }

    /// Whether the transcript is still what was read.
    fn check(&self, editor: &Editor) -> Result<(), EditError> {
        if self.seen.still_holds() {
            Ok(())
        } else {
            Err(EditError::Changed(editor.head.path.clone()))
        }
    }
}

fn locked(head: &SessionHead) -> Result<WriterLock, EditError> {
    WriterLock::acquire(&head.root, &head.id).map_err(|e| match e {
        LockError::Held(held) => EditError::Held(held),
        LockError::Io(error) => EditError::Io { path: head.root.join(lock::FOLDER), error },
    })
}
