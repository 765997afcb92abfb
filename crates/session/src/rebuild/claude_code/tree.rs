//! Nodes to a tree, whatever their order in the file, and its branches.
//!
//! A parent may come after its child, name nothing, or close a circle; lines of other types may stand in
//! between. Every node ends up in one tree of which each parent is another node or nothing.

use std::sync::Arc;

use recount_formats::{Code, Finding};

use super::transcript::{NodeId, NodeKind, Transcript};

/// The conversation tree of a transcript.
#[derive(Debug)]
pub(super) struct Tree {
    parent: Vec<Option<NodeId>>,
    /// Children in the order of the file, as linked lists.
    first_child: Vec<Option<NodeId>>,
    next_sibling: Vec<Option<NodeId>>,
}

impl Tree {
    /// Links the nodes. What cannot be linked as it stands becomes a finding.
    pub(super) fn build(
        transcript: &Transcript<'_>,
        source: &Arc<str>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let count = transcript.nodes.len();
        let mut parent: Vec<Option<NodeId>> = vec![None; count];
        for (id, slot) in parent.iter_mut().enumerate() {
            *slot = parent_of(transcript, id, source, findings);
        }
        cut_cycles(&mut parent, transcript, source, findings);
        let mut first_child = vec![None; count];
        let mut next_sibling = vec![None; count];
        for id in (0..count).rev() {
            if let Some(parent) = parent[id] {
                next_sibling[id] = first_child[parent].replace(id);
            }
        }
        Self { parent, first_child, next_sibling }
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parent[id]
    }

    /// The children in the order of the file.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child[id], |&child| self.next_sibling[child])
    }

    /// The nodes from the root to `leaf`.
    pub(super) fn path(&self, leaf: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(leaf), |&id| self.parent[id]).collect();
        path.reverse();
        path
    }

    /// All nodes below `id`, without it.
    pub(super) fn descendants(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut stack: Vec<NodeId> = self.first_child[id].into_iter().collect();
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            stack.extend(self.next_sibling[next]);
            stack.extend(self.first_child[next]);
            Some(next)
        })
    }

    /// For each node, the nearest one above it that fits.
    pub(super) fn nearest_above(&self, fits: impl Fn(NodeId) -> bool) -> Vec<Option<NodeId>> {
        let mut nearest: Vec<Option<Option<NodeId>>> = vec![None; self.parent.len()];
        let mut walked = Vec::new();
        for start in 0..self.parent.len() {
            let mut id = start;
            let found = loop {
                if let Some(known) = nearest[id] {
                    break known;
                }
                walked.push(id);
                match self.parent[id] {
                    None => break None,
                    Some(parent) if fits(parent) => break Some(parent),
                    Some(parent) => id = parent,
                }
            };
            for id in walked.drain(..) {
                nearest[id] = Some(found);
            }
        }
        nearest.into_iter().map(Option::flatten).collect()
    }

    /// For each node, whether a line of a person or the model stands below it.
    pub(super) fn has_message_below(&self, transcript: &Transcript<'_>) -> Vec<bool> {
        let mut below = vec![false; self.parent.len()];
        for (id, node) in transcript.nodes.iter().enumerate() {
            if !node.is_message() {
                continue;
            }
            let mut next = self.parent[id];
            while let Some(id) = next {
                if std::mem::replace(&mut below[id], true) {
                    break;
                }
                next = self.parent[id];
            }
        }
        below
    }
}

/// The parent that a node names: of a compaction boundary the logical one, of an orphan the node before it in the
/// file (the real program bridges such gaps and sends what stands on both sides: `damaged-orphan`).
fn parent_of(
    transcript: &Transcript<'_>,
    id: NodeId,
    source: &Arc<str>,
    findings: &mut Vec<Finding>,
) -> Option<NodeId> {
    let node = &transcript.nodes[id];
    let named = node.parent_uuid.as_ref().or(node.logical_parent_uuid.as_ref());
    let Some(named) = named else {
        return if node.is_boundary() { before(transcript, id) } else { None };
    };
    let found = transcript.by_uuid.get(named).copied();
    if found.is_none() {
        let text =
            format!("`{named}` is no line of this file; the line before it was taken as parent");
        findings.push(Finding::new(Code::DanglingParent, source, node.at, text));
        return before(transcript, id);
    }
    found
}

/// The last node before another one that belongs to the same kind of conversation.
fn before(transcript: &Transcript<'_>, id: NodeId) -> Option<NodeId> {
    let node = &transcript.nodes[id];
    (0..id).rev().find(|&other| {
        let other = &transcript.nodes[other];
        other.is_sidechain == node.is_sidechain
            && !matches!(other.kind, NodeKind::Progress | NodeKind::Unknown)
    })
}

/// Makes the first line of each circle a root.
fn cut_cycles(
    parent: &mut [Option<NodeId>],
    transcript: &Transcript<'_>,
    source: &Arc<str>,
    findings: &mut Vec<Finding>,
) {
    // The walk in which a node was first seen; 0 is never.
    let mut seen = vec![0_usize; parent.len()];
    for start in 0..parent.len() {
        let walk = start + 1;
        let mut next = Some(start);
        while let Some(id) = next {
            if seen[id] == walk {
                let first = std::iter::successors(parent[id], |&other| parent[other])
                    .take_while(|&other| other != id)
                    .fold(id, NodeId::min);
                let text = "the parents form a circle; this line was taken as its beginning";
                findings.push(Finding::new(
                    Code::ParentCycle,
                    source,
                    transcript.nodes[first].at,
                    text,
                ));
                parent[first] = None;
                break;
            }
            if seen[id] != 0 {
                break;
            }
            seen[id] = walk;
            next = parent[id];
        }
    }
}
