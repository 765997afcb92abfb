//! In the conversation, and stepping from one to another.

use std::collections::HashSet;

use recount_store::SessionHead;
use recount_text::text;

use super::Effect;
use crate::conversation::{Conversation, Found};
use crate::keymap::{Action, Keymap};
use crate::state::{Opening, Overlay, Picker, State, Way};
use crate::words;
use crate::worker::PicturePlace;

/// Out of a sub-agent, into the session that it works for.
pub(super) fn back(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(before) = state.stack.pop() {
        let (head, leaf) = (Box::new(before.head.clone()), before.leaf.clone());
        state.conversation = Some(before);
        state.fit();
        // What is read for the one that was left belongs to nobody now. This one may have been written meanwhile: it stands there
        // as it was until it is read anew, which is what it is followed from.
        open(state, Ok(head), leaf, Way::Anew, effects);
        state.ticket = state.opening.as_ref().map_or(state.ticket, |opening| opening.ticket);
        return;
    }
    let Some(conversation) = &state.conversation else { return };
    let head = &conversation.head;
    let Some(parent) = head.parent_id.clone().filter(|_| head.is_subagent) else {
        let why = if head.is_subagent {
            "it is not known which session this sub-agent works for"
        } else {
            "this is no sub-agent: there is nothing to step back to"
        };
        state.status = Some(why.to_owned());
        return;
    };
    let session = match state.list.by_id(&parent) {
        Some(head) => Ok(Box::new(head.clone())),
        None => Err(parent),
    };
    if let Ok(head) = &session {
        let place = (head.id.clone(), head.path.clone());
        let before = state.list.selected;
        state.list.select(Some(&place));
        if state.list.place().is_none_or(|(id, _)| id != place.0) {
            state.list.selected = before;
        }
    }
    open(state, session, None, Way::Anew, effects);
}

/// A number that no session has that was asked for.
fn next_ticket(state: &State) -> u64 {
    state.opening.as_ref().map_or(0, |opening| opening.ticket).max(state.ticket) + 1
}

pub(super) fn open(
    state: &mut State,
    session: Result<Box<SessionHead>, String>,
    leaf: Option<String>,
    way: Way,
    effects: &mut Vec<Effect>,
) {
    // What is only remembered of a session may have moved since.
    let session = session.and_then(|head| if state.list.listed { Ok(head) } else { Err(head.id) });
    let ticket = next_ticket(state);
    let (id, title) = match &session {
        Ok(head) => (&head.id, head.title.as_ref().unwrap_or(&head.id)),
        Err(id) => (id, id),
    };
    let title = text::line(text::beginning(title, 200)).into_owned();
    state.opening = Some(Opening { ticket, id: id.clone(), title });
    state.named = false;
    state.way = way;
    effects.push(Effect::Open { ticket, session, leaf });
}

pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(conversation) = &mut state.conversation else { return };
    // Whoever is somewhere else wants to see what is written; whoever sees it wants it to stand still.
    let on = !conversation.follow || !conversation.at_end();
    conversation.follow = on;
    if on {
        conversation.last();
    }
    effects.push(Effect::Follow(on));
    let told = match on {
        false => "not following",
        true if conversation.leaf.is_some() => "a branch that was left grows no more",
        true if conversation.head.is_live(state.now) => "following",
        true => "following: nobody writes it now",
    };
    state.status = Some(told.to_owned());
}

