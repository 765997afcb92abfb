//! `recount explain`.

use clap::Args;
use recount_formats::Harness;

/// Arguments of `recount explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The harness
    #[arg(value_parser = super::harness)]
    pub(crate) harness: Harness,
    /// A record type or content block, as `recount records` prints it; without it, the whole format
    #[arg(value_name = "TYPE")]
    pub(crate) name: Option<String>,
}
