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
    /// The request during or after which it happened.
    request: Option<String>,
    /// Whether nothing but the prompt of that request was there yet.
    is_at_prompt: bool,
    /// The requests whose messages went.
    pub(super) summarized: Vec<String>,
}

/// The compactions of a root, oldest first.
pub(super) fn all(chat: &Chat<'_>, root: &Wire<'_>) -> Vec<Compaction> {
    let mut found: Vec<(Compaction, Vec<Told>, u64)> = Vec::new();
    for blob in archives(chat, root) {
        let Some(bytes) = chat.get(&blob) else { continue };
        let archive = Wire::read("ConversationSummaryArchive", &bytes);
        let gone: Vec<Told> =
            archive.ids("summarized_messages").filter_map(|id| told(chat, &id)).collect();
        let summary = archive.text("summary").or_else(|| {
            let bytes = chat.get(&archive.id("summary_message")?)?;
            Some(text_of(parse(&bytes)?)).filter(|text| !text.is_empty())
        });
        let summarized = gone.iter().filter_map(|m| m.request.clone()).collect();
        let compaction =
            Compaction { blob, summary, request: None, is_at_prompt: false, summarized };
        found.push((compaction, gone, archive.uint("window_tail").unwrap_or(0)));
    }
    let today: Vec<Told> =
        root.ids("root_prompt_messages_json").filter_map(|id| told(chat, &id)).collect();
    // What was kept stands at the start of the next list: that of the next archive, or today's.
    for n in 0..found.len() {
        let next = found.get(n + 1).map_or(&today, |(_, gone, _)| gone);
        let Some((_, gone, tail)) = found.get(n) else { continue };
        let kept: Vec<&Told> = next
            .iter()
            .skip_while(|m| m.is_front)
            .take(usize::try_from(*tail).unwrap_or(usize::MAX))
            .collect();
        let before = || kept.iter().rev().copied().chain(gone.iter().rev());
        let request = before().find_map(|m| m.request.clone());
        let is_at_prompt = before().next().is_some_and(|m| m.request.is_some());
        if let Some((compaction, ..)) = found.get_mut(n) {
            compaction.request = request;
            compaction.is_at_prompt = is_at_prompt;
        }
    }
    found.into_iter().map(|(compaction, ..)| compaction).collect()
}

/// What a message of the prompt tells of its place.
struct Told {
    /// The request whose prompt it is.
    request: Option<String>,
    /// Whether it is of those that stand before the conversation: the system prompt, a summary, the environment.
    is_front: bool,
}

fn told(chat: &Chat<'_>, id: &str) -> Option<Told> {
    let bytes = chat.get(id)?;
    let json = parse(&bytes)?;
    let request = request_id(json).map(std::borrow::Cow::into_owned);
    let role = json.str("role");
    let role = role.as_deref();
    let is_front =
        role == Some("system") || is_summary(json) || (role == Some("user") && request.is_none());
    Some(Told { request, is_front })
}

/// Puts an item for each compaction where it happened: at the end of a turn, or behind its prompt.
pub(super) fn place(compactions: &[Compaction], source: &Arc<str>, turns: &mut [Turn]) {
    let by_id: HashMap<String, usize> =
        turns.iter().enumerate().map(|(n, turn)| (turn.id.clone(), n)).collect();
    let mut last = 0;
    for compaction in compactions {
        let at = compaction.request.as_ref().and_then(|id| by_id.get(id)).copied();
        // A compaction never comes before the one before it.
        last = at.unwrap_or(last).max(last);
        let Some(turn) = turns.get_mut(last) else { continue };
        let kind =
            ItemKind::ContextCompaction { summary: compaction.summary.clone(), trigger: None };
        let blob = At::Blob { source: Arc::clone(source), blob: compaction.blob.clone() };
        let item = Item::new(compaction.blob.clone(), kind, blob);
        let place = if at == Some(last) && compaction.is_at_prompt {
            let is_prompt = |i: &Item| matches!(i.kind, ItemKind::UserMessage { .. });
            turn.items.iter().rposition(is_prompt).map_or(turn.items.len(), |n| n + 1)
        } else {
            turn.items.len()
        };
        turn.items.insert(place, item);
    }
}
