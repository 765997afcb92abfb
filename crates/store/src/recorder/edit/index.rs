//! The thread's row in `state_5.sqlite`.
//!
//! Codex 0.164 finds new rollouts by itself, so a fork needs no row. It does not find again what its rows name
//! wrongly: it lists a thread that was moved to the archived ones, and then answers resume and unarchive with
//! "no rollout found"; it takes the names of paginated threads from here alone; and after a revert the row is all that
//! tells which rollout is the current one. So the columns that Codex itself changes at such an occasion are changed
//! here too, and nothing else: in one transaction, waiting for whoever writes. Where there is no database or no row
//! there is nothing to mend: Codex makes rows from rollouts. The projection in `thread_history_1.sqlite` is left
//! alone: Codex makes it from the rollout when it loads a thread.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSql, ToSqlOutput};
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::step::Cell;
use crate::container::sqlite;
use crate::discover::codex::state::database;

pub(super) const TABLE: &str = "threads";
/// How long whoever writes in the database is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// New values for a thread's row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) path: PathBuf,
    pub(super) id: String,
    pub(super) set: Vec<(&'static str, Cell)>,
}

/// What is to be written in a thread's row: of `set` the columns that there are; nothing without a row.
pub(super) fn row(
    root: &Path,
    id: &str,
    mut set: Vec<(&'static str, Cell)>,
) -> io::Result<Option<Row>> {
    let Some(path) = database(root, "state_") else { return Ok(None) };
    let (there, columns) = sqlite::read(&path, |c| {
        let there: i64 =
            c.query_row("SELECT count(*) FROM threads WHERE id = ?1", [id], |r| r.get(0))?;
        let mut columns = c.prepare("SELECT name FROM pragma_table_info('threads')")?;
        let columns: Vec<String> =
            columns.query_map([], |r| r.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok((there > 0, columns))
    })?;
    set.retain(|(column, _)| columns.iter().any(|c| c == column));
    Ok((there && !set.is_empty()).then(|| Row { path, id: id.to_owned(), set }))
}

/// Writes a row.
pub(super) fn write(row: &Row) -> io::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let update = || -> rusqlite::Result<usize> {
        let connection = Connection::open_with_flags(&row.path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let columns: Vec<String> =
            row.set.iter().enumerate().map(|(n, (c, _))| format!("{c} = ?{}", n + 2)).collect();
        let sql = format!("UPDATE threads SET {} WHERE id = ?1", columns.join(", "));
        let id = Cell::Text(row.id.clone());
        let values = std::iter::once(&id).chain(row.set.iter().map(|(_, value)| value));
        connection.execute(&sql, params_from_iter(values))
    };
    match update() {
        Ok(1) => Ok(()),
        Ok(_) => Err(io::Error::new(io::ErrorKind::NotFound, "the thread's row is gone")),
        Err(e) => Err(io::Error::other(e)),
    }
}

/// How far Codex has projected a rollout: the number of the first record that it has not seen. It shows what a rollout
/// inherits from another as far as it has projected that one, and never goes back to project it (0.164).
pub(super) fn projected(root: &Path, rollout: &str) -> u64 {
    let Some(path) = database(root, "thread_history_") else { return 0 };
    let next = sqlite::read(&path, |c| {
        c.query_row(
            "SELECT next_rollout_ordinal FROM thread_history_projection_state WHERE thread_id = ?1",
            [rollout],
            |r| r.get::<_, i64>(0),
        )
    });
    next.ok().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Integer(n) => n.to_sql(),
            Self::Text(text) => text.to_sql(),
            Self::Null => {
                rusqlite::types::Null.to_sql().map(|_| ToSqlOutput::from(rusqlite::types::Null))
            }
        }
    }
}
