//! Paths through a tree-shaped transcript.

use serde::Serialize;

use super::Turn;

/// A path from the root of a transcript to one of its leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// The id of the last node.
    pub leaf: String,
    /// Whether it is the one that the harness would go on with.
    pub active: bool,
    /// The prompts on it that are not on the active branch.
    pub abandoned_prompts: Vec<String>,
}

/// What a branch shows that the active branch does not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Aside {
    /// The branch, by the id of its last node.
    pub leaf: String,
    /// How many turns at its beginning are the active branch's own. The turn in which the two part is not among them.
    pub shared_turns: usize,
    /// The turns after those, whole.
    pub turns: Vec<Turn>,
}
