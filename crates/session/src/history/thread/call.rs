//! Calls of tools: what they are called, what they were given, what came out.

use recount_formats::Json;

use super::command;
use crate::history::record::exec::{ExploreEntry, ExploreState, ExploreStatus};
use crate::history::record::other::{
    NamedIcon, PlanIcon, PlanProgress, PlanStep, PlanUpdate, StepStatus,
};
use crate::history::record::patch::{Diff, DiffHunk, DiffLine, DiffLineKind};
use crate::history::record::tool::{
    ArgumentValue, JsonValue, ResultPreview, RunningTool, SecretValue, TextValue, ToolArgument,
    ToolCall, ToolStatus,
};
use crate::history::{Kind, Maybe, Timestamp, Unknown};
use crate::json::RawJson;
use crate::model::item::{ContentItem, ItemKind, ItemStatus};
use crate::model::looking;

/// So many lines and bytes of a result are shown.
const PREVIEW_LINES: usize = 2_000;
const PREVIEW_BYTES: usize = 256 << 10;

/// A call of any tool.
pub(super) struct Call {
    name: String,
    title: String,
    arguments: Vec<ToolArgument>,
    /// The arguments as they were given.
    given: RawJson,
    status: ItemStatus,
    duration_ms: Option<i64>,
    result: Option<String>,
    error: Option<String>,
    /// Threads that it leads to.
    pub(super) threads: Vec<String>,
}

impl Call {
    fn new(name: &str, title: String, given: RawJson, status: ItemStatus) -> Self {
        Self {
            name: name.to_owned(),
            title,
            arguments: arguments(given.get()),
            given,
            status,
            duration_ms: None,
            result: None,
            error: None,
            threads: Vec::new(),
        }
    }

    /// The call that an item is.
    pub(super) fn of(kind: &ItemKind) -> Option<Self> {
        Some(match kind {
            ItemKind::FunctionCallOutput { name, namespace, output } => {
                let title = in_space(namespace.as_deref(), name);
                let mut call = Self::new(name, title, RawJson::null(), ItemStatus::Completed);
                call.result = text_of(output.get());
                call
            }
            ItemKind::McpToolCall {
                server,
                tool,
                status,
                arguments,
                result,
                error,
                duration_ms,
                ..
            } => {
                let title = format!("{server}.{tool}");
                let mut call = Self::new(tool, title, arguments.clone(), *status);
                call.duration_ms = *duration_ms;
                call.result = result.as_ref().and_then(|r| text_of(r.get()));
                call.error = error.as_ref().and_then(|e| {
                    e.get()
                        .str("message")
                        .map(std::borrow::Cow::into_owned)
                        .or_else(|| text_of(e.get()))
                });
                call
            }
            ItemKind::DynamicToolCall {
                tool,
                namespace,
                arguments,
                status,
                content_items,
                duration_ms,
                ..
            } => {
                let title = in_space(namespace.as_deref(), tool);
                let mut call = Self::new(tool, title, arguments.clone(), *status);
                call.duration_ms = *duration_ms;
                call.result = content_items.as_ref().map(|items| text_of_items(items));
                call
            }
            ItemKind::CollabAgentToolCall {
                tool,
                status,
                receiver_thread_ids,
                prompt,
                model,
                reasoning_effort,
                description,
                result,
                ..
            } => {
                let mut given = serde_json::Map::new();
                let told = [
                    ("description", description),
                    ("prompt", prompt),
                    ("model", model),
                    ("reasoning_effort", reasoning_effort),
                ];
                for (name, value) in told {
                    if let Some(value) = value {
                        given.insert(name.to_owned(), value.as_str().into());
                    }
                }
                let given = RawJson::of(&serde_json::Value::Object(given));
                let mut call = Self::new(tool, tool.clone(), given, *status);
                call.result.clone_from(result);
                call.threads.clone_from(receiver_thread_ids);
                call
            }
            ItemKind::WebSearch { query, action, results, status, text } => {
                let given = action
                    .clone()
                    .unwrap_or_else(|| RawJson::of(&serde_json::json!({ "query": query })));
                let status = status.unwrap_or(ItemStatus::Completed);
                let mut call = Self::new("web_search", format!("Web: {query}"), given, status);
                let found = results.as_ref().and_then(|r| text_of(r.get()));
                call.result = text.clone().or(found);
                call
            }
            _ => return None,
        })
    }

    /// The record.
    pub(super) fn record(self, at: &Timestamp) -> Kind {
        if self.status == ItemStatus::InProgress {
            return RunningTool {
                title: self.title,
                started_at: at.clone(),
                arguments: self.arguments,
                wait_has_target: false,
                wait_has_call_id: false,
                wait_cap_ms: Maybe::Absent,
                other: Unknown::default(),
            }
            .into();
        }
        let failed = self.status != ItemStatus::Completed;
        let declined = (self.status == ItemStatus::Declined).then(|| "declined".to_owned());
        ToolCall {
            status: if failed { ToolStatus::Failed } else { ToolStatus::Success },
            title: self.title,
            arguments: self.arguments,
            duration_ms: self.duration_ms.and_then(|ms| u64::try_from(ms).ok()).into(),
            result_preview: self.result.as_deref().map(preview).into(),
            error_message: self.error.or(declined).into(),
            other: Unknown::default(),
        }
        .into()
    }

