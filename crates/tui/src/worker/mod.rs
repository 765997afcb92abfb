//! Listing, opening, following and looking for words on other threads: the screen never waits for a disk.
//!
//! - `seek`: through the index
//! - `bill`: what a session cost

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use recount_formats::Harness;
use recount_index::search;
use recount_session::history::thread::{Follower, Mapped, images};
use recount_session::model::{Responses, Thread};
use recount_store::discover::{self, Opened};
use recount_store::tail::{Poll, Tail};
use recount_store::{SessionHead, Stores};

use crate::conversation::{Info, Loaded};
use crate::picture::Picture;
use crate::update::Message;

pub mod bill;
pub mod seek;

use bill::Prices;
use seek::Sources;

/// How often the open session's files are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// Reading a session that grows takes at most this part of a core.
const SHARE: u32 = 4;

enum Request {
    Open { ticket: u64, session: Result<Box<SessionHead>, String>, leaf: Option<String> },
    Follow(bool),
}

/// The threads that read.
#[derive(Debug)]
pub struct Workers {
    stores: Stores,
    requests: Sender<Request>,
    queries: Sender<String>,
    messages: Sender<Message>,
}

impl Workers {
    /// Starts them. What they find comes out of the receiver.
    pub fn start(stores: Stores, sources: Sources, prices: Prices) -> (Self, Receiver<Message>) {
        let (messages, out) = channel();
        let (requests, taken) = channel();
        let (queries, asked) = channel();
        let (reader, sender) = (stores.clone(), messages.clone());
        std::thread::spawn(move || {
            Reader { stores: &reader, messages: &sender, prices: &prices }.run(&taken);
        });
        let (seeker, sender) = (stores.clone(), messages.clone());
        std::thread::spawn(move || seek::seek(&seeker, &sources, &asked, &sender));
        (Self { stores, requests, queries, messages }, out)
    }

    /// Lists the sessions.
    pub fn list(&self) {
        let (stores, messages) = (self.stores.clone(), self.messages.clone());
        std::thread::spawn(move || {
            // Nobody listens any more once the program ends.
            let _ = messages.send(Message::Listed(stores.list().0));
        });
    }

