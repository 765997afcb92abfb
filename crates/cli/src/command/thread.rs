//! `recount thread`: writes in a store, and says what it wrote.

use std::io::{self, Write};

use recount_store::recorder::edit::Cell;
use recount_store::recorder::{Change, Cut, EditError, Editor, Report};

use crate::args::thread::{Action, Of};
use crate::args::{Global, Thread};
use crate::error::{Error, find_error};
use crate::output::{self, Screen, text};

pub(super) fn run(global: &Global, args: &Thread) -> Result<(), Error> {
    let (of, result) = match &args.action {
        Action::Fork { of, after, before } => {
            let cut = match (after, before) {
                (Some(turn), _) => Cut::After(turn.clone()),
                (_, Some(turn)) => Cut::Before(turn.clone()),
                _ => Cut::End,
            };
            (of, editor(global, of)?.fork(&cut))
        }
        Action::Rollback { of, before: Some(turn), .. } => (of, editor(global, of)?.revert(turn)),
        Action::Rollback { of, turns, .. } => (of, editor(global, of)?.rollback(*turns)),
        Action::Archive { of } => (of, editor(global, of)?.archive()),
        Action::Unarchive { of } => (of, editor(global, of)?.unarchive()),
        Action::Name { of, name } => (of, editor(global, of)?.name(name)),
    };
    let report = result.map_err(|e| refused(of, &e))?;
    if global.json || global.jsonl {
        return output::json(&report);
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    write(&mut out, &report)?;
    out.finish()?;
    Ok(())
}

fn editor(global: &Global, of: &Of) -> Result<Editor, Error> {
    let head = super::stores(global).find(&of.id).map_err(|e| find_error(global, &of.id, e))?;
    Ok(Editor::new(&head).dry_run(of.dry_run))
}

/// What the one who called can mend is wrong usage; what he cannot is input.
fn refused(of: &Of, error: &EditError) -> Error {
    let message = format!("{}: {}", of.id, text::line(&error.to_string()));
    match error {
        EditError::Held(_) | EditError::Changed(_) | EditError::Io { .. } => Error::Input(message),
        EditError::NoSuchTurn(_) => Error::Nothing(message),
        _ => Error::Usage(message),
    }
}

fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let id = &report.thread_id;
    let (would, has) = if report.dry_run { ("would have ", "would have") } else { ("", "now has") };
    match (report.operation, &report.new_thread_id) {
        (_, Some(new)) => {
            writeln!(out, "{would}forked {id} into {new}, which {has} {}", turns(report))?;
        }
        ("rollback" | "revert", _) => {
            let gone = report.removed_turns.len();
            let s = if gone == 1 { "" } else { "s" };
            writeln!(
                out,
                "{would}taken {gone} turn{s} away from {id}, which {has} {}",
                turns(report)
            )?;
        }
        ("name", _) => {
            let name = report.name.as_deref().unwrap_or("");
            writeln!(out, "{would}named {id} `{}`", text::line(name))?;
        }
        (operation, _) => writeln!(out, "{would}{operation}d {id}")?,
    }
    for change in &report.changes {
        writeln!(out, "  {}", text::line(&described(change)))?;
    }
    if report.dry_run {
        writeln!(out, "nothing was written")?;
    }
    Ok(())
}

fn turns(report: &Report) -> String {
    match report.turns.unwrap_or(0) {
        0 => "no turns".to_owned(),
        1 => "1 turn".to_owned(),
        n => format!("{n} turns"),
    }
}

fn described(change: &Change) -> String {
    let records = |n: usize| if n == 1 { "1 record".to_owned() } else { format!("{n} records") };
    match change {
        Change::Append { path, byte, len, records: n, repaired } => {
            let repaired =
                if *repaired { "; its last line was cut off and was ended first" } else { "" };
            format!(
                "append   {} ({}, {len} bytes at {byte}{repaired})",
                path.display(),
                records(*n)
            )
        }
        Change::Create { path, len, records: n } => {
            format!("create   {} ({}, {len} bytes)", path.display(), records(*n))
        }
        Change::Move { from, to } => format!("move     {} to {}", from.display(), to.display()),
        Change::Restore { from, to } => {
            format!("restore  {} from {}", to.display(), from.display())
        }
        Change::Row { path, table, id, set } => {
            let set: Vec<String> = set
                .iter()
                .map(|(column, cell)| match cell {
                    Cell::Integer(n) => format!("{column} = {n}"),
                    Cell::Text(text) => format!("{column} = {text}"),
                    Cell::Null => format!("{column} = NULL"),
                })
                .collect();
            format!("update   {}, {table} {id}: {}", path.display(), set.join(", "))
        }
    }
}
