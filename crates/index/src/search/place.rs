//! The text around a hit, read from its transcript.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memchr;
use recount_formats::{Harness, jsonl};
use recount_store::container::file;
use recount_store::discover::{self, Discover};

use super::build::{Place, Session, heads};
use super::compile::Check;
use super::item::indexed;
use super::snippet::Marker;
use super::strings;

/// A record is read in pieces until its end, the first of this size, each larger than the one before.
const PIECE: u64 = 8 << 10;
/// More texts outside of items than this are not looked at.
const MOST_RECORDS: usize = 20;

/// Reads the texts of one session's hits.
pub(crate) struct Reader<'a> {
    session: &'a Session,
    file: Option<File>,
    /// The texts of all items, by branch and id, once the session had to be rebuilt.
    rebuilt: HashMap<Option<String>, HashMap<String, Vec<String>>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        Self { session, file: None, rebuilt: HashMap::new() }
    }

    /// The texts of an item. What cannot be read any more has none.
    pub(crate) fn item(&mut self, place: &Place) -> Vec<String> {
        if place.lines.is_empty() {
            return self.rebuild(place);
        }
        let mut texts = Vec::new();
        for own in &place.lines {
            let Ok(line) = self.line(own.at) else { continue };
            let line = strings::lossy(&line);
            let mut n = 0;
            strings::each(&line, &mut |text| {
                if own.strings.as_ref().is_none_or(|strings| strings.has(n)) {
                    texts.push(text.into_owned());
                }
                n += 1;
            });
        }
        texts
    }

    fn line(&mut self, at: u64) -> io::Result<Vec<u8>> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::open(&self.session.path)?),
        };
        file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        let mut piece = PIECE;
        loop {
            let from = line.len();
            let read = file.by_ref().take(piece).read_to_end(&mut line)?;
            piece *= 2;
            if let Some(end) = memchr(b'\n', &line[from..]) {
                line.truncate(from + end);
                return Ok(line);
            }
            if read == 0 {
                return Ok(line);
            }
        }
    }

    fn rebuild(&mut self, place: &Place) -> Vec<String> {
        let texts = self
            .rebuilt
            .entry(place.leaf.clone())
            .or_insert_with(|| all_texts(self.session, place.leaf.as_deref()).unwrap_or_default());
        texts.get(&place.item).cloned().unwrap_or_default()
    }

    /// The strings in the records of the session that have a mark in them or fit one of `terms`, for words outside of items. It is
    /// read no further than to where all of it is shown. Those that may not be there are given too.
    pub(crate) fn records(&self, marker: &Marker, terms: &[&Check], not: &[&Check]) -> Vec<String> {
        let mut taking =
            Taking { marker, terms: terms.to_vec(), not, texts: Vec::new(), whole: false };
        let about = [&self.session.title, &self.session.cwd, &self.session.git_branch];
        for text in about.into_iter().flatten() {
            taking.text(text);
        }
        let has_checks = !terms.is_empty() || !not.is_empty();
        let mut read = |reader: Box<dyn Read + '_>| {
            let mut lines = jsonl::Reader::with_limit(reader, usize::MAX);
            while !taking.has_enough(terms)
                && let Ok(Some(line)) = lines.next_line()
            {
                let line = strings::lossy(line.body());
                if has_checks || marker.may_fit(&line) {
                    strings::each(&line, &mut |text| taking.text(&text));
                }
            }
        };
        let discover = Harness::from_id(&self.session.harness).and_then(discover::of);
        // What cannot be read any more has no texts.
        if discover.is_some_and(Discover::keeps_files) {
            if let Ok(reader) = file::open(Path::new(&self.session.path)) {
                read(reader);
            }
        } else if let Some(opened) = opened(self.session) {
            read(Box::new(Cursor::new(&opened.bytes)));
            for part in opened.companions.parts() {
                if let Some(bytes) = opened.companions.read(&part) {
                    read(Box::new(Cursor::new(&*bytes)));
                }
            }
        }
        taking.texts
    }
}

/// Takes the strings that tell of a hit.
struct Taking<'a> {
    marker: &'a Marker,
    /// What no string fits so far.
    terms: Vec<&'a Check>,
    not: &'a [&'a Check],
    texts: Vec<String>,
    /// Whether a text has all marks.
    whole: bool,
}

impl Taking<'_> {
    fn text(&mut self, text: &str) {
        let before = self.terms.len();
        self.terms.retain(|check| !check.fits(text));
        let tells = before > self.terms.len() || self.not.iter().any(|check| check.fits(text));
        if tells || (self.texts.len() < MOST_RECORDS && self.marker.fits(text)) {
            self.whole |= self.marker.fits_whole(text);
            self.texts.push(text.to_owned());
        }
    }

    fn has_enough(&self, terms: &[&Check]) -> bool {
        if !self.not.is_empty() {
            // Once one fits, the others tell nothing more.
            return self.texts.iter().any(|text| self.not.iter().any(|check| check.fits(text)));
        }
        if !terms.is_empty() {
            return self.terms.is_empty();
        }
        self.whole || self.texts.len() >= MOST_RECORDS
    }
}

fn opened(session: &Session) -> Option<discover::Opened> {
    let harness = Harness::from_id(&session.harness)?;
    let heads = heads(harness, Path::new(&session.path));
    let head = heads.into_iter().find(|head| head.id == session.id)?;
    discover::of(harness)?.open_alone(&head).ok()
}

fn all_texts(session: &Session, leaf: Option<&str>) -> Option<HashMap<String, Vec<String>>> {
    let thread = opened(session)?.thread(leaf);
    let items = thread.turns.into_iter().flat_map(|turn| turn.items);
    Some(items.map(|item| (item.id.clone(), indexed(item).1.texts)).collect())
}
