//! Reads the transcripts of stores for usage: each file once, all cores busy, memory as large as the longest line.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use recount_formats::{Code, Finding, Harness, Position};
use recount_session::usage::{Feeder, Scanner, Transcript, is_stored};
use recount_store::container::file;
use recount_store::{SessionHead, Store, discover};
use twox_hash::XxHash3_64;

use crate::cache::{COMPARED, Cache, Entry, Found, Mark, Stamp};

/// How much is read at once: it fits in a core's own cache, so that what was read is searched there.
const BLOCK: usize = 512 << 10;

/// A buffer that had to grow to more is given back behind the file.
const KEPT: usize = 4 << 20;

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
    /// What tells whether it changed, and whether the times in that can be trusted.
    pub stamp: Option<(Stamp, bool)>,
    /// Whether it is a part of a database, by its name.
    pub in_database: bool,
}

impl Source {
    /// The file at a path.
    pub fn at(harness: Harness, path: PathBuf) -> Self {
        let meta = std::fs::metadata(&path).ok();
        let len = meta.as_ref().map_or(0, std::fs::Metadata::len);
        let stamp = meta.as_ref().and_then(Stamp::of);
        let modified = meta.and_then(|m| Timestamp::try_from(m.modified().ok()?).ok());
        let name = stem(&path);
        Self { harness, path, name, len, modified, stamp, in_database: false }
    }

    /// A session in a database that has this stamp.
    pub fn of(head: SessionHead, stamp: Option<(Stamp, bool)>) -> Self {
        Self {
            harness: head.harness,
            path: head.path,
            name: head.id,
            len: head.size,
            modified: None,
            stamp,
            in_database: true,
        }
    }

    /// What it is called in its database.
    pub fn session(&self) -> Option<&str> {
        self.in_database.then_some(self.name.as_str())
    }
}

/// The stamp of a database and what was written to its log.
fn database_stamp(path: &Path) -> Option<(Stamp, bool)> {
    let (stamp, settled) = Stamp::of(&std::fs::metadata(path).ok()?)?;
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    let log = std::fs::metadata(name).ok().and_then(|meta| Stamp::of_log(&meta));
    Some(
        log.map_or((stamp, settled), |(log, log_settled)| {
            (stamp.with(log), settled && log_settled)
        }),
    )
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

/// The transcript files of stores, and what of these could not be looked at.
pub fn sources(stores: &[Store]) -> (Vec<Source>, Vec<Finding>) {
    let of_store = |store: &Store| {
        let Some(discover) = discover::of(store.harness) else { return Default::default() };
        if discover.keeps_files() {
            let (files, findings) = discover.files_and_findings(&store.root);
            let files = files.into_iter().map(|path| Source::at(store.harness, path));
            return (files.collect(), findings);
        }
        let mut stamps = HashMap::new();
        let listing = discover.list(&store.root);
        let sessions = listing.sessions.into_iter();
        let source = |head: SessionHead| {
            let stamp =
                *stamps.entry(head.path.clone()).or_insert_with(|| database_stamp(&head.path));
            Source::of(head, stamp)
        };
        (sessions.map(source).collect::<Vec<_>>(), listing.findings)
    };
    let wanted: Vec<&Store> =
        stores.iter().filter(|s| is_stored(s.harness) && s.root.exists()).collect();
    // Beside each other: nothing can be read before all of them are listed.
    let listed: Vec<(Vec<Source>, Vec<Finding>)> = std::thread::scope(|scope| {
        let listing: Vec<_> = wanted.iter().map(|store| scope.spawn(|| of_store(store))).collect();
        let joined = listing.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|done| done.unwrap_or_else(|fault| std::panic::resume_unwind(fault))).collect()
    });
    let (mut sources, mut findings) = (Vec::new(), Vec::new());
    for (mut of_store, mut found) in listed {
        sources.append(&mut of_store);
        findings.append(&mut found);
    }
    // A store may be named twice, and one may lie in another.
    // Compared as bytes: to take thousands of paths into their parts takes longer than to list them.
    sources.sort_by(|a, b| (a.path.as_os_str(), &a.name).cmp(&(b.path.as_os_str(), &b.name)));
    sources.dedup_by(|a, b| a.path == b.path && a.name == b.name);
    (sources, findings)
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
    let mut new: Vec<Task> = Vec::new();
    // One look into a database for all of its sessions.
    let mut databases: HashMap<&Path, usize> = HashMap::new();
    for (n, source) in sources.iter().enumerate() {
        let found = source.stamp.and_then(|(stamp, settled)| {
            known.take(source.harness, &source.path, source.session(), &stamp, settled)
        });
        match found {
            Some(Found::Same(transcript)) => {
                done.push(Done { n, found: Ok(transcript), mark: None, finding: None });
            }
            Some(Found::Older(scanner, mark)) => new.push(Task::More(n, scanner, mark)),
            None if source.in_database => {
                let task = *databases.entry(&source.path).or_insert_with(|| {
                    new.push(Task::Database(Vec::new()));
                    new.len() - 1
                });
                if let Some(Task::Database(sessions)) = new.get_mut(task) {
                    sessions.push(n);
                }
            }
            None => new.push(Task::File(n)),
        }
    }
    drop(known);
    let fresh = scan_all(sources, new, options, cache.is_some());
    if let Some(cache) = cache {
        let entries = fresh.iter().filter(|d| d.finding.is_none()).filter_map(|d| {
            let source = &sources[d.n];
            let (stamp, settled) = source.stamp?;
            let scanner = d.found.as_ref().err()?;
            let path = source.path.to_str()?.to_owned();
            let session = source.session().map(str::to_owned);
            let scanner = Cow::Borrowed(scanner);
            settled.then_some(Entry { path, session, stamp, mark: d.mark, scanner })
        });
        cache.write(entries);
    }
    done.extend(fresh);
    done.sort_by_key(|d| d.n);
    let mut findings = Vec::new();
    let scanned = done.into_iter().map(|d| {
        findings.extend(d.finding);
        let transcript = d.found.unwrap_or_else(Scanner::finish);
        Scanned { source: sources[d.n].clone(), transcript }
    });
    let scanned = scanned.collect();
    (scanned, findings)
}

