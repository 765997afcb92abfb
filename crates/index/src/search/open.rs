//! How an index is opened.
//!
//! A cache that cannot be written is read; where there is none to read, an index is made for one run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tantivy::directory::MmapDirectory;
use tempfile::TempDir;

use super::lock::Lock;
use super::readonly::ReadOnly;
use super::schema::{self, Fields};
use super::table::Table;
use super::warm::{self, Warm};
use super::{Error, Index, Keeping, home};

/// So long another process is waited for that makes an index, or changes one for another.
const PATIENCE: Duration = Duration::from_secs(5);

/// How far a text index is, as it stands in its own description: in what is kept whole or not at all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    /// The first number that no document has.
    pub(super) next: u64,
    /// How often it was written.
    pub(super) commit: u64,
}

impl Written {
    pub(super) fn of(text: &tantivy::Index) -> Result<Self, Error> {
        let payload = text.load_metas()?.payload.unwrap_or_default();
        let mut numbers = payload.split(' ').map(|n| n.parse().unwrap_or(0));
        let mut number = || numbers.next().unwrap_or(0);
        Ok(Self { next: number(), commit: number() })
    }

    pub(super) fn payload(self) -> String {
        format!("{} {}", self.next, self.commit)
    }
}

impl Index {
    /// The index in a cache folder. It is made when it is not there, and made anew when it cannot be read. Where nothing can
    /// be written, it is read as it is, or one is made for this run: see [`Index::note`].
    pub fn open(cache: &Path) -> Result<Self, Error> {
        let root = home::root(cache);
        if !root.is_dir() {
            home::remove_others(cache);
        }
        // What can be opened may be on a disk that is only read all the same.
        let opened = Self::in_home(&root).and_then(|index| {
            Lock::is_possible(&root)?;
            Ok(index)
        });
        let error = match opened {
            Ok(index) => return Ok(index),
            Err(error) => error,
        };
        if Lock::is_possible(&root).is_ok() && home::can_write(&root).is_ok() {
            // Another process may have made a new one between.
            match Lock::wait(&root, PATIENCE) {
                Ok(Some(lock)) => {
                    if home::current(&root).is_some()
                        && let Ok(index) = Self::in_home(&root)
                    {
                        return Ok(index);
                    }
                    // Damaged: nothing in it is needed.
                    home::retire(&root)?;
                    drop(lock);
                    return Self::in_home(&root);
                }
                Ok(None) => {
                    if let Ok(index) = Self::in_home(&root) {
                        return Ok(index);
                    }
                }
                Err(_) => {}
            }
        }
        let why = error.to_string();
        Self::unwritten(&root, &why)
    }

    /// The one that counts, to be read only, or one for this run.
    pub(super) fn unwritten(root: &Path, why: &str) -> Result<Self, Error> {
        Self::read_only(root, why)
            .or_else(|_| Self::one_run(Some(format!("{}: {why}", root.display()))))
    }

    /// An index for one run, in a folder for temporary files.
    pub fn temporary() -> Result<Self, Error> {
        Self::one_run(None)
    }

    pub(super) fn one_run(why: Option<String>) -> Result<Self, Error> {
        let folder = tempfile::Builder::new().prefix("recount-index-").tempdir()?;
        let path = folder.path().to_owned();
        Self::at(&path, Keeping::OneRun(why), Some(folder))
    }

    /// The one that counts, below a folder.
    pub(super) fn in_home(root: &Path) -> Result<Self, Error> {
        let folder = match home::current(root) {
            Some(folder) => folder,
            None => first(root)?,
        };
        Self::at(&folder, Keeping::Cached(root.to_owned()), None)
    }

    pub(super) fn at(
        folder: &Path,
        keeping: Keeping,
        temporary: Option<TempDir>,
    ) -> Result<Self, Error> {
        let text_folder = folder.join("text");
        let table = Table::open(&folder.join("table.db"))?;
        fs::create_dir_all(&text_folder)?;
        let directory = mapped(&text_folder)?;
        let fields = Arc::new(Fields::new());
        let text = tantivy::Index::open_or_create(directory, fields.schema.clone())?;
        Self::of(folder, keeping, temporary, table, text, fields)
    }

