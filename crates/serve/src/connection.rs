//! One client: what it has said about itself, and the order of its requests.
//!
//! The requests of a client are answered one after the other, in the order in which they came. So an answer never
//! overtakes another, and a client that does not read its answers cannot ask for more: what waits for it stays small.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Semaphore, mpsc};

use crate::protocol::params;
use crate::rpc::{self, Error, Id, Incoming};
use crate::server::Server;

/// How many lines may wait for a client that reads slowly.
const WAITING: usize = 2;

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
}

impl Shared {
    /// For a server.
    pub fn new(server: Server) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            server: Arc::new(server),
            next: Arc::default(),
            work: Arc::new(Semaphore::new(cores)),
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

/// A client.
struct Connection {
    number: u64,
    shared: Shared,
    out: mpsc::Sender<Vec<u8>>,
    /// What it has said about itself: nothing before `initialize`.
    client: Option<params::Capabilities>,
}

/// Serves a client until it has no more to say and everything is answered.
pub async fn run(shared: Shared, mut lines: mpsc::Receiver<Vec<u8>>, out: mpsc::Sender<Vec<u8>>) {
    let number = shared.next.fetch_add(1, Ordering::Relaxed);
    let mut connection = Connection { number, shared, out, client: None };
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
    connection.shared.server.forget(number);
}

/// The client is gone.
struct Gone;

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
                let answer = self.request(id, method, params).await;
                self.send(answer).await
            }
            // `initialized` is the only one there is; nothing depends on it.
            Ok(Incoming::Notification { .. } | Incoming::Answer) => Ok(()),
            Err((id, error)) => self.send(rpc::refusal(id.as_ref(), &error)).await,
        }
    }

    async fn request(
        &mut self,
        id: Id,
        method: String,
        raw: Box<serde_json::value::RawValue>,
    ) -> Vec<u8> {
        let refuse = |error: Error| rpc::refusal(Some(&id), &error);
        if method == "initialize" {
            if self.client.is_some() {
                return refuse(Error::invalid_request("Already initialized"));
            }
            let params: params::Initialize = match rpc::params(&method, &raw) {
                Ok(params) => params,
                Err(error) => return refuse(error),
            };
            let answer = rpc::answer(&id, |out| {
                self.shared.server.initialize(&params, out);
                Ok(())
            });
            self.client = Some(params.capabilities.unwrap_or_default());
            return answer;
        }
        if self.client.is_none() {
            return refuse(Error::invalid_request("Not initialized"));
        }
        let (own, number) = (id.clone(), self.number);
        let answer = self.shared.blocking(move |server| {
            rpc::answer(&own, |out| match method.as_str() {
                "thread/resume" | "thread/unsubscribe" | "thread/loaded/list" => {
                    server.follow(number, &method, &raw, out)
                }
                _ => server.read(&method, &raw, out),
            })
        });
        let answer = answer.await;
        answer.unwrap_or_else(refuse)
    }
}