/// A transcript that was looked at.
struct Done {
    n: usize,
    /// What the cache knew, or what a scan ended with.
    found: Result<Transcript, Scanner>,
    mark: Option<Mark>,
    finding: Option<Finding>,
}

/// What is to be read.
#[derive(Debug)]
enum Task {
    /// A file from the beginning.
    File(usize),
    /// A file from where an earlier scan ended, if it is still the same up to there.
    More(usize, Box<Scanner>, Mark),
    /// Sessions of a database.
    Database(Vec<usize>),
}

/// Works on all cores.
fn scan_all(sources: &[Source], mut tasks: Vec<Task>, options: Options, marks: bool) -> Vec<Done> {
    // Large files first: the last ones to finish are small then.
    tasks.sort_by_key(|task| {
        std::cmp::Reverse(match task {
            Task::File(n) => sources[*n].len,
            Task::More(n, _, mark) => sources[*n].len.saturating_sub(mark.byte),
            Task::Database(sessions) => sessions.first().map_or(0, |n| sources[*n].len),
        })
    });
    let count = tasks.len();
    let tasks: Vec<Mutex<Option<Task>>> = tasks.into_iter().map(|t| Mutex::new(Some(t))).collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Done>> = Mutex::new(Vec::new());
    let work = || {
        let mut buffer = Vec::new();
        let mut mine = Vec::new();
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let task = task.lock().ok().and_then(|mut task| task.take());
            match task {
                Some(Task::File(n)) => {
                    mine.extend(one(&sources[n], n, None, (options, marks), &mut buffer));
                }
                Some(Task::More(n, scanner, mark)) => {
                    let older = Some((*scanner, mark));
                    mine.extend(one(&sources[n], n, older, (options, marks), &mut buffer));
                }
                Some(Task::Database(sessions)) => database(sources, &sessions, options, &mut mine),
                None => {}
            }
        }
        if let Ok(mut done) = done.lock() {
            done.append(&mut mine);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
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
    n: usize,
    older: Option<(Scanner, Mark)>,
    (options, marks): (Options, bool),
    buffer: &mut Vec<u8>,
) -> Option<Done> {
    let new = || {
        let scanner = Scanner::new(source.harness, &source.name, options.notes);
        scanner.map(|scanner| Feeder::new(scanner, options.notes))
    };
    let opened = File::open(&source.path);
    let mut file = match opened {
        Ok(file) => file,
        Err(e) => {
            let finding = Some(unreadable(&source.path, &e));
            return Some(Done { n, found: Err(new()?.into_scanner()), mark: None, finding });
        }
    };
    if file::is_zst(&source.path) {
        let mut feeder = new()?;
        let result = file::open(&source.path)
            .and_then(|mut reader| stream(&mut reader, &mut feeder, buffer, &mut None));
        let finding = result.err().map(|e| unreadable(&source.path, &e));
        return Some(Done { n, found: Err(feeder.into_scanner()), mark: None, finding });
    }
    let mut start = 0;
    let mut feeder = match older {
        Some((scanner, mark)) if mark.holds(&mut file) => {
            start = mark.byte;
            file.seek(SeekFrom::Start(start)).ok()?;
            Feeder::new(scanner, false).starting_at(start)
        }
        _ => {
            // Whoever compared has moved the place of the next byte.
            if let Err(e) = file.seek(SeekFrom::Start(0)) {
                let finding = Some(unreadable(&source.path, &e));
                return Some(Done { n, found: Err(new()?.into_scanner()), mark: None, finding });
            }
            new()?
        }
    };
    let length = source.len.saturating_sub(start);
    // What is kept for the next time is reckoned from what is read anyhow.
    let mut hash = (marks && start == 0 && length <= COMPARED).then(XxHash3_64::new);
    let result = stream(&mut (&file).take(length), &mut feeder, buffer, &mut hash);
    // A line that is still being written will come again, whole.
    let ended = matches!(result, Ok(true)) && feeder.byte() == source.len && source.len > 0;
    let read = hash.map(|hash| hash.finish());
    let mark = if ended && marks { Mark::at(&mut file, feeder.byte(), read).ok() } else { None };
    let finding = result.err().map(|e| unreadable(&source.path, &e));
    Some(Done { n, found: Err(feeder.into_scanner()), mark, finding })
}

/// Scans sessions of one database.
fn database(sources: &[Source], sessions: &[usize], options: Options, done: &mut Vec<Done>) {
    let Some(first) = sessions.first().and_then(|&n| sources.get(n)) else { return };
    let Some(discover) = discover::of(first.harness) else { return };
    let ids: Vec<&str> = sessions.iter().map(|&n| sources[n].name.as_str()).collect();
    let mut found: Vec<Option<Scanner>> = vec![None; ids.len()];
    let result = discover.usage_lines(&first.path, &ids, &mut |place, lines| {
        let scanner = Scanner::new(first.harness, ids[place], options.notes);
        found[place] = scanner.map(|scanner| {
            let mut feeder = Feeder::new(scanner, options.notes);
            feeder.feed(lines, true);
            feeder.into_scanner()
        });
    });
    let mut finding = result.err().map(|e| unreadable(&first.path, &e));
    for (&n, scanner) in sessions.iter().zip(found) {
        // What cannot be read is told once.
        let finding = if scanner.is_none() { finding.take() } else { None };
        let empty = || Scanner::new(first.harness, &sources[n].name, options.notes);
        if let Some(scanner) = scanner.or_else(empty) {
            done.push(Done { n, found: Err(scanner), mark: None, finding });
        }
    }
}

/// Feeds a stream through one buffer, which is grown for lines that do not fit. Says whether the last line was whole.
fn stream(
    reader: &mut dyn Read,
    feeder: &mut Feeder,
    buffer: &mut Vec<u8>,
    hash: &mut Option<XxHash3_64>,
) -> io::Result<bool> {
    if buffer.len() < BLOCK || buffer.len() > KEPT {
        *buffer = vec![0; BLOCK];
    }
    let mut filled = 0;
    loop {
        let end = buffer.len().min(filled + BLOCK);
        let read = match reader.read(&mut buffer[filled..end]) {
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => {
                feeder.feed(&buffer[..filled], true);
                return Err(e);
            }
        };
        if read == 0 {
            feeder.feed(&buffer[..filled], true);
            return Ok(filled == 0);
        }
        if let Some(hash) = hash {
            hash.write(&buffer[filled..filled + read]);
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
