//! What the mouse does.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::Effect;
use super::list::{only_harness, open_selected, settle};
use super::{keys, over};
use crate::state::{Focus, State};

/// So many lines the wheel turns.
const WHEEL: i64 = 3;

pub(super) fn used(state: &mut State, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position { x: mouse.column, y: mouse.row };
    let row = |area: Rect| usize::from(mouse.row.saturating_sub(area.y));
    if state.overlay.is_some() {
        match mouse.kind {
            MouseEventKind::ScrollDown => over::turned(state, true),
            MouseEventKind::ScrollUp => over::turned(state, false),
            MouseEventKind::Down(MouseButton::Left) => over::clicked(state, at, effects),
            _ => {}
        }
        return;
    }
    let clicked = mouse.kind == MouseEventKind::Down(MouseButton::Left);
    if clicked && !state.areas.filter.contains(at) {
        // What was typed counts; whoever clicks somewhere else types no more.
        state.input = None;
    }
    if clicked && state.areas.filter.contains(at) && state.input.is_none() {
        state.focus = Focus::List;
        keys::find(state);
        return;
    }
    let facet = state.areas.facets.iter().find(|(area, _)| clicked && area.contains(at));
    if let Some((_, harness)) = facet {
        let harness = *harness;
        state.focus = Focus::List;
        only_harness(state, harness);
        settle(state, effects);
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
