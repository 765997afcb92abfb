//! `recount usage`: tokens and cost, each response once.
//!
//! - [`select`]: which sessions, files and responses are asked for
//! - [`table`]: rows as a person reads them
//! - [`audit`]: every line that carries usage, and why it counts or not
//! - [`claims`]: what harnesses say themselves
//! - [`plot`]: rows as a picture

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;

use recount_formats::Harness;
use recount_index::Cache;
use recount_index::cost::{Pricer, Source};
use recount_index::report::{By, Row, counted, rows};
use recount_index::scan::{self, Options};
use recount_session::usage::{Claim, is_stored, resolve};
use recount_store::{Environment, Store};
use serde::Serialize;

use crate::args::{Cost, Global, Usage};
use crate::config::Config;
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, text};

mod audit;
mod claims;
mod plot;
mod select;
mod table;

use select::{Filter, Wanted};
pub(super) use table::{cost, dollars, sum};

/// The shape of a row in JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    key: String,
    /// The parts of a key that has several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    keys: BTreeMap<&'static str, &'a str>,
    #[serde(flatten)]
    usage: &'a recount_session::model::Usage,
    /// How fast a block of hours was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    burn_rate: Option<BurnRate>,
    /// What the harness itself says.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<claims::Shown>,
    /// Models without a price and how many responses of theirs the cost lacks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unpriced: &'a BTreeMap<String, u64>,
}

/// Between the first and the last response, at least a minute.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BurnRate {
    tokens_per_minute: f64,
    cost_usd_per_hour: Option<f64>,
}

impl BurnRate {
    fn of(row: &Row) -> Option<Self> {
        let (first, last) = row.span?;
        let minutes = last.duration_since(first).as_secs().max(60) as f64 / 60.0;
        Some(Self {
            tokens_per_minute: row.usage.total_tokens as f64 / minutes,
            cost_usd_per_hour: row.usage.cost_usd.map(|cost| cost / minutes * 60.0),
        })
    }
}

pub(super) fn run(global: &Global, args: &Usage) -> Result<(), Error> {
    let filter = Filter::of(args)?;
    let stores = super::stores(global);
    let wanted = Wanted::of(global, &stores, &args.sessions)?;
    let (sources, mut unread) = match wanted.files() {
        Some(files) => (files, Vec::new()),
        None => scan::sources(&stores.stores),
    };
    if !wanted.is_all() {
        // What stands elsewhere in the stores is not asked for.
        unread.clear();
    }
    if args.audit {
        warn(unread.iter().map(ToString::to_string));
        return audit::run(global, &sources, &wanted, &filter);
    }
    let (mut pricer, cache) = pricer(super::cache(global), source(args.cost))?;
    let (scanned, findings) = scan::scan(&sources, Options::default(), cache.as_ref());
    // The program ends with this: to give back each list of a thousand files would take a tenth of the time.
    let scanned = std::mem::ManuallyDrop::new(scanned);
    unread.extend(findings);
    warn(unread.iter().map(ToString::to_string));
    let resolved = resolve(&scanned);
    let threads = wanted.threads(&scanned);
    let responses = counted(&scanned, &resolved)
        .filter(|c| threads.as_ref().is_none_or(|threads| threads.contains(c.thread)))
        .filter(|c| filter.takes(c))
        .map(|c| (c, pricer.cost(c.harness, c.model, c.response)));
    let found = rows(responses, args.by(), &filter.zone);
    if let Some(cache) = &cache {
        pricer.keep(cache);
    }
    let claims = claims::of(wanted.heads());
    if let Some(file) = &args.svg {
        plot::svg(file, &found, args.by())?;
    }
    if global.json || global.jsonl {
        let shown: Vec<Shown<'_>> = found.iter().map(|row| shown(row, args, &claims)).collect();
        output::rows(&shown, global.jsonl)?;
    } else if !found.is_empty() {
        let screen = Screen::of(global);
        let mut out = screen.output();
        if args.plot {
            plot::terminal(&mut out, &screen, &found)?;
        }
        table::write(&mut out, &screen, &found, args.by())?;
        let mut notes = missing(&found, &stores.stores, args);
        notes.extend(claims::lines(&claims, &found, args.by(), wanted.heads().len()));
        for line in notes {
            writeln!(out, "{}", screen.paint.of(style::DIM, line))?;
        }
        out.finish()?;
    }
    if found.is_empty() {
        let mut lines = missing(&found, &stores.stores, args);
        lines.insert(0, "no usage found".to_owned());
        let lines = lines.join("\n  ");
        // Whether there is none nobody can say, then.
        return Err(if unread.is_empty() { Error::Nothing(lines) } else { Error::Input(lines) });
    }
    Ok(())
}

