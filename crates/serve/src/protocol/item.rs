//! Items.

use recount_session::RawJson;
use recount_session::model::item::{ContentItem, FileUpdate, HookFragment, ItemStatus, UserInput};
use recount_session::model::{Item, ItemKind};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use super::shape;

/// The items of a turn that the protocol shows, in order.
///
/// Recovered items are left out: Codex's own server does not show them either, and a client may join the two. Notices
/// have no place in the protocol.
pub fn visible(items: &[Item]) -> impl DoubleEndedIterator<Item = &Item> + Clone {
    items.iter().filter(|item| is_visible(item))
}

/// Whether the protocol shows an item.
pub fn is_visible(item: &Item) -> bool {
    !item.recovered && !matches!(item.kind, ItemKind::Notice { .. })
}

/// An item as `ThreadItem`. `cwd` is the thread's, for commands that do not tell their own.
#[derive(Debug, Clone, Copy)]
pub struct ThreadItem<'a> {
    /// The item.
    pub item: &'a Item,
    /// The working directory of its thread.
    pub cwd: &'a str,
}

impl Serialize for ThreadItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Dto::of(self.item, self.cwd).serialize(serializer)
    }
}

/// `ThreadItem`, and behind it what recount adds: fields that the protocol does not know are skipped by its clients.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Dto<'a> {
    UserMessage {
        id: &'a str,
        client_id: Option<&'a str>,
        content: Inputs<'a>,
    },
    HookPrompt {
        id: &'a str,
        fragments: &'a [HookFragment],
    },
    AgentMessage {
        id: &'a str,
        text: &'a str,
        phase: Option<&'a str>,
        memory_citation: Option<&'a RawJson>,
        delivery: Option<&'a str>,
        questions: Option<&'a RawJson>,
    },
    FunctionCallOutput {
        id: &'a str,
        name: &'a str,
        namespace: Option<&'a str>,
        output: Output<'a>,
    },
    Plan {
        id: &'a str,
        text: &'a str,
    },
    Reasoning {
        id: &'a str,
        summary: &'a [String],
        content: &'a [String],
    },
    CommandExecution {
        id: &'a str,
        command: &'a str,
        cwd: &'a str,
        process_id: Option<&'a str>,
        source: &'a str,
        status: &'static str,
        command_actions: Actions<'a>,
        aggregated_output: Option<&'a str>,
        exit_code: Option<i64>,
        duration_ms: Option<i64>,
        plugin_id: Option<&'a str>,
        script_path: Option<&'a str>,
    },
    FileChange {
        id: &'a str,
        changes: &'a [FileUpdate],
        status: &'static str,
    },
    McpToolCall {
        id: &'a str,
        server: &'a str,
        tool: &'a str,
        status: &'static str,
        arguments: &'a RawJson,
        app_context: Option<&'a RawJson>,
        mcp_app_ui: Option<&'a RawJson>,
        plugin_id: Option<&'a RawJson>,
        read_only_hint: Option<&'a RawJson>,
        result: Option<&'a RawJson>,
        error: Option<&'a RawJson>,
        duration_ms: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mcp_app_resource_uri: Option<&'a RawJson>,
    },
    DynamicToolCall {
        id: &'a str,
        namespace: Option<&'a str>,
        tool: &'a str,
        arguments: &'a RawJson,
        status: &'static str,
        content_items: Option<&'a [ContentItem]>,
        success: Option<bool>,
        duration_ms: Option<i64>,
    },
    CollabAgentToolCall {
        id: &'a str,
        tool: &'a str,
        status: &'static str,
        sender_thread_id: &'a str,
        receiver_thread_ids: &'a [String],
        prompt: Option<&'a str>,
        model: Option<&'a str>,
        reasoning_effort: Option<&'a str>,
        agents_states: States<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
    },
    SubAgentActivity {
        id: &'a str,
        kind: &'a str,
        agent_thread_id: &'a str,
        agent_path: &'a str,
        model: Option<&'a str>,
        reasoning_effort: Option<&'a str>,
    },
    WebSearch {
        id: &'a str,
        query: &'a str,
        action: Option<&'a RawJson>,
        results: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<&'a str>,
    },
    ImageView {
        id: &'a str,
        path: &'a str,
    },
    Sleep {
        id: &'a str,
        duration_ms: u64,
    },
    ImageGeneration {
        id: &'a str,
        status: &'a str,
        revised_prompt: Option<&'a str>,
        result: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_id: Option<&'a RawJson>,
        saved_path: Option<&'a str>,
        failure: Option<&'a RawJson>,
        transparent_background: Option<&'a RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        input_images: Option<&'a RawJson>,
    },
    EnteredReviewMode {
        id: &'a str,
        review: &'a str,
    },
    ExitedReviewMode {
        id: &'a str,
        review: &'a str,
    },
    /// Codex's has no more: the summary that a rollout holds is for people (`recount show`).
    ContextCompaction {
        id: &'a str,
    },
}

