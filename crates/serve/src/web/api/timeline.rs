//! `/api/sessions/{id}/timeline`: a session on a time axis.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use recount_export::html::item::excerpt;
use recount_export::{started_by, time};
use recount_session::model::item::ItemStatus;
use recount_session::model::{Item, ItemKind, Turn, TurnStatus};
use recount_session::usage::NO_TIME;
use recount_store::SessionHead;
use serde::Serialize;

use super::session::{self, prompt};
use super::{json, lane, sent};
use crate::web::Site;
use crate::web::query::{Asked, Named, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// More points of the curve are thinned out: nobody sees them.
const POINTS: usize = 5000;
/// So many characters say what a span is.
const LABEL: usize = 120;

/// A session on a time axis. Times are RFC 3339; what has no time is left out.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Timeline"))]
pub struct Answer<'a> {
    /// The first time.
    start: Option<String>,
    /// The last time.
    end: Option<String>,
    /// The turns.
    turns: Vec<TurnSpan<'a>>,
    /// The items.
    spans: Vec<Span<'a>>,
    /// Tokens that the model had in front of it, response by response.
    context: Vec<Point>,
    /// When the history was shortened.
    compactions: Vec<Mark>,
}

/// A turn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnSpan<'a> {
    /// Its number, from 0.
    index: usize,
    /// Its id.
    id: &'a str,
    /// How it ended.
    status: TurnStatus,
    /// When it began.
    start: Option<String>,
    /// When it ended.
    end: Option<String>,
    /// The beginning of what the person asked.
    prompt: String,
}

/// An item.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Span<'a> {
    /// The item's number.
    index: usize,
    /// The item's id.
    item_id: &'a str,
    /// The number of its turn, from 0.
    turn: usize,
    /// `message`, `reasoning`, `command`, `file`, `tool`, `web`, `subagent`, `compaction`, `notice`.
    lane: &'static str,
    /// What it is, in one line.
    label: String,
    /// When it was written.
    start: String,
    /// When it ended, where that is told.
    end: Option<String>,
    /// How it ended, where it is a call.
    status: Option<ItemStatus>,
    /// The sub-agent that it started, where that is there.
    subagent_id: Option<String>,
}

/// Tokens in front of the model.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// When the response began.
    time: String,
    /// Tokens of its input, cached ones too.
    tokens: u64,
    /// How many the model holds, where that is told.
    window: Option<u64>,
    /// The number of the last item that was written by then.
    index: Option<usize>,
}

/// A moment.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mark {
    /// When.
    time: String,
    /// The item's number.
    index: usize,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<session::Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| {
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        json(&answer(site, &volume))
    });
    Ok(sent(json.await?))
}

/// A session on a time axis.
pub(in crate::web) fn answer<'a>(site: &Site, volume: &'a Volume) -> Answer<'a> {
    let thread = &volume.thread;
    let sessions = site.lists.all();
    let timed: Vec<(usize, Timestamp)> =
        volume.from(0).filter_map(|(n, .., item)| Some((n, written(item)?))).collect();
    let spans: Vec<Span<'a>> = volume
        .from(0)
        .filter_map(|(index, turn, _, item)| span(volume, &sessions, index, turn, item))
        .collect();
    let turns: Vec<TurnSpan<'a>> = (thread.turns.iter().enumerate())
        .map(|(n, turn)| turn_span(volume, &timed, n, turn))
        .collect();
    let compactions = volume.from(0).filter_map(|(index, _, _, item)| {
        let time =
            written(item).filter(|_| matches!(item.kind, ItemKind::ContextCompaction { .. }));
        time.map(|time| Mark { time: time.to_string(), index })
    });
    let context = context(site, volume, &timed);
    let all = || {
        let items = spans.iter().flat_map(|s| [Some(&s.start), s.end.as_ref()]);
        let turns = turns.iter().flat_map(|t| [t.start.as_ref(), t.end.as_ref()]);
        let points = context.iter().map(|p| Some(&p.time));
        items.chain(turns).chain(points).flatten().filter_map(|t| time::parse(t))
    };
    let (start, end) = (all().min(), all().max());
    Answer {
        start: start.map(|t| t.to_string()),
        end: end.map(|t| t.to_string()),
        compactions: compactions.collect(),
        turns,
        spans,
        context,
    }
}

