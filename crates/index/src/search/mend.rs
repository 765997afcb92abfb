//! Questions that an index answers whatever happened to it: one that cannot be read is made anew, once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use std::{any::Any, io};

use recount_store::Store;

use super::lock::Lock;
use super::refresh::{Progress, Refreshed};
use super::{Error, Index, Keeping, home};

/// So long another process is waited for that may be mending it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Tells how far the work is.
pub type Report<'a> = &'a (dyn Fn(Progress) + Sync);

impl Index {
    /// Brings the index up to date and asks it something. Whatever it says that it cannot be read, it is made anew and asked
    /// once more.
    pub fn ask<T>(
        &mut self,
        stores: &[Store],
        progress: Report<'_>,
        ask: impl Fn(&Self, &Refreshed) -> Result<T, Error>,
    ) -> Result<(T, Refreshed), Error> {
        self.mended(stores, progress, |index| {
            let refreshed = index.refresh_or_read(stores, progress)?;
            Ok((ask(index, &refreshed)?, refreshed))
        })
    }

    /// The same, but what is new is not read.
    pub fn ask_as_it_is<T>(
        &mut self,
        stores: &[Store],
        ask: impl Fn(&Self, &Refreshed) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.mended(stores, &|_| (), |index| {
            index.follow()?;
            ask(index, &index.look(stores)?)
        })
    }

    /// Makes the index in a cache folder anew, beside the one that is there, which others use until it is done. Nothing when
    /// another process is writing.
    pub fn rebuild(
        cache: &Path,
        stores: &[Store],
        progress: Report<'_>,
    ) -> Result<Option<(Self, Refreshed)>, Error> {
        home::remove_others(cache);
        let root = home::root(cache);
        std::fs::create_dir_all(&root)?;
        let Some(_lock) = Lock::take(&root)? else { return Ok(None) };
        let refreshed = made(&root, stores, progress)?;
        Ok(Some((Self::in_home(&root)?, refreshed)))
    }

    /// Makes it anew when something of it cannot be read; gives whether that was so.
    pub fn mend(&mut self, stores: &[Store], progress: Report<'_>) -> Result<bool, Error> {
        let damaged = !self.is_read_only() && !self.is_whole();
        if damaged {
            self.anew(&Error::Io(io::ErrorKind::InvalidData.into()), stores, progress)?;
        }
        Ok(damaged)
    }

    fn mended<T>(
        &mut self,
        stores: &[Store],
        progress: Report<'_>,
        what: impl Fn(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let guarded = |index: &mut Self| {
            catch_unwind(AssertUnwindSafe(|| what(index))).unwrap_or_else(|fault| Err(of(&fault)))
        };
        match guarded(self) {
            Err(error) if error.is_damage() => {
                // What is said of the second try is what there is to say.
                self.anew(&error, stores, progress)?;
                match guarded(self) {
                    Err(error) if self.is_read_only() && error.is_damage() => {
                        self.anew(&error, stores, progress)?;
                        guarded(self)
                    }
                    other => other,
                }
            }
            other => other,
        }
    }

    /// Brings it up to date, as far as that can be written.
    fn refresh_or_read(
        &mut self,
        stores: &[Store],
        progress: Report<'_>,
    ) -> Result<Refreshed, Error> {
        match self.refresh(stores, progress) {
            Err(error) if error.is_no_room() || home::can_write(self.root()).is_err() => {
                let mut refreshed = self.look(stores)?;
                refreshed.unwritten = Some(error.to_string());
                Ok(refreshed)
            }
            other => other,
        }
    }

    /// Another index in the place of this one.
    fn anew(&mut self, error: &Error, stores: &[Store], progress: Report<'_>) -> Result<(), Error> {
        let root = match &self.keeping {
            Keeping::Cached(root) if home::can_write(root).is_err() => {
                *self = Self::unwritten(&root.clone(), &error.to_string())?;
                return Ok(());
            }
            Keeping::Cached(root) => root.clone(),
            // It may be one that another process, which can write there, has removed.
            Keeping::ReadOnly { why, .. } | Keeping::OneRun(Some(why)) => {
                *self = Self::one_run(Some(why.clone()))?;
                return Ok(());
            }
            Keeping::OneRun(None) => {
                *self = Self::temporary()?;
                return Ok(());
            }
        };
        let Some(_lock) = Lock::wait(&root, PATIENCE)? else {
            return Err(Error::Io(io::Error::new(
                io::ErrorKind::WouldBlock,
                "it cannot be read, and another process is writing it",
            )));
        };
        if home::current(&root).as_ref() == Some(&self.folder) {
            made(&root, stores, progress)?;
        }
        *self = Self::in_home(&root)?;
        Ok(())
    }
}

/// Makes an index of the stores, and then the one that counts. The caller holds the lock.
fn made(root: &Path, stores: &[Store], progress: Report<'_>) -> Result<Refreshed, Error> {
    let folder = home::new(root)?;
    let mut index = Index::at(&folder, Keeping::OneRun(None), None)?;
    let refreshed = index.refresh(stores, progress)?;
    // What has files open cannot be renamed everywhere.
    drop(index);
    home::done(root, &folder)?;
    Ok(refreshed)
}

/// A fault of the program, which damage can bring about: what is read is not looked at twice.
fn of(fault: &Box<dyn Any + Send>) -> Error {
    let text = fault.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| fault.downcast_ref::<&str>().copied()).unwrap_or("a fault");
    Error::Io(io::Error::other(format!("reading it ended with: {text}")))
}

impl Error {
    /// Whether the index made anew may do what this one does not: it is not the question that is wrong, nor is the disk full
    /// or another process at work.
    fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        use tantivy::TantivyError::{InvalidArgument, LockFailure};
        use tantivy::directory::error::LockError::LockBusy;
        let elsewhere = match self {
            Self::Io(_) => false,
            Self::Table(error) => {
                matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
            }
            Self::Text(error) => matches!(error, InvalidArgument(_) | LockFailure(LockBusy, _)),
        };
        !elsewhere && !self.is_no_room()
    }

    /// Whether a disk is full, or somebody may take no more of it.
    fn is_no_room(&self) -> bool {
        let full = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
        };
        match self {
            Self::Io(error) => full(error),
            Self::Table(error) => error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull),
            Self::Text(tantivy::TantivyError::IoError(error)) => full(error),
            Self::Text(tantivy::TantivyError::OpenWriteError(
                tantivy::directory::error::OpenWriteError::IoError { io_error, .. },
            )) => full(io_error),
            Self::Text(_) => false,
        }
    }
}
