//! Brings the index up to date: what changed since is read again, what is gone is taken out.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use recount_formats::{Code, Finding, Harness, Position};
use recount_store::{SessionHead, Store, discover};
use tantivy::index::{Segment, SegmentMeta};
use tantivy::indexer::{AddOperation, NoMergePolicy, SegmentWriter};
use tantivy::query::RangeQuery;
use tantivy::{IndexWriter, Term};

use super::build::{Numbered, Session, build, heads};
use super::lock::Lock;
use super::schema::Fields;
use super::table::{Change, Known, Written};
use super::{Error, Index};
use crate::cache::Stamp;

/// What one worker keeps in memory of documents before it writes them out.
const ARENA: usize = 48 << 20;
/// So much is read between two commits: the work that a crash costs.
const BATCH: u64 = 256 << 20;
/// More parts of the index than this are made fewer.
const MOST_SEGMENTS: usize = 12;
const FEW_SEGMENTS: usize = 6;
/// A session in a database that was written to so shortly before is read again, in milliseconds: its row may change
/// less often than its content.
const LIVE: i64 = 10 * 60 * 1000;

/// How far a refresh is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Transcripts that were read.
    pub done: usize,
    /// Transcripts to read.
    pub all: usize,
    /// Bytes of those that were read.
    pub done_bytes: u64,
    /// Bytes to read.
    pub all_bytes: u64,
}

/// What a refresh did.
#[derive(Debug, Default)]
pub struct Refreshed {
    /// Transcripts that were read.
    pub read: usize,
    /// Transcripts that were taken out.
    pub removed: usize,
    /// Whether another process was refreshing: some of what is new may be missing.
    pub busy: bool,
    /// What could not be read.
    pub findings: Vec<Finding>,
    /// The transcripts of the stores: those that a search looks at.
    pub(crate) sources: Vec<Source>,
}

/// A transcript file or database of a store.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) harness: Harness,
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    /// What tells whether it changed; empty when it changed just now.
    pub(crate) stamp: Vec<u8>,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) len: u64,
}

/// The transcripts of stores as they are now.
pub(crate) fn sources(stores: &[Store]) -> Vec<Source> {
    let mut all: Vec<(Harness, PathBuf)> = Vec::new();
    for store in stores.iter().filter(|s| s.root.exists()) {
        let Some(discover) = discover::of(store.harness) else { continue };
        let files = if discover.keeps_files() {
            discover.files(&store.root)
        } else {
            discover.databases(&store.root)
        };
        all.extend(files.into_iter().map(|path| (store.harness, path)));
    }
    // A store may be named twice, and one may lie in another.
    all.sort();
    all.dedup();
    all.into_iter().filter_map(|(harness, path)| source(harness, path)).collect()
}

fn source(harness: Harness, path: PathBuf) -> Option<Source> {
    let name = path.to_str()?.to_owned();
    let meta = fs::metadata(&path).ok()?;
    let mut files = vec![meta];
    files.extend(fs::metadata(format!("{name}-wal")).ok());
    // What was written just now may be written again without a new time: it has no stamp, and is read again.
    let settled = |meta| Stamp::of(meta).and_then(|(stamp, settled)| settled.then_some(stamp));
    let stamps: Option<Vec<Stamp>> = files.iter().map(settled).collect();
    let stamp = stamps.and_then(|s| postcard::to_allocvec(&s).ok()).unwrap_or_default();
    let modified = files.iter().filter_map(|meta| meta.modified().ok()).max();
    let len = files.iter().map(fs::Metadata::len).sum();
    Some(Source { harness, path, name, stamp, modified, len })
}

struct Job<'a> {
    source: &'a Source,
    /// The sessions that are known of it.
    known: Vec<(u64, Session)>,
}

