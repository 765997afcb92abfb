//! `recount app-server`.

use std::net::SocketAddr;

use clap::Args;
use recount_formats::Harness;

/// Arguments of `recount app-server`.
#[derive(Debug, Default, Args)]
pub(crate) struct AppServer {
    /// Only sessions of this harness (repeatable)
    #[arg(long, value_name = "HARNESS", value_parser = super::harness)]
    pub(crate) harness: Vec<Harness>,
    /// Serve many clients by WebSocket instead, on this machine only: `ws://127.0.0.1:PORT`
    #[arg(long, value_name = "URL", value_parser = recount_serve::ws::address)]
    pub(crate) listen: Option<SocketAddr>,
}
