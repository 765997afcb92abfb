//! Collects hits by session.

use std::collections::HashMap;
use std::sync::Arc;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

use super::item::Role;
use super::ranges::Ranges;
use super::schema::NUMBER;

/// A hit of these days counts up to so much more than an old one.
const RECENT: f32 = 0.6;
/// After so many days half of that is left.
const HALF: f32 = 14.0;

/// The documents that count, with the session that each belongs to: a session may stand in several files.
#[derive(Debug, Default)]
pub(crate) struct Live(Vec<Place>);

/// Some documents of a session that lie side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    first: u64,
    length: u64,
    /// The session; the same for all files in which it stands.
    pub(crate) session: u32,
    /// The key of the session in one file.
    pub(crate) key: i64,
}

impl Live {
    pub(crate) fn add(&mut self, documents: &Ranges, session: u32, key: i64) {
        let place = |&(first, length): &(u64, u64)| Place { first, length, session, key };
        self.0.extend(documents.0.iter().map(place));
    }

    /// To be called when all were added.
    pub(crate) fn sort(&mut self) {
        self.0.sort_unstable_by_key(|place| place.first);
    }

    /// Where a document belongs. Nothing when it does not count.
    pub(crate) fn of(&self, number: u64) -> Option<Place> {
        let at = self.0.partition_point(|place| place.first <= number);
        let place = self.0.get(at.checked_sub(1)?)?;
        place.has(number).then_some(*place)
    }
}

impl Place {
    fn has(&self, number: u64) -> bool {
        number.checked_sub(self.first).is_some_and(|n| n < self.length)
    }
}

/// Collects the best hits of each session.
pub(crate) struct BySession {
    pub(crate) live: Arc<Live>,
    /// So many of each session are kept.
    pub(crate) each: usize,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
}

/// A document that fits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    pub(crate) score: f32,
    pub(crate) address: DocAddress,
    /// The key of the session in its file.
    pub(crate) key: i64,
    pub(crate) role: Role,
    pub(crate) time: i64,
}

/// The hits of a session.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    pub(crate) count: u64,
    /// The best ones, the best first.
    pub(crate) best: Vec<Scored>,
    /// What stands outside of the items; it counts when no item does.
    records: Vec<Scored>,
}

impl Hits {
    fn add(&mut self, hit: Scored, most: usize) {
        if hit.role == Role::Record {
            self.records.push(hit);
            return;
        }
        self.count += 1;
        // All are wanted: they are sorted in the end.
        if most == usize::MAX {
            self.best.push(hit);
            return;
        }
        if self.best.len() >= most && self.best.last().is_some_and(|last| last.score >= hit.score) {
            return;
        }
        let at = self.best.partition_point(|other| other.score >= hit.score);
        self.best.insert(at, hit);
        self.best.truncate(most);
    }
}

pub(crate) type Sessions = HashMap<u32, Hits>;

impl Collector for BySession {
    type Fruit = Sessions;
    type Child = InSegment;

    fn for_segment(
        &self,
        ord: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<InSegment> {
        let fast = reader.fast_fields();
        Ok(InSegment {
            ord,
            number: fast.u64(NUMBER)?,
            time: fast.i64("time")?,
            role: fast.u64("role")?,
            live: Arc::clone(&self.live),
            each: self.each,
            now: self.now,
            last: None,
            found: HashMap::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Sessions>) -> tantivy::Result<Sessions> {
        let mut all = Sessions::new();
        for (session, hits) in fruits.into_iter().flatten() {
            let into = all.entry(session).or_default();
            into.count += hits.count;
            into.best.extend(hits.best);
            into.records.extend(hits.records);
        }
        for hits in all.values_mut() {
            hits.best.sort_by(|a, b| b.score.total_cmp(&a.score));
            // Where it is not known yet whether the items fit, what is outside of them comes last.
            if hits.count == 0 || self.each == usize::MAX {
                hits.best.append(&mut hits.records);
            }
            hits.count = hits.count.max(1);
            hits.best.truncate(self.each);
        }
        Ok(all)
    }
}

/// One part of the index.
pub(crate) struct InSegment {
    ord: SegmentOrdinal,
    number: Column<u64>,
    time: Column<i64>,
    role: Column<u64>,
    live: Arc<Live>,
    each: usize,
    now: i64,
    /// Documents of a session lie side by side.
    last: Option<Place>,
    found: Sessions,
}

impl SegmentCollector for InSegment {
    type Fruit = Sessions;

    fn collect(&mut self, doc: DocId, score: Score) {
        let Some(number) = self.number.first(doc) else { return };
        if !self.last.is_some_and(|place| place.has(number)) {
            self.last = self.live.of(number);
        }
        let Some(Place { session, key, .. }) = self.last else { return };
        let role = Role::of_number(self.role.first(doc).unwrap_or(0));
        let time = self.time.first(doc).unwrap_or(0);
        let score = score * role.weight() * recency(self.now - time);
        let address = DocAddress::new(self.ord, doc);
        self.found
            .entry(session)
            .or_default()
            .add(Scored { score, address, key, role, time }, self.each);
    }

    fn harvest(self) -> Sessions {
        self.found
    }
}

fn recency(age: i64) -> f32 {
    let days = age.max(0) as f32 / 86_400_000.0;
    1.0 + RECENT * HALF / (HALF + days)
}
