//! What edits did to files: from the diffs that opencode stored, else from the arguments of the call.

use recount_formats::Json;

use crate::diff;
use crate::model::item::{FileUpdate, PatchKind};

/// The changes of a call of `edit`, `write`, `multiedit`, `patch` or `apply_patch`.
pub(super) fn changes(
    tool: &str,
    input: Json<'_>,
    metadata: Json<'_>,
    output: Option<&str>,
) -> Vec<FileUpdate> {
    let stored = stored(metadata);
    if !stored.is_empty() {
        return stored;
    }
    let path = input.str("filePath").or_else(|| input.str("path")).map(String::from);
    match (tool, path) {
        ("write", Some(path)) => {
            let content = input.str("content").unwrap_or_default();
            // 1.x tells whether the file existed, 2.x only in words.
            let existed = metadata
                .get("exists")
                .and_then(Json::as_bool)
                .unwrap_or_else(|| !output.is_some_and(|o| o.starts_with("Created")));
            vec![if existed {
                update(path, diff::between("", &content))
            } else {
                add(path, &content)
            }]
        }
        ("patch" | "apply_patch", _) => input.str("patchText").map_or_else(Vec::new, |t| patch(&t)),
        (_, Some(path)) => {
            let edits: Vec<_> = match input.get("edits") {
                Some(edits) => edits.elements().collect(),
                None => vec![input],
            };
            let diff: String = edits
                .iter()
                .map(|edit| {
                    let old = edit.str("oldString").unwrap_or_default();
                    let new = edit.str("newString").unwrap_or_default();
                    // Pieces of lines are compared as lines.
                    let line = |text: &str| match text {
                        "" => String::new(),
                        text if text.ends_with('\n') => text.into(),
                        text => format!("{text}\n"),
                    };
                    diff::between(&line(&old), &line(&new))
                })
                .collect();
            vec![update(path, diff)]
        }
        _ => Vec::new(),
    }
}

/// The diffs in a call's metadata: `files` (2.x, and patches of 1.x), `filediff` or `results` (edits of 1.x), `diff`.
fn stored(metadata: Json<'_>) -> Vec<FileUpdate> {
    let list = |key| metadata.get(key).into_iter().flat_map(Json::elements);
    let files: Vec<_> = list("files").filter_map(file).collect();
    if !files.is_empty() {
        return files;
    }
    let nested: Vec<_> = list("results").filter_map(edited).collect();
    if nested.is_empty() { edited(metadata).into_iter().collect() } else { nested }
}

/// The diff of one edit of 1.x. Older builds keep the two contents in `filediff` and the diff beside it.
fn edited(metadata: Json<'_>) -> Option<FileUpdate> {
    let mut one = file(metadata.get("filediff")?)?;
    if one.diff.is_empty() {
        one.diff = hunks(&metadata.str("diff").unwrap_or_default());
    }
    let filediff = metadata.get("filediff")?;
    if one.diff.is_empty()
        && let (Some(before), Some(after)) = (filediff.str("before"), filediff.str("after"))
    {
        one.diff = diff::between(&before, &after);
    }
    Some(one)
}

/// One stored diff. Paths and kinds have other names in 1.x and 2.x.
fn file(file: Json<'_>) -> Option<FileUpdate> {
    let path = ["file", "filePath", "path"].iter().find_map(|key| file.str(key))?.into_owned();
    let diff = file.str("patch").or_else(|| file.str("diff")).unwrap_or_default();
    let kind = file.str("status").or_else(|| file.str("type")).unwrap_or_default();
    Some(match &*kind {
        "added" | "add" => FileUpdate { path, kind: PatchKind::Add, diff: side(&diff, '+') },
        "deleted" | "delete" => {
            FileUpdate { path, kind: PatchKind::Delete, diff: side(&diff, '-') }
        }
        _ => {
            let move_path = file.str("movePath").map(String::from);
            FileUpdate { path, kind: PatchKind::Update { move_path }, diff: hunks(&diff) }
        }
    })
}

/// A diff from its first hunk on: the header only repeats the path.
fn hunks(diff: &str) -> String {
    match diff.find("@@") {
        Some(0) => diff.into(),
        Some(_) => diff.find("\n@@").map_or_else(String::new, |n| diff[n + 1..].into()),
        None => String::new(),
    }
}

/// The lines of one side of a diff: the content of a file that is new or gone.
fn side(diff: &str, mark: char) -> String {
    let hunks = hunks(diff);
    if hunks.is_empty() && !diff.contains("@@") {
        return String::new();
    }
    hunks.lines().filter_map(|line| line.strip_prefix(mark)).flat_map(|line| [line, "\n"]).collect()
}

