//! What a reader of a thread knows, and what it has to be told to know the thread as it is now.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::ops::Range;

use recount_session::model::item::ItemStatus;
use recount_session::model::{At, Item, ItemKind, Thread, ThreadStatus, Turn, TurnStatus, Usage};
use serde::Serialize;

/// What a reader knows of a thread: ids and fingerprints, no content. Small however large the thread is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    turns: Vec<KnownTurn>,
    usage: Usage,
    name: Option<String>,
    running: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct KnownTurn {
    id: Box<str>,
    status: TurnStatus,
    /// Everything but the items.
    hash: u64,
    items: Vec<KnownItem>,
}

#[derive(Debug, Clone, PartialEq)]
struct KnownItem {
    id: Box<str>,
    /// Its place among all items of the turn, those too that the reader does not see.
    n: usize,
    hash: u64,
    /// The text that may grow: its length and fingerprint.
    text: (usize, u64),
    /// Whether it will not change any more, as far as can be told.
    ended: bool,
}

/// A text of an item that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The text of a message or plan.
    Text,
    /// The output of a command.
    Output,
    /// A section of a reasoning's summary.
    Summary(usize),
}

/// What a reader has to be told, in this order. Turns and items are named by their places in the thread as it is now.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// All turns behind the first `keep` are gone: a rewind, or a file that was written anew. What stands there now
    /// follows as if it were new.
    Reverted {
        /// How many turns stay.
        keep: usize,
    },
    /// A turn has begun, or goes on.
    TurnStarted(usize),
    /// An item is there, or was replaced before it was complete.
    ItemStarted(usize, usize),
    /// A text of an item has grown.
    ItemGrew {
        /// The turn.
        turn: usize,
        /// The item.
        item: usize,
        /// The text.
        part: Part,
        /// What is new of it, in bytes.
        new: Range<usize>,
    },
    /// An item is complete, or a complete one was changed.
    ItemCompleted(usize, usize),
    /// A turn has ended, or what is known of its end has changed.
    TurnCompleted(usize),
    /// More tokens were counted; these were added.
    Usage(Usage),
    /// The thread has another name.
    Named,
    /// The last turn runs, or nothing runs any more.
    Running(bool),
}

impl Known {
    /// What a reader of the whole thread knows.
    ///
    /// `running` is whether the last turn runs if it has no end: the transcript cannot tell. `visible` is which items
    /// the reader sees.
    pub fn of(thread: &Thread, running: bool, visible: fn(&Item) -> bool) -> Self {
        let open = thread.status == ThreadStatus::Open;
        let last = thread.turns.len().saturating_sub(1);
        let turns = thread.turns.iter().enumerate().map(|(n, turn)| {
            let runs = n == last && open && running;
            KnownTurn::of(turn, runs, visible)
        });
        Self {
            turns: turns.collect(),
            usage: thread.usage,
            name: thread.title.clone(),
            running: open && running,
        }
    }

    /// Whether the last turn runs.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// What has to be told to somebody who knows this, so that he knows `new`: that is `thread` as it is now.
    pub fn changes(&self, new: &Self, thread: &Thread) -> Vec<Change> {
        let mut changes = Vec::new();
        let pairs = self.turns.iter().zip(&new.turns);
        let keep = pairs.take_while(|(old, new)| old.goes_on_as(new)).count();
        if keep < self.turns.len() {
            changes.push(Change::Reverted { keep });
        }
        // Nothing of the turns before the last kept ones changes in most files: they are compared and passed over.
        for (n, turn) in new.turns.iter().enumerate() {
            let old = self.turns.get(n).filter(|_| n < keep);
            if let Some(content) = thread.turns.get(n) {
                turn.told(old, n, content, &mut changes);
            }
        }
        if self.running != new.running {
            changes.push(Change::Running(new.running));
        }
        if self.usage != new.usage {
            changes.push(Change::Usage(added(&self.usage, &new.usage)));
        }
        if self.name != new.name {
            changes.push(Change::Named);
        }
        changes
    }
}

/// The tokens that came; a count that has fallen was another one.
fn added(old: &Usage, new: &Usage) -> Usage {
    if new.total_tokens < old.total_tokens || new.responses < old.responses {
        return *new;
    }
    Usage {
        responses: new.responses - old.responses,
        input_tokens: new.input_tokens.saturating_sub(old.input_tokens),
        cached_input_tokens: new.cached_input_tokens.saturating_sub(old.cached_input_tokens),
        cache_write_tokens: new.cache_write_tokens.saturating_sub(old.cache_write_tokens),
        output_tokens: new.output_tokens.saturating_sub(old.output_tokens),
        reasoning_tokens: new.reasoning_tokens.saturating_sub(old.reasoning_tokens),
        total_tokens: new.total_tokens - old.total_tokens,
        cost_usd: new.cost_usd,
    }
}

impl KnownTurn {
    fn of(turn: &Turn, runs: bool, visible: fn(&Item) -> bool) -> Self {
        let status = match turn.status {
            _ if runs => TurnStatus::InProgress,
            TurnStatus::InProgress => TurnStatus::Interrupted,
            status => status,
        };
        let last = turn.items.iter().rposition(visible);
        let items = turn.items.iter().enumerate().filter(|(_, item)| visible(item));
        Self {
            id: turn.id.as_str().into(),
            status,
            hash: hash(&(&turn.error, turn.started_at, turn.completed_at, turn.duration_ms)),
            items: items.map(|(n, item)| KnownItem::of(item, n, runs, last == Some(n))).collect(),
        }
    }