    /// The plan that it writes down, when it is a tool for that: all harnesses have one, under names that say so.
    pub(super) fn plan(&self) -> Option<PlanUpdate> {
        let name = self.name.to_ascii_lowercase();
        if !name.contains("plan") && !name.contains("todo") {
            return None;
        }
        let given = self.given.get();
        let list = ["plan", "todos", "items", "steps"].into_iter().find_map(|k| {
            given.get(k).filter(|list| list.is_array() && list.elements().next().is_some())
        })?;
        let steps: Option<Vec<_>> = list.elements().map(step).collect();
        let name = if name.contains("todo") { "To do" } else { "Plan" };
        Some(plan(name.to_owned(), steps?))
    }

    /// The look that it is, when it is a tool for reading, searching or listing.
    pub(super) fn look(&self) -> Option<ExploreEntry> {
        let word = looking::tool(&self.name)?;
        let given = self.given.get();
        let what =
            ["pattern", "query", "glob_pattern", "file_path", "filePath", "path", "target_file"]
                .into_iter()
                .filter_map(|k| given.str(k))
                .filter(|v| !v.is_empty());
        let status = match self.status {
            ItemStatus::InProgress => ExploreStatus::State(ExploreState::Running),
            ItemStatus::Completed => ExploreStatus::State(ExploreState::Success),
            ItemStatus::Failed | ItemStatus::Declined => command::failed(None),
        };
        let mut command = vec![word.to_owned()];
        command.extend(what.take(2).map(std::borrow::Cow::into_owned));
        Some(ExploreEntry { command, status, cwd: Maybe::Absent, other: Unknown::default() })
    }

    /// The difference that came out, when nothing else did.
    pub(super) fn diff(&self) -> Option<Diff> {
        diff(self.result.as_deref()?)
    }
}

fn in_space(namespace: Option<&str>, name: &str) -> String {
    namespace.filter(|n| !n.is_empty()).map_or_else(|| name.to_owned(), |n| format!("{n}.{name}"))
}

/// Names of arguments whose values nobody should see over a shoulder.
const SECRET: &[&str] =
    &["password", "passwd", "secret", "api_key", "apikey", "token", "authorization"];

fn arguments(given: Json<'_>) -> Vec<ToolArgument> {
    if given.is_null() {
        return Vec::new();
    }
    if !given.is_object() {
        return vec![argument("input".to_owned(), given)];
    }
    given.members().map(|(name, value)| argument(name.get().into_owned(), value)).collect()
}

fn argument(name: String, value: Json<'_>) -> ToolArgument {
    let secret = SECRET.contains(&name.to_ascii_lowercase().replace('-', "_").as_str());
    let value = if secret {
        ArgumentValue::Secret(SecretValue { other: Unknown::default() })
    } else if let Some(text) = value.as_str() {
        ArgumentValue::Text(TextValue { text: text.into_owned(), other: Unknown::default() })
    } else {
        ArgumentValue::Json(JsonValue { value: RawJson::new(value), other: Unknown::default() })
    };
    ToolArgument { name, value, other: Unknown::default() }
}

fn preview(text: &str) -> ResultPreview {
    let kept = text.get(..crate::history::bound::boundary(text, PREVIEW_BYTES)).unwrap_or(text);
    let lines: Vec<_> = kept.lines().take(PREVIEW_LINES).map(str::to_owned).collect();
    let truncated = kept.len() < text.len() || kept.lines().nth(PREVIEW_LINES).is_some();
    ResultPreview { lines, truncated, other: Unknown::default() }
}

