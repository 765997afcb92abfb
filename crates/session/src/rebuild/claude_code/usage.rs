//! Tokens: each response once.
//!
//! All lines of a response repeat its usage, and where they disagree the last written one is final. Lines that the
//! program made up itself, and those that tell of an error, cost nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use recount_formats::Json;

use super::transcript::{NodeKind, SYNTHETIC_MODEL, Transcript};
use crate::model::Usage;

/// The tokens of all responses in the file, those on abandoned branches too.
pub(super) fn usage(transcript: &Transcript<'_>) -> Usage {
    let mut responses: HashMap<Cow<'_, str>, Json<'_>> = HashMap::new();
    for node in transcript.nodes.iter().filter(|node| node.kind == NodeKind::Assistant) {
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
