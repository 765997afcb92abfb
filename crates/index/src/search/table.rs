//! Which transcripts the index holds, in which state: one small database beside the text index.
//!
//! Documents carry the number of their session, and a number is never used twice. Which numbers count is said here and
//! nowhere else: documents of a number that is not in the table do not exist for a search. A refresh first writes
//! documents under new numbers, then changes the table in one transaction. Whenever it is interrupted, the table
//! still describes documents that are there, and the others are removed by the next refresh.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::build::Session;
use super::item::Touch;

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    db: Connection,
}

/// A transcript file or database that is indexed.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) id: i64,
    pub(crate) harness: String,
    /// Its state when it was read; empty when that could not be told.
    pub(crate) stamp: Vec<u8>,
}

/// A session that was written into the text index.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) number: u64,
    pub(crate) session: Session,
    pub(crate) touched: Vec<(String, Touch)>,
}

/// What a source holds now.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) harness: &'static str,
    pub(crate) path: String,
    pub(crate) stamp: Vec<u8>,
    pub(crate) written: Vec<Written>,
    /// The numbers of sessions that stay as they are.
    pub(crate) kept: Vec<u64>,
}

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS source (
    id INTEGER PRIMARY KEY, harness TEXT NOT NULL, path TEXT NOT NULL UNIQUE, stamp BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS session (
    number INTEGER PRIMARY KEY, source INTEGER NOT NULL, id TEXT NOT NULL, about BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS session_source ON session (source);
CREATE TABLE IF NOT EXISTS touched (
    number INTEGER NOT NULL, path TEXT NOT NULL, change INTEGER NOT NULL,
    PRIMARY KEY (number, path, change)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS gone (number INTEGER PRIMARY KEY);
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
        let mut statement = self.db.prepare("SELECT path, id, harness, stamp FROM source")?;
        let rows = statement.query_map([], |row| {
            Ok((row.get(0)?, Known { id: row.get(1)?, harness: row.get(2)?, stamp: row.get(3)? }))
        })?;
        rows.collect()
    }

    /// The sessions that count, with their sources.
    pub(crate) fn sessions(&self) -> rusqlite::Result<Vec<(u64, i64, String)>> {
        let mut statement = self.db.prepare("SELECT number, source, id FROM session")?;
        let rows = statement.query_map([], |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?, row.get(2)?))
        })?;
        rows.collect()
    }

    /// What is known of one session.
    pub(crate) fn session(&self, number: u64) -> rusqlite::Result<Option<Session>> {
        let mut statement = self.db.prepare("SELECT about FROM session WHERE number = ?1")?;
        let about: Option<Vec<u8>> =
            statement.query_row([number.cast_signed()], |row| row.get(0)).optional()?;
        Ok(about.and_then(|bytes| postcard::from_bytes(&bytes).ok()))
    }

    /// What is known of all sessions.
    pub(crate) fn all(&self) -> rusqlite::Result<Vec<Session>> {
        let mut statement = self.db.prepare("SELECT about FROM session")?;
        let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0))?;
        let mut all = Vec::new();
        for bytes in rows {
            all.extend(postcard::from_bytes::<Session>(&bytes?).ok());
        }
        Ok(all)
    }

    /// What is known of all sessions of a source.
    pub(crate) fn sessions_of(&self, source: i64) -> rusqlite::Result<Vec<(u64, Session)>> {
        let mut statement =
            self.db.prepare("SELECT number, about FROM session WHERE source = ?1")?;
        let rows = statement.query_map([source], |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, Vec<u8>>(1)?))
        })?;
        let mut all = Vec::new();
        for row in rows {
            let (number, bytes) = row?;
            all.extend(postcard::from_bytes(&bytes).ok().map(|session| (number, session)));
        }
        Ok(all)
    }

    /// The files that sessions touched whose path ends with `end`, or has it as a part.
    pub(crate) fn touched(&self, part: &str) -> rusqlite::Result<Vec<(u64, String, Touch)>> {
        let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let mut statement = self.db.prepare(
            "SELECT number, path, change FROM touched WHERE path LIKE '%' || ?1 || '%' ESCAPE '\\'",
        )?;
        let rows = statement.query_map([escaped], |row| {
            let touch = if row.get::<_, i64>(2)? == 0 { Touch::Read } else { Touch::Change };
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?, touch))
        })?;
        rows.collect()
    }

    /// All files with the sessions that touched them.
    pub(crate) fn all_touched(&self) -> rusqlite::Result<Vec<(u64, String, Touch)>> {
        let mut statement = self.db.prepare("SELECT number, path, change FROM touched")?;
        let rows = statement.query_map([], |row| {
            let touch = if row.get::<_, i64>(2)? == 0 { Touch::Read } else { Touch::Change };
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?, touch))
        })?;
        rows.collect()
    }

    /// The numbers whose documents can be removed.
    pub(crate) fn gone(&self) -> rusqlite::Result<Vec<u64>> {
        let mut statement = self.db.prepare("SELECT number FROM gone")?;
        let rows = statement.query_map([], |row| Ok(row.get::<_, i64>(0)?.cast_unsigned()))?;
        rows.collect()
    }

    /// Makes what was written count: in one transaction the new sessions come, the old ones go.
    pub(crate) fn apply(
        &mut self,
        changes: &[Change],
        removed: &[i64],
        forgotten: &[u64],
        next: u64,
    ) -> rusqlite::Result<()> {
        let tx = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        {
            let mut forget = tx.prepare("DELETE FROM gone WHERE number = ?1")?;
            for number in forgotten {
                forget.execute([number.cast_signed()])?;
            }
            let mut remove = tx.prepare("DELETE FROM source WHERE id = ?1")?;
            for source in removed {
                drop_sessions(&tx, *source, &[])?;
                remove.execute([source])?;
            }
            let mut source = tx.prepare(
                "INSERT INTO source (harness, path, stamp) VALUES (?1, ?2, ?3)
                 ON CONFLICT (path) DO UPDATE SET harness = ?1, stamp = ?3 RETURNING id",
            )?;
            let mut session = tx.prepare("INSERT INTO session VALUES (?1, ?2, ?3, ?4)")?;
            let mut touched = tx.prepare("INSERT OR IGNORE INTO touched VALUES (?1, ?2, ?3)")?;
            for change in changes {
                let id: i64 = source
                    .query_row(params![change.harness, change.path, change.stamp], |row| {
                        row.get(0)
                    })?;
                drop_sessions(&tx, id, &change.kept)?;
                for written in &change.written {
                    let number = written.number.cast_signed();
                    let about = postcard::to_allocvec(&written.session).unwrap_or_default();
                    session.execute(params![number, id, written.session.id, about])?;
                    for (path, touch) in &written.touched {
                        touched.execute(params![
                            number,
                            path,
                            i64::from(*touch == Touch::Change)
                        ])?;
                    }
                }
            }
            tx.execute("INSERT OR REPLACE INTO state VALUES ('next', ?1)", [next.cast_signed()])?;
        }
        tx.commit()
    }

    /// How many sources and sessions there are, and how many numbers wait for their removal.
    pub(crate) fn counts(&self) -> rusqlite::Result<(u64, u64, u64)> {
        let count =
            |sql| self.db.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned);
        Ok((
            count("SELECT count(*) FROM source")?,
            count("SELECT count(*) FROM session")?,
            count("SELECT count(*) FROM gone")?,
        ))
    }
}

