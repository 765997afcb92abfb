//! Runs a query: finds hits, ranks them by session, reads what to show of them.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tantivy::collector::{Collector as _, DocSetCollector};
use tantivy::query::EnableScoring;
use tantivy::schema::{Field, Value as _};
use tantivy::{DocAddress, Searcher, TantivyDocument};

use super::build::{Place, Session};
use super::collect::{BySession, Hits, Live, Scored, Sessions};
use super::compile::{Check, Compiled, Compiler, Mode, Wanted};
use super::listing::parallel;
use super::place::Reader;
use super::query::Query;
use super::ranges::Ranges;
use super::refresh::Refreshed;
use super::snippet::{Marker, Snippet};
use super::table::Row;
use super::{Error, Index, Role};

/// So many sessions are read before the next ones are looked up.
const AT_ONCE: usize = 512;
/// When not all of those that are read fit, at least so many are read at once.
const AT_LEAST: usize = 16;

/// What is wanted of a search.
#[derive(Debug, Clone)]
pub struct Options {
    /// So many sessions at most.
    pub sessions: usize,
    /// So many hits of each.
    pub each: usize,
    /// Whole lines around the match instead of a piece of fixed length.
    pub context: Option<usize>,
    /// Whether it is wanted where in the session hits are, with snippets. Without, it is sessions that are found.
    pub snippets: bool,
    /// The clock, in milliseconds since 1970, for the weight of recent hits.
    pub now: i64,
}

/// How hits were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// As asked.
    Exactly,
    /// The words are not in one item, but in one session.
    Across,
    /// The words are parts of others.
    Parts,
    /// Similar words.
    Similar,
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The sessions, the best first.
    pub sessions: Vec<InSession>,
    /// All sessions with hits, shown or not; not known when texts had to be read to find them.
    pub all_sessions: Option<usize>,
    /// How.
    pub how: How,
}

/// The hits of a session.
#[derive(Debug)]
pub struct InSession {
    /// The session.
    pub session: Session,
    /// The best hits, the best first.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub all_hits: u64,
}

/// One hit.
#[derive(Debug)]
pub struct Hit {
    /// The turn; empty for words outside of items.
    pub turn: String,
    /// The item; empty for words outside of items.
    pub item: String,
    /// Who or what it comes from.
    pub role: Role,
    /// The tool.
    pub tool: Option<String>,
    /// The leaf of its branch, when that is not the active one.
    pub leaf: Option<String>,
    /// Milliseconds since 1970; 0 when nobody knows.
    pub time: i64,
    /// Higher is better. It means something within one search only.
    pub score: f32,
    /// The text around the match.
    pub snippet: Snippet,
}

/// The sessions that a search looks at.
struct View {
    live: Arc<Live>,
    searcher: Searcher,
}

impl View {
    /// The best hits of each session, so many of each.
    fn run(
        &self,
        query: &dyn tantivy::query::Query,
        each: usize,
        now: i64,
    ) -> Result<Sessions, Error> {
        let collector = BySession { live: Arc::clone(&self.live), each, now };
        let weight = query.weight(EnableScoring::enabled_from_searcher(&self.searcher))?;
        // Patterns and phrases keep a core busy for longer than it takes to start another one.
        let segments: Vec<_> = (0..).zip(self.searcher.segment_readers()).collect();
        let fruits = parallel(&segments, 1, |(ord, reader)| {
            collector.collect_segment(&*weight, *ord, reader)
        });
        Ok(collector.merge_fruits(fruits.into_iter().collect::<tantivy::Result<_>>()?)?)
    }

    /// The sessions that have all terms, whatever item each is in.
    fn across(&self, compiled: &Compiled, options: &Options) -> Result<Vec<Candidate>, Error> {
        let checked = compiled.has_checks();
        let mut any = self.run(&*compiled.any(), options.each.max(1), options.now)?;
        let mut terms = Vec::new();
        for one in &compiled.wanted {
            let each = match (checked, &one.check) {
                (false, _) => 0,
                (true, None) if compiled.not.is_empty() => options.each,
                (true, _) => usize::MAX,
            };
            let found = self.run(&*compiled.one(one), each, options.now)?;
            any.retain(|session, _| found.contains_key(session));
            terms.push(found);
        }
        let ranked = ranked(any).into_iter().map(|(session, hits)| {
            let count = hits.count;
            let mut groups = vec![hits];
            if checked {
                let of = |found: &mut Sessions| found.remove(&session).unwrap_or_default();
                groups = terms.iter_mut().map(of).collect();
            }
            Candidate { count, groups, not: Vec::new() }
        });
        Ok(ranked.collect())
    }

