//! Turns while they are put together.

use std::collections::HashMap;

use recount_formats::Position;

use crate::model::{Item, Turn, TurnStatus};

/// A turn that is being filled.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) turn: Turn,
    /// Tells turns apart whatever their ids.
    pub(super) serial: usize,
    /// Whether a record opened it, rather than its first item.
    pub(super) explicit: bool,
    /// Whether a compaction stands in it, which keeps an empty implicit turn alive.
    pub(super) saw_compaction: bool,
    /// Whether a record ended it.
    pub(super) ended: bool,
    /// Whether Codex does not show it, because no record opens or ends it.
    pub(super) lost: bool,
    /// Where it is first named, in numbered rollouts.
    pub(super) first: Option<Position>,
    /// For each item the record that created it: its place in the order of the file.
    pub(super) order: Vec<usize>,
    /// The first item of each id, once there are enough to make a search worth avoiding.
    index: Option<HashMap<String, usize>>,
}

/// Turns with fewer items are searched one by one.
const INDEX_FROM: usize = 32;

impl Pending {
    pub(super) fn new(id: impl Into<String>, serial: usize) -> Self {
        Self {
            turn: Turn::new(id),
            serial,
            explicit: false,
            saw_compaction: false,
            ended: false,
            lost: false,
            first: None,
            order: Vec::new(),
            index: None,
        }
    }

    /// Adds an item at the end.
    pub(super) fn push(&mut self, seq: usize, item: Item) {
        if let Some(index) = &mut self.index {
            index.entry(item.id.clone()).or_insert(self.turn.items.len());
        }
        self.turn.items.push(item);
        self.order.push(seq);
    }

    /// Puts a later state of an item in the place of the earlier one, or adds it.
    pub(super) fn upsert(&mut self, seq: usize, mut item: Item) {
        match self.position(&item.id) {
            Some(n) => {
                let old = &mut self.turn.items[n];
                item.also_at.append(&mut old.also_at);
                item.also_at.insert(0, old.at.clone());
                std::mem::swap(&mut item.at, &mut item.also_at[0]);
                *old = item;
            }
            None => self.push(seq, item),
        }
    }

    fn position(&mut self, id: &str) -> Option<usize> {
        let items = &self.turn.items;
        if items.len() < INDEX_FROM {
            return items.iter().position(|i| i.id == id);
        }
        let index = self.index.get_or_insert_with(|| {
            let mut index = HashMap::with_capacity(items.len());
            for (n, item) in items.iter().enumerate() {
                index.entry(item.id.clone()).or_insert(n);
            }
            index
        });
        index.get(id).copied()
    }

    /// Inserts an item by the order of the file, without moving any other.
    pub(super) fn insert_in_order(&mut self, seq: usize, item: Item) {
        let n = self.order.iter().position(|&other| other > seq).unwrap_or(self.order.len());
        self.turn.items.insert(n, item);
        self.order.insert(n, seq);
        self.index = None;
    }

    /// What Codex shows of a turn that nothing ended: nobody is working on it any more.
    pub(super) fn settle(&mut self) {
        if self.turn.status == TurnStatus::InProgress {
            self.turn.status = TurnStatus::Interrupted;
        }
    }
}
