//! Calls of the model as items.

use std::borrow::Cow;

use recount_formats::Json;
use recount_formats::codex::record as r;
use recount_formats::view::List;
use serde_json::json;

use super::output::Told;
use super::{parts, patch};
use crate::json::RawJson;
use crate::model::ItemKind;
use crate::model::item::ItemStatus;
use crate::rebuild::codex::items::{self, own};
use crate::rebuild::codex::render;

/// The source of input for a running command.
pub(super) const INTERACTION: &str = "unifiedExecInteraction";

/// A call of a function.
pub(super) fn function(p: &r::ResponseFunctionCall<'_>, cwd: Option<&str>) -> ItemKind {
    let name = own(p.name).unwrap_or_default();
    let namespace = own(p.namespace).filter(|n| !n.is_empty());
    let text = own(p.arguments).unwrap_or_default();
    let arguments = recount_formats::json::parse(&text).ok();
    let known = arguments.and_then(|arguments| {
        if let Some((server, tool)) = mcp_name(&name, namespace.as_deref()) {
            return Some(mcp(server, tool, arguments));
        }
        shell(&name, arguments, cwd)
            .or_else(|| agent(&name, arguments))
            .or_else(|| other(&name, arguments, cwd))
    });
    known.unwrap_or_else(|| {
        let arguments = arguments.map_or_else(|| RawJson::string(&text), RawJson::new);
        dynamic(name, namespace, arguments)
    })
}

/// A call with free text: a patch, or code.
pub(super) fn custom(p: &r::ResponseCustomToolCall<'_>, cwd: Option<&str>) -> ItemKind {
    let name = own(p.name).unwrap_or_default();
    let input = own(p.input).unwrap_or_default();
    let edits = (name == "apply_patch").then(|| patch::parse(&input, cwd)).flatten();
    match edits {
        Some(changes) => ItemKind::FileChange { changes, status: ItemStatus::InProgress },
        None => dynamic(name, own(p.namespace), RawJson::string(&input)),
    }
}

/// A call of the Responses API's own shell tool.
pub(super) fn local_shell(p: &r::ResponseLocalShellCall<'_>, cwd: Option<&str>) -> ItemKind {
    let words = p.action.and_then(|a| a.command).into_iter().flat_map(List::iter);
    let folder = own(p.action.and_then(|a| a.working_directory));
    command(render::command_line(words), folder.or_else(|| cwd.map(str::to_owned)), "agent")
}

/// A search for tools.
pub(super) fn tool_search(p: &r::ResponseToolSearchCall<'_>) -> ItemKind {
    dynamic("tool_search".to_owned(), None, items::raw(p.arguments))
}

/// A hosted search; its query is told the way Codex tells it.
pub(super) fn web_search(p: &r::ResponseWebSearchCall<'_>) -> ItemKind {
    let action = p.action;
    let text = |t: Option<recount_formats::Text<'_>>| own(t).unwrap_or_default();
    let query = match action.and_then(|a| own(a.type_)).as_deref() {
        Some("open_page") => text(action.and_then(|a| a.url)),
        Some("find_in_page") => {
            let (pattern, url) =
                (text(action.and_then(|a| a.pattern)), text(action.and_then(|a| a.url)));
            format!("'{pattern}' in {url}")
        }
        _ => {
            let first = || action.and_then(|a| a.queries).and_then(|l| l.iter().next());
            text(action.and_then(|a| a.query).or_else(first))
        }
    };
    ItemKind::WebSearch {
        query,
        action: action.map(|a| render::search_action(a.raw)),
        results: None,
        status: None,
        text: None,
    }
}

/// A command that the person ran, from what the model was told of it.
pub(super) fn user_shell(line: &str, result: &str, cwd: Option<&str>) -> ItemKind {
    let mut item = command(line.to_owned(), cwd.map(str::to_owned), "userShell");
    answer(&mut item, Json::NULL, Told::of_text(result));
    item
}

