//! One file for each command.

use std::fmt::Write as _;
use std::path::PathBuf;

use recount_formats::Code;
use recount_index::Cache;
use recount_session::model::Thread;
use recount_store::discover::{self, Opened};
use recount_store::{Environment, SessionHead, Stores};

use crate::args::{Args, Command, Global, Ls};
use crate::error::{Error, find_error};
use crate::output::text;
use crate::sample::Samples;

mod app_server;
mod check;
mod completions;
mod context;
mod each;
mod explain;
mod export;
mod filter;
mod follow;
mod history;
mod input;
mod ls;
mod overview;
mod prices;
mod progress;
mod raw;
mod records;
mod search;
mod secrets;
mod serve;
mod show;
mod statusline;
mod thread;
mod tui;
mod usage;

/// Runs the command.
pub(crate) fn run(mut args: Args) -> Result<(), Error> {
    // Lives until the command has ended.
    let samples = if args.global.sample {
        Some(Samples::unpack().map_err(|e| Error::Input(format!("cannot unpack samples: {e}")))?)
    } else {
        None
    };
    if let Some(samples) = &samples {
        args.global.store = samples.stores();
    }
    let global = &args.global;
    match &args.command {
        // The overview is a short list; programs get the whole one.
        None if global.json || global.jsonl => ls::run(global, &Ls::default()),
        None if tui::is_possible() => tui::run(global, &crate::args::Tui::default()),
        None => overview::run(global),
        Some(Command::Ls(ls)) => ls::run(global, ls),
        Some(Command::Show(show)) => show::run(global, show),
        Some(Command::Context(context)) => context::run(global, context),
        Some(Command::Tui(tui)) => tui::run(global, tui),
        Some(Command::History(history)) => history::run(global, history),
        Some(Command::Search(search)) => search::run(global, search),
        Some(Command::Files(files)) => search::files(global, files),
        Some(Command::Follow(follow)) => follow::run(global, follow),
        Some(Command::Usage(usage)) => usage::run(global, usage),
        Some(Command::Records(records)) => records::run(global, records),
        Some(Command::Check(check)) => check::run(global, check),
        Some(Command::Explain(explain)) => explain::run(global, explain),
        Some(Command::Statusline) => statusline::run(global),
        Some(Command::Thread(thread)) => thread::run(global, thread),
        Some(Command::Raw(raw)) => raw::run(global, raw),
        Some(Command::Serve(serve)) => serve::run(global, serve),
        Some(Command::AppServer(server)) => app_server::run(global, server),
        Some(Command::Export(export)) => export::run(global, export),
        Some(Command::Index(index)) => search::index(global, index),
        Some(Command::Secrets(secrets)) => secrets::run(global, secrets),
        Some(Command::Completions(completions)) => completions::run(completions),
        Some(Command::Man) => completions::man(),
    }
}

/// The stores that the command line names, else those of the environment.
fn stores(global: &Global) -> Stores {
    if global.store.is_empty() {
        Stores::of(&Environment::of_process())
    } else {
        Stores { stores: global.store.clone() }
    }
}

/// The cache, unless the command line does without.
fn cache(global: &Global) -> Option<Cache> {
    if global.no_cache {
        return None;
    }
    Environment::of_process().cache_folder().map(Cache::at)
}

/// The folder of the index, unless the command line does without. Samples lie in another folder each time, so nothing is
/// kept of them.
fn index_folder(global: &Global) -> Option<PathBuf> {
    if global.no_cache || global.sample {
        return None;
    }
    Environment::of_process().cache_folder()
}

/// Finds and opens a session.
fn open(global: &Global, id: &str) -> Result<(SessionHead, Opened), Error> {
    let head = stores(global).find(id).map_err(|e| find_error(global, id, e))?;
    let discover = discover::of(head.harness)
        .ok_or_else(|| Error::Input(format!("{} is not read yet", head.harness)))?;
    let opened =
        discover.open(&head).map_err(|e| Error::Input(format!("{}: {e}", head.path.display())))?;
    Ok((head, opened))
}

/// Rebuilds a session at a branch that people may name by the beginning of its leaf; also gives the leaf itself.
fn at_branch(opened: &Opened, branch: Option<&str>) -> Result<(Thread, Option<String>), Error> {
    let thread = opened.thread(branch);
    let Some(name) = branch else { return Ok((thread, None)) };
    let fitting: Vec<_> = thread.branches.iter().filter(|b| b.leaf.starts_with(name)).collect();
    // Some harnesses know shorter names too, and states that are no leaf.
    if !thread.findings.iter().any(|f| f.code == Code::UnknownBranch) {
        let leaf = if let [one] = *fitting { one.leaf.clone() } else { name.to_owned() };
        return Ok((thread, Some(leaf)));
    }
    if let [one] = *fitting {
        let leaf = one.leaf.clone();
        return Ok((opened.thread(Some(&leaf)), Some(leaf)));
    }
    let (mut text, listed) = if fitting.is_empty() {
        (format!("no branch ends at `{name}`"), thread.branches.iter().collect())
    } else {
        (format!("`{name}` fits {} branches", fitting.len()), fitting)
    };
    for branch in listed {
        let about = branch.abandoned_prompts.first().map(String::as_str).unwrap_or_default();
        let about = if branch.active { "(the active one)" } else { about };
        let _ = write!(text, "\n  {}  {}", branch.leaf, text::line(text::beginning(about, 60)));
    }
    Err(Error::Nothing(text))
}

/// Says where sessions were looked for, and offers some.
fn no_sessions(stores: &Stores, global: &Global) -> Error {
    let mut text = "no sessions found".to_owned();
    for store in &stores.stores {
        let state = if store.root.exists() { "" } else { " (not there)" };
        let _ =
            write!(text, "\n  looked in {}{state}, for {}", store.root.display(), store.harness);
    }
    if global.store.is_empty() {
        text.push_str("\n  `--store HARNESS=PATH` names another place");
        text.push_str("\n  `recount --sample ls` shows built-in sessions");
    }
    Error::Nothing(text)
}