fn text_of_items(items: &[ContentItem]) -> String {
    let texts = items.iter().filter_map(|item| match item {
        ContentItem::InputText { text } => Some(text.as_str()),
        ContentItem::InputImage { .. } | ContentItem::InputAudio { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The readable text of a result: a string, the `text` of parts, else the JSON itself.
fn text_of(value: Json<'_>) -> Option<String> {
    if value.is_null() {
        return None;
    }
    if let Some(text) = value.as_str() {
        return Some(text.into_owned());
    }
    let parts = value.get("content").filter(|c| c.is_array()).unwrap_or(value);
    let texts: Vec<_> = parts.elements().filter_map(|p| p.str("text")).collect();
    if texts.is_empty() && !parts.elements().any(|p| p.str("type").as_deref() == Some("image")) {
        return Some(value.raw().to_owned());
    }
    Some(texts.join("\n"))
}

fn step(value: Json<'_>) -> Option<PlanStep> {
    let description = ["step", "content", "title", "description", "text"]
        .into_iter()
        .find_map(|k| value.str(k))?
        .into_owned();
    let status = match value.str("status").unwrap_or_default().as_ref() {
        "completed" | "complete" | "done" | "TODO_STATUS_COMPLETED" => StepStatus::Complete,
        "in_progress" | "inProgress" | "TODO_STATUS_IN_PROGRESS" => StepStatus::InProgress,
        "cancelled" | "canceled" | "skipped" | "TODO_STATUS_CANCELLED" => StepStatus::Skipped,
        _ => StepStatus::Pending,
    };
    Some(PlanStep { description, status, other: Unknown::default() })
}

fn plan(name: String, steps: Vec<PlanStep>) -> PlanUpdate {
    let completed = steps.iter().filter(|s| s.status == StepStatus::Complete).count() as u64;
    PlanUpdate {
        name,
        icon: PlanIcon::Named(NamedIcon::Clipboard),
        progress: PlanProgress { completed, total: steps.len() as u64, other: Unknown::default() },
        steps,
        other: Unknown::default(),
    }
}

/// A plan that is nothing but a heading and a list with boxes to tick; any other text has more to say than steps.
pub(super) fn plan_of_markdown(text: &str) -> Option<PlanUpdate> {
    let mut name = None;
    let mut steps = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(heading) = line.strip_prefix('#').filter(|_| name.is_none() && steps.is_empty())
        {
            name = Some(heading.trim_start_matches('#').trim().to_owned());
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
        let (status, rest) = match (item.get(..3), item.get(3..)) {
            (Some("[x]" | "[X]"), Some(rest)) => (StepStatus::Complete, rest),
            (Some("[ ]"), Some(rest)) => (StepStatus::Pending, rest),
            (Some("[-]" | "[~]"), Some(rest)) => (StepStatus::InProgress, rest),
            _ => return None,
        };
        let description = rest.trim().to_owned();
        steps.push(PlanStep { description, status, other: Unknown::default() });
    }
    (!steps.is_empty()).then(|| plan(name.unwrap_or_else(|| "Plan".to_owned()), steps))
}

/// A text that is a unified diff and nothing else.
fn diff(text: &str) -> Option<Diff> {
    if !(text.starts_with("diff --git ") || text.starts_with("--- ") || text.starts_with("@@ ")) {
        return None;
    }
    let mut hunks: Vec<DiffHunk> = Vec::new();
    let mut file = "";
    for line in text.lines() {
        let head = [
            "diff --git ",
            "index ",
            "--- ",
            "new file",
            "deleted file",
            "similarity",
            "rename ",
            "old mode",
            "new mode",
            "Index: ",
            "====",
        ];
        if let Some(path) = line.strip_prefix("+++ ") {
            file = path.split('\t').next().unwrap_or(path);
            continue;
        }
        if line.starts_with("@@ ") {
            let header = if file.is_empty() { line.to_owned() } else { format!("{file} {line}") };
            hunks.push(DiffHunk { header, lines: Vec::new(), other: Unknown::default() });
            continue;
        }
        if head.iter().any(|h| line.starts_with(h)) {
            continue;
        }
        let (kind, text) = match line.split_at_checked(1) {
            Some(("+", text)) => (DiffLineKind::Added, text),
            Some(("-", text)) => (DiffLineKind::Removed, text),
            Some((" ", text)) => (DiffLineKind::Context, text),
            None => (DiffLineKind::Context, ""),
            Some(("\\", _)) => continue,
            Some(_) => return None,
        };
        let text = text.to_owned();
        hunks.last_mut()?.lines.push(DiffLine { kind, text, other: Unknown::default() });
    }
    (!hunks.is_empty()).then_some(Diff { hunks, other: Unknown::default() })
}

#[cfg(test)]
mod tests {
    use super::{diff, plan_of_markdown, preview};
    use crate::history::record::patch::DiffLineKind;

    #[test]
    fn a_text_is_a_diff_only_as_a_whole() {
        let text = "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
        let found = diff(text).unwrap();
        assert_eq!(found.hunks[0].header, "b/x @@ -1 +1 @@");
        assert_eq!(found.hunks[0].lines[1].kind, DiffLineKind::Added);
        assert!(diff(&format!("{text}Done!\n")).is_none());
        assert!(diff("a\nb").is_none());
    }

    #[test]
    fn only_a_list_with_boxes_is_a_plan_of_steps() {
        let plan = plan_of_markdown("# Release\n\n- [x] tag\n- [ ] announce\n").unwrap();
        assert_eq!(
            (plan.name.as_str(), plan.progress.completed, plan.progress.total),
            ("Release", 1, 2)
        );
        assert!(plan_of_markdown("- [x] tag\n\nThat is all.").is_none());
        assert!(plan_of_markdown("").is_none());
    }

    #[test]
    fn a_long_result_says_that_there_is_more() {
        assert!(!preview("a\nb").truncated);
        assert!(preview(&"x\n".repeat(5000)).truncated);
        assert!(preview(&"é".repeat(400_000)).truncated);
    }
}
