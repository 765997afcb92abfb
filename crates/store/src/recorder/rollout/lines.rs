//! Events as records: which of them a mode keeps, and how they are spelled.
//!
//! The spellings are those of Codex 0.164 (`corpus/codex/*-legacy`, `*-paginated`), of what only extended legacy rollouts
//! have those of 0.118 (`old-v118-ext-*`).

use std::fmt::Write as _;

use recount_session::RawJson;
use recount_session::live::agents::{AgentActivity, AgentCall, AgentEvent};
use recount_session::live::review::Review;
use recount_session::live::{
    Event, Input, Live, LiveError, LiveItem, LiveKind, Mode, TextElement, Times, cut, joined,
};
use recount_session::model::item::{ContentItem, FileUpdate, ItemStatus, PatchKind};

use crate::recorder::line::Object;

/// A record without its envelope: its type and its payload.
pub(super) type Record = (&'static str, String);

const EVENT: &str = "event_msg";

/// The records of an event that fits into `live`, which has not taken it yet.
pub(super) fn records(live: &Live, thread_id: &str, now_ms: i64, event: &Event) -> Vec<Record> {
    let turn = live.open_turn().map_or("", |t| t.id.as_str());
    let to = To { live, thread_id, turn, now_ms };
    match event {
        Event::TurnStarted { turn_id, at_ms, plan_mode } => vec![(
            EVENT,
            Object::new()
                .text("type", "task_started")
                .text("turn_id", turn_id)
                .text("root_turn_id", turn_id)
                .number("started_at", at_ms.div_euclid(1000))
                .raw("model_context_window", "null")
                .text("collaboration_mode_kind", if *plan_mode { "plan" } else { "default" })
                .end(),
        )],
        Event::ItemCompleted(item) => live.kept(item).iter().flat_map(|i| to.item(i)).collect(),
        Event::Compacted { item_id, message, replacement } => {
            to.compacted(item_id, message, replacement.as_ref())
        }
        Event::TurnCompleted { at_ms, last_message, error } => {
            to.completed(*at_ms, last_message.as_deref(), error.as_ref())
        }
        Event::TurnAborted { at_ms, reason } => {
            let payload = to.turn("turn_aborted").text("reason", reason);
            vec![(EVENT, times(payload, live.times(*at_ms)).end())]
        }
        // Paginated rollouts have no such record: the recorder begins a new one.
        Event::RolledBack { turns } if live.mode() != Mode::Paginated => vec![(
            EVENT,
            Object::new().text("type", "thread_rolled_back").number("num_turns", *turns).end(),
        )],
        Event::Response(item) => vec![("response_item", one_line(item))],
        Event::Context(payload) => vec![("turn_context", one_line(payload))],
        Event::Settings(settings) => vec![(
            EVENT,
            Object::new()
                .text("type", "thread_settings_applied")
                .text("thread_id", thread_id)
                .raw("thread_settings", &one_line(settings))
                .end(),
        )],
        Event::Tokens(info) => vec![(
            EVENT,
            Object::new()
                .text("type", "token_count")
                .raw("info", &one_line(info))
                .raw("rate_limits", "null")
                .end(),
        )],
        Event::TextDelta { .. }
        | Event::ItemStarted(_)
        | Event::RolledBack { .. }
        | Event::Reverted { .. } => Vec::new(),
    }
}

/// What records need to know.
struct To<'a> {
    live: &'a Live,
    thread_id: &'a str,
    turn: &'a str,
    now_ms: i64,
}

