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

impl Aside {
    /// How many items at the beginning of its first turn are the active branch's own: the two part in the middle of a turn.
    pub fn shared_items(&self, active: &[Turn]) -> usize {
        let (Some(own), Some(other)) = (self.turns.first(), active.get(self.shared_turns)) else {
            return 0;
        };
        own.items.iter().zip(&other.items).take_while(|(a, b)| a.id == b.id).count()
    }

    /// Its turns that say something that the active branch does not: the number of each, and how many items at its beginning are
    /// the active branch's own.
    pub fn own_turns(&self, active: &[Turn]) -> impl Iterator<Item = (usize, &Turn, usize)> {
        let shared = self.shared_items(active);
        let turns =
            self.turns.iter().enumerate().map(move |(n, turn)| {
                (self.shared_turns + n, turn, if n == 0 { shared } else { 0 })
            });
        turns.filter(|(_, turn, shared)| turn.items.len() > *shared || turn.error.is_some())
    }
}
