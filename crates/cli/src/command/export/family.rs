//! The sub-agents of a session, read when their place has come.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use recount_export::{Family, Whole};
use recount_formats::Harness;
use recount_store::SessionHead;
use recount_store::discover::{self, Opener};

use crate::command::prices::Prices;

/// Finds sub-agents in the store of their session.
pub(super) struct Relatives<'a> {
    harness: Harness,
    root: &'a Path,
    known: &'a Known,
}

impl<'a> Relatives<'a> {
    pub(super) fn of(head: &'a SessionHead, known: &'a Known) -> Self {
        Self { harness: head.harness, root: &head.root, known }
    }
}

impl Family for Relatives<'_> {
    fn thread(&self, id: &str) -> Option<Whole> {
        let head = self.known.session(self.harness, self.root, id)?;
        self.known.read(&head).ok()
    }
}

/// What all sessions of an export share.
pub(in crate::command) struct Known {
    /// The sessions of stores by id: looking for one goes through all files of its store, and there may be thousands to look for.
    stores: Mutex<HashMap<(Harness, PathBuf), Store>>,
    prices: Option<Prices>,
}

#[derive(Default)]
struct Store {
    sessions: HashMap<String, SessionHead>,
    /// How often something was looked for that is not among these.
    missed: usize,
    opener: Option<Arc<Opener<'static>>>,
}

/// So many are looked for one by one before the whole store is listed.
const FEW: usize = 4;

impl Known {
    /// Knows these sessions; others are looked for.
    pub(in crate::command) fn of(heads: &[SessionHead], prices: Option<Prices>) -> Self {
        let mut stores: HashMap<(Harness, PathBuf), Store> = HashMap::new();
        for head in heads {
            let store = stores.entry((head.harness, head.root.clone())).or_default();
            store.sessions.insert(head.id.clone(), head.clone());
        }
        Self { stores: Mutex::new(stores), prices }
    }

    /// Reads a session with its branches and what it cost; else says why not.
    pub(in crate::command) fn read(&self, head: &SessionHead) -> Result<Whole, String> {
        let opener =
            self.opener(head).ok_or_else(|| format!("{} is not read yet", head.harness))?;
        let opened = opener(head).map_err(|e| format!("{}: {e}", head.path.display()))?;
        // Items own their text: the bytes are let go.
        let (thread, asides) = opened.with_branches();
        let mut whole = Whole { thread, asides };
        if let Some(prices) = &self.prices {
            prices.price(&mut whole.thread);
        }
        Ok(whole)
    }

    fn opener(&self, head: &SessionHead) -> Option<Arc<Opener<'static>>> {
        let discover = discover::of(head.harness)?;
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let store = stores.entry((head.harness, head.root.clone())).or_default();
        let new = || Arc::new(discover.opener(&head.root));
        Some(Arc::clone(store.opener.get_or_insert_with(new)))
    }

    fn session(&self, harness: Harness, root: &Path, id: &str) -> Option<SessionHead> {
        let discover = discover::of(harness)?;
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let store = stores.entry((harness, root.to_owned())).or_default();
        if let Some(head) = store.sessions.get(id) {
            return Some(head.clone());
        }
        store.missed += 1;
        if store.missed > FEW {
            if store.missed == FEW + 1 {
                let all = discover.list(root).sessions.into_iter();
                store.sessions.extend(all.map(|head| (head.id.clone(), head)));
            }
            return store.sessions.get(id).cloned();
        }
        drop(stores);
        discover.find(root, id).into_iter().find(|head| head.id == id)
    }
}
