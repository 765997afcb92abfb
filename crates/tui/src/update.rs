//! What keys, the mouse and the workers do.

use jiff::Timestamp;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use recount_formats::Harness;
use recount_store::SessionHead;
use recount_text::text;

use crate::conversation::{Conversation, Loaded};
use crate::keymap::{self, Action, BINDINGS, Place};
use crate::state::{Focus, Input, Overlay, Picker, State, resume_command};
use crate::words;

/// Something that happened.
#[derive(Debug)]
pub enum Message {
    /// A key.
    Key(KeyEvent),
    /// The mouse.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The screen has another size.
    Resize(u16, u16),
    /// Time went by.
    Tick(Timestamp),
    /// The stores were read.
    Listed(Vec<SessionHead>),
    /// A session was read.
    Opened(u64, Box<Loaded>),
    /// A session could not be read.
    Failed(u64, String),
    /// The open session was written and read again.
    Grown(u64, Box<Loaded>),
    /// Something that was asked for is done.
    Done(String),
}

/// Something that is asked for.
#[derive(Debug)]
pub enum Effect {
    /// Ends the program.
    Quit,
    /// Reads the stores.
    List,
    /// Reads a session.
    Open {
        /// Its number, by which the answer is known.
        ticket: u64,
        /// The session, or only its id.
        session: Result<Box<SessionHead>, String>,
        /// The branch.
        leaf: Option<String>,
    },
    /// Looks whether the open session grows, or no longer.
    Follow(bool),
    /// Puts text on the clipboard.
    Copy(String),
    /// Opens text in an editor.
    Edit(String),
}

/// So many lines the wheel turns.
const WHEEL: i64 = 3;

/// Lets something happen.
pub fn update(state: &mut State, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    match message {
        Message::Key(key) if key.kind != KeyEventKind::Release => {
            state.status = None;
            key_pressed(state, key, &mut effects);
        }
        Message::Key(_) => {}
        Message::Mouse(mouse) => mouse_used(state, mouse, &mut effects),
        Message::Paste(text) => {
            if state.input.is_some() {
                for c in text.chars().filter(|c| !c.is_control()) {
                    typed(state, KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE), &mut effects);
                }
            }
        }
        Message::Resize(columns, rows) => {
            state.size = (columns, rows);
            state.fit();
        }
        Message::Tick(now) => state.now = now,
        Message::Listed(heads) => {
            let first = !state.list.listed;
            state.list.take(heads, state.now);
            // The newest session stands beside the list at once.
            if first && state.is_split() && state.conversation.is_none() {
                open_selected(state, &mut effects);
            }
        }
        Message::Opened(ticket, loaded) => {
            if state.opening.as_ref().is_some_and(|(n, _)| *n == ticket) {
                state.opening = None;
                state.ticket = ticket;
                let conversation = Conversation::new(*loaded, state.layout());
                let old = state.conversation.replace(conversation);
                if std::mem::take(&mut state.stepping) {
                    state.stack.extend(old);
                } else {
                    state.stack.clear();
                }
                effects.push(Effect::Follow(true));
            }
        }
        Message::Failed(ticket, why) => {
            if state.opening.as_ref().is_some_and(|(n, _)| *n == ticket) {
                state.opening = None;
                state.stepping = false;
                state.status = Some(why);
            }
        }
        Message::Grown(ticket, loaded) => {
            if let Some(conversation) =
                state.conversation.as_mut().filter(|_| state.ticket == ticket)
            {
                conversation.grow(*loaded);
            }
        }
        Message::Done(what) => state.status = Some(what),
    }
    effects
}

fn key_pressed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if state.input.is_some() {
        typed(state, key, effects);
        return;
    }
    if state.overlay.is_some() {
        overlaid(state, key, effects);
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
    if let Some(action) = keymap::action(key, place) {
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
            state.list.facet = None;
            state.list.choose();
        }
    }
}

