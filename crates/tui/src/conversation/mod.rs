//! A conversation: records as cells, laid out as far as they are seen.
//!
//! A session may have a hundred thousand records. Only cells that come into view are laid out; what was laid out is kept for a while
//! and let go when there is too much of it. The place on the screen is a cell and a line in it, so nothing has to be known of
//! what lies above.

use ratatui::text::Line;
use recount_session::history::thread::{Follower, Mapped};
use recount_session::history::{Change, HistoryId, Kind, Record};
use recount_store::SessionHead;

use crate::cell::{self, Look};
use crate::theme::Theme;

mod find;
mod info;
mod place;
mod screen;

pub use find::{Found, Search};
pub use info::{Info, Loaded};

/// How cells are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
    /// Colours.
    pub theme: Theme,
}

#[derive(Debug)]
struct Laid {
    look: Look,
    theme: Theme,
    lines: Vec<Line<'static>>,
    /// Where on them is what is looked for, once that is known.
    finds: Option<Vec<find::Find>>,
}

#[derive(Debug)]
struct Cell {
    id: HistoryId,
    /// Opened or closed by hand.
    open: Option<bool>,
    /// The group that it lies in, while that is closed.
    group: Option<HistoryId>,
    laid: Option<Laid>,
    /// How often it holds what is looked for, once that is known.
    hits: Option<find::Hits>,
}
impl Cell {
    const fn new(id: HistoryId) -> Self {
        Self { id, open: None, group: None, laid: None, hits: None }
    }
}

/// A conversation on the screen.
#[derive(Debug)]
pub struct Conversation {
    /// Where it is.
    pub head: SessionHead,
    /// The branch that is shown.
    pub leaf: Option<String>,
    /// What is known about it.
    pub info: Info,
    follower: Follower,
    cells: Vec<Cell>,
    /// The cell at the top, and the line of it.
    top: (usize, usize),
    /// The cell that keys act on.
    selected: usize,
    /// Whether it is the end of a session that is still being read.
    pub partial: bool,
    /// Whether reasoning is shown.
    pub reasoning: bool,
    /// Whether everything is opened.
    pub all_open: bool,
    /// Whether somebody writes it.
    pub alive: bool,
    /// Whether it is followed while it is written.
    pub follow: bool,
    /// What is looked for.
    pub search: Option<Search>,
    layout: Layout,
    laid: usize,
}

impl Conversation {
    /// A conversation at its end.
    pub fn new(loaded: Loaded<Follower>, layout: Layout) -> Self {
        let mut conversation = Self {
            head: loaded.head,
            leaf: loaded.leaf,
            info: loaded.info,
            cells: loaded.records.state().records().map(|r| Cell::new(r.id())).collect(),
            follower: loaded.records,
            top: (0, 0),
            selected: 0,
            partial: false,
            reasoning: false,
            all_open: false,
            alive: false,
            follow: true,
            search: None,
            layout,
            laid: 0,
        };
        conversation.group();
        conversation.last();
        conversation
    }

    /// Takes what was read anew. Only what changed is laid out again.
    pub fn grow(&mut self, loaded: Loaded<Mapped>) {
        let (at_end, on_last) = (self.at_end(), self.is_on_last());
        // Until the new bill is there, the old one is nearly right.
        let bill = self.info.bill;
        self.info = Info { bill, ..loaded.info };
        self.head = loaded.head;
        self.take(loaded.records);
        if self.follow && at_end {
            self.show_end(on_last);
        }
    }

    fn take(&mut self, mapped: Mapped) {
        let changes = self.follower.take(mapped);
        if changes.is_empty() {
            return;
        }
        for change in changes {
            self.change(change);
        }
        self.group();
        self.selected = self.selected.min(self.cells.len().saturating_sub(1));
        self.top.0 = self.top.0.min(self.cells.len().saturating_sub(1));
        self.look_for_hits();
    }

