//! Whether a file is still what was read: a change is worked out from what was read, and must not land on anything
//! else.

use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How much of the end is compared. Harnesses append; whoever rewrites a file to the same size changes its end or its
/// time.
const TAIL: u64 = 4 << 10;

/// What a file looked like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    path: PathBuf,
    len: u64,
    modified: Option<SystemTime>,
    tail: u64,
}

impl Seen {
    /// Looks at a file. Before it is read: what is written while it is read then counts as a change.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(meta.len().saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut tail)?;
        let mut hasher = DefaultHasher::new();
        tail.hash(&mut hasher);
        Ok(Self {
            path: path.to_owned(),
            len: meta.len(),
            modified: meta.modified().ok(),
            tail: hasher.finish(),
        })
    }

    /// When it was last written.
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Whether the file is the same.
    pub fn still_holds(&self) -> bool {
        Self::of(&self.path).is_ok_and(|now| now == *self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_rewriting_and_removal_are_changes() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "one\n")?;
        let time = SystemTime::UNIX_EPOCH;
        let set = || File::options().append(true).open(&path)?.set_modified(time);
        set()?;
        let seen = Seen::of(&path)?;
        assert!(seen.still_holds());
        std::fs::write(&path, "one\ntwo\n")?;
        set()?;
        assert!(!seen.still_holds(), "it grew");
        std::fs::write(&path, "uno\n")?;
        set()?;
        assert!(!seen.still_holds(), "as long, as old, other words");
        std::fs::write(&path, "one\n")?;
        assert!(!seen.still_holds(), "written anew");
        set()?;
        assert!(seen.still_holds());
        std::fs::remove_file(&path)?;
        assert!(!seen.still_holds());
        Ok(())
    }
}
