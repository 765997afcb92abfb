//! `recount` alone: the newest sessions and what to do with them.

use std::io::Write as _;

use super::ls::{Ids, table};
use crate::args::Global;
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{Screen, amount};

/// So many sessions are shown.
const NEWEST: usize = 8;

pub(super) fn run(global: &Global) -> Result<(), Error> {
    let stores = super::stores(global);
    let (all, _) = stores.list();
    if all.is_empty() {
        return Err(super::no_sessions(&stores, global));
    }
    let ids = Ids::of(&all);
    let mut sessions: Vec<_> = all.into_iter().filter(|s| !s.is_subagent && !s.archived).collect();
    let count = sessions.len();
    sessions.truncate(NEWEST);
    super::ls::complete(global, &stores, &mut sessions);
    let screen = Screen::of(global);
    let paint = screen.paint;
    let mut out = screen.output();
    let place = if global.sample { "among the samples" } else { "on this machine" };
    let head = match count {
        n if n > NEWEST => format!("The newest {NEWEST} of {n} sessions {place}"),
        n => format!("{} {place}", amount::plural(n, "session", "sessions")),
    };
    writeln!(out, "{}\n", paint.of(style::STRONG, head))?;
    table(&mut out, &screen, &sessions, None, &ids)?;
    writeln!(out)?;
    let example =
        sessions.first().map_or("ID", |s| crate::output::text::beginning(&s.id, ids.enough(&s.id)));
    let program = &screen.program;
    let example = crate::output::text::line(example);
    for (command, what) in [
        (format!("{program} show {example}"), "read a session"),
        (format!("{program} ls"), "list all of them"),
        (format!("{program} context {example}"), "what its model has in front of it"),
        ("recount help".to_owned(), "everything else"),
    ] {
        writeln!(out, "  {command:<36} {}", paint.of(style::DIM, what))?;
    }
    out.finish()?;
    Ok(())
}
