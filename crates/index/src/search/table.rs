//! Which transcripts the index holds, in which state: one small database beside the text index.
//!
//! Each document has a number, and a number is never used twice. Which numbers count is said here and nowhere else: a
//! document whose number is not in the table does not exist for a search. A refresh first writes documents under new
//! numbers, then changes the table in one transaction. Whenever it is interrupted, the table still describes documents
//! that are there, and the others are removed by the next refresh.
//!
//! A session that changed keeps the documents that are still right, by their fingerprints.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use twox_hash::XxHash3_64;

use super::build::Session;
use super::item::Touch;
use super::ranges::Ranges;

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    db: Connection,
}

/// A transcript file or database that is indexed.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: i64,
    /// Its state when it was read; empty when that could not be told.
    pub(crate) stamp: Vec<u8>,
}

/// A session that is indexed.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) key: i64,
    pub(crate) source: i64,
    /// The same for the same session of a harness in all files in which it stands.
    pub(crate) thread: i64,
    pub(crate) documents: Ranges,
}

/// A session that is indexed, with what tells which of its documents are still right.
#[derive(Debug)]
pub(crate) struct Old {
    pub(crate) key: i64,
    pub(crate) session: Session,
    pub(crate) documents: Ranges,
    /// The fingerprints of its documents, in their order.
    pub(crate) prints: Vec<u64>,
}

/// A session that was written into the text index, or taken over from before.
#[derive(Debug)]
pub(crate) struct Written {
    /// Its key, when it was indexed before.
    pub(crate) key: Option<i64>,
    pub(crate) session: Session,
    pub(crate) touched: Vec<(String, Touch)>,
    pub(crate) documents: Ranges,
    pub(crate) prints: Vec<u64>,
    /// Documents that it had before.
    pub(crate) gone: Ranges,
}

/// What a source holds now.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) harness: &'static str,
    pub(crate) path: String,
    pub(crate) stamp: Vec<u8>,
    pub(crate) written: Vec<Written>,
    /// The keys of sessions that stay as they are.
    pub(crate) kept: Vec<i64>,
}

/// What is looked at by every search stands apart from what is not.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS source (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS session (
    key INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, thread INTEGER NOT NULL, documents BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS session_source ON session (source);
