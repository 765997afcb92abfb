//! JSON Lines: bytes to lines to values, with absolute positions and without losing a byte.
//!
//! Three layers, each usable alone:
//!
//! - [`Reader`] streams lines from any [`Read`] through one reused buffer (the caller fixes the end offset
//!   with [`Read::take`], so that a file that grows is read consistently); [`Reader::into_lines`] is the
//!   iterator form that gives owned lines.
//! - [`lines`] walks a byte slice without copying.
//! - [`Line::parse`] decides what a line is: a value, blank, or junk with the reason.
//!
//! The law that tests hold: the `raw` bytes of all lines, one behind the other, are the input.

use std::collections::BTreeMap;
use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memmem};
use rayon::prelude::*;

use crate::finding::Code;
pub use crate::format::BadUtf8;
use crate::json::{self, Json, SyntaxError};
use crate::position::Position;
use crate::tags::{self, Paths, Tagged, Tags};

/// The UTF-8 byte order mark.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The longest line that a reader keeps in memory unless told otherwise: 256 MiB.
///
/// Lines of tens of MB are normal (inline images in base64); a line beyond this is handed out in fragments.
pub const DEFAULT_LIMIT: usize = 256 << 20;

const BLOCK: usize = 256 << 10;

/// Which part of a line a [`Line`] holds. Only a line beyond the limit comes in more than one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The beginning of a line that is longer than the limit.
    First,
    /// A further fragment of such a line.
    Middle,
    /// The last fragment of such a line.
    Last,
}

/// A line as it stands in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Where it stands. Fragments have the line's number and their own offset and length.
    pub at: Position,
    /// All bytes, the line ending included.
    pub raw: &'a [u8],
    /// Whether this is the whole line.
    pub part: Part,
}

/// What a line turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// White space only.
    Blank,
    /// One JSON value.
    Value(Json<'a>),
    /// Anything else: the reason and a message for a person.
    Junk(Code, String),
}

impl<'a> Line<'a> {
    /// The bytes without line ending, and without byte order mark on the first line.
    pub fn body(&self) -> &'a [u8] {
        let mut body = self.raw;
        if let Some(rest) = body.strip_suffix(b"\n") {
            body = rest.strip_suffix(b"\r").unwrap_or(rest);
        }
        if self.at.byte == 0 { body.strip_prefix(BOM).unwrap_or(body) } else { body }
    }

    /// Whether the line ends with a line feed. The last line of a file that was cut off does not.
    pub fn is_terminated(&self) -> bool {
        self.raw.ends_with(b"\n")
    }

    /// Decides what the line is. Never fails: what is no value is junk with a reason.
    pub fn parse(&self) -> Body<'a> {
        self.parse_with(json::parse).map_or_else(|junk| junk, Body::Value)
    }

    /// Decides what the line is and, when it is a value, what kind of record, in one go.
    pub fn parse_as<K: Tagged>(&self) -> (Body<'a>, Option<K>) {
        let (body, tags) = self.parse_tagged(K::PATHS);
        (body, tags.map(|tags| K::of_tags(&tags)))
    }

    /// Decides what the line is and, when it is a value, collects its tags on the way.
    pub fn parse_tagged(&self, paths: Paths) -> (Body<'a>, Option<Tags<'a>>) {
        match self.parse_with(|text| tags::parse(text, paths)) {
            Ok((value, tags)) => (Body::Value(value), Some(tags)),
            Err(junk) => (junk, None),
        }
    }

    fn text(&self) -> Result<&'a str, Body<'a>> {
        if self.part != Part::Whole {
            return Err(Body::Junk(
                Code::OversizedRecord,
                "the line is longer than the limit and was skipped".into(),
            ));
        }
        let body = self.body();
        std::str::from_utf8(body).map_err(|e| {
            Body::Junk(
                Code::InvalidUtf8,
                format!("the line is not UTF-8 from its byte {} on", e.valid_up_to()),
            )
        })
    }

    fn parse_with<T>(
        &self,
        parse: impl FnOnce(&'a str) -> Result<T, SyntaxError>,
    ) -> Result<T, Body<'a>> {
        let text = self.text()?;
        parse(text).map_err(|e| self.not_json(text, e))
    }

    /// Says why `text`, this line's body or a mended form of it, is no value.
    fn not_json<'t>(&self, text: &str, e: SyntaxError) -> Body<'t> {
        if text.bytes().all(|b| b.is_ascii_whitespace()) {
            return Body::Blank;
        }
        if memchr(0, text.as_bytes()).is_some() {
            let zeros = text.bytes().filter(|&b| b == 0).count();
            return Body::Junk(Code::NulBytes, {
                let bytes = if zeros == 1 { "byte" } else { "bytes" };
                format!("the line holds {zeros} NUL {bytes}")
            });
        }
        if json::parse_first(text).is_ok_and(|(v, _)| v.is_object()) {
            return Body::Junk(Code::GluedLine, format!("{e}: several records stand on one line"));
        }
        if e.truncated && !self.is_terminated() {
            return Body::Junk(
                Code::TornLine,
                "the last line was cut off while it was written".into(),
            );
        }
        Body::Junk(Code::InvalidJson, format!("not JSON: {e}"))
    }
}

