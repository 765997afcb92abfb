//! What the output can take.

use std::env;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, stdout};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Paint;
use super::pager::{Output, Pager};
use crate::args::{Color, Global};

/// The width when nobody tells one.
const WIDTH: usize = 100;
/// Prose wider than this is hard to read.
const PROSE: usize = 100;

/// What the output can take, and the clock and time zone of the one who reads it.
#[derive(Debug, Clone)]
pub(crate) struct Screen {
    /// Whether it is a terminal.
    pub(crate) terminal: bool,
    /// Columns, when there is a limit.
    pub(crate) columns: Option<usize>,
    /// Rows of a terminal.
    pub(crate) rows: usize,
    /// Colours or none.
    pub(crate) paint: Paint,
    /// The clock.
    pub(crate) now: Timestamp,
    /// The time zone.
    pub(crate) zone: TimeZone,
    /// How the program is called so that it finds the same sessions, for commands that are proposed.
    pub(crate) program: String,
    pub(crate) pager: bool,
}

impl Screen {
    /// The screen of standard output.
    pub(crate) fn of(global: &Global) -> Self {
        let terminal = stdout().is_terminal();
        let size = terminal.then(terminal_size::terminal_size).flatten();
        let told = |name| env::var(name).ok().and_then(|v| v.trim().parse::<usize>().ok());
        Self {
            terminal,
            columns: told("COLUMNS")
                .filter(|n| *n > 0)
                .or_else(|| size.map(|(w, _)| usize::from(w.0))),
            rows: size.map_or(24, |(_, h)| usize::from(h.0)),
            paint: Paint(colours(global.color, terminal, |name| {
                env::var_os(name)
                    .is_some_and(|v| !v.is_empty())
                    .then(|| env::var_os(name).unwrap_or_default().to_string_lossy().into_owned())
            })),
            now: super::time::now(),
            zone: TimeZone::system(),
            program: program(global),
            pager: terminal && !global.no_pager,
        }
    }

    /// A screen of so many columns that nobody sits at, at a fixed time.
    #[cfg(test)]
    pub(crate) fn of_test(columns: usize, colours: bool) -> Self {
        Self {
            terminal: false,
            columns: Some(columns),
            rows: 24,
            paint: Paint(colours),
            now: "2026-11-10T12:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
            program: "recount".to_owned(),
            pager: false,
        }
    }

    /// Columns for prose.
    pub(crate) fn prose(&self) -> usize {
        self.columns.unwrap_or(WIDTH).clamp(20, PROSE)
    }

    /// Where text goes: through the pager as soon as it is longer than the terminal.
    pub(crate) fn output(&self) -> Output {
        Output::new(self.pager.then(Pager::of_environment).flatten(), self.rows)
    }
}

/// `recount` and the options that say where sessions are.
pub(crate) fn program(global: &Global) -> String {
    let mut program = "recount".to_owned();
    if global.sample {
        program.push_str(" --sample");
        return program;
    }
    for store in &global.store {
        let named = format!("{}={}", store.harness, store.root.display());
        let _ = write!(program, " --store {}", shell_words::quote(&named));
    }
    program
}

/// Decides about colours: the command line, then `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`, the terminal.
fn colours(wanted: Color, terminal: bool, env: impl Fn(&str) -> Option<String>) -> bool {
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if env("NO_COLOR").is_some() => false,
        Color::Auto if env("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
        Color::Auto => {
            terminal
                && env("TERM").is_none_or(|t| t != "dumb")
                && env("CLICOLOR").is_none_or(|v| v != "0")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decides_about_colours() {
        let with = |vars: &'static [(&str, &str)]| {
            move |name: &str| vars.iter().find(|(k, _)| *k == name).map(|(_, v)| (*v).to_owned())
        };
        assert!(colours(Color::Auto, true, with(&[])));
        assert!(!colours(Color::Auto, false, with(&[])));
        assert!(!colours(Color::Auto, true, with(&[("NO_COLOR", "1")])));
        assert!(!colours(Color::Auto, true, with(&[("TERM", "dumb")])));
        assert!(!colours(Color::Auto, true, with(&[("CLICOLOR", "0")])));
        assert!(colours(Color::Auto, false, with(&[("CLICOLOR_FORCE", "1")])));
        assert!(!colours(Color::Auto, false, with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])));
        assert!(colours(Color::Always, false, with(&[("NO_COLOR", "1")])));
        assert!(!colours(Color::Never, true, with(&[])));
    }
}
