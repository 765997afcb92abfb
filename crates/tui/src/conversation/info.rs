//! What is known about a session beside its records.

use recount_formats::Harness;
use recount_session::model::{Branch, Subagent, Thread, ThreadStatus, Usage};
use recount_store::SessionHead;

use crate::worker::bill::Bill;

/// What is known about a thread beside its records.
#[derive(Debug, Clone)]
pub struct Info {
    /// Its id.
    pub id: String,
    /// Its harness.
    pub harness: Harness,
    /// Its title.
    pub title: String,
    /// Where it ran.
    pub cwd: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// How many turns it has.
    pub turns: usize,
    /// Tokens, each response once.
    pub usage: Usage,
    /// Tokens in the context, and how many it holds, by the session itself.
    pub context: Option<(u64, Option<u64>)>,
    /// What it cost, and how much its model holds, once that is known.
    pub bill: Option<Bill>,
    /// Ways through it.
    pub branches: Vec<Branch>,
    /// The threads that it started.
    pub subagents: Vec<Subagent>,
    /// Whether its last turn has no end.
    pub open: bool,
}

impl Info {
    /// How full the context is: tokens in it, and how many it holds. The price data knows most models; a number that is too
    /// small for what is in it belongs to a model with a larger context of the same name.
    pub fn fill(&self) -> Option<(u64, Option<u64>)> {
        let (used, told) = self.context.filter(|(used, _)| *used > 0)?;
        let known = self.bill.and_then(|b| b.window).filter(|most| *most >= used);
        Some((used, told.or(known)))
    }

    /// US dollars, and whether some of it is not known.
    pub fn cost(&self) -> Option<(f64, bool)> {
        match self.bill {
            Some(bill) => bill.cost.map(|cost| (cost, bill.more)),
            None => self.usage.cost_usd.map(|cost| (cost, false)),
        }
        .filter(|(cost, _)| *cost > 0.0)
    }

    /// What a thread tells.
    pub fn of(thread: &Thread) -> Self {
        Self {
            id: thread.id.clone(),
            harness: thread.harness,
            title: thread.title.clone().or_else(|| thread.preview.clone()).unwrap_or_default(),
            cwd: thread.cwd.clone(),
            model: thread.model.clone(),
            turns: thread.turns.len(),
            usage: thread.usage,
            context: thread.context.or(thread.window).map(|c| (c.used_tokens, c.max_tokens)),
            bill: None,
            branches: thread.branches.clone(),
            subagents: thread.lineage.subagents.clone(),
            open: thread.status == ThreadStatus::Open,
        }
    }
}

/// A session that was read, with its records in one form or another.
#[derive(Debug)]
pub struct Loaded<R> {
    /// Where it is.
    pub head: SessionHead,
    /// The branch that was asked for.
    pub leaf: Option<String>,
    /// What is known about it.
    pub info: Info,
    /// Its records.
    pub records: R,
}
