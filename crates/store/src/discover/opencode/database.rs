//! The tables of a database, and the sessions in them.
//!
//! Columns are asked for by name, and those that a database lacks are nothing: their order differs between new and
//! upgraded databases, and damaged ones lack some.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use recount_formats::opencode::row::TABLES;
use recount_formats::{Code, Finding, Harness, Position, json};
use recount_session::time::rfc3339;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use crate::container::sqlite;
use crate::discover::Listing;
use crate::head::SessionHead;

/// Whether a file is a database of opencode's.
pub(super) fn is_opencode(path: &Path) -> bool {
    sqlite::read(path, |db| Ok(Schema::of(db).0)).is_ok_and(|schema| schema.is_opencode())
}

/// The tables that matter, with their columns.
#[derive(Debug, Default)]
pub(super) struct Schema {
    tables: HashMap<String, Vec<String>>,
    /// Tables with an index that begins with `session_id`.
    by_session: Vec<String>,
}

impl Schema {
    /// Reads it, and what stands in the way of that. A file that ends too early is refused by SQLite altogether;
    /// told that the schema may be wrong, it reads as far as the pages go.
    pub(super) fn of(db: &Connection) -> (Self, Option<rusqlite::Error>) {
        let count =
            || db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        let error = count().err();
        if error.is_some() {
            // The connection cannot write, so nothing becomes writable by this.
            let _ = db.set_db_config(DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true);
        }
        let mut schema = Self::default();
        for table in TABLES {
            let columns = strings(db, "SELECT name FROM pragma_table_info(?1)", table.name);
            if columns.is_empty() {
                continue;
            }
            let indexes = strings(
                db,
                "SELECT i.name FROM pragma_index_list(?1) l, pragma_index_info(l.name) i WHERE i.seqno = 0",
                table.name,
            );
            if indexes.iter().any(|column| column == "session_id") {
                schema.by_session.push(table.name.into());
            }
            schema.tables.insert(table.name.into(), columns);
        }
        (schema, error)
    }

    /// Whether a table is there.
    pub(super) fn has(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    /// Whether a table has a column.
    pub(super) fn has_column(&self, table: &str, column: &str) -> bool {
        self.tables.get(table).is_some_and(|columns| columns.iter().any(|c| c == column))
    }

    /// Whether a table's rows of one session can be found without reading all of it.
    pub(super) fn is_indexed(&self, table: &str) -> bool {
        self.by_session.iter().any(|t| t == table)
    }

    /// The table of the sessions. `session_v2` tells a database of 2.x, and only then is `session` stale
    /// (FIELD-NOTES: 1.18 has an empty `session_message`, so that table tells nothing).
    pub(super) fn sessions(&self) -> Option<&'static str> {
        ["session_v2", "session"].into_iter().find(|table| self.has_column(table, "id"))
    }

    fn is_opencode(&self) -> bool {
        self.has("session_message")
            || (self.has("session") && self.has("message") && self.has("part"))
            || self.has("session_v2")
    }

    /// The columns to select, in this order; `NULL` for those that are not there.
    fn select(&self, table: &str, columns: &[&str]) -> String {
        let columns: Vec<_> = columns
            .iter()
            .map(|c| if self.has_column(table, c) { format!("\"{c}\"") } else { "NULL".into() })
            .collect();
        columns.join(", ")
    }
}

