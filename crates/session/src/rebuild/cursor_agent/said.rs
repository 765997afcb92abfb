//! Turns from plain messages, where there are no steps: readable copies, and stores without turns.

use std::collections::HashMap;

use recount_formats::Json;
use recount_formats::cursor_agent::schema::Schema;
use serde_json::json;

use crate::diff::between;
use crate::json::RawJson;
use crate::model::item::{ContentItem, FileUpdate, ItemStatus, NoticeLevel, PatchKind, UserInput};
use crate::model::{At, Item, ItemKind, Turn, TurnError, TurnStatus};

/// What stands for reasoning that cannot be read.
const REDACTED: &str = "[REDACTED]";

/// A call in a message.
pub(super) struct Said<'s> {
    pub(super) id: Option<String>,
    pub(super) name: &'s str,
    pub(super) arguments: Json<'s>,
    /// What the tool answered, and whether that was an error, where it is known.
    pub(super) result: Option<(String, bool)>,
    /// Whether results are kept at all, so that a call without one is pending.
    pub(super) may_be_pending: bool,
}

/// Collects turns.
#[derive(Default)]
pub(super) struct Turns {
    pub(super) turns: Vec<Turn>,
    /// How many items came from each place, for their ids.
    counts: HashMap<String, usize>,
}

impl Turns {
    /// Goes on with a turn that was begun.
    pub(super) fn going_on_with(turn: Option<Turn>) -> Self {
        Self { turns: turn.into_iter().collect(), counts: HashMap::new() }
    }

    fn open(&mut self, place: &str) -> &mut Turn {
        if self.turns.is_empty() {
            // An answer without a prompt before it.
            let mut turn = Turn::new(format!("{place}:turn"));
            turn.status = TurnStatus::Completed;
            self.turns.push(turn);
        }
        let last = self.turns.len() - 1;
        &mut self.turns[last]
    }

    fn add(&mut self, place: &str, id: Option<String>, kind: ItemKind, at: At) {
        let count = self.counts.entry(place.to_owned()).or_default();
        let id = id.unwrap_or_else(|| format!("{place}:{count}"));
        *count += 1;
        self.open(place).items.push(Item::new(id, kind, at));
    }

    /// A prompt opens a turn.
    pub(super) fn prompt(&mut self, place: &str, id: String, content: Vec<UserInput>, at: At) {
        let mut turn = Turn::new(id);
        turn.status = TurnStatus::Completed;
        self.turns.push(turn);
        self.add(place, None, ItemKind::UserMessage { content, client_id: None }, at);
    }

    /// Text of the agent. `[REDACTED]` before or behind it stands for reasoning (FIELD-NOTES).
    pub(super) fn text(&mut self, place: &str, text: &str, at: &At) {
        let mut text = text;
        let mut redacted = false;
        if let Some(rest) = text.strip_prefix(REDACTED) {
            (text, redacted) = (rest.trim_start_matches('\n'), true);
        }
        if let Some(rest) = text.strip_suffix(REDACTED)
            && (rest.is_empty() || rest.ends_with('\n'))
        {
            (text, redacted) = (rest.trim_end_matches('\n'), true);
        }
        if redacted {
            self.reasoning(place, "", at.clone());
        }
        if !text.is_empty() {
            let kind = ItemKind::AgentMessage {
                text: text.to_owned(),
                phase: None,
                memory_citation: None,
                delivery: None,
                questions: None,
            };
            self.add(place, None, kind, at.clone());
        }
    }

    /// Reasoning; an empty text is reasoning that cannot be read.
    pub(super) fn reasoning(&mut self, place: &str, text: &str, at: At) {
        let content = if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
        self.add(place, None, ItemKind::Reasoning { summary: Vec::new(), content }, at);
    }

    pub(super) fn notice(&mut self, place: &str, level: NoticeLevel, text: String, at: At) {
        self.add(place, None, ItemKind::Notice { level, text }, at);
    }

    pub(super) fn call(&mut self, place: &str, said: &Said<'_>, thread: &str, at: At) {
        let id = said.id.clone();
        let kind = call(said, thread);
        self.add(place, id, kind, at);
    }

    /// What the last call answered.
    pub(super) fn answered(&mut self, text: &str) {
        let items = self.turns.last_mut().map(|turn| &mut turn.items);
        for item in items.into_iter().flatten().rev() {
            match &mut item.kind {
                ItemKind::CommandExecution { aggregated_output, .. } => {
                    *aggregated_output = Some(text.to_owned());
                    return;
                }
                ItemKind::DynamicToolCall { content_items, .. } => {
                    *content_items = Some(vec![ContentItem::InputText { text: text.to_owned() }]);
                    return;
                }
                ItemKind::WebSearch { text: answer, .. }
                | ItemKind::CollabAgentToolCall { result: answer, .. } => {
                    *answer = Some(text.to_owned());
                    return;
                }
                ItemKind::FileChange { .. } | ItemKind::McpToolCall { .. } => return,
                _ => {}
            }
        }
    }