    /// The sessions with documents that have all of it.
    fn together(&self, compiled: &Compiled, options: &Options) -> Result<Vec<Candidate>, Error> {
        let each = if compiled.has_checks() { usize::MAX } else { options.each };
        let mut found = self.run(&*compiled.all(), each, options.now)?;
        let mut not: HashMap<u32, Vec<(usize, Hits)>> = HashMap::new();
        if compiled.wanted.is_empty() {
            // Nothing is looked for: it is sessions that may not have something.
            for (n, one) in compiled.not.iter().enumerate() {
                let each = if one.check.is_some() { usize::MAX } else { 0 };
                let with = self.run(&*compiled.one(one), each, options.now)?;
                if one.check.is_none() {
                    found.retain(|session, _| !with.contains_key(session));
                } else {
                    for (session, hits) in with {
                        not.entry(session).or_default().push((n, hits));
                    }
                }
            }
        }
        let candidates = ranked(found).into_iter().map(|(session, hits)| Candidate {
            count: hits.count,
            groups: vec![hits],
            not: not.remove(&session).unwrap_or_default(),
        });
        Ok(candidates.collect())
    }

    /// The documents that need no look at their text for a check.
    fn known(&self, one: &Wanted) -> Result<HashSet<DocAddress>, Error> {
        let also = one.check.as_ref().and_then(|check| check.also.as_ref());
        also.map_or(Ok(HashSet::new()), |query| {
            Ok(self.searcher.search(query, &DocSetCollector)?)
        })
    }
}

/// A session that may fit.
struct Candidate {
    /// How many documents of it may fit.
    count: u64,
    /// Hits of which one has to fit all terms; or those of each term, of which one has to fit that.
    groups: Vec<Hits>,
    /// Hits of which none may fit, each with the number of the term.
    not: Vec<(usize, Hits)>,
}

