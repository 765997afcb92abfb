//! The index, brought up to date.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use recount_index::search::{self, Index, Progress, Refreshed};
use recount_store::Stores;

use crate::args::Global;
use crate::command::index_folder;
use crate::error::{Error, warn};
use crate::output::amount;

/// Shorter work needs no word.
const PATIENCE: Duration = Duration::from_millis(250);
const EACH: Duration = Duration::from_millis(100);

/// Opens the index and reads what is new.
pub(super) fn refreshed(global: &Global, stores: &Stores) -> Result<(Index, Refreshed), Error> {
    let mut index = open(global)?;
    index.warm_up();
    let refreshed = refresh(&mut index, stores)?;
    Ok((index, refreshed))
}

/// The index in the cache folder; one for this run when there is to be no cache.
pub(super) fn open(global: &Global) -> Result<Index, Error> {
    match index_folder(global) {
        Some(folder) => Index::open(&folder),
        None => Index::temporary(),
    }
    .map_err(failed)
}

/// Reads what is new, and tells how far it is when that takes a while.
#[expect(clippy::print_stderr, reason = "what is no data goes to standard error")]
pub(super) fn refresh(index: &mut Index, stores: &Stores) -> Result<Refreshed, Error> {
    let meter = Meter::new();
    let refreshed = index.refresh(&stores.stores, &|progress| meter.tell(progress));
    meter.end();
    let refreshed = refreshed.map_err(failed)?;
    warn(&refreshed.findings);
    if refreshed.busy {
        eprintln!("note: another process is reading new sessions; some may be missing");
    }
    Ok(refreshed)
}

/// The index is at fault, and not the one who called: its folder cannot be written, its disk is full.
#[expect(clippy::needless_pass_by_value, reason = "used as a function of errors")]
pub(super) fn failed(error: search::Error) -> Error {
    Error::Input(format!("{error}\n  `--no-cache` does without"))
}

/// Tells on a terminal how far the work is.
struct Meter {
    begun: Instant,
    terminal: bool,
    last: Mutex<Option<Instant>>,
}

impl Meter {
    fn new() -> Self {
        Self { begun: Instant::now(), terminal: stderr().is_terminal(), last: Mutex::new(None) }
    }

    fn tell(&self, progress: Progress) {
        if !self.terminal || self.begun.elapsed() < PATIENCE {
            return;
        }
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_some_and(|last| last.elapsed() < EACH) {
            return;
        }
        *last = Some(Instant::now());
        let _ = write!(stderr(), "\r\x1b[K{}", line(progress));
    }

    fn end(&self) {
        if self.last.lock().is_ok_and(|last| last.is_some()) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

fn line(progress: Progress) -> String {
    const WIDTH: u64 = 24;
    let Progress { done, all, done_bytes, all_bytes } = progress;
    let full = (done_bytes * WIDTH).checked_div(all_bytes).unwrap_or(WIDTH).min(WIDTH) as usize;
    format!(
        "Reading sessions {}{} {done} of {all} · {} of {}",
        "█".repeat(full),
        "░".repeat(WIDTH as usize - full),
        amount::bytes(done_bytes),
        amount::bytes(all_bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far() {
        let progress = Progress { done: 5, all: 20, done_bytes: 1_000_000, all_bytes: 4_000_000 };
        let text = line(progress);
        assert!(text.starts_with("Reading sessions ██████░░░"), "{text}");
        assert!(text.contains("5 of 20"), "{text}");
        let empty = Progress { done: 1, all: 1, done_bytes: 0, all_bytes: 0 };
        assert!(!line(empty).contains('░'));
    }
}
