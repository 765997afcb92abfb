//! `recount ls`.

use clap::{Args, ValueEnum};
use recount_formats::Harness;

use crate::output::time::Bound;

/// Arguments of `recount ls`.
#[derive(Debug, Default, Args)]
pub(crate) struct Ls {
    /// Sub-agents and archived sessions too
    #[arg(long, short)]
    pub(crate) all: bool,
    /// Read every session whole, so that turns, prompts and findings are known
    #[arg(long)]
    pub(crate) full: bool,
    /// Only sessions in which this is found, the best first; see `recount search --help`
    #[arg(long, value_name = "QUERY")]
    pub(crate) search: Option<String>,
    /// Only sessions of this harness (repeatable)
    #[arg(long, value_name = "NAME", value_parser = super::harness)]
    pub(crate) harness: Vec<Harness>,
    /// Only sessions whose working directory has this in its path; `.` is the current directory
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) project: Option<String>,
    /// Only sessions written to since then: `12h`, `3d`, `2w`, `2026-11-01`, or RFC 3339
    #[arg(long, value_name = "TIME", value_parser = Bound::since)]
    pub(crate) since: Option<Bound>,
    /// Only sessions last written to before then; a date counts whole
    #[arg(long, value_name = "TIME", value_parser = Bound::until)]
    pub(crate) until: Option<Bound>,
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
