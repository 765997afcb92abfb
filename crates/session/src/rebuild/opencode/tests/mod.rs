//! Tests of the rebuild: each rule on a few rows, and whatever rows there may be.

mod old;
mod properties;
mod rows;
mod turns;
mod view;

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::{Code, Harness};

use crate::model::item::UserInput;
use crate::model::{Block, ItemKind, ModelView, Subagent, Thread};
use crate::rebuild::{self, Companions, Facts, Input};

/// Files by name.
#[derive(Default)]
struct Files(Vec<(&'static str, &'static str)>);

impl Companions for Files {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let file = self.0.iter().find(|(n, _)| *n == name)?;
        Some(Cow::Borrowed(file.1.as_bytes()))
    }
}

/// A session's rows, and what is around them.
#[derive(Default)]
struct Case {
    lines: String,
    files: Files,
    facts: Facts,
}

impl Case {
    /// A session of 2.x, with more columns.
    fn new(columns: &str) -> Self {
        let mut case = Self::default();
        case.line(&format!(
            r#"{{"table":"session_v2","row":"ses_1","id":"ses_1","directory":"/home/dev/shop","title":"Cart","time_created":1000,"time_updated":9000{columns}}}"#
        ));
        case
    }

    /// A session of 1.x, with more columns.
    fn old(columns: &str) -> Self {
        let mut case = Self::new(columns);
        case.lines = case.lines.replace("session_v2", "session");
        case
    }

    fn line(&mut self, line: &str) -> &mut Self {
        self.lines.push_str(line);
        self.lines.push('\n');
        self
    }

    /// A row of `session_message`: `seq`, type and the inside of its data. Rows are a second apart.
    fn row(&mut self, seq: i64, kind: &str, data: &str) -> &mut Self {
        let comma = if data.is_empty() { "" } else { "," };
        let at = 10_000 + seq * 1000;
        self.line(&format!(
            r#"{{"table":"session_message","row":"msg_{seq}","id":"msg_{seq}","session_id":"ses_1","type":"{kind}","seq":{seq},"time_created":{at},"time_updated":{at},"data":{{"time":{{"created":{at}}}{comma}{data}}}}}"#
        ))
    }