impl Index {
    /// Brings the index up to date with the stores. When another process is doing that, nothing is done.
    pub fn refresh(
        &mut self,
        stores: &[Store],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Refreshed, Error> {
        let now = sources(stores);
        if !self.differs(&now, stores)? {
            return Ok(Refreshed { sources: now, ..Refreshed::default() });
        }
        let Some(_lock) = Lock::take(&self.folder)? else {
            return Ok(Refreshed { busy: true, sources: now, ..Refreshed::default() });
        };
        // Another process may have done it between.
        let now = sources(stores);
        let known = self.table.sources()?;
        let removed = removed(&known, &now, stores);
        let changed: Vec<&Source> = now.iter().filter(|s| is_changed(&known, s)).collect();
        let mut refreshed = Refreshed::default();
        if !changed.is_empty() || !removed.is_empty() {
            refreshed = self.update(&known, &now, &changed, &removed, progress)?;
        }
        refreshed.sources = now;
        Ok(refreshed)
    }

    /// The stores as they are now, for questions about what the index holds already.
    pub fn look(&self, stores: &[Store]) -> Refreshed {
        Refreshed { sources: sources(stores), ..Refreshed::default() }
    }

    /// Takes sources out of the table. The caller holds the lock.
    pub(crate) fn clean(&mut self, gone: &[i64]) -> Result<(), Error> {
        let next = self.table.state("next")?;
        Ok(self.table.apply(&[], gone, &[], next)?)
    }

    fn differs(&self, now: &[Source], stores: &[Store]) -> Result<bool, Error> {
        let known = self.table.sources()?;
        Ok(now.iter().any(|s| is_changed(&known, s)) || !removed(&known, now, stores).is_empty())
    }

    fn update(
        &mut self,
        known: &HashMap<String, Known>,
        now: &[Source],
        changed: &[&Source],
        removed: &[i64],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Refreshed, Error> {
        let mut writer: IndexWriter<Numbered> = self.text.writer_with_num_threads(1, 16 << 20)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut gone = self.table.gone()?;
        for number in &gone {
            writer.delete_term(Term::from_field_u64(self.fields.session, *number));
        }
        let first = self.first_number(&writer)?;
        self.table.set_state("writing", 1)?;
        let numbers = AtomicU64::new(first);
        let names: HashSet<&str> = now.iter().map(|s| s.name.as_str()).collect();
        let meter = Meter {
            done: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            all: changed.len(),
            all_bytes: changed.iter().map(|s| s.len).sum(),
            report: progress,
        };
        let mut refreshed =
            Refreshed { read: changed.len(), removed: removed.len(), ..Refreshed::default() };
        let mut removed = removed;
        // The latest first: that is what is looked for most while the rest is read.
        let mut order: Vec<&Source> = changed.to_vec();
        order.sort_by_key(|source| std::cmp::Reverse(source.modified));
        for batch in batches(&order) {
            let mut jobs = Vec::with_capacity(batch.len());
            for source in batch {
                let of =
                    known.get(&source.name).map(|k| self.table.sessions_of(k.id)).transpose()?;
                jobs.push(Job { source, known: of.unwrap_or_default() });
            }
            let work = Work {
                text: &self.text,
                fields: &self.fields,
                jobs: &jobs,
                numbers: &numbers,
                names: &names,
                meter: &meter,
            };
            let done = work.run()?;
            for segment in done.segments {
                writer.add_segment(segment)?;
            }
            let next = numbers.load(Ordering::Relaxed);
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&next.to_string());
            commit.commit()?;
            self.table.apply(&done.changes, removed, &gone, next)?;
            removed = &[];
            gone.clear();
            refreshed.findings.extend(done.findings);
        }
        if !removed.is_empty() {
            let next = numbers.load(Ordering::Relaxed);
            self.table.apply(&[], removed, &[], next)?;
        }
        self.table.set_state("writing", 0)?;
        tidy(&self.text, &mut writer)?;
        writer.wait_merging_threads()?;
        Ok(refreshed)
    }

    /// The first number that was never used. What an interrupted refresh left is removed.
    fn first_number(&self, writer: &IndexWriter<Numbered>) -> Result<u64, Error> {
        let next = self.table.state("next")?;
        if self.table.state("writing")? == 0 {
            return Ok(next);
        }
        // Far away from the numbers that are removed now: which documents a removal reaches is not told exactly for
        // those that come with a whole segment.
        let first = next + (1 << 32);
        let bound = |n| Term::from_field_u64(self.fields.session, n);
        writer.delete_query(Box::new(RangeQuery::new(
            std::ops::Bound::Included(bound(next)),
            std::ops::Bound::Excluded(bound(first)),
        )))?;
        Ok(first)
    }
}

pub(crate) fn is_changed(known: &HashMap<String, Known>, source: &Source) -> bool {
    source.stamp.is_empty() || known.get(&source.name).is_none_or(|k| k.stamp != source.stamp)
}

/// The sources of these stores that are there no more.
fn removed(known: &HashMap<String, Known>, now: &[Source], stores: &[Store]) -> Vec<i64> {
    if known.len() <= now.len()
        && now.iter().filter(|s| known.contains_key(&s.name)).count() == known.len()
    {
        return Vec::new();
    }
    let names: HashSet<&str> = now.iter().map(|s| s.name.as_str()).collect();
    let below = |path: &str| stores.iter().any(|store| Path::new(path).starts_with(&store.root));
    known
        .iter()
        .filter(|(path, _)| {
            !names.contains(path.as_str()) && below(path) && !Path::new(path).exists()
        })
        .map(|(_, known)| known.id)
        .collect()
}

/// Cuts the work at so many bytes.
fn batches<'a, 's>(order: &'a [&'s Source]) -> Vec<&'a [&'s Source]> {
    let mut batches = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (n, source) in order.iter().enumerate() {
        bytes += source.len;
        if bytes >= BATCH {
            batches.push(&order[from..=n]);
            (from, bytes) = (n + 1, 0);
        }
    }
    if from < order.len() {
        batches.push(&order[from..]);
    }
    batches
}

