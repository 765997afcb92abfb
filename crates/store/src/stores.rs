//! The stores of a machine, and finding a session in them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use recount_formats::{Finding, Harness};

use crate::discover::{self, Discover};
use crate::environment::Environment;
use crate::head::SessionHead;

/// A place where a harness keeps sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The harness.
    pub harness: Harness,
    /// Its root folder or database.
    pub root: PathBuf,
}

/// The stores to look at.
#[derive(Debug, Clone, Default)]
pub struct Stores {
    /// In the order in which harnesses are listed.
    pub stores: Vec<Store>,
}

/// Why a session could not be found.
#[derive(Debug)]
pub enum FindError {
    /// No session has such an id, and there is no such file.
    NotFound {
        /// Where it was looked for.
        looked_in: Vec<Store>,
    },
    /// Several sessions have ids that begin so.
    Ambiguous(Vec<SessionHead>),
}

impl Stores {
    /// The stores that environment and defaults name.
    pub fn of(environment: &Environment) -> Self {
        let stores = discover::all()
            .iter()
            .flat_map(|d| {
                d.roots(environment).into_iter().map(|root| Store { harness: d.harness(), root })
            })
            .collect();
        Self { stores }
    }

    /// Those that exist, with the code that reads them.
    fn existing(&self) -> impl Iterator<Item = (&Store, &'static dyn Discover)> {
        self.stores
            .iter()
            .filter(|s| s.root.exists())
            .filter_map(|s| discover::of(s.harness).map(|d| (s, d)))
    }

    /// Lists all sessions, newest first.
    pub fn list(&self) -> (Vec<SessionHead>, Vec<Finding>) {
        let mut sessions = Vec::new();
        let mut findings = Vec::new();
        for (store, discover) in self.existing() {
            let listing = discover.list(&store.root);
            sessions.extend(listing.sessions);
            findings.extend(listing.findings);
        }
        without_copies(&mut sessions);
        sessions.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
        (sessions, findings)
    }

    /// Finds a session by its whole id, and by nothing else: for callers from outside, who must not name paths.
    pub fn with_id(&self, id: &str) -> Option<SessionHead> {
        let mut found: Vec<SessionHead> = self
            .existing()
            .flat_map(|(store, d)| d.find(&store.root, id))
            .filter(|head| head.id == id)
            .collect();
        without_copies(&mut found);
        found.into_iter().next()
    }

    /// Finds the one session whose id begins so, and nothing by path; see [`Self::with_id`].
    pub fn beginning_with(&self, prefix: &str) -> Option<SessionHead> {
        let mut found: Vec<SessionHead> =
            self.existing().flat_map(|(store, d)| d.find(&store.root, prefix)).collect();
        without_copies(&mut found);
        found.pop().filter(|_| found.is_empty())
    }

    /// Finds a session by id, by the beginning of an id, or by path.
    pub fn find(&self, id_or_path: &str) -> Result<SessionHead, FindError> {
        let path = Path::new(id_or_path);
        if path.is_file() {
            let head = discover::all().iter().find_map(|d| d.at_path(path));
            return head.ok_or_else(|| FindError::NotFound { looked_in: Vec::new() });
        }
        let mut found: Vec<SessionHead> =
            self.existing().flat_map(|(store, d)| d.find(&store.root, id_or_path)).collect();
        without_copies(&mut found);
        if let Some(exact) = found.iter().position(|s| s.id == id_or_path) {
            return Ok(found.swap_remove(exact));
        }
        match found.len() {
            0 => Err(FindError::NotFound { looked_in: self.stores.clone() }),
            1 => Ok(found.swap_remove(0)),
            _ => Err(FindError::Ambiguous(found)),
        }
    }
}

/// Leaves out copies of sessions whose originals are there: a harness may keep the two in different roots.
fn without_copies(sessions: &mut Vec<SessionHead>) {
    let is_copy = |head: &SessionHead| discover::of(head.harness).is_some_and(|d| d.is_copy(head));
    if !sessions.iter().any(is_copy) {
        return;
    }
    let originals: HashSet<(Harness, String)> = sessions
        .iter()
        .filter(|head| !is_copy(head))
        .map(|head| (head.harness, head.id.clone()))
        .collect();
    sessions.retain(|head| !is_copy(head) || !originals.contains(&(head.harness, head.id.clone())));
}
