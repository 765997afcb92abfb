//! One process writes at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The right to write. The system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes it; nothing when another process has it.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let file =
            File::options().create(true).truncate(false).write(true).open(folder.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
