//! The files that belong to a session.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use recount_session::rebuild::Companions;

use super::files::{self, File};

/// How deep the session's folder is searched.
const DEPTH: usize = 10;

/// The files below a session's folder, by their paths there, and those that stand beside the session. Only what a listing
/// of the folders shows can be read: no path of a transcript leads anywhere else.
#[derive(Debug, Default)]
pub(super) struct SessionFiles {
    files: BTreeMap<String, PathBuf>,
}

impl SessionFiles {
    /// The files of the session that a transcript belongs to.
    pub(super) fn of(file: &File) -> Self {
        let mut found = Self::default();
        found.below(&file.folder, "", DEPTH);
        let Some(project) = file.project() else { return found };
        if file.is_subagent {
            // A forked agent begins where the session was: its transcript.
            if let Some(session) = &file.session {
                let name = format!("{session}.jsonl");
                found.files.insert(name.clone(), project.join(name));
            }
        } else {
            found.beside(project, &file.id);
        }
        found
    }

    fn below(&mut self, folder: &Path, prefix: &str, depth: usize) {
        for (path, is_folder) in files::entries(folder, &mut Vec::new()) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let name = format!("{prefix}{name}");
            if !is_folder {
                self.files.insert(name, path);
            } else if depth > 0 {
                self.below(&path, &format!("{name}/"), depth - 1);
            }
        }
    }

    /// The agents' files of old builds: which session they belong to stands in them.
    fn beside(&mut self, project: &Path, session: &str) {
        let needle = format!("\"sessionId\":\"{session}\"");
        for (path, is_folder) in files::entries(project, &mut Vec::new()) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if is_folder || !File::at(&path).is_some_and(|file| file.is_subagent) {
                continue;
            }
            let belongs = crate::container::file::ends(&path, 16 << 10, 0)
                .is_ok_and(|ends| memchr::memmem::find(&ends.head, needle.as_bytes()).is_some());
            if belongs {
                self.files.insert(name.to_owned(), path.clone());
            }
        }
    }
}

impl Companions for SessionFiles {
    fn names(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let path = self.files.get(name)?;
        fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        fs::read(path).ok().map(Cow::Owned)
    }
}
