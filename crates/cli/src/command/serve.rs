//! `recount serve`: sessions in the browser.

use std::io::{self, IsTerminal as _, Write as _};

use recount_serve::web::{self, Options};
use recount_store::Environment;

use crate::args::{Global, Serve};
use crate::config::Config;
use crate::error::Error;

pub(super) fn run(global: &Global, args: &Serve) -> Result<(), Error> {
    let environment = Environment::of_process();
    let kept = super::index_folder(global);
    // Removed at the end, when nobody can need it any more.
    let own = tempfile::Builder::new().prefix("recount-cache-").tempdir();
    let own = own.map_err(|e| Error::Input(format!("cannot make a folder: {e}")))?;
    let options = Options {
        stores: super::stores(global),
        cache: kept.unwrap_or_else(|| own.path().to_owned()),
        prices: Config::read(&environment)?.prices(),
    };
    let is_watched = io::stdout().is_terminal();
    let served = web::serve(options, args.port, |address| {
        // Who reads it from a pipe waits for the whole line. A closed one keeps nobody from serving.
        let mut out = io::stdout();
        let _ = writeln!(out, "{address}").and_then(|()| out.flush());
        if is_watched {
            let _ = writeln!(io::stderr(), "for browsers of this machine; Ctrl-C ends it");
        }
        if is_watched && !args.no_open {
            // On a machine without a browser the address is enough.
            let _ = opener::open_browser(address);
        }
    });
    served.map_err(|e| Error::Input(format!("cannot serve on port {}: {e}", args.port)))
}
