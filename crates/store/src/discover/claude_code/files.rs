//! The transcripts of a store, by their names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Code, Finding, Position};

/// How deep folders below `subagents` are searched.
const DEPTH: usize = 8;

/// A transcript file.
#[derive(Debug, Clone)]
pub(super) struct File {
    pub(super) path: PathBuf,
    /// The session's id, of an agent's file the agent's.
    pub(super) id: String,
    pub(super) is_subagent: bool,
    /// The session that an agent's file stands below; nothing when it stands beside it.
    pub(super) session: Option<String>,
    /// The folder with what belongs to the session, whether it is there or not.
    pub(super) folder: PathBuf,
}

impl File {
    /// What a file is by its path.
    pub(super) fn at(path: &Path) -> Option<Self> {
        if path.extension()? != "jsonl" {
            return None;
        }
        let stem = path.file_stem()?.to_str()?;
        let Some(agent) = stem.strip_prefix("agent-").filter(|id| !id.is_empty()) else {
            return Some(Self {
                path: path.to_owned(),
                id: stem.to_owned(),
                is_subagent: false,
                session: None,
                folder: path.with_extension(""),
            });
        };
        let below = path
            .ancestors()
            .skip(1)
            .find(|folder| folder.file_name().is_some_and(|name| name == "subagents"));
        let folder = below.and_then(Path::parent);
        Some(Self {
            path: path.to_owned(),
            id: agent.to_owned(),
            is_subagent: true,
            session: folder.and_then(|f| f.file_name()?.to_str()).map(str::to_owned),
            folder: folder.map_or_else(|| path.with_extension(""), Path::to_owned),
        })
    }

    /// The folder of the project.
    pub(super) fn project(&self) -> Option<&Path> {
        if self.session.is_some() { self.folder.parent() } else { self.path.parent() }
    }

    /// The root of the store that it stands in.
    pub(super) fn root(&self) -> Option<PathBuf> {
        let projects = self.project()?.parent()?;
        (projects.file_name()? == "projects").then(|| projects.parent().map(Path::to_owned))?
    }

    /// Whether its path is one at which Claude Code keeps transcripts.
    pub(super) fn is_in_store(&self) -> bool {
        self.root().is_some()
    }

    /// The file beside it that describes an agent.
    pub(super) fn meta(&self) -> PathBuf {
        self.path.with_extension("meta.json")
    }
}

/// The folder of projects in a store; a store may be named by that folder itself.
fn projects(root: &Path) -> PathBuf {
    let below = root.join("projects");
    if !below.is_dir() && root.file_name().is_some_and(|name| name == "projects") {
        return root.to_owned();
    }
    below
}

/// All transcripts of a store, in the order of their paths. Links are not followed.
pub(super) fn all(root: &Path, findings: &mut Vec<Finding>) -> Vec<File> {
    let mut files = Vec::new();
    for (project, is_folder) in entries(&projects(root), findings) {
        if is_folder {
            in_project(&project, &mut files, findings);
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The folders in which transcripts of a store can appear; the topmost whether it is there or not.
pub(super) fn folders(root: &Path) -> Vec<PathBuf> {
    let top = projects(root);
    let mut found = vec![top.clone()];
    // It is preferred as soon as it is there.
    found.extend(Some(root.join("projects")).filter(|below| *below != top));
    let ignored = &mut Vec::new();
    let folders = |path: &Path, ignored: &mut Vec<Finding>| {
        let all = entries(path, ignored).into_iter();
        all.filter(|(_, is_folder)| *is_folder).map(|(path, _)| path).collect::<Vec<_>>()
    };
    for project in folders(&top, ignored) {
        for session in folders(&project, ignored) {
            let mut below = vec![(session.join("subagents"), DEPTH)];
            while let Some((folder, depth)) = below.pop() {
                if depth > 0 {
                    below.extend(folders(&folder, ignored).into_iter().map(|f| (f, depth - 1)));
                }
                found.push(folder);
            }
            found.push(session);
        }
        found.push(project);
    }
    found
}

/// The transcripts of a project.
pub(super) fn in_project(project: &Path, files: &mut Vec<File>, findings: &mut Vec<Finding>) {
    for (path, is_folder) in entries(project, findings) {
        if is_folder {
            agents(&path.join("subagents"), DEPTH, files, findings);
        } else {
            files.extend(File::at(&path));
        }
    }
}

fn agents(folder: &Path, depth: usize, files: &mut Vec<File>, findings: &mut Vec<Finding>) {
    for (path, is_folder) in entries(folder, findings) {
        if is_folder && depth > 0 {
            agents(&path, depth - 1, files, findings);
        } else if !is_folder {
            files.extend(File::at(&path).filter(|file| file.is_subagent));
        }
    }
}

/// Files and folders in a folder, links left out: they may lead out of the store. A folder that is not there has none.
pub(super) fn entries(folder: &Path, findings: &mut Vec<Finding>) -> Vec<(PathBuf, bool)> {
    let read = match fs::read_dir(folder) {
        Ok(read) => read,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            let source: Arc<str> = Arc::from(folder.to_string_lossy());
            let text = format!("the folder cannot be read: {error}");
            findings.push(Finding::new(Code::Unreadable, &source, Position::WHOLE, text));
            return Vec::new();
        }
    };
    let typed = read.flatten().filter_map(|entry| {
        let type_ = entry.file_type().ok()?;
        (type_.is_dir() || type_.is_file()).then(|| (entry.path(), type_.is_dir()))
    });
    typed.collect()
}
