//! What responses cost: by the harness's own figure, or by the price data of `genai-prices`.
//!
//! The price data takes a while to decode, and asking it for every response would take longer than reading the
//! transcripts. Prices are piecewise constant: by the size of the input (tiers), and in time. So the data is asked for
//! the prices of a token where they may change, and responses are multiplied with what it said.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime};

use genai_prices::{Calculator, PriceRequest, Usage as Units};
use recount_formats::Harness;
use recount_session::usage::{NO_TIME, Response, Tokens, usual_provider};
use serde::{Deserialize, Serialize};

use crate::cache::Cache;

/// The version of the price data: prices that were remembered from another one are not used.
const PRICES: &str = "genai-prices 0.2.1";
/// Where the cache keeps prices.
const CACHED: &str = "prices.bin";

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

/// The price data. The first call takes a while: a thread may make it while others read.
pub fn decode_prices() {
    let _ = Calculator::bundled();
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

    /// Whether prices are at hand, so that the price data may not be needed.
    pub fn knows_some(&self) -> bool {
        !self.models.is_empty()
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
        // A harness that has no price for a model stores zero.
        let stored = response.cost.filter(|c| c.is_finite());
        match self.source {
            Source::Stored => stored,
            Source::Auto => stored
                .filter(|c| *c > 0.0)
                .or_else(|| self.computed(harness, model, response))
                .or(stored),
            Source::Computed => self.computed(harness, model, response),
        }
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
                self.learned = true;
                let harness_id = harness.id().to_owned();
                self.models.push(Priced { harness: harness_id, model: Model::of(harness, model) });
                self.models.len() - 1
            });
        }
        let prices = &mut self.models.get_mut(self.last)?.model;
        let spans = prices.spans.len();
        let rates = prices.rates(response);
        self.learned |= prices.spans.len() != spans;
        rates.map(|rates| rates.of(&response.tokens))
    }
}

/// A model as one harness uses it.
#[derive(Debug, Serialize, Deserialize)]
struct Priced {
    harness: String,
    model: Model,
}

/// The prices of one model.
#[derive(Debug, Serialize, Deserialize)]
struct Model {
    name: String,
    provider: Option<String>,
    known: bool,
    /// Seconds of a span in which prices stay the same: a day, or an hour where they depend on it.
    span: i64,
    /// The table of each span.
    spans: HashMap<i64, usize>,
    tables: Vec<Table>,
}

/// Prices by the size of the input.
#[derive(Debug, Serialize, Deserialize)]
struct Table {
    /// What tells tables apart.
    signature: [f64; 2],
    /// The largest input of each step, and its prices.
    steps: Vec<(u64, Rates)>,
}

const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;
/// Inputs are looked at in steps of this size, up to the largest; where prices differ, the place is searched.
const GRID: u64 = 20_000;
const LARGEST: u64 = 2_000_000;

impl Model {
    fn of(harness: Harness, name: &str) -> Self {
        let mut model = Self {
            name: name.to_owned(),
            provider: usual_provider(harness).map(str::to_owned),
            known: true,
            span: DAY,
            spans: HashMap::new(),
            tables: Vec::new(),
        };
        // A harness can be pointed at other providers.
        if model.ask(&Tokens::default(), 0).is_none() {
            model.provider = None;
            model.known = model.ask(&Tokens::default(), 0).is_some();
        }
        model
    }

    fn rates(&mut self, response: &Response) -> Option<Rates> {
        if !self.known {
            return None;
        }
        let second = if response.time == NO_TIME { 0 } else { response.time.div_euclid(1000) };
        if self.tables.is_empty() && self.depends_on_the_hour(second) {
            self.span = HOUR;
        }
        let span = second.div_euclid(self.span);
        let table = if let Some(&table) = self.spans.get(&span) {
            table
        } else {
            let table = self.table(span * self.span)?;
            self.spans.insert(span, table);
            table
        };
        let tokens = &response.tokens;
        let input = tokens.input.saturating_add(tokens.cached).saturating_add(tokens.cache_write);
        let steps = &self.tables.get(table)?.steps;
        steps.iter().find(|(upto, _)| input <= *upto).or(steps.last()).map(|(_, rates)| *rates)
    }

    fn depends_on_the_hour(&self, second: i64) -> bool {
        let day = second.div_euclid(DAY) * DAY;
        let first = self.mixed(1000, day);
        (1..24).any(|hour| !same(first, self.mixed(1000, day + hour * HOUR)))
    }

    /// The table of a time; an old one when nothing changed.
    fn table(&mut self, second: i64) -> Option<usize> {
        let signature = [self.mixed(1000, second), self.mixed(LARGEST, second)];
        let old = self
            .tables
            .iter()
            .position(|t| same(t.signature[0], signature[0]) && same(t.signature[1], signature[1]));
        if old.is_some() {
            return old;
        }
        let mut steps = Vec::new();
        let mut low = 1;
        while low < LARGEST {
            let high = (low / GRID + 1) * GRID;
            self.steps(low, high, second, &mut steps)?;
            low = high;
        }
        self.tables.push(Table { signature, steps });
        Some(self.tables.len() - 1)
    }

