//! Finding, and jumping by turn.

use recount_session::history::record::message::MessageRole;
use recount_session::history::{Kind, Record};

use super::{Cell, Conversation};
use crate::cell;
use crate::words;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// As it was typed.
    pub query: String,
    /// The cells that hold it.
    pub cells: Vec<usize>,
}

impl Conversation {
    /// Goes to the next turn, or the one before; false when there is none.
    pub fn turn(&mut self, forward: bool) -> bool {
        let prompt = |this: &Self, n: usize| matches!(this.record(n).map(Record::kind), Some(Kind::PlainMessage(m)) if m.role == MessageRole::User);
        let found = if forward {
            (self.selected + 1..self.cells.len()).find(|n| prompt(self, *n))
        } else {
            (0..self.selected).rev().find(|n| prompt(self, *n))
        };
        let Some(found) = found else { return false };
        self.selected = found;
        self.top = (found, 0);
        let end = self.end();
        self.top = self.top.min(end);
        true
    }

    /// Looks for text in all cells. Capital letters count only when some were typed.
    pub fn find(&mut self, query: &str) {
        if query.is_empty() {
            self.search = None;
            return;
        }
        let case = query.chars().any(char::is_uppercase);
        let state = self.follower.state();
        let holds = |cell: &Cell| {
            state.get(cell.id).is_some_and(|record| {
                let text = words::of(record);
                if case { text.contains(query) } else { text.to_lowercase().contains(query) }
            })
        };
        let cells =
            self.cells.iter().enumerate().filter(|(_, c)| holds(c)).map(|(n, _)| n).collect();
        self.search = Some(Search { query: query.to_owned(), cells });
    }

    /// Goes to the next place that was found, or the one before, around the ends; gives which of how many it is.
    pub fn next_found(&mut self, forward: bool, from_here: bool) -> Option<(usize, usize)> {
        let cells = &self.search.as_ref()?.cells;
        let here = self.selected;
        let n = if forward {
            cells.iter().position(|c| if from_here { *c >= here } else { *c > here }).unwrap_or(0)
        } else {
            cells.iter().rposition(|c| *c < here).unwrap_or(cells.len().checked_sub(1)?)
        };
        let (found, count) = (*cells.get(n)?, cells.len());
        self.reveal(found);
        Some((n + 1, count))
    }

    /// Shows what was found through the index: the item, with the words marked. What is on another branch is not here.
    pub fn show_found(&mut self, item: &str, words: &str) {
        self.find(words);
        let is =
            |n: &usize| self.record(*n).and_then(Record::origin).is_some_and(|o| o.item_id == item);
        if let Some(found) = (0..self.cells.len()).find(is) {
            self.reveal(found);
        }
    }

    /// Shows a cell, whatever it is folded into, and the line of it that holds what is looked for.
    fn reveal(&mut self, found: usize) {
        if let Some(group) = self.cells[found].group
            && let Some(place) = self.place(group)
        {
            self.set_open(place, true);
        }
        if self.record(found).is_some_and(cell::is_foldable) {
            self.set_open(found, true);
        }
        self.select(found);
        self.show_line_of_match(found);
    }

    /// In a cell that is longer than the screen, the line with the find is what matters.
    fn show_line_of_match(&mut self, found: usize) {
        let Some(query) = self.search.as_ref().map(|s| s.query.to_lowercase()) else { return };
        self.lay_out(found);
        let lines =
            self.cells.get(found).and_then(|c| c.laid.as_ref()).map_or(&[][..], |l| &l.lines);
        let line = lines.iter().position(|l| l.to_string().to_lowercase().contains(&query));
        let rows = i64::from(self.layout.rows);
        if let (Some(line), Some(row)) = (line, self.row_of(found)) {
            let at = row + (line + self.gap(found)) as i64;
            if at >= rows || at < 0 {
                self.scroll(at - rows / 2);
            }
        }
    }
}
