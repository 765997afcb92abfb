//! The states of a thread that was reverted.
//!
//! A revert leaves the thread's rollout as it is and writes a new one that begins with a part of it. The
//! rollouts that are no longer the current one are the thread's abandoned branches, named by their ids.

use std::collections::HashSet;
use std::sync::Arc;

use super::prompt_of;
use crate::model::{Branch, Thread};
use crate::rebuild::Input;

/// Rebuilds from the state that `leaf` names, else from the one that was opened.
pub(super) fn of<T>(input: Input<'_>, leaf: Option<&str>, rebuild: impl Fn(Input<'_>) -> T) -> T {
    let read = other(&input, leaf).and_then(|id| Some((id, input.companions.read(id)?)));
    match read {
        Some((id, bytes)) => other_state(&input, id, &bytes, rebuild),
        None => rebuild(input),
    }
}

/// The state that `leaf` names, when it is not the current one.
fn other<'a>(input: &Input<'a>, leaf: Option<&str>) -> Option<&'a String> {
    let asked = leaf.and_then(|leaf| input.facts.rollouts.iter().find(|id| *id == leaf));
    asked.filter(|id| input.facts.rollouts.first() != Some(id))
}

/// Whether a thread has no such state. One that was never reverted has one, which has the thread's name.
pub(super) fn is_unknown(input: &Input<'_>, leaf: &str, thread: &str) -> bool {
    leaf != thread && !input.facts.rollouts.iter().any(|id| id == leaf)
}

fn other_state<T>(
    input: &Input<'_>,
    id: &str,
    bytes: &[u8],
    rebuild: impl Fn(Input<'_>) -> T,
) -> T {
    let source: Arc<str> = input.companions.source(id).into();
    rebuild(Input { source: &source, bytes, facts: input.facts, companions: input.companions })
}

/// The states as branches. `shown` is the state that `leaf` names, `rebuild` gives the others; a thread with one state has
/// no branches.
pub(super) fn branches(
    input: &Input<'_>,
    leaf: Option<&str>,
    shown: &Thread,
    rebuild: impl Fn(Input<'_>) -> Thread,
) -> Vec<Branch> {
    let Some((current, others)) = input.facts.rollouts.split_first().filter(|(_, o)| !o.is_empty())
    else {
        return Vec::new();
    };
    let active = match other(input, leaf) {
        None => prompts(shown),
        Some(_) => prompts(&rebuild(*input)),
    };
    let known: HashSet<_> = active.iter().map(|(place, _)| place).collect();
    let mut branches =
        vec![Branch { leaf: current.clone(), active: true, abandoned_prompts: Vec::new() }];
    branches.extend(others.iter().map(|id| {
        let said = input.companions.read(id).map(|bytes| {
            let all = prompts(&other_state(input, id, &bytes, &rebuild));
            all.into_iter()
                .filter(|(place, _)| !known.contains(place))
                .map(|(_, text)| text)
                .collect()
        });
        Branch { leaf: id.clone(), active: false, abandoned_prompts: said.unwrap_or_default() }
    }));
    branches
}

/// Where each prompt of a thread stands, and what it says.
fn prompts(thread: &Thread) -> Vec<((String, String), String)> {
    let turns = thread.turns.iter();
    turns
        .flat_map(|turn| turn.items.iter().map(move |item| (turn, item)))
        .filter_map(|(turn, item)| {
            Some(((turn.id.clone(), item.id.clone()), prompt_of(&item.kind)?))
        })
        .collect()
}
