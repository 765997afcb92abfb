//! The rows of a session as lines (`formats::opencode::row`), in a fixed order: the session, its messages, and
//! what else belongs to it. The session's id narrows every query, so the size of the database does not matter.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

use recount_formats::opencode::row::{Table, Value};
use recount_formats::{Code, Finding, Position};
use recount_session::model::Subagent;
use recount_session::rebuild::Facts;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql};

use super::database::Schema;
use crate::container::sqlite;

/// A session as lines.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) bytes: Vec<u8>,
    pub(super) facts: Facts,
    /// Sessions in the same database that this one builds on.
    pub(super) also_here: Vec<String>,
}

/// Reads a session.
pub(super) fn read(path: &Path, id: &str, source: &Arc<str>) -> io::Result<Session> {
    sqlite::read(path, |db| {
        let (schema, error) = Schema::of(db);
        let mut reader = Reader { db, schema: &schema, source, session: Session::default() };
        reader.session.facts.id = Some(id.to_owned());
        if let Some(error) = error {
            reader.find(Code::Unreadable, format!("{error}; what can be reached is read"));
        }
        reader.all(id);
        Ok(reader.session)
    })
}

/// Reads of sessions what can tell tokens: the session and its messages, without their parts.
pub(super) fn usage(
    path: &Path,
    ids: &[&str],
    take: &mut dyn FnMut(usize, &[u8]),
) -> io::Result<()> {
    let source: Arc<str> = path.display().to_string().into();
    let take = RefCell::new(take);
    sqlite::read(path, |db| {
        let (schema, _) = Schema::of(db);
        for (n, id) in ids.iter().enumerate() {
            let mut reader =
                Reader { db, schema: &schema, source: &source, session: Session::default() };
            reader.messages(id);
            (take.borrow_mut())(n, &reader.session.bytes);
        }
        Ok(())
    })
}

/// The rows that were read, so that a second way to them gives none twice.
#[derive(Default)]
struct Seen {
    keys: HashSet<String>,
    count: usize,
}

struct Reader<'a> {
    db: &'a Connection,
    schema: &'a Schema,
    source: &'a Arc<str>,
    session: Session,
}

impl Reader<'_> {
    /// The session and its messages; says whether it is one of 1.x, or was never imported.
    fn messages(&mut self, id: &str) -> bool {
        // In an upgraded database the row of 2.x counts, unless the import has not reached the session.
        let mut table = "";
        for name in ["session_v2", "session"] {
            if self.rows(name, "WHERE id = ?1", &[&id]) > 0 {
                table = name;
                break;
            }
        }
        let mut messages = 0;
        if table != "session" || self.schema.sessions() == Some("session") {
            messages = self.rows("session_message", "WHERE session_id = ?1 ORDER BY seq", &[&id]);
        }
        if messages == 0 {
            let order = "WHERE session_id = ?1 ORDER BY time_created, id";
            self.rows("message", order, &[&id]);
        }
        messages == 0
    }

    fn all(&mut self, id: &str) {
        // Parts belong to messages of 1.x only.
        if self.messages(id) {
            if self.schema.is_indexed("part") {
                self.rows("part", "WHERE session_id = ?1 ORDER BY id", &[&id]);
            } else {
                self.rows(
                    "part",
                    "WHERE message_id IN (SELECT id FROM message WHERE session_id = ?1) ORDER BY id",
                    &[&id],
                );
            }
            self.rows("todo", "WHERE session_id = ?1 ORDER BY position", &[&id]);
        }
        self.rows("session_inbox", "WHERE session_id = ?1 ORDER BY enqueued_seq", &[&id]);
        self.rows("instruction_state", "WHERE session_id = ?1", &[&id]);
        self.rows("instruction_entry", "WHERE session_id = ?1 ORDER BY key", &[&id]);
        if self.schema.has("instruction_state") && self.schema.has("instruction_blob") {
            self.rows(
                "instruction_blob",
                "WHERE hash IN (SELECT j.value FROM instruction_state s, json_each(
                   CASE WHEN json_valid(s.initial_values) THEN s.initial_values ELSE '{}' END) j
                   WHERE s.session_id = ?1)
                 OR hash IN (SELECT j.value FROM instruction_state s, json_each(
                   CASE WHEN json_valid(s.current_values) THEN s.current_values ELSE '{}' END) j
                   WHERE s.session_id = ?1) ORDER BY hash",
                &[&id],
            );
        }
        self.rows("event_sequence", "WHERE aggregate_id = ?1", &[&id]);
        if let Some(table) = self.schema.sessions() {
            self.relatives(table, id);
        }
    }

    /// The sessions that this one started, and whether the source of a fork is still here.
    fn relatives(&mut self, table: &str, id: &str) {
        if self.schema.has_column(table, "parent_id") {
            let title = if self.schema.has_column(table, "title") { "title" } else { "NULL" };
            let sql = format!(
                "SELECT id, {title} FROM \"{table}\" WHERE parent_id = ?1 ORDER BY id DESC"
            );
            let children = self.db.prepare(&sql).and_then(|mut statement| {
                statement
                    .query_map([id], |row| {
                        Ok(Subagent { id: row.get(0)?, tool_call_id: None, name: row.get(1)? })
                    })?
                    .collect::<rusqlite::Result<Vec<_>>>()
            });
            // Ids sort the newest first, so the oldest child is the first here.
            self.session.facts.children = children.unwrap_or_default();
        }
        if self.schema.has_column(table, "fork_session_id") {
            let sql = format!(
                "SELECT s.id FROM \"{table}\" f JOIN \"{table}\" s ON s.id = f.fork_session_id WHERE f.id = ?1"
            );
            let source = self.db.query_row(&sql, [id], |row| row.get::<_, String>(0));
            self.session.also_here.extend(source.ok());
        }
    }

    /// Adds the rows of a table that a condition picks, and says how many. In a damaged database one page that
    /// cannot be read ends a query, so the rows are then fetched one by one, and looked for in the table itself from
    /// both ends.
    fn rows(&mut self, name: &str, clause: &str, parameters: &[&dyn ToSql]) -> usize {
        let Some(table) = Table::named(name).filter(|_| self.schema.has(name)) else { return 0 };
        let mut seen = Seen::default();
        let Err(error) = self.query(table, &format!("\"{name}\" {clause}"), parameters, &mut seen)
        else {
            return seen.count;
        };
        let plain = clause.split(" ORDER BY ").next().unwrap_or(clause);
        for rowid in self.rowids(&format!("\"{name}\" {plain}"), parameters) {
            let one = format!("\"{name}\" WHERE rowid = ?1");
            // What cannot be fetched here is told below.
            let _ = self.query(table, &one, &[&rowid], &mut seen);
        }
        let scan = format!("\"{name}\" NOT INDEXED {plain} ORDER BY rowid");
        let whole = self.query(table, &scan, parameters, &mut seen).is_ok()
            || self.query(table, &format!("{scan} DESC"), parameters, &mut seen).is_ok();
        let outcome = if whole { "none is lost" } else { "some may be lost" };
        let count = seen.count;
        self.find(Code::Unreadable, format!("{name}: {error}; {count} rows were read, {outcome}"));
        count
    }

    /// The rows that an index knows, as far as it can be read.
    fn rowids(&self, from: &str, parameters: &[&dyn ToSql]) -> Vec<i64> {
        let mut found = Vec::new();
        let Ok(mut statement) = self.db.prepare(&format!("SELECT rowid FROM {from}")) else {
            return found;
        };
        if let Ok(rows) = statement.query_map(parameters, |row| row.get::<_, i64>(0)) {
            found.extend(rows.map_while(Result::ok));
        }
        found
    }

    fn find(&mut self, code: Code, message: String) {
        let finding = Finding::new(code, self.source, Position::WHOLE, message);
        self.session.facts.findings.push(finding);
    }

    fn query(
        &mut self,
        table: &'static Table,
        from: &str,
        parameters: &[&dyn ToSql],
        seen: &mut Seen,
    ) -> rusqlite::Result<()> {
        let mut mended = Vec::new();
        let bytes = &mut self.session.bytes;
        let result = write_rows(self.db, table.name, from, parameters, |row, write| {
            if row.has_key && !seen.keys.insert(row.key.clone()) {
                return true;
            }
            seen.count += 1;
            write(bytes);
            if row.mended {
                mended.push(row.key);
            }
            true
        });
        for key in mended {
            self.find(Code::InvalidUtf8, format!("{} {key}: a column is not UTF-8", table.name));
        }
        result
    }
}

