//! Databases made from scripts, whole and damaged, at rest and while they are written; and the corpus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use recount_formats::Code;
use recount_session::model::Thread;
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::container::sqlite;

/// A folder with a database in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Makes a database from one of our scripts.
    fn of(script: &str) -> Self {
        let place = Self::new();
        sqlite::build(&place.db(), &fixture(script)).unwrap();
        place
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn db(&self) -> PathBuf {
        self.folder.path().join("opencode.db")
    }

    fn list(&self) -> Listing {
        let mut listing = Opencode.list(self.root());
        listing.sessions.sort_by(|a, b| b.id.cmp(&a.id));
        listing
    }

    /// The titles in the list, the newest first.
    fn titles(&self) -> Vec<String> {
        let sessions = self.list().sessions;
        sessions.into_iter().map(|s| s.title.unwrap_or_else(|| s.id.clone())).collect()
    }

    fn open(&self, prefix: &str) -> Opened {
        let found = Opencode.find(self.root(), prefix);
        assert_eq!(found.len(), 1, "{prefix}");
        Opencode.open(&found[0]).unwrap()
    }

    fn thread(&self, prefix: &str) -> Thread {
        self.open(prefix).thread(None)
    }

    /// All files below with their content, so that a test sees every touch.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        found
    }
}

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    fs::read_to_string(folder.join(format!("{name}.sql"))).unwrap()
}

/// The sessions of a store, their turns and what the model has in front of it, as text. Items are printed as JSON
/// without the path of the database.
fn read_aloud(place: &Place) -> String {
    let mut out = String::new();
    let listing = place.list();
    for finding in &listing.findings {
        let _ = writeln!(out, "{}: {}", finding.code, finding.message);
    }
    for head in &listing.sessions {
        let title = head.title.as_deref().unwrap_or("-");
        let _ = writeln!(out, "{} {title} {}", head.id, head.updated_at.as_deref().unwrap_or("-"));
        let opened = Opencode.open(head).unwrap();
        let thread = opened.thread(None);
        let usage = &thread.usage;
        let _ = writeln!(
            out,
            "  {:?} {} responses {} in {} out",
            thread.status, usage.responses, usage.input_tokens, usage.output_tokens
        );
        let lineage = &thread.lineage;
        if lineage.forked_from_id.is_some() || lineage.parent_id.is_some() {
            let _ = writeln!(out, "  {lineage:?}");
        }
        for finding in &thread.findings {
            let _ = writeln!(out, "  {}: {}", finding.code, finding.message);
        }
        for turn in &thread.turns {
            let _ = writeln!(out, "  turn {:?}", turn.status);
            for item in &turn.items {
                let _ = writeln!(out, "    {:?}", item.kind);
            }
        }
        for message in opened.model_view(None).messages {
            let _ = writeln!(out, "  {:?} {:?}", message.role, message.content);
        }
    }
    out
}

/// Our scripts, as they read. `RECOUNT_UPDATE=1` writes what is expected anew.
#[test]
fn fixtures_read_as_expected() {
    for name in ["upgraded", "half-imported", "before-the-split", "early-keys", "fork", "waiting"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../../fixtures/opencode/{name}.expected.txt"));
        let got = read_aloud(&Place::of(&format!("opencode/{name}")));
        if std::env::var_os("RECOUNT_UPDATE").is_some() {
            fs::write(&path, &got).unwrap();
        }
        assert_eq!(got, fs::read_to_string(&path).unwrap_or_default(), "{name}");
    }
}

#[test]
fn roots_follow_the_environment() {
    let roots = |vars: &[(&str, &str)]| Opencode.roots(&vars.iter().copied().collect());
    let home = ("HOME", "/home/dev");
    assert_eq!(roots(&[home]), [Path::new("/home/dev/.local/share/opencode")]);
    assert_eq!(roots(&[home, ("XDG_DATA_HOME", "/data")]), [Path::new("/data/opencode")]);
    assert_eq!(
        roots(&[home, ("OPENCODE_DB", "mine.db")]),
        [Path::new("/home/dev/.local/share/opencode/mine.db")]
    );
    assert_eq!(roots(&[home, ("OPENCODE_DB", "/tmp/mine.db")]), [Path::new("/tmp/mine.db")]);
    assert!(roots(&[home, ("OPENCODE_DB", ":memory:")]).is_empty());
    assert!(roots(&[]).is_empty());
}

