//! `recount history`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `recount history`.
#[derive(Debug, Args)]
pub(crate) struct History {
    /// Id, beginning of an id, or path
    #[arg(required_unless_present = "restore")]
    pub(crate) id: Option<String>,
    /// The branch that ends at this leaf
    #[arg(long, short, value_name = "LEAF", conflicts_with = "restore")]
    pub(crate) branch: Option<String>,
    /// Restore this snapshot instead, and print it again
    #[arg(long, value_name = "FILE", conflicts_with = "id")]
    pub(crate) restore: Option<PathBuf>,
}
