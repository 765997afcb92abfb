//! `recount context`.

use clap::Args;

/// Arguments of `recount context`.
#[derive(Debug, Args)]
pub(crate) struct Context {
    /// Id, beginning of an id, or path
    pub(crate) id: String,
    /// The branch that ends at this leaf
    #[arg(long, short, value_name = "LEAF")]
    pub(crate) branch: Option<String>,
    /// Print every block whole
    #[arg(long, short)]
    pub(crate) full: bool,
}