impl<'a> Dto<'a> {
    #[expect(clippy::too_many_lines, reason = "a table: one arm for each kind")]
    fn of(item: &'a Item, cwd: &'a str) -> Self {
        let id = item.id.as_str();
        match &item.kind {
            ItemKind::UserMessage { content, client_id } => {
                Self::UserMessage { id, client_id: client_id.as_deref(), content: Inputs(content) }
            }
            ItemKind::HookPrompt { fragments } => Self::HookPrompt { id, fragments },
            ItemKind::AgentMessage { text, phase, memory_citation, delivery, questions } => {
                Self::AgentMessage {
                    id,
                    text,
                    phase: word(phase.as_ref(), PHASES),
                    memory_citation: shape::only(memory_citation.as_ref(), shape::memory_citation),
                    delivery: word(delivery.as_ref(), &["async"]),
                    questions: shape::only(questions.as_ref(), shape::questions),
                }
            }
            ItemKind::FunctionCallOutput { name, namespace, output } => Self::FunctionCallOutput {
                id,
                name,
                namespace: namespace.as_deref(),
                output: Output(output),
            },
            // Notices are never asked for: `visible` leaves them out.
            ItemKind::Plan { text } | ItemKind::Notice { text, .. } => Self::Plan { id, text },
            ItemKind::Reasoning { summary, content } => Self::Reasoning { id, summary, content },
            ItemKind::CommandExecution {
                command,
                cwd: own,
                status,
                source,
                command_actions,
                aggregated_output,
                exit_code,
                duration_ms,
                process_id,
                plugin_id,
                script_path,
            } => Self::CommandExecution {
                id,
                command,
                cwd: own.as_deref().unwrap_or(cwd),
                process_id: process_id.as_deref(),
                source: word(Some(source), SOURCES).unwrap_or("agent"),
                status: with_refusal(*status),
                command_actions: Actions(command_actions),
                aggregated_output: aggregated_output.as_deref(),
                exit_code: exit_code.filter(|code| i32::try_from(*code).is_ok()),
                duration_ms: *duration_ms,
                plugin_id: plugin_id.as_deref(),
                script_path: script_path.as_deref(),
            },
            ItemKind::FileChange { changes, status } => {
                Self::FileChange { id, changes, status: with_refusal(*status) }
            }
            ItemKind::McpToolCall {
                server,
                tool,
                status,
                arguments,
                result,
                error,
                duration_ms,
                extra,
            } => {
                let extra = |key, fits| {
                    let value = extra.0.iter().find(|(k, _)| *k == key).map(|(_, v)| v);
                    shape::only(value, fits)
                };
                Self::McpToolCall {
                    id,
                    server,
                    tool,
                    status: without_refusal(*status),
                    arguments,
                    app_context: extra("appContext", shape::app_context),
                    mcp_app_ui: extra("mcpAppUi", shape::app_ui),
                    plugin_id: extra("pluginId", shape::string),
                    read_only_hint: extra("readOnlyHint", shape::boolean),
                    result: shape::only(result.as_ref(), shape::mcp_result),
                    error: shape::only(error.as_ref(), shape::mcp_error),
                    duration_ms: *duration_ms,
                    mcp_app_resource_uri: extra("mcpAppResourceUri", shape::string),
                }
            }
            ItemKind::DynamicToolCall {
                tool,
                namespace,
                arguments,
                status,
                content_items,
                success,
                duration_ms,
            } => Self::DynamicToolCall {
                id,
                namespace: namespace.as_deref(),
                tool,
                arguments,
                status: without_refusal(*status),
                content_items: content_items.as_deref(),
                success: *success,
                duration_ms: *duration_ms,
            },
            ItemKind::CollabAgentToolCall {
                tool,
                status,
                sender_thread_id,
                receiver_thread_ids,
                prompt,
                model,
                reasoning_effort,
                agents_states,
                result,
                description,
            } => Self::CollabAgentToolCall {
                id,
                // Every tool of this kind that is not known asks another agent for something.
                tool: word(Some(tool), COLLAB_TOOLS).unwrap_or("sendInput"),
                status: without_refusal(*status),
                sender_thread_id,
                receiver_thread_ids,
                prompt: prompt.as_deref(),
                model: model.as_deref(),
                reasoning_effort: filled(reasoning_effort.as_deref()),
                agents_states: States(agents_states),
                result: result.as_deref(),
                description: description.as_deref(),
            },
            ItemKind::SubAgentActivity {
                kind,
                agent_thread_id,
                agent_path,
                model,
                reasoning_effort,
                message: _,
            } => Self::SubAgentActivity {
                id,
                kind: word(Some(kind), ACTIVITIES).unwrap_or("interacted"),
                agent_thread_id,
                agent_path,
                model: model.as_deref(),
                reasoning_effort: filled(reasoning_effort.as_deref()),
            },
            ItemKind::WebSearch { query, action, results, status: _, text } => Self::WebSearch {
                id,
                query,
                action: shape::only(action.as_ref(), shape::web_action),
                results: shape::only(results.as_ref(), shape::list),
                text: text.as_deref(),
            },
            ItemKind::ImageView { path } => Self::ImageView { id, path },
            ItemKind::Sleep { duration_ms } => {
                Self::Sleep { id, duration_ms: u64::try_from(*duration_ms).unwrap_or(0) }
            }
            ItemKind::ImageGeneration { status, revised_prompt, result, saved_path, extra } => {
                let extra = |key, fits| {
                    let value = extra.0.iter().find(|(k, _)| *k == key).map(|(_, v)| v);
                    shape::only(value, fits)
                };
                Self::ImageGeneration {
                    id,
                    status,
                    revised_prompt: revised_prompt.as_deref(),
                    result: result.as_deref().unwrap_or(""),
                    file_id: extra("fileId", shape::string),
                    saved_path: saved_path.as_deref().filter(|path| shape::is_absolute(path)),
                    failure: extra("failure", shape::image_failure),
                    transparent_background: extra("transparentBackground", shape::boolean),
                    input_images: extra("inputImages", shape::input_images),
                }
            }
            ItemKind::EnteredReviewMode { review } => Self::EnteredReviewMode { id, review },
            ItemKind::ExitedReviewMode { review } => Self::ExitedReviewMode { id, review },
            ItemKind::ContextCompaction { .. } => Self::ContextCompaction { id },
        }
    }
}

