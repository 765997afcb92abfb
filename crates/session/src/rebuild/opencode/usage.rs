//! Tokens and cost: each step and each compaction once.

use recount_formats::Json;
use recount_formats::opencode::Kind;

use super::object::Object;
use super::rows::{Row, Rows};
use crate::model::Usage;

/// The usage of a session. `source_is_here` tells whether the session that it was forked from is in the store too.
pub(super) fn of(rows: &Rows<'_>, source_is_here: bool) -> Usage {
    let mut sum = Usage::default();
    for row in &rows.messages {
        let counts = matches!(
            row.kind,
            Kind::SessionMessageAssistant
                | Kind::SessionMessageCompactionCompleted
                | Kind::SessionMessageCompactionFailed
        );
        if counts && !(source_is_here && is_copy(row)) {
            add(&mut sum, &row.data);
        }
    }
    for (row, _) in &rows.old {
        if row.kind == Kind::LegacyMessage1XRowAssistant {
            add(&mut sum, &row.data);
        }
    }
    sum
}

/// Whether a fork copied the row: its id ends with its own number (rule `forks`). Such a response was paid for
/// once, in the source (corpus-reports: v2-fork-copies).
pub(super) fn is_copy(row: &Row<'_>) -> bool {
    let id = row.id();
    let suffix = id.rsplit_once('_').filter(|(rest, _)| rest.len() > "msg_".len());
    suffix.is_some_and(|(_, n)| row.number("seq").is_some_and(|seq| n == seq.to_string()))
}

/// Adds a response. One that reported nothing at all, as an aborted or failed one, is none.
fn add(sum: &mut Usage, data: &Object<'_>) {
    let Some(tokens) = data.get("tokens").filter(|t| t.is_object()) else { return };
    let number = |path: &[&str]| tokens.at(path).and_then(Json::as_u64).unwrap_or(0);
    // The five numbers do not overlap (usage rule of the catalogue).
    let one = Usage {
        responses: 1,
        input_tokens: number(&["input"]),
        cached_input_tokens: number(&["cache", "read"]),
        cache_write_tokens: number(&["cache", "write"]),
        output_tokens: number(&["output"]),
        reasoning_tokens: number(&["reasoning"]),
        total_tokens: 0,
        cost_usd: data.get("cost").and_then(Json::as_f64).filter(|c| c.is_finite()),
    };
    let total = [
        one.input_tokens,
        one.cached_input_tokens,
        one.cache_write_tokens,
        one.output_tokens,
        one.reasoning_tokens,
    ]
    .iter()
    .fold(0_u64, |sum, n| sum.saturating_add(*n));
    if total > 0 {
        sum.add(&Usage { total_tokens: total, ..one });
    }
}
