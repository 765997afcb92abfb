//! `recount history`: what a screen draws a session from.

use recount_session::history::record::message::InlineSpan;
use recount_session::history::{HistoryState, Kind, Record};

use crate::args::{Global, History};
use crate::error::Error;
use crate::output::paint::style;
use crate::output::table::{self, Cell, Column};
use crate::output::{self, Screen, text};

pub(super) fn run(global: &Global, args: &History) -> Result<(), Error> {
    let state = match (&args.restore, &args.id) {
        (Some(path), _) => {
            let bytes = std::fs::read(path)
                .map_err(|e| Error::Input(format!("cannot read {}: {e}", path.display())))?;
            HistoryState::restore_from(&bytes).map_err(|e| {
                Error::Input(format!("{} is no history snapshot: {e}", path.display()))
            })?
        }
        (None, Some(id)) => {
            let (_, opened) = super::open(global, id)?;
            let thread = opened.thread(args.branch.as_deref());
            recount_session::history::thread::history(&thread)
        }
        (None, None) => return Err(Error::Usage("give an id, or `--restore FILE`".to_owned())),
    };
    if global.json || global.jsonl {
        return output::json(&state.snapshot());
    }
    let screen = Screen::of(global);
    let mut out = screen.output();
    let rows: Vec<_> = state.records().map(row).collect();
    table::print(&mut out, screen.paint, COLUMNS, &rows, screen.columns)?;
    out.finish()?;
    Ok(())
}

const COLUMNS: &[Column] = &[
    Column { name: "id", right: true, most: 20, dispensable: 0 },
    Column { name: "turn", right: true, most: 6, dispensable: 1 },
    Column { name: "type", right: false, most: 20, dispensable: 0 },
    Column { name: "about", right: false, most: usize::MAX, dispensable: 0 },
];

fn row(record: &Record) -> Vec<Cell> {
    let turn = record.origin().map(|o| o.turn.to_string()).unwrap_or_default();
    let about = about(record.kind());
    vec![
        Cell::new(style::DIM, record.id().to_string()),
        Cell::new(style::DIM, turn),
        Cell::new(style::NAME, record.kind().name()),
        Cell::new(style::PLAIN, text::line(text::beginning(&about, 300))),
    ]
}

/// The words that tell a record from others of its kind.
fn about(kind: &Kind) -> String {
    let said = |spans: &[InlineSpan]| spans.iter().map(|s| s.text.as_str()).collect::<String>();
    match kind {
        Kind::PlainMessage(m) => m
            .lines
            .iter()
            .map(|l| said(&l.spans))
            .find(|l| !l.trim().is_empty())
            .unwrap_or_default(),
        Kind::Notice(n) => n.title.get().cloned().unwrap_or_else(|| {
            n.body.iter().map(|l| said(&l.spans)).find(|l| !l.is_empty()).unwrap_or_default()
        }),
        Kind::WaitStatus(w) => w.header.title.clone(),
        Kind::Loading(l) => l.message.clone(),
        Kind::RunningTool(t) => t.title.clone(),
        Kind::ToolCall(t) => t.title.clone(),
        Kind::PlanUpdate(p) => {
            format!("{}, {} of {} done", p.name, p.progress.completed, p.progress.total)
        }
        Kind::UpgradeNotice(u) => u.message.clone(),
        Kind::Reasoning(r) => r.sections.first().map_or_else(String::new, |section| {
            section.heading.get().cloned().unwrap_or_else(|| said(&section.summary))
        }),
        Kind::Exec(e) => e.command.last().cloned().unwrap_or_default(),
        Kind::AssistantStream(s) => s.preview_markdown.clone(),
        Kind::AssistantMessage(m) => m.markdown.clone(),
        Kind::Diff(d) => d.hunks.first().map(|h| h.header.clone()).unwrap_or_default(),
        Kind::Image(i) => i.path.clone(),
        Kind::Explore(e) => {
            e.entries.iter().map(|e| e.command.join(" ")).collect::<Vec<_>>().join(", ")
        }
        Kind::RateLimits(l) => {
            format!("{} %, {} %", l.primary_used_percent.get(), l.secondary_used_percent.get())
        }
        Kind::Patch(p) => {
            p.changes.0.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>().join(", ")
        }
        Kind::BackgroundEvent(b) => b.title.clone(),
    }
}
