//! The items of `item_completed`, as Codex's app-server renders them.

use recount_formats::codex::record as r;
use recount_formats::view::{List, View};
use recount_formats::{Json, Text};

use super::render;
use crate::json::RawJson;
use crate::model::ItemKind;
use crate::model::item::{
    ContentItem, Extra, FileUpdate, HookFragment, ItemStatus, PatchKind, UserInput,
};

/// An item with its id; nothing when its type is unknown.
pub(super) fn completed(item: Json<'_>) -> Option<(String, ItemKind)> {
    let mut id = None;
    let mut tag = None;
    for (key, value) in item.members() {
        match key.inner() {
            "id" => id = value.text(),
            "type" => tag = value.as_str(),
            _ => {}
        }
        // The long members come later: they need no walk.
        if id.is_some() && tag.is_some() {
            break;
        }
    }
    let kind = match &*tag? {
        "UserMessage" => user_message(r::ItemUserMessageItem::view(item)?),
        "AgentMessage" => agent_message(r::ItemAgentMessageItem::view(item)?),
        "Reasoning" => {
            let item = r::ItemReasoningItem::view(item)?;
            ItemKind::Reasoning {
                summary: strings(item.summary_text),
                content: strings(item.raw_content),
            }
        }
        "Plan" => {
            ItemKind::Plan { text: own(r::ItemPlanItem::view(item)?.text).unwrap_or_default() }
        }
        "CommandExecution" => command(&r::ItemCommandExecutionItem::view(item)?),
        "FileChange" => {
            let item = r::ItemFileChangeItem::view(item)?;
            ItemKind::FileChange {
                changes: item.changes.map(changes).unwrap_or_default(),
                status: status(item.status),
            }
        }
        "McpToolCall" => mcp(&r::ItemMcpToolCallItem::view(item)?),
        "DynamicToolCall" => dynamic(r::ItemDynamicToolCallItem::view(item)?),
        "FunctionCallOutput" => {
            let item = r::ItemFunctionCallOutputItem::view(item)?;
            ItemKind::FunctionCallOutput {
                name: own(item.name).unwrap_or_default(),
                namespace: own(item.namespace),
                output: raw(item.output),
            }
        }
        "CollabAgentToolCall" => collab(r::ItemCollabAgentToolCallItem::view(item)?),
        "SubAgentActivity" => {
            let item = r::ItemSubAgentActivityItem::view(item)?;
            ItemKind::SubAgentActivity {
                kind: render::camel(&own(item.kind).unwrap_or_default()),
                agent_thread_id: own(item.agent_thread_id).unwrap_or_default(),
                agent_path: own(item.agent_path).unwrap_or_default(),
                model: own(item.model),
                reasoning_effort: own(item.reasoning_effort),
                message: None,
            }
        }
        "WebSearch" => {
            let item = r::ItemWebSearchItem::view(item)?;
            ItemKind::WebSearch {
                query: own(item.query).unwrap_or_default(),
                action: item.action.map(|a| render::search_action(a.raw)),
                results: item.results.map(|l| RawJson::new(l.raw())),
                status: None,
                text: None,
            }
        }
        "ImageView" => ItemKind::ImageView {
            path: r::ItemImageViewItem::view(item)?
                .path
                .map_or_else(String::new, |p| render::path(&p.get())),
        },
        "ImageGeneration" => image(item),
        "HookPrompt" => {
            let item = r::ItemHookPromptItem::view(item)?;
            let fragments = item.fragments.map(|l| {
                l.iter()
                    .map(|f| HookFragment {
                        text: own(f.text).unwrap_or_default(),
                        hook_run_id: own(f.hook_run_id).unwrap_or_default(),
                    })
                    .collect()
            });
            ItemKind::HookPrompt { fragments: fragments.unwrap_or_default() }
        }
        "EnteredReviewMode" => ItemKind::EnteredReviewMode {
            review: render::review_request(
                r::ItemEnteredReviewModeItem::view(item)?.user_facing_hint,
            ),
        },
        "ExitedReviewMode" => {
            ItemKind::ExitedReviewMode { review: render::review_output(item.get("review_output")) }
        }
        "ContextCompaction" => ItemKind::ContextCompaction { summary: None, trigger: None },
        "Extension" => extension(item)?,
        _ => return None,
    };
    Some((own(id).unwrap_or_default(), kind))
}