    /// The one that counts, without writing anything where it is. Its table is copied: what a process that ended left in the log
    /// of the table could not be read otherwise.
    fn read_only(root: &Path, why: &str) -> Result<Self, Error> {
        let Some(folder) = home::current(root) else {
            return Err(Error::Io(io::ErrorKind::NotFound.into()));
        };
        let copy = tempfile::Builder::new().prefix("recount-index-").tempdir()?;
        let table = copy.path().join("table.db");
        fs::copy(folder.join("table.db"), &table)?;
        match fs::copy(folder.join("table.db-wal"), copy.path().join("table.db-wal")) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e.into()),
            _ => {}
        }
        let table = Table::open(&table)?;
        let directory = ReadOnly(mapped(&folder.join("text"))?);
        let fields = Arc::new(Fields::new());
        let text = tantivy::Index::open(directory)?;
        if text.schema() != fields.schema {
            return Err(misfit());
        }
        let keeping = Keeping::ReadOnly { root: root.to_owned(), why: why.to_owned() };
        Self::of(&folder, keeping, Some(copy), table, text, fields)
    }

    fn of(
        folder: &Path,
        keeping: Keeping,
        temporary: Option<TempDir>,
        table: Table,
        mut text: tantivy::Index,
        fields: Arc<Fields>,
    ) -> Result<Self, Error> {
        text.set_tokenizers(schema::tokenizers());
        // The table is written after the text index. So it may lack what was written last, which is removed then, and no
        // more than that: what it says is not there, otherwise. It is looked at first, as others write meanwhile.
        let known = table.state("commit")?;
        let written = Written::of(&text)?;
        if written.commit < known || written.commit > known + 1 {
            return Err(misfit());
        }
        let warm = Warm::default();
        Ok(Self {
            folder: folder.to_owned(),
            keeping,
            table,
            text,
            fields,
            warm,
            _temporary: temporary,
        })
    }

    /// The same index, or the one that counts now, when another process made it anew.
    pub(super) fn follow(&mut self) -> Result<(), Error> {
        if let Keeping::Cached(root) = &self.keeping
            && home::current(root).is_none_or(|current| current != self.folder)
        {
            *self = Self::in_home(&root.clone())?;
        }
        Ok(())
    }

    /// Whether all of it can be read and is what was written. Reads all of it.
    pub(super) fn is_whole(&self) -> bool {
        self.table.is_whole()
            && self.text.validate_checksum().is_ok_and(|damaged| damaged.is_empty())
            && warm::opened(&self.text).is_ok()
    }
}

fn misfit() -> Error {
    Error::Io(io::Error::other("its parts do not fit together"))
}

fn mapped(folder: &Path) -> Result<MmapDirectory, Error> {
    Ok(MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?)
}

/// Makes an empty index.
fn first(root: &Path) -> Result<PathBuf, Error> {
    fs::create_dir_all(root)?;
    let lock = Lock::wait(root, PATIENCE)?;
    if let Some(folder) = home::current(root) {
        return Ok(folder);
    }
    if lock.is_none() {
        let text = "another process is making it and does not end";
        return Err(Error::Io(io::Error::new(io::ErrorKind::WouldBlock, text)));
    }
    let new = home::new(root)?;
    drop(Index::at(&new, Keeping::OneRun(None), None)?);
    Ok(home::done(root, &new)?)
}

#[cfg(test)]
mod tests {
    use recount_formats::Harness;
    use recount_store::Store;

    use super::*;
    use crate::search::{Options, Query};

    #[test]
    fn where_nothing_can_be_written_what_is_there_is_found() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("pi");
        let folder = root.join("sessions/--p--");
        fs::create_dir_all(&folder).unwrap();
        let stores = [Store { harness: Harness::Pi, root }];
        let write = |id: &str, word: &str| {
            let lines = [
                format!(
                    r#"{{"type":"session","version":3,"id":"{id}","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/p"}}"#
                ),
                format!(
                    r#"{{"type":"message","id":"00000001","parentId":null,"timestamp":"2026-11-01T10:00:00.000Z","message":{{"role":"user","content":[{{"type":"text","text":"{word}"}}],"timestamp":1}}}}"#
                ),
            ];
            let name = format!("2026-11-01T10-00-00-000Z_{id}.jsonl");
            fs::write(folder.join(name), lines.join("\n") + "\n").unwrap();
        };
        let find = |index: &mut Index, word: &str| {
            let query = Query::parse(word, &|_, _| Ok(0)).unwrap();
            let options = Options { sessions: 9, each: 1, context: None, snippets: true, now: 0 };
            let ask = |i: &Index, now: &_| i.search(now, &query, &options);
            index.ask(&stores, &|_| (), ask).unwrap().0.sessions.len()
        };
        write("s1", "alpha");
        let cache = place.path().join("cache");
        let mut kept = Index::open(&cache).unwrap();
        assert_eq!(find(&mut kept, "alpha"), 1);
        // The log of its table is not empty: another process has it open.
        let home = home::root(&cache);
        let before: Vec<_> =
            fs::read_dir(home::current(&home).unwrap()).unwrap().flatten().collect();
        let mut index = Index::read_only(&home, "a reason").unwrap();
        assert_eq!((index.note(), index.is_read_only()), (Some("a reason"), true));
        write("s2", "omega");
        assert_eq!((find(&mut index, "alpha"), find(&mut index, "omega")), (1, 0));
        assert_eq!(index.prune().unwrap(), 0);
        let after: Vec<_> =
            fs::read_dir(home::current(&home).unwrap()).unwrap().flatten().collect();
        assert_eq!(before.len(), after.len());
        assert_eq!(find(&mut kept, "omega"), 1);
    }
}