/// What says what responses cost, with what earlier runs learned, and the cache that keeps that.
pub(super) fn pricer(
    cache: Option<Cache>,
    source: Source,
) -> Result<(Pricer, Option<Cache>), Error> {
    let own = Config::read(&Environment::of_process())?.prices();
    let mut pricer = Pricer::new(source, own);
    if let Some(cache) = &cache {
        pricer.remember(cache);
    }
    Ok((pricer, cache))
}

/// What each session used, by thread.
pub(super) fn of_sessions(
    global: &Global,
    stores: &[Store],
) -> Result<HashMap<String, recount_session::model::Usage>, Error> {
    let (mut pricer, cache) = pricer(super::cache(global), Source::Auto)?;
    let (sources, _) = scan::sources(stores);
    let (scanned, findings) = scan::scan(&sources, Options::default(), cache.as_ref());
    warn(findings.iter().map(ToString::to_string));
    let resolved = resolve(&scanned);
    let responses =
        counted(&scanned, &resolved).map(|c| (c, pricer.cost(c.harness, c.model, c.response)));
    let found = rows(responses, &[By::Session], &jiff::tz::TimeZone::UTC);
    if let Some(cache) = &cache {
        pricer.keep(cache);
    }
    Ok(found
        .into_iter()
        .filter_map(|row| Some((row.keys.into_iter().next()?, row.usage)))
        .collect())
}

fn source(cost: Cost) -> Source {
    match cost {
        Cost::Auto => Source::Auto,
        Cost::Stored => Source::Stored,
        Cost::Computed => Source::Computed,
    }
}

fn shown<'a>(row: &'a Row, args: &Usage, claims: &BTreeMap<String, Claim>) -> Shown<'a> {
    let several = row.keys.len() > 1;
    let keys = args.by().iter().zip(&row.keys).filter(|_| several);
    Shown {
        key: row.keys.join(" / "),
        keys: keys.map(|(by, key)| (by.name(), key.as_str())).collect(),
        usage: &row.usage,
        burn_rate: BurnRate::of(row).filter(|_| args.by().contains(&By::HourBlock)),
        claimed: row
            .keys
            .first()
            .filter(|_| args.by() == [By::Session])
            .and_then(|id| claims.get(id).map(claims::Shown::from)),
        unpriced: &row.unpriced,
    }
}

/// What the numbers lack.
fn missing(rows: &[Row], stores: &[Store], args: &Usage) -> Vec<String> {
    let mut lines = Vec::new();
    let unpriced = Row::total(rows).unpriced;
    if !unpriced.is_empty() {
        let names: Vec<String> = unpriced
            .iter()
            .map(|(model, n)| format!("{} ({n} responses)", text::line(model)))
            .collect();
        lines.push(format!("No price is known for {}.", names.join(", ")));
    }
    let is_asked = |harness| args.harness.is_empty() || args.harness.contains(&harness);
    let there = |harness| stores.iter().any(|s| s.harness == harness && s.root.exists());
    let silent = Harness::ALL.iter().copied().filter(|harness| !is_stored(*harness));
    for harness in silent.filter(|h| args.sessions.is_empty() && is_asked(*h) && there(*h)) {
        lines.push(format!("{harness} stores no usage: its sessions are not counted."));
    }
    lines
}

#[expect(clippy::print_stderr, reason = "warnings are no data")]
fn warn(lines: impl IntoIterator<Item = String>) {
    for line in lines {
        eprintln!("warning: {line}");
    }
}
