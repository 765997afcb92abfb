//! What harnesses themselves say that a session used, beside what was counted.

use std::collections::BTreeMap;

use recount_index::{By, Row};
use recount_session::usage::{Claim, claim};
use recount_store::{SessionHead, discover};
use serde::Serialize;

use super::dollars;
use crate::output::{amount, text};

/// The shape of a claim in JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    total_tokens: u64,
    cost_usd: Option<f64>,
}

impl From<&Claim> for Shown {
    fn from(claim: &Claim) -> Self {
        Self { total_tokens: claim.tokens.total, cost_usd: claim.cost }
    }
}

/// The claims of the sessions that were named, by their ids. Only these are looked at: a claim can stand anywhere in a
/// file.
pub(super) fn of(named: &[SessionHead]) -> BTreeMap<String, Claim> {
    let claim = |head: &SessionHead| {
        let opened = discover::of(head.harness)?.open(head).ok()?;
        Some((head.id.clone(), claim(head.harness, &opened.bytes)?))
    };
    named.iter().filter_map(claim).collect()
}

/// A line for each claim. Claims count sub-agents, whose rows stand beside their session's: only where one session was named
/// can both be compared.
pub(super) fn lines(
    claims: &BTreeMap<String, Claim>,
    rows: &[Row],
    by: &[By],
    named: usize,
) -> Vec<String> {
    let all = rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.usage.total_tokens));
    let said = |(id, claim): (&String, &Claim)| {
        let cost = claim.cost.map_or(String::new(), |cost| format!(", {}", dollars(cost)));
        let row = rows.iter().find(|row| by == [By::Session] && row.keys.first() == Some(id));
        let harness =
            row.and_then(|row| row.harness).map_or("The harness", recount_formats::Harness::id);
        let more = row.filter(|_| named == 1).map_or(0, |_| claim.tokens.total.saturating_sub(all));
        let more = if more == 0 {
            String::new()
        } else {
            format!(" ({} more than the responses above)", amount::count(more))
        };
        let tokens = amount::count(claim.tokens.total);
        let id = text::line(id);
        format!("{harness} itself counts {tokens} tokens{more}{cost} for {id}, {}.", claim.beyond)
    };
    claims.iter().map(said).collect()
}
