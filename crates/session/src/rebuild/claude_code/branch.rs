//! Paths through the tree: what belongs to one although it is not on it, and which other ones there are.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::prompt;
use super::transcript::{Node, NodeId, NodeKind, Transcript};
use super::tree::Tree;
use crate::model::Branch;

/// How many abandoned prompts are listed in all. A hostile file could ask for the square of its length.
const PROMPTS_LIMIT: usize = 100_000;

/// The nodes of a branch in the order in which they are shown.
///
/// Besides the path itself: the other lines of a response of which one line is on the path (of parallel calls
/// only the one whose result came last is); attachments and notices that hang on the path; refused answers,
/// which the real program puts on a side branch and sends nevertheless.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) nodes: Vec<NodeId>,
    /// Whether a node is among them.
    pub(super) contains: Vec<bool>,
    /// Attachments and notices beside the path: shown, but not sent.
    pub(super) beside: HashSet<NodeId>,
}

impl Sequence {
    /// No nodes.
    pub(super) fn empty(transcript: &Transcript<'_>) -> Self {
        Self {
            nodes: Vec::new(),
            contains: vec![false; transcript.nodes.len()],
            beside: HashSet::new(),
        }
    }
}

/// The nodes of the branch that ends at `leaf`.
pub(super) fn sequence(
    transcript: &Transcript<'_>,
    tree: &Tree,
    below: &[bool],
    leaf: NodeId,
) -> Sequence {
    let path = tree.path(leaf);
    let mut contains = vec![false; transcript.nodes.len()];
    for &id in &path {
        contains[id] = true;
    }
    let mut groups = Responses::of(transcript).lines;
    // The last line of each response on the path, behind which its other lines go.
    let mut last_line = HashMap::new();
    for &id in &path {
        if let Some(response) = transcript.nodes[id].response_id() {
            last_line.insert(response, id);
        }
    }
    let mut nodes = Vec::with_capacity(path.len());
    let mut beside = HashSet::new();
    for &id in &path {
        nodes.push(id);
        let mut attached: Vec<NodeId> = Vec::new();
        if let Some(response) = transcript.nodes[id].response_id()
            && last_line.get(&response) == Some(&id)
            && let Some(lines) = groups.remove(&response)
        {
            attached.extend(hanging_on(transcript, tree, &contains, &lines, &response));
        }
        for child in tree.children(id).filter(|&child| !contains[child]) {
            let node = &transcript.nodes[child];
            match node.kind {
                NodeKind::Attachment | NodeKind::System if !below[child] => {
                    let all = || std::iter::once(child).chain(tree.descendants(child));
                    attached.extend(all());
                    beside.extend(all());
                }
                NodeKind::Assistant if is_refusal(transcript, tree, child) => {
                    attached.push(child);
                    attached.extend(tree.descendants(child));
                }
                _ => {}
            }
        }
        attached.sort_unstable();
        for id in attached {
            if !std::mem::replace(&mut contains[id], true) {
                nodes.push(id);
            }
        }
    }
    Sequence { nodes, contains, beside }
}

/// The lines of a response that stand on the path or hang on it, with no more than other lines of the response and results
/// of its calls in between. A response has the same id on every branch that has a copy of it.
fn hanging_on(
    transcript: &Transcript<'_>,
    tree: &Tree,
    path: &[bool],
    lines: &[NodeId],
    response: &str,
) -> Vec<NodeId> {
    let mut known: HashMap<NodeId, bool> = HashMap::new();
    let mut walked = Vec::new();
    let mut hanging = Vec::new();
    for &line in lines {
        let mut next = Some(line);
        let hangs = loop {
            let Some(id) = next else { break false };
            if path[id] {
                break true;
            }
            if let Some(&known) = known.get(&id) {
                break known;
            }
            let node = &transcript.nodes[id];
            if node.response_id().as_deref() != Some(response) && !node.message.has_tool_result {
                break false;
            }
            walked.push(id);
            next = tree.parent(id);
        };
        known.extend(walked.drain(..).map(|id| (id, hangs)));
        if hangs {
            hanging.push(line);
        }
    }
    hanging
}

/// Whether a side branch is nothing but an answer that the model refused to finish.
fn is_refusal(transcript: &Transcript<'_>, tree: &Tree, top: NodeId) -> bool {
    let refused = |id: NodeId| {
        let node = &transcript.nodes[id];
        node.kind == NodeKind::Assistant && node.stop_reason().as_deref() == Some("refusal")
    };
    refused(top)
        && tree.descendants(top).all(|id| !transcript.nodes[id].is_message() || refused(id))
}

/// Which lines belong to which response.
struct Responses<'t> {
    lines: HashMap<Cow<'t, str>, Vec<NodeId>>,
}

