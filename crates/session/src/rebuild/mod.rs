//! Records to threads: one rebuild a harness, used by every command.
//!
//! A rebuild is pure and cannot fail: whatever is wrong with the input becomes a finding.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::{Finding, Harness};

use crate::model::{Aside, ModelView, Subagent, Thread, TurnError, TurnStatus};

/// The other files that belong to a transcript, as far as the store gives them.
///
/// What the names mean is said in each harness's rebuild: for Claude Code they are paths below the
/// session's folder (`subagents/agent-1.jsonl`), for Codex the ids of rollouts that a `history_base` may
/// name. A rebuild asks for nothing else: paths that stand in a transcript are never followed.
pub trait Companions: Send + Sync {
    /// The names, sorted.
    fn names(&self) -> Vec<String>;

    /// The content of one; nothing when it is not there or cannot be read.
    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>>;

    /// The names of those that are parts of the transcript itself, where it does not stand in one piece.
    fn parts(&self) -> Vec<String> {
        Vec::new()
    }

    /// What positions in one are named by: its path, where it has one.
    fn source(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// No other files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Companions for Alone {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// What a store knows of a thread beyond its transcript: from databases, indexes and the file system.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The thread's id by file name or database, for transcripts that do not say it themselves.
    pub id: Option<String>,
    /// A name that stands outside of the transcript.
    pub title: Option<String>,
    /// What the thread is about, as an index beside the transcripts says. It names threads that have no name.
    pub summary: Option<String>,
    /// When the transcript was last written, RFC 3339.
    pub updated_at: Option<String>,
    /// Threads that this one started, as other places tell.
    pub children: Vec<Subagent>,
    /// The parent, as other places tell.
    pub parent_id: Option<String>,
    /// The thread that this one was copied from, as other places tell.
    pub forked_from_id: Option<String>,
    /// The companions that are other states of this thread, behind the one that was opened (Codex).
    pub rollouts: Vec<String>,
    /// How turns ended that a database knows and a torn transcript may not tell any more (Codex).
    pub turns: Vec<KnownTurn>,
    /// What was wrong on the way to the transcript.
    pub findings: Vec<Finding>,
}

/// How a turn ended, as a harness's database tells.
#[derive(Debug, Clone)]
pub struct KnownTurn {
    /// Its id.
    pub id: String,
    /// How it ended.
    pub status: TurnStatus,
    /// Why it failed.
    pub error: Option<TurnError>,
    /// Unix seconds.
    pub started_at: Option<i64>,
    /// Unix seconds.
    pub completed_at: Option<i64>,
    /// Milliseconds.
    pub duration_ms: Option<i64>,
}

/// A transcript and what is around it.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The transcript's name, for positions.
    pub source: &'a Arc<str>,
    /// Its whole content, decompressed.
    pub bytes: &'a [u8],
    /// What the store knows.
    pub facts: &'a Facts,
    /// The files that belong to it.
    pub companions: &'a dyn Companions,
}

impl std::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("source", self.source)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

/// Rebuilds a thread: the display view of its active branch, or of the branch that ends at `leaf`.
pub fn thread(harness: Harness, input: Input<'_>, leaf: Option<&str>) -> Thread {
    match harness {
        Harness::Codex => codex::thread(input, leaf),
        Harness::ClaudeCode => claude_code::thread(input, leaf),
        Harness::Opencode => opencode::thread(input, leaf),
        Harness::Pi => pi::thread(input, leaf),
        Harness::CursorAgent => cursor_agent::thread(input, leaf),
    }
}

/// Rebuilds the display view of the active branch, and what the other branches have beyond it.
///
/// A transcript can be made of so many branches that all of them together are the square of its size. Past a limit
/// that no conversation of a person reaches, branches are left out; they stand in [`Thread::branches`] nevertheless.
pub fn with_branches(harness: Harness, input: Input<'_>) -> (Thread, Vec<Aside>) {
    match harness {
        Harness::ClaudeCode => claude_code::with_branches(input),
        Harness::Codex | Harness::Opencode | Harness::Pi | Harness::CursorAgent => {
            one_by_one(harness, input)
        }
    }
}

/// Rebuilds each branch from the beginning.
fn one_by_one(harness: Harness, input: Input<'_>) -> (Thread, Vec<Aside>) {
    let active = thread(harness, input, None);
    let mut room = BRANCH_BYTES;
    let mut asides = Vec::new();
    for branch in active.branches.iter().filter(|b| !b.active) {
        let Some(left) = room.checked_sub(input.bytes.len()) else { break };
        room = left;
        let mut other = thread(harness, input, Some(&branch.leaf));
        let shared = active.turns.iter().zip(&other.turns).take_while(|(a, b)| a == b).count();
        asides.push(Aside {
            leaf: branch.leaf.clone(),
            shared_turns: shared,
            turns: other.turns.split_off(shared),
        });
    }
    (active, asides)
}

/// So much is read for the branches of one transcript at most, each time that it is read counted.
const BRANCH_BYTES: usize = 1 << 30;

/// Rebuilds what the model has in front of it at the end of the active branch, or of the branch that ends at `leaf`.
pub fn model_view(harness: Harness, input: Input<'_>, leaf: Option<&str>) -> ModelView {
    match harness {
        Harness::Codex => codex::model_view(input, leaf),
        Harness::ClaudeCode => claude_code::model_view(input, leaf),
        Harness::Opencode => opencode::model_view(input, leaf),
        Harness::Pi => pi::model_view(input, leaf),
        Harness::CursorAgent => cursor_agent::model_view(input, leaf),
    }
}

pub mod claude_code;
pub mod codex;
pub mod cursor_agent;
pub mod opencode;
pub mod pi;

mod meanwhile;
mod window;
