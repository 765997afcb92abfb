//! 2.x: rows of `session_message` in the order of `seq`.

mod context;
mod turns;

pub(super) use context::model_view;
pub(super) use turns::thread;

use recount_formats::Json;

use super::object::Object;
use super::rows::Row;

/// What was stored for the screen with a tool's state: `metadata`, before that `structured` (rule `versioning`).
pub(super) fn metadata<'a>(state: &Object<'a>) -> Json<'a> {
    state.get_any(&["metadata", "structured"]).unwrap_or(Json::NULL)
}

/// The text that a compaction keeps besides its summary, where a build stored it.
pub(super) fn recent<'a>(data: &Object<'a>) -> Option<Json<'a>> {
    data.at(&["metadata", "recent"]).or_else(|| data.get("recent"))
}

/// How many rows at the beginning were imported from 1.x. An import numbers its rows from 0 on without a gap; a
/// session that began in 2.x has no row at 0, because the event that created it has that number (FIELD-NOTES:
/// imported rows have no idle rows and start at seq 0).
pub(super) fn imported(rows: &[Row<'_>]) -> usize {
    rows.iter()
        .enumerate()
        .take_while(|(n, row)| row.number("seq") == i64::try_from(*n).ok())
        .count()
}

/// The rows up to the one that a staged revert would remove first, and up to the end.
pub(super) fn reverted_from(session: Option<&Row<'_>>, rows: &[Row<'_>]) -> Option<usize> {
    let target = session?.columns.at(&["revert", "messageID"])?.as_str()?;
    rows.iter().position(|row| row.id() == target)
}

/// The rows of a branch: up to and with its leaf. Only a staged revert makes two branches.
pub(super) fn branch<'r, 'a>(rows: &'r [Row<'a>], leaf: Option<&str>) -> &'r [Row<'a>] {
    let end = leaf.and_then(|leaf| rows.iter().position(|row| row.id() == leaf));
    end.map_or(rows, |n| &rows[..=n])
}
