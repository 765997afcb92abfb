//! One process writes at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The right to write. The system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// How often it is tried again.
const EACH: Duration = Duration::from_millis(10);

impl Lock {
    fn file(folder: &Path) -> io::Result<File> {
        File::options().create(true).truncate(false).write(true).open(folder.join("lock"))
    }

    /// Whether it could ever be taken.
    pub(crate) fn is_possible(folder: &Path) -> io::Result<()> {
        Self::file(folder).map(drop)
    }

    /// Takes it; nothing when another process has it.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let file = Self::file(folder)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Takes it, and waits so long at most for a process that has it.
    pub(crate) fn wait(folder: &Path, most: Duration) -> io::Result<Option<Self>> {
        let begun = Instant::now();
        loop {
            match Self::take(folder)? {
                None if begun.elapsed() < most => std::thread::sleep(EACH),
                other => return Ok(other),
            }
        }
    }
}
