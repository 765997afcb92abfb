//! Reads transcripts on all cores and writes their documents, each core in parts of the index of its own.
//!
//! Of a session that was indexed before, the documents that are still the same stay: only what is new is written, and
//! what it no longer has is left to be removed.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use recount_formats::{Code, Finding, Position};
use recount_store::{SessionHead, discover};
use tantivy::index::{Segment, SegmentMeta};
use tantivy::indexer::{AddOperation, SegmentWriter};

use super::Error;
use super::build::{Built, Doc, Numbered, build, heads, millis};
use super::listing::Source;
use super::ranges::Ranges;
use super::refresh::Progress;
use super::schema::Fields;
use super::table::{Change, Old, Written};

/// What one worker keeps in memory of documents before it writes them out.
const ARENA: usize = 48 << 20;
/// A session in a database that was written to so shortly before is read again, in milliseconds: its row may change
/// less often than its content.
const LIVE: i64 = 10 * 60 * 1000;
/// The documents of a session that lie in more places than this are written anew, side by side.
const MOST_PLACES: usize = 64;

/// A transcript to read.
pub(super) struct Job<'a> {
    pub(super) source: &'a Source,
    /// The sessions that are known of it.
    pub(super) old: Mutex<Vec<Old>>,
}

/// Tells how far the work is.
pub(super) struct Meter<'a> {
    pub(super) done: AtomicUsize,
    pub(super) bytes: AtomicU64,
    pub(super) all: usize,
    pub(super) all_bytes: u64,
    pub(super) report: &'a (dyn Fn(Progress) + Sync),
}

impl Meter<'_> {
    fn done(&self, len: u64) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let done_bytes = self.bytes.fetch_add(len, Ordering::Relaxed) + len;
        (self.report)(Progress { done, all: self.all, done_bytes, all_bytes: self.all_bytes });
    }
}

/// One batch.
pub(super) struct Work<'a> {
    pub(super) text: &'a tantivy::Index,
    pub(super) fields: &'a Arc<Fields>,
    pub(super) jobs: &'a [Job<'a>],
    pub(super) numbers: &'a AtomicU64,
    pub(super) names: &'a HashSet<&'a str>,
    pub(super) meter: &'a Meter<'a>,
}

/// What was done.
#[derive(Default)]
pub(super) struct Done {
    pub(super) changes: Vec<Change>,
    pub(super) segments: Vec<SegmentMeta>,
    pub(super) findings: Vec<Finding>,
}

impl Work<'_> {
    /// Reads the transcripts on all cores; each worker writes segments of its own.
    pub(super) fn run(&self) -> Result<Done, Error> {
        let mut order: Vec<&Job<'_>> = self.jobs.iter().collect();
        // Large ones first: the last ones to finish are small then.
        order.sort_by_key(|job| std::cmp::Reverse(job.source.len));
        let next = AtomicUsize::new(0);
        let all: Mutex<Result<Done, Error>> = Mutex::new(Ok(Done::default()));
        let work = || {
            let mut worker = Worker { work: self, open: None, done: Done::default() };
            let mut run = || -> Result<(), Error> {
                while let Some(job) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    worker.job(job)?;
                    self.meter.done(job.source.len);
                }
                worker.flush()
            };
            let result = run();
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *all, result) {
                (Ok(all), Ok(())) => {
                    all.changes.append(&mut worker.done.changes);
                    all.segments.append(&mut worker.done.segments);
                    all.findings.append(&mut worker.done.findings);
                }
                (Ok(_), Err(error)) => *all = Err(error),
                (Err(_), _) => {}
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(order.len());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker<'a> {
    work: &'a Work<'a>,
    open: Option<(Segment, SegmentWriter)>,
    done: Done,
}

