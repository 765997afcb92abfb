//! The place in a session that is read anew.

use std::collections::HashMap;
use std::mem::discriminant;
use std::path::PathBuf;

use jiff::Timestamp;
use recount_session::history::Record;
use recount_store::SessionHead;

use super::Conversation;
use crate::words;

impl Conversation {
    /// Its id, and where it is.
    pub fn session(&self) -> (String, PathBuf) {
        (self.head.id.clone(), self.head.path.clone())
    }

    /// Whether somebody is at work in it.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        self.info.open && self.leaf.is_none() && self.head.is_live(now)
    }

    /// Whether it is this branch of this session.
    pub fn is_of(&self, head: &SessionHead, leaf: Option<&str>) -> bool {
        self.head.harness == head.harness && self.head.id == head.id && self.leaf.as_deref() == leaf
    }

    /// Takes over what somebody did in the same session when it was read before: where they are, what they opened, what they look
    /// for. Tells whether that is more than having looked at its end.
    pub fn take_place(&mut self, before: &mut Self) -> bool {
        let (at_end, on_last) = (before.at_end(), before.is_on_last());
        let fresh = before.partial && at_end && on_last && before.search.is_none();
        self.info.bill = before.info.bill;
        self.follow = before.follow;
        self.reasoning = before.reasoning;
        self.all_open = before.all_open;
        let places = self.places_of(before);
        for (old, new) in places.iter().enumerate() {
            if let (Some(new), Some(open)) = (new, before.cells[old].open) {
                self.set_open(*new, open);
            }
        }
        if let Some(search) = &before.search {
            self.find(&search.query);
        }
        let place = |cell: usize| places.get(cell).copied().flatten();
        if let Some(selected) = place(before.selected) {
            self.selected = selected;
        }
        match place(before.top.0) {
            _ if at_end => self.show_end(on_last),
            Some(top) => {
                self.top = (top, before.top.1);
                let end = self.end();
                self.top = self.top.min(end);
            }
            None => self.show_selected(),
        }
        !fresh
    }

    /// Where the cells of an earlier reading are now.
    fn places_of(&self, before: &Self) -> Vec<Option<usize>> {
        if before.partial {
            return self.places_from_end(before);
        }
        let now = self.keys();
        let places: HashMap<(&str, usize), usize> =
            now.iter().enumerate().filter_map(|(n, key)| key.map(|key| (key, n))).collect();
        let like = |old: usize, new: usize| {
            let kind = |c: &Self, n: usize| c.record(n).map(|r| discriminant(r.kind()));
            kind(before, old) == kind(self, new)
        };
        // What belongs to no item, such as a group, stands where it stood.
        let place = |(old, key): (usize, &Option<(&str, usize)>)| match key {
            Some(key) => places.get(key).copied(),
            None => Some(old).filter(|_| like(old, old)),
        };
        before.keys().iter().enumerate().map(place).collect()
    }

    /// The same where only the newest turns were read: how items are numbered there says nothing, but the end is the same, except for
    /// what was written meanwhile.
    fn places_from_end(&self, before: &Self) -> Vec<Option<usize>> {
        /// So much may have been written.
        const MEANWHILE: usize = 200;
        let text = |c: &Self, n: usize| c.record(n).map(words::of);
        let last = before.len().checked_sub(1);
        let wanted = last.and_then(|last| text(before, last));
        let ends = (0..self.len()).rev().take(MEANWHILE);
        let end = ends.into_iter().find(|n| text(self, *n) == wanted);
        let end = end.or(self.len().checked_sub(1));
        (0..before.len())
            .map(|old| end.and_then(|end| (end + old + 1).checked_sub(before.len())))
            .collect()
    }

    /// What the cells are known by: their items, and which cell of an item each is.
    fn keys(&self) -> Vec<Option<(&str, usize)>> {
        let mut nth = 0;
        let mut last = None;
        let key = |n: usize| {
            let item = self.record(n).and_then(Record::origin).map(|o| o.item_id.as_str());
            nth = if item == last { nth + 1 } else { 0 };
            last = item;
            item.map(|item| (item, nth))
        };
        (0..self.len()).map(key).collect()
    }
}
