//! Threads that clients follow.
//!
//! For each thread one [`Tail`] looks at its files, however many clients follow it. What a client has been told is a
//! [`Known`] of its own; what it has to be told next is the difference between that and the thread as it is now. So a
//! client that reads slowly costs nothing but that: what it has missed is told in one when it can take it, no queue
//! grows, and nobody waits for it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use recount_session::model::ThreadStatus;
use recount_store::tail::{Identity, Known, Moment, Poll, Snapshot, Tail};
use recount_store::{SessionHead, Stores};

use crate::protocol::item::is_visible;
use crate::protocol::thread::millis;
use crate::protocol::turn::Running;

/// How often the files are looked at.
pub const LOOK: Duration = Duration::from_millis(50);
/// After so many looks without news a thread is looked at every other time only: 2 s.
const IDLE: u64 = 40;
/// A turn without an end runs if something was written so recently. The longest silence of an agent at work is that of
/// a tool that runs.
const RECENT: Duration = Duration::from_mins(10);

/// The threads that clients follow.
#[derive(Debug, Default)]
pub struct Live {
    threads: Mutex<BTreeMap<String, Arc<Followed>>>,
    /// How often the files were looked at.
    looks: AtomicU64,
}

/// A thread that clients follow.
#[derive(Debug, Default)]
pub struct Followed {
    /// Nothing before it was read for the first time. Held until what was read is published, so that an older state
    /// never takes the place of a newer one.
    tail: Mutex<Option<Tail>>,
    latest: Mutex<Latest>,
    /// Whether somebody is about to read it.
    queued: AtomicBool,
    /// The look at which it was seen to change last.
    stirred: AtomicU64,
}

/// A thread as it was when it was read last.
#[derive(Debug, Default)]
struct Latest {
    version: u64,
    known: Arc<Known>,
    /// The thread itself, as long as somebody has not been told all of it.
    snapshot: Option<Arc<Snapshot>>,
    /// Whether somebody is taken to work on it.
    alive: bool,
    gone: bool,
    /// A large thread that is written without a pause is not read without a pause.
    not_before: Option<Instant>,
    /// What each connection that follows it has been told.
    told: HashMap<u64, u64>,
}

/// What a client has been told of a thread.
#[derive(Debug, Clone)]
pub struct Subscription {
    /// The thread.
    pub id: String,
    followed: Arc<Followed>,
    version: u64,
    known: Arc<Known>,
}

/// What a client has to be told.
#[derive(Debug)]
pub enum News {
    /// Nothing.
    Nothing,
    /// The thread is gone.
    Gone,
    /// The difference between what it knows and this.
    Changed {
        /// What it knows.
        from: Arc<Known>,
        /// What it will know.
        to: Arc<Known>,
        /// The thread as it is now.
        snapshot: Arc<Snapshot>,
    },
}

/// A thread that a client begins to follow.
#[derive(Debug)]
pub struct Begun {
    /// The thread as it is.
    pub snapshot: Arc<Snapshot>,
    /// Whether its last turn runs.
    pub running: Running,
    /// What tells whether it still is so.
    pub identity: Option<Identity>,
    /// From here on the client is told.
    pub subscription: Subscription,
}

impl Live {
    /// A client begins to follow a thread. Blocks while it is read.
    pub fn begin(&self, stores: &Stores, head: SessionHead, connection: u64) -> io::Result<Begun> {
        let id = head.id.clone();
        let followed = Arc::clone(lock(&self.threads).entry(id.clone()).or_default());
        followed.stirred.store(self.looks.load(Ordering::Relaxed), Ordering::Relaxed);
        let mut tail = lock(&followed.tail);
        let read = match &mut *tail {
            Some(tail) => tail.now(),
            none => Tail::open_alone(stores, head).map(|(tail, snapshot)| {
                *none = Some(tail);
                snapshot
            }),
        };
        let snapshot = match read {
            Ok(snapshot) => Arc::new(snapshot),
            Err(e) => {
                if lock(&followed.latest).told.is_empty() {
                    lock(&self.threads).remove(&id);
                }
                return Err(e);
            }
        };
        let mut latest = lock(&followed.latest);
        latest.publish(Arc::clone(&snapshot), false);
        let version = latest.version;
        latest.told.insert(connection, version);
        latest.release();
        let known = Arc::clone(&latest.known);
        drop(latest);
        let identity = tail.as_ref().map(Tail::identity);
        drop(tail);
        // Its last other client may have left meanwhile.
        lock(&self.threads).insert(id.clone(), Arc::clone(&followed));
        let running = if known.is_running() { Running::Yes } else { Running::No };
        let subscription = Subscription { id, followed, version, known };
        Ok(Begun { snapshot, running, identity, subscription })
    }

    /// The threads that clients follow.
    pub fn ids(&self) -> Vec<String> {
        lock(&self.threads).keys().cloned().collect()
    }

    /// Whether clients follow a thread, and whether its last turn runs.
    pub fn running(&self, id: &str) -> Option<Running> {
        let followed = lock(&self.threads).get(id).cloned()?;
        let running = lock(&followed.latest).known.is_running();
        Some(if running { Running::Yes } else { Running::No })
    }

