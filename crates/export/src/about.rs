//! What stands above a thread.

use std::fmt::Write as _;

use jiff::tz::TimeZone;
use recount_session::model::{Thread, ThreadStatus, Turn, Usage};

use crate::{prose, time};
use recount_text::{amount, text};

/// The title of a thread in one harmless line; nothing when it has none.
pub fn title(thread: &Thread) -> String {
    let title = thread.title.as_deref().or(thread.preview.as_deref()).unwrap_or("");
    text::line(text::beginning(title, 300)).into_owned()
}

/// What is known of a thread: labels and harmless values. What is not known is left out. `home` becomes `~`; `part`
/// leaves out what speaks of the whole thread.
pub fn facts(
    thread: &Thread,
    zone: &TimeZone,
    home: &str,
    part: bool,
) -> Vec<(&'static str, String)> {
    let mut agent = thread.harness.to_string();
    if let Some(model) = &thread.model {
        let _ = write!(agent, " with {}", text::line(model));
    }
    let mut place =
        thread.cwd.as_deref().map(|cwd| tilde(&text::line(cwd), home)).unwrap_or_default();
    if let Some(branch) = &thread.git_branch {
        let on = if place.is_empty() { "" } else { " " };
        let _ = write!(place, "{on}on {}", text::line(branch));
    }
    let mut when = match (
        thread.created_at.as_deref().and_then(time::parse),
        thread.updated_at.as_deref().and_then(time::parse),
    ) {
        (Some(from), Some(to)) => time::span(from, to, zone),
        (Some(one), None) | (None, Some(one)) => time::day_and_time(one, zone),
        (None, None) => String::new(),
    };
    if !part {
        let turns = match thread.status {
            ThreadStatus::Empty => "no turns".to_owned(),
            _ => amount::plural(thread.turns.len(), "turn", "turns"),
        };
        when.push_str(if when.is_empty() { "" } else { ", " });
        when.push_str(&turns);
    }
    if thread.status == ThreadStatus::Open {
        when.push_str(", the last one open");
    }
    let context = thread.context.as_ref().map(|context| {
        let of =
            context.max_tokens.map(|n| format!(" of {}", amount::count(n))).unwrap_or_default();
        format!("{}{of} tokens", amount::count(context.used_tokens))
    });
    let lineage = &thread.lineage;
    let id = |id: &Option<String>| text::line(id.as_deref().unwrap_or("")).into_owned();
    let forked = lineage.forked_from_id.as_deref().map(|id| format!("from {}", text::line(id)));
    let mut facts = vec![
        ("session", text::line(&thread.id).into_owned()),
        ("agent", agent),
        ("place", place),
        ("when", when),
        ("tokens", tokens(&thread.usage)),
        ("context", context.unwrap_or_default()),
        ("parent", id(&lineage.parent_id)),
        ("forked", forked.unwrap_or_default()),
        ("goes on", id(&lineage.continued_in)),
    ];
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// When a turn began, how long it took, how it ended.
pub fn turn(turn: &Turn, zone: &TimeZone) -> String {
    prose::turn_facts(turn, zone)
}

/// Tokens in one line; nothing when no response was counted.
pub fn tokens(usage: &Usage) -> String {
    if usage.responses == 0 && usage.total_tokens == 0 {
        return String::new();
    }
    let mut parts = vec![format!("{} in", amount::count(usage.input_tokens))];
    for (n, what) in [
        (usage.cached_input_tokens, "cached"),
        (usage.cache_write_tokens, "written to cache"),
        (usage.output_tokens, "out"),
    ] {
        if n > 0 || what == "out" {
            parts.push(format!("{} {what}", amount::count(n)));
        }
    }
    if usage.reasoning_tokens > 0
        && let Some(last) = parts.last_mut()
    {
        let _ = write!(last, " ({} reasoning)", amount::count(usage.reasoning_tokens));
    }
    if let Some(cost) = usage.cost_usd {
        parts.push(format!("${cost:.2}"));
    }
    parts.join(", ")
}

/// A path with `~` for the home folder.
pub fn tilde(path: &str, home: &str) -> String {
    match path.strip_prefix(home.trim_end_matches('/')) {
        Some("") if !home.is_empty() => "~".to_owned(),
        Some(rest) if !home.is_empty() && rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}

/// A path relative to a thread's working directory.
pub fn relative(path: &str, cwd: Option<&str>, home: &str) -> String {
    let cwd = cwd.unwrap_or("").trim_end_matches('/');
    match path.strip_prefix(cwd).filter(|_| !cwd.is_empty()) {
        Some("" | "/") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => rest[1..].to_owned(),
        _ => tilde(path, home),
    }
}
