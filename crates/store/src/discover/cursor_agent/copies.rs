//! Readable copies of chats: `projects/<slug>/agent-transcripts/…`, in the layouts of today and of earlier builds.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::cursor_agent::record::Kind;
use recount_formats::jsonl::{self, Body};
use recount_formats::{Finding, Harness};
use recount_session::rebuild::cursor_agent::head;
use recount_session::rebuild::{Alone, Companions, Facts, Input};

use super::{Opened, folders};
use crate::container::file;
use crate::head::SessionHead;

/// How much of a copy's beginning a list reads, for its title.
const HEAD: usize = 64 << 10;
/// Where the ids in file names are cut (contract, layout).
const ID_LENGTH: usize = 200;
const TRANSCRIPTS: &str = "agent-transcripts";

/// A readable copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Copy {
    /// The id, as the file name spells it.
    pub(super) id: String,
    pub(super) path: PathBuf,
    /// The chat of a sub-agent.
    pub(super) parent: Option<String>,
}

impl Copy {
    /// The folder of the project.
    pub(super) fn project(&self) -> Option<PathBuf> {
        let transcripts =
            self.path.ancestors().find(|p| p.file_name().is_some_and(|n| n == TRANSCRIPTS));
        transcripts?.parent().map(Path::to_owned)
    }
}

/// Whether a path is that of a copy: a store is a database.
pub(super) fn is_copy(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "jsonl" || e == "txt")
}

/// An id as file names spell it: percent-encoded with `_` for `%`, and cut.
pub(super) fn encoded(id: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "_{byte:02X}");
            }
        }
    }
    out.truncate(ID_LENGTH);
    out
}

/// The folder of a project, by its working directory: a dash for each run of other characters than letters and digits.
pub(super) fn project(root: &Path, cwd: &str) -> PathBuf {
    let words: Vec<&str> =
        cwd.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    projects(root).join(words.join("-"))
}

fn projects(root: &Path) -> PathBuf {
    root.join("projects")
}

/// The copies of a store. Where a chat has several, the one in the layout of today counts.
pub(super) fn all(root: &Path) -> Vec<Copy> {
    let mut copies: BTreeMap<(Option<String>, String), PathBuf> = BTreeMap::new();
    for project in folders(&projects(root)) {
        let transcripts = project.join(TRANSCRIPTS);
        for folder in folders(&transcripts) {
            let Some(id) = folder.file_name().map(|n| n.to_string_lossy().into_owned()) else {
                continue;
            };
            for extension in ["txt", "jsonl"] {
                let path = folder.join(format!("{id}.{extension}"));
                if path.is_file() {
                    copies.insert((None, id.clone()), path);
                }
            }
            for path in files(&folder.join("subagents")) {
                if let Some(agent) = stem(&path) {
                    copies.entry((Some(id.clone()), agent)).or_insert(path);
                }
            }
        }
        for path in files(&transcripts) {
            if let Some(id) = stem(&path) {
                copies.entry((None, id)).or_insert(path);
            }
        }
    }
    copies.into_iter().map(|((parent, id), path)| Copy { id, path, parent }).collect()
}

/// The copies in a folder, `.jsonl` before `.txt`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|path| is_copy(path) && path.is_file())
        .collect();
    files.sort();
    files
}

fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}

/// What a list shows of a copy.
pub(super) fn head(copy: &Copy, root: &Path) -> SessionHead {
    let mut head =
        SessionHead::new(Harness::CursorAgent, copy.id.clone(), copy.path.clone(), root.to_owned());
    head.title = title(copy);
    let meta = fs::metadata(&copy.path).ok();
    head.size = meta.as_ref().map_or(0, fs::Metadata::len);
    head.updated_at = meta.and_then(|meta| meta.modified().ok()).and_then(file::rfc3339);
    head.parent_id.clone_from(&copy.parent);
    head.is_subagent = copy.parent.is_some();
    head
}

