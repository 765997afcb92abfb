//! From what a person typed to what the text index understands.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use regex::Regex;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, FuzzyTermQuery, Occur,
    PhrasePrefixQuery, PhraseQuery, Query as TextQuery, RangeQuery, RegexPhraseQuery, RegexQuery,
    TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, SegmentReader, Term as Word};

use super::build::Session;
use super::listing::parallel;
use super::pattern::{Certain, WordPattern};
use super::query::{Atom, Query, Term};
use super::ranges::Ranges;
use super::refresh::those;
use super::schema::Fields;
use super::snippet::Mark;
use super::tokenize;

/// So many similar words are tried when nothing is found.
const SIMILAR: usize = 64;
/// Identifiers of at most so many parts more than one stand between the words of a pattern.
const PARTS: u32 = 12;
/// So many words may fit a part of a pattern.
const EXPANSIONS: u32 = 1 << 20;
/// Shorter words have too many similar ones.
const FUZZY: usize = 4;

/// How words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As they are.
    Exact,
    /// In any order and place, or as parts of words.
    Parts,
    /// Similar ones too.
    Similar,
}

type Boxed = Box<dyn TextQuery>;

/// What the words in the index do not tell.
pub(crate) struct Check {
    /// One of them has to fit.
    pub(crate) any: Vec<Regex>,
    /// The documents that need no look, where one of several alternatives needs none.
    pub(crate) also: Option<Boxed>,
}

impl Check {
    /// Whether a text fits.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.any.iter().any(|regex| regex.is_match(text))
    }
}

/// A term.
pub(crate) struct Wanted {
    /// The documents that may fit.
    pub(crate) query: Boxed,
    /// What is looked at in their text; nothing when all of them fit.
    pub(crate) check: Option<Check>,
}

/// A query for the text index.
pub(crate) struct Compiled {
    /// What restricts the hits: fields and times.
    pub(crate) filters: Vec<(Occur, Boxed)>,
    /// What is looked for.
    pub(crate) wanted: Vec<Wanted>,
    /// What may not be there: in a hit, and in a session when nothing is looked for.
    pub(crate) not: Vec<Wanted>,
    /// What to mark in snippets.
    pub(crate) marks: Vec<Mark>,
}

impl Compiled {
    /// All of it has to fit one document.
    pub(crate) fn all(&self) -> Boxed {
        let mut clauses = self.filters();
        clauses.extend(self.wanted.iter().map(|one| (Occur::Must, one.query.box_clone())));
        boolean(clauses)
    }

    /// Any of what is looked for.
    pub(crate) fn any(&self) -> Boxed {
        let mut clauses = self.filters();
        let any = self.wanted.iter().map(|one| (Occur::Should, one.query.box_clone())).collect();
        clauses.push((Occur::Must, boolean(any)));
        boolean(clauses)
    }

    /// One term, within what restricts the hits.
    pub(crate) fn one(&self, one: &Wanted) -> Boxed {
        let mut clauses = self.filters();
        clauses.push((Occur::Must, one.query.box_clone()));
        boolean(clauses)
    }

    /// Whether texts have to be read to know what fits.
    pub(crate) fn has_checks(&self) -> bool {
        self.wanted.iter().chain(&self.not).any(|one| one.check.is_some())
    }

    fn filters(&self) -> Vec<(Occur, Boxed)> {
        let filters = self.filters.iter().map(|(occur, q)| (*occur, q.box_clone()));
        // What is seen without a look at the text. Where nothing is looked for, sessions are left out and not hits.
        let not = self.not.iter().filter(|one| one.check.is_none() && !self.wanted.is_empty());
        filters.chain(not.map(|one| (Occur::MustNot, one.query.box_clone()))).collect()
    }
}

fn boolean(mut clauses: Vec<(Occur, Boxed)>) -> Boxed {
    if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
        clauses.push((Occur::Must, Box::new(AllQuery)));
    }
    Box::new(BooleanQuery::new(clauses))
}

