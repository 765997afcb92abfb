//! One client: what it has said about itself, and the order of its requests.
//!
//! The requests of a client are answered one after the other, in the order in which they came. So an answer never
//! overtakes another, and a client that does not read its answers cannot ask for more: what waits for it stays small.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::value::RawValue;
use tokio::sync::{Mutex, Notify, Semaphore, broadcast, mpsc, watch};
use tokio::time::MissedTickBehavior;

use crate::edit;
use crate::live::{LOOK, News, Subscription, now_millis};
use crate::protocol::notification::{self, Notification};
use crate::protocol::params;
use crate::protocol::turn::Running;
use crate::rpc::{self, Error, Id, Incoming};
use crate::server::{Edited, Server};

/// How many lines may wait for a client that reads slowly.
const WAITING: usize = 2;

/// How many notices to all clients may wait for one that reads slowly, before the oldest are left out for it.
const NOTICES: usize = 1024;

/// A queue of lines for a client.
pub fn queue() -> (mpsc::Sender<Vec<u8>>, mpsc::Receiver<Vec<u8>>) {
    mpsc::channel(WAITING)
}

/// What all connections share.
#[derive(Debug, Clone)]
pub struct Shared {
    server: Arc<Server>,
    /// The number of the next connection.
    next: Arc<AtomicU64>,
    /// So many threads are read at a time.
    work: Arc<Semaphore>,
    /// Counts what clients may have to be told.
    news: watch::Sender<u64>,
    /// What all clients are told, whatever they follow, when one of them has archived a thread; with its number.
    notices: broadcast::Sender<(u64, Notification)>,
}

impl Shared {
    /// For a server, whose followed threads are looked at from now on. To be called within a runtime.
    pub fn new(server: Server) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Self {
            server: Arc::new(server),
            next: Arc::default(),
            work: Arc::new(Semaphore::new(cores)),
            news: watch::Sender::new(0),
            notices: broadcast::Sender::new(NOTICES),
        };
        tokio::spawn(shared.clone().look());
        shared
    }

    /// Looks at the files of the threads that clients follow, and reads those that have changed.
    async fn look(self) {
        let mut tick = tokio::time::interval(LOOK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            if self.server.live().ids().is_empty() {
                continue;
            }
            let server = Arc::clone(&self.server);
            let changed = tokio::task::spawn_blocking(move || server.live().changed()).await;
            for followed in changed.unwrap_or_default() {
                let shared = self.clone();
                // Beside each other: a large thread keeps no small one waiting.
                tokio::spawn(async move {
                    if shared.blocking(move |_| followed.read()).await.unwrap_or(false) {
                        shared.news.send_modify(|n| *n += 1);
                    }
                });
            }
        }
    }

    /// Does something that blocks, beside the thread that passes messages on.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Server) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = Arc::clone(&self.work).acquire_owned().await;
        let server = Arc::clone(&self.server);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&server)
        });
        done.await.map_err(|_| Error::internal("reading broke off; this is a fault of recount"))
    }
}

/// The threads that a client follows, and what it has been told of them.
#[derive(Debug, Default)]
struct Following {
    /// Held while a client is told: so nothing is told of a thread behind the answer to its `unsubscribe`.
    threads: Mutex<BTreeMap<String, Subscription>>,
    /// There is one more.
    more: Notify,
    /// What the client does not want to hear.
    unwanted: std::sync::OnceLock<Vec<String>>,
}

/// A client.
struct Connection {
    number: u64,
    shared: Shared,
    out: mpsc::Sender<Vec<u8>>,
    greeted: bool,
    following: Arc<Following>,
}

/// Serves a client until it has no more to say and everything is answered.
pub async fn run(shared: Shared, mut lines: mpsc::Receiver<Vec<u8>>, out: mpsc::Sender<Vec<u8>>) {
    let number = shared.next.fetch_add(1, Ordering::Relaxed);
    let following = Arc::new(Following::default());
    let telling = tokio::spawn(tell(number, shared.clone(), out.clone(), Arc::clone(&following)));
    let mut connection = Connection { number, shared, out, greeted: false, following };
    loop {
        let line = tokio::select! {
            line = lines.recv() => line,
            // Nobody takes the answers any more.
            () = connection.out.closed() => None,
        };
        match line {
            Some(line) if connection.message(&line).await.is_ok() => {}
            _ => break,
        }
    }
    telling.abort();
    connection.shared.server.live().forget(number);
}

/// The client is gone.
struct Gone;

/// Tells a client what is new in the threads that it follows, as fast as it can take it.
async fn tell(
    number: u64,
    shared: Shared,
    out: mpsc::Sender<Vec<u8>>,
    following: Arc<Following>,
) -> Result<(), Gone> {
    let mut news = shared.news.subscribe();
    let mut notices = shared.notices.subscribe();
    loop {
        news.mark_unchanged();
        let ids: Vec<String> = following.threads.lock().await.keys().cloned().collect();
        let mut behind = false;
        for id in ids {
            let mut threads = following.threads.lock().await;
            let Some(subscription) = threads.get_mut(&id) else { continue };
            match subscription.news() {
                News::Nothing => {}
                News::Gone => {
                    threads.remove(&id);
                    shared.server.live().end(&id, number);
                    send(&out, &following, notification::closed(&id)).await?;
                }
                News::Changed { from, to, snapshot } => {
                    let known = Arc::clone(&to);
                    let lines = tokio::task::spawn_blocking(move || {
                        let running = if to.is_running() { Running::Yes } else { Running::No };
                        let now = now_millis();
                        let changes = from.changes(&to, &snapshot.thread);
                        let of = |change| {
                            let (head, thread) = (&snapshot.head, &snapshot.thread);
                            notification::of_change(change, head, thread, running, now)
                        };
                        changes.iter().filter_map(of).collect::<Vec<_>>()
                    });
                    for notification in lines.await.unwrap_or_default() {
                        send(&out, &following, notification).await?;
                    }
                    subscription.told(number, known);
                    behind |= !matches!(subscription.news(), News::Nothing);
                }
            }
        }
        if !behind {
            tokio::select! {
                changed = news.changed() => if changed.is_err() { return Ok(()) },
                () = following.more.notified() => {}
                notice = notices.recv() => match notice {
                    // Who did it has heard it behind the answer; who has not said hello hears nothing.
                    Ok((by, notification)) if by != number && following.unwanted.get().is_some() => {
                        send(&out, &following, notification).await?;
                    }
                    Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return Ok(()),
                },
            }
        }
    }
}

