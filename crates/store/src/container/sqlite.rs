//! Databases of live programs, read without a touch: no file is created, changed or removed beside them, and
//! nobody is waited for.
//!
//! What SQLite's own read-only modes do to a store was measured (FIELD-NOTES, "SQLite without a touch"):
//! `mode=ro` creates a missing `-shm`, `immutable=1` does not see the WAL. So:
//!
//! | beside the database | how it is opened |
//! | --- | --- |
//! | no `-wal`, or an empty one | in place, `immutable=1` |
//! | a `-wal` with content | in place without locks and with the WAL index in memory |
//! | a `-journal` with content | a private copy, in which SQLite rolls the broken transaction back |
//!
//! Without locks a writer can pull pages away under a reader. [`read`] therefore compares what tells a
//! change (size and time of the database, its change counter, the WAL's salts) before and after, and reads
//! again, at last from a private copy. Databases of several GB are never copied unless a writer insists.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

/// How often a moving database is read in place before it is copied, and how often a copy is tried.
const ATTEMPTS: usize = 4;

/// A database as it was at one moment.
#[derive(Debug)]
pub struct Snapshot {
    connection: Connection,
    path: PathBuf,
    /// What the files looked like; nothing when this is a private copy, which cannot change.
    stamp: Option<Stamp>,
    /// Keeps the private copy alive; dropped behind the connection.
    _copy: Option<tempfile::TempDir>,
}

impl Snapshot {
    /// Opens a database for reading.
    pub fn open(path: &Path) -> io::Result<Self> {
        check_header(path)?;
        if has_content(&beside(path, "-journal")) {
            return Self::copy(path);
        }
        let stamp = Stamp::of(path)?;
        let connection = if has_content(&beside(path, "-wal")) {
            let vfs = if cfg!(windows) { "win32-none" } else { "unix-none" };
            let connection = connect(
                &uri(path, &format!("mode=ro&vfs={vfs}")),
                OpenFlags::SQLITE_OPEN_READ_ONLY,
            )?;
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(other)?;
            connection
        } else {
            connect(&uri(path, "mode=ro&immutable=1"), OpenFlags::SQLITE_OPEN_READ_ONLY)?
        };
        Ok(Self { connection, path: path.to_owned(), stamp: Some(stamp), _copy: None })
    }

    /// Opens a private copy of a database, taken while its files stood still.
    pub fn copy(path: &Path) -> io::Result<Self> {
        check_header(path)?;
        for _ in 0..ATTEMPTS {
            let before = Stamp::of(path)?;
            let folder = tempfile::Builder::new().prefix("recount-").tempdir()?;
            let copy = folder.path().join("copy.sqlite");
            fs::copy(path, &copy)?;
            // The -shm is left behind: it describes the writer's view, and SQLite rebuilds it from the WAL.
            for suffix in ["-wal", "-journal"] {
                match fs::copy(beside(path, suffix), beside(&copy, suffix)) {
                    Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                    _ => {}
                }
            }
            if Stamp::of(path)? != before {
                continue;
            }
            let connection = connect(&uri(&copy, "mode=rw"), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            return Ok(Self {
                connection,
                path: path.to_owned(),
                stamp: None,
                _copy: Some(folder),
            });
        }
        Err(io::Error::new(io::ErrorKind::WouldBlock, "the database is written all the time"))
    }

    /// The connection. It is of no use for writing.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether nothing happened to the files that could have spoilt what was read so far.
    pub fn stood_still(&self) -> bool {
        self.stamp
            .as_ref()
            .is_none_or(|before| Stamp::of(&self.path).is_ok_and(|now| before.still_holds(&now)))
    }
}

/// Reads from a database, and again when a writer came in between.
pub fn read<T>(path: &Path, query: impl Fn(&Connection) -> rusqlite::Result<T>) -> io::Result<T> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let snapshot = Snapshot::open(path)?;
        let result = query(snapshot.connection());
        if snapshot.stood_still() {
            return result.map_err(other);
        }
        last = Some(result);
    }
    match Snapshot::copy(path) {
        Ok(copy) => query(copy.connection()).map_err(other),
        // Written so fast that not even a copy succeeds: the last answer is the best there is.
        Err(e) => last.and_then(Result::ok).ok_or(e),
    }
}

