//! What clients ask about threads: answers from the stores, without a connection.
//!
//! - [`mod@list`] for `thread/list`
//! - [`mod@pages`] for `thread/turns/list` and `thread/items/list`
//! - [`mod@search`] for `thread/searchOccurrences`

pub mod list;
pub mod pages;
pub mod search;

use serde::Serialize;

/// A page of an answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// What stands on it.
    pub data: Vec<T>,
    /// Where the next page begins; nothing at the end.
    pub next_cursor: Option<String>,
    /// Where the way back begins, this page's first entry included; nothing when the page is empty.
    pub backwards_cursor: Option<String>,
}

/// A page size within its limits.
fn size(limit: Option<u32>, default: usize, most: usize) -> usize {
    limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(most).clamp(1, most))
}
