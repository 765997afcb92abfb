//! How threads are related.

use serde::Serialize;

/// A thread that another one started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Subagent {
    /// Its id, as `recount show` takes it.
    pub id: String,
    /// The call in the parent that started it.
    pub tool_call_id: Option<String>,
    /// Its name, kind or short task.
    pub name: Option<String>,
}

/// How a thread is related to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lineage {
    /// The thread that started this one.
    pub parent_id: Option<String>,
    /// The thread that this one was copied from.
    pub forked_from_id: Option<String>,
    /// The threads that this one started.
    pub subagents: Vec<Subagent>,
    /// The thread that took over from this one.
    pub continued_in: Option<String>,
}
