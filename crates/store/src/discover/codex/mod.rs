//! Where Codex keeps its sessions: rollouts below `sessions/YYYY/MM/DD` and `archived_sessions`, and what
//! its databases and indexes say about them.
//!
//! The files decide. A row without a file is a finding, a file without a row is a session all the same
//! (corpus-reports: `ghost-state-rows`, `archived-stale-row`).
//!
//! - [`files`]: the rollouts and what their names say
//! - [`state`]: what `state_5.sqlite` and `session_index.jsonl` know
//! - [`ends`]: what the head and the tail of a rollout tell
//! - [`ahead`]: a large rollout on two cores
//! - [`around`]: what belongs to a rollout that is opened: bases, children

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::jsonl::{Line, Reader};
use recount_formats::{Code, Finding, Harness, Position};
use recount_session::model::{ItemKind, Thread, ThreadStatus};
use recount_session::rebuild::Facts;
use recount_session::rebuild::codex::{Needs, Shown};

use super::{Discover, End, Listing, Opened, Opener, resumed};
use crate::container::file;
use crate::environment::Environment;
use crate::head::SessionHead;
use crate::tail::Watched;

mod ahead;
mod around;
mod ends;
pub(crate) mod files;
pub(crate) mod state;

use files::{Rollout, Rollouts};
use state::State;

/// How Codex keeps its sessions.
#[derive(Debug)]
pub struct Codex;

impl Discover for Codex {
    fn harness(&self) -> Harness {
        Harness::Codex
    }

    fn roots(&self, environment: &Environment) -> Vec<PathBuf> {
        let root = environment
            .path("CODEX_HOME")
            .or_else(|| environment.home().map(|home| home.join(".codex")));
        root.into_iter().collect()
    }

