//! Words that several formats have in common.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recount_formats::Finding;
use recount_session::model::item::UserInput;
use recount_session::model::{Aside, Item, ItemKind, Subagent, Thread, Turn, TurnStatus};

use crate::call::{Call, End};
use crate::family::Whole;
use crate::html::item;
use crate::json;
use crate::options::{Options, Tools};
use crate::time;
use recount_text::{amount, text};

/// Who wrote the export, and what its times are. Harmless.
pub(crate) fn written_by(options: &Options) -> String {
    let zone = options.zone.iana_name().unwrap_or("local time");
    format!("Written by {}. Times are in {zone}.", text::line(&options.generator))
}

/// When a turn began, how long it took, how it ended. Harmless.
pub(crate) fn turn_facts(turn: &Turn, zone: &TimeZone) -> String {
    let mut facts = Vec::new();
    if let Some(at) = turn.started_at.and_then(|s| Timestamp::from_second(s).ok()) {
        facts.push(time::day_and_time(at, zone));
    }
    let duration = turn.duration_ms.or_else(|| {
        let seconds = turn.completed_at?.checked_sub(turn.started_at?)?;
        seconds.checked_mul(1000)
    });
    if let Some(ms) = duration.filter(|ms| *ms > 0) {
        facts.push(recount_text::time::duration(ms));
    }
    match turn.status {
        TurnStatus::Completed => {}
        TurnStatus::Interrupted => facts.push("interrupted".to_owned()),
        TurnStatus::Failed => facts.push("failed".to_owned()),
        TurnStatus::InProgress => facts.push("in progress".to_owned()),
    }
    facts.join(" · ")
}

/// How a call ended and how long it took. Harmless.
pub(crate) fn call_facts(call: &Call<'_>) -> Vec<String> {
    let end = match &call.end {
        End::Quiet => None,
        End::Good => Some("✓".to_owned()),
        End::Bad(how) => Some(format!("✗ {how}")),
        End::Declined => Some("✗ declined".to_owned()),
        End::Open => Some("… no result".to_owned()),
    };
    let duration = call.duration_ms.filter(|ms| *ms > 0).map(recount_text::time::duration);
    end.into_iter().chain(duration).collect()
}

/// What "recovered" says.
pub(crate) const RECOVERED: &str =
    "the file holds it although the harness's own display has lost it";

/// What follows an item that the harness's own display has lost.
pub(crate) fn recovered(item: &Item) -> &'static str {
    if item.recovered { "  (recovered)" } else { "" }
}

/// The sections of reasoning that say something.
pub(crate) fn reasoning<'a>(
    summary: &'a [String],
    content: &'a [String],
) -> impl Iterator<Item = &'a str> {
    summary.iter().chain(content).map(String::as_str).filter(|part| !part.trim().is_empty())
}

/// What a person put in, images and files as `[image …]`. Not harmless.
pub(crate) fn input(part: &UserInput) -> Cow<'_, str> {
    let label = |kind: &str, what: &str| {
        let between = if what.is_empty() { "" } else { " " };
        Cow::Owned(format!("[{kind}{between}{what}]"))
    };
    let address = |url: &str| if url.starts_with("data:") { "" } else { url }.to_owned();
    match part {
        UserInput::Text { text, .. } => Cow::Borrowed(text),
        UserInput::Image { url, file_id, .. } => {
            let url = url.as_deref().map(address).filter(|url| !url.is_empty());
            label("image", url.as_deref().or(file_id.as_deref()).unwrap_or(""))
        }
        UserInput::LocalImage { path, .. } => label("image", path),
        UserInput::Audio { url } => label("audio", &address(url)),
        UserInput::LocalAudio { path } => label("audio", path),
        UserInput::Skill { name, .. } => label("skill", name),
        UserInput::Mention { name, path } => {
            label("mention", if path.is_empty() { name } else { path })
        }
    }
}

/// An image in words.
pub(crate) fn image(url: &str) -> String {
    match url.strip_prefix("data:") {
        None => format!("[image {}]", text::line(text::beginning(url, 300))),
        Some(data) => {
            let kind = data.split([';', ',']).next().unwrap_or("");
            let kind = text::line(text::beginning(kind, 40));
            format!("[image {kind}, {}]", amount::bytes(data.len() as u64 / 4 * 3))
        }
    }
}