fn command(command: String, cwd: Option<String>, source: &str) -> ItemKind {
    let actions = json!([{"type": "unknown", "command": command}]);
    ItemKind::CommandExecution {
        command,
        cwd,
        status: ItemStatus::InProgress,
        source: source.to_owned(),
        command_actions: RawJson::of(&actions),
        aggregated_output: None,
        exit_code: None,
        duration_ms: None,
        process_id: None,
        plugin_id: None,
        script_path: None,
    }
}

fn dynamic(tool: String, namespace: Option<String>, arguments: RawJson) -> ItemKind {
    ItemKind::DynamicToolCall {
        tool,
        namespace,
        arguments,
        status: ItemStatus::InProgress,
        content_items: None,
        success: None,
        duration_ms: None,
    }
}

/// The shell tools of all versions.
fn shell(name: &str, arguments: Json<'_>, cwd: Option<&str>) -> Option<ItemKind> {
    let text = |key: &str| arguments.str(key).map(Cow::into_owned);
    let folder = text("workdir").filter(|w| !w.is_empty()).or_else(|| cwd.map(str::to_owned));
    let words = |key: &str| {
        let list = arguments.get(key)?;
        if let Some(line) = list.as_str() {
            return Some(line.into_owned());
        }
        let words: Vec<Cow<'_, str>> = list.elements().filter_map(Json::as_str).collect();
        (!words.is_empty()).then(|| render::join_words(&words))
    };
    match name {
        "exec_command" => {
            Some(command(text("cmd").or_else(|| words("cmd"))?, folder, "unifiedExecStartup"))
        }
        "shell" | "container.exec" | "local_shell" | "shell_command" => {
            Some(command(words("command")?, folder, "agent"))
        }
        "unified_exec" => Some(command(words("input")?, folder, "unifiedExecStartup")),
        "write_stdin" => {
            let mut item = command(text("chars").unwrap_or_default(), folder, INTERACTION);
            if let ItemKind::CommandExecution { process_id, .. } = &mut item {
                *process_id = arguments
                    .get("session_id")
                    .map(|id| id.as_str().map_or_else(|| id.raw().to_owned(), Cow::into_owned));
            }
            Some(item)
        }
        _ => None,
    }
}

/// The server and tool of an MCP name: `mcp__server__tool`, or the tool in a namespace `mcp__server`.
fn mcp_name<'n>(name: &'n str, namespace: Option<&'n str>) -> Option<(&'n str, &'n str)> {
    if let Some(server) = namespace.and_then(|n| n.strip_prefix("mcp__")) {
        return Some((server.trim_end_matches("__"), name));
    }
    name.strip_prefix("mcp__")?.split_once("__")
}

fn mcp(server: &str, tool: &str, arguments: Json<'_>) -> ItemKind {
    ItemKind::McpToolCall {
        server: server.to_owned(),
        tool: tool.to_owned(),
        status: ItemStatus::InProgress,
        arguments: RawJson::new(arguments),
        result: None,
        error: None,
        duration_ms: None,
        extra: items::mcp_extra(None, None, None, None),
    }
}

/// The tools that start, steer and end other agents.
fn agent(name: &str, arguments: Json<'_>) -> Option<ItemKind> {
    let tool = match name {
        "spawn_agent" => "spawnAgent",
        "send_input" | "send_message" | "followup_task" => "sendInput",
        "wait" | "wait_agent" => "wait",
        "close_agent" => "closeAgent",
        "resume_agent" => "resumeAgent",
        _ => return None,
    };
    let text = |key: &str| arguments.str(key).map(Cow::into_owned);
    let mut receivers: Vec<String> = ["target", "id"].iter().filter_map(|key| text(key)).collect();
    for key in ["targets", "ids"] {
        let list = arguments.get(key).into_iter().flat_map(Json::elements);
        receivers.extend(list.filter_map(Json::as_str).map(Cow::into_owned));
    }
    Some(ItemKind::CollabAgentToolCall {
        tool: tool.to_owned(),
        status: ItemStatus::InProgress,
        sender_thread_id: String::new(),
        receiver_thread_ids: receivers,
        prompt: text("message").or_else(|| text("prompt")),
        model: text("model"),
        reasoning_effort: text("reasoning_effort"),
        agents_states: RawJson::of(&json!({})),
        result: None,
        description: None,
    })
}

