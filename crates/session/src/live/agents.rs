//! Other agents: what happens to them, and calls of the tools by which an agent has others work.

use serde_json::{Map, Value, json};

use super::Misfit;
use crate::json::RawJson;
use crate::model::item::ItemStatus;

/// Something happened to a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentActivity {
    /// What.
    pub what: AgentEvent,
    /// The sub-agent's thread.
    pub thread_id: String,
    /// Its path among the agents: `/root/tester`.
    pub path: String,
    /// Its model.
    pub model: Option<String>,
    /// The effort it was asked for.
    pub reasoning_effort: Option<String>,
}

/// What can happen to a sub-agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentEvent {
    /// It was started.
    Started,
    /// It was spoken to.
    Interacted,
    /// It was broken off.
    Interrupted,
    /// It has done its work.
    Completed,
}

impl AgentEvent {
    /// As records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Interacted => "interacted",
            Self::Interrupted => "interrupted",
            Self::Completed => "completed",
        }
    }
}

/// A call of a tool by which an agent has others work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCall {
    /// The tool: one of [`TOOLS`].
    pub tool: String,
    /// How it ended.
    pub status: ItemStatus,
    /// The thread that called.
    pub sender_thread_id: String,
    /// The agents that it concerns.
    pub receivers: Vec<Receiver>,
    /// What was sent.
    pub prompt: Option<String>,
    /// The model that was asked for.
    pub model: Option<String>,
    /// The effort that was asked for.
    pub reasoning_effort: Option<String>,
    /// How each agent stood then: thread and state.
    pub states: Vec<(String, AgentState)>,
}

/// An agent that a call concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receiver {
    /// Its thread.
    pub thread_id: String,
    /// Its name for people.
    pub nickname: Option<String>,
    /// What it is for.
    pub role: Option<String>,
}

/// How an agent stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentState {
    /// It begins.
    Pending,
    /// It works.
    Running,
    /// It was broken off.
    Interrupted,
    /// It is done, with its last words.
    Completed(Option<String>),
    /// It failed.
    Failed(String),
    /// It was closed.
    Shutdown,
    /// There is none.
    NotFound,
}

/// The tools that Codex knows. It cannot read a record with another one.
pub const TOOLS: [&str; 9] = [
    "spawn_agent",
    "send_input",
    "resume_agent",
    "wait",
    "close_agent",
    "send_message",
    "followup_task",
    "interrupt_agent",
    "list_agents",
];

impl AgentCall {
    /// The agents that it concerns, as records have them.
    pub fn stored_receivers(&self) -> RawJson {
        let one = |r: &Receiver| json!({"thread_id": r.thread_id, "agent_nickname": r.nickname, "agent_role": r.role});
        RawJson::of(&self.receivers.iter().map(one).collect::<Vec<Value>>().into())
    }

    /// How the agents stood, as records have it.
    pub fn stored_states(&self) -> RawJson {
        let one = |(id, state): &(String, AgentState)| (id.clone(), state.stored());
        RawJson::of(&Value::Object(self.states.iter().map(one).collect::<Map<_, _>>()))
    }

    /// Whether Codex can read it.
    pub(super) fn check(&self) -> Result<(), Misfit> {
        if TOOLS.contains(&&*self.tool) {
            Ok(())
        } else {
            Err(Misfit::Unsupported("Codex knows no such tool for agents"))
        }
    }
}

impl AgentState {
    fn stored(&self) -> Value {
        match self {
            Self::Pending => json!("pending_init"),
            Self::Running => json!("running"),
            Self::Interrupted => json!("interrupted"),
            Self::Completed(words) => json!({"completed": words}),
            Self::Failed(message) => json!({"errored": message}),
            Self::Shutdown => json!("shutdown"),
            Self::NotFound => json!("not_found"),
        }
    }
}
