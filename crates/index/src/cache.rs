//! What earlier scans found, on disk. Deleting it loses nothing.
//!
//! A file is known by its place, its identity in the file system, its length and the times at which its content and its
//! entry changed; of these the last one cannot be set back by a program. A file of which none differs is not opened.
//! One that only grew is read from where the last scan ended, when its beginning and what stands before that place are
//! still the same. Everything else is scanned again whole: that is nearly as fast as comparing contents.
//!
//! The sessions of a database are known by the database and its write-ahead log together.
//!
//! Entries lie in several files by the hash of their path, so that little is written when little changed. Each is
//! written under another name and renamed, and begins with a checksum: a crash or a second process costs a scan at most.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::hash::Hasher as _;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use recount_formats::Harness;
use recount_session::usage::{Scanner, Transcript};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use twox_hash::XxHash3_64;

/// Changes with the rules for usage and with the shape of entries.
const VERSION: &str = concat!("recount usage 3 ", env!("CARGO_PKG_VERSION"), "\n");

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
    /// The stamp of a file, and whether its times tell: a file that changed just now may change again at the same time.
    pub fn of(meta: &Metadata) -> Option<(Self, bool)> {
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
        Some((Self { device, inode, len: meta.len(), modified, changed }, !fresh))
    }

    /// The stamp of the log of a database, of which only the content counts: SQLite, as root, sets the owner of the log that it reads
    /// to what it is (`robustFchown` in its `os_unix.c`), and the system notes that as a change.
    pub fn of_log(meta: &Metadata) -> Option<(Self, bool)> {
        let (stamp, _) = Self::of(meta)?;
        let age = nanos(SystemTime::now())? - stamp.modified;
        let fresh = age < i128::try_from(FRESH.as_nanos()).unwrap_or(0);
        Some((Self { changed: 0, ..stamp }, !fresh))
    }

    /// The stamp of two files that belong together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let mixed = |a: i128, b: i128| a.wrapping_mul(1_000_003).wrapping_add(b);
        Self {
            device: self.device,
            inode: self.inode.rotate_left(32) ^ other.inode,
            len: self.len.rotate_left(32) ^ other.len,
            modified: mixed(self.modified, other.modified),
            changed: mixed(self.changed, other.changed),
        }
    }

    /// Whether a file with this stamp can be the one of an older stamp, with more behind it.
    const fn may_continue(&self, older: &Self) -> bool {
        self.device == older.device && self.inode == older.inode && self.len > older.len
    }
}

/// Where a scan ended, and what stands before that place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Offset behind the last line.
    pub byte: u64,
    hash: u64,
}

/// So much of a file is compared as a whole. To read more than this again would take longer than people wait for a status line.
pub(crate) const COMPARED: u64 = 8 << 20;
/// Of longer ones so many pieces are, and each is so long: programs write at the end of such files, or anew.
const PIECES: u64 = 64;
const PIECE: u64 = 4096;

impl Mark {
    /// The mark of a place in a file. `read` is the hash of what stands before it, where that is known already.
    pub fn at(file: &mut File, byte: u64, read: Option<u64>) -> io::Result<Self> {
        if byte > COMPARED {
            return Ok(Self { byte, hash: pieces(file, byte)? });
        }
        if let Some(hash) = read {
            return Ok(Self { byte, hash });
        }
        let mut bytes = vec![0; byte as usize];
        file.seek(SeekFrom::Start(0))?;
        file.read_exact(&mut bytes)?;
        Ok(Self { byte, hash: XxHash3_64::oneshot(&bytes) })
    }

    /// Whether a file still has what the mark says.
    pub fn holds(&self, file: &mut File) -> bool {
        Self::at(file, self.byte, None).is_ok_and(|now| now == *self)
    }
}

