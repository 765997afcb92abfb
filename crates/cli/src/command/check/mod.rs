//! `recount check`: what is damaged, unknown, or not as the format says.
//!
//! - [`stream`]: reads files in stretches and checks these on all cores
//! - [`report`]: prints findings, as data or for people

use std::path::Path;

use recount_formats::Finding;
use recount_store::discover;

use self::report::Report;
use self::stream::{Job, Rebuild};
use super::input::{self, Input};
use crate::args::{Check, Global};
use crate::error::Error;
use crate::output::Screen;

mod report;
mod stream;
#[cfg(test)]
mod tests;

/// Threads of files up to this size are rebuilt when a check covers many of them.
const SMALL: u64 = 8 << 20;
/// All of them together may be so large.
const SMALL_TOTAL: u64 = 64 << 20;
/// A file that was named is rebuilt up to this size: a rebuild needs memory, a check does not.
const NAMED: u64 = 256 << 20;

pub(super) fn run(global: &Global, args: &Check) -> Result<(), Error> {
    let (jobs, stores) = jobs(global, args)?;
    let mut report = if global.json || global.jsonl {
        Report::data(global.jsonl)?
    } else {
        Report::people(Screen::of(global), args.verbose)
    };
    report.found(None, stores.into_iter().map(stream::bare).collect())?;
    stream::run(&jobs, report)?.end(jobs.len())
}

/// What is to be checked, and what was found wrong with the stores on the way.
fn jobs(global: &Global, args: &Check) -> Result<(Vec<Job>, Vec<Finding>), Error> {
    let mut of_stores = Vec::new();
    let mut inputs: Vec<(Input, bool)> = Vec::new();
    for name in &args.files {
        if name.is_dir() {
            let found = input::below(name);
            if found.is_empty() {
                return Err(Error::Nothing(format!("no transcripts below {}", name.display())));
            }
            inputs.extend(found.iter().map(|p| (Input::of_path(p, args.harness), false)));
        } else {
            inputs.push((Input::find(global, name, args.harness)?, true));
        }
    }
    if args.files.is_empty() {
        let stores = super::stores(global);
        let (sessions, findings) = stores.list();
        of_stores = findings;
        if sessions.is_empty() && of_stores.is_empty() {
            return Err(super::no_sessions(&stores, global));
        }
        for head in sessions {
            if args.harness.is_none_or(|h| h == head.harness) {
                let input = Input::of_path(&head.path, Some(head.harness));
                inputs.push((input, false));
            }
        }
        inputs.sort_by(|a, b| a.0.path.cmp(&b.0.path));
        inputs.dedup_by(|a, b| a.0.path == b.0.path);
    }
    let sizes: Vec<u64> = inputs.iter().map(|(input, _)| size(&input.path)).collect();
    let few = sizes.iter().sum::<u64>() <= SMALL_TOTAL;
    let jobs = inputs
        .into_iter()
        .zip(sizes)
        .map(|((input, named), size)| {
            let wanted = args.deep || (named && size <= NAMED) || (few && size <= SMALL);
            let rebuild = if args.records_only {
                Rebuild::No
            } else if wanted {
                discover::all()
                    .iter()
                    .filter(|d| args.harness.is_none_or(|h| h == d.harness()))
                    .map(|d| {
                        let mut heads = d.all_at_path(&input.path);
                        // Of a database that holds many, a session that was named.
                        if heads.len() > 1 {
                            heads.retain(|h| input.session.as_ref().is_none_or(|id| *id == h.id));
                        }
                        heads
                    })
                    .find(|heads| !heads.is_empty())
                    .map_or(Rebuild::No, Rebuild::Yes)
            } else {
                Rebuild::TooLarge
            };
            Job { input, rebuild }
        })
        .collect();
    Ok((jobs, of_stores))
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |m| m.len())
}
