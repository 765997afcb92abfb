//! What tells that files were changed, without a look into them.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
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
    /// By the paths as they are spelled: taking them apart costs more than a look at the file.
    stamps: HashMap<OsString, Option<Stamp>>,
}

impl Moment {
    /// Now.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn of(&mut self, path: &Path) -> Option<Stamp> {
        if let Some(known) = self.stamps.get(path.as_os_str()) {
            return *known;
        }
        let stamp = Stamp::of(path);
        self.stamps.insert(path.as_os_str().to_owned(), stamp);
        stamp
    }
}

/// Some files as they were.
#[derive(Debug, Clone, Default)]
pub(super) struct Mark {
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    /// For each of them whether its folder is among them, too.
    housed: Vec<bool>,
    /// Whether something was written so shortly before that the next write might leave no trace.
    hot: bool,
}

impl Mark {
    pub(super) fn of(paths: impl IntoIterator<Item = PathBuf>, moment: &mut Moment) -> Self {
        let now = SystemTime::now();
        let mut hot = false;
        let stamps: Vec<_> = paths
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
        let all: HashSet<_> = stamps.iter().map(|(path, _)| path.as_os_str()).collect();
        let housed = |path: &Path| path.parent().is_some_and(|p| all.contains(p.as_os_str()));
        // Elsewhere folders may learn late of what is new in them.
        let housed = stamps.iter().map(|(path, _)| cfg!(unix) && housed(path)).collect();
        Self { stamps, housed, hot }
    }

    /// Whether nothing has happened since. `waited` is how long ago the mark was taken.
    ///
    /// A file that was not there is not looked for while its folder is as it was. Had it come between the looks at the two,
    /// the folder's time would be so new that the mark is hot.
    pub(super) fn still_holds(&self, moment: &mut Moment, waited: Duration) -> bool {
        let mut all = self.stamps.iter().zip(&self.housed);
        let same = all.all(|((path, stamp), housed)| {
            (stamp.is_none() && *housed) || moment.of(path) == *stamp
        });
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

    /// What is so new that an earlier mark does not know it may have been written in since it was looked into, behind the first
    /// `known` files: the next look finds it changed.
    pub(super) fn doubt_new(&mut self, known: usize, earlier: &Self) {
        for (n, (path, stamp)) in self.stamps.iter_mut().enumerate().skip(known) {
            let there = earlier.stamps.get(n).is_some_and(|(p, _)| is_same(p, path))
                || earlier.stamps.iter().any(|(p, _)| is_same(p, path));
            if !there {
                *stamp = None;
                // Its folder has been seen with it in it.
                self.housed[n] = false;
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::fs;

    use super::*;

    #[test]
    fn what_is_new_is_looked_at_once_more() {
        let root = tempfile::tempdir().unwrap();
        let (root, day) = (root.path().to_owned(), root.path().join("day"));
        let content = root.join("a.jsonl");
        fs::write(&content, "x").unwrap();
        let earlier = Mark::of([content.clone(), root.clone()], &mut Moment::new());
        // Between two looks a folder comes with something in it.
        fs::create_dir(&day).unwrap();
        fs::write(day.join("b.jsonl"), "x").unwrap();
        let root = Mark::of([root], &mut Moment::new()).stamps.remove(0);
        let known = Mark { stamps: vec![root.clone()], housed: vec![false], hot: false };
        let all = [content, root.0, day];
        let holds = |mark: &Mark| mark.still_holds(&mut Moment::new(), Duration::ZERO);
        let mut mark = Mark::of(all.clone(), &mut Moment::new());
        mark.take_from(&known);
        assert!(holds(&mark) && mark.agrees(&mut Moment::new(), &all));
        mark.doubt_new(1, &earlier);
        assert!(!holds(&mark) && !mark.agrees(&mut Moment::new(), &all));
        // It is known the next time.
        let mut again = Mark::of(all.clone(), &mut Moment::new());
        again.doubt_new(1, &mark);
        assert!(holds(&again) && again.agrees(&mut Moment::new(), &all));
    }

    #[test]
    fn a_file_that_was_not_there_is_seen_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, inside) = (folder.path().to_owned(), folder.path().join("a.jsonl.zst"));
        let alone = Mark::of([inside.clone()], &mut Moment::new());
        std::thread::sleep(STEP * 2);
        let housed = Mark::of([inside.clone(), folder], &mut Moment::new());
        assert_eq!(
            (housed.housed.clone(), alone.housed.clone()),
            (vec![cfg!(unix), false], vec![false])
        );
        let holds = |mark: &Mark| mark.still_holds(&mut Moment::new(), Duration::ZERO);
        assert!(holds(&housed) && holds(&alone));
        fs::write(&inside, "x").unwrap();
        assert!(!holds(&housed) && !holds(&alone));
        let there = Mark::of([inside.clone()], &mut Moment::new());
        fs::write(&inside, "xy").unwrap();
        assert!(!holds(&there));
    }
}
