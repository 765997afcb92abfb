//! What responses cost: by the harness's own figure, or by the price data of `genai-prices`.
//!
//! The price data takes a while to decode, and asking it for every response would take longer than reading the
//! transcripts. Prices are piecewise constant: by the size of the input (tiers), and in time. So the data is asked for
//! the prices of a token where they may change ([`model`]), and responses are multiplied with what it said. For the models
//! that most people use it was asked when recount was made ([`list`]).

use std::collections::BTreeMap;

use recount_formats::Harness;
use recount_session::model::Responses;
use recount_session::usage::{Response, Tokens, usual_provider};
use serde::{Deserialize, Serialize};

use crate::cache::Cache;

pub mod list;
mod model;

use model::Model;

/// The version of the price data: prices that were remembered from another one are not used.
const PRICES: &str = "genai-prices 0.2.1";
/// Where the cache keeps prices.
const CACHED: &str = "prices.bin";

/// No response costs so many dollars: what says so is damaged.
const MOST: f64 = 1e6;

/// US dollars a token.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Rates {
    /// Input that is neither read from a cache nor written to one.
    pub input: f64,
    /// Input read from a cache.
    pub cached: f64,
    /// Input written to a cache.
    pub cache_write: f64,
    /// Input written to a cache for an hour.
    pub cache_write_1h: f64,
    /// Output.
    pub output: f64,
}

impl Rates {
    /// What tokens cost.
    pub fn of(&self, tokens: &Tokens) -> f64 {
        let short = tokens.cache_write.saturating_sub(tokens.cache_write_1h);
        // Where a harness counts reasoning apart from the output, it is paid as output.
        let parts = [tokens.input, tokens.cached, tokens.cache_write, tokens.output];
        let apart = tokens.total.saturating_sub(parts.into_iter().fold(0, u64::saturating_add));
        tokens.input as f64 * self.input
            + tokens.cached as f64 * self.cached
            + short as f64 * self.cache_write
            + tokens.cache_write_1h as f64 * self.cache_write_1h
            + tokens.output.saturating_add(apart) as f64 * self.output
    }
}

/// Where a figure comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// The harness's own where it stored one, else computed.
    #[default]
    Auto,
    /// The harness's own only.
    Stored,
    /// Computed only.
    Computed,
}

/// What several responses cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum {
    /// US dollars, as far as prices are known.
    pub known: Option<f64>,
    /// Whether there are responses of which the price is not known.
    pub more: bool,
}

impl Sum {
    /// US dollars, when all prices are known.
    pub fn all(self) -> Option<f64> {
        self.known.filter(|_| !self.more)
    }
}

impl FromIterator<Option<f64>> for Sum {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(costs: I) -> Self {
        let mut sum = Self::default();
        for cost in costs {
            match cost {
                Some(cost) => sum.known = Some(sum.known.unwrap_or(0.0) + cost),
                None => sum.more = true,
            }
        }
        sum
    }
}

/// Says what responses cost.
#[derive(Debug, Default)]
pub struct Pricer {
    source: Source,
    /// Prices that the person set, by model.
    own: BTreeMap<String, Rates>,
    /// The models that were asked for, few.
    models: Vec<Priced>,
    /// The one that was asked for last: nearly always the right one.
    last: usize,
    /// Whether something was learned that a cache does not have.
    learned: bool,
}

impl Pricer {
    /// A pricer with prices that the person set.
    pub fn new(source: Source, own: BTreeMap<String, Rates>) -> Self {
        Self { source, own, ..Self::default() }
    }

    /// Takes the prices that an earlier run asked for.
    pub fn remember(&mut self, cache: &Cache) {
        let found = cache.load::<(String, Vec<Priced>)>(CACHED);
        if let Some((_, models)) = found.filter(|(version, _)| version == PRICES) {
            self.models = models;
        }
    }

    /// Keeps the prices for the next run, when new ones were asked for.
    pub fn keep(&self, cache: &Cache) {
        if self.learned {
            let _ = cache.save(CACHED, &(PRICES, &self.models));
        }
    }

    /// What a response cost; nothing when it cannot be known.
    pub fn cost(&mut self, harness: Harness, model: &str, response: &Response) -> Option<f64> {
        if response.tokens.is_zero() {
            return Some(0.0);
        }
        let stored = response.cost.filter(|c| (0.0..MOST).contains(c));
        match self.source {
            Source::Stored => stored,
            // A harness that has no price for a model stores zero.
            Source::Auto => {
                stored.filter(|c| *c > 0.0).or_else(|| self.computed(harness, model, response))
            }
            Source::Computed => self.computed(harness, model, response),
        }
    }

    /// What responses cost together.
    pub fn sum(&mut self, harness: Harness, responses: &Responses) -> Sum {
        responses.iter().map(|(model, response)| self.cost(harness, model, response)).collect()
    }

    fn computed(&mut self, harness: Harness, model: &str, response: &Response) -> Option<f64> {
        if let Some(rates) = self.own.get(model) {
            return Some(rates.of(&response.tokens));
        }
        if model.is_empty() {
            return None;
        }
        let fits = |priced: &Priced| priced.harness == harness.id() && priced.model.name == model;
        if !self.models.get(self.last).is_some_and(fits) {
            self.last = self.models.iter().position(fits).unwrap_or_else(|| {
                let provider = usual_provider(harness);
                let listed = provider.and_then(|provider| list::model(provider, model));
                let model = listed.unwrap_or_else(|| Model::of(provider, model));
                self.models.push(Priced { harness: harness.id().to_owned(), model });
                self.models.len() - 1
            });
        }
        let prices = &mut self.models.get_mut(self.last)?.model;
        let (rates, learned) = prices.rates(response);
        self.learned |= learned;
        rates.map(|rates| rates.of(&response.tokens))
    }
}

