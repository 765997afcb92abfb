//! What lists show of a session.

use std::path::PathBuf;

use recount_formats::{Finding, Harness};
use serde::Serialize;

/// What a list shows of a session: known from the head and tail of its file and from the harness's own
/// databases, without reading the rest. What these cannot tell is `None`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionHead {
    /// The id that the harness uses for resuming; for a sub-agent the id that `recount show` takes.
    pub id: String,
    /// The harness.
    pub harness: Harness,
    /// Given name, else generated title, else the first prompt by the harness's own rule.
    pub title: Option<String>,
    /// Working directory.
    pub cwd: Option<String>,
    /// When it began, RFC 3339.
    pub created_at: Option<String>,
    /// When it was last written, RFC 3339.
    pub updated_at: Option<String>,
    /// The last model that the tail names.
    pub model: Option<String>,
    /// The transcript's file or database.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub size: u64,
    /// Number of turns.
    pub turns: Option<u64>,
    /// Number of prompts that a person typed.
    pub human_prompts: Option<u64>,
    /// The thread that started this one.
    pub parent_id: Option<String>,
    /// The thread that this one was copied from.
    pub forked_from_id: Option<String>,
    /// Whether another agent started it.
    pub is_subagent: bool,
    /// Whether it was archived.
    pub archived: bool,
    /// How many findings are known.
    pub findings: Option<u64>,
    /// The store's root.
    #[serde(skip)]
    pub root: PathBuf,
    /// Findings that were made on the way.
    #[serde(skip)]
    pub found: Vec<Finding>,
}

impl SessionHead {
    /// A head of which only the place is known.
    pub fn new(harness: Harness, id: impl Into<String>, path: PathBuf, root: PathBuf) -> Self {
        Self {
            id: id.into(),
            harness,
            title: None,
            cwd: None,
            created_at: None,
            updated_at: None,
            model: None,
            path,
            size: 0,
            turns: None,
            human_prompts: None,
            parent_id: None,
            forked_from_id: None,
            is_subagent: false,
            archived: false,
            findings: None,
            root,
            found: Vec::new(),
        }
    }
}
