//! Diffs of edits, in the shape in which Codex gives them: hunks without a file header.

use std::fmt::Write as _;

/// A unified diff without the lines that name the files.
pub(super) fn hunks(patch: &str) -> String {
    let mut rest = patch;
    for mark in ["--- ", "+++ "] {
        if rest.starts_with(mark) {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }
    rest.to_owned()
}

/// A diff with line numbers as pi shows it on the screen (all that versions before 1.0 keep), as a unified one.
/// Nothing when a line does not look as expected.
pub(super) fn from_screen(diff: &str) -> Option<String> {
    let mut out = String::new();
    let mut hunk = Hunk::default();
    let mut drift = 0_i64;
    for line in diff.lines() {
        let mut chars = line.chars();
        let sign = chars.next()?;
        let rest = chars.as_str().trim_start_matches(' ');
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            // Unchanged lines that are not shown.
            if sign != ' ' || rest != "..." {
                return None;
            }
            hunk.end(&mut out, &mut drift);
            continue;
        }
        let number: i64 = rest[..digits].parse().ok()?;
        let text = &rest[digits..];
        let text = if text.is_empty() { text } else { text.strip_prefix(' ')? };
        hunk.line(sign, number, text)?;
    }
    hunk.end(&mut out, &mut drift);
    (!out.is_empty()).then_some(out)
}

#[derive(Default)]
struct Hunk {
    /// First line in the old file, or in the new one when the hunk begins with an added line.
    first: Option<(char, i64)>,
    old: i64,
    new: i64,
    body: String,
}

impl Hunk {
    fn line(&mut self, sign: char, number: i64, text: &str) -> Option<()> {
        match sign {
            ' ' => {
                self.old += 1;
                self.new += 1;
            }
            '-' => self.old += 1,
            '+' => self.new += 1,
            _ => return None,
        }
        self.first.get_or_insert((sign, number));
        let _ = writeln!(self.body, "{sign}{text}");
        Some(())
    }

    /// Writes the hunk; `drift` is how far lines below it have moved.
    fn end(&mut self, out: &mut String, drift: &mut i64) {
        if let Some((sign, number)) = self.first {
            let (old, new) = if sign == '+' {
                (number.saturating_sub(*drift), number)
            } else {
                (number, number.saturating_add(*drift))
            };
            // A side without lines names the line before it.
            let before = |at: i64, count| if count == 0 { at.saturating_sub(1) } else { at };
            let (old, new) = (before(old, self.old), before(new, self.new));
            let _ = write!(out, "@@ -{old},{} +{new},{} @@\n{}", self.old, self.new, self.body);
            *drift = drift.saturating_add(self.new - self.old);
        }
        *self = Self::default();
    }
}

/// What was to be replaced, for edits that failed or whose result is missing: where it stands is not known.
pub(super) fn of_texts(old: &str, new: &str) -> String {
    let mut out = String::from("@@ @@\n");
    for (sign, text) in [('-', old), ('+', new)] {
        for line in text.lines() {
            let _ = writeln!(out, "{sign}{line}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{from_screen, hunks, of_texts};

    #[test]
    fn file_names_are_left_out() {
        assert_eq!(hunks("--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"), "@@ -1 +1 @@\n-x\n+y\n");
        assert_eq!(hunks("@@ -1 +1 @@\n--- x\n"), "@@ -1 +1 @@\n--- x\n");
        assert_eq!(hunks("--- a"), "");
    }

    #[test]
    fn screen_diff_becomes_hunks() {
        let screen = "   ...\n   8 eight\n-  9 nine\n+  9 NINE\n+ 10 more\n  10 ten\n   ...\n  20 twenty\n- 21\n  22 end";
        assert_eq!(
            from_screen(screen).unwrap(),
            "@@ -8,3 +8,4 @@\n eight\n-nine\n+NINE\n+more\n ten\n@@ -20,3 +21,2 @@\n twenty\n-\n end\n"
        );
        assert_eq!(from_screen("+1 first").unwrap(), "@@ -0,0 +1,1 @@\n+first\n");
        assert_eq!(from_screen("no diff"), None);
        assert_eq!(from_screen(""), None);
        assert_eq!(from_screen("+99999999999999999999999 x"), None);
    }

    #[test]
    fn texts_become_lines() {
        assert_eq!(of_texts("a\nb", "c"), "@@ @@\n-a\n-b\n+c\n");
    }
}
