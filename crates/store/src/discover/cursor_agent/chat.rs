//! One chat: a database of settings and blobs, and what stands beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use recount_formats::cursor_agent::store::settings;
use recount_formats::{Code, Finding, Harness, json};
use recount_session::model::Subagent;
use recount_session::rebuild::cursor_agent::head::{self, Head};
use recount_session::rebuild::{Companions, Facts, Input};
use rusqlite::OptionalExtension as _;
use rusqlite::types::ValueRef;

use super::copies::{self, Copy};
use super::{Opened, STORE, finding, folders, id_of};
use crate::container::file;
use crate::container::sqlite::Snapshot;
use crate::head::SessionHead;

/// The sidecar that the program's own list reads.
const META_JSON: &str = "meta.json";
/// How often a database that is written meanwhile is opened again for one blob.
const ATTEMPTS: usize = 4;

/// A chat as lists show it, and what links it to others.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) head: SessionHead,
    pub(super) agents: Vec<SessionHead>,
    pub(super) told: Head,
}

/// Whether a file is a chat's database under another name.
pub(super) fn is_store(path: &Path) -> bool {
    let is_database = path.extension().is_some_and(|e| e == "db" || e == "sqlite");
    is_database && Snapshot::open(path).is_ok_and(|s| read_settings(&s).is_ok_and(|s| s.is_some()))
}

/// The root of the store that a chat belongs to.
pub(super) fn root_of(store: &Path) -> PathBuf {
    let folder = store.parent().unwrap_or(Path::new(""));
    let is =
        |path: Option<&Path>, name: &str| path.and_then(Path::file_name).is_some_and(|n| n == name);
    let up = |n: usize| folder.ancestors().nth(n);
    if is(up(2), "chats") {
        return up(3).unwrap_or(folder).to_owned();
    }
    if is(up(1), "acp-sessions") {
        return up(2).unwrap_or(folder).to_owned();
    }
    folder.to_owned()
}

/// Reads what a list shows of a chat. What cannot be read is listed all the same, with a finding.
pub(super) fn list(path: &Path, root: &Path, copies: &[Copy]) -> Listed {
    let id = id_of(path);
    let mut listed =
        SessionHead::new(Harness::CursorAgent, id.clone(), path.to_owned(), root.to_owned());
    listed.size = size(path);
    let modified = modified(path).and_then(file::rfc3339);
    let source: Arc<str> = path.display().to_string().into();
    let told = Store::open(path, Vec::new()).and_then(|store| {
        let (bytes, findings) = store.settings()?;
        let facts = Facts { id: Some(id.clone()), ..Facts::default() };
        let input = Input { source: &source, bytes: &bytes, facts: &facts, companions: &store };
        Ok((head::head(input), findings))
    });
    let told = match told {
        Ok((told, findings)) => {
            listed.found = findings;
            told
        }
        Err(e) => {
            listed.found.push(unreadable(path, &e));
            by_sidecar(path)
        }
    };
    if told.is_lost && listed.found.is_empty() {
        listed.found.push(finding(path, Code::MissingBlob, "the root is not in the store".into()));
    }
    listed.title.clone_from(&told.title);
    if listed.title.is_none() && told.is_lost {
        let copy = copies.iter().find(|copy| copy.id == copies::encoded(&id));
        listed.title = copy.and_then(copies::title);
    }
    listed.cwd.clone_from(&told.cwd);
    listed.created_at.clone_from(&told.created_at);
    listed.updated_at = told.updated_at.clone().or(modified);
    listed.model.clone_from(&told.model);
    listed.turns = told.turns;
    listed.parent_id.clone_from(&told.parent_id);
    listed.is_subagent = told.parent_id.is_some();
    listed.findings = (!listed.found.is_empty()).then_some(listed.found.len() as u64);
    let agents = told.agents.iter().map(|agent| {
        let mut head = SessionHead::new(
            Harness::CursorAgent,
            agent.id.clone(),
            path.to_owned(),
            root.to_owned(),
        );
        head.title.clone_from(&agent.title);
        head.cwd.clone_from(&listed.cwd);
        head.created_at.clone_from(&agent.created_at);
        head.updated_at = agent.updated_at.clone().or_else(|| listed.updated_at.clone());
        head.model.clone_from(&agent.model);
        head.turns = agent.turns;
        head.size = listed.size;
        // The store's own id of the chat is the folder's, but for damage.
        let is_top = told.id.as_ref() == Some(&agent.parent_id);
        head.parent_id = Some(if is_top { id.clone() } else { agent.parent_id.clone() });
        head.is_subagent = true;
        head
    });
    Listed { agents: agents.collect(), head: listed, told }
}

