//! `recount raw`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `recount raw`.
#[derive(Debug, Args)]
pub(crate) struct Raw {
    /// A file of a store, or the id of a session
    #[arg(value_name = "FILE|ID")]
    pub(crate) file: PathBuf,
}
