//! JSON text that is carried through unchanged.

use recount_formats::Json;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value kept as the text that the harness wrote: numbers of any size, key order and spelling survive.
#[derive(Clone, PartialEq, Eq)]
pub struct RawJson(Box<str>);

impl RawJson {
    /// Keeps a value that stands in a record.
    pub fn new(value: Json<'_>) -> Self {
        Self(value.raw().into())
    }

    /// Keeps text if it is JSON, as tool arguments that are stored in a string are.
    pub fn parse(text: &str) -> Option<Self> {
        recount_formats::json::parse(text).ok().map(Self::new)
    }

    /// Makes a JSON string.
    pub fn string(text: &str) -> Self {
        Self(serde_json::Value::String(text.to_owned()).to_string().into())
    }

    /// Makes the text of a value that we author.
    pub fn of(value: &serde_json::Value) -> Self {
        Self(value.to_string().into())
    }

    /// `null`
    pub fn null() -> Self {
        Self("null".into())
    }

    /// The same text on one line: between its parts, JSON may have line endings that a file of lines cannot.
    #[must_use]
    pub fn on_one_line(&self) -> Self {
        // Inside of strings they are escaped.
        if self.0.contains(['\n', '\r']) {
            Self(self.0.replace(['\n', '\r'], " ").into())
        } else {
            self.clone()
        }
    }

    /// The value, for looking into it.
    pub fn get(&self) -> Json<'_> {
        recount_formats::json::parse(&self.0).unwrap_or(Json::NULL)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for RawJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Json<'_>> for RawJson {
    fn from(value: Json<'_>) -> Self {
        Self::new(value)
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}
