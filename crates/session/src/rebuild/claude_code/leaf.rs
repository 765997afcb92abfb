//! Which node a conversation goes on from, as the real program picks it.
//!
//! The rules were found by resuming prepared sessions (FIELD-NOTES «Leaf selection», corpus `loader-*`):
//!
//! | last `last-prompt` record | leaf |
//! | --- | --- |
//! | names a node | the newest tip below it, among the lines behind it |
//! | names a node, `explicit: true` | that node |
//! | `leafUuid: null`, `explicit: true` | nothing: the conversation starts anew |
//! | names the nil UUID or no node; no record | the newest tip of the file |
//!
//! Newest means last in the file, whatever the timestamps say. What stands before the last compaction, the
//! kept messages aside, is dropped on loading and cannot be named.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::{Code, Finding};

use super::compaction;
use super::transcript::{NodeId, NodeKind, Transcript};
use super::tree::Tree;

/// The leaf of the active branch; nothing when the conversation is empty.
pub(super) fn active(
    transcript: &Transcript<'_>,
    tree: &Tree,
    source: &Arc<str>,
    findings: &mut Vec<Finding>,
) -> Option<NodeId> {
    let newest = || newest_tip(transcript, tree, 0);
    let Some(last_prompt) = &transcript.metadata.last_prompt else { return newest() };
    // A line behind the record was written after it, so that the record no longer speaks of the end.
    let written_since =
        transcript.nodes.partition_point(|node| node.first_line() <= last_prompt.at.line);
    let Some(named) = &last_prompt.leaf else {
        if last_prompt.explicit {
            return newest_tip(transcript, tree, written_since);
        }
        return newest();
    };
    let found = transcript.by_uuid.get(named).copied();
    let Some(leaf) = found.filter(|&leaf| last_prompt.explicit || !is_dropped(transcript, leaf))
    else {
        if found.is_none() && !is_nil(named) {
            let text = format!("`{named}` is no line of this file; the last line was taken");
            findings.push(Finding::new(Code::UnusableLeaf, source, last_prompt.at, text));
        }
        return newest();
    };
    if last_prompt.explicit {
        return Some(newest_below(transcript, tree, leaf, written_since));
    }
    Some(newest_below(transcript, tree, leaf, leaf + 1))
}

/// The node with this uuid, or with one that begins so.
pub(super) fn named(transcript: &Transcript<'_>, uuid: &str) -> Option<NodeId> {
    if let Some(&id) = transcript.by_uuid.get(uuid) {
        return Some(id);
    }
    let mut fitting = transcript
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, n)| !uuid.is_empty() && n.uuid.starts_with(uuid));
    match (fitting.next(), fitting.next()) {
        (Some((id, _)), None) => Some(id),
        _ => None,
    }
}

/// The last message among the nodes from `from` on, and what hangs below it.
fn newest_tip(transcript: &Transcript<'_>, tree: &Tree, from: NodeId) -> Option<NodeId> {
    let nodes = &transcript.nodes;
    let main = nodes.iter().any(|node| !node.is_sidechain);
    let in_conversation = |id: &NodeId| {
        let node = &nodes[*id];
        (!main || !node.is_sidechain)
            && !matches!(node.kind, NodeKind::Progress | NodeKind::Unknown)
    };
    let last = (from..nodes.len())
        .rev()
        .filter(in_conversation)
        .find(|&id| nodes[id].is_message())
        .or_else(|| (from..nodes.len()).rev().find(in_conversation))?;
    Some(newest_below(transcript, tree, last, last + 1))
}

/// The newest tip below a node among the nodes from `from` on; the node itself when there is none.
///
/// First the last message, then the last of the lines that hang on it and are no messages. What hangs on another line
/// of the same response stands below the node too: of parallel calls the conversation goes on behind one result only
/// (`tui-branch-v332`).
fn newest_below(transcript: &Transcript<'_>, tree: &Tree, node: NodeId, from: NodeId) -> NodeId {
    let behind = |id: &NodeId| {
        *id >= from && !matches!(transcript.nodes[*id].kind, NodeKind::Progress | NodeKind::Unknown)
    };
    let newest_message = |top: NodeId| {
        tree.descendants(top).filter(behind).filter(|&id| transcript.nodes[id].is_message()).max()
    };
    let response = response_of(transcript, tree, node);
    let siblings = response.iter().flat_map(|response| {
        let nodes = transcript.nodes.iter().enumerate();
        nodes.filter(move |(_, n)| n.response_id().as_ref() == Some(response)).map(|(id, _)| id)
    });
    // The lines of a response hang on each other as a rule: below the first one stand all the others.
    let message =
        newest_message(node).into_iter().chain(siblings.take(1).filter_map(newest_message));
    let message = message.max().unwrap_or(node);
    tree.descendants(message).filter(behind).max().unwrap_or(message)
}

/// The response that a line is a part of or answers a call of.
fn response_of<'a>(transcript: &Transcript<'a>, tree: &Tree, id: NodeId) -> Option<Cow<'a, str>> {
    let node = &transcript.nodes[id];
    if !node.message.has_tool_result {
        return node.response_id();
    }
    transcript.nodes[tree.parent(id)?].response_id()
}

/// Whether the real program no longer knows the node after loading the file.
fn is_dropped(transcript: &Transcript<'_>, id: NodeId) -> bool {
    let Some(boundary) = compaction::last_boundary(transcript) else { return false };
    if id >= boundary {
        return false;
    }
    !compaction::kept(transcript, boundary).nodes.contains(&id)
}

fn is_nil(uuid: &str) -> bool {
    uuid.bytes().all(|b| b == b'0' || b == b'-')
}
