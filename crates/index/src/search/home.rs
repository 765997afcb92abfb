//! Where the index is in a cache folder.
//!
//! `search-4/3` is an index, with everything that belongs to it; the one with the highest number counts. One that is made
//! anew is made as `search-4/new` and gets the next number by being renamed, so that others find in the old one until
//! then, and whoever is interrupted leaves a whole one. One that goes is renamed before it is removed: no index ever
//! stands there in part. `search-4/lock` is the right to write in any of them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::lock::Lock;

/// Changes with the shape of the index and with the rules for words and texts: an index of another version is not read.
const VERSION: u32 = 4;
/// So much has to go onto a disk that is not full.
const ROOM: usize = 1 << 20;

/// The folder of the indexes in a cache folder.
pub(super) fn root(cache: &Path) -> PathBuf {
    cache.join(format!("search-{VERSION}"))
}

/// The index that counts.
pub(super) fn current(root: &Path) -> Option<PathBuf> {
    numbered(root).into_iter().max().map(|number| root.join(number.to_string()))
}

/// The table of the index that counts.
pub(super) fn table(cache: &Path) -> Option<PathBuf> {
    current(&root(cache)).map(|folder| folder.join("table.db")).filter(|path| path.is_file())
}

fn numbered(root: &Path) -> Vec<u64> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// An empty folder for an index that is made. The caller holds the lock.
pub(super) fn new(root: &Path) -> io::Result<PathBuf> {
    let folder = root.join("new");
    match fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => fs::create_dir_all(&folder)?,
    }
    Ok(folder)
}

/// Makes the new index the one that counts, and removes the others. The caller holds the lock.
pub(super) fn done(root: &Path, new: &Path) -> io::Result<PathBuf> {
    let next = numbered(root).into_iter().max().map_or(1, |number| number.saturating_add(1));
    let folder = root.join(next.to_string());
    fs::rename(new, &folder)?;
    sweep(root);
    Ok(folder)
}

/// Takes the index that counts away. The caller holds the lock.
pub(super) fn retire(root: &Path) -> io::Result<()> {
    if let Some(folder) = current(root) {
        let gone = root.join(format!("gone-{}", std::process::id()));
        let _ = fs::remove_dir_all(&gone);
        fs::rename(folder, gone)?;
    }
    sweep(root);
    Ok(())
}

/// Removes what is in nobody's way and takes space: indexes that count no more, and what was interrupted. The caller holds
/// the lock.
pub(super) fn sweep(root: &Path) {
    let keep = current(root);
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        if keep.as_ref() != Some(&path) && path.is_dir() {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Whether something can be written there: not on a disk that is full or only read, nor in somebody else's folder.
pub(super) fn can_write(root: &Path) -> io::Result<()> {
    let mut probe = tempfile::Builder::new().prefix("room-").tempfile_in(root)?;
    probe.write_all(&vec![0; ROOM])?;
    probe.as_file().sync_data()
}

/// Removes the indexes of other versions. What cannot be removed takes space and does no harm.
pub(super) fn remove_others(cache: &Path) {
    let own = root(cache);
    let is_index = |name: &str| {
        name.strip_prefix("search-").is_some_and(|version| version.parse::<u32>().is_ok())
    };
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let path = entry.path();
        if path != own
            && entry.file_name().to_str().is_some_and(is_index)
            && let Ok(Some(_lock)) = Lock::take(&path)
        {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_counts_and_the_others_go() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert_eq!(current(root), None);
        let first = done(root, &new(root).unwrap()).unwrap();
        assert_eq!(current(root), Some(first.clone()));
        // Interrupted: the old one goes on to count.
        fs::write(new(root).unwrap().join("half"), "").unwrap();
        assert_eq!(current(root), Some(first.clone()));
        let second = done(root, &new(root).unwrap()).unwrap();
        assert_eq!((current(root), first.exists()), (Some(second.clone()), false));
        assert_eq!(fs::read_dir(&second).unwrap().count(), 0);
        retire(root).unwrap();
        assert_eq!(fs::read_dir(root).unwrap().count(), 0);
    }
}
