//! `recount ls`.

use clap::{Args, ValueEnum};

use super::filters::Filters;

/// Arguments of `recount ls`.
#[derive(Debug, Default, Args)]
pub(crate) struct Ls {
    /// Sub-agents and archived sessions too
    #[arg(long, short)]
    pub(crate) all: bool,
    /// Read every session whole, so that turns, prompts and findings are known
    #[arg(long)]
    pub(crate) full: bool,
    /// Tokens and cost of each session, as `recount usage` counts them
    #[arg(long)]
    pub(crate) usage: bool,
    /// Only sessions in which this is found, the best first; see `recount search --help`
    #[arg(long, value_name = "QUERY")]
    pub(crate) search: Option<String>,
    #[command(flatten)]
    pub(crate) filters: Filters,
    /// At most so many sessions
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// What to sort by (updated)
    #[arg(long, value_name = "FIELD", value_enum)]
    pub(crate) sort: Option<Sort>,
    /// The other way round
    #[arg(long, short)]
    pub(crate) reverse: bool,
}

/// What `recount ls` sorts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Sort {
    /// Last written first
    #[default]
    Updated,
    /// Last begun first
    Created,
    /// Largest first
    Size,
    /// By title
    Title,
    /// By working directory
    Project,
    /// By harness
    Harness,
}
