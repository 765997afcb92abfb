//! What lists show of a session.

use std::path::PathBuf;

use jiff::Timestamp;
use recount_formats::{Finding, Harness};
use recount_session::RawJson;
use serde::Serialize;

/// A session that was written to so recently, in seconds, is taken to be alive.
const ALIVE: i64 = 120;

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
    /// What a thread server tells beyond a list.
    #[serde(skip)]
    pub origin: Origin,
}

/// Who made a session and under what circumstances, as its header and the harness's own database tell. Lists show
/// none of it; a thread server does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Origin {
    /// Whether the header tells name, first prompt and source apart. Where it does not, the title is all there is.
    pub is_told: bool,
    /// The session at the root of the tree of agents that this one belongs to.
    pub session_id: Option<String>,
    /// How the harness keeps the history, where it has several ways: `legacy` or `paginated`.
    pub history_mode: Option<String>,
    /// The provider of the model.
    pub model_provider: Option<String>,
    /// The effort that the model was asked for last.
    pub reasoning_effort: Option<String>,
    /// The version of the program that began the session.
    pub version: Option<String>,
    /// The program that began it.
    pub originator: Option<String>,
    /// How it was begun, as the header spells it (`"cli"`, `{"subagent": …}`).
    pub source: Option<RawJson>,
    /// A coarser word for that.
    pub thread_source: Option<String>,
    /// The repository at the start.
    pub git: Option<Git>,
    /// The name that a person gave. `SessionHead::title` may be one that was made from the first prompt.
    pub name: Option<String>,
    /// The first prompt that the session has ever had.
    pub preview: Option<String>,
    /// Whether a prompt stands in the session's own files, as far as a list looks into them.
    pub has_prompt: bool,
    /// What a sub-agent is called.
    pub agent_nickname: Option<String>,
    /// The role of a sub-agent.
    pub agent_role: Option<String>,
}

/// A repository as it was when a session began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Git {
    /// The commit.
    pub sha: Option<String>,
    /// The branch.
    pub branch: Option<String>,
    /// The address it was cloned from.
    pub origin_url: Option<String>,
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
            origin: Origin::default(),
        }
    }

    /// Whether somebody seems to be at work in it: it was written to just now, as its harness's own times tell.
    pub fn is_live(&self, now: Timestamp) -> bool {
        let written = self.updated_at.as_deref().and_then(|t| t.parse::<Timestamp>().ok());
        written.is_some_and(|t| now.duration_since(t).as_secs().abs() < ALIVE)
    }
}
