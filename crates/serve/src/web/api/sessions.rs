//! `/api/sessions`: all sessions, as they are listed.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_export::time;
use recount_index::filter::{has, in_project};
use recount_index::search::{self, Session};
use recount_store::SessionHead;
use serde::{Deserialize, Serialize};

use super::{json, sent};
use crate::web::count::Scan;
use crate::web::find::Known;
use crate::web::query::{Asked, bounds, given, harnesses, is_on};
use crate::web::refusal::Refusal;
use crate::web::{Site, api};

/// A list waits so long for what has to be read first; what comes later is told by an event.
const WAIT: Duration = Duration::from_millis(400);
/// So many sessions are given when it is not said, and at most.
const PAGE: (usize, usize) = (100, 1000);

/// Which sessions.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(rename = "SessionsQuery"))]
pub struct Query {
    /// Words in the title, or a query as `recount search` takes it.
    pub q: Option<String>,
    /// Harnesses, with commas between them.
    pub harness: Option<String>,
    /// A part of the working directory, or the path of a folder above it.
    pub project: Option<String>,
    /// A part of the model's name.
    pub model: Option<String>,
    /// Written to since then: `12h`, `3d`, `2026-11-01`, or RFC 3339.
    pub since: Option<String>,
    /// Last written to before then.
    pub until: Option<String>,
    /// `1`: sub-agents and archived sessions too.
    pub all: Option<String>,
    /// So many are left out at the beginning.
    pub offset: Option<usize>,
    /// So many are given, 100 where nothing is said, 1000 at most.
    pub limit: Option<usize>,
}

/// A page of sessions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Sessions"))]
pub struct Answer {
    /// Those that are written to first, then the newest.
    pub sessions: Vec<Row>,
    /// How many there are on all pages.
    pub total: usize,
    /// How many were left out at the beginning.
    pub offset: usize,
    /// What could be filtered by.
    pub facets: Facets,
    /// Whether sessions are still being read for the first time: counts, and what `q` finds, may be missing.
    pub indexing: bool,
}

/// A session in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SessionRow"))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The id that its harness uses for resuming.
    pub id: String,
    /// The harness.
    pub harness: String,
    /// Its name, else the beginning of the first prompt.
    pub title: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// When it began, RFC 3339.
    pub created_at: Option<String>,
    /// When it was last written to, RFC 3339.
    pub updated_at: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// Its file or database.
    pub path: String,
    /// The size of that in bytes.
    pub size: u64,
    /// Turns of the active branch; null until it was read whole.
    pub turns: Option<u64>,
    /// Prompts that a person typed; null until it was read whole.
    pub human_prompts: Option<u64>,
    /// The thread that started it.
    pub parent_id: Option<String>,
    /// The thread that it was copied from.
    pub forked_from_id: Option<String>,
    /// Whether another agent started it.
    pub is_subagent: bool,
    /// Whether it was archived.
    pub archived: bool,
    /// How many findings there are; null until it was read whole.
    pub findings: Option<u64>,
    /// All tokens, without those of its sub-agents; null where none were counted.
    pub total_tokens: Option<u64>,
    /// Their cost in US dollars.
    pub cost_usd: Option<f64>,
    /// Whether it was written to just now.
    pub live: bool,
}

/// What sessions can be filtered by, the most frequent values first.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facets {
    /// Harnesses.
    pub harness: Vec<Facet>,
    /// Working directories.
    pub project: Vec<Facet>,
    /// Models.
    pub model: Vec<Facet>,
}

/// A value, and how many sessions have it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facet {
    /// The value.
    pub value: String,
    /// How many sessions.
    pub count: usize,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let answer = find(&site, query).await?;
    Ok(sent(json(&answer)?))
}

/// The sessions that a query asks for.
pub(in crate::web) async fn find(site: &Arc<Site>, query: Query) -> Result<Answer, Refusal> {
    let (indexed, ()) = tokio::join!(site.index(WAIT), site.count(WAIT));
    let mut answer = site.work(move |site| answer(site, &query)).await?;
    answer.indexing = !indexed && site.finder.is_busy() && site.finder.known().is_none();
    Ok(answer)
}

