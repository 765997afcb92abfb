//! Tool calls to items.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use recount_formats::catalogue::ToolType;
use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::schema::Schema;
use recount_formats::cursor_agent::store::{Blobs, MAX_DEPTH};
use serde_json::{Value, json};

use super::agents::kind;
use super::chat::{Chat, rfc3339};
use super::files;
use super::prompts::{ModelCall, ModelCalls};
use super::value::object;
use crate::json::RawJson;
use crate::model::item::{ContentItem, Extra, ItemKind, ItemStatus};

/// An agent that a call started, and how it fares.
pub(super) type Started = (String, Option<String>);

/// What surrounds the calls of a thread.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'c, 'a> {
    pub(super) chat: &'c Chat<'a>,
    pub(super) model: &'c ModelCalls,
    pub(super) thread: &'c str,
    /// The agents that calls started, where the result does not tell.
    pub(super) agents: &'c dyn Fn(&str) -> Vec<Started>,
}

/// A call as an item, with what the turn needs to know of it.
pub(super) struct Shown {
    /// The call's id.
    pub(super) id: Option<String>,
    pub(super) kind: ItemKind,
    pub(super) timestamp: Option<String>,
    /// Further blobs that it was made from.
    pub(super) blobs: Vec<String>,
    /// A plan that it wrote.
    pub(super) plan: Option<String>,
    /// Whether it has no result.
    pub(super) pending: bool,
    /// What hooks put beside it.
    pub(super) hooks: Vec<String>,
}

/// A call taken apart.
struct Call<'m> {
    tool: Option<&'static ToolType>,
    /// The number of the tool's field; 0 when the call has no tool.
    number: u32,
    arguments: Wire<'m>,
    result: Option<Wire<'m>>,
    /// The outcome: the name of the result's case, and its message.
    outcome: Option<(&'static str, Wire<'m>)>,
    model: Option<ModelCall>,
    id: Option<String>,
    status: ItemStatus,
    duration_ms: Option<i64>,
}

/// Shows a `ToolCall`.
pub(super) fn show(call: &Wire<'_>, around: Surroundings<'_, '_>) -> Shown {
    let (mut blobs, whole) = whole_step(call, around.chat);
    let original = whole.as_deref().map(|bytes| Wire::read("ConversationStep", bytes));
    let original = original.as_ref().and_then(|step| step.message("tool_call"));
    let source = original.as_ref().unwrap_or(call);
    let id = call.text("tool_call_id").or_else(|| source.text("tool_call_id"));
    let model = id.as_deref().and_then(|id| around.model.get(id)).cloned();
    let taken = take_apart(source, id.clone(), model);
    if let Some(model) = &taken.model {
        blobs.extend(model.blobs.iter().cloned());
    }
    let plan = (taken.name() == "create_plan").then(|| taken.arguments.text("plan")).flatten();
    let hooks =
        call.messages("hook_additional_contexts").filter_map(|hook| hook.text("content")).collect();
    Shown {
        id,
        timestamp: source.uint("started_at_ms").and_then(|ms| rfc3339(ms as i64)),
        pending: taken.status == ItemStatus::InProgress,
        kind: item(&taken, around),
        blobs,
        plan,
        hooks,
    }
}

/// A stand-in for a step that was too large leads to the blob with all of it.
fn whole_step(call: &Wire<'_>, chat: &Chat<'_>) -> (Vec<String>, Option<Vec<u8>>) {
    let mut seen: Vec<String> = Vec::new();
    let mut found: Option<Vec<u8>> = None;
    let mut next = stand_in(call);
    while let Some(id) = next {
        if seen.len() >= MAX_DEPTH || seen.contains(&id) {
            break;
        }
        let Some(bytes) = chat.get(&id) else { break };
        let bytes = bytes.into_owned();
        next =
            Wire::read("ConversationStep", &bytes).message("tool_call").as_ref().and_then(stand_in);
        seen.push(id);
        if next.is_none() {
            found = Some(bytes);
        }
    }
    (seen, found)
}

fn stand_in(call: &Wire<'_>) -> Option<String> {
    let (_, tool) = call.case_message("tool").filter(|(table, _)| table.name == "truncated")?;
    tool.id("original_step_blob_id")
}