/// What the sidecar tells of a chat whose database cannot be read.
fn by_sidecar(path: &Path) -> Head {
    let mut told = Head { is_lost: true, ..Head::default() };
    let Ok(text) = fs::read_to_string(path.with_file_name(META_JSON)) else { return told };
    let Ok(meta) = json::parse(&text) else { return told };
    told.title = meta.str("title").map(Cow::into_owned);
    told.cwd = meta.str("cwd").map(Cow::into_owned);
    told
}

/// The sub-agents of which only the steps are kept, and whose ids begin so.
pub(super) fn inline_agents(path: &Path, root: &Path, prefix: &str) -> Vec<SessionHead> {
    let source: Arc<str> = path.display().to_string().into();
    let found = Store::open(path, Vec::new()).and_then(|store| {
        let (bytes, _) = store.settings()?;
        let facts = Facts::default();
        let input = Input { source: &source, bytes: &bytes, facts: &facts, companions: &store };
        Ok(head::inline_agents(input))
    });
    let fitting = found.unwrap_or_default().into_iter().filter(|(id, _)| id.starts_with(prefix));
    fitting
        .map(|(id, title)| {
            let mut head =
                SessionHead::new(Harness::CursorAgent, id, path.to_owned(), root.to_owned());
            head.title = title;
            head.parent_id = Some(id_of(path));
            head.is_subagent = true;
            head
        })
        .collect()
}

/// Opens a chat, or a sub-agent inside of it.
pub(super) fn open(head: &SessionHead) -> io::Result<Opened> {
    let mut beside = sidecars(head);
    let id = id_of(&head.path);
    let is_chat = head.id == id;
    if !is_chat {
        // The copy of the chat says nothing about how its sub-agent ended.
        beside.retain(|(name, _)| name != "mirror.jsonl");
    }
    let store = Store::open(&head.path, beside)?;
    let (bytes, findings) = store.settings()?;
    let facts = Facts {
        id: Some(head.id.clone()),
        title: (!is_chat).then(|| head.title.clone()).flatten(),
        updated_at: modified(&head.path).and_then(file::rfc3339),
        children: if is_chat { children(&head.path, &id) } else { Vec::new() },
        parent_id: head.parent_id.clone(),
        forked_from_id: head.forked_from_id.clone(),
        findings,
        ..Facts::default()
    };
    Ok(Opened {
        harness: Harness::CursorAgent,
        source: head.path.display().to_string().into(),
        bytes,
        facts,
        companions: Box::new(store),
    })
}

/// A chat of which nothing can be read.
pub(super) fn nothing(head: &SessionHead, finding: Finding) -> Opened {
    let facts = Facts {
        id: Some(head.id.clone()),
        title: head.title.clone(),
        findings: vec![finding],
        ..Facts::default()
    };
    Opened {
        harness: Harness::CursorAgent,
        source: head.path.display().to_string().into(),
        bytes: Vec::new(),
        facts,
        companions: Box::new(recount_session::rebuild::Alone),
    }
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> Finding {
    finding(path, Code::Unreadable, format!("the database cannot be read: {error}"))
}

/// The files beside a chat that belong to it, by the names that the rebuild knows.
fn sidecars(head: &SessionHead) -> Vec<(String, PathBuf)> {
    let mut beside: Vec<(String, PathBuf)> = [META_JSON, "prompt_history.json"]
        .map(|name| (name.to_owned(), head.path.with_file_name(name)))
        .into();
    let copy = copies::all(&head.root).into_iter().find(|c| c.id == copies::encoded(&head.id));
    // Terminals stand beside the copies of the project.
    let project = match &copy {
        Some(copy) => copy.project(),
        None => head.cwd.as_deref().map(|cwd| copies::project(&head.root, cwd)),
    };
    if let Some(terminals) = project.map(|project| project.join("terminals"))
        && let Ok(entries) = fs::read_dir(terminals)
    {
        for path in entries.filter_map(|e| Some(e.ok()?.path())) {
            if let Some(name) = path.file_name().and_then(|n| n.to_str()) {
                beside.push((format!("terminals/{name}"), path.clone()));
            }
        }
    }
    if let Some(copy) = copy.filter(|copy| copy.path.extension().is_some_and(|e| e == "jsonl")) {
        beside.push(("mirror.jsonl".to_owned(), copy.path));
    }
    beside.retain(|(_, path)| path.is_file());
    beside
}

/// Sub-agents of a chat that have stores of their own: in the same folder, by their settings. The sidecar spares
/// opening the others.
fn children(path: &Path, parent: &str) -> Vec<Subagent> {
    let Some(workspace) = path.parent().and_then(Path::parent) else { return Vec::new() };
    let mut children = Vec::new();
    for folder in folders(workspace) {
        let store = folder.join(STORE);
        if store == path || !store.is_file() || !may_be_subagent(&folder) {
            continue;
        }
        let told = list(&store, Path::new(""), &[]).told;
        if told.parent_id.as_deref() == Some(parent) {
            children.push(Subagent {
                id: id_of(&store),
                tool_call_id: told.parent_call,
                name: told.title.or(told.kind),
            });
        }
    }
    children
}

fn may_be_subagent(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(META_JSON)) else { return true };
    json::parse(&text)
        .map_or(true, |meta| meta.get("isSubagent").and_then(json::Json::as_bool) == Some(true))
}