const PHASES: &[&str] = &["commentary", "partial_answer", "final_answer"];
const SOURCES: &[&str] = &["agent", "userShell", "unifiedExecStartup", "unifiedExecInteraction"];
const ACTIVITIES: &[&str] = &["started", "interacted", "interrupted", "completed"];
const COLLAB_TOOLS: &[&str] = &[
    "spawnAgent",
    "sendInput",
    "resumeAgent",
    "wait",
    "closeAgent",
    "sendMessage",
    "followupTask",
    "interruptAgent",
    "listAgents",
];

/// A word if the protocol knows it.
fn word<'a>(value: Option<&'a String>, known: &[&str]) -> Option<&'a str> {
    value.map(String::as_str).filter(|value| known.contains(value))
}

/// An effort is absent or has at least one character.
fn filled(effort: Option<&str>) -> Option<&str> {
    effort.filter(|effort| !effort.is_empty())
}

/// `CommandExecutionStatus`, `PatchApplyStatus`
fn with_refusal(status: ItemStatus) -> &'static str {
    match status {
        ItemStatus::InProgress => "inProgress",
        ItemStatus::Completed => "completed",
        ItemStatus::Failed => "failed",
        ItemStatus::Declined => "declined",
    }
}

/// The statuses of the other calls: a refused one has failed.
fn without_refusal(status: ItemStatus) -> &'static str {
    match status {
        ItemStatus::Declined => "failed",
        other => with_refusal(other),
    }
}

/// `UserInput[]`
struct Inputs<'a>(&'a [UserInput]);

impl Serialize for Inputs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for input in self.0 {
            match input {
                UserInput::Text { text_elements, .. }
                    if !shape::text_elements(text_elements.get()) =>
                {
                    if let UserInput::Text { text, .. } = input {
                        list.serialize_element(&UserInput::text(text.as_str()))?;
                    }
                }
                UserInput::Image { url: None, file_id: None, detail } => {
                    list.serialize_element(&UserInput::Image {
                        url: Some(String::new()),
                        file_id: None,
                        detail: detail.clone(),
                    })?;
                }
                UserInput::Image { url, file_id, detail } if !is_detail(detail.as_deref()) => {
                    list.serialize_element(&UserInput::Image {
                        url: url.clone(),
                        file_id: file_id.clone(),
                        detail: None,
                    })?;
                }
                UserInput::LocalImage { path, detail } if !is_detail(detail.as_deref()) => {
                    list.serialize_element(&UserInput::LocalImage {
                        path: path.clone(),
                        detail: None,
                    })?;
                }
                input => list.serialize_element(input)?,
            }
        }
        list.end()
    }
}

fn is_detail(detail: Option<&str>) -> bool {
    detail.is_none_or(|detail| matches!(detail, "auto" | "low" | "high" | "original"))
}

/// `CommandAction[]`
struct Actions<'a>(&'a RawJson);

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let actions = self.0.get().elements();
        serializer.collect_seq(actions.filter(|a| shape::command_action(*a)).map(RawJson::new))
    }
}

/// `{thread: CollabAgentState}`
struct States<'a>(&'a RawJson);

impl Serialize for States<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let states = self.0.get().members().filter(|(_, state)| shape::agent_state(*state));
        serializer.collect_map(states.map(|(thread, state)| (thread.get(), RawJson::new(state))))
    }
}

/// `FunctionCallOutputBody`; anything else as its JSON text.
struct Output<'a>(&'a RawJson);

impl Serialize for Output<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if shape::function_output(self.0.get()) {
            self.0.serialize(serializer)
        } else {
            serializer.serialize_str(self.0.as_str())
        }
    }
}
