//! Brings the index up to date: what changed since is read again, what is gone is taken out.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use recount_formats::Finding;
use recount_store::{SessionHead, Store, discover};
use tantivy::Directory as _;
use tantivy::directory::META_LOCK;
use tantivy::index::SegmentMeta;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::{IndexWriter, SegmentReader};

use super::build::Numbered;
use super::listing::{Listing, Source};
use super::lock::Lock;
use super::open::Written;
use super::ranges::Ranges;
use super::schema::NUMBER;
use super::table::Known;
use super::write::{Job, Meter, Work};
use super::{Error, Index, Keeping, home};

/// So much is read between two commits: the work that a crash costs.
const BATCH: u64 = 256 << 20;
/// So long the process is waited for that reads all transcripts for the first time.
const FIRST: Duration = Duration::from_mins(2);
/// More parts of the index than this are made fewer.
const MOST_SEGMENTS: usize = 12;
const FEW_SEGMENTS: usize = 6;

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
    /// Documents that were written: items that are new or changed, and one for each session.
    pub documents: u64,
    /// Transcripts that were taken out.
    pub removed: usize,
    /// Whether another process was refreshing: some of what is new may be missing.
    pub busy: bool,
    /// Why what is new could not be written: what was there before is found.
    pub unwritten: Option<String>,
    /// What could not be read.
    pub findings: Vec<Finding>,
    /// The transcripts of the stores, as the table knows them: those that a search looks at. Of each, whether it is a lesser copy
    /// of another.
    pub(crate) sources: HashMap<i64, bool>,
}

impl Index {
    /// Brings the index up to date with the stores. When another process is doing that, nothing is done.
    pub fn refresh(
        &mut self,
        stores: &[Store],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Refreshed, Error> {
        self.refresh_within(stores, u64::MAX, progress)
    }

    /// The same, but nothing is done when more bytes than `most` are to be read for that.
    fn refresh_within(
        &mut self,
        stores: &[Store],
        most: u64,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Refreshed, Error> {
        self.follow()?;
        let (mut now, known) = self.looked(stores)?;
        if self.is_read_only() {
            return Ok(Refreshed { sources: present(&known, &now), ..Refreshed::default() });
        }
        if !differs(&known, &now, stores) {
            now.keep(&self.folder);
            return Ok(Refreshed { sources: present(&known, &now), ..Refreshed::default() });
        }
        let changed = now.sources.iter().filter(|s| is_changed(&known, s));
        if changed.map(|s| s.len).sum::<u64>() > most {
            return Ok(Refreshed { sources: present(&known, &now), ..Refreshed::default() });
        }
        // What another process reads for the first time cannot be done without: who finds nothing then thinks that there is nothing.
        let wait = if most == u64::MAX && self.table.state("complete")? == 0 {
            FIRST
        } else {
            Duration::ZERO
        };
        let Some(_lock) = Lock::wait(self.root(), wait)? else {
            let sources = present(&self.table.sources()?, &now);
            return Ok(Refreshed { busy: true, sources, ..Refreshed::default() });
        };
        // Another process may have done it between, or made the index anew.
        self.follow()?;
        let mut now = Listing::of(stores, &self.folder);
        let known = self.table.sources()?;
        let removed = removed(&known, &now.sources, stores);
        let mut changed: Vec<&Source> =
            now.sources.iter().filter(|s| is_changed(&known, s)).collect();
        changed.extend(self.renamed(&known, &now)?);
        let mut refreshed = Refreshed::default();
        if !changed.is_empty() || !removed.is_empty() {
            refreshed = self.update(&known, &now.sources, &changed, &removed, progress)?;
        }
        if self.table.state("complete")? == 0 {
            self.table.set_state("complete", 1)?;
        }
        refreshed.sources = present(&self.table.sources()?, &now);
        now.keep(&self.folder);
        Ok(refreshed)
    }

    /// The stores as they are now, for questions about what the index holds already.
    pub fn look(&self, stores: &[Store]) -> Result<Refreshed, Error> {
        let (now, known) = self.looked(stores)?;
        let sources = present(&known, &now);
        Ok(Refreshed { sources, ..Refreshed::default() })
    }

    /// What is there, and what is known, beside each other.
    fn looked(&self, stores: &[Store]) -> Result<(Listing, HashMap<String, Known>), Error> {
        let folder = &self.folder;
        std::thread::scope(|scope| {
            let listing = scope.spawn(|| Listing::of(stores, folder));
            let known = self.table.sources();
            let now = listing.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault));
            Ok((now, known?))
        })
    }

    /// Takes sources out of the table. The caller holds the lock.
    pub(crate) fn clean(&mut self, gone: &[i64]) -> Result<(), Error> {
        Ok(self.table.apply(&[], gone, &Ranges::default(), &[])?)
    }

