//! `recount raw`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `recount raw`.
#[derive(Debug, Args)]
pub(crate) struct Raw {
    /// A file of a store
    pub(crate) file: PathBuf,
}
