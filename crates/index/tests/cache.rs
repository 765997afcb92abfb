//! The cache is a cache: whatever happens to it or to the files, the numbers are those of a scan without it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use recount_formats::Harness;
use recount_index::cache::{Cache, Found, Stamp};
use recount_index::report::{By, Row, counted, rows};
use recount_index::scan::{Options, Source, scan, sources};
use recount_session::usage::resolve;
use recount_store::Store;
use recount_store::container::sqlite::build;

struct Place {
    _folder: tempfile::TempDir,
    store: Store,
    session: PathBuf,
    cache: PathBuf,
}

fn answer(id: &str, output: u64) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-10-01T10:00:00Z","cwd":"/home/dev/shop","message":{{"id":"{id}","model":"claude-opus-5-5","usage":{{"input_tokens":1,"output_tokens":{output}}}}}}}"#
    ) + "\n"
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("claude");
    let project = root.join("projects").join("-home-dev-shop");
    fs::create_dir_all(&project).unwrap();
    let session = project.join("11111111-1111-4111-8111-111111111111.jsonl");
    fs::write(&session, answer("m1", 10) + &answer("m2", 20)).unwrap();
    fs::write(project.join("22222222-2222-4222-8222-222222222222.jsonl"), answer("m3", 400))
        .unwrap();
    let store = Store { harness: Harness::ClaudeCode, root };
    let cache = folder.path().join("cache");
    settle();
    Place { _folder: folder, store, session, cache }
}

/// Files that were written just now are not taken into the cache.
fn settle() {
    sleep(Duration::from_millis(260));
}

impl Place {
    fn output(&self, cache: bool) -> u64 {
        let sources = sources(std::slice::from_ref(&self.store)).0;
        let cache = cache.then(|| Cache::at(self.cache.clone()));
        let (scanned, findings) = scan(&sources, Options::default(), cache.as_ref());
        assert!(findings.is_empty());
        let resolved = resolve(&scanned);
        let responses = counted(&scanned, &resolved).map(|c| (c, None));
        let rows: Vec<Row> = rows(responses, &[By::Harness], &jiff::tz::TimeZone::UTC);
        rows.iter().map(|row| row.usage.output_tokens).sum()
    }

    fn cached_files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.cache) else { return Vec::new() };
        entries.flatten().map(|e| e.path()).collect()
    }
}

#[test]
fn what_changed_is_scanned_again() {
    let place = place();
    assert_eq!((place.output(true), place.output(true)), (430, 430));
    let append = |text: &str| {
        let old = fs::read_to_string(&place.session).unwrap();
        fs::write(&place.session, old + text).unwrap();
    };
    append(&answer("m4", 1000));
    assert_eq!((place.output(true), place.output(false)), (1430, 1430));
    settle();
    assert_eq!((place.output(true), place.output(true)), (1430, 1430));
    // Of the same length, in the middle, with the old time.
    let time = fs::metadata(&place.session).unwrap().modified().unwrap();
    let text = fs::read_to_string(&place.session).unwrap();
    fs::write(&place.session, text.replace(":20}", ":90}")).unwrap();
    fs::File::options().write(true).open(&place.session).unwrap().set_modified(time).unwrap();
    assert_eq!(place.output(true), 1500);
    settle();
    // Cut off in a line.
    fs::write(&place.session, &answer("m1", 10)[..60]).unwrap();
    assert_eq!(place.output(true), 400);
    settle();
    assert_eq!(place.output(true), 400);
    fs::remove_file(&place.session).unwrap();
    assert_eq!(place.output(true), 400);
}

