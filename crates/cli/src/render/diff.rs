//! Changes of files.

use std::io::{self, Write};

use recount_session::model::item::{FileUpdate, PatchKind};

use crate::output::flow::wrap_plain;
use crate::output::markdown::diff_style;
use crate::output::paint::{Paint, style};
use crate::output::text;

/// Lines that came and lines that went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

/// Whether the text of a change is a unified diff, and not the content of a new or deleted file.
fn is_unified(change: &FileUpdate) -> bool {
    matches!(change.kind, PatchKind::Update { .. })
        || change.diff.starts_with("@@ ")
        || change.diff.starts_with("--- ")
}

/// Counts the lines of a change.
pub(crate) fn counts(change: &FileUpdate) -> Counts {
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

/// Writes the lines of a change, coloured and indented.
pub(crate) fn write(
    out: &mut dyn Write,
    paint: Paint,
    change: &FileUpdate,
    indent: usize,
    columns: usize,
) -> io::Result<()> {
    let unified = is_unified(change);
    let sign = if matches!(change.kind, PatchKind::Delete) { '-' } else { '+' };
    for raw in change.diff.lines() {
        let raw = text::clean(raw);
        let line = if unified { raw.into_owned() } else { format!("{sign}{raw}") };
        let style = diff_style(&line);
        let style = if style == style::PLAIN { style::DIM } else { style };
        // What is wrapped goes on below its own text, beside the column of signs.
        let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        let parts = wrap_plain(rest, style, columns.saturating_sub(indent + 1).max(8));
        for (n, part) in parts.iter().enumerate() {
            let sign = if n == 0 { sign } else { " " };
            if part.0.is_empty() && sign.trim().is_empty() {
                writeln!(out)?;
                continue;
            }
            write!(out, "{:indent$}{}", "", paint.of(style, sign))?;
            part.write(out, paint)?;
            writeln!(out)?;
        }
    }
    Ok(())
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
