//! Reads the transcripts of stores for usage: each file once, all cores busy, memory as large as the longest line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cache::{Cache, Stamp};
use jiff::Timestamp;
use recount_formats::{Code, Finding, Harness, Position};
use recount_session::usage::{Feeder, Scanner, Transcript, is_stored};
use recount_store::container::file;
use recount_store::discover;
use recount_store::{SessionHead, Store};

/// How much is read at once: it fits in a core's own cache, so that what was read is searched there.
const BLOCK: usize = 512 << 10;

/// Longer lines are left out; they hold images, never usage.
const LONGEST_LINE: usize = 256 << 20;

/// A transcript file.
#[derive(Debug, Clone)]
pub struct Source {
    /// The harness.
    pub harness: Harness,
    /// The file.
    pub path: PathBuf,
    /// What its name says of the thread.
    pub name: String,
    /// Its length; what is written behind it later is not read.
    pub len: u64,
    /// When it was last written.
    pub modified: Option<Timestamp>,
    /// What tells whether it changed; nothing when it changed just now.
    pub stamp: Option<Stamp>,
    /// The session in a database.
    pub session: Option<Arc<SessionHead>>,
}

impl Source {
    /// The file at a path.
    pub fn at(harness: Harness, path: PathBuf) -> Self {
        let meta = std::fs::metadata(&path).ok();
        let len = meta.as_ref().map_or(0, std::fs::Metadata::len);
        let stamp = meta.as_ref().and_then(Stamp::of);
        let modified = meta.and_then(|m| Timestamp::try_from(m.modified().ok()?).ok());
        let name = stem(&path);
        Self { harness, path, name, len, modified, stamp, session: None }
    }

    /// A session in a database. The cache does not know these: a database changes all the time.
    pub fn of(head: SessionHead) -> Self {
        Self {
            harness: head.harness,
            path: head.path.clone(),
            name: head.id.clone(),
            len: head.size,
            modified: None,
            stamp: None,
            session: Some(Arc::new(head)),
        }
    }
}

/// A transcript and where it stands.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// The file.
    pub source: Source,
    /// What it says.
    pub transcript: Transcript,
}

impl AsRef<Transcript> for Scanned {
    fn as_ref(&self) -> &Transcript {
        &self.transcript
    }
}

/// How to scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether each line that carries usage is wanted, with the reason why it counts or not.
    pub notes: bool,
}

/// The transcript files of stores.
pub fn sources(stores: &[Store]) -> Vec<Source> {
    let mut sources = Vec::new();
    for store in stores.iter().filter(|s| is_stored(s.harness) && s.root.exists()) {
        let Some(discover) = discover::of(store.harness) else { continue };
        if discover.keeps_files() {
            let files = discover.files(&store.root).into_iter();
            sources.extend(files.map(|path| Source::at(store.harness, path)));
        } else {
            sources.extend(discover.list(&store.root).sessions.into_iter().map(Source::of));
        }
    }
    // A store may be named twice, and one may lie in another.
    sources.sort_by(|a, b| (&a.path, &a.name).cmp(&(&b.path, &b.name)));
    sources.dedup_by(|a, b| a.path == b.path && a.name == b.name);
    sources
}

/// Scans files, in the order in which they are given. What the cache knows is not read again; what is new goes there.
pub fn scan(
    sources: &[Source],
    options: Options,
    cache: Option<&Cache>,
) -> (Vec<Scanned>, Vec<Finding>) {
    // The cache has no notes.
    let cache = cache.filter(|_| !options.notes);
    let mut known = cache.map(Cache::read).unwrap_or_default();
    let mut done: Vec<Done> = Vec::with_capacity(sources.len());
    let mut new = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        match source.stamp.and_then(|stamp| known.take(&source.path, &stamp)) {
            Some(transcript) => done.push(Done { n, transcript, finding: None }),
            None => new.push(n),
        }
    }
    drop(known);
    let fresh = scan_all(sources, new, options);
    if let Some(cache) = cache {
        cache.write(fresh.iter().filter(|d| d.finding.is_none()).filter_map(|d| {
            let source = &sources[d.n];
            Some((source.path.as_path(), source.stamp?, &d.transcript))
        }));
    }
    done.extend(fresh);
    done.sort_by_key(|d| d.n);
    let mut findings = Vec::new();
    let scanned = done.into_iter().map(|d| {
        findings.extend(d.finding);
        Scanned { source: sources[d.n].clone(), transcript: d.transcript }
    });
    let scanned = scanned.collect();
    (scanned, findings)
}

