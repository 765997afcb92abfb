//! `recount usage --audit`: every line that carries usage, whether it counts, and if not why.

use std::collections::HashMap;
use std::io::Write as _;

use recount_index::report::{Counted, counted};
use recount_index::scan::{self, Options, Scanned, Source};
use recount_session::usage::resolve::Pointer;
use recount_session::usage::{Note, Reason, Resolved, Tokens, Verdict, resolve};
use serde::Serialize;

use super::select::{Filter, Wanted};
use crate::args::Global;
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, amount, text};

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Spot<'a> {
    source: &'a str,
    /// The session, where several stand in a file: its lines are the rows of its own, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    line: u64,
}

impl Spot<'_> {
    /// Whether another line stands in the same file, and in the same session of it.
    fn is_beside(self, other: Spot<'_>) -> bool {
        (self.source, self.session) == (other.source, other.session)
    }

    /// The file, and the session in it where it holds several.
    fn file(self) -> String {
        let source = text::line(self.source);
        self.session
            .map_or(source.to_string(), |id| format!("{source}, session {}", text::line(id)))
    }
}

/// A line that carries usage, and what became of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    #[serde(flatten)]
    at: Spot<'a>,
    byte: u64,
    counted: bool,
    reason: &'static str,
    /// The line that counts instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<Spot<'a>>,
    /// The thread that it counts for.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<&'a str>,
    input_tokens: u64,
    cached_input_tokens: u64,
    cache_write_tokens: u64,
    output_tokens: u64,
    reasoning_tokens: u64,
    total_tokens: u64,
}

pub(super) fn run(
    global: &Global,
    sources: &[Source],
    wanted: &Wanted,
    filter: &Filter<'_>,
) -> Result<(), Error> {
    let (scanned, findings) = scan::scan(sources, Options { notes: true }, None);
    super::warn(findings.iter().map(ToString::to_string));
    let resolved = resolve(&scanned);
    let threads = wanted.threads(&scanned);
    let names: Vec<String> =
        scanned.iter().map(|s| s.source.path.to_string_lossy().into_owned()).collect();
    let lines = Lines::of(&scanned, &names);
    let responses: HashMap<Pointer, Counted<'_>> =
        counted(&scanned, &resolved).map(|c| (c.at, c)).collect();
    let mut entries = Vec::new();
    for (n, s) in scanned.iter().enumerate() {
        let ours = |thread: &str| threads.as_ref().is_none_or(|threads| threads.contains(thread));
        for note in s.transcript.notes.iter().flatten() {
            let (entry, at, counts_as) = lines.entry(n, note, &resolved);
            let response = at.and_then(|at| responses.get(&at));
            // A copy in a thread that was asked for is of interest, and so is what counts for the thread elsewhere.
            let thread = response.map_or(s.transcript.thread.as_str(), |c| c.thread);
            // What does not count goes with the response that counts instead, else with its file.
            let source = |at: Pointer| {
                let verdicts = resolved.verdicts.get(at.transcript as usize);
                match verdicts.and_then(|all| all.get(at.response as usize)) {
                    Some(Verdict::CopyOf(source)) => *source,
                    _ => at,
                }
            };
            let meant = || counts_as.and_then(|at| responses.get(&source(at)));
            let meant = response.or_else(meant);
            let fits = match meant {
                Some(counted) => filter.takes(counted),
                None => filter.takes_all_of(s),
            };
            if (ours(thread) || ours(&s.transcript.thread)) && fits {
                let counted = entry.counted && ours(thread);
                let thread = response.map(|c| c.thread).filter(|_| entry.counted);
                entries.push(Entry { counted, thread, ..entry });
            }
        }
    }
    if entries.is_empty() {
        return Err(Error::Nothing("no line carries usage".to_owned()));
    }
    if global.json || global.jsonl {
        return output::rows(&entries, global.jsonl);
    }
    print(global, &entries)
}

/// Where the numbers of each response stand.
struct Lines<'a> {
    scanned: &'a [Scanned],
    names: &'a [String],
    of: HashMap<Pointer, Spot<'a>>,
}

