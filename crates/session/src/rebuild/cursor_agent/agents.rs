//! Sub-agents: conversations inside a chat's store.
//!
//! Where one stands (contract topic "subagents"): inside the root, in a blob that the root names, in the result of the
//! task tool as bare steps, or in a store of its own, which is a chat like any other. Each can have further ones.

use std::collections::HashSet;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::{Blobs, MAX_DEPTH};

use super::chat::Chat;
use crate::model::Subagent;

/// A sub-agent with a conversation in the store.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    pub(super) id: String,
    /// The bytes of its `SubagentPersistedState`.
    pub(super) state: Vec<u8>,
    /// The blob in which they stand.
    pub(super) blob: String,
    /// The agent or chat that started it.
    pub(super) parent: String,
    /// What the parent notes of its run.
    pub(super) run: Run,
}

/// What a root notes of a sub-agent's run.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// The call that started it.
    pub(super) call: Option<String>,
    /// Its title.
    pub(super) title: Option<String>,
    /// How it fares: `RUNNING`, `SUCCESS`, …
    pub(super) status: Option<String>,
}

impl Agent {
    pub(super) fn read(&self) -> Wire<'_> {
        Wire::read("SubagentPersistedState", &self.state)
    }

    /// Its kind: `explore`, or the name of a custom one.
    pub(super) fn kind(&self) -> Option<String> {
        kind(&self.read().message("subagent_type")?)
    }
}

/// The kind that a `SubagentType` names.
pub(super) fn kind(of: &Wire<'_>) -> Option<String> {
    let (table, case) = of.case_message("type")?;
    match table.name.as_str() {
        "unspecified" => None,
        "custom" => case.text("name").or_else(|| Some("custom".to_owned())),
        name => Some(name.to_owned()),
    }
}

/// All sub-agents below a root, at any depth, each once.
pub(super) fn all(chat: &Chat<'_>, root: &Wire<'_>, blob: &str, parent: &str) -> Vec<Agent> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    below(chat, root, blob, parent, 0, &mut seen, &mut found);
    found
}

fn below(
    chat: &Chat<'_>,
    root: &Wire<'_>,
    blob: &str,
    parent: &str,
    depth: usize,
    seen: &mut HashSet<String>,
    found: &mut Vec<Agent>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    for mut agent in direct(chat, root, blob) {
        // An id that comes again, in a circle or twice in a store, is the same agent.
        if !seen.insert(agent.id.clone()) {
            continue;
        }
        parent.clone_into(&mut agent.parent);
        found.push(agent.clone());
        if let Some(state) = agent.read().message("conversation_state") {
            below(chat, &state, &agent.blob, &agent.id, depth + 1, seen, found);
        }
    }
}

/// The sub-agents that a root holds or names itself.
fn direct(chat: &Chat<'_>, root: &Wire<'_>, blob: &str) -> Vec<Agent> {
    let runs = runs(root);
    let run = |id: &str| {
        runs.iter().find(|(agent, _)| agent.as_deref() == Some(id)).map(|(_, run)| run.clone())
    };
    let mut agents = Vec::new();
    for entry in root.entries("subagent_states") {
        agents.push(Agent {
            id: entry.key.to_string(),
            state: entry.bytes.to_vec(),
            blob: blob.to_owned(),
            parent: String::new(),
            run: run(&entry.key).unwrap_or_default(),
        });
    }
    for entry in root.entries("subagent_state_refs") {
        let at = entry.id();
        let Some(bytes) = chat.get(&at) else { continue };
        agents.push(Agent {
            id: entry.key.to_string(),
            state: bytes.into_owned(),
            blob: at,
            parent: String::new(),
            run: run(&entry.key).unwrap_or_default(),
        });
    }
    agents
}

/// The runs that a root notes, each with the agent's id where it is known.
pub(super) fn runs(root: &Wire<'_>) -> Vec<(Option<String>, Run)> {
    root.entries("subagent_runs_by_parent_tool_call_id")
        .map(|entry| {
            let state = entry.message();
            let call = state
                .text("parent_tool_call_id")
                .or_else(|| Some(entry.key.to_string()).filter(|key| !key.is_empty()));
            let run = Run {
                call,
                title: state.text("title"),
                status: state.value_name("status").map(Into::into),
            };
            (state.text("subagent_id"), run)
        })
        .collect()
}

/// The sub-agents of a thread for its lineage: first in the order of their calls, then those that only the root knows.
///
/// `calls` are the calls of agents in the thread, each with the agents that it started.
pub(super) fn lineage(
    chat: &Chat<'_>,
    root: &Wire<'_>,
    blob: &str,
    calls: &[(String, Vec<String>, Option<String>)],
    children: &[Subagent],
) -> Vec<Subagent> {
    let mut all: Vec<Subagent> = Vec::new();
    let mut add = |id: &str, call: Option<String>, name: Option<String>| {
        if let Some(known) = all.iter_mut().find(|a| a.id == id) {
            known.tool_call_id = known.tool_call_id.take().or(call);
            known.name = known.name.take().or(name);
        } else if !id.is_empty() {
            all.push(Subagent { id: id.to_owned(), tool_call_id: call, name });
        }
    };
    for (call, agents, name) in calls {
        for agent in agents {
            add(agent, Some(call.clone()), name.clone());
        }
    }
    for agent in direct(chat, root, blob) {
        let name = agent.run.title.clone().or_else(|| agent.kind());
        add(&agent.id, agent.run.call.clone(), name);
    }
    for (id, run) in runs(root) {
        if let Some(id) = id {
            add(&id, run.call, run.title);
        }
    }
    for child in children {
        add(&child.id, child.tool_call_id.clone(), child.name.clone());
    }
    all
}