    /// Whether a later state of this turn has all its items where they were, and at most more behind them.
    fn goes_on_as(&self, new: &Self) -> bool {
        self.id == new.id
            && self.items.len() <= new.items.len()
            && self.items.iter().zip(&new.items).all(|(old, new)| old.id == new.id)
    }

    /// What has to be told of a turn to somebody who knows `old` of it.
    fn told(&self, old: Option<&Self>, n: usize, content: &Turn, changes: &mut Vec<Change>) {
        if old == Some(self) {
            return;
        }
        let runs = self.status == TurnStatus::InProgress;
        let same = old.is_some_and(|old| (old.status, old.hash) == (self.status, self.hash));
        if old.is_none() || (runs && !same) {
            changes.push(Change::TurnStarted(n));
        }
        for (place, item) in self.items.iter().enumerate() {
            let known = old.and_then(|old| old.items.get(place));
            let Some(content) = content.items.get(item.n) else { continue };
            item.told(known, n, content, changes);
        }
        if !runs && !same {
            changes.push(Change::TurnCompleted(n));
        }
    }
}

impl KnownItem {
    fn of(item: &Item, n: usize, runs: bool, is_last: bool) -> Self {
        let text = growing(&item.kind).map_or("", |(_, text)| text);
        Self {
            id: item.id.as_str().into(),
            n,
            hash: hash(&item.kind),
            text: (text.len(), hash_of(text)),
            ended: has_ended(item, runs, is_last),
        }
    }

    fn told(&self, old: Option<&Self>, turn: usize, content: &Item, changes: &mut Vec<Change>) {
        let item = self.n;
        match old {
            None => {
                changes.push(Change::ItemStarted(turn, item));
                if self.ended {
                    changes.push(Change::ItemCompleted(turn, item));
                }
            }
            Some(old) => {
                if old.hash != self.hash {
                    match self.grown(old, content) {
                        Some((part, new)) if !old.ended => {
                            changes.push(Change::ItemGrew { turn, item, part, new });
                        }
                        // It is told whole when it is complete.
                        _ if self.ended => {}
                        _ => changes.push(Change::ItemStarted(turn, item)),
                    }
                }
                if self.ended && (old.hash != self.hash || !old.ended) {
                    changes.push(Change::ItemCompleted(turn, item));
                }
            }
        }
    }

    /// What came to the text, when it begins as it did.
    fn grown(&self, old: &Self, content: &Item) -> Option<(Part, Range<usize>)> {
        let (part, text) = growing(&content.kind)?;
        let (len, fingerprint) = old.text;
        let begins = text.get(..len).is_some_and(|before| hash_of(before) == fingerprint);
        (begins && text.len() > len && text.len() == self.text.0).then_some((part, len..text.len()))
    }
}

/// The text of an item that a harness may write piece by piece.
fn growing(kind: &ItemKind) -> Option<(Part, &str)> {
    match kind {
        ItemKind::AgentMessage { text, .. } | ItemKind::Plan { text } => Some((Part::Text, text)),
        ItemKind::CommandExecution { aggregated_output, .. } => {
            Some((Part::Output, aggregated_output.as_deref().unwrap_or("")))
        }
        ItemKind::Reasoning { summary, .. } if summary.len() == 1 => {
            Some((Part::Summary(0), summary[0].as_str()))
        }
        _ => None,
    }
}

/// The text that `Change::ItemGrew` names.
pub(super) fn text_of(kind: &ItemKind, part: Part) -> &str {
    match (kind, part) {
        (ItemKind::AgentMessage { text, .. } | ItemKind::Plan { text }, Part::Text) => text,
        (ItemKind::CommandExecution { aggregated_output, .. }, Part::Output) => {
            aggregated_output.as_deref().unwrap_or("")
        }
        (ItemKind::Reasoning { summary, .. }, Part::Summary(n)) => {
            summary.get(n).map_or("", String::as_str)
        }
        _ => "",
    }
}

impl Part {
    /// The text that it names in an item; empty when the item has none.
    pub fn of(self, item: &Item) -> &str {
        text_of(&item.kind, self)
    }
}

/// Whether an item is complete. Calls tell it. What stands in a line was written whole; a row may be written again and
/// again while it is the last of a turn that runs.
fn has_ended(item: &Item, runs: bool, is_last: bool) -> bool {
    match item.kind.status() {
        // Nothing will end it any more.
        Some(status) => status != ItemStatus::InProgress || !runs,
        None => {
            !(runs && is_last && matches!(item.at, At::Row { .. }) && growing(&item.kind).is_some())
        }
    }
}

/// A fingerprint of a value as it is written.
fn hash(value: &impl Serialize) -> u64 {
    struct Into(DefaultHasher);
    impl Write for Into {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hasher = Into(DefaultHasher::new());
    // Writing into a hash cannot fail.
    let _ = serde_json::to_writer(&mut hasher, value);
    hasher.0.finish()
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
