//! Sub-agents: their files, and the calls that started them.
//!
//! Three layouts: `subagents/agent-<id>.jsonl` below the session's folder with `agent-<id>.meta.json` beside it, any
//! number of folders in between, and, in builds before 2.1, `agent-<id>.jsonl` beside the session, which only the
//! result of the call names. Those builds also left files of agents that nobody asked for (`Warmup`).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use recount_formats::{Json, json, jsonl};

use super::prompt;
use super::transcript::Transcript;
use crate::model::Subagent;
use crate::rebuild::Companions;

/// The agents that a session's files tell of.
#[derive(Debug, Default)]
pub(super) struct Agents {
    agents: Vec<Agent>,
    by_call: HashMap<String, Vec<usize>>,
}

#[derive(Debug)]
struct Agent {
    id: String,
    call: Option<String>,
    name: Option<String>,
}

/// The id in the name of an agent's file.
pub(super) fn id_of(name: &str) -> Option<&str> {
    let file = name.rsplit('/').next()?;
    file.strip_prefix("agent-")?.strip_suffix(".jsonl").filter(|id| !id.is_empty())
}

impl Agents {
    /// Finds the agents of a session.
    pub(super) fn of(transcript: &Transcript<'_>, companions: &dyn Companions) -> Self {
        let mut found = Vec::new();
        let results = results(transcript);
        for name in companions.names() {
            let Some(id) = id_of(&name) else { continue };
            let meta = name
                .strip_suffix(".jsonl")
                .and_then(|stem| companions.read(&format!("{stem}.meta.json")));
            let meta = meta.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
            let meta = meta.and_then(|text| json::parse(text).ok()).unwrap_or(Json::NULL);
            let result = results.get(id);
            let call = meta
                .str("toolUseId")
                .map(Cow::into_owned)
                .or_else(|| result.map(|result| result.call.clone()));
            if call.is_none() && !name.contains('/') && is_warmup(companions, &name) {
                continue;
            }
            let name = ["name", "description", "agentType"]
                .iter()
                .find_map(|key| meta.str(key).filter(|text| !text.is_empty()))
                .map(Cow::into_owned)
                .or_else(|| result.and_then(|result| result.task.clone()));
            found.push(Agent { id: id.to_owned(), call, name });
        }
        // Agents whose files are gone.
        let with_file: HashSet<String> =
            found.iter().map(|agent: &Agent| agent.id.clone()).collect();
        for (id, result) in results.iter().filter(|(id, _)| !with_file.contains(&***id)) {
            let (call, name) = (Some(result.call.clone()), result.task.clone());
            found.push(Agent { id: id.to_string(), call, name });
        }
        // In the order of the calls; those that other agents started come last.
        let blocks = transcript.nodes.iter().flat_map(|node| &node.message.blocks);
        let calls = blocks.filter(|block| block.is_call());
        let order: HashMap<Cow<'_, str>, usize> =
            calls.enumerate().map(|(n, block)| (block.call(), n)).collect();
        found.sort_by_cached_key(|agent| {
            let place = agent.call.as_ref().and_then(|call| order.get(&**call).copied());
            (place.unwrap_or(usize::MAX), agent.id.clone())
        });
        let mut agents = Self::default();
        for agent in found {
            agents.add(agent);
        }
        agents
    }

    fn add(&mut self, agent: Agent) {
        if let Some(call) = &agent.call {
            self.by_call.entry(call.clone()).or_default().push(self.agents.len());
        }
        self.agents.push(agent);
    }

    /// The ids of the agents that a call started.
    pub(super) fn of_call(&self, call: &str) -> Vec<String> {
        let agents = self.by_call.get(call).into_iter().flatten();
        agents.map(|&n| self.agents[n].id.clone()).collect()
    }

    /// All of them for the lineage, or only those that calls of this transcript started.
    pub(super) fn lineage(&self, only: Option<&dyn Fn(&str) -> bool>) -> Vec<Subagent> {
        self.agents
            .iter()
            .filter(|agent| only.is_none_or(|only| agent.call.as_deref().is_some_and(only)))
            .map(|agent| Subagent {
                id: agent.id.clone(),
                tool_call_id: agent.call.clone(),
                name: agent.name.clone(),
            })
            .collect()
    }
}

/// What the result of a call says of an agent.
struct Started {
    call: String,
    task: Option<String>,
}

/// The agents that results of calls name, by their ids.
fn results<'a>(transcript: &Transcript<'a>) -> HashMap<Cow<'a, str>, Started> {
    let mut results = HashMap::new();
    for node in transcript.nodes.iter().filter(|node| node.message.has_tool_result) {
        let Some(details) = node.fields.get("toolUseResult").filter(|d| d.is_object()) else {
            continue;
        };
        let Some(id) = details.str("agentId").filter(|id| !id.is_empty()) else { continue };
        let Some(block) = node.message.blocks.iter().find(|block| block.is("tool_result")) else {
            continue;
        };
        let call = block.call();
        let task = details.str("description").map(Cow::into_owned);
        results.entry(id).or_insert(Started { call: call.into_owned(), task });
    }
    results
}

/// Whether the file is one of an agent that old builds started only to warm a cache.
fn is_warmup(companions: &dyn Companions, name: &str) -> bool {
    let Some(bytes) = companions.read(name) else { return false };
    let Some(line) = jsonl::lines(&bytes).next() else { return false };
    match line.parse() {
        jsonl::Body::Value(record) => record
            .at(&["message", "content"])
            .and_then(|content| prompt::first_text(Some(content)))
            .is_some_and(|text| text == "Warmup"),
        _ => false,
    }
}
