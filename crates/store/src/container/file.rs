//! Plain and compressed files. The end is fixed when a file is opened, so that one that grows is read consistently.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

/// Whether the name says that a file is compressed.
pub fn is_zst(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "zst")
}

/// Opens a file for streaming, decompressed, up to its length at this moment.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let file = file.take(len);
    if is_zst(path) {
        return Ok(Box::new(zstd::stream::read::Decoder::new(BufReader::with_capacity(
            256 << 10,
            file,
        ))?));
    }
    Ok(Box::new(file))
}

/// Reads a whole file, decompressed. An error in the middle gives what was read before it, and the error.
pub fn read(path: &Path) -> io::Result<(Vec<u8>, Option<io::Error>)> {
    let mut bytes = Vec::new();
    if !is_zst(path) {
        let file = File::open(path)?;
        let len = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        if len >= LARGE
            && let Some(bytes) = halves(&file, len)
        {
            return Ok((bytes, None));
        }
        bytes.reserve(len + 1);
    }
    let error = open(path)?.read_to_end(&mut bytes).err();
    Ok((bytes, error))
}

/// From this on, two cores read a file faster than one: most of the time goes into copying.
const LARGE: usize = 4 << 20;

/// Reads both halves of a file at once. Nothing when that does not give all of it: then it is read as it comes.
#[cfg(unix)]
fn halves(file: &File, len: usize) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;

    let mut bytes = vec![0; len];
    let (first, second) = bytes.split_at_mut(len / 2);
    let at = first.len() as u64;
    std::thread::scope(|scope| {
        let other = || file.read_exact_at(second, at).ok();
        let other = std::thread::Builder::new().spawn_scoped(scope, other).ok()?;
        file.read_exact_at(first, 0).ok()?;
        other.join().ok()?
    })?;
    Some(bytes)
}

#[cfg(not(unix))]
fn halves(_file: &File, _len: usize) -> Option<Vec<u8>> {
    None
}

/// The first `head` and the last `tail` bytes of a plain file (all of it once when it is short), and its length.
pub fn ends(path: &Path, head: usize, tail: usize) -> io::Result<Ends> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    let len = meta.len();
    let modified = meta.modified().ok();
    let (head, tail) = (head as u64, tail as u64);
    if len <= head + tail {
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        file.take(len).read_to_end(&mut bytes)?;
        return Ok(Ends { head: bytes, tail: None, len, modified });
    }
    let mut first = Vec::with_capacity(head as usize);
    Read::by_ref(&mut file).take(head).read_to_end(&mut first)?;
    file.seek(SeekFrom::Start(len - tail))?;
    let mut last = Vec::with_capacity(tail as usize);
    file.take(tail).read_to_end(&mut last)?;
    Ok(Ends { head: first, tail: Some(last), len, modified })
}

/// Both ends of a file.
#[derive(Debug)]
pub struct Ends {
    /// The first bytes; all of them when `tail` is nothing.
    pub head: Vec<u8>,
    /// The last bytes of a long file; the first line in it is usually cut.
    pub tail: Option<Vec<u8>>,
    /// Length of the whole file.
    pub len: u64,
    /// When it was last written.
    pub modified: Option<SystemTime>,
}

/// A time of the file system as RFC 3339 in UTC, to the millisecond.
pub fn rfc3339(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(format!("{time:.3}"))
}

#[cfg(test)]
mod tests {
    use super::{LARGE, read};

    #[test]
    fn large_files_are_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.jsonl");
        for len in [0, 1, LARGE - 1, LARGE, LARGE + 1] {
            let bytes: Vec<u8> = (0..len).map(|n| (n % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let (found, error) = read(&path).unwrap();
            assert!(found == bytes && error.is_none(), "{len}");
        }
        assert!(read(&folder.path().join("nothing")).is_err());
    }
}
