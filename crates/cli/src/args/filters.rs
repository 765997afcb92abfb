//! Which sessions: the filters of the commands that go through many.

use clap::Args;
use recount_formats::Harness;

use crate::output::time::Bound;

/// Filters of sessions. Without any, all sessions fit.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Filters {
    /// Only sessions of this harness (repeatable)
    #[arg(long, value_name = "NAME", value_parser = super::harness)]
    pub(crate) harness: Vec<Harness>,
    /// Only sessions whose working directory has this in its path; `.` is the current directory
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) project: Option<String>,
    /// Only sessions written to since then: `12h`, `3d`, `2w`, `2026-11-01`, or RFC 3339
    #[arg(long, value_name = "TIME", value_parser = Bound::since)]
    pub(crate) since: Option<Bound>,
    /// Only sessions last written to before then; a date counts whole
    #[arg(long, value_name = "TIME", value_parser = Bound::until)]
    pub(crate) until: Option<Bound>,
}
