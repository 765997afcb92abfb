//! The command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use recount_formats::Harness;
use recount_store::Store;

/// Reads every coding agent's sessions on this machine, exactly.
#[derive(Debug, Parser)]
#[command(name = "recount", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, ClapArgs)]
pub(crate) struct Global {
    /// Look in this store and in no others (repeatable)
    #[arg(long, global = true, value_name = "HARNESS=PATH", value_parser = store)]
    pub(crate) store: Vec<Store>,
    /// Print one JSON value
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print one JSON value a line
    #[arg(long, global = true, conflicts_with = "json")]
    pub(crate) jsonl: bool,
    /// Neither read nor write a cache
    #[arg(long, global = true)]
    pub(crate) no_cache: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List sessions, newest first
    Ls(Ls),
    /// Show a session as a person saw it
    Show(Show),
    /// Show what the model has in front of it
    Context(Context),
    /// Print a file through the record layer, byte for byte
    Raw(Raw),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Ls {
    /// Sub-agents and archived sessions too
    #[arg(long)]
    pub(crate) all: bool,
    /// Read every session whole, so that counts are known
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Show {
    /// Id, beginning of an id, or path
    pub(crate) id: String,
    /// The branch that ends at this leaf
    #[arg(long, value_name = "LEAF")]
    pub(crate) branch: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Context {
    /// Id, beginning of an id, or path
    pub(crate) id: String,
    /// The branch that ends at this leaf
    #[arg(long, value_name = "LEAF")]
    pub(crate) branch: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Raw {
    /// A file of a store
    pub(crate) file: PathBuf,
}

fn store(text: &str) -> Result<Store, String> {
    let (harness, root) = text.split_once('=').ok_or("expected HARNESS=PATH")?;
    let harness = Harness::from_id(harness).ok_or_else(|| {
        let known: Vec<_> = Harness::ALL.iter().map(|h| h.id()).collect();
        format!("unknown harness `{harness}`, known are {}", known.join(", "))
    })?;
    Ok(Store { harness, root: PathBuf::from(root) })
}
