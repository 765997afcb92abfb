//! Threads as records.
//!
//! - [`item`]: one item as the records that it becomes
//! - [`call`]: calls of tools
//! - [`command`]: shell commands, and what they do
//! - [`explore`]: looks that belong together
//! - [`text`]: messages and reasoning as lines and blocks
//!
//! A thread is mapped as a whole; [`Follower`] compares what it becomes with what is there and lets only the difference happen,
//! so a session that is being written costs a screen no more than what was added.

mod call;
mod command;
mod explore;
mod item;
mod text;

pub use item::images;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::record::message::{
    LineKind, MessageHeader, MessageKind, MessageLine, MessageRole, Notice, PlainMessage, TextTone,
};
use super::record::other::{Percent, RateLimits};
use super::state::Lookup;
use super::{Change, HistoryId, HistoryState, Kind, Maybe, Origin, Timestamp, Unknown};
use crate::model::thread::RateWindow;
use crate::model::{Item, Thread, Turn, TurnStatus};

/// A record that is to be, with the name by which it is known again when the thread is mapped once more.
#[derive(Debug, Clone)]
struct Cell {
    key: String,
    kind: Kind,
    origin: Option<Origin>,
    /// The tool's call.
    call: Option<String>,
    /// Whether it is a look, for groups.
    look: Option<super::record::exec::ExploreEntry>,
}

/// A thread as the records that it becomes. Mapping is the part that takes time: it can be done on another thread.
#[derive(Debug, Clone)]
pub struct Mapped(Vec<Cell>);

impl Mapped {
    /// Maps a thread.
    pub fn of(thread: &Thread) -> Self {
        Self(cells(thread))
    }
}

/// The history of a thread.
pub fn history(thread: &Thread) -> HistoryState {
    let mut follower = Follower::new();
    follower.update(thread);
    follower.state
}

/// A history that follows a thread.
#[derive(Debug, Clone, Default)]
pub struct Follower {
    state: HistoryState,
    /// What the records were made from, in their order.
    keys: Vec<(String, HistoryId)>,
}

impl Follower {
    /// An empty history.
    pub fn new() -> Self {
        Self { state: HistoryState::new(), keys: Vec::new() }
    }

    /// The history.
    pub const fn state(&self) -> &HistoryState {
        &self.state
    }

    /// The history, for whoever does not follow any more.
    pub fn into_state(self) -> HistoryState {
        self.state
    }

    /// Makes the history that of the thread as it is now, and tells what changed.
    pub fn update(&mut self, thread: &Thread) -> Vec<Change> {
        self.take(Mapped::of(thread))
    }

    /// [`Follower::update`] with a thread that was mapped elsewhere.
    pub fn take(&mut self, mapped: Mapped) -> Vec<Change> {
        let cells = mapped.0;
        let mut changes = Vec::new();
        let old = std::mem::take(&mut self.keys);
        // Where a sequence was rewound, everything behind goes at once.
        let same = old.iter().zip(&cells).take_while(|((key, _), cell)| *key == cell.key).count();
        let there: HashSet<&str> = cells.iter().skip(same).map(|c| c.key.as_str()).collect();
        let stays = |n: &usize| there.contains(old[*n].0.as_str());
        let last = (same..old.len()).rev().find(stays).map_or(same, |n| n + 1);
        if last < old.len() {
            let id = last.checked_sub(1).map(|n| old[n].1);
            if self.state.truncate_after(id).is_ok() {
                changes.push(Change::TruncatedAfter { id });
            }
        }
        let old = &old[..last];
        let places: HashMap<&str, usize> =
            old.iter().enumerate().skip(same).map(|(n, (key, _))| (key.as_str(), n)).collect();
        let mut next = 0;
        for cell in cells {
            let place = if next < same {
                Some(next)
            } else {
                places.get(cell.key.as_str()).copied().filter(|n| *n >= next)
            };
            if let Some(place) = place {
                // What stood between is gone, or comes later.
                for (_, id) in &old[next..place] {
                    if self.state.remove(*id).is_ok() {
                        changes.push(Change::Removed { id: *id });
                    }
                }
                next = place + 1;
                let id = old[place].1;
                let changed = self
                    .state
                    .get(id)
                    .is_none_or(|r| *r.kind() != cell.kind || r.origin() != cell.origin.as_ref());
                if changed && self.state.replace(id, cell.kind, cell.origin).is_ok() {
                    changes.push(Change::Replaced { id });
                }
                self.name(cell.call, id);
                self.keys.push((cell.key, id));
                continue;
            }
            let before = old.get(next).map(|(_, id)| *id);
            // Only ids can run out, and a thread does not have so many items.
            if let Ok(id) = self.state.insert(before, cell.kind, cell.origin) {
                changes.push(Change::Inserted { id, before });
                self.name(cell.call, id);
                self.keys.push((cell.key, id));
            }
        }
        for (_, id) in &old[next..] {
            if self.state.remove(*id).is_ok() {
                changes.push(Change::Removed { id: *id });
            }
        }
        changes
    }

