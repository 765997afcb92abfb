//! The rollouts of a store and what their names say: no content is read here.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folders that hold rollouts, and how deep they are searched: dates are three levels.
const FOLDERS: &[(&str, bool)] = &[("sessions", false), ("archived_sessions", true)];
const DEPTH: usize = 4;

/// A file that holds a thread, or one state of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rollout {
    /// The file.
    pub(crate) path: PathBuf,
    /// The thread.
    pub(crate) thread_id: String,
    /// The rollout: the thread's id, or the second id of the name after a revert.
    pub(crate) id: String,
    /// Local time in the name, as it is spelled there; empty when the name has none.
    pub(crate) named_time: String,
    /// Whether it lies among the archived ones.
    pub(crate) archived: bool,
}

impl Rollout {
    /// Reads a name: `rollout-2026-01-02T03-04-05-<thread>[_<rollout>].jsonl[.zst]`.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let is_archive = |c: Component<'_>| c.as_os_str() == "archived_sessions";
        Self::named(name, path, path.components().any(is_archive))
    }

    fn named(name: &str, path: &Path, archived: bool) -> Option<Self> {
        let stem = stem(name)?.strip_prefix("rollout-")?;
        let (named_time, ids) = match stem.split_at_checked(19) {
            Some((time, rest)) if time.as_bytes().get(10) == Some(&b'T') => {
                (time.to_owned(), rest.strip_prefix('-')?)
            }
            _ => (String::new(), stem),
        };
        let (thread_id, id) = ids.split_once('_').unwrap_or((ids, ids));
        if thread_id.is_empty() || id.is_empty() {
            return None;
        }
        Some(Self {
            path: path.to_owned(),
            thread_id: thread_id.to_owned(),
            id: id.to_owned(),
            named_time,
            archived,
        })
    }

    /// The name without `.zst`: a rollout is compressed and decompressed in the course of its life.
    pub(crate) fn plain_name(&self) -> &str {
        let name = self.path.file_name().and_then(|n| n.to_str()).unwrap_or("");
        name.strip_suffix(".zst").unwrap_or(name)
    }

    /// Orders the rollouts of one thread: ids of version 7 begin with their time; the name's time is local
    /// and can go backwards.
    pub(crate) fn age_key(&self) -> (&str, &str) {
        let version_7 = self.id.as_bytes().get(14) == Some(&b'7');
        let id = if version_7 { self.id.as_str() } else { "" };
        (id, &self.named_time)
    }

    fn is_zst(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "zst")
    }
}

/// The name of a rollout without its extensions.
fn stem(name: &str) -> Option<&str> {
    name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".jsonl")
}

/// All rollouts of a store.
#[derive(Debug, Default)]
pub(crate) struct Rollouts {
    pub(crate) all: Vec<Rollout>,
}

impl Rollouts {
    /// Walks the folders of a store.
    pub(crate) fn below(root: &Path) -> Self {
        let mut all = Vec::new();
        for &(folder, archived) in FOLDERS {
            walk(&root.join(folder), DEPTH, &mut |name, path| {
                all.extend(name.to_str().and_then(|name| Rollout::named(name, path, archived)));
            });
        }
        // A rollout that stands there plain and compressed was caught in the middle of a change: the plain
        // file is written first when it is decompressed and removed last when it is compressed.
        all.sort_by(|a, b| {
            let ids = (&a.thread_id, &a.id, a.archived).cmp(&(&b.thread_id, &b.id, b.archived));
            ids.then_with(|| a.is_zst().cmp(&b.is_zst()))
        });
        all.dedup_by(|b, a| {
            (&a.thread_id, &a.id, a.archived) == (&b.thread_id, &b.id, b.archived)
                && a.plain_name() == b.plain_name()
        });
        Self { all }
    }

    /// The rollouts of each thread.
    pub(crate) fn threads(&self) -> BTreeMap<&str, Vec<&Rollout>> {
        let mut threads: BTreeMap<&str, Vec<&Rollout>> = BTreeMap::new();
        for rollout in &self.all {
            threads.entry(&rollout.thread_id).or_default().push(rollout);
        }
        threads
    }
}

/// The folders in which rollouts of a store can appear.
pub(super) fn folders(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut folders: Vec<(PathBuf, usize)> =
        FOLDERS.iter().map(|(folder, _)| (root.join(folder), DEPTH)).collect();
    while let Some((folder, depth)) = folders.pop() {
        if depth > 1
            && let Ok(entries) = fs::read_dir(&folder)
        {
            let below = entries.flatten().filter(|e| e.file_type().is_ok_and(|t| t.is_dir()));
            folders.extend(below.map(|entry| (entry.path(), depth - 1)));
        }
        found.push(folder);
    }
    found
}

/// Calls `found` for each file. Links to folders are not followed: they could lead in circles.
fn walk(folder: &Path, depth: usize, found: &mut impl FnMut(&OsStr, &Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if depth > 1 {
                walk(&entry.path(), depth - 1, found);
            }
        } else {
            found(&entry.file_name(), &entry.path());
        }
    }
}

/// The root of the store that a file lies in, else the file's folder.
pub(crate) fn root_of(path: &Path) -> PathBuf {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.ancestors()
        .find(|p| FOLDERS.iter().any(|(folder, _)| p.file_name().is_some_and(|n| n == *folder)))
        .and_then(Path::parent)
        .or_else(|| path.parent())
        .unwrap_or(Path::new("."))
        .to_owned()
}
