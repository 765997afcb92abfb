//! Paths through a tree-shaped transcript.

use serde::Serialize;

/// A path from the root of a transcript to one of its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The id of the last node.
    pub leaf: String,
    /// Whether it is the one that the harness would go on with.
    pub active: bool,
    /// The prompts on it that are not on the active branch.
    pub abandoned_prompts: Vec<String>,
}
