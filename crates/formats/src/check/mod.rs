//! Records compared with the catalogue, line by line.
//!
//! A [`Checker`] takes lines and collects findings: what is damaged, what the catalogue lacks, what is not as
//! it says. It keeps nothing of a line, so a file of any size can be checked; and stretches of a file can be
//! checked apart and put together with [`Progress::append`].
//!
//! What concerns several records at once beyond their order (parents, calls and results) is told by the
//! rebuild of the thread.

use std::borrow::Cow;
use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::finding::{Code, Finding};
use crate::format::{self, BadUtf8};
use crate::harness::Harness;
use crate::json::Json;
use crate::jsonl::{self, BOM, Body, Line, Part};
use crate::position::Position;
use crate::record::{self, Header};
use crate::tags::{Paths, Tags};
use crate::version::Version;

mod order;
mod spec;
mod walk;

pub use order::Progress;
use spec::Spec;

/// A finding and what it belongs to, for grouping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The finding.
    pub finding: Finding,
    /// The type of the record, where it is one.
    pub record: Cow<'static, str>,
    /// The place in records of the type as the catalogue writes it: `message.content[].text`.
    pub place: String,
}

/// What is known of a file before its lines are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// The version of the program that began it.
    pub version: Option<Version>,
}

impl Known {
    /// Looks at the beginning of a file.
    pub fn of(harness: Option<Harness>, start: &[u8]) -> Self {
        let Some(harness) = harness else { return Self::default() };
        let version = jsonl::lines(start).find_map(|line| match line.parse() {
            Body::Value(record) => (format::of(harness).version)(record),
            _ => None,
        });
        Self { version }
    }
}

/// Checks the lines of one file, or of a stretch of it.
#[derive(Debug)]
pub struct Checker {
    harness: Option<Harness>,
    spec: &'static Spec,
    paths: Paths,
    source: Arc<str>,
    known: Known,
    progress: Progress,
    found: Vec<Found>,
    scratch: walk::Scratch,
}

impl Checker {
    /// A checker for transcripts of a harness, or of nobody knows whom: then only lines are checked.
    /// Call [`Checker::begin`] before the first line.
    pub fn new(harness: Option<Harness>) -> Self {
        Self {
            harness,
            spec: Spec::of(harness),
            paths: harness.map_or(&[], record::paths),
            source: Arc::from(""),
            known: Known::default(),
            progress: Progress::default(),
            found: Vec::new(),
            scratch: walk::Scratch::default(),
        }
    }

    /// Begins a file or a stretch of one. What was collected before is forgotten.
    pub fn begin(&mut self, source: &Arc<str>, known: Known) {
        self.source = Arc::clone(source);
        self.known = known;
        self.progress = Progress::default();
        self.found.clear();
    }

    /// Checks the next line and says what it is; nothing for a line that is no record.
    pub fn line(&mut self, line: &Line<'_>) -> Option<Header> {
        self.progress.bytes += line.at.len;
        if matches!(line.part, Part::Middle | Part::Last) {
            return None;
        }
        self.progress.lines += 1;
        if line.at.byte == 0 && line.raw.starts_with(BOM) {
            self.push(Code::ByteOrderMark, line.at, "the file starts with a byte order mark");
        }
        let (body, tags) = line.parse_tagged(self.paths);
        match (body, tags) {
            (Body::Value(record), Some(tags)) => self.record(line.at, record, &tags),
            (Body::Junk(code, message), _) => self.junk(line, code, message),
            (Body::Blank | Body::Value(_), _) => None,
        }
    }

    fn junk(&mut self, line: &Line<'_>, code: Code, message: String) -> Option<Header> {
        self.push(code, line.at, message);
        // The JavaScript harnesses put replacement characters in and go on.
        let replaced = self.harness.is_some_and(|h| format::of(h).bad_utf8 == BadUtf8::Replace);
        if code == Code::InvalidUtf8 && replaced {
            let mended = String::from_utf8_lossy(line.body()).into_owned();
            if let Ok((record, tags)) = crate::tags::parse(&mended, self.paths) {
                return self.record(line.at, record, &tags);
            }
        }
        self.progress.junk();
        None
    }

