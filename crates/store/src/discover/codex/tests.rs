//! Homes of Codex, made here: what is found in them.
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use recount_formats::Code;
use recount_session::model::{ItemKind, ThreadStatus};
use rusqlite::Connection;

use super::{Codex, Discover};
use crate::environment::Environment;
use crate::head::SessionHead;

const A: &str = "01a2b000-0000-7000-8000-00000000000a";
const B: &str = "01a2b000-0000-7000-8000-00000000000b";
const R: &str = "01a2b111-0000-7000-8000-0000000000ff";

/// A home that goes away with the test.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    /// Writes a rollout: `meta` are further fields of its header, `rest` further lines.
    fn rollout(&self, folder: &str, ids: &str, meta: &str, rest: &str) -> PathBuf {
        let folder = self.root().join(folder);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("rollout-2026-01-02T03-04-05-{ids}.jsonl"));
        let id = &ids[..36];
        let header = format!(
            r#"{{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{{"id":"{id}","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/shop"{meta}}}}}"#
        );
        fs::write(&path, format!("{header}\n{rest}")).unwrap();
        path
    }

    fn threads(&self, rows: &[&str]) {
        let db = Connection::open(self.root().join("state_5.sqlite")).unwrap();
        db.execute_batch(
            "CREATE TABLE IF NOT EXISTS threads (id TEXT PRIMARY KEY, rollout_path TEXT, title TEXT, name TEXT, archived INTEGER, model TEXT);
             CREATE TABLE IF NOT EXISTS thread_spawn_edges (parent_thread_id TEXT, child_thread_id TEXT, status TEXT);",
        )
        .unwrap();
        for row in rows {
            db.execute(&format!("INSERT INTO threads VALUES ({row})"), []).unwrap();
        }
    }

    fn list(&self) -> (Vec<SessionHead>, Vec<Code>) {
        let mut listing = Codex.list(self.root());
        listing.sessions.sort_by(|a, b| a.id.cmp(&b.id));
        (listing.sessions, listing.findings.iter().map(|f| f.code).collect())
    }

    fn only(&self) -> SessionHead {
        let (mut sessions, _) = self.list();
        assert_eq!(sessions.len(), 1);
        sessions.remove(0)
    }
}

const DAY: &str = "sessions/2026/01/02";

fn prompt(text: &str) -> String {
    format!(
        "{{\"timestamp\":\"2026-01-02T03:04:06.000Z\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"user_message\",\"message\":\"{text}\"}}}}\n"
    )
}

#[test]
fn roots_by_variable_and_default() {
    let roots = |vars: &[(&str, &str)]| Codex.roots(&vars.iter().copied().collect::<Environment>());
    assert_eq!(roots(&[("HOME", "/home/dev")]), [PathBuf::from("/home/dev/.codex")]);
    assert_eq!(roots(&[("HOME", "/home/dev"), ("CODEX_HOME", "/x")]), [PathBuf::from("/x")]);
    assert_eq!(roots(&[("CODEX_HOME", "")]), Vec::<PathBuf>::new());
}

#[test]
fn heads_and_tails_tell() {
    let home = Home::new();
    let settings = r#"{"timestamp":"2026-01-02T03:04:05.500Z","type":"turn_context","payload":{"model":"early"}}"#;
    let filler = format!(
        "{{\"timestamp\":\"x\",\"type\":\"world_state\",\"payload\":\"{}\"}}\n",
        "y".repeat(200_000)
    );
    let last = r#"{"timestamp":"2026-01-03T00:00:00.000Z","type":"turn_context","payload":{"model":"late"}}"#;
    let rest = format!("{filler}{settings}\n{}{filler}{last}\n", prompt("Fix the cart"));
    home.rollout(DAY, A, r#","forked_from_id":"f""#, &rest);
    let head = home.only();
    assert_eq!(head.title.as_deref(), Some("Fix the cart"));
    assert_eq!(head.model.as_deref(), Some("late"));
    assert_eq!(head.created_at.as_deref(), Some("2026-01-02T03:04:05.000Z"));
    assert_eq!(head.updated_at.as_deref(), Some("2026-01-03T00:00:00.000Z"));
    assert_eq!(head.forked_from_id.as_deref(), Some("f"));
    assert_eq!((head.cwd.as_deref(), head.is_subagent), (Some("/home/dev/shop"), false));
}

#[test]
fn names_come_before_prompts() {
    let home = Home::new();
    home.rollout(DAY, A, "", &prompt("one"));
    home.rollout(DAY, B, "", &prompt("two"));
    let names = format!(
        "{{\"id\":\"{A}\",\"thread_name\":\"first\"}}\nbroken\n{{\"id\":\"{A}\",\"thread_name\":\"second\"}}\n"
    );
    fs::write(home.root().join("session_index.jsonl"), names).unwrap();
    let titles = |home: &Home| -> Vec<String> {
        home.list().0.into_iter().filter_map(|h| h.title).collect()
    };
    assert_eq!(titles(&home), ["second", "two"]);
    home.threads(&[&format!("'{A}', '/gone/x.jsonl', 'one', 'named', 0, NULL")]);
    assert_eq!(titles(&home), ["named", "two"]);
}

#[test]
fn a_thread_is_listed_once_and_the_row_says_which_rollout() {
    let home = Home::new();
    home.rollout(DAY, A, "", &prompt("old"));
    home.rollout(DAY, &format!("{A}_{R}"), "", &prompt("new"));
    assert_eq!(home.only().title.as_deref(), Some("new"));
    // The home was moved: only the name of the path still fits.
    home.threads(&[&format!(
        "'{A}', '/elsewhere/rollout-2026-01-02T03-04-05-{A}.jsonl', NULL, NULL, 0, NULL"
    )]);
    assert_eq!(home.only().title.as_deref(), Some("old"));
    // The other rollout can be asked for by its own id.
    let found = Codex.find(home.root(), &R[..12]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].title.as_deref(), found[0].id.as_str()), (Some("new"), A));
}

