//! What belongs to a rollout that is opened.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use memchr::memmem;
use recount_session::RawJson;
use recount_session::model::{Subagent, TurnError, TurnStatus};
use recount_session::rebuild::{Companions, KnownTurn};

use super::ends;
use super::files::{Rollout, Rollouts};
use super::state::State;
use crate::container::{file, sqlite};
use crate::head::SessionHead;

/// How many files are looked at for children when no database names them.
const CHILD_SEARCH: usize = 5_000;
/// How much of each: the parent's id stands near the beginning of the header.
const CHILD_HEAD: u64 = 4 << 10;

/// The rollouts that a `history_base` can name, by rollout id. The store is walked when one is asked for.
#[derive(Clone)]
pub(super) struct Bases {
    root: PathBuf,
    rollouts: Arc<OnceLock<Rollouts>>,
}

impl Bases {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), rollouts: Arc::default() }
    }

    /// The rollouts of a thread by their ids, the one that was opened first; nothing when it has one only.
    pub(super) fn states(&self, head: &SessionHead) -> Vec<String> {
        let opened = Rollout::at(&head.path).map(|r| r.id);
        let of_thread = self.rollouts().all.iter().filter(|r| r.thread_id == head.id);
        let mut states: Vec<&Rollout> = of_thread.collect();
        states.sort_by_key(|r| (Some(&r.id) != opened.as_ref(), r.age_key()));
        states.dedup_by_key(|r| &r.id);
        if states.len() < 2 { Vec::new() } else { states.iter().map(|r| r.id.clone()).collect() }
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

/// How the turns of a rollout ended by Codex's projection of it. Only a rollout whose last line was cut off
/// needs it.
pub(super) fn turns(head: &SessionHead) -> Vec<KnownTurn> {
    let Some(path) = super::state::database(&head.root, "thread_history_") else {
        return Vec::new();
    };
    let Some(rollout) = Rollout::at(&head.path) else { return Vec::new() };
    sqlite::read(&path, |c| {
        let mut statement = c.prepare(
            "SELECT turn_id, status, error_json, started_at, completed_at, duration_ms
             FROM thread_turns WHERE thread_id = ?1",
        )?;
        let turns = statement.query_map([&rollout.id], |r| {
            let status = match r.get::<_, String>(1)?.as_str() {
                "completed" => TurnStatus::Completed,
                "interrupted" => TurnStatus::Interrupted,
                "failed" => TurnStatus::Failed,
                _ => TurnStatus::InProgress,
            };
            Ok(KnownTurn {
                id: r.get(0)?,
                status,
                error: r.get::<_, Option<String>>(2)?.and_then(|json| error(&json)),
                started_at: r.get(3)?,
                completed_at: r.get(4)?,
                duration_ms: r.get(5)?,
            })
        })?;
        Ok(turns.flatten().filter(|t| t.status != TurnStatus::InProgress).collect())
    })
    .unwrap_or_default()
}

/// A turn's error as the projection keeps it: in the protocol's spelling.
fn error(json: &str) -> Option<TurnError> {
    let value = recount_formats::json::parse(json).ok()?;
    let own = |key: &str| value.str(key).map(Cow::into_owned);
    Some(TurnError {
        message: own("message")?,
        codex_error_info: value.get("codexErrorInfo").filter(|i| !i.is_null()).map(RawJson::new),
        additional_details: own("additionalDetails"),
    })
}

/// The threads that a thread started: from the database, else by a look at the headers of later rollouts.
pub(super) fn children(bases: &Bases, id: &str, state: &State) -> Vec<Subagent> {
    let subagent = |id: &str| Subagent { id: id.to_owned(), tool_call_id: None, name: None };
    let known: Vec<_> = state.children(id).map(subagent).collect();
    if !known.is_empty() || state.knows_children() || id.is_empty() {
        return known;
    }
    let mut later: Vec<_> = bases
        .rollouts()
        .all
        .iter()
        .filter(|r| r.thread_id.as_str() > id && r.thread_id == r.id)
        .collect();
    later.truncate(CHILD_SEARCH);
    later
        .into_iter()
        .filter(|r| parent(&r.path).as_deref() == Some(id))
        .map(|r| subagent(&r.thread_id))
        .collect()
}

/// The parents that headers name, by path. A server opens many threads, and each asks this of all later ones; the name of a
/// rollout holds its id, and nobody writes its header again.
static PARENTS: Mutex<BTreeMap<PathBuf, Option<String>>> = Mutex::new(BTreeMap::new());

/// How many are kept.
const PARENTS_KEPT: usize = 2 * CHILD_SEARCH;

/// The parent that the header of a rollout names.
fn parent(path: &Path) -> Option<String> {
    const KEY: &[u8] = b"\"parent_thread_id\":\"";
    if let Some(known) = PARENTS.lock().ok().and_then(|known| known.get(path).cloned()) {
        return known;
    }
    let head = ends::peek(path, CHILD_HEAD)?;
    let found = memmem::find(&head, KEY).and_then(|at| {
        let value = &head[at + KEY.len()..];
        let end = memchr::memchr(b'"', value)?;
        std::str::from_utf8(&value[..end]).ok().map(str::to_owned)
    });
    // A header that is still being written may say more soon.
    let is_whole = head.len() as u64 >= CHILD_HEAD || memchr::memchr(b'\n', &head).is_some();
    if let Ok(mut known) = PARENTS.lock()
        && is_whole
        && known.len() < PARENTS_KEPT
    {
        known.insert(path.to_owned(), found.clone());
    }
    found
}
