//! Claude Code transcripts to threads.
//!
//! ```text
//! lines ─▶ transcript (nodes, metadata) ─▶ tree (parents, whatever the order) ─▶ leaf (where it goes on)
//!       ─▶ branch (the nodes of a path)  ─▶ turns (display view: prompt, calls, edits, notices)
//!                                        └▶ model_view
//! ```
//!
//! - [`transcript`]: lines to nodes and metadata, each line decoded once
//! - [`tree`], [`leaf`], [`branch`], [`compaction`]: which lines make up the conversation
//! - [`prompt`]: what a person typed apart from what the program put there
//! - [`turns`], [`open_turn`], [`calls`], [`answers`], [`edits`], [`notices`], [`agents`]: the display view
//! - [`mod@model_view`]: what the model has in front of it
//! - [`head`], [`title`], [`usage`]: lists, names and tokens
//!
//! The companions of a session are the files below its folder, named by their paths there
//! (`subagents/agent-1.jsonl`, `tool-results/x.txt`), and, of builds before 2.1, the agents' files beside it
//! (`agent-1.jsonl`).

mod agents;
mod answers;
mod branch;
mod calls;
mod compaction;
mod edits;
pub mod head;
mod leaf;
mod model_view;
mod notices;
mod open_turn;
mod prompt;
mod title;
mod transcript;
mod tree;
mod turns;
mod usage;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use recount_formats::jsonl::{BadUtf8, Content};
use recount_formats::{Code, Finding, Harness, Position, Text, finding};

use self::agents::Agents;
use self::branch::Sequence;
use self::model_view::End;
use self::transcript::{NodeId, NodeKind, SYNTHETIC_MODEL, Transcript};
use self::tree::Tree;
use super::meanwhile::meanwhile;
use super::{Input, window};
use crate::model::{Aside, At, ItemKind, ModelView, Thread, ThreadStatus, TurnStatus};
use crate::usage::Tokens;

/// The display view of the active branch, or of the branch that ends at `leaf`.
pub fn thread(input: Input<'_>, leaf: Option<&str>) -> Thread {
    rebuild(input, leaf, false).0
}

/// The display view of the active branch, and what the other branches have beyond it.
pub fn with_branches(input: Input<'_>) -> (Thread, Vec<Aside>) {
    rebuild(input, None, true)
}

fn rebuild(input: Input<'_>, leaf: Option<&str>, branches: bool) -> (Thread, Vec<Aside>) {
    let content = Content::new(input.bytes, BadUtf8::Replace);
    let mut transcript = Transcript::read(&content, input.source);
    let mut findings = input.facts.findings.clone();
    findings.append(&mut transcript.findings);
    let count = || usage::usage(&input, &transcript, input.facts.forked_from_id.is_some());
    let (responses, (mut thread, asides)) = meanwhile(input.bytes.len(), count, || {
        shown(&input, leaf, branches, &transcript, &mut findings)
    });
    thread.bill(responses);
    // Its status line counts what the last request put in, without the answer to it.
    let put_in = |t: &Tokens| t.input.saturating_add(t.cached).saturating_add(t.cache_write);
    thread.window = window::last(&thread, put_in);
    findings.sort_by_key(|finding| finding.byte);
    thread.findings = findings;
    (thread, asides)
}

/// Everything but the tokens, and the other branches where they are wanted.
fn shown(
    input: &Input<'_>,
    leaf: Option<&str>,
    branches: bool,
    transcript: &Transcript<'_>,
    findings: &mut Vec<Finding>,
) -> (Thread, Vec<Aside>) {
    let tree = Tree::build(transcript, input.source, findings);
    let below = tree.has_message_below(transcript);
    let active = leaf::active(transcript, &tree, input.source, findings);
    let active = active.map(|leaf| (leaf, branch::sequence(transcript, &tree, &below, leaf)));

    let mut thread = Thread::new(Harness::ClaudeCode, id(input, transcript));
    thread.branches =
        branch::all(transcript, &tree, &below, active.as_ref().map(|(leaf, s)| (*leaf, s)));
    let chosen = leaf.and_then(|uuid| chosen(uuid, transcript, input, findings));
    let sequence = match chosen {
        Some(leaf) => branch::sequence(transcript, &tree, &below, leaf),
        None => active.map_or_else(|| Sequence::empty(transcript), |(_, sequence)| sequence),
    };

    let agents = Agents::of(transcript, input.companions);
    let display = turns::Display {
        transcript,
        sequence: &sequence,
        source: input.source,
        thread: &thread.id,
        agents: &agents,
        companions: input.companions,
    };
    thread.turns = turns::turns(display, findings);
    let asides = if branches { asides(&thread, display, &tree, &below) } else { Vec::new() };
    describe(&mut thread, input, transcript, &sequence);
    lineage(&mut thread, input, transcript, &agents);
    (thread, asides)
}