/// Finds whole records on a line that is no JSON value: records that were glued together, or one that was cut off
/// and has the next one behind it. Unsynchronised writers and crashes leave such lines.
///
/// A record is an object with a string `type` that stands whole on the line and reaches its end or the beginning of the
/// next object. Where the line's own first value lacks its end, what stands behind its beginning may be a part of it as
/// well: there a record must also say its session or its time. Each comes with its byte offset in `text`.
pub fn recover(text: &str) -> Vec<(usize, Json<'_>)> {
    // Each value that lacks its end costs a scan of all that follows; no torn record is open deeper than this.
    const OPEN_VALUES: usize = 16;
    let mut found = Vec::new();
    let mut at = 0;
    let mut open = 0;
    while let Some(start) = text.get(at..).and_then(|rest| memmem::find(rest.as_bytes(), b"{\"")) {
        at += start;
        let rest = &text[at..];
        match json::parse_first(rest) {
            Ok((value, behind)) => {
                if is_record(value, open > 0) && starts_record_or_ends(behind) {
                    found.push((at, value));
                }
                at += rest.len() - behind.len();
            }
            Err(e) if e.truncated => {
                open += 1;
                if open > OPEN_VALUES {
                    break;
                }
                at += 2;
            }
            // The first two characters of the next record are read as the end of a string in the torn one, or as
            // a value or key in the wrong place: it begins right before what is wrong.
            Err(e) => at = (at + 2).max(floor_char_boundary(text, at + e.at.saturating_sub(2))),
        }
    }
    found
}

/// The last character boundary at or before `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn is_record(value: Json<'_>, strict: bool) -> bool {
    let has_text = |key| value.get(key).is_some_and(|v| v.text().is_some());
    has_text("type") && (!strict || has_text("sessionId") || has_text("timestamp"))
}

fn starts_record_or_ends(behind: &str) -> bool {
    let behind = behind.trim_start();
    behind.is_empty() || behind.starts_with('{')
}

/// Walks the lines of a byte slice. The last one may lack a line ending; there is no empty line behind a final one.
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    Lines { bytes, at: 0, line: 0 }
}

/// The lines of a byte slice. See [`lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let len = memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
        self.line += 1;
        let at = Position { line: self.line, byte: self.at as u64, len: len as u64 };
        self.at += len;
        Some(Line { at, raw: &rest[..len], part: Part::Whole })
    }
}

