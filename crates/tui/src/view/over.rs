//! What lies over the panes, and the bar at the bottom.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};
use recount_text::text;

use super::cut;
use crate::keymap::{HelpRow, KEYS_COLUMNS, Place};
use crate::picture::{Graphics, Picture};
use crate::state::{Focus, Input, Picker, State};
use crate::theme::Theme;

/// The bar at the bottom: what is typed, what was said, or the keys that matter most.
pub(super) fn bottom(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let theme = state.theme;
    let line = match (&state.input, &state.status, &state.opening) {
        (Some(Input::Find(query)), ..) => Line::from(vec![
            Span::styled(" find: ", theme.accent()),
            Span::raw(text::clean(query).into_owned()),
            Span::styled("▏", theme.accent()),
        ]),
        (Some(Input::Filter { .. }), ..) => {
            Line::raw(" type to filter · Enter keeps · Esc gives up · ↑ ↓ choose")
        }
        (_, Some(status), _) => Line::raw(format!(" {}", text::line(text::beginning(status, 500)))),
        (_, _, Some(opening)) => Line::raw(format!(" opening {}…", opening.title)),
        _ if state.focus == Focus::List => {
            Line::raw(" Enter open · / filter · f harness · Y resume · ? keys · q quit")
        }
        _ => Line::raw(" j k move · Enter open · } turn · / find · y copy · r reasoning · ? keys"),
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

pub(super) fn help(frame: &mut Frame<'_>, state: &State, from: usize) {
    let rows = state.keymap.help();
    // What has no room is a scroll away.
    let hidden = rows.len().saturating_sub(usize::from(frame.area().height.saturating_sub(2)));
    let title = if from < hidden { "Keys, and more below" } else { "Keys" };
    let inner = boxed(frame, state, title, 66, rows.len() as u16 + 2);
    let row = |row: &HelpRow| {
        let place = match row.place {
            Place::Everywhere => "",
            Place::List => "  (list)",
            Place::Conversation => "  (session)",
        };
        let pad = KEYS_COLUMNS.saturating_sub(text::width(&row.keys));
        Line::from(vec![
            Span::styled(format!(" {}{}", row.keys, " ".repeat(pad)), state.theme.accent()),
            Span::raw(row.what),
            Span::styled(place, state.theme.quiet()),
        ])
    };
    let last = rows.len().saturating_sub(usize::from(inner.height));
    let lines: Vec<_> = rows.iter().skip(from.min(last)).map(row).collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

pub(super) fn pick(frame: &mut Frame<'_>, state: &State, picker: &Picker) {
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

/// A picture in the middle; gives its place where the terminal draws it itself.
pub(super) fn picture(frame: &mut Frame<'_>, state: &State, picture: &Picture) -> Option<Rect> {
    let area = frame.area();
    let (columns, rows) =
        picture.fit(area.width.saturating_sub(4).max(1), area.height.saturating_sub(3).max(1));
    let inner = boxed(frame, state, &picture.name, columns.max(20) + 2, rows + 2);
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