async fn send(
    out: &mpsc::Sender<Vec<u8>>,
    following: &Following,
    notification: Notification,
) -> Result<(), Gone> {
    let unwanted = following.unwanted.get().into_iter().flatten();
    if unwanted.into_iter().any(|method| method == notification.method) {
        return Ok(());
    }
    out.send(notification.line).await.map_err(|_| Gone)
}

impl Connection {
    async fn send(&self, line: Vec<u8>) -> Result<(), Gone> {
        self.out.send(line).await.map_err(|_| Gone)
    }

    async fn message(&mut self, line: &[u8]) -> Result<(), Gone> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        match rpc::parse(line) {
            Ok(Incoming::Request { id, method, params }) => {
                match self.request(id.clone(), method, params).await {
                    Ok((answer, edited)) => {
                        self.send(answer).await?;
                        if let Some(notification) = edited.told {
                            // Nobody else may be there to hear it.
                            let _ = self.shared.notices.send((self.number, notification.clone()));
                            send(&self.out, &self.following, notification).await?;
                        }
                        let Some(subscription) = edited.subscription else { return Ok(()) };
                        // Behind the answer: what comes from now on is what the answer does not hold.
                        let mut threads = self.following.threads.lock().await;
                        threads.insert(subscription.id.clone(), subscription);
                        self.following.more.notify_one();
                        Ok(())
                    }
                    Err(error) => self.send(rpc::refusal(Some(&id), &error)).await,
                }
            }
            // `initialized` is the only one there is; nothing depends on it.
            Ok(Incoming::Notification { .. } | Incoming::Answer) => Ok(()),
            Err((id, error)) => self.send(rpc::refusal(id.as_ref(), &error)).await,
        }
    }

    /// The answer to a request, and what follows from it.
    async fn request(
        &mut self,
        id: Id,
        method: String,
        raw: Box<RawValue>,
    ) -> Result<(Vec<u8>, Edited), Error> {
        if method == "initialize" {
            return self.initialize(&id, &method, &raw).map(|answer| (answer, Edited::default()));
        }
        if !self.greeted {
            return Err(Error::invalid_request("Not initialized"));
        }
        let number = self.number;
        match method.as_str() {
            "thread/resume" => {
                let params: params::ThreadResume = rpc::params(&method, &raw)?;
                // Whoever resumes a thread twice gets it twice, and is told its changes once.
                let before = self.following.threads.lock().await.remove(&params.thread_id);
                let work = self.shared.blocking(move |server| {
                    let mut subscription = None;
                    let answer = rpc::answer(&id, |out| {
                        subscription = Some(server.resume(number, &params, out)?);
                        Ok(())
                    });
                    (answer, subscription)
                });
                let (answer, subscription) = work.await?;
                // When it failed, all stays as it was.
                Ok((answer, Edited { subscription: subscription.or(before), told: None }))
            }
            edit if edit::METHODS.contains(&edit) => {
                let work = self.shared.blocking(move |server| {
                    let mut edited = Edited::default();
                    let answer = rpc::answer(&id, |out| {
                        edited = server.edit(number, &method, &raw, out)?;
                        Ok(())
                    });
                    (answer, edited)
                });
                work.await
            }
            "thread/unsubscribe" => {
                let params: params::ThreadOnly = rpc::params(&method, &raw)?;
                let mut threads = self.following.threads.lock().await;
                threads.remove(&params.thread_id);
                let server = &self.shared.server;
                let answer = rpc::answer(&id, |out| {
                    server.unsubscribe(number, &params.thread_id, out);
                    Ok(())
                });
                Ok((answer, Edited::default()))
            }
            _ => {
                let work = self.shared.blocking(move |server| {
                    rpc::answer(&id, |out| server.read(&method, &raw, out))
                });
                Ok((work.await?, Edited::default()))
            }
        }
    }

    fn initialize(&mut self, id: &Id, method: &str, raw: &RawValue) -> Result<Vec<u8>, Error> {
        if self.greeted {
            return Err(Error::invalid_request("Already initialized"));
        }
        let params: params::Initialize = rpc::params(method, raw)?;
        let answer = rpc::answer(id, |out| {
            self.shared.server.initialize(&params, out);
            Ok(())
        });
        self.greeted = true;
        let unwanted = params.capabilities.and_then(|c| c.opt_out_notification_methods);
        // Set once, because nobody is greeted twice.
        let _ = self.following.unwanted.set(unwanted.unwrap_or_default());
        Ok(answer)
    }
}
