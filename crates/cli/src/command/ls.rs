//! `recount ls`: sessions, newest first.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write as _};

use recount_session::model::Usage;
use recount_store::{SessionHead, Stores, discover};
use serde::Serialize;

use super::filter::filter;
use crate::args::{Global, Ls, Sort};
use crate::error::{Error, warn};
use crate::output::paint::style;
use crate::output::table::{self, Cell, Column};
use crate::output::{self, Screen, amount, text, time};

pub(super) fn run(global: &Global, args: &Ls) -> Result<(), Error> {
    let stores = super::stores(global);
    let (all, findings) = stores.list();
    warn(&findings);
    let ids = Ids::of(&all);
    let found = all.len();
    let mut sessions = all;
    if !args.all {
        sessions.retain(|s| !s.is_subagent && !s.archived);
    }
    let left_out = found - sessions.len();
    let before = sessions.len();
    filter(&mut sessions, &args.filters);
    sort(&mut sessions, args);
    if let Some(query) = &args.search {
        searched(global, &stores, &mut sessions, query, args.sort.is_none())?;
    }
    if let Some(limit) = args.limit {
        sessions.truncate(limit);
    }
    if args.full {
        sessions.iter_mut().for_each(read_whole);
    } else {
        complete(global, &stores, &mut sessions);
    }
    let wants_usage = args.usage && !sessions.is_empty();
    let usage =
        wants_usage.then(|| super::usage::of_sessions(global, &stores.stores)).transpose()?;
    if global.json || global.jsonl {
        let row = |head| Row { head, usage: usage.as_ref().and_then(|usage| usage.get(&head.id)) };
        let rows: Vec<Row<'_>> = sessions.iter().map(row).collect();
        output::rows(&rows, global.jsonl)?;
    } else if !sessions.is_empty() {
        print(global, &sessions, usage.as_ref(), &ids, (before, left_out))?;
    }
    match (sessions.is_empty(), before, left_out) {
        (false, ..) => Ok(()),
        (true, 0, 0) => Err(super::no_sessions(&stores, global)),
        (true, 0, n) => Err(Error::Nothing(format!(
            "nothing but {}\n  `{} ls --all` lists them",
            amount::plural(n, "sub-agent or archived session", "sub-agents and archived sessions"),
            output::screen::program(global)
        ))),
        (true, n, _) => Err(Error::Nothing(format!(
            "none of {} fits the filters",
            amount::plural(n, "session", "sessions")
        ))),
    }
}

/// A session for programs.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    head: &'a SessionHead,
    /// What it used, when that was asked for and its harness stores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'a Usage>,
}

/// So much is read for a list at most: it takes a tenth of a second.
const MOST_READ: u64 = 16 << 20;

/// Fills in what the search index knows. It is brought up to date first, unless that would take long: a list does not wait, and
/// what is not known of a session that changed is left out.
pub(super) fn complete(global: &Global, stores: &Stores, sessions: &mut [SessionHead]) {
    if let Some(folder) = super::index_folder(global) {
        // Whatever is wrong with the index, a search tells and mends it.
        let _ = recount_index::search::catch_up(&folder, &stores.stores, MOST_READ);
        recount_index::search::complete(&folder, sessions);
    }
}

/// Keeps the sessions in which something is found; the best first, unless another order is wanted.
fn searched(
    global: &Global,
    stores: &Stores,
    sessions: &mut Vec<SessionHead>,
    query: &str,
    by_rank: bool,
) -> Result<(), Error> {
    let found = super::search::ids(global, stores, query)?;
    let rank: HashMap<&str, usize> = found.iter().enumerate().map(|(n, id)| (&**id, n)).collect();
    sessions.retain(|session| rank.contains_key(session.id.as_str()));
    if by_rank {
        sessions.sort_by_key(|session| rank.get(session.id.as_str()).copied());
    }
    Ok(())
}

fn sort(sessions: &mut [SessionHead], args: &Ls) {
    // The list comes sorted by the last write; the sort is stable.
    match args.sort.unwrap_or_default() {
        Sort::Updated => {}
        Sort::Created => sessions.sort_by(|a, b| b.created_at.cmp(&a.created_at)),
        Sort::Size => sessions.sort_by_key(|s| std::cmp::Reverse(s.size)),
        Sort::Title => sessions.sort_by_cached_key(|s| {
            (s.title.is_none(), s.title.as_deref().map(|t| text::line(t).to_lowercase()))
        }),
        Sort::Project => {
            sessions.sort_by(|a, b| (a.cwd.is_none(), &a.cwd).cmp(&(b.cwd.is_none(), &b.cwd)));
        }
        Sort::Harness => sessions.sort_by_key(|s| s.harness),
    }
    if args.reverse {
        sessions.reverse();
    }
}

/// Fills in what only a rebuild can tell.
fn read_whole(head: &mut SessionHead) {
    let Some(Ok(opened)) = discover::of(head.harness).map(|d| d.open(head)) else {
        return;
    };
    let thread = opened.thread(None);
    head.turns = Some(thread.turns.len() as u64);
    head.human_prompts = Some(thread.prompts());
    head.findings = Some(thread.findings.len() as u64);
}

/// How much of each id is needed to tell it from all others.
pub(super) struct Ids(BTreeMap<String, usize>);

impl Ids {
    /// So much is shown at least.
    const LEAST: usize = 8;

