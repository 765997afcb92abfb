//! `recount records`.

use std::path::PathBuf;

use clap::Args;
use recount_formats::Harness;

/// Arguments of `recount records`.
#[derive(Debug, Args)]
pub(crate) struct Records {
    /// A transcript, or the id of a session
    #[arg(value_name = "FILE|ID")]
    pub(crate) file: PathBuf,
    /// Read it as this harness's, whatever it looks like
    #[arg(long, value_parser = super::harness)]
    pub(crate) harness: Option<Harness>,
    /// Only records of this type or concept (repeatable)
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
}