CREATE TABLE IF NOT EXISTS about (session INTEGER PRIMARY KEY, about BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS print (session INTEGER PRIMARY KEY, prints BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS touched (
    session INTEGER NOT NULL, path TEXT NOT NULL, change INTEGER NOT NULL,
    PRIMARY KEY (session, path, change)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS gone (first INTEGER PRIMARY KEY, length INTEGER NOT NULL);
";

impl Table {
    /// Opens it, or makes it.
    pub(crate) fn open(path: &Path) -> rusqlite::Result<Self> {
        let db = Connection::open(path)?;
        db.busy_timeout(Duration::from_secs(10))?;
        // Readers go on while one writes. What a power failure takes away is read again from the transcripts.
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        let made: Option<String> = db
            .query_row("SELECT name FROM sqlite_schema WHERE name = 'gone'", [], |row| row.get(0))
            .optional()?;
        if made.is_none() {
            db.execute_batch(&format!("BEGIN IMMEDIATE;{SCHEMA}COMMIT;"))?;
        }
        Ok(Self { db })
    }

    /// Whether all of it can be read.
    pub(crate) fn is_whole(&self) -> bool {
        let told: rusqlite::Result<String> =
            self.db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
        told.is_ok_and(|told| told == "ok")
    }

    /// As long as this is held, the table is read as it is now, whatever others write meanwhile.
    pub(crate) fn snapshot(&self) -> rusqlite::Result<Transaction<'_>> {
        self.db.unchecked_transaction()
    }

    /// A number of the table's own state.
    pub(crate) fn state(&self, name: &str) -> rusqlite::Result<u64> {
        let value: Option<i64> = self
            .db
            .query_row("SELECT value FROM state WHERE name = ?1", [name], |row| row.get(0))
            .optional()?;
        Ok(value.and_then(|n| u64::try_from(n).ok()).unwrap_or(0))
    }

    /// Sets a number of the table's own state.
    pub(crate) fn set_state(&self, name: &str, value: u64) -> rusqlite::Result<()> {
        self.db.execute(
            "INSERT OR REPLACE INTO state VALUES (?1, ?2)",
            params![name, value.cast_signed()],
        )?;
        Ok(())
    }

    /// The sources by path.
    pub(crate) fn sources(&self) -> rusqlite::Result<HashMap<String, Known>> {
        let mut statement = self.db.prepare("SELECT path, id, stamp FROM source")?;
        let rows = statement.query_map([], |row| {
            Ok((row.get(0)?, Known { id: row.get(1)?, stamp: row.get(2)? }))
        })?;
        rows.collect()
    }

    /// The sessions that count.
    pub(crate) fn sessions(&self) -> rusqlite::Result<Vec<Row>> {
        let mut statement =
            self.db.prepare("SELECT key, source, thread, documents FROM session")?;
        let rows = statement.query_map([], |row| {
            Ok(Row {
                key: row.get(0)?,
                source: row.get(1)?,
                thread: row.get(2)?,
                documents: unpacked(row.get_ref(3)?.as_blob()?),
            })
        })?;
        rows.collect()
    }

    /// What is known of some sessions.
    pub(crate) fn named(
        &self,
        keys: impl IntoIterator<Item = i64>,
    ) -> rusqlite::Result<HashMap<i64, Session>> {
        let mut statement = self.db.prepare("SELECT about FROM about WHERE session = ?1")?;
        let mut all = HashMap::new();
        for key in keys {
            if all.contains_key(&key) {
                continue;
            }
            let about: Option<Vec<u8>> = statement.query_row([key], |row| row.get(0)).optional()?;
            let session = about.and_then(|bytes| postcard::from_bytes(&bytes).ok());
            all.extend(session.map(|session| (key, session)));
        }
        Ok(all)
    }

    /// What is known of all sessions: source, key, session.
    pub(crate) fn abouts(&self) -> rusqlite::Result<Vec<(i64, i64, Session)>> {
        let mut statement = self.db.prepare(
            "SELECT source, key, about FROM session JOIN about ON about.session = session.key",
        )?;
        let mut rows = statement.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            if let Ok(session) = postcard::from_bytes(row.get_ref(2)?.as_blob()?) {
                all.push((row.get(0)?, row.get(1)?, session));
            }
        }
        Ok(all)
    }

    /// All that is known of the sessions of a source. What cannot be read is not there: it is written anew.
    pub(crate) fn old(&self, source: i64) -> rusqlite::Result<Vec<Old>> {
        let mut statement = self.db.prepare(
            "SELECT key, documents, about, prints FROM session
             JOIN about ON about.session = key JOIN print ON print.session = key
             WHERE source = ?1",
        )?;
        let mut rows = statement.query([source])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            let Ok(session) = postcard::from_bytes(row.get_ref(2)?.as_blob()?) else { continue };
            let documents = unpacked(row.get_ref(1)?.as_blob()?);
            let (prints, _) = row.get_ref(3)?.as_blob()?.as_chunks::<8>();
            let prints: Vec<u64> = prints.iter().map(|p| u64::from_le_bytes(*p)).collect();
            if documents.numbers().count() == prints.len() {
                all.push(Old { key: row.get(0)?, session, documents, prints });
            }
        }
        Ok(all)
    }

    /// The files that sessions touched whose path ends with `end`, or has it as a part.
    pub(crate) fn touched(&self, part: &str) -> rusqlite::Result<Vec<(i64, String, Touch)>> {
        let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let mut statement = self.db.prepare(
            "SELECT session, path, change FROM touched WHERE path LIKE '%' || ?1 || '%' ESCAPE '\\'",
        )?;
        let rows = statement.query_map([escaped], |row| {
            let touch = if row.get::<_, i64>(2)? == 0 { Touch::Read } else { Touch::Change };
            Ok((row.get(0)?, row.get(1)?, touch))
        })?;
        rows.collect()
    }

    /// All files with the sessions that touched them.
    pub(crate) fn all_touched(&self) -> rusqlite::Result<Vec<(i64, String, Touch)>> {
        self.touched("")
    }

    /// The numbers whose documents can be removed.
    pub(crate) fn gone(&self) -> rusqlite::Result<Ranges> {
        let mut statement = self.db.prepare("SELECT first, length FROM gone ORDER BY first")?;
        let rows = statement.query_map([], |row| {
            let unsigned = |n| row.get::<_, i64>(n).map(i64::cast_unsigned);
            Ok((unsigned(0)?, unsigned(1)?))
        })?;
        rows.collect::<rusqlite::Result<_>>().map(Ranges)
    }

    /// Makes what was written count: in one transaction the new documents come, the old ones go.
    pub(crate) fn apply(
        &mut self,
        changes: &[Change],
        removed: &[i64],
        forgotten: &Ranges,
        state: &[(&str, u64)],
    ) -> rusqlite::Result<()> {
        let tx = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let mut forget = tx.prepare("DELETE FROM gone WHERE first = ?1")?;
            for (first, _) in &forgotten.0 {
                forget.execute([first.cast_signed()])?;
            }
            let mut remove = tx.prepare("DELETE FROM source WHERE id = ?1")?;
            for source in removed {
                drop_sessions(&tx, *source, &HashSet::new())?;
                remove.execute([source])?;
            }
            let mut source = tx.prepare(
                "INSERT INTO source (path, stamp) VALUES (?1, ?2)
                 ON CONFLICT (path) DO UPDATE SET stamp = ?2 RETURNING id",
            )?;
            for change in changes {
                let id: i64 =
                    source.query_row(params![change.path, change.stamp], |row| row.get(0))?;
                let mut keys: HashSet<i64> = change.kept.iter().copied().collect();
                keys.extend(change.written.iter().filter_map(|written| written.key));
                drop_sessions(&tx, id, &keys)?;
                for written in &change.written {
                    write_session(&tx, id, change.harness, written)?;
                }
            }
            let mut set = tx.prepare("INSERT OR REPLACE INTO state VALUES (?1, ?2)")?;
            for (name, value) in state {
                set.execute(params![name, value.cast_signed()])?;
            }
        }
        tx.commit()
    }

    /// How many sources and sessions there are, and how many documents wait for their removal.
    pub(crate) fn counts(&self) -> rusqlite::Result<(u64, u64, u64)> {
        let count =
            |sql| self.db.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned);
        Ok((
            count("SELECT count(*) FROM source")?,
            count("SELECT count(*) FROM session")?,
            count("SELECT coalesce(sum(length), 0) FROM gone")?,
        ))
    }
}

