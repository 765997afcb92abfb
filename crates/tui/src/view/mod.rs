//! Drawing.
//!
//! Everything that comes from a transcript was made harmless when its lines were made; titles and the like are made so here.
//!
//! - `list`: the sessions
//! - `session`: the conversation with its header
//! - `over`: what lies over the panes, and the bar at the bottom

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use recount_text::text;

use crate::state::{Areas, Focus, Overlay, State};

mod list;
mod over;
mod session;

use list::list;
use over::{bottom, help, pick};
use session::conversation;

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
    } else if state.focus == Focus::List {
        list(frame, state, body);
    } else {
        conversation(frame, state, body);
    }
    bottom(frame, state, bar);
    match &state.overlay {
        Some(Overlay::Help(from)) => state.areas.over = Some(help(frame, state, *from)),
        Some(
            Overlay::Branches(picker) | Overlay::Subagents(picker) | Overlay::Projects(picker),
        ) => state.areas.over = Some(pick(frame, state, picker)),
        Some(Overlay::Picture(picture)) => {
            state.areas.picture = over::picture(frame, state, picture);
        }
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