/// So many nodes are walked for the branches of one session at most.
const BRANCH_NODES: usize = 1 << 24;

/// What the other branches have beyond the active one, from the turn on in which they part.
fn asides(
    thread: &Thread,
    active: turns::Display<'_, '_>,
    tree: &Tree,
    below: &[bool],
) -> Vec<Aside> {
    let others: Vec<&str> =
        thread.branches.iter().filter(|b| !b.active).map(|b| b.leaf.as_str()).collect();
    if others.is_empty() {
        return Vec::new();
    }
    let transcript = active.transcript;
    let place: HashMap<NodeId, usize> =
        active.sequence.nodes.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let by_line: HashMap<u64, usize> =
        place.iter().map(|(&id, &place)| (transcript.nodes[id].at.line, place)).collect();
    // Where each turn of the active branch begins.
    let starts: Vec<usize> = thread
        .turns
        .iter()
        .map(|turn| match turn.items.first().map(|item| &item.at) {
            Some(At::Line { line, .. }) => by_line.get(line).copied().unwrap_or_default(),
            _ => 0,
        })
        .collect();
    let mut room = BRANCH_NODES;
    let mut asides = Vec::new();
    for leaf in others {
        let Some(end) = leaf::named(transcript, leaf) else { continue };
        let Some(left) = room.checked_sub(transcript.nodes.len()) else { break };
        room = left;
        let mut sequence = branch::sequence(transcript, tree, below, end);
        let parts = sequence.nodes.iter().position(|&id| !active.sequence.contains[id]);
        let Some(parts) = parts else { continue };
        // Calls before the parting may have their results behind it: the turn is taken whole.
        let is_prompt = |&id: &NodeId| prompt::typed_text(&transcript.nodes[id]).is_some();
        let start = sequence.nodes[..=parts].iter().rposition(is_prompt).unwrap_or(0);
        let before = start.checked_sub(1).and_then(|n| place.get(&sequence.nodes[n]));
        let shared = before.map_or(0, |before| starts.iter().filter(|s| *s <= before).count());
        sequence.nodes.drain(..start);
        let display = turns::Display { sequence: &sequence, ..active };
        asides.push(Aside {
            leaf: leaf.to_owned(),
            shared_turns: shared,
            turns: turns::turns(display, &mut Vec::new()),
        });
    }
    asides
}

/// What the model has in front of it at the end of the active branch, or of the branch that ends at `leaf`.
pub fn model_view(input: Input<'_>, leaf: Option<&str>) -> ModelView {
    view(input, leaf, true)
}

fn view(input: Input<'_>, leaf: Option<&str>, inherits: bool) -> ModelView {
    let content = Content::new(input.bytes, BadUtf8::Replace);
    let transcript = Transcript::read(&content, input.source);
    // A forked sub-agent goes on from where its session was. The session's own file is read as it stands.
    let fork = transcript.metadata.fork_context.as_ref().filter(|_| inherits);
    let inherited = fork.and_then(|fork| {
        let bytes = input.companions.read(&format!("{}.jsonl", fork.session))?;
        Some(view(Input { bytes: &bytes, ..input }, Some(&fork.last), false))
    });
    let mut findings = Vec::new();
    let tree = Tree::build(&transcript, input.source, &mut findings);
    let below = tree.has_message_below(&transcript);
    let chosen = leaf.and_then(|uuid| leaf::named(&transcript, uuid));
    let leaf = chosen.or_else(|| leaf::active(&transcript, &tree, input.source, &mut findings));
    let mut whole = inherited.unwrap_or_default();
    let Some(leaf) = leaf else { return whole };

    let shown = branch::sequence(&transcript, &tree, &below, leaf);
    let nodes = model_view::nodes(&transcript, &tree, &shown);
    let sent: HashSet<NodeId> = nodes.iter().copied().collect();
    let all = || shown.nodes.iter().map(|&id| (id, &transcript.nodes[id]));
    let compactions = all().filter(|(_, node)| node.is_boundary()).count();
    let dropped =
        all().filter(|(id, node)| !sent.contains(id) && prompt::typed_text(node).is_some()).count();
    let end = if inherits { End::Answered } else { End::Open };
    whole.messages.append(&mut model_view::messages(&transcript, &nodes, end));
    whole.compactions += compactions as u64;
    whole.dropped_turns += dropped as u64;
    whole
}