    fn list(&self, root: &Path) -> Listing {
        let rollouts = Rollouts::below(root);
        let mut state = State::load(root, "");
        let threads = rollouts.threads();
        let mut findings = std::mem::take(&mut state.findings);
        findings.extend(state.ghosts(|id| threads.contains_key(id)));
        let current: Vec<&Rollout> =
            threads.iter().filter_map(|(id, files)| state.current(id, files)).collect();
        let mut sessions = heads(root, &current, &state);
        // A revert of everything leaves nothing in the current rollout; the thread's prompts stand in the others.
        for head in sessions.iter_mut().filter(|head| !head.origin.has_prompt) {
            let all = threads.get(head.id.as_str()).map_or(&[][..], Vec::as_slice);
            let mut others = all.iter().filter(|rollout| rollout.path != head.path);
            head.origin.has_prompt = others.any(|rollout| ends::prompted(&rollout.path));
        }
        Listing { sessions, findings }
    }

    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        let rollouts = Rollouts::below(root);
        let state = State::load(root, prefix);
        let threads = rollouts.threads();
        let mut current: Vec<&Rollout> = threads
            .iter()
            .filter(|(id, _)| id.starts_with(prefix))
            .filter_map(|(id, files)| state.current(id, files))
            .collect();
        // A reverted thread leaves its earlier rollouts behind; each can be named by its own id.
        if current.is_empty() && !prefix.is_empty() {
            let named = rollouts.all.iter().filter(|r| r.id.starts_with(prefix));
            current.extend(named);
        }
        heads(root, &current, &state)
    }

    /// Codex keeps what was typed, and the names of threads, beside the rollouts.
    fn is_side_file(&self, name: &str) -> bool {
        matches!(name, "history.jsonl" | "session_index.jsonl")
    }

    fn keeps_files(&self) -> bool {
        true
    }

    fn files(&self, root: &Path) -> Vec<PathBuf> {
        Rollouts::below(root).all.into_iter().map(|rollout| rollout.path).collect()
    }

    fn folders(&self, root: &Path) -> Option<Vec<PathBuf>> {
        let mut folders = files::folders(root);
        // Much is written there; no rollout is.
        folders.retain(|folder| folder != root);
        Some(folders)
    }

    fn names_beside(&self, root: &Path) -> Vec<PathBuf> {
        let mut files = vec![root.join("session_index.jsonl")];
        if let Some(database) = state::database(root, "state_") {
            files.extend(super::database_files(&database));
        }
        files
    }

    fn at_path(&self, path: &Path) -> Option<SessionHead> {
        let root = files::root_of(path);
        let rollout = Rollout::at(path).or_else(|| ends::unnamed(path))?;
        let state = State::load(&root, &rollout.thread_id);
        heads(&root, &[&rollout], &state).pop()
    }

    fn watched(&self, head: &SessionHead) -> Watched {
        let plain =
            if file::is_zst(&head.path) { head.path.with_extension("") } else { head.path.clone() };
        let mut compressed = plain.clone().into_os_string();
        compressed.push(".zst");
        // A revert begins another file, in the folder of its day.
        let mut places = files::folders(&head.root);
        places.push(head.root.join("session_index.jsonl"));
        if let Some(database) = state::database(&head.root, "state_") {
            places.extend(super::database_files(&database));
        }
        Watched { content: vec![plain, compressed.into()], places }
    }

    fn resume(&self, head: &SessionHead) -> Vec<String> {
        let command = |id: &str| vec!["codex".to_owned(), "resume".to_owned(), id.to_owned()];
        resumed(head).map(command).unwrap_or_default()
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        open(head, true, around::Bases::new(&head.root))
    }

    fn opener(&self, root: &Path) -> Opener<'_> {
        let bases = around::Bases::new(root);
        Box::new(move |head| open(head, true, bases.clone()))
    }

    fn open_alone(&self, head: &SessionHead) -> io::Result<Opened> {
        open(head, false, around::Bases::new(&head.root))
    }

    fn shown(&self, head: &SessionHead) -> io::Result<Option<Thread>> {
        // What cannot be read to its end gives what stands before, which the whole rebuild knows how to tell.
        Ok(shown(head, |shown| shown).ok().and_then(Result::ok))
    }

    fn followed(&self, head: &SessionHead) -> io::Result<Thread> {
        if let Ok(Ok(mut thread)) = shown(head, Shown::with_usage) {
            // Whether somebody works on it depends on the time.
            let is_open = thread.status == ThreadStatus::Open;
            let time = if is_open { ends::last_time(&head.path) } else { None };
            if time.is_some() || !is_open {
                let name = State::load(&head.root, &head.id).name_of(&head.id);
                thread.title = name.or(thread.title);
                thread.updated_at = time.or_else(|| head.updated_at.clone());
                return Ok(thread);
            }
        }
        let mut thread = self.open_alone(head)?.thread(None);
        // A thread that is read in one way now and in the other later has not changed by that.
        for turn in &mut thread.turns {
            turn.items.retain(|item| !item.recovered);
            for item in &mut turn.items {
                if let ItemKind::ContextCompaction { summary, .. } = &mut item.kind {
                    *summary = None;
                }
            }
        }
        Ok(thread)
    }

    fn end(&self, head: &SessionHead, end: End) -> io::Result<Option<Thread>> {
        // Any line of a legacy rollout may change what stands before it. Most of them are passed over all the same, so that all
        // of it takes no longer.
        let numbered = head.origin.history_mode.as_deref() == Some("paginated");
        if !numbered || file::is_zst(&head.path) || head.size < LARGE {
            return Ok(None);
        }
        let read = match end {
            End::Newest(count) => newest(head, count)?,
            End::Oldest(count) => read(head, Shown::oldest(&source(head), count))?,
        };
        Ok(read.ok())
    }
}

/// A smaller rollout is read whole as fast.
const LARGE: u64 = 4 << 20;

fn source(head: &SessionHead) -> Arc<str> {
    head.path.to_string_lossy().into()
}

/// What Codex shows of a rollout, read line by line.
fn shown(head: &SessionHead, also: impl Fn(Shown) -> Shown) -> io::Result<Result<Thread, Needs>> {
    match read(head, also(Shown::new(&source(head))))? {
        Err(Needs::Count) => read(head, also(Shown::counting(&source(head)))),
        other => Ok(other),
    }
}

