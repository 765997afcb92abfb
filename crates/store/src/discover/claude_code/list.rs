//! What lists show of transcripts, from their heads and tails and from the small files around them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::{Code, Finding, Harness, Json, Position, json};
use recount_session::rebuild::Facts;
use recount_session::rebuild::claude_code::head::{self, Head};

use super::files::{self, File};
use crate::container::file;
use crate::head::SessionHead;

/// How much is read of the start: first little, then more where the first lines are long, as prompts with images are.
const STARTS: [usize; 3] = [16 << 10, 256 << 10, 4 << 20];
/// How much is read of the end: the metadata of a session is written again and again so that it stands there.
const END: usize = 64 << 10;
/// Small files beside transcripts are not read beyond this.
const SMALL: u64 = 16 << 20;

/// A transcript in a list.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) head: SessionHead,
    /// Whether the content is that of a Claude Code transcript.
    pub(super) is_transcript: bool,
    first_node: Option<(String, String)>,
}

/// Where names of sessions stand beside them: in the index of a project, and in the folder of a session.
pub(super) const NAMES: [&str; 2] = ["sessions-index.json", "custom-title.json"];

/// The titles that old builds kept in an index for each project.
#[derive(Debug, Default)]
pub(super) struct Titles(HashMap<String, String>);

impl Titles {
    /// Reads the indexes of the projects that files stand in.
    pub(super) fn of(files: &[File]) -> Self {
        let projects: HashSet<&Path> = files.iter().filter_map(File::project).collect();
        let mut titles = HashMap::new();
        for project in projects {
            let Some(text) = small(&project.join(NAMES[0])) else { continue };
            let entries = json::parse(&text).ok().and_then(|index| index.get("entries"));
            for entry in entries.into_iter().flat_map(Json::elements) {
                let id = entry.str("sessionId");
                let title = entry.str("customTitle").or_else(|| entry.str("summary"));
                if let (Some(id), Some(title)) = (id, title.filter(|t| !t.trim().is_empty())) {
                    titles.insert(id.into_owned(), title.into_owned());
                }
            }
        }
        Self(titles)
    }

    pub(super) fn of_session(&self, id: &str) -> Option<String> {
        self.0.get(id).cloned()
    }
}

/// What a list shows of a file.
pub(super) fn head(file: &File, root: &Path, titles: &Titles) -> Listed {
    let mut session =
        SessionHead::new(Harness::ClaudeCode, &file.id, file.path.clone(), root.to_owned());
    session.is_subagent = file.is_subagent;
    session.parent_id.clone_from(&file.session);
    let facts = Facts {
        title: given_title(file),
        summary: titles.of_session(&file.id),
        ..Facts::default()
    };
    let mut read = Head::default();
    for start in STARTS {
        let ends = match file::ends(&file.path, start, END) {
            Ok(ends) => ends,
            Err(error) => return unreadable(session, &error),
        };
        session.size = ends.len;
        session.updated_at = ends.modified.and_then(file::rfc3339);
        read = head::head(&ends.head, ends.tail.as_deref(), &facts);
        if ends.tail.is_none() || (read.cwd.is_some() && read.title.is_some()) {
            break;
        }
    }
    if session.size == 0 {
        let source: Arc<str> = Arc::from(session.path.to_string_lossy());
        session.found.push(Finding::new(
            Code::EmptyFile,
            &source,
            Position::WHOLE,
            "the file is empty",
        ));
        session.findings = Some(1);
    }
    if file.is_subagent {
        let meta = AgentMeta::of(file);
        session.title = meta.title.or(read.title.take());
        session.parent_id = meta.parent.or(session.parent_id).or(read.session_id.take());
    } else {
        session.title = read.title.take();
    }
    let is_transcript = is_transcript(&read);
    session.cwd = read.cwd;
    session.created_at = read.created_at;
    session.updated_at = read.updated_at.or(session.updated_at);
    session.model = read.model;
    session.origin.model_provider = Some("anthropic".to_owned());
    session.forked_from_id = read.forked_from_id;
    Listed { head: session, is_transcript, first_node: read.first_node }
}

fn unreadable(mut session: SessionHead, error: &std::io::Error) -> Listed {
    let source: Arc<str> = Arc::from(session.path.to_string_lossy());
    let text = format!("the file cannot be read: {error}");
    session.found.push(Finding::new(Code::Unreadable, &source, Position::WHOLE, text));
    session.findings = Some(1);
    Listed { head: session, is_transcript: false, first_node: None }
}

