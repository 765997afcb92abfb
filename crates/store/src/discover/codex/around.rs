//! What belongs to a rollout that is opened.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use memchr::memmem;
use recount_session::model::Subagent;
use recount_session::rebuild::Companions;

use super::ends;
use super::files::Rollouts;
use super::state::State;
use crate::container::file;

/// How many files are looked at for children when no database names them.
const CHILD_SEARCH: usize = 5_000;
/// How much of each: the parent's id stands near the beginning of the header.
const CHILD_HEAD: u64 = 4 << 10;

/// The rollouts that a `history_base` can name, by rollout id. The store is walked when one is asked for.
pub(super) struct Bases {
    root: PathBuf,
    rollouts: OnceLock<Rollouts>,
}

impl Bases {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), rollouts: OnceLock::new() }
    }

    fn rollouts(&self) -> &Rollouts {
        self.rollouts.get_or_init(|| Rollouts::below(&self.root))
    }
}

impl Companions for Bases {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.rollouts().all.iter().map(|r| r.id.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let rollout = self.rollouts().all.iter().find(|r| r.id == name)?;
        let (bytes, _) = file::read(&rollout.path).ok()?;
        Some(Cow::Owned(bytes))
    }

    fn source(&self, name: &str) -> String {
        let rollout = self.rollouts().all.iter().find(|r| r.id == name);
        rollout.map_or_else(|| name.to_owned(), |r| r.path.to_string_lossy().into_owned())
    }
}

/// The threads that a thread started: from the database, else by a look at the headers of later rollouts.
pub(super) fn children(root: &Path, id: &str, state: &State) -> Vec<Subagent> {
    let subagent = |id: &str| Subagent { id: id.to_owned(), tool_call_id: None, name: None };
    let known: Vec<_> = state.children(id).map(subagent).collect();
    if !known.is_empty() || state.knows_children() || id.is_empty() {
        return known;
    }
    let rollouts = Rollouts::below(root);
    let mut later: Vec<_> =
        rollouts.all.iter().filter(|r| r.thread_id.as_str() > id && r.thread_id == r.id).collect();
    later.truncate(CHILD_SEARCH);
    let needle = format!("\"parent_thread_id\":\"{id}\"");
    later
        .into_iter()
        .filter(|r| {
            ends::peek(&r.path, CHILD_HEAD)
                .is_some_and(|head| memmem::find(&head, needle.as_bytes()).is_some())
        })
        .map(|r| subagent(&r.thread_id))
        .collect()
}
