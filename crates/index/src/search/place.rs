//! The text around a hit, read from its transcript.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memchr;
use recount_formats::{Harness, jsonl};
use recount_store::container::file;
use recount_store::discover;

use super::build::{Place, Session, heads};
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
        for at in &place.lines {
            if let Ok(line) = self.line(*at) {
                let line = strings::lossy(&line);
                strings::each(&line, &mut |text| texts.push(text.into_owned()));
            }
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

    /// The strings in the records of the session that have a mark in them, for words outside of items. Unless `all` are wanted,
    /// it is read no further than to one that has all marks.
    pub(crate) fn records(&self, marker: &Marker, all: bool) -> Vec<String> {
        let about = [&self.session.title, &self.session.cwd, &self.session.git_branch];
        let about = about.into_iter().flatten().filter(|text| marker.fits(text));
        let mut texts: Vec<String> = about.cloned().collect();
        let mut enough = !all && texts.iter().any(|text| marker.fits_whole(text));
        // What cannot be read any more has no texts.
        let reader: Box<dyn Read> = match Harness::from_id(&self.session.harness)
            .and_then(discover::of)
        {
            Some(discover) if discover.keeps_files() => {
                match file::open(Path::new(&self.session.path)) {
                    Ok(reader) => reader,
                    Err(_) => return texts,
                }
            }
            _ => Box::new(Cursor::new(opened(self.session).map(|o| o.bytes).unwrap_or_default())),
        };
        let mut lines = jsonl::Reader::with_limit(reader, usize::MAX);
        while !enough && let Ok(Some(line)) = lines.next_line() {
            let line = strings::lossy(line.body());
            if !marker.may_fit(&line) {
                continue;
            }
            strings::each(&line, &mut |text| {
                if !enough && marker.fits(&text) {
                    enough = !all && marker.fits_whole(&text);
                    texts.push(text.into_owned());
                }
            });
            enough |= texts.len() > MOST_RECORDS;
        }
        texts
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
