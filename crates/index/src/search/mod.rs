//! Search: everything that was said and done, by words.
//!
//! - [`tokenize`]: text as words
//! - `strings`: the strings in JSON text
//! - [`item`]: what is indexed of an item
//! - `schema`, `build`: sessions as documents
//! - `table`, `ranges`: which transcripts the index holds, in which state
//! - `listing`: which transcripts there are, in which state
//! - [`refresh`], `write`: brings the index up to date
//! - [`query`]: what a person types
//! - `compile`, `pattern`, `collect`, `run`: from a query to hits
//! - `place`, [`snippet`]: the text around a hit
//! - `touched`: the sessions that read or changed a file
//! - `warm`: the text index, opened while the stores are looked at
//! - `complete`: what lists show of sessions
//!
//! The index holds no text: snippets are read from the transcripts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_store::Store;
use tempfile::TempDir;

pub mod item;
pub mod query;
pub mod refresh;
pub mod snippet;
pub mod tokenize;

mod build;
mod collect;
mod compile;
mod complete;
mod listing;
mod lock;
mod pattern;
mod place;
mod ranges;
mod run;
mod schema;
mod strings;
mod table;
mod touched;
mod warm;
mod write;

pub use build::Session;
pub use complete::complete;
pub use item::{Role, Touch};
pub use query::Query;
pub use refresh::{Progress, Refreshed, catch_up};
pub use run::{Found, Hit, How, InSession, Options};
pub use snippet::Snippet;
pub use touched::{FileUse, Touched};

use listing::Listing;
use lock::Lock;
use schema::Fields;
use table::Table;
use warm::Warm;

/// Changes with the shape of the index and with the rules for words and texts: an index of another version is not read.
const VERSION: u32 = 3;

/// Why the index could not be used.
#[derive(Debug)]
pub enum Error {
    /// Its files could not be read or written.
    Io(io::Error),
    /// Its table could not be read or written.
    Table(rusqlite::Error),
    /// The text index could not be read or written.
    Text(tantivy::TantivyError),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(e) => write!(f, "the search index: {e}"),
            Self::Table(e) => write!(f, "the table of the search index: {e}"),
            Self::Text(e) => write!(f, "the search index: {e}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(e: rusqlite::Error) -> Self {
        Self::Table(e)
    }
}

impl From<tantivy::TantivyError> for Error {
    fn from(e: tantivy::TantivyError) -> Self {
        Self::Text(e)
    }
}

/// The search index.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    table: Table,
    text: tantivy::Index,
    fields: Arc<Fields>,
    warm: Warm,
    /// Removes the folder of an index that is for one run only.
    _temporary: Option<TempDir>,
}

/// What there is to say of an index.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// Where it is.
    pub folder: PathBuf,
    /// Transcript files and databases.
    pub sources: u64,
    /// Sessions.
    pub sessions: u64,
    /// Documents: items, and one of each session.
    pub documents: u64,
    /// Parts of the text index.
    pub segments: u64,
    /// Documents that were taken out and still take space.
    pub leftovers: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Transcripts that are new or changed since.
    pub changed: u64,
}

impl Index {
    /// The index in a cache folder. It is made when it is not there, and made anew when it cannot be read.
    pub fn open(cache: &Path) -> Result<Self, Error> {
        let folder = folder(cache);
        if !folder.is_dir() {
            remove_others(cache);
        }
        fs::create_dir_all(&folder)?;
        match Self::at(&folder, None) {
            Ok(index) => Ok(index),
            Err(error) => {
                // Damaged, or made by half: nothing in it is needed. Unless somebody is at work there.
                let Some(lock) = Lock::take(&folder)? else { return Err(error) };
                clear(&folder)?;
                drop(lock);
                Self::at(&folder, None)
            }
        }
    }

    /// An index for one run, in a folder for temporary files.
    pub fn temporary() -> Result<Self, Error> {
        let folder = tempfile::Builder::new().prefix("recount-index-").tempdir()?;
        let path = folder.path().to_owned();
        Self::at(&path, Some(folder))
    }

