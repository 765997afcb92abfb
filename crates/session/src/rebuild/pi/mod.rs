//! pi transcripts to threads.
//!
//! - [`entries`]: lines to the header and the entries, in all versions of the format
//! - [`tree`]: entries to branches; circles and gaps are cut
//! - [`context`]: the model view, as pi's own session manager projects it
//! - [`turns`], [`tools`], [`diff`]: the display view
//! - [`about`]: names, labels, lineage
//! - [`usage`]: the bill, all branches together
//! - [`content`]: what stands in messages
//!
//! The name of a companion is `header/<file name>`: the first line of that session file in the same store.
//! Nothing else is needed of the session that a file was forked from, because forks hold copies.

mod about;
mod content;
mod context;
mod diff;
mod entries;
#[cfg(test)]
mod tests;
mod tools;
mod tree;
mod turns;
mod usage;

use recount_formats::jsonl::{BadUtf8, Content};
use recount_formats::pi::Kind;
use recount_formats::{Code, Finding, Harness};

use self::entries::{Broken, Parent, Transcript};
use self::tree::Tree;
use super::{Input, window};
use crate::model::{Branch, ModelView, Thread, ThreadStatus, TurnStatus};

/// The display view of the branch that ends at the last entry of the file, or at `leaf`.
pub fn thread(input: Input<'_>, leaf: Option<&str>) -> Thread {
    let content = Content::new(input.bytes, BadUtf8::Replace);
    let mut findings = input.facts.findings.clone();
    let transcript = entries::read(&content, input.source, Broken::Recover, &mut findings);
    let tree = Tree::link(&transcript, input.source, &mut findings);
    let chosen = choose(&transcript, &tree, leaf);
    // Entries of version 1 have no ids: pi gives them new ones each time it reads the file, and there is one branch, whatever
    // it is called (corpus: pi/old-0.27.9).
    let list = transcript.entries.iter().all(|entry| matches!(entry.parent, Parent::Previous));
    if let (Some(leaf), None, false) = (leaf, chosen, list) {
        findings.push(Finding::new(
            Code::UnknownBranch,
            input.source,
            recount_formats::Position::WHOLE,
            format!(
                "no entry `{}`: the last entry of the file was taken",
                recount_formats::finding::excerpt(leaf)
            ),
        ));
    }
    let end = chosen.or_else(|| tree.active());
    let path = end.map_or_else(Vec::new, |end| tree.path(end));

    let mut thread = Thread::new(Harness::Pi, "");
    about::fill(&mut thread, input, &transcript, &path, &mut findings);
    let labels = about::labels(&transcript, &tree);
    thread.turns = turns::build(
        input.source,
        &transcript,
        &labels,
        thread.cwd.as_deref(),
        &path,
        &mut findings,
    );
    thread.status = match thread.turns.last() {
        None => ThreadStatus::Empty,
        Some(turn) if turn.status == TurnStatus::InProgress => ThreadStatus::Open,
        Some(_) => ThreadStatus::Idle,
    };
    thread.branches = branches(&transcript, &tree);
    let is_fork = thread.lineage.forked_from_id.is_some();
    let source_is_here = is_fork && findings.iter().all(|f| f.code != Code::MissingFile);
    thread.bill(usage::of(&input, source_is_here));
    thread.window = window::last(&thread, |tokens| tokens.total);
    thread.findings = findings;
    thread
}

/// What the model gets at the end of the branch that ends at the last entry of the file, or at `leaf`.
pub fn model_view(input: Input<'_>, leaf: Option<&str>) -> ModelView {
    let content = Content::new(input.bytes, BadUtf8::Replace);
    let mut findings = Vec::new();
    let transcript = entries::read(&content, input.source, Broken::Skip, &mut findings);
    let tree = Tree::link(&transcript, input.source, &mut findings);
    let end = choose(&transcript, &tree, leaf).or_else(|| tree.active());
    context::project(&transcript, &end.map_or_else(Vec::new, |end| tree.path(end)))
}

/// The entry that `leaf` names: by its id, or by a label that stands on it.
fn choose(transcript: &Transcript<'_>, tree: &Tree<'_>, leaf: Option<&str>) -> Option<usize> {
    let leaf = leaf?;
    tree.find(leaf).or_else(|| {
        let labels = about::labels(transcript, tree);
        let named = labels.iter().filter(|(_, label)| *label.text == *leaf);
        named.map(|(&target, _)| target).max()
    })
}

/// One branch for each leaf, in the order of the file.
///
/// Prompts that several branches have in common are named for each of them, so that a tree made for it could ask
/// for more text than memory holds: past a limit that no tree of a person reaches, the lists end early.
fn branches(transcript: &Transcript<'_>, tree: &Tree<'_>) -> Vec<Branch> {
    let active = tree.active();
    let mut on_active = vec![false; transcript.entries.len()];
    for at in active.map_or_else(Vec::new, |end| tree.path(end)) {
        on_active[at] = true;
    }
    let mut steps = 100_000 + 16 * transcript.entries.len();
    let mut branches = Vec::new();
    for leaf in tree.leaves() {
        let mut prompts = Vec::new();
        let mut at = Some(leaf);
        while let Some(n) = at.filter(|&n| !on_active[n] && steps > 0) {
            steps -= 1;
            let entry = &transcript.entries[n];
            if entry.kind == Kind::MessageUser {
                prompts.push(content::prompt(entry.message));
            }
            at = tree.parent(n);
        }
        prompts.reverse();
        branches.push(Branch {
            leaf: transcript.entries[leaf].id.to_string(),
            active: Some(leaf) == active,
            abandoned_prompts: prompts,
        });
    }
    branches
}
