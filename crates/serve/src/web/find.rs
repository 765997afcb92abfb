//! The words of all sessions: the search index, brought up to date beside the answers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use recount_index::search::{
    Error, FileUse, Found, Index, Options, Query, Refreshed, Session, Touched,
};
use recount_store::Stores;

use super::Site;
use super::refusal::Refusal;
use super::shelf::lock;

/// What is known of sessions, by id.
pub(super) type Known = HashMap<String, Session>;

/// The search index.
#[derive(Debug)]
pub(super) struct Finder {
    stores: Stores,
    folder: PathBuf,
    /// Who brings it up to date: one at a time.
    writer: Mutex<Option<Index>>,
    /// Others read meanwhile.
    reader: Mutex<Option<Index>>,
    known: Mutex<Option<Arc<Known>>>,
    busy: AtomicBool,
    /// When it was up to date.
    fresh: Mutex<Option<Instant>>,
}

/// Who types asks with every letter: for so long nothing is looked at again.
const FRESH: Duration = Duration::from_secs(1);

impl Finder {
    pub(super) fn new(stores: Stores, folder: PathBuf) -> Self {
        Self {
            stores,
            folder,
            writer: Mutex::default(),
            reader: Mutex::default(),
            known: Mutex::default(),
            busy: AtomicBool::new(false),
            fresh: Mutex::default(),
        }
    }

    /// What is known of sessions, as far as they were read.
    pub(super) fn known(&self) -> Option<Arc<Known>> {
        lock(&self.known).clone()
    }

    /// Whether it is being brought up to date.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Brings the index up to date. Blocks.
    fn refresh(&self) -> Result<(), Error> {
        let mut writer = lock(&self.writer);
        let index = opened(&mut writer, &self.folder)?;
        let is_known = lock(&self.known).is_some();
        let (sessions, _) = index.ask(&self.stores.stores, &|_| (), |index, refreshed| {
            let same = !refreshed.busy && refreshed.read == 0 && refreshed.removed == 0;
            if is_known && same { Ok(None) } else { index.known().map(Some) }
        })?;
        if let Some(sessions) = sessions {
            let sessions = sessions.into_iter();
            *lock(&self.known) =
                Some(Arc::new(sessions.map(|session| (session.id.clone(), session)).collect()));
        }
        Ok(())
    }

    fn with<T>(&self, ask: impl Fn(&Index, &Refreshed) -> Result<T, Error>) -> Result<T, Refusal> {
        let mut reader = lock(&self.reader);
        let index = opened(&mut reader, &self.folder).map_err(failed)?;
        index.ask_as_it_is(&self.stores.stores, ask).map_err(failed)
    }

    /// Searches what the index holds. Blocks.
    pub(super) fn search(&self, query: &Query, options: &Options) -> Result<Found, Refusal> {
        self.with(|index, now| index.search(now, query, options))
    }

    /// The sessions that touched a file. Blocks.
    pub(super) fn touched(&self, path: &str) -> Result<Vec<Touched>, Refusal> {
        self.with(|index, now| index.touched(now, path))
    }

    /// The files that sessions changed most. Blocks.
    pub(super) fn files(&self, most: usize) -> Result<Vec<FileUse>, Refusal> {
        self.with(|index, now| index.files(now, most))
    }
}

/// Ends with what is being done, however that ends.
pub(super) struct Busy<'a>(pub(super) &'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn opened<'i>(
    index: &'i mut Option<Index>,
    folder: &std::path::Path,
) -> Result<&'i mut Index, Error> {
    match index {
        Some(index) => Ok(index),
        none => Ok(none.insert(Index::open(folder)?)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function of errors")]
fn failed(error: Error) -> Refusal {
    Refusal::internal(error.to_string())
}

impl Site {
    /// Brings the index up to date, and waits for that so long at most: what is not read by then is found later. Says
    /// whether it is up to date.
    pub(super) async fn index(self: &Arc<Self>, wait: Duration) -> bool {
        if lock(&self.finder.fresh).is_some_and(|at| at.elapsed() < FRESH) {
            return true;
        }
        if self.finder.busy.swap(true, Ordering::AcqRel) {
            return false;
        }
        let site = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let _busy = Busy(&site.finder.busy);
            let done = site.finder.refresh();
            *lock(&site.finder.fresh) = done.is_ok().then(Instant::now);
            done.is_ok()
        });
        tokio::time::timeout(wait, work).await.is_ok_and(|done| done.unwrap_or(false))
    }

    /// Counts usage, and waits for that so long at most.
    pub(super) async fn count(self: &Arc<Self>, wait: Duration) {
        if self.counts.is_busy() {
            return;
        }
        let site = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            site.counts.now();
        });
        let _ = tokio::time::timeout(wait, work).await;
    }
}
