//! Tokens and cost, each response once.
//!
//! Two steps. A [`Scanner`] reads the lines of one transcript that may carry usage and tells what that
//! transcript says, response by response ([`Transcript`]): split lines merged, counters turned into
//! differences, copies marked. [`resolve()`] then puts the transcripts of all stores together and decides for
//! each response where it counts: once, for the thread that made it.
//!
//! - [`claude_code`], [`codex`], [`opencode`], [`pi`]: the rules of each harness, one file each
//! - [`feed`]: finds the few lines of a byte stream that a scanner has to see
//! - [`mod@resolve`]: copies across transcripts
//!
//! Everything is pure; a damaged line is no error but a [`Note`] with the reason why it does not count.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use recount_formats::json::{Outline, Part};
use recount_formats::{Harness, jsonl};
use serde::{Deserialize, Serialize};
use twox_hash::{XxHash3_64, XxHash3_128};

pub mod claude_code;
pub mod codex;
pub mod feed;
pub mod opencode;
pub mod pi;
pub mod resolve;

pub use feed::{Feeder, scan};
pub use resolve::{Resolved, Verdict, resolve};

use crate::model::{Responses, Usage};

#[cfg(test)]
mod tests;

/// Tokens of one response, or of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct Tokens {
    /// Input that was neither read from a cache nor written to one.
    pub input: u64,
    /// Input read from a cache.
    pub cached: u64,
    /// Input written to a cache.
    pub cache_write: u64,
    /// The part of `cache_write` that is kept for an hour; it has its own price.
    pub cache_write_1h: u64,
    /// Output, with reasoning unless the harness counts it apart.
    pub output: u64,
    /// Reasoning, where it is told.
    pub reasoning: u64,
    /// All of them.
    pub total: u64,
}

impl Tokens {
    /// Whether there is none.
    pub fn is_zero(&self) -> bool {
        self.input | self.cached | self.cache_write | self.output | self.reasoning == 0
    }

    /// Sets `total` from the parts, for harnesses whose output includes reasoning.
    fn summed(mut self) -> Self {
        self.total = self
            .input
            .saturating_add(self.cached)
            .saturating_add(self.cache_write)
            .saturating_add(self.output);
        self
    }

    /// Adds others; absurd numbers end at the largest one.
    pub fn add(&mut self, other: &Self) {
        for (a, b) in [
            (&mut self.input, other.input),
            (&mut self.cached, other.cached),
            (&mut self.cache_write, other.cache_write),
            (&mut self.cache_write_1h, other.cache_write_1h),
            (&mut self.output, other.output),
            (&mut self.reasoning, other.reasoning),
            (&mut self.total, other.total),
        ] {
            *a = a.saturating_add(b);
        }
    }
}

/// What identifies a response across transcripts: a hash of 128 bits; zero where nothing identifies it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct Key(pub u128);

impl Key {
    /// No identity: the response is never a copy of another one.
    pub const NONE: Self = Self(0);

