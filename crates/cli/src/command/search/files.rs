//! `recount files`: the sessions that read or changed a file.

use std::io::{self, Write};
use std::path::Path;

use recount_index::search::{Touch, Touched};
use serde::Serialize;

use super::open;
use crate::args::{Files, Global};
use crate::error::Error;
use crate::output::paint::style;
use crate::output::table::{self, Cell, Column};
use crate::output::{self, Screen, amount, text, time};

/// A session for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: &'a str,
    harness: &'a str,
    title: Option<&'a str>,
    cwd: Option<&'a str>,
    updated_at: Option<&'a str>,
    path: &'a str,
    is_subagent: bool,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    touch: &'static str,
}

pub(in crate::command) fn run(global: &Global, args: &Files) -> Result<(), Error> {
    if args.path.trim().is_empty() {
        return Err(Error::Usage("no path: give that of a file or a folder".to_owned()));
    }
    let stores = crate::command::stores(global);
    let mut found = open::ask(global, &stores, |index, now| {
        let found = index.touched(now, &args.path)?;
        match absolute(&args.path) {
            Some(path) if found.is_empty() => index.touched(now, &path),
            _ => Ok(found),
        }
    })?;
    if args.changed {
        found.retain(|touched| touched.files.iter().any(|(_, touch)| *touch == Touch::Change));
    }
    if found.is_empty() {
        return Err(Error::Nothing(format!("no session touched `{}`", args.path)));
    }
    let all = found.len();
    found.truncate(args.limit.unwrap_or(usize::MAX));
    if global.json || global.jsonl {
        let rows: Vec<Row<'_>> = found.iter().map(row).collect();
        return output::rows(&rows, global.jsonl);
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    print(&mut out, &screen, &found, all)?;
    out.finish()?;
    Ok(())
}

/// The path as it is seen from the current directory.
fn absolute(path: &str) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    Path::new(path)
        .is_relative()
        .then(|| here.join(path.trim_start_matches("./")).display().to_string())
}

fn name(touch: Touch) -> &'static str {
    match touch {
        Touch::Read => "read",
        Touch::Change => "changed",
    }
}

fn row(touched: &Touched) -> Row<'_> {
    let session = &touched.session;
    Row {
        id: &session.id,
        harness: &session.harness,
        title: session.title.as_deref(),
        cwd: session.cwd.as_deref(),
        updated_at: session.updated_at.as_deref(),
        path: &session.path,
        is_subagent: session.is_subagent,
        files: touched.files.iter().map(|(path, t)| File { path, touch: name(*t) }).collect(),
    }
}

const COLUMNS: &[Column] = &[
    Column { name: "id", right: false, most: 13, dispensable: 0 },
    Column { name: "harness", right: false, most: 12, dispensable: 2 },
    Column { name: "age", right: true, most: 5, dispensable: 0 },
    Column { name: "touch", right: false, most: 7, dispensable: 0 },
    Column { name: "file", right: false, most: 60, dispensable: 3 },
    Column { name: "title", right: false, most: 400, dispensable: 0 },
];

fn print(out: &mut dyn Write, screen: &Screen, found: &[Touched], all: usize) -> io::Result<()> {
    let rows: Vec<Vec<Cell>> = found
        .iter()
        .map(|touched| {
            let session = &touched.session;
            let age = session.updated_at.as_deref().and_then(time::parse);
            let changed = touched.files.iter().find(|(_, touch)| *touch == Touch::Change);
            let shown = changed.or_else(|| touched.files.first());
            let touch = shown.map_or("", |(_, touch)| name(*touch));
            let mut paths: Vec<&str> =
                touched.files.iter().map(|(path, _)| path.as_str()).collect();
            paths.dedup();
            let file = shown.map_or("", |(path, _)| path.as_str());
            let more = match paths.len() {
                0 | 1 => String::new(),
                n => format!(" +{}", n - 1),
            };
            let file = text::fit_end(&text::line(file), 60 - more.len()).into_owned();
            let mark = if session.is_subagent { "sub-agent: " } else { "" };
            let title = text::line(text::beginning(session.title.as_deref().unwrap_or(""), 500));
            vec![
                Cell::new(style::ID, text::line(text::beginning(&session.id, 13))),
                Cell::new(style::PLAIN, session.harness.as_str()),
                Cell::new(style::PLAIN, age.map(|t| time::age(t, screen.now)).unwrap_or_default()),
                Cell::new(style::PLAIN, touch),
                Cell::new(style::NAME, format!("{file}{more}")),
                Cell::new(style::PLAIN, format!("{mark}{title}")),
            ]
        })
        .collect();
    table::print(out, screen.paint, COLUMNS, &rows, screen.columns)?;
    if screen.terminal {
        let count = match found.len() {
            n if n < all => format!("{n} of {}", amount::plural(all, "session", "sessions")),
            n => amount::plural(n, "session", "sessions"),
        };
        let line = format!("\n{count} · {} search file:PATH finds the places", screen.program);
        writeln!(out, "{}", screen.paint.of(style::DIM, line))?;
    }
    Ok(())
}
