//! `recount follow`: what is written in sessions while they run.
//!
//! - [`watch`]: which sessions were written to
//! - [`tell`]: what is told of a change, to people and to programs

mod tell;
mod watch;

use std::io;
use std::time::{Duration, SystemTime};

use recount_session::model::ThreadStatus;
use recount_store::tail::{Known, Poll, Snapshot, Tail};
use recount_store::{SessionHead, Stores, discover};

use crate::args::{Follow, Global};
use crate::error::{Error, find_error};
use tell::Teller;
use watch::{Event, Watch};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_millis(50);
/// So many items are shown at the beginning.
const LAST: usize = 5;
/// A turn without an end runs if something was written so recently.
const RECENT: Duration = Duration::from_mins(10);
/// A session in which nothing happens is not followed closely any more; it is again when it is written to.
const IDLE: Duration = Duration::from_mins(30);

pub(super) fn run(global: &Global, args: &Follow) -> Result<(), Error> {
    let stores = super::stores(global);
    let mut teller = Teller::new(global, args);
    if args.all {
        return all(&stores, &mut teller);
    }
    let head = if let Some(id) = &args.id {
        stores.find(id).map_err(|e| find_error(global, id, e))?
    } else {
        let (sessions, _) = stores.list();
        let newest = sessions.into_iter().find(|s| !s.is_subagent && !s.archived);
        newest.ok_or_else(|| super::no_sessions(&stores, global))?
    };
    one(&stores, head, args, &mut teller)
}

fn one(
    stores: &Stores,
    head: SessionHead,
    args: &Follow,
    teller: &mut Teller,
) -> Result<(), Error> {
    let path = head.path.display().to_string();
    let failed = |e: io::Error| Error::Input(format!("{path}: {e}"));
    let (tail, snapshot) = Tail::open(stores, head).map_err(failed)?;
    let mut followed = Followed::new(tail, &snapshot);
    let programs = teller.is_for_programs();
    let last = args.last.unwrap_or(if programs { 0 } else { LAST });
    teller.begin(&snapshot, last)?;
    loop {
        std::thread::sleep(LOOK);
        match followed.tail.poll() {
            Ok(Poll::Quiet) => {}
            Ok(Poll::Changed(snapshot)) => followed.tell(&snapshot, teller)?,
            Ok(Poll::Gone) => {
                teller.gone(followed.tail.head())?;
                return Ok(());
            }
            Err(e) => return Err(failed(e)),
        }
    }
}

fn all(stores: &Stores, teller: &mut Teller) -> Result<(), Error> {
    let mut watch = Watch::new(stores);
    // Those that run now are read now, so that what comes first is told as a change.
    let mut followed: Vec<Followed> = Vec::new();
    for head in watch.recent(IDLE) {
        if followed.iter().all(|other| !other.is_at(&head))
            && let Ok((tail, snapshot)) = Tail::open(stores, head)
        {
            followed.push(Followed::new(tail, &snapshot));
        }
    }
    loop {
        std::thread::sleep(LOOK);
        for (head, event) in watch.changed() {
            let other = followed.iter().find(|other| other.is_of(&head));
            // One that goes to another file is followed there.
            if other.is_some_and(|other| other.is_at(&head) || !other.tail.head().path.exists()) {
                continue;
            }
            let told = other.map(|other| other.known.clone());
            let Ok((tail, snapshot)) = Tail::open(stores, head) else { continue };
            let mut new = Followed::new(tail, &snapshot);
            match (told, event) {
                // In two files at once: what was told of it is not told again.
                (Some(told), _) => new.known = told,
                (None, Event::Moved) => {}
                (None, Event::New) => {
                    new.known = Known::default();
                    teller.session(&snapshot)?;
                }
                (None, Event::Written) => new.known = before(&snapshot),
            }
            new.tell(&snapshot, teller)?;
            followed.push(new);
        }
        let mut n = 0;
        while n < followed.len() {
            let is_over = match followed[n].tail.poll() {
                // The other one, which is at the same place now, has told it.
                _ if followed[..n].iter().any(|other| other.is_at(followed[n].tail.head())) => true,
                Ok(Poll::Changed(snapshot)) => {
                    followed[n].tell(&snapshot, teller)?;
                    false
                }
                Ok(Poll::Gone) => {
                    let head = followed[n].tail.head();
                    let elsewhere = followed.iter().filter(|other| other.is_of(head)).count() > 1;
                    if !elsewhere {
                        teller.gone(head)?;
                    }
                    true
                }
                // What cannot be read now is looked at again when it has changed.
                Err(_) => true,
                Ok(Poll::Quiet) => followed[n].is_idle(),
            };
            if is_over {
                followed.remove(n);
            } else {
                n += 1;
            }
        }
    }
}

/// What was known of a session that nobody looked at before it was written to: all but its last turn.
fn before(snapshot: &Snapshot) -> Known {
    let mut thread = snapshot.thread.clone();
    thread.turns.pop();
    Known::of(&thread, false, |_| true)
}

/// A session that is followed.
struct Followed {
    tail: Tail,
    known: Known,
    changed: SystemTime,
}

impl Followed {
    fn new(tail: Tail, snapshot: &Snapshot) -> Self {
        let known = Known::of(&snapshot.thread, runs(snapshot), |_| true);
        Self { tail, known, changed: SystemTime::now() }
    }

    fn tell(&mut self, snapshot: &Snapshot, teller: &mut Teller) -> Result<(), Error> {
        let now = Known::of(&snapshot.thread, runs(snapshot), |_| true);
        teller.changes(snapshot, &self.known.changes(&now, &snapshot.thread))?;
        self.known = now;
        self.changed = SystemTime::now();
        Ok(())
    }

    /// Whether it is this session, in whatever file.
    fn is_of(&self, head: &SessionHead) -> bool {
        let own = self.tail.head();
        own.harness == head.harness && own.id == head.id
    }

    /// Whether it is this session in this file.
    fn is_at(&self, head: &SessionHead) -> bool {
        self.is_of(head) && self.tail.head().path == head.path
    }

    fn is_idle(&self) -> bool {
        self.changed.elapsed().is_ok_and(|since| since > IDLE)
    }
}

/// Whether the last turn runs if it has no end.
fn runs(snapshot: &Snapshot) -> bool {
    let written = std::fs::metadata(&snapshot.head.path).and_then(|meta| meta.modified());
    snapshot.thread.status == ThreadStatus::Open
        && written.is_ok_and(|at| at.elapsed().is_ok_and(|since| since < RECENT))
}

/// The sessions in a file.
fn sessions_at(harness: recount_formats::Harness, path: &std::path::Path) -> Vec<SessionHead> {
    let Some(discover) = discover::of(harness) else { return Vec::new() };
    if discover.keeps_files() {
        discover.at_path(path).into_iter().collect()
    } else {
        discover.all_at_path(path)
    }
}
