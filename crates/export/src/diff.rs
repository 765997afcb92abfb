//! What a change of a file says.

use std::borrow::Cow;

use recount_session::model::item::{FileUpdate, PatchKind};

/// Lines that came and lines that went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Lines that came.
    pub added: usize,
    /// Lines that went.
    pub removed: usize,
}

/// Whether the text of a change is a unified diff, and not the content of a new or deleted file.
pub fn is_unified(change: &FileUpdate) -> bool {
    matches!(change.kind, PatchKind::Update { .. })
        || change.diff.starts_with("@@ ")
        || change.diff.starts_with("--- ")
}

/// The lines of a change, each with its sign: the content of a new file gets `+`, that of a deleted one `-`.
pub fn signed(change: &FileUpdate) -> Cow<'_, str> {
    if is_unified(change) {
        return Cow::Borrowed(&change.diff);
    }
    let sign = if matches!(change.kind, PatchKind::Delete) { '-' } else { '+' };
    let mut out = String::with_capacity(change.diff.len() + change.diff.len() / 16);
    for line in change.diff.lines() {
        out.push(sign);
        out.push_str(line);
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Counts the lines of a change.
pub fn counts(change: &FileUpdate) -> Counts {
    if !is_unified(change) {
        let lines = change.diff.lines().count();
        return match change.kind {
            PatchKind::Delete => Counts { added: 0, removed: lines },
            _ => Counts { added: lines, removed: 0 },
        };
    }
    let mut counts = Counts::default();
    let mut in_hunk = false;
    for line in change.diff.lines() {
        match line.as_bytes().first() {
            Some(b'@') => in_hunk = true,
            // Before the first hunk `+++ b/file` names a file.
            Some(b'+') if in_hunk || !line.starts_with("+++ ") => counts.added += 1,
            Some(b'-') if in_hunk || !line.starts_with("--- ") => counts.removed += 1,
            _ => {}
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: PatchKind, diff: &str) -> FileUpdate {
        FileUpdate { path: "a".to_owned(), kind, diff: diff.to_owned() }
    }

    #[test]
    fn lines_are_counted_as_they_are_meant() {
        let update = PatchKind::Update { move_path: None };
        let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+++c\n";
        assert_eq!(counts(&change(update, diff)), Counts { added: 1, removed: 1 });
        assert_eq!(counts(&change(PatchKind::Add, "one\n-two\n")), Counts { added: 2, removed: 0 });
        assert_eq!(counts(&change(PatchKind::Delete, "one\n")), Counts { added: 0, removed: 1 });
    }
}
