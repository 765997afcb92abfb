//! What can go wrong, and the exit codes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use recount_formats::{Finding, Severity};
use recount_store::{FindError, discover};

use crate::args::Global;
use crate::output::screen::program;
use crate::output::text;

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

/// Says what is wrong with stores that were listed; the command goes on without them.
#[expect(clippy::print_stderr, reason = "warnings are printed where errors are")]
pub(crate) fn warn(findings: &[Finding]) {
    for finding in findings.iter().filter(|f| f.severity == Severity::Error) {
        eprintln!("warning: {}: {}", finding.source, text::line(&finding.message));
    }
}

/// So many sessions are named when an id fits several.
const CANDIDATES: usize = 10;

/// Says why a session was not found, and what to do.
pub(crate) fn find_error(global: &Global, id: &str, error: FindError) -> Error {
    let program = program(global);
    match error {
        FindError::NotFound { .. } if Path::new(id).is_file() => {
            let read: Vec<&str> = discover::all().iter().map(|d| d.harness().id()).collect();
            Error::Input(format!("{id} is no transcript of {}", read.join(", ")))
        }
        FindError::NotFound { looked_in } => {
            let mut message = format!("no session `{id}`");
            // Samples lie in a folder that is gone when this is read.
            for store in looked_in.iter().filter(|_| !global.sample) {
                let state = if store.root.exists() { "" } else { " (not there)" };
                let _ = write!(
                    message,
                    "\n  looked in {} {}{state}",
                    store.harness,
                    store.root.display()
                );
            }
            let _ = write!(message, "\n  `{program} ls --all` lists what there is");
            Error::Nothing(message)
        }
        FindError::Ambiguous(heads) => {
            let mut message = format!("`{id}` fits {} sessions:", heads.len());
            for head in heads.iter().take(CANDIDATES) {
                let title = text::beginning(head.title.as_deref().unwrap_or(""), 200);
                let title = text::line(title);
                let _ = write!(
                    message,
                    "\n  {}  {}  {}",
                    text::line(&head.id),
                    head.harness,
                    text::fit(&title, 60)
                );
            }
            if heads.len() > CANDIDATES {
                let _ = write!(message, "\n  and {} more", heads.len() - CANDIDATES);
            }
            message.push_str("\n  give more of the id");
            Error::Usage(message)
        }
    }
}
