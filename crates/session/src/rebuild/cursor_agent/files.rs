//! Changes of files.

use recount_formats::cursor_agent::Message as Wire;

use super::prompts::ModelCall;
use crate::diff::between;
use crate::model::item::{FileUpdate, PatchKind};

/// The changes that a tool made or wanted to make.
pub(super) fn changes(
    tool: &str,
    arguments: &Wire<'_>,
    result: Option<&Wire<'_>>,
    model: Option<&ModelCall>,
) -> Vec<FileUpdate> {
    let case = result.and_then(|r| r.case_message("result"));
    let outcome = case.as_ref().map(|(_, message)| message);
    let path = arguments
        .text("path")
        .or_else(|| outcome?.text("path"))
        .or_else(|| model?.arguments.as_ref()?.get().str("path").map(Into::into))
        .unwrap_or_default();
    match tool {
        "delete" => {
            let content = outcome.and_then(|o| o.text("prev_content")).unwrap_or_default();
            vec![FileUpdate { path, kind: PatchKind::Delete, diff: content }]
        }
        "apply_agent_diff" => applied(outcome),
        "pi_edit" | "pi_write" => vec![as_pi(path, arguments, outcome)],
        _ => vec![edit(path, arguments, outcome, model)],
    }
}

fn update(path: String, diff: String) -> FileUpdate {
    FileUpdate { path, kind: PatchKind::Update { move_path: None }, diff }
}

/// An edit. Its result has the file before and after; a file that was not there before has no `before`.
fn edit(
    path: String,
    arguments: &Wire<'_>,
    outcome: Option<&Wire<'_>>,
    model: Option<&ModelCall>,
) -> FileUpdate {
    if let Some(success) = outcome.filter(|o| o.name() == "EditSuccess") {
        let before = success.str("before_full_file_content");
        let after = success.str("after_full_file_content").unwrap_or_default();
        return match (before, success.text("diff_string")) {
            (Some(before), _) if before != after => update(path, between(&before, &after)),
            (None, diff) if !after.is_empty() || diff.is_none() => {
                FileUpdate { path, kind: PatchKind::Add, diff: after.into_owned() }
            }
            // Only the program's own diff, or a result that changed nothing.
            (_, diff) => update(path, diff.unwrap_or_default()),
        };
    }
    // It failed, was refused, or is not done: the arguments tell what was meant, the whole file or one place in it.
    if let Some(content) = arguments.text("stream_content") {
        return FileUpdate { path, kind: PatchKind::Add, diff: content };
    }
    let meant = model.and_then(|m| m.arguments.as_ref());
    if let Some(meant) = meant {
        let meant = meant.get();
        if let Some(old) = meant.str("old_string") {
            let new = meant.str("new_string").unwrap_or_default();
            return update(path, between(&old, &new));
        }
        if let Some(content) = meant.str("contents") {
            return FileUpdate { path, kind: PatchKind::Add, diff: content.into_owned() };
        }
    }
    update(path, String::new())
}

fn applied(outcome: Option<&Wire<'_>>) -> Vec<FileUpdate> {
    let Some(outcome) = outcome else { return Vec::new() };
    outcome
        .messages("applied_changes")
        .map(|change| {
            let path = change.text("path").unwrap_or_default();
            let before = change.str("before_content").unwrap_or_default();
            let after = change.str("after_content").unwrap_or_default();
            match change.value_name("change_type").as_deref() {
                Some("CREATED") => {
                    FileUpdate { path, kind: PatchKind::Add, diff: after.into_owned() }
                }
                Some("DELETED") => {
                    FileUpdate { path, kind: PatchKind::Delete, diff: before.into_owned() }
                }
                _ => update(path, between(&before, &after)),
            }
        })
        .collect()
}

fn as_pi(path: String, arguments: &Wire<'_>, outcome: Option<&Wire<'_>>) -> FileUpdate {
    if let Some(content) = arguments.text("content") {
        return FileUpdate { path, kind: PatchKind::Add, diff: content };
    }
    if let Some(patch) = outcome.and_then(|o| o.text("patch").or_else(|| o.text("diff"))) {
        return update(path, patch);
    }
    let mut diff = String::new();
    for replacement in arguments.messages("edits") {
        let old = replacement.str("old_text").unwrap_or_default();
        diff.push_str(&between(&old, &replacement.str("new_text").unwrap_or_default()));
    }
    update(path, diff)
}