impl Worker<'_> {
    fn job(&mut self, job: &Job<'_>) -> Result<(), Error> {
        let source = job.source;
        let mut change = Change {
            harness: source.harness.id(),
            path: source.name.clone(),
            stamp: source.stamp.clone(),
            written: Vec::new(),
            kept: Vec::new(),
        };
        let Some(discover) = discover::of(source.harness) else { return Ok(()) };
        let own = source.name.as_str();
        let elsewhere = |name: &str| name != own && self.work.names.contains(name);
        let mut old = job.old.lock().map(|mut old| std::mem::take(&mut *old)).unwrap_or_default();
        // Whatever is wrong in one transcript, the others are read.
        let guarded = |what: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(what));
        let mut found = Vec::new();
        if guarded(&mut || found = heads(source.harness, source.path())).is_err() {
            self.failed(source, own, "the program has a fault there");
        }
        for head in found {
            let known = old.iter().position(|old| old.session.id == head.id);
            let known = known.map(|n| old.swap_remove(n));
            if let Some(known) = &known
                && !discover.keeps_files()
                && is_unchanged(&known.session, &head)
            {
                change.kept.push(known.key);
                continue;
            }
            let mut built = None;
            let ended = guarded(&mut || built = Some(build(discover, &head, &elsewhere)));
            match (ended, built) {
                (Ok(()), Some(Ok(built))) => change.written.push(self.session(built, known)?),
                (Ok(()), Some(Err(error))) => self.failed(source, &head.id, &error.to_string()),
                _ => self.failed(source, &head.id, "the program has a fault there"),
            }
        }
        self.done.changes.push(change);
        Ok(())
    }

    fn failed(&mut self, source: &Source, id: &str, why: &str) {
        let name: Arc<str> = source.name.as_str().into();
        let text = format!("{id}: not in the index: {why}");
        self.done.findings.push(Finding::new(Code::Unreadable, &name, Position::WHOLE, text));
    }

    /// Writes the documents of a session that are not there yet.
    fn session(&mut self, built: Built, old: Option<Old>) -> Result<Written, Error> {
        let key = old.as_ref().map(|old| old.key);
        let mut left: HashMap<u64, Vec<u64>> = HashMap::new();
        let mut gone = Vec::new();
        if let Some(old) = old {
            if old.documents.0.len() > MOST_PLACES {
                gone.extend(old.documents.numbers());
            } else {
                for (number, print) in old.documents.numbers().zip(old.prints) {
                    left.entry(print).or_default().push(number);
                }
            }
        }
        let mut all: Vec<(u64, u64)> = Vec::with_capacity(built.documents.len());
        let mut new: Vec<(u64, Doc)> = Vec::new();
        for doc in built.documents {
            let print = doc.print();
            match left.get_mut(&print).and_then(Vec::pop) {
                Some(number) => all.push((number, print)),
                None => new.push((print, doc)),
            }
        }
        let first = self.work.numbers.fetch_add(new.len() as u64, Ordering::Relaxed);
        for (number, (print, doc)) in (first..).zip(new) {
            all.push((number, print));
            self.add(Numbered { doc, number, fields: Arc::clone(self.work.fields) })?;
        }
        all.sort_unstable();
        gone.extend(left.into_values().flatten());
        gone.sort_unstable();
        Ok(Written {
            key,
            session: built.session,
            touched: built.touched,
            documents: Ranges::of(all.iter().map(|(number, _)| *number)),
            prints: all.into_iter().map(|(_, print)| print).collect(),
            gone: Ranges::of(gone),
        })
    }

    fn add(&mut self, document: Numbered) -> Result<(), Error> {
        if self.open.is_none() {
            let segment = self.work.text.new_segment();
            let writer = SegmentWriter::for_segment(ARENA, segment.clone())?;
            self.open = Some((segment, writer));
        }
        let Some((_, writer)) = &mut self.open else { return Ok(()) };
        writer.add_document(AddOperation { opstamp: 0, document })?;
        if writer.mem_usage() > ARENA {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        if let Some((segment, writer)) = self.open.take() {
            let documents = writer.max_doc();
            writer.finalize()?;
            self.done.segments.push(self.work.text.new_segment_meta(segment.id(), documents));
        }
        Ok(())
    }
}

/// Whether a session in a database did not change.
fn is_unchanged(known: &super::Session, head: &SessionHead) -> bool {
    let Some(updated) = millis(head.updated_at.as_deref()) else { return false };
    let live = jiff::Timestamp::now().as_millisecond() - updated < LIVE;
    let same =
        known.updated_at == head.updated_at && (head.title.is_none() || known.title == head.title);
    same && !live
}
