//! What the line layer promises, tried on arbitrary bytes, read in arbitrary pieces.

use std::io::Read;

use proptest::prelude::*;
use recount_formats::jsonl::{BadUtf8, Body, Content, Line, Part, Reader, lines};
use recount_formats::{Code, Position};

/// A reader that gives at most a few bytes at a time, as the sizes say, again and again.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
    next: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let size = self.sizes.get(self.next % self.sizes.len().max(1)).copied().unwrap_or(1).max(1);
        self.next += 1;
        if self.next % 7 == 3 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let n = size.min(buf.len()).min(self.bytes.len());
        buf[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

/// Bytes with many line feeds and some JSON.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..30),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"{\"type\":\"user\"}\n".to_vec()),
        Just(b"{\"a\":1}{\"b\":2}\n".to_vec()),
        Just(vec![0; 9]),
        (0_usize..400).prop_map(|n| vec![b'x'; n]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn lines_lose_nothing(bytes in bytes()) {
        let mut at = 0;
        let mut joined = Vec::new();
        for (n, line) in lines(&bytes).enumerate() {
            prop_assert_eq!(line.at, Position { line: n as u64 + 1, byte: at, len: line.raw.len() as u64 });
            prop_assert!(!line.raw.is_empty());
            prop_assert_eq!(memchr::memchr(b'\n', line.raw).is_none_or(|i| i + 1 == line.raw.len()), true);
            at += line.at.len;
            joined.extend_from_slice(line.raw);
            let _ = line.parse();
        }
        prop_assert_eq!(joined, bytes);
    }

    #[test]
    fn a_reader_gives_the_same_lines(bytes in bytes(), sizes in prop::collection::vec(1_usize..50, 1..6)) {
        let pieces = Pieces { bytes: &bytes, sizes, next: 0 };
        let streamed: Vec<_> = Reader::new(pieces).into_lines().map(Result::unwrap).collect();
        let whole: Vec<Line<'_>> = lines(&bytes).collect();
        let streamed: Vec<Line<'_>> = streamed.iter().map(|l| l.as_line()).collect();
        prop_assert_eq!(streamed, whole);
    }

    #[test]
    fn a_limit_loses_nothing(
        bytes in bytes(),
        limit in 1_usize..60,
        sizes in prop::collection::vec(1_usize..50, 1..6),
    ) {
        let mut reader = Reader::with_limit(Pieces { bytes: &bytes, sizes, next: 0 }, limit);
        let mut joined = Vec::new();
        let mut open = false;
        while let Some(line) = reader.next_line().unwrap() {
            prop_assert_eq!(line.at.byte, joined.len() as u64);
            prop_assert_eq!(line.at.len, line.raw.len() as u64);
            prop_assert!(line.raw.len() <= limit);
            prop_assert_eq!(open, matches!(line.part, Part::Middle | Part::Last));
            open = matches!(line.part, Part::First | Part::Middle);
            let before = memchr::memchr_iter(b'\n', &joined).count() as u64;
            prop_assert_eq!(line.at.line, before + 1);
            if line.part != Part::Whole {
                prop_assert!(matches!(line.parse(), Body::Junk(Code::OversizedRecord, _)));
            }
            joined.extend_from_slice(line.raw);
        }
        prop_assert!(!open, "a line was left open");
        prop_assert_eq!(joined, bytes);
    }

    #[test]
    fn content_parses_what_lines_hold(bytes in bytes()) {
        for mode in [BadUtf8::Junk, BadUtf8::Replace] {
            let content = Content::new(&bytes, mode);
            let parsed: Vec<_> = content.parsed().collect();
            prop_assert_eq!(parsed.len(), lines(&bytes).count());
            for (parsed, line) in parsed.iter().zip(lines(&bytes)) {
                prop_assert_eq!(parsed.at, line.at);
                if !parsed.mended {
                    prop_assert_eq!(&parsed.body, &line.parse());
                }
            }
        }
    }
}

fn kinds(bytes: &[u8]) -> Vec<Option<Code>> {
    lines(bytes)
        .map(|line| match line.parse() {
            Body::Value(_) => None,
            Body::Blank => Some(Code::EmptyFile),
            Body::Junk(code, _) => Some(code),
        })
        .collect()
}

#[test]
fn each_damage_has_its_code() {
    const BLANK: Option<Code> = Some(Code::EmptyFile);
    assert_eq!(kinds(b"{}\r\n\r\n \t\n{}"), [None, BLANK, BLANK, None]);
    assert_eq!(kinds(b"\xEF\xBB\xBF{}\n"), [None]);
    assert_eq!(kinds(b"{}\n\xEF\xBB\xBF{}\n"), [None, Some(Code::InvalidJson)]);
    assert_eq!(kinds(b"{\"a\":\"\xff\"}\n"), [Some(Code::InvalidUtf8)]);
    assert_eq!(kinds(b"\0\0\0\0\n{\"a\":\0}\n"), [Some(Code::NulBytes), Some(Code::NulBytes)]);
    assert_eq!(
        kinds(b"{\"a\":1}{\"b\":2}\n{} x\n"),
        [Some(Code::GluedLine), Some(Code::GluedLine)]
    );
    assert_eq!(kinds(b"{\"a\":\n{\"a\":"), [Some(Code::InvalidJson), Some(Code::TornLine)]);
    assert_eq!(
        kinds(b"oops\n[1]\n3 4\n"),
        [Some(Code::InvalidJson), None, Some(Code::InvalidJson)]
    );
}

#[test]
fn a_reader_starts_where_another_stopped() {
    let bytes = b"one\ntwo\nthree";
    let mut first = Reader::new(&bytes[..8]);
    let mut last = Position::default();
    while let Some(line) = first.next_line().unwrap() {
        last = line.at;
    }
    let mut second = Reader::new(&bytes[8..]).starting_at(last.line, last.byte + last.len);
    let line = second.next_line().unwrap().unwrap();
    assert_eq!((line.at.line, line.at.byte, line.raw), (3, 8, b"three".as_slice()));
}

#[test]
fn a_byte_order_mark_is_none_behind_the_start() {
    let bytes = b"\xEF\xBB\xBF{}";
    let mut reader = Reader::new(bytes.as_slice()).starting_at(4, 100);
    let line = reader.next_line().unwrap().unwrap();
    assert_eq!(line.body(), bytes);
}
