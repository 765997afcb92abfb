//! Taking steps, and taking them back when the last one fails.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::index::{self, Row};
use super::{EditError, Editor, Session};
use crate::container::file;
use crate::recorder::append::{self, Sync};

/// One thing to write.
#[derive(Debug)]
pub(super) enum Step {
    /// Whole lines at the end of a file. Without lines only a torn end is repaired.
    Append { path: PathBuf, lines: String },
    /// Like `Append`, in a file that need not be there.
    Index { path: PathBuf, line: String },
    /// A new file.
    Create { path: PathBuf, content: Vec<u8> },
    /// A file gets another place.
    Move { from: PathBuf, to: PathBuf },
    /// A compressed file is made plain again.
    Restore { from: PathBuf, to: PathBuf },
    /// A thread's row in the harness's database.
    Row(Row),
}

/// Something that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Change {
    /// Lines were appended.
    Append {
        /// The file.
        path: PathBuf,
        /// Where the lines begin.
        byte: u64,
        /// How many bytes they are.
        len: u64,
        /// How many lines they are.
        records: usize,
        /// Whether a line ending was put behind a line that had been cut off.
        repaired: bool,
    },
    /// A file was written.
    Create {
        /// The file.
        path: PathBuf,
        /// Its size.
        len: u64,
        /// How many lines it has.
        records: usize,
    },
    /// A file was moved.
    Move {
        /// Where it was.
        from: PathBuf,
        /// Where it is.
        to: PathBuf,
    },
    /// A compressed file was made plain.
    Restore {
        /// The compressed one, which is gone.
        from: PathBuf,
        /// The plain one.
        to: PathBuf,
    },
    /// A row of a database was changed.
    Row {
        /// The database.
        path: PathBuf,
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
        /// Columns and their new values.
        set: Vec<(&'static str, Cell)>,
    },
}

/// A value in a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Integer(i64),
    /// Text.
    Text(String),
    /// Nothing.
    Null,
}

/// Takes the steps if the transcript is still what was read; tells what was, or would be, written.
pub(super) fn take(
    editor: &Editor,
    session: &Session,
    steps: Vec<Step>,
) -> Result<Vec<Change>, EditError> {
    session.check(editor)?;
    let mut changes = Vec::new();
    for step in steps {
        match step.take(editor) {
            Ok(change) => changes.extend(change),
            Err(error) => {
                for change in changes.iter().rev() {
                    take_back(change);
                }
                return Err(error);
            }
        }
    }
    Ok(changes)
}

/// Undoes what can be undone: lines that were appended stay, and each of them is true.
fn take_back(change: &Change) {
    match change {
        Change::Create { path, .. } => {
            let _ = fs::remove_file(path);
        }
        Change::Move { from, to } => {
            let _ = fs::rename(to, from);
        }
        Change::Append { .. } | Change::Restore { .. } | Change::Row { .. } => {}
    }
}

impl Step {
    fn take(self, editor: &Editor) -> Result<Option<Change>, EditError> {
        let (dry, sync) = (editor.dry_run, editor.sync);
        match self {
            Self::Append { path, lines } => {
                let io = EditError::io(&path);
                let (byte, repaired) =
                    if dry { end(&path) } else { appended(&path, &lines, sync) }.map_err(io)?;
                if lines.is_empty() && !repaired {
                    return Ok(None);
                }
                let records = lines.lines().count();
                Ok(Some(Change::Append { path, byte, len: lines.len() as u64, records, repaired }))
            }
            Self::Index { path, line } => {
                if !dry && !path.exists() {
                    File::options()
                        .create(true)
                        .append(true)
                        .open(&path)
                        .map_err(EditError::io(&path))?;
                }
                Self::Append { path, lines: line }.take(editor)
            }
            Self::Create { path, content } => {
                if !dry {
                    append::create(&path, sync, |file| file.write_all(&content))
                        .map_err(EditError::io(&path))?;
                }
                let records = content.split(|&b| b == b'\n').filter(|l| !l.is_empty()).count();
                Ok(Some(Change::Create { path, len: content.len() as u64, records }))
            }
            Self::Move { from, to } => {
                if !dry {
                    moved(&from, &to, sync).map_err(EditError::io(&to))?;
                }
                Ok(Some(Change::Move { from, to }))
            }
            Self::Restore { from, to } => {
                if !dry {
                    restored(&from, &to, sync).map_err(EditError::io(&from))?;
                }
                Ok(Some(Change::Restore { from, to }))
            }
            Self::Row(row) => {
                if !dry {
                    index::write(&row)
                        .map_err(|error| EditError::Io { path: row.path.clone(), error })?;
                }
                Ok(Some(Change::Row {
                    path: row.path,
                    table: index::TABLE,
                    id: row.id,
                    set: row.set,
                }))
            }
        }
    }
}

fn appended(path: &Path, lines: &str, sync: Sync) -> io::Result<(u64, bool)> {
    append::append(path, lines, sync).map(|a| (a.byte, a.repaired))
}

/// Where lines would be appended.
fn end(path: &Path) -> io::Result<(u64, bool)> {
    // A compressed file is restored before, and never torn.
    if !path.exists() {
        return Ok((0, false));
    }
    let mut file = File::open(path)?;
    let torn = append::is_torn(&mut file)?;
    Ok((file.metadata()?.len() + u64::from(torn), torn))
}

/// Gives a file another place, in which no other is.
fn moved(from: &Path, to: &Path, sync: Sync) -> io::Result<()> {
    if to.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::rename(from, to)?;
    if sync == Sync::Data {
        for folder in [from.parent(), to.parent()].into_iter().flatten() {
            append::sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Makes a compressed file plain: the plain one is there before the other goes, as Codex does it.
pub(in crate::recorder) fn restored(from: &Path, to: &Path, sync: Sync) -> io::Result<()> {
    let modified = fs::metadata(from)?.modified()?;
    let mut reader = file::open(from)?;
    append::create(to, sync, |file| {
        io::copy(&mut reader, file)?;
        file.set_modified(modified)
    })?;
    fs::remove_file(from)
}
