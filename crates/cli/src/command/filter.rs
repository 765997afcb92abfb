//! Which sessions the filters of the command line let through.

use std::path::Path;

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

/// Whether a working directory is one that the person named: by a part of its path in any case, by the path of a folder
/// above it, or by `.` for the folder `here`.
pub(super) fn in_project(cwd: Option<&str>, project: &str, here: Option<&Path>) -> bool {
    let Some(cwd) = cwd else { return false };
    if project == "." {
        return here.is_some_and(|here| Path::new(cwd).starts_with(here));
    }
    if project.starts_with('/') {
        return Path::new(cwd).starts_with(project);
    }
    has(cwd, project)
}

/// Whether a text has a part, in any case.
pub(super) fn has(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}
