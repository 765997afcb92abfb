//! `/api/sessions/{id}/items`: the items of a session, a part at a time.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use recount_export::html::item::{How, excerpt, image, write};
use recount_export::{Options, started_by};
use recount_session::model::Item;
use recount_session::model::item::ItemStatus;
use serde::{Deserialize, Serialize};

use super::{json, sent, session};
use crate::web::Site;
use crate::web::query::{Asked, Named, encoded, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// So many items are given when it is not said, and at most.
const PAGE: (usize, usize) = (100, 500);
/// More bytes of HTML are not given at once, but one item is.
const MOST: usize = 4 << 20;
/// So much of a text in an item is shown before somebody asks for the rest.
const TEXT: usize = 64 << 10;
/// So many characters say what an item is about.
const EXCERPT: usize = 200;

/// Which items.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "ItemsQuery"))]
pub struct Query {
    /// The leaf of a branch; the active one where none is named.
    pub branch: Option<String>,
    /// The number of the first one.
    pub from: Option<usize>,
    /// So many at most: 100 where nothing is said, 500 at most.
    pub limit: Option<usize>,
}

/// Some items.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Items"))]
pub struct Answer {
    /// The number of the first one.
    pub from: usize,
    /// How many the session has.
    pub total: usize,
    /// They. Fewer than were asked for when they are large: the next ones begin behind the last.
    pub items: Vec<Row>,
}

/// An item as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ItemRow"))]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Its number.
    pub index: usize,
    /// The number of its turn, from 0.
    pub turn: usize,
    /// Whether it is the first one of its turn.
    pub turn_start: bool,
    /// Its id.
    pub id: String,
    /// What it is, as the `type` of items in `recount show --json`.
    pub r#type: &'static str,
    /// When it was written, RFC 3339, where that is told.
    pub at: Option<String>,
    /// How it ended, where it is a call.
    pub status: Option<ItemStatus>,
    /// Harmless HTML. Long texts are cut; a `button.more` with `data-item` says so.
    pub html: String,
    /// What it is about, in one line.
    pub excerpt: String,
    /// How many bytes the HTML would have with all texts whole, nearly.
    pub bytes: usize,
    /// The sub-agent that it started, where that is there.
    pub subagent_id: Option<String>,
}

/// One item, whole.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WholeItem"))]
pub struct Whole<'a> {
    /// Its number.
    index: usize,
    /// The number of its turn, from 0.
    turn: usize,
    /// The item, as `recount show --json` prints it.
    item: &'a Item,
    /// Harmless HTML.
    html: String,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| {
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        let limit = query.limit.unwrap_or(PAGE.0).clamp(1, PAGE.1);
        json(&page(&volume, query.from.unwrap_or(0), limit))
    });
    Ok(sent(json.await?))
}

/// Some items of a session.
pub(in crate::web) fn page(volume: &Volume, from: usize, limit: usize) -> Answer {
    let from = from.min(volume.len());
    let images = images(volume);
    let mut items = Vec::new();
    let mut bytes = 0;
    for (index, turn, place, item) in volume.from(from).take(limit) {
        let row = row(volume, (index, turn, place), item, &images);
        bytes += row.html.len();
        if bytes > MOST && !items.is_empty() {
            break;
        }
        items.push(row);
    }
    Answer { from, total: volume.len(), items }
}

fn row(
    volume: &Volume,
    (index, turn, place): (usize, usize, usize),
    item: &Item,
    images: &dyn Fn(&Item) -> (String, String),
) -> Row {
    let thread = &volume.thread;
    let (html, left) = html(volume, index, item, Some(TEXT), images);
    Row {
        index,
        turn,
        turn_start: place == 0,
        id: item.id.clone(),
        r#type: item.kind.name(),
        at: item.timestamp.clone(),
        status: item.kind.status(),
        excerpt: excerpt(thread, item, EXCERPT),
        bytes: html.len() + left,
        html,
        subagent_id: started_by(thread, item).next().map(|agent| agent.id.clone()),
    }
}

/// An item as HTML, and how many bytes of its texts were left out.
fn html(
    volume: &Volume,
    index: usize,
    item: &Item,
    most: Option<usize>,
    images: &dyn Fn(&Item) -> (String, String),
) -> (String, usize) {
    let (before, behind) = images(item);
    let how = How { most, images: Some((&before, &behind)) };
    let anchor = format!("i{index}");
    let options = Options::default();
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let left = write(&volume.thread, item, &anchor, how, &options, &mut out).unwrap_or_default();
    let html = String::from_utf8(out).unwrap_or_default();
    (html, left)
}

/// Where the images of an item are found: what stands before and behind their numbers.
fn images(volume: &Volume) -> impl Fn(&Item) -> (String, String) {
    let session = encoded(&volume.head.id);
    let leaf = volume.leaf.as_deref().map(|leaf| format!("?branch={}", encoded(leaf)));
    let leaf = leaf.unwrap_or_default();
    move |item| {
        let before = format!("/api/sessions/{session}/items/{}/images/", encoded(&item.id));
        (before, leaf.clone())
    }
}

/// `/api/sessions/{id}/items/{item}`
pub(in crate::web) async fn one(
    State(site): State<Arc<Site>>,
    Named((id, item)): Named<(String, String)>,
    Asked(query): Asked<session::Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| {
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        let (index, turn, item) = named(&volume, &item)?;
        let (html, _) = html(&volume, index, item, None, &images(&volume));
        json(&Whole { index, turn, item, html })
    });
    Ok(sent(json.await?))
}

fn named<'v>(volume: &'v Volume, id: &str) -> Result<(usize, usize, &'v Item), Refusal> {
    let found = volume.find(id).and_then(|n| volume.at(n).map(|(turn, _, item)| (n, turn, item)));
    found.ok_or_else(|| Refusal::missing(format!("no item `{id}` in this branch")))
}

/// `/api/sessions/{id}/items/{item}/images/{number}`
pub(in crate::web) async fn picture(
    State(site): State<Arc<Site>>,
    Named((id, item, number)): Named<(String, String, usize)>,
    Asked(query): Asked<session::Query>,
) -> Result<Response, Refusal> {
    let found = site.work(move |site| {
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        let (_, _, item) = named(&volume, &item)?;
        image(&volume.thread, item, number).ok_or_else(|| Refusal::missing("no such image"))
    });
    let (kind, bytes) = found.await?;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}
