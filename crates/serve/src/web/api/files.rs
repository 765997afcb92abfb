//! `/api/files`: who touched a file.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use recount_index::search::item::touch_of;
use recount_index::search::{Hit, InSession, Options, Touch};
use serde::{Deserialize, Serialize};

use super::{json, search, sent};
use crate::web::Site;
use crate::web::query::{Asked, given};
use crate::web::refusal::Refusal;

/// An answer waits so long for what is new.
const WAIT: Duration = Duration::from_millis(1500);
/// So many items of each session are looked at for the one that is named.
const HITS: usize = 50;
/// So many files are listed.
const FILES: usize = 500;

/// Which file.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "FilesQuery"))]
pub struct Query {
    /// The path of a file or folder, or the last parts of one; without it, the files that were touched most.
    pub path: Option<String>,
}

/// Sessions that touched a file, or files that were touched.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Files"))]
pub struct Answer {
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The sessions that touched it, the latest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sessions: Option<Vec<Row>>,
    /// The files that were changed in most sessions, 500 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<File>>,
    /// Whether sessions are still being read: what they touched is told later.
    pub indexing: bool,
}

/// A session that touched a file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FileSession"))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The session.
    pub id: String,
    /// Its harness.
    pub harness: String,
    /// Its title.
    pub title: Option<String>,
    /// When it was last written to, RFC 3339.
    pub time: Option<String>,
    /// `read` or `changed`.
    pub action: &'static str,
    /// The file, as the session names it.
    pub file: String,
    /// An item that did it, where one is found.
    pub item_id: Option<String>,
    /// The turn of that.
    pub turn_id: Option<String>,
}

/// A file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// Its path, as the sessions name it.
    pub path: String,
    /// How many sessions read or changed it.
    pub sessions: usize,
    /// How many changed it.
    pub changes: usize,
    /// When the latest of them was last written to, RFC 3339.
    pub last_time: Option<String>,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    Ok(sent(json(&find(&site, query).await?)?))
}

/// Who touched a file, or which files were touched.
pub(in crate::web) async fn find(site: &Arc<Site>, query: Query) -> Result<Answer, Refusal> {
    let indexed = site.index(WAIT).await;
    let answer = site.work(move |site| match given(query.path.as_ref()) {
        Some(path) => sessions(site, path),
        None => files(site),
    });
    let mut answer = answer.await?;
    answer.indexing = !indexed && site.finder.is_busy();
    Ok(answer)
}

fn files(site: &Site) -> Result<Answer, Refusal> {
    let files = site.finder.files(FILES)?.into_iter().map(|file| File {
        path: file.path,
        sessions: file.sessions,
        changes: file.changes,
        last_time: file.last,
    });
    Ok(Answer { files: Some(files.collect()), ..Answer::default() })
}

fn sessions(site: &Site, path: &str) -> Result<Answer, Refusal> {
    let touched = site.finder.touched(path)?;
    let places = places(site, path);
    let rows = touched.into_iter().map(|touched| {
        let changed = touched.files.iter().find(|(_, touch)| *touch == Touch::Change);
        let (file, touch) = changed
            .or_else(|| touched.files.first())
            .cloned()
            .unwrap_or_else(|| (path.to_owned(), Touch::Read));
        let place = places.get(&touched.session.id);
        Row {
            action: if touch == Touch::Change { "changed" } else { "read" },
            file,
            item_id: place.map(|(_, item)| item.clone()),
            turn_id: place.map(|(turn, _)| turn.clone()),
            id: touched.session.id,
            harness: touched.session.harness,
            title: touched.session.title,
            time: touched.session.updated_at,
        }
    });
    Ok(Answer { sessions: Some(rows.collect()), path: Some(path.to_owned()), ..Answer::default() })
}

/// Turn and item that touched a file first, by session; one that changed it where there is any.
fn places(site: &Site, path: &str) -> HashMap<String, (String, String)> {
    let quoted = format!("file:\"{}\"", path.replace('"', ""));
    let options = Options {
        sessions: usize::MAX,
        each: HITS,
        context: None,
        // Where in a session hits are is told with their texts only.
        snippets: true,
        now: Timestamp::now().as_millisecond(),
    };
    let found = search::parse(&quoted).ok().and_then(|q| site.finder.search(&q, &options).ok());
    let sessions = found.map(|found| found.sessions).unwrap_or_default();
    let place = |found: InSession| {
        let changes = |hit: &Hit| hit.tool.as_deref().and_then(touch_of) == Some(Touch::Change);
        let hits = found.hits.into_iter().filter(|hit| !hit.item.is_empty());
        let hit = hits.min_by_key(|hit| (!changes(hit), hit.time))?;
        Some((found.session.id, (hit.turn, hit.item)))
    };
    sessions.into_iter().filter_map(place).collect()
}
