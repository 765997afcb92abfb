//! Chats made from readable descriptions, each for one rule.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use recount_formats::Code;
use serde_json::{Value, json};

use self::builder::Chat;
use crate::model::{ItemKind, ModelView, Thread};
use crate::rebuild::{Companions, Facts, Input};

#[path = "../../../../../../fixtures/cursor-agent/builder.rs"]
#[allow(unreachable_pub, clippy::format_collect, reason = "shared with the tests of the store")]
mod builder;

mod agents;
mod damage;
mod mirrors;
mod prompts;
mod props;
mod turns;

/// A chat's blobs and sidecars.
#[derive(Debug, Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Companions for Files {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

/// The id of the chat in these tests.
const ID: &str = "5f0a7c1e-1111-4222-8333-444455556666";

/// Reads a chat with what the store knows.
fn with<T>(chat: &Chat, facts: &Facts, read: impl Fn(Input<'_>) -> T) -> T {
    let mut files = Files(chat.blobs.clone());
    if let Some(sidecar) = &chat.sidecar {
        files.0.insert("meta.json".into(), sidecar.to_string().into_bytes());
    }
    if !chat.copy.is_empty() {
        files.0.insert("mirror.jsonl".into(), builder::lines(&chat.copy).into_bytes());
    }
    let source: Arc<str> = "store.db".into();
    let bytes =
        if chat.settings.is_null() { Vec::new() } else { chat.settings.to_string().into_bytes() };
    read(Input { source: &source, bytes: &bytes, facts, companions: &files })
}

fn thread(chat: &Chat) -> Thread {
    with(chat, &Facts::default(), |input| super::thread(input, None))
}

fn view(chat: &Chat) -> ModelView {
    with(chat, &Facts::default(), |input| super::model_view(input, None))
}

/// A sub-agent of a chat.
fn agent(chat: &Chat, id: &str) -> Thread {
    let facts = Facts { id: Some(id.to_owned()), ..Facts::default() };
    with(chat, &facts, |input| super::thread(input, None))
}

/// A chat whose root is given.
fn rooted(mut chat: Chat, root: &Value) -> Chat {
    let root = chat.root(root);
    chat.with_root(ID, &root)
}

/// A chat of one turn with these steps.
fn of_steps(steps: &[Value]) -> Chat {
    let mut chat = Chat::default();
    let turn = chat.turn(&json!({ "text": "Go", "message_id": "m1", "mode": "AGENT" }), steps);
    rooted(chat, &json!({ "turns": [turn] }))
}

/// The item behind the prompt in a chat of one step.
fn item_of(step: &Value) -> ItemKind {
    let thread = thread(&of_steps(std::slice::from_ref(step)));
    assert_eq!(thread.findings, [], "no finding");
    thread.turns[0].items[1].kind.clone()
}

/// A call of a tool, with a result.
#[allow(clippy::needless_pass_by_value, reason = "reads well with json! at the call")]
fn call(tool: &str, id: &str, args: Value, result: Value) -> Value {
    let mut call = serde_json::Map::new();
    call.insert(tool.into(), json!({ "args": args, "result": result }));
    call.insert("tool_call_id".into(), id.into());
    json!({ "tool_call": call })
}

fn codes(thread: &Thread) -> Vec<Code> {
    thread.findings.iter().map(|f| f.code).collect()
}

/// What a person sees, a word or two for each item.
fn shown(thread: &Thread) -> Vec<String> {
    let mut out = Vec::new();
    for turn in &thread.turns {
        out.push(format!("# {:?}", turn.status));
        out.extend(turn.items.iter().map(|item| word(&item.kind)));
    }
    out
}

fn word(kind: &ItemKind) -> String {
    let value = serde_json::to_value(kind).unwrap();
    let name = value["type"].as_str().unwrap_or_default();
    let first = |keys: &[&str]| {
        keys.iter().find_map(|key| value[*key].as_str().map(str::to_owned)).unwrap_or_default()
    };
    let detail = match kind {
        ItemKind::UserMessage { .. } => {
            value["content"][0]["text"].as_str().unwrap_or("-").to_owned()
        }
        ItemKind::Reasoning { .. } => value["content"][0].as_str().unwrap_or("-").to_owned(),
        ItemKind::HookPrompt { .. } => {
            value["fragments"][0]["text"].as_str().unwrap_or("-").to_owned()
        }
        _ => first(&["text", "command", "tool", "summary", "query"]),
    };
    let status = value["status"].as_str().map(|s| format!(" {s}")).unwrap_or_default();
    format!("{name} {detail}{status}")
}
