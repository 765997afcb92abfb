//! Drawing.
//!
//! Everything that comes from a transcript was made harmless when its lines were made; titles and the like are made so here.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};
use recount_text::{amount, text, time};

use crate::conversation::Conversation;
use crate::keymap::{BINDINGS, Place};
use crate::state::{Areas, Focus, Input, Overlay, Picker, State};
use crate::update::facet_name;

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut State) {
    let area = frame.area();
    if area.width < 8 || area.height < 3 {
        return;
    }
    let body = Rect { height: area.height - 1, ..area };
    let bar = Rect { y: area.y + area.height - 1, height: 1, ..area };
    state.areas = Areas::default();
    if state.is_split() {
        let columns = state.list_columns();
        let left = Rect { width: columns, ..body };
        let right = Rect { x: body.x + columns + 1, width: body.width - columns - 1, ..body };
        list(frame, state, left);
        let rule = Rect { x: body.x + columns, width: 1, ..body };
        let rows = vec![Line::styled("│", state.theme.rule()); usize::from(rule.height)];
        frame.render_widget(Paragraph::new(rows), rule);
        conversation(frame, state, right);
    } else if state.focus == Focus::List && !(state.wide && state.conversation.is_some()) {
        list(frame, state, body);
    } else {
        conversation(frame, state, body);
    }
    bottom(frame, state, bar);
    match &state.overlay {
        Some(Overlay::Help(from)) => help(frame, state, *from),
        Some(Overlay::Branches(picker) | Overlay::Subagents(picker)) => pick(frame, state, picker),
        None => {}
    }
}

