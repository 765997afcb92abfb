//! The pager. Text goes through it only when it is longer than the terminal.

use std::env;
use std::io::{self, Stdout, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// The command of a pager and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pager(Vec<String>);

impl Pager {
    /// `RECOUNT_PAGER`, else `PAGER`, else `less -FRX`; none when it is empty or `cat`.
    pub(crate) fn of_environment() -> Option<Self> {
        let text = ["RECOUNT_PAGER", "PAGER"].iter().find_map(|name| env::var(name).ok());
        Self::parse(text.as_deref().unwrap_or("less -FRX"))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = shell_words::split(text).ok()?;
        match words.first()?.as_str() {
            "cat" => return None,
            // Without options less would show colours as raw escape sequences, unless `LESS` says otherwise.
            "less" if words.len() == 1 && env::var_os("LESS").is_none() => {
                words.push("-FRX".to_owned());
            }
            _ => {}
        }
        Some(Self(words))
    }

    fn start(&self) -> io::Result<(Child, ChildStdin)> {
        let (program, arguments) = self.0.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        if env::var_os("LESSCHARSET").is_none() {
            command.env("LESSCHARSET", "utf-8");
        }
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        // Ctrl-C belongs to the pager while it runs: without this it would outlive us and fight with the shell.
        let _ = ctrlc::set_handler(|| {});
        Ok((child, stdin))
    }
}

/// Where text goes.
pub(crate) struct Output {
    pager: Option<Pager>,
    rows: usize,
    /// What was not written yet.
    held: Vec<u8>,
    lines: usize,
    to: To,
}

enum To {
    /// As long as it may fit on the terminal.
    Undecided,
    Stdout(Stdout),
    Pager(Child, ChildStdin),
}

impl Output {
    pub(super) fn new(pager: Option<Pager>, rows: usize) -> Self {
        let to = if pager.is_some() { To::Undecided } else { To::Stdout(io::stdout()) };
        Self { pager, rows, held: Vec::with_capacity(64 << 10), lines: 0, to }
    }

    /// Writes what is left and waits for the reader.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if matches!(self.to, To::Undecided) {
            self.to = To::Stdout(io::stdout());
        }
        let written = self.drain();
        match self.to {
            To::Stdout(mut out) => written.and_then(|()| out.flush()),
            To::Pager(mut child, stdin) => {
                drop(stdin);
                let ended = child.wait().map(drop);
                written.and(ended)
            }
            To::Undecided => written,
        }
    }

    fn drain(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Undecided => return Ok(()),
            To::Stdout(out) => out.lock().write_all(&self.held)?,
            To::Pager(_, stdin) => stdin.write_all(&self.held)?,
        }
        self.held.clear();
        Ok(())
    }

    fn decide(&mut self) {
        let started = self.pager.as_ref().map(Pager::start);
        self.to = match started {
            Some(Ok((child, stdin))) => To::Pager(child, stdin),
            // A pager that is not installed is no reason to show nothing.
            _ => To::Stdout(io::stdout()),
        };
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        if matches!(self.to, To::Undecided) {
            self.lines += memchr::memchr_iter(b'\n', bytes).count();
            if self.lines + 1 >= self.rows {
                self.decide();
            }
        }
        if self.held.len() >= 64 << 10 {
            self.drain()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pagers_are_commands_with_arguments() {
        assert_eq!(
            Pager::parse("most -w 'a b'"),
            Some(Pager(vec!["most".into(), "-w".into(), "a b".into()]))
        );
        assert_eq!(Pager::parse(""), None);
        assert_eq!(Pager::parse("cat"), None);
    }

    #[test]
    fn long_text_goes_through_the_pager_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("paged");
        let pager = Pager(vec!["sh".into(), "-c".into(), format!("cat > {}", file.display())]);
        let mut output = Output::new(Some(pager), 5);
        for n in 0..20_000 {
            assert!(n >= 4 || !file.exists(), "the terminal holds {n} lines");
            writeln!(output, "line {n}").unwrap();
        }
        output.finish().unwrap();
        let paged = std::fs::read_to_string(file).unwrap();
        assert_eq!(paged.lines().count(), 20_000);
        assert!(paged.starts_with("line 0\n") && paged.ends_with("line 19999\n"));
    }

    #[test]
    fn a_pager_that_is_not_there_is_no_error() {
        let pager = Pager(vec!["/nowhere/pager".into()]);
        let mut output = Output::new(Some(pager), 1);
        assert_eq!(output.write(b"").unwrap(), 0);
        assert!(matches!(output.to, To::Stdout(_)));
        output.finish().unwrap();
    }
}