impl Index {
    /// Searches the sessions of the stores that were refreshed.
    pub fn search(
        &self,
        refreshed: &Refreshed,
        query: &Query,
        options: &Options,
    ) -> Result<Found, Error> {
        // A session that is read again meanwhile must not vanish between the two looks at the table.
        let _snapshot = self.table.snapshot()?;
        let view = self.view(&refreshed.sources)?;
        let known = OnceCell::new();
        let sessions = || -> Result<_, Error> {
            if let Some(known) = known.get() {
                return Ok(Arc::clone(known));
            }
            let all = Arc::new(self.sessions()?);
            Ok(Arc::clone(known.get_or_init(|| all)))
        };
        let modes = [Mode::Exact, Mode::Parts, Mode::Similar];
        // A pattern says the same in all of them.
        let modes = if query.has_words() { &modes[..] } else { &modes[..1] };
        for &mode in modes {
            let compiler = Compiler {
                fields: &self.fields,
                searcher: &view.searcher,
                mode,
                sessions: &sessions,
            };
            let compiled = compiler.compile(query)?;
            let how = match mode {
                Mode::Exact => How::Exactly,
                Mode::Parts => How::Parts,
                Mode::Similar => How::Similar,
            };
            let candidates = view.together(&compiled, options)?;
            let found = self.found(&view, candidates, &compiled, options, how)?;
            if !found.sessions.is_empty() {
                return Ok(found);
            }
            if compiled.wanted.len() > 1 {
                let candidates = view.across(&compiled, options)?;
                let how = if mode == Mode::Exact { How::Across } else { how };
                let found = self.found(&view, candidates, &compiled, options, how)?;
                if !found.sessions.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Found { sessions: Vec::new(), all_sessions: Some(0), how: How::Exactly })
    }

    /// What is known of all sessions that were read, of whatever store.
    pub fn known(&self) -> Result<Vec<Session>, Error> {
        Ok(self.table.abouts()?.into_iter().map(|(_, _, session)| session).collect())
    }

    /// What is known of all sessions.
    fn sessions(&self) -> Result<Vec<(Ranges, Session)>, Error> {
        let rows = self.table.sessions()?;
        let mut documents: HashMap<i64, Ranges> =
            rows.into_iter().map(|row| (row.key, row.documents)).collect();
        let all = self.table.abouts()?.into_iter();
        Ok(all.filter_map(|(_, key, session)| Some((documents.remove(&key)?, session))).collect())
    }

    fn view(&self, sources: &HashMap<i64, bool>) -> Result<View, Error> {
        // The table first: what it says is in the text index already.
        let rows = self.table.sessions()?;
        let is_copy = |row: &Row| sources.get(&row.source).copied();
        // A copy is looked at where there is nothing but copies: it names items in another way.
        let mut originals: HashSet<i64> = HashSet::new();
        if sources.values().any(|is_copy| *is_copy) {
            let all = rows.iter().filter(|row| is_copy(row) == Some(false));
            originals.extend(all.map(|row| row.thread));
        }
        let mut live = Live::default();
        let mut groups: HashMap<i64, u32> = HashMap::new();
        for row in &rows {
            let Some(is_copy) = is_copy(row) else { continue };
            if !is_copy || !originals.contains(&row.thread) {
                let next = groups.len() as u32;
                let group = *groups.entry(row.thread).or_insert(next);
                live.add(&row.documents, group, row.key);
            }
        }
        live.sort();
        Ok(View { live: Arc::new(live), searcher: self.warm.searcher(&self.text)? })
    }

    /// Reads what to show.
    fn found(
        &self,
        view: &View,
        candidates: Vec<Candidate>,
        compiled: &Compiled,
        options: &Options,
        how: How,
    ) -> Result<Found, Error> {
        let checked = compiled.has_checks();
        let all_sessions = (!checked).then_some(candidates.len());
        let known = |all: &[Wanted]| all.iter().map(|one| view.known(one)).collect();
        let known: Result<Vec<_>, Error> = known(&compiled.wanted);
        let reading = Reading {
            searcher: &view.searcher,
            place: self.fields.place,
            marker: &Marker::new(&compiled.marks),
            compiled,
            known: known?,
            options,
        };
        let mut all: Vec<InSession> = Vec::new();
        let mut candidates = candidates.into_iter();
        while all.len() < options.sessions {
            let wanted = (options.sessions - all.len()).min(AT_ONCE);
            let least = if checked { AT_LEAST } else { 1 };
            let next: Vec<Candidate> = candidates.by_ref().take(wanted.max(least)).collect();
            if next.is_empty() {
                break;
            }
            let hits = |candidate: &Candidate| {
                let not = candidate.not.iter().map(|(_, hits)| hits);
                let all = candidate.groups.iter().chain(not).flat_map(|hits| &hits.best);
                all.map(|hit| hit.key).collect::<HashSet<i64>>()
            };
            let sessions = self.table.named(next.iter().flat_map(hits))?;
            let read = parallel(&next, 1, |candidate| reading.session(candidate, &sessions));
            for found in read {
                all.extend(found?);
            }
        }
        all.truncate(options.sessions);
        Ok(Found { sessions: all, all_sessions, how })
    }
}

/// What it takes to read the hits of a session.
struct Reading<'a> {
    searcher: &'a Searcher,
    place: Field,
    marker: &'a Marker,
    compiled: &'a Compiled,
    /// For each term, the documents that need no look.
    known: Vec<HashSet<DocAddress>>,
    options: &'a Options,
}

/// What is looked at in the texts of a hit.
#[derive(Default)]
struct Look<'a> {
    /// What has to fit, with the documents of which that is known.
    terms: Vec<(&'a Check, &'a HashSet<DocAddress>)>,
    /// What may not.
    not: Vec<&'a Check>,
}

/// The transcripts of a session, by the keys under which they are known.
struct Transcripts<'a> {
    sessions: &'a HashMap<i64, Session>,
    open: HashMap<i64, Reader<'a>>,
}