/// Items of extensions have a second discriminator and camelCase fields.
fn extension(item: Json<'_>) -> Option<ItemKind> {
    Some(match &*item.str("kind")? {
        "web.search" => ItemKind::WebSearch {
            query: item.str("query").unwrap_or_default().into_owned(),
            action: item.get("action").filter(|a| !a.is_null()).map(RawJson::new),
            results: item.get("results").filter(|a| !a.is_null()).map(RawJson::new),
            status: None,
            text: None,
        },
        "clock.sleep" => ItemKind::Sleep {
            duration_ms: item.get("durationMs").and_then(Json::as_i64).unwrap_or(0),
        },
        "image_gen.generation" => image(item),
        _ => return None,
    })
}

/// A generated image; hosted ones have snake_case fields, those of the extension camelCase.
pub(super) fn image(item: Json<'_>) -> ItemKind {
    let text =
        |a: &str, b: &str| item.str(a).or_else(|| item.str(b)).map(std::borrow::Cow::into_owned);
    let value = |a: &str, b: &str| {
        item.get(a).or_else(|| item.get(b)).map_or_else(RawJson::null, RawJson::new)
    };
    ItemKind::ImageGeneration {
        status: text("status", "status").unwrap_or_default(),
        revised_prompt: text("revised_prompt", "revisedPrompt"),
        result: text("result", "result"),
        saved_path: text("saved_path", "savedPath").map(|p| render::path(&p)),
        extra: image_extra(
            value("transparent_background", "transparentBackground"),
            value("failure", "failure"),
        ),
    }
}

/// What only Codex tells of a generated image.
pub(crate) fn image_extra(transparent: RawJson, failure: RawJson) -> Extra {
    Extra(vec![("transparentBackground", transparent), ("failure", failure)])
}

fn user_message(item: r::ItemUserMessageItem<'_>) -> ItemKind {
    let content = item.content.map(|l| l.iter().filter_map(user_input).collect());
    ItemKind::UserMessage { content: content.unwrap_or_default(), client_id: own(item.client_id) }
}

fn user_input(block: Json<'_>) -> Option<UserInput> {
    let text = |key: &str| block.str(key).map(std::borrow::Cow::into_owned);
    let must = |key: &str| text(key).unwrap_or_default();
    Some(match &*block.str("type")? {
        "text" => UserInput::Text {
            text: must("text"),
            text_elements: render::text_elements(block.get("text_elements")),
        },
        "image" => UserInput::Image {
            url: text("image_url"),
            file_id: text("file_id"),
            detail: text("detail"),
        },
        "local_image" => {
            UserInput::LocalImage { path: render::path(&must("path")), detail: text("detail") }
        }
        "audio" => UserInput::Audio { url: must("audio_url") },
        "local_audio" => UserInput::LocalAudio { path: render::path(&must("path")) },
        "skill" => UserInput::Skill { name: must("name"), path: render::path(&must("path")) },
        "mention" => UserInput::Mention { name: must("name"), path: must("path") },
        _ => return None,
    })
}

fn agent_message(item: r::ItemAgentMessageItem<'_>) -> ItemKind {
    let mut text = String::new();
    for block in item.content.into_iter().flat_map(List::iter) {
        if let Some(part) = block.str("text") {
            text.push_str(&part);
        }
    }
    ItemKind::AgentMessage {
        text,
        phase: own(item.phase),
        memory_citation: item.memory_citation.filter(|c| !c.is_null()).map(render::camel_keys),
        delivery: own(item.delivery),
        questions: item.questions.map(|l| RawJson::new(l.raw())),
    }
}