impl<'t> Responses<'t> {
    fn of(transcript: &Transcript<'t>) -> Self {
        let mut lines: HashMap<_, Vec<NodeId>> = HashMap::new();
        for (id, node) in transcript.nodes.iter().enumerate() {
            if let Some(response) = node.response_id() {
                lines.entry(response).or_default().push(id);
            }
        }
        Self { lines }
    }
}

/// All branches: the active one first, then the abandoned ones in the order of their ends.
pub(super) fn all(
    transcript: &Transcript<'_>,
    tree: &Tree,
    below: &[bool],
    active: Option<(NodeId, &Sequence)>,
) -> Vec<Branch> {
    let mut branches = Vec::new();
    if let Some((leaf, _)) = active {
        branches.push(Branch {
            leaf: transcript.nodes[leaf].uuid.to_string(),
            active: true,
            abandoned_prompts: Vec::new(),
        });
    }
    let on_active = |id: NodeId| active.is_some_and(|(_, sequence)| sequence.contains[id]);
    // Builds before 2.0 wrote their agents' lines into the session's file: nobody typed these.
    let is_session = transcript.nodes.iter().any(|node| !node.is_sidechain);
    let is_typed =
        |node: &Node<'_>| !(is_session && node.is_sidechain) && prompt::typed_text(node).is_some();
    let typed: Vec<bool> = transcript.nodes.iter().map(is_typed).collect();
    let prompt_above = tree.nearest_above(|id| typed[id]);
    let mut listed = 0;
    for tip in tips(transcript, tree, below) {
        if on_active(tip) || is_superseded_command(transcript, tree, tip) {
            continue;
        }
        let mut prompts = Vec::new();
        let mut next = if typed[tip] { Some(tip) } else { prompt_above[tip] };
        while let Some(id) = next.filter(|&id| !on_active(id) && listed < PROMPTS_LIMIT) {
            prompts.extend(prompt::typed_text(&transcript.nodes[id]));
            listed += 1;
            next = prompt_above[id];
        }
        prompts.reverse();
        let last = tree.descendants(tip).max().unwrap_or(tip);
        branches.push(Branch {
            leaf: transcript.nodes[last].uuid.to_string(),
            active: false,
            abandoned_prompts: prompts,
        });
    }
    branches
}

/// The messages with no message below them, in the order of the file. Of the lines and results of one response only the
/// last one is an end, and none when the conversation goes on behind any of them.
fn tips(transcript: &Transcript<'_>, tree: &Tree, below: &[bool]) -> Vec<NodeId> {
    let message_above = tree.nearest_above(|id| transcript.nodes[id].is_message());
    let responses = clusters(transcript, &message_above);
    let mut goes_on: HashSet<NodeId> = HashSet::new();
    let mut ends: HashMap<NodeId, NodeId> = HashMap::new();
    let mut tips = Vec::new();
    for (id, node) in transcript.nodes.iter().enumerate() {
        if !node.is_message() {
            continue;
        }
        if let Some(before) = message_above[id].and_then(|above| responses[above])
            && responses[id] != Some(before)
        {
            goes_on.insert(before);
        }
        match responses[id] {
            _ if below[id] => {}
            Some(response) => {
                ends.insert(response, id);
            }
            None => tips.push(id),
        }
    }
    let ends = ends.into_iter().filter(|(response, _)| !goes_on.contains(response));
    tips.extend(ends.map(|(_, id)| id));
    tips.sort_unstable();
    tips
}

/// For each line of a response and each result of its calls, the first line of the response above it. The same response
/// may stand on several branches.
fn clusters(transcript: &Transcript<'_>, message_above: &[Option<NodeId>]) -> Vec<Option<NodeId>> {
    let response_of = |id: NodeId| {
        let node = &transcript.nodes[id];
        if !node.message.has_tool_result {
            return node.response_id();
        }
        transcript.nodes[message_above[id]?].response_id()
    };
    let mut first: Vec<Option<NodeId>> = vec![None; message_above.len()];
    let mut walked = Vec::new();
    for start in 0..first.len() {
        let Some(response) = response_of(start) else { continue };
        let mut id = start;
        while first[id].is_none() {
            walked.push(id);
            match message_above[id] {
                Some(above) if response_of(above).as_ref() == Some(&response) => id = above,
                _ => first[id] = Some(id),
            }
        }
        let found = first[id];
        for id in walked.drain(..) {
            first[id] = found;
        }
    }
    first
}

/// Whether it is the typed `/compact` that hangs beside the boundary which it caused: a dead end that nobody left.
fn is_superseded_command(transcript: &Transcript<'_>, tree: &Tree, tip: NodeId) -> bool {
    let is_command =
        prompt::typed_text(&transcript.nodes[tip]).is_some_and(|text| text.starts_with('/'));
    is_command
        && tree.parent(tip).is_some_and(|parent| {
            tree.children(parent).any(|child| transcript.nodes[child].is_boundary() && child > tip)
        })
}
