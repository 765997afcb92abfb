//! A thread: header, turns, and what follows them.

use std::io::{self, Write};

use jiff::Timestamp;
use recount_export::about;
use recount_formats::Severity;
use recount_session::model::{Branch, Thread, Turn, TurnStatus};

use super::item::{Items, RECOVERED};
use crate::output::flow::wrap_plain;
use crate::output::paint::style;
use crate::output::{Screen, amount, text, time};

/// How much is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Detail<'a> {
    /// Calls are opened.
    pub(crate) full: bool,
    /// Reasoning is shown.
    pub(crate) reasoning: bool,
    /// Only a part of the thread is shown: what follows the turns is left out.
    pub(crate) part: bool,
    /// The leaf of the branch that is shown, when it was asked for.
    pub(crate) leaf: Option<&'a str>,
}

/// Writes a thread. `numbers` are the numbers of its turns.
pub(crate) fn write(
    out: &mut dyn Write,
    screen: &Screen,
    thread: &Thread,
    numbers: &[usize],
    detail: Detail<'_>,
) -> io::Result<()> {
    header(out, screen, thread, detail)?;
    let mut before = None;
    for (turn, number) in thread.turns.iter().zip(numbers) {
        writeln!(out)?;
        rule(out, screen, turn, *number, before)?;
        before = turn.started_at.and_then(|s| Timestamp::from_second(s).ok()).or(before);
        let mut items = Items::new(out, screen, thread, detail);
        items.turn(turn)?;
    }
    if thread.items().any(|item| item.recovered) {
        let told =
            format!("{} on disk, but not shown by {}", RECOVERED.trim_start(), thread.harness);
        writeln!(out, "\n{}", screen.paint.of(style::DIM, told))?;
    }
    if !detail.part {
        footer(out, screen, thread, detail.leaf)?;
    }
    Ok(())
}

/// A label and its value, wrapped below itself.
fn field(out: &mut dyn Write, screen: &Screen, label: &str, value: &str) -> io::Result<()> {
    if value.is_empty() {
        return Ok(());
    }
    let columns = screen.prose().saturating_sub(11);
    for (n, line) in wrap_plain(value, style::PLAIN, columns).iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        write!(out, "  {}", screen.paint.of(style::DIM, format_args!("{label:<9}")))?;
        line.write(out, screen.paint)?;
        writeln!(out)?;
    }
    Ok(())
}

fn header(
    out: &mut dyn Write,
    screen: &Screen,
    thread: &Thread,
    detail: Detail<'_>,
) -> io::Result<()> {
    let title = about::title(thread);
    if !title.is_empty() {
        let title = text::fit(&title, screen.prose());
        writeln!(out, "{}\n", screen.paint.of(style::STRONG, title))?;
    }
    for (label, value) in about::facts(thread, &screen.zone, &home(), detail.part) {
        field(out, screen, label, &value)?;
    }
    Ok(())
}

/// The home folder, for `~`; nothing where it is not known.
pub(crate) fn home() -> String {
    std::env::var("HOME").unwrap_or_default()
}

/// The line that begins a turn: `── 2 ──────── 14:03 · 42s ──`.
fn rule(
    out: &mut dyn Write,
    screen: &Screen,
    turn: &Turn,
    number: usize,
    before: Option<Timestamp>,
) -> io::Result<()> {
    let started = turn.started_at.and_then(|s| Timestamp::from_second(s).ok());
    let mut facts = Vec::new();
    if let Some(at) = started {
        facts.push((style::DIM, time::time_of_day(at, before, &screen.zone)));
    }
    let duration = turn.duration_ms.or_else(|| {
        let seconds = turn.completed_at?.checked_sub(turn.started_at?)?;
        seconds.checked_mul(1000)
    });
    if let Some(ms) = duration.filter(|ms| *ms > 0) {
        facts.push((style::DIM, time::duration(ms)));
    }
    match turn.status {
        TurnStatus::Completed => {}
        TurnStatus::Interrupted => facts.push((style::WARNING, "interrupted".to_owned())),
        TurnStatus::Failed => facts.push((style::BAD, "failed".to_owned())),
        TurnStatus::InProgress => facts.push((style::WARNING, "in progress".to_owned())),
    }
    let paint = screen.paint;
    let name = format!("Turn {number}");
    let right: usize = facts.iter().map(|(_, t)| text::width(t) + 3).sum();
    let left = 3 + name.len() + 1;
    let dashes = screen.prose().saturating_sub(left + right + if facts.is_empty() { 0 } else { 2 });
    write!(out, "{} {} ", paint.of(style::DIM, "──"), paint.of(style::STRONG, name))?;
    write!(out, "{}", paint.of(style::DIM, "─".repeat(dashes.max(2))))?;
    for (n, (style, fact)) in facts.iter().enumerate() {
        let mark = if n == 0 { " " } else { " · " };
        write!(out, "{}{}", paint.of(style::DIM, mark), paint.of(*style, fact))?;
    }
    if !facts.is_empty() {
        write!(out, "{}", paint.of(style::DIM, " ──"))?;
    }
    writeln!(out)
}