fn read(head: &SessionHead, mut shown: Shown) -> io::Result<Result<Thread, Needs>> {
    let file = file::open(&head.path)?;
    let torn = if head.size < LARGE {
        each_line(&mut Reader::new(file), |line| shown.line(line))?
    } else {
        ahead::read(file, &mut shown)?
    };
    let torn = match torn {
        Ok(torn) => torn,
        Err(needs) => return Ok(Err(needs)),
    };
    let known = if torn { around::turns(head) } else { Vec::new() };
    Ok(shown.finish(&head.id, &known))
}

/// The same for the newest turns: looks through the whole rollout for where they are, then reads them.
fn newest(head: &SessionHead, count: usize) -> io::Result<Result<Thread, Needs>> {
    let mut file = File::open(&head.path)?;
    let len = file.metadata()?.len();
    let mut skim = Shown::skim(&source(head));
    let torn = match ahead::read(Read::by_ref(&mut file).take(len), &mut skim)? {
        Ok(torn) => torn,
        Err(needs) => return Ok(Err(needs)),
    };
    let known = if torn { around::turns(head) } else { Vec::new() };
    let (mut thread, mut newest) = match skim.newest(&head.id, &known, count) {
        Ok(both) => both,
        Err(needs) => return Ok(Err(needs)),
    };
    let Position { line, byte, .. } = newest.from;
    file.seek(io::SeekFrom::Start(byte))?;
    let rest = file.take(len.saturating_sub(byte));
    let mut lines = Reader::new(rest).starting_at(line.saturating_sub(1), byte);
    if let Err(needs) = each_line(&mut lines, |line| newest.line(line))? {
        return Ok(Err(needs));
    }
    Ok(newest.finish(&mut thread).map(|()| thread))
}

/// Hands over all lines; whether the last one was cut off.
fn each_line<R: Read>(
    lines: &mut Reader<R>,
    mut take: impl FnMut(&Line<'_>) -> Result<(), Needs>,
) -> io::Result<Result<bool, Needs>> {
    let mut torn = false;
    while let Some(line) = lines.next_line()? {
        torn = !line.is_terminated();
        if let Err(needs) = take(&line) {
            return Ok(Err(needs));
        }
    }
    Ok(Ok(torn))
}

/// How much of a rollout may stand before what it goes on from.
const BASE_HEAD: usize = 64 << 10;

/// Opens a rollout. Looking for a thread's relatives means a look at all others.
fn open(head: &SessionHead, relatives: bool, companions: around::Bases) -> io::Result<Opened> {
    let source = source(head);
    let (bytes, error) = file::read(&head.path)?;
    let mut findings = head.found.clone();
    findings.extend(error.map(|e| {
        let code =
            if file::is_zst(&head.path) { Code::DamagedCompression } else { Code::Unreadable };
        Finding::new(code, &source, Position::WHOLE, e.to_string())
    }));
    let mut state = State::load(&head.root, &head.id);
    findings.append(&mut state.findings);
    let beginning = bytes.get(..BASE_HEAD).unwrap_or(&bytes);
    let goes_on = memchr::memmem::find(beginning, b"\"history_base\"").is_some();
    let children =
        if relatives { around::children(&companions, &head.id, &state) } else { Vec::new() };
    let rollouts = if relatives || goes_on { companions.states(head) } else { Vec::new() };
    let facts = Facts {
        id: Some(head.id.clone()),
        title: state.name_of(&head.id),
        updated_at: head.updated_at.clone(),
        children,
        parent_id: head.parent_id.clone(),
        forked_from_id: head.forked_from_id.clone(),
        rollouts,
        turns: if bytes.ends_with(b"\n") { Vec::new() } else { around::turns(head) },
        findings,
        summary: None,
    };
    Ok(Opened { harness: Harness::Codex, source, bytes, facts, companions: Box::new(companions) })
}

/// The heads of rollouts, read on all cores.
fn heads(root: &Path, rollouts: &[&Rollout], state: &State) -> Vec<SessionHead> {
    super::parallel(rollouts, |rollout| {
        let mut head = SessionHead::new(
            Harness::Codex,
            rollout.thread_id.clone(),
            rollout.path.clone(),
            root.to_owned(),
        );
        head.archived = rollout.archived;
        ends::fill(&mut head, rollout);
        state.fill(&mut head);
        head.findings = Some(head.found.len() as u64);
        head
    })
}

#[cfg(test)]
mod tests;
