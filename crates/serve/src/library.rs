//! The threads of all stores.

use std::sync::{Arc, Mutex, PoisonError};

use recount_formats::Harness;
use recount_store::discover::End;
use recount_store::tail::{self, Identity, Snapshot};
use recount_store::{SessionHead, Stores};

use crate::rpc::Error;

/// How many bytes of transcripts are kept as threads: who reads a thread page by page reads it once.
const KEPT: u64 = 64 << 20;

/// The threads of all stores, or of some harnesses.
#[derive(Debug)]
pub struct Library {
    stores: Stores,
    /// What was read last, the newest behind.
    kept: Mutex<Vec<Read>>,
}

/// A thread that was read, and what tells whether it is still so.
#[derive(Debug)]
struct Read {
    snapshot: Arc<Snapshot>,
    identity: Identity,
    /// Which of its turns have all their items, when not all have.
    end: Option<End>,
}

impl Library {
    /// The threads of these stores; `harnesses` limits them when there are any.
    pub fn new(mut stores: Stores, harnesses: &[Harness]) -> Self {
        if !harnesses.is_empty() {
            stores.stores.retain(|store| harnesses.contains(&store.harness));
        }
        Self { stores, kept: Mutex::default() }
    }

    /// The root of the first store: the harness whose protocol this is comes first, wherever it is not left out.
    pub fn root(&self) -> Option<&std::path::Path> {
        self.stores.stores.first().map(|store| store.root.as_path())
    }

    /// The stores.
    pub const fn stores(&self) -> &Stores {
        &self.stores
    }

    /// All threads, newest first.
    pub fn sessions(&self) -> Vec<SessionHead> {
        self.stores.list().0
    }

    /// A thread by its whole id.
    pub fn head(&self, id: &str) -> Result<SessionHead, Error> {
        let found = if id.is_empty() { None } else { self.stores.with_id(id) };
        found.ok_or_else(|| Error::invalid_request(format!("thread not found: {id}")))
    }

    /// A thread by its id, with all its turns as clients see them. It is read anew when anything has happened to its files.
    pub fn thread(&self, id: &str) -> Result<Arc<Snapshot>, Error> {
        if let Some(kept) = self.kept(id, None) {
            return Ok(kept);
        }
        let head = self.head(id)?;
        let (identity, snapshot) = tail::shown(&head)
            .map_err(|e| Error::internal(format!("{}: {e}", head.path.display())))?;
        let snapshot = Arc::new(snapshot);
        self.keep(&snapshot, identity);
        Ok(snapshot)
    }

    /// A thread whose other turns may lack items: faster than all of it.
    pub fn end(&self, id: &str, end: End) -> Result<Arc<Snapshot>, Error> {
        if let Some(kept) = self.kept(id, Some(end)) {
            return Ok(kept);
        }
        // What cannot be read in this way is told by the other.
        match tail::end(&self.head(id)?, end) {
            Ok(Some((identity, snapshot))) => {
                let snapshot = Arc::new(snapshot);
                self.put(&snapshot, identity, Some(end));
                Ok(snapshot)
            }
            Ok(None) | Err(_) => self.thread(id),
        }
    }

    /// A thread that was read whole, or an end of it if that is enough.
    fn kept(&self, id: &str, end: Option<End>) -> Option<Arc<Snapshot>> {
        let enough =
            |read: &Read| read.end.is_none_or(|have| end.is_some_and(|wanted| have.holds(wanted)));
        let (snapshot, identity) = {
            let all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let read = all.iter().find(|read| read.snapshot.head.id == id && enough(read))?;
            (Arc::clone(&read.snapshot), read.identity.clone())
        };
        identity.still_holds().then_some(snapshot)
    }

    /// Keeps a thread that was read, for whoever asks next.
    pub fn keep(&self, snapshot: &Arc<Snapshot>, identity: Identity) {
        self.put(snapshot, identity, None);
    }

    fn put(&self, snapshot: &Arc<Snapshot>, identity: Identity, end: Option<End>) {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.snapshot.head.id != snapshot.head.id);
        if snapshot.head.size > KEPT {
            return;
        }
        all.push(Read { snapshot: Arc::clone(snapshot), identity, end });
        // The smallest has a few fields and its places.
        while all.iter().map(|read| read.snapshot.head.size.max(1 << 14)).sum::<u64>() > KEPT {
            all.remove(0);
        }
    }
}
