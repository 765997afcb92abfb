//! Changes of files with coloured lines.

use std::io::{self, Write};

use super::escape;

/// Writes a diff. Lines of the same kind that follow each other share one element.
pub(crate) fn write(out: &mut dyn Write, diff: &str) -> io::Result<()> {
    out.write_all(b"<pre class=diff>")?;
    let mut lines = diff.split_inclusive('\n').peekable();
    let mut start = 0;
    let mut end = 0;
    while let Some(line) = lines.next() {
        end += line.len();
        let class = class_of(line);
        if lines.peek().is_some_and(|next| class_of(next) == class) {
            continue;
        }
        let piece = &diff[start..end];
        start = end;
        match class {
            "" => escape::write(out, piece)?,
            class => {
                write!(out, "<span class={class}>")?;
                escape::write(out, piece)?;
                out.write_all(b"</span>")?;
            }
        }
    }
    out.write_all(b"</pre>\n")
}

fn class_of(line: &str) -> &'static str {
    match line.as_bytes().first() {
        Some(b'+') => "add",
        Some(b'-') => "del",
        Some(b'@') => "hunk",
        _ => "",
    }
}