/// Does something with each line of a byte slice and gives the results in the order of the lines. Large slices are gone through
/// on several cores.
pub fn map<'a, R: Send>(bytes: &'a [u8], work: impl Fn(Line<'a>) -> R + Sync) -> Vec<R> {
    let most = bytes.len() / SPREAD;
    if most < 2 {
        return lines(bytes).map(work).collect();
    }
    // A core that is done early takes another part.
    let parts = parts(bytes, most.min(rayon::current_num_threads() * 4));
    let done: Vec<Vec<R>> = parts.into_par_iter().map(|part| part.map(&work).collect()).collect();
    done.into_iter().flatten().collect()
}

/// A core gets at least so many bytes: for less, going there is not worth it.
const SPREAD: usize = 1 << 20;

/// Cuts a slice between lines into so many parts of about the same size, each with its place.
fn parts(bytes: &[u8], count: usize) -> Vec<Lines<'_>> {
    let mut parts = Vec::with_capacity(count);
    let mut rest = lines(bytes);
    for n in 1..count {
        let near = (bytes.len() / count * n).max(rest.at);
        let Some(end) = memchr(b'\n', &bytes[near..]).map(|found| near + found + 1) else { break };
        let passed = memchr_iter(b'\n', &bytes[rest.at..end]).count() as u64;
        parts.push(Lines { bytes: &bytes[..end], ..rest });
        rest = Lines { bytes, at: end, line: rest.line + passed };
    }
    parts.push(rest);
    parts
}

/// Streams lines from a reader through one buffer that is reused and grows to the longest line, up to a limit.
#[derive(Debug)]
pub struct Reader<R> {
    inner: R,
    buf: Vec<u8>,
    /// The part of `buf` that was read and not yet handed out.
    start: usize,
    end: usize,
    /// Absolute offset of `buf[start]`.
    byte: u64,
    line: u64,
    limit: usize,
    in_fragment: bool,
    done: bool,
}

impl<R: Read> Reader<R> {
    /// A reader with the [`DEFAULT_LIMIT`].
    pub fn new(inner: R) -> Self {
        Self::with_limit(inner, DEFAULT_LIMIT)
    }

    /// A reader that hands out lines longer than `limit` bytes in fragments.
    pub fn with_limit(inner: R, limit: usize) -> Self {
        Self {
            inner,
            buf: Vec::new(),
            start: 0,
            end: 0,
            byte: 0,
            line: 0,
            limit: limit.max(1),
            in_fragment: false,
            done: false,
        }
    }

    /// Goes on where an earlier reader stopped: at `byte`, behind `line` lines. `inner` must stand there.
    #[must_use]
    pub fn starting_at(mut self, line: u64, byte: u64) -> Self {
        self.line = line;
        self.byte = byte;
        self
    }

    /// The next line, borrowed from the buffer; nothing at the end. Errors are those of the reader.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = 0;
        let len = loop {
            let window = &self.buf[self.start..self.end];
            if let Some(n) = memchr(b'\n', &window[searched..]) {
                break searched + n + 1;
            }
            searched = window.len();
            // One byte more than the limit, to know whether the line ends there.
            if searched > self.limit {
                break self.limit;
            }
            if self.done {
                break searched;
            }
            self.fill()?;
        };
        // A newline may lie beyond the limit in a window that was filled generously.
        let len = len.min(self.limit);
        if len == 0 {
            return Ok(None);
        }
        let raw = &self.buf[self.start..self.start + len];
        let ends = raw.ends_with(b"\n") || (self.done && self.start + len == self.end);
        let part = match (self.in_fragment, ends) {
            (false, true) => Part::Whole,
            (false, false) => Part::First,
            (true, false) => Part::Middle,
            (true, true) => Part::Last,
        };
        if !self.in_fragment {
            self.line += 1;
        }
        self.in_fragment = !ends;
        let at = Position { line: self.line, byte: self.byte, len: len as u64 };
        self.byte += len as u64;
        self.start += len;
        Ok(Some(Line { at, raw, part }))
    }

    /// Reads one more block behind what is there, moving or growing the buffer when it is full.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 && (self.start == self.end || self.buf.len() - self.end < BLOCK / 2) {
            self.buf.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buf.len() - self.end < BLOCK / 2 {
            let size = (self.buf.len() * 2).max(BLOCK);
            self.buf.resize(size, 0);
        }
        let n = loop {
            match self.inner.read(&mut self.buf[self.end..]) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.end += n;
        self.done = n == 0;
        Ok(())
    }

    /// The iterator form: owned lines.
    pub fn into_lines(self) -> IntoLines<R> {
        IntoLines { reader: self }
    }
}

