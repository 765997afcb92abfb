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
    /// How many items at the beginning of its first turn are the active branch's own: the two part in the middle of a turn. A call
    /// that has a result on one of them only is not the same (corpus case `pi/tree`).
    pub fn shared_items(&self, active: &[Turn]) -> usize {
        let (Some(own), Some(other)) = (self.turns.first(), active.get(self.shared_turns)) else {
            return 0;
        };
        own.items.iter().zip(&other.items).take_while(|(a, b)| a == b).count()
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use recount_formats::Position;

    use super::*;
    use crate::model::item::NoticeLevel;
    use crate::model::{At, Item, ItemKind};

    fn turn(items: &[(&str, &str)]) -> Turn {
        let source: Arc<str> = "a".into();
        let item = |(id, text): &(&str, &str)| {
            let kind = ItemKind::Notice { level: NoticeLevel::Info, text: (*text).to_owned() };
            Item::new(*id, kind, At::line(&source, Position { line: 1, byte: 0, len: 0 }))
        };
        Turn { items: items.iter().map(item).collect(), ..Turn::new("t") }
    }

    #[test]
    fn branches_part_where_they_differ() {
        let active = [turn(&[("1", "a")]), turn(&[("2", "b"), ("3", "no result")])];
        let aside = |turns: Vec<Turn>| Aside { leaf: "l".to_owned(), shared_turns: 1, turns };
        let own = |aside: &Aside| {
            let own = aside.own_turns(&active);
            own.map(|(n, turn, shared)| (n, turn.items.len() - shared)).collect::<Vec<_>>()
        };
        let goes_on = aside(vec![turn(&[("2", "b"), ("3", "result")]), turn(&[("4", "c")])]);
        assert_eq!((goes_on.shared_items(&active), own(&goes_on)), (1, vec![(1, 1), (2, 1)]));
        // What ends where the active branch goes on says nothing of its own.
        assert_eq!(own(&aside(vec![turn(&[("2", "b")])])), []);
        assert_eq!(own(&aside(Vec::new())), []);
        let later = Aside { shared_turns: 2, ..goes_on };
        assert_eq!((later.shared_items(&active), own(&later)), (0, vec![(2, 2), (3, 1)]));
    }
}