    /// A client follows a thread no more. Nothing when nobody followed it, else whether this client did.
    pub fn end(&self, id: &str, connection: u64) -> Option<bool> {
        let mut threads = lock(&self.threads);
        let followed = threads.get(id)?;
        let mut latest = lock(&followed.latest);
        let mine = latest.told.remove(&connection).is_some();
        latest.release();
        let nobody = latest.told.is_empty();
        drop(latest);
        if nobody {
            threads.remove(id);
        }
        Some(mine)
    }

    /// A client is gone.
    pub fn forget(&self, connection: u64) {
        for id in self.ids() {
            self.end(&id, connection);
        }
    }

    /// The threads whose files have changed. Cheap: no file is opened.
    pub fn changed(&self) -> Vec<Arc<Followed>> {
        let mut moment = Moment::new();
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        let all: Vec<_> = lock(&self.threads).values().cloned().collect();
        all.into_iter()
            .zip(0_u64..)
            .filter(|(followed, n)| {
                let stirred = followed.stirred.load(Ordering::Relaxed);
                look.saturating_sub(stirred) < IDLE || (look + n).is_multiple_of(2)
            })
            .map(|(followed, _)| followed)
            // One that is being read is looked at the next time.
            .filter(|followed| {
                let waits =
                    || lock(&followed.latest).not_before.is_some_and(|t| Instant::now() < t);
                let changed = followed
                    .tail
                    .try_lock()
                    .is_ok_and(|tail| tail.as_ref().is_some_and(|t| t.has_changed(&mut moment)));
                if changed {
                    followed.stirred.store(look, Ordering::Relaxed);
                }
                changed && !waits() && !followed.queued.swap(true, Ordering::AcqRel)
            })
            .collect()
    }
}

impl Followed {
    /// Reads the thread, if it has changed; whether clients have to be told something. Blocks.
    pub fn read(&self) -> bool {
        let mut tail = lock(&self.tail);
        self.queued.store(false, Ordering::Release);
        let begun = Instant::now();
        let poll = tail.as_mut().map(Tail::poll);
        let mut latest = lock(&self.latest);
        match poll {
            // What cannot be read now may be readable the next time.
            None | Some(Ok(Poll::Quiet) | Err(_)) => false,
            Some(Ok(Poll::Gone)) => !std::mem::replace(&mut latest.gone, true),
            Some(Ok(Poll::Changed(snapshot))) => {
                latest.publish(Arc::new(*snapshot), true);
                latest.not_before = Some(Instant::now() + begun.elapsed());
                let version = latest.version;
                let news = latest.told.values().any(|told| *told != version);
                latest.release();
                news
            }
        }
    }
}

impl Latest {
    /// The thread was read. `grew` is whether it was seen to change, which only somebody at work does.
    fn publish(&mut self, snapshot: Arc<Snapshot>, grew: bool) {
        let thread = &snapshot.thread;
        let open = thread.status == ThreadStatus::Open;
        self.alive = open && (self.alive || grew || is_recent(&snapshot));
        let known = Known::of(thread, self.alive, is_visible);
        if known != *self.known || self.version == 0 {
            self.known = Arc::new(known);
            self.version += 1;
        }
        // Even without news for clients it is the newest state of what they will be told.
        self.snapshot = Some(snapshot);
        self.gone = false;
    }

    /// Lets go of the thread when everybody knows it.
    fn release(&mut self) {
        if self.told.values().all(|told| *told == self.version) {
            self.snapshot = None;
        }
    }
}

impl Subscription {
    /// What the client has to be told now.
    pub fn news(&self) -> News {
        let latest = lock(&self.followed.latest);
        if latest.gone {
            return News::Gone;
        }
        match &latest.snapshot {
            Some(snapshot) if latest.version != self.version => News::Changed {
                from: Arc::clone(&self.known),
                to: Arc::clone(&latest.known),
                snapshot: Arc::clone(snapshot),
            },
            _ => News::Nothing,
        }
    }

    /// The client has been told.
    pub fn told(&mut self, connection: u64, known: Arc<Known>) {
        let mut latest = lock(&self.followed.latest);
        // Meanwhile it may have changed again: then it knows less than the newest.
        if Arc::ptr_eq(&latest.known, &known) {
            self.version = latest.version;
            let version = latest.version;
            if let Some(told) = latest.told.get_mut(&connection) {
                *told = version;
            }
            latest.release();
        }
        self.known = known;
    }
}

/// Whether something was written not long ago: by the transcript, which keeps its times when it is copied, else by the
/// file system.
fn is_recent(snapshot: &Snapshot) -> bool {
    if let Some(written) = millis(snapshot.thread.updated_at.as_deref()) {
        let recent = i64::try_from(RECENT.as_millis()).unwrap_or(i64::MAX);
        return now_millis().saturating_sub(written) < recent;
    }
    let written = std::fs::metadata(&snapshot.head.path).and_then(|meta| meta.modified());
    written.is_ok_and(|t| SystemTime::now().duration_since(t).map_or(true, |age| age < RECENT))
}

/// The time in Unix milliseconds.
pub fn now_millis() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// What is kept here is whole after each change: a thread that broke off has spoilt nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