/// A sub-agent by name and id. Harmless.
pub(crate) fn agent(agent: &Subagent) -> String {
    let id = text::line(text::beginning(&agent.id, 100));
    match agent.name.as_deref().filter(|name| !name.trim().is_empty()) {
        Some(name) => format!("{} ({id})", text::line(text::beginning(name, 200))),
        None => id.into_owned(),
    }
}

/// What a turn is about, in one harmless line. So many items at its beginning do not count.
pub(crate) fn asked(thread: &Thread, turn: &Turn, skipped: usize) -> String {
    let line = item::about(thread, turn.items.get(skipped..).unwrap_or_default(), 160);
    if line.trim().is_empty() { "—".to_owned() } else { line }
}

/// What a branch is about: the first of it that the active branch does not say.
pub(crate) fn asked_aside(thread: &Thread, aside: &Aside) -> String {
    let first = aside.own_turns(&thread.turns).next();
    first.map_or_else(String::new, |(_, turn, shared)| asked(thread, turn, shared))
}

/// The branches that say something of their own, with their numbers.
pub(crate) fn asides(whole: &Whole) -> impl Iterator<Item = (usize, &Aside)> {
    let turns = &whole.thread.turns;
    whole.asides.iter().enumerate().filter(|(_, aside)| aside.own_turns(turns).next().is_some())
}

/// What a branch is. Harmless.
pub(crate) fn aside(aside: &Aside, thread: &Thread) -> String {
    let leaf = text::line(text::beginning(&aside.leaf, 100));
    match (aside.shared_turns, aside.shared_items(&thread.turns)) {
        (0, 0) => format!("Another branch, from the beginning (ends at {leaf})"),
        (n, 0) => format!("Another branch, leaving after turn {n} (ends at {leaf})"),
        (n, _) => format!("Another branch, leaving within turn {} (ends at {leaf})", n + 1),
    }
}

/// Says what was left out, so that nothing is missing silently, and what was recovered.
pub(crate) fn left_out(whole: &Whole, options: &Options) -> Vec<String> {
    let others = whole.thread.branches.iter().filter(|b| !b.active).count();
    let mut lines = Vec::new();
    let missing = if options.branches { others.saturating_sub(whole.asides.len()) } else { others };
    if missing > 0 {
        let what = amount::plural(missing, "other branch was", "other branches were");
        lines.push(format!("{what} left out."));
    }
    let items = || whole.thread.turns.iter().flat_map(|turn| &turn.items);
    let calls = items().filter(|item| json::is_call(&item.kind)).count();
    match options.tools {
        Tools::None if calls > 0 => {
            lines.push(format!(
                "{} left out.",
                amount::plural(calls, "tool call was", "tool calls were")
            ));
        }
        Tools::Summary if calls > 0 => {
            lines.push("What tools were given and gave back was left out.".to_owned());
        }
        _ => {}
    }
    let thoughts = items().filter(|item| matches!(item.kind, ItemKind::Reasoning { .. })).count();
    if !options.reasoning && thoughts > 0 {
        lines.push("Reasoning was left out.".to_owned());
    }
    if items().any(|item| item.recovered) {
        lines.push(format!("Recovered: {RECOVERED}."));
    }
    let agents = whole.thread.lineage.subagents.len();
    if !options.subagents && agents > 0 {
        let what = amount::plural(agents, "sub-agent was", "sub-agents were");
        lines.push(format!("{what} left out."));
    }
    lines
}

/// How many findings there are, for the head of a thread: who reads it should know at once.
pub(crate) fn findings(thread: &Thread) -> Option<String> {
    match thread.findings.len() {
        0 => None,
        n => Some(format!("{n}, told at the end: not all of it could be read as it was meant")),
    }
}

/// A finding in one line.
pub(crate) fn finding(finding: &Finding) -> String {
    let place = if finding.line > 0 { format!(":{}", finding.line) } else { String::new() };
    format!(
        "{} {}{place}: {}",
        finding.severity.name(),
        text::line(finding.source.rsplit('/').next().unwrap_or_default()),
        text::line(&finding.message)
    )
}
