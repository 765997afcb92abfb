//! Where opencode keeps its sessions: databases with all of them.
//!
//! - `database`: the tables, and the sessions in them
//! - `lines`: the rows of a session as lines
//! - `stream`: all rows of a database as lines
//! - `beside`: the files beside a database

mod beside;
mod database;
mod lines;
mod stream;

use std::collections::HashMap;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Code, Finding, Harness, Position};

use super::{Discover, Listing, Opened, resumed};
use crate::environment::Environment;
use crate::head::SessionHead;
use crate::tail::Watched;

/// How opencode keeps its sessions.
#[derive(Debug)]
pub struct Opencode;

impl Discover for Opencode {
    fn harness(&self) -> Harness {
        Harness::Opencode
    }

    fn roots(&self, environment: &Environment) -> Vec<PathBuf> {
        let data = environment
            .path("XDG_DATA_HOME")
            .or_else(|| Some(environment.home()?.join(".local/share")))
            .map(|folder| folder.join("opencode"));
        match environment.path("OPENCODE_DB") {
            // Nothing is kept, so there is nothing to read.
            Some(db) if db.as_os_str() == ":memory:" => Vec::new(),
            Some(db) if db.is_absolute() => vec![db],
            Some(db) => data.map(|folder| folder.join(db)).into_iter().collect(),
            None => data.into_iter().collect(),
        }
    }

    fn list(&self, root: &Path) -> Listing {
        let mut listing = Listing::default();
        for path in databases(root) {
            add(&path, root, None, &mut listing);
        }
        // A preview's database is copied into the released one and stays where it is: the session that was
        // written last is the one that goes on.
        newest_of_each(&mut listing.sessions);
        listing
    }

    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        let mut listing = Listing::default();
        for path in databases(root) {
            add(&path, root, Some(prefix), &mut listing);
        }
        newest_of_each(&mut listing.sessions);
        listing.sessions
    }

    fn at_path(&self, path: &Path) -> Option<SessionHead> {
        // A database holds many sessions; its path stands for the one that was written last.
        let newest = self
            .all_at_path(path)
            .into_iter()
            .max_by(|a, b| (!a.is_subagent, &a.updated_at).cmp(&(!b.is_subagent, &b.updated_at)));
        // One that cannot be read is still one of opencode's, by its name: whoever opens it hears why.
        newest.or_else(|| {
            let root = path.parent().unwrap_or(path);
            has_name(path)
                .then(|| SessionHead::new(Harness::Opencode, "", path.into(), root.into()))
        })
    }

    fn all_at_path(&self, path: &Path) -> Vec<SessionHead> {
        if !database::is_opencode(path) {
            return Vec::new();
        }
        let mut listing = Listing::default();
        add(path, path.parent().unwrap_or(path), None, &mut listing);
        listing.sessions
    }

    fn lines(&self, path: &Path, id: Option<&str>) -> Option<io::Result<Box<dyn Read + Send>>> {
        let source: Arc<str> = path.display().to_string().into();
        Some(match id {
            Some(id) => lines::read(path, id, &source)
                .map(|session| Box::new(Cursor::new(session.bytes)) as Box<dyn Read + Send>),
            None => stream::all(path).map(|rows| Box::new(rows) as Box<dyn Read + Send>),
        })
    }

    fn watched(&self, head: &SessionHead) -> Watched {
        Watched { content: Vec::new(), places: super::database_files(&head.path) }
    }

    fn again(&self, head: &SessionHead) -> Option<SessionHead> {
        self.find(&head.root, &head.id).into_iter().find(|again| again.id == head.id)
    }

    fn resume(&self, head: &SessionHead) -> Vec<String> {
        let command = |id: &str| vec!["opencode".to_owned(), "--session".to_owned(), id.to_owned()];
        resumed(head).map(command).unwrap_or_default()
    }

    fn usage_lines(
        &self,
        path: &Path,
        ids: &[&str],
        take: &mut dyn FnMut(usize, &[u8]),
    ) -> io::Result<()> {
        lines::usage(path, ids, take)
    }

    fn databases(&self, root: &Path) -> Vec<PathBuf> {
        databases(root)
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        let source: Arc<str> = head.path.display().to_string().into();
        let session = lines::read(&head.path, &head.id, &source)?;
        let mut facts = session.facts;
        facts.findings.extend(head.found.iter().cloned());
        Ok(Opened {
            harness: Harness::Opencode,
            source,
            bytes: session.bytes,
            facts,
            companions: Box::new(beside::Beside::new(&head.path, session.also_here)),
        })
    }
}

/// The databases of a root: itself, or `opencode.db` and those of other channels in a folder.
fn databases(root: &Path) -> Vec<PathBuf> {
    if root.is_file() {
        return vec![root.to_owned()];
    }
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| has_name(path))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found
}

/// Whether a file has the name of a database of opencode's: `opencode.db`, or that of another channel.
fn has_name(path: &Path) -> bool {
    let name = path.file_stem().and_then(|n| n.to_str());
    path.extension().is_some_and(|e| e == "db")
        && name.is_some_and(|n| n == "opencode" || n.starts_with("opencode-"))
}

/// Adds the sessions of a database, or those whose id begins with `prefix`.
fn add(path: &Path, root: &Path, prefix: Option<&str>, listing: &mut Listing) {
    let source: Arc<str> = path.display().to_string().into();
    match database::sessions(path, root, prefix, &source) {
        Ok(found) => {
            listing.sessions.extend(found.sessions);
            listing.findings.extend(found.findings);
        }
        Err(e) => {
            let code = match std::fs::metadata(path) {
                Ok(meta) if meta.len() == 0 => Code::EmptyFile,
                _ => Code::Unreadable,
            };
            listing.findings.push(Finding::new(code, &source, Position::WHOLE, e.to_string()));
        }
    }
}

/// Keeps of sessions with the same id the one that was written last.
fn newest_of_each(sessions: &mut Vec<SessionHead>) {
    let mut newest: HashMap<String, usize> = HashMap::with_capacity(sessions.len());
    let mut keep = vec![true; sessions.len()];
    for (n, session) in sessions.iter().enumerate() {
        if let Some(&other) = newest.get(&session.id) {
            let newer = session.updated_at > sessions[other].updated_at;
            keep[if newer { other } else { n }] = false;
            if !newer {
                continue;
            }
        }
        newest.insert(session.id.clone(), n);
    }
    let mut keep = keep.into_iter();
    sessions.retain(|_| keep.next().unwrap_or(true));
}

#[cfg(test)]
mod tests;
