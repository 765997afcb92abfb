//! Changes of files as lines.

use recount_session::history::record::patch::{FileChange, Patch, PatchEvent};
use recount_text::flow::Line;
use recount_text::highlight;
use recount_text::paint::style;
use recount_text::text;

use super::out::{MOST_LINES, Out, first_lines};
use crate::code;

pub(super) fn patch(patch: &Patch, out: &mut Out<'_>) {
    let (sign, mark) = match patch.event {
        PatchEvent::ApplySuccess => ("✎ ", style::GOOD),
        PatchEvent::ApplyBegin => ("✎ ", style::WARNING),
        PatchEvent::ApplyFailure => ("✗ ", style::BAD),
        PatchEvent::Proposed => ("? ", style::WARNING),
    };
    for (path, change) in &patch.changes.0 {
        let (word, added, removed) = match change {
            FileChange::Add(file) => ("new ", file.content.lines().count(), 0),
            FileChange::Delete(file) => {
                ("gone ", 0, file.content.get().map_or(0, |c| c.lines().count()))
            }
            FileChange::Update(file) => {
                let of = |sign: char, head: &str| {
                    let counts = |l: &&str| l.starts_with(sign) && !l.starts_with(head);
                    file.unified_diff.lines().filter(counts).count()
                };
                ("", of('+', "+++ "), of('-', "--- "))
            }
        };
        let counts = format!("  +{added} −{removed}");
        let room = out.look.columns.saturating_sub(2 + word.len() + text::width(&counts));
        let path = text::line(out.path(path)).into_owned();
        out.one(&[
            (mark, sign),
            (style::DIM, word),
            (style::NAME, &text::fit_end(&path, room.max(8))),
            (style::ADDED, &format!("  +{added}")),
            (style::REMOVED, &format!(" −{removed}")),
        ]);
        if out.look.open {
            file(path.as_str(), change, out);
        }
    }
    if let Some(failure) = patch.failure.get() {
        out.one(&[(style::BAD, "    "), (style::BAD, &text::line(&failure.message))]);
    }
}

fn file(path: &str, change: &FileChange, out: &mut Out<'_>) {
    let (content, sign) = match change {
        FileChange::Update(file) => {
            let lines = file.unified_diff.lines();
            let mut count = 0;
            for line in lines.take(MOST_LINES) {
                count += 1;
                out.diff_line(line);
            }
            out.more(file.unified_diff.lines().count() - count);
            return;
        }
        FileChange::Add(file) => (file.content.as_str(), "+"),
        FileChange::Delete(file) => (file.content.get().map_or("", String::as_str), "-"),
    };
    let (content, rest) = first_lines(content);
    let content = text::clean(content).into_owned();
    let mark = if sign == "+" { style::ADDED } else { style::REMOVED };
    let coloured = code::lines(highlight::of_path(path), &content);
    let room = out.look.columns.saturating_sub(5).max(8);
    for (n, raw) in content.lines().enumerate() {
        let whole = coloured.as_ref().and_then(|c| c.get(n)).filter(|l| l.width() <= room);
        let Some(line) = whole else {
            out.diff_line(&format!("{sign}{raw}"));
            continue;
        };
        let mut shown = Line::default();
        shown.push(style::PLAIN, "    ");
        shown.push(mark, sign);
        shown.0.extend(line.0.iter().cloned());
        out.lines.push(shown);
    }
    out.rest(rest);
}
