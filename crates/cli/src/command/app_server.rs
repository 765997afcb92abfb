//! `recount app-server`: threads for clients of Codex's protocol.

use recount_serve::{Library, Server, stdio};

use crate::args::{AppServer, Global};
use crate::error::Error;

pub(super) fn run(global: &Global, args: &AppServer) -> Result<(), Error> {
    let library = Library::new(super::stores(global), &args.harness);
    let server = Server::new(library, env!("CARGO_PKG_VERSION"));
    stdio::serve(server).map_err(|e| Error::Input(format!("cannot serve: {e}")))
}
