//! All rows of a database as one stream of lines, table by table: for looking at records, not for rebuilding.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use recount_formats::opencode::row::TABLES;
use rusqlite::Connection;

use super::database::Schema;
use super::lines::write_rows;
use crate::container::sqlite::Snapshot;

/// How much is handed over at once.
const CHUNK: usize = 1 << 20;

/// Reads all rows. They are fetched by a thread of their own, a few chunks ahead of whoever reads, so memory stays small
/// whatever the size of the database.
pub(super) fn all(path: &Path) -> io::Result<Lines> {
    let snapshot = Snapshot::open(path)?;
    let (sender, receiver) = sync_channel(4);
    std::thread::Builder::new().name("rows".into()).spawn(move || fetch(&snapshot, &sender))?;
    Ok(Lines { receiver, chunk: Cursor::default() })
}

/// A reader of lines that a thread fetches.
pub(super) struct Lines {
    receiver: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.chunk.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.receiver.recv() {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                // The thread is done.
                Err(_) => return Ok(0),
            }
        }
    }
}

fn fetch(snapshot: &Snapshot, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let db = snapshot.connection();
    let (schema, error) = Schema::of(db);
    let mut problems: Vec<String> = error.iter().map(ToString::to_string).collect();
    for table in TABLES.iter().filter(|t| schema.has(t.name)) {
        match send_table(db, table.name, sender) {
            Ok(true) => {}
            Ok(false) => return,
            Err(e) => problems.push(format!("{}: {e}", table.name)),
        }
    }
    if !snapshot.stood_still() {
        problems.push("the database was written while it was read; try again".into());
    }
    if !problems.is_empty() {
        // Nobody may listen any more, which is all right.
        let _ = sender.send(Err(io::Error::other(problems.join("; "))));
    }
}

/// Sends the rows of a table; says no when nobody listens any more.
fn send_table(
    db: &Connection,
    table: &str,
    sender: &SyncSender<io::Result<Vec<u8>>>,
) -> rusqlite::Result<bool> {
    let mut chunk = Vec::with_capacity(CHUNK + CHUNK / 4);
    let mut listening = true;
    let result = write_rows(db, table, &format!("\"{table}\""), &[], |_, write| {
        write(&mut chunk);
        if chunk.len() >= CHUNK {
            listening = sender.send(Ok(std::mem::take(&mut chunk))).is_ok();
        }
        listening
    });
    if listening && !chunk.is_empty() {
        listening = sender.send(Ok(chunk)).is_ok();
    }
    result.map(|()| listening)
}
