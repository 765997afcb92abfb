//! Checks files on all cores.
//!
//! Workers take turns at reading: whoever has the feed reads the next stretch of whole lines into its own
//! buffer and then checks it while another reads. What they find is put in order again, so that the report is
//! the same whatever the number of cores. Memory holds one stretch for each worker.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use recount_formats::check::{Checker, Found, Known, Progress};
use recount_formats::jsonl::{Line, Part, Reader};
use recount_formats::{Code, Finding, Harness, Position};
use recount_store::{SessionHead, discover};

use super::super::input::Input;
use super::report::Report;
use crate::error::Error;

/// How many bytes a stretch has, unless one line is longer.
const STRETCH: usize = 1 << 20;

/// A file to check.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) input: Input,
    pub(super) rebuild: Rebuild,
}

/// Whether a thread is rebuilt to find what concerns several of its records.
#[derive(Debug)]
pub(super) enum Rebuild {
    /// It was not asked for, or there is no thread.
    No,
    /// It is too large to do so without being asked.
    TooLarge,
    /// They are: a file holds one, a database may hold many.
    Yes(Vec<SessionHead>),
}

/// What is the same for all stretches of a file.
#[derive(Debug, Clone, Copy)]
struct File {
    job: usize,
    harness: Option<Harness>,
    known: Known,
}

/// A part of the work.
enum Task {
    Lines(File),
    Rebuild(File),
}

/// Lines in a buffer that is used again.
#[derive(Default)]
struct Stretch {
    bytes: Vec<u8>,
    /// Where each line ends in `bytes`, and where it stands in the file.
    lines: Vec<(usize, Position, Part)>,
    /// Reading failed behind these lines.
    failed: Option<io::Error>,
    /// The file ends here.
    last: bool,
}

/// What came of a task.
struct Done {
    file: File,
    progress: Progress,
    found: Vec<Found>,
    last: bool,
    rebuilt: bool,
    /// Nothing could be read.
    unread: bool,
}

/// Hands out work in order.
struct Feed<'a> {
    jobs: &'a [Job],
    next: usize,
    open: Option<(File, Reader<Box<dyn Read + Send>>)>,
    rebuild: Option<File>,
    number: u64,
}

impl Feed<'_> {
    /// The next task and its number; lines are read into `stretch`.
    fn task(&mut self, stretch: &mut Stretch) -> Option<(u64, Task)> {
        let task = if let Some(file) = self.rebuild.take() {
            Task::Rebuild(file)
        } else {
            Task::Lines(self.lines(stretch)?)
        };
        self.number += 1;
        Some((self.number - 1, task))
    }

    fn lines(&mut self, stretch: &mut Stretch) -> Option<File> {
        stretch.bytes.clear();
        stretch.lines.clear();
        (stretch.failed, stretch.last) = (None, false);
        if self.open.is_none() {
            let job = self.next;
            self.next += 1;
            let mut file = File { job, harness: None, known: Known::default() };
            match self.jobs.get(job)?.input.open() {
                Ok(opened) => {
                    file.harness = opened.harness;
                    file.known = Known::of(opened.harness, &opened.start);
                    self.open = Some((file, Reader::new(opened.read())));
                }
                Err(e) => {
                    (stretch.failed, stretch.last) = (Some(e), true);
                    return Some(file);
                }
            }
        }
        let (file, reader) = self.open.as_mut()?;
        let file = *file;
        while stretch.bytes.len() < STRETCH {
            match reader.next_line() {
                Ok(Some(line)) => {
                    if line.part == Part::Whole {
                        stretch.bytes.extend_from_slice(line.raw);
                    }
                    stretch.lines.push((stretch.bytes.len(), line.at, line.part));
                    // Fragments take no room here, but a buffer's worth of them is enough for a turn.
                    if line.part == Part::Last {
                        break;
                    }
                }
                Ok(None) => {
                    stretch.last = true;
                    break;
                }
                Err(e) => {
                    (stretch.failed, stretch.last) = (Some(e), true);
                    break;
                }
            }
        }
        if stretch.last {
            self.open = None;
            if matches!(self.jobs[file.job].rebuild, Rebuild::Yes(_)) {
                self.rebuild = Some(file);
            }
        }
        Some(file)
    }
}

/// Puts results in order.
struct Order<'a> {
    jobs: &'a [Job],
    next: u64,
    waiting: BTreeMap<u64, Done>,
    progress: Progress,
    /// What was found in a file whose rebuild is still to come.
    held: Vec<Found>,
    report: Report,
    failed: Option<Error>,
}

