//! What is written.

use jiff::tz::TimeZone;

/// What a thread is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One page that needs nothing else.
    Html,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// One JSON value: the thread model.
    Json,
    /// One item a line.
    Jsonl,
    /// Plain text.
    Text,
}

impl Format {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Html, Self::Markdown, Self::Json, Self::Jsonl, Self::Text];

    /// The name as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Text => "text",
        }
    }

    /// How the names of files end, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Text => "txt",
        }
    }
}

/// How much of the calls of tools is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Tools {
    /// Nothing.
    None,
    /// What was done, to what, and how it ended.
    Summary,
    /// Arguments, outputs and changes too.
    #[default]
    Full,
}

impl Tools {
    /// The name as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Summary => "summary",
            Self::Full => "full",
        }
    }
}

/// What is written of a thread.
#[derive(Debug, Clone)]
pub struct Options {
    /// How much of the calls of tools.
    pub tools: Tools,
    /// The reasoning.
    pub reasoning: bool,
    /// The threads of sub-agents, each inside of the one that started it.
    pub subagents: bool,
    /// The branches that were left.
    pub branches: bool,
    /// The zone in which times are written for people.
    pub zone: TimeZone,
    /// The program and its version.
    pub generator: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tools: Tools::Full,
            reasoning: true,
            subagents: true,
            branches: true,
            zone: TimeZone::UTC,
            generator: "recount".to_owned(),
        }
    }
}