    /// Hands over what the index remembers of the sessions, if it is faster than listing them.
    pub fn remember(&self, cache: PathBuf) {
        let (stores, messages) = (self.stores.clone(), self.messages.clone());
        std::thread::spawn(move || {
            let sessions = search::remembered(&cache, &stores.stores);
            let mut heads: Vec<SessionHead> = sessions.into_iter().filter_map(head).collect();
            heads.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
            if !heads.is_empty() {
                let _ = messages.send(Message::Remembered(heads));
            }
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

    /// Reads a picture.
    pub fn picture(&self, ticket: u64, place: PicturePlace) {
        let messages = self.messages.clone();
        std::thread::spawn(move || {
            let read = catch_unwind(AssertUnwindSafe(|| place.read()))
                .unwrap_or_else(|_| Err("this picture cannot be read".to_owned()));
            let _ = messages.send(Message::Pictured(ticket, read.map(Box::new)));
        });
    }

    /// Looks for the sessions that hold words.
    pub fn seek(&self, query: String) {
        let _ = self.queries.send(query);
    }
}

/// Where a picture is.
#[derive(Debug)]
pub struct PicturePlace {
    /// The session.
    pub head: Box<SessionHead>,
    /// The branch.
    pub leaf: Option<String>,
    /// The item that it belongs to.
    pub item: String,
    /// Which of its pictures it is, from 0.
    pub number: usize,
}

impl PicturePlace {
    /// Reads the picture anew: a screen keeps none.
    pub fn read(&self) -> Result<Picture, String> {
        let thread = read(&self.head, self.leaf.as_deref())?;
        let found = thread
            .items()
            .filter(|item| item.id == self.item)
            .find_map(|item| images(&item.kind).into_iter().nth(self.number));
        Picture::of_address(&found.ok_or("this picture is gone")?)
    }
}

struct Reader<'a> {
    stores: &'a Stores,
    messages: &'a Sender<Message>,
    prices: &'a Prices,
}

/// The session that is open, while it may grow.
struct Watched {
    ticket: u64,
    tail: Tail,
    next: Instant,
}

impl Reader<'_> {
    fn run(&self, requests: &Receiver<Request>) {
        let mut watched: Option<Watched> = None;
        let mut on = false;
        loop {
            let request = match requests.recv_timeout(LOOK) {
                Ok(request) => request,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    if on && let Some(watched) = &mut watched {
                        self.look(watched);
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
                    watched = None;
                    if leaf.is_none()
                        && let Ok(head) = &session
                        && let Ok(Some(first)) = catch_unwind(|| first(head))
                    {
                        let _ = self.messages.send(Message::First(ticket, Box::new(first)));
                    }
                    // What no reader of sessions should do is told, and the screen goes on.
                    let open = || self.open(session, leaf);
                    let done = catch_unwind(AssertUnwindSafe(open))
                        .unwrap_or_else(|_| Err("this session cannot be read".to_owned()));
                    match done {
                        Ok((loaded, bill, tail)) => {
                            let harness = loaded.info.harness;
                            let _ = self.messages.send(Message::Opened(ticket, Box::new(loaded)));
                            watched =
                                tail.map(|tail| Watched { ticket, tail, next: Instant::now() });
                            self.bill(ticket, harness, bill);
                        }
                        Err(why) => {
                            let _ = self.messages.send(Message::Failed(ticket, why));
                        }
                    }
                }
            }
            on = follow.unwrap_or(on);
        }
    }

    fn open(
        &self,
        session: Result<Box<SessionHead>, String>,
        leaf: Option<String>,
    ) -> Result<(Loaded<Follower>, Responses, Option<Tail>), String> {
        let head = session.map(|head| *head).or_else(|id| {
            self.stores.find(&id).map_err(|_| format!("no session `{id}` in these stores"))
        })?;
        // Where the session goes on is somewhere else than on a branch.
        if leaf.is_some() {
            return load(&head, leaf).map(|(loaded, responses)| (loaded, responses, None));
        }
        let path = head.path.clone();
        let (tail, mut snapshot) =
            Tail::open(self.stores, head).map_err(|e| format!("{}: {e}", path.display()))?;
        let responses = std::mem::take(&mut snapshot.thread.responses);
        Ok((loaded(&snapshot.head, None, &snapshot.thread, following), responses, Some(tail)))
    }

    /// Hands the session over as it is now, when it has changed.
    fn look(&self, watched: &mut Watched) {
        let begun = Instant::now();
        if begun < watched.next {
            return;
        }
        // What cannot be read now is looked at again next time.
        let polled = catch_unwind(AssertUnwindSafe(|| watched.tail.poll()));
        if let Ok(Ok(Poll::Changed(mut snapshot))) = polled {
            let responses = std::mem::take(&mut snapshot.thread.responses);
            let harness = snapshot.thread.harness;
            let loaded = loaded(&snapshot.head, None, &snapshot.thread, Mapped::of);
            let _ = self.messages.send(Message::Grown(watched.ticket, Box::new(loaded)));
            self.bill(watched.ticket, harness, responses);
        }
        watched.next = Instant::now() + begun.elapsed() * SHARE;
    }

    /// Says what responses cost, when that is known.
    fn bill(&self, ticket: u64, harness: Harness, responses: Responses) {
        let (prices, messages) = (self.prices.clone(), self.messages.clone());
        std::thread::spawn(move || {
            let bill = prices.bill(harness, &responses);
            let _ = messages.send(Message::Billed(ticket, bill));
        });
    }
}

fn read(head: &SessionHead, leaf: Option<&str>) -> Result<Thread, String> {
    let discover = discover::of(head.harness).ok_or("its harness is not read")?;
    let opened = discover.open(head).map_err(|e| format!("{}: {e}", head.path.display()))?;
    Ok(opened.thread(leaf))
}

/// The newest turns of a large session, from the end of its file alone: something to look at until all of it is read. How they
/// are numbered, and what is known about the whole, is not to be had from there.
fn first(head: &SessionHead) -> Option<Loaded<Follower>> {
    /// A smaller file is read whole as fast.
    const LARGE: u64 = 8 << 20;
    /// So much of its end is read.
    const END: usize = 512 << 10;
    let discover = discover::of(head.harness).filter(|d| d.keeps_files())?;
    let plain = head.path.extension().is_some_and(|e| e == "jsonl");
    (plain && head.size >= LARGE).then_some(())?;
    newest(head, discover.open(head).ok()?, END)
}

/// The turns that begin in the last bytes of a session. None where that is less than a turn.
pub(crate) fn newest(head: &SessionHead, opened: Opened, bytes: usize) -> Option<Loaded<Follower>> {
    let from = opened.bytes.len().saturating_sub(bytes);
    let line = opened.bytes.get(from..)?.iter().position(|b| *b == b'\n')? + 1;
    let opened = Opened { bytes: opened.bytes.get(from + line..)?.to_vec(), ..opened };
    let mut thread = opened.thread(None);
    // Its first turn may have begun before.
    if thread.turns.len() < 2 {
        return None;
    }
    thread.turns.remove(0);
    thread.title.clone_from(&head.title);
    Some(loaded(head, None, &thread, following))
}

/// Reads a session, or one branch of it; and the responses that it has to pay for.
pub fn load(
    head: &SessionHead,
    leaf: Option<String>,
) -> Result<(Loaded<Follower>, Responses), String> {
    let mut thread = read(head, leaf.as_deref())?;
    let responses = std::mem::take(&mut thread.responses);
    Ok((loaded(head, leaf, &thread, following), responses))
}

/// Reads a session that is open already.
pub fn again(head: &SessionHead) -> Result<Loaded<Mapped>, String> {
    Ok(loaded(head, None, &read(head, None)?, Mapped::of))
}

fn following(thread: &Thread) -> Follower {
    let mut follower = Follower::new();
    follower.update(thread);
    follower
}

fn loaded<R>(
    head: &SessionHead,
    leaf: Option<String>,
    thread: &Thread,
    records: impl FnOnce(&Thread) -> R,
) -> Loaded<R> {
    Loaded { head: head.clone(), leaf, info: Info::of(thread), records: records(thread) }
}

/// What a list shows of a session that the index remembers.
fn head(session: search::Session) -> Option<SessionHead> {
    let harness = Harness::from_id(&session.harness)?;
    let mut head = SessionHead::new(harness, session.id, session.path.into(), PathBuf::new());
    head.title = session.title;
    head.cwd = session.cwd;
    head.created_at = session.created_at;
    head.updated_at = session.updated_at;
    head.model = session.model;
    head.is_subagent = session.is_subagent;
    head.archived = session.archived;
    Some(head)
}
