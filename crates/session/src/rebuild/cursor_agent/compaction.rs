//! Compactions: where the model's history was shortened.

use std::collections::HashMap;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::Blobs;
use std::sync::Arc;

use super::chat::Chat;
use super::prompts::{archives, is_summary, parse, request_id, text_of};
use crate::model::{At, Item, ItemKind, Turn};

/// A compaction.
pub(super) struct Compaction {
    /// The blob of its archive.
    pub(super) blob: String,
    pub(super) summary: Option<String>,
    /// The requests whose messages went, or were the last that were kept.
    last_request: Option<String>,
    /// The requests whose messages went.
    pub(super) summarized: Vec<String>,
}

/// The compactions of a root, oldest first.
pub(super) fn all(chat: &Chat<'_>, root: &Wire<'_>) -> Vec<Compaction> {
    let ids = archives(chat, root);
    let lists: Vec<(Vec<String>, u64)> = ids
        .iter()
        .map(|id| {
            let bytes = chat.get(id);
            let archive =
                Wire::read("ConversationSummaryArchive", bytes.as_deref().unwrap_or_default());
            (archive.ids("summarized_messages").collect(), archive.uint("window_tail").unwrap_or(0))
        })
        .collect();
    ids.iter()
        .enumerate()
        .filter_map(|(n, id)| {
            let bytes = chat.get(id)?;
            let archive = Wire::read("ConversationSummaryArchive", &bytes);
            let (gone, tail) = lists.get(n)?;
            let summarized: Vec<String> =
                gone.iter().filter_map(|id| request(chat, id, &mut false)).collect();
            // What was kept stands at the start of the next list: that of the next archive, or today's.
            let next: Vec<String> = lists.get(n + 1).map_or_else(
                || root.ids("root_prompt_messages_json").collect(),
                |(ids, _)| ids.clone(),
            );
            let kept = kept(chat, &next, *tail);
            let last_request = kept.into_iter().next_back().or_else(|| summarized.last().cloned());
            let summary = archive.text("summary").or_else(|| {
                let bytes = chat.get(&archive.id("summary_message")?)?;
                Some(text_of(parse(&bytes)?)).filter(|text| !text.is_empty())
            });
            Some(Compaction { blob: id.clone(), summary, last_request, summarized })
        })
        .collect()
}

/// The requests of the first `tail` messages of a list, without what a compaction puts in front of them.
fn kept(chat: &Chat<'_>, list: &[String], tail: u64) -> Vec<String> {
    let mut requests = Vec::new();
    let mut left = tail;
    for id in list {
        if left == 0 {
            break;
        }
        let mut is_front = false;
        let request = request(chat, id, &mut is_front);
        if is_front && requests.is_empty() {
            continue;
        }
        left -= 1;
        requests.extend(request);
    }
    requests
}

/// The request that a message belongs to, and whether it is of those that stand before the conversation.
fn request(chat: &Chat<'_>, id: &str, is_front: &mut bool) -> Option<String> {
    let bytes = chat.get(id)?;
    let json = parse(&bytes)?;
    let request = request_id(json).map(std::borrow::Cow::into_owned);
    let role = json.str("role");
    let role = role.as_deref();
    *is_front =
        role == Some("system") || is_summary(json) || (role == Some("user") && request.is_none());
    request
}

/// Puts an item for each compaction at the end of the turn after which it happened.
pub(super) fn place(compactions: &[Compaction], source: &Arc<str>, turns: &mut [Turn]) {
    let by_id: HashMap<String, usize> =
        turns.iter().enumerate().map(|(n, turn)| (turn.id.clone(), n)).collect();
    let mut last = 0;
    for compaction in compactions {
        let at = compaction.last_request.as_ref().and_then(|id| by_id.get(id)).copied();
        // A compaction never comes before the one before it.
        last = at.unwrap_or(last).max(last);
        let Some(turn) = turns.get_mut(last) else { continue };
        let kind =
            ItemKind::ContextCompaction { summary: compaction.summary.clone(), trigger: None };
        let at = At::Blob { source: Arc::clone(source), blob: compaction.blob.clone() };
        turn.items.push(Item::new(compaction.blob.clone(), kind, at));
    }
}
