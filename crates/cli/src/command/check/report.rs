//! Prints findings: as data in the order of the files, or for people, equal ones once.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write as _};

use recount_formats::check::{Found, Progress};
use recount_formats::{Code, Finding, Harness, Severity};

use crate::error::Error;
use crate::output::paint::style;
use crate::output::{Screen, amount, text};

/// How many kinds of finding a report for people keeps apart. A file of nothing but different unknown fields
/// must not fill the memory.
const MOST: usize = 5000;

/// Where findings go.
pub(super) struct Report {
    to: To,
    total: Progress,
    not_rebuilt: usize,
    unknown_harness: usize,
}

enum To {
    Data { out: BufWriter<Stdout>, one_a_line: bool, first: bool },
    People { screen: Screen, verbose: bool, groups: BTreeMap<Key, Group>, more: u64 },
}

/// What makes two findings the same for people.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    severity: std::cmp::Reverse<Severity>,
    harness: Option<Harness>,
    code: Code,
    record: String,
    place: String,
}

/// Findings that are the same for people.
#[derive(Debug)]
struct Group {
    count: u64,
    files: u64,
    /// The file counted last.
    last: std::sync::Arc<str>,
    first: Finding,
}

impl Report {
    /// Findings as data.
    pub(super) fn data(one_a_line: bool) -> Result<Self, Error> {
        let mut out = BufWriter::with_capacity(64 << 10, io::stdout());
        if !one_a_line {
            out.write_all(b"[")?;
        }
        Ok(Self::new(To::Data { out, one_a_line, first: true }))
    }

    /// Findings for people.
    pub(super) fn people(screen: Screen, verbose: bool) -> Self {
        Self::new(To::People { screen, verbose, groups: BTreeMap::new(), more: 0 })
    }

    fn new(to: To) -> Self {
        Self { to, total: Progress::default(), not_rebuilt: 0, unknown_harness: 0 }
    }

    /// A file has been read to its end.
    pub(super) fn file(&mut self, all: &Progress, harness: Option<Harness>, not_rebuilt: bool) {
        self.total.lines += all.lines;
        self.total.bytes += all.bytes;
        self.total.records += all.records;
        self.not_rebuilt += usize::from(not_rebuilt);
        self.unknown_harness += usize::from(harness.is_none() && all.bytes > 0);
    }

    /// What was found, in order.
    pub(super) fn found(
        &mut self,
        harness: Option<Harness>,
        found: Vec<Found>,
    ) -> Result<(), Error> {
        match &mut self.to {
            To::Data { out, one_a_line, first } => {
                for Found { finding, .. } in found {
                    if !*one_a_line && !std::mem::take(first) {
                        out.write_all(b",\n")?;
                    }
                    serde_json::to_writer(&mut *out, &finding).map_err(io::Error::from)?;
                    if *one_a_line {
                        out.write_all(b"\n")?;
                    }
                }
            }
            To::People { groups, more, .. } => {
                for found in found {
                    group(groups, more, harness, found);
                }
            }
        }
        Ok(())
    }

    /// Writes what people see.
    pub(super) fn write(&self, files: usize, out: &mut dyn io::Write) -> io::Result<()> {
        let To::People { screen, verbose, groups, more } = &self.to else { return Ok(()) };
        let tail = Tail {
            files,
            total: &self.total,
            not_rebuilt: self.not_rebuilt,
            unknown_harness: self.unknown_harness,
            more: *more,
        };
        print(out, screen, *verbose, groups, &tail)
    }

    /// Ends the report.
    pub(super) fn end(self, files: usize) -> Result<(), Error> {
        match self.to {
            To::Data { mut out, one_a_line, .. } => {
                if !one_a_line {
                    out.write_all(b"]\n")?;
                }
                out.flush()?;
            }
            To::People { ref screen, .. } => {
                let mut out = screen.output();
                self.write(files, &mut out)?;
                out.finish()?;
            }
        }
        Ok(())
    }
}

fn group(
    groups: &mut BTreeMap<Key, Group>,
    more: &mut u64,
    harness: Option<Harness>,
    found: Found,
) {
    let Found { finding, record, place } = found;
    let key = Key {
        severity: std::cmp::Reverse(finding.severity),
        harness,
        code: finding.code,
        record: record.into_owned(),
        place,
    };
    if let Some(group) = groups.get_mut(&key) {
        group.count += 1;
        if group.last != finding.source {
            group.files += 1;
            group.last = finding.source;
        }
    } else if groups.len() < MOST {
        let last = std::sync::Arc::clone(&finding.source);
        groups.insert(key, Group { count: 1, files: 1, last, first: finding });
    } else {
        *more += 1;
    }
}