impl To<'_> {
    /// The beginning of a record that ends the turn.
    fn turn(&self, kind: &str) -> Object {
        Object::new().text("type", kind).text("root_turn_id", self.turn).text("turn_id", self.turn)
    }

    fn completed(
        &self,
        at_ms: i64,
        last_message: Option<&str>,
        error: Option<&LiveError>,
    ) -> Vec<Record> {
        let mut all = Vec::new();
        let last = last_message.map(|m| string(&self.live.without_plan(m)));
        let payload =
            self.turn("task_complete").raw("last_agent_message", last.as_deref().unwrap_or("null"));
        let mut payload = times(payload, self.live.times(at_ms));
        if let Some(error) = error {
            let code = error.code.as_ref().map(|c| string(c));
            let told = Object::new()
                .text("message", &error.message)
                .raw("codex_error_info", code.as_deref().unwrap_or("null"));
            if self.live.mode() == Mode::Extended {
                let parsed = told.end();
                let event =
                    recount_formats::json::parse(&parsed).unwrap_or(recount_formats::Json::NULL);
                all.push((EVENT, Object::new().text("type", "error").members_of(event, &[]).end()));
                payload = payload.raw("error", &parsed);
            } else {
                payload = payload.raw("error", &told.end());
            }
        }
        all.push((EVENT, payload.end()));
        all
    }

    fn compacted(&self, id: &str, message: &str, replacement: Option<&RawJson>) -> Vec<Record> {
        let mut payload = Object::new().text("message", message);
        if let Some(replacement) = replacement {
            payload = payload.raw("replacement_history", &one_line(replacement));
        }
        let shown = if self.live.mode() == Mode::Paginated {
            self.wrapped(&Object::new().text("type", "ContextCompaction").text("id", id).end())
        } else {
            Object::new().text("type", "context_compacted").end()
        };
        vec![("compacted", payload.end()), (EVENT, shown)]
    }

    fn item(&self, item: &LiveItem) -> Vec<Record> {
        match self.live.mode() {
            Mode::Paginated => {
                let limited = item.kind.limited(cut::ITEM);
                vec![(EVENT, self.wrapped(&canonical(&item.id, &limited)))]
            }
            mode => self.legacy(item, mode).into_iter().map(|payload| (EVENT, payload)).collect(),
        }
    }

    /// The event of a canonical item.
    fn wrapped(&self, item: &str) -> String {
        Object::new()
            .text("type", "item_completed")
            .text("thread_id", self.thread_id)
            .text("turn_id", self.turn)
            .raw("item", item)
            .number("started_at_ms", self.now_ms)
            .number("completed_at_ms", self.now_ms)
            .end()
    }

    /// The events of an item in a legacy rollout.
    fn legacy(&self, item: &LiveItem, mode: Mode) -> Vec<String> {
        let call = |kind: &str| Object::new().text("type", kind).text("call_id", &item.id);
        match &item.kind {
            LiveKind::UserMessage(content) => vec![user_message(content)],
            LiveKind::AgentMessage { text, phase } => vec![
                Object::new()
                    .text("type", "agent_message")
                    .text("message", text)
                    .raw("phase", &phase.as_ref().map_or("null".to_owned(), |p| string(p)))
                    .raw("memory_citation", "null")
                    .end(),
            ],
            LiveKind::Reasoning { summary, content } => {
                let part = |kind: &str, text: &String| {
                    Object::new().text("type", kind).text("text", text).end()
                };
                let summary = summary.iter().map(|t| part("agent_reasoning", t));
                let content = content.iter().map(|t| part("agent_reasoning_raw_content", t));
                summary.chain(content).collect()
            }
            LiveKind::Plan(_) | LiveKind::Sleep { .. } => {
                vec![self.wrapped(&canonical(&item.id, &item.kind))]
            }
            LiveKind::AgentActivity(activity) if activity.what == AgentEvent::Completed => {
                vec![self.wrapped(&canonical(&item.id, &item.kind))]
            }
            LiveKind::AgentActivity(activity) => vec![
                told_of(Object::new().text("type", "sub_agent_activity"), activity)
                    .text("event_id", &item.id)
                    .number("occurred_at_ms", self.now_ms)
                    .end(),
            ],
            LiveKind::ImageGeneration { .. } => {
                vec![picture(call("image_generation_end"), &item.kind).end()]
            }
            LiveKind::ReviewEntered { .. } | LiveKind::ReviewExited(_) => {
                let entered = matches!(item.kind, LiveKind::ReviewEntered { .. });
                let kind = if entered { "entered_review_mode" } else { "exited_review_mode" };
                let payload = Object::new()
                    .text("type", kind)
                    .text("turn_id", self.turn)
                    .text("item_id", &item.id);
                vec![review(payload, &item.kind).end()]
            }
            // Codex's legacy rollouts tell of them in the records for the model alone.
            LiveKind::Dynamic { .. } | LiveKind::AgentCall(_) => Vec::new(),
            _ if mode == Mode::Limited => Vec::new(),
            LiveKind::Command { command, cwd, status, exit_code, duration_ms, .. } => {
                let LiveKind::Command { output, .. } = item.kind.limited(cut::COMMAND) else {
                    return Vec::new();
                };
                let payload = call("exec_command_end")
                    .text("turn_id", self.turn)
                    .raw("command", &strings(command))
                    .text("cwd", cwd)
                    .raw("parsed_cmd", item.kind.parsed_command().as_str())
                    .text("source", "agent")
                    .text("stdout", "")
                    .text("stderr", "")
                    .text("aggregated_output", &output)
                    // The field had to be there.
                    .number("exit_code", exit_code.unwrap_or(-1))
                    .raw("duration", &duration(*duration_ms))
                    .text("formatted_output", "")
                    .text("status", status_name(*status));
                vec![payload.end()]
            }
            LiveKind::FileChange { changes, status } => {
                let payload = call("patch_apply_end")
                    .text("turn_id", self.turn)
                    .text("stdout", "")
                    .text("stderr", "")
                    .raw("success", bool_name(*status == ItemStatus::Completed))
                    .raw("changes", &changes_of(changes))
                    .text("status", status_name(*status));
                vec![payload.end()]
            }
            LiveKind::Mcp { server, tool, arguments, result, duration_ms } => {
                let invocation = Object::new()
                    .text("server", server)
                    .text("tool", tool)
                    .raw("arguments", &one_line(arguments));
                let result = match result {
                    Ok(result) => Object::new().raw("Ok", &one_line(result)),
                    Err(message) => Object::new().text("Err", message),
                };
                let payload = call("mcp_tool_call_end")
                    .raw("invocation", &invocation.end())
                    .raw("duration", &duration(*duration_ms))
                    .raw("result", &result.end());
                vec![payload.end()]
            }
            LiveKind::WebSearch { query, action } => {
                vec![
                    call("web_search_end")
                        .text("query", query)
                        .raw("action", &one_line(action))
                        .end(),
                ]
            }
            LiveKind::ImageView { path } => {
                vec![call("view_image_tool_call").text("path", path).end()]
            }
        }
    }
}