/// A line that owns its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedLine {
    /// Where it stands.
    pub at: Position,
    /// All bytes, the line ending included.
    pub raw: Vec<u8>,
    /// Whether this is the whole line.
    pub part: Part,
}

impl OwnedLine {
    /// The borrowed form.
    pub fn as_line(&self) -> Line<'_> {
        Line { at: self.at, raw: &self.raw, part: self.part }
    }
}

/// The iterator form of [`Reader`].
#[derive(Debug)]
pub struct IntoLines<R> {
    reader: Reader<R>,
}

impl<R: Read> Iterator for IntoLines<R> {
    type Item = io::Result<OwnedLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.reader
            .next_line()
            .map(|line| line.map(|l| OwnedLine { at: l.at, raw: l.raw.to_vec(), part: l.part }))
            .transpose()
    }
}

/// The content of a whole transcript, ready to be walked any number of times with borrowed values.
#[derive(Debug)]
pub struct Content<'a> {
    bytes: &'a [u8],
    /// Lines that are not UTF-8, with replacement characters, by line number.
    mended: BTreeMap<u64, String>,
}

/// A line of [`Content`] and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// Where it stands.
    pub at: Position,
    /// What it is.
    pub body: Body<'a>,
    /// Whether bytes that are not UTF-8 were replaced before it was parsed.
    pub mended: bool,
}

