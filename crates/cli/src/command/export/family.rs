//! The sub-agents of a session, read when their place has come.

use std::path::PathBuf;

use recount_export::{Family, Whole};
use recount_formats::Harness;
use recount_store::{SessionHead, discover};

/// Finds sub-agents in the store of their session.
pub(super) struct Relatives {
    harness: Harness,
    root: PathBuf,
}

impl Relatives {
    pub(super) fn of(head: &SessionHead) -> Self {
        Self { harness: head.harness, root: head.root.clone() }
    }
}

impl Family for Relatives {
    fn thread(&self, id: &str) -> Option<Whole> {
        let found = discover::of(self.harness)?.find(&self.root, id);
        let head = found.into_iter().find(|head| head.id == id)?;
        super::read(&head).ok()
    }
}
