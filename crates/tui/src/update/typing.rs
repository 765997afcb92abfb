//! While something is typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Effect;
use super::list::{open_selected, settle};
use super::session::told;
use crate::state::{Input, Seeking, State};

/// A key while something is typed.
pub(super) fn typed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(input) = state.input.as_mut() else { return };
    let before = match input {
        Input::Filter { .. } => &mut state.list.filter,
        Input::Find(query) => query,
    };
    match key.code {
        KeyCode::Char('c') if control => {
            state.input = None;
            return;
        }
        KeyCode::Char('u') if control => before.clear(),
        KeyCode::Char('w') if control => {
            let kept = before.trim_end().rfind(' ').map_or(0, |n| n + 1);
            before.truncate(kept);
        }
        KeyCode::Char(c) if !control => before.push(c),
        KeyCode::Backspace => {
            if before.pop().is_none() {
                state.input = None;
                return;
            }
        }
        KeyCode::Esc => {
            if let Some(Input::Filter { before, selected }) = state.input.take() {
                state.list.filter = before;
                state.list.choose();
                state.list.select(selected.as_ref());
                settle(state, effects);
                seek(state, effects);
            }
            return;
        }
        KeyCode::Enter => {
            match state.input.take() {
                Some(Input::Find(query)) => {
                    if let Some(conversation) = &mut state.conversation {
                        // Nothing typed: what was looked for before.
                        if !query.is_empty() {
                            conversation.find(&query);
                        }
                        let found = conversation.next_found(true, !query.is_empty());
                        state.status = Some(told(&state.keymap, found));
                    }
                }
                _ if state.is_split() => open_selected(state, effects),
                _ => {}
            }
            return;
        }
        KeyCode::Down | KeyCode::Up if matches!(input, Input::Filter { .. }) => {
            state.list.step(if key.code == KeyCode::Down { 1 } else { -1 });
            settle(state, effects);
            return;
        }
        _ => return,
    }
    if matches!(state.input, Some(Input::Filter { .. })) {
        state.list.choose_best();
        settle(state, effects);
        seek(state, effects);
    }
}

/// Asks the index for what the filter says, if it says something.
fn seek(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.list.filter.trim().is_empty() {
        state.list.seeking = Seeking::Asked;
        effects.push(Effect::Seek(state.list.filter.clone()));
    }
}
