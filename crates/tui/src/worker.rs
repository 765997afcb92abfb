//! Listing, opening and following on other threads: the screen never waits for a disk.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use recount_session::history::thread::Mapped;
use recount_session::model::Thread;
use recount_store::tail::{Poll, Tail};
use recount_store::{SessionHead, Stores, discover};

use crate::conversation::{Info, Loaded};
use crate::update::Message;

/// How often the open session's files are looked at.
const LOOK: Duration = Duration::from_millis(400);

enum Request {
    Open { ticket: u64, session: Result<Box<SessionHead>, String>, leaf: Option<String> },
    Follow(bool),
}

/// The threads that read.
#[derive(Debug)]
pub struct Workers {
    stores: Stores,
    requests: Sender<Request>,
    messages: Sender<Message>,
}

impl Workers {
    /// Starts them. What they find comes out of the receiver.
    pub fn start(stores: Stores) -> (Self, Receiver<Message>) {
        let (messages, out) = channel();
        let (requests, taken) = channel();
        let (reader, sender) = (stores.clone(), messages.clone());
        std::thread::spawn(move || read(&reader, &taken, &sender));
        (Self { stores, requests, messages }, out)
    }

    /// Lists the sessions.
    pub fn list(&self) {
        let (stores, messages) = (self.stores.clone(), self.messages.clone());
        std::thread::spawn(move || {
            // Nobody listens any more once the program ends.
            let _ = messages.send(Message::Listed(stores.list().0));
        });
    }

    /// Opens a session.
    pub fn open(
        &self,
        ticket: u64,
        session: Result<Box<SessionHead>, String>,
        leaf: Option<String>,
    ) {
        let _ = self.requests.send(Request::Open { ticket, session, leaf });
    }

    /// Looks whether the open session grows, or no longer.
    pub fn follow(&self, on: bool) {
        let _ = self.requests.send(Request::Follow(on));
    }
}

fn read(stores: &Stores, requests: &Receiver<Request>, messages: &Sender<Message>) {
    let mut watched: Option<(u64, Tail)> = None;
    let mut on = false;
    loop {
        let request = match requests.recv_timeout(LOOK) {
            Ok(request) => request,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if on && let Some((ticket, tail)) = &mut watched {
                    look(*ticket, tail, messages);
                }
                continue;
            }
        };
        // Whoever goes through a list fast wants to see the last one.
        let mut newest = request;
        let mut follow = None;
        for next in requests.try_iter() {
            match (&newest, next) {
                (Request::Open { .. }, Request::Follow(to)) => follow = Some(to),
                (_, next) => newest = next,
            }
        }
        match newest {
            Request::Follow(to) => on = to,
            Request::Open { ticket, session, leaf } => {
                let session = session.map(|head| *head).or_else(|id| {
                    stores.find(&id).map_err(|_| format!("no session `{id}` in these stores"))
                });
                watched = None;
                let done = session.and_then(|head| {
                    // Where the session goes on is somewhere else than on a branch.
                    if leaf.is_some() {
                        return load(&head, leaf);
                    }
                    let path = head.path.clone();
                    let (tail, snapshot) =
                        Tail::open(stores, head).map_err(|e| format!("{}: {e}", path.display()))?;
                    watched = Some((ticket, tail));
                    Ok(loaded(&snapshot.head, None, &snapshot.thread))
                });
                let message = match done {
                    Ok(loaded) => Message::Opened(ticket, Box::new(loaded)),
                    Err(why) => Message::Failed(ticket, why),
                };
                if messages.send(message).is_err() {
                    return;
                }
            }
        }
        on = follow.unwrap_or(on);
    }
}

/// Hands the session over as it is now, when it has changed.
fn look(ticket: u64, tail: &mut Tail, messages: &Sender<Message>) {
    // What cannot be read now is looked at again next time.
    if let Ok(Poll::Changed(snapshot)) = tail.poll() {
        let loaded = loaded(&snapshot.head, None, &snapshot.thread);
        let _ = messages.send(Message::Grown(ticket, Box::new(loaded)));
    }
}

/// Reads a session, or one branch of it.
pub fn load(head: &SessionHead, leaf: Option<String>) -> Result<Loaded, String> {
    let discover = discover::of(head.harness).ok_or("its harness is not read")?;
    let opened = discover.open(head).map_err(|e| format!("{}: {e}", head.path.display()))?;
    let thread = opened.thread(leaf.as_deref());
    Ok(loaded(head, leaf, &thread))
}

fn loaded(head: &SessionHead, leaf: Option<String>, thread: &Thread) -> Loaded {
    let (info, mapped) = (Info::of(thread), Mapped::of(thread));
    Loaded { head: head.clone(), leaf, info, mapped }
}
