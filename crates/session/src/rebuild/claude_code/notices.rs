//! What the program tells the person: notices, news of background tasks, hooks, plans.

use std::fmt::Write as _;

use recount_formats::Json;

use super::answers::Answer;
use super::prompt::{inside, without_escapes};
use super::transcript::{Block, Node};
use crate::json::RawJson;
use crate::model::item::{HookFragment, ItemStatus, NoticeLevel};
use crate::model::{Item, ItemKind};

/// The notice for an answer that the model refused to give.
pub(super) fn refusal() -> ItemKind {
    ItemKind::Notice { level: NoticeLevel::Warning, text: "the model refused to answer".into() }
}

/// The plan that a call of `ExitPlanMode` puts to the person.
pub(super) fn plan(call: &Block<'_>, answer: Option<&Answer<'_>>) -> Option<ItemKind> {
    if call.name.is_none_or(|name| !name.is("ExitPlanMode")) {
        return None;
    }
    let text = call.argument("plan").or_else(|| answer?.detail("plan")?.as_str())?;
    Some(ItemKind::Plan { text: text.into_owned() })
}

/// News of a background task, in the tags that the program puts before the model.
#[derive(Debug, Default)]
pub(super) struct Notification<'t> {
    whole: &'t str,
    /// The call that started it.
    pub(super) call: Option<&'t str>,
    /// The task's own id, of an agent the agent's.
    pub(super) task: Option<&'t str>,
    status: Option<&'t str>,
    summary: Option<&'t str>,
    result: Option<&'t str>,
}

impl<'t> Notification<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let tag = |name| inside(text, name).map(str::trim).filter(|text| !text.is_empty());
        Self {
            whole: text,
            call: tag("tool-use-id"),
            task: tag("task-id"),
            status: tag("status"),
            summary: tag("summary"),
            result: tag("result"),
        }
    }

    pub(super) fn level(&self) -> NoticeLevel {
        match self.status {
            Some("failed") => NoticeLevel::Error,
            Some("killed" | "stopped") => NoticeLevel::Warning,
            _ => NoticeLevel::Info,
        }
    }

    pub(super) fn text(&self) -> String {
        if let Some(summary) = self.summary {
            return summary.to_owned();
        }
        match (self.task, self.status) {
            (Some(task), Some(status)) => format!("Task {task}: {status}"),
            _ => self.whole.trim().to_owned(),
        }
    }

    /// Adds to the item of the call what only now is known.
    pub(super) fn complete(&self, item: &mut Item) {
        match &mut item.kind {
            ItemKind::CollabAgentToolCall {
                result,
                agents_states,
                receiver_thread_ids,
                status,
                ..
            } => {
                if let Some(text) = self.result {
                    *result = Some(text.to_owned());
                }
                let state = match self.status {
                    Some("failed") => "errored",
                    Some("killed" | "stopped") => "interrupted",
                    _ => "completed",
                };
                if state == "errored" {
                    *status = ItemStatus::Failed;
                }
                let states: serde_json::Map<String, serde_json::Value> = receiver_thread_ids
                    .iter()
                    .map(|id| (id.clone(), serde_json::json!({ "status": state, "message": null })))
                    .collect();
                *agents_states = RawJson::of(&serde_json::Value::Object(states));
            }
            ItemKind::CommandExecution { exit_code, status, .. } => {
                *exit_code = self.summary.and_then(exit_code_in).or(*exit_code);
                if self.status == Some("failed") {
                    *status = ItemStatus::Failed;
                }
            }
            _ => {}
        }
    }
}

/// The number in `… (exit code 3)`.
fn exit_code_in(summary: &str) -> Option<i64> {
    const WORDS: &str = "exit code ";
    let start = summary.rfind(WORDS)? + WORDS.len();
    let digits = summary[start..].split(|c: char| !c.is_ascii_digit() && c != '-').next()?;
    digits.parse().ok()
}

/// The notice of a system record; nothing for bookkeeping.
pub(super) fn of_system(node: &Node<'_>) -> Option<(NoticeLevel, String)> {
    let subtype = node.subtype.as_deref().unwrap_or_default();
    let content = || {
        let text = node.text("content").unwrap_or_default();
        let text = without_escapes(text.trim());
        (!text.is_empty()).then_some(text)
    };
    match subtype {
        "api_error" => Some((NoticeLevel::Warning, api_error(node))),
        "stop_hook_summary" => stop_hooks(node),
        "microcompact_boundary" => Some((
            NoticeLevel::Info,
            content()
                .unwrap_or_else(|| "Old tool results were taken out of the model's history".into()),
        )),
        "thinking" | "file_snapshot" | "read_divider" => None,
        _ => Some((level(node), content()?)),
    }
}