pub(super) fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Follow {
        follow(state, effects);
        return;
    }
    if action == Action::Back {
        back(state, effects);
        return;
    }
    let rows = i64::from(state.layout().rows);
    let Some(conversation) = &mut state.conversation else { return };
    match action {
        Action::Down => conversation.step(true),
        Action::Up => conversation.step(false),
        Action::LineDown => conversation.page(1),
        Action::LineUp => conversation.page(-1),
        Action::HalfDown => conversation.page(rows / 2),
        Action::HalfUp => conversation.page(-rows / 2),
        Action::PageDown => conversation.page((rows - 1).max(1)),
        Action::PageUp => conversation.page(-(rows - 1).max(1)),
        Action::First => conversation.first(),
        Action::Last => conversation.last(),
        Action::Open if conversation.toggle() => {}
        Action::Open if conversation.picture().is_some() => {
            let Some((item, number)) = conversation.picture() else { return };
            let head = Box::new(conversation.head.clone());
            let place = PicturePlace { head, leaf: conversation.leaf.clone(), item, number };
            effects.push(Effect::Picture { ticket: state.ticket, place });
        }
        Action::OpenAll => conversation.toggle_all(),
        Action::Reasoning => {
            conversation.toggle_reasoning();
            let shown = conversation.reasoning;
            state.status =
                Some(if shown { "reasoning is shown" } else { "reasoning is hidden" }.to_owned());
        }
        Action::NextTurn | Action::PreviousTurn
            if conversation.turn(action == Action::NextTurn) => {}
        Action::NextTurn | Action::PreviousTurn => {
            state.status = Some("no more turns".to_owned());
        }
        Action::FindNext | Action::FindPrevious => {
            let found = conversation.next_found(action == Action::FindNext, false);
            state.status = Some(told(&state.keymap, found));
        }
        Action::Branches => branches(state),
        Action::Open => {
            if let Some(id) = leads_to(conversation) {
                into(state, id, effects);
            }
        }
        Action::StepInto => step_into(state, effects),
        Action::Copy => {
            if let Some(record) = conversation.selected_record() {
                effects.push(Effect::Copy(words::of(record)));
            }
        }
        Action::Edit => {
            if let Some(record) = conversation.selected_record() {
                effects.push(Effect::Edit(words::of(record)));
            }
        }
        _ => {}
    }
}

/// Says which find somebody went to.
pub(super) fn told(keymap: &Keymap, found: Option<Found>) -> String {
    let Some(found) = found else { return "nothing found".to_owned() };
    let which = format!("{} of {}", found.number, found.of);
    if !found.hidden {
        return which;
    }
    match keymap.first(Action::Edit) {
        key if key.is_empty() => format!("{which}, in what is not drawn here"),
        key => format!("{which}, in what is not drawn here; {key} shows all of it"),
    }
}

pub(super) fn branches(state: &mut State) {
    let Some(conversation) = &state.conversation else { return };
    let branches = &conversation.info.branches;
    if branches.len() < 2 {
        state.status = Some("this session has one way through it".to_owned());
        return;
    }
    // As much of the ids as tells them apart.
    let apart = |n: &usize| {
        let short = branches.iter().map(|b| text::beginning(&b.leaf, *n));
        short.collect::<HashSet<_>>().len() == branches.len()
    };
    let letters = (8..40).find(apart).unwrap_or(8);
    let row = |b: &recount_session::model::Branch| {
        let told = match b.abandoned_prompts.last() {
            _ if b.active => "where the session goes on".to_owned(),
            Some(prompt) => text::line(text::beginning(prompt, 200)).into_owned(),
            None => "(no prompt of its own)".to_owned(),
        };
        format!("{} {}", text::line(text::beginning(&b.leaf, letters)), told)
    };
    let shown = conversation.leaf.as_ref();
    let selected =
        branches.iter().position(|b| shown.map_or(b.active, |leaf| b.leaf == *leaf)).unwrap_or(0);
    state.overlay = Some(Overlay::Branches(Picker {
        title: "Branches",
        rows: branches.iter().map(row).collect(),
        // Where the session goes on is the session itself, which is followed.
        values: branches
            .iter()
            .map(|b| if b.active { String::new() } else { b.leaf.clone() })
            .collect(),
        selected,
    }));
}

/// The thread that the selected record leads to.
fn leads_to(conversation: &Conversation) -> Option<String> {
    conversation.selected_record()?.origin()?.threads.get()?.first().cloned()
}

/// Into the thread that the selected record leads to; else a choice of all.
pub(super) fn step_into(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(conversation) = &state.conversation else { return };
    if let Some(id) = leads_to(conversation) {
        into(state, id, effects);
        return;
    }
    let agents = &conversation.info.subagents;
    match agents.as_slice() {
        [] => state.status = Some("no sub-agents here".to_owned()),
        [one] => {
            let id = one.id.clone();
            into(state, id, effects);
        }
        many => {
            let row = |a: &recount_session::model::Subagent| {
                let name = a.name.as_deref().unwrap_or(&a.id);
                text::line(text::beginning(name, 200)).into_owned()
            };
            state.overlay = Some(Overlay::Subagents(Picker {
                title: "Sub-agents",
                rows: many.iter().map(row).collect(),
                values: many.iter().map(|a| a.id.clone()).collect(),
                selected: 0,
            }));
        }
    }
}

pub(super) fn into(state: &mut State, id: String, effects: &mut Vec<Effect>) {
    let session = match state.list.by_id(&id) {
        Some(head) => Ok(Box::new(head.clone())),
        None => Err(id),
    };
    open(state, session, None, Way::Into, effects);
}