/// A row that was read.
pub(super) struct Fetched {
    /// Its key.
    pub(super) key: String,
    /// Whether all columns of the key are there.
    pub(super) has_key: bool,
    /// Whether text had to be mended because it is not UTF-8.
    pub(super) mended: bool,
}

/// Reads rows of a table and hands each over with a way to write it as a line. Ends early when told `false`.
pub(super) fn write_rows(
    db: &Connection,
    table: &str,
    from: &str,
    parameters: &[&dyn ToSql],
    mut take: impl FnMut(Fetched, &dyn Fn(&mut Vec<u8>)) -> bool,
) -> rusqlite::Result<()> {
    let Some(table) = Table::named(table) else { return Ok(()) };
    let mut statement = db.prepare(&format!("SELECT * FROM {from}"))?;
    let names: Vec<String> = statement.column_names().map(String::from).collect();
    let has_key = table.key.iter().all(|key| names.iter().any(|name| name == key));
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        // Text that is not UTF-8 is mended first, so that the values can borrow it.
        let mut texts = Vec::with_capacity(names.len());
        for n in 0..names.len() {
            texts.push(match row.get_ref(n)? {
                // Nearly all text is UTF-8, which is quickly seen.
                ValueRef::Text(bytes) => Some(match std::str::from_utf8(bytes) {
                    Ok(text) => Cow::Borrowed(text),
                    Err(_) => Cow::Owned(String::from_utf8_lossy(bytes).into_owned()),
                }),
                _ => None,
            });
        }
        let mut columns = Vec::with_capacity(names.len());
        for (n, name) in names.iter().enumerate() {
            let value = match (row.get_ref(n)?, &texts[n]) {
                (_, Some(text)) => Value::Text(text),
                (ValueRef::Integer(i), None) => Value::Integer(i),
                (ValueRef::Real(r), None) => Value::Real(r),
                (ValueRef::Blob(b), None) => Value::Blob(b),
                (ValueRef::Null | ValueRef::Text(_), None) => Value::Null,
            };
            columns.push((name.as_str(), value));
        }
        let fetched = Fetched {
            key: table.key_of(&columns),
            has_key,
            mended: texts.iter().flatten().any(|text| matches!(text, Cow::Owned(_))),
        };
        if !take(fetched, &|out| table.write_line(&columns, out)) {
            break;
        }
    }
    Ok(())
}
