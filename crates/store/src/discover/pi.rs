//! Where pi keeps its sessions (catalogue: layout).
//!
//! A store is the agent folder with a folder `sessions`, or a session folder that was chosen by a variable or a
//! setting. Below it every `.jsonl` file is a session whose first line is the header, or whose name looks like one of
//! pi's (`<time>_<id>.jsonl`): then it is listed although pi itself would pass it over.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memmem;
use recount_formats::json::{self, Json};
use recount_formats::jsonl;
use recount_formats::pi::Kind;
use recount_formats::{Code, Finding, Harness, Position};
use recount_session::rebuild::{Companions, Facts};

use super::{Discover, Listing, Opened};
use crate::container::file;
use crate::environment::Environment;
use crate::head::SessionHead;

#[cfg(test)]
mod tests;

/// How deep the folder of sessions is searched.
const DEPTH: usize = 3;
/// How much of the beginning of a file a list reads: header, settings, system message, first prompt.
const HEAD: usize = 48 << 10;
/// How much of the end: last time, model, name.
const TAIL: usize = 24 << 10;
/// How far the first prompt is looked for when it does not stand in the head, behind a long system message.
const FIRST_PROMPT: u64 = 1 << 20;
/// A file whose middle is not searched, however much may be searched.
const LONG: u64 = 16 << 20;
/// How much of the middles of files one list searches for names, newest files first.
const MIDDLE: u64 = 64 << 20;

/// How pi keeps its sessions.
#[derive(Debug)]
pub struct Pi;

impl Discover for Pi {
    fn harness(&self) -> Harness {
        Harness::Pi
    }

    fn roots(&self, environment: &Environment) -> Vec<PathBuf> {
        let home = environment.home();
        let set = |name| environment.path(name).map(|path| expand(&path, home.as_deref()));
        let agent =
            set("PI_CODING_AGENT_DIR").or_else(|| Some(home.as_ref()?.join(".pi").join("agent")));
        let chosen = set("PI_CODING_AGENT_SESSION_DIR").or_else(|| {
            let settings = fs::read_to_string(agent.as_ref()?.join("settings.json")).ok()?;
            let folder = json::parse(&settings).ok()?.str("sessionDir")?;
            let folder = expand(Path::new(&*folder), home.as_deref());
            // A relative one depends on where pi was started.
            folder.is_absolute().then_some(folder)
        });
        let mut roots: Vec<PathBuf> = agent.into_iter().collect();
        roots.extend(chosen.filter(|c| !roots.iter().any(|root| c.starts_with(sessions_of(root)))));
        roots
    }

