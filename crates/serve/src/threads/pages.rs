//! `thread/turns/list` and `thread/items/list`: a thread, page by page.

use recount_session::model::{Item, Thread};
use recount_store::discover::End;
use serde::{Deserialize, Serialize};

use super::{Page, size};
use crate::protocol::item::{ThreadItem, visible};
use crate::protocol::params::{ItemsAnchor, ItemsCursor, ItemsList, SortDirection, TurnsPage};
use crate::protocol::thread::{millis, turn_dto};
use crate::protocol::turn::{Running, TurnDto};
use crate::rpc::Error;

/// How many turns a page has when it is not said, and at most.
const TURNS: (usize, usize) = (25, 100);
/// How many items.
const ITEMS: (usize, usize) = (100, 1000);

/// A place in a thread. It is found again by its ids, wherever the entry has moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Cursor {
    /// The turn.
    turn: String,
    /// The item, in lists of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<String>,
    /// Where it was: tells entries with the same id apart.
    n: usize,
    /// Whether the page begins with it, rather than behind it.
    with: bool,
}

impl Cursor {
    fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text)
            .map_err(|_| Error::params("`cursor` is none that this server has given for this list"))
    }

    fn text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }
}

/// The cursor that begins with a turn.
pub fn turn_cursor(thread: &Thread, n: usize) -> Option<String> {
    let turn = thread.turns.get(n)?.id.clone();
    Cursor { turn, item: None, n, with: true }.text()
}

/// The cursor that begins with the last turn, for reading backwards.
pub fn last_turn(thread: &Thread) -> Option<String> {
    turn_cursor(thread, thread.turns.len().checked_sub(1)?)
}

/// The cursor that begins with the last item, for reading backwards.
pub fn last_item(thread: &Thread) -> Option<String> {
    let all = all_items(thread, None);
    let n = all.len().checked_sub(1)?;
    item_cursor(&all, n, true)
}

/// The numbers of the entries on a page, and whether more follow.
///
/// `at` is the entry of the cursor and whether the page begins with it.
fn window(
    len: usize,
    at: Option<(usize, bool)>,
    descending: bool,
    limit: usize,
) -> (Vec<usize>, bool) {
    let all: Box<dyn Iterator<Item = usize>> = match (at, descending) {
        (None, false) => Box::new(0..len),
        (None, true) => Box::new((0..len).rev()),
        (Some((n, with)), false) => Box::new(if with { n } else { n + 1 }..len),
        (Some((n, with)), true) => Box::new((0..if with { n + 1 } else { n }).rev()),
    };
    let mut page: Vec<usize> = all.take(limit + 1).collect();
    let more = page.len() > limit;
    page.truncate(limit);
    (page, more)
}

/// The turns that a page at an end of the thread holds at most; nothing for all other pages.
pub fn end(params: &TurnsPage) -> Option<End> {
    let count = size(params.limit, TURNS.0, TURNS.1);
    params.cursor.is_none().then_some(match params.sort_direction {
        Some(SortDirection::Asc) => End::Oldest(count),
        _ => End::Newest(count),
    })
}

/// A page of turns.
pub fn turns<'a>(
    thread: &'a Thread,
    cwd: &'a str,
    running: Running,
    params: &TurnsPage,
) -> Result<Page<TurnDto<'a>>, Error> {
    let at = match params.cursor.as_deref().map(Cursor::parse).transpose()? {
        None => None,
        Some(cursor) => {
            let is_it = |n: &usize| thread.turns.get(*n).is_some_and(|t| t.id == cursor.turn);
            let n = Some(cursor.n).filter(is_it).or_else(|| (0..thread.turns.len()).find(is_it));
            let n = n.ok_or_else(|| gone("turn", &cursor.turn))?;
            Some((n, cursor.with))
        }
    };
    let descending = params.sort_direction != Some(SortDirection::Asc);
    let limit = size(params.limit, TURNS.0, TURNS.1);
    let (page, more) = window(thread.turns.len(), at, descending, limit);
    let cursor = |n: Option<&usize>, with| {
        let n = *n?;
        Cursor { turn: thread.turns.get(n)?.id.clone(), item: None, n, with }.text()
    };
    let view = params.items_view.unwrap_or_default();
    Ok(Page {
        next_cursor: if more { cursor(page.last(), false) } else { None },
        backwards_cursor: cursor(page.first(), true),
        data: page.into_iter().map(|n| turn_dto(thread, n, view, running, cwd)).collect(),
    })
}