impl<'a> Content<'a> {
    /// Takes the bytes of a whole transcript.
    pub fn new(bytes: &'a [u8], bad_utf8: BadUtf8) -> Self {
        let mut mended = BTreeMap::new();
        if bad_utf8 == BadUtf8::Replace {
            let mend = |line: Line<'_>| {
                let body = line.body();
                let bad = std::str::from_utf8(body).is_err();
                bad.then(|| (line.at.line, String::from_utf8_lossy(body).into_owned()))
            };
            mended.extend(map(bytes, mend).into_iter().flatten());
        }
        Self { bytes, mended }
    }

    /// The bytes.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The text of a line, mended where it is not UTF-8; nothing when it is not and lines are not mended.
    pub fn text(&self, at: Position) -> Option<&str> {
        if let Some(text) = self.mended.get(&at.line) {
            return Some(text);
        }
        let start = usize::try_from(at.byte).ok()?;
        let raw = self.bytes.get(start..start.checked_add(usize::try_from(at.len).ok()?)?)?;
        std::str::from_utf8(Line { at, raw, part: Part::Whole }.body()).ok()
    }

    /// What each line is, and what kind of record it holds, in one go.
    pub fn parsed_as<K: Tagged + Send>(&self) -> Vec<(Parsed<'_>, Option<K>)> {
        map(self.bytes, |line| {
            let at = line.at;
            let Some(text) = self.mended.get(&at.line) else {
                let (body, kind) = line.parse_as();
                return (Parsed { at, body, mended: false }, kind);
            };
            match tags::parse(text, K::PATHS) {
                Ok((value, tags)) => {
                    let body = Body::Value(value);
                    (Parsed { at, body, mended: true }, Some(K::of_tags(&tags)))
                }
                Err(e) => (Parsed { at, body: line.not_json(text, e), mended: true }, None),
            }
        })
    }

    /// Walks the lines and says what each one is.
    pub fn parsed(&self) -> impl Iterator<Item = Parsed<'_>> {
        lines(self.bytes).map(|line| self.parse(line))
    }

    /// Says what each line is, does something with that, and gives the results in the order of the lines; see [`map`].
    pub fn map<'s, R: Send>(&'s self, work: impl Fn(Parsed<'s>) -> R + Sync) -> Vec<R> {
        map(self.bytes, |line| work(self.parse(line)))
    }

    fn parse(&self, line: Line<'a>) -> Parsed<'_> {
        match self.mended.get(&line.at.line) {
            Some(text) => {
                let body = json::parse(text).map_or_else(|e| line.not_json(text, e), Body::Value);
                Parsed { at: line.at, body, mended: true }
            }
            None => Parsed { at: line.at, body: line.parse(), mended: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(line: &str) -> Vec<String> {
        recover(line)
            .iter()
            .filter_map(|(at, v)| Some(format!("{at}:{}", v.str("type")?)))
            .collect()
    }

    proptest::proptest! {
        #[test]
        fn parts_are_the_whole(text in "[a\n]{0,40}", count in 1_usize..6) {
            let bytes = text.as_bytes();
            let parts = parts(bytes, count);
            proptest::prop_assert!(parts.len() <= count);
            let all: Vec<Line<'_>> = parts.into_iter().flatten().collect();
            proptest::prop_assert_eq!(all, lines(bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn many_lines_are_gone_through_in_order() {
        let mut bytes = vec![b'x'; SPREAD / 2];
        while bytes.len() < SPREAD * 3 {
            bytes.extend_from_slice(b"\n{\"a\":1}\n\xff");
        }
        let at = |line: Line<'_>| line.at;
        assert_eq!(map(&bytes, at), lines(&bytes).map(at).collect::<Vec<_>>());
        let content = Content::new(&bytes, BadUtf8::Replace);
        let mended = content.map(|line| line.mended);
        assert_eq!(mended, content.parsed().map(|line| line.mended).collect::<Vec<_>>());
        assert!(mended.len() > 100_000 && mended[2..].iter().filter(|m| **m).count() > 50_000);
        assert!(map(b"", at).is_empty());
    }

    #[test]
    fn glued_records_are_found() {
        assert_eq!(types(r#"{"type":"a","n":1}{"type":"b"}"#), ["0:a", "18:b"]);
        assert_eq!(types(r#"{"type":"a","n":1} {"type":"b"#), ["0:a"]);
    }

    #[test]
    fn a_record_behind_a_torn_one_is_found_wherever_the_cut_is() {
        assert_eq!(types(r#"{"type":"torn","te{"type":"b","x":[1]}"#), ["18:b"]);
        assert_eq!(types(r#"{"type":"torn","text":"abc{"type":"b"}"#), ["26:b"]);
        assert_eq!(types(r#"{"type":"torn","m":{"type":"b","sessionId":"s"}"#), ["19:b"]);
        assert_eq!(types(r#"{"type":"torn","text":"ä\{"type":"b"}"#), ["26:b"]);
        assert_eq!(types(r#"{"type":"torn","n":12{"type":"b"}{"type":"c"}"#), ["21:b", "33:c"]);
        assert_eq!(types("\0\0\0{\"type\":\"b\"}"), ["3:b"]);
    }

    #[test]
    fn hostile_lines_cost_no_more_than_a_few_scans() {
        let glued = r#"{"type":"a"}"#.repeat(20_000);
        assert_eq!(recover(&glued).len(), 20_000);
        assert!(recover(&r#"{"a":[{"b":"#.repeat(20_000)).is_empty());
        assert!(recover(&r#"{"{""#.repeat(20_000)).is_empty());
    }

    #[test]
    fn parts_of_a_torn_record_are_no_records() {
        assert!(types(r#"{"type":"torn","content":[{"type":"text","text":"x"}"#).is_empty());
    }
}