/// An item as `item_completed` has it.
fn canonical(id: &str, kind: &LiveKind) -> String {
    let item = |name: &str| Object::new().text("type", name).text("id", id);
    let object = match kind {
        LiveKind::UserMessage(content) => {
            item("UserMessage").raw("content", &list(content.iter().map(input)))
        }
        LiveKind::AgentMessage { text, phase } => {
            let content = Object::new().text("type", "Text").text("text", text).end();
            let item = item("AgentMessage").raw("content", &format!("[{content}]"));
            match phase {
                Some(phase) => item.text("phase", phase),
                None => item,
            }
        }
        LiveKind::Reasoning { summary, content } => item("Reasoning")
            .raw("summary_text", &strings(summary))
            .raw("raw_content", &strings(content)),
        LiveKind::Plan(text) => item("Plan").text("text", text),
        LiveKind::Command { command, cwd, status, output, exit_code, duration_ms } => {
            let item = item("CommandExecution")
                .raw("command", &strings(command))
                .text("cwd", &file_url(cwd))
                .raw("parsed_cmd", kind.parsed_command().as_str())
                .text("source", "agent")
                .text("status", status_name(*status))
                .text("aggregated_output", output);
            let item = match exit_code {
                Some(code) => item.number("exit_code", *code),
                None => item,
            };
            item.raw("duration", &duration(*duration_ms))
        }
        LiveKind::FileChange { changes, status } => item("FileChange")
            .raw("changes", &changes_of(changes))
            .text("status", status_name(*status))
            .text("stdout", "")
            .text("stderr", ""),
        LiveKind::Mcp { server, tool, arguments, result, duration_ms } => {
            let item = item("McpToolCall")
                .text("server", server)
                .text("tool", tool)
                .raw("arguments", &one_line(arguments))
                .text("status", status_name(kind.mcp_status()));
            let item = match result {
                Ok(result) => item.raw("result", &one_line(result)),
                Err(message) => item.raw("error", &Object::new().text("message", message).end()),
            };
            item.raw("duration", &duration(*duration_ms))
        }
        LiveKind::WebSearch { query, action } => {
            item("WebSearch").text("query", query).raw("action", &one_line(action))
        }
        LiveKind::ImageView { path } => item("ImageView").text("path", &file_url(path)),
        LiveKind::Sleep { duration_ms } => Object::new()
            .text("type", "Extension")
            .text("kind", "clock.sleep")
            .text("id", id)
            .number("durationMs", *duration_ms),
        LiveKind::Dynamic { namespace, tool, arguments, status, content, success, duration_ms } => {
            let item = optional(item("DynamicToolCall"), "namespace", namespace.as_deref())
                .text("tool", tool)
                .raw("arguments", &one_line(arguments))
                .text("status", status_name(*status));
            let item = match content {
                Some(content) => item.raw("content_items", &list(content.iter().map(part))),
                None => item,
            };
            let item = match success {
                Some(success) => item.raw("success", bool_name(*success)),
                None => item,
            };
            item.raw("duration", &duration(*duration_ms))
        }
        LiveKind::AgentActivity(activity) => told_of(item("SubAgentActivity"), activity),
        LiveKind::AgentCall(call) => agent_call(item("CollabAgentToolCall"), call),
        LiveKind::ImageGeneration { .. } => picture(item("ImageGeneration"), kind),
        LiveKind::ReviewEntered { .. } => review(item("EnteredReviewMode"), kind),
        LiveKind::ReviewExited(_) => review(item("ExitedReviewMode"), kind),
    };
    object.end()
}

