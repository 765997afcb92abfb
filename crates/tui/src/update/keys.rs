//! What a key does, wherever it is pressed.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::session::back;
use super::{Effect, list, over, session, typing};
use crate::keymap::{Action, Key, Place};
use crate::state::{Focus, Input, Overlay, State, resume_command};

pub(super) fn pressed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if state.input.is_some() {
        typing::typed(state, key, effects);
        return;
    }
    if state.overlay.is_some() {
        over::pressed(state, key, effects);
        return;
    }
    if key.code == KeyCode::Esc {
        escape(state);
        return;
    }
    let place = match state.focus {
        Focus::List => Place::List,
        Focus::Conversation => Place::Conversation,
    };
    if let Some(action) = Key::of(key).and_then(|key| state.keymap.action(key, place)) {
        act(state, action, effects);
    }
}

/// Leaves what was entered last: a search, a filter, a step into a sub-agent, the conversation.
fn escape(state: &mut State) {
    match (state.focus, &mut state.conversation) {
        (Focus::Conversation, Some(conversation)) if conversation.search.is_some() => {
            conversation.search = None;
        }
        (Focus::Conversation, _) if !state.stack.is_empty() => back(state),
        (Focus::Conversation, _) => state.focus = Focus::List,
        (Focus::List, _) => {
            state.list.filter.clear();
            state.list.harness = None;
            state.list.project = None;
            state.list.choose();
        }
    }
}

fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Quit => effects.push(Effect::Quit),
        Action::Help => state.overlay = Some(Overlay::Help(0)),
        Action::OtherPane => {
            state.focus = match state.focus {
                Focus::List if state.conversation.is_some() => Focus::Conversation,
                Focus::List | Focus::Conversation => Focus::List,
            };
        }
        Action::ToList => state.focus = Focus::List,
        Action::ToConversation => {
            if state.conversation.is_some() {
                state.focus = Focus::Conversation;
            }
        }
        Action::Find => {
            state.input = Some(match state.focus {
                Focus::List => Input::Filter(state.list.filter.clone()),
                Focus::Conversation => Input::Find(String::new()),
            });
        }
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Theme => {
            state.theme = state.theme.next();
            state.fit();
            state.status = Some(format!("colours: {}", state.theme.name()));
        }
        Action::Wide => {
            state.wide = !state.wide;
            if state.wide && state.conversation.is_some() {
                state.focus = Focus::Conversation;
            }
            state.fit();
        }
        Action::Refresh => {
            state.status = Some("listing…".to_owned());
            effects.push(Effect::List);
        }
        Action::CopyResume => match state.session().and_then(resume_command) {
            Some(command) => effects.push(Effect::Copy(command)),
            None => state.status = Some("no session".to_owned()),
        },
        _ if state.focus == Focus::List => list::act(state, action, effects),
        _ => session::act(state, action, effects),
    }
}