fn take_apart<'m>(call: &Wire<'m>, id: Option<String>, model: Option<ModelCall>) -> Call<'m> {
    let (started, completed) = (call.uint("started_at_ms"), call.uint("completed_at_ms"));
    let duration_ms =
        started.zip(completed).and_then(|(a, b)| i64::try_from(b.checked_sub(a)?).ok());
    let (number, message) = match call.case_message("tool") {
        Some((table, message)) => (table.number, message),
        // A tool of a newer build: the first message that no table knows.
        None => call
            .unknown()
            .find_map(|f| Some((f.number, Wire::read("", f.value.bytes()?))))
            .unwrap_or_else(|| (0, Wire::read("", b""))),
    };
    let tool = Schema::get().tool(number);
    let result = if tool.is_some() { message.message("result") } else { unlisted(&message, 2) };
    let arguments = match tool {
        Some(_) => message.message("args"),
        None => unlisted(&message, 1),
    };
    let outcome = result.as_ref().and_then(outcome);
    let status = match (&result, &outcome) {
        (None, _) if completed.is_some() && tool.is_none() => ItemStatus::Completed,
        (None, _) => ItemStatus::InProgress,
        (Some(_), None) => ItemStatus::Completed,
        (Some(_), Some((case, message))) => status(case, message),
    };
    Call {
        tool,
        number,
        arguments: arguments.unwrap_or_else(|| Wire::read("", b"")),
        result,
        outcome,
        model,
        id,
        status,
        duration_ms,
    }
}

/// A field of a message that has no table.
fn unlisted<'m>(message: &Wire<'m>, number: u32) -> Option<Wire<'m>> {
    message
        .unknown()
        .filter(|f| f.number == number)
        .find_map(|f| Some(Wire::read("", f.value.bytes()?)))
}

fn outcome<'m>(result: &Wire<'m>) -> Option<(&'static str, Wire<'m>)> {
    if let Some((table, message)) = result.case_message("result") {
        return Some((&table.name, message));
    }
    // Results that no table lists keep to the habit of the others: 1 is success, 2 is an error.
    let field = result.unknown().find(|f| f.number <= 2)?;
    let name = if field.number == 1 { "success" } else { "error" };
    Some((name, Wire::read("", field.value.bytes()?)))
}

/// How a call ended, by the name of the outcome.
fn status(case: &str, message: &Wire<'_>) -> ItemStatus {
    // An MCP tool that ran and failed is a success of the call with a flag.
    if message.flag("is_error") {
        return ItemStatus::Failed;
    }
    if case == "rejected" || case.contains("permission_denied") {
        return ItemStatus::Declined;
    }
    let failed = ["error", "failure", "timeout", "not_found", "not_file", "file_busy"];
    if failed.iter().any(|word| case.contains(word)) {
        return ItemStatus::Failed;
    }
    ItemStatus::Completed
}

impl Call<'_> {
    fn name(&self) -> &str {
        self.tool.map_or("", |tool| &tool.name)
    }

    /// The name to show: the tool's, else the one that the model knows, else its number.
    fn shown_name(&self) -> String {
        match (self.tool, self.model.as_ref().and_then(|m| m.name.clone())) {
            (Some(tool), _) => tool.name.clone(),
            (None, Some(name)) => name,
            (None, None) => format!("tool_{}", self.number),
        }
    }

    fn argument(&self, name: &str) -> Option<String> {
        self.arguments.text(name)
    }

    fn case(&self) -> &str {
        self.outcome.as_ref().map_or("", |(case, _)| case)
    }

    fn told(&self, name: &str) -> Option<String> {
        self.outcome.as_ref()?.1.text(name)
    }

    /// The arguments as JSON, without the call's own id.
    fn arguments_json(&self) -> RawJson {
        let mut arguments = object(&self.arguments);
        if let Value::Object(members) = &mut arguments {
            members.remove("tool_call_id");
            if members.is_empty()
                && let Some(given) = self.model.as_ref().and_then(|m| m.arguments.clone())
            {
                return given;
            }
        }
        RawJson::of(&arguments)
    }

    /// What the model was told, else what the result says.
    fn text(&self) -> Option<String> {
        if let Some(text) = self.model.as_ref().and_then(|m| m.result.clone()) {
            return Some(text);
        }
        let (_, message) = self.outcome.as_ref()?;
        for name in ["content", "output", "error", "error_message", "reason", "message", "results"]
        {
            if let Some(text) = message.text(name) {
                return Some(text);
            }
        }
        match object(message) {
            Value::Object(members) if members.is_empty() => None,
            value => Some(value.to_string()),
        }
    }

    /// Why it failed.
    fn error(&self) -> Option<String> {
        ["model_visible_error", "error", "error_message", "reason", "client_visible_error"]
            .iter()
            .find_map(|name| self.told(name))
            .or_else(|| self.text())
    }
}