/// Adds what happened to a sub-agent.
fn told_of(object: Object, activity: &AgentActivity) -> Object {
    let or_null = |text: &Option<String>| text.as_ref().map_or("null".to_owned(), |t| string(t));
    object
        .raw("model", &or_null(&activity.model))
        .raw("reasoning_effort", &or_null(&activity.reasoning_effort))
        .text("kind", activity.what.name())
        .text("agent_thread_id", &activity.thread_id)
        .text("agent_path", &activity.path)
}

fn agent_call(object: Object, call: &AgentCall) -> Object {
    let receivers: Vec<_> = call.receivers.iter().map(|r| r.thread_id.clone()).collect();
    let object = object
        .text("tool", &call.tool)
        .text("status", status_name(call.status))
        .text("sender_thread_id", &call.sender_thread_id)
        .raw("receiver_thread_ids", &strings(&receivers))
        .raw("receiver_agents", call.stored_receivers().as_str());
    let object = optional(object, "prompt", call.prompt.as_deref());
    let object = optional(object, "model", call.model.as_deref());
    optional(object, "reasoning_effort", call.reasoning_effort.as_deref())
        .raw("agents_states", call.stored_states().as_str())
}

/// Adds a picture that was made.
fn picture(object: Object, kind: &LiveKind) -> Object {
    let LiveKind::ImageGeneration { status, revised_prompt, result, saved_path } = kind else {
        return object;
    };
    let object =
        optional(object.text("status", status), "revised_prompt", revised_prompt.as_deref());
    optional(object.text("result", result), "saved_path", saved_path.as_deref())
}

/// Adds what is reviewed, or what was found.
fn review(object: Object, kind: &LiveKind) -> Object {
    match kind {
        LiveKind::ReviewEntered { target, hint } => {
            object.raw("target", target.stored().as_str()).text("user_facing_hint", hint)
        }
        LiveKind::ReviewExited(found) => {
            let found = found.as_ref().map(Review::stored);
            object.raw("review_output", found.as_ref().map_or("null", RawJson::as_str))
        }
        _ => object,
    }
}

