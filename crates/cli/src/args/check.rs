//! `recount check`.

use std::path::PathBuf;

use clap::Args;
use recount_formats::Harness;

/// Arguments of `recount check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Transcripts, folders of them, or ids of sessions; without any, all sessions of all stores
    #[arg(value_name = "FILE|ID")]
    pub(crate) files: Vec<PathBuf>,
    /// Read them as this harness's, whatever they look like
    #[arg(long, value_parser = super::harness)]
    pub(crate) harness: Option<Harness>,
    /// Notes too, not only warnings and errors
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Rebuild every thread too, however large, to find what concerns several records
    #[arg(long, conflicts_with = "records_only")]
    pub(crate) deep: bool,
    /// Rebuild no thread
    #[arg(long)]
    pub(crate) records_only: bool,
}