    /// How the last turn ended.
    pub(super) fn end(&mut self, status: &str, error: Option<String>) {
        if let Some(turn) = self.turns.last_mut() {
            end(turn, status, error);
        }
    }
}

/// How a turn ended, in the words of the readable copy.
pub(super) fn end(turn: &mut Turn, status: &str, error: Option<String>) {
    turn.status = match status {
        "success" => TurnStatus::Completed,
        "aborted" => TurnStatus::Interrupted,
        "error" => TurnStatus::Failed,
        _ => return,
    };
    if turn.status == TurnStatus::Failed {
        turn.error = Some(TurnError {
            message: error.unwrap_or_default(),
            codex_error_info: None,
            additional_details: None,
        });
    }
}

fn call(said: &Said<'_>, thread: &str) -> ItemKind {
    let argument = |name: &str| said.arguments.str(name).map(std::borrow::Cow::into_owned);
    let status = match &said.result {
        Some((_, true)) => ItemStatus::Failed,
        None if said.may_be_pending => ItemStatus::InProgress,
        // The copy has no results: that a call is there says that it was made.
        _ => ItemStatus::Completed,
    };
    let text = said.result.as_ref().map(|(text, _)| text.clone());
    let tool = Schema::get().tool_by_model_name(said.name);
    match tool.and_then(|t| t.item.as_deref()) {
        Some("commandExecution") => ItemKind::CommandExecution {
            command: argument("command").unwrap_or_default(),
            cwd: argument("working_directory"),
            status,
            source: "agent".into(),
            command_actions: RawJson::of(&json!([])),
            aggregated_output: text,
            exit_code: None,
            duration_ms: None,
            process_id: None,
            plugin_id: None,
            script_path: None,
        },
        Some("fileChange") => {
            ItemKind::FileChange { changes: vec![change(said.name, said.arguments)], status }
        }
        Some("webSearch") => {
            let query = argument("search_term").or_else(|| argument("query"));
            let action = match (&query, argument("url")) {
                (None, Some(url)) => json!({ "type": "openPage", "url": url }),
                _ => json!({ "type": "search", "query": query, "queries": null }),
            };
            ItemKind::WebSearch {
                query: query.or_else(|| argument("url")).unwrap_or_default(),
                action: Some(RawJson::of(&action)),
                results: None,
                status: Some(status),
                text,
            }
        }
        Some("collabAgentToolCall") => ItemKind::CollabAgentToolCall {
            tool: "spawnAgent".into(),
            status,
            sender_thread_id: thread.to_owned(),
            receiver_thread_ids: Vec::new(),
            prompt: argument("prompt"),
            model: argument("model"),
            reasoning_effort: None,
            agents_states: RawJson::of(&json!({})),
            result: text,
            description: match (argument("subagent_type"), argument("description")) {
                (Some(kind), Some(task)) => Some(format!("{kind}: {task}")),
                (kind, task) => kind.or(task),
            },
        },
        Some("mcpToolCall") => {
            let arguments = said.arguments.get("arguments").or_else(|| said.arguments.get("args"));
            ItemKind::McpToolCall {
                server: argument("server").unwrap_or_default(),
                tool: argument("toolName").or_else(|| argument("tool")).unwrap_or_default(),
                status,
                arguments: RawJson::new(arguments.unwrap_or(said.arguments)),
                result: text.map(|text| {
                    RawJson::of(&json!({
                        "content": [{ "type": "text", "text": text }],
                        "structuredContent": null,
                    }))
                }),
                error: None,
                duration_ms: None,
                extra: crate::model::item::Extra::default(),
            }
        }
        _ => ItemKind::DynamicToolCall {
            tool: tool.map_or_else(|| said.name.to_owned(), |t| t.name.clone()),
            namespace: None,
            arguments: RawJson::new(said.arguments),
            status,
            success: said.result.as_ref().map(|(_, is_error)| !is_error),
            content_items: text.map(|text| vec![ContentItem::InputText { text }]),
            duration_ms: None,
        },
    }
}

/// An edit by what the model asked for.
fn change(name: &str, arguments: Json<'_>) -> FileUpdate {
    let argument = |name: &str| arguments.str(name).unwrap_or_default();
    let path = argument("path").into_owned();
    match name {
        "Write" => {
            FileUpdate { path, kind: PatchKind::Add, diff: argument("contents").into_owned() }
        }
        "Delete" => FileUpdate { path, kind: PatchKind::Delete, diff: String::new() },
        _ => FileUpdate {
            path,
            kind: PatchKind::Update { move_path: None },
            diff: between(&argument("old_string"), &argument("new_string")),
        },
    }
}
