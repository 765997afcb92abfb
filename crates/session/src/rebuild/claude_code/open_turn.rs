//! A turn while it is filled, and how it ended.

use crate::model::{Turn, TurnError, TurnStatus};

/// A turn that is being filled.
pub(super) struct Open {
    pub(super) turn: Turn,
    /// Unix milliseconds of its first and its newest line.
    pub(super) started: Option<i64>,
    pub(super) last: Option<i64>,
    /// Milliseconds that the program measured itself.
    pub(super) duration: Option<i64>,
    /// Whether the program wrote that it ended.
    pub(super) ended: bool,
    pub(super) interrupted: bool,
    pub(super) error: Option<TurnError>,
    /// Whether a person or something else waits for an answer of the model.
    pub(super) asked: bool,
    pub(super) answered: Answered,
    /// Whether a call has no result.
    pub(super) unanswered: bool,
    /// Whether it was opened by a compaction whose command comes behind it.
    pub(super) awaits_command: bool,
}

/// How far the model got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    /// It said nothing yet, or only an error came back.
    No,
    /// It waits for results of its calls.
    Calls,
    /// It said all that it had to say.
    Done,
}

impl Answered {
    /// What the reason says for which a response stopped. Sub-agents and split lines of older builds lack it.
    pub(super) fn by(stop_reason: Option<&str>) -> Self {
        match stop_reason {
            Some("tool_use" | "pause_turn") => Self::Calls,
            _ => Self::Done,
        }
    }
}

impl Open {
    /// A turn that began at this time.
    pub(super) fn new(id: String, started: Option<i64>) -> Self {
        Self {
            turn: Turn::new(id),
            started,
            last: started,
            duration: None,
            ended: false,
            interrupted: false,
            error: None,
            asked: false,
            answered: Answered::No,
            unanswered: false,
            awaits_command: false,
        }
    }

    /// Tells of a line of this time.
    pub(super) fn saw(&mut self, milliseconds: i64) {
        self.started.get_or_insert(milliseconds);
        self.last = Some(self.last.map_or(milliseconds, |last| last.max(milliseconds)));
    }

    /// The turn, ended.
    pub(super) fn close(mut self, is_last: bool) -> Turn {
        self.turn.status = self.status(is_last);
        self.turn.error = self.error.take();
        self.turn.started_at = self.started.map(|ms| ms.div_euclid(1000));
        if self.turn.status != TurnStatus::InProgress {
            self.turn.completed_at = self.last.map(|ms| ms.div_euclid(1000));
            self.turn.duration_ms =
                self.duration.or_else(|| Some(self.last?.saturating_sub(self.started?)));
        }
        self.turn
    }

    /// Whether the model is in the middle of its work.
    pub(super) fn is_running(&self) -> bool {
        !self.ended && !self.interrupted && self.answered == Answered::Calls
    }

    fn status(&self, is_last: bool) -> TurnStatus {
        let unfinished = if is_last { TurnStatus::InProgress } else { TurnStatus::Interrupted };
        match self.answered {
            _ if self.interrupted => TurnStatus::Interrupted,
            _ if self.error.is_some() => TurnStatus::Failed,
            _ if self.ended => TurnStatus::Completed,
            _ if self.unanswered => unfinished,
            Answered::Calls => unfinished,
            Answered::No if self.asked => unfinished,
            Answered::No | Answered::Done => TurnStatus::Completed,
        }
    }
}