impl Reading<'_> {
    /// Nothing when no hit fits.
    fn session(
        &self,
        candidate: &Candidate,
        sessions: &HashMap<i64, Session>,
    ) -> Result<Option<InSession>, Error> {
        let mut transcripts = Transcripts { sessions, open: HashMap::new() };
        let none = HashSet::new();
        for (n, hits) in &candidate.not {
            let terms = self.compiled.not[*n].check.iter().map(|check| (check, &none)).collect();
            let look = Look { terms, not: Vec::new() };
            if !self.hits(hits, &look, 1, &mut transcripts)?.is_empty() {
                return Ok(None);
            }
        }
        let is_apart = candidate.groups.len() > 1;
        let mut found: Vec<(i64, Hit)> = Vec::new();
        for (n, hits) in candidate.groups.iter().enumerate() {
            let mut look = Look::default();
            for (term, (one, known)) in self.compiled.wanted.iter().zip(&self.known).enumerate() {
                if term == n || !is_apart {
                    look.terms.extend(one.check.iter().map(|check| (check, known)));
                }
            }
            if !self.compiled.wanted.is_empty() {
                look.not.extend(self.compiled.not.iter().filter_map(|one| one.check.as_ref()));
            }
            let more = self.hits(hits, &look, self.options.each, &mut transcripts)?;
            if more.is_empty() {
                return Ok(None);
            }
            let is_new = |(_, hit): &(i64, Hit)| {
                hit.item.is_empty() || found.iter().all(|(_, other)| other.item != hit.item)
            };
            let more: Vec<(i64, Hit)> = more.into_iter().filter(is_new).collect();
            found.extend(more);
        }
        found.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        found.truncate(self.options.each);
        let session = found.first().and_then(|(key, _)| sessions.get(key)).cloned();
        Ok(session.map(|session| InSession {
            session,
            hits: found.into_iter().map(|(_, hit)| hit).collect(),
            all_hits: candidate.count,
        }))
    }

    /// The best hits that fit, so many at most, each with the key of its session.
    fn hits(
        &self,
        hits: &Hits,
        look: &Look<'_>,
        most: usize,
        transcripts: &mut Transcripts<'_>,
    ) -> Result<Vec<(i64, Hit)>, Error> {
        let mut found: Vec<(i64, Hit)> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        for hit in &hits.best {
            // What stands outside of items counts when no item does.
            if found.len() >= most || (hit.role == Role::Record && !found.is_empty()) {
                break;
            }
            let Some(session) = transcripts.sessions.get(&hit.key) else { continue };
            let unknown = look.terms.iter().filter(|(_, known)| !known.contains(&hit.address));
            let terms: Vec<&Check> = unknown.map(|(check, _)| *check).collect();
            let is_asked = !terms.is_empty() || !look.not.is_empty();
            let wants_text = self.options.snippets || is_asked;
            let place = if wants_text { self.place(hit)? } else { Place::default() };
            if !place.item.is_empty() && !seen.insert(place.item.clone()) {
                continue;
            }
            let reader = transcripts.open.entry(hit.key).or_insert_with(|| Reader::new(session));
            let texts = match (wants_text, hit.role) {
                (false, _) => Vec::new(),
                (true, Role::Record) => reader.records(self.marker, &terms, &look.not),
                (true, _) => reader.item(&place),
            };
            let any = |check: &Check| texts.iter().any(|text| check.fits(text));
            if !terms.iter().all(|check| any(check)) || look.not.iter().any(|check| any(check)) {
                continue;
            }
            let shown = Hit {
                turn: place.turn,
                item: place.item,
                role: hit.role,
                tool: place.tool,
                leaf: place.leaf,
                time: hit.time,
                score: hit.score,
                snippet: self.marker.snippet(&texts, self.options.context),
            };
            found.push((hit.key, shown));
        }
        Ok(found)
    }

    fn place(&self, hit: &Scored) -> Result<Place, Error> {
        let document: TantivyDocument = self.searcher.doc(hit.address)?;
        let bytes = document.get_first(self.place).and_then(|value| value.as_bytes());
        Ok(bytes.and_then(|bytes| postcard::from_bytes(bytes).ok()).unwrap_or_default())
    }
}

/// The best session first. Many hits count a little.
fn ranked(sessions: Sessions) -> Vec<(u32, Hits)> {
    let score = |hits: &Hits| {
        let best = hits.best.first().map_or(0.0, |hit| hit.score);
        best * (1.0 + 0.05 * (hits.count as f32).ln())
    };
    let mut ranked: Vec<(f32, u32, Hits)> =
        sessions.into_iter().map(|(n, hits)| (score(&hits), n, hits)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, n, hits)| (n, hits)).collect()
}
