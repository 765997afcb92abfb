//! Finds the few lines of a byte stream that a scanner has to see.
//!
//! Nearly all bytes of a transcript are text, tool output and images. A search for a few needles runs at
//! the speed of memory; only lines that hold one are parsed. The needles are quoted names or parts of them,
//! so neither white space nor the order of keys matters.

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter, memrchr};

use super::{Place, Scanner, Transcript};

const MOST_NEEDLES: usize = 4;

fn find(finder: &Finder<'_>, block: &[u8], from: usize) -> usize {
    finder.find(&block[from..]).map_or(usize::MAX, |hit| from + hit)
}

/// Hands the lines that matter of a stream to a scanner.
#[derive(Debug)]
pub struct Feeder {
    scanner: Scanner,
    finders: Vec<Finder<'static>>,
    /// Offset in the stream of what comes next.
    byte: u64,
    /// Lines before it; counted only when asked for.
    lines: Option<u64>,
}

impl Feeder {
    /// A feeder at the beginning of a stream. Line numbers cost a little time.
    pub fn new(scanner: Scanner, count_lines: bool) -> Self {
        let finders = scanner.needles().iter().map(|n| Finder::new(n.as_bytes())).collect();
        Self { scanner, finders, byte: 0, lines: count_lines.then_some(0) }
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
        let needles = self.finders.len().min(MOST_NEEDLES);
        for (hit, finder) in next.iter_mut().zip(&self.finders) {
            *hit = find(finder, block, at);
        }
        while let Some(hit) = next[..needles].iter().copied().min().filter(|&hit| hit < end) {
            let start = memrchr(b'\n', &block[at..hit]).map_or(at, |n| at + n + 1);
            at = self.line(block, at, start);
            for (hit, finder) in next.iter_mut().zip(&self.finders) {
                if *hit < at {
                    *hit = find(finder, block, at);
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