fn write_session(
    db: &Connection,
    source: i64,
    harness: &str,
    written: &Written,
) -> rusqlite::Result<()> {
    let session = &written.session;
    let documents = postcard::to_allocvec(&written.documents).unwrap_or_default();
    let about = postcard::to_allocvec(session).unwrap_or_default();
    let prints: Vec<u8> = written.prints.iter().flat_map(|print| print.to_le_bytes()).collect();
    let thread = format!("{harness}\0{}", session.id);
    let thread = XxHash3_64::oneshot(thread.as_bytes()).cast_signed();
    let key = if let Some(key) = written.key {
        db.prepare("UPDATE session SET documents = ?2 WHERE key = ?1")?
            .execute(params![key, documents])?;
        key
    } else {
        db.prepare("INSERT INTO session (source, thread, documents) VALUES (?1, ?2, ?3)")?
            .execute(params![source, thread, documents])?;
        db.last_insert_rowid()
    };
    db.prepare("INSERT OR REPLACE INTO about VALUES (?1, ?2)")?.execute(params![key, about])?;
    db.prepare("INSERT OR REPLACE INTO print VALUES (?1, ?2)")?.execute(params![key, prints])?;
    if written.key.is_some() {
        db.prepare("DELETE FROM touched WHERE session = ?1")?.execute([key])?;
    }
    let mut touched = db.prepare("INSERT OR IGNORE INTO touched VALUES (?1, ?2, ?3)")?;
    for (path, touch) in &written.touched {
        touched.execute(params![key, path, i64::from(*touch == Touch::Change)])?;
    }
    leave(db, &written.gone)
}

/// Remembers documents whose turn to be removed comes with the next refresh.
fn leave(db: &Connection, documents: &Ranges) -> rusqlite::Result<()> {
    let mut leave = db.prepare("INSERT OR REPLACE INTO gone VALUES (?1, ?2)")?;
    for (first, length) in &documents.0 {
        leave.execute([first.cast_signed(), length.cast_signed()])?;
    }
    Ok(())
}

/// Takes the sessions of a source out, those in `kept` excepted.
fn drop_sessions(db: &Connection, source: i64, kept: &HashSet<i64>) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT key, documents FROM session WHERE source = ?1")?;
    let sessions: Vec<(i64, Ranges)> = statement
        .query_map([source], |row| Ok((row.get(0)?, unpacked(row.get_ref(1)?.as_blob()?))))?
        .collect::<rusqlite::Result<_>>()?;
    for (key, documents) in sessions.into_iter().filter(|(key, _)| !kept.contains(key)) {
        leave(db, &documents)?;
        for sql in [
            "DELETE FROM session WHERE key = ?1",
            "DELETE FROM about WHERE session = ?1",
            "DELETE FROM print WHERE session = ?1",
            "DELETE FROM touched WHERE session = ?1",
        ] {
            db.prepare(sql)?.execute([key])?;
        }
    }
    Ok(())
}

/// What cannot be read has no documents.
fn unpacked(bytes: &[u8]) -> Ranges {
    postcard::from_bytes(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_together_fits_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.db");
        let (reader, mut writer) = (Table::open(&path).unwrap(), Table::open(&path).unwrap());
        let mut write = |number: u64| {
            let written = Written {
                key: None,
                session: Session { id: "one".to_owned(), ..Session::default() },
                touched: Vec::new(),
                documents: Ranges::of([number]),
                prints: vec![number],
                gone: Ranges::default(),
            };
            let change = Change {
                harness: "x",
                path: "/x".to_owned(),
                stamp: Vec::new(),
                written: vec![written],
                kept: Vec::new(),
            };
            writer.apply(&[change], &[], &Ranges::default(), &[("next", number + 1)]).unwrap();
        };
        write(1);
        let id = |key| reader.named([key]).unwrap().remove(&key).map(|session| session.id);
        let key = reader.sessions().unwrap()[0].key;
        {
            let _snapshot = reader.snapshot().unwrap();
            assert_eq!(reader.sessions().unwrap()[0].key, key);
            // Somebody reads the session again, as another one.
            write(2);
            assert_eq!(id(key).as_deref(), Some("one"));
        }
        assert_eq!(id(key), None);
        assert!(reader.sessions().unwrap()[0].documents.has(2));
        assert!(reader.gone().unwrap().has(1));
    }
}