#[test]
fn several_databases_are_one_store_and_a_session_stands_in_it_once() {
    let place = Place::of("opencode/fork");
    // A preview's database that was copied into the released one, where the source went on.
    sqlite::build(&place.root().join("opencode-next.db"), &fixture("opencode/fork")).unwrap();
    sqlite::build(&place.root().join("opencode-dev.db"), &fixture("opencode/waiting")).unwrap();
    sqlite::build(&place.root().join("other.db"), &fixture("opencode/upgraded")).unwrap();
    let db = Connection::open(place.db()).unwrap();
    db.execute_batch(
        "UPDATE session_v2 SET time_updated = time_updated + 1 WHERE title = 'Source'",
    )
    .unwrap();
    drop(db);
    assert_eq!(place.titles(), ["Put away", "Busy", "Source", "Fork of source"]);
    let source = place.list().sessions.into_iter().find(|s| s.title.as_deref() == Some("Source"));
    assert_eq!(source.unwrap().path, place.db());
}

#[test]
fn a_deleted_session_of_1x_is_found_by_its_whole_id_only() {
    let place = Place::of("opencode/upgraded");
    assert_eq!(place.titles(), ["Imported and continued", "Born in 2.x"]);
    let id = "ses_dd0b000000b2shopUpgrade02";
    assert!(Opencode.find(place.root(), "ses_dd0b").is_empty());
    let thread = place.thread(id);
    assert_eq!(thread.turns.len(), 1);
    assert_eq!(thread.findings[0].code, Code::StaleIndex);
}

#[test]
fn a_path_stands_for_the_session_that_was_written_last() {
    let place = Place::of("opencode/fork");
    assert_eq!(Opencode.at_path(&place.db()).unwrap().title.as_deref(), Some("Fork of source"));
    assert_eq!(Opencode.all_at_path(&place.db()).len(), 2);
    let other = place.root().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes(x)").unwrap();
    assert!(Opencode.at_path(&other).is_none());
}

