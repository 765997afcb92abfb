//! `/api/sessions/{id}`: what a session is, its turns and branches.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_export::html::item::about;
use recount_index::By;
use recount_index::report::rows;
use recount_session::model::{Thread, ThreadStatus, Turn, TurnError, TurnStatus};
use recount_store::discover;
use serde::{Deserialize, Serialize};

use super::usage::Row as UsageRow;
use super::{json, sent};
use crate::web::Site;
use crate::web::query::{Asked, Named, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// A session waits so long for its usage, which all transcripts together tell.
const WAIT: Duration = Duration::from_millis(400);
/// So many characters of a prompt are given.
const PROMPT: usize = 200;

/// Which branch.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "BranchQuery"))]
pub struct Query {
    /// The leaf of a branch; the active one where none is named.
    pub branch: Option<String>,
}

/// A session without its items.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Session"))]
#[serde(rename_all = "camelCase")]
pub struct Answer<'a> {
    /// The thread, as `recount show --json` prints it.
    thread: &'a Thread,
    /// The branch that was asked for, where one was.
    branch: Option<&'a str>,
    /// How many items there are in all turns.
    items: usize,
    /// The turns.
    turns: Vec<TurnRow<'a>>,
    /// All branches; none or one where the session is no tree.
    branches: Vec<BranchRow<'a>>,
    /// Tokens and cost by model, without those of sub-agents.
    usage: Vec<UsageRow>,
    /// How full the model's context is, where it is told.
    context_window: Option<ContextWindow>,
    /// How many findings there are.
    findings: usize,
    /// The harness's own command that goes on with it, as a shell takes it.
    resume_command: Option<String>,
    /// Whether it was written to just now.
    live: bool,
    /// Its file or database.
    path: String,
    /// The size of that in bytes.
    size: u64,
}

/// A turn without its items.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TurnRow"))]
#[serde(rename_all = "camelCase")]
pub struct TurnRow<'a> {
    /// Its id.
    id: &'a str,
    /// How it ended.
    status: TurnStatus,
    /// Why it failed.
    error: Option<&'a TurnError>,
    /// Unix seconds.
    started_at: Option<i64>,
    /// Unix seconds.
    completed_at: Option<i64>,
    /// Milliseconds.
    duration_ms: Option<i64>,
    /// The number of its first item, in the items of all turns.
    first_item: usize,
    /// How many items it has.
    item_count: usize,
    /// The beginning of what the person asked, in one line.
    prompt: String,
}

/// A branch.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BranchRow"))]
#[serde(rename_all = "camelCase")]
pub struct BranchRow<'a> {
    /// The id of its last node, as `branch` takes it.
    leaf: &'a str,
    /// Whether the harness would go on with it.
    active: bool,
    /// The prompts on it that are not on the active one.
    abandoned_prompts: &'a [String],
    /// Whether it is the one that is shown.
    shown: bool,
    /// The number of the active branch's item before which it leaves; null where that is not known.
    fork_at: Option<usize>,
}

/// How full the model's context is.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextWindow {
    /// Tokens in it.
    used: u64,
    /// How many it holds, where that is told.
    size: Option<u64>,
    /// The part of it that is used.
    percent: Option<f64>,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    site.count(WAIT).await;
    let json = site.work(move |site| {
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        json(&answer(site, &volume))
    });
    Ok(sent(json.await?))
}

fn answer<'a>(site: &Site, volume: &'a Volume) -> Answer<'a> {
    let (thread, head) = (&volume.thread, &volume.head);
    let leaf = volume.leaf.as_deref();
    let forks = volume.forks();
    let branches = thread.branches.iter().map(|branch| BranchRow {
        leaf: &branch.leaf,
        active: branch.active,
        abandoned_prompts: &branch.abandoned_prompts,
        shown: leaf.map_or(branch.active, |leaf| leaf == branch.leaf),
        fork_at: forks.iter().find(|(leaf, _)| *leaf == branch.leaf).map(|(_, at)| *at),
    });
    let resume = discover::of(head.harness).map(|d| d.resume(head)).unwrap_or_default();
    Answer {
        thread,
        branch: leaf,
        items: volume.len(),
        turns: turns(volume).collect(),
        branches: branches.collect(),
        usage: usage(site, &thread.id),
        context_window: context_window(thread),
        findings: thread.findings.len(),
        resume_command: (!resume.is_empty()).then(|| shell_words::join(resume)),
        live: thread.status == ThreadStatus::Open && head.is_live(Timestamp::now()),
        path: head.path.display().to_string(),
        size: head.size,
    }
}

fn turns(volume: &Volume) -> impl Iterator<Item = TurnRow<'_>> {
    volume.thread.turns.iter().enumerate().map(|(n, turn)| TurnRow {
        id: &turn.id,
        status: turn.status,
        error: turn.error.as_ref(),
        started_at: turn.started_at,
        completed_at: turn.completed_at,
        duration_ms: turn.duration_ms,
        first_item: volume.first_of(n),
        item_count: turn.items.len(),
        prompt: prompt(&volume.thread, turn),
    })
}

/// The beginning of what a person asked in a turn; of its first item where nobody did.
pub(in crate::web) fn prompt(thread: &Thread, turn: &Turn) -> String {
    about(thread, &turn.items, PROMPT)
}

/// Tokens and cost of a thread by model.
pub(in crate::web) fn usage(site: &Site, id: &str) -> Vec<UsageRow> {
    let Some(scan) = site.counts.latest() else { return Vec::new() };
    let own = scan.responses().filter(|(response, _)| response.thread == id);
    let rows = rows(own, &[By::Model], &TimeZone::UTC);
    rows.iter().map(|row| UsageRow::of(row, &[By::Model])).collect()
}

/// How full the context is: as the harness tells it, or with the last response.
pub(in crate::web) fn context_window(thread: &Thread) -> Option<ContextWindow> {
    let told = thread.context.or(thread.window)?;
    let size = told.max_tokens.filter(|max| *max > 0);
    let percent = size.map(|size| told.used_tokens as f64 / size as f64 * 100.0);
    Some(ContextWindow { used: told.used_tokens, size, percent })
}

impl ContextWindow {
    /// In words.
    pub(in crate::web) fn words(&self) -> String {
        let count = recount_text::amount::count;
        match (self.size, self.percent) {
            (Some(size), Some(percent)) => {
                format!("{} of {} tokens ({percent:.0} %)", count(self.used), count(size))
            }
            _ => format!("{} tokens", count(self.used)),
        }
    }
}
