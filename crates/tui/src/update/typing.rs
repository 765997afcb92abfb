//! While something is typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation as _;

use super::Effect;
use super::list::{open_selected, settle};
use super::session::told;
use crate::state::{Input, Seeking, State};

/// What a key did to a line of text.
#[derive(Debug, PartialEq, Eq)]
enum Edited {
    /// It has other words.
    Changed,
    /// The cursor moved, if anything.
    Moved,
    /// There was nothing to take away.
    Empty,
    /// It is no key for text.
    Not,
}

/// A key while something is typed.
pub(super) fn typed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let Some(input) = state.input.as_mut() else { return };
    let filters = matches!(input, Input::Filter { .. });
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Esc => give_up(state, effects),
        KeyCode::Char('c') if control => give_up(state, effects),
        KeyCode::Enter => enter(state, effects),
        KeyCode::Down | KeyCode::Up if filters => {
            state.list.step(if key.code == KeyCode::Down { 1 } else { -1 });
            settle(state, effects);
        }
        _ => {
            let done = match input {
                Input::Filter { at, .. } => edit(&mut state.list.filter, at, key),
                Input::Find { query, at } => edit(query, at, key),
            };
            match done {
                Edited::Changed if filters => changed(state, effects),
                Edited::Empty => state.input = None,
                Edited::Changed | Edited::Moved | Edited::Not => {}
            }
        }
    }
}

/// Text that was pasted. Line ends and tabs keep words apart as they did there.
pub(super) fn pasted(state: &mut State, text: &str, effects: &mut Vec<Effect>) {
    let text: String = text
        .trim_end_matches(['\n', '\r'])
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    match &mut state.input {
        Some(Input::Filter { at, .. }) => {
            state.list.filter.insert_str(*at, &text);
            *at += text.len();
            changed(state, effects);
        }
        Some(Input::Find { query, at }) => {
            query.insert_str(*at, &text);
            *at += text.len();
        }
        None => {}
    }
}

/// Changes a line of text as the keys of a shell do.
fn edit(text: &mut String, at: &mut usize, key: KeyEvent) -> Edited {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    *at = text.floor_char_boundary(*at);
    let before = text[..*at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
    let after = *at + text[*at..].graphemes(true).next().map_or(0, str::len);
    let cut = match key.code {
        KeyCode::Char('a') if control => 0..0,
        KeyCode::Home => 0..0,
        KeyCode::Char('u') if control => 0..*at,
        KeyCode::Char('k') if control => *at..text.len(),
        KeyCode::Char('w') if control => {
            let kept = text[..*at].trim_end().rfind(' ').map_or(0, |n| n + 1);
            kept..*at
        }
        KeyCode::Char('e') if control => text.len()..text.len(),
        KeyCode::End => text.len()..text.len(),
        KeyCode::Left => before..before,
        KeyCode::Right => after..after,
        KeyCode::Backspace if text.is_empty() => return Edited::Empty,
        KeyCode::Backspace => before..*at,
        KeyCode::Delete => *at..after,
        KeyCode::Char(c) if !control => {
            text.insert(*at, c);
            *at += c.len_utf8();
            return Edited::Changed;
        }
        _ => return Edited::Not,
    };
    *at = cut.start;
    if cut.is_empty() {
        return Edited::Moved;
    }
    text.drain(cut);
    Edited::Changed
}

fn changed(state: &mut State, effects: &mut Vec<Effect>) {
    state.list.choose_best();
    settle(state, effects);
    seek(state, effects);
}

fn give_up(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(Input::Filter { before, selected, .. }) = state.input.take() {
        state.list.filter = before;
        state.list.choose();
        state.list.select(selected.as_ref());
        settle(state, effects);
        seek(state, effects);
    }
}

fn enter(state: &mut State, effects: &mut Vec<Effect>) {
    match state.input.take() {
        Some(Input::Find { query, .. }) => {
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
}

/// Asks the index for what the filter says, if it says something.
fn seek(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.list.filter.trim().is_empty() {
        state.list.seeking = Seeking::Asked;
        effects.push(Effect::Seek(state.list.filter.clone()));
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::edit;

    #[test]
    fn a_line_is_changed_as_in_a_shell() {
        let (mut text, mut at) = ("eins zwei".to_owned(), 9);
        let mut press = |code, control| {
            let held = if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
            edit(&mut text, &mut at, KeyEvent::new(code, held));
            format!("{}|{}", &text[..at], &text[at..])
        };
        let c = KeyCode::Char;
        assert_eq!(press(KeyCode::Left, false), "eins zwe|i");
        assert_eq!(press(c('ö'), false), "eins zweö|i");
        assert_eq!(press(KeyCode::Backspace, false), "eins zwe|i");
        assert_eq!(press(KeyCode::Delete, false), "eins zwe|");
        assert_eq!(press(c('w'), true), "eins |");
        assert_eq!(press(c('a'), true), "|eins ");
        assert_eq!(press(KeyCode::Backspace, false), "|eins ");
        assert_eq!(press(KeyCode::Right, false), "e|ins ");
        assert_eq!(press(c('k'), true), "e|");
        assert_eq!(press(c('u'), true), "|");
    }
}
