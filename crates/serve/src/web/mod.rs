//! The page in the browser, and the JSON API that it uses.
//!
//! - [`guard`]: who is let in, and the headers of every answer
//! - [`route`]: every address
//! - [`api`]: answers as JSON and as events
//! - [`page`]: pages, readable without scripts
//! - [`assets`]: what pages load, which is part of the program
//! - [`shelf`]: threads that were read last
//! - [`list`], [`count`], [`find`], [`follow`]: all sessions, their usage, their words, their changes
//! - [`refusal`](mod@refusal), `openapi`: errors; the API as a document
//!
//! Answers come from the same code as the commands' output. One thread passes messages on; whatever reads files runs
//! beside it, a few at a time.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use recount_index::cost::Rates;
use recount_store::Stores;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub mod api;
mod assets;
mod count;
mod find;
mod follow;
mod guard;
mod list;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod page;
mod query;
pub mod refusal;
pub mod route;
mod shelf;

use count::Counts;
use find::Finder;
use follow::Follows;
use list::Lists;
use refusal::Refusal;
use shelf::Shelf;

/// So many requests read files at the same time; more wait. Each can hold a whole session in memory.
const WORKERS: usize = 4;
/// How long answers under way may take when the program ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is served, and with what help.
#[derive(Debug, Clone)]
pub struct Options {
    /// The stores.
    pub stores: Stores,
    /// Where caches are kept; a folder for this run alone where there are to be none.
    pub cache: PathBuf,
    /// Prices that the person set, by model.
    pub prices: BTreeMap<String, Rates>,
}

/// Everything that requests share.
#[derive(Debug)]
pub struct Site {
    stores: Stores,
    token: String,
    port: u16,
    shelf: Shelf,
    lists: Lists,
    counts: Counts,
    finder: Finder,
    follows: Follows,
    /// Findings that were read.
    read: api::findings::Read,
    room: Semaphore,
}

impl Site {
    /// A site on a port of this machine, for whoever has the token.
    pub fn new(options: Options, port: u16, token: &str) -> Arc<Self> {
        let stores = options.stores;
        Arc::new(Self {
            token: token.to_owned(),
            port,
            shelf: Shelf::new(stores.clone()),
            lists: Lists::new(stores.clone()),
            counts: Counts::new(stores.clone(), options.cache.clone(), options.prices),
            finder: Finder::new(stores.clone(), options.cache),
            follows: Follows::default(),
            read: api::findings::Read::default(),
            room: Semaphore::new(WORKERS),
            stores,
        })
    }

    /// Runs what reads files beside the messages.
    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let site = Arc::clone(self);
        let Ok(_permit) = self.room.acquire().await else {
            return Err(Refusal::internal("the server ends"));
        };
        let done = tokio::task::spawn_blocking(move || work(&site)).await;
        done.unwrap_or_else(|_| Err(Refusal::internal("this could not be answered")))
    }
}

/// The service: all addresses behind the guard.
pub fn app(site: &Arc<Site>) -> Router {
    let mut router = Router::new();
    for route in route::ALL {
        router = router.route(route.path, (route.handler)());
    }
    router
        .fallback(page::nowhere)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(site), guard::guard))
        .with_state(Arc::clone(site))
}

/// A new token: nobody can guess it.
///
/// # Errors
///
/// When the system has no random bytes.
pub fn token() -> io::Result<String> {
    use std::fmt::Write as _;
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Serves on this machine until it is interrupted. `ready` hears the address, which holds the token.
///
/// # Errors
///
/// When the port is taken, and when the system refuses to serve.
pub fn serve(options: Options, port: u16, ready: impl FnOnce(&str)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        let port = listener.local_addr()?.port();
        let token = token()?;
        let site = Site::new(options, port, &token);
        ready(&format!("http://127.0.0.1:{port}/?token={token}"));
        tokio::select! {
            served = axum::serve(listener, app(&site)).into_future() => served,
            interrupted = interrupted() => interrupted,
        }
    });
    runtime.shutdown_timeout(PATIENCE);
    served
}

/// Waits until somebody ends the program: what it keeps for this run alone is removed then.
async fn interrupted() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut ended = signal(SignalKind::terminate())?;
        let mut left = signal(SignalKind::hangup())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = ended.recv() => Ok(()),
            _ = left.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
