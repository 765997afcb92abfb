//! The conversation with its header.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use recount_text::{amount, text};

use super::cut;
use crate::conversation::Conversation;
use crate::state::{Focus, State};

pub(super) fn conversation(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let theme = state.theme;
    let columns = usize::from(area.width);
    let head = Rect { height: area.height.min(3), ..area };
    if let Some(opening) = &state.opening
        && state.conversation.is_none()
    {
        let opening = format!(" opening {}…", opening.title);
        frame.render_widget(cut(Line::styled(opening, theme.quiet()), columns), head);
        return;
    }
    let depth = state.stack.len();
    let Some(conversation) = &mut state.conversation else {
        let hint = " Enter opens a session, ? shows the keys";
        frame.render_widget(cut(Line::styled(hint, theme.quiet()), columns), head);
        return;
    };
    let mut lines = header(conversation, depth, theme, columns);
    lines.push(Line::styled("─".repeat(columns), theme.rule()));
    frame.render_widget(Paragraph::new(lines), head);
    let body =
        Rect { y: area.y + head.height, height: area.height.saturating_sub(head.height), ..area };
    state.areas.conversation = body;
    let focused = state.focus == Focus::Conversation;
    let query = conversation.search.as_ref().map(|s| s.query.clone());
    let selected = conversation.selected();
    let rows = conversation.visible();
    let mut out = Vec::with_capacity(rows.len());
    let mut before = None;
    for (cell, line) in rows {
        // The gap above a cell is not marked.
        let first = before != Some(cell);
        let blank = line.spans.is_empty();
        let mark = if cell == selected && !(first && blank) && focused {
            Span::styled("▎ ", theme.accent())
        } else {
            Span::raw("  ")
        };
        before = Some(cell);
        let line = match &query {
            Some(query) => marked(line, query, theme.found()),
            None => line,
        };
        let mut spans = vec![mark];
        spans.extend(line.spans);
        out.push(cut(Line::from(spans), columns));
    }
    if out.is_empty() {
        out.push(Line::styled("  this session is empty", theme.quiet()));
    }
    frame.render_widget(Paragraph::new(out), body);
    scrollbar(frame, state, body);
}

/// What is known about a session, on two lines.
fn header(
    conversation: &Conversation,
    depth: usize,
    theme: crate::Theme,
    columns: usize,
) -> Vec<Line<'static>> {
    let info = &conversation.info;
    let title = text::line(text::beginning(&info.title, 300)).into_owned();
    let mut first = vec![Span::raw(" ")];
    if depth > 0 {
        first.push(Span::styled("↳ ".repeat(depth.min(4)), theme.accent()));
    }
    let title = if title.is_empty() { text::line(&info.id).into_owned() } else { title };
    first.push(Span::styled(title, Style::new().add_modifier(Modifier::BOLD)));
    let second = facts(conversation, theme);
    // What has no room goes whole: first what stands in the list too, then what can be counted elsewhere.
    let mut level = 0;
    while level < 5 && width(&second, level) > columns {
        level += 1;
    }
    let mut line = vec![Span::raw(" ")];
    for fact in second.into_iter().filter(|fact| fact.goes > level) {
        if line.len() > 1 {
            line.push(Span::styled(" · ", theme.quiet()));
        }
        line.extend(fact.spans);
    }
    vec![cut(Line::from(first), columns), cut(Line::from(line), columns)]
}

/// One thing that is known about a session.
struct Fact {
    spans: Vec<Span<'static>>,
    /// At which level of want of room it goes.
    goes: usize,
}

/// Columns of what is left at a level.
fn width(facts: &[Fact], level: usize) -> usize {
    let left = facts.iter().filter(|fact| fact.goes > level);
    left.map(|fact| 3 + fact.spans.iter().map(|s| text::width(&s.content)).sum::<usize>()).sum()
}

