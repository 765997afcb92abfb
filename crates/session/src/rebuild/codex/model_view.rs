//! What the model has in front of it when a thread is resumed.
//!
//! The rules are those by which the real program sends it (FIELD-NOTES, "The model view"; truth:
//! `corpus/codex/*/context.json`): response items in order; a compaction replaces what stands before it; a
//! rollback takes messages of the person away, and what only surrounds them; a call and its output come in
//! pairs or not at all.

use std::collections::HashSet;

use recount_formats::Json;

use super::record::{Rec, Top};
use super::recovered::Told;
use crate::json::RawJson;
use crate::model::item::ItemStatus;
use crate::model::{Block, Message, ModelView, Role};

/// How much of what the person said a compaction without a history of its own keeps: 20,000 tokens of
/// about four bytes, the newest first.
const KEPT_BYTES: usize = 80_000;

/// A response item in the history.
#[derive(Debug, Clone)]
struct Entry<'a> {
    item: Json<'a>,
    kind: Kind,
}

/// What an entry is to a rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A message that the person, or another agent in the person's place, sent.
    Prompt,
    /// Surroundings that Codex puts before a prompt.
    Context,
    /// A summary that Codex makes up itself; it has no record.
    Summary,
    Other,
}

/// A compaction that counts.
#[derive(Debug)]
struct Compaction<'a> {
    /// Its record's place in the file.
    seq: usize,
    /// What stood before it, and the base then. A rollback past a compaction that brought a history of its
    /// own brings this back; one without stays, and its summary is rolled back like a prompt
    /// (`migrated-old-v098-compact`).
    before: Option<(Vec<Entry<'a>>, usize)>,
}

/// The history as far as it was read.
#[derive(Debug, Default)]
pub(super) struct History<'a> {
    entries: Vec<Entry<'a>>,
    /// How many of the entries the newest compaction left.
    base: usize,
    /// The compactions that survive.
    compactions: Vec<Compaction<'a>>,
}

impl<'a> History<'a> {
    /// Takes the next record.
    pub(super) fn record(&mut self, seq: usize, rec: &Rec<'a>) {
        match rec.top {
            Top::ResponseItem => self.push(rec.payload),
            Top::InterAgent => self.entries.push(Entry { item: rec.payload, kind: Kind::Prompt }),
            Top::Compacted => self.compact(seq, rec.payload),
            Top::EventMsg if rec.tag == "thread_rolled_back" => {
                let n = rec.payload.get("num_turns").and_then(Json::as_u64).unwrap_or(0);
                self.roll_back(usize::try_from(n).unwrap_or(usize::MAX));
            }
            _ => {}
        }
    }

    /// Where the newest compaction that counts stands, as a record's place in the file.
    pub(super) fn compacted_at(&self) -> Option<usize> {
        self.compactions.last().map(|c| c.seq)
    }

    fn push(&mut self, item: Json<'a>) {
        // Snapshots of the work tree were never sent.
        if item.str("type").is_none_or(|t| t != "ghost_snapshot") {
            self.entries.push(Entry { item, kind: kind_of(item) });
        }
    }

    fn compact(&mut self, seq: usize, payload: Json<'a>) {
        let before = std::mem::take(&mut self.entries);
        let own = payload.get("replacement_history").filter(|h| h.is_array());
        let before = if let Some(history) = own {
            // Complete, even when it is empty.
            history.elements().for_each(|item| self.push(item));
            let base = std::mem::replace(&mut self.base, self.entries.len());
            Some((before, base))
        } else {
            self.entries = newest_prompts(&before);
            self.entries.push(Entry { item: payload, kind: Kind::Summary });
            self.base = 0;
            None
        };
        self.compactions.push(Compaction { seq, before });
    }