fn command(item: &r::ItemCommandExecutionItem<'_>) -> ItemKind {
    let cwd = item.cwd.map(|c| render::path(&c.get()));
    let actions = item.parsed_cmd.map_or(Json::NULL, recount_formats::view::List::raw);
    ItemKind::CommandExecution {
        command: render::command_line(item.command.into_iter().flat_map(List::iter)),
        command_actions: render::command_actions(actions, cwd.as_deref()),
        cwd,
        status: status(item.status),
        source: item.source.map_or_else(|| "agent".to_owned(), |s| render::camel(&s.get())),
        aggregated_output: own(item.aggregated_output).filter(|t| !t.is_empty()),
        exit_code: item.exit_code,
        duration_ms: item.duration.and_then(|d| millis(d.secs, d.nanos)),
        process_id: own(item.process_id),
        plugin_id: own(item.plugin_id),
        script_path: own(item.script_path),
    }
}

fn mcp(item: &r::ItemMcpToolCallItem<'_>) -> ItemKind {
    let app = item.connector_id.map(|connector| {
        render::app_context(
            connector,
            [item.link_id, item.mcp_app_resource_uri, item.app_name, item.action_name],
        )
    });
    ItemKind::McpToolCall {
        server: own(item.server).unwrap_or_default(),
        tool: own(item.tool).unwrap_or_default(),
        status: status(item.status),
        arguments: raw(item.arguments),
        result: item.result.map(|r| render::mcp_result(r.raw)),
        error: item.error.map(|e| RawJson::new(e.raw)),
        duration_ms: item.duration.and_then(|d| millis(d.secs, d.nanos)),
        extra: mcp_extra(app, item.mcp_app_ui.map(|u| u.raw), item.plugin_id, item.read_only_hint),
    }
}

/// What only Codex tells of an MCP call.
pub(crate) fn mcp_extra(
    app: Option<RawJson>,
    ui: Option<Json<'_>>,
    plugin: Option<Text<'_>>,
    read_only: Option<bool>,
) -> Extra {
    Extra(vec![
        ("appContext", app.unwrap_or_else(RawJson::null)),
        ("mcpAppUi", ui.map_or_else(RawJson::null, RawJson::new)),
        ("pluginId", plugin.map_or_else(RawJson::null, |p| RawJson::new(p.json()))),
        ("readOnlyHint", read_only.map_or_else(RawJson::null, |b| RawJson::of(&b.into()))),
    ])
}

fn dynamic(item: r::ItemDynamicToolCallItem<'_>) -> ItemKind {
    ItemKind::DynamicToolCall {
        tool: own(item.tool).unwrap_or_default(),
        namespace: own(item.namespace),
        arguments: raw(item.arguments),
        status: status(item.status),
        content_items: item.content_items.map(|l| l.iter().filter_map(content_item).collect()),
        success: item.success,
        duration_ms: item.duration.and_then(|d| millis(d.secs, d.nanos)),
    }
}

/// A part of a tool's output, in either spelling.
pub(super) fn content_item(part: Json<'_>) -> Option<ContentItem> {
    let text = |a: &str, b: &str| {
        part.str(a).or_else(|| part.str(b)).map(std::borrow::Cow::into_owned).unwrap_or_default()
    };
    Some(match &*part.str("type")? {
        "inputText" | "input_text" => ContentItem::InputText { text: text("text", "text") },
        "inputImage" | "input_image" => {
            ContentItem::InputImage { image_url: text("imageUrl", "image_url") }
        }
        "inputAudio" | "input_audio" => {
            ContentItem::InputAudio { audio_url: text("audioUrl", "audio_url") }
        }
        _ => return None,
    })
}