#[test]
fn a_damaged_cache_is_none() {
    let place = place();
    assert_eq!(place.output(true), 430);
    let files = place.cached_files();
    assert!(!files.is_empty());
    for damage in [0_usize, 20, 40, 60] {
        for file in place.cached_files() {
            let mut bytes = fs::read(&file).unwrap();
            let at = damage.min(bytes.len() - 1);
            bytes[at] ^= 0x55;
            fs::write(&file, bytes).unwrap();
        }
        assert_eq!(place.output(true), 430);
    }
    for file in place.cached_files() {
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_eq!(place.output(true), 430);
    fs::remove_dir_all(&place.cache).unwrap();
    assert_eq!(place.output(true), 430);
}

#[test]
fn without_a_cache_nothing_is_written() {
    let place = place();
    assert_eq!(place.output(false), 430);
    assert!(place.cached_files().is_empty());
}

#[test]
fn many_use_it_at_once() {
    let place = place();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(place.output(true), 430));
        }
    });
    let left = place.cached_files();
    let named = |p: &PathBuf| p.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(left.iter().map(named).all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn what_the_cache_knows_is_not_read() {
    let place = place();
    assert_eq!(place.output(true), 430);
    let sources = sources(std::slice::from_ref(&place.store)).0;
    let mut known = Cache::at(place.cache.clone()).read();
    for source in &sources {
        let (stamp, _) = source.stamp.unwrap();
        // The place of a file counts, so that a wrong entry would show.
        let claude = Harness::ClaudeCode;
        assert!(known.take(claude, Path::new("/elsewhere"), None, &stamp, true).is_none());
        let found = known.take(claude, &source.path, None, &stamp, true);
        assert!(matches!(found, Some(Found::Same(_))));
    }
}

/// Adds to a file as a harness does.
fn append(path: &Path, text: &str) {
    let mut file = fs::File::options().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn of_a_file_that_grew_only_the_new_lines_are_read() {
    let place = place();
    assert_eq!(place.output(true), 430);
    let before = fs::metadata(&place.session).unwrap().len();
    // The response before goes on, with its final number.
    append(&place.session, &(answer("m2", 25) + &answer("m4", 1000)));
    settle();
    let source = Source::at(Harness::ClaudeCode, place.session.clone());
    let (stamp, settled) = source.stamp.unwrap();
    let found = Cache::at(place.cache.clone()).read().take(
        source.harness,
        &source.path,
        None,
        &stamp,
        settled,
    );
    let Some(Found::Older(scanner, mark)) = found else { panic!("{found:?}") };
    assert_eq!((mark.byte, scanner.finish().responses.len()), (before, 2));
    assert_eq!((place.output(true), place.output(true), place.output(false)), (1435, 1435, 1435));
}

#[test]
fn a_file_that_was_written_anew_and_longer_is_read_whole() {
    let place = place();
    assert_eq!(place.output(true), 430);
    // In the same file of the file system, as an editor may do it.
    fs::write(&place.session, answer("m7", 3) + &answer("m8", 4) + &answer("m9", 5)).unwrap();
    assert_eq!((place.output(true), place.output(false)), (412, 412));
    settle();
    assert_eq!((place.output(true), place.output(true)), (412, 412));
    // Something taken out, and more behind it.
    fs::write(&place.session, answer("m7", 3) + &answer("m9", 5) + &answer("m1", 6).repeat(2))
        .unwrap();
    assert_eq!((place.output(true), place.output(false)), (414, 414));
}

#[test]
fn a_line_that_is_being_written_counts_once_it_is_whole() {
    let place = place();
    let line = answer("m4", 1000);
    append(&place.session, &line[..80]);
    settle();
    assert_eq!((place.output(true), place.output(true)), (430, 430));
    append(&place.session, &line[80..line.len() - 1]);
    settle();
    assert_eq!((place.output(true), place.output(true)), (1430, 1430));
    append(&place.session, &("\n".to_owned() + &answer("m5", 1)));
    settle();
    assert_eq!((place.output(true), place.output(true)), (1431, 1431));
}

#[test]
fn sessions_of_a_database_are_known_until_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opencode.db");
    let message = |id: &str, session: &str, output: u64| {
        format!(
            r#"INSERT INTO message VALUES ('{id}', '{session}', {output}, {output}, '{{"role":"assistant","modelID":"acme-large","time":{{"created":{output}}},"tokens":{{"input":1,"output":{output}}}}}');"#
        )
    };
    let script = "CREATE TABLE session (id TEXT, directory TEXT, time_created INTEGER, time_updated INTEGER);
        CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
        CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
        INSERT INTO session VALUES ('ses_a', '/home/dev/shop', 1, 1), ('ses_b', '/home/dev/shop', 2, 2);";
    let messages = message("m1", "ses_a", 5) + &message("m2", "ses_b", 70);
    build(&path, &format!("{script}{messages}")).unwrap();
    let store = Store { harness: Harness::Opencode, root: folder.path().to_owned() };
    let place =
        Place { store, session: path.clone(), cache: folder.path().join("c"), _folder: folder };
    settle();
    assert_eq!((place.output(true), place.output(true), place.output(false)), (75, 75, 75));
    let sources = sources(std::slice::from_ref(&place.store)).0;
    let mut known = Cache::at(place.cache.clone()).read();
    for source in &sources {
        let (stamp, settled) = source.stamp.unwrap();
        let found = known.take(source.harness, &source.path, Some(&source.name), &stamp, settled);
        assert!(matches!(found, Some(Found::Same(_))));
    }
    build(&path, &message("m3", "ses_b", 200)).unwrap();
    assert_eq!((place.output(true), place.output(false)), (275, 275));
    settle();
    assert_eq!((place.output(true), place.output(true)), (275, 275));
}

#[test]
fn what_another_harness_saw_in_a_file_counts_nothing() {
    let place = place();
    let wrong = Store { harness: Harness::Pi, root: place.store.root.clone() };
    let cache = Cache::at(place.cache.clone());
    let source = Source::at(wrong.harness, place.session.clone());
    let (scanned, _) = scan(&[source], Options::default(), Some(&cache));
    assert_eq!(scanned[0].transcript.responses.len(), 0);
    assert_eq!((place.output(true), place.output(true)), (430, 430));
}

#[test]
fn an_edit_in_the_middle_of_a_file_that_grew_is_seen() {
    let place = place();
    let many: String = (0..100).map(|n| answer(&format!("many{n}"), 1)).collect();
    fs::write(&place.session, &many).unwrap();
    settle();
    assert_eq!(place.output(true), 500);
    // In place, of the same length, far from both ends.
    let edited = many.replacen("\"many50\"", "\"many51\"", 1) + &answer("last", 10);
    assert!(edited.len() > 16_000);
    fs::File::options()
        .write(true)
        .open(&place.session)
        .unwrap()
        .write_all(edited.as_bytes())
        .unwrap();
    settle();
    assert_eq!((place.output(true), place.output(false)), (509, 509));
}

/// As root, SQLite touches the entry of a log that it only reads.
#[test]
fn a_log_that_was_only_read_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db-wal");
    fs::write(&path, "one").unwrap();
    std::thread::sleep(Duration::from_millis(250));
    let of = || {
        let meta = fs::metadata(&path).unwrap();
        (Stamp::of(&meta).unwrap(), Stamp::of_log(&meta).unwrap())
    };
    let (file, log) = of();
    assert!(log.1, "long enough ago");
    fs::set_permissions(&path, fs::metadata(&path).unwrap().permissions()).unwrap();
    assert_eq!(of().1, log);
    if cfg!(unix) {
        assert_ne!(of().0, file);
    }
    fs::write(&path, "two").unwrap();
    assert_ne!(of().1.0, log.0);
}