struct Meter<'a> {
    done: AtomicUsize,
    bytes: AtomicU64,
    all: usize,
    all_bytes: u64,
    report: &'a (dyn Fn(Progress) + Sync),
}

impl Meter<'_> {
    fn done(&self, len: u64) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let done_bytes = self.bytes.fetch_add(len, Ordering::Relaxed) + len;
        (self.report)(Progress { done, all: self.all, done_bytes, all_bytes: self.all_bytes });
    }
}

/// One batch.
struct Work<'a> {
    text: &'a tantivy::Index,
    fields: &'a Arc<Fields>,
    jobs: &'a [Job<'a>],
    numbers: &'a AtomicU64,
    names: &'a HashSet<&'a str>,
    meter: &'a Meter<'a>,
}

#[derive(Default)]
struct Done {
    changes: Vec<Change>,
    segments: Vec<SegmentMeta>,
    findings: Vec<Finding>,
}

impl Work<'_> {
    /// Reads the transcripts on all cores; each worker writes segments of its own.
    fn run(&self) -> Result<Done, Error> {
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
        for head in heads(source.harness, &source.path) {
            if !discover.keeps_files()
                && let Some(number) = unchanged(&job.known, &head)
            {
                change.kept.push(number);
                continue;
            }
            match build(discover, &head, &elsewhere) {
                Ok(built) => {
                    let number = self.work.numbers.fetch_add(1, Ordering::Relaxed);
                    for doc in built.documents {
                        self.add(Numbered {
                            doc,
                            session: number,
                            fields: Arc::clone(self.work.fields),
                        })?;
                    }
                    let (session, touched) = (built.session, built.touched);
                    change.written.push(Written { number, session, touched });
                }
                Err(error) => {
                    let name: Arc<str> = source.name.as_str().into();
                    let text = format!("{}: not in the index: {error}", head.id);
                    self.done.findings.push(Finding::new(
                        Code::Unreadable,
                        &name,
                        Position::WHOLE,
                        text,
                    ));
                }
            }
        }
        self.done.changes.push(change);
        Ok(())
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

/// The number of a session in a database that did not change.
fn unchanged(known: &[(u64, Session)], head: &SessionHead) -> Option<u64> {
    let (number, session) = known.iter().find(|(_, session)| session.id == head.id)?;
    let updated = super::build::millis(head.updated_at.as_deref())?;
    let live = jiff::Timestamp::now().as_millisecond() - updated < LIVE;
    let same = session.updated_at == head.updated_at
        && (head.title.is_none() || session.title == head.title);
    (same && !live).then_some(*number)
}

/// Makes few parts of many, so that searches stay quick. Parts of which much was removed are written anew.
fn tidy(text: &tantivy::Index, writer: &mut IndexWriter<Numbered>) -> Result<(), Error> {
    let mut segments = text.searchable_segment_metas()?;
    for segment in &segments {
        if segment.num_deleted_docs() > segment.max_doc() / 3 {
            writer.merge(&[segment.id()]).wait()?;
        }
    }
    if segments.len() > MOST_SEGMENTS {
        segments = text.searchable_segment_metas()?;
        segments.sort_by_key(SegmentMeta::num_docs);
        segments.truncate(segments.len().saturating_sub(FEW_SEGMENTS - 1));
        let ids: Vec<_> = segments.iter().map(SegmentMeta::id).collect();
        writer.merge(&ids).wait()?;
    }
    Ok(())
}
