//! Which sessions the filters of the command line let through.

pub(super) use recount_index::filter::{has, in_project};
use recount_store::SessionHead;

use crate::args::Filters;
use crate::output::time;

/// Leaves the sessions that fit the filters.
pub(super) fn filter(sessions: &mut Vec<SessionHead>, filters: &Filters) {
    if !filters.harness.is_empty() {
        sessions.retain(|s| filters.harness.contains(&s.harness));
    }
    if let Some(project) = &filters.project {
        let here = std::env::current_dir().ok();
        sessions.retain(|s| in_project(s.cwd.as_deref(), project, here.as_deref()));
    }
    let at = |s: &SessionHead| s.updated_at.as_deref().and_then(time::parse);
    if let Some(since) = filters.since {
        sessions.retain(|s| at(s).is_some_and(|t| t >= since.0));
    }
    if let Some(until) = filters.until {
        sessions.retain(|s| at(s).is_some_and(|t| t <= until.0));
    }
}
