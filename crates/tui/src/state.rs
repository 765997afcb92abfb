//! All there is to see.

use std::collections::HashMap;
use std::path::PathBuf;

use jiff::Timestamp;
use ratatui::layout::Rect;
use recount_formats::Harness;
use recount_index::search::Snippet;
use recount_store::{SessionHead, discover};
use recount_text::text;

use crate::conversation::{Conversation, Layout};
use crate::keymap::Keymap;
use crate::picture::{Graphics, Picture};
use crate::theme::Theme;
use crate::worker::seek::{FoundIn, Sought};

/// Which pane keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    List,
    /// The conversation.
    Conversation,
}

/// A session in the list.
#[derive(Debug, Clone)]
pub struct Row {
    /// The session.
    pub head: SessionHead,
    /// Its title, harmless and one line.
    pub title: String,
    /// What the filter looks at.
    words: String,
    /// Whether it is being written.
    pub alive: bool,
}

/// The sessions.
#[derive(Debug, Default)]
pub struct List {
    rows: Vec<Row>,
    shown: Vec<usize>,
    /// Place among those that are shown.
    pub selected: usize,
    /// The first that is on the screen.
    pub offset: usize,
    /// Words that all must be there.
    pub filter: String,
    /// Only this harness.
    pub harness: Option<Harness>,
    /// Only this working directory.
    pub project: Option<String>,
    /// Sub-agents and archived sessions too.
    pub all: bool,
    /// Whether the stores were read.
    pub listed: bool,
    /// The sessions in which the words of the filter were found, by their ids.
    found: HashMap<String, Found>,
    /// What the index is doing.
    pub seeking: Seeking,
}

/// What was found in a session.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its place among all that were found; the best is first.
    rank: usize,
    /// How many items fit.
    pub hits: u64,
    /// The best of them.
    pub item: String,
    /// The text around the best of them.
    pub snippet: Snippet,
}

/// What the index is doing about the filter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Seeking {
    /// Nothing.
    #[default]
    Rests,
    /// It was asked.
    Asked,
    /// It reads what is new: transcripts that were read, of how many.
    Reads(usize, usize),
    /// It cannot answer.
    Failed(String),
}

impl List {
    /// Takes the sessions anew; what was selected stays selected.
    pub fn take(&mut self, heads: Vec<SessionHead>, now: Timestamp) {
        let selected = self.place();
        self.rows = heads.into_iter().map(|head| row(head, now)).collect();
        self.rows.sort_by_key(|row| !row.alive);
        self.apply();
        self.select(selected.as_ref());
    }

    /// Applies filter and facets. What was selected stays selected while it is shown; then it is the first.
    pub fn choose(&mut self) {
        let selected = self.place();
        self.apply();
        self.select(selected.as_ref());
    }

    /// Applies filter and facets, and selects what fits best.
    pub fn choose_best(&mut self) {
        self.apply();
        self.selected = 0;
    }

