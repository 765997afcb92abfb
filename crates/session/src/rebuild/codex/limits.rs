//! The rate limits and the fill of the context as they were last told.

use recount_formats::codex::record as r;
use recount_formats::view::View;

use super::record::{Rec, Top};
use crate::model::thread::{ContextTokens, RateLimits, RateWindow};

/// Looks from the end: each `token_count` tells them anew, and one without them tells nothing.
pub(super) fn last(recs: &[Rec<'_>]) -> Option<RateLimits> {
    let mut counts = recs.iter().rev().filter(|r| r.top == Top::EventMsg && r.tag == "token_count");
    counts.find_map(|rec| {
        let told = r::EventTokenCount::view(rec.payload)?.rate_limits?;
        let minutes = |m: Option<i64>| m.and_then(|m| u64::try_from(m).ok());
        let primary = told.primary.map(|w| RateWindow {
            used_percent: w.used_percent.unwrap_or(0.0),
            window_minutes: minutes(w.window_minutes),
            resets_at: w.resets_at,
            resets_in_seconds: minutes(w.resets_in_seconds),
        });
        let secondary = told.secondary.map(|w| RateWindow {
            used_percent: w.used_percent.unwrap_or(0.0),
            window_minutes: minutes(w.window_minutes),
            resets_at: w.resets_at,
            resets_in_seconds: minutes(w.resets_in_seconds),
        });
        (primary.is_some() || secondary.is_some()).then_some(RateLimits { primary, secondary })
    })
}

/// How full the context was at the last response.
pub(super) fn window(recs: &[Rec<'_>]) -> Option<ContextTokens> {
    let mut counts = recs.iter().rev().filter(|r| r.top == Top::EventMsg && r.tag == "token_count");
    counts.find_map(|rec| {
        let info = r::EventTokenCount::view(rec.payload)?.info?;
        let used = info.last_token_usage?.total_tokens?;
        let number = |n: i64| u64::try_from(n).ok();
        Some(ContextTokens {
            used_tokens: number(used)?,
            max_tokens: info.model_context_window.and_then(number),
        })
    })
}
