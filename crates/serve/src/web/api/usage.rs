//! `/api/usage`: tokens and cost, each response once.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Harness;
use recount_index::filter::{has, in_project};
use recount_index::report::{self, By, Counted, rows};
use recount_session::model::Usage;
use recount_session::usage::is_stored;
use serde::{Deserialize, Serialize};

use super::{json, sent};
use crate::web::Site;
use crate::web::query::{Asked, bounds, given, harnesses, zone};
use crate::web::refusal::Refusal;

/// Which responses, and what makes a row.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "UsageQuery"))]
pub struct Query {
    /// What makes a row: `day` (where nothing is said), `week`, `month`, `session`, `model`, `project`, `harness`,
    /// `hour-block`; several with commas between them.
    pub by: Option<String>,
    /// Since then: `12h`, `3d`, `2026-11-01`, or RFC 3339.
    pub since: Option<String>,
    /// Until then.
    pub until: Option<String>,
    /// Harnesses, with commas between them.
    pub harness: Option<String>,
    /// A part of the working directory, or the path of a folder above it.
    pub project: Option<String>,
    /// A part of the model's name.
    pub model: Option<String>,
    /// The time zone of days, `Europe/Berlin`; the system's where none is named.
    pub timezone: Option<String>,
}

/// Rows of usage.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UsageRows"))]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// Rows by time in its order, others with the largest first.
    pub rows: Vec<Row>,
    /// Their sum.
    pub total: Row,
    /// The models that no price is known of.
    pub unpriced_models: Vec<String>,
    /// What the numbers lack, in sentences.
    pub notes: Vec<String>,
}

/// A row.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "UsageRow"))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// What it is about; the parts of several keys with ` / ` between them.
    pub key: String,
    /// The parts by name, where there are several.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<&'static str, String>,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
    /// The first response, RFC 3339.
    pub first: Option<String>,
    /// The last response, RFC 3339.
    pub last: Option<String>,
    /// The models without a price, and how many responses of theirs the cost lacks.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unpriced: BTreeMap<String, u64>,
}

impl Row {
    pub(in crate::web) fn of(row: &report::Row, by: &[By]) -> Self {
        let several = row.keys.len() > 1;
        let keys = by.iter().zip(&row.keys).filter(|_| several);
        Self {
            key: row.keys.join(" / "),
            keys: keys.map(|(by, key)| (by.name(), key.clone())).collect(),
            usage: row.usage,
            first: row.span.map(|(first, _)| first.to_string()),
            last: row.span.map(|(_, last)| last.to_string()),
            unpriced: row.unpriced.clone(),
        }
    }
}

/// Which responses.
struct Filter {
    harnesses: Vec<Harness>,
    project: Option<String>,
    model: Option<String>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl Filter {
    fn of(query: &Query, zone: &TimeZone) -> Result<Self, Refusal> {
        let (since, until) = bounds(query.since.as_ref(), query.until.as_ref(), zone)?;
        Ok(Self {
            harnesses: harnesses(query.harness.as_ref())?,
            project: given(query.project.as_ref()).map(str::to_owned),
            model: given(query.model.as_ref()).map(str::to_owned),
            since,
            until,
        })
    }

    fn takes(&self, counted: &Counted<'_>) -> bool {
        let time = || counted.time();
        (self.harnesses.is_empty() || self.harnesses.contains(&counted.harness))
            && self.model.as_deref().is_none_or(|model| has(counted.model, model))
            && self.project.as_deref().is_none_or(|p| in_project(counted.project, p, None))
            && self.since.is_none_or(|since| time().is_some_and(|t| t >= since))
            && self.until.is_none_or(|until| time().is_some_and(|t| t <= until))
    }
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| json(&answer(site, &query)?));
    Ok(sent(json.await?))
}

/// Counts, and makes rows.
pub(in crate::web) fn answer(site: &Site, query: &Query) -> Result<Answer, Refusal> {
    let zone = zone(query.timezone.as_ref())?;
    let by = by(query.by.as_ref())?;
    let filter = Filter::of(query, &zone)?;
    let scan = site.counts.now();
    let found = rows(scan.responses().filter(|(c, _)| filter.takes(c)), &by, &zone);
    let total = report::Row::total(&found);
    let there = |harness: Harness| {
        let stores = &site.stores.stores;
        stores.iter().any(|store| store.harness == harness && store.root.exists())
    };
    let asked = |h: &Harness| filter.harnesses.is_empty() || filter.harnesses.contains(h);
    let silent = Harness::ALL.iter().copied().filter(|h| !is_stored(*h) && asked(h) && there(*h));
    let notes = silent.map(|h| format!("{h} stores no usage: its sessions are not counted."));
    Ok(Answer {
        rows: found.iter().map(|row| Row::of(row, &by)).collect(),
        unpriced_models: total.unpriced.keys().cloned().collect(),
        total: Row::of(&total, &[]),
        notes: notes.collect(),
    })
}

fn by(text: Option<&String>) -> Result<Vec<By>, Refusal> {
    let known = |name: &str| {
        let by = By::ALL.iter().copied().find(|by| by.name() == name.trim());
        by.ok_or_else(|| {
            let names: Vec<&str> = By::ALL.iter().map(|by| by.name()).collect();
            Refusal::wrong(format!("unknown key `{name}`, known are {}", names.join(", ")))
        })
    };
    given(text).unwrap_or("day").split(',').map(known).collect()
}

/// When there was how much.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeatMap {
    /// The days with responses, in their order.
    days: Vec<Day>,
    /// Responses by the day of the week, Monday first, and the hour.
    hours: [[u64; 24]; 7],
}

/// A day.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// `2026-01-31`
    date: String,
    /// All tokens.
    tokens: u64,
    /// US dollars.
    cost_usd: Option<f64>,
    /// How many responses.
    responses: u64,
}

/// `/api/usage/heatmap`
pub(in crate::web) async fn heatmap(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| json(&heat(site, &query)?));
    Ok(sent(json.await?))
}

fn heat(site: &Site, query: &Query) -> Result<HeatMap, Refusal> {
    let zone = zone(query.timezone.as_ref())?;
    let filter = Filter::of(query, &zone)?;
    let scan = site.counts.now();
    let mut hours = [[0; 24]; 7];
    let fitting = || scan.responses().filter(|(counted, _)| filter.takes(counted));
    for time in fitting().filter_map(|(counted, _)| counted.time()) {
        let time = time.to_zoned_datetime(zone.clone());
        let day = usize::try_from(time.weekday().to_monday_zero_offset()).ok();
        let hour = usize::try_from(time.hour()).ok();
        let cell = day.and_then(|day| hours.get_mut(day)?.get_mut(hour?));
        if let Some(cell) = cell {
            *cell += 1;
        }
    }
    let timed = fitting().filter(|(counted, _)| counted.time().is_some());
    let days = rows(timed, &[By::Day], &zone).into_iter().map(|row| Day {
        date: row.keys.into_iter().next().unwrap_or_default(),
        tokens: row.usage.total_tokens,
        cost_usd: row.usage.cost_usd,
        responses: row.usage.responses,
    });
    Ok(HeatMap { days: days.collect(), hours })
}