/// How many tokens the context of a model holds, by the price data. Nothing for models that are not in it, and for those of
/// which it does not say so.
pub fn context_window(harness: Harness, model: &str) -> Option<u64> {
    Model::of(usual_provider(harness), model).context_window()
}

/// A model as one harness uses it.
#[derive(Debug, Serialize, Deserialize)]
struct Priced {
    harness: String,
    model: Model,
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use genai_prices::{Calculator, PriceRequest};
    use recount_session::usage::{Key, Origin};

    use super::model::units_of;
    use super::*;

    fn response(tokens: Tokens, time: &str, cost: Option<f64>) -> Response {
        let time = time.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        Response {
            key: Key::NONE,
            counter: Key::NONE,
            time,
            tokens,
            cost,
            model: 0,
            thread: 0,
            origin: Origin::Own,
            byte: 0,
        }
    }

    fn directly(model: &str, provider: &str, tokens: &Tokens, time: &str) -> f64 {
        let units = units_of(tokens);
        let time: SystemTime = SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(
                time.parse::<jiff::Timestamp>().unwrap().as_second().unsigned_abs(),
            );
        let request =
            PriceRequest::new(model, &units).with_provider_id(provider).with_timestamp(time);
        Calculator::bundled().calculate(&request).unwrap().total_price
    }

    #[test]
    fn the_size_of_a_context_is_known_by_model() {
        let of = |model| context_window(Harness::ClaudeCode, model);
        assert_eq!(of("claude-sonnet-4-5-20250929"), Some(200_000));
        assert_eq!(context_window(Harness::Codex, "gpt-4o"), Some(128_000));
        assert_eq!(context_window(Harness::Pi, "claude-3-7-sonnet-20250219"), Some(200_000));
        assert_eq!(of("no-such-model"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn tables_give_what_the_price_data_gives() {
        let models = [
            (Harness::ClaudeCode, "anthropic", "claude-sonnet-4-5"),
            (Harness::ClaudeCode, "anthropic", "claude-opus-4-1-20250805"),
            (Harness::Codex, "openai", "gpt-5.2-codex"),
            (Harness::Codex, "openai", "gpt-5.5"),
        ];
        for (harness, provider, model) in models {
            let mut pricer = Pricer::new(Source::Computed, BTreeMap::new());
            for time in ["2025-11-03T10:00:00Z", "2026-11-03T22:30:00Z"] {
                for input in
                    [1, 999, 100_000, 128_000, 199_999, 200_000, 200_001, 271_999, 272_001, 900_000]
                {
                    let tokens = Tokens {
                        input: input - input / 4 - input / 8,
                        cached: input / 4,
                        cache_write: input / 8,
                        cache_write_1h: input / 16,
                        output: 777,
                        reasoning: 10,
                        total: 0,
                    };
                    let got = pricer.cost(harness, model, &response(tokens, time, None)).unwrap();
                    let want = directly(model, provider, &tokens, time);
                    assert!(
                        (got - want).abs() <= 1e-9 * want.max(1e-3),
                        "{model} {input}: {got} {want}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_version_of_the_price_data_is_the_one_in_use() {
        let lock = include_str!("../../../../Cargo.lock");
        let (name, version) = PRICES.split_once(' ').unwrap();
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"")));
    }

    #[test]
    fn prices_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let tokens = Tokens { input: 5, total: 5, ..Tokens::default() };
        let response = response(tokens, "2026-11-03T22:30:00Z", None);
        let mut first = Pricer::new(Source::Computed, BTreeMap::new());
        // A spelling that is not in the list.
        let name = "claude-sonnet-4-5@20250929";
        let price = first.cost(Harness::ClaudeCode, name, &response);
        first.keep(&cache);
        let mut second = Pricer::new(Source::Computed, BTreeMap::new());
        second.remember(&cache);
        assert!(list::model("anthropic", name).is_none() && !second.models.is_empty());
        assert_eq!(second.cost(Harness::ClaudeCode, name, &response), price);
        assert!(price.is_some() && !second.learned);
    }

    #[test]
    fn unknown_models_have_no_price() {
        let tokens = Tokens { input: 5, total: 5, ..Tokens::default() };
        let mut pricer = Pricer::new(Source::Auto, BTreeMap::new());
        let time = "2026-11-03T22:30:00Z";
        assert_eq!(pricer.cost(Harness::Codex, "mock-model", &response(tokens, time, None)), None);
        // The harness's own figure counts. Zero is what a harness stores that knows no price, and what is absurd is none.
        let stored = response(tokens, time, Some(0.25));
        assert_eq!(pricer.cost(Harness::Pi, "mock-model", &stored), Some(0.25));
        for none in [0.0, -5.0, 1e300, f64::NAN] {
            let stored = response(tokens, time, Some(none));
            assert_eq!(pricer.cost(Harness::Pi, "mock-model", &stored), None, "{none}");
        }
    }

    #[test]
    fn a_persons_own_prices_come_first() {
        let rates = Rates { input: 2.0, ..Rates::default() };
        let own = BTreeMap::from([("gpt-5.5".to_owned(), rates)]);
        let mut pricer = Pricer::new(Source::Computed, own);
        let tokens = Tokens { input: 5, total: 5, ..Tokens::default() };
        let response = response(tokens, "2026-11-03T22:30:00Z", None);
        assert_eq!(pricer.cost(Harness::Codex, "gpt-5.5", &response), Some(10.0));
    }
}
