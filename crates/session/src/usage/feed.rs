//! Finds the few lines of a byte stream that a scanner has to see.
//!
//! Nearly all bytes of a transcript are text, tool output and images. A search for a few needles runs at
//! the speed of memory; only lines that hold one are parsed. The needles are quoted names or parts of them,
//! so neither white space nor the order of keys matters.

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter, memrchr};

use super::{Place, Scanner, Transcript};

const MOST_NEEDLES: usize = 4;

/// A letter in a name could be written as an escape, `\u0075` for `u`. Nobody does, and no letter is lost if somebody
/// should: lines with such an escape are looked at, too.
const ESCAPE: &[u8] = b"\\u00";

/// Text that lines are searched for.
#[derive(Debug)]
struct Needle {
    finder: Finder<'static>,
    is_escape: bool,
}

impl Needle {
    /// Where it stands next; nowhere is behind everything.
    fn find(&self, block: &[u8], from: usize) -> usize {
        let mut from = from;
        while let Some(hit) = self.finder.find(&block[from..]) {
            let at = from + hit;
            from = at + ESCAPE.len();
            // Names are made of the letters from `_` to `z`; control characters come much more often.
            if !self.is_escape || matches!(block.get(from), Some(b'5'..=b'7')) {
                return at;
            }
        }
        usize::MAX
    }
}

/// Hands the lines that matter of a stream to a scanner.
#[derive(Debug)]
pub struct Feeder {
    scanner: Scanner,
    needles: Vec<Needle>,
    /// Offset in the stream of what comes next.
    byte: u64,
    /// Lines before it; counted only when asked for.
    lines: Option<u64>,
}

impl Feeder {
    /// A feeder at the beginning of a stream. Line numbers cost a little time.
    pub fn new(scanner: Scanner, count_lines: bool) -> Self {
        let names = scanner.needles().iter().map(|n| n.as_bytes());
        let needles = names
            .chain([ESCAPE])
            .map(|needle| Needle { finder: Finder::new(needle), is_escape: needle == ESCAPE });
        Self { needles: needles.collect(), scanner, byte: 0, lines: count_lines.then_some(0) }
    }

    /// Goes on where an earlier feeder stopped.
    #[must_use]
    pub fn starting_at(mut self, byte: u64) -> Self {
        self.byte = byte;
        self
    }

    /// How many bytes were taken.
    pub fn byte(&self) -> u64 {
        self.byte
    }

    /// Takes the complete lines of `bytes`, and what is behind them too when it is the `last` part of the
    /// stream. Returns how many bytes it took; the rest must come again, with more behind it.
    pub fn feed(&mut self, bytes: &[u8], last: bool) -> usize {
        let end = if last { bytes.len() } else { memrchr(b'\n', bytes).map_or(0, |n| n + 1) };
        let block = &bytes[..end];
        let mut at = 0;
        while at < end && self.scanner.wants_all() {
            at = self.line(block, at, at);
        }
        // Where each needle stands next; nowhere is behind everything.
        let mut next = [usize::MAX; MOST_NEEDLES];
        let needles = self.needles.len().min(MOST_NEEDLES);
        for (hit, needle) in next.iter_mut().zip(&self.needles) {
            *hit = needle.find(block, at);
        }
        while let Some(hit) = next[..needles].iter().copied().min().filter(|&hit| hit < end) {
            let start = memrchr(b'\n', &block[at..hit]).map_or(at, |n| at + n + 1);
            at = self.line(block, at, start);
            for (hit, needle) in next.iter_mut().zip(&self.needles) {
                if *hit < at {
                    *hit = needle.find(block, at);
                }
            }
        }
        if let Some(lines) = &mut self.lines {
            *lines += memchr_iter(b'\n', &block[at..]).count() as u64;
        }
        self.byte += end as u64;
        end
    }

    /// Hands over the line at `start`; lines since `from` are counted. Returns the offset behind it.
    fn line(&mut self, block: &[u8], from: usize, start: usize) -> usize {
        let stop = memchr(b'\n', &block[start..]).map_or(block.len(), |n| start + n + 1);
        if let Some(lines) = &mut self.lines {
            *lines += memchr_iter(b'\n', &block[from..start]).count() as u64 + 1;
        }
        let at = Place { line: self.lines.unwrap_or(0), byte: self.byte + start as u64 };
        let line = &block[start..stop];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.scanner.line(line, at);
        stop
    }

    /// The scanner, to go on with it later.
    pub fn into_scanner(self) -> Scanner {
        self.scanner
    }

    /// What was found.
    pub fn finish(self) -> Transcript {
        self.scanner.finish()
    }
}

/// Scans a whole transcript.
pub fn scan(scanner: Scanner, bytes: &[u8]) -> Transcript {
    let mut feeder = Feeder::new(scanner, true);
    feeder.feed(bytes, true);
    feeder.finish()
}