fn collab(item: r::ItemCollabAgentToolCallItem<'_>) -> ItemKind {
    ItemKind::CollabAgentToolCall {
        tool: render::camel(&own(item.tool).unwrap_or_default()),
        status: status(item.status),
        sender_thread_id: own(item.sender_thread_id).unwrap_or_default(),
        receiver_thread_ids: strings(item.receiver_thread_ids),
        prompt: own(item.prompt),
        model: own(item.model),
        reasoning_effort: own(item.reasoning_effort),
        agents_states: render::agents_states(item.agents_states.unwrap_or(Json::NULL)),
        result: None,
        description: None,
    }
}

/// The files of a patch, by path.
pub(super) fn changes(changes: Json<'_>) -> Vec<FileUpdate> {
    let mut all: Vec<FileUpdate> = changes
        .members()
        .filter_map(|(path, change)| {
            let text = |key: &str| change.str(key).map(std::borrow::Cow::into_owned);
            let (kind, diff) = match &*change.str("type")? {
                "add" => (PatchKind::Add, text("content").unwrap_or_default()),
                "delete" => (PatchKind::Delete, text("content").unwrap_or_default()),
                "update" => {
                    let move_path = text("move_path");
                    let mut diff = text("unified_diff").unwrap_or_default();
                    if let Some(target) = &move_path {
                        diff.push_str("\n\nMoved to: ");
                        diff.push_str(target);
                    }
                    (PatchKind::Update { move_path }, diff)
                }
                _ => return None,
            };
            Some(FileUpdate { path: path.get().into_owned(), kind, diff })
        })
        .collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// A status in either spelling.
pub(super) fn status(text: Option<Text<'_>>) -> ItemStatus {
    match text.map(Text::get).as_deref() {
        Some("in_progress" | "inProgress") => ItemStatus::InProgress,
        Some("failed") => ItemStatus::Failed,
        Some("declined") => ItemStatus::Declined,
        _ => ItemStatus::Completed,
    }
}

/// A duration as Rust writes it.
pub(super) fn millis(secs: Option<i64>, nanos: Option<i64>) -> Option<i64> {
    secs?.checked_mul(1000)?.checked_add(nanos.unwrap_or(0) / 1_000_000)
}

/// An owned string.
pub(super) fn own(text: Option<Text<'_>>) -> Option<String> {
    text.map(|t| t.get().into_owned())
}

/// A list of strings.
pub(super) fn strings(list: Option<List<'_, Text<'_>>>) -> Vec<String> {
    list.map(|l| l.iter().map(|t| t.get().into_owned()).collect()).unwrap_or_default()
}

/// A value, `null` when there is none.
pub(super) fn raw(value: Option<Json<'_>>) -> RawJson {
    value.map_or_else(RawJson::null, RawJson::new)
}
/// Milliseconds since 1970 as RFC 3339 in UTC. 0 is no time.
pub(super) fn rfc3339(ms: i64) -> Option<String> {
    crate::time::rfc3339(ms).filter(|_| ms > 0)
}

/// When something began that ended then and took so many milliseconds.
pub(super) fn began(end: String, took: Option<i64>) -> String {
    let began = || {
        let took = jiff::SignedDuration::from_millis(took.filter(|ms| *ms > 0)?);
        let began = end.parse::<jiff::Timestamp>().ok()?.checked_sub(took).ok()?;
        Some(format!("{began:.3}"))
    };
    began().unwrap_or(end)
}
#[cfg(test)]
mod tests {
    #[test]
    fn what_was_written_at_its_end_began_before() {
        let began = |end: &str, took| super::began(end.to_owned(), took);
        assert_eq!(began("2026-11-09T14:09:40.482Z", Some(31_012)), "2026-11-09T14:09:09.470Z");
        for took in [None, Some(0), Some(-5)] {
            assert_eq!(began("2026-11-09T14:09:40Z", took), "2026-11-09T14:09:40Z");
        }
        assert_eq!(began("no time", Some(5)), "no time");
        assert_eq!(super::rfc3339(1_790_000_000_123).as_deref(), Some("2026-09-21T14:13:20.123Z"));
        assert_eq!(super::rfc3339(0), None);
    }
}