    pub(super) fn of(sessions: &[SessionHead]) -> Self {
        let mut ids: Vec<&str> = sessions.iter().map(|s| s.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let common =
            |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
        let needed = ids.iter().enumerate().map(|(n, id)| {
            let before =
                n.checked_sub(1).and_then(|n| ids.get(n)).map_or(0, |other| common(id, other));
            let after = ids.get(n + 1).map_or(0, |other| common(id, other));
            ((*id).to_owned(), before.max(after) + 1)
        });
        Self(needed.collect())
    }

    /// The number of characters that are enough for one id.
    pub(super) fn enough(&self, id: &str) -> usize {
        self.0.get(id).copied().unwrap_or(usize::MAX).max(Self::LEAST)
    }
}

const COLUMNS: &[Column] = &[
    Column { name: "id", right: false, most: 40, dispensable: 0 },
    Column { name: "harness", right: false, most: 12, dispensable: 2 },
    Column { name: "age", right: true, most: 5, dispensable: 0 },
    Column { name: "turns", right: true, most: 6, dispensable: 4 },
    Column { name: "tokens", right: true, most: 7, dispensable: 6 },
    Column { name: "cost", right: true, most: 8, dispensable: 1 },
    Column { name: "size", right: true, most: 7, dispensable: 5 },
    Column { name: "project", right: false, most: 18, dispensable: 3 },
    Column { name: "title", right: false, most: 400, dispensable: 0 },
];

/// The rows of sessions in a table.
pub(super) fn table(
    out: &mut dyn io::Write,
    screen: &Screen,
    sessions: &[SessionHead],
    usage: Option<&HashMap<String, Usage>>,
    ids: &Ids,
) -> io::Result<()> {
    let width = sessions.iter().map(|s| ids.enough(&s.id)).max().unwrap_or(0).min(40);
    let projects = projects(sessions);
    let rows: Vec<Vec<Cell>> = sessions
        .iter()
        .zip(projects)
        .map(|(s, project)| {
            let id = text::line(text::beginning(&s.id, width.max(ids.enough(&s.id)))).into_owned();
            let enough = text::beginning(&id, ids.enough(&s.id)).len();
            let age = s.updated_at.as_deref().and_then(time::parse);
            let title = text::line(text::beginning(s.title.as_deref().unwrap_or(""), 1000));
            let mark = match (s.is_subagent, s.archived) {
                (true, _) => "sub-agent",
                (_, true) => "archived",
                _ => "",
            };
            let used = usage.and_then(|usage| usage.get(&s.id));
            let tokens = used.map(|used| amount::count(used.total_tokens));
            let cost = used.and_then(|used| used.cost_usd).map(super::usage::dollars);
            let between = if mark.is_empty() || title.is_empty() { "" } else { ": " };
            vec![
                Cell::new(style::ID, id).with_dim_rest(enough),
                Cell::new(style::PLAIN, s.harness.id()),
                Cell::new(style::PLAIN, age.map(|t| time::age(t, screen.now)).unwrap_or_default()),
                Cell::new(style::PLAIN, s.turns.map(|n| n.to_string()).unwrap_or_default()),
                Cell::new(style::PLAIN, tokens.unwrap_or_default()),
                Cell::new(style::PLAIN, cost.unwrap_or_default()),
                Cell::new(style::DIM, amount::bytes(s.size)),
                Cell::new(style::NAME, project),
                Cell::new(style::PLAIN, format!("{mark}{between}{title}")),
            ]
        })
        .collect();
    table::print(out, screen.paint, COLUMNS, &rows, screen.columns)
}

/// The last part of each working directory; the one above too where two are called alike.
fn projects(sessions: &[SessionHead]) -> Vec<String> {
    let name = |cwd: &str, parts: usize| {
        let all: Vec<&str> = cwd.split(['/', '\\']).filter(|p| !p.is_empty()).collect();
        let name = all[all.len().saturating_sub(parts)..].join("/");
        text::line(if name.is_empty() { cwd } else { &name }).into_owned()
    };
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for cwd in sessions.iter().filter_map(|s| s.cwd.as_deref()) {
        let same = places.entry(name(cwd, 1)).or_default();
        if !same.contains(&cwd) {
            same.push(cwd);
        }
    }
    sessions
        .iter()
        .map(|s| {
            let Some(cwd) = s.cwd.as_deref() else { return String::new() };
            let short = name(cwd, 1);
            let alike = places.get(&short).is_some_and(|same| same.len() > 1);
            if alike { name(cwd, 2) } else { short }
        })
        .collect()
}

fn print(
    global: &Global,
    sessions: &[SessionHead],
    usage: Option<&HashMap<String, Usage>>,
    ids: &Ids,
    (fitting, left_out): (usize, usize),
) -> Result<(), Error> {
    let screen = Screen::of(global);
    let mut out = screen.output();
    table(&mut out, &screen, sessions, usage, ids)?;
    if screen.terminal {
        let mut facts = vec![match (sessions.len(), fitting) {
            (shown, all) if shown < all => {
                format!("{shown} of {}", amount::plural(all, "session", "sessions"))
            }
            (shown, _) => amount::plural(shown, "session", "sessions"),
        }];
        if left_out > 0 {
            let more = amount::plural(
                left_out,
                "sub-agent or archived one",
                "sub-agents and archived ones",
            );
            facts.push(format!("{more} with --all"));
        }
        let line = format!("\n{} · {} show ID", facts.join(" · "), screen.program);
        writeln!(out, "{}", screen.paint.of(style::DIM, line))?;
    }
    out.finish()?;
    Ok(())
}