    /// The key of an id that stands in the transcript. `space` tells kinds of id apart.
    pub fn of(space: &str, id: &str) -> Self {
        let mut bytes = Vec::with_capacity(space.len() + id.len() + 1);
        bytes.extend_from_slice(space.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(id.as_bytes());
        Self(XxHash3_128::oneshot(&bytes))
    }

    /// The key of numbers.
    pub fn of_numbers(space: &str, numbers: &[u64]) -> Self {
        let mut bytes = space.as_bytes().to_vec();
        for n in numbers {
            bytes.extend_from_slice(&n.to_le_bytes());
        }
        Self(XxHash3_128::oneshot(&bytes))
    }

    /// Whether it identifies nothing.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Keys are hashes already: a table needs no other one.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = XxHash3_64::oneshot_with_seed(self.0, bytes);
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// A table of responses by their keys.
pub type KeyMap<T> = HashMap<Key, T, BuildHasherDefault<KeyHasher>>;

/// Tells responses apart that look alike: by which of them it is.
#[derive(Debug, Clone, Default)]
struct Alike(KeyMap<u64>);

impl Alike {
    /// The first of the keys that `nth` makes which nothing in the transcript has. `base` stands for all of them.
    fn next(&mut self, base: Key, seen: &KeyMap<u32>, nth: impl Fn(u64) -> Key) -> Key {
        let next = self.0.entry(base).or_default();
        // Among so many at least one is new.
        for n in *next..=*next + seen.len() as u64 {
            let key = nth(n);
            if !seen.contains_key(&key) {
                *next = n + 1;
                return key;
            }
        }
        Key::NONE
    }
}

/// How a transcript came to hold a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    /// The thread made it.
    Own,
    /// The transcript repeats it without saying so wherever another transcript holds it as its own.
    Shared,
    /// It could be a copy; it is one when the source holds it.
    Suspect,
    /// It looks like a copy; it is one when the source holds it, or when there is no source to ask.
    Inherited,
    /// The transcript says that it is a copy from another thread.
    Copied,
}

/// A response as one transcript tells it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Its identity.
    pub key: Key,
    /// A second identity, by the numbers of a cumulative counter (Codex).
    pub counter: Key,
    /// When it began, in milliseconds since 1970; the smallest number where nothing tells.
    pub time: i64,
    /// Its tokens.
    pub tokens: Tokens,
    /// The cost that the harness stored, in US dollars.
    pub cost: Option<f64>,
    /// The model, in [`Transcript::names`].
    pub model: u32,
    /// The thread that made it, in [`Transcript::names`].
    pub thread: u32,
    /// How it came here.
    pub origin: Origin,
    /// Offset of the line that gave the numbers.
    pub byte: u64,
}

/// No time is known.
pub const NO_TIME: i64 = i64::MIN;

/// Why a line that carries usage does not count, or that it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It gave the numbers of the response with this index.
    Counted(u32),
    /// An earlier line of the response with this index; a later one has the final numbers.
    Split(u32),
    /// It repeats the response with this index (a counter behind a record).
    Repeats(u32),
    /// A cumulative counter that did not move.
    Unmoved,
    /// A total that the harness made up when the context overflowed.
    Synthesized,
    /// A message that the harness wrote itself; nothing was asked from a provider.
    Synthetic,
    /// A sum of other transcripts' responses.
    Sum,
    /// The provider reported no tokens.
    Empty,
    /// The line is damaged.
    Damaged,
}

/// A line that carries usage, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// Line number from 1.
    pub line: u64,
    /// Byte offset.
    pub byte: u64,
    /// What became of it.
    pub reason: Reason,
    /// The tokens that stand on it.
    pub tokens: Tokens,
}

/// What one transcript says about usage.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Transcript {
    /// The thread's id.
    pub thread: String,
    /// The threads that it was copied from or started by, the nearest first.
    pub sources: Vec<String>,
    /// Whether another agent started it.
    pub is_subagent: bool,
    /// Working directory at the start.
    pub project: Option<String>,
    /// The first time that stands in it, in milliseconds since 1970.
    pub first_time: Option<i64>,
    /// Models and threads by number; `names[0]` is empty.
    pub names: Vec<String>,
    /// The responses in the order in which they began.
    pub responses: Vec<Response>,
    /// The lines, when they were asked for.
    #[serde(skip)]
    pub notes: Option<Vec<Note>>,
}

impl Transcript {
    fn new() -> Self {
        Self { names: vec![String::new()], ..Self::default() }
    }

    /// The number of a name.
    fn name(&mut self, name: &str) -> u32 {
        // Few names a transcript: the last one is nearly always the right one.
        if let Some(n) = self.names.iter().rposition(|n| n == name) {
            return n as u32;
        }
        self.names.push(name.to_owned());
        (self.names.len() - 1) as u32
    }

    /// A name by its number.
    pub fn name_of(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// The responses by their keys.
    fn by_key(&self) -> KeyMap<u32> {
        let keyed = self.responses.iter().enumerate().filter(|(_, r)| !r.key.is_none());
        keyed.map(|(n, r)| (r.key, n as u32)).collect()
    }

    fn note(&mut self, at: Place, reason: Reason, tokens: Tokens) {
        if let Some(notes) = &mut self.notes {
            notes.push(Note { line: at.line, byte: at.byte, reason, tokens });
        }
    }

    /// The responses that count.
    pub(crate) fn counting(&self, counts: impl Fn(usize, &Response) -> bool) -> Responses {
        let mut counting = Responses::default();
        for (_, response) in self.responses.iter().enumerate().filter(|(n, r)| counts(*n, r)) {
            counting.add(self.name_of(response.model), *response);
        }
        counting
    }
}

impl Response {
    /// Its numbers in the model's shape.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage { responses: 1, cost_usd: self.cost, ..Usage::default() };
        fill(&mut usage, &self.tokens);
        usage
    }
}

