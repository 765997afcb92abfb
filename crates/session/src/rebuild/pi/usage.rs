//! The bill: every model call of the file, all branches together, each response once.

use std::borrow::Cow;
use std::collections::HashSet;

use recount_formats::json::Json;
use recount_formats::pi::Kind;

use super::content;
use super::entries::Transcript;
use crate::model::Usage;

/// The bill of one model call.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    /// The provider's id of the response and its time, the same in copies. Local servers number their responses from
    /// one again and again, so the id alone is not enough.
    pub(super) response: Option<(Cow<'a, str>, &'a str)>,
    /// The numbers.
    pub(super) usage: Usage,
}

/// The bills in the order of the file: answers, tools that called models, compactions, branch summaries, and calls
/// that left no message.
pub(super) fn rows<'t>(transcript: &'t Transcript<'_>) -> impl Iterator<Item = Row<'t>> {
    transcript.entries.iter().filter_map(|entry| {
        let holder = match entry.kind {
            Kind::MessageAssistant | Kind::MessageToolResult => entry.message,
            Kind::Usage | Kind::Compaction | Kind::BranchSummary => entry.json,
            _ => return None,
        };
        let [bill, id, time] = content::pick(holder, ["usage", "responseId", "timestamp"]);
        let usage = usage(bill.filter(|u| u.is_object())?);
        let time = time.map_or("", Json::raw);
        Some(Row { response: id.and_then(Json::as_str).map(|id| (id, time)), usage })
    })
}

/// The sum. A response that was copied within the file counts once.
pub(super) fn sum<'t>(rows: impl Iterator<Item = Row<'t>>) -> Usage {
    let mut seen = HashSet::new();
    let mut sum = Usage::default();
    for row in rows {
        if row.response.is_none_or(|response| seen.insert(response)) {
            sum.add(&row.usage);
        }
    }
    sum
}

/// One bill. A call that failed or was broken off has zeros and is no response.
fn usage(bill: Json<'_>) -> Usage {
    let number = |key| bill.get(key).and_then(Json::as_u64).unwrap_or(0);
    let (input, cached, written) = (number("input"), number("cacheRead"), number("cacheWrite"));
    let output = number("output");
    let all = input.saturating_add(cached).saturating_add(written).saturating_add(output);
    let total = bill.get("totalTokens").and_then(Json::as_u64).unwrap_or(all);
    Usage {
        responses: u64::from(all > 0),
        input_tokens: input,
        cached_input_tokens: cached,
        cache_write_tokens: written,
        output_tokens: output,
        reasoning_tokens: number("reasoning"),
        total_tokens: total,
        cost_usd: bill.at(&["cost", "total"]).and_then(Json::as_f64),
    }
}
