//! Finding what stands on the screen, or would if it were opened; and jumping by turn.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use recount_session::history::record::message::MessageRole;
use recount_session::history::{HistoryId, Kind, Record};
use recount_text::text;

use super::Conversation;
use crate::cell::{self, Look};
use crate::theme::Theme;
use crate::words;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// As it was typed.
    pub query: String,
    /// The cell and which find in it is the one that was gone to.
    at: Option<(usize, usize)>,
    /// What was opened to show finds, as it was before.
    opened: Vec<(HistoryId, Option<bool>)>,
}

/// How often a cell holds what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Hits {
    /// So often in what is drawn of it once it is open.
    drawn: usize,
    /// Whether it is in what is not drawn, too.
    hidden: bool,
    /// Whether that is only what the text tells, and nothing was drawn.
    guessed: bool,
}

/// So much text is drawn at once to look for something in it; of the rest it is guessed until somebody goes there.
const DRAWN: usize = 4 << 20;

impl Hits {
    fn count(self) -> usize {
        self.drawn + usize::from(self.hidden)
    }
}

/// A find: the lines that it is on, and where on them.
pub(super) type Find = Vec<(usize, Range<usize>)>;

/// Which find was gone to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Its number, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
    /// Whether it is in what is not drawn.
    pub hidden: bool,
}

/// What is looked for, in a form that can be compared. Capital letters count only when some were typed.
struct Wanted {
    text: String,
    case: bool,
    /// Its letters and digits in small: what has them may have it, however it is marked up.
    letters: String,
}

impl Wanted {
    fn new(query: &str) -> Self {
        let case = query.chars().any(char::is_uppercase);
        let text = if case { query.to_owned() } else { query.to_lowercase() };
        Self { text, case, letters: letters(query) }
    }

    /// Whether text holds it as it is.
    fn is_in(&self, text: &str) -> bool {
        if self.case { text.contains(&self.text) } else { text.to_lowercase().contains(&self.text) }
    }

    /// Where it is on drawn lines. Words that were wrapped are found across the end of a line.
    fn on(&self, lines: impl Iterator<Item = String>, columns: usize) -> Vec<Find> {
        let mut flat = String::new();
        // Where the words of a line begin in it, how long they are, which line that is, and where they begin there.
        let mut parts: Vec<(usize, usize, usize, usize)> = Vec::new();
        for (n, line) in lines.enumerate() {
            let words = line.trim_start_matches(|c: char| c.is_whitespace() || "▌┊".contains(c));
            let from = line.len() - words.len();
            let words = words.trim_end();
            if words.is_empty() {
                flat.push('\n');
                continue;
            }
            parts.push((flat.len(), words.len(), n, from));
            // Letters whose small form is longer would shift all that follows: then only the exact spelling is found.
            let small = if self.case { None } else { Some(words.to_lowercase()) };
            flat.push_str(small.filter(|s| s.len() == words.len()).as_deref().unwrap_or(words));
            // A line that is full was broken within a word.
            if line.len() < columns || text::width(&line) < columns {
                flat.push(' ');
            }
        }
        let find = |(start, found): (usize, &str)| {
            let end = start + found.len();
            let first = parts.partition_point(|(at, len, ..)| at + len <= start);
            let on = parts[first..].iter().take_while(|(at, ..)| *at < end);
            on.map(|(at, len, line, from)| {
                let (a, b) = (start.max(*at) - at, end.min(at + len) - at);
                (*line, from + a..from + b)
            })
            .collect()
        };
        flat.match_indices(&self.text).map(find).collect()
    }
}

