//! One conversation.

use recount_formats::{Finding, Harness};
use serde::Serialize;

use super::{Branch, Lineage, Responses, Turn, Usage};

/// What a thread is doing, as far as its transcript tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadStatus {
    /// Nothing is open.
    #[default]
    Idle,
    /// The last turn has no end: it runs, or its program was killed.
    Open,
    /// There is no turn.
    Empty,
}

/// How full the model's context is, for harnesses that keep this instead of usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContextTokens {
    /// Tokens in the context when the transcript was last written. No sum over time.
    pub used_tokens: u64,
    /// How many it holds.
    pub max_tokens: Option<u64>,
}

/// How much of one window of a rate limit was used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RateWindow {
    /// Percent that was used.
    pub used_percent: f64,
    /// Its length in minutes.
    pub window_minutes: Option<u64>,
    /// When it begins anew, in Unix seconds.
    pub resets_at: Option<i64>,
    /// Seconds until it begins anew, from when this was told.
    pub resets_in_seconds: Option<u64>,
}

/// The rate limits as they were last told, for harnesses that write them down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RateLimits {
    /// The short window.
    pub primary: Option<RateWindow>,
    /// The long window.
    pub secondary: Option<RateWindow>,
}

/// One conversation rebuilt from its records.
///
/// Times are RFC 3339 strings as the harness wrote them, where it wrote them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// The id that the harness uses for resuming.
    pub id: String,
    /// The harness that wrote it.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub harness: Harness,
    /// A name given by the person or the harness, else made from the first prompt by the harness's own rule.
    pub title: Option<String>,
    /// Working directory at the start.
    pub cwd: Option<String>,
    /// Branch of the working directory's repository at the start.
    pub git_branch: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// When the thread began.
    pub created_at: Option<String>,
    /// When its last record was written.
    pub updated_at: Option<String>,
    /// The first prompt, for lists.
    pub preview: Option<String>,
    /// What it is doing.
    pub status: ThreadStatus,
    /// Parents, sub-agents, forks and continuations.
    pub lineage: Lineage,
    /// How full the model's context is, where the harness keeps that.
    #[serde(rename = "contextTokens", skip_serializing_if = "Option::is_none")]
    pub context: Option<ContextTokens>,
    /// Tokens in the context at the last response of the branch, for harnesses that keep usage; how many it holds for those
    /// that tell it.
    #[serde(skip)]
    pub window: Option<ContextTokens>,
    /// The rate limits as they were last told.
    #[serde(skip)]
    pub rate_limits: Option<RateLimits>,
    /// The turns of the active branch.
    #[serde(skip)]
    pub turns: Vec<Turn>,
    /// The branches; a thread that is no tree has none or one.
    #[serde(skip)]
    pub branches: Vec<Branch>,
    /// Tokens of the thread, each response once.
    #[serde(skip)]
    pub usage: Usage,
    /// The responses that `usage` is the sum of.
    #[serde(skip)]
    pub responses: Responses,
    /// What was wrong or unknown in the input.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Thread {
    /// An empty thread, to be filled by a rebuild.
    pub fn new(harness: Harness, id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            harness,
            title: None,
            cwd: None,
            git_branch: None,
            model: None,
            created_at: None,
            updated_at: None,
            preview: None,
            status: ThreadStatus::default(),
            lineage: Lineage::default(),
            context: None,
            window: None,
            rate_limits: None,
            turns: Vec::new(),
            branches: Vec::new(),
            usage: Usage::default(),
            responses: Responses::default(),
            findings: Vec::new(),
        }
    }

    /// Takes the responses that count, and their sum.
    pub(crate) fn bill(&mut self, responses: Responses) {
        self.usage = responses.sum();
        self.responses = responses;
    }

    /// All items of the active branch in order.
    pub fn items(&self) -> impl Iterator<Item = &super::Item> {
        self.turns.iter().flat_map(|turn| &turn.items)
    }

    /// How many prompts a person typed on the active branch.
    pub fn prompts(&self) -> u64 {
        self.items().filter(|item| item.kind.is_prompt()).count() as u64
    }
}