/// A part of what a tool of the client's gave back.
fn part(part: &ContentItem) -> String {
    let block = |kind: &str| Object::new().text("type", kind);
    match part {
        ContentItem::InputText { text } => block("inputText").text("text", text),
        ContentItem::InputImage { image_url } => block("inputImage").text("imageUrl", image_url),
        ContentItem::InputAudio { audio_url } => block("inputAudio").text("audioUrl", audio_url),
    }
    .end()
}

fn optional(object: Object, key: &str, text: Option<&str>) -> Object {
    match text {
        Some(text) => object.text(key, text),
        None => object,
    }
}

fn input(input: &Input) -> String {
    let block = |kind: &str| Object::new().text("type", kind);
    match input {
        Input::Text { text, elements } => block("text")
            .text("text", text)
            .raw("text_elements", &list(elements.iter().map(element))),
        Input::Image(url) => block("image").text("image_url", url),
        Input::LocalImage(path) => block("local_image").text("path", path),
    }
    .end()
}

fn element(element: &TextElement) -> String {
    let range =
        Object::new().number("start", element.start as u64).number("end", element.end as u64).end();
    let placeholder = element.placeholder.as_ref().map(|p| string(p));
    Object::new()
        .raw("byte_range", &range)
        .raw("placeholder", placeholder.as_deref().unwrap_or("null"))
        .end()
}

fn user_message(content: &[Input]) -> String {
    let mut payload = Object::new().text("type", "user_message");
    let mut spans = String::from("[]");
    let (mut images, mut local) = (Vec::new(), Vec::new());
    for input in joined(content) {
        match input {
            Input::Text { text, elements } => {
                payload = payload.text("message", &text);
                spans = list(elements.iter().map(element));
            }
            Input::Image(url) => images.push(url),
            Input::LocalImage(path) => local.push(path),
        }
    }
    payload
        .raw("images", &strings(&images))
        .raw("local_images", &strings(&local))
        .raw("audio", "[]")
        .raw("local_audio", "[]")
        .raw("text_elements", &spans)
        .end()
}

fn changes_of(changes: &[FileUpdate]) -> String {
    let mut all = Object::new();
    for change in changes {
        let object = match &change.kind {
            PatchKind::Add => Object::new().text("type", "add").text("content", &change.diff),
            PatchKind::Delete => Object::new().text("type", "delete").text("content", &change.diff),
            PatchKind::Update { move_path } => {
                let target = move_path.as_ref().map(|p| string(p));
                Object::new()
                    .text("type", "update")
                    .text("unified_diff", &change.diff)
                    .raw("move_path", target.as_deref().unwrap_or("null"))
            }
        };
        all = all.raw(&change.path, &object.end());
    }
    all.end()
}

fn times(object: Object, times: Option<Times>) -> Object {
    let Some(times) = times else { return object };
    object
        .number("started_at", times.started_at)
        .number("completed_at", times.completed_at)
        .number("duration_ms", times.duration_ms)
}

/// A duration as Rust writes it.
fn duration(ms: i64) -> String {
    let ms = ms.max(0);
    Object::new().number("secs", ms / 1000).number("nanos", ms % 1000 * 1_000_000).end()
}

fn status_name(status: ItemStatus) -> &'static str {
    match status {
        ItemStatus::InProgress => "in_progress",
        ItemStatus::Completed => "completed",
        ItemStatus::Failed => "failed",
        ItemStatus::Declined => "declined",
    }
}

fn bool_name(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// An absolute path as paginated rollouts have it.
fn file_url(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut url = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // A string can always be written.
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

fn one_line(value: &RawJson) -> String {
    value.on_one_line().as_str().to_owned()
}

fn string(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

fn strings(texts: &[String]) -> String {
    list(texts.iter().map(|t| string(t)))
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}