    fn list(&self, root: &Path) -> Listing {
        let mut files = Vec::new();
        let mut findings = Vec::new();
        walk_store(root, &mut files, &mut findings);
        // Names of files begin with the time.
        files.sort_by(|a, b| b.file_name().cmp(&a.file_name()));
        let budget = AtomicU64::new(MIDDLE);
        let heads = |files: &[PathBuf]| -> Vec<(SessionHead, Option<String>)> {
            files.iter().filter_map(|path| head(path, root, &budget)).collect()
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        let each = files.len().div_ceil(threads).max(16);
        let mut heads: Vec<_> = std::thread::scope(|scope| {
            let parts: Vec<_> =
                files.chunks(each).map(|part| scope.spawn(|| heads(part))).collect();
            parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
        });
        let by_file: HashMap<String, String> = heads
            .iter()
            .filter_map(|(head, _)| Some((name_of(&head.path)?.to_owned(), head.id.clone())))
            .collect();
        for (head, source) in &mut heads {
            if let Some(source) = source {
                head.forked_from_id =
                    by_file.get(source).cloned().or_else(|| Some(id_in(source)?.to_owned()));
            }
        }
        Listing { sessions: heads.into_iter().map(|(head, _)| head).collect(), findings }
    }

    /// Takes the id of the header and the one in the file name.
    fn find(&self, root: &Path, prefix: &str) -> Vec<SessionHead> {
        let by_name = |head: &SessionHead| name_of(&head.path).and_then(id_in).map(str::to_owned);
        let mut found = self.list(root).sessions;
        found.retain(|head| {
            head.id.starts_with(prefix) || by_name(head).is_some_and(|id| id.starts_with(prefix))
        });
        if found.iter().any(|head| head.id == prefix) {
            found.retain(|head| head.id == prefix);
        } else if found.iter().any(|head| by_name(head).as_deref() == Some(prefix)) {
            found.retain(|head| by_name(head).as_deref() == Some(prefix));
        }
        found
    }

    fn keeps_files(&self) -> bool {
        true
    }

    fn files(&self, root: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        walk(&sessions_of(root), DEPTH, &mut files, &mut Vec::new());
        files
    }

    fn folders(&self, root: &Path) -> Option<Vec<PathBuf>> {
        let top = sessions_of(root);
        let mut found = vec![root.join("sessions")];
        found.extend(Some(top.clone()).filter(|top| *top != found[0]));
        let mut below = vec![(top, DEPTH)];
        while let Some((folder, depth)) = below.pop() {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let inner: Vec<PathBuf> =
                entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
            found.extend_from_slice(&inner);
            if depth > 2 {
                below.extend(inner.into_iter().map(|folder| (folder, depth - 1)));
            }
        }
        Some(found)
    }

    fn at_path(&self, path: &Path) -> Option<SessionHead> {
        let root = root_of(path);
        let (mut head, source) = head(path, &root, &AtomicU64::new(MIDDLE))?;
        if let Some(source) = source {
            let header = first_line(&root, &source);
            let id = header.as_deref().and_then(|line| Some(parse(line)?.str("id")?.into_owned()));
            head.forked_from_id = id.or_else(|| Some(id_in(&source)?.to_owned()));
        }
        Some(head)
    }

    fn resume(&self, head: &SessionHead) -> Vec<String> {
        vec!["pi".to_owned(), "--session".to_owned(), head.path.display().to_string()]
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        let source: std::sync::Arc<str> = head.path.display().to_string().into();
        let (bytes, error) = file::read(&head.path)?;
        let mut findings = Vec::new();
        if let Some(e) = error {
            findings.push(Finding::new(Code::Unreadable, &source, Position::WHOLE, e.to_string()));
        }
        let modified = fs::metadata(&head.path).and_then(|meta| meta.modified()).ok();
        let stem = head.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let facts = Facts {
            id: name_of(&head.path).and_then(id_in).map(str::to_owned).or(stem),
            updated_at: modified.and_then(file::rfc3339),
            findings,
            ..Facts::default()
        };
        let companions = Box::new(Siblings { root: head.root.clone() });
        Ok(Opened { harness: Harness::Pi, source, bytes, facts, companions })
    }
}

/// The headers of the other sessions of a store, as `header/<file name>`.
#[derive(Debug)]
struct Siblings {
    root: PathBuf,
}

impl Companions for Siblings {
    fn names(&self) -> Vec<String> {
        let mut files = Vec::new();
        walk_store(&self.root, &mut files, &mut Vec::new());
        let mut names: Vec<_> =
            files.iter().filter_map(|f| Some(format!("header/{}", name_of(f)?))).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        first_line(&self.root, name.strip_prefix("header/")?).map(Cow::Owned)
    }
}

/// The first line of the session file with this name, wherever it lies in the store.
fn first_line(root: &Path, name: &str) -> Option<Vec<u8>> {
    // A name out of a transcript, which must not lead out of the store.
    if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with("..") {
        return None;
    }
    let sessions = sessions_of(root);
    let folders = fs::read_dir(&sessions).into_iter().flatten().flatten().map(|entry| entry.path());
    let path = [root.to_owned(), sessions]
        .into_iter()
        .chain(folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())?;
    let mut line = Vec::new();
    BufReader::new(fs::File::open(path).ok()?)
        .take(HEAD as u64)
        .read_until(b'\n', &mut line)
        .ok()?;
    Some(line)
}

/// `~` at the beginning of a path, as pi resolves it.
fn expand(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// The folder below which a store's sessions lie.
fn sessions_of(root: &Path) -> PathBuf {
    let sessions = root.join("sessions");
    if sessions.is_dir() { sessions } else { root.to_owned() }
}

/// The root of the store in which a file seems to lie.
fn root_of(path: &Path) -> PathBuf {
    let sessions = path.ancestors().skip(1).take(3).find(|folder| folder.ends_with("sessions"));
    let parent = path.parent().unwrap_or(Path::new(""));
    let is_key = |name: &str| name.starts_with("--") && name.ends_with("--");
    let above = name_of(parent).filter(|name| is_key(name)).and_then(|_| parent.parent());
    sessions.and_then(Path::parent).or(above).unwrap_or(parent).to_owned()
}

/// Collects the `.jsonl` files of a store. Some lie beside the folder `sessions`: pi 0.30.0 put them there by mistake.
fn walk_store(root: &Path, files: &mut Vec<PathBuf>, findings: &mut Vec<Finding>) {
    let sessions = sessions_of(root);
    walk(&sessions, DEPTH, files, findings);
    if sessions != *root {
        walk(root, 1, files, findings);
    }
}

/// Collects the `.jsonl` files of a folder and of those in it.
fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>, findings: &mut Vec<Finding>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) => {
            let source = folder.display().to_string().into();
            findings.push(Finding::new(Code::Unreadable, &source, Position::WHOLE, e.to_string()));
            return;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        } else if depth > 1 && path.is_dir() {
            walk(&path, depth - 1, files, findings);
        }
    }
}

