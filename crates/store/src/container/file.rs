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
        bytes.reserve(usize::try_from(std::fs::metadata(path)?.len()).unwrap_or(0) + 1);
    }
    let error = open(path)?.read_to_end(&mut bytes).err();
    Ok((bytes, error))
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