fn level(node: &Node<'_>) -> NoticeLevel {
    match node.text("level").as_deref() {
        Some("error") => NoticeLevel::Error,
        Some("warning") => NoticeLevel::Warning,
        _ => NoticeLevel::Info,
    }
}

/// A request that failed and was tried again.
fn api_error(node: &Node<'_>) -> String {
    let error = node.fields.get("error");
    let text = error
        .and_then(|e| e.str("formatted").or_else(|| e.str("message")).or_else(|| e.as_str()))
        .or_else(|| node.text("content"));
    let mut text = format!("API error: {}", text.as_deref().unwrap_or("unknown"));
    let number = |key: &str| node.fields.get(key).and_then(Json::as_i64);
    if let (Some(attempt), Some(max)) = (number("retryAttempt"), number("maxRetries")) {
        let _ = write!(text, " (retry {attempt} of {max})");
    }
    text
}

/// Stop hooks are told of when they failed or kept the turn going.
fn stop_hooks(node: &Node<'_>) -> Option<(NoticeLevel, String)> {
    let errors: Vec<String> = node
        .fields
        .get("hookErrors")
        .into_iter()
        .flat_map(Json::elements)
        .map(|error| {
            error.as_str().map_or_else(|| error.raw().to_owned(), std::borrow::Cow::into_owned)
        })
        .collect();
    if !errors.is_empty() {
        return Some((NoticeLevel::Warning, format!("Stop hook: {}", errors.join("; "))));
    }
    if !node.flag("preventedContinuation") {
        return None;
    }
    let reason = node.text("stopReason").unwrap_or_default();
    Some((NoticeLevel::Warning, format!("Stopped by a hook: {reason}")))
}

/// The item of an attachment that a person saw or that hooks put in front of the model.
pub(super) fn of_attachment(node: &Node<'_>) -> Option<ItemKind> {
    let attachment = node.fields.get("attachment")?;
    let subtype = node.subtype.as_deref().unwrap_or_default();
    let text = |keys: &[&str]| {
        let text =
            keys.iter().find_map(|key| attachment.str(key).filter(|text| !text.trim().is_empty()));
        text.map(|text| without_escapes(text.trim()))
    };
    let hook = || text(&["hookName", "hookEvent"]).unwrap_or_else(|| "hook".into());
    let notice = |level, text: String| Some(ItemKind::Notice { level, text });
    match subtype {
        "hook_success" | "hook_additional_context" => {
            let content = attachment.get("content")?;
            let texts: Vec<String> = match content.as_str() {
                Some(text) => vec![text.into_owned()],
                None => content.elements().filter_map(|c| Some(c.as_str()?.into_owned())).collect(),
            };
            let fragments: Vec<HookFragment> = texts
                .into_iter()
                .filter(|text| !text.trim().is_empty())
                .map(|text| HookFragment { text, hook_run_id: text_or(attachment, "toolUseID") })
                .collect();
            (!fragments.is_empty()).then_some(ItemKind::HookPrompt { fragments })
        }
        "hook_blocking_error" => {
            let error = attachment.get("blockingError");
            let message = error
                .and_then(|e| e.str("blockingError").or_else(|| e.as_str()))
                .map(|text| without_escapes(text.trim()))
                .or_else(|| text(&["stderr", "content", "stdout"]))
                .unwrap_or_default();
            notice(NoticeLevel::Error, format!("Blocked by {}: {message}", hook()))
        }
        "hook_non_blocking_error" | "hook_error_during_execution" => {
            let message = text(&["stderr", "content", "stdout"]).unwrap_or_default();
            notice(NoticeLevel::Warning, format!("{}: {message}", hook()))
        }
        "hook_cancelled" => notice(NoticeLevel::Warning, format!("{} was cancelled", hook())),
        "hook_stopped_continuation" => {
            let message = text(&["message", "content"]).unwrap_or_default();
            notice(NoticeLevel::Warning, format!("Stopped by {}: {message}", hook()))
        }
        "hook_system_message" => notice(NoticeLevel::Info, text(&["content", "message"])?),
        "max_turns_reached" => {
            notice(NoticeLevel::Warning, "the limit of turns was reached".into())
        }
        _ => None,
    }
}

fn text_or(value: Json<'_>, key: &str) -> String {
    value.str(key).unwrap_or_default().into_owned()
}