    /// Finds out what is shown. First come the sessions whose title, project, model, id or harness has the words, then those
    /// in which they were said.
    fn apply(&mut self) {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            self.found.clear();
            self.seeking = Seeking::Rests;
        }
        let mut said = Vec::new();
        self.shown.clear();
        for (n, row) in self.rows.iter().enumerate() {
            let fits = (self.all || !(row.head.is_subagent || row.head.archived))
                && self.harness.is_none_or(|h| h == row.head.harness)
                && self.project.as_ref().is_none_or(|p| Some(p) == row.head.cwd.as_ref());
            if !fits {
                continue;
            }
            if words.iter().all(|w| row.words.contains(w.as_str())) {
                self.shown.push(n);
            } else if let Some(found) = self.found.get(&row.head.id) {
                said.push((found.rank, n));
            }
        }
        said.sort_unstable();
        self.shown.extend(said.into_iter().map(|(_, n)| n));
    }

    /// Takes what the index says about the words that were asked for; what was asked before the words changed is of no interest.
    pub fn take_sought(&mut self, query: &str, sought: Sought) {
        if query != self.filter {
            return;
        }
        match sought {
            Sought::Reading(done, all) => self.seeking = Seeking::Reads(done, all),
            Sought::Failed(why) => {
                self.found.clear();
                self.seeking = Seeking::Failed(why);
            }
            Sought::Found(found) => {
                self.seeking = Seeking::Rests;
                let one = |(rank, f): (usize, FoundIn)| {
                    (f.id, Found { rank, hits: f.hits, item: f.item, snippet: f.snippet })
                };
                self.found = found.into_iter().enumerate().map(one).collect();
            }
        }
        self.choose();
    }

    /// What was found in a session.
    pub fn found(&self, id: &str) -> Option<&Found> {
        self.found.get(id)
    }

    /// Takes what is known anew about a session that was just written. Its place stays until the stores are read again: rows do
    /// not move while somebody looks at them.
    pub fn touch(&mut self, head: &SessionHead, now: Timestamp) {
        let is = |row: &&mut Row| row.head.id == head.id && row.head.path == head.path;
        if let Some(known) = self.rows.iter_mut().find(is) {
            *known = row(head.clone(), now);
        }
    }

    /// Which session is selected: its id, and where it is.
    pub fn place(&self) -> Option<(String, PathBuf)> {
        self.current().map(|row| (row.head.id.clone(), row.head.path.clone()))
    }

    /// Selects a session, or the first where that is not shown. What moved keeps its id.
    pub fn select(&mut self, session: Option<&(String, PathBuf)>) {
        let at = |fits: &dyn Fn(&SessionHead) -> bool| {
            self.shown.iter().position(|n| self.rows.get(*n).is_some_and(|r| fits(&r.head)))
        };
        let place = session.and_then(|(id, path)| {
            at(&|head| head.id == *id && head.path == *path).or_else(|| at(&|head| head.id == *id))
        });
        self.selected = place.unwrap_or(0);
    }

    /// How many are shown.
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// Whether none is shown.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.rows.iter().filter(|r| self.all || !(r.head.is_subagent || r.head.archived)).count()
    }

    /// One of those that are shown.
    pub fn get(&self, place: usize) -> Option<&Row> {
        self.rows.get(*self.shown.get(place)?)
    }

    /// The one that is selected.
    pub fn current(&self) -> Option<&Row> {
        self.get(self.selected)
    }

    /// Any session by its id, shown or not.
    pub fn by_id(&self, id: &str) -> Option<&SessionHead> {
        self.rows.iter().map(|r| &r.head).find(|h| h.id == id)
    }

    /// The harnesses that there are sessions of.
    pub fn harnesses(&self) -> Vec<Harness> {
        let there = |h: &&Harness| self.rows.iter().any(|r| r.head.harness == **h);
        Harness::ALL.iter().filter(there).copied().collect()
    }

    /// The working directories of the sessions that could be shown, that of the newest first, each with how many it has.
    pub fn projects(&self) -> Vec<(String, usize)> {
        let mut all: Vec<(String, usize)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let shown = |row: &&Row| {
            (self.all || !(row.head.is_subagent || row.head.archived))
                && self.harness.is_none_or(|h| h == row.head.harness)
        };
        for cwd in self.rows.iter().filter(shown).filter_map(|row| row.head.cwd.as_deref()) {
            let place = *places.entry(cwd).or_insert(all.len());
            match all.get_mut(place) {
                Some((_, count)) => *count += 1,
                None => all.push((cwd.to_owned(), 1)),
            }
        }
        all
    }

    /// Selects another one.
    pub fn step(&mut self, by: i64) {
        let last = self.shown.len().saturating_sub(1) as i64;
        self.selected = (self.selected as i64).saturating_add(by).clamp(0, last) as usize;
    }
}

fn row(head: SessionHead, now: Timestamp) -> Row {
    let title = head.title.as_deref().map(|t| text::line(text::beginning(t, 300)).into_owned());
    let parts = [
        title.as_deref(),
        head.cwd.as_deref(),
        head.model.as_deref(),
        Some(head.id.as_str()),
        Some(head.harness.id()),
    ];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase();
    let alive = head.is_live(now);
    Row { title: title.unwrap_or_else(|| "(no title)".to_owned()), words, alive, head }
}

/// A session that is being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Its number, by which the answer is known.
    pub ticket: u64,
    /// Its id, or the beginning of it.
    pub id: String,
    /// Its title, or its id.
    pub title: String,
}

/// What becomes of what is shown when a session is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// It goes, with all that was stepped out of.
    #[default]
    Anew,
    /// It is come back to.
    Into,
    /// It goes: a branch is another view of the same session.
    Across,
}

/// Something to pick from, over everything else.
#[derive(Debug)]
pub struct Picker {
    /// What is picked.
    pub title: &'static str,
    /// What stands in the rows.
    pub rows: Vec<String>,
    /// What the rows stand for: a leaf or the id of a session.
    pub values: Vec<String>,
    /// The row that is selected.
    pub selected: usize,
}

/// What lies over the panes.
#[derive(Debug)]
pub enum Overlay {
    /// The help, from a line on.
    Help(usize),
    /// The branches of the session.
    Branches(Picker),
    /// The sub-agents of the session.
    Subagents(Picker),
    /// The working directories of the sessions.
    Projects(Picker),
    /// A picture.
    Picture(Box<Picture>),
}

/// Text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The filter of the list.
    Filter {
        /// What it was before.
        before: String,
        /// What was selected before.
        selected: Option<(String, PathBuf)>,
        /// Where the cursor is, in bytes.
        at: usize,
    },
    /// What to find in the session.
    Find {
        /// As far as it is typed.
        query: String,
        /// Where the cursor is, in bytes.
        at: usize,
    },
}

