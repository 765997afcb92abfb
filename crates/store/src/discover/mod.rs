//! Finding sessions: one file for each harness.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Finding, Harness};
use recount_session::model::{Aside, ModelView, Thread};
use recount_session::rebuild::{self, Companions, Facts, Input};

use crate::environment::Environment;
use crate::head::SessionHead;
use crate::tail::Watched;

pub mod claude_code;
pub mod codex;
pub mod cursor_agent;
pub mod opencode;
pub mod pi;

/// Opens sessions of a store.
pub type Opener<'a> = Box<dyn Fn(&SessionHead) -> io::Result<Opened> + Send + Sync + 'a>;

/// How a harness keeps its sessions.
pub trait Discover: Sync {
    /// The harness.
    fn harness(&self) -> Harness;

    /// The roots of its stores by environment and defaults, whether they exist or not.
    fn roots(&self, environment: &Environment) -> Vec<PathBuf>;

    /// Lists the sessions of a store, reading heads and tails only.
    fn list(&self, root: &Path) -> Listing;

    /// Finds the sessions of a store whose id begins with `prefix`. Faster than a list where ids stand in file names.
    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        self.list(root).sessions.into_iter().filter(|s| s.id.starts_with(prefix)).collect()
    }

    /// Tells what session a file is, and the root of its store, when it looks like one of this harness's transcripts.
    fn at_path(&self, path: &Path) -> Option<SessionHead>;

    /// Whether a session is a lesser copy of one, which is left out when another root has the original.
    fn is_copy(&self, _head: &SessionHead) -> bool {
        false
    }

    /// Whether a file of this name is no transcript, though it looks like one: an index or a history of prompts.
    fn is_side_file(&self, _name: &str) -> bool {
        false
    }

    /// The sessions in a file. A text file is one; a database may hold many.
    fn all_at_path(&self, path: &Path) -> Vec<SessionHead> {
        self.at_path(path).into_iter().collect()
    }

    /// The records of a file that is no text, as lines: those of the session `id`, or all of them. Nothing for harnesses
    /// whose files are read as they are.
    fn lines(&self, _path: &Path, _id: Option<&str>) -> Option<io::Result<Box<dyn Read + Send>>> {
        None
    }

    /// Whether each transcript is a file of lines, and not a part of a database.
    fn keeps_files(&self) -> bool {
        false
    }

    /// The transcript files of a store, by their names only. Harnesses that keep databases have none.
    fn files(&self, _root: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// The same, and what of the store could not be looked at.
    fn files_and_findings(&self, root: &Path) -> (Vec<PathBuf>, Vec<Finding>) {
        (self.files(root), Vec::new())
    }

    /// The folders whose entries decide what [`Discover::files`] gives, those that are not there yet too: while none of
    /// them was written to, there are no other files. Nothing when that cannot be told.
    fn folders(&self, _root: &Path) -> Option<Vec<PathBuf>> {
        None
    }

    /// The files beside transcripts in which the names of sessions stand. A new one changes a folder in
    /// [`Discover::folders`], or is among these before it is there.
    fn names_beside(&self, _root: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// What a session depends on, for whoever follows it. Small: its files are looked at many times a second.
    fn watched(&self, head: &SessionHead) -> Watched {
        Watched { content: vec![head.path.clone()], places: Vec::new() }
    }

    /// The session as it is now, if it is still where it was. Faster than finding it.
    fn again(&self, head: &SessionHead) -> Option<SessionHead> {
        if !head.path.is_file() {
            return None;
        }
        let mut again = self.at_path(&head.path).filter(|again| again.id == head.id)?;
        again.root.clone_from(&head.root);
        Some(again)
    }

    /// The harness's own command that goes on with a session, program and arguments. No harness goes on with a sub-agent: of one
    /// it is the command of the session that it works for, and nothing where that is not known.
    fn resume(&self, head: &SessionHead) -> Vec<String>;

    /// The records of sessions in a database which can tell what responses used, session by session with its place in
    /// `ids`. A session may come twice; then the second time counts.
    fn usage_lines(
        &self,
        _path: &Path,
        _ids: &[&str],
        _take: &mut dyn FnMut(usize, &[u8]),
    ) -> io::Result<()> {
        Ok(())
    }

    /// The databases of a store, and the copies beside them that count, by their names only. Harnesses that keep a file
    /// for each transcript have none.
    fn databases(&self, _root: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Opens a session: its content and what belongs to it.
    fn open(&self, head: &SessionHead) -> io::Result<Opened>;

    /// Opens one session of a store after the other: what is looked for in the whole store is looked for once. What comes into
    /// the store meanwhile may be missed.
    fn opener(&self, _root: &Path) -> Opener<'_> {
        Box::new(|head| self.open(head))
    }

    /// The turns of a session as its harness shows them, without what only its records for the model hold, and without what is known
    /// about the whole thread: for whoever shows no more than that. Its content is never in memory as a whole. Nothing where
    /// that is not to be had so: then [`Discover::open`] gives more.
    fn shown(&self, _head: &SessionHead) -> io::Result<Option<Thread>> {
        Ok(None)
    }

    /// What a client is told of a session that it follows: the same turns, what the session is called, what its responses used, and
    /// when it was written last.
    fn followed(&self, head: &SessionHead) -> io::Result<Thread> {
        Ok(self.open_alone(head)?.thread(None))
    }

    /// The turns of a session as [`Discover::shown`] gives them, for some of a large one: the others may lack items. Nothing where that is not faster.
    fn end(&self, _head: &SessionHead, _end: End) -> io::Result<Option<Thread>> {
        Ok(None)
    }

    /// Opens a session for its items alone: how it is related to others may be left out where finding that means a
    /// look at all others.
    fn open_alone(&self, head: &SessionHead) -> io::Result<Opened> {
        self.open(head)
    }
}

/// The turns of a session that are wanted with all their items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// So many from the first on.
    Oldest(usize),
    /// So many up to the last.
    Newest(usize),
}