/// When the database or its log was written last.
fn modified(path: &Path) -> Option<SystemTime> {
    let of = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    of(path).max(of(&wal(path)))
}

fn size(path: &Path) -> u64 {
    let of = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
    of(path) + of(&wal(path))
}

fn wal(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// An open chat: blobs by their ids, and the files beside it.
struct Store {
    path: PathBuf,
    snapshot: Mutex<Snapshot>,
    beside: BTreeMap<String, PathBuf>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Store {
    fn open(path: &Path, beside: Vec<(String, PathBuf)>) -> io::Result<Self> {
        let mut beside: BTreeMap<String, PathBuf> = beside.into_iter().collect();
        beside.entry(META_JSON.to_owned()).or_insert_with(|| path.with_file_name(META_JSON));
        let snapshot = Mutex::new(Snapshot::open(path)?);
        Ok(Self { path: path.to_owned(), snapshot, beside })
    }

    /// Asks the database, and once more when a writer came in between. A blob never changes, so it does not matter that
    /// two of them come from different moments.
    fn ask<T>(&self, query: impl Fn(&Snapshot) -> rusqlite::Result<T>) -> io::Result<T> {
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        for attempt in 1.. {
            let answer = query(&snapshot);
            if snapshot.stood_still() || attempt > ATTEMPTS {
                return answer.map_err(io::Error::other);
            }
            *snapshot = if attempt < ATTEMPTS {
                Snapshot::open(&self.path)?
            } else {
                Snapshot::copy(&self.path)?
            };
        }
        Err(io::Error::other("the database is written all the time"))
    }

    /// The JSON of the settings row.
    fn settings(&self) -> io::Result<(Vec<u8>, Vec<Finding>)> {
        let Some(value) = self.ask(read_settings)? else { return Ok((Vec::new(), Vec::new())) };
        if let Some(json) = settings(&value) {
            return Ok((json, Vec::new()));
        }
        let message = "the settings row is not JSON in hexadecimal digits".to_owned();
        Ok((value, vec![finding(&self.path, Code::InvalidJson, message)]))
    }
}

/// The value of the settings row: that of key `0`, else whatever row there is.
fn read_settings(snapshot: &Snapshot) -> rusqlite::Result<Option<Vec<u8>>> {
    snapshot
        .connection()
        .prepare("SELECT value FROM meta ORDER BY key <> '0', key LIMIT 1")?
        .query_row([], |row| row.get_ref(0).map(bytes))
        .optional()
}

fn bytes(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    }
}

impl Companions for Store {
    fn names(&self) -> Vec<String> {
        let mut names = self.parts();
        names.extend(self.beside.keys().cloned());
        names.sort();
        names
    }

    fn parts(&self) -> Vec<String> {
        let ids = self.ask(|snapshot| {
            let mut statement = snapshot.connection().prepare("SELECT id FROM blobs")?;
            let ids = statement.query_map([], |row| row.get_ref(0).map(bytes))?;
            ids.map(|id| id.map(|id: Vec<u8>| String::from_utf8_lossy(&id).into_owned()))
                .collect::<Result<Vec<String>, _>>()
        });
        ids.unwrap_or_default()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if let Some(path) = self.beside.get(name) {
            return file::read(path).ok().map(|(bytes, _)| Cow::Owned(bytes));
        }
        let data = self.ask(|snapshot| {
            snapshot
                .connection()
                .prepare("SELECT data FROM blobs WHERE id = ?1")?
                .query_row([name], |row| row.get_ref(0).map(bytes))
                .optional()
        });
        data.ok().flatten().map(Cow::Owned)
    }
}
