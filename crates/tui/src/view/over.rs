//! What lies over the panes, and the bar at the bottom.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};
use recount_text::text;
use unicode_segmentation::UnicodeSegmentation as _;

use super::cut;
use crate::keymap::{HelpRow, KEYS_COLUMNS, Place, Spot};
use crate::picture::{Graphics, Picture};
use crate::state::{Focus, Input, Overlay, Picker, State};
use crate::theme::Theme;

/// The bar at the bottom: what is typed, what was said, or the keys that matter most.
pub(super) fn bottom(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let theme = state.theme;
    let columns = usize::from(area.width);
    let spot = match (&state.overlay, state.focus) {
        (Some(Overlay::Help(_)), _) => Spot::Help,
        (Some(Overlay::Picture(_)), _) => Spot::Picture,
        (Some(_), _) => Spot::Picker,
        (None, Focus::List) => Spot::List,
        (None, Focus::Conversation) if !state.stack.is_empty() => Spot::Inside,
        (None, Focus::Conversation) => Spot::Session,
    };
    let line = match (&state.input, &state.status, &state.opening) {
        _ if state.overlay.is_some() => Line::raw(state.keymap.hints(spot, columns)),
        (Some(Input::Find { query, at }), ..) => {
            Line::from(field(Span::styled(" find: ", theme.accent()), query, *at, theme, columns))
        }
        (Some(Input::Filter { .. }), ..) => {
            Line::raw(" Enter keeps · Esc gives up · ↑ ↓ choose · also harness: since: file: role:")
        }
        (_, Some(status), _) => Line::raw(format!(" {}", text::line(text::beginning(status, 500)))),
        (_, _, Some(opening)) => Line::raw(format!(" opening {}…", opening.title)),
        _ => Line::raw(state.keymap.hints(spot, columns)),
    };
    // A paragraph gives its ground to the whole row, a line only to its words.
    let line = cut(line, columns);
    frame.render_widget(Paragraph::new(line).style(theme.bar()), area);
}

/// Text that is being typed, after a word: the part of it around the cursor, where it is longer than its room.
pub(super) fn field(
    name: Span<'static>,
    typed: &str,
    at: usize,
    theme: Theme,
    columns: usize,
) -> Vec<Span<'static>> {
    let (before, after) = typed.split_at(typed.floor_char_boundary(at));
    let (before, after) = (text::clean(before), text::clean(after));
    let room = columns.saturating_sub(text::width(&name.content) + 2).max(1);
    let mut from = 0;
    for (at, _) in before.grapheme_indices(true) {
        from = at;
        if text::width(&before[at..]) <= room {
            break;
        }
    }
    let mut spans = vec![name];
    if from > 0 {
        spans.push(Span::styled("…", theme.quiet()));
    }
    spans.push(Span::raw(before[from..].to_owned()));
    spans.push(Span::styled("▏", theme.accent()));
    spans.push(Span::raw(after.into_owned()));
    spans
}

/// What the title of a box says about rows that have no room in it.
fn more(title: &str, from: usize, fit: usize, rows: usize) -> String {
    match (from > 0, from + fit < rows) {
        (false, false) => title.to_owned(),
        (false, true) => format!("{title}, and more below"),
        (true, false) => format!("{title}, and more above"),
        (true, true) => format!("{title}, and more above and below"),
    }
}

/// The screen without the bar at the bottom.
fn above_bar(frame: &Frame<'_>) -> Rect {
    let area = frame.area();
    Rect { height: area.height.saturating_sub(1), ..area }
}

/// A box in the middle.
fn boxed(frame: &mut Frame<'_>, state: &State, title: &str, columns: u16, rows: u16) -> Rect {
    // The bar below tells what keys do there.
    let area = above_bar(frame);
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

/// The help, and where its rows are.
pub(super) fn help(frame: &mut Frame<'_>, state: &State, from: usize) -> (Rect, usize) {
    let rows = state.keymap.help();
    // What has no room is a scroll away.
    let fit = usize::from(above_bar(frame).height.saturating_sub(2)).min(rows.len());
    let from = from.min(rows.len() - fit);
    let title = more("Keys", from, fit, rows.len());
    let inner = boxed(frame, state, &title, 66, rows.len() as u16 + 2);
    let row = |row: &HelpRow| {
        let place = match row.place {
            Place::Everywhere => "",
            Place::List => "  (list)",
            Place::Conversation => "  (session)",
        };
        let pad = KEYS_COLUMNS.saturating_sub(text::width(&row.keys));
        let line = Line::from(vec![
            Span::styled(format!(" {}{}", row.keys, " ".repeat(pad)), state.theme.accent()),
            Span::raw(row.what),
            Span::styled(place, state.theme.quiet()),
        ]);
        cut(line, usize::from(inner.width))
    };
    let lines: Vec<_> = rows.iter().skip(from).map(row).collect();
    frame.render_widget(Paragraph::new(lines), inner);
    (inner, from)
}

/// Something to pick from, and where its rows are.
pub(super) fn pick(frame: &mut Frame<'_>, state: &State, picker: &Picker) -> (Rect, usize) {
    let all = picker.rows.len();
    let fit = usize::from(above_bar(frame).height.saturating_sub(2)).clamp(1, all.max(1));
    let from = (picker.selected + 1).saturating_sub(fit);
    let title = more(picker.title, from, fit, all);
    let inner = boxed(frame, state, &title, 76, all as u16 + 2);
    let row = |(n, row): (usize, &String)| {
        let style = if n == picker.selected { state.theme.selected(true) } else { Style::new() };
        let shown = text::fit(row, usize::from(inner.width).saturating_sub(2)).into_owned();
        let pad = usize::from(inner.width).saturating_sub(text::width(&shown) + 1);
        Line::styled(format!(" {shown}{}", " ".repeat(pad)), style)
    };
    let lines: Vec<_> = picker.rows.iter().enumerate().skip(from).take(fit).map(row).collect();
    frame.render_widget(Paragraph::new(lines), inner);
    (inner, from)
}

/// A picture in the middle; gives its place where the terminal draws it itself.
pub(super) fn picture(frame: &mut Frame<'_>, state: &State, picture: &Picture) -> Option<Rect> {
    let area = frame.area();
    let (columns, rows) =
        picture.fit(area.width.saturating_sub(4).max(1), area.height.saturating_sub(3).max(1));
    let inner = boxed(frame, state, &picture.name, columns.max(30) + 2, rows + 2);
    let at = Rect {
        x: inner.x + inner.width.saturating_sub(columns) / 2,
        width: columns.min(inner.width),
        height: rows.min(inner.height),
        ..inner
    };
    if state.graphics != Graphics::Blocks {
        return Some(at);
    }
    if state.theme == Theme::Plain {
        frame.render_widget("pictures want colours here", inner);
        return None;
    }
    let ground = if state.theme == Theme::Light { 255 } else { 0 };
    let shown = picture.scaled(usize::from(columns), usize::from(rows) * 2);
    let buffer = frame.buffer_mut();
    for y in 0..at.height {
        for x in 0..at.width {
            let colour = |n: usize| {
                let [r, g, b] = shown.over(usize::from(x), usize::from(y) * 2 + n, ground);
                Color::Rgb(r, g, b)
            };
            if let Some(cell) = buffer.cell_mut((at.x + x, at.y + y)) {
                cell.set_symbol("▀").set_fg(colour(0)).set_bg(colour(1));
            }
        }
    }
    None
}
