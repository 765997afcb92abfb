//! Laying out, scrolling, selecting: the screen is a cell, and a line in it, at its top.

use ratatui::text::{Line, Span};
use recount_session::history::Kind;

use super::{Conversation, Laid, Layout};
use crate::cell::{self, Look};
use crate::theme::Theme;

/// So many cells stay laid out.
const KEPT: usize = 600;

impl Conversation {
    /// Sets the room there is. What is at the top stays there; at the end it stays at the end.
    pub fn resize(&mut self, layout: Layout) {
        if layout == self.layout {
            return;
        }
        let (at_end, on_last) = (self.at_end(), self.is_on_last());
        let before = std::mem::replace(&mut self.layout, layout);
        if at_end {
            self.show_end(on_last);
            return;
        }
        // The lines of a cell are others when they have another length.
        if before.columns != layout.columns {
            self.top.1 = 0;
        }
        self.show_selected();
    }

    /// Columns before each line of a cell: within a group there are some.
    pub(super) fn indent(&self, cell: usize) -> usize {
        match self.cells.get(cell) {
            Some(cell) if cell.group.is_some() => 2,
            _ => 0,
        }
    }

    pub(super) fn lay_out(&mut self, cell: usize) {
        let indent = self.indent(cell);
        let look = Look {
            columns: usize::from(self.layout.columns).saturating_sub(indent),
            open: self.is_open(cell),
            reasoning: self.reasoning,
            alive: self.alive,
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
        let styled = lines.into_iter().map(|line| {
            let indent = (indent > 0).then(|| Span::raw(" ".repeat(indent))).into_iter();
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
        self.cells[cell].laid = Some(Laid { look, theme, lines, finds: None });
    }

    fn count(&mut self, cell: usize) -> usize {
        self.lay_out(cell);
        self.cells.get(cell).and_then(|c| c.laid.as_ref()).map_or(0, |l| l.lines.len())
    }

    /// Blank lines before a cell.
    pub(super) fn gap(&mut self, cell: usize) -> usize {
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
            for row in skip..height {
                if out.len() == rows {
                    break;
                }
                let line = match row.checked_sub(gap) {
                    Some(n) => {
                        let laid = self.cells[cell].laid.as_ref();
                        let line = laid.and_then(|l| l.lines.get(n)).cloned().unwrap_or_default();
                        self.marked(cell, n, line)
                    }
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
    pub(super) fn end(&mut self) -> (usize, usize) {
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

    /// Whether the last cell is the one that keys act on.
    pub(super) fn is_on_last(&mut self) -> bool {
        !(self.selected + 1..self.cells.len()).any(|n| self.count(n) > 0)
    }

    /// Shows the end. What somebody selected stays selected, but the end is followed by what stands on it.
    pub(super) fn show_end(&mut self, on_last: bool) {
        if on_last {
            self.last();
        } else {
            self.top = self.end();
        }
    }

    /// Goes to the beginning.
    pub fn first(&mut self) {
        self.top = (0, 0);
        self.selected = (0..self.cells.len()).find(|n| self.count(*n) > 0).unwrap_or(0);
    }

    /// Rows from the top of the screen to the top of a cell that is on it, or nothing.
    pub(super) fn row_of(&mut self, wanted: usize) -> Option<i64> {
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
    pub(super) fn show_selected(&mut self) {
        let rows = i64::from(self.layout.rows);
        let height = self.height(self.selected) as i64;
        match self.row_of(self.selected) {
            None if self.selected < self.top.0 => self.top = (self.selected, 0),
            None => self.top = (self.selected, 0),
            Some(row) if row < 0 => self.top = (self.selected, 0),
            Some(row) if row + height > rows => {
                // A cell that does not fit is shown from its beginning.
                let by = (row + height - rows).min(row);
                self.scroll(by);
            }
            Some(_) => {}
        }
        // Nothing empty stands below the end.
        let end = self.end();
        self.top = self.top.min(end);
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

    /// How far down the screen is, from 0 to 1.
    pub fn position(&mut self) -> f64 {
        if self.at_end() {
            return 1.0;
        }
        // Lines are known only of what was laid out: within a cell they count, before it the cells do.
        let (cell, line) = self.top;
        let part = line as f64 / self.height(cell).max(1) as f64;
        (cell as f64 + part.min(1.0)) / self.cells.len().max(1) as f64
    }
}
