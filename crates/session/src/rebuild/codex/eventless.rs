//! Rollouts without any event: other programs write such files, and so did Codex in its first months. Codex
//! shows nothing of them; what was said stands in the records for the model.

use std::sync::Arc;

use super::record::{Rec, Top};
use super::recovered::message;
use super::turns::Pending;
use crate::model::{Item, ItemKind, TurnStatus};

/// Whether a record is one of those from which a display is made.
pub(super) fn is_display(rec: &Rec<'_>) -> bool {
    rec.top == Top::EventMsg && !matches!(&*rec.tag, "token_count" | "thread_settings_applied")
}

/// Turns as far as they were read: each typed message begins one.
#[derive(Debug, Default)]
pub(super) struct Eventless {
    turns: Vec<Pending>,
}

impl Eventless {
    /// The turn that a record at this point belongs to.
    pub(super) fn open_turn(&self) -> Option<usize> {
        self.turns.last().map(|t| t.serial)
    }

    /// The turns.
    pub(super) fn finish(self) -> Vec<Pending> {
        self.turns
    }

    /// Takes the next record.
    pub(super) fn record(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>) {
        if rec.top != Top::ResponseItem || rec.tag != "message" {
            return;
        }
        let Some(kind) = message::lost(rec.payload) else { return };
        if matches!(kind, ItemKind::UserMessage { .. }) || self.turns.is_empty() {
            let mut turn = Pending::new(format!("rollout-{seq}"), self.turns.len() + 1);
            turn.turn.status = TurnStatus::Completed;
            turn.ended = true;
            self.turns.push(turn);
        }
        let id = rec.payload.str("id").map(std::borrow::Cow::into_owned);
        let mut item = Item::new(
            id.unwrap_or_else(|| format!("record-{}", rec.at.line)),
            kind,
            rec.place(source),
        );
        item.recovered = true;
        item.timestamp = rec.time();
        if let Some(turn) = self.turns.last_mut() {
            turn.push(seq, item);
        }
    }
}