fn answer(site: &Site, query: &Query) -> Result<Answer, Refusal> {
    let now = Timestamp::now();
    let zone = TimeZone::system();
    let harnesses = harnesses(query.harness.as_ref())?;
    let (since, until) = bounds(query.since.as_ref(), query.until.as_ref(), &zone)?;
    let all = site.lists.all();
    let found = given(query.q.as_ref()).map(|words| Words::of(site, words));
    let time = |head: &SessionHead| head.updated_at.as_deref().and_then(time::parse);
    let mut heads: Vec<&SessionHead> = all
        .iter()
        .filter(|head| is_on(query.all.as_ref()) || !(head.is_subagent || head.archived))
        .filter(|head| since.is_none_or(|since| time(head).is_some_and(|t| t >= since)))
        .filter(|head| until.is_none_or(|until| time(head).is_some_and(|t| t <= until)))
        .filter(|head| found.as_ref().is_none_or(|found| found.fit(head)))
        .collect();
    let facets = facets(&heads);
    let (project, model) = (given(query.project.as_ref()), given(query.model.as_ref()));
    heads.retain(|head| {
        (harnesses.is_empty() || harnesses.contains(&head.harness))
            && project.is_none_or(|p| in_project(head.cwd.as_deref(), p, None))
            && model.is_none_or(|m| head.model.as_deref().is_some_and(|model| has(model, m)))
    });
    // The list comes with the newest first; the sort is stable.
    heads.sort_by_key(|head| Reverse(head.is_live(now)));
    let offset = query.offset.unwrap_or(0).min(heads.len());
    let limit = query.limit.unwrap_or(PAGE.0).clamp(1, PAGE.1);
    let known = site.finder.known();
    let counted = site.counts.latest();
    let page = heads.iter().skip(offset).take(limit);
    Ok(Answer {
        sessions: page.map(|head| row(head, now, known.as_deref(), counted.as_deref())).collect(),
        total: heads.len(),
        offset,
        facets,
        indexing: false,
    })
}

/// What is known of a session.
pub(in crate::web) fn row(
    head: &SessionHead,
    now: Timestamp,
    known: Option<&Known>,
    counted: Option<&Scan>,
) -> Row {
    let known: Option<&Session> = known
        .and_then(|known| known.get(&head.id))
        .filter(|session| session.harness == head.harness.id());
    let tokens = counted.and_then(|scan| scan.of_thread(&head.id));
    Row {
        id: head.id.clone(),
        harness: head.harness.id().to_owned(),
        title: head.title.clone(),
        cwd: head.cwd.clone(),
        created_at: head.created_at.clone(),
        updated_at: head.updated_at.clone(),
        model: head.model.clone(),
        path: head.path.display().to_string(),
        size: head.size,
        turns: head.turns.or(known.map(|session| session.turns)),
        human_prompts: head.human_prompts.or(known.map(|session| session.human_prompts)),
        parent_id: head.parent_id.clone(),
        forked_from_id: head.forked_from_id.clone(),
        is_subagent: head.is_subagent,
        archived: head.archived,
        findings: head.findings.or(known.map(|session| session.findings)),
        total_tokens: tokens.map(|(tokens, _)| tokens),
        cost_usd: tokens.and_then(|(_, cost)| cost),
        live: head.is_live(now),
    }
}

/// What is looked for while somebody types: in titles, and in what the index holds.
struct Words {
    words: Vec<String>,
    found: HashSet<String>,
}

impl Words {
    fn of(site: &Site, text: &str) -> Self {
        let words = text.split_whitespace().map(str::to_lowercase).collect();
        let options = search::Options {
            sessions: usize::MAX,
            each: 1,
            context: None,
            snippets: false,
            now: Timestamp::now().as_millisecond(),
        };
        // What is no query yet, because somebody still types, finds titles.
        let query = api::search::parse(text).ok();
        let found = query.and_then(|query| site.finder.search(&query, &options).ok());
        // Similar words are for who asks for a search.
        let exact = found.filter(|found| found.how != search::How::Similar);
        let found = exact.into_iter().flat_map(|found| found.sessions);
        Self { words, found: found.map(|found| found.session.id).collect() }
    }

    fn fit(&self, head: &SessionHead) -> bool {
        if self.found.contains(&head.id) || head.id.starts_with(&self.words.join(" ")) {
            return true;
        }
        let title = head.title.as_deref().unwrap_or("").to_lowercase();
        self.words.iter().all(|word| title.contains(word))
    }
}

fn facets(heads: &[&SessionHead]) -> Facets {
    let count = |of: &dyn Fn(&SessionHead) -> Option<&str>| {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for value in heads.iter().filter_map(|head| of(head)) {
            *counts.entry(value).or_default() += 1;
        }
        let mut facets: Vec<Facet> = counts
            .into_iter()
            .map(|(value, count)| Facet { value: value.to_owned(), count })
            .collect();
        facets.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        facets
    };
    Facets {
        harness: count(&|head| Some(head.harness.id())),
        project: count(&|head| head.cwd.as_deref()),
        model: count(&|head| head.model.as_deref()),
    }
}
