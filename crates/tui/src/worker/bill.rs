//! What a session cost, and how much its model can hold: by the price data, which takes a while to decode.

use std::collections::BTreeMap;
use std::path::PathBuf;

use recount_formats::Harness;
use recount_index::Cache;
use recount_index::cost::{Pricer, Rates, Source, context_window};
use recount_session::model::Responses;

/// What responses cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bill {
    /// US dollars, as far as prices are known.
    pub cost: Option<f64>,
    /// Whether there are responses of which the price is not known.
    pub more: bool,
    /// How many tokens the context of the last model holds.
    pub window: Option<u64>,
}

/// Says what responses cost.
#[derive(Debug, Clone, Default)]
pub struct Prices {
    /// The prices that a person set, by model.
    pub own: BTreeMap<String, Rates>,
    /// The folder for caches.
    pub cache: Option<PathBuf>,
}

impl Prices {
    /// The bill of responses.
    pub fn bill(&self, harness: Harness, responses: &Responses) -> Bill {
        let cache = self.cache.clone().map(Cache::at);
        let mut pricer = Pricer::new(Source::Auto, self.own.clone());
        if let Some(cache) = &cache {
            pricer.remember(cache);
        }
        let sum = pricer.sum(harness, responses);
        if let Some(cache) = &cache {
            pricer.keep(cache);
        }
        let last = responses.iter().rev().map(|(model, _)| model).find(|model| !model.is_empty());
        let window = last.and_then(|model| context_window(harness, model));
        Bill { cost: sum.known, more: sum.more, window }
    }
}
