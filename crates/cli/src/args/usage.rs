//! `recount usage`.

use clap::{Args, ValueEnum};

/// Arguments of `recount usage`.
#[derive(Debug, Args)]
pub(crate) struct Usage {
    /// Ids, beginnings of ids, or paths; all sessions without any
    pub(crate) ids: Vec<String>,
    /// What a row is about
    #[arg(long, value_name = "KEY", value_enum, default_value_t)]
    pub(crate) by: By,
}

/// What a row of `recount usage` is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum By {
    /// One session, sub-agents apart from their parents
    #[default]
    Session,
    /// One working directory
    Project,
    /// One harness
    Harness,
    /// One model: needs each response's own, not counted yet
    #[value(hide = true)]
    Model,
    /// One day: needs each response's own, not counted yet
    #[value(hide = true)]
    Day,
}