fn back(state: &mut State) {
    if let Some(before) = state.stack.pop() {
        state.conversation = Some(before);
        // What is read for the one that was left belongs to nobody now.
        state.ticket += 1;
        state.fit();
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
        _ if state.focus == Focus::List => in_list(state, action, effects),
        _ => in_conversation(state, action, effects),
    }
}

fn in_list(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    let page = i64::from(state.size.1.saturating_sub(4)) / 2;
    let selected = state.list.selected;
    match action {
        Action::Down => state.list.step(1),
        Action::Up => state.list.step(-1),
        Action::HalfDown => state.list.step(page / 2),
        Action::HalfUp => state.list.step(-page / 2),
        Action::PageDown => state.list.step(page),
        Action::PageUp => state.list.step(-page),
        Action::First => state.list.selected = 0,
        Action::Last => state.list.step(i64::from(i32::MAX)),
        Action::Open => {
            open_selected(state, effects);
            state.focus = Focus::Conversation;
            return;
        }
        Action::Facet => {
            let harnesses = state.list.harnesses();
            let next = match state.list.facet {
                None => harnesses.first(),
                Some(current) => harnesses.iter().skip_while(|h| **h != current).nth(1),
            };
            state.list.facet = next.copied();
            state.list.selected = 0;
            state.list.choose();
        }
        Action::Subagents => {
            state.list.all = !state.list.all;
            state.list.choose();
        }
        Action::Follow => follow(state, effects),
        _ => {}
    }
    // Beside the list stands what is selected.
    if state.list.selected != selected && state.is_split() {
        open_selected(state, effects);
    }
}

fn open_selected(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(row) = state.list.current() else { return };
    let (id, path) = (&row.head.id, &row.head.path);
    let there = state.conversation.as_ref().is_some_and(|c| {
        c.head.id == *id && c.head.path == *path && state.stack.is_empty() && c.leaf.is_none()
    });
    if there && state.opening.is_none() {
        return;
    }
    let head = row.head.clone();
    open(state, Ok(Box::new(head)), None, false, effects);
}

fn open(
    state: &mut State,
    session: Result<Box<SessionHead>, String>,
    leaf: Option<String>,
    step: bool,
    effects: &mut Vec<Effect>,
) {
    let ticket = state.opening.as_ref().map_or(state.ticket, |(n, _)| *n).max(state.ticket) + 1;
    let title = match &session {
        Ok(head) => head.title.clone().unwrap_or_else(|| head.id.clone()),
        Err(id) => id.clone(),
    };
    state.opening = Some((ticket, text::line(text::beginning(&title, 200)).into_owned()));
    state.stepping = step;
    effects.push(Effect::Open { ticket, session, leaf });
}

fn follow(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(conversation) = &mut state.conversation else { return };
    conversation.follow = !conversation.follow;
    let on = conversation.follow;
    if on {
        conversation.last();
    }
    effects.push(Effect::Follow(on));
    state.status = Some(if on { "following" } else { "not following" }.to_owned());
}