impl End {
    /// Whether whoever has this has the other.
    pub const fn holds(self, other: Self) -> bool {
        match (self, other) {
            (Self::Oldest(have), Self::Oldest(want)) | (Self::Newest(have), Self::Newest(want)) => {
                want <= have
            }
            _ => false,
        }
    }
}

/// A database, and what SQLite writes beside it.
fn database_files(path: &Path) -> Vec<PathBuf> {
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    vec![path.to_owned(), beside("-wal"), beside("-journal")]
}

/// What a store lists.
#[derive(Debug, Default)]
pub struct Listing {
    /// The sessions, in no order.
    pub sessions: Vec<SessionHead>,
    /// What was wrong with the store itself.
    pub findings: Vec<Finding>,
}

/// A session's content and what belongs to it.
pub struct Opened {
    /// The harness.
    pub harness: Harness,
    /// The transcript's name, for positions.
    pub source: Arc<str>,
    /// Its whole content, decompressed.
    pub bytes: Vec<u8>,
    /// What the store knows.
    pub facts: Facts,
    /// The files that belong to it.
    pub companions: Box<dyn Companions>,
}

impl Opened {
    /// What a rebuild takes.
    pub(crate) fn input(&self) -> Input<'_> {
        Input {
            source: &self.source,
            bytes: &self.bytes,
            facts: &self.facts,
            companions: &*self.companions,
        }
    }

    /// Rebuilds the thread.
    pub fn thread(&self, leaf: Option<&str>) -> Thread {
        rebuild::thread(self.harness, self.input(), leaf)
    }

    /// Rebuilds the thread, and what its other branches have beyond it.
    pub fn with_branches(&self) -> (Thread, Vec<Aside>) {
        rebuild::with_branches(self.harness, self.input())
    }

    /// Rebuilds the model view.
    pub fn model_view(&self, leaf: Option<&str>) -> ModelView {
        rebuild::model_view(self.harness, self.input(), leaf)
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("source", &self.source).finish_non_exhaustive()
    }
}

/// The harnesses that can be discovered.
pub fn all() -> &'static [&'static dyn Discover] {
    &[
        &codex::Codex,
        &claude_code::ClaudeCode,
        &cursor_agent::CursorAgent,
        &opencode::Opencode,
        &pi::Pi,
    ]
}

/// How one harness keeps its sessions.
pub fn of(harness: Harness) -> Option<&'static dyn Discover> {
    all().iter().copied().find(|d| d.harness() == harness)
}

/// Maps on all cores, in order. For many small files: what costs is waiting for each of them.
/// The id of the session that a harness goes on with.
fn resumed(head: &SessionHead) -> Option<&str> {
    if head.is_subagent {
        head.origin.session_id.as_deref().or(head.parent_id.as_deref())
    } else {
        Some(&head.id)
    }
}

fn parallel<T: Sync, R: Send>(items: &[T], map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    // A thread costs about as much as a few files.
    let workers = cores.min(items.len() / 8);
    if workers < 2 {
        return items.iter().map(map).collect();
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = items.get(n) else { return done };
            done.push((n, map(item)));
        }
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        all.extend(others.into_iter().filter_map(|t| t.join().ok()).flatten());
        all
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, r)| r).collect()
}
