//! `recount statusline`: one line for Claude Code's status line, from the JSON that it gives on standard input.
//!
//! It is asked for all the time, so only transcripts that were written to lately are looked at, and of these only what
//! the cache does not know.

use std::io::{self, Read as _, Write as _};

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use recount_index::Cache;
use recount_index::cost::{Pricer, Source, Sum};
use recount_index::report::{By, counted, rows};
use recount_index::scan::{self, Options, Scanned};
use recount_session::usage::{ASKS_FOR_STATUS, resolve};
use serde_json::Value;

use super::usage::{dollars, pricer, sum};
use crate::args::Global;
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, amount, text, time};

/// What Claude Code tells. Every part may be missing, null or something else: versions differ.
#[derive(Debug, Default)]
struct Told {
    session: String,
    model: String,
    cost: Option<f64>,
    /// How full the context is.
    percent: Option<f64>,
}

impl Told {
    fn of(told: &Value) -> Self {
        let text = |place| told.pointer(place).and_then(Value::as_str).unwrap_or("");
        let number = |place| told.pointer(place).and_then(Value::as_f64);
        let model = [text("/model/display_name"), text("/model/id")];
        Self {
            session: text("/session_id").to_owned(),
            model: model.into_iter().find(|name| !name.is_empty()).unwrap_or("").to_owned(),
            cost: number("/cost/total_cost_usd").filter(|cost| (0.0..MOST).contains(cost)),
            percent: number("/context_window/used_percentage")
                .filter(|p| (0.0..=100.0).contains(p)),
        }
    }
}

/// No session costs so many dollars.
const MOST: f64 = 1e6;

/// Longer input is none of Claude Code's.
const LONGEST: u64 = 1 << 20;

pub(super) fn run(global: &Global) -> Result<(), Error> {
    let mut input = String::new();
    let read = io::stdin().take(LONGEST).read_to_string(&mut input);
    read.map_err(|e| Error::Input(format!("standard input: {e}")))?;
    let told: Value = serde_json::from_str(&input)
        .map_err(|e| Error::Input(format!("standard input is not what Claude Code gives: {e}")))?;
    let told = Told::of(&told);
    let screen = Screen::of(global);
    let zone = TimeZone::system();
    let midnight = screen
        .now
        .to_zoned_datetime(zone.clone())
        .start_of_day()
        .map_or(screen.now, |start| start.timestamp());
    // A block that still runs began at most five hours ago, but the blocks before it decide when.
    let lately = screen.now.checked_sub(24.hours()).unwrap_or(midnight).min(midnight);
    let mut recent = Recent::since(global, lately)?;
    let parts = parts(&told, &mut recent, &screen, midnight, &zone);
    let mut out = output::stdout();
    for (n, part) in parts.iter().enumerate() {
        let look = if n == 0 { style::PERSON } else { style::PLAIN };
        let gap = if n == 0 { "" } else { " · " };
        write!(out, "{gap}{}", screen.paint.of(look, text::line(part)))?;
    }
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// What was written lately.
struct Recent {
    scanned: Vec<Scanned>,
    pricer: Pricer,
    cache: Option<Cache>,
}

impl Recent {
    fn since(global: &Global, lately: Timestamp) -> Result<Self, Error> {
        let mut stores = super::stores(global).stores;
        stores.retain(|store| store.harness == ASKS_FOR_STATUS);
        let (mut sources, _) = scan::sources(&stores);
        sources.retain(|s| s.modified.is_none_or(|time| time >= lately));
        let (pricer, cache) = pricer(super::cache(global), Source::Auto)?;
        let (scanned, _) = scan::scan(&sources, Options::default(), cache.as_ref());
        Ok(Self { scanned, pricer, cache })
    }
}

fn parts(
    told: &Told,
    recent: &mut Recent,
    screen: &Screen,
    midnight: Timestamp,
    zone: &TimeZone,
) -> Vec<String> {
    let pricer = &mut recent.pricer;
    let resolved = resolve(&recent.scanned);
    let priced: Vec<_> = counted(&recent.scanned, &resolved)
        .map(|c| (c, pricer.cost(c.harness, c.model, c.response)))
        .collect();
    if let Some(cache) = &recent.cache {
        pricer.keep(cache);
    }
    let mut parts = Vec::new();
    parts.push(if told.model.is_empty() { "Claude Code".to_owned() } else { told.model.clone() });
    let ours = || priced.iter().filter(|(c, _)| c.thread == told.session);
    let session = match told.cost {
        Some(cost) => dollars(cost),
        None => sum(ours().map(|(_, cost)| *cost).collect()),
    };
    if !session.is_empty() {
        parts.push(format!("{session} session"));
    }
    // A clock may have been wrong.
    let past = || priced.iter().filter(|(c, _)| c.time().is_some_and(|t| t <= screen.now));
    let today = past().filter(|(c, _)| c.time().is_some_and(|t| t >= midnight));
    let today: Sum = today.map(|(_, cost)| *cost).collect();
    let today = if today == Sum::default() { dollars(0.0) } else { sum(today) };
    parts.push(format!("{today} today"));
    let blocks = rows(past().copied(), &[By::HourBlock], zone);
    if let Some((block, (first, _))) = blocks.last().and_then(|b| Some((b, b.span?))) {
        let start = first.as_second().div_euclid(3600) * 3600;
        let left = start + 5 * 3600 - screen.now.as_second();
        if left > 0 {
            let cost = super::usage::cost(block);
            parts.push(format!("{cost} block, {} left", time::duration(left * 1000)));
        }
    }
    if let Some(percent) = told.percent {
        parts.push(format!("{percent:.0}% context"));
    } else {
        let last = ours().max_by_key(|(c, _)| c.response.time);
        parts.extend(last.map(|(c, _)| {
            let tokens = &c.response.tokens;
            let input = tokens.input.saturating_add(tokens.cached);
            let context = input.saturating_add(tokens.cache_write);
            format!("{} context", amount::count(context))
        }));
    }
    parts
}
