//! The text of `apply_patch` as edits of files, for patches that no event tells.

use std::path::Path;

use crate::model::item::{FileUpdate, PatchKind};

/// The files that a patch names; nothing when it is no patch.
pub(super) fn parse(text: &str, cwd: Option<&str>) -> Option<Vec<FileUpdate>> {
    let start = text.find("*** Begin Patch")?;
    let body = text[start..].split_once('\n')?.1;
    let body = body.find("*** End Patch").map_or(body, |end| &body[..end]);
    let mut files: Vec<FileUpdate> = Vec::new();
    for line in body.lines() {
        let header = |name: &str| line.strip_prefix(name).map(|path| absolute(path.trim(), cwd));
        if let Some(path) = header("*** Add File: ") {
            files.push(FileUpdate { path, kind: PatchKind::Add, diff: String::new() });
        } else if let Some(path) = header("*** Delete File: ") {
            files.push(FileUpdate { path, kind: PatchKind::Delete, diff: String::new() });
        } else if let Some(path) = header("*** Update File: ") {
            let kind = PatchKind::Update { move_path: None };
            files.push(FileUpdate { path, kind, diff: String::new() });
        } else if let Some(file) = files.last_mut() {
            if let Some(target) = header("*** Move to: ") {
                file.kind = PatchKind::Update { move_path: Some(target) };
            } else if line != "*** End of File" {
                // A new file is shown by its content, a changed one by its hunks.
                let new = file.kind == PatchKind::Add;
                file.diff.push_str(if new { line.strip_prefix('+').unwrap_or(line) } else { line });
                file.diff.push('\n');
            }
        }
    }
    for file in &mut files {
        if let PatchKind::Update { move_path: Some(target) } = &file.kind {
            file.diff.push_str("\n\nMoved to: ");
            file.diff.push_str(target);
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    (!files.is_empty()).then_some(files)
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    match cwd {
        Some(cwd) if !path.starts_with('/') => {
            Path::new(cwd).join(path).to_string_lossy().into_owned()
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_edit() {
        let patch = "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-old\n+new\n*** Add File: a.txt\n+one\n+two\n*** Delete File: /tmp/d\n*** End Patch\n";
        let files = parse(patch, Some("/home/dev/shop")).expect("a patch");
        let seen: Vec<_> = files.iter().map(|f| (f.path.as_str(), f.diff.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("/home/dev/shop/a.txt", "one\ntwo\n"),
                ("/home/dev/shop/b.txt", "@@\n-old\n+new\n\n\nMoved to: /home/dev/shop/c.txt"),
                ("/tmp/d", ""),
            ]
        );
    }

    #[test]
    fn what_is_no_patch() {
        assert_eq!(parse("this is not a patch", None), None);
        assert_eq!(parse("*** Begin Patch\n*** End Patch", None), None);
    }
}
