//! A store as a stream of lines, for looking at its records.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, sync_channel};

use recount_session::rebuild::Input;
use recount_session::rebuild::cursor_agent::lines;

use super::Opened;

/// How many lines are made ahead of whoever reads: a store can be large, and its lines need not be kept.
const AHEAD: usize = 64;

/// The lines of an opened chat. A thread of its own makes them.
pub(super) fn lines(opened: Opened) -> io::Result<Box<dyn Read + Send>> {
    let (sender, receiver) = sync_channel(AHEAD);
    std::thread::Builder::new().name("blobs".into()).spawn(move || {
        let input = Input {
            source: &opened.source,
            bytes: &opened.bytes,
            facts: &opened.facts,
            companions: &*opened.companions,
        };
        lines::write(input, &mut |mut line| {
            line.push('\n');
            sender.send(line.into_bytes()).is_ok()
        });
    })?;
    Ok(Box::new(Lines { receiver, line: Cursor::default() }))
}

/// A reader of lines that a thread makes.
struct Lines {
    receiver: Receiver<Vec<u8>>,
    line: Cursor<Vec<u8>>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.line.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.receiver.recv() {
                Ok(line) => self.line = Cursor::new(line),
                // The thread is done.
                Err(_) => return Ok(0),
            }
        }
    }
}
