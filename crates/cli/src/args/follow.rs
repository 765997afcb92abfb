//! `recount follow`.

use clap::Args;

/// Show what is written in sessions while they run
#[derive(Debug, Args)]
pub(crate) struct Follow {
    /// Id, beginning of an id, or path (the session that was written last)
    #[arg(conflicts_with = "all")]
    pub(crate) id: Option<String>,
    /// All sessions, new ones too, a line for each thing that happens
    #[arg(long, short)]
    pub(crate) all: bool,
    /// Begin with so many of the items that are there
    #[arg(long, value_name = "N")]
    pub(crate) last: Option<usize>,
    /// Open tool calls: command output, arguments, results, whole diffs
    #[arg(long, short)]
    pub(crate) full: bool,
    /// Show the reasoning
    #[arg(long, short)]
    pub(crate) reasoning: bool,
}