/// The id under which the harness resumes it: of a main session the file's name, of a sub-agent the agent's id.
fn id(input: &Input<'_>, transcript: &Transcript<'_>) -> String {
    if let Some(id) = &input.facts.id {
        return id.clone();
    }
    let named = |key: &str| {
        let ids = transcript.nodes.iter().filter_map(|node| node.text(key));
        ids.map(Cow::into_owned).next()
    };
    let agent =
        transcript.nodes.iter().all(|node| node.is_sidechain).then(|| named("agentId")).flatten();
    agent
        .or_else(|| named("sessionId"))
        .or_else(|| transcript.metadata.session_id.as_deref().map(str::to_owned))
        .unwrap_or_default()
}

/// The leaf that was asked for; a finding when there is none such.
fn chosen(
    uuid: &str,
    transcript: &Transcript<'_>,
    input: &Input<'_>,
    findings: &mut Vec<Finding>,
) -> Option<NodeId> {
    let found = leaf::named(transcript, uuid);
    if found.is_none() {
        let text = format!(
            "no line has the uuid `{}`; the active branch was taken",
            finding::excerpt(uuid)
        );
        findings.push(Finding::new(Code::UnknownBranch, input.source, Position::WHOLE, text));
    }
    found
}

/// Fills in what lists and headers show.
fn describe(
    thread: &mut Thread,
    input: &Input<'_>,
    transcript: &Transcript<'_>,
    sequence: &Sequence,
) {
    let owned = |text: Option<Text<'_>>| text.map(|t| t.get().into_owned());
    let first = |key: &str| {
        let mut texts = transcript.nodes.iter().filter_map(|node| node.text(key));
        texts.find(|text| !text.is_empty()).map(Cow::into_owned)
    };
    thread.cwd = first("cwd");
    thread.git_branch = first("gitBranch");
    thread.created_at = owned(transcript.metadata.first_timestamp);
    thread.updated_at =
        owned(transcript.metadata.last_timestamp).or_else(|| input.facts.updated_at.clone());
    thread.model = sequence
        .nodes
        .iter()
        .rev()
        .map(|&id| &transcript.nodes[id])
        .filter(|node| node.kind == NodeKind::Assistant)
        .filter_map(|node| node.message.model)
        .find(|model| !model.is(SYNTHETIC_MODEL))
        .map(|model| model.get().into_owned());
    let preview = thread
        .items()
        .find_map(|item| match &item.kind {
            ItemKind::UserMessage { content, .. } => Some(prompt::text_of(content)),
            _ => None,
        })
        .filter(|text| !text.is_empty());
    thread.preview = preview;
    thread.title = title::title(transcript, input.facts);
    thread.status = match thread.turns.last() {
        None => ThreadStatus::Empty,
        Some(turn) if turn.status == TurnStatus::InProgress => ThreadStatus::Open,
        Some(_) => ThreadStatus::Idle,
    };
}

fn lineage(thread: &mut Thread, input: &Input<'_>, transcript: &Transcript<'_>, agents: &Agents) {
    let is_agent =
        !transcript.nodes.is_empty() && transcript.nodes.iter().all(|node| node.is_sidechain);
    let calls: HashSet<Cow<'_, str>> = if is_agent {
        let blocks = transcript
            .nodes
            .iter()
            .filter(|n| n.kind == NodeKind::Assistant)
            .flat_map(|node| &node.message.blocks);
        blocks.map(transcript::Block::call).collect()
    } else {
        HashSet::new()
    };
    let own = |call: &str| calls.contains(call);
    thread.lineage.subagents = agents.lineage(is_agent.then_some(&own));
    thread.lineage.subagents.retain(|agent| agent.id != thread.id);
    thread.lineage.parent_id = input.facts.parent_id.clone().or_else(|| {
        let session = transcript.nodes.iter().find_map(|node| node.text("sessionId"));
        session.filter(|session| is_agent && **session != thread.id).map(Cow::into_owned)
    });
    thread.lineage.forked_from_id = transcript
        .nodes
        .iter()
        .find_map(|node| node.fields.get("forkedFrom")?.str("sessionId"))
        .map(Cow::into_owned)
        .or_else(|| input.facts.forked_from_id.clone());
    thread.lineage.continued_in = transcript.metadata.continued_in.as_deref().map(str::to_owned);
}

#[cfg(test)]
mod tests;
