//! The display of paginated rollouts: canonical items into turns, record by record.
//!
//! Codex answers from a projection of these records in `thread_history_1.sqlite`. The projection can be
//! missing, behind or stuck; the records cannot, so they are projected here by the same rules.

use std::collections::HashMap;
use std::sync::Arc;

use recount_formats::codex::record as r;
use recount_formats::view::View;
use recount_formats::{Json, Position};

use super::items::{self, own};
use super::legacy::turn_error;
use super::record::{Rec, Top};
use super::turns::Pending;
use crate::model::{Item, TurnStatus};

/// Turns as far as they were read.
#[derive(Debug, Default)]
pub(super) struct Paginated {
    turns: Vec<Pending>,
    by_id: HashMap<String, usize>,
    /// Items whose turn has no record yet: those of a review come first.
    early: HashMap<String, Pending>,
    last: Option<usize>,
}

/// The state of a turn that a record tells.
struct Lifecycle {
    status: TurnStatus,
    error: Option<crate::model::TurnError>,
    started_at: Option<i64>,
    completed_at: Option<i64>,
    duration_ms: Option<i64>,
    root_turn_id: Option<String>,
}

impl Paginated {
    /// The turn that a record at this point belongs to.
    pub(super) fn open_turn(&self) -> Option<usize> {
        self.last
    }

    /// The number of a turn that is there with its first item: further items do not move it.
    pub(super) fn placed(&self, turn: &str) -> Option<usize> {
        self.by_id.get(turn).copied().filter(|&n| !self.turns[n].order.is_empty())
    }

    /// The turns. Items of turns that no record opens or ends are not displayed by Codex; they are given
    /// as a recovered turn at the place of the first.
    pub(super) fn finish(self) -> Vec<Pending> {
        let mut turns = self.turns;
        for (id, mut lost) in self.early {
            lost.turn.id = id;
            lost.lost = true;
            lost.turn.items.iter_mut().for_each(|i| i.recovered = true);
            let first = lost.order.first().copied();
            let n =
                turns.iter().position(|t| t.order.first().copied() > first).unwrap_or(turns.len());
            turns.insert(n, lost);
        }
        turns
    }

    /// Takes the next record.
    pub(super) fn record(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>) {
        if rec.top != Top::EventMsg {
            return;
        }
        let payload = rec.payload;
        match &*rec.tag {
            "task_started" | "turn_started" => {
                let Some(p) = r::EventTaskStarted::view(payload) else { return };
                let state = Lifecycle {
                    status: TurnStatus::InProgress,
                    error: None,
                    started_at: p.started_at,
                    completed_at: None,
                    duration_ms: None,
                    root_turn_id: own(p.root_turn_id),
                };
                self.turn(own(p.turn_id).unwrap_or_default(), state, rec.at);
            }
            "task_complete" | "turn_complete" => {
                let Some(p) = r::EventTaskComplete::view(payload) else { return };
                let error = p.error.map(|e| turn_error(e.raw));
                let state = Lifecycle {
                    status: if error.is_some() {
                        TurnStatus::Failed
                    } else {
                        TurnStatus::Completed
                    },
                    error,
                    started_at: p.started_at,
                    completed_at: p.completed_at,
                    duration_ms: p.duration_ms,
                    root_turn_id: own(p.root_turn_id),
                };
                self.turn(own(p.turn_id).unwrap_or_default(), state, rec.at);
            }
            "turn_aborted" => {
                let Some(p) = r::EventTurnAborted::view(payload) else { return };
                let state = Lifecycle {
                    status: TurnStatus::Interrupted,
                    error: p.error.filter(|e| e.is_object()).map(turn_error),
                    started_at: p.started_at,
                    completed_at: p.completed_at,
                    duration_ms: p.duration_ms,
                    root_turn_id: own(p.root_turn_id),
                };
                // Without an id Codex ignores it; the open turn ends as interrupted all the same.
                if let Some(id) = own(p.turn_id) {
                    self.turn(id, state, rec.at);
                }
            }
            "item_completed" => self.item(seq, rec, source, payload),
            _ => {}
        }
    }

    /// The first record of a turn places it; what a record that ends it says stays.
    fn turn(&mut self, id: String, state: Lifecycle, at: Position) {
        let n = if let Some(&n) = self.by_id.get(&id) {
            n
        } else {
            let n = self.turns.len();
            let mut pending = self.early.remove(&id).unwrap_or_else(|| new(&id, at));
            pending.serial = n + 1;
            pending.explicit = true;
            self.turns.push(pending);
            self.by_id.insert(id, n);
            n
        };
        self.last = Some(n + 1);
        let pending = &mut self.turns[n];
        if pending.ended {
            return;
        }
        pending.ended = state.status != TurnStatus::InProgress;
        let turn = &mut pending.turn;
        turn.status = state.status;
        turn.error = state.error;
        turn.started_at = state.started_at;
        turn.completed_at = state.completed_at;
        turn.duration_ms = state.duration_ms;
        turn.root_turn_id = state.root_turn_id.or(turn.root_turn_id.take());
    }

    fn item(&mut self, seq: usize, rec: &Rec<'_>, source: &Arc<str>, payload: Json<'_>) {
        let Some(p) = r::ItemCompleted::view(payload) else { return };
        let Some((id, kind)) = p.item.and_then(items::completed) else { return };
        let mut item = Item::new(id, kind, rec.place(source));
        item.timestamp = p.started_at_ms.and_then(items::rfc3339).or_else(|| rec.time());
        let turn_id = own(p.turn_id).unwrap_or_default();
        let pending = match self.by_id.get(&turn_id) {
            Some(&n) => &mut self.turns[n],
            None => self.early.entry(turn_id).or_insert_with_key(|id| new(id, rec.at)),
        };
        pending.upsert(seq, item);
    }
}

fn new(id: &str, at: Position) -> Pending {
    let mut pending = Pending::new(id, 0);
    pending.first = Some(at);
    pending
}

/// What is wrong with the ordinals of a file: Codex's projection stops for good at the first such place.
pub(super) fn ordinal_problems(recs: &[Rec<'_>]) -> Vec<(usize, Position, String)> {
    let mut problems = Vec::new();
    let mut last: Option<(usize, u64)> = None;
    for rec in recs {
        let Some(n) = rec.ordinal else { continue };
        if let Some((segment, before)) = last
            && segment == rec.segment
            && n != before + 1
            // A line that could not be read took its ordinal with it; that is told already.
            && !(rec.near_damage && n > before)
        {
            let what = match n.cmp(&before) {
                std::cmp::Ordering::Equal => format!("ordinal {n} stands twice"),
                std::cmp::Ordering::Less => format!("ordinal {n} stands behind {before}"),
                std::cmp::Ordering::Greater => format!("ordinal {n} follows {before}"),
            };
            problems.push((rec.segment, rec.at, what));
        }
        last = Some((rec.segment, n));
    }
    problems
}
