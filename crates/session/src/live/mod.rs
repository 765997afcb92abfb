//! A thread while it runs: events in, changes of the view out, so that a UI never draws a thread anew.
//!
//! Pure like a rebuild. [`Live`] holds two threads: [`Live::turns`] is what a person sees now, with what is still
//! running; [`Live::stored`] is what the rollout gives that the recorder writes of the same events, which depends on the
//! [`Mode`]: legacy rollouts number their items and lose some. A test holds it against the rebuild.
//!
//! - [`event`]: what an agent tells
//! - [`agents`], [`review`]: what it tells of other agents and of reviews
//! - [`plan`]: plans in streamed text
//! - [`cut`]: output that is too long to be kept
//! - [`stored`]: what a rollout keeps
//! - [`kind`]: items as people see them

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use recount_formats::Position;

use crate::json::RawJson;
use crate::model::item::{At, ItemStatus};
use crate::model::{Item, ItemKind, Turn, TurnError, TurnStatus};
use crate::rebuild::codex::render;

pub mod agents;
pub mod cut;
pub mod event;
mod kind;
pub mod plan;
pub mod review;
mod stored;
#[cfg(test)]
mod tests;

use agents::AgentCall;
pub use event::{Event, Input, LiveError, LiveItem, LiveKind, TextElement};
pub use kind::joined;
use plan::{Piece, PlanParser};
use stored::Stored;

/// How a rollout keeps a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Legacy: messages, reasoning, plans.
    Limited,
    /// Legacy with tool calls, commands' output cut to [`cut::COMMAND`].
    Extended,
    /// Numbered records and every item, output cut to [`cut::ITEM`].
    #[default]
    Paginated,
}

/// A change of the view. Applied in order to what was there they give [`Live::turns`].
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A turn was added at the end. It has no items yet.
    TurnAdded(Turn),
    /// A turn's own fields changed; its items are left out here and stay.
    TurnChanged(Turn),
    /// The last turns are gone.
    TurnsRemoved(Vec<String>),
    /// An item was added at the end of a turn.
    ItemAdded {
        /// The turn.
        turn_id: String,
        /// The item.
        item: Item,
    },
    /// An item is another now.
    ItemChanged {
        /// The turn.
        turn_id: String,
        /// The item, in the place of the one with its id.
        item: Item,
    },
    /// Text was appended to an answer or a plan.
    TextAppended {
        /// The turn.
        turn_id: String,
        /// The item.
        item_id: String,
        /// The text.
        delta: String,
    },
    /// An item is gone.
    ItemRemoved {
        /// The turn.
        turn_id: String,
        /// The item.
        item_id: String,
    },
}

