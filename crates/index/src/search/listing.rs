//! Which transcripts there are, and in which state: what every command looks at first.
//!
//! Reading the names in hundreds of folders takes longer than a search. So what was found in them is kept, with what
//! tells that a folder was written to; while no folder of a store was, its transcripts are the same ones. A transcript
//! that grows does not touch its folder, and is looked at each time. Nothing is opened for any of this.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use recount_formats::Harness;
use recount_store::Store;
use recount_store::discover::{self, Discover};
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Stamp};

/// Where it is kept, in the folder of the index.
const FILE: &str = "names.bin";
/// So many files are looked at in one go.
const AT_A_TIME: usize = 64;

/// A transcript file or database of a store.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) harness: Harness,
    pub(crate) name: String,
    /// What tells whether it changed; empty when it changed just now.
    pub(crate) stamp: Vec<u8>,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) len: u64,
}

impl Source {
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.name)
    }
}

/// What is there now.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) sources: Vec<Source>,
    /// The stores in which names of sessions may have changed that stand beside their transcripts.
    pub(crate) renamed: Vec<Store>,
    /// What to keep, when it is not what was kept.
    new: Option<Kept>,
}

/// What was found in stores.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    stores: Vec<KeptStore>,
}

/// Files or folders with their stamps; without one, what is not there.
type Stamped = Vec<(String, Option<Stamp>)>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct KeptStore {
    harness: String,
    root: String,
    /// The folders in which transcripts can appear.
    folders: Stamped,
    files: Vec<String>,
    /// The files in which names of sessions stand.
    names: Stamped,
}

impl Listing {
    /// The transcripts of stores as they are now. `folder` is that of the index.
    pub(crate) fn of(stores: &[Store], folder: &Path) -> Self {
        let mut kept: Kept = Cache::at(folder.to_owned()).load(FILE).unwrap_or_default();
        let mut listing = Self::default();
        let mut all: Vec<(Harness, String)> = Vec::new();
        let mut changed = false;
        for store in stores.iter().filter(|s| s.root.exists()) {
            let Some(discover) = discover::of(store.harness) else { continue };
            let root = store.root.to_string_lossy();
            let is_this = |k: &KeptStore| k.harness == store.harness.id() && k.root == root;
            let before = kept.stores.iter().position(is_this).map(|n| kept.stores.swap_remove(n));
            let looked = look(discover, store, before);
            all.extend(looked.files.into_iter().map(|name| (store.harness, name)));
            if discover.keeps_files() && looked.renamed {
                listing.renamed.push(store.clone());
            }
            changed |= looked.changed;
            kept.stores.extend(looked.kept);
        }
        // A store may be named twice, and one may lie in another.
        all.sort_unstable();
        all.dedup();
        let found = parallel(&all, AT_A_TIME, |(harness, name)| source(*harness, name));
        listing.sources = found.into_iter().flatten().collect();
        listing.new = changed.then_some(kept);
        listing
    }

    /// Keeps it: to be called when the index holds what it lists.
    pub(crate) fn keep(&mut self, folder: &Path) {
        if let Some(kept) = self.new.take() {
            // What cannot be kept costs time, nothing else.
            let _ = Cache::at(folder.to_owned()).save(FILE, &kept);
        }
    }
}

/// What a look at a store gave.
struct Looked {
    files: Vec<String>,
    /// What to keep. Nothing when something was written just now, or when folders do not tell.
    kept: Option<KeptStore>,
    /// Whether that is not what was kept.
    changed: bool,
    /// Whether names beside transcripts may have changed.
    renamed: bool,
}