/// What a transcript in memory says about usage. `name` is that of its file, or the id of a session in a database.
pub(crate) fn of_bytes(harness: Harness, name: &str, bytes: &[u8]) -> Transcript {
    let Some(scanner) = Scanner::new(harness, name, false) else { return Transcript::new() };
    let mut feeder = Feeder::new(scanner, false);
    feeder.feed(bytes, true);
    feeder.finish()
}

/// Puts tokens into the model's shape.
pub fn fill(usage: &mut Usage, tokens: &Tokens) {
    usage.input_tokens = tokens.input;
    usage.cached_input_tokens = tokens.cached;
    usage.cache_write_tokens = tokens.cache_write;
    usage.output_tokens = tokens.output;
    usage.reasoning_tokens = tokens.reasoning;
    usage.total_tokens = tokens.total;
}

/// What a harness itself says that a session used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Claim {
    /// All tokens.
    pub tokens: Tokens,
    /// US dollars.
    pub cost: Option<f64>,
    /// What it holds beyond the responses in the transcript.
    pub beyond: &'static str,
}

/// The claim in a transcript, if its harness makes one.
pub fn claim(harness: Harness, bytes: &[u8]) -> Option<Claim> {
    match harness {
        Harness::ClaudeCode => claude_code::claim(bytes),
        Harness::Opencode => opencode::claim(bytes),
        Harness::Codex | Harness::CursorAgent | Harness::Pi => None,
    }
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line number from 1; 0 when lines are not counted.
    pub line: u64,
    /// Byte offset.
    pub byte: u64,
}

/// The rules of one harness for the lines of one transcript.
///
/// It can be kept and taken up again where it was ([`Scanner::wake`]); notes are not kept.
#[expect(
    clippy::large_enum_variant,
    reason = "there are a few at a time, and one for each file in a cache"
)]
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Scanner {
    /// Claude Code
    ClaudeCode(claude_code::Scanner),
    /// Codex
    Codex(codex::Scanner),
    /// opencode
    Opencode(opencode::Scanner),
    /// pi
    Pi(pi::Scanner),
}

/// The harness whose program asks for a status line.
pub const ASKS_FOR_STATUS: Harness = Harness::ClaudeCode;

/// Whether a harness stores what its responses used.
pub const fn is_stored(harness: Harness) -> bool {
    match harness {
        Harness::Codex | Harness::ClaudeCode | Harness::Opencode | Harness::Pi => true,
        // It stores how full the context is, nothing else.
        Harness::CursorAgent => false,
    }
}

/// Who makes the models that a harness uses unless it is told otherwise, as price lists call them.
pub const fn usual_provider(harness: Harness) -> Option<&'static str> {
    match harness {
        Harness::ClaudeCode => Some("anthropic"),
        Harness::Codex => Some("openai"),
        Harness::CursorAgent | Harness::Opencode | Harness::Pi => None,
    }
}

impl Scanner {
    /// A scanner for a transcript of a harness whose usage is stored. `name` is the file's without extensions, or the id
    /// of a session in a database.
    pub fn new(harness: Harness, name: &str, notes: bool) -> Option<Self> {
        Some(match harness {
            Harness::ClaudeCode => Self::ClaudeCode(claude_code::Scanner::new(name, notes)),
            Harness::Codex => Self::Codex(codex::Scanner::new(name, notes)),
            Harness::Pi => Self::Pi(pi::Scanner::new(name, notes)),
            Harness::Opencode => Self::Opencode(opencode::Scanner::new(name, notes)),
            // It stores no usage.
            Harness::CursorAgent => return None,
        })
    }

    /// The harness whose rules these are.
    pub const fn harness(&self) -> Harness {
        match self {
            Self::ClaudeCode(_) => Harness::ClaudeCode,
            Self::Codex(_) => Harness::Codex,
            Self::Opencode(_) => Harness::Opencode,
            Self::Pi(_) => Harness::Pi,
        }
    }

