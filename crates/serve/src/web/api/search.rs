//! `/api/search`: words of all sessions.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_index::filter;
use recount_index::search::query::End;
use recount_index::search::{self, Found, Hit, How, InSession, Snippet};
use serde::{Deserialize, Serialize};

use super::{Piece, json, pieces, sent};
use crate::web::Site;
use crate::web::query::{Asked, given};
use crate::web::refusal::Refusal;

/// A search waits so long for what is new.
const WAIT: Duration = Duration::from_millis(1500);
/// So many hits are given when it is not said, and at most.
const PAGE: (usize, usize) = (50, 500);
/// So many hits of one session.
const EACH: usize = 5;

/// What is looked for.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "SearchQuery"))]
pub struct Query {
    /// A query, as `recount search` takes it.
    pub q: Option<String>,
    /// So many hits at most: 50 where nothing is said, 500 at most.
    pub limit: Option<usize>,
    /// So many are left out at the beginning.
    pub offset: Option<usize>,
}

/// What was found.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Hits"))]
pub struct Answer {
    /// The hits, those of the best session first.
    pub hits: Vec<HitRow>,
    /// How many of them there are to page through, up to five of each session.
    pub total: usize,
    /// How many there are in all.
    pub all: u64,
    /// Whether nothing fits exactly, and this is only near it.
    pub fuzzy: bool,
    /// What is wrong with the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether sessions are still being read: what they hold is found later.
    pub indexing: bool,
}

/// A hit.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Hit"))]
#[serde(rename_all = "camelCase")]
pub struct HitRow {
    /// The session.
    pub id: String,
    /// Its harness.
    pub harness: String,
    /// Its title.
    pub title: Option<String>,
    /// Its working directory.
    pub project: Option<String>,
    /// The turn; null for what stands outside of items.
    pub turn_id: Option<String>,
    /// The item; null for what stands outside of items.
    pub item_id: Option<String>,
    /// The item's number, where that is known without reading the session.
    pub index: Option<usize>,
    /// The leaf of its branch, where that is not the active one.
    pub branch: Option<String>,
    /// `user`, `assistant`, `reasoning`, `tool`, `summary`, `notice`, `record`.
    pub role: &'static str,
    /// The tool, where it is one.
    pub tool: Option<String>,
    /// When it was written, RFC 3339.
    pub time: Option<String>,
    /// Higher is better, within one search.
    pub score: f32,
    /// The text around it.
    pub snippet: Vec<Piece>,
    /// Whether another agent started the session.
    pub is_subagent: bool,
    /// How many hits the session has in all, shown or not.
    pub in_session: u64,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    Ok(sent(json(&find(&site, query).await?)?))
}

/// What a query finds. A query that is none is an answer, too: somebody is typing it.
pub(in crate::web) async fn find(site: &Arc<Site>, query: Query) -> Result<Answer, Refusal> {
    let Some(text) = given(query.q.as_ref()) else { return Ok(Answer::default()) };
    let parsed = match parse(text) {
        Ok(parsed) => parsed,
        Err(error) => return Ok(Answer { error: Some(error), ..Answer::default() }),
    };
    let indexed = site.index(WAIT).await;
    let answer = site.work(move |site| {
        let options = search::Options {
            sessions: usize::MAX,
            each: EACH,
            context: None,
            snippets: true,
            now: Timestamp::now().as_millisecond(),
        };
        // Snippets are read from the transcripts: only those that are shown.
        let counting = search::Options { snippets: false, ..options.clone() };
        let all = site.finder.search(&parsed, &counting)?;
        let total = all.sessions.iter().map(|s| s.hits.len()).sum();
        let counted = all.sessions.iter().map(|s| s.all_hits).sum();
        let offset = query.offset.unwrap_or(0);
        let limit = query.limit.unwrap_or(PAGE.0).clamp(1, PAGE.1);
        let sessions = sessions_for(&all, offset + limit);
        let found = site.finder.search(&parsed, &search::Options { sessions, ..options })?;
        let hits = found.sessions.iter().flat_map(|s| s.hits.iter().map(move |hit| row(s, hit)));
        let fuzzy = !matches!(all.how, How::Exactly | How::Across);
        let hits = hits.skip(offset).take(limit).collect();
        Ok(Answer { hits, total, all: counted, fuzzy, error: None, indexing: false })
    });
    let mut answer = answer.await?;
    answer.indexing = !indexed && site.finder.is_busy();
    Ok(answer)
}

/// How many of the best sessions have so many hits.
fn sessions_for(found: &Found, hits: usize) -> usize {
    let mut sum = 0;
    let enough = found.sessions.iter().position(|session| {
        sum += session.hits.len();
        sum >= hits
    });
    enough.map_or(found.sessions.len(), |n| n + 1)
}

/// Reads a query.
pub(in crate::web) fn parse(text: &str) -> Result<search::Query, String> {
    let now = Timestamp::now();
    let zone = TimeZone::system();
    search::Query::parse(text, &|end, text| {
        let bound = filter::bound(text, now, &zone, end == End::Until);
        bound.map(Timestamp::as_millisecond).map_err(|e| format!("`{text}`: {e}"))
    })
}

fn row(found: &InSession, hit: &Hit) -> HitRow {
    let session = &found.session;
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let time = Timestamp::from_millisecond(hit.time).ok().filter(|_| hit.time != 0);
    HitRow {
        id: session.id.clone(),
        harness: session.harness.clone(),
        title: session.title.clone(),
        project: session.cwd.clone(),
        turn_id: given(&hit.turn),
        item_id: given(&hit.item),
        index: None,
        branch: hit.leaf.clone(),
        role: hit.role.name(),
        tool: hit.tool.clone(),
        time: time.map(|t| t.to_string()),
        score: hit.score,
        snippet: snippet(&hit.snippet),
        is_subagent: session.is_subagent,
        in_session: found.all_hits,
    }
}

fn snippet(snippet: &Snippet) -> Vec<Piece> {
    let dots = || Piece { text: "…".to_owned(), mark: false };
    let mut all = pieces(&snippet.text, snippet.marks.iter().cloned());
    if snippet.cut_before {
        all.insert(0, dots());
    }
    if snippet.cut_after {
        all.push(dots());
    }
    all
}