fn look(discover: &dyn Discover, store: &Store, before: Option<KeptStore>) -> Looked {
    let before = match before {
        Some(mut before) if still(&before.folders) => {
            let files = before.files.clone();
            if still(&before.names) {
                return Looked { files, kept: Some(before), changed: false, renamed: false };
            }
            // Names that were written just now are looked at again; the folders are as they were all the same.
            let new = stamped(before.names.iter().map(|(name, _)| name.clone()).collect());
            let changed = new.is_some();
            before.names = new.unwrap_or(before.names);
            return Looked { files, kept: Some(before), changed, renamed: true };
        }
        other => other,
    };
    // First the times, then the names: what appears between the two is seen the next time.
    let folders = discover.folders(&store.root).and_then(|all| stamped(strings(all)));
    let names = stamped(strings(discover.names_beside(&store.root)));
    let files = strings(if discover.keeps_files() {
        discover.files(&store.root)
    } else {
        discover.databases(&store.root)
    });
    let root = store.root.to_str().map(str::to_owned);
    let kept = folders.zip(names).zip(root).map(|((folders, names), root)| KeptStore {
        harness: store.harness.id().to_owned(),
        root,
        folders,
        names,
        files: files.clone(),
    });
    let names = |kept: &Option<KeptStore>| kept.as_ref().map(|kept| kept.names.clone());
    let renamed = kept.is_none() || names(&kept) != names(&before);
    Looked { files, changed: kept != before, kept, renamed }
}

/// Names that are no text cannot be kept; nobody writes such.
fn strings(paths: Vec<PathBuf>) -> Vec<String> {
    paths.into_iter().filter_map(|path| path.into_os_string().into_string().ok()).collect()
}

/// The stamps of files or folders as they are now; nothing when one was written to just now.
fn stamped(names: Vec<String>) -> Option<Stamped> {
    let stamps = parallel(&names, AT_A_TIME, |name| stamp(name));
    let stamps: Vec<Option<Stamp>> = stamps.into_iter().collect::<io::Result<_>>().ok()?;
    Some(names.into_iter().zip(stamps).collect())
}

/// What tells whether a file changed; nothing when it is not there, and an error when that cannot be told.
fn stamp(name: &str) -> io::Result<Option<Stamp>> {
    match fs::metadata(name) {
        Ok(meta) => settled(&meta).map(Some).ok_or_else(|| io::ErrorKind::WouldBlock.into()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// What was written just now may be written again without a new time.
fn settled(meta: &Metadata) -> Option<Stamp> {
    Stamp::of(meta).and_then(|(stamp, settled)| settled.then_some(stamp))
}

fn still(before: &Stamped) -> bool {
    parallel(before, AT_A_TIME, |(name, before)| stamp(name).is_ok_and(|now| now == *before))
        .into_iter()
        .all(|same| same)
}

/// The state of a transcript file or database.
pub(super) fn source(harness: Harness, name: &str) -> Option<Source> {
    let meta = fs::metadata(name).ok()?;
    let mut stamps = vec![settled(&meta)];
    let (mut modified, mut len) = (meta.modified().ok(), meta.len());
    let in_database = discover::of(harness).is_some_and(|discover| !discover.keeps_files());
    if in_database && let Ok(log) = fs::metadata(format!("{name}-wal")) {
        stamps.push(Stamp::of_log(&log).and_then(|(stamp, settled)| settled.then_some(stamp)));
        modified = modified.max(log.modified().ok());
        len += log.len();
    }
    let stamps: Option<Vec<Stamp>> = stamps.into_iter().collect();
    let stamp = stamps.and_then(|s| postcard::to_allocvec(&s).ok()).unwrap_or_default();
    Some(Source { harness, name: name.to_owned(), stamp, modified, len })
}

/// Maps on all cores, in order: what costs is the system's answer for each file. So many at a time are one core's.
pub(super) fn parallel<T: Sync, R: Send>(
    items: &[T],
    at_a_time: usize,
    map: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let threads = cores.min(items.len().div_ceil(at_a_time));
    if threads < 2 {
        return items.iter().map(map).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let from = next.fetch_add(at_a_time, Ordering::Relaxed);
            let Some(rest) = items.get(from..).filter(|rest| !rest.is_empty()) else { return done };
            done.push((from, rest.iter().take(at_a_time).map(&map).collect::<Vec<R>>()));
        }
    };
    let mut all: Vec<(usize, Vec<R>)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            match other.join() {
                Ok(part) => all.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(from, _)| *from);
    all.into_iter().flat_map(|(_, part)| part).collect()
}
