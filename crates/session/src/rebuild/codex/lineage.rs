//! How a thread is related to others.

use std::collections::HashMap;

use recount_formats::Json;

use super::record::{Rec, Top};
use crate::model::{ItemKind, Subagent, Thread, Turn};
use crate::rebuild::Input;

/// What agents were asked and told. It stands in the calls that did it alone, whose ids the items have (corpus:
/// `subagents-v2-paginated`).
pub(super) fn messages(turns: &mut [Turn], recs: &[Rec<'_>]) {
    let mut open: HashMap<&str, &mut Option<String>> = HashMap::new();
    for item in turns.iter_mut().flat_map(|turn| &mut turn.items) {
        if let ItemKind::SubAgentActivity { message, .. } = &mut item.kind {
            open.insert(&item.id, message);
        }
    }
    if open.is_empty() {
        return;
    }
    for rec in recs.iter().filter(|rec| rec.top == Top::ResponseItem && rec.tag == "function_call")
    {
        let Some(call) = rec.payload.str("call_id") else { continue };
        let Some(message) = open.get_mut(&*call) else { continue };
        let arguments = rec.payload.str("arguments").unwrap_or_default();
        let arguments = recount_formats::json::parse(&arguments).unwrap_or(Json::NULL);
        **message = arguments.str("message").map(std::borrow::Cow::into_owned);
    }
}

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
