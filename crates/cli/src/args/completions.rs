//! `recount completions`.

use clap::Args;
use clap_complete::Shell;

/// Arguments of `recount completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}
