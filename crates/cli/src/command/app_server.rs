//! `recount app-server`: threads for clients of Codex's protocol.

use std::io::Write as _;

use recount_serve::{Library, Server, stdio, ws};

use crate::args::{AppServer, Global};
use crate::error::Error;

pub(super) fn run(global: &Global, args: &AppServer) -> Result<(), Error> {
    let library = Library::new(super::stores(global), &args.harness);
    let server = Server::new(library, env!("CARGO_PKG_VERSION"));
    let served = match args.listen {
        None => stdio::serve(server),
        Some(address) => ws::serve(server, address, |address| {
            // Whoever started it on port 0 wants to know. A closed stderr keeps nobody from serving.
            let _ = writeln!(std::io::stderr(), "listening on ws://{address}");
        }),
    };
    served.map_err(|e| Error::Input(format!("cannot serve: {e}")))
}
