//! Chats of cursor-agent to threads.
//!
//! ```text
//! settings ─▶ root ─┬▶ prompts (model view)
//!   (chat)          ├▶ turns ─▶ user, tools ─▶ files, value (display view)
//!                   ├▶ compaction, agents (what the root knows besides)
//!                   └▶ checks (what is missing, damaged or unknown)
//! copy in lines ─▶ mirror ─▶ said
//! ```
//!
//! - [`chat`]: the store: settings, blobs, sidecars
//! - [`prompts`]: the model's side
//! - [`turns`], [`user`], [`tools`], [`files`], [`value`]: the person's side
//! - [`agents`]: sub-agents; [`compaction`]: where the history was shortened
//! - [`mirror`], [`said`]: readable copies, for chats whose store is gone
//! - [`checks`]: what is missing, damaged or unknown
//! - [`head`]: what lists show; [`lines`]: a store as lines
//!
//! `Input.bytes` is the JSON of the settings row, or the content of a copy. The companions are the blobs by their ids
//! in hexadecimal, and sidecars: `meta.json`, `mirror.jsonl` (the copy), `terminals/<n>.txt`, and beside a copy those
//! of its sub-agents, `subagents/<id>.jsonl`. `Facts.id` chooses a sub-agent inside of a store.

mod agents;
mod chat;
mod checks;
mod compaction;
mod files;
pub mod head;
pub mod lines;
mod mirror;
mod prompts;
mod said;
mod tools;
mod turns;
mod user;
mod value;

#[cfg(test)]
mod tests;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::store::Blobs;
use recount_formats::{Code, Finding, Harness, Json, Position, json};

use self::agents::Agent;
use self::chat::{Chat, MIRROR, rfc3339, time};
use self::prompts::ModelCalls;
use super::Input;
use crate::model::item::UserInput;
use crate::model::thread::ContextTokens;
use crate::model::{At, Item, ItemKind, ModelView, Thread, ThreadStatus, Turn, TurnStatus};

/// The display view. `leaf` is the id of a root: an earlier state of the chat.
pub fn thread(input: Input<'_>, leaf: Option<&str>) -> Thread {
    if mirror::is_mirror(input.source) {
        return mirror::thread(input);
    }
    let chat = Chat::new(input);
    let mut findings = input.facts.findings.clone();
    let scope = Scope::of(&chat, leaf, &mut findings);
    let mut thread = Thread::new(Harness::CursorAgent, scope.id.clone());
    settings(&chat, &scope, &mut thread);
    match &scope.source {
        Source::Root { bytes, blob } => {
            let root = Wire::read("ConversationStateStructure", bytes);
            fill(&chat, &scope, &root, blob, &mut thread);
            if scope.agent.is_some() {
                checks::state(&chat, &root, blob, &mut findings);
            } else {
                checks::root(&chat, blob, &mut findings);
            }
        }
        Source::Steps { steps, prompt, blob } => inline(&chat, steps, prompt, blob, &mut thread),
        Source::Lost => {
            // The copy, where there is one, still has the words.
            if let Some(text) = chat.text(MIRROR) {
                let source = format!("{}#{MIRROR}", input.source).into();
                let copy = Input { source: &source, bytes: text.as_bytes(), ..input };
                thread.turns = mirror::thread(copy).turns;
            }
        }
        Source::Nothing => {}
    }
    thread.preview = preview(&thread.turns);
    thread.title = thread.title.take().or_else(|| title_of(thread.preview.as_deref()));
    thread.status = match thread.turns.last() {
        None => ThreadStatus::Empty,
        Some(turn) if turn.status == TurnStatus::InProgress => ThreadStatus::Open,
        Some(_) => ThreadStatus::Idle,
    };
    thread.findings = findings;
    thread
}

/// The model view: the messages that the root lists, in order.
pub fn model_view(input: Input<'_>, leaf: Option<&str>) -> ModelView {
    if mirror::is_mirror(input.source) {
        return mirror::model_view(input);
    }
    let chat = Chat::new(input);
    let scope = Scope::of(&chat, leaf, &mut Vec::new());
    let Source::Root { bytes, .. } = &scope.source else { return ModelView::default() };
    let root = Wire::read("ConversationStateStructure", bytes);
    let compactions = compaction::all(&chat, &root);
    let mut gone: Vec<&String> = compactions.iter().flat_map(|c| &c.summarized).collect();
    gone.sort_unstable();
    gone.dedup();
    ModelView {
        messages: prompts::messages(&chat, &root),
        compactions: compactions.len() as u64,
        dropped_turns: gone.len() as u64,
    }
}