fn other(name: &str, arguments: Json<'_>, cwd: Option<&str>) -> Option<ItemKind> {
    match name {
        "view_image" => Some(ItemKind::ImageView { path: arguments.str("path")?.into_owned() }),
        "apply_patch" => {
            let text = arguments.str("input").or_else(|| arguments.str("patch"))?;
            let changes = patch::parse(&text, cwd)?;
            Some(ItemKind::FileChange { changes, status: ItemStatus::InProgress })
        }
        _ => None,
    }
}

/// Gives a call its output.
pub(super) fn answer(kind: &mut ItemKind, output: Json<'_>, told: Told) {
    match kind {
        ItemKind::CommandExecution {
            status,
            aggregated_output,
            exit_code,
            duration_ms,
            process_id,
            ..
        } => {
            *status = told.status();
            *exit_code = told.exit_code;
            *duration_ms = told.duration_ms;
            if let Some(session) = told.session {
                *process_id = Some(session);
            }
            *aggregated_output = Some(told.text).filter(|t| !t.is_empty());
        }
        ItemKind::FileChange { status, .. } => {
            *status = match told.status() {
                // The tool's own words in place of an exit code: nothing was applied.
                ItemStatus::Completed
                    if told.exit_code.is_none() && !told.text.starts_with("Success") =>
                {
                    ItemStatus::Failed
                }
                other => other,
            };
        }
        ItemKind::McpToolCall { status, result, error, duration_ms, .. } => {
            *status = told.status();
            *duration_ms = told.duration_ms;
            if *status == ItemStatus::Completed {
                *result = Some(RawJson::of(&json!({
                    "content": [{"type": "text", "text": told.text}], "structuredContent": null, "_meta": null,
                })));
            } else {
                *error = Some(RawJson::of(&json!({"message": told.text})));
            }
        }
        ItemKind::DynamicToolCall { status, content_items, success, .. } => {
            *status = told.status();
            *success = Some(*status == ItemStatus::Completed);
            *content_items = Some(parts(output));
        }
        ItemKind::CollabAgentToolCall { .. } => agent_answer(kind, &told),
        ItemKind::ImageView { path } if told.failed => {
            // Nothing was seen: the call itself is what there is to show.
            *kind = ItemKind::DynamicToolCall {
                tool: "view_image".to_owned(),
                namespace: None,
                arguments: RawJson::of(&json!({"path": path})),
                status: ItemStatus::Failed,
                content_items: Some(parts(output)),
                success: Some(false),
                duration_ms: None,
            };
        }
        _ => {}
    }
}

fn agent_answer(kind: &mut ItemKind, told: &Told) {
    let ItemKind::CollabAgentToolCall {
        status, receiver_thread_ids, agents_states, result, ..
    } = kind
    else {
        return;
    };
    *status = told.status();
    let Ok(value) = recount_formats::json::parse(&told.text) else {
        *result = Some(told.text.clone()).filter(|t| !t.is_empty());
        return;
    };
    if let Some(id) = value.str("agent_id")
        && !receiver_thread_ids.iter().any(|r| *r == id)
    {
        receiver_thread_ids.push(id.into_owned());
    }
    if let Some(states) = value.get("status").filter(|s| s.is_object()) {
        *agents_states = render::agents_states(states);
    } else if let (Some(state), Some(id)) =
        (value.get("previous_status"), receiver_thread_ids.first())
    {
        let states = format!("{{{}:{}}}", RawJson::string(id).as_str(), state.raw());
        if let Some(states) = RawJson::parse(&states) {
            *agents_states = render::agents_states(states.get());
        }
    }
}
