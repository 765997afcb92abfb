//! Following a session while its harness writes.
//!
//! A [`Tail`] tells when a session has changed and reads it anew; [`known`] tells what is new in it. Both together give
//! a reader a whole thread and then every change of it, each once: the changes are the difference between two whole
//! threads, so nothing can fall between them, whatever happened to the files.
//!
//! Changes are noticed by looking at sizes and times, not by the system's notices. A look at the files of a thousand
//! sessions takes a few milliseconds; it needs no limits to be raised, works on network folders and in containers, and
//! cannot lose a notice. Whoever follows calls [`Tail::poll`] every 50 to 100 ms.
//!
//! What a writer does | what happens
//! --- | ---
//! appends | read anew at the next look; a line whose end is missing waits for it
//! replaces, shortens, compresses, moves | read anew once the files stand still for one look, at the latest after [`PATIENCE`]
//! begins another file for the same session (Codex) | found by the folders' times and the harness's database
//! changes a database in place | read as one transaction

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use recount_session::model::Thread;

use crate::discover::{self, End, Opened};
use crate::head::SessionHead;
use crate::stores::Stores;

mod known;
mod mark;

pub use known::{Change, Known, Part};
use mark::Mark;
pub use mark::Moment;

/// How long a file that was replaced or shortened may go on moving before it is read all the same.
pub const PATIENCE: Duration = Duration::from_millis(150);
/// How long a session may be found nowhere before it is gone: files are renamed in steps.
const GONE_AFTER: Duration = Duration::from_secs(2);
/// How often a file that is replaced while it is read is read again.
const ATTEMPTS: usize = 4;

/// What a session depends on.
#[derive(Debug, Clone, Default)]
pub struct Watched {
    /// Files in which its content stands.
    pub content: Vec<PathBuf>,
    /// Files and folders that tell where its content stands, and what is said about it elsewhere.
    pub places: Vec<PathBuf>,
}

impl Watched {
    fn all(&self) -> impl Iterator<Item = PathBuf> {
        self.content.iter().chain(&self.places).cloned()
    }
}

/// What tells whether something that was read of a session still holds.
#[derive(Debug, Clone)]
pub struct Identity {
    mark: Mark,
    taken: Instant,
}

impl Identity {
    /// Of a session as it is now. To be taken before it is read.
    pub fn of(head: &SessionHead) -> Option<Self> {
        let watched = discover::of(head.harness)?.watched(head);
        let taken = Instant::now();
        Some(Self { mark: Mark::of(watched.all(), &mut Moment::new()), taken })
    }

    /// Whether nothing has happened to its files since.
    pub fn still_holds(&self) -> bool {
        self.mark.still_holds(&mut Moment::new(), self.taken.elapsed())
    }
}

/// Opens a session: what tells later whether what is read of it still holds, what lists show of it by now, and its content.
pub fn open(head: &SessionHead) -> io::Result<(Identity, SessionHead, Opened)> {
    let (identity, head, discover) = begin(head)?;
    let opened = discover.open(&head)?;
    Ok((identity, head, opened))
}

/// Reads a session for whoever shows its turns as its harness does, and nothing else (see [`Discover::shown`](discover::Discover::shown)).
pub fn shown(head: &SessionHead) -> io::Result<(Identity, Snapshot)> {
    let (identity, head, discover) = begin(head)?;
    let thread = match discover.shown(&head)? {
        Some(thread) => thread,
        None => discover.open_alone(&head)?.thread(None),
    };
    Ok((identity, Snapshot { head, thread }))
}

/// Reads some turns of a session, when that is faster (see [`Discover::end`](discover::Discover::end)).
pub fn end(head: &SessionHead, end: End) -> io::Result<Option<(Identity, Snapshot)>> {
    let (identity, head, discover) = begin(head)?;
    let thread = discover.end(&head, end)?;
    Ok(thread.map(|thread| (identity, Snapshot { head, thread })))
}

/// What tells later whether what is read of a session still holds, and what lists show of it by now.
fn begin(
    head: &SessionHead,
) -> io::Result<(Identity, SessionHead, &'static dyn discover::Discover)> {
    let unread = || io::Error::new(io::ErrorKind::Unsupported, "its harness is not read");
    let discover = discover::of(head.harness).ok_or_else(unread)?;
    // Before it is read: what is written meanwhile is seen the next time.
    let identity = Identity::of(head).ok_or_else(unread)?;
    // Behind the mark: a name that came between would never be seen.
    let head = discover.again(head).unwrap_or_else(|| head.clone());
    Ok((identity, head, discover))
}

/// A session as it was at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// What lists show of it.
    pub head: SessionHead,
    /// The whole thread.
    pub thread: Thread,
}

/// What a look at a session gave.
#[derive(Debug)]
pub enum Poll {
    /// Nothing has happened.
    Quiet,
    /// Something has; this is how it is now.
    Changed(Box<Snapshot>),
    /// The session is nowhere any more.
    Gone,
}

/// Follows one session.
#[derive(Debug)]
pub struct Tail {
    stores: Stores,
    head: SessionHead,
    watched: Watched,
    mark: Mark,
    taken: Instant,
    /// Since when the content moves in a way that is no appending.
    moving: Option<(Instant, Mark)>,
    /// Since when it is nowhere.
    missing: Option<Instant>,
    /// Whether how it is related to others is left out.
    alone: bool,
}

impl Tail {
    /// Begins to follow a session, and gives it as it is.
    pub fn open(stores: &Stores, head: SessionHead) -> io::Result<(Self, Snapshot)> {
        Self::begin(stores, head, false)
    }

