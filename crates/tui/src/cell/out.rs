//! The lines of a record, as they are made.

use anstyle::Style;
use recount_session::history::record::message::{InlineSpan, MessageLine, TextTone};
use recount_session::history::record::tool::ToolArgument;
use recount_text::flow::{Line, Span, wrap, wrap_plain};
use recount_text::markdown::{diff_style, render_with};
use recount_text::paint::{Paint, style};
use recount_text::{amount, text};

use super::Look;
use super::call::telling;
use crate::{code, words};

/// Prose wider than this is hard to read.
pub(super) const PROSE: usize = 100;
/// So many lines of an output, argument or diff are drawn; the editor shows all of it.
pub(super) const MOST_LINES: usize = 2_000;
/// So many bytes of a text are drawn.
pub(super) const MOST_BYTES: usize = 512 << 10;

pub(super) struct Out<'a> {
    pub(super) lines: Vec<Line>,
    pub(super) look: Look,
    pub(super) cwd: &'a str,
}

impl Out<'_> {
    /// A path, from the working directory where it lies below that.
    pub(super) fn path<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.cwd).and_then(|rest| rest.strip_prefix('/'));
        below.filter(|rest| !self.cwd.is_empty() && !rest.is_empty()).unwrap_or(path)
    }

    /// What stands before something that opens.
    pub(super) const fn fold(&self) -> &'static str {
        if self.look.open { "▾ " } else { "▸ " }
    }

    /// What is said of something that has no result.
    pub(super) const fn unfinished(&self) -> &'static str {
        if self.look.alive { "running" } else { "no result" }
    }

    pub(super) fn paint(&self) -> Paint {
        Paint(self.look.colours)
    }

    /// One line, cut to the room.
    pub(super) fn one(&mut self, parts: &[(Style, &str)]) {
        let mut line = Line::default();
        let mut room = self.look.columns;
        for (style, part) in parts {
            let part = text::fit(part, room);
            room = room.saturating_sub(text::width(&part));
            line.push(*style, &part);
        }
        self.lines.push(line);
    }

    pub(super) fn indented(&mut self, indent: usize, lines: impl IntoIterator<Item = Line>) {
        for line in lines {
            let mut whole = Line::default();
            if !line.0.is_empty() {
                whole.push(style::PLAIN, &" ".repeat(indent));
            }
            whole.0.extend(line.0);
            self.lines.push(whole);
        }
    }

    pub(super) fn markdown(&mut self, markdown: &str, indent: usize) {
        let (shown, rest) = beginning(markdown);
        let columns = self.look.columns.saturating_sub(indent).clamp(8, PROSE);
        let lines = render_with(shown, columns, self.paint(), &code::lines);
        self.indented(indent, lines);
        self.rest(rest);
    }

    /// Text that is quieter than what surrounds it, with a bar at its side.
    pub(super) fn quoted(&mut self, markdown: &str) {
        let columns = self.look.columns.saturating_sub(2).clamp(8, PROSE);
        let (shown, rest) = beginning(markdown);
        for line in render_with(shown, columns, self.paint(), &|_, _| None) {
            let mut whole = Line::default();
            whole.push(style::DIM, "┊ ");
            for span in line.0 {
                whole.push(span.style.dimmed(), &span.text);
            }
            self.lines.push(whole);
        }
        self.rest(rest);
    }

    pub(super) fn plain(&mut self, content: &str, style: Style, indent: usize) {
        let (shown, rest) = first_lines(content);
        let shown = shown.trim_end_matches('\n');
        if shown.is_empty() {
            return;
        }
        let columns = self.look.columns.saturating_sub(indent).max(8);
        for raw in text::clean(shown).split('\n') {
            self.indented(indent, wrap_plain(raw, style, columns));
        }
        self.rest(rest);
    }

    /// Code, coloured where a line of it fits.
    pub(super) fn code(&mut self, content: &str, language: &str, indent: usize) {
        let (shown, rest) = first_lines(content);
        let shown = text::clean(shown.trim_end_matches('\n'));
        let coloured = code::lines(language, &shown);
        let columns = self.look.columns.saturating_sub(indent).max(8);
        for (count, raw) in shown.split('\n').enumerate() {
            let whole =
                coloured.as_ref().and_then(|c| c.get(count)).filter(|l| l.width() <= columns);
            match whole {
                Some(line) => self.indented(indent, [line.clone()]),
                None => self.indented(indent, wrap_plain(raw, style::CODE, columns)),
            }
        }
        self.rest(rest);
    }

    /// Tells of lines that are not drawn.
    pub(super) fn more(&mut self, lines: usize) {
        if lines > 0 {
            let lines = amount::plural(lines, "line", "lines");
            self.one(&[(style::DIM, &format!("  … {lines} more; the editor shows all of it"))]);
        }
    }

    /// Tells of text that is not drawn.
    pub(super) fn rest(&mut self, rest: &str) {
        if !rest.trim().is_empty() {
            let lines = amount::plural(rest.lines().count(), "line", "lines");
            let bytes = amount::bytes(rest.len() as u64);
            let told = format!("  … {lines} more, {bytes}; the editor shows all of it");
            self.one(&[(style::DIM, &told)]);
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[ToolArgument]) {
        self.plain(&words::arguments(arguments), style::DIM, 4);
    }

    /// The head of a call: sign, what was done, to what, and how it went.
    pub(super) fn call(
        &mut self,
        sign: &str,
        style: Style,
        title: &str,
        arguments: &[ToolArgument],
        end: &str,
    ) {
        let title = text::line(text::beginning(title, 200)).into_owned();
        let told = telling(arguments);
        // Some tools are named by what they were asked for.
        let told = if title.ends_with(&told) { "" } else { self.path(&told) };
        let room = self.look.columns.saturating_sub(text::width(&title) + 3 + text::width(end) + 2);
        let told = text::fit(told, room.max(8)).into_owned();
        self.one(&[
            (style, sign),
            (style::PLAIN, " "),
            (style::NAME, &title),
            (style::PLAIN, " "),
            (style::PLAIN, &told),
            (style::DIM, &format!("  {end}")),
        ]);
    }

    pub(super) fn diff_line(&mut self, raw: &str) {
        let line = text::clean(raw);
        let style = diff_style(&line);
        let style = if style == style::PLAIN { style::DIM } else { style };
        let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        let columns = self.look.columns.saturating_sub(5).max(8);
        for (n, part) in wrap_plain(rest, style, columns).into_iter().enumerate() {
            let mut whole = Line::default();
            whole.push(style::PLAIN, "    ");
            whole.push(style, if n == 0 { sign } else { " " });
            whole.0.extend(part.0);
            self.lines.push(whole);
        }
    }

    /// A line across, with words in it.
    pub(super) fn rule(&mut self, title: &str) {
        let title = format!(" {} ", text::line(title));
        let room = self.look.columns.min(PROSE).saturating_sub(text::width(&title) + 2);
        self.one(&[(style::DIM, "──"), (style::WARNING, &title), (style::DIM, &"─".repeat(room))]);
    }

    /// Words of a notice, with what stands in ticks as code. Without colours it keeps its ticks.
    fn ticked(&self, span: &InlineSpan) -> Vec<Span> {
        let style = tone(span.tone);
        let whole = text::clean(&span.text);
        if !self.look.colours || !whole.matches('`').count().is_multiple_of(2) {
            return vec![Span { style, text: whole.into_owned() }];
        }
        let part = |(n, part): (usize, &str)| {
            let style = if n % 2 == 1 { style::CODE } else { style };
            (!part.is_empty()).then(|| Span { style, text: part.to_owned() })
        };
        whole.split('`').enumerate().filter_map(part).collect()
    }

    /// Lines as their writer toned them.
    pub(super) fn toned(&mut self, sign: &str, lines: &[MessageLine]) {
        let columns = self.look.columns.clamp(8, PROSE).saturating_sub(text::width(sign)).max(8);
        let mut before = sign.to_owned();
        for line in lines {
            let spans: Vec<Span> = line.spans.iter().flat_map(|s| self.ticked(s)).collect();
            for wrapped in wrap(&spans, columns) {
                let mut whole = Line::default();
                whole.push(style::DIM, &before);
                whole.0.extend(wrapped.0);
                self.lines.push(whole);
                before = " ".repeat(text::width(sign));
            }
        }
    }
}

