//! What changes, for those who look: one look at the files, however many they are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use recount_store::tail::{Moment, Poll, Tail};
use tokio::sync::watch;

use super::Site;
use super::refusal::Refusal;
use super::shelf::{Volume, lock};

/// How often the files of a session are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How often all sessions are listed for those who look at the list.
const LIST: Duration = Duration::from_secs(2);

/// A session as it is, or that it is gone.
type State = Option<Arc<Volume>>;

/// Who follows what.
#[derive(Debug, Default)]
pub(super) struct Follows {
    sessions: Mutex<HashMap<String, Weak<watch::Sender<State>>>>,
    list: Mutex<Option<Weak<watch::Sender<u64>>>>,
}

/// A session that somebody follows.
#[derive(Debug)]
pub(super) struct Followed {
    states: watch::Receiver<State>,
    /// What was told last.
    pub(super) seen: Arc<Volume>,
    gone: bool,
}

/// What has happened.
#[derive(Debug)]
pub(super) enum News {
    /// It is so now.
    Changed(Arc<Volume>),
    /// It is nowhere any more.
    Gone,
}

impl Followed {
    /// What happens next; nothing when nothing will. Who is slow is told of the last state only.
    pub(super) async fn next(&mut self) -> Option<News> {
        loop {
            if self.gone {
                return None;
            }
            self.states.changed().await.ok()?;
            let state = self.states.borrow_and_update().clone();
            match state {
                None => {
                    self.gone = true;
                    return Some(News::Gone);
                }
                Some(now) if Arc::ptr_eq(&now, &self.seen) => {}
                Some(now) => {
                    self.seen = Arc::clone(&now);
                    return Some(News::Changed(now));
                }
            }
        }
    }
}

impl Site {
    /// Follows a session from here on.
    pub(super) async fn follow(self: &Arc<Self>, id: &str) -> Result<Followed, Refusal> {
        if let Some(followed) = self.follows.join(id) {
            return Ok(followed);
        }
        let name = id.to_owned();
        let opened = self.work(move |site| {
            let head = site.stores.with_id(&name);
            let head = head.ok_or_else(|| Refusal::missing(format!("no session `{name}`")))?;
            let (tail, snapshot) = Tail::open(&site.stores, head)
                .map_err(|e| Refusal::internal(format!("{name}: {e}")))?;
            let volume = site.shelf.put(snapshot, tail.identity());
            Ok((tail, volume))
        });
        let (tail, seen) = opened.await?;
        let (sender, states) = watch::channel(Some(Arc::clone(&seen)));
        let sender = Arc::new(sender);
        // Two may have come at the same time: then there are two looks, and no harm.
        let mut sessions = lock(&self.follows.sessions);
        sessions.retain(|_, other| other.strong_count() > 0);
        sessions.insert(id.to_owned(), Arc::downgrade(&sender));
        drop(sessions);
        tokio::spawn(look(Arc::clone(self), tail, sender));
        Ok(Followed { states, seen, gone: false })
    }

    /// Changes whenever the list of sessions does.
    pub(super) fn watch_list(self: &Arc<Self>) -> watch::Receiver<u64> {
        let mut list = lock(&self.follows.list);
        if let Some(sender) = list.as_ref().and_then(Weak::upgrade) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(0);
        let sender = Arc::new(sender);
        *list = Some(Arc::downgrade(&sender));
        tokio::spawn(look_at_list(Arc::clone(self), sender));
        receiver
    }
}

impl Follows {
    fn join(&self, id: &str) -> Option<Followed> {
        let sessions = lock(&self.sessions);
        let sender = sessions.get(id)?.upgrade()?;
        let states = sender.subscribe();
        let seen = states.borrow().clone()?;
        Some(Followed { states, seen, gone: false })
    }
}

/// Looks at a session as long as somebody follows it.
async fn look(site: Arc<Site>, tail: Tail, sender: Arc<watch::Sender<State>>) {
    let mut tail = Some(tail);
    let mut pause = LOOK;
    loop {
        tokio::time::sleep(pause).await;
        {
            // Nobody joins while this is held.
            let mut sessions = lock(&site.follows.sessions);
            if sender.receiver_count() == 0 {
                sessions.retain(|_, other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(&sender)));
                return;
            }
        }
        let Some(mut own) = tail.take() else { return };
        let begun = Instant::now();
        let looked = site.work(move |site| {
            let poll =
                if own.has_changed(&mut Moment::new()) { own.poll() } else { Ok(Poll::Quiet) };
            let state = match poll {
                // What cannot be read now may be readable the next time.
                Ok(Poll::Quiet) | Err(_) => None,
                Ok(Poll::Gone) => Some(None),
                Ok(Poll::Changed(snapshot)) => {
                    Some(Some(site.shelf.put(*snapshot, own.identity())))
                }
            };
            Ok((own, state))
        });
        let Ok((own, state)) = looked.await else { return };
        tail = Some(own);
        // A large session that is written without a pause is not read without a pause.
        pause = LOOK.max(begun.elapsed());
        if let Some(state) = state {
            let gone = state.is_none();
            sender.send_replace(state);
            if gone {
                return;
            }
        }
    }
}

async fn look_at_list(site: Arc<Site>, sender: Arc<watch::Sender<u64>>) {
    let mut last = None;
    loop {
        {
            let _list = lock(&site.follows.list);
            if sender.receiver_count() == 0 {
                return;
            }
        }
        let begun = Instant::now();
        // What was read or counted meanwhile is news, too.
        let mark = site.work(|site| {
            let known = site.finder.known().map(|known| Arc::as_ptr(&known) as usize);
            let counted = site.counts.latest().map(|scan| Arc::as_ptr(&scan) as usize);
            Ok((site.lists.mark(), known, counted))
        });
        let mark = mark.await.ok();
        if last.is_some() && last != Some(mark) {
            sender.send_modify(|version| *version += 1);
        }
        last = Some(mark);
        tokio::time::sleep(LIST.max(begun.elapsed() * 10)).await;
    }
}