#[test]
fn rows_of_one_session_and_of_all_are_read_as_lines() {
    use std::io::Read as _;
    let place = Place::of("opencode/waiting");
    let read = |id: Option<&str>| {
        let mut text = String::new();
        Opencode.lines(&place.db(), id).unwrap().unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let all = read(None);
    assert!(all.lines().all(|line| recount_formats::json::parse(line).is_ok()));
    let tables = |text: &str| {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for line in text.lines() {
            let table = recount_formats::json::parse(line).unwrap().str("table").unwrap();
            *count.entry(table.into_owned()).or_default() += 1;
        }
        count
    };
    assert_eq!(tables(&all)["session_v2"], 2);
    assert_eq!(tables(&all)["instruction_blob"], 2);
    let one = tables(&read(Some("ses_a7c1f0000007shopWaiting01")));
    // Of the instructions only those that the session names.
    assert_eq!((one["session_v2"], one["session_inbox"], one["instruction_blob"]), (1, 4, 1));
}

#[test]
fn full_results_and_captures_are_read_and_nothing_outside_of_the_store() {
    let place = Place::new();
    let folder = place.root();
    fs::create_dir_all(folder.join("tool-output")).unwrap();
    fs::create_dir_all(folder.join("shell/p")).unwrap();
    fs::write(folder.join("tool-output/tool_1"), "full").unwrap();
    fs::write(folder.join("shell/p/sh_1.out"), "printed").unwrap();
    fs::write(folder.join("secret"), "no").unwrap();
    let beside = beside::Beside::new(&place.db(), vec!["ses_0".into()]);
    assert_eq!(
        recount_session::rebuild::Companions::names(&beside),
        ["session/ses_0", "shell/p/sh_1.out", "tool-output/tool_1"]
    );
    let read = |name: &str| recount_session::rebuild::Companions::read(&beside, name);
    assert_eq!(read("tool-output/tool_1").as_deref(), Some(&b"full"[..]));
    assert_eq!(read("shell/p/sh_1.out").as_deref(), Some(&b"printed"[..]));
    assert!(read("session/ses_0").is_some() && read("session/ses_1").is_none());
    for name in ["secret", "tool-output/../secret", "tool-output//secret", "shell/./x", "../x"] {
        assert!(read(name).is_none(), "{name}");
    }
}

#[test]
fn what_is_no_database_is_a_finding_and_stays_as_it_is() {
    for (bytes, code) in [
        (&b""[..], Code::EmptyFile),
        (b"not a database", Code::Unreadable),
        (&[0; 8192], Code::Unreadable),
        (b"SQLite format 3\0", Code::Unreadable),
    ] {
        let place = Place::new();
        fs::write(place.db(), bytes).unwrap();
        let before = place.files();
        let listing = place.list();
        assert_eq!(listing.findings.iter().map(|f| f.code).collect::<Vec<_>>(), [code]);
        assert!(listing.sessions.is_empty());
        // By its name it is one of opencode's; opening it tells what is wrong.
        let head = Opencode.at_path(&place.db()).unwrap();
        assert!(Opencode.open(&head).is_err());
        assert_eq!(place.files(), before);
    }
}

#[test]
fn a_database_without_the_tables_of_opencode_is_a_finding() {
    let place = Place::new();
    sqlite::build(&place.db(), "CREATE TABLE notes (x)").unwrap();
    let listing = place.list();
    assert_eq!(listing.findings.len(), 1);
    assert!(listing.findings[0].message.contains("none of opencode's tables"));
}

#[test]
fn missing_tables_and_columns_cost_what_was_in_them() {
    let change = |sql: &str| {
        let place = Place::of("opencode/fork");
        Connection::open(place.db()).unwrap().execute_batch(sql).unwrap();
        place
    };
    let place = change("DROP TABLE session_inbox; DROP TABLE instruction_blob; DROP TABLE kv");
    assert_eq!(place.thread("ses_a7c1f").turns.len(), 2);
    let place = change(
        "ALTER TABLE session_v2 DROP COLUMN title; ALTER TABLE session_v2 DROP COLUMN model",
    );
    assert_eq!(place.titles()[0], "ses_a7c1f0000005shopForkSrc01");
    let place = change(
        "DROP INDEX session_message_session_seq_idx; ALTER TABLE session_message DROP COLUMN seq",
    );
    let thread = place.thread("ses_a7c1f");
    // The rows are there, in the order of the table.
    assert_eq!(thread.items().count(), 4);
    assert!(thread.findings.iter().any(|f| f.code == Code::Unreadable));
    let place = change("DROP TABLE session_v2");
    assert!(!place.list().findings.is_empty());
    let place = change("DELETE FROM session_v2");
    let listing = place.list();
    assert_eq!(listing.sessions.len(), 2);
    assert!(listing.findings.iter().all(|f| f.code == Code::LostToHarness));
    assert_eq!(place.thread("ses_a7c1f").turns.len(), 2);
}

#[test]
fn a_file_that_ends_too_early_is_read_as_far_as_it_goes() {
    let whole = Place::of("samples/opencode/opencode-dev.db");
    let bytes = fs::read(whole.db()).unwrap();
    let mut found = Vec::new();
    for pages in (1..bytes.len() / 4096).rev() {
        let place = Place::new();
        fs::write(place.db(), &bytes[..pages * 4096 - 1]).unwrap();
        let before = place.files();
        let listing = place.list();
        assert!(!listing.findings.is_empty(), "{pages} pages");
        for head in listing.sessions {
            let thread = Opencode.open(&head).unwrap().thread(None);
            assert!(!thread.findings.is_empty());
            found.push(thread.items().count());
        }
        assert_eq!(place.files(), before);
    }
    // With most of the pages most of the session is there.
    assert!(found.iter().any(|items| *items > 0), "{found:?}");
}

#[test]
fn damaged_pages_never_stop_the_program() {
    let whole = Place::of("opencode/upgraded");
    let bytes = fs::read(whole.db()).unwrap();
    for page in 0..bytes.len() / 4096 {
        for fill in [0_u8, 0xff, 0x0d] {
            let mut damaged = bytes.clone();
            let start = page * 4096 + if page == 0 { 100 } else { 0 };
            damaged[start..(page + 1) * 4096].fill(fill);
            let place = Place::new();
            fs::write(place.db(), damaged).unwrap();
            for head in place.list().sessions {
                let _ = Opencode.open(&head).map(|opened| opened.thread(None));
            }
        }
    }
}

/// The program at work in the test below: another process, because locks are held by processes. It does what it is
/// told on its input, a line each, and answers each with a line.
#[test]
#[ignore = "the other half of a_program_at_work_is_neither_touched_nor_waited_for"]
fn program_at_work() {
    use std::io::BufRead as _;
    let Some(path) = std::env::var_os("RECOUNT_TEST_DATABASE") else { return };
    let db = Connection::open(path).unwrap();
    db.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA synchronous=OFF",
    )
    .unwrap();
    let mut n = 100;
    for order in std::io::stdin().lock().lines() {
        match order.unwrap().as_str() {
            "say" => {
                n += 1;
                let data = format!("{{\"text\":\"prompt {n}\",\"time\":{{\"created\":1}}}}");
                let sql = "INSERT INTO session_message VALUES (?1, 'ses_a7c1f0000007shopWaiting01', 'user', ?2, 1, 1, ?3)";
                db.execute(sql, (format!("msg_{n}"), n, data)).unwrap();
            }
            other => db.execute_batch(other).unwrap(),
        }
        // Straight to the pipe: the test runner would keep what is printed.
        std::io::Write::write_all(&mut std::io::stderr(), b"done\n").unwrap();
    }
}