/// All sessions, each with its documents.
pub(crate) type Known = Vec<(Ranges, Session)>;

/// Makes queries of terms.
pub(crate) struct Compiler<'a> {
    pub(crate) fields: &'a Fields,
    pub(crate) searcher: &'a Searcher,
    pub(crate) mode: Mode,
    /// The sessions that count.
    pub(crate) sessions: &'a dyn Fn() -> Result<Arc<Known>, super::Error>,
}

impl Compiler<'_> {
    pub(crate) fn compile(&self, query: &Query) -> Result<Compiled, super::Error> {
        let mut compiled = Compiled {
            filters: Vec::new(),
            wanted: Vec::new(),
            not: Vec::new(),
            marks: Vec::new(),
        };
        for term in &query.terms {
            self.term(term, &mut compiled)?;
        }
        Ok(compiled)
    }

    fn term(&self, term: &Term, into: &mut Compiled) -> Result<(), super::Error> {
        let mut any: Vec<(Occur, Boxed)> = Vec::new();
        let mut verify = Vec::new();
        let mut also: Vec<(Occur, Boxed)> = Vec::new();
        for atom in &term.any {
            let mut look = None;
            let query = match atom {
                Atom::Text { text, quoted, prefix } => {
                    let (query, marks) = self.text(text, *prefix, term.not)?;
                    if !term.not {
                        into.marks.extend(marks);
                    }
                    if *quoted && (term.not || self.mode == Mode::Exact) {
                        look = exactly(text);
                    }
                    query
                }
                Atom::Regex(regex) => {
                    if !term.not {
                        into.marks.push(Mark::Pattern(regex.clone()));
                    }
                    look = Some(regex.clone());
                    self.pattern(regex)?
                }
                other => self.field(other)?,
            };
            if look.is_none() {
                also.push((Occur::Should, query.box_clone()));
            }
            verify.extend(look);
            any.push((Occur::Should, query));
        }
        let is_text =
            term.any.iter().all(|atom| matches!(atom, Atom::Text { .. } | Atom::Regex(_)));
        let query = if any.len() == 1 { any.swap_remove(0).1 } else { boolean(any) };
        let check = (!verify.is_empty())
            .then(|| Check { any: verify, also: (!also.is_empty()).then(|| boolean(also)) });
        match (term.not, is_text || check.is_some()) {
            (true, true) => into.not.push(Wanted { query, check }),
            (true, false) => into.filters.push((Occur::MustNot, query)),
            (false, true) => into.wanted.push(Wanted { query, check }),
            // A field restricts and does not rank.
            (false, false) => {
                into.filters.push((Occur::Must, Box::new(ConstScoreQuery::new(query, 0.0))));
            }
        }
        Ok(())
    }

    fn term_query(&self, field: Field, text: &str) -> Boxed {
        let record = if field == self.fields.text {
            IndexRecordOption::WithFreqs
        } else {
            IndexRecordOption::Basic
        };
        Box::new(TermQuery::new(Word::from_field_text(field, text), record))
    }

    /// Words side by side, in items or in the rest of a session's records.
    fn text(
        &self,
        text: &str,
        prefix: bool,
        not: bool,
    ) -> Result<(Boxed, Vec<Mark>), super::Error> {
        let words = tokenize::words(text);
        let parts: Vec<&str> =
            words.iter().filter(|w| w.places == 1).map(|w| w.text.as_str()).collect();
        let Some(first) = words.first() else { return Ok((Box::new(EmptyQuery), Vec::new())) };
        // One identifier, and not several words.
        let single = words.iter().all(|w| w.end <= first.end);
        let fields = self.fields;
        if !not && self.mode != Mode::Exact {
            return self.loosely(&parts);
        }
        let mark = Mark::Words {
            parts: parts.iter().map(|p| (*p).to_owned()).collect(),
            prefix,
            inside: false,
        };
        let of = |field| -> Result<Boxed, super::Error> {
            let terms = || parts.iter().map(|p| Word::from_field_text(field, p)).collect();
            let mut any: Vec<(Occur, Boxed)> = Vec::new();
            if prefix {
                // One identifier stands whole in the index too.
                if parts.len() == 1 || single {
                    let pattern = format!("{}.*", first.text);
                    any.push((Occur::Should, Box::new(RegexQuery::from_pattern(&pattern, field)?)));
                }
                if parts.len() > 1 {
                    let mut query = PhrasePrefixQuery::new(terms());
                    query.set_max_expansions(10_000);
                    any.push((Occur::Should, Box::new(query)));
                }
            } else {
                if single {
                    let whole = self.term_query(field, &first.text);
                    any.push((Occur::Should, Box::new(BoostQuery::new(whole, 1.2))));
                }
                if parts.len() > 1 {
                    any.push((Occur::Should, Box::new(PhraseQuery::new(terms()))));
                }
            }
            Ok(boolean(any))
        };
        Ok((either(of(fields.text)?, of(fields.rest)?), vec![mark]))
    }

    /// The words as parts of others, or words like them.
    fn loosely(&self, parts: &[&str]) -> Result<(Boxed, Vec<Mark>), super::Error> {
        let mut all: Vec<(Occur, Boxed)> = Vec::new();
        let mut marks = Vec::new();
        for part in parts {
            let similar = self.similar(part)?;
            let mut any: Vec<(Occur, Boxed)> = Vec::new();
            for word in &similar {
                any.push((Occur::Should, self.term_query(self.fields.text, word)));
                // Outside of items stand so many words that several of them say nothing together.
                if parts.len() == 1 {
                    any.push((Occur::Should, self.term_query(self.fields.rest, word)));
                }
            }
            marks.push(match self.mode {
                Mode::Parts => {
                    let parts = vec![(*part).to_owned()];
                    Mark::Words { parts, prefix: false, inside: true }
                }
                _ => Mark::AnyOf(similar),
            });
            let any: Boxed = if any.is_empty() { Box::new(EmptyQuery) } else { boolean(any) };
            all.push((Occur::Must, any));
        }
        Ok((boolean(all), marks))
    }

    fn is_known(&self, word: &str) -> Result<bool, super::Error> {
        for field in [self.fields.text, self.fields.rest] {
            if self.searcher.doc_freq(&Word::from_field_text(field, word))? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Words that have one in them, or are written nearly so; the most frequent ones.
    fn similar(&self, word: &str) -> Result<Vec<String>, super::Error> {
        let length = word.chars().count();
        if self.mode == Mode::Parts && self.is_known(word)? {
            return Ok(vec![word.to_owned()]);
        }
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for field in [self.fields.text, self.fields.rest] {
            let automaton = match (self.mode, length) {
                (Mode::Similar, FUZZY..) => {
                    let distance = if length < 8 { 1 } else { 2 };
                    let word = Word::from_field_text(field, word);
                    Some(FuzzyTermQuery::new(word, distance, true).automaton()?)
                }
                _ => None,
            };
            let parts = self.mode == Mode::Parts && length > 2;
            let in_segment = |segment: &SegmentReader| -> Result<Vec<(String, u64)>, super::Error> {
                let inverted = segment.inverted_index(field)?;
                let mut found = Vec::new();
                let mut add = |bytes: &[u8], frequency: u32| {
                    if let Ok(text) = std::str::from_utf8(bytes) {
                        found.push((text.to_owned(), u64::from(frequency)));
                    }
                };
                if let Some(automaton) = &automaton {
                    let mut stream = inverted.terms().search(automaton).into_stream()?;
                    while let Some((bytes, info)) = stream.next() {
                        add(bytes, info.doc_freq);
                    }
                } else if parts {
                    let finder = memchr::memmem::Finder::new(word.as_bytes());
                    let mut stream = inverted.terms().stream()?;
                    while let Some((bytes, info)) = stream.next() {
                        if finder.find(bytes).is_some() {
                            add(bytes, info.doc_freq);
                        }
                    }
                } else if inverted.doc_freq(&Word::from_field_text(field, word))? > 0 {
                    add(word.as_bytes(), 1);
                }
                Ok(found)
            };
            for words in parallel(self.searcher.segment_readers(), 1, in_segment) {
                for (word, frequency) in words? {
                    *found.entry(word).or_default() += frequency;
                }
            }
        }
        let mut found: Vec<(String, u64)> = found.into_iter().collect();
        found.sort_by_key(|(_, frequency)| std::cmp::Reverse(*frequency));
        found.truncate(SIMILAR);
        Ok(found.into_iter().map(|(word, _)| word).collect())
    }

    /// The documents that may fit a pattern: those with the words that it cannot do without.
    fn pattern(&self, regex: &Regex) -> Result<Boxed, super::Error> {
        let mut all: Vec<(Occur, Boxed)> = Vec::new();
        let Ok(hir) = regex_syntax::parse(regex.as_str()) else { return Ok(Box::new(AllQuery)) };
        let certain = Certain::of(&hir);
        for run in &certain.runs {
            // Of short parts there are too many words.
            let known: Vec<(usize, &WordPattern)> =
                run.iter().enumerate().filter(|(_, w)| w.is_whole() || w.certain > 2).collect();
            match known[..] {
                [] => {}
                [(_, word)] if word.is_whole() => {
                    all.push((Occur::Must, self.either_field(&word.pattern)));
                }
                [(_, word)] => {
                    let of = |field| RegexQuery::from_pattern(&word.pattern, field);
                    let query =
                        either(Box::new(of(self.fields.text)?), Box::new(of(self.fields.rest)?));
                    all.push((Occur::Must, query));
                }
                _ => {
                    // Identifiers take a place for each of their parts.
                    let of = |field| {
                        let words = known.iter().map(|(at, word)| (*at, word.pattern.clone()));
                        let slop = PARTS * (run.len() as u32 - 1);
                        let mut query = RegexPhraseQuery::new_with_offset_and_slop(
                            field,
                            words.collect(),
                            slop,
                        );
                        query.set_max_expansions(EXPANSIONS);
                        Box::new(query)
                    };
                    all.push((Occur::Must, either(of(self.fields.text), of(self.fields.rest))));
                }
            }
        }
        for text in &certain.texts {
            for word in tokenize::words(text).iter().filter(|w| w.places == 1) {
                // At the edges there may be more of the word.
                if word.start > 0 && word.end < text.len() {
                    all.push((Occur::Must, self.either_field(&word.text)));
                }
            }
        }
        Ok(if all.is_empty() { Box::new(AllQuery) } else { boolean(all) })
    }

    fn either_field(&self, word: &str) -> Boxed {
        either(self.term_query(self.fields.text, word), self.term_query(self.fields.rest, word))
    }

    fn field(&self, atom: &Atom) -> Result<Boxed, super::Error> {
        let fields = self.fields;
        let tag = |name: &str, value: &str| self.term_query(fields.tag, &format!("{name}:{value}"));
        Ok(match atom {
            Atom::Role(role) => tag("role", role.name()),
            Atom::Tool(tool) => {
                let mut any: Vec<(Occur, Boxed)> = Vec::new();
                for name in tool_names(tool) {
                    any.push((Occur::Should, tag("tool", name)));
                }
                if let Some(prefix) = tool.strip_suffix('*') {
                    for kind in tool_kinds(prefix) {
                        any.push((Occur::Should, tag("tool", kind)));
                    }
                    let pattern = format!("tool:{}.*", regex_syntax::escape(prefix));
                    any.push((
                        Occur::Should,
                        Box::new(RegexQuery::from_pattern(&pattern, fields.tag)?),
                    ));
                }
                boolean(any)
            }
            Atom::File(path) => {
                let prefix = path.strip_suffix('*');
                let words = tokenize::words(prefix.unwrap_or(path));
                let terms: Vec<Word> = words
                    .iter()
                    .filter(|w| w.places == 1)
                    .map(|w| Word::from_field_text(fields.file, &w.text))
                    .collect();
                match terms.len() {
                    0 => Box::new(EmptyQuery),
                    1 if prefix.is_some() => {
                        let pattern = format!("{}.*", words[0].text);
                        Box::new(RegexQuery::from_pattern(&pattern, fields.file)?)
                    }
                    _ if prefix.is_some() => {
                        let mut query = PhrasePrefixQuery::new(terms);
                        query.set_max_expansions(10_000);
                        Box::new(query)
                    }
                    1 => {
                        // A whole identifier stands for itself and for a part.
                        self.term_query(fields.file, &words[0].text)
                    }
                    _ => Box::new(PhraseQuery::new(terms)),
                }
            }
            Atom::Since(at) => self.time(Bound::Included(*at), Bound::Unbounded),
            Atom::Until(at) => self.time(Bound::Unbounded, Bound::Included(*at)),
            Atom::Branch(name) if name == "abandoned" => tag("branch", "abandoned"),
            Atom::Branch(name) if name == "active" => {
                boolean(vec![(Occur::MustNot, tag("branch", "abandoned"))])
            }
            Atom::Branch(name) => self.of_sessions(|s| s.git_branch.as_deref() == Some(name))?,
            Atom::Harness(name) => {
                self.of_sessions(|s| s.harness == *name || s.harness.starts_with(name.as_str()))?
            }
            Atom::Project(text) => {
                let folded = text.to_lowercase();
                self.of_sessions(|s| {
                    s.cwd.as_deref().is_some_and(|cwd| {
                        if text.starts_with('/') {
                            std::path::Path::new(cwd).starts_with(text)
                        } else {
                            cwd.to_lowercase().contains(&folded)
                        }
                    })
                })?
            }
            Atom::Text { .. } | Atom::Regex(_) => Box::new(EmptyQuery),
        })
    }

    fn of_sessions(&self, fits: impl Fn(&Session) -> bool) -> Result<Boxed, super::Error> {
        let mut fitting = Ranges::default();
        for (documents, session) in &*(self.sessions)()? {
            if fits(session) {
                fitting.0.extend_from_slice(&documents.0);
            }
        }
        fitting.0.sort_unstable();
        Ok(those(fitting))
    }

    fn time(&self, from: Bound<i64>, to: Bound<i64>) -> Boxed {
        let word = |n| Word::from_field_i64(self.fields.time, n);
        Box::new(RangeQuery::new(from.map(word), to.map(word)))
    }
}

/// In an item's text, or in the rest of a session.
fn either(text: Boxed, rest: Boxed) -> Boxed {
    boolean(vec![(Occur::Should, text), (Occur::Should, rest)])
}

/// Names by which people call tools that have a kind of their own.
const KINDS: [(&str, &[&str]); 4] = [
    ("shell", &["bash", "sh", "exec", "exec_command", "command", "terminal", "local_shell"]),
    ("edit", &["write", "patch", "apply_patch", "multiedit", "multi_edit"]),
    ("agent", &["task", "subagent"]),
    ("web", &["websearch", "webfetch", "web_search", "web_fetch", "fetch"]),
];

fn tool_names(name: &str) -> Vec<&str> {
    let kind = KINDS.iter().find(|(_, names)| names.contains(&name)).map(|(kind, _)| *kind);
    std::iter::once(name).chain(kind).collect()
}

/// The kinds of which a name begins so.
fn tool_kinds(prefix: &str) -> impl Iterator<Item = &'static str> + '_ {
    let begins = move |names: &[&str]| names.iter().any(|name| name.starts_with(prefix));
    KINDS.iter().filter(move |(_, names)| begins(names)).map(|(kind, _)| *kind)
}

/// A quoted phrase with punctuation in it: the words are in the index, the punctuation is looked at in the text.
fn exactly(text: &str) -> Option<Regex> {
    if text.chars().all(|c| c.is_alphanumeric() || c == ' ') {
        return None;
    }
    let pieces: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    regex::RegexBuilder::new(&pieces.join(r"\s+")).case_insensitive(true).build().ok()
}
