//! `recount export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use recount_export as export;

use super::filters::Filters;

/// Arguments of `recount export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Ids, beginnings of ids, or paths; without any, all sessions that the filters let through
    pub(crate) id: Vec<String>,
    /// What to write: html, markdown, json, jsonl (one item a line) or text
    #[arg(
        long,
        short,
        value_name = "FORMAT",
        value_enum,
        default_value = "html",
        hide_possible_values = true
    )]
    pub(crate) format: Format,
    /// The file to write; for several sessions the folder. `-` is the standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// How much of tool calls: none, summary or full
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        default_value = "full",
        hide_possible_values = true
    )]
    pub(crate) tools: Tools,
    /// Without the reasoning
    #[arg(long)]
    pub(crate) no_reasoning: bool,
    /// Without the threads of sub-agents
    #[arg(long)]
    pub(crate) no_subagents: bool,
    /// Without the branches that were left
    #[arg(long)]
    pub(crate) no_branches: bool,
    /// Take out secrets, home folders and addresses of mail, and say how many; each session numbers its own
    #[arg(long)]
    pub(crate) redact: bool,
    /// Take out this name, too (repeatable)
    #[arg(long, value_name = "NAME", requires = "redact")]
    pub(crate) redact_name: Vec<String>,
    #[command(flatten)]
    pub(crate) filters: Filters,
}

/// What a session is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One page that needs nothing else
    Html,
    /// GitHub-flavoured Markdown
    #[value(alias = "md")]
    Markdown,
    /// One JSON value
    Json,
    /// One item a line
    Jsonl,
    /// Plain text
    #[value(alias = "txt")]
    Text,
}

impl From<Format> for export::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Html => Self::Html,
            Format::Markdown => Self::Markdown,
            Format::Json => Self::Json,
            Format::Jsonl => Self::Jsonl,
            Format::Text => Self::Text,
        }
    }
}

/// How much of the calls of tools is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// Nothing
    None,
    /// One line for each
    Summary,
    /// Arguments, outputs and changes too
    Full,
}

impl From<Tools> for export::Tools {
    fn from(tools: Tools) -> Self {
        match tools {
            Tools::None => Self::None,
            Tools::Summary => Self::Summary,
            Tools::Full => Self::Full,
        }
    }
}
