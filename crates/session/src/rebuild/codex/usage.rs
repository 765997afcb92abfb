//! Tokens of a thread, each response once.
//!
//! A `token_usage_record` is one response. Files without them hold cumulative counters, which repeat: only
//! one that moved tells of a response (corpus-reports: `token-count-repeats`).

use recount_formats::codex::record as r;
use recount_formats::view::View;

use super::record::{Rec, Top};
use crate::model::Usage;

/// Sums the records of a thread's own rollout.
#[derive(Debug, Default)]
pub(super) struct Counter {
    records: Usage,
    counters: Usage,
    total: [i64; 5],
}

impl Counter {
    /// Takes the next record. Copies from the thread that this one was forked from are counted there.
    pub(super) fn record(&mut self, rec: &Rec<'_>, thread: &str) {
        if rec.top == Top::TokenUsage {
            let Some(p) = r::TokenUsageRecord::view(rec.payload) else { return };
            let (Some(usage), true) = (p.usage, p.thread_id.is_none_or(|id| id.is(thread))) else {
                return;
            };
            self.records.add(&response(numbers([
                usage.input_tokens,
                usage.cached_input_tokens,
                usage.cache_write_input_tokens,
                usage.output_tokens,
                usage.reasoning_output_tokens,
            ])));
        } else if rec.top == Top::EventMsg && rec.tag == "token_count" {
            let Some(info) = r::EventTokenCount::view(rec.payload).and_then(|p| p.info) else {
                return;
            };
            let Some(total) = info.total_token_usage else { return };
            let now = numbers([
                total.input_tokens,
                total.cached_input_tokens,
                total.cache_write_input_tokens,
                total.output_tokens,
                total.reasoning_output_tokens,
            ]);
            if now != self.total {
                // A counter that went back began anew.
                let from = if now.iter().zip(&self.total).any(|(n, t)| n < t) {
                    [0; 5]
                } else {
                    self.total
                };
                let moved = std::array::from_fn(|i| now[i].saturating_sub(from[i]));
                self.counters.add(&response(moved));
                self.total = now;
            }
        }
    }

    /// The sum.
    pub(super) fn usage(self) -> Usage {
        if self.records.responses > 0 { self.records } else { self.counters }
    }
}

fn numbers(values: [Option<i64>; 5]) -> [i64; 5] {
    values.map(|n| n.unwrap_or(0).max(0))
}

/// Codex counts cached tokens among the input.
fn response([input, cached, written, output, reasoning]: [i64; 5]) -> Usage {
    let n = |n: i64| u64::try_from(n).unwrap_or(0);
    Usage {
        responses: 1,
        input_tokens: n(input.saturating_sub(cached).saturating_sub(written)),
        cached_input_tokens: n(cached),
        cache_write_tokens: n(written),
        output_tokens: n(output),
        reasoning_tokens: n(reasoning),
        total_tokens: n(input.saturating_add(output)),
        cost_usd: None,
    }
}
