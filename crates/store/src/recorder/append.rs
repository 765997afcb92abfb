//! Writing so that a crash leaves whole lines: appends in one go, new files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// Whether what was written is on the disk when a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sync {
    /// It is when the system gets around to it: a crash of the program loses nothing, one of the machine may.
    #[default]
    Lazy,
    /// It is at the end of each turn, and when a file is made.
    Turn,
    /// It is.
    Data,
}

/// Where lines were appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// Where they begin.
    pub byte: u64,
    /// How many bytes they are.
    pub len: u64,
    /// Whether the last line was cut off and a line ending was put behind it first.
    pub repaired: bool,
}

/// Whether a file ends in the middle of a line.
pub fn is_torn(file: &mut File) -> io::Result<bool> {
    let len = file.seek(SeekFrom::End(0))?;
    if len == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(len - 1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Appends whole lines. A line that was cut off before is ended first, so that it costs no more than itself. When
/// there is no room, nothing is left of the lines.
pub fn append(path: &Path, lines: &str, sync: Sync) -> io::Result<Appended> {
    let mut file = File::options().read(true).append(true).open(path)?;
    let repaired = is_torn(&mut file)?;
    let before = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(lines.len() + 1);
    if repaired {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(lines.as_bytes());
    if let Err(error) = file.write_all(&bytes) {
        let _ = file.set_len(before);
        return Err(error);
    }
    if sync == Sync::Data {
        file.sync_data()?;
    }
    Ok(Appended { byte: before + u64::from(repaired), len: lines.len() as u64, repaired })
}

/// Writes a new file: under its name it is there whole or not at all, and never in place of another.
pub fn create(
    path: &Path,
    sync: Sync,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // The name is none that a harness takes for a transcript.
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(".recount-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are their owner's alone; a transcript is made like any file, as the umask says.
        temporary.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = temporary.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    if sync != Sync::Lazy {
        file.as_file().sync_all()?;
    }
    file.persist_noclobber(path).map_err(|e| e.error)?;
    if sync != Sync::Lazy {
        sync_folder(folder)?;
    }
    Ok(())
}

/// Makes names in a folder last. Only Unix has a way.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_ended_first() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "{}\n{\"to")?;
        let at = append(&path, "{\"b\":1}\n", Sync::Data)?;
        assert_eq!(at, Appended { byte: 8, len: 8, repaired: true });
        assert_eq!(fs::read_to_string(&path)?, "{}\n{\"to\n{\"b\":1}\n");
        let at = append(&path, "{}\n", Sync::Lazy)?;
        assert_eq!(at, Appended { byte: 16, len: 3, repaired: false });
        fs::write(&path, "")?;
        assert!(!append(&path, "{}\n", Sync::Lazy)?.repaired);
        assert!(append(&folder.path().join("none"), "{}\n", Sync::Lazy).is_err());
        Ok(())
    }

    #[test]
    fn a_new_file_is_whole_or_not_there() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("2026/01/a.jsonl");
        let failed = create(&path, Sync::Data, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert!(failed.is_err() && !path.exists());
        assert_eq!(fs::read_dir(folder.path().join("2026/01"))?.count(), 0, "nothing is left");
        create(&path, Sync::Data, |file| file.write_all(b"{}\n"))?;
        assert!(create(&path, Sync::Lazy, |file| file.write_all(b"other")).is_err());
        assert_eq!(fs::read(&path)?, b"{}\n");
        Ok(())
    }
}
