//! What is written before Codex is asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use recount_session::live::{Event, Mode};
use recount_store::recorder::{Recorder, Start, Sync};
use recount_store::{SessionHead, Store, Stores};
use serde_json::{Value, json};

use super::program::{App, PROVIDER};
use super::{Programs, session};

/// A case writes into a home and names the threads to compare.
type Case = fn(&mut Stage<'_>) -> Result<Vec<String>, String>;

/// All of them.
pub(super) const ALL: &[(&str, Case)] = &[
    ("recorded, legacy, limited", |s| s.recorded(Mode::Limited)),
    ("recorded, legacy, extended", |s| s.recorded(Mode::Extended)),
    ("recorded, paginated", |s| s.recorded(Mode::Paginated)),
    ("rolled back while recorded, legacy", |s| s.shortened(Mode::Limited)),
    ("rolled back and reverted while recorded, paginated", |s| s.shortened(Mode::Paginated)),
    ("crashed in the middle of a record and resumed, legacy", |s| s.crashed(Mode::Extended)),
    ("crashed in the middle of a record and resumed, paginated", |s| s.crashed(Mode::Paginated)),
    ("compressed and resumed", |s| s.compressed()),
    ("`thread fork`, legacy", |s| s.forked(Mode::Extended)),
    ("`thread fork`, paginated", |s| s.forked(Mode::Paginated)),
    ("`thread rollback`, legacy", |s| s.rolled_back(Mode::Extended)),
    ("`thread rollback`, paginated", |s| s.rolled_back(Mode::Paginated)),
    ("`thread archive` and `unarchive`, legacy", |s| s.archived(Mode::Limited)),
    ("`thread archive` and `unarchive`, paginated", |s| s.archived(Mode::Paginated)),
    ("`thread name`, legacy", |s| s.named(Mode::Limited)),
    ("`thread name`, paginated", |s| s.named(Mode::Paginated)),
    ("Codex goes on with it and recount after that", |s| s.in_turns()),
    ("each refuses while the other writes", |s| s.held()),
];

/// A home.
pub(super) struct Stage<'a> {
    pub(super) programs: &'a Programs,
    home: PathBuf,
    _folder: tempfile::TempDir,
    pub(super) notes: Vec<String>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(programs: &'a Programs) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let home = folder.path().canonicalize().map_err(|e| e.to_string())?;
        Ok(Self { programs, home, _folder: folder, notes: Vec::new() })
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    pub(super) fn is_archived(&self, id: &str) -> bool {
        self.head(id).is_ok_and(|h| h.archived)
    }

    fn head(&self, id: &str) -> Result<SessionHead, String> {
        let store = Store { harness: recount_formats::Harness::Codex, root: self.home.clone() };
        Stores { stores: vec![store] }.find(id).map_err(|e| format!("{id}: {e:?}"))
    }

    /// Records a thread.
    fn record(&self, mode: Mode, events: &[Event]) -> Result<Recorder, String> {
        let start = Start {
            mode,
            cwd: session::CWD.to_owned(),
            model_provider: PROVIDER.to_owned(),
            sync: Sync::Lazy,
            ..Start::default()
        };
        let mut recorder = Recorder::start(&self.home, &start).map_err(|e| e.to_string())?;
        feed(&mut recorder, events)?;
        Ok(recorder)
    }

    fn resume(&self, id: &str, mode: Mode) -> Result<Recorder, String> {
        let head = self.head(id)?;
        Recorder::resume(&head, mode == Mode::Extended, Sync::Lazy).map_err(|e| e.to_string())
    }

    /// A thread of three turns that Codex has seen, so that it has a row and a projection of it.
    fn known(&self, mode: Mode) -> Result<(String, Vec<String>), String> {
        let mut events = Vec::new();
        for (at, prompt) in [(0, "One"), (5, "Two"), (10, "Three")] {
            events.extend(session::simple(at, prompt));
        }
        let recorder = self.record(mode, &events)?;
        let id = recorder.thread_id().to_owned();
        let turns = recorder.live().turns().iter().map(|t| t.id.clone()).collect();
        drop(recorder);
        self.load(&id)?;
        Ok((id, turns))
    }

    fn load(&self, id: &str) -> Result<(), String> {
        let mut codex = App::codex(self.programs, &self.home)?;
        codex.call("thread/list", &json!({}))?;
        codex.call("thread/resume", &json!({"threadId": id})).map(drop)
    }

    /// Runs `recount thread`.
    fn thread(&self, args: &[&str]) -> Result<Value, String> {
        let out = Command::new(&self.programs.recount)
            .arg("--store")
            .arg(format!("codex={}", self.home.display()))
            .args(["--json", "thread"])
            .args(args)
            .output()
            .map_err(|e| e.to_string())?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).trim().to_owned());
        }
        serde_json::from_slice(&out.stdout).map_err(|e| e.to_string())
    }

    fn recorded(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let recorder = self.record(mode, &session::full())?;
        Ok(vec![recorder.thread_id().to_owned()])
    }

    fn shortened(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let mut recorder = self.record(mode, &session::full())?;
        feed(&mut recorder, &[Event::RolledBack { turns: 3 }])?;
        feed(&mut recorder, &session::simple(100, "Again"))?;
        if mode == Mode::Paginated {
            let before = recorder.live().turns().get(2).map(|t| t.id.clone()).unwrap_or_default();
            feed(&mut recorder, &[Event::Reverted { before }])?;
            feed(&mut recorder, &session::simple(110, "And again"))?;
        }
        // Emptied, and begun anew.
        let mut emptied = self.record(mode, &session::simple(0, "Nothing stays"))?;
        feed(&mut emptied, &[Event::RolledBack { turns: 9 }])?;
        feed(&mut emptied, &session::simple(9, "But this"))?;
        Ok([recorder, emptied].iter().map(|r| r.thread_id().to_owned()).collect())
    }

    fn crashed(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let mut ids = Vec::new();
        for share in [30, 55, 80, 99] {
            let recorder = self.record(mode, &session::full())?;
            let (id, path) = (recorder.thread_id().to_owned(), recorder.path().to_owned());
            drop(recorder);
            let mut bytes = fs::read(&path).map_err(|e| e.to_string())?;
            bytes.truncate(bytes.len() * share / 100);
            fs::write(&path, bytes).map_err(|e| e.to_string())?;
            feed(&mut self.resume(&id, mode)?, &session::simple(200, "After the crash"))?;
            ids.push(id);
        }
        Ok(ids)
    }

    fn compressed(&mut self) -> Result<Vec<String>, String> {
        let recorder = self.record(Mode::Paginated, &session::full())?;
        let (id, path) = (recorder.thread_id().to_owned(), recorder.path().to_owned());
        drop(recorder);
        let packed = path.with_extension("jsonl.zst");
        let written = fs::read(&path)
            .and_then(|bytes| zstd::encode_all(&bytes[..], 3))
            .and_then(|bytes| fs::write(packed, bytes))
            .and_then(|()| fs::remove_file(&path));
        written.map_err(|e| e.to_string())?;
        feed(&mut self.resume(&id, Mode::Paginated)?, &session::simple(200, "Unpacked"))?;
        Ok(vec![id])
    }

    fn forked(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let (id, turns) = self.known(mode)?;
        let mut ids = vec![id.clone()];
        let fork = |stage: &Self, args: &[&str]| -> Result<String, String> {
            let report = stage.thread(&[&["fork"], args].concat())?;
            Ok(report["newThreadId"].as_str().unwrap_or_default().to_owned())
        };
        ids.push(fork(self, &[&id])?);
        for turn in &turns {
            ids.push(fork(self, &[&id, "--after", turn])?);
            ids.push(fork(self, &[&id, "--before", turn])?);
        }
        // A fork goes on, and is forked in what it inherits and behind that.
        let of = ids[1].clone();
        feed(&mut self.resume(&of, mode)?, &session::simple(20, "Four"))?;
        ids.push(fork(self, &[&of, "--after", &turns[0]])?);
        ids.push(fork(self, &[&of])?);
        Ok(ids)
    }

    fn rolled_back(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let (id, _) = self.known(mode)?;
        self.thread(&["rollback", &id])?;
        let (more, turns) = self.known(mode)?;
        self.thread(&["rollback", &more, "2"])?;
        feed(&mut self.resume(&more, mode)?, &session::simple(20, "Instead"))?;
        let (all, _) = self.known(mode)?;
        self.thread(&["rollback", &all, "9"])?;
        let mut ids = vec![id, more, all];
        if mode == Mode::Paginated {
            let (id, turns) = self.known(mode)?;
            self.thread(&["rollback", &id, "--before", &turns[1]])?;
            ids.push(id);
        } else {
            let refused = self.thread(&["rollback", &ids[1], "--before", &turns[0]]);
            if refused.is_ok() {
                return Err("a legacy thread was reverted".to_owned());
            }
        }
        Ok(ids)
    }

    fn archived(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let (stays, _) = self.known(mode)?;
        let (id, _) = self.known(mode)?;
        self.thread(&["rollback", &id])?;
        for id in [&stays, &id] {
            self.thread(&["archive", id])?;
        }
        // Codex takes back what recount archived, and the other way round.
        let mut codex = App::codex(self.programs, &self.home)?;
        codex.call("thread/unarchive", &json!({"threadId": id}))?;
        codex.call("thread/archive", &json!({"threadId": id}))?;
        drop(codex);
        self.thread(&["unarchive", &id])?;
        Ok(vec![stays, id])
    }

    fn named(&mut self, mode: Mode) -> Result<Vec<String>, String> {
        let (id, _) = self.known(mode)?;
        self.thread(&["name", &id, "First name"])?;
        self.thread(&["name", &id, "Ship it ✓"])?;
        let mut codex = App::codex(self.programs, &self.home)?;
        let read = codex.call("thread/read", &json!({"threadId": id}))?;
        let name = read["thread"]["name"].as_str().unwrap_or_default();
        if name == "Ship it ✓" { Ok(vec![id]) } else { Err(format!("Codex calls it `{name}`")) }
    }

    fn in_turns(&mut self) -> Result<Vec<String>, String> {
        let mut ids = Vec::new();
        for mode in [Mode::Limited, Mode::Paginated] {
            let (id, turns) = self.known(mode)?;
            let mut codex = App::codex(self.programs, &self.home)?;
            // Codex forks and names what recount wrote.
            codex.call("thread/resume", &json!({"threadId": id}))?;
            let fork =
                codex.call("thread/fork", &json!({"threadId": id, "lastTurnId": turns[1]}))?;
            codex.call("thread/name/set", &json!({"threadId": id, "name": "By Codex"}))?;
            drop(codex);
            let fork = fork["thread"]["id"].as_str().unwrap_or_default().to_owned();
            feed(&mut self.resume(&fork, mode)?, &session::simple(30, "In Codex's fork"))?;
            feed(&mut self.resume(&id, mode)?, &session::simple(40, "In its source"))?;
            ids.extend([id, fork]);
        }
        Ok(ids)
    }

    fn held(&mut self) -> Result<Vec<String>, String> {
        let (id, _) = self.known(Mode::Paginated)?;
        let recorder = self.resume(&id, Mode::Paginated)?;
        let mut codex = App::codex(self.programs, &self.home)?;
        let refused = codex.call("thread/resume", &json!({"threadId": id}));
        let Err(message) = refused else {
            return Err("Codex resumed a thread that recount was writing".to_owned());
        };
        self.notes.push(format!("Codex, while recount writes: \"{}\"", self.tidy(&message, &id)));
        drop(recorder);
        codex.call("thread/resume", &json!({"threadId": id}))?;
        for args in
            [vec!["archive", &id], vec!["rollback", &id], vec!["name", &id, "x"], vec!["fork", &id]]
        {
            let Err(message) = self.thread(&args) else {
                return Err(format!("{args:?} was done while Codex had the thread"));
            };
            if args[0] == "archive" {
                let message = self.tidy(&message, &id);
                let message = message.split(" (process").next().unwrap_or_default();
                self.notes.push(format!("recount, while Codex has it: \"{message}\""));
            }
        }
        Ok(vec![id])
    }

    fn tidy(&self, text: &str, id: &str) -> String {
        text.replace(&*self.home.to_string_lossy(), "HOME").replace(id, "ID")
    }
}

fn feed(recorder: &mut Recorder, events: &[Event]) -> Result<(), String> {
    for event in events {
        recorder.record(event).map_err(|e| format!("{event:?}: {e}"))?;
    }
    Ok(())
}