    /// Adds the steps behind `low` up to `high`.
    fn steps(&self, low: u64, high: u64, second: i64, steps: &mut Vec<(u64, Rates)>) -> Option<()> {
        let mut low = low;
        while !same(self.mixed(low, second), self.mixed(high, second)) {
            // The largest input that still has the price of `low`.
            let (mut inside, mut outside) = (low, high);
            while outside - inside > 1 {
                let middle = inside.midpoint(outside);
                if same(self.mixed(low, second), self.mixed(middle, second)) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            self.step(inside, second, steps)?;
            low = outside;
        }
        self.step(high, second, steps)
    }

    /// Adds a step, or makes the last one longer when the prices are the same.
    fn step(&self, upto: u64, second: i64, steps: &mut Vec<(u64, Rates)>) -> Option<()> {
        if let Some(last) = steps.last_mut()
            && same(self.mixed(last.0, second), self.mixed(upto, second))
        {
            last.0 = upto;
            return Some(());
        }
        let one = |tokens: Tokens| self.ask(&tokens, second);
        let all = upto as f64;
        let plain = one(Tokens { input: upto, ..Tokens::default() })?;
        let millions = Tokens { input: upto, output: 1_000_000, ..Tokens::default() };
        let rates = Rates {
            input: plain / all,
            cached: one(Tokens { cached: upto, ..Tokens::default() })? / all,
            cache_write: one(Tokens { cache_write: upto, ..Tokens::default() })? / all,
            cache_write_1h: one(Tokens {
                cache_write: upto,
                cache_write_1h: upto,
                ..Tokens::default()
            })? / all,
            output: (one(millions)? - plain) / 1e6,
        };
        steps.push((upto, rates));
        Some(())
    }

    /// A price a token over all kinds of tokens, for an input of a size. Different prices make it differ.
    fn mixed(&self, input: u64, second: i64) -> f64 {
        // Shares that do not divide each other: no change of one price is made up for by that of another.
        let share = |n: f64| input as f64 * n;
        let units = units(input as f64, share(0.31), share(0.23), share(0.13), share(0.57));
        self.priced(&units, second).map_or(f64::NAN, |price| price / input as f64)
    }

    /// The price of tokens.
    fn ask(&self, tokens: &Tokens, second: i64) -> Option<f64> {
        let input = tokens.input.saturating_add(tokens.cached).saturating_add(tokens.cache_write);
        let units = units(
            input as f64,
            tokens.cached as f64,
            tokens.cache_write as f64,
            tokens.cache_write_1h as f64,
            tokens.output as f64,
        );
        self.priced(&units, second)
    }

    fn priced(&self, units: &Units, second: i64) -> Option<f64> {
        let second = u64::try_from(second).unwrap_or(0);
        let mut request = PriceRequest::new(&self.name, units)
            .with_timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(second));
        if let Some(provider) = &self.provider {
            request = request.with_provider_id(provider);
        }
        Calculator::bundled().calculate(&request).ok().map(|price| price.total_price)
    }
}

fn units(input: f64, cached: f64, written: f64, written_1h: f64, output: f64) -> Units {
    let mut units = Units::new();
    units.insert("input_tokens", input);
    units.insert("output_tokens", output);
    if cached > 0.0 {
        units.insert("cache_read_tokens", cached);
    }
    if written > 0.0 {
        units.insert("cache_write_tokens", written);
    }
    if written_1h > 0.0 {
        units.insert("cache_write_1h_tokens", written_1h);
        units.insert("cache_write_5m_tokens", written - written_1h);
    }
    units
}

/// Whether two prices are the same but for rounding.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || a.is_nan() && b.is_nan()
}

#[cfg(test)]
mod tests {
    use recount_session::usage::{Key, Origin};

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
        let input = tokens.input + tokens.cached + tokens.cache_write;
        let units = units(
            input as f64,
            tokens.cached as f64,
            tokens.cache_write as f64,
            tokens.cache_write_1h as f64,
            tokens.output as f64,
        );
        let time: SystemTime = SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(
                time.parse::<jiff::Timestamp>().unwrap().as_second().unsigned_abs(),
            );
        let request =
            PriceRequest::new(model, &units).with_provider_id(provider).with_timestamp(time);
        Calculator::bundled().calculate(&request).unwrap().total_price
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
        let lock = include_str!("../../../Cargo.lock");
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
        let price = first.cost(Harness::Codex, "gpt-5.5", &response);
        first.keep(&cache);
        let mut second = Pricer::new(Source::Computed, BTreeMap::new());
        second.remember(&cache);
        assert_eq!(second.cost(Harness::Codex, "gpt-5.5", &response), price);
        assert!(second.knows_some() && !second.learned);
    }

    #[test]
    fn unknown_models_have_no_price() {
        let tokens = Tokens { input: 5, total: 5, ..Tokens::default() };
        let mut pricer = Pricer::new(Source::Auto, BTreeMap::new());
        let time = "2026-11-03T22:30:00Z";
        assert_eq!(pricer.cost(Harness::Codex, "mock-model", &response(tokens, time, None)), None);
        // The harness's own figure counts, also where it is zero and nobody knows better.
        let stored = response(tokens, time, Some(0.25));
        assert_eq!(pricer.cost(Harness::Pi, "mock-model", &stored), Some(0.25));
        let free = response(tokens, time, Some(0.0));
        assert_eq!(pricer.cost(Harness::Pi, "mock-model", &free), Some(0.0));
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