/// The last part of a path.
fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// The id in a file name such as `2026-11-03T09-12-40-100Z_019f2c10-7a44-7c1e-9b1d-5e0a4c7d2f10.jsonl`.
fn id_in(name: &str) -> Option<&str> {
    let (time, id) = name.strip_suffix(".jsonl")?.split_once('_')?;
    let digits = |shape: &[u8], text: &[u8]| {
        shape.len() == text.len()
            && shape
                .iter()
                .zip(text)
                .all(|(s, t)| if *s == b'0' { t.is_ascii_digit() } else { s == t })
    };
    (digits(b"0000-00-00T00-00-00-000Z", time.as_bytes()) && !id.is_empty()).then_some(id)
}

/// A line that is a JSON object; pi replaces what is not UTF-8.
fn parse(line: &[u8]) -> Option<Json<'_>> {
    let json = json::parse(std::str::from_utf8(line).ok()?).ok()?;
    json.is_object().then_some(json)
}

/// What the ends of a file tell, and the name of the file that it was forked from. Nothing when it is no session.
fn head(path: &Path, root: &Path, budget: &AtomicU64) -> Option<(SessionHead, Option<String>)> {
    if path.extension().is_none_or(|e| e != "jsonl") {
        return None;
    }
    let ends = file::ends(path, HEAD, TAIL).ok()?;
    let mut lines = jsonl::lines(&ends.head).map(|line| line.body());
    // pi passes over lines before the header that it cannot read.
    let first = lines.find_map(parse);
    let header = first.filter(|json| Kind::of(*json) == Kind::Session);
    let named = name_of(path).and_then(id_in);
    if header.is_none() && named.is_none() {
        return None;
    }
    let text = |key| Some(header?.str(key)?.into_owned());
    let stem = || path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let id = text("id").or_else(|| named.map(str::to_owned)).unwrap_or_else(stem);
    let mut head = SessionHead::new(Harness::Pi, id, path.to_owned(), root.to_owned());
    head.size = ends.len;
    head.cwd = text("cwd").filter(|cwd| !cwd.is_empty());
    head.created_at = text("timestamp");

    let tail = ends.tail.as_deref().unwrap_or(&ends.head);
    let mut newest = Newest::default();
    newest.read(tail);
    if ends.tail.is_some() && newest.model.is_none() {
        newest.read(&ends.head);
    }
    head.model = newest.model.or(newest.chosen);
    head.updated_at = newest.time.or_else(|| head.created_at.clone());
    if ends.tail.is_some() && head.updated_at == head.created_at {
        // The last line is longer than what was read of the end.
        head.updated_at = ends.modified.and_then(file::rfc3339).or(head.updated_at);
    }

    let name = last_name(tail)
        .or_else(|| middle_name(path, &ends, budget))
        .or_else(|| ends.tail.as_ref().and_then(|_| last_name(&ends.head)));
    let prompt = || {
        let mut entries = jsonl::lines(&ends.head).filter_map(|line| parse(line.body()));
        let near = entries.find_map(prompt);
        near.or_else(|| ends.tail.as_ref().and_then(|_| far_prompt(path)))
    };
    head.title = name.filter(|name| !name.is_empty()).or_else(prompt);
    let source = text("parentSession").or_else(|| text("branchedFrom"));
    let source = source.map(|s| s.rsplit(['/', '\\']).next().unwrap_or(&s).to_owned());
    Some((head, source))
}

