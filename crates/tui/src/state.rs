//! All there is to see.

use jiff::Timestamp;
use ratatui::layout::Rect;
use recount_formats::Harness;
use recount_store::{SessionHead, discover};
use recount_text::text;

use crate::conversation::{Conversation, Layout};
use crate::theme::Theme;

/// A session that was written so recently, in seconds, is taken to be alive.
const ALIVE: i64 = 120;

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
    pub facet: Option<Harness>,
    /// Sub-agents and archived sessions too.
    pub all: bool,
    /// Whether the stores were read.
    pub listed: bool,
}

impl List {
    /// Takes the sessions anew; what was selected stays selected.
    pub fn take(&mut self, heads: Vec<SessionHead>, now: Timestamp) {
        let selected = self.current().map(|row| row.head.id.clone());
        self.rows = heads.into_iter().map(|head| row(head, now)).collect();
        self.rows.sort_by_key(|row| !row.alive);
        self.listed = true;
        self.choose();
        let place = selected.and_then(|id| {
            self.shown.iter().position(|n| self.rows.get(*n).is_some_and(|r| r.head.id == id))
        });
        if let Some(place) = place {
            self.selected = place;
        }
    }

    /// Applies filter and facets.
    pub fn choose(&mut self) {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        self.shown = (0..self.rows.len())
            .filter(|n| {
                let row = &self.rows[*n];
                (self.all || !(row.head.is_subagent || row.head.archived))
                    && self.facet.is_none_or(|h| h == row.head.harness)
                    && words.iter().all(|w| row.words.contains(w.as_str()))
            })
            .collect();
        self.selected = self.selected.min(self.shown.len().saturating_sub(1));
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
    let written = head.updated_at.as_deref().and_then(|t| t.parse::<Timestamp>().ok());
    let alive = written.is_some_and(|t| now.duration_since(t).as_secs().abs() < ALIVE);
    Row { title: title.unwrap_or_else(|| "(no title)".to_owned()), words, alive, head }
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
}

/// Text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The filter of the list, which is what it was before.
    Filter(String),
    /// What to find in the session.
    Find(String),
}

/// Where the panes are, for the mouse.
#[derive(Debug, Clone, Copy, Default)]
pub struct Areas {
    /// The rows of the list.
    pub list: Rect,
    /// The lines of the conversation.
    pub conversation: Rect,
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
    /// Which pane keys go to.
    pub focus: Focus,
    /// The sessions.
    pub list: List,
    /// The session that is open.
    pub conversation: Option<Conversation>,
    /// Those that were stepped out of into a sub-agent.
    pub stack: Vec<Conversation>,
    /// The number and title of the session that is being opened.
    pub opening: Option<(u64, String)>,
    /// The number of the session that is open.
    pub ticket: u64,
    /// Whether the one that is being opened is a step into it.
    pub stepping: bool,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// What is being typed.
    pub input: Option<Input>,
    /// What the bar at the bottom says.
    pub status: Option<String>,
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
            focus: Focus::List,
            list: List::default(),
            conversation: None,
            stack: Vec::new(),
            opening: None,
            ticket: 0,
            stepping: false,
            overlay: None,
            input: None,
            status: None,
            wide: false,
            areas: Areas::default(),
        }
    }

    /// Whether both panes have room side by side.
    pub const fn is_split(&self) -> bool {
        self.size.0 >= 70 && !self.wide
    }

    /// Columns of the list: a third, within reason.
    pub fn list_columns(&self) -> u16 {
        if self.is_split() { (self.size.0 / 3).clamp(26, 52) } else { self.size.0 }
    }

    /// The room that a conversation has for its lines.
    pub fn layout(&self) -> Layout {
        let beside = if self.is_split() { self.list_columns() + 1 } else { 0 };
        let columns = self.size.0.saturating_sub(beside + 3).max(8);
        // Two lines of head, a rule, the bar at the bottom.
        Layout { columns, rows: self.size.1.saturating_sub(4).max(1), theme: self.theme }
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
}

/// The command that goes on with a session in its harness, from its folder.
pub fn resume_command(head: &SessionHead) -> Option<String> {
    let words = discover::of(head.harness)?.resume(head);
    let command = shell_words::join(words);
    Some(match &head.cwd {
        Some(cwd) => format!("cd {} && {command}", shell_words::quote(cwd)),
        None => command,
    })
}
