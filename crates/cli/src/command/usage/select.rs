//! Which sessions, files and responses are asked for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_index::report::Counted;
use recount_index::scan::{Scanned, Source};
use recount_store::discover::{self, Discover};
use recount_store::{SessionHead, Stores};

use crate::args::{Global, Usage};
use crate::command::filter::{has, in_project};
use crate::error::{Error, find_error};

/// Which responses.
pub(super) struct Filter<'a> {
    args: &'a Usage,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    here: Option<PathBuf>,
    /// The time zone of days.
    pub(super) zone: TimeZone,
}

impl<'a> Filter<'a> {
    pub(super) fn of(args: &'a Usage) -> Result<Self, Error> {
        let zone = match &args.timezone {
            None => TimeZone::system(),
            Some(name) => TimeZone::get(name).map_err(|e| Error::Usage(e.to_string()))?,
        };
        let (since, until) = args.bounds(&zone).map_err(Error::Usage)?;
        let here = std::env::current_dir().ok();
        Ok(Self { args, since: since.map(|b| b.0), until: until.map(|b| b.0), here, zone })
    }

    pub(super) fn takes(&self, counted: &Counted<'_>) -> bool {
        let args = self.args;
        let time = || counted.time();
        (args.harness.is_empty() || args.harness.contains(&counted.harness))
            && args.model.as_deref().is_none_or(|model| has(counted.model, model))
            && args
                .project
                .as_deref()
                .is_none_or(|p| in_project(counted.project, p, self.here.as_deref()))
            && self.since.is_none_or(|since| time().is_some_and(|t| t >= since))
            && self.until.is_none_or(|until| time().is_some_and(|t| t <= until))
    }
}

impl Filter<'_> {
    /// Whether all of a file is asked for, whatever stands in it: no more is known of lines that are no responses.
    pub(super) fn takes_all_of(&self, scanned: &Scanned) -> bool {
        let args = self.args;
        let project = scanned.transcript.project.as_deref();
        (args.harness.is_empty() || args.harness.contains(&scanned.source.harness))
            && args.model.is_none()
            && args.project.as_deref().is_none_or(|p| in_project(project, p, self.here.as_deref()))
            && self.since.is_none()
            && self.until.is_none()
    }
}

/// Which sessions or files.
pub(super) enum Wanted {
    All,
    Files(Vec<Source>),
    Threads(Vec<SessionHead>),
}

impl Wanted {
    pub(super) fn of(global: &Global, stores: &Stores, named: &[String]) -> Result<Self, Error> {
        let mut files = Vec::new();
        let mut threads = Vec::new();
        for name in named {
            let head = stores.find(name).map_err(|e| find_error(global, name, e))?;
            let keeps_files = discover::of(head.harness).is_some_and(Discover::keeps_files);
            if Path::new(name).is_file() && keeps_files {
                files.push(Source::at(head.harness, PathBuf::from(name)));
            } else {
                threads.push(head);
            }
        }
        match (files.is_empty(), threads.is_empty()) {
            (true, true) => Ok(Self::All),
            (false, true) => Ok(Self::Files(files)),
            (true, false) => Ok(Self::Threads(threads)),
            (false, false) => {
                Err(Error::Usage("name either sessions or files, not both".to_owned()))
            }
        }
    }

    /// Whether nothing was named.
    pub(super) const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    /// The files that were named: they are looked at alone.
    pub(super) fn files(&self) -> Option<Vec<Source>> {
        if let Self::Files(files) = self { Some(files.clone()) } else { None }
    }

    /// The sessions that were named.
    pub(super) fn heads(&self) -> &[SessionHead] {
        if let Self::Threads(heads) = self { heads } else { &[] }
    }

    /// The threads that are asked for, their sub-agents with them; nothing when all are.
    pub(super) fn threads<'s>(&'s self, scanned: &'s [Scanned]) -> Option<HashSet<&'s str>> {
        let Self::Threads(named) = self else { return None };
        let mut threads: HashSet<&str> = named.iter().map(|head| head.id.as_str()).collect();
        loop {
            let before = threads.len();
            for s in scanned.iter().filter(|s| s.transcript.is_subagent) {
                if s.transcript.sources.iter().any(|source| threads.contains(source.as_str())) {
                    threads.insert(&s.transcript.thread);
                }
            }
            if threads.len() == before {
                return Some(threads);
            }
        }
    }
}