    /// Takes the last `n` prompts away, with all that follows them. More than stand behind a compaction:
    /// then the compaction goes too, and what it had replaced is back.
    fn roll_back(&mut self, mut n: usize) {
        loop {
            let behind = self.entries[self.base.min(self.entries.len())..].iter();
            let behind = behind.filter(|e| e.kind == Kind::Prompt).count();
            let newest = self.compactions.pop_if(|c| n > behind && c.before.is_some());
            let Some((before, base)) = newest.and_then(|c| c.before) else { break };
            n -= behind;
            self.entries = before;
            self.base = base;
        }
        if n == 0 {
            return;
        }
        let is_prompt = |e: &Entry<'_>| matches!(e.kind, Kind::Prompt | Kind::Summary);
        let prompts: Vec<usize> =
            (0..self.entries.len()).filter(|&i| is_prompt(&self.entries[i])).collect();
        let Some(&first) = prompts.first() else { return };
        let mut cut = prompts[prompts.len().saturating_sub(n)];
        // What surrounds a prompt goes with it; what stands before the first one stays.
        while cut > first && self.entries[cut - 1].kind == Kind::Context {
            cut -= 1;
        }
        self.entries.truncate(cut);
        self.base = self.base.min(cut);
    }

    /// The messages as they are sent.
    pub(super) fn view(&self) -> ModelView {
        let ids = |kinds: &[&str]| -> HashSet<String> {
            self.entries
                .iter()
                .filter(|e| e.item.str("type").is_some_and(|t| kinds.contains(&&*t)))
                .filter_map(|e| call_id(e.item))
                .collect()
        };
        let answered = ids(OUTPUTS);
        let called = ids(CALLS);
        let mut messages = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let item = entry.item;
            let tag = item.str("type").unwrap_or_default();
            if entry.kind == Kind::Summary {
                let text = item.str("message").unwrap_or_default();
                messages.push(message(Role::User, vec![Block::text(text)]));
                continue;
            }
            if OUTPUTS.contains(&&*tag) {
                // An output without a call would be refused.
                if let Some(id) = call_id(item).filter(|id| called.contains(id)) {
                    messages.push(output(id, item));
                }
                continue;
            }
            messages.push(sent(&tag, item));
            if CALLS.contains(&&*tag)
                && let Some(id) = call_id(item).filter(|id| !answered.contains(id))
            {
                messages.push(unanswered(id, &tag));
            }
        }
        ModelView { messages, compactions: self.compactions.len() as u64, dropped_turns: 0 }
    }
}

/// What the person said, from the newest back, as far as there is room.
fn newest_prompts<'a>(entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let mut room = KEPT_BYTES;
    let mut newest = Vec::new();
    for entry in entries.iter().rev().filter(|e| e.kind == Kind::Prompt && !is_summary(e.item)) {
        newest.push(entry.clone());
        let len = entry.item.raw().len();
        if len >= room {
            break;
        }
        room -= len;
    }
    newest.reverse();
    newest
}

const CALLS: &[&str] =
    &["function_call", "custom_tool_call", "local_shell_call", "tool_search_call"];
const OUTPUTS: &[&str] = &["function_call_output", "custom_tool_call_output", "tool_search_output"];

fn call_id(item: Json<'_>) -> Option<String> {
    item.str("call_id").map(std::borrow::Cow::into_owned)
}

fn message(role: Role, content: Vec<Block>) -> Message {
    Message { role, content }
}

/// The output of a call that never got one.
fn unanswered(id: String, tag: &str) -> Message {
    let content = if tag == "tool_search_call" {
        RawJson::of(&serde_json::json!([]))
    } else {
        RawJson::string("aborted")
    };
    message(
        Role::Tool,
        vec![Block::ToolResult { id, content, is_error: tag != "tool_search_call" }],
    )
}

fn output(id: String, item: Json<'_>) -> Message {
    let content = item.get("output").or_else(|| item.get("tools")).unwrap_or(Json::NULL);
    let is_error = matches!(Told::of(content).status(), ItemStatus::Failed | ItemStatus::Declined);
    message(Role::Tool, vec![Block::ToolResult { id, content: RawJson::new(content), is_error }])
}

