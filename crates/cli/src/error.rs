//! What can go wrong, and the exit codes.

use std::fmt::Write as _;
use std::process::ExitCode;

use recount_store::FindError;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Error {
    /// Nothing was found; exit 1.
    Nothing(String),
    /// The command line asks for something that does not exist or is ambiguous; exit 2.
    Usage(String),
    /// Input could not be read at all; exit 3.
    Input(String),
    /// The output could not be written; a closed pipe is no error.
    Output(std::io::Error),
}

/// The exit code of a result; the one place that decides it.
#[expect(clippy::print_stderr, reason = "this is where errors are printed")]
pub(crate) fn exit_code(result: Result<(), Error>) -> ExitCode {
    let (code, message) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Error::Output(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Error::Nothing(m)) => (1, m),
        Err(Error::Usage(m)) => (2, m),
        Err(Error::Input(m)) => (3, m),
        Err(Error::Output(e)) => (3, format!("cannot write: {e}")),
    };
    if !message.is_empty() {
        eprintln!("error: {message}");
    }
    ExitCode::from(code)
}

impl From<std::io::Error> for Error {
    fn from(e: std::io::Error) -> Self {
        Self::Output(e)
    }
}

/// Says why a session was not found, and what to do.
pub(crate) fn find_error(id: &str, error: FindError) -> Error {
    match error {
        FindError::NotFound { looked_in } => {
            let mut text = format!("no session `{id}`");
            for store in looked_in {
                let state = if store.root.exists() { "" } else { " (not there)" };
                let _ =
                    write!(text, "\n  looked in {} {}{state}", store.harness, store.root.display());
            }
            text.push_str("\n  `recount ls --all` lists what there is");
            Error::Nothing(text)
        }
        FindError::Ambiguous(heads) => {
            let mut text = format!("`{id}` fits {} sessions:", heads.len());
            for head in heads.iter().take(10) {
                let _ = write!(
                    text,
                    "\n  {} {} {}",
                    head.id,
                    head.harness,
                    head.title.as_deref().unwrap_or("")
                );
            }
            Error::Usage(text)
        }
    }
}
