//! What a server does with a request, whichever connection it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::library::Library;
use crate::protocol::params::{self, Initialize};
use crate::protocol::resume::Resumed;
use crate::protocol::thread::{ThreadDto, cwd_of};
use crate::protocol::turn::Running;
use crate::rpc::{self, Error};
use crate::threads::{list, pages, search};

/// A server: everything that its connections share.
#[derive(Debug)]
pub struct Server {
    library: Arc<Library>,
    version: String,
    /// The connections that follow each thread.
    followed: Mutex<BTreeMap<String, BTreeSet<u64>>>,
}

/// `InitializeResponse`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialized {
    user_agent: String,
    codex_home: String,
    platform_family: &'static str,
    platform_os: &'static str,
}

/// `ThreadReadResponse`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Read<'a> {
    thread: ThreadDto<'a>,
    /// What was read already: recount keeps no record of it.
    read_state: Option<()>,
}

impl Server {
    /// Serves threads; `version` is the program's.
    pub fn new(library: Library, version: &str) -> Self {
        Self { library: Arc::new(library), version: version.to_owned(), followed: Mutex::default() }
    }

    /// Answers `initialize`.
    pub fn initialize(&self, params: &Initialize, out: &mut Vec<u8>) {
        let client = &params.client_info;
        let home = self.library.root().map(std::path::absolute);
        let home = home.and_then(Result::ok).unwrap_or_else(|| "/".into());
        let answer = Initialized {
            user_agent: format!(
                "recount/{} ({}; {}) {}/{}",
                self.version,
                std::env::consts::OS,
                std::env::consts::ARCH,
                client.name,
                client.version
            ),
            codex_home: home.to_string_lossy().into_owned(),
            platform_family: std::env::consts::FAMILY,
            platform_os: std::env::consts::OS,
        };
        rpc::put(out, &answer);
    }

    /// Answers a method by which a connection changes what it follows. Blocks while it reads.
    pub fn follow(
        &self,
        connection: u64,
        method: &str,
        raw: &RawValue,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        match method {
            "thread/resume" => self.resume(connection, &rpc::params(method, raw)?, out),
            "thread/unsubscribe" => {
                let params: params::ThreadOnly = rpc::params(method, raw)?;
                let mut followed = lock(&self.followed);
                let mine = followed.get_mut(&params.thread_id).map(|all| all.remove(&connection));
                let status = match mine {
                    None => "notLoaded",
                    Some(true) => "unsubscribed",
                    Some(false) => "notSubscribed",
                };
                followed.retain(|_, connections| !connections.is_empty());
                rpc::put(out, &serde_json::json!({"status": status}));
                Ok(())
            }
            _ => {
                let params: params::LoadedList = rpc::params(method, raw)?;
                let followed = lock(&self.followed);
                let behind = params.cursor.as_ref();
                let all = followed.keys().filter(|id| behind.is_none_or(|cursor| *id > cursor));
                let limit =
                    params.limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(1).max(1));
                let mut data: Vec<&String> = all.take(limit.saturating_add(1)).collect();
                let more = data.len() > limit;
                data.truncate(limit);
                let next = data.last().filter(|_| more);
                rpc::put(out, &serde_json::json!({"data": data, "nextCursor": next}));
                Ok(())
            }
        }
    }

    fn resume(
        &self,
        connection: u64,
        params: &params::ThreadResume,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if params.history.as_ref().is_some_and(|history| !history.is_null()) {
            return Err(Error::invalid_request("a `history` cannot be followed, only a thread"));
        }
        let head = self.library.head(&params.thread_id)?;
        let path = params.path.as_deref().filter(|path| !path.is_empty());
        if path.is_some_and(|path| std::path::Path::new(path) != head.path) {
            let text = format!("`path` is not that of thread {}", head.id);
            return Err(Error::invalid_request(text));
        }
        let whole = Library::thread(&head)?;
        let running = Running::No;
        let thread = ThreadDto::of_head(&head).with(&head, &whole).loaded(&head, running);
        let mut answer = Resumed::new(match params.exclude_turns {
            Some(true) => thread,
            _ => thread.with_turns(&whole, running),
        });
        if let Some(page) = &params.initial_turns_page {
            answer.initial_turns_page = Some(pages::turns(&whole, cwd_of(&head), running, page)?);
        }
        answer.turns_backwards_cursor = pages::last_turn(&whole);
        answer.items_backwards_cursor = pages::last_item(&whole);
        rpc::put(out, &answer);
        lock(&self.followed).entry(head.id.clone()).or_default().insert(connection);
        Ok(())
    }

    /// Forgets a connection that is gone.
    pub fn forget(&self, connection: u64) {
        lock(&self.followed).retain(|_, connections| {
            connections.remove(&connection);
            !connections.is_empty()
        });
    }

    /// Answers a method that depends on nothing but the stores. Blocks while it reads.
    pub fn read(&self, method: &str, raw: &RawValue, out: &mut Vec<u8>) -> Result<(), Error> {
        match method {
            "thread/list" => {
                let params: params::ThreadList = rpc::params(method, raw)?;
                let sessions = self.library.sessions();
                rpc::put(out, &list::page(&sessions, &params)?);
            }
            "thread/read" => {
                let params: params::ThreadRead = rpc::params(method, raw)?;
                let head = self.library.head(&params.thread_id)?;
                let thread = ThreadDto::of_head(&head);
                if params.include_turns == Some(true) {
                    let whole = Library::thread(&head)?;
                    let thread = thread.with(&head, &whole).with_turns(&whole, Running::No);
                    rpc::put(out, &Read { thread, read_state: None });
                } else {
                    rpc::put(out, &Read { thread, read_state: None });
                }
            }
            "thread/turns/list" => {
                let params: params::TurnsList = rpc::params(method, raw)?;
                let head = self.library.head(&params.thread_id)?;
                let thread = Library::thread(&head)?;
                let page = pages::turns(&thread, cwd_of(&head), Running::No, &params.page)?;
                rpc::put(out, &page);
            }
            "thread/items/list" => {
                let params: params::ItemsList = rpc::params(method, raw)?;
                let head = self.library.head(&params.thread_id)?;
                let thread = Library::thread(&head)?;
                rpc::put(out, &pages::items(&thread, cwd_of(&head), &params)?);
            }
            "thread/searchOccurrences" => {
                let params: params::SearchOccurrences = rpc::params(method, raw)?;
                let head = self.library.head(&params.thread_id)?;
                let thread = Library::thread(&head)?;
                rpc::put(out, &search::occurrences(&thread, &params)?);
            }
            _ => return Err(crate::methods::not_served(method)),
        }
        Ok(())
    }
}

/// What is kept here is whole after each change: a thread that broke off has spoilt nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