    /// The transcripts whose sessions have other names now, though nothing was written in them.
    fn renamed<'a>(
        &self,
        known: &HashMap<String, Known>,
        now: &'a Listing,
    ) -> Result<Vec<&'a Source>, Error> {
        if now.renamed.is_empty() || known.is_empty() {
            return Ok(Vec::new());
        }
        let mut titles: HashMap<(String, String), Option<String>> = HashMap::new();
        for (_, _, session) in self.table.abouts()? {
            titles.insert((session.path, session.id), session.title);
        }
        let mut paths = HashSet::new();
        for store in &now.renamed {
            let Some(discover) = discover::of(store.harness) else { continue };
            for head in discover.list(&store.root).sessions {
                let path = head.path.to_string_lossy().into_owned();
                let key = (path, head.id);
                if head.title.is_some() && titles.get(&key).is_some_and(|old| *old != head.title) {
                    paths.insert(key.0);
                }
            }
        }
        let is_renamed = |s: &&Source| paths.contains(&s.name) && !is_changed(known, s);
        Ok(now.sources.iter().filter(is_renamed).collect())
    }

    fn update(
        &mut self,
        known: &HashMap<String, Known>,
        now: &[Source],
        changed: &[&Source],
        removed: &[i64],
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Refreshed, Error> {
        sweep(&self.text, &self.folder.join("text"))?;
        if matches!(self.keeping, Keeping::Cached(_)) {
            home::sweep(self.root());
        }
        let mut writer: IndexWriter<Numbered> = self.text.writer_with_num_threads(1, 16 << 20)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut gone = self.table.gone()?;
        if !gone.is_empty() {
            writer.delete_query(those(gone.clone()))?;
        }
        let mut written = Written::of(&self.text)?;
        let first = self.first_number(&writer, written)?;
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
                let old = known.get(&source.name).map(|k| self.table.old(k.id)).transpose()?;
                jobs.push(Job { source, old: Mutex::new(old.unwrap_or_default()) });
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
            written = Written { next: numbers.load(Ordering::Relaxed), commit: written.commit + 1 };
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&written.payload());
            commit.commit()?;
            let state = [("next", written.next), ("commit", written.commit)];
            self.table.apply(&done.changes, removed, &gone, &state)?;
            removed = &[];
            gone = Ranges::default();
            refreshed.findings.extend(done.findings);
        }
        if !removed.is_empty() {
            self.table.apply(&[], removed, &Ranges::default(), &[])?;
        }
        refreshed.documents = numbers.load(Ordering::Relaxed) - first;
        self.table.set_state("writing", 0)?;
        tidy(&self.text, &mut writer)?;
        writer.wait_merging_threads()?;
        Ok(refreshed)
    }

    /// The first number that was never used. What an interrupted refresh left is removed, and what the table does not know
    /// because it lost what was written last, as it may when the power fails.
    fn first_number(&self, writer: &IndexWriter<Numbered>, written: Written) -> Result<u64, Error> {
        let next = self.table.state("next")?;
        let known = self.table.state("commit")? == written.commit && written.next <= next;
        if known && self.table.state("writing")? == 0 {
            return Ok(next);
        }
        // Far away from the numbers that are removed now: which documents a removal reaches is not told exactly for
        // those that come with a whole segment.
        let first = next.max(written.next) + (1 << 32);
        writer.delete_query(those(Ranges(vec![(next, first - next)])))?;
        Ok(first)
    }
}

/// Removes the files that do not belong to a text index. An interrupted commit leaves some, and the next one may want to make
/// files of the same names, which have to be new ones. The caller holds the lock.
fn sweep(text: &tantivy::Index, folder: &Path) -> Result<(), Error> {
    // While others open what is there, nothing is removed.
    let lock = text.directory().acquire_lock(&META_LOCK);
    let _lock = lock.map_err(tantivy::TantivyError::from)?;
    let metas = text.load_metas()?;
    let living = metas.list_segment_files();
    for entry in fs::read_dir(folder)? {
        let name = PathBuf::from(entry?.file_name());
        // Its description, the list of its files and its locks.
        let belongs = name.to_str().is_some_and(|n| n == "meta.json" || n.starts_with('.'));
        if !belongs && !living.contains(&name) {
            fs::remove_file(folder.join(name))?;
        }
    }
    Ok(())
}

/// Brings the index in a cache folder up to date, if there is one and little is new: no more bytes to read than these.
pub fn catch_up(cache: &Path, stores: &[Store], most: u64) -> Result<(), Error> {
    if home::table(cache).is_none() {
        return Ok(());
    }
    Index::open(cache)?.refresh_within(stores, most, &|_| ())?;
    Ok(())
}

/// The documents with these numbers.
pub(super) fn those(numbers: Ranges) -> Box<dyn tantivy::query::Query> {
    let numbers = Arc::new(numbers);
    let predicate = FunctionPredicate::from(move |segment: &SegmentReader| {
        let column = segment.fast_fields().u64(NUMBER)?;
        let numbers = Arc::clone(&numbers);
        Ok(move |doc| column.first(doc).is_some_and(|number| numbers.has(number)))
    });
    Box::new(DocPredicateQuery::from(predicate))
}

/// The numbers of the sources that are there, among those that are known, and whether each is a copy.
fn present(known: &HashMap<String, Known>, now: &Listing) -> HashMap<i64, bool> {
    let is_copy = |source: &Source| {
        let discover = discover::of(source.harness).filter(|discover| !discover.keeps_files());
        discover.is_some_and(|discover| {
            let path = source.path().to_owned();
            let head = SessionHead::new(source.harness, String::new(), path, PathBuf::new());
            discover.is_copy(&head)
        })
    };
    let here = |source: &Source| Some((known.get(&source.name)?.id, is_copy(source)));
    now.sources.iter().filter_map(here).collect()
}

fn differs(known: &HashMap<String, Known>, now: &Listing, stores: &[Store]) -> bool {
    (!now.renamed.is_empty() && !known.is_empty())
        || now.sources.iter().any(|s| is_changed(known, s))
        || !removed(known, &now.sources, stores).is_empty()
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
