//! `/api/findings`: what is damaged or unknown in sessions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use recount_formats::Finding;
use recount_store::SessionHead;
use recount_store::tail::Identity;
use serde::{Deserialize, Serialize};

use super::{json, sent};
use crate::web::Site;
use crate::web::query::{Asked, given, harnesses};
use crate::web::refusal::Refusal;
use crate::web::shelf::lock;

/// An answer waits so long for the index, which tells in which sessions to look.
const WAIT: Duration = Duration::from_secs(3);
/// So many are given.
const MOST: usize = 1000;
/// So many bytes of transcripts are read for one answer that were not read for an earlier one.
const READ: u64 = 512 << 20;

/// Which findings.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "FindingsQuery"))]
pub struct Query {
    /// Harnesses, with commas between them.
    pub harness: Option<String>,
    /// A session.
    pub id: Option<String>,
    /// `info`, `warning` or `error`.
    pub severity: Option<String>,
}

/// Findings of the latest sessions first.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Findings"))]
pub struct Answer {
    /// They, 1000 at most.
    pub findings: Vec<Row>,
    /// How many there are.
    pub total: usize,
    /// Whether sessions were left out because reading all of them would take too long, or are not read yet.
    pub partial: bool,
}

/// A finding.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FindingRow"))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The session.
    pub session_id: String,
    /// Its harness.
    pub harness: String,
    /// What kind it is.
    pub code: String,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// The file or database.
    pub source: String,
    /// Line number from 1, or 0 when it concerns the whole source.
    pub line: u64,
    /// Byte offset in the uncompressed source.
    pub byte: u64,
    /// JSON pointer inside the record.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

/// Findings of sessions that were read.
#[derive(Debug, Default)]
pub(in crate::web) struct Read(Mutex<HashMap<String, Known>>);

/// What was read of a session, and what tells whether it is still so.
type Known = (Identity, Arc<Vec<Finding>>);

impl Read {
    fn of(&self, id: &str) -> Option<Arc<Vec<Finding>>> {
        let (identity, findings) = lock(&self.0).get(id).cloned()?;
        identity.still_holds().then_some(findings)
    }

    /// Reads a session. Blocks.
    fn read(&self, head: &SessionHead) -> Option<Arc<Vec<Finding>>> {
        let discover = recount_store::discover::of(head.harness)?;
        let identity = Identity::of(head)?;
        let opened = discover.open(head).ok()?;
        let findings = Arc::new(opened.thread(None).findings);
        lock(&self.0).insert(head.id.clone(), (identity, Arc::clone(&findings)));
        Some(findings)
    }
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    Ok(sent(json(&find(&site, query).await?)?))
}

/// The findings that a query asks for.
pub(in crate::web) async fn find(site: &Arc<Site>, query: Query) -> Result<Answer, Refusal> {
    site.index(WAIT).await;
    site.work(move |site| answer(site, &query)).await
}

fn answer(site: &Site, query: &Query) -> Result<Answer, Refusal> {
    let harnesses = harnesses(query.harness.as_ref())?;
    let severity = given(query.severity.as_ref());
    if severity.is_some_and(|s| !["info", "warning", "error"].contains(&s)) {
        return Err(Refusal::wrong("`severity` is none of info, warning, error"));
    }
    let id = given(query.id.as_ref());
    let known = site.finder.known();
    let mut answer = Answer { findings: Vec::new(), total: 0, partial: known.is_none() };
    let mut room = READ;
    for head in site.lists.all().iter() {
        if id.is_some_and(|id| id != head.id)
            || !(harnesses.is_empty() || harnesses.contains(&head.harness))
        {
            continue;
        }
        let read = known.as_ref().and_then(|known| known.get(&head.id));
        // The index knows where there are any; what it does not know is read when it was named.
        let is_clean = read.map_or(id.is_none(), |session| session.findings == 0);
        if is_clean {
            continue;
        }
        let findings = match site.read.of(&head.id) {
            Some(findings) => findings,
            None if head.size > room && id.is_none() => {
                answer.partial = true;
                continue;
            }
            None => {
                room = room.saturating_sub(head.size);
                let Some(findings) = site.read.read(head) else { continue };
                findings
            }
        };
        let fitting = findings.iter().filter(|f| severity.is_none_or(|s| f.severity.name() == s));
        for finding in fitting {
            answer.total += 1;
            if answer.findings.len() < MOST {
                answer.findings.push(row(head, finding));
            }
        }
    }
    Ok(answer)
}

fn row(head: &SessionHead, finding: &Finding) -> Row {
    Row {
        session_id: head.id.clone(),
        harness: head.harness.id().to_owned(),
        code: finding.code.name().to_owned(),
        severity: finding.severity.name(),
        source: finding.source.to_string(),
        line: finding.line,
        byte: finding.byte,
        pointer: finding.pointer.clone(),
        message: finding.message.clone(),
    }
}
