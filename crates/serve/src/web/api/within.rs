//! `/api/sessions/{id}/find`: words within a session.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use recount_index::search::item::texts;
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::{Piece, json, pieces, sent};
use crate::threads::search::{around, line};
use crate::web::Site;
use crate::web::query::{Asked, Named, given};
use crate::web::refusal::Refusal;
use crate::web::shelf::Volume;

/// So many items are told at most.
const MOST: usize = 1000;
/// So many matches of one item are marked.
const MARKS: usize = 8;

/// What is looked for.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[cfg_attr(feature = "schema", schemars(rename = "FindQuery"))]
pub struct Query {
    /// The text, in any case.
    pub q: Option<String>,
    /// The leaf of a branch; the active one where none is named.
    pub branch: Option<String>,
}

/// The items in which it stands.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Matches"))]
pub struct Answer {
    /// One for each item, in their order.
    matches: Vec<Match>,
    /// How many there are.
    total: usize,
    /// Whether there are more than are told.
    truncated: bool,
}

/// An item in which it stands.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Match {
    /// The item's number.
    index: usize,
    /// The item's id.
    id: String,
    /// What stands around it.
    snippet: Vec<Piece>,
}

pub(in crate::web) async fn get(
    State(site): State<Arc<Site>>,
    Named(id): Named<String>,
    Asked(query): Asked<Query>,
) -> Result<Response, Refusal> {
    let json = site.work(move |site| {
        let words = given(query.q.as_ref()).ok_or_else(|| Refusal::wrong("`q` is empty"))?;
        // Letters fit in any case; what else stands in it stands for itself.
        let term = RegexBuilder::new(&regex::escape(words)).case_insensitive(true).build();
        let term = term.map_err(|_| Refusal::wrong("`q` is too long"))?;
        let volume = site.shelf.open(&id, given(query.branch.as_ref()))?;
        json(&find(&volume, &term))
    });
    Ok(sent(json.await?))
}

fn find(volume: &Volume, term: &Regex) -> Answer {
    let mut answer = Answer { matches: Vec::new(), total: 0, truncated: false };
    for (index, _, _, item) in volume.from(0) {
        let texts = texts(item);
        let found = texts.iter().find_map(|text| {
            let found = term.find_iter(text).take(MARKS).map(|m| (m.start(), m.end()));
            let found: Vec<(usize, usize)> = found.collect();
            (!found.is_empty()).then_some((text, found))
        });
        let Some((text, found)) = found else { continue };
        answer.total += 1;
        if answer.matches.len() == MOST {
            answer.truncated = true;
            continue;
        }
        answer.matches.push(Match { index, id: item.id.clone(), snippet: snippet(text, &found) });
    }
    answer
}

/// What stands around the first match, on one line; others that stand near are marked, too.
fn snippet(text: &str, found: &[(usize, usize)]) -> Vec<Piece> {
    let Some((start, end)) = found.first().copied() else { return Vec::new() };
    let Range { start: from, end: to } = around(text, start, end);
    let near = found.iter().filter(|(_, end)| *end <= to);
    let mut pieces = pieces(&text[from..to], near.map(|(a, b)| a - from..b - from));
    for piece in &mut pieces {
        piece.text = line(&piece.text);
    }
    if let Some(first) = pieces.first_mut().filter(|_| from > 0) {
        if first.mark {
            pieces.insert(0, Piece { text: "…".to_owned(), mark: false });
        } else {
            first.text.insert(0, '…');
        }
    }
    if to < text.len() {
        pieces.push(Piece { text: "…".to_owned(), mark: false });
    }
    pieces
}