/// Makes a database from a script. For samples and tests, which keep databases as text; a store is never written.
pub fn build(path: &Path, script: &str) -> io::Result<()> {
    let whole =
        format!("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; BEGIN; {script}; COMMIT;");
    Connection::open(path).and_then(|db| db.execute_batch(&whole)).map_err(other)
}

/// What tells that a database was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// SQLite counts transactions here in rollback modes.
    change_counter: [u8; 4],
    /// Length and header (with the salts that change when the WAL starts over) of the WAL.
    wal: Option<(u64, Vec<u8>)>,
    journal: bool,
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let meta = fs::metadata(path)?;
        let header = head(path, 28)?;
        let mut change_counter = [0; 4];
        if let Some(bytes) = header.get(24..28) {
            change_counter.copy_from_slice(bytes);
        }
        let wal = beside(path, "-wal");
        Ok(Self {
            len: meta.len(),
            modified: meta.modified().ok(),
            change_counter,
            wal: fs::metadata(&wal).ok().map(|m| (m.len(), head(&wal, 32).unwrap_or_default())),
            journal: has_content(&beside(path, "-journal")),
        })
    }

    /// Whether a snapshot taken at `self` is whole at `now`. Frames that were only appended to the WAL lie
    /// behind the snapshot and do not matter.
    fn still_holds(&self, now: &Self) -> bool {
        let wal = match (&self.wal, &now.wal) {
            (Some((0, _)) | None, _) => true,
            (Some((was, salts)), Some((is, now))) => is >= was && salts == now,
            (Some(_), None) => false,
        };
        wal && !now.journal
            && (self.len, self.modified, self.change_counter)
                == (now.len, now.modified, now.change_counter)
    }
}

fn connect(uri: &str, mode: OpenFlags) -> io::Result<Connection> {
    let flags = mode | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(uri, flags).map_err(other)?;
    // The last one to close folds the WAL into the database and removes it, unless told otherwise.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(other)?;
    connection.busy_timeout(std::time::Duration::ZERO).map_err(other)?;
    Ok(connection)
}

/// Refuses what is no database before SQLite sees it: SQLite removes the WAL beside an empty one.
fn check_header(path: &Path) -> io::Result<()> {
    if head(path, 100)?.len() == 100 && head(path, 16)? == b"SQLite format 3\0" {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "no SQLite database"))
    }
}

fn head(path: &Path, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.len() > 0)
}

/// A path as SQLite's URI: everything but plain characters is escaped.
fn uri(path: &Path, query: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::from("file:");
    let text = path.to_string_lossy();
    let text =
        if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text.into_owned() };
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b':' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri.push('?');
    uri.push_str(query);
    uri
}