/// Where the panes are, for the mouse.
#[derive(Debug, Clone, Default)]
pub struct Areas {
    /// The harnesses that can be chosen.
    pub facets: Vec<(Rect, Option<Harness>)>,
    /// What the list is filtered by.
    pub filter: Rect,
    /// The rows of what lies over the panes, and the first of them.
    pub over: Option<(Rect, usize)>,
    /// The rows of the list.
    pub list: Rect,
    /// The lines of the conversation.
    pub conversation: Rect,
    /// A picture that the terminal draws itself.
    pub picture: Option<Rect>,
}

/// All there is to see.
#[derive(Debug)]
pub struct State {
    /// Columns and rows of the screen.
    pub size: (u16, u16),
    /// The clock.
    pub now: Timestamp,
    /// Colours.
    pub theme: Theme,
    /// How the terminal draws pictures.
    pub graphics: Graphics,
    /// What keys do.
    pub keymap: Keymap,
    /// Which pane keys go to.
    pub focus: Focus,
    /// The sessions.
    pub list: List,
    /// The session that is open.
    pub conversation: Option<Conversation>,
    /// Those that were stepped out of into a sub-agent.
    pub stack: Vec<Conversation>,
    /// The session that is being opened.
    pub opening: Option<Opening>,
    /// Whether that was named when the program began.
    pub named: bool,
    /// The number of the session that is open.
    pub ticket: u64,
    /// What becomes of the one that is shown when that is there.
    pub way: Way,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// What is being typed.
    pub input: Option<Input>,
    /// What the bar at the bottom says.
    pub status: Option<String>,
    /// Where sessions are looked for.
    pub places: Vec<(Harness, PathBuf)>,
    /// Whether the list is hidden.
    pub wide: bool,
    /// Where the panes are.
    pub areas: Areas,
}

impl State {
    /// A screen on which nothing is known yet.
    pub fn new(size: (u16, u16), theme: Theme, now: Timestamp) -> Self {
        Self {
            size,
            now,
            theme,
            graphics: Graphics::default(),
            keymap: Keymap::default(),
            focus: Focus::List,
            list: List::default(),
            conversation: None,
            stack: Vec::new(),
            opening: None,
            named: false,
            ticket: 0,
            way: Way::Anew,
            overlay: None,
            input: None,
            status: None,
            places: Vec::new(),
            wide: false,
            areas: Areas::default(),
        }
    }

    /// Whether both panes have room side by side.
    pub const fn has_room(&self) -> bool {
        self.size.0 >= 70
    }

    /// Whether both panes are side by side.
    pub const fn is_split(&self) -> bool {
        self.has_room() && !self.wide
    }

    /// Columns of the list: a third, within reason.
    pub fn list_columns(&self) -> u16 {
        if self.is_split() { (self.size.0 / 3).clamp(30, 52) } else { self.size.0 }
    }

    /// Columns of the conversation.
    pub fn conversation_columns(&self) -> u16 {
        let beside = if self.is_split() { self.list_columns() + 1 } else { 0 };
        self.size.0.saturating_sub(beside)
    }

    /// Lines of the conversation's head: what is known of it has room on one where that is wide, and else on two.
    pub fn head_lines(&self) -> u16 {
        /// So wide is enough for one.
        const WIDE: u16 = 100;
        /// A lower screen has no line to spare.
        const LOW: u16 = 16;
        if self.conversation_columns() >= WIDE || self.size.1 < LOW { 2 } else { 3 }
    }

    /// The room that a conversation has for its lines.
    pub fn layout(&self) -> Layout {
        let columns = self.conversation_columns().saturating_sub(3).max(8);
        // The head, a rule, the bar at the bottom.
        let rows = self.size.1.saturating_sub(self.head_lines() + 2).max(1);
        Layout { columns, rows, theme: self.theme }
    }

    /// Gives the conversations the room that there is now.
    pub fn fit(&mut self) {
        let layout = self.layout();
        if let Some(conversation) = &mut self.conversation {
            conversation.resize(layout);
        }
    }

    /// The session that keys are about: the open one, or the selected one.
    pub fn session(&self) -> Option<&SessionHead> {
        match (self.focus, &self.conversation) {
            (Focus::Conversation, Some(conversation)) => Some(&conversation.head),
            _ => self.list.current().map(|row| &row.head),
        }
    }

    /// The session that a sub-agent works for, as far as the list knows it; any other is itself.
    pub fn main_session<'a>(&'a self, head: &'a SessionHead) -> &'a SessionHead {
        /// Agents start agents, but not without end; what is wrong may go round in a circle.
        const DEEP: usize = 16;
        let mut main = head;
        for _ in 0..DEEP {
            let above = main.parent_id.as_deref().filter(|_| main.is_subagent);
            match above.and_then(|id| self.list.by_id(id)) {
                Some(above) => main = above,
                None => break,
            }
        }
        main
    }
}

/// The command that goes on with a session in its harness, from its folder.
pub fn resume_command(head: &SessionHead) -> Option<String> {
    let words = discover::of(head.harness)?.resume(head);
    if words.is_empty() {
        return None;
    }
    let command = shell_words::join(words);
    Some(match &head.cwd {
        Some(cwd) => format!("cd {} && {command}", shell_words::quote(cwd)),
        None => command,
    })
}
