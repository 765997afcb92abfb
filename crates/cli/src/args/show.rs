//! `recount show`.

use clap::Args;

/// Arguments of `recount show`.
#[derive(Debug, Default, Args)]
pub(crate) struct Show {
    /// Id, beginning of an id, or path
    pub(crate) id: String,
    /// Only this turn: a number, a range `2..5`, or the beginning of a turn's id
    #[arg(long, short, value_name = "TURN")]
    pub(crate) turn: Option<String>,
    /// Only the item with this id, opened
    #[arg(long, value_name = "ITEM", conflicts_with = "turn")]
    pub(crate) at: Option<String>,
    /// The branch that ends at this leaf
    #[arg(long, short, value_name = "LEAF")]
    pub(crate) branch: Option<String>,
    /// Open tool calls: command output, arguments, results, whole diffs
    #[arg(long, short)]
    pub(crate) full: bool,
    /// Show the reasoning
    #[arg(long, short)]
    pub(crate) reasoning: bool,
}
