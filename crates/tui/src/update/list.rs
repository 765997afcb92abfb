//! In the list.

use recount_formats::Harness;
use recount_text::text;

use super::Effect;
use super::session::{follow, open};
use crate::keymap::Action;
use crate::state::{Focus, Overlay, Picker, State, Way};

pub(super) fn act(state: &mut State, action: Action, effects: &mut Vec<Effect>) {
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
        Action::Harness => {
            let harnesses = state.list.harnesses();
            let next = match state.list.harness {
                None => harnesses.first(),
                Some(current) => harnesses.iter().skip_while(|h| **h != current).nth(1),
            };
            only_harness(state, next.copied());
            settle(state, effects);
            return;
        }
        Action::Project => projects(state),
        Action::Subagents => {
            state.list.all = !state.list.all;
            state.list.choose();
            settle(state, effects);
            return;
        }
        // What keys do in the list they do to what is selected there.
        Action::Follow if stands(state) => follow(state, effects),
        Action::Follow => state.status = Some("this session is not open".to_owned()),
        _ => {}
    }
    // Beside the list stands what is selected.
    if state.list.selected != selected && state.is_split() {
        open_selected(state, effects);
    }
}

/// After the list has changed: beside it stands what is selected in it, or a sub-agent or branch of that.
pub(super) fn settle(state: &mut State, effects: &mut Vec<Effect>) {
    if state.is_split() && !stands(state) {
        open_selected(state, effects);
    }
}

/// Whether the selected session is the one that is open, or will be.
fn stands(state: &State) -> bool {
    let Some((id, path)) = state.list.place() else { return true };
    let shown = state.stack.first().or(state.conversation.as_ref());
    match &state.opening {
        Some(opening) => opening.id == id,
        None => shown.is_some_and(|c| c.head.id == id && c.head.path == path),
    }
}

pub(super) fn open_selected(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(row) = state.list.current() else { return };
    let (id, path) = (&row.head.id, &row.head.path);
    let there = state.conversation.as_ref().is_some_and(|c| {
        c.head.id == *id && c.head.path == *path && state.stack.is_empty() && c.leaf.is_none()
    });
    if there && state.opening.is_none() {
        show_found(state);
        return;
    }
    let head = row.head.clone();
    open(state, Ok(Box::new(head)), None, Way::Anew, effects);
}

/// In a session in which the words of the filter were found, goes to where they are said.
pub(super) fn show_found(state: &mut State) {
    let Some(conversation) = state.conversation.as_mut().filter(|c| c.leaf.is_none()) else {
        return;
    };
    let Some(found) = state.list.found(&conversation.head.id) else { return };
    let marked = found.snippet.marks.first().cloned().unwrap_or_default();
    let words = found.snippet.text.get(marked).unwrap_or_default();
    conversation.show_found(&found.item, words);
}

/// Shows the sessions of one harness, or of all.
pub(super) fn only_harness(state: &mut State, harness: Option<Harness>) {
    state.list.harness = harness;
    state.list.choose();
}

/// A choice of the working directories that there are.
fn projects(state: &mut State) {
    let projects = state.list.projects();
    let count: usize = projects.iter().map(|(_, count)| count).sum();
    let all = ("all projects".to_owned(), count);
    let most = count.to_string().len();
    let row = |(path, count): &(String, usize)| {
        format!("{count:>most$}  {}", text::line(text::beginning(path, 300)))
    };
    let selected = state.list.project.as_ref().and_then(|project| {
        projects.iter().position(|(path, _)| path == project).map(|place| place + 1)
    });
    state.overlay = Some(Overlay::Projects(Picker {
        title: "Projects",
        rows: std::iter::once(&all).chain(&projects).map(row).collect(),
        values: std::iter::once(String::new())
            .chain(projects.iter().map(|p| p.0.clone()))
            .collect(),
        selected: selected.unwrap_or(0),
    }));
}
