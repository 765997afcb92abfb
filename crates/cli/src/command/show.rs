//! `recount show`: a session as a person saw it.

use recount_formats::Finding;
use recount_session::model::{Branch, Thread, Turn, Usage};
use serde::Serialize;

use crate::args::{Global, Show};
use crate::error::Error;
use crate::output;

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
    let thread = opened.thread(args.branch.as_deref());
    output::json(&Shown {
        thread: &thread,
        turns: &thread.turns,
        branches: &thread.branches,
        usage: &thread.usage,
        findings: &thread.findings,
    })
}
