#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Harness;
use rusqlite::Connection;

use super::*;
use crate::discover::Discover as _;
use crate::recorder::lock::WriterLock;
use crate::stores::{Store, Stores};

mod codex;
mod names;

const ID: &str = "0199aaaa-0000-7000-8000-000000000001";
const TURNS: [&str; 3] = ["turn-1", "turn-2", "turn-3"];
const FILE: &str =
    "sessions/2026/01/02/rollout-2026-01-02T03-04-05-0199aaaa-0000-7000-8000-000000000001.jsonl";

/// A home with one thread of three turns.
struct Home {
    folder: tempfile::TempDir,
    harness: Harness,
}

impl Home {
    fn empty(harness: Harness) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), harness }
    }

    fn codex(paginated: bool) -> Self {
        let home = Self::empty(Harness::Codex);
        home.write(FILE, &rollout(paginated, &TURNS));
        home
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
        let long_ago =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_767_323_045);
        fs::File::options()
            .append(true)
            .open(self.path(name))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn head(&self, id: &str) -> SessionHead {
        let root = self.root().to_owned();
        Stores { stores: vec![Store { harness: self.harness, root }] }.find(id).unwrap()
    }

    fn editor(&self, id: &str) -> Editor {
        Editor::new(&self.head(id)).at("2026-03-04T05:06:07.089Z".parse().unwrap(), TimeZone::UTC)
    }

    fn turns(&self, id: &str) -> Vec<String> {
        let head = self.head(id);
        let thread = discover::of(self.harness).unwrap().open(&head).unwrap().thread(None);
        assert_eq!(thread.findings, [], "what is written has no findings");
        thread.turns.into_iter().map(|t| t.id).collect()
    }

    /// Every file with its content.
    fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                if entry.path().is_dir() {
                    walk(&entry.path(), all);
                } else {
                    all.push((entry.path(), fs::read(entry.path()).unwrap()));
                }
            }
        }
        let mut all = Vec::new();
        walk(self.root(), &mut all);
        all.sort();
        all
    }

    fn database(&self) -> Connection {
        let db = Connection::open(self.path("state_5.sqlite")).unwrap();
        let path = self.path(FILE);
        db.execute_batch(
            "CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, rollout_path TEXT, name TEXT, title TEXT,
             archived INTEGER, archived_at INTEGER, updated_at INTEGER)",
        )
        .unwrap();
        db.execute(
            "INSERT OR IGNORE INTO threads VALUES (?1, ?2, NULL, 'First', 0, NULL, 1)",
            (ID, path.to_str().unwrap()),
        )
        .unwrap();
        db
    }

    /// Tells that Codex has projected a rollout up to this record.
    fn project(&self, rollout: &str, next: i64) {
        let db = Connection::open(self.path("thread_history_1.sqlite")).unwrap();
        db.execute_batch(
            "CREATE TABLE IF NOT EXISTS thread_history_projection_state
             (thread_id TEXT PRIMARY KEY, next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)",
        )
        .unwrap();
        db.execute(
            "INSERT OR REPLACE INTO thread_history_projection_state VALUES (?1, 0, ?2)",
            (rollout, next),
        )
        .unwrap();
    }

    fn cell(&self, column: &str) -> Option<String> {
        let sql = format!("SELECT CAST({column} AS TEXT) FROM threads WHERE id = ?1");
        self.database().query_row(&sql, [ID], |r| r.get(0)).unwrap()
    }
}

/// A rollout with a prompt and an answer in each turn.
fn rollout(paginated: bool, turns: &[&str]) -> String {
    let mode = if paginated { "paginated" } else { "legacy" };
    let mut lines = vec![format!(
        r#""type":"session_meta","payload":{{"session_id":"{ID}","id":"{ID}","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/shop","originator":"test","cli_version":"0.164.0","source":"exec","big":123456789012345678901,"history_mode":"{mode}","context_window":{{"window_id":"w"}}}}"#
    )];
    for turn in turns {
        let event = |payload: String| format!(r#""type":"event_msg","payload":{{{payload}}}"#);
        lines.push(event(format!(r#""type":"task_started","turn_id":"{turn}","started_at":1"#)));
        lines.push(event(format!(
            r#""type":"thread_settings_applied","thread_id":"{ID}","thread_settings":{{"model":"m-{turn}"}}"#
        )));
        if paginated {
            lines.push(event(format!(
                r#""type":"item_completed","thread_id":"{ID}","turn_id":"{turn}","item":{{"type":"UserMessage","id":"u-{turn}","content":[{{"type":"text","text":"Do {turn}","text_elements":[]}}]}}"#
            )));
        } else {
            lines.push(event(format!(r#""type":"user_message","message":"Do {turn}""#)));
        }
        lines.push(event(format!(r#""type":"task_complete","turn_id":"{turn}","completed_at":2"#)));
    }
    let numbered = lines.iter().enumerate().map(|(n, line)| {
        let ordinal = if paginated { format!(r#""ordinal":{n},"#) } else { String::new() };
        format!("{{\"timestamp\":\"2026-01-02T03:04:05.678Z\",{ordinal}{line}}}\n")
    });
    numbered.collect()
}

fn now() -> Timestamp {
    "2026-03-04T05:06:07.089Z".parse().unwrap()
}