    /// Text of which at least one stands in every line that matters, spaces and key order whatever they are.
    pub fn needles(&self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode(_) => claude_code::NEEDLES,
            Self::Codex(_) => codex::NEEDLES,
            Self::Opencode(_) => opencode::NEEDLES,
            Self::Pi(_) => pi::NEEDLES,
        }
    }

    /// Whether every line is wanted: at the beginning, where the transcript says what it is.
    pub fn wants_all(&self) -> bool {
        match self {
            Self::ClaudeCode(s) => s.wants_all(),
            Self::Codex(s) => s.wants_all(),
            Self::Opencode(_) => true,
            Self::Pi(s) => s.wants_all(),
        }
    }

    /// Takes a line, without its line ending.
    pub fn line(&mut self, line: &[u8], at: Place) {
        match self {
            Self::ClaudeCode(s) => s.line(line, at),
            Self::Codex(s) => s.line(line, at),
            Self::Opencode(s) => s.line(line, at),
            Self::Pi(s) => s.line(line, at),
        }
    }

    /// Makes a scanner that was kept ready for more lines.
    pub fn wake(&mut self) {
        match self {
            Self::ClaudeCode(s) => s.wake(),
            Self::Codex(s) => s.wake(),
            Self::Opencode(s) => s.wake(),
            Self::Pi(s) => s.wake(),
        }
    }

    /// What was found.
    pub fn finish(self) -> Transcript {
        match self {
            Self::ClaudeCode(s) => s.finish(),
            Self::Codex(s) => s.finish(),
            Self::Opencode(s) => s.finish(),
            Self::Pi(s) => s.finish(),
        }
    }
}

/// What a harness makes of bytes that are no UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BadBytes {
    /// It replaces them (programs that run on JavaScript).
    Replaced,
    /// It skips the line.
    Skipped,
}

/// Gives the records of a line to `take`: one normally; where writers got in each other's way, those that are
/// whole (corpus-reports `claude-code/spliced-lines`). Tells whether the line holds `needle` and no record.
fn each_record(
    line: &[u8],
    bad_bytes: BadBytes,
    needle: &str,
    outline: &mut Outline,
    mut take: impl FnMut(Part<'_>),
) -> bool {
    let line = line.strip_prefix(jsonl::BOM).unwrap_or(line);
    let text = match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if bad_bytes == BadBytes::Replaced => String::from_utf8_lossy(line),
        Err(_) => return memchr::memmem::find(line, needle.as_bytes()).is_some(),
    };
    if let Ok(record) = outline.read(&text) {
        take(record);
        return false;
    }
    let found = jsonl::recover(&text);
    let nothing = found.is_empty() && text.contains(needle);
    for (_, record) in found {
        if let Ok(record) = outline.read(record.raw()) {
            take(record);
        }
    }
    nothing
}

/// A time as transcripts write it, in milliseconds since 1970.
pub(crate) fn millis(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

fn time_of(record: Part<'_>) -> Option<i64> {
    let time = record.get("timestamp")?.json();
    match time.as_str() {
        Some(text) => millis(&text),
        None => time.as_i64(),
    }
}

fn number(object: Part<'_>, key: &str) -> u64 {
    object.get(key).map_or(0, count)
}

/// Numbers from here on are none of tokens, and no sum should drown in them.
const MOST: f64 = 9e15;

/// A number of tokens. Negative ones, absurd ones and words count nothing.
fn count(value: Part<'_>) -> u64 {
    let value = value.json();
    let whole = value.as_u64().map(|n| n as f64);
    whole.or_else(|| value.as_f64()).filter(|f| *f < MOST).map_or(0, |f| f.max(0.0) as u64)
}

fn text<'a>(object: Part<'a>, key: &str) -> Option<Cow<'a, str>> {
    object.str(key).filter(|s| !s.is_empty())
}

/// The time in a UUID of version 7, in milliseconds since 1970.
fn uuid7_millis(id: &str) -> Option<i64> {
    let b = id.as_bytes();
    if b.len() != 36 || b[8] != b'-' || b[14] != b'7' {
        return None;
    }
    i64::from_str_radix(&format!("{}{}", id.get(..8)?, id.get(9..13)?), 16).ok()
}