/// The title of a copy: its first prompt.
pub(super) fn title(copy: &Copy) -> Option<String> {
    let ends = file::ends(&copy.path, HEAD, 0).ok()?;
    let source: Arc<str> = copy.path.display().to_string().into();
    let facts = Facts::default();
    head::mirror_title(Input {
        source: &source,
        bytes: &ends.head,
        facts: &facts,
        companions: &Alone,
    })
}

/// Tells what session a copy is, when it looks like one.
pub(super) fn at_path(path: &Path) -> Option<SessionHead> {
    if !is_copy(path) {
        return None;
    }
    let transcripts = path.ancestors().find(|p| p.file_name().is_some_and(|n| n == TRANSCRIPTS));
    if transcripts.is_none() && !looks_like_one(path) {
        return None;
    }
    let parent = path.parent().filter(|p| p.file_name().is_some_and(|n| n == "subagents"));
    let parent = parent.and_then(Path::parent).and_then(Path::file_name);
    let copy = Copy {
        id: stem(path)?,
        path: path.to_owned(),
        parent: parent.map(|name| name.to_string_lossy().into_owned()),
    };
    let root = transcripts.and_then(|t| t.ancestors().nth(3)).or_else(|| path.parent())?;
    Some(head(&copy, root))
}

/// Whether the first records of a file are those of a copy. Text has no marks that others lack.
fn looks_like_one(path: &Path) -> bool {
    if path.extension().is_some_and(|e| e != "jsonl") {
        return false;
    }
    let Ok(ends) = file::ends(path, HEAD, 0) else { return false };
    let first = jsonl::lines(&ends.head).find_map(|line| match line.parse() {
        Body::Value(value) => Some(
            matches!(Kind::of(value), Kind::JsonlUser | Kind::JsonlAssistant)
                && value.get("type").is_none()
                && value.at(&["message", "content"]).is_some(),
        ),
        _ => None,
    });
    first == Some(true)
}

/// Opens a copy.
pub(super) fn open(head: &SessionHead, findings: Vec<Finding>) -> io::Result<Opened> {
    let (bytes, error) = file::read(&head.path)?;
    let mut findings = findings;
    if let Some(e) = error {
        findings.push(super::finding(&head.path, recount_formats::Code::Unreadable, e.to_string()));
    }
    let facts = Facts {
        id: Some(head.id.clone()),
        updated_at: head.updated_at.clone(),
        parent_id: head.parent_id.clone(),
        // The title of a chat whose store is damaged is known from elsewhere.
        title: (!findings.is_empty()).then(|| head.title.clone()).flatten(),
        findings,
        ..Facts::default()
    };
    let agents =
        head.path.parent().map(|folder| files(&folder.join("subagents"))).unwrap_or_default();
    let agents = agents.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((format!("subagents/{name}"), path))
    });
    // In the flat layout all copies stand in one folder; its sub-agents are not this chat's.
    let is_flat =
        head.path.parent().is_some_and(|p| p.file_name().is_some_and(|n| n == TRANSCRIPTS));
    let files = if is_flat { HashMap::new() } else { agents.collect() };
    Ok(Opened {
        harness: Harness::CursorAgent,
        source: head.path.display().to_string().into(),
        bytes,
        facts,
        companions: Box::new(Agents { files }),
    })
}

/// The copies of a chat's sub-agents.
#[derive(Debug)]
struct Agents {
    files: HashMap<String, PathBuf>,
}

impl Companions for Agents {
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.files.keys().cloned().collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _) = file::read(self.files.get(name)?).ok()?;
        Some(Cow::Owned(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_encoded_as_the_program_does_it() {
        assert_eq!(encoded("chat id/with é"), "chat_20id_2Fwith_20_C3_A9");
        assert_eq!(
            encoded("4fa08381-d1e2-414f-a0ab-3b53bbee0b21"),
            "4fa08381-d1e2-414f-a0ab-3b53bbee0b21"
        );
        assert_eq!(encoded(&"a".repeat(300)).len(), 200);
    }

    #[test]
    fn a_project_is_named_by_the_words_of_its_path() {
        let root = Path::new("/r");
        assert_eq!(
            project(root, "/home/dev/my shop.2/"),
            Path::new("/r/projects/home-dev-my-shop-2")
        );
    }
}
