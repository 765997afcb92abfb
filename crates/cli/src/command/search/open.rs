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

/// Opens the index, reads what is new, and asks it something.
pub(super) fn ask<T>(
    global: &Global,
    stores: &Stores,
    ask: impl Fn(&Index, &Refreshed) -> Result<T, search::Error>,
) -> Result<T, Error> {
    let mut index = open(global)?;
    index.warm_up();
    let (answer, _) = asked(&mut index, stores, ask)?;
    Ok(answer)
}

/// The index in the cache folder; one for this run when there is to be no cache.
pub(super) fn open(global: &Global) -> Result<Index, Error> {
    match index_folder(global) {
        Some(folder) => Index::open(&folder),
        None => Index::temporary(),
    }
    .map_err(failed)
}

/// Reads what is new.
pub(super) fn refresh(index: &mut Index, stores: &Stores) -> Result<Refreshed, Error> {
    Ok(asked(index, stores, |_, _| Ok(()))?.1)
}

/// Makes the index anew.
pub(super) fn rebuild(global: &Global, stores: &Stores) -> Result<Index, Error> {
    let Some(folder) = index_folder(global) else {
        let mut index = open(global)?;
        refresh(&mut index, stores)?;
        return Ok(index);
    };
    let meter = Meter::new();
    let made = Index::rebuild(&folder, &stores.stores, &|progress| meter.tell(progress));
    meter.end();
    let (index, refreshed) = made
        .map_err(failed)?
        .ok_or_else(|| Error::Input("another process is writing the index".to_owned()))?;
    tell(&index, &refreshed);
    Ok(index)
}

/// Reads what is new, asks, and tells how far the reading is when that takes a while.
fn asked<T>(
    index: &mut Index,
    stores: &Stores,
    ask: impl Fn(&Index, &Refreshed) -> Result<T, search::Error>,
) -> Result<(T, Refreshed), Error> {
    let meter = Meter::new();
    let asked = index.ask(&stores.stores, &|progress| meter.tell(progress), ask);
    meter.end();
    let (answer, refreshed) = asked.map_err(failed)?;
    tell(index, &refreshed);
    Ok((answer, refreshed))
}

/// What is to be known of an answer.
#[expect(clippy::print_stderr, reason = "what is no data goes to standard error")]
fn tell(index: &Index, refreshed: &Refreshed) {
    warn(&refreshed.findings);
    if refreshed.busy {
        eprintln!("note: another process is reading new sessions; some may be missing");
    }
    let why = index.note().or(refreshed.unwritten.as_deref());
    if let Some(why) = why {
        let what = if index.is_read_only() || refreshed.unwritten.is_some() {
            "what is new since it was written is not found"
        } else {
            "everything is read for this run alone"
        };
        eprintln!("note: the search index cannot be kept ({why}); {what}");
    }
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
