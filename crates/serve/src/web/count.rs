//! The usage of all sessions, counted once for many requests.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use recount_index::cost::{Pricer, Rates, Source};
use recount_index::report::{Counted, counted};
use recount_index::scan::{self, Scanned};
use recount_index::{Cache, Options};
use recount_session::usage::{Resolved, resolve};
use recount_store::Stores;

use super::find::Busy;
use super::shelf::lock;

/// What was counted of all transcripts.
#[derive(Debug)]
pub(super) struct Scan {
    scanned: Vec<Scanned>,
    resolved: Resolved,
    /// What each response cost, in their order.
    costs: Vec<Option<f64>>,
    /// Tokens and cost by thread.
    threads: HashMap<String, (u64, Option<f64>)>,
}

impl Scan {
    /// The responses that count, with what they cost.
    pub(super) fn responses(&self) -> impl Iterator<Item = (Counted<'_>, Option<f64>)> {
        counted(&self.scanned, &self.resolved).zip(self.costs.iter().copied())
    }

    /// Tokens and cost of a thread.
    pub(super) fn of_thread(&self, id: &str) -> Option<(u64, Option<f64>)> {
        self.threads.get(id).copied()
    }
}

/// Counts, and keeps what was counted.
#[derive(Debug)]
pub(super) struct Counts {
    stores: Stores,
    cache: Cache,
    pricer: Mutex<Pricer>,
    last: Mutex<Option<Arc<Scan>>>,
    busy: AtomicBool,
}

impl Counts {
    pub(super) fn new(stores: Stores, cache: PathBuf, prices: BTreeMap<String, Rates>) -> Self {
        let cache = Cache::at(cache);
        let mut pricer = Pricer::new(Source::Auto, prices);
        pricer.remember(&cache);
        let pricer = Mutex::new(pricer);
        Self { stores, cache, pricer, last: Mutex::default(), busy: AtomicBool::new(false) }
    }

    /// What was counted last, however long ago.
    pub(super) fn latest(&self) -> Option<Arc<Scan>> {
        lock(&self.last).clone()
    }

    /// Whether somebody is counting.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Counts what has changed since. Blocks.
    pub(super) fn now(&self) -> Arc<Scan> {
        // Whoever waits here finds it done.
        let mut pricer = lock(&self.pricer);
        let (sources, _) = scan::sources(&self.stores.stores);
        if let Some(last) = self.latest()
            && last.scanned.len() == sources.len()
            && last.scanned.iter().zip(&sources).all(|(a, b)| is_same(&a.source, b))
        {
            return last;
        }
        self.busy.store(true, Ordering::Release);
        let _busy = Busy(&self.busy);
        let (scanned, _) = scan::scan(&sources, Options::default(), Some(&self.cache));
        let resolved = resolve(&scanned);
        let mut costs = Vec::new();
        let mut threads: HashMap<String, (u64, Option<f64>)> = HashMap::new();
        for one in counted(&scanned, &resolved) {
            let cost = pricer.cost(one.harness, one.model, one.response);
            costs.push(cost);
            let tokens = one.response.tokens.total;
            if let Some((sum, costs)) = threads.get_mut(one.thread) {
                *sum = sum.saturating_add(tokens);
                *costs = costs.map_or(cost, |sum| Some(sum + cost.unwrap_or(0.0)));
            } else {
                threads.insert(one.thread.to_owned(), (tokens, cost));
            }
        }
        pricer.keep(&self.cache);
        let scan = Arc::new(Scan { scanned, resolved, costs, threads });
        *lock(&self.last) = Some(Arc::clone(&scan));
        scan
    }
}

/// Whether a transcript is as it was when it was counted.
fn is_same(before: &scan::Source, now: &scan::Source) -> bool {
    let settled =
        |source: &scan::Source| source.stamp.and_then(|(stamp, settled)| settled.then_some(stamp));
    before.path == now.path
        && before.name == now.name
        && before.len == now.len
        && settled(before).is_some_and(|stamp| settled(now).is_some_and(|now| stamp == now))
}
