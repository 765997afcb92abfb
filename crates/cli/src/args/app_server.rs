//! `recount app-server`.

use clap::Args;
use recount_formats::Harness;

/// Arguments of `recount app-server`.
#[derive(Debug, Default, Args)]
pub(crate) struct AppServer {
    /// Only sessions of this harness (repeatable)
    #[arg(long, value_name = "HARNESS", value_parser = super::harness)]
    pub(crate) harness: Vec<Harness>,
}