impl Order<'_> {
    fn put(&mut self, number: u64, done: Done) {
        self.waiting.insert(number, done);
        while let Some(done) = self.waiting.remove(&self.next) {
            self.next += 1;
            if self.failed.is_none()
                && let Err(e) = self.take(done)
            {
                self.failed = Some(e);
            }
        }
    }

    fn take(&mut self, done: Done) -> Result<(), Error> {
        let Done { file, progress, mut found, last, rebuilt, unread } = done;
        let job = &self.jobs[file.job];
        let rebuild = matches!(job.rebuild, Rebuild::Yes(_));
        if rebuilt {
            let known: HashSet<(Code, u64)> = self
                .held
                .iter()
                .filter(|f| f.finding.source == job.input.name)
                .map(|f| (f.finding.code, f.finding.line))
                .collect();
            found.retain(|f| {
                f.finding.source != job.input.name
                    || !known.contains(&(f.finding.code, f.finding.line))
            });
            found.append(&mut self.held);
            found.sort_by_key(|f| place(&f.finding));
            return self.report.found(file.harness, found);
        }
        if let Some(finding) = self.progress.append(&progress, &job.input.name) {
            found.push(Found { finding, record: "".into(), place: "ordinal".to_owned() });
        }
        if last {
            let all = std::mem::take(&mut self.progress);
            let mut whole = Checker::file(file.harness, &job.input.name, file.known, &all);
            // What could not be opened is not empty for that.
            whole.retain(|f| f.finding.code != Code::EmptyFile || !unread);
            found.extend(whole);
            self.report.file(&all, file.harness, matches!(job.rebuild, Rebuild::TooLarge));
        }
        if rebuild {
            self.held.append(&mut found);
            return Ok(());
        }
        self.report.found(file.harness, found)
    }
}

/// The order of findings in a file: what concerns the whole file comes first.
fn place(finding: &Finding) -> (Arc<str>, u64, u64) {
    (Arc::clone(&finding.source), finding.line, finding.byte)
}

/// Checks all files.
pub(super) fn run(jobs: &[Job], report: Report) -> Result<Report, Error> {
    let feed = Mutex::new(Feed { jobs, next: 0, open: None, rebuild: None, number: 0 });
    let order = Mutex::new(Order {
        jobs,
        next: 0,
        waiting: BTreeMap::new(),
        progress: Progress::default(),
        held: Vec::new(),
        report,
        failed: None,
    });
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| work(jobs, &feed, &order));
        }
    });
    let order = order.into_inner().unwrap_or_else(PoisonError::into_inner);
    match order.failed {
        Some(e) => Err(e),
        None => Ok(order.report),
    }
}

fn work(jobs: &[Job], feed: &Mutex<Feed<'_>>, order: &Mutex<Order<'_>>) {
    let mut stretch = Stretch::default();
    // Building one takes no time worth saving, but its buffers are worth keeping.
    let mut checkers: BTreeMap<Option<Harness>, Checker> = BTreeMap::new();
    loop {
        let next = feed.lock().unwrap_or_else(PoisonError::into_inner).task(&mut stretch);
        let Some((number, task)) = next else { return };
        let done = match task {
            Task::Lines(file) => {
                let checker =
                    checkers.entry(file.harness).or_insert_with(|| Checker::new(file.harness));
                lines(checker, file, &jobs[file.job], &mut stretch)
            }
            Task::Rebuild(file) => rebuild(file, &jobs[file.job]),
        };
        // A line of a hundred megabytes is no reason to keep as much.
        if stretch.bytes.capacity() > 8 * STRETCH {
            stretch.bytes = Vec::new();
        }
        order.lock().unwrap_or_else(PoisonError::into_inner).put(number, done);
    }
}

fn lines(checker: &mut Checker, file: File, job: &Job, stretch: &mut Stretch) -> Done {
    checker.begin(&job.input.name, file.known);
    let mut start = 0;
    for &(end, at, part) in &stretch.lines {
        checker.line(&Line { at, raw: &stretch.bytes[start..end], part });
        start = end;
    }
    let (progress, mut found) = checker.end();
    let unread = stretch.failed.is_some() && stretch.lines.is_empty();
    if let Some(e) = stretch.failed.take() {
        let compressed = job.input.path.extension().is_some_and(|e| e == "zst");
        let code = if compressed { Code::DamagedCompression } else { Code::Unreadable };
        let at = stretch.lines.last().map_or(Position::WHOLE, |(_, at, _)| *at);
        found.push(bare(Finding::new(code, &job.input.name, at, format!("cannot be read: {e}"))));
    }
    Done { file, progress, found, last: stretch.last, rebuilt: false, unread }
}

fn rebuild(file: File, job: &Job) -> Done {
    let mut found = Vec::new();
    let heads = if let Rebuild::Yes(heads) = &job.rebuild { heads.as_slice() } else { &[] };
    for head in heads {
        let opened = discover::of(head.harness).map(|d| d.open(head));
        match opened {
            None => {}
            Some(Err(e)) => found.push(bare(Finding::new(
                Code::Unreadable,
                &job.input.name,
                Position::WHOLE,
                format!("cannot be opened as a session: {e}"),
            ))),
            Some(Ok(opened)) => {
                for mut finding in opened.thread(None).findings {
                    if finding.source == opened.source {
                        finding.source = Arc::clone(&job.input.name);
                    }
                    found.push(bare(finding));
                }
            }
        }
    }
    Done { file, progress: Progress::default(), found, last: false, rebuilt: true, unread: false }
}

/// A finding that belongs to no type of record.
pub(super) fn bare(finding: Finding) -> Found {
    Found { finding, record: "".into(), place: String::new() }
}