fn item(call: &Call<'_>, around: Surroundings<'_, '_>) -> ItemKind {
    match call.tool.and_then(|tool| tool.item.as_deref()) {
        Some("commandExecution") => command(call, around.chat),
        Some("fileChange") => ItemKind::FileChange {
            changes: files::changes(
                call.name(),
                &call.arguments,
                call.result.as_ref(),
                call.model.as_ref(),
            ),
            status: call.status,
        },
        Some("mcpToolCall") => mcp(call),
        Some("webSearch") => web(call),
        Some("collabAgentToolCall") => agent(call, around),
        Some("imageGeneration") => image(call),
        _ => plain(call, around.chat),
    }
}

fn plain(call: &Call<'_>, chat: &Chat<'_>) -> ItemKind {
    let text = read_content(call, chat).or_else(|| call.text());
    let content_items = match call.status {
        ItemStatus::InProgress => None,
        _ => Some(text.map(|text| ContentItem::InputText { text }).into_iter().collect()),
    };
    // A tool that no table knows is kept with its number, also when the model's side tells its name.
    let is_named = call.model.as_ref().is_some_and(|m| m.name.is_some());
    let namespace = (call.tool.is_none() && is_named).then(|| format!("field {}", call.number));
    ItemKind::DynamicToolCall {
        tool: call.shown_name(),
        namespace,
        arguments: call.arguments_json(),
        status: call.status,
        content_items,
        success: match call.status {
            ItemStatus::InProgress => None,
            status => Some(status == ItemStatus::Completed),
        },
        duration_ms: call.duration_ms,
    }
}