/// What the newest lines tell.
#[derive(Default)]
struct Newest {
    time: Option<String>,
    /// The model that answered.
    model: Option<String>,
    /// The model that was chosen.
    chosen: Option<String>,
}

impl Newest {
    /// Looks from the last line up until all is known.
    fn read(&mut self, bytes: &[u8]) {
        for line in lines_back(bytes) {
            if self.time.is_some() && self.model.is_some() {
                return;
            }
            // Whole lines of the tail begin with a brace; the first one is usually cut.
            let Some(entry) = parse(line) else { continue };
            if self.time.is_none() {
                self.time = entry.str("timestamp").map(Cow::into_owned);
            }
            match Kind::of(entry) {
                Kind::MessageAssistant if self.model.is_none() => {
                    let model = entry.at(&["message", "model"]).and_then(Json::as_str);
                    self.model = model.map(Cow::into_owned);
                }
                Kind::ModelChange if self.chosen.is_none() => {
                    self.chosen = entry.str("modelId").map(Cow::into_owned);
                }
                _ => {}
            }
        }
    }
}

/// The lines from the last to the first, without line endings.
fn lines_back(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.rsplit(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// The last name in a piece of a file. It is empty when the name was taken away.
fn last_name(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    while let Some(at) = memmem::rfind(rest, b"session_info") {
        let start = memchr::memrchr(b'\n', &rest[..at]).map_or(0, |n| n + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
        // The words may stand in somebody's text, or the line may be cut.
        if let Some(entry) = parse(&bytes[start..end])
            && Kind::of(entry) == Kind::SessionInfo
        {
            return Some(entry.str("name").unwrap_or_default().trim().to_owned());
        }
        rest = &rest[..start];
    }
    None
}

/// The last naming between the ends of a file, as long as the budget lasts.
fn middle_name(path: &Path, ends: &file::Ends, budget: &AtomicU64) -> Option<String> {
    ends.tail.as_ref()?;
    let spend = |left: u64| left.checked_sub(ends.len).filter(|_| ends.len <= LONG);
    budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).ok()?;
    last_name(&file::read(path).ok()?.0)
}

/// The text of an entry that is a prompt, as pi's lists show it.
fn prompt(entry: Json<'_>) -> Option<String> {
    if Kind::of(entry) != Kind::MessageUser {
        return None;
    }
    let content = entry.at(&["message", "content"])?;
    let text = content.as_str().map_or_else(
        || {
            let texts = content.elements().filter(|b| b.str("type").as_deref() == Some("text"));
            texts.filter_map(|b| b.str("text")).collect::<Vec<_>>().join(" ")
        },
        Cow::into_owned,
    );
    (!text.is_empty()).then_some(text)
}

/// The first prompt, where it stands behind the head.
fn far_prompt(path: &Path) -> Option<String> {
    let mut reader = jsonl::Reader::new(file::open(path).ok()?.take(FIRST_PROMPT));
    while let Ok(Some(line)) = reader.next_line() {
        if let Some(text) = parse(line.body()).and_then(prompt) {
            return Some(text);
        }
    }
    None
}
