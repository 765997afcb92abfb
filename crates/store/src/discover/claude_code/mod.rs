//! Where Claude Code keeps its sessions.
//!
//! ```text
//! <root>/projects/<project>/<session>.jsonl                     a session
//! <root>/projects/<project>/<session>/subagents/**/agent-<id>.jsonl, agent-<id>.meta.json
//! <root>/projects/<project>/<session>/tool-results/*, custom-title.json
//! <root>/projects/<project>/agent-<id>.jsonl                    an agent, builds before 2.1
//! <root>/projects/<project>/sessions-index.json                 titles, old builds
//! ```
//!
//! `<root>` is `CLAUDE_CONFIG_DIR`, else `~/.claude`.
//!
//! - [`files`]: the transcripts of a store by their names
//! - [`list`]: what lists show of them, from heads and tails
//! - [`companions`]: the files that belong to a session

mod companions;
mod files;
mod list;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Code, Finding, Harness, Position};
use recount_session::rebuild::Facts;

use self::companions::SessionFiles;
use self::files::File;
use super::{Discover, Listing, Opened, parallel, resumed};
use crate::container::file;
use crate::environment::Environment;
use crate::head::SessionHead;
use crate::tail::Watched;

/// How Claude Code keeps its sessions.
#[derive(Debug)]
pub struct ClaudeCode;

/// Keeps one file for each id: a session that moved to another project may leave its id in both. The newest goes on.
fn newest_of_each(heads: &mut Vec<SessionHead>, findings: &mut Vec<Finding>) {
    heads.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| b.size.cmp(&a.size)));
    let mut kept: HashMap<String, PathBuf> = HashMap::new();
    heads.retain(|head| {
        let Some(newest) = kept.get(&head.id) else {
            kept.insert(head.id.clone(), head.path.clone());
            return true;
        };
        let source: Arc<str> = Arc::from(head.path.to_string_lossy());
        let text = format!("the same session goes on in {}", newest.display());
        findings.push(Finding::new(Code::DuplicateId, &source, Position::WHOLE, text));
        false
    });
}

impl Discover for ClaudeCode {
    fn harness(&self) -> Harness {
        Harness::ClaudeCode
    }

    fn roots(&self, environment: &Environment) -> Vec<PathBuf> {
        let named = environment.path("CLAUDE_CONFIG_DIR");
        named.or_else(|| environment.home().map(|home| home.join(".claude"))).into_iter().collect()
    }

    fn list(&self, root: &Path) -> Listing {
        let mut listing = Listing::default();
        let files = files::all(root, &mut listing.findings);
        let titles = list::Titles::of(&files);
        let mut heads = parallel(&files, |file| list::head(file, root, &titles));
        list::link_forks(&mut heads);
        listing.sessions = heads.into_iter().map(|listed| listed.head).collect();
        newest_of_each(&mut listing.sessions, &mut listing.findings);
        listing
    }

    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        let mut files = files::all(root, &mut Vec::new());
        files.retain(|file| file.id.starts_with(prefix));
        let titles = list::Titles::of(&files);
        let mut found: Vec<SessionHead> =
            files.iter().map(|file| list::head(file, root, &titles).head).collect();
        newest_of_each(&mut found, &mut Vec::new());
        found
    }

    /// Claude Code keeps what was typed beside the projects.
    fn is_side_file(&self, name: &str) -> bool {
        name == "history.jsonl"
    }

    fn keeps_files(&self) -> bool {
        true
    }

    fn files(&self, root: &Path) -> Vec<PathBuf> {
        self.files_and_findings(root).0
    }

    fn files_and_findings(&self, root: &Path) -> (Vec<PathBuf>, Vec<Finding>) {
        let mut findings = Vec::new();
        let files = files::all(root, &mut findings).into_iter().map(|file| file.path).collect();
        (files, findings)
    }

    fn folders(&self, root: &Path) -> Option<Vec<PathBuf>> {
        Some(files::folders(root))
    }

    fn names_beside(&self, root: &Path) -> Vec<PathBuf> {
        files::folders(root)
            .into_iter()
            .flat_map(|folder| list::NAMES.map(|name| folder.join(name)))
            .filter(|path| path.is_file())
            .collect()
    }

    fn at_path(&self, path: &Path) -> Option<SessionHead> {
        let file = File::at(path)?;
        let root = file.root().unwrap_or_default();
        let listed = list::head(&file, &root, &list::Titles::of(std::slice::from_ref(&file)));
        (file.is_in_store() || listed.is_transcript).then_some(listed.head)
    }

    fn watched(&self, head: &SessionHead) -> Watched {
        let mut watched = Watched { content: vec![head.path.clone()], places: Vec::new() };
        let Some(file) = File::at(&head.path) else { return watched };
        // What a sub-agent does is shown in the session that started it.
        let mut folders = vec![file.folder.clone()];
        while let Some(folder) = folders.pop() {
            for (path, is_folder) in files::entries(&folder, &mut Vec::new()) {
                if is_folder {
                    folders.push(path);
                } else {
                    watched.places.push(path);
                }
            }
            watched.places.push(folder);
        }
        watched
    }

    fn resume(&self, head: &SessionHead) -> Vec<String> {
        // An agent that another one started has that as its parent; where it stands tells the session.
        let above = File::at(&head.path).filter(|_| head.is_subagent).and_then(|f| f.session);
        let command = |id: &str| vec!["claude".to_owned(), "--resume".to_owned(), id.to_owned()];
        above.as_deref().or_else(|| resumed(head)).map(command).unwrap_or_default()
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        let opened = self.open_alone(head)?;
        let source = File::at(&head.path).and_then(|file| list::fork_source(&file, &head.root));
        Ok(Opened { facts: Facts { forked_from_id: source, ..opened.facts }, ..opened })
    }

    fn open_alone(&self, head: &SessionHead) -> io::Result<Opened> {
        let file = File::at(&head.path).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the name is not that of a transcript")
        })?;
        let source: Arc<str> = Arc::from(head.path.to_string_lossy());
        let (bytes, error) = file::read(&head.path)?;
        let mut facts = Facts {
            id: Some(head.id.clone()),
            title: list::given_title(&file),
            summary: list::Titles::of(std::slice::from_ref(&file)).of_session(&file.id),
            updated_at: head.updated_at.clone(),
            parent_id: head.parent_id.clone(),
            forked_from_id: head.forked_from_id.clone(),
            ..Facts::default()
        };
        if let Some(error) = error {
            let text = format!("reading stopped early: {error}");
            facts.findings.push(Finding::new(Code::Unreadable, &source, Position::WHOLE, text));
        }
        let companions = SessionFiles::of(&file);
        if file.is_subagent {
            facts.title = list::AgentMeta::of(&file).title;
        }
        Ok(Opened {
            harness: Harness::ClaudeCode,
            source,
            bytes,
            facts,
            companions: Box::new(companions),
        })
    }
}

#[cfg(test)]
mod tests;