/// Text that was read, inside of the result or in a blob of its own.
fn read_content(call: &Call<'_>, chat: &Chat<'_>) -> Option<String> {
    let (_, success) = call.outcome.as_ref().filter(|(_, m)| m.name() == "ReadToolSuccess")?;
    if let Some(text) = success.str("content") {
        return Some(text.into_owned());
    }
    let bytes = chat.get(&success.id("content_blob_id")?)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn command(call: &Call<'_>, chat: &Chat<'_>) -> ItemKind {
    let told = |name: &str| call.told(name);
    let message = call.outcome.as_ref().map(|(_, m)| m);
    let background = call.result.as_ref().is_some_and(|r| r.flag("is_background"))
        || message.is_some_and(|m| m.uint("background_reason").is_some_and(|n| n != 0));
    let ran = matches!(call.case(), "success" | "failure") && call.name() == "shell";
    // An exit code of 0 is not on the wire; a command that still runs has none.
    let exit_code = message
        .filter(|_| ran && !background)
        .map(|m| m.int("exit_code").map_or(0, |code| i64::from(code as i32)));
    ItemKind::CommandExecution {
        command: call.argument("command").or_else(|| told("command")).unwrap_or_default(),
        cwd: call.argument("working_directory").or_else(|| told("working_directory")),
        status: call.status,
        source: "agent".into(),
        command_actions: RawJson::of(&json!([])),
        aggregated_output: printed(call, chat),
        exit_code,
        duration_ms: message
            .and_then(|m| m.int("execution_time"))
            .filter(|ms| *ms > 0)
            .or(call.duration_ms),
        process_id: message
            .and_then(|m| m.uint("pid"))
            .or_else(|| call.result.as_ref()?.uint("pid"))
            .map(|pid| pid.to_string()),
        plugin_id: None,
        script_path: None,
    }
}

/// What a command printed: both streams as they came, else one after the other, else the file of a background shell,
/// else why there is nothing.
fn printed(call: &Call<'_>, chat: &Chat<'_>) -> Option<String> {
    let (case, message) = call.outcome.as_ref()?;
    if let Some(text) = message.text("interleaved_output").or_else(|| message.text("output")) {
        return Some(text);
    }
    let both = together(
        &message.str("stdout").unwrap_or_default(),
        &message.str("stderr").unwrap_or_default(),
    );
    if !both.is_empty() {
        return Some(both);
    }
    if let Some(path) = message.message("output_location").and_then(|l| l.text("file_path"))
        && let Some(text) = terminal(chat, &path)
    {
        return Some(text);
    }
    match *case {
        "success" | "failure" => Some(String::new()),
        _ => call.error(),
    }
}

/// Two streams, one after the other.
pub(super) fn together(stdout: &str, stderr: &str) -> String {
    let mut out = stdout.to_owned();
    if !out.is_empty() && !stderr.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(stderr);
    out
}

/// The file of a background shell. The store names an absolute path; only its last part is looked for, among the
/// terminals of the chat's own project.
fn terminal(chat: &Chat<'_>, path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    chat.text(&format!("terminals/{name}"))
}

fn mcp(call: &Call<'_>) -> ItemKind {
    let server = call
        .argument("server_identifier")
        .or_else(|| call.argument("provider_identifier"))
        .unwrap_or_default();
    let tool = call.argument("tool_name").or_else(|| call.argument("name")).unwrap_or_default();
    let given = match object(&call.arguments) {
        Value::Object(mut members) => members.remove("args"),
        _ => None,
    };
    let arguments = if let Some(args) = given {
        RawJson::of(&args)
    } else {
        let model = call.model.as_ref().and_then(|m| m.arguments.clone());
        model.unwrap_or_else(|| RawJson::of(&json!({})))
    };
    let success = call.outcome.as_ref().filter(|(case, _)| *case == "success");
    let result = success.map(|(_, message)| {
        let content: Vec<Value> = message.messages("content").map(|part| mcp_part(&part)).collect();
        let structured = message.message("structured_content").map(|m| object(&m));
        RawJson::of(&json!({ "content": content, "structuredContent": structured }))
    });
    let failed = matches!(call.status, ItemStatus::Failed | ItemStatus::Declined);
    let error = failed.then(|| {
        let text = success.map_or_else(
            || call.error(),
            |(_, message)| {
                let texts: Vec<_> = message
                    .messages("content")
                    .filter_map(|p| p.message("text")?.text("text"))
                    .collect();
                Some(texts.join("\n"))
            },
        );
        RawJson::of(&json!({ "message": text.unwrap_or_default() }))
    });
    ItemKind::McpToolCall {
        server,
        tool,
        status: call.status,
        arguments,
        result,
        error,
        duration_ms: call.duration_ms,
        extra: Extra::default(),
    }
}

/// A part of an MCP result in the protocol's own shape.
fn mcp_part(part: &Wire<'_>) -> Value {
    match part.case_message("content") {
        Some((table, text)) if table.name == "text" => {
            json!({ "type": "text", "text": text.str("text").unwrap_or_default() })
        }
        Some((_, image)) => json!({
            "type": "image",
            "data": BASE64_STANDARD.encode(image.bytes("data").unwrap_or_default()),
            "mimeType": image.str("mime_type").unwrap_or(Cow::Borrowed("")),
        }),
        None => object(part),
    }
}

fn web(call: &Call<'_>) -> ItemKind {
    if call.name() == "web_search" {
        let query = call.argument("search_term").unwrap_or_default();
        let references: Option<Vec<Value>> = call
            .outcome
            .as_ref()
            .filter(|(case, _)| *case == "success")
            .map(|(_, success)| success.messages("references").map(|r| object(&r)).collect());
        return ItemKind::WebSearch {
            action: Some(RawJson::of(
                &json!({ "type": "search", "query": query, "queries": null }),
            )),
            query,
            results: references.map(|r| RawJson::of(&Value::Array(r))),
            status: Some(call.status),
            text: call.text(),
        };
    }
    let url = call.argument("url").unwrap_or_default();
    ItemKind::WebSearch {
        action: Some(RawJson::of(&json!({ "type": "openPage", "url": url }))),
        query: url,
        results: None,
        status: Some(call.status),
        text: call.told("markdown").or_else(|| call.told("content")).or_else(|| call.text()),
    }
}

fn agent(call: &Call<'_>, around: Surroundings<'_, '_>) -> ItemKind {
    let mut agents: Vec<Started> = Vec::new();
    let known = call.id.as_deref().map(around.agents).unwrap_or_default();
    let told = ["agent_id", "worker_bc_id"].iter().find_map(|name| call.told(name));
    let asked = || call.argument("agent_id").or_else(|| call.argument("resume"));
    for id in known.iter().map(|(id, _)| id.clone()).chain(told).chain(asked()) {
        if !agents.iter().any(|(known, _)| *known == id) {
            let run = known.iter().find(|(known, _)| *known == id).and_then(|(_, run)| run.clone());
            agents.push((id, run));
        }
    }
    for id in call.arguments.strs("agent_ids") {
        agents.push((id.into_owned(), None));
    }
    let is_background = call.outcome.as_ref().is_some_and(|(_, m)| m.flag("is_background"));
    let states: serde_json::Map<String, Value> = agents
        .iter()
        .map(|(id, run)| {
            let state = match (run.as_deref(), call.status) {
                (Some("RUNNING" | "BACKGROUNDED"), _) | (None, ItemStatus::InProgress) => "running",
                (Some("SUCCESS"), _) => "completed",
                (Some("ERROR"), _) | (None, ItemStatus::Failed) => "errored",
                (Some("ABORTED"), _) | (None, ItemStatus::Declined) => "interrupted",
                _ if is_background => "running",
                _ => "completed",
            };
            (id.clone(), json!({ "status": state, "message": null }))
        })
        .collect();
    let description = match (
        call.arguments.message("subagent_type").as_ref().and_then(kind),
        call.argument("description"),
    ) {
        (Some(kind), Some(task)) => Some(format!("{kind}: {task}")),
        (kind, task) => {
            kind.or(task).or_else(|| call.argument("name")).or_else(|| call.argument("title"))
        }
    };
    ItemKind::CollabAgentToolCall {
        tool: call.tool.and_then(|t| t.action.clone()).unwrap_or_else(|| "spawnAgent".to_owned()),
        status: call.status,
        sender_thread_id: around.thread.to_owned(),
        receiver_thread_ids: agents.into_iter().map(|(id, _)| id).collect(),
        prompt: call.argument("prompt").or_else(|| call.argument("message")),
        model: call.argument("model"),
        reasoning_effort: None,
        agents_states: RawJson::of(&Value::Object(states)),
        result: agent_result(call),
        description,
    }
}

/// What an agent answered: its last text, else what the caller was told.
fn agent_result(call: &Call<'_>) -> Option<String> {
    if call.status == ItemStatus::InProgress {
        return None;
    }
    let success = call.outcome.as_ref().filter(|(case, _)| *case == "success").map(|(_, m)| m);
    let last = success.and_then(|s| {
        let steps = s.messages("conversation_steps");
        steps.filter_map(|step| step.message("assistant_message")?.text("text")).last()
    });
    last.or_else(|| success?.text("result_suffix"))
        .or_else(|| success?.text("transcript"))
        .or_else(|| call.text())
}

fn image(call: &Call<'_>) -> ItemKind {
    let status = match call.status {
        ItemStatus::InProgress => "in_progress",
        ItemStatus::Completed => "completed",
        ItemStatus::Failed => "failed",
        ItemStatus::Declined => "declined",
    };
    ItemKind::ImageGeneration {
        status: status.to_owned(),
        revised_prompt: call.argument("description"),
        result: call.told("image_data"),
        saved_path: call.told("file_path").or_else(|| call.argument("file_path")),
        extra: Extra::default(),
    }
}
