//! One client, on standard input and output.

use std::io;

use tokio::io::BufReader;
use tokio::sync::mpsc;

use super::lines;
use crate::connection::{self, Shared};
use crate::server::Server;

/// Serves until standard input ends and everything is answered.
pub fn serve(server: Server) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let result = runtime.block_on(async {
        let (out, waiting) = connection::queue();
        let (requests, taken) = mpsc::channel(1);
        let reading = tokio::spawn(lines::read_all(
            BufReader::new(tokio::io::stdin()),
            requests,
            out.clone(),
        ));
        let writing = tokio::spawn(lines::write_all(tokio::io::stdout(), waiting));
        connection::run(Shared::new(server), taken, out).await;
        // Either the input has ended, or nobody takes the output.
        reading.abort();
        writing.await.map_err(io::Error::other)?
    });
    // A read of standard input cannot be broken off: nobody waits for it.
    runtime.shutdown_background();
    match result {
        // Whoever read has had enough.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
