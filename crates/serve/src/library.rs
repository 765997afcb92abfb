//! The threads of all stores.

use recount_formats::Harness;
use recount_session::model::Thread;
use recount_store::{SessionHead, Stores, discover};

use crate::rpc::Error;

/// The threads of all stores, or of some harnesses.
#[derive(Debug)]
pub struct Library {
    stores: Stores,
}

impl Library {
    /// The threads of these stores; `harnesses` limits them when there are any.
    pub fn new(mut stores: Stores, harnesses: &[Harness]) -> Self {
        if !harnesses.is_empty() {
            stores.stores.retain(|store| harnesses.contains(&store.harness));
        }
        Self { stores }
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

    /// Reads a whole thread.
    pub fn thread(head: &SessionHead) -> Result<Thread, Error> {
        let unread = |why: &dyn std::fmt::Display| {
            Error::internal(format!("{}: {why}", head.path.display()))
        };
        let discover =
            discover::of(head.harness).ok_or_else(|| unread(&"its harness is not read"))?;
        let opened = discover.open(head).map_err(|e| unread(&e))?;
        Ok(opened.thread(None))
    }
}
