//! Edits of files to diffs.

use std::fmt::Write as _;

use recount_formats::Json;
use recount_formats::json::Fields;

use super::answers::Answer;
use super::transcript::Block;
use crate::diff::between;
use crate::model::item::{FileUpdate, PatchKind};

/// The changes that a call of an editing tool made or wanted to make.
///
/// The result holds the patch with line numbers as the program applied it. Without a result, as after a refusal, the
/// arguments tell which text was to be replaced, but not where.
pub(super) fn changes(
    tool: &str,
    call: &Block<'_>,
    answer: Option<&Answer<'_>>,
) -> Vec<FileUpdate> {
    let path = ["file_path", "notebook_path", "path"].iter().find_map(|key| call.argument(key));
    let path = path.unwrap_or_default().into_owned();
    let (kind, diff) = answer
        .and_then(|answer| from_details(tool, &answer.details))
        .unwrap_or_else(|| from_arguments(tool, call));
    vec![FileUpdate { path, kind, diff }]
}

fn update(diff: String) -> (PatchKind, String) {
    (PatchKind::Update { move_path: None }, diff)
}

/// The change as the result tells it.
fn from_details(tool: &str, details: &Fields<'_>) -> Option<(PatchKind, String)> {
    let is_new = details.str("type").is_some_and(|t| t == "create");
    if is_new {
        return Some((PatchKind::Add, details.str("content")?.into_owned()));
    }
    if let Some(patch) = details.get("structuredPatch").filter(|p| p.elements().next().is_some()) {
        return Some(update(unified(patch)));
    }
    if tool == "NotebookEdit" {
        let old = details.str("original_file")?;
        return Some(update(between(&old, &details.str("updated_file")?)));
    }
    let original = details.str("originalFile")?;
    if let Some(content) = details.str("content") {
        return Some(update(between(&original, &content)));
    }
    let old = details.str("oldString")?;
    let new = details.str("newString")?;
    let all = details.is_true("replaceAll");
    let edited =
        if all { original.replace(&*old, &new) } else { original.replacen(&*old, &new, 1) };
    Some(update(between(&original, &edited)))
}

/// The change as the arguments tell it.
fn from_arguments(tool: &str, call: &Block<'_>) -> (PatchKind, String) {
    match tool {
        "Write" => (PatchKind::Add, call.argument("content").unwrap_or_default().into_owned()),
        "NotebookEdit" => {
            let new = call.argument("new_source").unwrap_or_default();
            update(between("", &new))
        }
        _ => {
            let mut diff = String::new();
            let input = call.input.unwrap_or(Json::NULL);
            let edits = input.get("edits").filter(|edits| edits.is_array());
            let all: Vec<Json<'_>> =
                edits.map_or_else(|| vec![input], |edits| edits.elements().collect());
            for edit in all {
                let old = edit.str("old_string").unwrap_or_default();
                diff.push_str(&between(&old, &edit.str("new_string").unwrap_or_default()));
            }
            update(diff)
        }
    }
}

/// The hunks of the program's own patch as a unified diff.
fn unified(patch: Json<'_>) -> String {
    let mut diff = String::new();
    for hunk in patch.elements() {
        let number = |key: &str| hunk.get(key).and_then(Json::as_i64).unwrap_or(0);
        let (old_start, old_lines) = (number("oldStart"), number("oldLines"));
        let (new_start, new_lines) = (number("newStart"), number("newLines"));
        let _ = writeln!(diff, "@@ -{old_start},{old_lines} +{new_start},{new_lines} @@");
        for line in hunk.get("lines").unwrap_or(Json::NULL).elements() {
            diff.push_str(&line.as_str().unwrap_or_default());
            diff.push('\n');
        }
    }
    diff
}
