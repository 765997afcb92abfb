//! Tests of the rebuild: each rule on a few lines, our fixtures as they read, the corpus against pi's own answers.

mod corpus;
mod display;
mod fixtures;
mod model_view;
mod properties;
mod structure;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use recount_formats::{Code, Harness};

use crate::model::{ItemKind, ModelView, Thread};
use crate::rebuild::{self, Alone, Companions, Facts, Input};

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/home/dev/shop"}"#;

fn thread_of(bytes: &[u8], leaf: Option<&str>) -> Thread {
    thread_with(bytes, leaf, &Alone)
}

fn thread_with(bytes: &[u8], leaf: Option<&str>, companions: &dyn Companions) -> Thread {
    let (source, facts) = (Arc::from("s.jsonl"), Facts::default());
    let input = Input { source: &source, bytes, facts: &facts, companions };
    rebuild::thread(Harness::Pi, input, leaf)
}

fn view_of(bytes: &[u8], leaf: Option<&str>) -> ModelView {
    let (source, facts) = (Arc::from("s.jsonl"), Facts::default());
    let input = Input { source: &source, bytes, facts: &facts, companions: &Alone };
    rebuild::model_view(Harness::Pi, input, leaf)
}

/// A file of version 3 with these entries, each `id parent rest`, where `-` is no parent.
///
/// The rest is the inside of the entry: `"type":"label",…`, or `user TEXT`, `assistant TEXT` and `calls ID…` for short.
/// Entries are written a second apart.
fn file(entries: &[&str]) -> String {
    let mut out = format!("{HEADER}\n");
    for (n, entry) in entries.iter().enumerate() {
        let mut parts = entry.splitn(3, ' ');
        let mut next = || parts.next().unwrap_or_default();
        let (id, parent, rest) = (next(), next(), next());
        let parent = if parent == "-" { "null".into() } else { format!("\"{parent}\"") };
        let at = 1_793_520_001_000 + n as u64 * 1000;
        let rest = match rest.split_once(' ') {
            Some(("user", text)) => {
                message(&format!(r#""role":"user","content":"{text}","timestamp":{at}"#))
            }
            Some(("assistant", text)) => {
                answer(&format!(r#"{{"type":"text","text":"{text}"}}"#), "stop", at)
            }
            Some(("calls", ids)) => {
                let call = |id| {
                    format!(
                        r#"{{"type":"toolCall","id":"{id}","name":"bash","arguments":{{"command":"run {id}"}}}}"#
                    )
                };
                answer(&ids.split(' ').map(call).collect::<Vec<_>>().join(","), "toolUse", at)
            }
            Some(("result", id)) => message(&format!(
                r#""role":"toolResult","toolCallId":"{id}","toolName":"bash","content":[{{"type":"text","text":"out {id}"}}],"isError":false,"timestamp":{at}"#
            )),
            _ => rest.to_owned(),
        };
        let time = format!("2026-11-01T08:00:{:02}.000Z", n + 1);
        _ = writeln!(
            out,
            "{{\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"{time}\",{rest}}}"
        );
    }
    out
}

fn message(inside: &str) -> String {
    format!(r#""type":"message","message":{{{inside}}}"#)
}

fn answer(blocks: &str, stop: &str, at: u64) -> String {
    message(&format!(
        r#""role":"assistant","content":[{blocks}],"api":"a","provider":"p","model":"m","usage":{{"input":10,"output":2,"cacheRead":3,"cacheWrite":1,"totalTokens":16,"cost":{{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.5}}}},"stopReason":"{stop}","timestamp":{at}"#
    ))
}

fn thread(entries: &[&str]) -> Thread {
    thread_of(file(entries).as_bytes(), None)
}

fn codes(thread: &Thread) -> Vec<(Code, u64)> {
    thread.findings.iter().map(|f| (f.code, f.line)).collect()
}

/// The items of each turn, a word or two for each.
fn turns(thread: &Thread) -> Vec<Vec<String>> {
    thread.turns.iter().map(|turn| turn.items.iter().map(|i| short(&i.kind)).collect()).collect()
}

fn short(kind: &ItemKind) -> String {
    use crate::model::item::UserInput;
    match kind {
        ItemKind::UserMessage { content, .. } => {
            let part = |part: &UserInput| match part {
                UserInput::Text { text, .. } => text.clone(),
                _ => "[image]".into(),
            };
            format!("> {}", content.iter().map(part).collect::<Vec<_>>().join("|"))
        }
        ItemKind::AgentMessage { text, .. } => text.clone(),
        ItemKind::Reasoning { content, .. } => format!("think {}", content.join("|")),
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
        ItemKind::DynamicToolCall { tool, status, content_items, .. } => {
            let parts = content_items.as_ref().map_or(0, Vec::len);
            format!("tool {tool} {status:?} {parts} parts")
        }
        ItemKind::ContextCompaction { summary, .. } => {
            format!("compaction {}", summary.as_deref().unwrap_or("-"))
        }
        ItemKind::Notice { level, text } => format!("{level:?} {text}"),
        other => format!("{other:?}"),
    }
}

/// Files by name.
struct Files(&'static [(&'static str, &'static str)]);

impl Companions for Files {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let file = self.0.iter().find(|(n, _)| *n == name)?;
        Some(Cow::Borrowed(file.1.as_bytes()))
    }
}
