//! `recount secrets`.

use clap::Args;

use super::filters::Filters;

/// Arguments of `recount secrets`.
#[derive(Debug, Args)]
pub(crate) struct Secrets {
    /// Ids, beginnings of ids, or paths; without any, all sessions that the filters let through
    pub(crate) id: Vec<String>,
    #[command(flatten)]
    pub(crate) filters: Filters,
}
