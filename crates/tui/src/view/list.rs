//! The sessions.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use recount_formats::Harness;
use recount_text::{amount, text, time};

use super::cut;
use super::over::field;
use crate::keymap::Action;
use crate::state::{Focus, Found, Input, Row, Seeking, State};
use crate::theme::Theme;

pub(super) fn list(frame: &mut Frame<'_>, state: &mut State, area: Rect) {
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
    if let Some(project) = &state.list.project {
        let project = text::line(project.rsplit('/').next().unwrap_or(project)).into_owned();
        head.push(Span::styled(" in ", theme.quiet()));
        head.push(Span::styled(project, theme.accent()));
    }
    let mut facets = vec![Span::raw(" ")];
    for facet in std::iter::once(None).chain(state.list.harnesses().into_iter().map(Some)) {
        let on = state.list.harness == facet;
        let style =
            if on { theme.accent().add_modifier(Modifier::UNDERLINED) } else { theme.quiet() };
        facets.push(Span::styled(facet.map_or("all", Harness::id), style));
        facets.push(Span::raw(" "));
    }
    // Each can be clicked.
    let mut x = area.x + 1;
    let places = std::iter::once(None).chain(state.list.harnesses().into_iter().map(Some));
    let mut areas = Vec::new();
    for facet in places {
        let width = text::width(facet.map_or("all", Harness::id)) as u16;
        areas.push((Rect { x, y: area.y + 1, width, height: 1 }, facet));
        x += width + 1;
    }
    // Where not all have room, the one that is on has it.
    if Line::from(facets.clone()).width() > columns {
        let key = state.keymap.first(Action::Harness);
        facets = vec![
            Span::styled(format!(" {key} "), theme.quiet()),
            Span::styled(state.list.harness.map_or("all harnesses", Harness::id), theme.accent()),
            Span::raw(" "),
        ];
        areas.clear();
    }
    state.areas.facets = areas;
    state.areas.filter = Rect { y: area.y + 2, height: 1, ..area };
    if state.list.all {
        facets.push(Span::styled("+sub-agents", theme.accent()));
    }
    let filter = Span::raw(text::clean(&state.list.filter).into_owned());
    let filter = match &state.input {
        Some(Input::Filter { at, .. }) => {
            let name = Span::styled(" /", theme.accent());
            let mut typed = field(name, &state.list.filter, *at, theme, columns);
            typed.push(Span::styled(seeking(&state.list.seeking), theme.quiet()));
            typed
        }
        _ if state.list.filter.is_empty() => {
            let key = state.keymap.first(Action::Find);
            vec![Span::styled(format!(" {key} filter"), theme.quiet())]
        }
        _ => vec![
            Span::styled(" / ", theme.quiet()),
            filter,
            Span::styled(seeking(&state.list.seeking), theme.quiet()),
        ],
    };
    let top = vec![
        cut(Line::from(head), columns),
        cut(Line::from(facets), columns),
        cut(Line::from(filter), columns),
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
        let second = match state.list.found(&row.head.id) {
            // Without marks, as for `harness:codex`, it says nothing that the title does not.
            Some(found) if !found.snippet.marks.is_empty() => snippet(row, found, columns, theme),
            _ => Line::styled(format!("  {}", about(row).join(" · ")), theme.quiet()),
        };
        let lines = vec![cut(first, columns), cut(second, columns)];
        frame.render_widget(Paragraph::new(lines).style(style), at);
    }
    if state.list.listed && state.list.is_empty() {
        let mut lines = Vec::new();
        if state.list.count() > 0 {
            lines.push(Line::styled("  nothing fits", theme.quiet()));
        } else {
            lines.push(Line::raw("  no sessions in"));
            for (harness, root) in &state.places {
                let root = text::line(&root.display().to_string()).into_owned();
                let name = harness.id();
                let room = columns.saturating_sub(4 + text::width(name) + 1);
                let root = text::fit_end(&root, room.max(8)).into_owned();
                lines.push(Line::styled(format!("    {name} {root}"), theme.quiet()));
            }
        }
        frame.render_widget(Paragraph::new(lines), rows);
    }
}

/// Where a session comes from, and how large it is.
fn about(row: &Row) -> Vec<String> {
    let mut about = vec![row.head.harness.id().to_owned()];
    if row.head.is_subagent {
        about.push("sub-agent".to_owned());
    }
    if row.head.archived {
        about.push("archived".to_owned());
    }
    let project = row.head.cwd.as_deref().map_or("", |c| c.rsplit('/').next().unwrap_or(c));
    about.extend((!project.is_empty()).then(|| text::line(project).into_owned()));
    about.extend((row.head.size > 0).then(|| amount::bytes(row.head.size)));
    about
}

/// The text around what was found, with that marked.
fn snippet(row: &Row, found: &Found, columns: usize, theme: Theme) -> Line<'static> {
    /// So much stands before the first match.
    const BEFORE: usize = 8;
    /// In a list that is narrower the words are all that has room.
    const NARROW: usize = 45;
    let whole = &found.snippet.text;
    let first = found.snippet.marks.first().map_or(0, |mark| mark.start);
    let start = whole
        .get(..first)
        .map_or(0, |before| before.char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at));
    let mut spans = vec![Span::raw("  ")];
    if columns >= NARROW {
        spans.push(Span::styled(format!("{} · ", row.head.harness.id()), theme.quiet()));
    }
    if start > 0 || found.snippet.cut_before {
        spans.push(Span::styled("…", theme.quiet()));
    }
    let mut at = start;
    let mut part = |range: std::ops::Range<usize>, style: Style| {
        let piece = whole.get(range).unwrap_or_default();
        spans.push(Span::styled(text::clean(piece).replace('\n', " "), style));
    };
    for mark in &found.snippet.marks {
        if mark.start >= at {
            part(at..mark.start, theme.quiet());
            part(mark.clone(), theme.found());
            at = mark.end;
        }
    }
    part(at..whole.len(), theme.quiet());
    Line::from(spans)
}

/// What the index is doing.
fn seeking(seeking: &Seeking) -> String {
    match seeking {
        Seeking::Rests => String::new(),
        Seeking::Asked => " …".to_owned(),
        Seeking::Reads(done, all) => format!("  reading {done} of {all}…"),
        Seeking::Failed(why) => format!("  {}", text::line(text::beginning(why, 200))),
    }
}
