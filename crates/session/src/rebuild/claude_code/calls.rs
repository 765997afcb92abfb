//! Tool calls to items.

use std::borrow::Cow;

use recount_formats::{Json, Text};

use super::answers::Answer;
use super::edits;
use super::prompt;
use super::transcript::{Block, Node};
use crate::json::RawJson;
use crate::model::item::{ContentItem, ItemKind, ItemStatus};
use crate::rebuild::Companions;

/// What surrounds a call.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'c> {
    pub(super) thread: &'c str,
    pub(super) companions: &'c dyn Companions,
    /// The agents that the call started.
    pub(super) agents: &'c [String],
}

/// The item of a call. `node` is the line that it stands on.
pub(super) fn item<'a>(
    call: &Block<'a>,
    answer: Option<&Answer<'a>>,
    node: &Node<'a>,
    around: Surroundings<'_>,
) -> ItemKind {
    let status = status(answer);
    let duration_ms = duration(answer, node);
    let name = call.name.map(Text::get).unwrap_or_default();
    match &*name {
        "Bash" | "PowerShell" => command(call, answer, node, around.companions),
        "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => {
            ItemKind::FileChange { changes: edits::changes(&name, call, answer), status }
        }
        "Agent" | "Task" => agent(call, answer, around),
        "WebSearch" | "web_search" => ItemKind::WebSearch {
            query: call.argument("query").unwrap_or_default().into_owned(),
            action: Some(RawJson::of(&serde_json::json!({
                "type": "search",
                "query": call.argument("query"),
                "queries": null,
            }))),
            results: answer.and_then(|a| a.detail("results").or(a.content)).map(RawJson::new),
            status: Some(status),
            text: answer.map(Answer::text).filter(|text| !text.is_empty()),
        },
        "WebFetch" | "web_fetch" => {
            let url = call.argument("url").unwrap_or_default().into_owned();
            ItemKind::WebSearch {
                action: Some(RawJson::of(&serde_json::json!({ "type": "openPage", "url": url }))),
                query: url,
                results: None,
                status: Some(status),
                text: answer.map(Answer::text).filter(|text| !text.is_empty()),
            }
        }
        _ => match mcp_name(&name) {
            Some((server, tool)) => mcp(server, tool, call, answer, status, duration_ms),
            None => ItemKind::DynamicToolCall {
                tool: name.into_owned(),
                namespace: None,
                arguments: arguments(call),
                status,
                content_items: answer.map(content_items),
                success: answer.map(|a| !a.is_error && !a.denied),
                duration_ms,
            },
        },
    }
}

fn arguments(call: &Block<'_>) -> RawJson {
    RawJson::new(call.input.unwrap_or(Json::NULL))
}

/// Server and tool of a name such as `mcp__server__tool`.
pub(super) fn mcp_name(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?
        .split_once("__")
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

fn status(answer: Option<&Answer<'_>>) -> ItemStatus {
    match answer {
        None => ItemStatus::InProgress,
        Some(answer) if answer.denied => ItemStatus::Declined,
        Some(answer) if answer.is_error || answer.details.is_true("interrupted") => {
            ItemStatus::Failed
        }
        Some(_) => ItemStatus::Completed,
    }
}

/// What the program measured, else the time between the line of the call and that of the result.
fn duration(answer: Option<&Answer<'_>>, node: &Node<'_>) -> Option<i64> {
    let answer = answer?;
    answer.measured().or_else(|| {
        if answer.denied {
            return None;
        }
        Some((answer.milliseconds? - node.milliseconds()?).max(0))
    })
}

fn command<'a>(
    call: &Block<'a>,
    answer: Option<&Answer<'a>>,
    node: &Node<'a>,
    companions: &dyn Companions,
) -> ItemKind {
    let background = answer.and_then(|a| a.detail_text("backgroundTaskId"));
    let (mut output, exit_code) = answer.map_or((None, None), |a| command_output(a, companions));
    // The text says where the output goes; the output itself comes with the notification, if at all.
    let exit_code = exit_code.filter(|_| background.is_none());
    if background.is_some()
        && answer.and_then(|a| a.detail_text("stdout")).is_none_or(|t| t.is_empty())
    {
        output = None;
    }
    ItemKind::CommandExecution {
        command: call.argument("command").unwrap_or_default().into_owned(),
        cwd: node.text("cwd").map(Cow::into_owned),
        status: status(answer),
        source: "agent".into(),
        command_actions: RawJson::of(&serde_json::json!([])),
        aggregated_output: output,
        exit_code,
        duration_ms: duration(answer, node),
        process_id: background.map(Cow::into_owned),
        plugin_id: None,
        script_path: None,
    }
}

/// What a command printed, and its exit code.
fn command_output(
    answer: &Answer<'_>,
    companions: &dyn Companions,
) -> (Option<String>, Option<i64>) {
    if answer.denied {
        return (None, None);
    }
    if let Some(output) = persisted(answer, companions) {
        return (Some(output), (!answer.is_error).then_some(0));
    }
    if let Some(stdout) = answer.detail_text("stdout") {
        let mut output = stdout.into_owned();
        if let Some(stderr) = answer.detail_text("stderr").filter(|text| !text.is_empty()) {
            if !output.is_empty() && !output.ends_with('\n') {
                output.push('\n');
            }
            output.push_str(&stderr);
        }
        let interrupted = answer.detail("interrupted").and_then(Json::as_bool) == Some(true);
        return (Some(output), (!answer.is_error && !interrupted).then_some(0));
    }
    let text = answer.text();
    if !answer.is_error {
        return (Some(text), Some(0));
    }
    // A failed command: `Exit code 3`, then what it printed.
    let Some(rest) = text.strip_prefix("Exit code ") else { return (Some(text), None) };
    let (code, output) = rest.split_once('\n').unwrap_or((rest, ""));
    match code.trim().parse() {
        Ok(code) => (Some(output.to_owned()), Some(code)),
        Err(_) => (Some(text), None),
    }
}

