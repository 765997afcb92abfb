//! A client, and stores for it.

use std::fs;
use std::path::{Path, PathBuf};

use recount_formats::Harness;
use recount_serve::connection::{self, Shared};
use recount_serve::{Library, Server};
use recount_store::container::sqlite;
use recount_store::{Store, Stores};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What stands beside the repository, when it does.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    Some(root().join("../shared").join(path)).filter(|path| path.exists())
}

/// Stores that go away with the test.
pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) stores: Stores,
}

impl Home {
    /// Without a store.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), stores: Stores::default() }
    }

    /// The built-in samples of all harnesses.
    pub(crate) fn samples() -> Self {
        let mut home = Self::new();
        for harness in Harness::ALL {
            home.add(*harness, &root().join("fixtures/samples").join(harness.id()));
        }
        home
    }

    /// Adds a copy of a store.
    pub(crate) fn add(&mut self, harness: Harness, from: &Path) -> PathBuf {
        let to = self.folder.path().join(format!("{}-{}", harness.id(), self.stores.stores.len()));
        copy(from, &to);
        self.stores.stores.push(Store { harness, root: to.clone() });
        to
    }

    /// Adds an empty store.
    pub(crate) fn empty(&mut self, harness: Harness) -> PathBuf {
        let to = self.folder.path().join(format!("{}-{}", harness.id(), self.stores.stores.len()));
        fs::create_dir_all(&to).unwrap();
        self.stores.stores.push(Store { harness, root: to.clone() });
        to
    }

    /// A server for the stores.
    pub(crate) fn server(&self) -> Server {
        Server::new(Library::new(self.stores.clone(), &[]), "0.0.0")
    }

    /// Sends messages as they are, and gives all that is said back.
    pub(crate) fn send(&self, messages: &[String]) -> Vec<Value> {
        send(self.server(), messages)
    }

    /// Asks, behind `initialize`, and gives the answers in the same order.
    pub(crate) fn ask(&self, questions: &[(&str, Value)]) -> Vec<Value> {
        let mut messages = vec![hello()];
        messages.extend(questions.iter().enumerate().map(|(n, (method, params))| {
            json!({"id": n, "method": method, "params": params}).to_string()
        }));
        let mut answers = self.send(&messages);
        answers.retain(|answer| answer.get("id").is_some());
        answers.split_off(1)
    }

    /// Asks one thing that is answered.
    pub(crate) fn one(&self, method: &str, params: Value) -> Value {
        let answer = self.ask(&[(method, params)]).remove(0);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks one thing that is refused.
    pub(crate) fn refused(&self, method: &str, params: Value) -> (i64, String) {
        let answer = self.ask(&[(method, params)]).remove(0);
        let error =
            answer.get("error").unwrap_or_else(|| panic!("{method} was answered: {answer}"));
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }
}

/// The first message of a client.
pub(crate) fn hello() -> String {
    json!({"id": "hello", "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "1"}}})
        .to_string()
}

fn send(server: Server, messages: &[String]) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (out, mut waiting) = connection::queue();
        let (requests, taken) = mpsc::channel(1);
        let serving = tokio::spawn(connection::run(Shared::new(server), taken, out));
        let messages = messages.to_vec();
        tokio::spawn(async move {
            for message in messages {
                requests.send(message.into_bytes()).await.unwrap();
            }
        });
        let mut answers = Vec::new();
        while let Some(line) = waiting.recv().await {
            assert_eq!(line.iter().position(|&b| b == b'\n'), Some(line.len() - 1));
            answers.push(serde_json::from_slice(&line).unwrap());
        }
        serving.await.unwrap();
        answers
    })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else if from.extension().is_some_and(|e| e == "sql") {
            sqlite::build(&to.with_extension(""), &fs::read_to_string(&from).unwrap()).unwrap();
        } else {
            // Not `copy`, which takes read-only permissions along.
            fs::write(&to, fs::read(&from).unwrap()).unwrap();
        }
    }
}

/// The answers to an example of each method that reads, for each thread of the stores: method and answer.
pub(crate) fn everything(home: &Home) -> Vec<(&'static str, Value)> {
    let kinds = json!(["cli", "vscode", "exec", "appServer", "subAgent", "unknown"]);
    let mut questions: Vec<(&'static str, Value)> = vec![
        ("thread/list", json!({})),
        ("thread/list", json!({"limit": 1, "sortKey": "updated_at", "sourceKinds": kinds})),
        ("thread/list", json!({"archived": true, "sourceKinds": kinds})),
        ("thread/list", json!({"limit": 100, "sourceKinds": kinds})),
        ("thread/loaded/list", json!({})),
    ];
    let (sessions, _) = home.stores.list();
    for session in &sessions {
        let id = &session.id;
        questions.extend([
            ("thread/read", json!({"threadId": id})),
            ("thread/read", json!({"threadId": id, "includeTurns": true})),
            ("thread/turns/list", json!({"threadId": id, "limit": 2})),
            ("thread/items/list", json!({"threadId": id, "limit": 1000, "sortDirection": "desc"})),
            (
                "thread/resume",
                json!({"threadId": id, "initialTurnsPage": {"itemsView": "notLoaded"}}),
            ),
            ("thread/unsubscribe", json!({"threadId": id})),
            ("thread/searchOccurrences", json!({"threadId": id, "searchTerm": "e", "limit": 5})),
        ]);
    }
    let answers = home.ask(&questions);
    assert_eq!(answers.len(), questions.len());
    questions.into_iter().map(|(method, _)| method).zip(answers).collect()
}

/// A client that stays.
pub(crate) struct Client {
    requests: mpsc::Sender<Vec<u8>>,
    waiting: mpsc::Receiver<Vec<u8>>,
    /// What it was told and has not looked at.
    pub(crate) told: std::collections::VecDeque<Value>,
    next: u64,
}

impl Client {
    /// Connects and says hello. To be called within a runtime.
    pub(crate) async fn connect(shared: &Shared) -> Self {
        Self::connect_with(shared, &hello()).await
    }

    /// Connects with words of its own.
    pub(crate) async fn connect_with(shared: &Shared, hello: &str) -> Self {
        let (out, waiting) = connection::queue();
        let (requests, taken) = mpsc::channel(1);
        tokio::spawn(connection::run(shared.clone(), taken, out));
        let mut client =
            Self { requests, waiting, told: std::collections::VecDeque::new(), next: 0 };
        client.requests.send(hello.as_bytes().to_vec()).await.unwrap();
        client.receive().await.unwrap();
        client
    }

    async fn receive(&mut self) -> Option<Value> {
        let line = self.waiting.recv().await?;
        Some(serde_json::from_slice(&line).unwrap())
    }

    /// Asks without waiting for the answer.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let message = json!({"id": self.next, "method": method, "params": params});
        self.requests.send(message.to_string().into_bytes()).await.unwrap();
        self.next
    }

    /// Asks, and keeps what it is told before the answer comes.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        loop {
            let message = self.receive().await.unwrap();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("id").is_none(), "{message}");
            self.told.push_back(message);
        }
    }

    /// What it is told within some milliseconds; nothing after that.
    pub(crate) async fn hear(&mut self, millis: u64) -> Option<Value> {
        if let Some(told) = self.told.pop_front() {
            return Some(told);
        }
        let wait = std::time::Duration::from_millis(millis);
        tokio::time::timeout(wait, self.receive()).await.ok().flatten()
    }
}

/// A runtime as the program has it.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
