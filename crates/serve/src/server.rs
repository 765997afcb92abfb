//! What a server does with a request, whichever connection it comes from.

use std::sync::Arc;

use recount_store::SessionHead;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::edit::{self, Edits};
use crate::library::Library;
use crate::live::{Begun, Live, Subscription};
use crate::protocol::notification::{self, Notification};
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
    live: Live,
    edits: Edits,
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

/// `ThreadRevertResponse`, `ThreadUnarchiveResponse`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed<'a> {
    thread: ThreadDto<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns_backwards_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items_backwards_cursor: Option<String>,
}

impl<'a> Changed<'a> {
    const fn of(thread: ThreadDto<'a>) -> Self {
        Self { thread, turns_backwards_cursor: None, items_backwards_cursor: None }
    }
}

/// What follows from a change of a thread, beside the answer.
#[derive(Debug, Default)]
pub struct Edited {
    /// A thread that the client follows from here on.
    pub subscription: Option<Subscription>,
    /// What all clients are told behind the answer.
    pub told: Option<Notification>,
}

impl Server {
    /// Serves threads; `version` is the program's.
    pub fn new(library: Library, version: &str) -> Self {
        Self {
            library: Arc::new(library),
            version: version.to_owned(),
            live: Live::default(),
            edits: Edits::default(),
        }
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

    /// Answers `thread/resume`: from here on the client is told what changes. Blocks while it reads.
    pub fn resume(
        &self,
        connection: u64,
        params: &params::ThreadResume,
        out: &mut Vec<u8>,
    ) -> Result<Subscription, Error> {
        if params.history.as_ref().is_some_and(|history| !history.is_null()) {
            return Err(Error::invalid_request("a `history` cannot be followed, only a thread"));
        }
        let head = self.library.head(&params.thread_id)?;
        let path = params.path.as_deref().filter(|path| !path.is_empty());
        if path.is_some_and(|path| std::path::Path::new(path) != head.path) {
            let text = format!("`path` is not that of thread {}", head.id);
            return Err(Error::invalid_request(text));
        }
        self.begin(connection, head, params, out)
    }

    /// Gives a thread and begins to follow it.
    fn begin(
        &self,
        connection: u64,
        head: SessionHead,
        params: &params::ThreadResume,
        out: &mut Vec<u8>,
    ) -> Result<Subscription, Error> {
        let name = head.path.display().to_string();
        let Begun { snapshot, running, identity, subscription } = self
            .live
            .begin(self.library.stores(), head, connection)
            .map_err(|e| Error::internal(format!("{name}: {e}")))?;
        if let Some(identity) = identity {
            // Who resumes a thread without its turns asks for them next.
            self.library.keep(&snapshot, identity);
        }
        let (head, whole) = (&snapshot.head, &snapshot.thread);
        let thread = ThreadDto::of_head(head).with(head, whole).loaded(head, Some(running));
        let mut answer = Resumed::new(match params.exclude_turns {
            Some(true) => thread,
            _ => thread.with_turns(whole, running),
        });
        if let Some(page) = &params.initial_turns_page {
            match pages::turns(whole, cwd_of(head), running, page) {
                Ok(page) => answer.initial_turns_page = Some(page),
                Err(error) => {
                    self.live.end(&head.id, connection);
                    return Err(error);
                }
            }
        }
        answer.turns_backwards_cursor = pages::last_turn(whole);
        answer.items_backwards_cursor = pages::last_item(whole);
        reserve(out, head);
        rpc::put(out, &answer);
        Ok(subscription)
    }

    /// Answers a method that changes a thread. Blocks while it reads and writes. A client follows the fork that it made.
    pub fn edit(
        &self,
        connection: u64,
        method: &str,
        raw: &RawValue,
        out: &mut Vec<u8>,
    ) -> Result<Edited, Error> {
        let head = self.library.head(&edit::thread_of(method, raw)?)?;
        let id = edit::run(&self.edits, &head, method, raw)?;
        let mut edited = Edited::default();
        match method {
            "thread/archive" => {
                rpc::put(out, &serde_json::json!({}));
                edited.told = Some(notification::archived(&id, true));
            }
            // Those who follow the thread are told by what was written.
            "thread/name/set" => rpc::put(out, &serde_json::json!({})),
            "thread/fork" => {
                let params: params::ThreadResume = rpc::params(method, raw)?;
                let new = self.library.head(&id)?;
                edited.subscription = Some(self.begin(connection, new, &params, out)?);
            }
            "thread/unarchive" => {
                let head = self.library.head(&id)?;
                rpc::put(out, &Changed::of(ThreadDto::of_head(&head)));
                edited.told = Some(notification::archived(&id, false));
            }
            _ => {
                let read = self.library.thread(&id)?;
                let (head, whole) = (&read.head, &read.thread);
                let live = self.live.running(&id);
                let running = live.unwrap_or(Running::No);
                let thread = ThreadDto::of_head(head).loaded(head, live);
                let mut answer = Changed::of(if method == "thread/rollback" {
                    thread.with_turns(whole, running)
                } else {
                    thread
                });
                answer.turns_backwards_cursor = pages::last_turn(whole);
                answer.items_backwards_cursor = pages::last_item(whole);
                rpc::put(out, &answer);
            }
        }
        Ok(edited)
    }

    /// Answers `thread/unsubscribe`.
    pub fn unsubscribe(&self, connection: u64, id: &str, out: &mut Vec<u8>) {
        let status = match self.live.end(id, connection) {
            None => "notLoaded",
            Some(true) => "unsubscribed",
            Some(false) => "notSubscribed",
        };
        rpc::put(out, &serde_json::json!({"status": status}));
    }

    /// The threads that clients follow.
    pub const fn live(&self) -> &Live {
        &self.live
    }

    fn loaded(&self, params: &params::LoadedList, out: &mut Vec<u8>) {
        let mut data = self.live.ids();
        if let Some(cursor) = &params.cursor {
            data.retain(|id| id > cursor);
        }
        let limit = params.limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(1).max(1));
        let more = data.len() > limit;
        data.truncate(limit);
        let next = data.last().filter(|_| more);
        rpc::put(out, &serde_json::json!({"data": data, "nextCursor": next}));
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
                let live = self.live.running(&params.thread_id);
                let running = live.unwrap_or(Running::No);
                if params.include_turns == Some(true) {
                    let read = self.library.thread(&params.thread_id)?;
                    let (head, whole) = (&read.head, &read.thread);
                    let thread = ThreadDto::of_head(head).loaded(head, live).with(head, whole);
                    let thread = thread.with_turns(whole, running);
                    reserve(out, head);
                    rpc::put(out, &Read { thread, read_state: None });
                } else {
                    let head = self.library.head(&params.thread_id)?;
                    let thread = ThreadDto::of_head(&head).loaded(&head, live);
                    rpc::put(out, &Read { thread, read_state: None });
                }
            }
            "thread/turns/list" => {
                let params: params::TurnsList = rpc::params(method, raw)?;
                let read = match pages::end(&params.page) {
                    Some(end) => self.library.end(&params.thread_id, end)?,
                    None => self.library.thread(&params.thread_id)?,
                };
                let (head, thread) = (&read.head, &read.thread);
                let running = self.live.running(&head.id).unwrap_or(Running::No);
                let page = pages::turns(thread, cwd_of(head), running, &params.page)?;
                rpc::put(out, &page);
            }
            "thread/items/list" => {
                let params: params::ItemsList = rpc::params(method, raw)?;
                let read = self.library.thread(&params.thread_id)?;
                let (head, thread) = (&read.head, &read.thread);
                rpc::put(out, &pages::items(thread, cwd_of(head), &params)?);
            }
            "thread/searchOccurrences" => {
                let params: params::SearchOccurrences = rpc::params(method, raw)?;
                let read = self.library.thread(&params.thread_id)?;
                rpc::put(out, &search::occurrences(&read.thread, &params)?);
            }
            "thread/loaded/list" => self.loaded(&rpc::params(method, raw)?, out),
            _ => return Err(crate::methods::not_served(method)),
        }
        Ok(())
    }
}

/// Makes room for a thread's answer at once: one that grows is copied again and again, and takes twice its size at the
/// end. A transcript says most things twice, so the answer is hardly longer; room that is not used costs nothing.
fn reserve(out: &mut Vec<u8>, head: &SessionHead) {
    const MOST: u64 = 1 << 30;
    out.reserve(usize::try_from(head.size.min(MOST)).unwrap_or(0));
}
