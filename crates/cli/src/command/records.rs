//! `recount records`: what each line of a transcript is.

use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write as _};

use recount_formats::format::{self, BadUtf8};
use recount_formats::jsonl::{Body, Line, Part, Reader};
use recount_formats::record::{self, Header};
use recount_formats::{Code, Concept, Harness, tags};
use serde::Serialize;

use super::input::Input;
use crate::args::{Global, Records};
use crate::error::Error;
use crate::output::pager::Output;
use crate::output::paint::style;
use crate::output::{self, Screen, amount, text};

/// A record as it is printed.
#[derive(Debug, Serialize)]
struct Row<'a> {
    line: u64,
    byte: u64,
    len: u64,
    r#type: Cow<'a, str>,
    concept: Option<Concept>,
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<Code>,
    #[serde(skip)]
    message: String,
}

pub(super) fn run(global: &Global, args: &Records) -> Result<(), Error> {
    let input = Input::find(global, &args.file, args.harness)?;
    let failed = |e: io::Error| Error::Input(format!("{}: {e}", input.path.display()));
    let opened = input.open().map_err(failed)?;
    let harness = opened.harness;
    let mut reader = Reader::new(opened.read());
    let mut printer = Printer::new(global)?;
    loop {
        let line = match reader.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(e) => {
                printer.end()?;
                return Err(failed(e));
            }
        };
        if let Some(row) = row(harness, &line)
            && wanted(&row, &args.types)
        {
            printer.row(&row)?;
        }
    }
    printer.end()
}

fn wanted(row: &Row<'_>, types: &[String]) -> bool {
    types.is_empty()
        || types.iter().any(|t| {
            row.r#type == t.as_str() || row.concept.is_some_and(|c| c.name() == t.as_str())
        })
}

/// What a line is; nothing for a blank one and for the rest of one that is too long.
fn row(harness: Option<Harness>, line: &Line<'_>) -> Option<Row<'static>> {
    if matches!(line.part, Part::Middle | Part::Last) {
        return None;
    }
    let paths = harness.map_or(&[][..], record::paths);
    let (body, tags) = line.parse_tagged(paths);
    let of = |header: Option<Header>, finding: Option<Code>, message: String| Row {
        line: line.at.line,
        byte: line.at.byte,
        len: line.at.len,
        r#type: header.as_ref().map_or(Cow::Borrowed("?"), |h| h.name.clone()),
        concept: header.as_ref().and_then(|h| h.concept),
        known: header.is_some_and(|h| h.is_known()),
        finding,
        message,
    };
    match (body, tags) {
        (Body::Value(value), Some(tags)) if value.is_object() => {
            let header = harness.map(|h| record::header(h, &tags));
            Some(of(header, None, String::new()))
        }
        (Body::Value(value), _) => {
            let message = format!("no object but of type {}", value.kind().name());
            Some(of(None, Some(Code::NotAnObject), message))
        }
        (Body::Junk(code, message), _) => {
            // The JavaScript harnesses put replacement characters in and go on.
            let replaced = harness.is_some_and(|h| format::of(h).bad_utf8 == BadUtf8::Replace);
            let mended = (code == Code::InvalidUtf8 && replaced)
                .then(|| String::from_utf8_lossy(line.body()).into_owned());
            let header = mended.and_then(|text| {
                let (_, tags) = tags::parse(&text, paths).ok()?;
                Some(record::header(harness?, &tags))
            });
            Some(of(header, Some(code), message))
        }
        (Body::Blank, _) => None,
    }
}

/// Prints rows as they come.
enum Printer {
    /// JSON: one a line, or an array.
    Json { out: BufWriter<StdoutLock<'static>>, array: bool, first: bool },
    /// For people.
    Table { out: Output, screen: Screen, counts: Counts },
}

#[derive(Debug, Default)]
struct Counts {
    known: usize,
    unknown: usize,
    damaged: usize,
}

impl Printer {
    fn new(global: &Global) -> Result<Self, Error> {
        if global.json || global.jsonl {
            let mut out = output::stdout();
            if global.json {
                out.write_all(b"[")?;
            }
            return Ok(Self::Json { out, array: global.json, first: true });
        }
        let screen = Screen::of(global);
        let mut out = screen.output();
        let head = format!("{:>7}  {:>7}  {:<17}  type", "line", "size", "concept");
        writeln!(out, "{}", screen.paint.of(style::DIM, head))?;
        Ok(Self::Table { out, screen, counts: Counts::default() })
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        match self {
            Self::Json { out, array, first } => {
                if *array && !std::mem::take(first) {
                    out.write_all(b",\n")?;
                }
                serde_json::to_writer(&mut *out, row).map_err(io::Error::from)?;
                if !*array {
                    out.write_all(b"\n")?;
                }
            }
            Self::Table { out, screen, counts } => {
                let paint = screen.paint;
                let concept = row.concept.map_or("", Concept::name);
                write!(out, "{:>7}  ", row.line)?;
                write!(
                    out,
                    "{}  ",
                    paint.of(style::DIM, format_args!("{:>7}", amount::bytes(row.len)))
                )?;
                write!(out, "{}  ", paint.of(style::NAME, format_args!("{concept:<17}")))?;
                let room = screen.columns.map_or(usize::MAX, |c| c.saturating_sub(36).max(20));
                let name = text::line(&row.r#type);
                match (row.known, row.finding) {
                    (true, None) => {
                        counts.known += 1;
                        writeln!(out, "{}", text::fit(&name, room))?;
                    }
                    (false, None) => {
                        counts.unknown += 1;
                        let name = format!("{name} (unknown)");
                        writeln!(out, "{}", paint.of(style::WARNING, text::fit(&name, room)))?;
                    }
                    (_, Some(code)) => {
                        counts.damaged += 1;
                        let what = format!("{code}: {}", row.message);
                        let what = text::line(&what);
                        writeln!(out, "{}", paint.of(style::BAD, text::fit(&what, room)))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        match self {
            Self::Json { mut out, array, .. } => {
                if array {
                    out.write_all(b"]\n")?;
                }
                out.flush()?;
            }
            Self::Table { mut out, screen, counts } => {
                let mut parts = vec![amount::plural(counts.known, "record", "records")];
                if counts.unknown > 0 {
                    parts.push(format!("{} of unknown type", counts.unknown));
                }
                if counts.damaged > 0 {
                    parts.push(amount::plural(counts.damaged, "damaged line", "damaged lines"));
                }
                writeln!(out, "{}", screen.paint.of(style::DIM, parts.join(", ")))?;
                out.finish()?;
            }
        }
        Ok(())
    }
}
