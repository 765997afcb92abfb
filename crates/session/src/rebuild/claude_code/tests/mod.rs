//! Tests of the rebuild: each rule on a few lines, our fixtures as they read, the corpus against what the real program
//! sent, and properties that hold whatever the bytes are.

mod asides;
mod calls;
mod corpus;
mod fixtures;
mod head;
mod leaf;
mod model_view;
mod properties;
mod tree;
mod turns;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use recount_formats::{Code, Harness};

use crate::model::item::UserInput;
use crate::model::{Aside, ItemKind, ModelView, Thread, context};
use crate::rebuild::{self, Alone, Companions, Facts, Input};

/// Companions in memory.
#[derive(Debug, Default)]
struct Files(BTreeMap<&'static str, String>);

impl Companions for Files {
    fn names(&self) -> Vec<String> {
        self.0.keys().map(ToString::to_string).collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|text| Cow::Borrowed(text.as_bytes()))
    }
}

fn thread_of(bytes: &[u8], leaf: Option<&str>) -> Thread {
    thread_with(bytes, leaf, &Alone)
}

fn thread_with(bytes: &[u8], leaf: Option<&str>, companions: &dyn Companions) -> Thread {
    let (source, facts) = (Arc::from("s.jsonl"), Facts::default());
    let input = Input { source: &source, bytes, facts: &facts, companions };
    rebuild::thread(Harness::ClaudeCode, input, leaf)
}

fn with_branches(bytes: &[u8]) -> (Thread, Vec<Aside>) {
    let (source, facts) = (Arc::from("s.jsonl"), Facts::default());
    let input = Input { source: &source, bytes, facts: &facts, companions: &Alone };
    rebuild::with_branches(Harness::ClaudeCode, input)
}

fn view_with(bytes: &[u8], leaf: Option<&str>, companions: &dyn Companions) -> ModelView {
    let (source, facts) = (Arc::from("s.jsonl"), Facts::default());
    let input = Input { source: &source, bytes, facts: &facts, companions };
    rebuild::model_view(Harness::ClaudeCode, input, leaf)
}

fn view_of(bytes: &[u8], leaf: Option<&str>) -> ModelView {
    view_with(bytes, leaf, &Alone)
}

fn thread(lines: &[&str]) -> Thread {
    thread_of(file(lines).as_bytes(), None)
}

/// A transcript. Each line is `uuid parent what`, where `-` is no parent; lines are written a second apart.
///
/// | what | line |
/// | --- | --- |
/// | `user TEXT`, `meta TEXT`, `summary TEXT` | in the role of the user |
/// | `result CALL TEXT`, `error CALL TEXT` | the result of a call |
/// | `says MESSAGE TEXT`, `thinks …`, `refuses …` | a block of the model |
/// | `calls MESSAGE CALL NAME INPUT` | a call |
/// | `rendered ROLE TEXT` | an attachment for the model |
/// | `boundary LOGICAL MEMBERS` | a compaction |
/// | `{…` | the members of a line that has an envelope |
///
/// Lines that begin with `last-prompt LEAF` or with `{` are metadata, or any bytes.
fn file(lines: &[&str]) -> String {
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        let _ = writeln!(out, "{}", written(n, line));
    }
    out
}