fn footer(
    out: &mut dyn Write,
    screen: &Screen,
    thread: &Thread,
    leaf: Option<&str>,
) -> io::Result<()> {
    let paint = screen.paint;
    let id = text::line(&thread.id);
    let program = text::line(&screen.program);
    let mut open = false;
    let mut section = |out: &mut dyn Write| -> io::Result<()> {
        if !std::mem::replace(&mut open, true) {
            writeln!(out, "\n{}", paint.of(style::DIM, "─".repeat(screen.prose())))?;
        }
        writeln!(out)
    };
    let shown = |b: &&Branch| leaf.map_or(b.active, |leaf| b.leaf == leaf);
    let others: Vec<&Branch> = thread.branches.iter().filter(|b| !shown(b)).collect();
    if !others.is_empty() && thread.branches.len() > 1 {
        section(out)?;
        let count = amount::plural(others.len(), "other branch", "other branches");
        writeln!(out, "{count}: {program} show {id} --branch LEAF")?;
        for branch in others {
            let leaf = text::line(&branch.leaf);
            write!(out, "  {}", paint.of(style::ID, &leaf))?;
            let room = screen.prose().saturating_sub(4 + text::width(&leaf));
            let first = branch.abandoned_prompts.first();
            let prompt = first.map(|p| text::line(text::beginning(p, 200)));
            let more = match branch.abandoned_prompts.len() {
                0 | 1 => String::new(),
                n => format!(" and {}", amount::plural(n - 1, "more prompt", "more prompts")),
            };
            match prompt {
                _ if branch.active => write!(out, "  {}", paint.of(style::DIM, "the active one"))?,
                Some(prompt) if room > more.len() + 12 => {
                    let prompt = text::fit(&prompt, room - more.len());
                    write!(out, "  {prompt}{}", paint.of(style::DIM, more))?;
                }
                _ => {}
            }
            writeln!(out)?;
        }
    }
    if !thread.lineage.subagents.is_empty() {
        section(out)?;
        writeln!(
            out,
            "{}:",
            amount::plural(thread.lineage.subagents.len(), "sub-agent", "sub-agents")
        )?;
        for agent in &thread.lineage.subagents {
            let command = format!("{program} show {}", text::line(&agent.id));
            write!(out, "  {}", paint.of(style::ID, &command))?;
            if let Some(name) = &agent.name {
                let name = text::line(text::beginning(name, 200));
                let room = screen.prose().saturating_sub(4 + text::width(&command));
                if room > 8 {
                    write!(out, "  {}", text::fit(&name, room))?;
                }
            }
            writeln!(out)?;
        }
    }
    if !thread.findings.is_empty() {
        section(out)?;
        let count = |s| thread.findings.iter().filter(|f| f.severity == s).count();
        let style = match () {
            () if count(Severity::Error) > 0 => style::BAD,
            () if count(Severity::Warning) > 0 => style::WARNING,
            () => style::DIM,
        };
        let findings = amount::plural(thread.findings.len(), "finding", "findings");
        writeln!(out, "{}: {program} check {id}", paint.of(style, findings))?;
    }
    Ok(())
}
