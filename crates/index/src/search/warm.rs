//! The text index, opened while the stores are looked at: whether it is still the right one is seen afterwards.

use std::sync::Mutex;
use std::thread::JoinHandle;

use tantivy::index::SegmentId;
use tantivy::{ReloadPolicy, Searcher};

/// A searcher that is being opened.
#[derive(Debug, Default)]
pub(super) struct Warm(Mutex<Option<JoinHandle<tantivy::Result<Opened>>>>);

/// A searcher, and what it searches in.
pub(super) type Opened = (Vec<Part>, Searcher);

/// A part of the index, and how much was taken out of it.
pub(super) type Part = (SegmentId, u32);

impl Warm {
    /// Begins to open it.
    pub(super) fn begin(&self, text: &tantivy::Index) {
        let text = text.clone();
        let opening = std::thread::spawn(move || opened(&text));
        if let Ok(mut place) = self.0.lock() {
            *place = Some(opening);
        }
    }

    /// A searcher in the index as it is now.
    pub(super) fn searcher(&self, text: &tantivy::Index) -> tantivy::Result<Searcher> {
        let opening = self.0.lock().ok().and_then(|mut place| place.take());
        if let Some(Ok(Ok((begun, searcher)))) = opening.map(JoinHandle::join)
            && begun == parts(text)?
            && begun == searched(&searcher)
        {
            return Ok(searcher);
        }
        Ok(opened(text)?.1)
    }
}

pub(super) fn opened(text: &tantivy::Index) -> tantivy::Result<Opened> {
    let parts = parts(text)?;
    let reader = text.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    Ok((parts, tantivy::IndexReader::searcher(&reader)))
}

/// The parts of the index as they are now.
fn parts(text: &tantivy::Index) -> tantivy::Result<Vec<Part>> {
    let metas = text.searchable_segment_metas()?;
    let mut parts: Vec<Part> = metas.iter().map(|m| (m.id(), m.num_deleted_docs())).collect();
    parts.sort_unstable();
    Ok(parts)
}

/// The parts that a searcher searches in.
fn searched(searcher: &Searcher) -> Vec<Part> {
    let readers = searcher.segment_readers().iter();
    let mut parts: Vec<Part> = readers.map(|r| (r.segment_id(), r.num_deleted_docs())).collect();
    parts.sort_unstable();
    parts
}