fn written(n: usize, line: &str) -> String {
    if let Some(rest) = line.strip_prefix("last-prompt ") {
        let (leaf, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let leaf = if leaf == "null" { leaf.into() } else { format!("\"{leaf}\"") };
        let more = if more.is_empty() { String::new() } else { format!(r#","{more}":true"#) };
        return format!(r#"{{"type":"last-prompt","leafUuid":{leaf}{more},"sessionId":"s"}}"#);
    }
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().unwrap_or_default();
    let (id, parent, what) = (next(), next(), next());
    if line.starts_with('{') || what.is_empty() {
        return line.to_owned();
    }
    let parent = if parent == "-" { "null".into() } else { quoted(parent) };
    format!(
        r#"{{"uuid":"{id}","parentUuid":{parent},"isSidechain":false,"sessionId":"s","cwd":"/home/dev/shop","timestamp":"2026-11-01T08:{:02}:{:02}.000Z",{}}}"#,
        n / 60,
        n % 60,
        members(what)
    )
}

fn members(what: &str) -> String {
    let (word, rest) = what.split_once(' ').unwrap_or((what, ""));
    let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
    match word {
        "user" => user(&quoted(rest)),
        "meta" => format!(r#"{},"isMeta":true"#, user(&quoted(rest))),
        "summary" => format!(r#"{},"isCompactSummary":true"#, user(&quoted(rest))),
        "result" | "error" => user(&format!(
            r#"[{{"type":"tool_result","tool_use_id":"{first}","content":{},"is_error":{}}}]"#,
            quoted(more),
            word == "error"
        )),
        "says" => {
            answer(first, &format!(r#"{{"type":"text","text":{}}}"#, quoted(more)), "end_turn")
        }
        "refuses" => {
            answer(first, &format!(r#"{{"type":"text","text":{}}}"#, quoted(more)), "refusal")
        }
        "thinks" => answer(
            first,
            &format!(r#"{{"type":"thinking","thinking":{}}}"#, quoted(more)),
            "end_turn",
        ),
        "calls" => {
            let (call, more) = more.split_once(' ').unwrap_or((more, ""));
            let (name, input) = more.split_once(' ').unwrap_or((more, "{}"));
            let block =
                format!(r#"{{"type":"tool_use","id":"{call}","name":"{name}","input":{input}}}"#);
            answer(first, &block, "tool_use")
        }
        "rendered" => format!(
            r#""type":"attachment","attachment":{{"type":"date"}},"rendered":[{{"content":{}}}],"renderedRole":"{first}""#,
            quoted(more)
        ),
        "boundary" => {
            let more = if more.is_empty() { String::new() } else { format!(",{more}") };
            format!(
                r#""type":"system","subtype":"compact_boundary","content":"Conversation compacted","logicalParentUuid":"{first}","compactMetadata":{{"trigger":"manual"{more}}}"#
            )
        }
        _ => {
            let inside = what.strip_prefix('{').and_then(|w| w.strip_suffix('}'));
            inside.unwrap_or(what).to_owned()
        }
    }
}

fn user(content: &str) -> String {
    format!(r#""type":"user","message":{{"role":"user","content":{content}}}"#)
}

fn answer(id: &str, block: &str, stop: &str) -> String {
    format!(
        r#""type":"assistant","message":{{"id":"{id}","role":"assistant","model":"claude-opus-5-5","content":[{block}],"stop_reason":"{stop}","usage":{{"input_tokens":10,"cache_read_input_tokens":20,"cache_creation_input_tokens":5,"output_tokens":7}}}}"#
    )
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn codes(thread: &Thread) -> Vec<(Code, u64)> {
    thread.findings.iter().map(|f| (f.code, f.line)).collect()
}

/// The items of all turns, a few words for each.
fn items(thread: &Thread) -> Vec<String> {
    thread.items().map(|item| short(&item.kind)).collect()
}

fn prompts(thread: &Thread) -> Vec<String> {
    let mut items = items(thread);
    items.retain(|item| item.starts_with('>'));
    items
}

fn short(kind: &ItemKind) -> String {
    match kind {
        ItemKind::UserMessage { content, .. } => {
            let part = |part: &UserInput| match part {
                UserInput::Text { text, .. } => text.clone(),
                UserInput::Image { .. } => "[image]".into(),
                other => format!("{other:?}"),
            };
            format!("> {}", content.iter().map(part).collect::<Vec<_>>().join("|"))
        }
        ItemKind::AgentMessage { text, .. } => text.clone(),
        ItemKind::Reasoning { content, .. } => format!("think {}", content.join("|")),
        ItemKind::Plan { text } => format!("plan {text}"),
        ItemKind::CommandExecution {
            command,
            status,
            aggregated_output,
            exit_code,
            source,
            ..
        } => {
            let output = aggregated_output.as_deref().unwrap_or("-");
            let code = exit_code.map_or("-".into(), |c| c.to_string());
            format!("{source} $ {command} {status:?} {code} {output:?}")
        }
        ItemKind::FileChange { changes, status } => {
            let change = &changes[0];
            format!("file {} {:?} {status:?} {:?}", change.path, change.kind, change.diff)
        }
        ItemKind::DynamicToolCall { tool, status, success, .. } => {
            format!("tool {tool} {status:?} {success:?}")
        }
        ItemKind::McpToolCall { server, tool, status, result, error, .. } => {
            format!("mcp {server} {tool} {status:?} {result:?} {error:?}")
        }
        ItemKind::CollabAgentToolCall {
            status, receiver_thread_ids, result, description, ..
        } => {
            format!("agent {receiver_thread_ids:?} {status:?} {description:?} {result:?}")
        }
        ItemKind::WebSearch { query, status, text, .. } => {
            format!("web {query} {status:?} {text:?}")
        }
        ItemKind::ContextCompaction { summary, trigger } => {
            format!("compaction {trigger:?} {}", summary.as_deref().unwrap_or("-"))
        }
        ItemKind::HookPrompt { fragments } => {
            format!("hook {}", fragments.iter().map(|f| &*f.text).collect::<Vec<_>>().join("|"))
        }
        ItemKind::Notice { level, text } => format!("{level:?} {text}"),
        other => format!("{other:?}"),
    }
}

/// The messages of the model view, one line for each.
fn sent(view: &ModelView) -> Vec<String> {
    let part = |block: &context::Block| match block {
        context::Block::Text { text } => text.clone(),
        context::Block::ToolCall { id, name, .. } => format!("[{name} {id}]"),
        context::Block::ToolResult { id, content, is_error } => {
            let error = if *is_error { "!" } else { "" };
            format!("[{id}{error} {}]", content.as_str())
        }
        context::Block::Reasoning { text } => format!("[think {text}]"),
        context::Block::Raw { value } => value
            .get()
            .str("text")
            .map_or_else(|| value.as_str().into(), |text| format!("({text})")),
        other => format!("{other:?}"),
    };
    let messages = view.messages.iter();
    messages
        .map(|message| {
            let parts: Vec<_> = message.content.iter().map(part).collect();
            format!("{:?}: {}", message.role, parts.join(" | "))
        })
        .collect()
}