/// The conversation that is asked for: the chat's own, or that of a sub-agent in its store.
struct Scope {
    id: String,
    agent: Option<Agent>,
    source: Source,
}

/// Where a conversation stands.
enum Source {
    /// A root, and the blob in which it stands.
    Root { bytes: Vec<u8>, blob: String },
    /// The bare steps of a sub-agent in the result of a task.
    Steps { steps: Vec<Vec<u8>>, prompt: String, blob: String },
    /// Nothing was said yet.
    Nothing,
    /// The root is missing.
    Lost,
}

impl Scope {
    fn of(chat: &Chat<'_>, leaf: Option<&str>, findings: &mut Vec<Finding>) -> Self {
        let told = chat.agent_id();
        let wanted = chat.input.facts.id.clone().or_else(|| told.clone()).unwrap_or_default();
        let mut tell = |code, message: String| {
            findings.push(Finding::new(code, chat.input.source, Position::WHOLE, message));
        };
        // Unless the store has said already why there are none.
        if chat.settings.is_null() && chat.input.facts.findings.is_empty() {
            if chat.input.bytes.is_empty() {
                tell(Code::MissingHeader, "the store has no settings row".to_owned());
            } else {
                tell(Code::InvalidJson, "the settings row is not a JSON object".to_owned());
            }
        }
        let latest = chat.setting("latestRootBlobId");
        let chosen = leaf.map(str::to_ascii_lowercase).filter(|leaf| chat.has(leaf));
        if leaf.is_some() && chosen.is_none() {
            tell(Code::UnknownBranch, "the leaf is no root of this store".to_owned());
        }
        let Some(blob) = chosen.or(latest) else {
            let source = if chat.settings.is_null() { Source::Lost } else { Source::Nothing };
            return Self { id: wanted, agent: None, source };
        };
        let Some(bytes) = chat.get(&blob) else {
            tell(Code::MissingBlob, format!("the root `{blob}` is not in the store"));
            return Self { id: wanted, agent: None, source: Source::Lost };
        };
        let bytes = bytes.into_owned();
        if told.as_ref() != Some(&wanted) {
            let root = Wire::read("ConversationStateStructure", &bytes);
            let parent = told.unwrap_or_default();
            let agents = agents::all(chat, &root, &blob, &parent);
            if let Some(agent) = agents.into_iter().find(|agent| agent.id == wanted) {
                return Self::of_agent(agent, wanted);
            }
            if let Some(source) = head::inline(chat, &root, &blob, &wanted) {
                return Self { id: wanted, agent: None, source };
            }
        }
        Self { id: wanted, agent: None, source: Source::Root { bytes, blob } }
    }

    fn of_agent(agent: Agent, id: String) -> Self {
        let state = agent.read().message("conversation_state").map(|state| state.raw().to_vec());
        let source = match state {
            Some(bytes) => Source::Root { bytes, blob: agent.blob.clone() },
            // It still runs, or runs elsewhere.
            None => Source::Nothing,
        };
        Self { id, agent: Some(agent), source }
    }
}

/// What the settings, the sidecar and the state of a sub-agent tell.
fn settings(chat: &Chat<'_>, scope: &Scope, thread: &mut Thread) {
    let sidecar = chat.sidecar();
    let sidecar = sidecar.as_deref().and_then(|text| json::parse(text).ok());
    let facts = chat.input.facts;
    thread.cwd = sidecar.and_then(|s| s.str("cwd")).map(std::borrow::Cow::into_owned);
    thread.lineage.parent_id.clone_from(&facts.parent_id);
    thread.lineage.forked_from_id.clone_from(&facts.forked_from_id);
    let is_inside = scope.agent.is_some() || matches!(scope.source, Source::Steps { .. });
    if let Some(agent) = &scope.agent {
        let state = agent.read();
        let at = |name: &str| state.uint(name).and_then(|ms| rfc3339(ms as i64));
        thread.title = agent.run.title.clone().or_else(|| facts.title.clone());
        thread.model = state.text("model_id");
        thread.created_at = at("created_timestamp_ms");
        thread.updated_at = at("last_used_timestamp_ms");
        thread.lineage.parent_id = Some(agent.parent.clone());
    } else if is_inside {
        thread.title.clone_from(&facts.title);
        thread.lineage.parent_id = chat.agent_id();
    } else {
        thread.title = chat.title(sidecar);
        thread.model = chat.setting("lastUsedModel");
        thread.created_at =
            time(chat.settings, "createdAt").or_else(|| time(sidecar?, "createdAtMs"));
        thread.updated_at =
            sidecar.and_then(|s| time(s, "updatedAtMs")).or_else(|| facts.updated_at.clone());
        let parent = chat.settings.at(&["subagentInfo", "parentAgentId"]).and_then(Json::as_str);
        if let Some(parent) = parent.filter(|p| !p.is_empty()) {
            thread.lineage.parent_id = Some(parent.into_owned());
        }
    }
}