#[test]
fn files_decide_and_rows_are_findings() {
    let home = Home::new();
    home.rollout("archived_sessions", A, "", &prompt("away"));
    home.threads(&[
        &format!("'{A}', '/x/{DAY}/rollout-2026-01-02T03-04-05-{A}.jsonl', NULL, NULL, 0, NULL"),
        &format!("'{B}', '/x/ghost.jsonl', NULL, NULL, 0, NULL"),
    ]);
    let (sessions, findings) = home.list();
    assert_eq!(sessions.len(), 1);
    assert!(sessions[0].archived);
    assert_eq!(sessions[0].found[0].code, Code::StaleIndex);
    assert_eq!(findings, [Code::StaleIndex]);
}

#[test]
fn damaged_things_are_findings() {
    let home = Home::new();
    let folder = home.root().join(DAY);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("rollout-2026-01-02T03-04-05-{A}.jsonl")), prompt("headless"))
        .unwrap();
    fs::write(folder.join(format!("rollout-2026-01-02T03-04-05-{B}.jsonl")), "").unwrap();
    fs::write(folder.join("notes.jsonl"), "{}").unwrap();
    fs::write(home.root().join("state_5.sqlite"), "SQLite format 3\0 and then nothing").unwrap();
    let (sessions, findings) = home.list();
    assert_eq!(findings, [Code::Unreadable]);
    let codes: Vec<_> =
        sessions.iter().map(|s| s.found.iter().map(|f| f.code).collect::<Vec<_>>()).collect();
    assert_eq!(codes, [vec![Code::MissingHeader], vec![Code::EmptyFile]]);
    assert_eq!(sessions[0].title.as_deref(), Some("headless"));
    assert!(sessions[1].created_at.is_some(), "the name tells when");
}

#[test]
fn compressed_rollouts_are_read_too() {
    let home = Home::new();
    let path = home.rollout(DAY, A, "", &(prompt("packed") + &prompt("more").repeat(5_000)));
    let bytes = zstd::encode_all(&fs::read(&path).unwrap()[..], 3).unwrap();
    fs::write(path.with_extension("jsonl.zst"), bytes).unwrap();
    // Both are there while Codex unpacks one: the plain one counts.
    assert_eq!(home.only().path, path);
    fs::remove_file(&path).unwrap();
    let head = home.only();
    assert_eq!(head.title.as_deref(), Some("packed"));
    let opened = Codex.open(&head).unwrap();
    assert_eq!(opened.thread(None).turns.len(), 5_001);
}

#[test]
fn sub_agents_and_their_parents() {
    let home = Home::new();
    home.rollout(DAY, A, "", &prompt("parent"));
    let copied = format!("{{\"ordinal\":1,{}", &prompt("of the parent")[1..]);
    let meta = format!(
        r#","source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{A}"}}}}}},"parent_thread_id":"{A}","agent_nickname":"Ada","subagent_history_start_ordinal":2"#
    );
    home.rollout(DAY, B, &meta, &copied);
    let (sessions, _) = home.list();
    assert_eq!(sessions.iter().map(|s| s.is_subagent).collect::<Vec<_>>(), [false, true]);
    assert_eq!(sessions[1].parent_id.as_deref(), Some(A));
    assert_eq!(sessions[1].title.as_deref(), Some("Ada"), "the copied prompt is not its own");
    let children = |head: &SessionHead| -> Vec<String> {
        Codex.open(head).unwrap().thread(None).lineage.subagents.into_iter().map(|s| s.id).collect()
    };
    assert_eq!(children(&sessions[0]), [B]);
    home.threads(&[]);
    let db = Connection::open(home.root().join("state_5.sqlite")).unwrap();
    db.execute("INSERT INTO thread_spawn_edges VALUES (?1, ?2, 'open')", [A, "elsewhere"]).unwrap();
    assert_eq!(children(&sessions[0]), ["elsewhere"]);
}