    fn at(folder: &Path, temporary: Option<TempDir>) -> Result<Self, Error> {
        let fields = Arc::new(Fields::new());
        let table = Table::open(&folder.join("table.db"))?;
        let text_folder = folder.join("text");
        fs::create_dir_all(&text_folder)?;
        let directory = tantivy::directory::MmapDirectory::open(&text_folder)
            .map_err(tantivy::TantivyError::from)?;
        let mut text = tantivy::Index::open_or_create(directory, fields.schema.clone())?;
        text.set_tokenizers(schema::tokenizers());
        // The table may not know of documents that are not there; the other way round is no harm.
        let written = text.load_metas()?.payload.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        if written < table.state("next")? {
            return Err(Error::Io(io::Error::other("its parts do not fit together")));
        }
        let warm = Warm::default();
        Ok(Self { folder: folder.to_owned(), table, text, fields, warm, _temporary: temporary })
    }

    /// Begins to open the text index for a search that comes next, while the stores are looked at.
    pub fn warm_up(&self) {
        self.warm.begin(&self.text);
    }

    /// What there is to say of it.
    pub fn status(&self, stores: &[Store]) -> Result<Status, Error> {
        let (sources, sessions, leftovers) = self.table.counts()?;
        let segments = self.text.searchable_segment_metas()?;
        let known = self.table.sources()?;
        let now = Listing::of(stores, &self.folder).sources;
        Ok(Status {
            folder: self.folder.clone(),
            sources,
            sessions,
            documents: segments.iter().map(|s| u64::from(s.num_docs())).sum(),
            segments: segments.len() as u64,
            leftovers,
            bytes: size(&self.folder),
            changed: now.iter().filter(|s| refresh::is_changed(&known, s)).count() as u64,
        })
    }

    /// Takes out the transcripts that are gone, whatever store they were in; gives how many.
    pub fn prune(&mut self) -> Result<usize, Error> {
        let Some(_lock) = Lock::take(&self.folder)? else { return Ok(0) };
        let known = self.table.sources()?;
        let gone: Vec<i64> = known
            .iter()
            .filter(|(path, _)| !Path::new(path).exists())
            .map(|(_, known)| known.id)
            .collect();
        self.clean(&gone)?;
        Ok(gone.len())
    }
}

/// The sessions of stores as they were when the index in a cache folder was last brought up to date; none when there is no index.
/// Takes milliseconds, whatever the stores hold, for whoever wants to show something before they are listed.
pub fn remembered(cache: &Path, stores: &[Store]) -> Vec<Session> {
    let path = folder(cache).join("table.db");
    if !path.is_file() {
        return Vec::new();
    }
    let all = Table::open(&path).and_then(|table| table.abouts()).unwrap_or_default();
    let is_wanted = |session: &Session| {
        let inside = |store: &Store| {
            store.harness.id() == session.harness
                && Path::new(&session.path).starts_with(&store.root)
        };
        stores.iter().any(inside)
    };
    all.into_iter().map(|(_, _, session)| session).filter(is_wanted).collect()
}

/// Where the index is in a cache folder.
fn folder(cache: &Path) -> PathBuf {
    cache.join(format!("search-{VERSION}"))
}

/// The indexes in a cache folder, of all versions.
fn all(cache: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let is_index = |name: &str| {
        name.strip_prefix("search-").is_some_and(|version| version.parse::<u32>().is_ok())
    };
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(is_index))
        .map(|entry| entry.path())
        .collect()
}

/// Removes the index from a cache folder, and those of other versions. `false` when a process is at work in it.
pub fn remove(cache: &Path) -> io::Result<bool> {
    let mut removed = true;
    for folder in all(cache) {
        match Lock::take(&folder)? {
            Some(_lock) => clear(&folder)?,
            None => removed = false,
        }
    }
    Ok(removed)
}

/// Removes what other versions left. What cannot be removed takes space and does no harm.
fn remove_others(cache: &Path) {
    for folder in all(cache) {
        if let Ok(Some(_lock)) = Lock::take(&folder) {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

/// Removes everything in a folder but the lock, which is held.
fn clear(folder: &Path) -> io::Result<()> {
    for name in ["table.db", "table.db-wal", "table.db-shm", "names.bin"] {
        match fs::remove_file(folder.join(name)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    match fs::remove_dir_all(folder.join("text")) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Bytes below a folder.
fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => size(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}
