//! How far something long is: one line that is written over.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use crate::output::{amount, time};

/// One line on a terminal; nothing elsewhere.
pub(super) struct Progress {
    shown: bool,
    started: Instant,
    last: Option<Instant>,
    sessions: usize,
    bytes: u64,
}

/// How often it is written anew.
const PAUSE: Duration = Duration::from_millis(100);

impl Progress {
    /// For so many sessions with so many bytes.
    pub(super) fn new(sessions: usize, bytes: u64) -> Self {
        let shown = io::stderr().is_terminal();
        Self { shown, started: Instant::now(), last: None, sessions, bytes }
    }

    /// So many are done.
    pub(super) fn done(&mut self, sessions: usize, bytes: u64) {
        if !self.shown || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let line = line(sessions, self.sessions, bytes, self.bytes, self.started.elapsed());
        put(&format!("\r{line}\x1b[K"));
    }

    /// Takes the line away.
    pub(super) fn end(&self) {
        if self.shown && self.last.is_some() {
            put("\r\x1b[K");
        }
    }
}

/// A terminal that is gone is no reason to stop.
#[expect(clippy::print_stderr, reason = "progress is no data")]
fn put(text: &str) {
    eprint!("{text}");
}

const WIDTH: usize = 24;

fn line(sessions: usize, all: usize, bytes: u64, all_bytes: u64, elapsed: Duration) -> String {
    let part = bytes as f64 / (all_bytes.max(1)) as f64;
    let part = part.clamp(0.0, 1.0);
    let full = (part * WIDTH as f64) as usize;
    let bar = format!("{}{}", "━".repeat(full), "─".repeat(WIDTH - full));
    let mut line = format!(
        "{bar} {sessions} of {all} sessions, {} of {}",
        amount::bytes(bytes.min(all_bytes)),
        amount::bytes(all_bytes)
    );
    if part > 0.02 && elapsed > Duration::from_secs(2) {
        let left = elapsed.as_secs_f64() * (1.0 - part) / part;
        let _ = write!(line, ", {} left", time::duration((left * 1000.0) as i64));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line() {
        let seconds = Duration::from_secs(10);
        assert_eq!(
            line(3, 12, 500, 1000, seconds),
            "━━━━━━━━━━━━──────────── 3 of 12 sessions, 500 B of 1.0 kB, 10s left"
        );
        assert_eq!(
            line(0, 1, 0, 0, seconds),
            "──────────────────────── 0 of 1 sessions, 0 B of 0 B"
        );
    }
}
