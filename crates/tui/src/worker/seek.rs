//! Looking for words in all sessions, through the index.

use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recount_index::search::query::End;
use recount_index::search::{self, Index, Progress, Query, Refreshed, Snippet};
use recount_store::Stores;

use crate::update::Message;

/// Reads a time in a query (`since:3d`), and gives milliseconds since 1970.
pub type Times = fn(End, &str) -> Result<i64, String>;

/// So many sessions are shown at most.
const SESSIONS: usize = 100;
/// The index is brought up to date at most so often.
const FRESH: Duration = Duration::from_secs(10);
/// How far that is, is told so often.
const TELL: Duration = Duration::from_millis(100);

/// A session in which something was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundIn {
    /// The session.
    pub id: String,
    /// How many items fit.
    pub hits: u64,
    /// The best of them; empty for words outside of items.
    pub item: String,
    /// The text around the best of them.
    pub snippet: Snippet,
}

/// What a look into the index gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Sought {
    /// The index is brought up to date: transcripts that were read, of how many.
    Reading(usize, usize),
    /// The sessions, the best first.
    Found(Vec<FoundIn>),
    /// The query or the index is at fault.
    Failed(String),
}

/// Where the index is, and how queries are read.
#[derive(Clone)]
pub struct Sources {
    /// The folder for caches; without one the index lives only as long as the program.
    pub cache: Option<PathBuf>,
    /// Reads times in queries.
    pub times: Times,
    /// Gives the time.
    pub clock: fn() -> Timestamp,
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").field("cache", &self.cache).finish_non_exhaustive()
    }
}

/// Answers queries until nobody asks any more. Of those that come while one is answered only the last one counts.
pub(super) fn seek(
    stores: &Stores,
    sources: &Sources,
    queries: &Receiver<String>,
    messages: &Sender<Message>,
) {
    let mut seeker = Seeker::new(stores.clone(), sources.clone());
    while let Ok(query) = queries.recv() {
        let query = queries.try_iter().last().unwrap_or(query);
        let tell = |sought| messages.send(Message::Sought(query.clone(), sought)).is_ok();
        let sought = seeker.seek(&query, &|progress: Progress| {
            tell(Sought::Reading(progress.done, progress.all));
        });
        if !tell(sought) {
            return;
        }
    }
}

/// The index, opened when something is looked for the first time.
pub struct Seeker {
    stores: Stores,
    sources: Sources,
    open: Option<(Index, Refreshed, Instant)>,
}

impl Seeker {
    /// Nothing is opened yet.
    pub fn new(stores: Stores, sources: Sources) -> Self {
        Self { stores, sources, open: None }
    }

    /// The sessions in which everything is found that a person typed so far.
    pub fn seek(&mut self, typed: &str, progress: &(dyn Fn(Progress) + Sync)) -> Sought {
        let query = match Query::parse(&as_query(typed), &self.sources.times) {
            Ok(query) => query,
            Err(why) => return Sought::Failed(why),
        };
        let options = search::Options {
            sessions: SESSIONS,
            each: 1,
            context: None,
            snippets: true,
            now: (self.sources.clock)().as_millisecond(),
        };
        let found = self
            .fresh(progress)
            .and_then(|(index, refreshed)| index.search(refreshed, &query, &options))
            .or_else(|_| self.anew(progress, &query, &options));
        match found {
            // What only looks similar is no answer to words that are still being typed.
            Ok(found) if found.how == search::How::Similar => Sought::Found(Vec::new()),
            Ok(found) => Sought::Found(
                found
                    .sessions
                    .into_iter()
                    .map(|one| {
                        let best = one.hits.into_iter().next().map(|h| (h.item, h.snippet));
                        let (item, snippet) = best.unwrap_or_default();
                        let (id, hits) = (one.session.id, one.all_hits);
                        FoundIn { id, hits, item, snippet }
                    })
                    .collect(),
            ),
            Err(why) => Sought::Failed(why.to_string()),
        }
    }

    fn fresh(
        &mut self,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(&Index, &Refreshed), search::Error> {
        let stale = self.open.as_ref().is_none_or(|(_, _, at)| at.elapsed() > FRESH);
        if stale {
            self.asked(progress, |_, _| Ok(()))?;
        }
        self.open
            .as_ref()
            .map(|(index, refreshed, _)| (index, refreshed))
            .ok_or_else(|| search::Error::Io(std::io::ErrorKind::NotFound.into()))
    }

    /// Searches once more in an index that could not be read: it is made anew if need be.
    fn anew(
        &mut self,
        progress: &(dyn Fn(Progress) + Sync),
        query: &Query,
        options: &search::Options,
    ) -> Result<search::Found, search::Error> {
        self.open = None;
        self.asked(progress, |index, refreshed| index.search(refreshed, query, options))
    }

    /// Brings the index up to date and asks it something.
    fn asked<T>(
        &mut self,
        progress: &(dyn Fn(Progress) + Sync),
        ask: impl Fn(&Index, &Refreshed) -> Result<T, search::Error>,
    ) -> Result<T, search::Error> {
        let mut index = match self.open.take() {
            Some((index, ..)) => index,
            None => match &self.sources.cache {
                Some(folder) => Index::open(folder)?,
                None => Index::temporary()?,
            },
        };
        let told = Mutex::new(Instant::now());
        let seldom = |now: Progress| {
            if let Ok(mut told) = told.try_lock()
                && told.elapsed() > TELL
            {
                *told = Instant::now();
                progress(now);
            }
        };
        let (answer, refreshed) = index.ask(&self.stores.stores, &seldom, ask)?;
        self.open = Some((index, refreshed, Instant::now()));
        Ok(answer)
    }
}

/// What is typed, as a query: the last word may go on.
fn as_query(typed: &str) -> String {
    let words = typed.trim_start();
    let last = words.rsplit(char::is_whitespace).next().unwrap_or_default();
    let plain = !last.is_empty() && last.chars().all(|c| c.is_alphanumeric() || c == '_');
    let quoted = words.matches('"').count() % 2 == 1;
    if plain && !quoted && last != "OR" { format!("{words}*") } else { words.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::as_query;

    #[test]
    fn the_last_word_may_go_on() {
        assert_eq!(as_query(" cart tot"), "cart tot*");
        assert_eq!(as_query("cart "), "cart ");
        assert_eq!(as_query("\"cart tot"), "\"cart tot");
        assert_eq!(as_query("\"cart\" tot"), "\"cart\" tot*");
        assert_eq!(as_query("harness:pi"), "harness:pi");
        assert_eq!(as_query("a OR"), "a OR");
        assert_eq!(as_query("a.b"), "a.b");
    }
}
