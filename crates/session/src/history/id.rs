//! Ids of records.

use recount_formats::Json;

use super::wire::{Fault, Read};

/// The id of a record: never given twice in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema), schemars(transparent))]
pub struct HistoryId(pub u64);

impl Read for HistoryId {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        u64::read(value).map(Self)
    }
}

impl std::fmt::Display for HistoryId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
