//! Search: everything that was said and done, by words.
//!
//! - [`tokenize`], `compose`: text as words
//! - `strings`: the strings in JSON text
//! - [`item`]: what is indexed of an item
//! - `schema`, `build`, `owned`: sessions as documents
//! - `table`, `ranges`: which transcripts the index holds, in which state
//! - `listing`: which transcripts there are, in which state
//! - [`refresh`], `write`: brings the index up to date
//! - [`query`]: what a person types
//! - `compile`, `pattern`, `collect`, `run`: from a query to hits
//! - `place`, [`snippet`]: the text around a hit
//! - `touched`: the sessions that read or changed a file
//! - `warm`: the text index, opened while the stores are looked at
//! - `complete`: what lists show of sessions
//! - `home`, `open`, `mend`: where the index is, how it is opened, and how it is made anew
//! - `readonly`: where nothing can be written
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
mod compose;
mod home;
mod listing;
mod lock;
mod mend;
mod open;
mod owned;
mod pattern;
mod place;
mod ranges;
mod readonly;
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
pub use mend::Report;
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
    keeping: Keeping,
    table: Table,
    text: tantivy::Index,
    fields: Arc<Fields>,
    warm: Warm,
    /// Removes the folder of an index that is for one run only, or of the copy of a table that is only read.
    _temporary: Option<TempDir>,
}

/// How an index is kept.
#[derive(Debug, Clone)]
enum Keeping {
    /// In a cache folder, below this one.
    Cached(PathBuf),
    /// There too, but nothing can be written.
    ReadOnly { root: PathBuf, why: String },
    /// For one run; because of this, when it was to be kept.
    OneRun(Option<String>),
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
    /// Whether something of it cannot be read, or is not what was written. What meets that makes it anew.
    pub damaged: bool,
}

impl Index {
    /// Why the cache folder is not used as it should be, when it cannot be written.
    pub fn note(&self) -> Option<&str> {
        match &self.keeping {
            Keeping::Cached(_) | Keeping::OneRun(None) => None,
            Keeping::ReadOnly { why, .. } | Keeping::OneRun(Some(why)) => Some(why),
        }
    }

    /// Whether what it holds cannot be changed.
    pub fn is_read_only(&self) -> bool {
        matches!(self.keeping, Keeping::ReadOnly { .. })
    }

    /// The folder with the lock.
    fn root(&self) -> &Path {
        match &self.keeping {
            Keeping::Cached(root) | Keeping::ReadOnly { root, .. } => root,
            Keeping::OneRun(_) => &self.folder,
        }
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
            damaged: !self.is_whole(),
        })
    }

    /// Takes out the transcripts that are gone, whatever store they were in; gives how many.
    pub fn prune(&mut self) -> Result<usize, Error> {
        if self.is_read_only() {
            return Ok(0);
        }
        let Some(_lock) = Lock::take(self.root())? else { return Ok(0) };
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
    let Some(path) = home::table(cache) else { return Vec::new() };
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
