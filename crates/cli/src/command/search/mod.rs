//! `recount search`: sessions by what was said and done in them.
//!
//! - [`open`]: the index, brought up to date
//! - [`mod@print`]: hits for people
//! - [`mod@files`]: the sessions that touched a file
//! - [`manage`]: looking after the index

mod files;
mod manage;
mod open;
mod print;

pub(super) use files::run as files;
pub(super) use manage::run as index;

use jiff::Timestamp;
use recount_index::search::query::End;
use recount_index::search::{Found, Hit, InSession, Options, Query};
use recount_store::Stores;
use serde::Serialize;

use crate::args::{Global, Search};
use crate::error::Error;
use crate::output::time::{self, Bound};
use crate::output::{self, Screen};

/// So many sessions are shown to people.
const SESSIONS: usize = 20;
/// So many are given to programs.
const PROGRAMS: usize = 50;

pub(super) fn run(global: &Global, args: &Search) -> Result<(), Error> {
    let query = parse(&args.query.join(" "))?;
    for (name, number) in [("limit", args.limit), ("hits", Some(args.hits))] {
        if number == Some(0) {
            return Err(Error::Usage(format!("`--{name} 0` would show nothing: give 1 or more")));
        }
    }
    let stores = super::stores(global);
    let programs = global.json || global.jsonl;
    let limit = match (args.limit, args.ids) {
        (Some(limit), _) => limit,
        (None, true) => usize::MAX,
        (None, false) if programs => PROGRAMS,
        (None, false) => SESSIONS,
    };
    let options = Options {
        sessions: limit,
        each: if args.ids { 1 } else { args.hits },
        context: args.context,
        snippets: !args.ids,
        now: time::now().as_millisecond(),
    };
    let found = open::ask(global, &stores, |index, now| index.search(now, &query, &options))?;
    if args.ids {
        use std::io::Write as _;
        let mut out = output::stdout();
        for session in &found.sessions {
            writeln!(out, "{}", session.session.id)?;
        }
        out.flush()?;
    } else if programs {
        let rows: Vec<Row<'_>> = found.sessions.iter().flat_map(rows).collect();
        output::rows(&rows, global.jsonl)?;
    } else if !found.sessions.is_empty() {
        let screen = Screen::of(global);
        let mut out = screen.output();
        print::write(&mut out, &screen, &found, args.context.is_some())?;
        out.finish()?;
    }
    nothing(&found, global)
}

/// The ids of the sessions in which something is found, the best first.
pub(super) fn ids(global: &Global, stores: &Stores, query: &str) -> Result<Vec<String>, Error> {
    let query = parse(query)?;
    let options = Options {
        sessions: usize::MAX,
        each: 1,
        context: None,
        snippets: false,
        now: time::now().as_millisecond(),
    };
    let found = open::ask(global, stores, |index, now| index.search(now, &query, &options))?;
    Ok(found.sessions.into_iter().map(|found| found.session.id).collect())
}

/// Reads a query; times are read as the command line reads them.
fn parse(text: &str) -> Result<Query, Error> {
    Query::parse(text, &times).map_err(Error::Usage)
}

/// Reads a time in a query, and gives milliseconds since 1970.
pub(super) fn times(end: End, text: &str) -> Result<i64, String> {
    let bound = if end == End::Since { Bound::since(text) } else { Bound::until(text) };
    bound.map(|b| b.0.as_millisecond()).map_err(|e| format!("`{text}`: {e}"))
}

fn nothing(found: &Found, global: &Global) -> Result<(), Error> {
    if !found.sessions.is_empty() {
        return Ok(());
    }
    let stores = super::stores(global);
    if stores.stores.iter().all(|store| !store.root.exists()) {
        return Err(super::no_sessions(&stores, global));
    }
    Err(Error::Nothing("nothing found, nor anything like it".to_owned()))
}

/// A hit for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: &'a str,
    turn_id: Option<&'a str>,
    item_id: Option<&'a str>,
    snippet: &'a str,
    /// The matches in the snippet: beginning and end, in characters.
    marks: Vec<(usize, usize)>,
    score: f32,
    harness: &'a str,
    role: &'static str,
    tool: Option<&'a str>,
    /// The leaf of a branch that was left.
    branch: Option<&'a str>,
    time: Option<String>,
    title: Option<&'a str>,
    cwd: Option<&'a str>,
    path: &'a str,
    is_subagent: bool,
}

fn rows(found: &InSession) -> impl Iterator<Item = Row<'_>> {
    found.hits.iter().map(move |hit| row(found, hit))
}

fn row<'a>(found: &'a InSession, hit: &'a Hit) -> Row<'a> {
    let session = &found.session;
    let text = &hit.snippet.text;
    let characters = |at: usize| text.get(..at).map_or(0, |before| before.chars().count());
    let given = |text: &'a str| (!text.is_empty()).then_some(text);
    Row {
        id: &session.id,
        turn_id: given(&hit.turn),
        item_id: given(&hit.item),
        snippet: text,
        marks: hit.snippet.marks.iter().map(|m| (characters(m.start), characters(m.end))).collect(),
        score: hit.score,
        harness: &session.harness,
        role: hit.role.name(),
        tool: hit.tool.as_deref(),
        branch: hit.leaf.as_deref(),
        time: Timestamp::from_millisecond(hit.time)
            .ok()
            .filter(|_| hit.time != 0)
            .map(|t| t.to_string()),
        title: session.title.as_deref(),
        cwd: session.cwd.as_deref(),
        path: &session.path,
        is_subagent: session.is_subagent,
    }
}