    /// The place of a record: nearly always near the end.
    fn place(&self, id: HistoryId) -> Option<usize> {
        self.cells.iter().rposition(|c| c.id == id)
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Inserted { id, before } => {
                let cell = Cell::new(id);
                match before.and_then(|id| self.place(id)) {
                    Some(place) => self.cells.insert(place, cell),
                    None => self.cells.push(cell),
                }
            }
            Change::Replaced { id } => {
                if let Some(place) = self.place(id) {
                    self.cells[place].laid = None;
                    self.cells[place].hits = None;
                }
            }
            Change::Removed { id } => {
                if let Some(place) = self.place(id) {
                    self.cells.remove(place);
                }
            }
            Change::TruncatedAfter { id } => {
                let keep = id.and_then(|id| self.place(id)).map_or(0, |place| place + 1);
                self.cells.truncate(keep);
            }
        }
    }

    /// Finds out which cells lie in groups: those that follow a look around.
    fn group(&mut self) {
        let state = self.follower.state();
        let mut group = None;
        let mut left = 0;
        for cell in &mut self.cells {
            cell.group = if left > 0 { group } else { None };
            left = usize::saturating_sub(left, 1);
            if let Some(Kind::Explore(explore)) = state.get(cell.id).map(Record::kind) {
                group = Some(cell.id);
                left = explore.entries.len();
            }
        }
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell that keys act on.
    pub const fn selected(&self) -> usize {
        self.selected
    }

    /// A cell's record.
    pub fn record(&self, cell: usize) -> Option<&Record> {
        self.follower.state().get(self.cells.get(cell)?.id)
    }

    /// The record that keys act on.
    pub fn selected_record(&self) -> Option<&Record> {
        self.record(self.selected)
    }

    /// The picture that is selected: the item that it belongs to, and which of its pictures it is.
    pub fn picture(&self) -> Option<(String, usize)> {
        let of = |cell: usize| {
            let record = self.record(cell)?;
            let is = matches!(record.kind(), Kind::Image(_));
            record.origin().filter(|_| is).map(|origin| origin.item_id.as_str())
        };
        let item = of(self.selected)?;
        let before = (0..self.selected).rev().take_while(|n| of(*n) == Some(item)).count();
        Some((item.to_owned(), before))
    }

    fn is_open(&self, cell: usize) -> bool {
        self.cells.get(cell).is_some_and(|c| c.open.unwrap_or(self.all_open))
    }

    fn is_hidden(&self, cell: usize) -> bool {
        let Some(group) = self.cells.get(cell).and_then(|c| c.group) else { return false };
        // The group stands a few cells before.
        let place = self.cells[..cell].iter().rposition(|c| c.id == group);
        !place.is_some_and(|place| self.is_open(place))
    }

    /// Opens or closes what is selected; false when there is nothing to open.
    pub fn toggle(&mut self) -> bool {
        if !self.selected_record().is_some_and(cell::is_foldable) {
            return false;
        }
        let open = !self.is_open(self.selected);
        self.set_open(self.selected, open);
        self.show_selected();
        true
    }

    fn set_open(&mut self, cell: usize, open: bool) {
        self.set_open_as(cell, Some(open));
    }

    fn set_open_as(&mut self, cell: usize, open: Option<bool>) {
        let Some(c) = self.cells.get_mut(cell) else { return };
        c.open = open;
        let id = c.id;
        for other in self.cells[cell..].iter_mut().take_while(|c| c.id == id || c.group == Some(id))
        {
            other.laid = None;
        }
    }

    /// Opens or closes everything.
    pub fn toggle_all(&mut self) {
        self.all_open = !self.all_open;
        for cell in &mut self.cells {
            cell.open = None;
            cell.laid = None;
        }
        self.laid = 0;
        self.top.1 = 0;
        self.show_selected();
    }

    /// Shows or hides the reasoning.
    pub fn toggle_reasoning(&mut self) {
        self.reasoning = !self.reasoning;
        // All of it: also what was opened by itself, or to show a find.
        let state = self.follower.state();
        for cell in &mut self.cells {
            if cell.open.is_some()
                && matches!(state.get(cell.id).map(Record::kind), Some(Kind::Reasoning(_)))
            {
                cell.open = None;
            }
        }
        self.top.1 = 0;
        self.show_selected();
    }
}
