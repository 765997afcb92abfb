//! From one prompt to its end.

use serde::Serialize;

use super::Item;
use crate::json::RawJson;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TurnStatus {
    /// It ran to its end.
    #[default]
    Completed,
    /// The person or the program broke it off.
    Interrupted,
    /// It ended with an error.
    Failed,
    /// It has not ended.
    InProgress,
}

/// Why a turn failed, in the shape of Codex's `TurnError`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TurnError {
    /// The message that the person saw.
    pub message: String,
    /// Codex's classification, as its protocol spells it.
    pub codex_error_info: Option<RawJson>,
    /// More text, where the harness stored it.
    pub additional_details: Option<String>,
}

/// From one human prompt to its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The harness's own id where it has one.
    pub id: String,
    /// How it ended.
    pub status: TurnStatus,
    /// Why it failed; always written, `null` when it did not.
    pub error: Option<TurnError>,
    /// Unix seconds.
    pub started_at: Option<i64>,
    /// Unix seconds.
    pub completed_at: Option<i64>,
    /// Wall time in milliseconds.
    pub duration_ms: Option<i64>,
    /// The turn in the root thread that caused this one (Codex sub-agents).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<String>,
    /// Whether all items are there, as Codex's protocol says it: a rebuild always gives all.
    pub items_view: ItemsView,
    /// What a person saw.
    pub items: Vec<Item>,
}

/// How much of a turn's items is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ItemsView {
    /// All of them.
    #[default]
    Full,
}

impl Turn {
    /// A turn without items that is in progress.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            status: TurnStatus::InProgress,
            error: None,
            started_at: None,
            completed_at: None,
            duration_ms: None,
            root_turn_id: None,
            items_view: ItemsView::Full,
            items: Vec::new(),
        }
    }
}
