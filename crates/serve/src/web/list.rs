//! All sessions, as they are listed.

use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recount_export::time;
use recount_store::{SessionHead, Stores};

use super::shelf::lock;

/// A list is good for so long: who types asks for it with every letter.
const FRESH: Duration = Duration::from_secs(1);
/// A session that was written to so recently, in seconds, is taken to be alive.
const ALIVE: i64 = 120;

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
            (shown, head.archived, is_live(head, now)).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Whether somebody seems to be at work in a session.
pub(super) fn is_live(head: &SessionHead, now: Timestamp) -> bool {
    let written = head.updated_at.as_deref().and_then(time::parse);
    written.is_some_and(|t| now.duration_since(t).as_secs().abs() < ALIVE)
}