    /// The same for whoever wants its turns alone: how it is related to others is left out where finding that means a look at
    /// all others, at each of its changes.
    pub fn open_alone(stores: &Stores, head: SessionHead) -> io::Result<(Self, Snapshot)> {
        Self::begin(stores, head, true)
    }

    fn begin(stores: &Stores, head: SessionHead, alone: bool) -> io::Result<(Self, Snapshot)> {
        let mut tail = Self {
            stores: stores.clone(),
            watched: discover::of(head.harness).map(|d| d.watched(&head)).unwrap_or_default(),
            mark: Mark::default(),
            taken: Instant::now(),
            moving: None,
            missing: None,
            alone,
            head,
        };
        let snapshot = tail.read(false)?;
        Ok((tail, snapshot))
    }

    /// The session, as it was read last.
    pub const fn head(&self) -> &SessionHead {
        &self.head
    }

    /// What tells whether what was read last still holds.
    pub fn identity(&self) -> Identity {
        Identity { mark: self.mark.clone(), taken: self.taken }
    }

    /// Whether a look would find a change. Cheap: no file is opened.
    pub fn has_changed(&self, moment: &mut Moment) -> bool {
        self.missing.is_some()
            || self.moving.is_some()
            || !self.mark.still_holds(moment, self.taken.elapsed())
    }

    /// Looks at the session, and reads it when it has changed.
    pub fn poll(&mut self) -> io::Result<Poll> {
        let mut moment = Moment::new();
        if !self.has_changed(&mut moment) {
            return Ok(Poll::Quiet);
        }
        if self.is_moving(&mut moment) {
            return Ok(Poll::Quiet);
        }
        let places = !self.mark.agrees(&mut moment, &self.watched.places);
        match self.read(places) {
            Ok(snapshot) => {
                self.missing = None;
                Ok(Poll::Changed(Box::new(snapshot)))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let since = *self.missing.get_or_insert_with(Instant::now);
                Ok(if since.elapsed() < GONE_AFTER { Poll::Quiet } else { Poll::Gone })
            }
            Err(e) => Err(e),
        }
    }

    /// Reads the session as it is now, changed or not.
    pub fn now(&mut self) -> io::Result<Snapshot> {
        let snapshot = self.read(true)?;
        self.missing = None;
        Ok(snapshot)
    }

    /// Whether the content was replaced or shortened and does not stand still yet.
    fn is_moving(&mut self, moment: &mut Moment) -> bool {
        let appended = self.watched.content.iter().all(|path| {
            match (self.mark.stamp(path), moment.of(path)) {
                (Some(before), Some(now)) => now.grew_from(&before),
                (before, now) => before.is_none() || now.is_some(),
            }
        });
        if appended {
            self.moving = None;
            return false;
        }
        let now = Mark::of(self.watched.content.iter().cloned(), moment);
        match &mut self.moving {
            None => {
                self.moving = Some((Instant::now(), now));
                true
            }
            Some((since, last)) => {
                let stands = last.agrees(moment, &self.watched.content);
                *last = now;
                let over = stands || since.elapsed() >= PATIENCE;
                if over {
                    self.moving = None;
                }
                !over
            }
        }
    }

    /// Reads the session. `anew` looks for it in all places, rather than where it was.
    fn read(&mut self, anew: bool) -> io::Result<Snapshot> {
        let mut last = None;
        for attempt in 0..ATTEMPTS {
            let taken = Instant::now();
            let before = Mark::of(self.watched.all(), &mut Moment::new());
            if let Some(head) = self.find(anew || attempt > 0) {
                self.head = head;
            } else {
                return Err(io::Error::new(io::ErrorKind::NotFound, "the session is gone"));
            }
            let discover = discover::of(self.head.harness).ok_or(io::ErrorKind::Unsupported)?;
            // Where it stands may have changed just now: the mark has to know its new files, as they were before.
            let watched = discover.watched(&self.head);
            let mut moment = Moment::new();
            let mut mark = Mark::of(watched.all(), &mut moment);
            // What was changed while it was looked for is looked at again.
            mark.take_from(&before);
            // A folder that came meanwhile may have got something when it had been looked through: the next look looks again.
            mark.doubt_new(watched.content.len(), &before);
            let opened = if self.alone {
                discover.followed(&self.head)
            } else {
                discover.open(&self.head).map(|opened: Opened| opened.thread(None))
            };
            let mut after = Moment::new();
            let stood =
                watched.content.iter().all(|path| match (mark.stamp(path), after.of(path)) {
                    (Some(before), Some(after)) => after.grew_from(&before),
                    (before, after) => before.is_none() && after.is_none(),
                });
            self.watched = watched;
            self.mark = mark;
            self.taken = taken;
            match opened {
                Ok(thread) if stood => return Ok(Snapshot { head: self.head.clone(), thread }),
                other => last = Some(other),
            }
        }
        // Written without a pause: what was read is as good as anything, and the next look reads it again.
        match last {
            Some(Ok(thread)) => Ok(Snapshot { head: self.head.clone(), thread }),
            Some(Err(e)) => Err(e),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn find(&self, anew: bool) -> Option<SessionHead> {
        let discover = discover::of(self.head.harness)?;
        if !anew && let Some(head) = discover.again(&self.head) {
            return Some(head);
        }
        let mut own = self.stores.clone();
        own.stores.retain(|store| store.harness == self.head.harness);
        own.with_id(&self.head.id).or_else(|| discover.again(&self.head))
    }
}

#[cfg(test)]
mod tests;
