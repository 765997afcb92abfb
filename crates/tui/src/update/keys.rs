//! What a key does, wherever it is pressed.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::session::back;
use super::{Effect, list, over, session, typing};
use crate::keymap::{Action, Key, Place};
use crate::state::{Focus, Input, Overlay, State, resume_command};

/// Stands there until the stores were read.
pub(super) const LISTING: &str = "listing…";

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
        escape(state, effects);
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
fn escape(state: &mut State, effects: &mut Vec<Effect>) {
    match (state.focus, &mut state.conversation) {
        (Focus::Conversation, Some(conversation)) if conversation.search.is_some() => {
            conversation.find_no_more();
        }
        (Focus::Conversation, _) if !state.stack.is_empty() => back(state, effects),
        (Focus::Conversation, _) => to_list(state),
        (Focus::List, _) => {
            state.list.filter.clear();
            state.list.harness = None;
            state.list.project = None;
            state.list.choose();
            list::settle(state, effects);
        }
    }
}

/// To the list. Where it was hidden it has its place again: keys go to nothing that is not seen.
fn to_list(state: &mut State) {
    state.focus = Focus::List;
    if std::mem::take(&mut state.wide) {
        state.fit();
    }
}

fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Quit => effects.push(Effect::Quit),
        Action::Help => state.overlay = Some(Overlay::Help(0)),
        Action::OtherPane if state.focus == Focus::Conversation => to_list(state),
        Action::OtherPane if state.conversation.is_some() => state.focus = Focus::Conversation,
        Action::OtherPane => {}
        Action::ToList => to_list(state),
        Action::ToConversation => {
            if state.conversation.is_some() {
                state.focus = Focus::Conversation;
            }
        }
        Action::Find => find(state),
        Action::Redraw => effects.push(Effect::Redraw),
        Action::Suspend => effects.push(Effect::Suspend),
        Action::Theme => {
            state.theme = state.theme.next();
            state.fit();
            state.status = Some(format!("colours: {}", state.theme.name()));
        }
        Action::Wide if !state.has_room() => {
            state.status = Some("there is room for one pane only".to_owned());
        }
        Action::Wide => {
            // Without a session there would be nothing to see.
            state.wide = !state.wide && state.conversation.is_some();
            if state.wide {
                state.focus = Focus::Conversation;
            }
            state.fit();
        }
        Action::Refresh => {
            state.status = Some(LISTING.to_owned());
            effects.push(Effect::List);
        }
        Action::CopyResume => match state.session() {
            Some(head) => match resume_command(state.main_session(head)) {
                Some(command) => effects.push(Effect::Copy(command)),
                None => state.status = Some("nothing goes on with this one".to_owned()),
            },
            None => state.status = Some("no session".to_owned()),
        },
        _ if state.focus == Focus::List => list::act(state, action, effects),
        _ => session::act(state, action, effects),
    }
}

/// Begins to type what is looked for.
pub(super) fn find(state: &mut State) {
    state.input = Some(match state.focus {
        Focus::List => Input::Filter {
            before: state.list.filter.clone(),
            selected: state.list.place(),
            at: state.list.filter.len(),
        },
        Focus::Conversation => Input::Find { query: String::new(), at: 0 },
    });
}