    fn record(&mut self, at: Position, record: Json<'_>, tags: &Tags<'_>) -> Option<Header> {
        if !record.is_object() {
            self.push(
                Code::NotAnObject,
                at,
                format!("the line is no object but of type {}", record.kind().name()),
            );
            self.progress.junk();
            return None;
        }
        let header = match self.harness {
            Some(harness) => record::header(harness, tags),
            None => Header { name: Cow::Borrowed("?"), concept: None, index: None },
        };
        let is_header = header.index.is_some() && header.index == self.spec.header;
        self.progress.record(at, is_header);
        if self.harness.is_some_and(|h| format::of(h).ordinals)
            && let Some(finding) = self.progress.ordinal(record, at, &self.source)
        {
            self.found.push(Found {
                finding,
                record: Cow::Borrowed(""),
                place: "ordinal".to_owned(),
            });
        }
        let Some(index) = header.index else {
            self.progress.unknown += 1;
            if self.harness.is_none() {
                return Some(header);
            }
            let message = format!("the catalogue has no record type `{}`", header.name);
            self.found.push(Found {
                finding: Finding::new(Code::UnknownRecordType, &self.source, at, message),
                record: header.name.clone(),
                place: String::new(),
            });
            return Some(header);
        };
        let node = self.spec.record(index);
        walk::record(self.spec, node, &header.name, record, &mut self.scratch);
        if !self.scratch.drifts.is_empty() || !self.scratch.pending.is_empty() {
            self.collect(at, record, &header);
        }
        Some(header)
    }

    #[cold]
    fn collect(&mut self, at: Position, record: Json<'_>, header: &Header) {
        let mut drifts = std::mem::take(&mut self.scratch.drifts);
        if !self.scratch.pending.is_empty() {
            let own = self.harness.and_then(|harness| (format::of(harness).version)(record));
            let version = own.or(self.known.version);
            let pending = self.scratch.pending.drain(..);
            drifts.extend(
                pending.filter(|(since, _)| version.is_some_and(|v| v >= *since)).map(|(_, d)| d),
            );
        }
        let more = std::mem::take(&mut self.scratch.more);
        if let Some(last) = drifts.last_mut().filter(|_| more > 0) {
            use std::fmt::Write as _;
            let _ = write!(last.message, " (and {more} more findings in this record)");
        }
        for drift in drifts.drain(..) {
            self.found.push(Found {
                finding: Finding::new(drift.code, &self.source, at, drift.message)
                    .with_pointer(drift.pointer),
                record: header.name.clone(),
                place: drift.place,
            });
        }
        self.scratch.drifts = drifts;
    }

    fn push(&mut self, code: Code, at: Position, message: impl Into<String>) {
        self.found.push(Found {
            finding: Finding::new(code, &self.source, at, message),
            record: Cow::Borrowed(""),
            place: String::new(),
        });
    }

    /// Ends the stretch: what it amounts to, and what was found in it.
    pub fn end(&mut self) -> (Progress, Vec<Found>) {
        (std::mem::take(&mut self.progress), std::mem::take(&mut self.found))
    }

    /// What is to be said of a whole file, when all its stretches were put together.
    pub fn file(
        harness: Option<Harness>,
        source: &Arc<str>,
        known: Known,
        all: &Progress,
    ) -> Vec<Found> {
        let mut findings = Vec::new();
        let spec = Spec::of(harness);
        if all.bytes == 0 {
            findings.push(Finding::new(
                Code::EmptyFile,
                source,
                Position::WHOLE,
                "the file is empty",
            ));
        }
        if let Some(expected) = spec.header
            && all.bytes > 0
            && all.first().is_none_or(|(_, is_header)| !is_header)
        {
            let name = harness
                .and_then(|h| Catalogue::of(h).records.get(expected))
                .map_or("header", |r| r.name.as_str());
            let at = all.first().map_or(Position::WHOLE, |(at, _)| at);
            findings.push(Finding::new(
                Code::MissingHeader,
                source,
                at,
                format!("the first record is no `{name}`"),
            ));
        }
        if let (Some(version), Some(newest)) = (known.version, spec.newest)
            && version > newest
        {
            findings.push(Finding::new(
                Code::FutureVersion,
                source,
                Position::WHOLE,
                format!(
                    "written by version {version}; the catalogue knows versions up to {newest}"
                ),
            ));
        }
        findings
            .into_iter()
            .map(|finding| Found { finding, record: Cow::Borrowed(""), place: String::new() })
            .collect()
    }
}

/// Checks a whole transcript that is in memory.
pub fn transcript(
    harness: Option<Harness>,
    source: &Arc<str>,
    bytes: &[u8],
) -> (Progress, Vec<Found>) {
    let known = Known::of(harness, &bytes[..bytes.len().min(HEAD)]);
    let mut checker = Checker::new(harness);
    checker.begin(source, known);
    for line in jsonl::lines(bytes) {
        checker.line(&line);
    }
    let (progress, mut found) = checker.end();
    found.extend(Checker::file(harness, source, known, &progress));
    (progress, found)
}

/// How much of a file's beginning [`Known::of`] is to be given.
pub const HEAD: usize = 256 << 10;

#[cfg(test)]
mod tests;
