//! `recount usage`: tokens of sessions.
//!
//! A session counts each of its responses once. Sessions are summed as they are: what a fork copied from its
//! source is told by both files and stands in both rows.

use std::collections::BTreeMap;
use std::io::Write as _;

use recount_session::model::{Thread, Usage as Tokens};
use recount_store::{SessionHead, discover};
use serde::Serialize;

use crate::args::Global;
use crate::args::usage::{By, Usage};
use crate::error::{Error, find_error};
use crate::output::paint::style;
use crate::output::table::{self, Cell, Column};
use crate::output::{self, Screen, amount, text};

#[derive(Serialize)]
struct Row {
    key: String,
    #[serde(flatten)]
    tokens: Tokens,
}

pub(super) fn run(global: &Global, args: &Usage) -> Result<(), Error> {
    let stores = super::stores(global);
    let sessions = if args.ids.is_empty() {
        stores.list().0
    } else {
        let find = |id: &String| stores.find(id).map_err(|e| find_error(global, id, e));
        args.ids.iter().map(find).collect::<Result<_, _>>()?
    };
    if sessions.is_empty() {
        return Err(super::no_sessions(&stores, global));
    }
    let mut sums: BTreeMap<String, Tokens> = BTreeMap::new();
    for head in &sessions {
        // What cannot be opened is told by `recount check`.
        let Some(Ok(opened)) = discover::of(head.harness).map(|d| d.open(head)) else { continue };
        let thread = opened.thread(None);
        sums.entry(key(args.by, head, &thread)?).or_default().add(&thread.usage);
    }
    let mut rows: Vec<Row> = sums.into_iter().map(|(key, tokens)| Row { key, tokens }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.tokens.total_tokens));
    if global.json || global.jsonl {
        return output::rows(&rows, global.jsonl);
    }
    print(global, args.by, &rows)
}

/// What a session counts for. A session can go on for days and change its model: for those a row would have to
/// be made from responses, and a session's sum would be wrong.
fn key(by: By, head: &SessionHead, thread: &Thread) -> Result<String, Error> {
    let told = match by {
        By::Session => Some(head.id.as_str()),
        By::Project => thread.cwd.as_deref().or(head.cwd.as_deref()),
        By::Harness => Some(head.harness.id()),
        By::Model | By::Day => {
            return Err(Error::Nothing(
                "tokens are counted by session, project and harness only".to_owned(),
            ));
        }
    };
    Ok(told.unwrap_or("").to_owned())
}

const COLUMNS: &[Column] = &[
    Column { name: "responses", right: true, most: 9, dispensable: 4 },
    Column { name: "input", right: true, most: 9, dispensable: 0 },
    Column { name: "cached", right: true, most: 9, dispensable: 2 },
    Column { name: "to cache", right: true, most: 9, dispensable: 3 },
    Column { name: "output", right: true, most: 9, dispensable: 0 },
    Column { name: "cost", right: true, most: 12, dispensable: 1 },
];

fn print(global: &Global, by: By, rows: &[Row]) -> Result<(), Error> {
    let screen = Screen::of(global);
    let mut out = screen.output();
    let mut all = Tokens::default();
    for row in rows {
        all.add(&row.tokens);
    }
    let cells = |tokens: &Tokens, key: String, style| {
        let count = |n| Cell::new(style, amount::count(n));
        let cost = tokens.cost_usd.map(|c| format!("${c:.2}")).unwrap_or_default();
        vec![
            count(tokens.responses),
            count(tokens.input_tokens),
            count(tokens.cached_input_tokens),
            count(tokens.cache_write_tokens),
            count(tokens.output_tokens),
            Cell::new(style, cost),
            Cell::new(style, key),
        ]
    };
    let mut table: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| cells(&row.tokens, text::line(&row.key).into_owned(), style::PLAIN))
        .collect();
    if rows.len() > 1 {
        table.push(cells(&all, "together".to_owned(), style::STRONG));
    }
    let name = match by {
        By::Session => "session",
        By::Project => "project",
        By::Harness => "harness",
        By::Model => "model",
        By::Day => "day",
    };
    let last = Column { name, right: false, most: 400, dispensable: 0 };
    let columns: Vec<Column> = COLUMNS.iter().copied().chain([last]).collect();
    table::print(&mut out, screen.paint, &columns, &table, screen.columns)?;
    out.flush()?;
    out.finish()?;
    Ok(())
}
