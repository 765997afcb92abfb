//! `recount usage`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use recount_formats::Harness;
use recount_index::By;

use super::harness;
use crate::output::time::Bound;

/// Count tokens and cost, each response once
#[derive(Debug, Args)]
pub(crate) struct Usage {
    /// Only these sessions with their sub-agents, or only these files
    #[arg(value_name = "ID|PATH")]
    pub(crate) sessions: Vec<String>,
    /// What makes a row: day (default), week, month, session (default for named ones), model, project, harness, hour-block; several: `day,model`
    #[arg(long, value_name = "KEY", value_delimiter = ',', value_parser = by)]
    by: Vec<By>,
    /// Only responses since then: `12h`, `3d`, `2w`, `2026-11-01`, or RFC 3339
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only responses until then; a date counts whole
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// Only this harness (repeatable)
    #[arg(long, value_name = "HARNESS", value_parser = harness)]
    pub(crate) harness: Vec<Harness>,
    /// Only sessions whose working directory has this in its path; `.` is the current directory
    #[arg(long, short, value_name = "TEXT")]
    pub(crate) project: Option<String>,
    /// Only models with this in their name
    #[arg(long, value_name = "TEXT")]
    pub(crate) model: Option<String>,
    /// The time zone of days: `UTC`, `Europe/Berlin` (else the system's)
    #[arg(long, value_name = "ZONE")]
    pub(crate) timezone: Option<String>,
    /// Whose figure the cost is: the harness's own where it stored one, else computed (auto), or one of both only
    #[arg(long, value_name = "WHOSE", value_enum, default_value_t, hide_possible_values = true)]
    pub(crate) cost: Cost,
    /// List every line that carries usage: whether it counts, and if not why
    #[arg(long, conflicts_with_all = ["by", "plot", "svg"])]
    pub(crate) audit: bool,
    /// Draw a chart above the table
    #[arg(long)]
    pub(crate) plot: bool,
    /// Draw a chart into this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// Whose figure a cost is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Cost {
    /// The harness's own where it stored one, else computed
    #[default]
    Auto,
    /// The harness's own
    Stored,
    /// Computed from prices
    Computed,
}

impl Usage {
    /// What makes a row.
    pub(crate) fn by(&self) -> &[By] {
        match (self.by.is_empty(), self.sessions.is_empty()) {
            (false, _) => &self.by,
            (true, true) => &[By::Day],
            (true, false) => &[By::Session],
        }
    }

    /// The two ends of time in a zone.
    pub(crate) fn bounds(
        &self,
        zone: &jiff::tz::TimeZone,
    ) -> Result<(Option<Bound>, Option<Bound>), String> {
        let read = |text: &Option<String>, end| {
            text.as_deref().map(|text| Bound::read(text, zone, end)).transpose()
        };
        Ok((read(&self.since, false)?, read(&self.until, true)?))
    }
}

fn by(text: &str) -> Result<By, String> {
    By::ALL.iter().copied().find(|by| by.name() == text).ok_or_else(|| {
        let known: Vec<_> = By::ALL.iter().map(|by| by.name()).collect();
        format!("unknown key `{text}`, known are {}", known.join(", "))
    })
}