/// The hash of pieces from the beginning of a file to a place.
fn pieces(file: &mut File, byte: u64) -> io::Result<u64> {
    let mut hasher = XxHash3_64::new();
    let mut piece = [0; PIECE as usize];
    for n in 0..PIECES {
        file.seek(SeekFrom::Start((byte - PIECE) / (PIECES - 1) * n))?;
        file.read_exact(&mut piece)?;
        hasher.write(&piece);
    }
    // What stands right before the place tells most.
    file.seek(SeekFrom::Start(byte - PIECE))?;
    file.read_exact(&mut piece)?;
    hasher.write(&piece);
    Ok(hasher.finish())
}

fn nanos(time: SystemTime) -> Option<i128> {
    let signed = |d: Duration| i128::try_from(d.as_nanos()).ok();
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => signed(since),
        Err(before) => signed(before.duration()).map(|n| -n),
    }
}

/// What is known of a transcript.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry<'s> {
    /// Its file.
    pub path: String,
    /// Its id, when it is a part of a database.
    pub session: Option<String>,
    /// What tells whether the file changed.
    pub stamp: Stamp,
    /// Where to go on when the file grew; nothing when it has to be read from the beginning.
    pub mark: Option<Mark>,
    /// What was found, and how to go on.
    pub scanner: Cow<'s, Scanner>,
}

/// A folder with what earlier scans found.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

/// Entries by file and session.
type Shard = HashMap<(String, Option<String>), Entry<'static>>;

/// What a cache held when it was read.
#[derive(Debug, Default)]
pub struct Known {
    shards: Vec<Shard>,
}

/// What is known of a file.
#[derive(Debug)]
pub enum Found {
    /// It has not changed since.
    Same(Transcript),
    /// It may only have grown.
    Older(Box<Scanner>, Mark),
}

impl Known {
    /// Takes what is known of a transcript. `settled` tells whether the times in the stamp can be trusted.
    pub fn take(
        &mut self,
        harness: Harness,
        path: &Path,
        session: Option<&str>,
        stamp: &Stamp,
        settled: bool,
    ) -> Option<Found> {
        let path = path.to_str()?;
        let key = (path.to_owned(), session.map(str::to_owned));
        let entry = self.shards.get_mut(shard(path))?.remove(&key)?;
        // A folder may be given as the store of another harness, and a file says something else then.
        if entry.scanner.harness() != harness {
            return None;
        }
        if settled && entry.stamp == *stamp {
            return Some(Found::Same(entry.scanner.into_owned().finish()));
        }
        let mark = entry.mark.filter(|_| stamp.may_continue(&entry.stamp))?;
        let mut scanner = Box::new(entry.scanner.into_owned());
        scanner.wake();
        Some(Found::Older(scanner, mark))
    }
}

impl Cache {
    /// The cache in a folder, which need not exist yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Reads all of it. What is damaged or of another version is not there.
    pub fn read(&self) -> Known {
        let shards: Mutex<Vec<(usize, Shard)>> = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= SHARDS {
                    break;
                }
                let entries: Vec<Entry<'static>> = self.load(&name(n)).unwrap_or_default();
                let entries = entries.into_iter().map(|e| ((e.path.clone(), e.session.clone()), e));
                let entries = entries.collect();
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
    pub fn write<'s>(&self, found: impl Iterator<Item = Entry<'s>>) {
        let mut changed: Vec<Vec<Entry<'_>>> = vec![Vec::new(); SHARDS];
        for entry in found {
            changed[shard(&entry.path)].push(entry);
        }
        for (n, new) in changed.into_iter().enumerate().filter(|(_, new)| !new.is_empty()) {
            // Read again: another process may have written meanwhile.
            let mut entries: Vec<Entry<'_>> = self.load(&name(n)).unwrap_or_default();
            let replaced: HashMap<&str, &Stamp> =
                new.iter().map(|e| (e.path.as_str(), &e.stamp)).collect();
            let again: HashSet<(&str, Option<&str>)> =
                new.iter().map(|e| (e.path.as_str(), e.session.as_deref())).collect();
            // Sessions that are no longer in a database go with its old stamp.
            entries.retain(|old| {
                !again.contains(&(old.path.as_str(), old.session.as_deref()))
                    && replaced.get(old.path.as_str()).is_none_or(|stamp| **stamp == old.stamp)
                    && Path::new(&old.path).exists()
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
