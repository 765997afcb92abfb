//! The built-in sample stores, for machines without sessions and for trying things out.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use include_dir::{Dir, DirEntry, include_dir};
use recount_formats::Harness;
use recount_store::Store;
use recount_store::container::sqlite;
use tempfile::TempDir;

/// One folder for each harness, in the shape of its home.
static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../fixtures/samples");

/// The sample stores in a private folder, which goes when this goes.
#[derive(Debug)]
pub(crate) struct Samples {
    folder: TempDir,
}

impl Samples {
    /// Writes the sample stores to disk.
    pub(crate) fn unpack() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("recount-sample-").tempdir()?;
        write(&SAMPLES, folder.path())?;
        Ok(Self { folder })
    }

    /// The stores, for the harnesses that there are samples of.
    pub(crate) fn stores(&self) -> Vec<Store> {
        Harness::ALL
            .iter()
            .map(|harness| Store { harness: *harness, root: self.folder.path().join(harness.id()) })
            .filter(|store| store.root.exists())
            .collect()
    }
}

fn write(dir: &Dir<'_>, to: &Path) -> io::Result<()> {
    for entry in dir.entries() {
        let path = to.join(entry.path());
        match entry {
            DirEntry::Dir(dir) => {
                fs::create_dir_all(&path)?;
                write(dir, to)?;
            }
            // Databases are kept as scripts: `opencode.db.sql` makes `opencode.db`.
            DirEntry::File(file) if path.extension().is_some_and(|e| e == "sql") => {
                let script = file.contents_utf8().unwrap_or_default();
                sqlite::build(&path.with_extension(""), script)?;
            }
            DirEntry::File(file) => {
                fs::write(&path, file.contents())?;
                // Harnesses tell by the file's time when a session was last used: that is the time of its last record.
                if let Some(time) = last_timestamp(file.contents()) {
                    File::options().append(true).open(&path)?.set_modified(time)?;
                }
            }
        }
    }
    Ok(())
}

fn last_timestamp(content: &[u8]) -> Option<SystemTime> {
    const KEY: &[u8] = b"\"timestamp\":\"";
    let start = memchr::memmem::rfind(content, KEY)? + KEY.len();
    let rest = content.get(start..)?;
    let text = std::str::from_utf8(rest.get(..memchr::memchr(b'"', rest)?)?).ok()?;
    let time: jiff::Timestamp = text.parse().ok()?;
    let since = u64::try_from(time.as_millisecond()).ok()?;
    Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(since))
}
