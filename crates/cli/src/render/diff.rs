//! Changes of files.

use std::io::{self, Write};

pub(crate) use recount_export::diff::counts;
use recount_export::diff::is_unified;
use recount_session::model::item::{FileUpdate, PatchKind};

use crate::output::flow::wrap_plain;
use crate::output::markdown::diff_style;
use crate::output::paint::{Paint, style};
use crate::output::text;

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
