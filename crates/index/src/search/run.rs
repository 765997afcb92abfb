//! Runs a query: finds hits, ranks them by session, reads what to show of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tantivy::schema::Value as _;
use tantivy::{ReloadPolicy, Searcher, TantivyDocument};

use super::build::{Place, Session};
use super::collect::{BySession, Hits, Live, Scored, Sessions};
use super::compile::{Compiled, Compiler, Mode};
use super::place::Reader;
use super::query::Query;
use super::refresh::{Refreshed, Source};
use super::snippet::{Marker, Snippet};
use super::{Error, Index, Role};

/// Of each session so many hits are looked at when their text has to be read before it is known whether they fit.
const READ_EACH: usize = 1000;

/// What is wanted of a search.
#[derive(Debug, Clone)]
pub struct Options {
    /// So many sessions at most.
    pub sessions: usize,
    /// So many hits of each.
    pub each: usize,
    /// Whole lines around the match instead of a piece of fixed length.
    pub context: Option<usize>,
    /// Whether snippets are wanted.
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
        let collector = BySession { live: Arc::clone(&self.live), each, now, scoring: true };
        Ok(self.searcher.search(query, &collector)?)
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
        let modes = [Mode::Exact, Mode::Parts, Mode::Similar];
        for mode in modes {
            let compiler = Compiler {
                fields: &self.fields,
                searcher: &view.searcher,
                mode,
                sessions: &|| self.sessions().unwrap_or_default(),
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
        Ok(self.sessions()?.into_iter().map(|(_, session)| session).collect())
    }

    pub(super) fn sessions(&self) -> Result<Vec<(u64, Session)>, Error> {
        let mut all = Vec::new();
        for known in self.table.sources()?.into_values() {
            all.extend(self.table.sessions_of(known.id)?);
        }
        Ok(all)
    }

    fn view(&self, sources: &[Source]) -> Result<View, Error> {
        let names: HashSet<&str> = sources.iter().map(|s| s.name.as_str()).collect();
        // The table first: what it says is in the text index already.
        let known = self.table.sources()?;
        let wanted: HashMap<i64, &str> = known
            .iter()
            .filter(|(path, _)| names.contains::<str>(path))
            .map(|(_, known)| (known.id, &*known.harness))
            .collect();
        let mut live = Live::new();
        let mut groups: HashMap<(String, String), u32> = HashMap::new();
        for (number, source, id) in self.table.sessions()? {
            let Some(harness) = wanted.get(&source) else { continue };
            let next = groups.len() as u32;
            let group = *groups.entry(((*harness).to_owned(), id)).or_insert(next);
            live.insert(number, group);
        }
        let reader = self.text.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(View { live: Arc::new(live), searcher: tantivy::IndexReader::searcher(&reader) })
    }

    fn collect(
        &self,
        view: &View,
        compiled: &Compiled,
        options: &Options,
        how: How,
    ) -> Result<Found, Error> {
        let each = if compiled.checks.is_empty() { options.each } else { READ_EACH };
        let sessions = ranked(view.run(&*compiled.all(), each, options.now)?);
        let read = |hits: &Hits| {
            compiled.side_by_side && hits.best.first().is_some_and(|hit| hit.role == Role::Record)
        };
        let known = compiled.checks.is_empty() && !sessions.iter().any(read);
        let all = known.then_some(sessions.len());
        let sessions = self.read(view, sessions, compiled, options)?;
        Ok(Found { all_sessions: all, sessions, how })
    }

    /// Reads what to show.
    fn read(
        &self,
        view: &View,
        ranked: Vec<Hits>,
        compiled: &Compiled,
        options: &Options,
    ) -> Result<Vec<InSession>, Error> {
        let marker = Marker::new(&compiled.marks);
        let mut all = Vec::new();
        for hits in ranked {
            if all.len() >= options.sessions {
                break;
            }
            let mut found =
                InSession { session: Session::default(), hits: Vec::new(), all_hits: hits.count };
            let mut readers: HashMap<u64, Session> = HashMap::new();
            let mut seen: HashSet<String> = HashSet::new();
            for hit in &hits.best {
                if found.hits.len() >= options.each {
                    break;
                }
                if !readers.contains_key(&hit.number)
                    && let Some(session) = self.table.session(hit.number)?
                {
                    readers.insert(hit.number, session);
                }
                let Some(session) = readers.get(&hit.number) else { continue };
                let place = self.place(&view.searcher, hit)?;
                if !place.item.is_empty() && !seen.insert(place.item.clone()) {
                    continue;
                }
                let side_by_side = compiled.side_by_side && hit.role == Role::Record;
                let wants_text = options.snippets || !compiled.checks.is_empty() || side_by_side;
                let mut reader = Reader::new(session);
                let texts = match (wants_text, hit.role) {
                    (false, _) => Vec::new(),
                    (true, Role::Record) => reader.records(&marker),
                    (true, _) => reader.item(&place),
                };
                if !compiled.checks.iter().all(|check| check.passes(&texts))
                    || (side_by_side && !texts.iter().any(|text| marker.fits(text)))
                {
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
                    snippet: marker.snippet(&texts, options.context),
                });
            }
            if !found.hits.is_empty() {
                all.push(found);
            }
        }
        Ok(all)
    }

    fn place(&self, searcher: &Searcher, hit: &Scored) -> Result<Place, Error> {
        let document: TantivyDocument = searcher.doc(hit.address)?;
        let bytes = document.get_first(self.fields.place).and_then(|value| value.as_bytes());
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
