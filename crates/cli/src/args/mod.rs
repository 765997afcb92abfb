//! The command line: one file for each command.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use recount_formats::Harness;
use recount_store::Store;

pub(crate) mod app_server;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod filters;
pub(crate) mod follow;
pub(crate) mod history;
pub(crate) mod ls;
pub(crate) mod raw;
pub(crate) mod records;
pub(crate) mod search;
pub(crate) mod secrets;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod thread;
pub(crate) mod tui;
pub(crate) mod usage;

pub(crate) use app_server::AppServer;
pub(crate) use check::Check;
pub(crate) use completions::Completions;
pub(crate) use context::Context;
pub(crate) use explain::Explain;
pub(crate) use export::Export;
pub(crate) use filters::Filters;
pub(crate) use follow::Follow;
pub(crate) use history::History;
pub(crate) use ls::{Ls, Sort};
pub(crate) use raw::Raw;
pub(crate) use records::Records;
pub(crate) use search::{Files, Index, IndexAction, Search, with_negations};
pub(crate) use secrets::Secrets;
pub(crate) use serve::Serve;
pub(crate) use show::Show;
pub(crate) use thread::Thread;
pub(crate) use tui::Tui;
pub(crate) use usage::{Cost, Usage};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Reads every coding agent's sessions on this machine, exactly.
#[derive(Debug, Parser)]
#[command(
    name = "recount",
    version = env!("RECOUNT_VERSION"),
    propagate_version = true,
    styles = STYLES,
    max_term_width = 100,
    after_help = "Try `recount --sample ls` to look around in built-in sessions."
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options of every command.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Look in this store and in no others (repeatable)
    #[arg(long, global = true, value_name = "HARNESS=PATH", value_parser = store)]
    pub(crate) store: Vec<Store>,
    /// Look in the built-in sample stores and in no others
    #[arg(long, global = true, conflicts_with = "store")]
    pub(crate) sample: bool,
    /// Print one JSON value
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print one JSON value a line
    #[arg(long, global = true, conflicts_with = "json")]
    pub(crate) jsonl: bool,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        help = "When to use colours: auto, always or never"
    )]
    pub(crate) color: Color,
    /// Never page the output
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// Neither read nor write a cache
    #[arg(long, global = true)]
    pub(crate) no_cache: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List sessions, newest first
    #[command(visible_alias = "list")]
    Ls(Ls),
    /// Show a session as a person saw it
    Show(Show),
    /// Show what the model has in front of it
    Context(Context),
    /// Go through sessions on a terminal; the same as `recount` alone
    Tui(Tui),
    /// Show what a screen draws a session from: the history state
    History(History),
    /// Find sessions by what was said and done in them
    Search(Search),
    /// List the sessions that read or changed a file
    Files(Files),
    /// Show what is written in sessions while they run
    Follow(Follow),
    /// Count tokens and cost, each response once
    Usage(Usage),
    /// List the records of a transcript: what each line is
    Records(Records),
    /// Tell what is damaged, unknown or not as the format says
    Check(Check),
    /// Explain a format, or one type of record
    Explain(Explain),
    /// Print one line for Claude Code's status line, from what it gives on standard input
    Statusline,
    /// Fork, roll back, archive or name a thread: this writes in its store
    Thread(Thread),
    /// Write sessions as pages, Markdown, JSON or text that can be shared
    Export(Export),
    /// Find keys, tokens and passwords in sessions
    Secrets(Secrets),
    /// Print a file through the record layer, byte for byte
    Raw(Raw),
    /// Show sessions in the browser, on this machine only
    Serve(Serve),
    /// Speak Codex's app-server protocol on standard input and output
    AppServer(AppServer),
    /// Look after the search index
    Index(Index),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// A harness by its id, for `value_parser`.
pub(crate) fn harness(text: &str) -> Result<Harness, String> {
    Harness::from_id(text).ok_or_else(|| {
        let known: Vec<_> = Harness::ALL.iter().map(|h| h.id()).collect();
        format!("unknown harness `{text}`, known are {}", known.join(", "))
    })
}

fn store(text: &str) -> Result<Store, String> {
    let (name, root) = text.split_once('=').ok_or("expected HARNESS=PATH")?;
    Ok(Store { harness: harness(name)?, root: PathBuf::from(root) })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Args::command().debug_assert();
    }
}