fn letters(text: &str) -> String {
    if text.is_ascii() {
        let bytes = text.bytes().filter(u8::is_ascii_alphanumeric);
        return bytes.map(|b| char::from(b.to_ascii_lowercase())).collect();
    }
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
        self.find_no_more();
        if query.is_empty() {
            return;
        }
        for cell in &mut self.cells {
            cell.hits = None;
            if let Some(laid) = &mut cell.laid {
                laid.finds = None;
            }
        }
        self.search = Some(Search { query: query.to_owned(), ..Search::default() });
        self.look_for_hits();
    }

    /// Looks for nothing any more, and closes what was opened only to show finds.
    pub fn find_no_more(&mut self) {
        let Some(search) = self.search.take() else { return };
        for (id, open) in search.opened {
            if let Some(place) = self.place(id) {
                self.set_open_as(place, open);
            }
        }
        self.show_selected();
    }

    /// Looks into the cells that are new, or were written anew.
    pub(super) fn look_for_hits(&mut self) {
        let Some(wanted) = self.search.as_ref().map(|s| Wanted::new(&s.query)) else { return };
        let mut left = DRAWN;
        for n in 0..self.cells.len() {
            if self.cells[n].hits.is_none() {
                self.cells[n].hits = Some(self.hits_of(n, &wanted, &mut left));
            }
        }
    }

    /// Whether something is found in a cell, by what is drawn of it.
    fn holds(&mut self, cell: usize) -> bool {
        if self.cells[cell].hits.is_some_and(|hits| hits.guessed)
            && let Some(wanted) = self.search.as_ref().map(|s| Wanted::new(&s.query))
        {
            let mut without_end = usize::MAX;
            self.cells[cell].hits = Some(self.hits_of(cell, &wanted, &mut without_end));
        }
        self.count_hits(cell) > 0
    }

    fn hits_of(&self, cell: usize, wanted: &Wanted, left: &mut usize) -> Hits {
        let Some(record) = self.record(cell) else { return Hits::default() };
        let text = words::of(record);
        let around = words::around(record);
        // Drawing is slow: only what may have it is drawn.
        let may = if wanted.letters.is_empty() {
            wanted.is_in(&text) || wanted.is_in(&around)
        } else {
            letters(&text).contains(&wanted.letters) || letters(&around).contains(&wanted.letters)
        };
        if !may {
            return Hits::default();
        }
        let told = || {
            let text = if wanted.case { text.clone() } else { text.to_lowercase() };
            text.matches(&wanted.text).count()
        };
        if text.len() > *left {
            return Hits { drawn: told().max(1), hidden: false, guessed: true };
        }
        *left -= text.len();
        let drawn = self.drawn(cell, wanted, true);
        let hidden = (drawn == 0 || cell::is_cut(&text)) && told() > drawn;
        Hits { drawn, hidden, guessed: false }
    }

    /// How often something stands in a cell when that is open, or closed.
    fn drawn(&self, cell: usize, wanted: &Wanted, open: bool) -> usize {
        let Some(record) = self.record(cell) else { return 0 };
        let columns = usize::from(self.layout.columns).saturating_sub(self.indent(cell));
        let colours = self.layout.theme != Theme::Plain;
        let reasoning = open || self.reasoning;
        let look = Look { columns, open, reasoning, alive: self.alive, colours };
        let lines = cell::lines(record, look, self.info.cwd.as_deref()).into_iter();
        let lines = lines.map(|l| l.0.iter().map(|s| s.text.as_str()).collect());
        wanted.on(lines, columns).len()
    }

    fn count_hits(&self, cell: usize) -> usize {
        self.cells.get(cell).and_then(|c| c.hits).map_or(0, Hits::count)
    }

    /// Goes to the next find, or the one before, around the ends; gives which of how many it is.
    pub fn next_found(&mut self, forward: bool, from_here: bool) -> Option<Found> {
        let here = self.selected;
        let at = self.search.as_ref()?.at.filter(|(cell, _)| *cell == here);
        let all = 0..self.cells.len();
        let (cell, nth) = match at {
            Some((cell, nth)) if forward && nth + 1 < self.count_hits(cell) => (cell, nth + 1),
            Some((cell, nth)) if !forward && nth > 0 => (cell, nth - 1),
            _ if forward => {
                let from = if from_here { here } else { here + 1 };
                let mut round = all.clone().skip(from).chain(all.clone().take(from));
                (round.find(|n| self.holds(*n))?, 0)
            }
            _ => {
                let mut round = all.clone().take(here).rev().chain(all.clone().skip(here).rev());
                let cell = round.find(|n| self.holds(*n))?;
                (cell, self.count_hits(cell) - 1)
            }
        };
        let before: usize = (0..cell).map(|n| self.count_hits(n)).sum();
        let of = all.map(|n| self.count_hits(n)).sum();
        let hidden = self.cells[cell].hits.is_some_and(|hits| nth >= hits.drawn);
        self.reveal(cell, nth);
        Some(Found { number: before + nth + 1, of, hidden })
    }

    /// Shows what was found through the index: the item, with the words marked. What is on another branch is not here.
    pub fn show_found(&mut self, item: &str, words: &str) {
        self.find(words);
        let is =
            |n: &usize| self.record(*n).and_then(Record::origin).is_some_and(|o| o.item_id == item);
        let mut of_item = (0..self.cells.len()).filter(is);
        let first = of_item.next();
        // An item may be several cells, of which one has the words.
        let with_words = first.filter(|n| self.count_hits(*n) > 0);
        let with_words = with_words.or_else(|| of_item.find(|n| self.count_hits(*n) > 0));
        if let Some(found) = with_words.or(first) {
            self.reveal(found, 0);
        }
    }

    /// Shows a find, whatever it is folded into.
    fn reveal(&mut self, cell: usize, nth: usize) {
        let Some(wanted) = self.search.as_ref().map(|s| Wanted::new(&s.query)) else { return };
        if let Some(group) = self.cells[cell].group
            && let Some(place) = self.place(group)
        {
            self.open_for_find(place);
        }
        let foldable = self.record(cell).is_some_and(cell::is_foldable);
        let all = self.cells[cell].hits.map_or(0, |hits| hits.drawn);
        // What stands there while it is closed needs no opening.
        if foldable && !self.is_open(cell) && (all == 0 || self.drawn(cell, &wanted, false) < all) {
            self.open_for_find(cell);
        }
        if let Some(search) = &mut self.search {
            search.at = Some((cell, nth));
        }
        self.select(cell);
        // In a cell that is longer than the screen, the line with the find is what matters.
        self.lay_out(cell);
        let laid = self.cells.get(cell).and_then(|c| c.laid.as_ref());
        let last = laid.map_or(0, |l| l.lines.len().saturating_sub(1));
        let line =
            self.finds(cell).get(nth).and_then(|f| f.first()).map_or(last, |(line, _)| *line);
        let rows = i64::from(self.layout.rows);
        if let Some(row) = self.row_of(cell) {
            let at = row + (line + self.gap(cell)) as i64;
            if at >= rows || at < 0 {
                self.scroll(at - rows / 2);
            }
        }
    }

    fn open_for_find(&mut self, cell: usize) {
        if self.is_open(cell) {
            return;
        }
        if let (Some(search), Some(cell)) = (&mut self.search, self.cells.get(cell)) {
            search.opened.push((cell.id, cell.open));
        }
        self.set_open(cell, true);
    }

    /// The finds in a cell that is laid out.
    pub(super) fn finds(&mut self, cell: usize) -> &[Find] {
        let columns = usize::from(self.layout.columns);
        let Some(search) = &self.search else { return &[] };
        let Some(cell) = self.cells.get_mut(cell) else { return &[] };
        // Where nothing is, nothing is looked for with every frame.
        if cell.hits.is_some_and(|hits| hits.drawn == 0) {
            return &[];
        }
        let Some(laid) = &mut cell.laid else { return &[] };
        laid.finds.get_or_insert_with(|| {
            Wanted::new(&search.query).on(laid.lines.iter().map(Line::to_string), columns)
        })
    }

    /// A line of a cell with the finds on it marked, that which was gone to apart.
    pub(super) fn marked(
        &mut self,
        cell: usize,
        number: usize,
        line: Line<'static>,
    ) -> Line<'static> {
        let Some(search) = &self.search else { return line };
        let here = search.at.filter(|(at, _)| *at == cell && self.selected == cell).map(|(_, n)| n);
        let theme = self.layout.theme;
        let mut marks = Vec::new();
        for (n, find) in self.finds(cell).iter().enumerate() {
            let style = if here == Some(n) { theme.found_here() } else { theme.found() };
            let on = find.iter().filter(|(at, _)| *at == number);
            marks.extend(on.map(|(_, range)| (range.clone(), style)));
        }
        if marks.is_empty() { line } else { with_marks(line, &marks) }
    }
}

/// A line with parts of it in other styles.
fn with_marks(line: Line<'static>, marks: &[(Range<usize>, Style)]) -> Line<'static> {
    let mut out = Vec::new();
    let mut at = 0;
    for span in line.spans {
        let end = at + span.content.len();
        let mut from = at;
        let part =
            |a: usize, b: usize| span.content.get(a - at..b - at).unwrap_or_default().to_owned();
        for (range, style) in marks {
            let (start, stop) = (range.start.clamp(from, end), range.end.clamp(from, end));
            if start >= stop {
                continue;
            }
            if start > from {
                out.push(Span::styled(part(from, start), span.style));
            }
            out.push(Span::styled(part(start, stop), *style));
            from = stop;
        }
        if from < end {
            out.push(Span::styled(part(from, end), span.style));
        }
        at = end;
    }
    Line::from(out)
}