fn written(item: &Item) -> Option<Timestamp> {
    item.timestamp.as_deref().and_then(time::parse)
}

fn span<'a>(
    volume: &'a Volume,
    sessions: &[SessionHead],
    index: usize,
    turn: usize,
    item: &'a Item,
) -> Option<Span<'a>> {
    let thread = &volume.thread;
    let start = written(item)?;
    let agent = started_by(thread, item).next();
    let end = (item.kind.duration_ms())
        .and_then(|ms| start.checked_add(SignedDuration::from_millis(ms)).ok())
        // A sub-agent is at work as long as its own session is written to.
        .or_else(|| {
            let head = sessions.iter().find(|head| agent.is_some_and(|a| a.id == head.id))?;
            head.updated_at.as_deref().and_then(time::parse).filter(|end| *end >= start)
        });
    Some(Span {
        index,
        item_id: &item.id,
        turn,
        lane: lane(&item.kind),
        label: excerpt(thread, item, LABEL),
        start: start.to_string(),
        end: end.map(|t| t.to_string()),
        status: item.kind.status(),
        subagent_id: agent.map(|agent| agent.id.clone()),
    })
}

fn turn_span<'a>(
    volume: &Volume,
    timed: &[(usize, Timestamp)],
    index: usize,
    turn: &'a Turn,
) -> TurnSpan<'a> {
    let first = volume.first_of(index);
    let own = || {
        let own = first..first + turn.items.len();
        timed.iter().filter(move |(n, _)| own.contains(n)).map(|(_, time)| *time)
    };
    let second = |second: Option<i64>| second.and_then(|s| Timestamp::from_second(s).ok());
    TurnSpan {
        index,
        id: &turn.id,
        status: turn.status,
        start: second(turn.started_at).or_else(|| own().min()).map(|t| t.to_string()),
        end: second(turn.completed_at).or_else(|| own().max()).map(|t| t.to_string()),
        prompt: prompt(&volume.thread, turn),
    }
}

fn context(site: &Site, volume: &Volume, timed: &[(usize, Timestamp)]) -> Vec<Point> {
    let thread = &volume.thread;
    let window = thread.context.or(thread.window).and_then(|told| told.max_tokens);
    let scan = site.counts.now();
    let mut points: Vec<(i64, u64)> = scan
        .responses()
        .map(|(counted, _)| counted)
        .filter(|counted| counted.thread == thread.id && counted.response.time != NO_TIME)
        .map(|counted| {
            let tokens = &counted.response.tokens;
            let sum = tokens.input.saturating_add(tokens.cached);
            (counted.response.time, sum.saturating_add(tokens.cache_write))
        })
        .collect();
    points.sort_by_key(|(time, _)| *time);
    // The last one is what the context holds now.
    let (each, last) = (points.len().div_ceil(POINTS).max(1), points.len().saturating_sub(1));
    let kept = |(n, point)| (n % each == 0 || n == last).then_some(point);
    let points: Vec<(i64, u64)> = points.into_iter().enumerate().filter_map(kept).collect();
    let mut timed = timed.to_vec();
    timed.sort_by_key(|(_, time)| *time);
    let point = |(ms, tokens): (i64, u64)| {
        let time = Timestamp::from_millisecond(ms).ok()?;
        let before = timed.partition_point(|(_, written)| *written <= time);
        let index = before.checked_sub(1).and_then(|n| timed.get(n)).map(|(n, _)| *n);
        Some(Point { time: time.to_string(), tokens, window, index })
    };
    points.into_iter().filter_map(point).collect()
}