fn strings(db: &Connection, sql: &str, parameter: &str) -> Vec<String> {
    let rows = db.prepare(sql).and_then(|mut statement| {
        statement.query_map([parameter], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
    });
    rows.unwrap_or_default()
}

/// What lists show, in this order.
const HEAD: &[&str] = &[
    "id",
    "title",
    "directory",
    "time_created",
    "time_updated",
    "model",
    "parent_id",
    "fork_session_id",
    "time_archived",
];

/// The sessions of a database, or those whose id begins with `prefix`.
pub(super) fn sessions(
    path: &Path,
    root: &Path,
    prefix: Option<&str>,
    source: &Arc<str>,
) -> io::Result<Listing> {
    let size = std::fs::metadata(path).map_or(0, |m| m.len());
    sqlite::read(path, |db| {
        let (schema, error) = Schema::of(db);
        let mut listing = Listing::default();
        let mut problem = |code, message: String| {
            listing.findings.push(Finding::new(code, source, Position::WHOLE, message));
        };
        if let Some(error) = error {
            problem(Code::Unreadable, format!("{error}; what can be reached is read"));
        }
        let Some(table) = schema.sessions() else {
            let what = if schema.tables.is_empty() {
                "the database has none of opencode's tables"
            } else {
                "the database has no table of sessions"
            };
            problem(Code::Unreadable, what.into());
            return Ok(listing);
        };
        let (mut sessions, error) = heads(db, &schema, table, prefix, path, root);
        if let Some(error) = error {
            let read = sessions.len();
            problem(Code::Unreadable, format!("{table}: {error}; {read} sessions were read"));
        }
        lost(db, &schema, table, prefix, &mut sessions, &mut problem, path, root);
        unimported(db, &schema, table, prefix, &mut sessions, &mut problem, path, root);
        for session in &mut sessions {
            session.size = size;
        }
        listing.sessions = sessions;
        Ok(listing)
    })
}

/// The sessions in a table, as far as it can be read.
fn heads(
    db: &Connection,
    schema: &Schema,
    table: &str,
    prefix: Option<&str>,
    path: &Path,
    root: &Path,
) -> (Vec<SessionHead>, Option<rusqlite::Error>) {
    let mut found = Vec::new();
    let (clause, from, to) = range("id", prefix);
    let sql = format!("SELECT {} FROM \"{table}\" WHERE {clause}", schema.select(table, HEAD));
    let mut read = || -> rusqlite::Result<()> {
        let mut statement = db.prepare(&sql)?;
        let mut rows = statement.query([&from, &to])?;
        while let Some(row) = rows.next()? {
            found.extend(head(row, path, root));
        }
        Ok(())
    };
    let error = read().err();
    (found, error)
}

fn head(row: &Row<'_>, path: &Path, root: &Path) -> Option<SessionHead> {
    let text = |n: usize| match row.get_ref(n) {
        Ok(ValueRef::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    };
    let time = |n: usize| match row.get_ref(n) {
        Ok(ValueRef::Integer(ms)) => rfc3339(ms),
        _ => None,
    };
    let mut head = SessionHead::new(Harness::Opencode, text(0)?, path.into(), root.into());
    head.title = text(1);
    head.cwd = text(2);
    head.created_at = time(3);
    head.updated_at = time(4);
    let model = text(5);
    let model = model.as_deref().and_then(|model| json::parse(model).ok());
    let of_model = |key| Some(model?.str(key)?.into_owned());
    head.model = of_model("id");
    head.origin.model_provider = of_model("providerID");
    head.parent_id = text(6);
    head.forked_from_id = text(7);
    head.is_subagent = head.parent_id.is_some();
    head.archived = matches!(row.get_ref(8), Ok(ValueRef::Integer(_)));
    Some(head)
}

/// The condition that a column begins with a prefix, as a range that an index can answer, and its two values.
fn range(column: &str, prefix: Option<&str>) -> (String, String, String) {
    match prefix {
        None => (format!("{column} >= ?1 AND {column} >= ?2"), String::new(), String::new()),
        // No character sorts behind U+10FFFF.
        Some(prefix) => (
            format!("{column} >= ?1 AND {column} < ?2"),
            prefix.into(),
            format!("{prefix}\u{10FFFF}"),
        ),
    }
}

/// Sessions of which only messages are left (case damaged-no-session-v2-row). They are found by jumping from
/// session to session in the index of the messages; without that index nobody looks, for it would mean reading
/// every message.
#[expect(clippy::too_many_arguments, reason = "the parts of one query")]
fn lost(
    db: &Connection,
    schema: &Schema,
    table: &str,
    prefix: Option<&str>,
    sessions: &mut Vec<SessionHead>,
    problem: &mut impl FnMut(Code, String),
    path: &Path,
    root: &Path,
) {
    let messages: &[&str] =
        if table == "session_v2" { &["session_message"] } else { &["session_message", "message"] };
    for messages in messages {
        if !schema.is_indexed(messages) {
            continue;
        }
        let (clause, from, to) = range("id", prefix);
        let sql = format!(
            "WITH RECURSIVE ids(id) AS (
               SELECT min(session_id) FROM \"{messages}\" WHERE session_id >= ?1
               UNION ALL
               SELECT (SELECT min(session_id) FROM \"{messages}\" WHERE session_id > ids.id)
               FROM ids WHERE ids.id IS NOT NULL AND {clause})
             SELECT id FROM ids WHERE id IS NOT NULL AND {clause}
               AND NOT EXISTS (SELECT 1 FROM \"{table}\" s WHERE s.id = ids.id)"
        );
        let found = db.prepare(&sql).and_then(|mut statement| {
            statement
                .query_map([&from, &to], |row| row.get::<_, String>(0))?
                .collect::<rusqlite::Result<Vec<_>>>()
        });
        for id in found.unwrap_or_default() {
            if sessions.iter().any(|s| s.id == id) {
                continue;
            }
            problem(
                Code::LostToHarness,
                format!(
                    "session {id} has messages and no row in {table}: opencode does not show it"
                ),
            );
            sessions.push(SessionHead::new(Harness::Opencode, id, path.into(), root.into()));
        }
    }
}

/// Sessions of 1.x that the import has not reached yet. One that it has passed and that is not among those of 2.x
/// was deleted there: its rows are stale, and it is not listed, but its id still leads to it.
#[expect(clippy::too_many_arguments, reason = "the parts of one query")]
fn unimported(
    db: &Connection,
    schema: &Schema,
    table: &str,
    prefix: Option<&str>,
    sessions: &mut Vec<SessionHead>,
    problem: &mut impl FnMut(Code, String),
    path: &Path,
    root: &Path,
) {
    if table != "session_v2" || !schema.has_column("session", "id") {
        return;
    }
    let import = Import::of(db, schema);
    let known: std::collections::HashSet<String> = sessions.iter().map(|s| s.id.clone()).collect();
    let (old, _) = heads(db, schema, "session", prefix, path, root);
    let mut stale = 0_usize;
    for mut session in old.into_iter().filter(|s| !known.contains(&s.id)) {
        if import.has_passed(&session.id) {
            stale += 1;
            // By its whole id only: a prefix should not bring the dead back.
            if prefix != Some(session.id.as_str()) {
                continue;
            }
        }
        session.found.push(Finding::new(
            Code::StaleIndex,
            &path.display().to_string().into(),
            Position::WHOLE,
            format!("session {} stands in the tables of 1.x only", session.id),
        ));
        sessions.push(session);
    }
    if stale > 0 && prefix.is_none() {
        let what = if stale == 1 { "1 session".into() } else { format!("{stale} sessions") };
        problem(
            Code::StaleIndex,
            format!("{what} of 1.x, deleted in 2.x: the old tables still have the rows"),
        );
    }
}

/// How far the import of 1.x has come. It goes from the greatest id down.
enum Import {
    NotBegun,
    DownTo(String),
    Done,
}

impl Import {
    fn of(db: &Connection, schema: &Schema) -> Self {
        if !schema.has("kv") {
            return Self::NotBegun;
        }
        let value: Option<String> = db
            .query_row("SELECT value FROM kv WHERE key = 'migration.v1-v2'", [], |row| row.get(0))
            .ok();
        let Some(value) = value else { return Self::NotBegun };
        let Ok(value) = json::parse(&value) else { return Self::Done };
        match (value.str("phase").as_deref(), value.str("cursor")) {
            (Some("sessions"), Some(cursor)) => Self::DownTo(cursor.into_owned()),
            (Some("sessions"), None) => Self::NotBegun,
            _ => Self::Done,
        }
    }

    fn has_passed(&self, id: &str) -> bool {
        match self {
            Self::NotBegun => false,
            Self::DownTo(cursor) => id >= cursor.as_str(),
            Self::Done => true,
        }
    }
}
