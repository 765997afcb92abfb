//! The harnesses whose transcripts are read.

use serde::Serialize;

/// An agent program that writes transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harness {
    /// OpenAI's Codex.
    Codex,
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// Cursor's command line agent.
    CursorAgent,
    /// opencode.
    Opencode,
    /// pi.
    Pi,
}

impl Harness {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: &[Self] =
        &[Self::Codex, Self::ClaudeCode, Self::CursorAgent, Self::Opencode, Self::Pi];

    /// The id: `codex`, `claude-code`, `cursor-agent`, `opencode`, `pi`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::ClaudeCode => "claude-code",
            Self::CursorAgent => "cursor-agent",
            Self::Opencode => "opencode",
            Self::Pi => "pi",
        }
    }

    /// Finds a harness by its id; `claude` and `cursor` are understood too.
    pub fn from_id(id: &str) -> Option<Self> {
        match id {
            "claude" => Some(Self::ClaudeCode),
            "cursor" => Some(Self::CursorAgent),
            _ => Self::ALL.iter().copied().find(|h| h.id() == id),
        }
    }
}

impl std::fmt::Display for Harness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.id())
    }
}