#[test]
fn a_program_at_work_is_neither_touched_nor_waited_for() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};
    let place = Place::of("opencode/waiting");
    let mut program = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", "discover::opencode::tests::program_at_work"])
        .env("RECOUNT_TEST_DATABASE", place.db())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut orders = program.stdin.take().unwrap();
    let mut answers = BufReader::new(program.stderr.take().unwrap()).lines();
    let mut tell = |order: &str| {
        writeln!(orders, "{order}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "done");
    };
    let prompts = || {
        let before = place.files();
        let begin = std::time::Instant::now();
        let thread = place.thread("ses_a7c1f0000007");
        assert!(begin.elapsed() < std::time::Duration::from_secs(5), "nobody is waited for");
        assert_eq!(place.files(), before, "nothing is created, changed or removed");
        thread.items().filter(|i| format!("{:?}", i.kind).contains("prompt ")).count()
    };
    for n in 1..4 {
        tell("say");
        assert_eq!(prompts(), n, "what was committed is seen");
    }
    // In the middle of a transaction, with every lock that there is.
    tell("BEGIN EXCLUSIVE");
    tell("say");
    assert_eq!(prompts(), 3, "what is not committed is not seen");
    tell("COMMIT");
    assert_eq!(prompts(), 4);
    tell("PRAGMA wal_checkpoint(TRUNCATE)");
    assert_eq!(prompts(), 4);
    drop(orders);
    assert!(program.wait().unwrap().success());
}

#[test]
fn reading_while_another_connection_writes_gives_whole_states() {
    let place = Place::of("opencode/waiting");
    let path = place.db();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let db = Connection::open(&path).unwrap();
            db.execute_batch(
                "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=4; PRAGMA synchronous=OFF",
            )
            .unwrap();
            let mut n = 0_i64;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) && n < 400 {
                n += 1;
                // Both rows change together: whoever sees one of them sees the other.
                db.execute_batch(&format!(
                    "BEGIN; UPDATE session_v2 SET title = 'state {n}' WHERE id LIKE '%Waiting01';
                     UPDATE session_message SET data = '{{\"text\":\"state {n}\",\"time\":{{\"created\":1}}}}'
                     WHERE type = 'user' AND session_id LIKE '%Waiting01'; COMMIT;"
                ))
                .unwrap();
            }
        });
        for _ in 0..60 {
            let thread = place.thread("ses_a7c1f0000007");
            let title = thread.title.clone().unwrap();
            if title.starts_with("state") {
                assert_eq!(thread.preview.as_deref(), Some(title.as_str()));
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        writer.join().unwrap();
    });
}

/// The corpus, where it is at hand: nothing in it is touched, and what opencode itself answers is found.
#[test]
fn the_corpus_reads_as_opencode_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/opencode");
    for case in fs::read_dir(root).into_iter().flatten().flatten() {
        let home = case.path().join("home/.local/share/opencode");
        let place = Place::new();
        copy(&home, place.root());
        let before = place.files();
        let damaged = case.file_name().to_string_lossy().starts_with("damaged");
        for head in place.list().sessions {
            let thread = Opencode.open(&head).unwrap().thread(None);
            assert!(damaged || !thread.turns.is_empty(), "{}", head.id);
            let answer = case.path().join(format!("oracle/http-message-{}.json", head.id));
            let Ok(answer) = fs::read_to_string(answer) else { continue };
            let messages = recount_formats::json::parse(&answer).unwrap();
            let input: u64 = messages
                .elements()
                .filter_map(|m| m.at(&["info", "tokens", "input"])?.as_u64())
                .sum();
            assert_eq!(thread.usage.input_tokens, input);
        }
        assert_eq!(place.files(), before);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::write(target, fs::read(path).unwrap()).unwrap();
        }
    }
}
