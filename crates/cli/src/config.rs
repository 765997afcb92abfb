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

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct Price {
    input: f64,
    cached_input: f64,
    cache_write: f64,
    cache_write_1h: Option<f64>,
    output: f64,
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
        let token = |million: f64| million / 1e6;
        let rates = |price: &Price| Rates {
            input: token(price.input),
            cached: token(price.cached_input),
            cache_write: token(price.cache_write),
            cache_write_1h: token(price.cache_write_1h.unwrap_or(price.cache_write)),
            output: token(price.output),
        };
        self.prices.iter().map(|(model, price)| (model.clone(), rates(price))).collect()
    }
}
