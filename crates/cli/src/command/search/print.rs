//! Hits for people.

use std::io::{self, Write};

use recount_index::search::{Found, Hit, How, InSession, Role, Snippet};

use crate::output::flow::{self, Span};
use crate::output::paint::{Paint, style};
use crate::output::{Screen, amount, text, time};

/// The column in which snippets begin.
const INDENT: usize = 13;
/// More lines of a snippet are not shown, unless context was asked for.
const LINES: usize = 2;
/// The longest part of an item's id that is shown. `show --at` takes the beginning of an id.
const ID: usize = 18;
/// So much of a session's id is shown; it is enough nearly always, and `show` says when it is not.
const SESSION: usize = 13;

/// Writes what was found; `lines` when snippets are whole lines.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &Screen,
    found: &Found,
    lines: bool,
) -> io::Result<()> {
    let how = match found.how {
        How::Exactly => None,
        How::Across => {
            Some("Nothing has all of it in one place. These sessions have it in several:")
        }
        How::Parts => Some("Nothing has just that. Near it:"),
        How::Similar => Some("Nothing found. Similar words:"),
    };
    if let Some(how) = how {
        writeln!(out, "{}\n", screen.paint.of(style::WARNING, how))?;
    }
    for (n, session) in found.sessions.iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        session_head(out, screen, session)?;
        for hit in &session.hits {
            write_hit(out, screen, hit, lines)?;
        }
        let more = session.all_hits.saturating_sub(session.hits.len() as u64);
        if more > 0 && found.all_sessions.is_some() {
            let more = format!(
                "{:INDENT$}and {}",
                "",
                amount::plural(more as usize, "more hit", "more hits")
            );
            writeln!(out, "{}", screen.paint.of(style::DIM, more))?;
        }
    }
    if screen.terminal {
        let shown = found.sessions.len();
        let count = match found.all_sessions {
            Some(all) if all > shown => {
                format!("{shown} of {} · --limit N", amount::plural(all, "session", "sessions"))
            }
            _ => amount::plural(shown, "session", "sessions"),
        };
        let line = format!("\n{count} · {} show ID --at ITEM", screen.program);
        writeln!(out, "{}", screen.paint.of(style::DIM, line))?;
    }
    Ok(())
}

/// One line: id, harness, age, project, title.
fn session_head(out: &mut dyn Write, screen: &Screen, found: &InSession) -> io::Result<()> {
    let session = &found.session;
    let paint = screen.paint;
    let id = text::line(text::beginning(&session.id, SESSION)).into_owned();
    let age = session.updated_at.as_deref().and_then(time::parse);
    let age = age.map(|t| time::age(t, screen.now)).unwrap_or_default();
    let project =
        session.cwd.as_deref().and_then(|cwd| cwd.rsplit(['/', '\\']).find(|p| !p.is_empty()));
    let project = text::line(project.unwrap_or("")).into_owned();
    let mark = if session.is_subagent { "sub-agent: " } else { "" };
    let title =
        text::line(text::beginning(session.title.as_deref().unwrap_or(""), 500)).into_owned();
    let facts: Vec<&str> =
        [session.harness.as_str(), &age, &project].into_iter().filter(|f| !f.is_empty()).collect();
    let used = text::width(&id) + 2 + text::width(&facts.join(" · ")) + 2;
    let title = format!("{mark}{title}");
    let room = screen.columns.map_or(usize::MAX, |columns| columns.saturating_sub(used));
    let title = text::fit(&title, room);
    writeln!(
        out,
        "{}  {}  {}",
        paint.of(style::ID, &id),
        paint.of(style::DIM, facts.join(" · ")),
        paint.of(style::STRONG, title)
    )
}

fn write_hit(out: &mut dyn Write, screen: &Screen, hit: &Hit, lines: bool) -> io::Result<()> {
    let paint = screen.paint;
    let label = match (hit.role, hit.tool.as_deref()) {
        (Role::Tool, Some(tool)) => text::line(tool).into_owned(),
        (role, _) => role.name().to_owned(),
    };
    let label = text::fit(&label, INDENT - 3).into_owned();
    let room = screen.columns.map_or(usize::MAX, |c| c.saturating_sub(INDENT).max(20));
    let mut lines = wrapped(&hit.snippet, room, paint, lines);
    // The id stands behind the last line, or below it.
    let id = text::line(text::beginning(&hit.item, ID)).into_owned();
    let branch = hit.leaf.as_deref().map_or(String::new(), |leaf| {
        format!(" on the branch {} that was left", text::line(text::beginning(leaf, ID)))
    });
    let reference = format!("{id}{branch}");
    let fits = lines.last().is_some_and(|l| l.width() + 2 + text::width(&reference) <= room);
    if lines.is_empty() {
        lines.push(flow::Line::default());
    }
    let last = lines.len() - 1;
    for (n, line) in lines.iter().enumerate() {
        let head = if n == 0 { label.as_str() } else { "" };
        let gap = INDENT - 2 - text::width(head);
        write!(out, "  {}{:gap$}", paint.of(style::NAME, head), "")?;
        line.write(out, paint)?;
        if n == last && fits && !reference.is_empty() {
            write!(out, "  {}", paint.of(style::DIM, &reference))?;
        }
        writeln!(out)?;
    }
    if !fits && !reference.is_empty() {
        writeln!(out, "{:INDENT$}{}", "", paint.of(style::DIM, &reference))?;
    }
    Ok(())
}

/// A snippet in lines, its matches marked: in colour, else by signs.
fn wrapped(snippet: &Snippet, room: usize, paint: Paint, lines: bool) -> Vec<flow::Line> {
    let harmless =
        |content: &str| if lines { text::clean(content).into_owned() } else { flat(content) };
    let plain = |content: &str| Span { style: style::PLAIN, text: harmless(content) };
    let dots =
        |shown: bool| Span { style: style::DIM, text: if shown { "…" } else { "" }.to_owned() };
    let mut spans = vec![dots(snippet.cut_before && !lines)];
    let mut at = 0;
    for mark in &snippet.marks {
        let (Some(before), Some(marked)) =
            (snippet.text.get(at..mark.start), snippet.text.get(mark.clone()))
        else {
            continue;
        };
        spans.push(plain(before));
        let marked = harmless(marked);
        let marked = if paint.0 { marked } else { format!("«{marked}»") };
        spans.push(Span { style: style::MATCH, text: marked });
        at = mark.end;
    }
    spans.push(plain(snippet.text.get(at..).unwrap_or("")));
    spans.push(dots(snippet.cut_after && !lines));
    let mut wrapped = flow::wrap(&spans, room.saturating_sub(1));
    if !lines {
        // The match is shown, whatever stands before it.
        let marked = wrapped.iter().position(|l| l.0.iter().any(|span| span.style == style::MATCH));
        let first = marked.unwrap_or(0).saturating_sub(LINES - 1);
        wrapped.drain(..first);
        if first > 0
            && let Some(line) = wrapped.first_mut()
        {
            line.0.insert(0, dots(true));
        }
        wrapped.truncate(LINES);
    }
    wrapped
}

/// Harmless text on one line; a space at an end stays.
fn flat(content: &str) -> String {
    let inner = text::line(content);
    let space = |has: bool| if has { " " } else { "" };
    if inner.is_empty() {
        return space(!content.is_empty()).to_owned();
    }
    let before = space(content.starts_with(char::is_whitespace));
    let after = space(content.ends_with(char::is_whitespace));
    format!("{before}{inner}{after}")
}