/// `ThreadItemEntry`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemEntry<'a> {
    turn_id: &'a str,
    item: ThreadItem<'a>,
    started_at_ms: Option<i64>,
    completed_at_ms: Option<i64>,
}

/// A page of items.
pub fn items<'a>(
    thread: &'a Thread,
    cwd: &'a str,
    params: &ItemsList,
) -> Result<Page<ItemEntry<'a>>, Error> {
    let all = all_items(thread, params.turn_id.as_deref());
    if let Some(turn) = &params.turn_id
        && !thread.turns.iter().any(|t| t.id == *turn)
    {
        return Err(Error::invalid_request(format!("turn not found: {turn}")));
    }
    let at = match &params.cursor {
        None => None,
        Some(ItemsCursor::Text(text)) => {
            let cursor = Cursor::parse(text)?;
            let Some(id) = &cursor.item else {
                return Err(Error::params("`cursor` is one of a list of turns"));
            };
            let is_it = |n: &usize| {
                all.get(*n).is_some_and(|(turn, item)| *turn == cursor.turn && item.id == *id)
            };
            let n = Some(cursor.n).filter(is_it).or_else(|| (0..all.len()).find(is_it));
            Some((n.ok_or_else(|| gone("item", id))?, cursor.with))
        }
        Some(ItemsCursor::Anchor(ItemsAnchor::Item { item_id })) => {
            if params.turn_id.as_deref().unwrap_or("").is_empty() {
                return Err(Error::params("an item as `cursor` needs `turnId`"));
            }
            let n = all.iter().position(|(_, item)| item.id == *item_id);
            Some((n.ok_or_else(|| gone("item", item_id))?, false))
        }
    };
    let descending = params.sort_direction == Some(SortDirection::Desc);
    let (page, more) = window(all.len(), at, descending, size(params.limit, ITEMS.0, ITEMS.1));
    let cursor = |n: Option<&usize>, with| item_cursor(&all, *n?, with);
    Ok(Page {
        next_cursor: if more { cursor(page.last(), false) } else { None },
        backwards_cursor: cursor(page.first(), true),
        data: page
            .into_iter()
            .filter_map(|n| all.get(n))
            .map(|(turn_id, item)| {
                let written = millis(item.timestamp.as_deref());
                ItemEntry {
                    turn_id,
                    item: ThreadItem { item, cwd },
                    started_at_ms: written,
                    completed_at_ms: written,
                }
            })
            .collect(),
    })
}

/// The items of a thread or of one of its turns, each with its turn.
fn all_items<'a>(thread: &'a Thread, turn: Option<&str>) -> Vec<(&'a str, &'a Item)> {
    thread
        .turns
        .iter()
        .filter(|t| turn.is_none_or(|turn| t.id == turn))
        .flat_map(|t| visible(&t.items).map(move |item| (t.id.as_str(), item)))
        .collect()
}

fn item_cursor(all: &[(&str, &Item)], n: usize, with: bool) -> Option<String> {
    let (turn, item) = all.get(n)?;
    Cursor { turn: (*turn).to_owned(), item: Some(item.id.clone()), n, with }.text()
}

fn gone(what: &str, id: &str) -> Error {
    Error::invalid_request(format!("{what} not found: {id}; the thread has changed"))
}