/// Fills a thread from its root.
fn fill(chat: &Chat<'_>, scope: &Scope, root: &Wire<'_>, blob: &str, thread: &mut Thread) {
    let mut calls = ModelCalls::of(chat, root);
    let pending: Vec<String> = root.strs("pending_tool_calls").map(Into::into).collect();
    for text in &pending {
        if let Ok(message) = json::parse(text) {
            calls.add_message(message, "");
        }
    }
    let runs = agents::runs(root);
    let mut display = turns::build(chat, root, blob, &thread.id, &calls, &runs);
    let has_turns = !display.turns.is_empty();
    if !has_turns {
        display.turns = from_prompts(chat, root, &thread.id, &calls);
    }
    open_calls(chat, blob, &pending, &thread.id, &calls, &mut display.turns);
    end(chat, &display, pending.is_empty(), scope.agent.is_none()).apply(&mut display.turns);
    let compactions = compaction::all(chat, root);
    compaction::place(&compactions, chat.input.source, &mut display.turns);
    let no_children = Vec::new();
    // Sub-agents in stores of their own belong to the chat, not to the sub-agents inside of it.
    let children = if scope.agent.is_none() { &chat.input.facts.children } else { &no_children };
    thread.lineage.subagents = agents::lineage(chat, root, blob, &display.agents, children);
    thread.turns = display.turns;
    thread.git_branch = root.text("active_branch_name").or_else(|| {
        root.messages("tracked_git_repo_branches").find_map(|repo| repo.text("branch_name"))
    });
    thread.cwd = thread.cwd.take().or_else(|| {
        let uris: Vec<_> = root.strs("previous_workspace_uris").collect();
        uris.iter().find_map(|uri| uri.strip_prefix("file://").map(str::to_owned))
    });
    thread.created_at = thread
        .created_at
        .take()
        .or_else(|| rfc3339(root.uint("conversation_started_timestamp_ms")? as i64));
    thread.context = root.message("token_details").map(|details| ContextTokens {
        used_tokens: details.uint("used_tokens").unwrap_or(0),
        max_tokens: details.uint("max_tokens").filter(|n| *n > 0),
    });
}

/// A store without turns still has what the model was sent.
fn from_prompts(chat: &Chat<'_>, root: &Wire<'_>, thread: &str, calls: &ModelCalls) -> Vec<Turn> {
    let mut turns = said::Turns::default();
    for id in root.ids("root_prompt_messages_json") {
        let Some(bytes) = chat.get(&id) else { continue };
        let Some(message) = prompts::parse(&bytes) else { continue };
        let at = At::Blob { source: std::sync::Arc::clone(chat.input.source), blob: id.clone() };
        match message.str("role").as_deref() {
            Some("user") if !prompts::is_summary(message) => {
                let text = prompts::text_of(message);
                // Without the tag it is context that the program put in.
                let Some(query) = prompts::query(&text) else { continue };
                let request = prompts::request_id(message).map_or_else(|| id.clone(), Into::into);
                turns.prompt(&id, request, vec![UserInput::text(query)], at);
            }
            Some("assistant") => {
                prompt_answer(&mut turns, message, &id, thread, calls, &at);
            }
            _ => {}
        }
    }
    turns.turns
}

fn prompt_answer(
    turns: &mut said::Turns,
    message: Json<'_>,
    place: &str,
    thread: &str,
    calls: &ModelCalls,
    at: &At,
) {
    for part in message.get("content").unwrap_or(Json::NULL).elements() {
        let text = part.str("text").unwrap_or_default();
        match part.str("type").as_deref() {
            Some("text") => turns.text(place, &text, at),
            Some("reasoning" | "redacted-reasoning") => turns.reasoning(place, &text, at.clone()),
            Some("tool-call") => {
                let id = part.str("toolCallId").map(std::borrow::Cow::into_owned);
                let known = id.as_deref().and_then(|id| calls.get(id));
                let said = said::Said {
                    name: &part.str("toolName").unwrap_or_default(),
                    arguments: part.get("args").unwrap_or(Json::NULL),
                    result: known.and_then(|c| Some((c.result.clone()?, c.is_error))),
                    may_be_pending: true,
                    id,
                };
                turns.call(place, &said, thread, at.clone());
            }
            _ => {}
        }
    }
}

