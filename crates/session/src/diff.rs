//! Unified diffs, for harnesses that keep both texts instead of a patch.

use std::fmt::Write as _;

use similar::TextDiff;

/// A unified diff of two texts.
pub(crate) fn between(old: &str, new: &str) -> String {
    // Comparing takes up to the product of both numbers of lines; what is longer than any file that an agent edits is
    // shown as replaced whole.
    const LIMIT: usize = 100_000_000;
    let (removed, added) = (old.lines().count(), new.lines().count());
    if removed.saturating_mul(added) > LIMIT {
        let mut diff = format!("@@ -1,{removed} +1,{added} @@\n");
        for (mark, text) in [('-', old), ('+', new)] {
            for line in text.lines() {
                let _ = writeln!(diff, "{mark}{line}");
            }
        }
        return diff;
    }
    TextDiff::from_lines(old, new).unified_diff().context_radius(3).to_string()
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn changed_lines_stand_in_hunks() {
        assert_eq!(between("a\nb\nc\n", "a\nB\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        assert_eq!(between("same\n", "same\n"), "");
    }

    #[test]
    fn very_long_texts_are_replaced_whole() {
        let diff = between(&"x\n".repeat(60_000), &"y\n".repeat(50_000));
        assert!(diff.starts_with("@@ -1,60000 +1,50000 @@\n-x\n"));
        assert!(diff.ends_with("+y\n+y\n"));
    }
}
