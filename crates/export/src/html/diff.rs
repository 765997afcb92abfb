//! Changes of files with coloured lines, and what stands in them told apart.

use std::io::{self, Write};

use recount_text::highlight::{self, Token};

use super::{code, escape};

/// Writes a diff. Lines of the same kind that follow each other share one element. The language is that of the file, by its ending;
/// of one that is not known, nothing in the lines is told apart.
pub(crate) fn write(out: &mut dyn Write, language: &str, diff: &str) -> io::Result<()> {
    let told = if diff.len() > code::MOST { None } else { highlight::diff(language, diff) };
    let mut told = told.unwrap_or_default().into_iter();
    out.write_all(b"<pre class=diff>")?;
    let mut open = "";
    for (n, line) in diff.split_inclusive('\n').enumerate() {
        let class = class_of(line);
        if class != open || n == 0 {
            if !open.is_empty() {
                out.write_all(b"</span>")?;
            }
            if !class.is_empty() {
                write!(out, "<span class={class}>")?;
            }
            open = class;
        }
        line_of(out, line, told.next())?;
    }
    if !open.is_empty() {
        out.write_all(b"</span>")?;
    }
    out.write_all(b"</pre>\n")
}

fn line_of(out: &mut dyn Write, line: &str, told: Option<Vec<Token<'_>>>) -> io::Result<()> {
    let Some(told) = told else { return escape::write(out, line) };
    code::tokens(out, &told)?;
    if line.ends_with('\n') { out.write_all(b"\n") } else { Ok(()) }
}

fn class_of(line: &str) -> &'static str {
    match line.as_bytes().first() {
        Some(b'+') => "add",
        Some(b'-') => "del",
        Some(b'@') => "hunk",
        _ => "",
    }
}
