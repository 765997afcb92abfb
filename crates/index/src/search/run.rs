//! Runs a query: finds hits, ranks them by session, reads what to show of them.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tantivy::collector::Collector as _;
use tantivy::query::EnableScoring;
use tantivy::schema::{Field, Value as _};
use tantivy::{Searcher, TantivyDocument};

use super::build::{Place, Session};
use super::collect::{BySession, Hits, Live, Scored, Sessions};
use super::compile::{Check, Compiled, Compiler, Mode};
use super::listing::parallel;
use super::place::Reader;
use super::query::Query;
use super::ranges::Ranges;
use super::refresh::Refreshed;
use super::snippet::{Marker, Snippet};
use super::{Error, Index, Role};

/// Of each session so many hits are looked at when their text has to be read before it is known whether they fit.
const READ_EACH: usize = 1000;
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

    /// The sessions that have all words, whatever item each is in.
    fn across(&self, compiled: &Compiled, options: &Options) -> Result<Vec<Hits>, Error> {
        let mut any = self.run(&*compiled.any(), options.each, options.now)?;
        for n in 0..compiled.wanted.len() {
            let one = self.run(&*compiled.one(n), 0, options.now)?;
            any.retain(|session, _| one.contains_key(session));
        }
        Ok(ranked(any))
    }
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
            let found = self.collect(&view, &compiled, options, how)?;
            if !found.sessions.is_empty() {
                return Ok(found);
            }
            if compiled.wanted.len() > 1 && compiled.checks.is_empty() {
                let sessions = view.across(&compiled, options)?;
                if !sessions.is_empty() {
                    let all = sessions.len();
                    let how = if mode == Mode::Exact { How::Across } else { how };
                    let sessions = self.read(&view, sessions, &compiled, options)?;
                    return Ok(Found { sessions, all_sessions: Some(all), how });
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

    fn view(&self, sources: &HashSet<i64>) -> Result<View, Error> {
        // The table first: what it says is in the text index already.
        let mut live = Live::default();
        let mut groups: HashMap<i64, u32> = HashMap::new();
        for row in self.table.sessions()? {
            if sources.contains(&row.source) {
                let next = groups.len() as u32;
                let group = *groups.entry(row.thread).or_insert(next);
                live.add(&row.documents, group, row.key);
            }
        }
        live.sort();
        Ok(View { live: Arc::new(live), searcher: self.warm.searcher(&self.text)? })
    }

    fn collect(
        &self,
        view: &View,
        compiled: &Compiled,
        options: &Options,
        how: How,
    ) -> Result<Found, Error> {
        let known = compiled.checks.is_empty();
        let each = if known { options.each } else { READ_EACH };
        let sessions = ranked(view.run(&*compiled.all(), each, options.now)?);
        let all_sessions = known.then_some(sessions.len());
        let sessions = self.read(view, sessions, compiled, options)?;
        Ok(Found { sessions, all_sessions, how })
    }

    /// Reads what to show.
    fn read(
        &self,
        view: &View,
        ranked: Vec<Hits>,
        compiled: &Compiled,
        options: &Options,
    ) -> Result<Vec<InSession>, Error> {
        let reading = Reading {
            searcher: &view.searcher,
            place: self.fields.place,
            marker: &Marker::new(&compiled.marks),
            checks: &compiled.checks,
            options,
        };
        let mut all: Vec<InSession> = Vec::new();
        let mut ranked = ranked.into_iter();
        while all.len() < options.sessions {
            let wanted = (options.sessions - all.len()).min(AT_ONCE);
            let least = if compiled.checks.is_empty() { 1 } else { AT_LEAST };
            let next: Vec<Hits> = ranked.by_ref().take(wanted.max(least)).collect();
            if next.is_empty() {
                break;
            }
            let keys = next.iter().flat_map(|hits| &hits.best).map(|hit| hit.key);
            let sessions = self.table.named(keys)?;
            let read = parallel(&next, 1, |hits| reading.session(hits, &sessions));
            for found in read {
                all.extend(found?);
            }
        }
        all.truncate(options.sessions);
        Ok(all)
    }
}

/// What it takes to read the hits of a session.
struct Reading<'a> {
    searcher: &'a Searcher,
    place: Field,
    marker: &'a Marker,
    checks: &'a [Check],
    options: &'a Options,
}

impl Reading<'_> {
    /// Nothing when no hit fits.
    fn session(
        &self,
        hits: &Hits,
        sessions: &HashMap<i64, Session>,
    ) -> Result<Option<InSession>, Error> {
        let mut found =
            InSession { session: Session::default(), hits: Vec::new(), all_hits: hits.count };
        let mut readers: HashMap<i64, Reader<'_>> = HashMap::new();
        let mut seen: HashSet<String> = HashSet::new();
        let wants_text = self.options.snippets || !self.checks.is_empty();
        for hit in &hits.best {
            if found.hits.len() >= self.options.each {
                break;
            }
            let Some(session) = sessions.get(&hit.key) else { continue };
            let place = if wants_text { self.place(hit)? } else { Place::default() };
            if !place.item.is_empty() && !seen.insert(place.item.clone()) {
                continue;
            }
            let reader = readers.entry(hit.key).or_insert_with(|| Reader::new(session));
            let texts = match (wants_text, hit.role) {
                (false, _) => Vec::new(),
                (true, Role::Record) => reader.records(self.marker, !self.checks.is_empty()),
                (true, _) => reader.item(&place),
            };
            if !self.checks.iter().all(|check| check.passes(&texts)) {
                continue;
            }
            if found.hits.is_empty() {
                found.session = session.clone();
            }
            found.hits.push(Hit {
                turn: place.turn,
                item: place.item,
                role: hit.role,
                tool: place.tool,
                leaf: place.leaf,
                time: hit.time,
                score: hit.score,
                snippet: self.marker.snippet(&texts, self.options.context),
            });
        }
        Ok((!found.hits.is_empty()).then_some(found))
    }

    fn place(&self, hit: &Scored) -> Result<Place, Error> {
        let document: TantivyDocument = self.searcher.doc(hit.address)?;
        let bytes = document.get_first(self.place).and_then(|value| value.as_bytes());
        Ok(bytes.and_then(|bytes| postcard::from_bytes(bytes).ok()).unwrap_or_default())
    }
}

/// The best session first. Many hits count a little.
fn ranked(sessions: Sessions) -> Vec<Hits> {
    let score = |hits: &Hits| {
        let best = hits.best.first().map_or(0.0, |hit| hit.score);
        best * (1.0 + 0.05 * (hits.count as f32).ln())
    };
    let mut ranked: Vec<(f32, u32, Hits)> =
        sessions.into_iter().map(|(n, hits)| (score(&hits), n, hits)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, _, hits)| hits).collect()
}
