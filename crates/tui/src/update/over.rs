//! In what lies over the panes.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::Effect;
use super::list::settle;
use super::session::{into, open};
use crate::keymap::{Action, Key, Place};
use crate::state::{Overlay, State, Way};

pub(super) fn pressed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let action = Key::of(key).and_then(|key| state.keymap.action(key, Place::List));
    let rows = usize::from(state.size.1);
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
            let last = state.keymap.help().len().saturating_sub(1);
            match action {
                Some(Action::Down) => *from = (*from + 1).min(last),
                Some(Action::Up) => *from = from.saturating_sub(1),
                Some(Action::PageDown | Action::HalfDown) => *from = (*from + rows / 2).min(last),
                Some(Action::PageUp | Action::HalfUp) => *from = from.saturating_sub(rows / 2),
                _ => state.overlay = None,
            }
        }
        Overlay::Branches(picker) | Overlay::Subagents(picker) | Overlay::Projects(picker) => {
            let last = picker.rows.len().saturating_sub(1);
            match action {
                Some(Action::Down) => picker.selected = (picker.selected + 1).min(last),
                Some(Action::Up) => picker.selected = picker.selected.saturating_sub(1),
                Some(Action::First) => picker.selected = 0,
                Some(Action::Last) => picker.selected = last,
                Some(Action::Open) => picked(state, effects),
                _ => {}
            }
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