/// Takes the sessions of a source out, those in `kept` excepted.
fn drop_sessions(db: &Connection, source: i64, kept: &[u64]) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT number FROM session WHERE source = ?1")?;
    let numbers: Vec<i64> =
        statement.query_map([source], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let kept: HashSet<i64> = kept.iter().map(|n| n.cast_signed()).collect();
    for number in numbers.into_iter().filter(|n| !kept.contains(n)) {
        db.execute("DELETE FROM session WHERE number = ?1", [number])?;
        db.execute("DELETE FROM touched WHERE number = ?1", [number])?;
        db.execute("INSERT OR IGNORE INTO gone VALUES (?1)", [number])?;
    }
    Ok(())
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
            let session = Session { id: "one".to_owned(), ..Session::default() };
            let change = Change {
                harness: "x",
                path: "/x".to_owned(),
                stamp: Vec::new(),
                written: vec![Written { number, session, touched: Vec::new() }],
                kept: Vec::new(),
            };
            writer.apply(&[change], &[], &[], number + 1).unwrap();
        };
        write(1);
        {
            let _snapshot = reader.snapshot().unwrap();
            let (number, ..) = reader.sessions().unwrap()[0].clone();
            // The session is read again by somebody, and gets another number.
            write(2);
            assert_eq!(reader.session(number).unwrap().map(|s| s.id).as_deref(), Some("one"));
        }
        assert_eq!(reader.session(1).unwrap(), None);
        assert_eq!(reader.sessions().unwrap()[0].0, 2);
    }
}
