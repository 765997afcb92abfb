//! Tokens: each response once.
//!
//! All lines of a response repeat its usage, and where they disagree the last written one is final. Lines that the
//! program made up itself, and those that tell of an error, cost nothing. Copies of another session's lines count there:
//! those of `/branch` name it, those of `--fork-session` are older than the session, and a forked sub-agent begins with
//! the line that started it.

use std::borrow::Cow;
use std::collections::HashMap;

use recount_formats::{Json, Text};

use super::transcript::{NodeKind, SYNTHETIC_MODEL, Transcript};
use crate::model::Usage;

/// The tokens of all responses in the file, those on abandoned branches too. `is_fork`: whether the session is known to
/// begin with copies that do not say so.
pub(super) fn usage(transcript: &Transcript<'_>, is_fork: bool) -> Usage {
    let mut responses: HashMap<Cow<'_, str>, Json<'_>> = HashMap::new();
    let copied_call = transcript.copied_call();
    let began = transcript.metadata.first_timestamp.map(Text::get).filter(|_| is_fork);
    for (id, node) in transcript.nodes.iter().enumerate() {
        let is_older = match (&began, node.timestamp) {
            (Some(began), Some(written)) => written.get() < *began,
            _ => false,
        };
        let is_copy =
            is_older || copied_call == Some(id) || node.fields.get("forkedFrom").is_some();
        if node.kind != NodeKind::Assistant || is_copy {
            continue;
        }
        let made_up = node.message.model.is_some_and(|model| model.is(SYNTHETIC_MODEL));
        if let Some(usage) = node.message.usage
            && !made_up
            && !node.is_api_error()
        {
            let key = node.response_id().unwrap_or_else(|| node.uuid.clone());
            responses.insert(key, usage);
        }
    }
    let mut sum = Usage::default();
    for usage in responses.values() {
        sum.add(&of_response(*usage));
    }
    sum
}

fn of_response(usage: Json<'_>) -> Usage {
    let number = |key: &str| usage.get(key).and_then(Json::as_u64).unwrap_or(0);
    let thinking = usage.at(&["output_tokens_details", "thinking_tokens"]).and_then(Json::as_u64);
    let mut one = Usage {
        responses: 1,
        input_tokens: number("input_tokens"),
        cached_input_tokens: number("cache_read_input_tokens"),
        cache_write_tokens: number("cache_creation_input_tokens"),
        output_tokens: number("output_tokens"),
        reasoning_tokens: thinking.unwrap_or(0),
        total_tokens: 0,
        cost_usd: None,
    };
    one.total_tokens =
        [one.input_tokens, one.cached_input_tokens, one.cache_write_tokens, one.output_tokens]
            .into_iter()
            .fold(0, u64::saturating_add);
    one
}
