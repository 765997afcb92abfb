//! What a rollout keeps of the items, by its mode.

use super::event::{LiveItem, LiveKind};
use super::{Mode, cut, kind};
use crate::model::item::At;
use crate::model::{Item, ItemKind, Turn};

/// The thread as its rollout gives it.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    mode: Mode,
    pub(super) turns: Vec<Turn>,
    /// The number of the next item without an id of its own.
    next_item: usize,
}

impl Stored {
    pub(super) fn new(mode: Mode, turns: Vec<Turn>, next_item: usize) -> Self {
        Self { mode, turns, next_item }
    }

    /// A completed item of the last turn.
    pub(super) fn item(&mut self, item: &LiveItem, cwd: Option<&str>, at: &At) {
        if self.mode == Mode::Paginated {
            let kind = item.kind.limited(cut::ITEM).shown(cwd);
            self.upsert(&item.id, kind, at);
            return;
        }
        match &item.kind {
            LiveKind::UserMessage(content) => self.numbered(kind::joined_shown(content), at),
            LiveKind::AgentMessage { text, .. } if text.is_empty() => {}
            LiveKind::AgentMessage { .. } => self.numbered(item.kind.shown(cwd), at),
            LiveKind::Reasoning { summary, content } => {
                for (parts, readable) in [(summary, true), (content, false)] {
                    parts
                        .iter()
                        .filter(|p| !p.is_empty())
                        .for_each(|p| self.reason(p, readable, at));
                }
            }
            LiveKind::Plan(_)
            | LiveKind::Sleep { .. }
            | LiveKind::AgentActivity(_)
            | LiveKind::ImageGeneration { .. }
            | LiveKind::ReviewEntered { .. }
            | LiveKind::ReviewExited(_) => {
                self.upsert(&item.id, item.kind.shown(cwd), at);
            }
            LiveKind::FileChange { .. } | LiveKind::Mcp { .. } | LiveKind::WebSearch { .. } => {
                if self.mode == Mode::Extended {
                    self.upsert(&item.id, item.kind.shown(cwd), at);
                }
            }
            // Extended rollouts have the first two, and Codex does not show them; of the others only the records for the
            // model tell.
            LiveKind::Command { .. }
            | LiveKind::ImageView { .. }
            | LiveKind::Dynamic { .. }
            | LiveKind::AgentCall(_) => {}
        }
    }

    pub(super) fn compaction(&mut self, id: &str, kind: ItemKind, at: &At) {
        if self.mode == Mode::Paginated {
            self.upsert(id, kind, at);
        } else {
            self.numbered(kind, at);
        }
    }

    /// A plan of the last turn that is complete.
    pub(super) fn plan(&self, id: &str) -> Option<ItemKind> {
        let item = self.turns.last()?.items.iter().find(|i| i.id == id)?;
        matches!(item.kind, ItemKind::Plan { .. }).then(|| item.kind.clone())
    }

    /// Keeps the first turns. Codex numbers on from the count of the items that are left.
    pub(super) fn shorten(&mut self, kept: usize) {
        self.turns.truncate(kept);
        self.next_item = self.turns.iter().map(|t| t.items.len()).sum::<usize>() + 1;
    }

    fn upsert(&mut self, id: &str, kind: ItemKind, at: &At) {
        let Some(turn) = self.turns.last_mut() else { return };
        let item = Item::new(id, kind, at.clone());
        match turn.items.iter_mut().find(|i| i.id == id) {
            Some(there) => *there = item,
            None => turn.items.push(item),
        }
    }

    fn numbered(&mut self, kind: ItemKind, at: &At) {
        let Some(turn) = self.turns.last_mut() else { return };
        turn.items.push(Item::new(format!("item-{}", self.next_item), kind, at.clone()));
        self.next_item += 1;
    }

    /// Parts of reasoning that follow each other are one item.
    fn reason(&mut self, text: &str, readable: bool, at: &At) {
        let last = self.turns.last_mut().and_then(|t| t.items.last_mut());
        if let Some(ItemKind::Reasoning { summary, content }) = last.map(|i| &mut i.kind) {
            if readable {
                summary.push(text.to_owned());
            } else {
                content.push(text.to_owned());
            }
            return;
        }
        let text = vec![text.to_owned()];
        let (summary, content) = if readable { (text, Vec::new()) } else { (Vec::new(), text) };
        self.numbered(ItemKind::Reasoning { summary, content }, at);
    }
}
