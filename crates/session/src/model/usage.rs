//! Tokens and cost.

use serde::Serialize;

use crate::usage::Response;

/// Tokens of some responses, each response counted once.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// How many responses were counted.
    pub responses: u64,
    /// Input tokens that were neither read from a cache nor written to one.
    pub input_tokens: u64,
    /// Input tokens read from a cache.
    pub cached_input_tokens: u64,
    /// Input tokens written to a cache.
    pub cache_write_tokens: u64,
    /// Output tokens, reasoning included.
    pub output_tokens: u64,
    /// The reasoning part of the output, where it is told.
    pub reasoning_tokens: u64,
    /// All of them.
    pub total_tokens: u64,
    /// Cost in US dollars, where it is known.
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Adds another sum. Absurd numbers in a transcript end at the largest one.
    pub fn add(&mut self, other: &Self) {
        self.responses = self.responses.saturating_add(other.responses);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.cached_input_tokens =
            self.cached_input_tokens.saturating_add(other.cached_input_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(other.cache_write_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
        self.cost_usd = match (self.cost_usd, other.cost_usd) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
        };
    }
}

/// The responses that count for a thread, in the order in which they began, each with its model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Responses {
    models: Vec<String>,
    all: Vec<(u32, Response)>,
}

impl Responses {
    /// Adds a response. Its number of a model counts no more.
    pub fn add(&mut self, model: &str, response: Response) {
        // Few models a thread: the last one is nearly always the right one.
        let number = self.models.iter().rposition(|m| m == model).unwrap_or_else(|| {
            self.models.push(model.to_owned());
            self.models.len() - 1
        });
        self.all.push((number as u32, response));
    }

    /// Each response with its model, which is empty where nothing tells it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Response)> {
        self.all.iter().map(|(model, response)| {
            (self.models.get(*model as usize).map_or("", String::as_str), response)
        })
    }

    /// Their sum.
    pub fn sum(&self) -> Usage {
        let mut sum = Usage::default();
        for (_, response) in &self.all {
            sum.add(&response.usage());
        }
        sum
    }
}
