//! The person's settings: a TOML file that need not exist.
//!
//! ```toml
//! # US dollars for a million tokens; what is not named costs nothing.
//! [prices."my-model"]
//! input = 1.25
//! cached-input = 0.125
//! cache-write = 1.5
//! cache-write-1h = 2.5
//! output = 10
//!
//! # Keys of the terminal screen, by what they do: one key, or several.
//! [keys]
//! down = ["j", "ctrl-n"]
//! quit = "Q"
//! ```

use std::collections::BTreeMap;
use std::io::ErrorKind;

use recount_index::cost::Rates;
use recount_store::Environment;
use serde::Deserialize;

use crate::error::Error;

/// The settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    prices: BTreeMap<String, Price>,
    #[serde(default)]
    keys: BTreeMap<String, Keys>,
}

/// One key, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Several(Vec<String>),
}

/// US dollars for a million tokens. What is cached costs what input does, unless it is said otherwise.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Price {
    input: Dollars,
    cached_input: Option<Dollars>,
    cache_write: Option<Dollars>,
    cache_write_1h: Option<Dollars>,
    output: Dollars,
}

/// A price: a number that is not negative.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Dollars(f64);

impl TryFrom<f64> for Dollars {
    type Error = String;

    fn try_from(dollars: f64) -> Result<Self, String> {
        let fits = (0.0..1e9).contains(&dollars);
        let wrong = || format!("{dollars} is no price: US dollars for a million tokens, from 0 on");
        if fits { Ok(Self(dollars)) } else { Err(wrong()) }
    }
}

impl Config {
    /// Reads the file, if there is one.
    pub(crate) fn read(environment: &Environment) -> Result<Self, Error> {
        let Some(path) = environment.config_file() else { return Ok(Self::default()) };
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|e| Error::Usage(format!("{}: {}", path.display(), e.message()))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(e) => Err(Error::Usage(format!("{}: {e}", path.display()))),
        }
    }

    /// The keys that the person set, by what they do.
    pub(crate) fn keys(&self) -> BTreeMap<String, Vec<String>> {
        let all = |keys: &Keys| match keys {
            Keys::One(key) => vec![key.clone()],
            Keys::Several(keys) => keys.clone(),
        };
        self.keys.iter().map(|(action, keys)| (action.clone(), all(keys))).collect()
    }

    /// The prices that the person set.
    pub(crate) fn prices(&self) -> BTreeMap<String, Rates> {
        let token = |million: Dollars| million.0 / 1e6;
        let rates = |price: &Price| {
            let cache_write = price.cache_write.unwrap_or(price.input);
            Rates {
                input: token(price.input),
                cached: token(price.cached_input.unwrap_or(price.input)),
                cache_write: token(cache_write),
                cache_write_1h: token(price.cache_write_1h.unwrap_or(cache_write)),
                output: token(price.output),
            }
        };
        self.prices.iter().map(|(model, price)| (model.clone(), rates(price))).collect()
    }
}