/// Adds calls that the root lists as pending and that no step shows: ids, or whole assistant messages as JSON
/// (FIELD-NOTES: real stores hold the latter).
fn open_calls(
    chat: &Chat<'_>,
    blob: &str,
    pending: &[String],
    thread: &str,
    calls: &ModelCalls,
    turns: &mut Vec<Turn>,
) {
    let mut shown: Vec<String> =
        turns.iter().flat_map(|turn| &turn.items).map(|item| item.id.clone()).collect();
    let at =
        || At::Blob { source: std::sync::Arc::clone(chat.input.source), blob: blob.to_owned() };
    let mut last = said::Turns::going_on_with(turns.pop());
    for text in pending {
        let message = json::parse(text).ok().filter(|json| json.is_object());
        let parts: Vec<Json<'_>> = message
            .and_then(|m| m.get("content"))
            .map(|content| content.elements().collect())
            .unwrap_or_default();
        for part in &parts {
            let Some(id) = part.str("toolCallId") else { continue };
            if shown.iter().any(|known| *known == id) {
                continue;
            }
            shown.push(id.clone().into_owned());
            let said = said::Said {
                id: Some(id.into_owned()),
                name: &part.str("toolName").unwrap_or_default(),
                arguments: part.get("args").unwrap_or(Json::NULL),
                result: None,
                may_be_pending: true,
            };
            last.call(blob, &said, thread, at());
        }
        // A bare id that neither side shows is told by its id alone.
        if message.is_none() && !text.is_empty() && !shown.iter().any(|known| known == text) {
            shown.push(text.clone());
            let known = calls.get(text);
            let arguments = known.and_then(|call| call.arguments.clone());
            let said = said::Said {
                id: Some(text.clone()),
                name: known.and_then(|call| call.name.as_deref()).unwrap_or_default(),
                arguments: arguments.as_ref().map_or(Json::NULL, crate::json::RawJson::get),
                result: None,
                may_be_pending: true,
            };
            last.call(blob, &said, thread, at());
        }
    }
    turns.append(&mut last.turns);
}

/// How the last turn ended.
struct End(Option<(String, Option<String>)>, bool);

/// Nothing in a store says how a turn ended. The copy does for its last one. Without it, a turn that has a timing has
/// ended, even when an agent that it started still runs; where other turns have one, it has not; and where there are
/// none, it depends on whether a call waits for its result.
fn end(chat: &Chat<'_>, display: &turns::Display, none_pending: bool, is_chat: bool) -> End {
    let prompt = display.turns.last().and_then(|turn| preview(std::slice::from_ref(turn)));
    let told =
        prompt.filter(|_| is_chat).and_then(|prompt| mirror::outcome(&chat.text(MIRROR)?, &prompt));
    let is_open = if display.timed >= display.turns.len() {
        false
    } else {
        display.timed > 0 || display.pending || !none_pending
    };
    End(told, is_open)
}

impl End {
    fn apply(self, turns: &mut [Turn]) {
        let Some(turn) = turns.last_mut() else { return };
        match self {
            Self(Some((status, error)), _) => said::end(turn, &status, error),
            Self(None, true) => turn.status = TurnStatus::InProgress,
            Self(None, false) => {}
        }
    }
}

/// A sub-agent of which only the steps are kept.
fn inline(chat: &Chat<'_>, steps: &[Vec<u8>], prompt: &str, blob: &str, thread: &mut Thread) {
    let turn = turns::from_steps(chat, steps, prompt, blob, &thread.id);
    thread.turns.push(turn);
}

/// The first prompt that says something.
fn preview(turns: &[Turn]) -> Option<String> {
    let prompts = turns.iter().flat_map(|turn| &turn.items).filter_map(prompt_text);
    prompts.into_iter().find(|text| !text.is_empty())
}

fn prompt_text(item: &Item) -> Option<String> {
    let ItemKind::UserMessage { content, .. } = &item.kind else { return None };
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| match part {
            UserInput::Text { text, .. } => Some(text.trim()),
            _ => None,
        })
        .collect();
    Some(texts.join("\n"))
}

/// A title for a chat that has none: the first line of its first prompt.
fn title_of(preview: Option<&str>) -> Option<String> {
    const LENGTH: usize = 80;
    let line = preview?.lines().map(str::trim).find(|line| !line.is_empty())?;
    let mut title: String = line.chars().take(LENGTH).collect();
    if line.chars().nth(LENGTH).is_some() {
        title.push('…');
    }
    Some(title)
}