/// What other response items become.
fn sent(tag: &str, item: Json<'_>) -> Message {
    let own = |key: &str| item.str(key).unwrap_or_default().into_owned();
    match tag {
        "message" => {
            let role = match &*own("role") {
                "system" => Role::System,
                "developer" => Role::Developer,
                "assistant" => Role::Assistant,
                _ => Role::User,
            };
            message(role, blocks(item))
        }
        // Sent by another agent in the person's place.
        "agent_message" => message(Role::User, blocks(item)),
        "reasoning" => {
            let parts = ["summary", "content"].into_iter().filter_map(|key| item.get(key));
            let texts: Vec<String> = parts
                .flat_map(Json::elements)
                .filter_map(|part| part.str("text").map(std::borrow::Cow::into_owned))
                .collect();
            message(Role::Assistant, vec![Block::Reasoning { text: texts.join("\n\n") }])
        }
        "function_call" => {
            let text = own("arguments");
            let arguments = RawJson::parse(&text).unwrap_or_else(|| RawJson::string(&text));
            message(
                Role::Assistant,
                vec![Block::ToolCall { id: own("call_id"), name: own("name"), arguments }],
            )
        }
        "custom_tool_call" => {
            let arguments = item.get("input").map_or_else(RawJson::null, RawJson::new);
            message(
                Role::Assistant,
                vec![Block::ToolCall { id: own("call_id"), name: own("name"), arguments }],
            )
        }
        "local_shell_call" => {
            let arguments = item.get("action").map_or_else(RawJson::null, RawJson::new);
            let name = "local_shell".to_owned();
            message(Role::Assistant, vec![Block::ToolCall { id: own("call_id"), name, arguments }])
        }
        "tool_search_call" => {
            let arguments = item.get("arguments").map_or_else(RawJson::null, RawJson::new);
            let name = "tool_search".to_owned();
            message(Role::Assistant, vec![Block::ToolCall { id: own("call_id"), name, arguments }])
        }
        "compaction" | "compaction_summary" | "context_compaction" => {
            message(Role::Assistant, vec![Block::Compaction { value: RawJson::new(item) }])
        }
        // A record of its own in early multi-agent files.
        "" if item.get("author").is_some() => {
            message(Role::User, vec![Block::text(own("content"))])
        }
        "additional_tools" | "configuration_update" => {
            message(Role::Developer, vec![Block::Raw { value: RawJson::new(item) }])
        }
        _ => message(Role::Assistant, vec![Block::Raw { value: RawJson::new(item) }]),
    }
}

/// The parts of a message: its texts as one block, as a person reads them, then what is no text.
fn blocks(item: Json<'_>) -> Vec<Block> {
    let content = item.get("content").unwrap_or(Json::NULL);
    if let Some(text) = content.as_str() {
        return vec![Block::text(text)];
    }
    let mut text = String::new();
    let mut blocks = Vec::new();
    for part in content.elements() {
        blocks.push(match part.str("type").as_deref() {
            Some("input_text" | "output_text" | "text") => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&part.str("text").unwrap_or_default());
                continue;
            }
            Some("input_image") => Block::Image { value: RawJson::new(part) },
            Some("input_audio") => Block::Audio { value: RawJson::new(part) },
            Some("input_file") => Block::Document { value: RawJson::new(part) },
            _ => Block::Raw { value: RawJson::new(part) },
        });
    }
    if !text.is_empty() {
        blocks.insert(0, Block::text(text));
    }
    blocks
}

/// What an item is to a rollback.
fn kind_of(item: Json<'_>) -> Kind {
    match (item.str("type").as_deref(), item.str("role").as_deref()) {
        (Some("agent_message"), _) => Kind::Prompt,
        (Some("message"), Some("user")) => {
            if texts(item).any(|text| is_fragment(&text)) {
                Kind::Context
            } else {
                Kind::Prompt
            }
        }
        (Some("message"), Some("developer" | "system")) => Kind::Context,
        _ => Kind::Other,
    }
}

fn texts(item: Json<'_>) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    item.get("content").into_iter().flat_map(Json::elements).filter_map(|part| part.str("text"))
}

/// Whether a text is one of those that Codex puts in as the person's: they are no prompts.
fn is_fragment(text: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "<environment_context>",
        "<user_instructions>",
        "# agents.md instructions",
        "<skill>",
        "<user_shell_command>",
        "<turn_aborted>",
        "<subagent_notification>",
        "<hook_prompt",
        "<hook_context",
        "<recommended_plugins>",
        "warning: ",
    ];
    let text = text.trim_start();
    BEGINNINGS
        .iter()
        .any(|b| text.get(..b.len()).is_some_and(|start| start.eq_ignore_ascii_case(b)))
}

/// Whether a message is the summary of an earlier compaction, by the words that Codex puts before it.
fn is_summary(item: Json<'_>) -> bool {
    texts(item).any(|text| text.starts_with("Another language model started to solve this problem"))
}