impl<'a> Lines<'a> {
    fn of(scanned: &'a [Scanned], names: &'a [String]) -> Self {
        let mut lines = Self { scanned, names, of: HashMap::new() };
        for (n, s) in scanned.iter().enumerate() {
            for note in s.transcript.notes.iter().flatten() {
                if let Reason::Counted(response) = note.reason {
                    let at = Pointer { transcript: n as u32, response };
                    lines.of.insert(at, lines.spot(n, note));
                }
            }
        }
        lines
    }

    fn spot(&self, n: usize, note: &Note) -> Spot<'a> {
        let session = self.scanned[n].source.session();
        Spot { source: &self.names[n], session, line: note.line }
    }

    /// What became of a line, the response that it counts as, and the one that counts instead.
    fn entry(
        &self,
        n: usize,
        note: &Note,
        resolved: &Resolved,
    ) -> (Entry<'a>, Option<Pointer>, Option<Pointer>) {
        let at = |response| Pointer { transcript: n as u32, response };
        let mut other = None;
        let mut line = |at| {
            other = Some(at);
            self.of.get(&at).copied()
        };
        let (counted, reason, instead, pointer) = match note.reason {
            Reason::Counted(response) => {
                let verdict = resolved.verdicts[n].get(response as usize);
                match verdict.copied().unwrap_or(Verdict::Counted) {
                    Verdict::Counted => (true, "counted", None, Some(at(response))),
                    Verdict::CountedForSource => {
                        (true, "counted: a copy, its source is gone", None, Some(at(response)))
                    }
                    Verdict::CopyOf(source) => (false, "copy", line(source), None),
                }
            }
            Reason::Split(response) => (false, "split line", line(at(response)), None),
            Reason::Repeats(response) => (false, "repeats a record", line(at(response)), None),
            Reason::Unmoved => (false, "counter that did not move", None, None),
            Reason::Synthesized => (false, "total made up by the harness", None, None),
            Reason::Synthetic => (false, "synthetic message", None, None),
            Reason::Sum => (false, "sum of a sub-agent's responses", None, None),
            Reason::Empty => (false, "no tokens reported", None, None),
            Reason::Damaged => (false, "damaged line", None, None),
        };
        let Tokens { input, cached, cache_write, output, reasoning, total, .. } = note.tokens;
        let entry = Entry {
            at: self.spot(n, note),
            byte: note.byte,
            counted,
            reason,
            instead,
            thread: None,
            input_tokens: input,
            cached_input_tokens: cached,
            cache_write_tokens: cache_write,
            output_tokens: output,
            reasoning_tokens: reasoning,
            total_tokens: total,
        };
        (entry, pointer, other)
    }
}

fn print(global: &Global, entries: &[Entry<'_>]) -> Result<(), Error> {
    let screen = Screen::of(global);
    let mut out = screen.output();
    let mut before: Option<Spot<'_>> = None;
    let (mut counted, mut total) = (0_usize, 0_u64);
    for entry in entries {
        if !before.is_some_and(|before| before.is_beside(entry.at)) {
            writeln!(out, "{}", screen.paint.of(style::HEADING, entry.at.file()))?;
        }
        before = Some(entry.at);
        let mark = if entry.counted { "+" } else { " " };
        let look = if entry.counted { style::GOOD } else { style::DIM };
        let number = if entry.counted { grouped(entry.total_tokens) } else { String::new() };
        let mut why = entry.reason.to_owned();
        if let Some(other) = entry.instead {
            let place = if other.is_beside(entry.at) {
                format!("line {}", other.line)
            } else {
                format!("{}:{}", other.file(), other.line)
            };
            why = format!("{why}, {place} counts");
        }
        let line = format!("{:>8} {mark} {number:>14}  {why}", entry.at.line);
        writeln!(out, "{}", screen.paint.of(look, line))?;
        if entry.counted {
            counted += 1;
            total = total.saturating_add(entry.total_tokens);
        }
    }
    let lines = amount::plural(entries.len(), "line carries", "lines carry");
    let sum =
        format!("{lines} usage, {} count: {} tokens", grouped(counted as u64), grouped(total));
    writeln!(out, "\n{}", screen.paint.of(style::STRONG, sum))?;
    out.finish()?;
    Ok(())
}

/// A number with its thousands apart, to be checked by hand.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_stand_apart() {
        let grouped = [0, 999, 1000, 1_234_567].map(super::grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }
}
