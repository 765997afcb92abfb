//! `recount index`: looking after the search index.

use std::io::Write as _;

use recount_index::search::Status;
use serde::Serialize;

use super::open;
use crate::args::{Global, IndexAction};
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
    /// Whether something of it cannot be read: the next search that meets it makes it anew.
    damaged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
}

pub(in crate::command) fn run(global: &Global, args: &crate::args::Index) -> Result<(), Error> {
    let stores = crate::command::stores(global);
    let mut removed = None;
    let index = match args.action {
        IndexAction::Status => open::open(global)?,
        IndexAction::Rebuild => open::rebuild(global, &stores)?,
        IndexAction::Prune => {
            let mut index = open::open(global)?;
            index.mend(&stores.stores, &|_| ()).map_err(open::failed)?;
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
            damaged: status.damaged,
            removed,
        });
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    let state = match status.changed {
        _ if status.damaged => format!("damaged: `{} index rebuild` makes it anew", screen.program),
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