/// An event that does not fit: nothing changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// No turn is open.
    NoTurn,
    /// A turn is open.
    TurnOpen,
    /// There is, or was, a turn with this id.
    TurnKnown(String),
    /// There is no turn with this id.
    NoSuchTurn(String),
    /// The turn has completed this item already.
    ItemKnown(String),
    /// An id is empty.
    NoId,
    /// The item is not over.
    NotOver(String),
    /// A span does not lie in its text, or cuts a character.
    BadSpan,
    /// A file stands twice in one change.
    FileTwice(String),
    /// The thread's rollout cannot say this.
    Unsupported(&'static str),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTurn => f.write_str("no turn is open"),
            Self::TurnOpen => f.write_str("a turn is open"),
            Self::TurnKnown(id) => write!(f, "there is a turn `{id}` already"),
            Self::NoSuchTurn(id) => write!(f, "there is no turn `{id}`"),
            Self::ItemKnown(id) => write!(f, "item `{id}` is complete already"),
            Self::NoId => f.write_str("an id is empty"),
            Self::NotOver(id) => write!(f, "item `{id}` is not over"),
            Self::BadSpan => f.write_str("a span does not lie in its text"),
            Self::FileTwice(path) => write!(f, "{path} stands twice in one change"),
            Self::Unsupported(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Misfit {}

/// When a turn began and ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Unix seconds.
    pub started_at: i64,
    /// Unix seconds.
    pub completed_at: i64,
    /// Milliseconds.
    pub duration_ms: i64,
}

/// The turn that is running.
#[derive(Debug, Clone, Default)]
struct Open {
    plan_mode: bool,
    started_at_ms: i64,
    /// Items that are shown and not complete.
    running: HashSet<String>,
    complete: HashSet<String>,
    parsers: HashMap<String, PlanParser>,
}

/// A running thread.
#[derive(Debug, Clone)]
pub struct Live {
    mode: Mode,
    cwd: Option<String>,
    turns: Vec<Turn>,
    /// Ids of turns, of those too that are gone.
    known: HashSet<String>,
    open: Option<Open>,
    stored: Stored,
    at: At,
}

impl Live {
    /// A thread without turns in the working directory `cwd`.
    pub fn new(mode: Mode, cwd: Option<String>) -> Self {
        Self::resume(mode, cwd, Vec::new(), 1)
    }

    /// A thread that goes on. `turns` are those of its rebuild without recovered items, `next_item` the number that its
    /// next item without an id of its own gets in a legacy rollout (see [`crate::rebuild::codex::Layout`]).
    pub fn resume(mode: Mode, cwd: Option<String>, turns: Vec<Turn>, next_item: usize) -> Self {
        Self {
            mode,
            cwd,
            known: turns.iter().map(|t| t.id.clone()).collect(),
            open: None,
            stored: Stored::new(mode, turns.clone(), next_item),
            turns,
            at: At::line(&Arc::from("live"), Position::WHOLE),
        }
    }

    /// What a person sees.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// What the rollout gives.
    pub fn stored(&self) -> &[Turn] {
        &self.stored.turns
    }

    /// How the rollout keeps it.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The turn that is running.
    pub fn open_turn(&self) -> Option<&Turn> {
        self.open.as_ref().and(self.turns.last())
    }

    /// The times of the open turn if it ends now.
    pub fn times(&self, at_ms: i64) -> Option<Times> {
        let started = self.open.as_ref()?.started_at_ms;
        Some(Times {
            started_at: started.div_euclid(1000),
            completed_at: at_ms.div_euclid(1000),
            duration_ms: at_ms.saturating_sub(started).max(0),
        })
    }

    /// What an answer says without the plan in it, where plans may be proposed.
    pub fn without_plan(&self, answer: &str) -> String {
        let plan_mode = self.open.as_ref().is_some_and(|o| o.plan_mode);
        if plan_mode { plan::split(answer).0 } else { answer.to_owned() }
    }

    /// What a completed item is kept as: an answer in plan mode is its text and the plan in it.
    pub fn kept(&self, item: &LiveItem) -> Vec<LiveItem> {
        let (Some(open), Some(turn)) = (&self.open, self.turns.last()) else { return Vec::new() };
        let mut all = Vec::new();
        match &item.kind {
            LiveKind::AgentMessage { text, phase } if open.plan_mode => {
                let (text, plan) = plan::split(text);
                if let Some(plan) = plan.filter(|p| !p.is_empty()) {
                    all.push(LiveItem { id: plan_id(&turn.id), kind: LiveKind::Plan(plan) });
                }
                if !text.trim().is_empty() {
                    let kind = LiveKind::AgentMessage { text, phase: phase.clone() };
                    all.push(LiveItem { id: item.id.clone(), kind });
                }
            }
            LiveKind::Plan(text) if text.is_empty() => {}
            _ => all.push(item.clone()),
        }
        all
    }

    /// Whether an event fits.
    pub fn check(&self, event: &Event) -> Result<(), Misfit> {
        let open = self.open.as_ref();
        match event {
            Event::TurnStarted { turn_id, .. } => {
                if open.is_some() {
                    return Err(Misfit::TurnOpen);
                }
                if turn_id.is_empty() {
                    return Err(Misfit::NoId);
                }
                if self.known.contains(turn_id) {
                    return Err(Misfit::TurnKnown(turn_id.clone()));
                }
            }
            Event::RolledBack { .. } | Event::Reverted { .. } if open.is_some() => {
                return Err(Misfit::TurnOpen);
            }
            Event::RolledBack { turns: 0 } => {
                return Err(Misfit::Unsupported("a rollback takes at least one turn away"));
            }
            Event::Reverted { .. } if self.mode != Mode::Paginated => {
                return Err(Misfit::Unsupported("legacy rollouts have no revert"));
            }
            Event::Reverted { before } => {
                if !self.turns.iter().any(|t| t.id == *before) {
                    return Err(Misfit::NoSuchTurn(before.clone()));
                }
            }
            // The settings and the model's own records may stand outside of turns.
            Event::RolledBack { .. }
            | Event::Settings(_)
            | Event::Context(_)
            | Event::Response(_)
            | Event::Tokens(_) => {}
            _ => {
                let open = open.ok_or(Misfit::NoTurn)?;
                match event {
                    Event::ItemStarted(item) => fits(open, &item.id)?,
                    Event::TextDelta { item_id, .. } | Event::Compacted { item_id, .. } => {
                        fits(open, item_id)?;
                    }
                    Event::ItemCompleted(item) => {
                        fits(open, &item.id)?;
                        complete(item)?;
                    }
                    Event::TurnCompleted { error: Some(error), .. } => known_code(error)?,
                    Event::TurnAborted { reason, .. } if !REASONS.contains(&&**reason) => {
                        return Err(Misfit::Unsupported("Codex knows no such reason"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Takes an event; tells what changed in the view.
    pub fn apply(&mut self, event: &Event) -> Result<Vec<Change>, Misfit> {
        self.check(event)?;
        let mut out = Vec::new();
        match event {
            Event::TurnStarted { turn_id, at_ms, plan_mode } => {
                let mut turn = Turn::new(turn_id.clone());
                turn.started_at = Some(at_ms.div_euclid(1000));
                turn.root_turn_id = Some(turn_id.clone());
                self.known.insert(turn_id.clone());
                self.open =
                    Some(Open { plan_mode: *plan_mode, started_at_ms: *at_ms, ..Open::default() });
                self.stored.turns.push(turn.clone());
                self.turns.push(turn.clone());
                out.push(Change::TurnAdded(turn));
            }
            Event::TextDelta { item_id, delta } => self.delta(&mut out, item_id, delta),
            Event::ItemStarted(item) => {
                let kind = item.kind.shown(self.cwd.as_deref());
                self.put(&mut out, &item.id, kind, false);
            }
            Event::ItemCompleted(item) => {
                let kept = self.kept(item);
                if let Some(open) = &mut self.open {
                    open.parsers.remove(&item.id);
                    open.complete.insert(item.id.clone());
                }
                if kept.iter().all(|k| k.id != item.id) {
                    self.remove(&mut out, &item.id);
                }
                for item in kept {
                    let kind = item.kind.shown(self.cwd.as_deref());
                    self.put(&mut out, &item.id, kind, true);
                    self.stored.item(&item, self.cwd.as_deref(), &self.at);
                }
            }
            Event::Compacted { item_id, message, .. } => {
                let summary = Some(message.clone()).filter(|m| !m.trim().is_empty());
                let kind = ItemKind::ContextCompaction { summary, trigger: None };
                if let Some(open) = &mut self.open {
                    open.complete.insert(item_id.clone());
                }
                self.stored.compaction(item_id, kind.clone(), &self.at);
                self.put(&mut out, item_id, kind, true);
            }
            Event::TurnCompleted { at_ms, error, .. } => {
                let status =
                    if error.is_some() { TurnStatus::Failed } else { TurnStatus::Completed };
                self.end(&mut out, *at_ms, status, error.as_ref().map(shown_error).as_ref());
            }
            Event::TurnAborted { at_ms, .. } => {
                self.end(&mut out, *at_ms, TurnStatus::Interrupted, None);
            }
            Event::RolledBack { turns } => {
                let count = usize::try_from(*turns).unwrap_or(usize::MAX);
                self.shorten(&mut out, self.turns.len().saturating_sub(count));
            }
            Event::Reverted { before } => {
                let kept = self.turns.iter().position(|t| t.id == *before);
                self.shorten(&mut out, kept.unwrap_or(self.turns.len()));
            }
            Event::Response(_) | Event::Context(_) | Event::Settings(_) | Event::Tokens(_) => {}
        }
        Ok(out)
    }

    /// Takes streamed text apart.
    fn delta(&mut self, out: &mut Vec<Change>, item_id: &str, delta: &str) {
        let Some(open) = &mut self.open else { return };
        let Some(turn) = self.turns.last() else { return };
        let plan = plan_id(&turn.id);
        let pieces = if open.plan_mode {
            open.parsers.entry(item_id.to_owned()).or_default().push(delta)
        } else {
            vec![Piece::Text(delta.to_owned())]
        };
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    self.append(out, item_id, &text, |text| kind::agent_message(text, None));
                }
                Piece::PlanStart => {
                    self.put(out, &plan, ItemKind::Plan { text: String::new() }, false);
                }
                Piece::Plan(text) => {
                    self.append(out, &plan, &text, |text| ItemKind::Plan { text: text.to_owned() });
                }
                Piece::PlanEnd => {}
            }
        }
    }

    fn append(
        &mut self,
        out: &mut Vec<Change>,
        id: &str,
        text: &str,
        new: impl Fn(&str) -> ItemKind,
    ) {
        let Some(turn) = self.turns.last_mut() else { return };
        let known = turn.items.iter_mut().find(|i| i.id == id);
        match known.map(|i| &mut i.kind) {
            Some(ItemKind::AgentMessage { text: so_far, .. } | ItemKind::Plan { text: so_far }) => {
                so_far.push_str(text);
                out.push(Change::TextAppended {
                    turn_id: turn.id.clone(),
                    item_id: id.to_owned(),
                    delta: text.to_owned(),
                });
            }
            _ => self.put(out, id, new(text), false),
        }
    }

    /// Shows an item in the open turn.
    fn put(&mut self, out: &mut Vec<Change>, id: &str, kind: ItemKind, complete: bool) {
        let (Some(open), Some(turn)) = (&mut self.open, self.turns.last_mut()) else { return };
        if complete {
            open.running.remove(id);
        } else {
            open.running.insert(id.to_owned());
        }
        let item = Item::new(id, kind, self.at.clone());
        let turn_id = turn.id.clone();
        if let Some(there) = turn.items.iter_mut().find(|i| i.id == id) {
            there.clone_from(&item);
            out.push(Change::ItemChanged { turn_id, item });
        } else {
            turn.items.push(item.clone());
            out.push(Change::ItemAdded { turn_id, item });
        }
    }

    fn remove(&mut self, out: &mut Vec<Change>, id: &str) {
        let Some(turn) = self.turns.last_mut() else { return };
        let before = turn.items.len();
        turn.items.retain(|i| i.id != id);
        if turn.items.len() < before {
            out.push(Change::ItemRemoved { turn_id: turn.id.clone(), item_id: id.to_owned() });
        }
        if let Some(open) = &mut self.open {
            open.running.remove(id);
        }
    }

    /// Ends the open turn. What was not completed is not kept, and goes.
    fn end(
        &mut self,
        out: &mut Vec<Change>,
        at_ms: i64,
        status: TurnStatus,
        error: Option<&TurnError>,
    ) {
        let running: Vec<String> = self.open.iter().flat_map(|o| o.running.clone()).collect();
        for id in running {
            // A plan that was complete and was being replaced stays as it was.
            match self.stored.plan(&id) {
                Some(kind) => self.put(out, &id, kind, true),
                None => self.remove(out, &id),
            }
        }
        let times = self.times(at_ms).unwrap_or_default();
        self.open = None;
        for turn in [self.turns.last_mut(), self.stored.turns.last_mut()].into_iter().flatten() {
            turn.status = status;
            turn.error = error.cloned();
            turn.completed_at = Some(times.completed_at);
            turn.duration_ms = Some(times.duration_ms);
        }
        if let Some(turn) = self.turns.last() {
            out.push(Change::TurnChanged(Turn { items: Vec::new(), ..turn.clone() }));
        }
    }

    fn shorten(&mut self, out: &mut Vec<Change>, kept: usize) {
        let gone: Vec<String> = self.turns.drain(kept..).map(|t| t.id).collect();
        self.stored.shorten(kept);
        if !gone.is_empty() {
            out.push(Change::TurnsRemoved(gone));
        }
    }
}

/// The id of the plan of a turn, as Codex makes it.
fn plan_id(turn: &str) -> String {
    format!("{turn}-plan")
}

fn shown_error(error: &LiveError) -> TurnError {
    TurnError {
        message: error.message.clone(),
        codex_error_info: error.code.as_ref().map(|c| RawJson::string(&render::camel(c))),
        additional_details: None,
    }
}

/// Why turns are broken off. Codex cannot read a record with another reason.
const REASONS: [&str; 4] = ["interrupted", "replaced", "review_ended", "budget_limited"];

/// Codex's classes of errors that consist of a name. It cannot read a record with another one.
const CODES: [&str; 15] = [
    "context_window_exceeded",
    "session_budget_exceeded",
    "usage_limit_exceeded",
    "rate_limit_exceeded",
    "flex_unavailable",
    "server_overloaded",
    "cyber_policy",
    "misalignment_policy_violation",
    "too_many_denials",
    "internal_server_error",
    "unauthorized",
    "bad_request",
    "thread_rollback_failed",
    "sandbox_error",
    "other",
];

fn known_code(error: &LiveError) -> Result<(), Misfit> {
    match &error.code {
        Some(code) if !CODES.contains(&&**code) => {
            Err(Misfit::Unsupported("Codex knows no such class of errors"))
        }
        _ => Ok(()),
    }
}

/// Whether an item of the open turn can still change.
fn fits(open: &Open, id: &str) -> Result<(), Misfit> {
    if id.is_empty() {
        Err(Misfit::NoId)
    } else if open.complete.contains(id) {
        Err(Misfit::ItemKnown(id.to_owned()))
    } else {
        Ok(())
    }
}

/// Whether a completed item is one.
fn complete(item: &LiveItem) -> Result<(), Misfit> {
    if !item.kind.is_over() {
        return Err(Misfit::NotOver(item.id.clone()));
    }
    match &item.kind {
        LiveKind::UserMessage(content) => {
            for input in content {
                let Input::Text { text, elements } = input else { continue };
                if elements.iter().any(|e| text.get(e.start..e.end).is_none()) {
                    return Err(Misfit::BadSpan);
                }
            }
        }
        LiveKind::FileChange { changes, .. } => {
            let mut seen = HashSet::new();
            if let Some(twice) = changes.iter().find(|c| !seen.insert(&c.path)) {
                return Err(Misfit::FileTwice(twice.path.clone()));
            }
        }
        LiveKind::Dynamic { status: ItemStatus::Declined, .. }
        | LiveKind::AgentCall(AgentCall { status: ItemStatus::Declined, .. }) => {
            return Err(Misfit::Unsupported("such a call cannot be declined, only fail"));
        }
        LiveKind::AgentCall(call) => call.check()?,
        LiveKind::ReviewExited(Some(review)) => review.check()?,
        _ => {}
    }
    Ok(())
}
