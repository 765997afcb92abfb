//! `recount thread`.

use clap::{Args, Subcommand};

/// Arguments of `recount thread`.
#[derive(Debug, Args)]
pub(crate) struct Thread {
    #[command(subcommand)]
    pub(crate) action: Action,
}

/// What is done.
#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Make a new thread that begins with this one's turns (Codex)
    Fork {
        #[command(flatten)]
        of: Of,
        /// The last turn to keep
        #[arg(long, value_name = "TURN", conflicts_with = "before")]
        after: Option<String>,
        /// The first turn to leave out
        #[arg(long, value_name = "TURN")]
        before: Option<String>,
    },
    /// Take the last turns away (Codex)
    Rollback {
        #[command(flatten)]
        of: Of,
        /// How many turns
        #[arg(default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        turns: u64,
        /// Take this turn and all later ones away instead; only in paginated threads
        #[arg(long, value_name = "TURN", conflicts_with = "turns")]
        before: Option<String>,
    },
    /// Put the thread among the archived ones (Codex)
    Archive {
        #[command(flatten)]
        of: Of,
    },
    /// Take the thread back from the archived ones (Codex)
    Unarchive {
        #[command(flatten)]
        of: Of,
    },
    /// Name the thread (Codex, Claude Code, pi)
    Name {
        #[command(flatten)]
        of: Of,
        /// The name; an empty one takes it away, which Codex does not know
        name: String,
    },
}

/// Which thread, and how.
#[derive(Debug, Args)]
pub(crate) struct Of {
    /// Id, beginning of an id, or path
    pub(crate) id: String,
    /// Tell what would be written, and write nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
}