/// The whole output of a call, when it was so long that the program moved it out of the transcript.
///
/// The transcript names an absolute path; only its last part is looked for, among the session's own files.
fn persisted(answer: &Answer<'_>, companions: &dyn Companions) -> Option<String> {
    const SAVED: &str = "Full output saved to: ";
    let path = if let Some(path) = answer.detail_text("persistedOutputPath") {
        path.into_owned()
    } else {
        let text = prompt::first_text(answer.content)?;
        let text = text.trim_start().strip_prefix("<persisted-output>")?;
        let start = text.find(SAVED)? + SAVED.len();
        text[start..].lines().next()?.trim().to_owned()
    };
    let name = path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    let bytes = companions.read(&format!("tool-results/{name}"))?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn agent<'a>(call: &Block<'a>, answer: Option<&Answer<'a>>, around: Surroundings<'_>) -> ItemKind {
    let mut agents = around.agents.to_vec();
    if let Some(id) = answer.and_then(|a| a.detail_text("agentId"))
        && !agents.iter().any(|agent| *agent == id)
    {
        agents.push(id.into_owned());
    }
    let launched = answer.is_some_and(|a| {
        a.detail("isAsync").and_then(Json::as_bool) == Some(true)
            || a.detail_text("status").is_some_and(|status| status == "async_launched")
    });
    let result = answer.filter(|_| !launched).map(agent_result).filter(|text| !text.is_empty());
    let state = match answer {
        None => "running",
        Some(_) if launched => "running",
        Some(a) if a.is_error || a.denied => "errored",
        Some(_) => "completed",
    };
    let states: serde_json::Map<String, serde_json::Value> = agents
        .iter()
        .map(|id| (id.clone(), serde_json::json!({ "status": state, "message": null })))
        .collect();
    let description = match (call.argument("subagent_type"), call.argument("description")) {
        (Some(kind), Some(task)) => Some(format!("{kind}: {task}")),
        (kind, task) => kind.or(task).map(Cow::into_owned),
    };
    ItemKind::CollabAgentToolCall {
        tool: "spawnAgent".into(),
        status: status(answer),
        sender_thread_id: around.thread.to_owned(),
        receiver_thread_ids: agents,
        prompt: call.argument("prompt").map(Cow::into_owned),
        model: call
            .argument("model")
            .or_else(|| answer.and_then(|a| a.detail_text("resolvedModel")))
            .map(Cow::into_owned),
        reasoning_effort: None,
        agents_states: RawJson::of(&serde_json::Value::Object(states)),
        result,
        description,
    }
}

/// What an agent answered: the content in the details is clean, the one for the model is wrapped in advice.
fn agent_result(answer: &Answer<'_>) -> String {
    let clean: Vec<_> = answer
        .detail("content")
        .into_iter()
        .flat_map(Json::elements)
        .filter_map(|block| block.str("text"))
        .filter(|text| !text.starts_with("<tools-used-before-summary>"))
        .collect();
    if clean.is_empty() { answer.text() } else { clean.join("\n") }
}

fn mcp<'a>(
    server: &str,
    tool: &str,
    call: &Block<'a>,
    answer: Option<&Answer<'a>>,
    status: ItemStatus,
    duration_ms: Option<i64>,
) -> ItemKind {
    let failed = matches!(status, ItemStatus::Failed | ItemStatus::Declined);
    let result = answer.filter(|_| !failed).map(|a| {
        let content = match a.content {
            Some(content) if content.is_array() => content.raw().to_owned(),
            Some(content) => {
                let text = content.as_str().unwrap_or_default();
                serde_json::json!([{ "type": "text", "text": text }]).to_string()
            }
            None => "[]".to_owned(),
        };
        RawJson::parse(&format!(r#"{{"content":{content},"structuredContent":null}}"#))
            .unwrap_or_else(RawJson::null)
    });
    let error =
        answer.filter(|_| failed).map(|a| RawJson::of(&serde_json::json!({ "message": a.text() })));
    ItemKind::McpToolCall {
        server: server.to_owned(),
        tool: tool.to_owned(),
        status,
        arguments: arguments(call),
        result,
        error,
        duration_ms,
        extra: crate::model::item::Extra::default(),
    }
}

/// The parts of a result.
fn content_items(answer: &Answer<'_>) -> Vec<ContentItem> {
    let Some(content) = answer.content else { return Vec::new() };
    if content.text().is_some() {
        return vec![ContentItem::InputText { text: answer.text() }];
    }
    content
        .elements()
        .map(|part| {
            let block = Block::of(part);
            if let Some(text) = block.text() {
                return ContentItem::InputText { text: text.into_owned() };
            }
            if block.is("image")
                && let Some(image_url) = prompt::source_url(part)
            {
                return ContentItem::InputImage { image_url };
            }
            if let Some(name) = part.str("tool_name").filter(|_| block.is("tool_reference")) {
                return ContentItem::InputText { text: name.into_owned() };
            }
            ContentItem::InputText { text: part.raw().to_owned() }
        })
        .collect()
}