/// One line, cut to its room.
fn cut(line: Line<'static>, columns: usize) -> Line<'static> {
    if line.width() <= columns {
        return line;
    }
    let mut out = Vec::new();
    let mut room = columns;
    for span in line.spans {
        let width = text::width(&span.content);
        if width < room {
            room -= width;
            out.push(span);
            continue;
        }
        // More follows, and one mark tells it.
        let marked = format!("{}…", span.content);
        out.push(Span::styled(text::fit(&marked, room).into_owned(), span.style));
        break;
    }
    Line::from(out).style(line.style)
}

fn list(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let theme = state.theme;
    let columns = usize::from(area.width);
    let focused = state.focus == Focus::List;
    let name = if focused { theme.accent() } else { theme.quiet() };
    let mut head = vec![Span::styled(" Sessions ", name)];
    let count = match (state.list.len(), state.list.count()) {
        _ if !state.list.listed => "reading…".to_owned(),
        (n, all) if n == all => n.to_string(),
        (n, all) => format!("{n} of {all}"),
    };
    head.push(Span::styled(count, theme.quiet()));
    let mut facets = vec![Span::raw(" ")];
    for facet in std::iter::once(None).chain(state.list.harnesses().into_iter().map(Some)) {
        let on = state.list.facet == facet;
        let style =
            if on { theme.accent().add_modifier(Modifier::UNDERLINED) } else { theme.quiet() };
        facets.push(Span::styled(facet_name(facet), style));
        facets.push(Span::raw(" "));
    }
    if state.list.all {
        facets.push(Span::styled("+sub-agents", theme.accent()));
    }
    let filter = match &state.input {
        Some(Input::Filter(_)) => Line::from(vec![
            Span::styled(" /", theme.accent()),
            Span::raw(text::clean(&state.list.filter).into_owned()),
            Span::styled("▏", theme.accent()),
        ]),
        _ if state.list.filter.is_empty() => Line::styled(" / filter", theme.quiet()),
        _ => Line::from(vec![
            Span::styled(" / ", theme.quiet()),
            Span::raw(text::clean(&state.list.filter).into_owned()),
        ]),
    };
    let top = vec![
        cut(Line::from(head), columns),
        cut(Line::from(facets), columns),
        cut(filter, columns),
    ];
    let used = top.len() as u16;
    frame.render_widget(Paragraph::new(top), area);
    let rows = Rect {
        y: area.y + used.min(area.height),
        height: area.height.saturating_sub(used),
        ..area
    };
    state.areas.list = rows;
    let fit = usize::from(rows.height / 2).max(1);
    let list = &mut state.list;
    list.offset = list.offset.clamp((list.selected + 1).saturating_sub(fit), list.selected);
    if list.offset + fit > list.len() {
        list.offset = list.len().saturating_sub(fit);
    }
    let open = state.conversation.as_ref().map(|c| c.head.id.clone());
    for n in 0..fit {
        let place = state.list.offset + n;
        let Some(row) = state.list.get(place) else { break };
        let at = Rect {
            y: rows.y + 2 * n as u16,
            height: 2.min(rows.height.saturating_sub(2 * n as u16)),
            ..rows
        };
        let selected = place == state.list.selected;
        let style = if selected { theme.selected(focused) } else { Style::new() };
        let age = row.head.updated_at.as_deref().and_then(|t| t.parse().ok());
        let age = age.map_or_else(String::new, |t| time::age(t, state.now));
        let title_style = if open.as_deref() == Some(&row.head.id) {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new()
        };
        let sign = if row.alive { Span::styled("● ", theme.good()) } else { Span::raw("  ") };
        let room = columns.saturating_sub(3 + text::width(&age) + 1);
        let title = text::fit(&row.title, room).into_owned();
        let pad = room.saturating_sub(text::width(&title)) + 1;
        let first = Line::from(vec![
            sign,
            Span::styled(title, title_style),
            Span::raw(" ".repeat(pad)),
            Span::styled(age, theme.quiet()),
        ]);
        let project = row.head.cwd.as_deref().map_or("", |c| c.rsplit('/').next().unwrap_or(c));
        let mut about = vec![row.head.harness.id().to_owned()];
        if row.head.is_subagent {
            about.push("sub-agent".to_owned());
        }
        if row.head.archived {
            about.push("archived".to_owned());
        }
        about.extend((!project.is_empty()).then(|| text::line(project).into_owned()));
        about.push(amount::bytes(row.head.size));
        let second = Line::styled(format!("  {}", about.join(" · ")), theme.quiet());
        let lines = vec![cut(first, columns), cut(second, columns)];
        frame.render_widget(Paragraph::new(lines).style(style), at);
    }
    if state.list.listed && state.list.is_empty() {
        let none = if state.list.count() == 0 { "  no sessions" } else { "  nothing fits" };
        frame.render_widget(Line::styled(none, theme.quiet()), rows);
    }
}

fn conversation(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
    let theme = state.theme;
    let columns = usize::from(area.width);
    let head = Rect { height: area.height.min(3), ..area };
    if let Some((_, title)) = &state.opening
        && state.conversation.is_none()
    {
        let opening = format!(" opening {title}…");
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
    let mut parts = vec![info.harness.id().to_owned()];
    if let Some(model) = &info.model {
        parts.push(text::line(model).into_owned());
    }
    parts.push(amount::plural(info.turns, "turn", "turns"));
    let usage = &info.usage;
    if usage.total_tokens > 0 {
        parts.push(format!("{} tokens", amount::count(usage.total_tokens)));
    }
    if let Some(cost) = usage.cost_usd.filter(|c| *c > 0.0) {
        parts.push(format!("${cost:.2}"));
    }
    let mut second = vec![Span::raw(" ")];
    if let Some((used, most)) = info.context.filter(|(used, _)| *used > 0) {
        second.extend(meter(used, most, theme));
        second.push(Span::styled(" · ", theme.quiet()));
    }
    second.push(Span::styled(parts.join(" · "), theme.quiet()));
    if info.branches.len() > 1 {
        let branch = match &conversation.leaf {
            Some(leaf) => format!(" · branch {}", text::line(text::beginning(leaf, 8))),
            None => format!(" · {} branches", info.branches.len()),
        };
        second.push(Span::styled(branch, theme.quiet()));
    }
    if conversation.follow && info.open {
        second.push(Span::styled(" · following", theme.good()));
    }
    vec![cut(Line::from(first), columns), cut(Line::from(second), columns)]
}

/// How full the context is.
fn meter(used: u64, most: Option<u64>, theme: crate::Theme) -> Vec<Span<'static>> {
    let Some(most) = most.filter(|m| *m > 0) else {
        return vec![Span::styled(format!("context {}", amount::count(used)), theme.quiet())];
    };
    let part = (used as f64 / most as f64).clamp(0.0, 1.0);
    let full = (part * 8.0).round() as usize;
    let style = if part > 0.8 { theme.text(recount_text::paint::style::BAD) } else { theme.good() };
    vec![
        Span::styled("context ", theme.quiet()),
        Span::styled("▰".repeat(full), style),
        Span::styled("▱".repeat(8 - full), theme.quiet()),
        Span::styled(format!(" {:.0} % of {}", part * 100.0, amount::count(most)), theme.quiet()),
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

/// The bar at the bottom: what is typed, what was said, or the keys that matter most.
fn bottom(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let theme = state.theme;
    let line = match (&state.input, &state.status, &state.opening) {
        (Some(Input::Find(query)), ..) => Line::from(vec![
            Span::styled(" find: ", theme.accent()),
            Span::raw(text::clean(query).into_owned()),
            Span::styled("▏", theme.accent()),
        ]),
        (Some(Input::Filter(_)), ..) => {
            Line::raw(" type to filter · Enter keeps · Esc gives up · ↑ ↓ choose")
        }
        (_, Some(status), _) => Line::raw(format!(" {}", text::line(text::beginning(status, 500)))),
        (_, _, Some((_, title))) => Line::raw(format!(" opening {title}…")),
        _ if state.focus == Focus::List => {
            Line::raw(" Enter open · / filter · f harness · Y resume · ? keys · q quit")
        }
        _ => Line::raw(
            " j k move · Enter open · } turn · / find · r reasoning · y copy · ? keys · q quit",
        ),
    };
    // A paragraph gives its ground to the whole row, a line only to its words.
    let line = cut(line, usize::from(area.width));
    frame.render_widget(Paragraph::new(line).style(theme.bar()), area);
}

/// A box in the middle.
fn boxed(frame: &mut Frame<'_>, state: &State, title: &str, columns: u16, rows: u16) -> Rect {
    let area = frame.area();
    let (width, height) = (columns.min(area.width), rows.min(area.height));
    let at = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_style(state.theme.quiet())
        .title(Span::styled(format!(" {title} "), state.theme.accent()));
    let inner = block.inner(at);
    frame.render_widget(Clear, at);
    frame.render_widget(block, at);
    inner
}

fn help(frame: &mut Frame<'_>, state: &State, from: usize) {
    let named: Vec<_> = BINDINGS.iter().filter(|b| !b.help.is_empty()).collect();
    let inner = boxed(frame, state, "Keys", 64, named.len() as u16 + 2);
    let row = |b: &&crate::keymap::Binding| {
        let place = match b.place {
            Place::Everywhere => "",
            Place::List => "  (list)",
            Place::Conversation => "  (session)",
        };
        Line::from(vec![
            Span::styled(format!(" {:<14}", b.keys), state.theme.accent()),
            Span::raw(b.help),
            Span::styled(place, state.theme.quiet()),
        ])
    };
    let last = named.len().saturating_sub(usize::from(inner.height));
    let lines: Vec<_> = named.iter().skip(from.min(last)).map(row).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn pick(frame: &mut Frame<'_>, state: &State, picker: &Picker) {
    let inner = boxed(frame, state, picker.title, 76, picker.rows.len() as u16 + 2);
    let fit = usize::from(inner.height).max(1);
    let from = (picker.selected + 1).saturating_sub(fit);
    let row = |(n, row): (usize, &String)| {
        let style = if n == picker.selected { state.theme.selected(true) } else { Style::new() };
        let shown = text::fit(row, usize::from(inner.width).saturating_sub(2)).into_owned();
        let pad = usize::from(inner.width).saturating_sub(text::width(&shown) + 1);
        Line::styled(format!(" {shown}{}", " ".repeat(pad)), style)
    };
    let lines: Vec<_> = picker.rows.iter().enumerate().skip(from).take(fit).map(row).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_once() {
        let line =
            Line::from(vec![Span::raw("3 turns"), Span::raw(" · 46k"), Span::raw(" · 2 branches")]);
        for columns in 0..=line.width() {
            let text: String =
                cut(line.clone(), columns).spans.iter().map(|s| &*s.content).collect();
            assert!(text::width(&text) <= columns);
            let whole = columns == line.width();
            assert_eq!(text.matches('…').count(), usize::from(!whole && columns > 0), "{text:?}");
        }
    }
}
