//! Calls of tools to items, and results into them.

use std::borrow::Cow;

use recount_formats::Text;
use recount_formats::json::Json;
use recount_formats::pi::record::{
    MessageToolResultMessage, MessageToolResultMessageNestedCallsCallsElement,
};
use recount_formats::view::List;
use serde_json::json;

use super::{content, diff};
use crate::json::RawJson;
use crate::model::ItemKind;
use crate::model::item::{FileUpdate, ItemStatus, PatchKind};

/// The item of a call that has no result yet.
pub(super) fn call(call: Json<'_>, cwd: Option<&str>) -> ItemKind {
    let name = call.str("name").unwrap_or_default();
    let arguments = call.get("arguments").unwrap_or(Json::NULL);
    let path = || arguments.str("path").or_else(|| arguments.str("file_path"));
    let change = |path: Cow<'_, str>, kind, diff| ItemKind::FileChange {
        changes: vec![FileUpdate { path: path.into_owned(), kind, diff }],
        status: ItemStatus::InProgress,
    };
    match &*name {
        "bash" => {
            if let Some(command) = arguments.str("command") {
                return shell(&command, cwd, "agent", ItemStatus::InProgress);
            }
        }
        "edit" => {
            if let Some(path) = path() {
                return change(path, PatchKind::Update { move_path: None }, asked(arguments));
            }
        }
        "write" => {
            if let (Some(path), Some(text)) = (path(), arguments.str("content")) {
                return change(path, PatchKind::Add, text.into_owned());
            }
        }
        _ => {}
    }
    ItemKind::DynamicToolCall {
        tool: name.into_owned(),
        namespace: call.str("namespace").map(Cow::into_owned),
        arguments: RawJson::new(arguments),
        status: ItemStatus::InProgress,
        content_items: None,
        success: None,
        duration_ms: None,
    }
}

/// A shell command.
pub(super) fn shell(
    command: &str,
    cwd: Option<&str>,
    source: &str,
    status: ItemStatus,
) -> ItemKind {
    ItemKind::CommandExecution {
        command: command.to_owned(),
        cwd: cwd.map(str::to_owned),
        status,
        source: source.to_owned(),
        command_actions: RawJson::of(&json!([{"type": "unknown", "command": command}])),
        aggregated_output: None,
        exit_code: None,
        duration_ms: None,
        process_id: None,
        plugin_id: None,
        script_path: None,
    }
}

/// The change that an edit asks for: one text, or a list of texts since 1.0.
fn asked(arguments: Json<'_>) -> String {
    let edits = arguments.get("edits").unwrap_or(Json::NULL);
    let one = arguments.get("oldText").map(|_| arguments);
    let pair = |edit: Json<'_>| {
        let text = |key| edit.str(key).unwrap_or_default();
        diff::of_texts(&text("oldText"), &text("newText"))
    };
    one.into_iter().chain(edits.elements()).map(pair).collect()
}

/// The item of a result whose call is not on the path.
pub(super) fn orphan(view: &MessageToolResultMessage<'_>) -> ItemKind {
    ItemKind::DynamicToolCall {
        tool: view.tool_name.map(|name| name.get().into_owned()).unwrap_or_default(),
        namespace: None,
        arguments: RawJson::null(),
        status: ItemStatus::InProgress,
        content_items: None,
        success: None,
        duration_ms: None,
    }
}

/// Puts a result into the item of its call. What the item has no room for comes back: why an edit failed.
pub(super) fn answer(item: &mut ItemKind, view: &MessageToolResultMessage<'_>) -> Option<String> {
    let failed = view.is_error.unwrap_or(false);
    let ended = if failed { ItemStatus::Failed } else { ItemStatus::Completed };
    let took = view.duration_ms.map(|ms| ms as i64);
    let answered = view.content.map_or_else(|| content::of(view.raw), List::raw);
    match item {
        ItemKind::CommandExecution {
            status, aggregated_output, exit_code, duration_ms, ..
        } => {
            let (output, code) = output(content::text(answered), failed);
            *status = ended;
            *aggregated_output = Some(output);
            *exit_code = code;
            *duration_ms = took;
        }
        ItemKind::FileChange { changes, status } => {
            *status = ended;
            if failed {
                return Some(content::text(answered)).filter(|text| !text.is_empty());
            }
            let details = view.details;
            let patch = details.and_then(|d| d.patch).map(|patch| diff::hunks(&patch.get()));
            let done = patch.or_else(|| {
                let screen = details?.diff?.get();
                Some(diff::from_screen(&screen).unwrap_or_else(|| screen.into_owned()))
            });
            if let ([change], Some(done)) = (&mut changes[..], done) {
                change.diff = done;
            }
        }
        ItemKind::DynamicToolCall { status, content_items, success, duration_ms, .. } => {
            *status = ended;
            *content_items = Some(content::content_items(answered));
            *success = Some(!failed);
            *duration_ms = took;
        }
        _ => {}
    }
    None
}

/// What a command printed, and its exit code. pi ends the output of a failed one with a line that tells the code;
/// one that was stopped or timed out has none.
fn output(mut text: String, failed: bool) -> (String, Option<i64>) {
    const MARK: &str = "Command exited with code ";
    if !failed {
        return (text, Some(0));
    }
    let line = text.rfind('\n').map_or(0, |n| n + 1);
    let code = text[line..].strip_prefix(MARK).and_then(|code| code.parse().ok());
    if code.is_some() {
        // The mark stands behind an empty line.
        let end = text[..line].strip_suffix("\n\n").map_or(line, str::len);
        text.truncate(end);
    }
    (text, code)
}

/// The tools that a tool called in turn, with their ids.
pub(super) fn nested(view: &MessageToolResultMessage<'_>) -> Vec<(Option<String>, ItemKind)> {
    let Some(calls) = view.nested_calls.and_then(|nested| nested.calls) else { return Vec::new() };
    let item = |call: MessageToolResultMessageNestedCallsCallsElement<'_>| {
        let status = call.status.map(Text::get);
        let success = status.as_deref().map(|s| s == "ok");
        let text =
            |text: Cow<'_, str>| crate::model::item::ContentItem::InputText { text: text.into() };
        let kind = ItemKind::DynamicToolCall {
            tool: call.name.map(|n| n.get().into_owned()).unwrap_or_default(),
            namespace: None,
            arguments: call.arguments.map_or_else(RawJson::null, RawJson::new),
            status: if success == Some(true) { ItemStatus::Completed } else { ItemStatus::Failed },
            content_items: call.error.map(|e| vec![text(e.get())]),
            success,
            duration_ms: call.duration_ms.map(|ms| ms as i64),
        };
        (call.id.map(|id| id.get().into_owned()), kind)
    };
    calls.iter().map(item).collect()
}
