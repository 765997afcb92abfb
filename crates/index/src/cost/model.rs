//! The prices of one model, asked of the price data where they may change.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use genai_prices::{Calculator, PriceRequest, Usage as Units};
use recount_session::usage::{NO_TIME, Response, Tokens};
use serde::{Deserialize, Serialize};

use super::Rates;

/// The prices of one model.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) name: String,
    provider: Option<String>,
    known: bool,
    /// Seconds of a span in which prices stay the same: a day, or an hour where they depend on it.
    span: i64,
    /// The table of each span.
    spans: HashMap<i64, usize>,
    pub(super) tables: Vec<Table>,
    /// The second from which each table is true, the oldest first, where all of them are known; otherwise empty.
    pub(super) since: Vec<(i64, usize)>,
}

/// Prices by the size of the input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Table {
    /// What tells tables apart.
    signature: [f64; 2],
    /// The largest input of each step, and its prices; those of the last one hold for larger ones too.
    pub(super) steps: Vec<(u64, Rates)>,
}

const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;
/// Inputs are looked at in steps of this size, up to the largest; where prices differ, the place is searched.
const GRID: u64 = 20_000;
const LARGEST: u64 = 2_000_000;

impl Model {
    /// A model of a provider, or of any; the price data is asked whether it knows it.
    pub(super) fn of(provider: Option<&str>, name: &str) -> Self {
        let mut model = Self {
            name: name.to_owned(),
            provider: provider.map(str::to_owned),
            known: true,
            span: DAY,
            spans: HashMap::new(),
            tables: Vec::new(),
            since: Vec::new(),
        };
        // A harness can be pointed at other providers.
        if model.ask(&Tokens::default(), 0).is_none() {
            model.provider = None;
            model.known = model.ask(&Tokens::default(), 0).is_some();
        }
        model
    }

    /// A model whose prices are all known: the second from which each step list is true.
    pub(super) fn listed(name: &str, all: Vec<(i64, Vec<(u64, Rates)>)>) -> Self {
        let since = all.iter().enumerate().map(|(n, (second, _))| (*second, n)).collect();
        let tables = all.into_iter().map(|(_, steps)| Table { signature: [f64::NAN; 2], steps });
        Self {
            name: name.to_owned(),
            provider: None,
            known: true,
            span: DAY,
            spans: HashMap::new(),
            tables: tables.collect(),
            since,
        }
    }

    /// Asks for the prices from each of these seconds on, between which none changes. Nothing when the model is not known
    /// there, or when its prices depend on the time of the day.
    pub(super) fn ask_all(&mut self, seconds: &[i64]) -> Option<()> {
        if !self.known || self.provider.is_none() {
            return None;
        }
        for &second in seconds {
            if self.depends_on_the_hour(second) {
                return None;
            }
            let table = self.table(second)?;
            if self.since.last().is_none_or(|(_, last)| *last != table) {
                self.since.push((second, table));
            }
        }
        Some(())
    }

    /// The prices for a response, and whether the price data had to be asked for them.
    pub(super) fn rates(&mut self, response: &Response) -> (Option<Rates>, bool) {
        let second = if response.time == NO_TIME { 0 } else { response.time.div_euclid(1000) };
        let (table, asked) = if self.since.is_empty() {
            let spans = self.spans.len();
            let table = self.table_of_span(second);
            (table, self.spans.len() != spans)
        } else {
            let later = self.since.partition_point(|(since, _)| *since <= second);
            (self.since.get(later.saturating_sub(1)).map(|(_, table)| *table), false)
        };
        let tokens = &response.tokens;
        let input = tokens.input.saturating_add(tokens.cached).saturating_add(tokens.cache_write);
        let steps = table.and_then(|table| self.tables.get(table)).map(|table| &table.steps);
        let step =
            steps.and_then(|steps| steps.iter().find(|(upto, _)| input <= *upto).or(steps.last()));
        (step.map(|(_, rates)| *rates), asked)
    }

    /// The table of the span in which a second lies.
    fn table_of_span(&mut self, second: i64) -> Option<usize> {
        if !self.known {
            return None;
        }
        if self.tables.is_empty() && self.depends_on_the_hour(second) {
            self.span = HOUR;
        }
        let span = second.div_euclid(self.span);
        if let Some(&table) = self.spans.get(&span) {
            return Some(table);
        }
        let table = self.table(span * self.span)?;
        self.spans.insert(span, table);
        Some(table)
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

    /// How many tokens the context holds.
    pub(super) fn context_window(&self) -> Option<u64> {
        let units = units(1.0, 0.0, 0.0, 0.0, 0.0);
        let mut request = PriceRequest::new(&self.name, &units);
        if let Some(provider) = &self.provider {
            request = request.with_provider_id(provider);
        }
        let prices = Calculator::bundled();
        let matched = prices.calculate(&request).ok()?;
        let provider = prices.providers().find(|p| p.id() == matched.provider_id)?;
        provider.models().find(|m| m.id() == matched.model_id)?.context_window()
    }

    /// The price of tokens.
    fn ask(&self, tokens: &Tokens, second: i64) -> Option<f64> {
        self.priced(&units_of(tokens), second)
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

/// Tokens as the price data counts them.
pub(super) fn units_of(tokens: &Tokens) -> Units {
    let input = tokens.input.saturating_add(tokens.cached).saturating_add(tokens.cache_write);
    units(
        input as f64,
        tokens.cached as f64,
        tokens.cache_write as f64,
        tokens.cache_write_1h as f64,
        tokens.output as f64,
    )
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