struct Done {
    n: usize,
    transcript: Transcript,
    finding: Option<Finding>,
}

/// Scans the files with these numbers on all cores.
fn scan_all(sources: &[Source], mut order: Vec<usize>, options: Options) -> Vec<Done> {
    // Large files first: the last ones to finish are small then.
    order.sort_by_key(|&n| std::cmp::Reverse(sources[n].len));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Done>> = Mutex::new(Vec::new());
    let work = || {
        let mut buffer = Vec::new();
        let mut mine = Vec::new();
        while let Some(&n) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (transcript, error) = one(&sources[n], options, &mut buffer);
            let finding = error.map(|e| unreadable(&sources[n].path, &e));
            mine.extend(transcript.map(|transcript| Done { n, transcript, finding }));
        }
        if let Ok(mut done) = done.lock() {
            done.append(&mut mine);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(order.len());
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    done.into_inner().unwrap_or_default()
}

fn unreadable(path: &Path, error: &io::Error) -> Finding {
    let source: Arc<str> = Arc::from(path.to_string_lossy());
    let text = format!("reading stopped early: {error}");
    Finding::new(Code::Unreadable, &source, Position::WHOLE, text)
}

/// Scans one file. An error keeps what was read before it.
fn one(
    source: &Source,
    options: Options,
    buffer: &mut Vec<u8>,
) -> (Option<Transcript>, Option<io::Error>) {
    let Some(scanner) = Scanner::new(source.harness, &source.name, options.notes) else {
        return (None, None);
    };
    let mut feeder = Feeder::new(scanner, options.notes);
    if let Some(head) = &source.session {
        let opened = discover::of(source.harness).map(|d| d.open(head));
        return match opened {
            Some(Ok(opened)) => {
                feeder.feed(&opened.bytes, true);
                (Some(feeder.finish()), None)
            }
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
    }
    let error = open(source).and_then(|mut reader| stream(&mut *reader, &mut feeder, buffer)).err();
    (Some(feeder.finish()), error)
}

fn open(source: &Source) -> io::Result<Box<dyn Read>> {
    if file::is_zst(&source.path) {
        return Ok(file::open(&source.path)?);
    }
    Ok(Box::new(File::open(&source.path)?.take(source.len)))
}

/// Feeds a stream through one buffer, which is grown for lines that do not fit.
fn stream(reader: &mut dyn Read, feeder: &mut Feeder, buffer: &mut Vec<u8>) -> io::Result<()> {
    if buffer.len() != BLOCK {
        buffer.resize(BLOCK, 0);
        buffer.shrink_to(BLOCK);
    }
    let mut filled = 0;
    loop {
        let read = match reader.read(&mut buffer[filled..]) {
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => {
                feeder.feed(&buffer[..filled], true);
                return Err(e);
            }
        };
        if read == 0 {
            feeder.feed(&buffer[..filled], true);
            return Ok(());
        }
        filled += read;
        let taken = feeder.feed(&buffer[..filled], false);
        buffer.copy_within(taken..filled, 0);
        filled -= taken;
        if filled < buffer.len() {
            continue;
        }
        if filled < LONGEST_LINE {
            buffer.resize(filled * 2, 0);
        } else {
            // The rest of the line comes as if it were lines of its own, and is no JSON.
            feeder.feed(&buffer[..filled], true);
            filled = 0;
        }
    }
}

/// A file's name without extensions.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    name.strip_suffix(".jsonl").unwrap_or(name).to_owned()
}
