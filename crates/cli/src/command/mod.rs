//! One file for each command.

use recount_store::discover::{self, Opened};
use recount_store::{Environment, SessionHead, Stores};

use crate::args::{Args, Command, Global};
use crate::error::{Error, find_error};

mod context;
mod ls;
mod raw;
mod show;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Error> {
    match &args.command {
        Command::Ls(ls) => ls::run(&args.global, ls),
        Command::Show(show) => show::run(&args.global, show),
        Command::Context(context) => context::run(&args.global, context),
        Command::Raw(raw) => raw::run(raw),
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

/// Finds and opens a session.
fn open(global: &Global, id: &str) -> Result<(SessionHead, Opened), Error> {
    let head = stores(global).find(id).map_err(|e| find_error(id, e))?;
    let discover = discover::of(head.harness)
        .ok_or_else(|| Error::Input(format!("{} is not read yet", head.harness)))?;
    let opened =
        discover.open(&head).map_err(|e| Error::Input(format!("{}: {e}", head.path.display())))?;
    Ok((head, opened))
}
