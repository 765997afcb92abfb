//! What earlier scans found, on disk. Deleting it loses nothing.
//!
//! A file is known by its place, its identity in the file system, its length and the times at which its content and its
//! entry changed; of these the last one cannot be set back by a program. A file of which any differs is scanned again
//! whole: that is nearly as fast as comparing its content, and exact however it was changed.
//!
//! Entries lie in several files by the hash of their path, so that little is written when little changed. Each is
//! written under another name and renamed, and begins with a checksum: a crash or a second process costs a scan at most.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use recount_session::usage::Transcript;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use twox_hash::XxHash3_64;

/// Changes with the rules for usage and with the shape of entries.
const VERSION: &str = concat!("recount usage 1 ", env!("CARGO_PKG_VERSION"), "\n");

const SHARDS: usize = 16;

/// A file that was written so short a time ago may be written again without a new time.
const FRESH: Duration = Duration::from_millis(200);

/// What tells whether a file is the one that was scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    device: u64,
    inode: u64,
    len: u64,
    modified: i128,
    changed: i128,
}

impl Stamp {
    /// The stamp of a file; nothing when it changed just now.
    pub fn of(meta: &Metadata) -> Option<Self> {
        let modified = nanos(meta.modified().ok()?)?;
        #[cfg(unix)]
        let (device, inode, changed) = {
            use std::os::unix::fs::MetadataExt as _;
            let changed = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
            (meta.dev(), meta.ino(), changed)
        };
        #[cfg(not(unix))]
        let (device, inode, changed) = (0, 0, meta.created().ok().and_then(nanos).unwrap_or(0));
        let now = nanos(SystemTime::now())?;
        let fresh = now - modified.max(changed) < i128::try_from(FRESH.as_nanos()).unwrap_or(0);
        (!fresh).then_some(Self { device, inode, len: meta.len(), modified, changed })
    }
}

fn nanos(time: SystemTime) -> Option<i128> {
    let signed = |d: Duration| i128::try_from(d.as_nanos()).ok();
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => signed(since),
        Err(before) => signed(before.duration()).map(|n| -n),
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    path: String,
    stamp: Stamp,
    transcript: Transcript,
}

/// A folder with what earlier scans found.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// What a cache held when it was read.
#[derive(Debug, Default)]
pub struct Known {
    shards: Vec<HashMap<String, Entry>>,
}

impl Known {
    /// Takes what is known of a file that has not changed since.
    pub fn take(&mut self, path: &Path, stamp: &Stamp) -> Option<Transcript> {
        let path = path.to_str()?;
        let entries = self.shards.get_mut(shard(path))?;
        if entries.get(path)?.stamp != *stamp {
            return None;
        }
        entries.remove(path).map(|entry| entry.transcript)
    }
}

impl Cache {
    /// The cache in a folder, which need not exist yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Reads all of it. What is damaged or of another version is not there.
    pub fn read(&self) -> Known {
        let shards: Mutex<Vec<(usize, HashMap<String, Entry>)>> = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= SHARDS {
                    break;
                }
                let entries: Vec<Entry> = self.load(&name(n)).unwrap_or_default();
                let entries = entries.into_iter().map(|e| (e.path.clone(), e)).collect();
                if let Ok(mut shards) = shards.lock() {
                    shards.push((n, entries));
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(SHARDS);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut shards = shards.into_inner().unwrap_or_default();
        shards.sort_by_key(|(n, _)| *n);
        Known { shards: shards.into_iter().map(|(_, entries)| entries).collect() }
    }

    /// Writes what was found anew. What was known of other files is kept as long as these exist.
    pub fn write<'t>(&self, found: impl Iterator<Item = (&'t Path, Stamp, &'t Transcript)>) {
        let mut changed: Vec<Vec<Entry>> = vec![Vec::new(); SHARDS];
        for (path, stamp, transcript) in found {
            let Some(path) = path.to_str() else { continue };
            let entry = Entry { path: path.to_owned(), stamp, transcript: transcript.clone() };
            changed[shard(path)].push(entry);
        }
        for (n, new) in changed.into_iter().enumerate().filter(|(_, new)| !new.is_empty()) {
            // Read again: another process may have written meanwhile.
            let mut entries: Vec<Entry> = self.load(&name(n)).unwrap_or_default();
            entries.retain(|old| {
                !new.iter().any(|e| e.path == old.path) && Path::new(&old.path).exists()
            });
            entries.extend(new);
            // A cache that cannot be written costs time, nothing else.
            let _ = self.save(&name(n), &entries);
        }
    }

    /// Reads one file of the cache.
    pub(crate) fn load<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = fs::read(self.folder.join(name)).ok()?;
        let rest = bytes.strip_prefix(VERSION.as_bytes())?;
        let (sum, payload) = rest.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != XxHash3_64::oneshot(payload) {
            return None;
        }
        postcard::from_bytes(payload).ok()
    }

    /// Writes one file of the cache.
    pub(crate) fn save<T: Serialize>(&self, name: &str, value: &T) -> io::Result<()> {
        let payload = postcard::to_allocvec(value).map_err(io::Error::other)?;
        let mut bytes = VERSION.as_bytes().to_vec();
        bytes.extend_from_slice(&XxHash3_64::oneshot(&payload).to_le_bytes());
        bytes.extend_from_slice(&payload);
        fs::create_dir_all(&self.folder)?;
        let now = nanos(SystemTime::now()).unwrap_or(0);
        let new = self.folder.join(format!(".{name}.{}.{now}", std::process::id()));
        let done = fs::write(&new, &bytes).and_then(|()| fs::rename(&new, self.folder.join(name)));
        if done.is_err() {
            let _ = fs::remove_file(&new);
        }
        done
    }
}

fn shard(path: &str) -> usize {
    (XxHash3_64::oneshot(path.as_bytes()) % SHARDS as u64) as usize
}

fn name(shard: usize) -> String {
    format!("usage-{shard:02}.bin")
}
