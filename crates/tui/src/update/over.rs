//! In what lies over the panes.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Position;

use super::Effect;
use super::list::settle;
use super::session::{into, open};
use crate::keymap::{Action, Key, Place};
use crate::state::{Overlay, State, Way};

pub(super) fn pressed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let action = Key::of(key).and_then(|key| state.keymap.action(key, Place::List));
    let room = rows(state);
    let close = key.code == KeyCode::Esc || matches!(action, Some(Action::Quit | Action::Help));
    let Some(overlay) = &mut state.overlay else { return };
    if close && !matches!(overlay, Overlay::Picture(_)) {
        state.overlay = None;
        return;
    }
    match overlay {
        Overlay::Picture(_) => {
            state.overlay = None;
            effects.push(Effect::Redraw);
        }
        Overlay::Help(from) => {
            let last = state.keymap.help().len().saturating_sub(room);
            *from = stepped(action, *from, last, room);
        }
        Overlay::Branches(picker) | Overlay::Subagents(picker) | Overlay::Projects(picker) => {
            let last = picker.rows.len().saturating_sub(1);
            match action {
                Some(Action::Open) => picked(state, effects),
                _ => picker.selected = stepped(action, picker.selected, last, room),
            }
        }
    }
}

/// Rows that there are for what lies over the panes: all but its border and the bar.
fn rows(state: &State) -> usize {
    usize::from(state.size.1.saturating_sub(3)).max(1)
}

/// Where an action leads from a place, of which the last one is known.
fn stepped(action: Option<Action>, from: usize, last: usize, room: usize) -> usize {
    let to = match action {
        Some(Action::Down) => from + 1,
        Some(Action::Up) => from.saturating_sub(1),
        Some(Action::HalfDown) => from + room.div_ceil(2),
        Some(Action::HalfUp) => from.saturating_sub(room.div_ceil(2)),
        Some(Action::PageDown) => from + room,
        Some(Action::PageUp) => from.saturating_sub(room),
        Some(Action::First) => 0,
        Some(Action::Last) => last,
        _ => from,
    };
    to.min(last)
}

/// The wheel turns.
pub(super) fn turned(state: &mut State, down: bool) {
    /// So many lines of the help.
    const LINES: usize = 3;
    let room = rows(state);
    let action = Some(if down { Action::Down } else { Action::Up });
    match &mut state.overlay {
        Some(Overlay::Help(from)) => {
            let last = state.keymap.help().len().saturating_sub(room);
            for _ in 0..LINES {
                *from = stepped(action, *from, last, room);
            }
        }
        Some(
            Overlay::Branches(picker) | Overlay::Subagents(picker) | Overlay::Projects(picker),
        ) => {
            let last = picker.rows.len().saturating_sub(1);
            picker.selected = stepped(action, picker.selected, last, room);
        }
        Some(Overlay::Picture(_)) | None => {}
    }
}

/// A click: on a row it picks that, elsewhere it closes what lies over the panes.
pub(super) fn clicked(state: &mut State, at: Position, effects: &mut Vec<Effect>) {
    let inside = state.areas.over.filter(|(area, _)| area.contains(at));
    match (&mut state.overlay, inside) {
        (
            Some(
                Overlay::Branches(picker) | Overlay::Subagents(picker) | Overlay::Projects(picker),
            ),
            Some((area, from)),
        ) => {
            let row = from + usize::from(at.y - area.y);
            if row < picker.rows.len() {
                picker.selected = row;
                picked(state, effects);
            }
        }
        (Some(Overlay::Help(_)), Some(_)) => {}
        (overlay, _) => {
            if matches!(overlay, Some(Overlay::Picture(_))) {
                effects.push(Effect::Redraw);
            }
            *overlay = None;
        }
    }
}

fn picked(state: &mut State, effects: &mut Vec<Effect>) {
    match state.overlay.take() {
        Some(Overlay::Branches(picker)) => {
            let Some(conversation) = &state.conversation else { return };
            let leaf = picker.values.get(picker.selected).filter(|leaf| !leaf.is_empty()).cloned();
            let head = conversation.head.clone();
            open(state, Ok(Box::new(head)), leaf, Way::Across, effects);
        }
        Some(Overlay::Subagents(picker)) => {
            if let Some(id) = picker.values.get(picker.selected).cloned() {
                into(state, id, effects);
            }
        }
        Some(Overlay::Projects(picker)) => {
            let project = picker.values.get(picker.selected).filter(|p| !p.is_empty());
            state.list.project = project.cloned();
            state.list.choose();
            settle(state, effects);
        }
        other => state.overlay = other,
    }
}
