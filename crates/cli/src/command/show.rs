//! `recount show`: a session as a person saw it.

use recount_formats::Finding;
use recount_session::model::{Branch, Thread, Turn, Usage};
use serde::Serialize;

use crate::args::{Global, Show};
use crate::error::Error;
use crate::output::{self, Screen};
use crate::render::select;
use crate::render::thread::{self, Detail};

/// The shape of `show --json`.
#[derive(Serialize)]
struct Shown<'a> {
    thread: &'a Thread,
    turns: &'a [Turn],
    branches: &'a [Branch],
    usage: &'a Usage,
    findings: &'a [Finding],
}

pub(super) fn run(global: &Global, args: &Show) -> Result<(), Error> {
    let (_, opened) = super::open(global, &args.id)?;
    let (mut thread, mut leaf) = super::at_branch(&opened, args.branch.as_deref())?;
    if let Some(item) = &args.at
        && args.branch.is_none()
        && !select::has(&thread.turns, item)
    {
        // What is found may be on a branch that was left.
        let (_, asides) = opened.with_branches();
        if let Some(aside) = asides.iter().find(|aside| select::has(&aside.turns, item)) {
            (thread, leaf) = super::at_branch(&opened, Some(&aside.leaf))?;
        }
    }
    // Items own their text: the bytes are not needed any more.
    drop(opened);
    let numbers = match &args.at {
        Some(item) => select::item(&mut thread, item),
        None => select::turns(&mut thread, args.turn.as_deref()),
    };
    let numbers = numbers.map_err(Error::Nothing)?;
    if global.json || global.jsonl {
        return output::json(&Shown {
            thread: &thread,
            turns: &thread.turns,
            branches: &thread.branches,
            usage: &thread.usage,
            findings: &thread.findings,
        });
    }
    super::prices::Prices::of(global)?.price(&mut thread);
    let screen = Screen::of(global);
    let mut out = screen.output();
    let detail = Detail {
        full: args.full || args.at.is_some(),
        reasoning: args.reasoning || args.at.is_some(),
        part: args.at.is_some() || args.turn.is_some(),
        leaf: leaf.as_deref(),
    };
    thread::write(&mut out, &screen, &thread, &numbers, detail)?;
    out.finish()?;
    Ok(())
}
