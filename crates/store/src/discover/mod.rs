//! Finding sessions: one file for each harness.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Finding, Harness};
use recount_session::model::{ModelView, Thread};
use recount_session::rebuild::{self, Companions, Facts, Input};

use crate::environment::Environment;
use crate::head::SessionHead;

pub mod claude_code;
pub mod codex;

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

    /// Opens a session: its content and what belongs to it.
    fn open(&self, head: &SessionHead) -> io::Result<Opened>;
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
    fn input(&self) -> Input<'_> {
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
    &[&codex::Codex, &claude_code::ClaudeCode]
}

/// How one harness keeps its sessions.
pub fn of(harness: Harness) -> Option<&'static dyn Discover> {
    all().iter().copied().find(|d| d.harness() == harness)
}