    fn user(&mut self, seq: i64, text: &str) -> &mut Self {
        self.row(seq, "user", &format!(r#""text":"{text}""#))
    }

    /// A step that ended, with these blocks.
    fn step(&mut self, seq: i64, finish: &str, blocks: &str) -> &mut Self {
        let at = 10_000 + seq * 1000;
        let data = format!(
            r#""time":{{"created":{at},"completed":{at}}},"agent":"build","model":{{"id":"m","providerID":"p"}},"content":[{blocks}],"finish":"{finish}","cost":0.5,"tokens":{{"input":10,"output":2,"reasoning":1,"cache":{{"read":3,"write":4}}}}"#
        );
        self.row(seq, "assistant", &data)
    }

    fn say(&mut self, seq: i64, text: &str) -> &mut Self {
        self.step(seq, "stop", &format!(r#"{{"type":"text","text":"{text}"}}"#))
    }

    fn idle(&mut self, seq: i64) -> &mut Self {
        self.row(seq, "idle", r#""outcome":"succeeded""#)
    }

    /// A message of 1.x with its parts, the inside of each. Messages are a second apart.
    fn message(&mut self, n: i64, data: &str, parts: &[&str]) -> &mut Self {
        let at = 10_000 + n * 1000;
        self.line(&format!(
            r#"{{"table":"message","row":"msg_{n}","id":"msg_{n}","session_id":"ses_1","time_created":{at},"time_updated":{at},"data":{{{data}}}}}"#
        ));
        for (k, part) in parts.iter().enumerate() {
            self.line(&format!(
                r#"{{"table":"part","row":"prt_{n}_{k}","id":"prt_{n}_{k}","message_id":"msg_{n}","session_id":"ses_1","time_created":{at},"time_updated":{at},"data":{{{part}}}}}"#
            ));
        }
        self
    }

    fn asks(&mut self, n: i64, text: &str) -> &mut Self {
        self.message(n, r#""role":"user""#, &[&format!(r#""type":"text","text":"{text}""#)])
    }

    /// An answer of 1.x to message `to`, with these parts.
    fn answers(&mut self, n: i64, to: i64, more: &str, parts: &[&str]) -> &mut Self {
        let at = 10_000 + n * 1000;
        let data = format!(
            r#""role":"assistant","parentID":"msg_{to}","modelID":"m","providerID":"p","cost":0.5,"tokens":{{"input":10,"output":2,"reasoning":1,"cache":{{"read":3,"write":4}}}},"time":{{"created":{at},"completed":{at}}}{more}"#
        );
        self.message(n, &data, parts)
    }

    fn child(&mut self, id: &str, title: &str) -> &mut Self {
        let name = Some(title.to_owned());
        self.facts.children.push(Subagent { id: id.into(), tool_call_id: None, name });
        self
    }

    fn file(&mut self, name: &'static str, content: &'static str) -> &mut Self {
        self.files.0.push((name, content));
        self
    }

    fn thread(&self) -> Thread {
        self.branch(None)
    }

    fn branch(&self, leaf: Option<&str>) -> Thread {
        let source = Arc::from("opencode.db");
        rebuild::thread(Harness::Opencode, self.input(&source), leaf)
    }

    fn view(&self, leaf: Option<&str>) -> ModelView {
        let source = Arc::from("opencode.db");
        rebuild::model_view(Harness::Opencode, self.input(&source), leaf)
    }

    fn input<'a>(&'a self, source: &'a Arc<str>) -> Input<'a> {
        Input { source, bytes: self.lines.as_bytes(), facts: &self.facts, companions: &self.files }
    }
}

/// A tool block of 2.x: id, name, and the inside of its state.
fn tool(id: &str, name: &str, state: &str) -> String {
    format!(
        r#"{{"type":"tool","id":"{id}","name":"{name}","executed":false,"state":{{{state}}},"time":{{"created":1000,"ran":2000,"completed":2500}}}}"#
    )
}

fn codes(thread: &Thread) -> Vec<Code> {
    thread.findings.iter().map(|f| f.code).collect()
}

/// The items of each turn, a few words for each, behind how the turn ended.
fn turns(thread: &Thread) -> Vec<Vec<String>> {
    thread
        .turns
        .iter()
        .map(|turn| {
            let mut words = vec![format!("{:?}", turn.status)];
            words.extend(turn.items.iter().map(|item| short(&item.kind)));
            words
        })
        .collect()
}

fn short(kind: &ItemKind) -> String {
    match kind {
        ItemKind::UserMessage { content, .. } => {
            let part = |part: &UserInput| match part {
                UserInput::Text { text, .. } => text.clone(),
                UserInput::Image { url, .. } => format!("[image {}]", url.as_deref().unwrap_or("")),
                UserInput::Mention { name, path } => format!("@{name} {path}").trim().into(),
                other => format!("{other:?}"),
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
            let paths: Vec<_> = changes.iter().map(|c| c.path.as_str()).collect();
            format!("file {} {status:?}", paths.join(","))
        }
        ItemKind::McpToolCall { server, tool, status, .. } => {
            format!("mcp {server}.{tool} {status:?}")
        }
        ItemKind::DynamicToolCall { tool, status, success, .. } => {
            format!("tool {tool} {status:?} {success:?}")
        }
        ItemKind::CollabAgentToolCall { status, receiver_thread_ids, result, .. } => {
            let result = result.as_deref().unwrap_or("-");
            format!("agent {} {status:?} {result:?}", receiver_thread_ids.join(","))
        }
        ItemKind::SubAgentActivity { kind, agent_thread_id, .. } => {
            format!("activity {agent_thread_id} {kind}")
        }
        ItemKind::WebSearch { query, status, .. } => format!("web {query} {status:?}"),
        ItemKind::ContextCompaction { summary, trigger } => {
            format!("compaction {:?} {:?}", trigger.as_deref(), summary.as_deref())
        }
        ItemKind::Notice { level, text } => format!("{level:?} {text}"),
        other => format!("{other:?}"),
    }
}

/// The messages of a model view, a line each.
fn sent(view: &ModelView) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text { text } => text.clone(),
        Block::ToolCall { id, name, .. } => format!("call {id} {name}"),
        Block::ToolResult { id, content, is_error } => {
            let bad = if *is_error { " error" } else { "" };
            format!("result {id}{bad} {}", content.as_str())
        }
        Block::Reasoning { text } => format!("think {text}"),
        Block::Image { .. } => "[image]".into(),
        Block::Compaction { value } => format!("window {}", value.as_str()),
        other => format!("{other:?}"),
    };
    view.messages
        .iter()
        .map(|m| {
            let blocks: Vec<_> = m.content.iter().map(block).collect();
            format!("{:?}: {}", m.role, blocks.join(" | "))
        })
        .collect()
}
