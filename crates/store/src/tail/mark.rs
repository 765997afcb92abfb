//! What tells that files were changed, without a look into them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file system's clock moves in steps. What was written less than this ago may have been written once more without a
/// trace in its time.
const STEP: Duration = Duration::from_millis(40);

/// A file as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Its length in bytes.
    pub(super) len: u64,
    modified: Option<SystemTime>,
    /// Device, inode and time of the last change of either, where the system tells: a file that was replaced by one of
    /// the same length and time is another one.
    identity: (u64, u64, i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let meta = std::fs::metadata(path).ok()?;
        Some(Self { len: meta.len(), modified: meta.modified().ok(), identity: identity(&meta) })
    }

    /// Whether this is the same file, longer or as long as it was.
    pub(super) fn grew_from(&self, before: &Self) -> bool {
        (self.identity.0, self.identity.1) == (before.identity.0, before.identity.1)
            && self.len >= before.len
    }
}

#[cfg(unix)]
fn identity(meta: &std::fs::Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (meta.dev(), meta.ino(), meta.ctime(), meta.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_meta: &std::fs::Metadata) -> (u64, u64, i64, i64) {
    (0, 0, 0, 0)
}

/// The stamps of one moment. A file that several sessions depend on is looked at once.
#[derive(Debug, Default)]
pub struct Moment {
    stamps: HashMap<PathBuf, Option<Stamp>>,
}

impl Moment {
    /// Now.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn of(&mut self, path: &Path) -> Option<Stamp> {
        if let Some(known) = self.stamps.get(path) {
            return *known;
        }
        let stamp = Stamp::of(path);
        self.stamps.insert(path.to_owned(), stamp);
        stamp
    }
}

/// Some files as they were.
#[derive(Debug, Clone, Default)]
pub(super) struct Mark {
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    /// Whether something was written so shortly before that the next write might leave no trace.
    hot: bool,
}

impl Mark {
    pub(super) fn of(paths: impl IntoIterator<Item = PathBuf>, moment: &mut Moment) -> Self {
        let now = SystemTime::now();
        let mut hot = false;
        let stamps = paths
            .into_iter()
            .map(|path| {
                let stamp = moment.of(&path);
                // A time in the future tells nothing about what happens next.
                hot |= stamp.and_then(|s| s.modified).is_some_and(|modified| {
                    now.duration_since(modified).map_or(true, |age| age < STEP)
                });
                (path, stamp)
            })
            .collect();
        Self { stamps, hot }
    }

    /// Whether nothing has happened since. `waited` is how long ago the mark was taken.
    pub(super) fn still_holds(&self, moment: &mut Moment, waited: Duration) -> bool {
        let same = self.stamps.iter().all(|(path, stamp)| moment.of(path) == *stamp);
        same && !(self.hot && waited >= STEP)
    }

    /// Takes the stamps of an earlier mark for the files that it knows.
    pub(super) fn take_from(&mut self, earlier: &Self) {
        self.hot |= earlier.hot;
        for (n, (path, stamp)) in self.stamps.iter_mut().enumerate() {
            // Nearly always in the same place.
            let same = earlier.stamps.get(n).filter(|(p, _)| is_same(p, path));
            let same = same.or_else(|| earlier.stamps.iter().find(|(p, _)| is_same(p, path)));
            if let Some((_, before)) = same {
                *stamp = *before;
            }
        }
    }

    /// How one of the files was.
    pub(super) fn stamp(&self, path: &Path) -> Option<Stamp> {
        self.stamps.iter().find(|(p, _)| is_same(p, path)).and_then(|(_, stamp)| *stamp)
    }

    /// Whether each of these files is as it was.
    pub(super) fn agrees(&self, moment: &mut Moment, paths: &[PathBuf]) -> bool {
        paths.iter().all(|path| {
            self.stamps
                .iter()
                .find(|(p, _)| is_same(p, path))
                .is_some_and(|(_, s)| moment.of(path) == *s)
        })
    }
}

/// Paths that come from the same listing: no need to take them apart.
fn is_same(a: &Path, b: &Path) -> bool {
    a.as_os_str() == b.as_os_str()
}
