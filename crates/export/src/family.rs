//! A thread with its branches, and the threads that belong to it.

use std::collections::{HashMap, HashSet};

use recount_session::model::{Aside, Item, ItemKind, Subagent, Thread};

/// A thread and what its other branches have beyond it.
#[derive(Debug, Clone)]
pub struct Whole {
    /// The thread: its active branch.
    pub thread: Thread,
    /// The other branches, as far as they were read.
    pub asides: Vec<Aside>,
}

impl From<Thread> for Whole {
    fn from(thread: Thread) -> Self {
        Self { thread, asides: Vec::new() }
    }
}

/// Gives other threads by id. A thread is asked for when its place in the output has come, and let go after it.
pub trait Family {
    /// The thread with this id, where there is one.
    fn thread(&self, id: &str) -> Option<Whole>;
}

/// No other threads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Family for Alone {
    fn thread(&self, _id: &str) -> Option<Whole> {
        None
    }
}

/// The sub-agents that an item started.
pub fn started_by<'a>(thread: &'a Thread, item: &Item) -> impl Iterator<Item = &'a Subagent> {
    let named = named(item);
    thread.lineage.subagents.iter().filter(move |agent| {
        agent.tool_call_id.as_deref() == Some(&item.id) || named.contains(&agent.id)
    })
}

/// The threads that an item names as begun by it.
fn named(item: &Item) -> &[String] {
    match &item.kind {
        ItemKind::CollabAgentToolCall { tool, receiver_thread_ids, .. } if tool == "spawnAgent" => {
            receiver_thread_ids
        }
        ItemKind::SubAgentActivity { kind, agent_thread_id, .. } if kind == "started" => {
            std::slice::from_ref(agent_thread_id)
        }
        _ => &[],
    }
}

/// How deep threads stand in threads. Real ones start agents that start agents, and hardly more.
const DEEPEST: usize = 8;

/// Which sub-agents stand at which place of a thread, each once.
pub(crate) struct Nest<'a> {
    family: &'a dyn Family,
    /// The threads on the way down to here.
    above: Vec<String>,
    by_call: HashMap<&'a str, Vec<&'a Subagent>>,
    all: &'a [Subagent],
    written: HashSet<&'a str>,
}

/// A sub-agent that has its place here.
pub(crate) struct Nested<'a> {
    pub(crate) agent: &'a Subagent,
    /// Its thread; nothing when it is not there or stands above already.
    pub(crate) whole: Option<Whole>,
}

impl<'a> Nest<'a> {
    /// The sub-agents of a thread, where they are wanted.
    pub(crate) fn of(
        thread: &'a Thread,
        family: &'a dyn Family,
        above: &[String],
        wanted: bool,
    ) -> Self {
        let all: &[Subagent] = if wanted { &thread.lineage.subagents } else { &[] };
        let mut by_call: HashMap<&str, Vec<&Subagent>> = HashMap::new();
        for agent in all {
            if let Some(call) = &agent.tool_call_id {
                by_call.entry(call).or_default().push(agent);
            }
        }
        let mut above = above.to_vec();
        above.push(thread.id.clone());
        Self { family, above, by_call, all, written: HashSet::new() }
    }

    /// The ids of the threads on the way down to those in this one.
    pub(crate) fn above(&self) -> &[String] {
        &self.above
    }

    /// The sub-agents that an item started and that were not written yet.
    pub(crate) fn at(&mut self, item: &Item) -> Vec<&'a Subagent> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let mut here: Vec<&'a Subagent> =
            self.by_call.get(item.id.as_str()).cloned().unwrap_or_default();
        let named = named(item).iter();
        here.extend(named.filter_map(|id| self.all.iter().find(|agent| agent.id == *id)));
        here.retain(|agent| self.written.insert(&agent.id));
        here
    }

    /// The sub-agents that no item has started.
    pub(crate) fn rest(&mut self) -> Vec<&'a Subagent> {
        let mut rest: Vec<&'a Subagent> = self.all.iter().collect();
        rest.retain(|agent| self.written.insert(&agent.id));
        rest
    }

    /// Reads the thread of a sub-agent.
    pub(crate) fn open(&self, agent: &'a Subagent) -> Nested<'a> {
        let known = self.above.contains(&agent.id) || self.above.len() > DEEPEST;
        let whole = if known { None } else { self.family.thread(&agent.id) };
        Nested { agent, whole }
    }
}
