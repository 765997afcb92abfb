//! All sessions, as they are listed.

use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recount_store::{SessionHead, Stores};

use super::shelf::lock;

/// A list is good for so long: who types asks for it with every letter.
const FRESH: Duration = Duration::from_secs(1);

/// The sessions of all stores.
#[derive(Debug)]
pub(super) struct Lists {
    stores: Stores,
    last: Mutex<Option<(Instant, Arc<Vec<SessionHead>>)>>,
}

impl Lists {
    pub(super) fn new(stores: Stores) -> Self {
        Self { stores, last: Mutex::default() }
    }

    /// All sessions, newest first. Blocks; who asks at the same time waits for the same list.
    pub(super) fn all(&self) -> Arc<Vec<SessionHead>> {
        let mut last = lock(&self.last);
        if let Some((read, list)) = &*last
            && read.elapsed() < FRESH
        {
            return Arc::clone(list);
        }
        let list = Arc::new(self.stores.list().0);
        *last = Some((Instant::now(), Arc::clone(&list)));
        list
    }

    /// What changes when the list does. Blocks.
    pub(super) fn mark(&self) -> u64 {
        let now = Timestamp::now();
        let mut hasher = twox_hash::XxHash3_64::default();
        for head in self.all().iter() {
            let shown = (&head.id, &head.updated_at, &head.title, head.size);
            (shown, head.archived, head.is_live(now)).hash(&mut hasher);
        }
        hasher.finish()
    }
}
