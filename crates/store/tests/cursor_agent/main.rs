//! Chats of cursor-agent on disk: databases as the program leaves them, whole, alive and damaged.

#![allow(
    clippy::unwrap_used,
    clippy::type_complexity,
    clippy::format_collect,
    unreachable_pub,
    reason = "what fails here ends the test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use recount_formats::{Code, Harness};
use recount_session::model::{ItemKind, Thread};
use recount_store::discover::cursor_agent::CursorAgent;
use recount_store::discover::{Discover, Opened};
use recount_store::{SessionHead, Store, Stores};
use rusqlite::{Connection, params};
use serde_json::json;

use self::builder::Chat;

#[path = "../../../../fixtures/cursor-agent/builder.rs"]
mod builder;

mod copies;
mod corpus;
mod damage;
mod lines;
mod lists;
mod live;
mod samples;

/// The folder of a working directory below `chats`.
const WORKSPACE: &str = "11e9fe063b91149eb10c6daf331adfaa";

/// A store in a folder of its own.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn chat_folder(&self, id: &str) -> PathBuf {
        self.root().join("chats").join(WORKSPACE).join(id)
    }

    /// Writes a chat as the program does it, and closes it.
    fn add(&self, id: &str, chat: &Chat) -> PathBuf {
        let folder = self.chat_folder(id);
        write(&folder, chat);
        folder
    }

    fn file(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn stores(&self) -> Stores {
        Stores {
            stores: vec![Store { harness: Harness::CursorAgent, root: self.root().to_owned() }],
        }
    }

    fn list(&self) -> Vec<SessionHead> {
        let mut sessions = self.stores().list().0;
        sessions.sort_by(|a, b| a.id.cmp(&b.id));
        sessions
    }

    fn find(&self, id: &str) -> SessionHead {
        self.stores().find(id).unwrap_or_else(|_| panic!("{id} is found"))
    }

    fn open(&self, id: &str) -> Opened {
        CursorAgent.open(&self.find(id)).unwrap()
    }

    fn thread(&self, id: &str) -> Thread {
        self.open(id).thread(None)
    }

    /// All files with their content.
    fn listing(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    all.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        all
    }
}

fn connect(folder: &Path) -> Connection {
    fs::create_dir_all(folder).unwrap();
    let connection = Connection::open(folder.join("store.db")).unwrap();
    connection
        .execute_batch(
            "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA user_version = 1;
             CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT);
             CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB);",
        )
        .unwrap();
    connection
}

/// Puts blobs and settings into a database.
fn fill(connection: &Connection, chat: &Chat) {
    connection.execute_batch("BEGIN").unwrap();
    for (id, data) in &chat.blobs {
        connection
            .execute("INSERT OR REPLACE INTO blobs (id, data) VALUES (?1, ?2)", params![id, data])
            .unwrap();
    }
    let settings: String = chat.settings.to_string().bytes().map(|b| format!("{b:02x}")).collect();
    connection
        .execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('0', ?1)", [settings])
        .unwrap();
    connection.execute_batch("COMMIT").unwrap();
}

fn write(folder: &Path, chat: &Chat) {
    let connection = connect(folder);
    fill(&connection, chat);
    connection.close().unwrap();
    if let Some(sidecar) = &chat.sidecar {
        fs::write(folder.join("meta.json"), sidecar.to_string()).unwrap();
    }
}

/// A chat of these prompts, each with an answer.
fn chat(id: &str, prompts: &[&str]) -> Chat {
    let turns: Vec<_> = prompts
        .iter()
        .enumerate()
        .map(|(n, prompt)| {
            json!({ "prompt": prompt, "request": format!("{id}-r{n}"), "message": format!("{id}-m{n}"),
                "steps": [{ "text": format!("Re: {prompt}") }], "end": 1_767_312_005_000_i64, "ms": 5000 })
        })
        .collect();
    let mut chat = builder::conversation(&json!({
        "id": id, "name": format!("Chat {id}"), "cwd": "/home/dev/shop", "model": "example-model",
        "createdAt": 1_767_312_000_000_i64, "updatedAt": 1_767_312_300_000_i64, "turns": turns,
    }));
    chat.copy.clear();
    chat
}

fn prompts(thread: &Thread) -> Vec<String> {
    thread
        .items()
        .filter_map(|item| match &item.kind {
            ItemKind::UserMessage { content, .. } => {
                let content = serde_json::to_value(content).unwrap();
                Some(content[0]["text"].as_str().unwrap_or_default().to_owned())
            }
            _ => None,
        })
        .collect()
}

fn codes(thread: &Thread) -> Vec<Code> {
    thread.findings.iter().map(|f| f.code).collect()
}
