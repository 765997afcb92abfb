//! `recount serve`.

use clap::Args;

/// Arguments of `recount serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port; any free one where none is named
    #[arg(long, short, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Print the address, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}
