//! Compaction: what the boundary record says about the messages before it.

use std::borrow::Cow;
use std::collections::HashSet;

use recount_formats::Json;
use recount_formats::claude_code::record::SystemCompactBoundary;
use recount_formats::view::View;

use super::transcript::{Node, NodeId, Transcript};

/// What a boundary keeps of the conversation before it.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The kept nodes in order.
    pub(super) nodes: Vec<NodeId>,
    /// The node that they are put behind: the summary, or, after «summarize from here», the boundary itself.
    pub(super) anchor: Option<NodeId>,
}

/// The last boundary in the file that belongs to the main conversation.
pub(super) fn last_boundary(transcript: &Transcript<'_>) -> Option<NodeId> {
    transcript.nodes.iter().rposition(|node| node.is_boundary() && !node.is_sidechain)
}

/// Who asked for it: `manual` or `auto`.
pub(super) fn trigger<'a>(node: &Node<'a>) -> Option<Cow<'a, str>> {
    let metadata = SystemCompactBoundary::view(node.record)?.compact_metadata?;
    Some(metadata.trigger?.get())
}

/// The nodes that a boundary keeps, and where they are put. Old builds keep nothing.
///
/// `preservedMessages` lists them; builds before it name the first and the last one in `preservedSegment`, and the
/// parents in between are theirs.
pub(super) fn kept(transcript: &Transcript<'_>, boundary: NodeId) -> Kept {
    let node = &transcript.nodes[boundary];
    let Some(metadata) =
        SystemCompactBoundary::view(node.record).and_then(|record| record.compact_metadata)
    else {
        return Kept::default();
    };
    let find = |uuid: Cow<'_, str>| transcript.by_uuid.get(&*uuid).copied();
    if let Some(messages) = metadata.preserved_messages
        && let Some(uuids) = messages.uuids.or(messages.all_uuids)
    {
        return Kept {
            nodes: uuids.iter().filter_map(|uuid| find(uuid.get())).collect(),
            anchor: messages.anchor_uuid.and_then(|uuid| find(uuid.get())),
        };
    }
    let Some(segment) = metadata.preserved_segment else { return Kept::default() };
    let head = segment.head_uuid.and_then(|uuid| find(uuid.get()));
    let tail = segment.tail_uuid.and_then(|uuid| find(uuid.get()));
    let (Some(head), Some(tail)) = (head, tail) else { return Kept::default() };
    let mut nodes = vec![tail];
    let mut seen = HashSet::from([tail]);
    let mut id = tail;
    while id != head {
        let parent = transcript.nodes[id].parent_uuid.as_ref().and_then(|uuid| find(uuid.clone()));
        match parent {
            Some(parent) if seen.insert(parent) => id = parent,
            // The segment does not hang together: the real program keeps nothing then.
            _ => return Kept::default(),
        }
        nodes.push(id);
    }
    nodes.reverse();
    Kept { nodes, anchor: segment.anchor_uuid.and_then(|uuid| find(uuid.get())) }
}

/// The calls whose results a micro-compaction took out of the model's history.
pub(super) fn cleared_results<'a>(node: &Node<'a>) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
    let metadata = node
        .is_system("microcompact_boundary")
        .then(|| {
            node.fields.get("microcompactMetadata").or_else(|| node.fields.get("compactMetadata"))
        })
        .flatten();
    let ids = metadata.and_then(|m| m.get("compactedToolIds"));
    ids.into_iter().flat_map(Json::elements).filter_map(Json::as_str)
}
