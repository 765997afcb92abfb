//! Live items as people see them, by the rules by which the rebuild of a rollout shows them.

use recount_formats::Json;
use serde_json::json;

use super::agents::AgentCall;
use super::cut;
use super::event::{Input, LiveKind, TextElement};
use super::review::Review;
use crate::json::RawJson;
use crate::model::ItemKind;
use crate::model::item::{FileUpdate, ItemStatus, PatchKind, UserInput};
use crate::rebuild::codex::{items, render};

impl LiveKind {
    /// The item that a person sees. `cwd` is the thread's.
    pub(super) fn shown(&self, cwd: Option<&str>) -> ItemKind {
        match self {
            Self::UserMessage(content) => ItemKind::UserMessage {
                content: content.iter().map(Input::shown).collect(),
                client_id: None,
            },
            Self::AgentMessage { text, phase } => agent_message(text, phase.as_deref()),
            Self::Reasoning { summary, content } => {
                ItemKind::Reasoning { summary: summary.clone(), content: content.clone() }
            }
            Self::Plan(text) => ItemKind::Plan { text: text.clone() },
            Self::Command { command, cwd, status, output, exit_code, duration_ms } => {
                let words: Vec<_> = command.iter().map(|w| w.as_str().into()).collect();
                let parsed = self.parsed_command();
                ItemKind::CommandExecution {
                    command: render::join_words(&words),
                    cwd: Some(cwd.clone()),
                    status: *status,
                    source: "agent".to_owned(),
                    command_actions: render::command_actions(parsed.get(), Some(cwd)),
                    aggregated_output: Some(output.clone()).filter(|o| !o.is_empty()),
                    exit_code: *exit_code,
                    duration_ms: Some(*duration_ms),
                    process_id: None,
                    plugin_id: None,
                    script_path: None,
                }
            }
            Self::FileChange { changes, status } => {
                let mut changes: Vec<_> = changes.iter().map(change).collect();
                changes.sort_by(|a, b| a.path.cmp(&b.path));
                let inside = |c: &FileUpdate| cwd.is_some_and(|cwd| c.path.starts_with(cwd));
                changes.sort_by_key(inside);
                ItemKind::FileChange { changes, status: *status }
            }
            Self::Mcp { server, tool, arguments, result, duration_ms } => ItemKind::McpToolCall {
                server: server.clone(),
                tool: tool.clone(),
                status: self.mcp_status(),
                arguments: arguments.on_one_line(),
                result: result.as_ref().ok().map(|r| render::mcp_result(r.on_one_line().get())),
                error: result.as_ref().err().map(|m| RawJson::of(&json!({"message": m}))),
                duration_ms: Some(*duration_ms),
                extra: items::mcp_extra(None, None, None, None),
            },
            Self::WebSearch { query, action } => ItemKind::WebSearch {
                query: query.clone(),
                action: Some(render::search_action(action.get())),
                results: None,
                status: None,
                text: None,
            },
            Self::ImageView { path } => ItemKind::ImageView { path: path.clone() },
            Self::Sleep { duration_ms } => ItemKind::Sleep { duration_ms: *duration_ms },
            Self::Dynamic { namespace, tool, arguments, status, content, success, duration_ms } => {
                ItemKind::DynamicToolCall {
                    tool: tool.clone(),
                    namespace: namespace.clone(),
                    arguments: arguments.on_one_line(),
                    status: *status,
                    content_items: content.clone(),
                    success: *success,
                    duration_ms: Some(*duration_ms),
                }
            }
            Self::AgentActivity(activity) => ItemKind::SubAgentActivity {
                kind: activity.what.name().to_owned(),
                agent_thread_id: activity.thread_id.clone(),
                agent_path: activity.path.clone(),
                model: activity.model.clone(),
                reasoning_effort: activity.reasoning_effort.clone(),
                message: None,
            },
            Self::AgentCall(call) => agent_call(call),
            Self::ImageGeneration { status, revised_prompt, result, saved_path } => {
                ItemKind::ImageGeneration {
                    status: status.clone(),
                    revised_prompt: revised_prompt.clone(),
                    result: Some(result.clone()),
                    saved_path: saved_path.as_deref().map(render::path),
                    extra: items::image_extra(RawJson::null(), RawJson::null()),
                }
            }
            Self::ReviewEntered { hint, .. } => {
                ItemKind::EnteredReviewMode { review: hint.clone() }
            }
            Self::ReviewExited(found) => {
                let stored = found.as_ref().map(Review::stored);
                let review = render::review_output(stored.as_ref().map(RawJson::get));
                ItemKind::ExitedReviewMode { review }
            }
        }
    }