fn is_transcript(head: &Head) -> bool {
    head.session_id.is_some() && (head.has_messages || head.title.is_some())
}

/// The title that the person gave, as it stands beside the transcript.
pub(super) fn given_title(file: &File) -> Option<String> {
    if file.is_subagent {
        return None;
    }
    let text = small(&file.folder.join(NAMES[1]))?;
    let title = json::parse(&text).ok()?.str("customTitle")?.trim().to_owned();
    (!title.is_empty()).then_some(title)
}

/// What stands beside the transcript of an agent.
#[derive(Debug, Default)]
pub(super) struct AgentMeta {
    /// Its name or short task.
    pub(super) title: Option<String>,
    /// The agent that started it, when it was not the session itself.
    parent: Option<String>,
}

impl AgentMeta {
    pub(super) fn of(file: &File) -> Self {
        let Some(text) = small(&file.meta()) else { return Self::default() };
        let Ok(meta) = json::parse(&text) else { return Self::default() };
        let title = meta.str("name").or_else(|| meta.str("description"));
        Self {
            title: title.map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()),
            parent: parent_agent(file, meta),
        }
    }
}

/// The agent whose transcript holds the call that started this one. An agent that is two steps away from the session has
/// such a one; only there the other transcripts are read.
fn parent_agent(file: &File, meta: Json<'_>) -> Option<String> {
    if meta.get("spawnDepth").and_then(Json::as_i64)? < 2 {
        return None;
    }
    let call = meta.get("toolUseId")?.text()?;
    let call = format!("\"id\":{}", call.raw());
    let mut all = Vec::new();
    files::in_project(file.project()?, &mut all, &mut Vec::new());
    let mut others = all.into_iter().filter(|other| {
        other.is_subagent && other.session == file.session && other.path != file.path
    });
    let parent = others.find(|other| {
        let bytes = fs::read(&other.path).unwrap_or_default();
        memchr::memmem::find(&bytes, call.as_bytes()).is_some()
    })?;
    Some(parent.id)
}

/// Finds the source of sessions that were made with `--fork-session`: these are copies that name no source, but their
/// first node is the same, and was written before the session began.
pub(super) fn link_forks(listed: &mut [Listed]) {
    let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
    for (n, one) in listed.iter().enumerate() {
        if let Some((uuid, _)) = one.first_node.as_ref().filter(|_| !one.head.is_subagent) {
            by_first.entry(uuid.clone()).or_default().push(n);
        }
    }
    for same in by_first.values().filter(|same| same.len() > 1) {
        let is_copy = |n: &usize| began_after_first_node(&listed[*n]);
        let originals: Vec<usize> = same.iter().copied().filter(|n| !is_copy(n)).collect();
        let &[original] = &originals[..] else { continue };
        let source = listed[original].head.id.clone();
        for &copy in same {
            let fork = &mut listed[copy].head;
            if copy != original && fork.forked_from_id.is_none() && fork.id != source {
                fork.forked_from_id = Some(source.clone());
            }
        }
    }
}

fn began_after_first_node(listed: &Listed) -> bool {
    match (&listed.head.created_at, &listed.first_node) {
        (Some(began), Some((_, written))) => began > written,
        _ => false,
    }
}

/// The session that this one is a copy of, by [`link_forks`]'s rule. Only a session that looks like a copy is compared.
pub(super) fn fork_source(file: &File, root: &Path) -> Option<String> {
    if file.is_subagent {
        return None;
    }
    let titles = Titles::default();
    let this = head(file, root, &titles);
    if this.head.forked_from_id.is_some() || !began_after_first_node(&this) {
        return this.head.forked_from_id;
    }
    let mut all = Vec::new();
    files::in_project(file.project()?, &mut all, &mut Vec::new());
    all.retain(|other| !other.is_subagent && other.path != file.path);
    let mut listed = super::parallel(&all, |other| head(other, root, &titles));
    listed.push(this);
    link_forks(&mut listed);
    listed.pop()?.head.forked_from_id
}

fn small(path: &PathBuf) -> Option<String> {
    let meta = fs::symlink_metadata(path).ok()?;
    if !meta.is_file() || meta.len() > SMALL {
        return None;
    }
    fs::read_to_string(path).ok()
}