fn other(error: rusqlite::Error) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// All files of a folder with their content, so that a test sees every touch.
    fn listing(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        fs::read_dir(folder)
            .expect("the folder is there")
            .map(|e| {
                let e = e.expect("an entry");
                (e.file_name().to_string_lossy().into_owned(), fs::read(e.path()).expect("a file"))
            })
            .collect()
    }

    /// A folder with a database in WAL mode whose second row stands in the WAL only; the writer is still alive.
    fn live() -> (tempfile::TempDir, PathBuf, Connection) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a b?.sqlite");
        let writer = Connection::open(&path).expect("a database");
        writer
            .execute_batch(
                "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t(x);
                 INSERT INTO t VALUES(1); PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES(2);",
            )
            .expect("rows");
        (folder, path, writer)
    }

    fn rows(path: &Path) -> io::Result<Vec<i64>> {
        read(path, |c| {
            c.prepare("SELECT x FROM t ORDER BY x")?.query_map([], |r| r.get(0))?.collect()
        })
    }

    #[test]
    fn a_live_wal_is_read_and_nothing_is_touched() {
        let (folder, path, _writer) = live();
        let before = listing(folder.path());
        assert!(before.contains_key("a b?.sqlite-shm"));
        assert_eq!(rows(&path).expect("rows"), [1, 2]);
        assert_eq!(listing(folder.path()), before);
    }

    #[test]
    fn the_files_of_a_killed_writer_are_read_without_an_shm() {
        let (folder, path, _writer) = live();
        let dead = tempfile::tempdir().expect("a folder");
        let copy = dead.path().join("dead.sqlite");
        fs::copy(&path, &copy).expect("copied");
        fs::copy(beside(&path, "-wal"), beside(&copy, "-wal")).expect("copied");
        let before = listing(dead.path());
        assert_eq!(rows(&copy).expect("rows"), [1, 2]);
        assert_eq!(listing(dead.path()), before, "no -shm appeared and the WAL is still there");
        drop(folder);
    }

    #[test]
    fn a_torn_or_foreign_wal_gives_what_was_committed_and_stays() {
        let (_folder, path, _writer) = live();
        let wal = fs::read(beside(&path, "-wal")).expect("a WAL");
        for damaged in [wal[..wal.len() - 10].to_vec(), wal[..40].to_vec(), vec![7; 100]] {
            let dead = tempfile::tempdir().expect("a folder");
            let copy = dead.path().join("dead.sqlite");
            fs::copy(&path, &copy).expect("copied");
            fs::write(beside(&copy, "-wal"), damaged).expect("written");
            let before = listing(dead.path());
            assert_eq!(rows(&copy).expect("rows"), [1]);
            assert_eq!(listing(dead.path()), before);
        }
    }

    #[test]
    fn a_database_at_rest_is_read_in_place() {
        let (folder, path, writer) = live();
        drop(writer);
        let before = listing(folder.path());
        assert_eq!(before.len(), 1);
        assert_eq!(rows(&path).expect("rows"), [1, 2]);
        assert_eq!(listing(folder.path()), before);
    }

    #[test]
    fn a_broken_transaction_is_rolled_back_in_a_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("live.sqlite");
        let writer = Connection::open(&path).expect("a database");
        writer
            .execute_batch(
                "PRAGMA journal_mode=DELETE; PRAGMA cache_size=1; PRAGMA cache_spill=1;
                 CREATE TABLE t(x); INSERT INTO t VALUES(1); CREATE TABLE fill(y);
                 BEGIN; UPDATE t SET x = 9;
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
                 INSERT INTO fill SELECT hex(randomblob(500)) FROM n;",
            )
            .expect("rows");
        let dead = tempfile::tempdir().expect("a folder");
        let copy = dead.path().join("dead.sqlite");
        fs::copy(&path, &copy).expect("copied");
        fs::copy(beside(&path, "-journal"), beside(&copy, "-journal")).expect("copied");
        let before = listing(dead.path());
        assert_eq!(rows(&copy).expect("rows"), [1]);
        assert_eq!(listing(dead.path()), before);
    }

    #[test]
    fn a_writer_that_came_in_between_is_noticed() {
        let (_folder, path, writer) = live();
        let snapshot = Snapshot::open(&path).expect("open");
        let one: i64 = snapshot
            .connection()
            .query_row("SELECT count(*) FROM t", [], |r| r.get(0))
            .expect("a row");
        assert_eq!(one, 2);
        writer.execute_batch("INSERT INTO t VALUES(3)").expect("a row");
        assert!(snapshot.stood_still(), "appended frames do not disturb a snapshot");
        writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
        assert!(!snapshot.stood_still());
        assert_eq!(rows(&path).expect("rows"), [1, 2, 3]);
    }

    #[test]
    fn a_writer_in_the_middle_of_a_transaction_is_not_waited_for() {
        let (_folder, path, writer) = live();
        writer.execute_batch("BEGIN EXCLUSIVE; INSERT INTO t VALUES(3)").expect("a transaction");
        assert_eq!(rows(&path).expect("rows"), [1, 2]);
    }

    #[test]
    fn what_is_no_database_is_refused_and_its_wal_survives() {
        for bytes in
            [&b""[..], b"SQLite format 3\0", &[0; 4096], b"not a database at all, but long enough"]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("x.sqlite");
            fs::write(&path, bytes).expect("written");
            fs::write(beside(&path, "-wal"), b"something").expect("written");
            let before = listing(folder.path());
            assert!(rows(&path).is_err());
            assert_eq!(listing(folder.path()), before);
        }
    }
}
