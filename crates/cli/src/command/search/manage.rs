//! `recount index`: looking after the search index.

use std::io::Write as _;

use recount_index::search::{self, Status};
use serde::Serialize;

use super::open;
use crate::args::{Global, IndexAction};
use crate::command::index_folder;
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, amount, text};

/// The shape of `index --json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    folder: String,
    transcripts: u64,
    sessions: u64,
    documents: u64,
    segments: u64,
    bytes: u64,
    /// Transcripts that are new or changed and were not read yet.
    changed: u64,
    /// Documents that were taken out and still take space.
    leftovers: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
}

pub(in crate::command) fn run(global: &Global, args: &crate::args::Index) -> Result<(), Error> {
    let stores = crate::command::stores(global);
    let mut removed = None;
    let index = match args.action {
        IndexAction::Status => open::open(global)?,
        IndexAction::Rebuild => {
            if let Some(folder) = index_folder(global)
                && !search::remove(&folder).map_err(|e| open::failed(e.into()))?
            {
                return Err(Error::Input("another process is writing the index".to_owned()));
            }
            let mut index = open::open(global)?;
            open::refresh(&mut index, &stores)?;
            index
        }
        IndexAction::Prune => {
            let mut index = open::open(global)?;
            let gone = index.prune().map_err(open::failed)?;
            let refreshed = open::refresh(&mut index, &stores)?;
            removed = Some(gone + refreshed.removed);
            index
        }
    };
    let status = index.status(&stores.stores).map_err(open::failed)?;
    tell(global, &status, removed)
}

fn tell(global: &Global, status: &Status, removed: Option<usize>) -> Result<(), Error> {
    if global.json || global.jsonl {
        return output::json(&Told {
            folder: status.folder.display().to_string(),
            transcripts: status.sources,
            sessions: status.sessions,
            documents: status.documents,
            segments: status.segments,
            bytes: status.bytes,
            changed: status.changed,
            leftovers: status.leftovers,
            removed,
        });
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    let state = match status.changed {
        0 => "up to date".to_owned(),
        n => format!("{} to read", amount::plural(n as usize, "transcript", "transcripts")),
    };
    let mut rows = vec![
        ("folder", text::line(&status.folder.display().to_string()).into_owned()),
        ("state", state),
        ("transcripts", amount::count(status.sources)),
        ("sessions", amount::count(status.sessions)),
        ("documents", amount::count(status.documents)),
        ("size", amount::bytes(status.bytes)),
    ];
    if let Some(removed) = removed {
        rows.push(("removed", amount::plural(removed, "transcript", "transcripts")));
    }
    for (name, value) in rows {
        writeln!(out, "{} {value}", screen.paint.of(style::DIM, format!("{name:<12}")))?;
    }
    out.finish()?;
    Ok(())
}