    fn name(&mut self, call: Option<String>, id: HistoryId) {
        let fits =
            |call: &String| self.state.get(id).is_some_and(|r| Lookup::Tool.fits(call, r.kind()));
        if let Some(call) = call.filter(fits) {
            self.state.add_key(Lookup::Tool, Arc::from(call), id);
        }
    }
}

/// What is known around an item.
struct Around<'a> {
    turn: &'a Turn,
    number: u64,
    /// The last time that was told.
    time: Timestamp,
    /// Whether the item may still change.
    open: bool,
}

impl Around<'_> {
    fn origin(&self, item: &Item) -> Origin {
        Origin {
            turn: self.number,
            item_type: item.kind.name().to_owned(),
            item_id: item.id.clone(),
            threads: Maybe::Absent,
            other: Unknown::default(),
        }
    }

    fn of_turn(&self, item_type: &str) -> Origin {
        Origin {
            turn: self.number,
            item_type: item_type.to_owned(),
            item_id: self.turn.id.clone(),
            threads: Maybe::Absent,
            other: Unknown::default(),
        }
    }
}

/// All records of a thread. Keys are unique: items may repeat their ids.
fn cells(thread: &Thread) -> Vec<Cell> {
    let mut cells = Vec::new();
    let created = thread.created_at.as_deref().and_then(Timestamp::parse);
    let mut time = created.unwrap_or_else(Timestamp::unknown);
    for (n, turn) in thread.turns.iter().enumerate() {
        let last_turn = n + 1 == thread.turns.len();
        let started = turn.started_at.and_then(|s| Timestamp::from_millis(s.saturating_mul(1000)));
        let mut around =
            Around { turn, number: n as u64 + 1, time: started.unwrap_or(time), open: false };
        for (m, item) in turn.items.iter().enumerate() {
            if let Some(at) = item.timestamp.as_deref().and_then(Timestamp::parse) {
                around.time = at;
            }
            let last = last_turn && m + 1 == turn.items.len();
            around.open = last && turn.status == TurnStatus::InProgress;
            item::cells(item, &around, &mut cells);
        }
        end_of_turn(&around, &mut cells);
        time = around.time;
    }
    let mut cells = explore::grouped(cells);
    if let Some(limits) = thread.rate_limits.as_ref() {
        let window = |w: Option<RateWindow>| w.unwrap_or_default();
        let (first, second) = (window(limits.primary), window(limits.secondary));
        let at = |w: RateWindow| {
            w.resets_at.and_then(|s| Timestamp::from_millis(s.saturating_mul(1000)))
        };
        let kind = RateLimits {
            primary_used_percent: Percent::of(first.used_percent),
            secondary_used_percent: Percent::of(second.used_percent),
            primary_to_secondary_ratio_percent: Maybe::Absent,
            primary_window_minutes: first.window_minutes.into(),
            secondary_window_minutes: second.window_minutes.into(),
            primary_reset_after_seconds: first.resets_in_seconds.into(),
            secondary_reset_after_seconds: second.resets_in_seconds.into(),
            primary_reset_at: at(first).into(),
            secondary_reset_at: at(second).into(),
            other: Unknown::default(),
        };
        let key = "rate-limits".to_owned();
        cells.push(Cell { key, kind: kind.into(), origin: None, call: None, look: None });
    }
    let mut seen: HashMap<String, u32> = HashMap::with_capacity(cells.len());
    for cell in &mut cells {
        let count = seen.entry(cell.key.clone()).or_default();
        if *count > 0 {
            cell.key = format!("{}#{count}", cell.key);
        }
        *count += 1;
    }
    cells
}

/// How a turn ended, when that is worth a line.
fn end_of_turn(around: &Around<'_>, cells: &mut Vec<Cell>) {
    let turn = around.turn;
    let kind: Kind = match (&turn.error, turn.status) {
        (Some(error), _) => {
            let details = error.additional_details.iter().flat_map(|d| d.lines());
            let lines = error.message.lines().map(|l| (l, TextTone::Error));
            let lines = lines.chain(details.map(|l| (l, TextTone::Dim)));
            PlainMessage {
                role: MessageRole::Error,
                kind: MessageKind::Error,
                lines: lines.map(|(l, t)| MessageLine::new(LineKind::Paragraph, l, t)).collect(),
                header: Maybe::Is(header("Turn failed")),
                metadata: Maybe::Absent,
                other: Unknown::default(),
            }
            .into()
        }
        (None, TurnStatus::Failed) => notice("Turn failed", TextTone::Error).into(),
        (None, TurnStatus::Interrupted) => notice("Interrupted", TextTone::Warning).into(),
        _ => return,
    };
    cells.push(Cell {
        key: format!("{}/end", turn.id),
        kind,
        origin: Some(around.of_turn("turnEnd")),
        call: None,
        look: None,
    });
}

fn header(label: &str) -> MessageHeader {
    MessageHeader { label: label.to_owned(), badge: Maybe::Absent, other: Unknown::default() }
}

fn notice(text: &str, tone: TextTone) -> Notice {
    Notice {
        body: text.lines().map(|l| MessageLine::new(LineKind::Paragraph, l, tone)).collect(),
        title: Maybe::Absent,
        other: Unknown::default(),
    }
}
