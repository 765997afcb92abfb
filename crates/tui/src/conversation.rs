//! A conversation: records as cells, laid out as far as they are seen.
//!
//! A session may have a hundred thousand records. Only cells that come into view are laid out; what was laid out is kept for a while
//! and let go when there is too much of it. The place on the screen is a cell and a line in it, so nothing has to be known of
//! what lies above.

use ratatui::text::{Line, Span};
use recount_formats::Harness;
use recount_session::history::record::message::MessageRole;
use recount_session::history::thread::{Follower, Mapped};
use recount_session::history::{Change, HistoryId, Kind, Record};
use recount_session::model::{Branch, Subagent, Thread, ThreadStatus, Usage};
use recount_store::SessionHead;

use crate::cell::{self, Look};
use crate::theme::Theme;
use crate::words;

/// So many cells stay laid out.
const KEPT: usize = 600;

/// What is known about a thread beside its records.
#[derive(Debug, Clone)]
pub struct Info {
    /// Its id.
    pub id: String,
    /// Its harness.
    pub harness: Harness,
    /// Its title.
    pub title: String,
    /// Where it ran.
    pub cwd: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// How many turns it has.
    pub turns: usize,
    /// Tokens, each response once.
    pub usage: Usage,
    /// Tokens in the context, and how many it holds.
    pub context: Option<(u64, Option<u64>)>,
    /// Ways through it.
    pub branches: Vec<Branch>,
    /// The threads that it started.
    pub subagents: Vec<Subagent>,
    /// Whether its last turn has no end.
    pub open: bool,
}

impl Info {
    /// What a thread tells.
    pub fn of(thread: &Thread) -> Self {
        Self {
            id: thread.id.clone(),
            harness: thread.harness,
            title: thread.title.clone().or_else(|| thread.preview.clone()).unwrap_or_default(),
            cwd: thread.cwd.clone(),
            model: thread.model.clone(),
            turns: thread.turns.len(),
            usage: thread.usage,
            context: thread.context.or(thread.window).map(|c| (c.used_tokens, c.max_tokens)),
            branches: thread.branches.clone(),
            subagents: thread.lineage.subagents.clone(),
            open: thread.status == ThreadStatus::Open,
        }
    }
}

/// A session that was read.
#[derive(Debug)]
pub struct Loaded {
    /// Where it is.
    pub head: SessionHead,
    /// The branch that was asked for.
    pub leaf: Option<String>,
    /// What is known about it.
    pub info: Info,
    /// Its records.
    pub mapped: Mapped,
}

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
}

#[derive(Debug)]
struct Cell {
    id: HistoryId,
    /// Opened or closed by hand.
    open: Option<bool>,
    /// The group that it lies in, while that is closed.
    group: Option<HistoryId>,
    laid: Option<Laid>,
}

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// As it was typed.
    pub query: String,
    /// The cells that hold it.
    pub cells: Vec<usize>,
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
    /// Whether reasoning is shown.
    pub reasoning: bool,
    /// Whether everything is opened.
    pub all_open: bool,
    /// Whether it is followed while it is written.
    pub follow: bool,
    /// What is looked for.
    pub search: Option<Search>,
    layout: Layout,
    laid: usize,
}

impl Conversation {
    /// A conversation at its end.
    pub fn new(loaded: Loaded, layout: Layout) -> Self {
        let mut conversation = Self {
            head: loaded.head,
            leaf: loaded.leaf,
            info: loaded.info,
            follower: Follower::new(),
            cells: Vec::new(),
            top: (0, 0),
            selected: 0,
            reasoning: false,
            all_open: false,
            follow: true,
            search: None,
            layout,
            laid: 0,
        };
        conversation.take(loaded.mapped);
        conversation.last();
        conversation
    }