    /// What a command does, as records have it: recount does not parse commands.
    pub fn parsed_command(&self) -> RawJson {
        let Self::Command { command, .. } = self else { return RawJson::of(&json!([])) };
        let words: Vec<_> = command.iter().map(|w| w.as_str().into()).collect();
        RawJson::of(&json!([{"type": "unknown", "cmd": render::join_words(&words)}]))
    }

    /// How an MCP call ended.
    pub fn mcp_status(&self) -> ItemStatus {
        let Self::Mcp { result, .. } = self else { return ItemStatus::Completed };
        let failed = |r: &RawJson| r.get().get("isError").and_then(Json::as_bool) == Some(true);
        if result.as_ref().map_or(true, failed) {
            ItemStatus::Failed
        } else {
            ItemStatus::Completed
        }
    }

    /// The same with output of at most `limit` bytes.
    #[must_use]
    pub fn limited(&self, limit: usize) -> Self {
        let mut kind = self.clone();
        match &mut kind {
            Self::Command { output, .. } => *output = cut::middle(output, limit),
            Self::Mcp { result: Ok(result), .. } => *result = cut::result(result, limit),
            _ => {}
        }
        kind
    }

    /// Whether it says that it is over.
    pub(super) fn is_over(&self) -> bool {
        match self {
            Self::Command { status, .. }
            | Self::FileChange { status, .. }
            | Self::Dynamic { status, .. }
            | Self::AgentCall(AgentCall { status, .. }) => *status != ItemStatus::InProgress,
            _ => true,
        }
    }
}

fn agent_call(call: &AgentCall) -> ItemKind {
    ItemKind::CollabAgentToolCall {
        tool: render::camel(&call.tool),
        status: call.status,
        sender_thread_id: call.sender_thread_id.clone(),
        receiver_thread_ids: call.receivers.iter().map(|r| r.thread_id.clone()).collect(),
        prompt: call.prompt.clone(),
        model: call.model.clone(),
        reasoning_effort: call.reasoning_effort.clone(),
        agents_states: render::agents_states(call.stored_states().get()),
        result: None,
        description: None,
    }
}

pub(super) fn agent_message(text: &str, phase: Option<&str>) -> ItemKind {
    ItemKind::AgentMessage {
        text: text.to_owned(),
        phase: phase.map(str::to_owned),
        memory_citation: None,
        delivery: None,
        questions: None,
    }
}

fn change(change: &FileUpdate) -> FileUpdate {
    let mut change = change.clone();
    if let PatchKind::Update { move_path: Some(target) } = &change.kind {
        change.diff.push_str("\n\nMoved to: ");
        change.diff.push_str(target);
    }
    change
}

impl Input {
    fn shown(&self) -> UserInput {
        match self {
            Self::Text { text, elements } => {
                UserInput::Text { text: text.clone(), text_elements: shown_elements(elements) }
            }
            Self::Image(url) => {
                UserInput::Image { url: Some(url.clone()), file_id: None, detail: None }
            }
            Self::LocalImage(path) => UserInput::LocalImage { path: path.clone(), detail: None },
        }
    }
}

fn shown_elements(elements: &[TextElement]) -> RawJson {
    let one = |e: &TextElement| json!({"byteRange": {"start": e.start, "end": e.end}, "placeholder": e.placeholder});
    RawJson::of(&elements.iter().map(one).collect())
}

/// A person's input as legacy rollouts have it: one text, in which the spans move along, and the images behind it.
pub fn joined(content: &[Input]) -> Vec<Input> {
    let mut text = String::new();
    let mut elements = Vec::new();
    let (mut images, mut local) = (Vec::new(), Vec::new());
    for input in content {
        match input {
            Input::Text { text: part, elements: of_part } => {
                let moved = |e: &TextElement| TextElement {
                    start: e.start + text.len(),
                    end: e.end + text.len(),
                    placeholder: e.placeholder.clone(),
                };
                elements.extend(of_part.iter().map(moved));
                text.push_str(part);
            }
            Input::Image(_) => images.push(input.clone()),
            Input::LocalImage(_) => local.push(input.clone()),
        }
    }
    let mut all = vec![Input::Text { text, elements }];
    all.append(&mut images);
    all.append(&mut local);
    all
}

/// The same as a replay shows it: without a text that is blank.
pub(super) fn joined_shown(content: &[Input]) -> ItemKind {
    let mut all = joined(content);
    all.retain(|input| !matches!(input, Input::Text { text, .. } if text.trim().is_empty()));
    LiveKind::UserMessage(all).shown(None)
}
