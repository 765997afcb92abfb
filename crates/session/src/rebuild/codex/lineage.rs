//! How a thread is related to others.

use crate::model::{ItemKind, Subagent, Thread};
use crate::rebuild::Input;

/// The threads that this one started: from its own items, and as the store knows them.
pub(super) fn subagents(thread: &mut Thread, input: &Input<'_>) {
    let mut children: Vec<Subagent> = Vec::new();
    let mut add = |id: &str, call: Option<&str>, name: Option<&str>| {
        if id.is_empty() {
            return;
        }
        match children.iter_mut().find(|c| c.id == id) {
            Some(known) => {
                known.tool_call_id = known.tool_call_id.take().or(call.map(str::to_owned));
                known.name = known.name.take().or(name.map(str::to_owned));
            }
            None => children.push(Subagent {
                id: id.to_owned(),
                tool_call_id: call.map(str::to_owned),
                name: name.map(str::to_owned),
            }),
        }
    };
    for item in thread.items() {
        match &item.kind {
            ItemKind::SubAgentActivity { kind, agent_thread_id, agent_path, .. } => {
                let call = (kind == "started").then_some(item.id.as_str());
                add(agent_thread_id, call, Some(agent_path.as_str()).filter(|p| !p.is_empty()));
            }
            ItemKind::CollabAgentToolCall { tool, receiver_thread_ids, .. } => {
                for id in receiver_thread_ids {
                    add(id, (tool == "spawnAgent").then_some(item.id.as_str()), None);
                }
            }
            _ => {}
        }
    }
    for child in &input.facts.children {
        add(&child.id, child.tool_call_id.as_deref(), child.name.as_deref());
    }
    children.retain(|c| c.id != thread.id);
    thread.lineage.subagents = children;
}