/// As much of a text as is drawn, and what is not.
pub(super) fn beginning(content: &str) -> (&str, &str) {
    content.split_at(content.floor_char_boundary(MOST_BYTES))
}

/// The same for text of which the lines count, too.
pub(super) fn first_lines(content: &str) -> (&str, &str) {
    let most = content.floor_char_boundary(MOST_BYTES);
    let lines = content[..most].match_indices('\n').nth(MOST_LINES - 1);
    content.split_at(lines.map_or(most, |(at, _)| at + 1))
}

pub(super) fn tone(tone: TextTone) -> Style {
    match tone {
        TextTone::Default => style::PLAIN,
        TextTone::Dim | TextTone::Info => style::DIM,
        TextTone::Primary => style::STRONG,
        TextTone::Success => style::GOOD,
        TextTone::Warning => style::WARNING,
        TextTone::Error => style::BAD,
    }
}

#[cfg(test)]
mod tests {
    use recount_session::history::record::message::{LineKind, MessageLine, TextTone};

    use super::Out;
    use crate::cell::Look;

    #[test]
    fn a_notice_is_indented_alike_and_marks_code() {
        let told = |colours| {
            let look = Look { columns: 20, open: false, reasoning: false, alive: false, colours };
            let mut out = Out { lines: Vec::new(), look, cwd: "" };
            let words = "The file `a b` was written, and more";
            out.toned("· ", &[MessageLine::new(LineKind::Paragraph, words, TextTone::Dim)]);
            let text = |l: &recount_text::flow::Line| l.0.iter().map(|s| &*s.text).collect();
            out.lines.iter().map(text).collect::<Vec<String>>()
        };
        assert_eq!(told(true), ["· The file a b was", "  written, and more"]);
        assert_eq!(told(false), ["· The file `a b` was", "  written, and more"]);
    }
}