fn add(path: String, content: &str) -> FileUpdate {
    FileUpdate { path, kind: PatchKind::Add, diff: content.into() }
}

fn update(path: String, diff: String) -> FileUpdate {
    FileUpdate { path, kind: PatchKind::Update { move_path: None }, diff }
}

/// The files of a patch in the notation that the tool takes (`*** Update File: …`). Used when the call failed or
/// its result was never stored.
fn patch(text: &str) -> Vec<FileUpdate> {
    let mut files: Vec<FileUpdate> = Vec::new();
    for line in text.lines() {
        let path = |mark: &str| line.strip_prefix(mark).map(|p| p.trim().to_owned());
        if let Some(path) = path("*** Add File:") {
            files.push(FileUpdate { path, kind: PatchKind::Add, diff: String::new() });
        } else if let Some(path) = path("*** Delete File:") {
            files.push(FileUpdate { path, kind: PatchKind::Delete, diff: String::new() });
        } else if let Some(path) = path("*** Update File:") {
            files.push(update(path, String::new()));
        } else if let Some(to) = path("*** Move to:") {
            if let Some(FileUpdate { kind: PatchKind::Update { move_path }, .. }) = files.last_mut()
            {
                *move_path = Some(to);
            }
        } else if !line.starts_with("***")
            && let Some(file) = files.last_mut()
        {
            let line = match file.kind {
                PatchKind::Add => line.strip_prefix('+').unwrap_or(line),
                _ => line,
            };
            file.diff.push_str(line);
            file.diff.push('\n');
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use recount_formats::json;

    fn of(tool: &str, input: &str, metadata: &str, output: Option<&str>) -> Vec<FileUpdate> {
        changes(tool, json::parse(input).unwrap(), json::parse(metadata).unwrap(), output)
    }

    #[test]
    fn a_stored_diff_wins_and_loses_its_header() {
        let metadata = r#"{"diff":"Index: a\n===\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n","filediff":{"file":"/home/dev/shop/a","patch":"Index: a\n===\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"}}"#;
        let input = r#"{"filePath":"/home/dev/shop/a","oldString":"x","newString":"y"}"#;
        assert_eq!(
            of("edit", input, metadata, None),
            [update("/home/dev/shop/a".into(), "@@ -1 +1 @@\n-x\n+y\n".into())]
        );
    }

    #[test]
    fn files_of_a_patch_tell_new_from_deleted_from_moved() {
        let metadata = r#"{"files":[
            {"file":"n","status":"added","patch":"--- n\n+++ n\n@@ -0,0 +1 @@\n+one\n"},
            {"filePath":"d","type":"delete","patch":"@@ -1 +0,0 @@\n-two\n"},
            {"filePath":"m","type":"move","movePath":"m2","patch":"@@ -1 +1 @@\n-a\n+b\n"}]}"#;
        let got = of("patch", "{}", metadata, None);
        assert_eq!(got[0], add("n".into(), "one\n"));
        assert_eq!(
            got[1],
            FileUpdate { path: "d".into(), kind: PatchKind::Delete, diff: "two\n".into() }
        );
        assert_eq!(got[2].kind, PatchKind::Update { move_path: Some("m2".into()) });
    }

    #[test]
    fn without_a_result_the_arguments_tell() {
        let input = r#"{"path":"a","oldString":"x\ny","newString":"z"}"#;
        assert_eq!(
            of("edit", input, "null", None),
            [update("a".into(), "@@ -1,2 +1 @@\n-x\n-y\n+z\n".into())]
        );
        let input = r#"{"patchText":"*** Begin Patch\n*** Add File: n\n+one\n*** Update File: u\n*** Move to: v\n@@\n-a\n+b\n*** End Patch"}"#;
        let got = of("patch", input, "null", None);
        assert_eq!(got[0], add("n".into(), "one\n"));
        assert_eq!(
            got[1],
            FileUpdate {
                path: "u".into(),
                kind: PatchKind::Update { move_path: Some("v".into()) },
                diff: "@@\n-a\n+b\n".into()
            }
        );
    }

    #[test]
    fn a_written_file_is_new_only_when_opencode_says_so() {
        let input = r#"{"filePath":"a","content":"x\n"}"#;
        assert_eq!(of("write", input, r#"{"exists":false}"#, None), [add("a".into(), "x\n")]);
        assert_eq!(of("write", input, "{}", Some("Created file successfully: a")).len(), 1);
        assert_eq!(of("write", input, "{}", Some("Created"))[0].kind, PatchKind::Add);
        assert_eq!(
            of("write", input, r#"{"exists":true}"#, None),
            [update("a".into(), "@@ -0,0 +1 @@\n+x\n".into())]
        );
    }
}