fn facts(conversation: &Conversation, theme: crate::Theme) -> Vec<Fact> {
    let info = &conversation.info;
    let quiet =
        |goes: usize, text: String| Fact { spans: vec![Span::styled(text, theme.quiet())], goes };
    let mut facts = Vec::new();
    if conversation.partial {
        facts.push(quiet(6, "reading all of it…".to_owned()));
        return facts;
    }
    if let Some((used, most)) = info.fill() {
        facts.push(Fact { spans: meter(used, most, theme), goes: 6 });
    }
    facts.push(quiet(1, info.harness.id().to_owned()));
    if let Some(model) = &info.model {
        facts.push(quiet(3, text::line(model).into_owned()));
    }
    facts.push(quiet(2, amount::plural(info.turns, "turn", "turns")));
    if info.usage.total_tokens > 0 {
        facts.push(quiet(4, format!("{} tokens", amount::count(info.usage.total_tokens))));
    }
    if let Some((cost, more)) = info.cost() {
        let known = if cost < 0.01 { "<$0.01".to_owned() } else { format!("${cost:.2}") };
        facts.push(quiet(5, format!("{known}{}", if more { "+" } else { "" })));
    }
    if info.branches.len() > 1 {
        facts.push(match &conversation.leaf {
            Some(leaf) => quiet(6, format!("branch {}", text::line(text::beginning(leaf, 8)))),
            None => quiet(3, format!("{} branches", info.branches.len())),
        });
    }
    if conversation.follow && info.open {
        facts.push(Fact { spans: vec![Span::styled("following", theme.good())], goes: 5 });
    }
    facts
}

/// How full the context is.
fn meter(used: u64, most: Option<u64>, theme: crate::Theme) -> Vec<Span<'static>> {
    let Some(most) = most.filter(|m| *m > 0) else {
        return vec![Span::styled(format!("context {}", amount::count(used)), theme.quiet())];
    };
    let part = (used as f64 / most as f64).clamp(0.0, 1.0);
    let full = (part * 8.0).round() as usize;
    let percent = if part < 0.005 { "<1".to_owned() } else { format!("{:.0}", part * 100.0) };
    let style = if part > 0.8 { theme.text(recount_text::paint::style::BAD) } else { theme.good() };
    vec![
        Span::styled("context ", theme.quiet()),
        Span::styled("▰".repeat(full), style),
        Span::styled("▱".repeat(8 - full), theme.quiet()),
        Span::styled(format!(" {percent} % of {}", amount::count(most)), theme.quiet()),
    ]
}

/// A thumb at the right edge: where in the session the screen is.
fn scrollbar(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let Some(conversation) = &mut state.conversation else { return };
    if area.height < 2 || area.width < 2 || conversation.len() < 2 {
        return;
    }
    let place = conversation.position() * f64::from(area.height - 1);
    let at = Rect {
        x: area.x + area.width - 1,
        y: area.y + (place.round() as u16).min(area.height - 1),
        width: 1,
        height: 1,
    };
    frame.render_widget(Line::styled("▐", state.theme.rule()), at);
}

/// Marks what is looked for in a line.
fn marked(line: Line<'static>, query: &str, style: Style) -> Line<'static> {
    let case = query.chars().any(char::is_uppercase);
    let whole = line.to_string();
    // Letters whose small form is longer would shift all that follows: then only the exact spelling is marked.
    let lower = whole.to_lowercase();
    let (hay, needle) = if case || lower.len() != whole.len() {
        (whole, query.to_owned())
    } else {
        (lower, query.to_lowercase())
    };
    let found: Vec<_> = hay.match_indices(&needle).map(|(at, m)| at..at + m.len()).collect();
    if found.is_empty() {
        return line;
    }
    let mut out = Vec::new();
    let mut at = 0;
    for span in line.spans {
        let end = at + span.content.len();
        let mut from = at;
        for range in &found {
            let (start, stop) = (range.start.clamp(from, end), range.end.clamp(from, end));
            if start >= stop {
                continue;
            }
            let part = |a: usize, b: usize| {
                span.content.get(a - at..b - at).unwrap_or_default().to_owned()
            };
            if start > from {
                out.push(Span::styled(part(from, start), span.style));
            }
            out.push(Span::styled(part(start, stop), style));
            from = stop;
        }
        if from < end {
            let rest = span.content.get(from - at..).unwrap_or_default().to_owned();
            out.push(Span::styled(rest, span.style));
        }
        at = end;
    }
    Line::from(out)
}
