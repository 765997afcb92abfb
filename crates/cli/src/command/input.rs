//! Transcripts that the command line names: by path, by folder, by id.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recount_formats::check::HEAD;
use recount_formats::{Harness, detect};
use recount_store::container::file;
use recount_store::discover;

use crate::args::Global;
use crate::error::{Error, find_error};

/// A transcript to read.
#[derive(Debug, Clone)]
pub(super) struct Input {
    /// Its name for positions.
    pub(super) name: Arc<str>,
    pub(super) path: PathBuf,
    /// The harness, when the store or the command line tells it.
    pub(super) harness: Option<Harness>,
    /// The session, when the command line names one: a database holds others too.
    pub(super) session: Option<String>,
}

impl Input {
    /// A file by its path.
    pub(super) fn of_path(path: &Path, harness: Option<Harness>) -> Self {
        Self {
            name: path.display().to_string().into(),
            path: path.to_owned(),
            harness: harness.or_else(|| of_place(path)),
            session: None,
        }
    }

    /// Finds a file by its path, or a session's by its id.
    pub(super) fn find(
        global: &Global,
        name: &Path,
        harness: Option<Harness>,
    ) -> Result<Self, Error> {
        if name.is_file() {
            return Ok(Self::of_path(name, harness));
        }
        if name.is_dir() {
            return Err(Error::Input(format!("{} is a folder", name.display())));
        }
        let text = name.to_string_lossy();
        if text.contains(std::path::is_separator) || name.extension().is_some() {
            return Err(Error::Input(format!("{text}: no such file")));
        }
        let head = super::stores(global).find(&text).map_err(|e| find_error(global, &text, e))?;
        Ok(Self {
            name: head.path.display().to_string().into(),
            path: head.path,
            harness: harness.or(Some(head.harness)),
            session: Some(head.id),
        })
    }

    /// Opens it, decompressed, and looks at its beginning.
    pub(super) fn open(&self) -> io::Result<Opened> {
        let discover = self.harness.and_then(discover::of);
        let lines = discover.and_then(|d| d.lines(&self.path, self.session.as_deref()));
        let mut rest = match lines {
            Some(lines) => lines?,
            None => file::open(&self.path)?,
        };
        let mut start = Vec::new();
        let failed = Read::by_ref(&mut rest).take(HEAD as u64).read_to_end(&mut start).err();
        let harness = self.harness.or_else(|| detect::harness(&start));
        Ok(Opened { start, rest, failed, harness })
    }
}

/// The harness of a file by where it lies.
fn of_place(path: &Path) -> Option<Harness> {
    discover::all().iter().find_map(|d| d.at_path(path).map(|head| head.harness))
}

/// An opened transcript.
pub(super) struct Opened {
    /// Its first bytes.
    pub(super) start: Vec<u8>,
    rest: Box<dyn Read + Send>,
    /// Reading failed in the first bytes: they are all there is.
    failed: Option<io::Error>,
    /// The harness, as far as it can be told.
    pub(super) harness: Option<Harness>,
}

impl Opened {
    /// All bytes from the beginning.
    pub(super) fn read(self) -> Box<dyn Read + Send> {
        let start = Cursor::new(self.start);
        match self.failed {
            None => Box::new(start.chain(self.rest)),
            Some(error) => Box::new(start.chain(Failing(Some(error)))),
        }
    }
}

/// A reader that fails once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The transcripts below a folder, sorted by path. Links to folders are not followed.
pub(super) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(path);
            } else if path.is_file() && (is_transcript(&path) || is_database(&path)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether a file is a database in which a harness keeps sessions.
fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "db") && of_place(path).is_some()
}

fn is_transcript(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    Path::new(name).extension().is_some_and(|e| e == "jsonl")
        && !discover::all().iter().any(|harness| harness.is_side_file(name))
}
