//! Tests of the rebuild: each rule on a few lines, our fixtures as they read, the corpus against Codex's own answers.
#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::model::item::{PatchKind, UserInput};
use crate::model::{Block, ItemKind, ModelView, Thread};
use crate::rebuild::{Companions, Facts, Input};

mod corpus;
mod display;
mod fixtures;
mod model_view;
mod properties;
mod recovered;
mod shown;

/// Bases by rollout id.
#[derive(Debug, Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Companions for Files {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|bytes| Cow::Borrowed(&bytes[..]))
    }
}

fn with<T>(bytes: &[u8], files: &Files, facts: &Facts, rebuild: impl Fn(Input<'_>) -> T) -> T {
    let source: Arc<str> = "rollout.jsonl".into();
    rebuild(Input { source: &source, bytes, facts, companions: files })
}

fn thread_of(bytes: &[u8], files: &Files) -> Thread {
    with(bytes, files, &Facts::default(), |i| super::thread(i, None))
}

fn view_of(bytes: &[u8], files: &Files) -> ModelView {
    with(bytes, files, &Facts::default(), |i| super::model_view(i, None))
}

/// A rollout, record by record.
#[derive(Debug, Default)]
struct Rollout {
    text: String,
    ordinal: Option<u64>,
}

impl Rollout {
    fn legacy() -> Self {
        let mut new = Self::default();
        new.put(
            "session_meta",
            json!({"id": "t", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop"}),
        );
        new
    }

    fn paginated() -> Self {
        let meta = json!({"id": "t", "history_mode": "paginated", "cwd": "/home/dev/shop"});
        Self { ordinal: Some(0), ..Self::default() }.with("session_meta", &meta)
    }

    fn with(mut self, top: &str, payload: &Value) -> Self {
        self.put(top, payload.clone());
        self
    }

    fn put(&mut self, top: &str, payload: Value) {
        let mut record = json!({"timestamp": "2026-01-01T00:00:01.000Z", "type": top});
        record["payload"] = payload;
        if let Some(n) = &mut self.ordinal {
            record["ordinal"] = (*n).into();
            *n += 1;
        }
        let _ = writeln!(self.text, "{record}");
    }

    /// An event: its type, and the rest of its payload.
    fn event(mut self, tag: &str, mut payload: Value) -> Self {
        payload["type"] = tag.into();
        self.put("event_msg", payload);
        self
    }

    fn response(mut self, tag: &str, mut payload: Value) -> Self {
        payload["type"] = tag.into();
        self.put("response_item", payload);
        self
    }

    fn started(self, turn: &str) -> Self {
        self.event("task_started", json!({"turn_id": turn, "started_at": 1}))
    }

    fn complete(self, turn: &str) -> Self {
        self.event("task_complete", json!({"turn_id": turn, "completed_at": 2, "duration_ms": 900}))
    }

    /// What a person typed, as legacy files hold it: for the model and for the display.
    fn user(self, text: &str) -> Self {
        self.message("user", text).event("user_message", json!({"message": text}))
    }

    fn agent(self, text: &str) -> Self {
        self.event("agent_message", json!({"message": text})).message("assistant", text)
    }

    fn message(self, role: &str, text: &str) -> Self {
        let tag = if role == "assistant" { "output_text" } else { "input_text" };
        self.response("message", json!({"role": role, "content": [{"type": tag, "text": text}]}))
    }

    fn item(self, turn: &str, tag: &str, id: &str, mut item: Value) -> Self {
        item["type"] = tag.into();
        item["id"] = id.into();
        self.event("item_completed", json!({"turn_id": turn, "item": item}))
    }

    fn call(self, id: &str, name: &str, arguments: &str) -> Self {
        self.response("function_call", json!({"call_id": id, "name": name, "arguments": arguments}))
    }

    fn output(self, id: &str, output: &str) -> Self {
        self.response("function_call_output", json!({"call_id": id, "output": output}))
    }

    fn raw(mut self, line: &str) -> Self {
        self.text.push_str(line);
        self
    }

    fn thread(&self) -> Thread {
        thread_of(self.text.as_bytes(), &Files::default())
    }

    fn view(&self) -> ModelView {
        view_of(self.text.as_bytes(), &Files::default())
    }
}

/// Turns and items in short: `turn status: item, item`; a recovered item has a plus.
fn shown(thread: &Thread) -> Vec<String> {
    let item = |i: &crate::model::Item| {
        format!("{}{} {}", if i.recovered { "+" } else { "" }, i.id, short(&i.kind))
    };
    thread
        .turns
        .iter()
        .map(|t| {
            let items: Vec<String> = t.items.iter().map(item).collect();
            format!("{} {:?}: {}", t.id, t.status, items.join(", "))
        })
        .collect()
}

fn short(kind: &ItemKind) -> String {
    match kind {
        ItemKind::UserMessage { content, .. } => format!("user {}", inputs(content)),
        ItemKind::AgentMessage { text, .. } => format!("agent {text}"),
        ItemKind::Reasoning { summary, content } => format!("reasoning {summary:?} {content:?}"),
        ItemKind::Plan { text } => format!("plan {text:?}"),
        ItemKind::CommandExecution {
            command,
            status,
            aggregated_output,
            exit_code,
            source,
            ..
        } => {
            let output = aggregated_output.as_deref().unwrap_or("");
            format!("$ {command} [{source} {status:?} {exit_code:?}] {output:?}")
        }
        ItemKind::FileChange { changes, status } => {
            let files: Vec<String> = changes
                .iter()
                .map(|c| {
                    let kind = match &c.kind {
                        PatchKind::Add => "A",
                        PatchKind::Delete => "D",
                        PatchKind::Update { .. } => "M",
                    };
                    format!("{kind} {} {:?}", c.path, c.diff)
                })
                .collect();
            format!("files {status:?} {}", files.join("; "))
        }
        ItemKind::McpToolCall { server, tool, status, .. } => {
            format!("mcp {server}.{tool} {status:?}")
        }
        ItemKind::DynamicToolCall { tool, status, arguments, .. } => {
            format!("tool {tool} {} {status:?}", arguments.as_str())
        }
        ItemKind::CollabAgentToolCall { tool, status, receiver_thread_ids, .. } => {
            format!("agents {tool} {receiver_thread_ids:?} {status:?}")
        }
        ItemKind::SubAgentActivity { kind, agent_thread_id, .. } => {
            format!("sub-agent {agent_thread_id} {kind}")
        }
        ItemKind::WebSearch { query, .. } => format!("web {query}"),
        ItemKind::ImageView { path } => format!("image {path}"),
        ItemKind::EnteredReviewMode { review } => format!("review {review}"),
        ItemKind::ExitedReviewMode { review } => format!("reviewed {review:?}"),
        ItemKind::ContextCompaction { summary, .. } => format!("compaction {summary:?}"),
        ItemKind::HookPrompt { fragments } => format!("hook {:?}", fragments[0].text),
        ItemKind::Notice { text, .. } => format!("notice {text}"),
        other => format!("{other:?}"),
    }
}

fn inputs(content: &[UserInput]) -> String {
    let one = |part: &UserInput| match part {
        UserInput::Text { text, .. } => text.clone(),
        UserInput::Image { url, .. } => format!("<{}>", url.as_deref().unwrap_or("")),
        UserInput::LocalImage { path, .. } => format!("<{path}>"),
        other => format!("{other:?}"),
    };
    content.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The model view in short: `role text`.
fn sent(view: &ModelView) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text { text } => text.clone(),
        Block::ToolCall { id, name, arguments } => format!("{id}={name}({})", arguments.as_str()),
        Block::ToolResult { id, content, is_error } => {
            format!("{id}:{}{}", content.as_str(), if *is_error { "!" } else { "" })
        }
        Block::Reasoning { text } => format!("reasoning {text}"),
        Block::Compaction { .. } => "compaction".to_owned(),
        Block::Image { .. } => "image".to_owned(),
        other => format!("{other:?}"),
    };
    view.messages
        .iter()
        .map(|m| {
            let blocks: Vec<String> = m.content.iter().map(block).collect();
            format!("{} {}", format!("{:?}", m.role).to_lowercase(), blocks.join(" | "))
        })
        .collect()
}