#[test]
fn sessions_by_the_beginning_of_an_id_and_by_path() {
    let home = Home::new();
    let path = home.rollout(DAY, A, "", &prompt("one"));
    home.rollout(DAY, B, "", &prompt("two"));
    let ids = |prefix: &str| -> Vec<String> {
        Codex.find(home.root(), prefix).into_iter().map(|h| h.id).collect()
    };
    assert_eq!(ids(&A[..35]), [A, B]);
    assert_eq!(ids(B), [B]);
    assert_eq!(ids("zz"), Vec::<String>::new());
    let head = Codex.at_path(&path).unwrap();
    assert_eq!(
        (head.id.as_str(), head.root.as_path()),
        (A, home.root().canonicalize().unwrap().as_path())
    );
    let other = home.root().join("saved.jsonl");
    fs::copy(&path, &other).unwrap();
    assert_eq!(Codex.at_path(&other).unwrap().id, A);
    fs::write(&other, "{\"type\":\"user\"}\n").unwrap();
    assert!(Codex.at_path(&other).is_none());
}

#[test]
fn a_fork_finds_its_base_in_the_store() {
    let home = Home::new();
    let turn = |id: &str, n: u64| {
        format!(
            "{{\"timestamp\":\"t\",\"ordinal\":{n},\"type\":\"event_msg\",\"payload\":{{\"type\":\"task_started\",\"turn_id\":\"{id}\"}}}}\n"
        )
    };
    let mode = r#","history_mode":"paginated""#;
    let base = home.rollout(DAY, A, mode, &turn("a", 1));
    let end = fs::metadata(&base).unwrap().len();
    let meta = format!(
        r#"{mode},"history_base":{{"thread_id":"{A}","end_ordinal_exclusive":2,"end_byte_offset":{end}}}"#
    );
    home.rollout("archived_sessions", B, &meta, &turn("b", 3));
    let head = Codex.find(home.root(), B).remove(0);
    let thread = Codex.open(&head).unwrap().thread(None);
    assert_eq!(thread.turns.iter().map(|t| t.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

/// All homes that there are, ours and those of the corpus.
pub(super) fn homes() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut homes = vec![root.join("fixtures/samples/codex")];
    let corpus = fs::read_dir(root.join("../shared/corpus/codex")).into_iter().flatten();
    homes.extend(corpus.map(|case| case.unwrap().path().join("home")));
    homes
}

#[test]
fn who_follows_a_thread_is_told_what_all_of_it_tells() {
    let mut told = 0;
    for home in homes() {
        for head in Codex.list(&home).sessions {
            let Ok(opened) = Codex.open_alone(&head) else { continue };
            let mut whole = opened.thread(None);
            let followed = Codex.followed(&head).unwrap();
            for turn in &mut whole.turns {
                turn.items.retain(|item| !item.recovered);
                for item in &mut turn.items {
                    match &mut item.kind {
                        ItemKind::ContextCompaction { summary, .. } => *summary = None,
                        ItemKind::SubAgentActivity { message, .. } => *message = None,
                        _ => {}
                    }
                    item.also_at.clear();
                }
            }
            let mut turns = followed.turns;
            turns.iter_mut().flat_map(|turn| &mut turn.items).for_each(|item| item.also_at.clear());
            assert_eq!(turns, whole.turns, "{}", head.path.display());
            assert_eq!(followed.status, whole.status);
            assert_eq!((followed.usage, followed.responses), (whole.usage, whole.responses));
            assert_eq!(followed.title, whole.title);
            if followed.status == ThreadStatus::Open {
                assert_eq!(followed.updated_at, whole.updated_at);
            }
            told += 1;
        }
    }
    assert!(told > 2, "{told}");
}

#[test]
fn the_time_of_an_open_thread_is_that_of_its_last_record_however_long_that_is() {
    let home = Home::new();
    let open = "{\"timestamp\":\"2026-01-02T03:04:06.000Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"task_started\",\"turn_id\":\"a\"}}\n";
    let long = format!(
        "{{\"timestamp\":\"2026-01-02T03:04:07.000Z\",\"type\":\"response_item\",\"payload\":{{\"type\":\"function_call_output\",\"output\":\"{}\"}}}}\n",
        "word ".repeat(100_000)
    );
    home.rollout(DAY, A, "", &format!("{}{open}{long}", prompt("Go on")));
    let followed = Codex.followed(&home.only()).unwrap();
    assert_eq!(followed.status, ThreadStatus::Open);
    assert_eq!(followed.updated_at.as_deref(), Some("2026-01-02T03:04:07.000Z"));
}
