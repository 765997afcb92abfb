//! What the mouse does.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::Effect;
use super::list::{open_selected, settle};
use crate::state::{Focus, Overlay, State};

/// So many lines the wheel turns.
const WHEEL: i64 = 3;

pub(super) fn used(state: &mut State, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position { x: mouse.column, y: mouse.row };
    let row = |area: Rect| usize::from(mouse.row.saturating_sub(area.y));
    if let Some(overlay) = &state.overlay {
        if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
            if matches!(overlay, Overlay::Picture(_)) {
                effects.push(Effect::Redraw);
            }
            state.overlay = None;
        }
        return;
    }
    let (in_list, in_conversation) =
        (state.areas.list.contains(at), state.areas.conversation.contains(at));
    match mouse.kind {
        MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => {
            let by = if mouse.kind == MouseEventKind::ScrollDown { WHEEL } else { -WHEEL };
            if in_list {
                state.list.step(by.signum());
                settle(state, effects);
            } else if in_conversation && let Some(conversation) = &mut state.conversation {
                conversation.page(by);
            }
        }
        MouseEventKind::Down(MouseButton::Left) if in_list => {
            let place = state.list.offset + row(state.areas.list) / 2;
            if place < state.list.len() {
                state.list.selected = place;
                state.focus = if state.is_split() { Focus::List } else { Focus::Conversation };
                open_selected(state, effects);
            }
        }
        MouseEventKind::Down(MouseButton::Left) if in_conversation => {
            let row = row(state.areas.conversation);
            if let Some(conversation) = &mut state.conversation {
                state.focus = Focus::Conversation;
                let hit = conversation.visible().get(row).map(|(cell, _)| *cell);
                if let Some(cell) = hit {
                    let again = conversation.selected() == cell;
                    conversation.select(cell);
                    if again || conversation.selected_record().is_some_and(crate::cell::is_foldable)
                    {
                        conversation.toggle();
                    }
                }
            }
        }
        _ => {}
    }
}