/// What is said at the end.
struct Tail<'a> {
    files: usize,
    total: &'a Progress,
    not_rebuilt: usize,
    unknown_harness: usize,
    more: u64,
}

fn print(
    out: &mut dyn io::Write,
    screen: &Screen,
    verbose: bool,
    groups: &BTreeMap<Key, Group>,
    tail: &Tail<'_>,
) -> io::Result<()> {
    let paint = screen.paint;
    let mut counts: BTreeMap<std::cmp::Reverse<Severity>, u64> = BTreeMap::new();
    let mut notes: BTreeMap<Code, u64> = BTreeMap::new();
    let several = groups.keys().any(|k| k.harness != groups.keys().next().and_then(|k| k.harness));
    for (key, group) in groups {
        *counts.entry(key.severity).or_default() += group.count;
        if key.severity.0 == Severity::Info && !verbose {
            *notes.entry(key.code).or_default() += group.count;
            continue;
        }
        entry(out, screen, several, key, group)?;
    }
    let width = screen.prose();
    if !notes.is_empty() {
        let all: Vec<String> = notes.iter().map(|(code, n)| format!("{code} {n}")).collect();
        let text = format!("notes    {} (`--verbose` shows them)", all.join(", "));
        writeln!(out, "{}", paint.of(style::DIM, text::fit(&text, width)))?;
    }
    if tail.more > 0 {
        writeln!(out, "…        {} more of other kinds", tail.more)?;
    }
    let mut found: Vec<String> = Vec::new();
    for (severity, one, many) in [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "note", "notes"),
    ] {
        if let Some(n) = counts.get(&std::cmp::Reverse(severity)) {
            found.push(amount::plural(usize::try_from(*n).unwrap_or(usize::MAX), one, many));
        }
    }
    let records = usize::try_from(tail.total.records).unwrap_or(usize::MAX);
    let outcome = if found.is_empty() {
        paint.of(style::GOOD, "nothing to report".to_owned()).to_string()
    } else {
        found.join(", ")
    };
    writeln!(
        out,
        "{}, {}, {}: {outcome}",
        amount::plural(tail.files, "file", "files"),
        amount::plural(records, "record", "records"),
        amount::bytes(tail.total.bytes),
    )?;
    if tail.unknown_harness > 0 {
        let files = amount::plural(tail.unknown_harness, "file", "files");
        let text = format!("nobody knows who wrote {files}; `--harness` tells");
        writeln!(out, "{}", paint.of(style::DIM, text))?;
    }
    if tail.not_rebuilt > 0 {
        let files = amount::plural(tail.not_rebuilt, "thread", "threads");
        let text = format!("{files} were not rebuilt for being large or many; `--deep` does it");
        writeln!(out, "{}", paint.of(style::DIM, text))?;
    }
    Ok(())
}

/// One kind of finding: what it is, and where it stands first.
fn entry(
    out: &mut dyn io::Write,
    screen: &Screen,
    several: bool,
    key: &Key,
    group: &Group,
) -> io::Result<()> {
    let paint = screen.paint;
    let (name, colour) = match key.severity.0 {
        Severity::Error => ("error", style::BAD),
        Severity::Warning => ("warning", style::WARNING),
        Severity::Info => ("note", style::DIM),
    };
    let code = key.code.name();
    let times = if group.count > 1 { format!(" ×{}", group.count) } else { String::new() };
    write!(
        out,
        "{}  {}{}",
        paint.of(colour, format_args!("{name:<7}")),
        paint.of(style::STRONG, code),
        paint.of(style::CODE, &times),
    )?;
    let used = 9 + code.len() + times.chars().count();
    let message = text::line(&group.first.message);
    let whole = screen.columns.unwrap_or(usize::MAX);
    if used + 2 + text::width(&message) <= whole {
        writeln!(out, "  {message}")?;
    } else {
        writeln!(out, "\n         {}", text::fit(&message, whole.saturating_sub(9)))?;
    }
    let mut at = group.first.source.to_string();
    if group.first.line > 0 {
        let _ = std::fmt::Write::write_fmt(&mut at, format_args!(":{}", group.first.line));
    }
    if group.count > 1 {
        at = format!("first at {at}");
    }
    if group.files > 1 {
        let _ = std::fmt::Write::write_fmt(&mut at, format_args!(", in {} files", group.files));
    }
    if several && let Some(harness) = key.harness {
        at = format!("{harness}: {at}");
    }
    let at = text::line(&at).into_owned();
    writeln!(out, "         {}", paint.of(style::DIM, text::fit_end(&at, whole.saturating_sub(9))))
}