    /// Takes what was read anew. Only what changed is laid out again.
    pub fn grow(&mut self, loaded: Loaded) {
        let at_end = self.at_end();
        self.info = loaded.info;
        self.head = loaded.head;
        self.take(loaded.mapped);
        if self.follow && at_end {
            self.last();
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
        if let Some(query) = self.search.as_ref().map(|s| s.query.clone()) {
            self.find(&query);
        }
    }

    /// The place of a record: nearly always near the end.
    fn place(&self, id: HistoryId) -> Option<usize> {
        self.cells.iter().rposition(|c| c.id == id)
    }

    fn change(&mut self, change: Change) {
        match change {
            Change::Inserted { id, before } => {
                let cell = Cell { id, open: None, group: None, laid: None };
                match before.and_then(|id| self.place(id)) {
                    Some(place) => self.cells.insert(place, cell),
                    None => self.cells.push(cell),
                }
            }
            Change::Replaced { id } => {
                if let Some(place) = self.place(id) {
                    self.cells[place].laid = None;
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

    fn is_open(&self, cell: usize) -> bool {
        self.cells.get(cell).is_some_and(|c| c.open.unwrap_or(self.all_open))
    }

    fn is_hidden(&self, cell: usize) -> bool {
        let Some(group) = self.cells.get(cell).and_then(|c| c.group) else { return false };
        // The group stands a few cells before.
        let place = self.cells[..cell].iter().rposition(|c| c.id == group);
        !place.is_some_and(|place| self.is_open(place))
    }

    /// Sets the room there is. What is at the top stays there; at the end it stays at the end.
    pub fn resize(&mut self, layout: Layout) {
        if layout == self.layout {
            return;
        }
        let at_end = self.at_end();
        self.layout = layout;
        if at_end {
            self.last();
        } else {
            self.top.1 = 0;
            self.show_selected();
        }
    }

    fn lay_out(&mut self, cell: usize) {
        let look = Look {
            columns: usize::from(self.layout.columns),
            open: self.is_open(cell),
            reasoning: self.reasoning,
            colours: self.layout.theme != Theme::Plain,
        };
        let theme = self.layout.theme;
        let current = |l: &Laid| l.look == look && l.theme == theme;
        if self.cells.get(cell).is_none_or(|c| c.laid.as_ref().is_some_and(current)) {
            return;
        }
        let hidden = self.is_hidden(cell);
        let lines = match self.record(cell) {
            Some(record) if !hidden => cell::lines(record, look, self.info.cwd.as_deref()),
            _ => Vec::new(),
        };
        let inside = self.cells[cell].group.is_some();
        let styled = lines.into_iter().map(|line| {
            let indent = inside.then(|| Span::raw("  ")).into_iter();
            let spans = line.0.into_iter().map(|s| Span::styled(s.text, theme.text(s.style)));
            Line::from(indent.chain(spans).collect::<Vec<_>>())
        });
        let lines = styled.collect();
        if self.laid > KEPT {
            // What is far from here is let go.
            for (n, other) in self.cells.iter_mut().enumerate() {
                if n.abs_diff(cell) > KEPT / 4 {
                    other.laid = None;
                }
            }
            self.laid = KEPT / 2;
        }
        self.laid += 1;
        self.cells[cell].laid = Some(Laid { look, theme, lines });
    }

    fn count(&mut self, cell: usize) -> usize {
        self.lay_out(cell);
        self.cells.get(cell).and_then(|c| c.laid.as_ref()).map_or(0, |l| l.lines.len())
    }

    /// Blank lines before a cell.
    fn gap(&mut self, cell: usize) -> usize {
        let Some(before) = (0..cell).rev().find(|n| self.count(*n) > 0) else { return 0 };
        let tight = |this: &Self, n: usize| {
            this.record(n).is_some_and(|r| {
                cell::is_tight(r, this.is_open(n) && !matches!(r.kind(), Kind::Explore(_)))
            })
        };
        usize::from(!(tight(self, before) && tight(self, cell)))
    }

    /// The rows of a cell with the gap before it.
    fn height(&mut self, cell: usize) -> usize {
        match self.count(cell) {
            0 => 0,
            count => count + self.gap(cell),
        }
    }

    /// What is on the screen: cells with their lines, from the top down. The first number is the cell.
    pub fn visible(&mut self) -> Vec<(usize, Line<'static>)> {
        let rows = usize::from(self.layout.rows);
        let mut out = Vec::with_capacity(rows);
        let (mut cell, mut skip) = self.top;
        while out.len() < rows && cell < self.cells.len() {
            let height = self.height(cell);
            let gap = height - self.count(cell).min(height);
            let lines = self.cells[cell].laid.as_ref().map_or(&[][..], |l| &l.lines);
            for row in skip..height {
                if out.len() == rows {
                    break;
                }
                let line = match row.checked_sub(gap) {
                    Some(n) => lines.get(n).cloned().unwrap_or_default(),
                    None => Line::default(),
                };
                out.push((cell, line));
            }
            skip = 0;
            cell += 1;
        }
        out
    }

    /// Whether the end is on the screen.
    pub fn at_end(&mut self) -> bool {
        let rows = usize::from(self.layout.rows);
        let (cell, skip) = self.top;
        let mut left = (rows + skip) as i64;
        for n in cell..self.cells.len() {
            left -= self.height(n) as i64;
            if left < 0 {
                return false;
            }
        }
        true
    }

    /// Scrolls by lines.
    pub fn scroll(&mut self, lines: i64) {
        let (mut cell, skip) = self.top;
        let mut skip = skip as i64 + lines;
        while skip < 0 && cell > 0 {
            cell -= 1;
            skip += self.height(cell) as i64;
        }
        let mut skip = skip.max(0);
        while cell < self.cells.len() {
            let height = self.height(cell) as i64;
            if skip < height {
                break;
            }
            skip -= height;
            cell += 1;
        }
        self.top = (cell, skip as usize);
        let end = self.end();
        if self.top > end {
            self.top = end;
        }
    }

    /// The top when the end is at the bottom.
    fn end(&mut self) -> (usize, usize) {
        let mut left = usize::from(self.layout.rows);
        for cell in (0..self.cells.len()).rev() {
            let height = self.height(cell);
            if height >= left {
                return (cell, height - left);
            }
            left -= height;
        }
        (0, 0)
    }

    /// Goes to the end.
    pub fn last(&mut self) {
        self.top = self.end();
        self.selected = (0..self.cells.len()).rev().find(|n| self.count(*n) > 0).unwrap_or(0);
    }

    /// Goes to the beginning.
    pub fn first(&mut self) {
        self.top = (0, 0);
        self.selected = (0..self.cells.len()).find(|n| self.count(*n) > 0).unwrap_or(0);
    }

    /// Rows from the top of the screen to the top of a cell that is on it, or nothing.
    fn row_of(&mut self, wanted: usize) -> Option<i64> {
        let rows = i64::from(self.layout.rows);
        let (first, skip) = self.top;
        if wanted < first {
            return None;
        }
        let mut row = -(skip as i64);
        for cell in first..wanted {
            row += self.height(cell) as i64;
            if row > rows {
                return None;
            }
        }
        Some(row)
    }

    /// Scrolls as little as needed to show what is selected; to its beginning when it is far away.
    fn show_selected(&mut self) {
        let rows = i64::from(self.layout.rows);
        let height = self.height(self.selected) as i64;
        match self.row_of(self.selected) {
            None if self.selected < self.top.0 => self.top = (self.selected, 0),
            None => {
                self.top = (self.selected, 0);
                let end = self.end();
                self.top = self.top.min(end);
            }
            Some(row) if row < 0 => self.top = (self.selected, 0),
            Some(row) if row + height > rows => {
                // A cell that does not fit is shown from its beginning.
                let by = (row + height - rows).min(row);
                self.scroll(by);
            }
            Some(_) => {}
        }
    }

    /// Selects a cell and shows it.
    pub fn select(&mut self, cell: usize) {
        if cell < self.cells.len() {
            self.selected = cell;
            self.show_selected();
        }
    }

    /// Selects the next cell, or the one before. A cell that goes on below the screen is read to its end first.
    pub fn step(&mut self, down: bool) {
        let rows = i64::from(self.layout.rows);
        let height = self.height(self.selected) as i64;
        if let Some(row) = self.row_of(self.selected) {
            if down && row + height > rows {
                self.scroll((row + height - rows).min(3));
                return;
            }
            if !down && row < 0 {
                self.scroll(row.max(-3));
                return;
            }
        }
        let next = if down {
            (self.selected + 1..self.cells.len()).find(|n| self.count(*n) > 0)
        } else {
            (0..self.selected).rev().find(|n| self.count(*n) > 0)
        };
        if let Some(next) = next {
            self.selected = next;
            if !down && self.row_of(next).is_none_or(|row| row < 0) {
                // From below a long cell is entered at its end.
                let by = (self.height(next) as i64).min(rows);
                let end = self.height(next) as i64 - by;
                self.top = (next, end.max(0) as usize);
            } else {
                self.show_selected();
            }
        }
    }

    /// Scrolls by rows of the screen and takes the selection along.
    pub fn page(&mut self, rows: i64) {
        self.scroll(rows);
        let visible = self.visible();
        let (first, last) = (visible.first().map(|v| v.0), visible.last().map(|v| v.0));
        if let (Some(first), Some(last)) = (first, last) {
            self.selected = self.selected.clamp(first, last);
            if self.count(self.selected) == 0 {
                self.selected = if rows > 0 { last } else { first };
            }
        }
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
        let Some(c) = self.cells.get_mut(cell) else { return };
        c.open = Some(open);
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
        self.top.1 = 0;
        self.show_selected();
    }

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
        // What is folded away is opened.
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
        Some((n + 1, count))
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

    /// How far down the screen is, from 0 to 1.
    pub fn position(&mut self) -> f64 {
        if self.at_end() {
            return 1.0;
        }
        self.top.0 as f64 / self.cells.len().max(1) as f64
    }
}