fn in_conversation(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Follow {
        follow(state, effects);
        return;
    }
    if action == Action::Back {
        back(state);
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
            state.status = Some(told(found));
        }
        Action::Branches => branches(state),
        Action::Open | Action::StepInto => step_into(state, effects),
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

fn told(found: Option<(usize, usize)>) -> String {
    found.map_or_else(|| "nothing found".to_owned(), |(n, count)| format!("{n} of {count}"))
}

fn branches(state: &mut State) {
    let Some(conversation) = &state.conversation else { return };
    let branches = &conversation.info.branches;
    if branches.len() < 2 {
        state.status = Some("this session has one way through it".to_owned());
        return;
    }
    let row = |b: &recount_session::model::Branch| {
        let told = match b.abandoned_prompts.last() {
            _ if b.active => "where the session goes on".to_owned(),
            Some(prompt) => text::line(text::beginning(prompt, 200)).into_owned(),
            None => "(no prompt of its own)".to_owned(),
        };
        format!("{} {}", text::line(text::beginning(&b.leaf, 8)), told)
    };
    let shown = conversation.leaf.as_ref();
    let selected =
        branches.iter().position(|b| shown.map_or(b.active, |leaf| b.leaf == *leaf)).unwrap_or(0);
    state.overlay = Some(Overlay::Branches(Picker {
        title: "Branches",
        rows: branches.iter().map(row).collect(),
        values: branches.iter().map(|b| b.leaf.clone()).collect(),
        selected,
    }));
}

/// Into the thread that the selected record leads to; else a choice of all.
fn step_into(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(conversation) = &state.conversation else { return };
    let leads =
        conversation.selected_record().and_then(|r| r.origin()).and_then(|o| o.threads.get());
    if let Some(id) = leads.and_then(|threads| threads.first()) {
        let id = id.clone();
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

fn into(state: &mut State, id: String, effects: &mut Vec<Effect>) {
    let session = match state.list.by_id(&id) {
        Some(head) => Ok(Box::new(head.clone())),
        None => Err(id),
    };
    open(state, session, None, true, effects);
}

fn overlaid(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let action = keymap::action(key, Place::List);
    let rows = usize::from(state.size.1);
    let close = key.code == KeyCode::Esc || matches!(action, Some(Action::Quit | Action::Help));
    let Some(overlay) = &mut state.overlay else { return };
    if close {
        state.overlay = None;
        return;
    }
    match overlay {
        Overlay::Help(from) => {
            let last = BINDINGS.iter().filter(|b| !b.help.is_empty()).count().saturating_sub(1);
            match action {
                Some(Action::Down) => *from = (*from + 1).min(last),
                Some(Action::Up) => *from = from.saturating_sub(1),
                Some(Action::PageDown | Action::HalfDown) => *from = (*from + rows / 2).min(last),
                Some(Action::PageUp | Action::HalfUp) => *from = from.saturating_sub(rows / 2),
                _ => state.overlay = None,
            }
        }
        Overlay::Branches(picker) | Overlay::Subagents(picker) => {
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
            let leaf = picker.values.get(picker.selected).cloned();
            let head = conversation.head.clone();
            // A branch is another view of the same session: what was stepped out of stays below it.
            let stack = std::mem::take(&mut state.stack);
            open(state, Ok(Box::new(head)), leaf, false, effects);
            state.stack = stack;
        }
        Some(Overlay::Subagents(picker)) => {
            if let Some(id) = picker.values.get(picker.selected).cloned() {
                into(state, id, effects);
            }
        }
        other => state.overlay = other,
    }
}

/// A key while something is typed.
fn typed(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Some(input) = state.input.as_mut() else { return };
    let before = match input {
        Input::Filter(_) => &mut state.list.filter,
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
            if let Some(Input::Filter(old)) = state.input.take() {
                state.list.filter = old;
                state.list.choose();
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
                        state.status = Some(told(found));
                    }
                }
                _ if state.is_split() => open_selected(state, effects),
                _ => {}
            }
            return;
        }
        KeyCode::Down | KeyCode::Up if matches!(input, Input::Filter(_)) => {
            state.list.step(if key.code == KeyCode::Down { 1 } else { -1 });
            return;
        }
        _ => return,
    }
    if matches!(state.input, Some(Input::Filter(_))) {
        state.list.selected = 0;
        state.list.choose();
    }
}

fn mouse_used(state: &mut State, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let at = Position { x: mouse.column, y: mouse.row };
    let row = |area: Rect| usize::from(mouse.row.saturating_sub(area.y));
    if state.overlay.is_some() {
        if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
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
                let selected = state.list.selected;
                state.list.step(by.signum());
                if state.list.selected != selected && state.is_split() {
                    open_selected(state, effects);
                }
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

/// How a facet is named.
pub fn facet_name(facet: Option<Harness>) -> &'static str {
    facet.map_or("all", Harness::id)
}
