//! Wrapping styled text.

use std::io::{self, Write};

use anstyle::Style;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::paint::{Paint, style};
use crate::text;

/// A piece of text in one style. The text is harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The style.
    pub style: Style,
    /// The text.
    pub text: String,
}

/// Styled text on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Span>);

impl Line {
    /// Adds text.
    pub fn push(&mut self, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.0.push(Span { style, text: text.to_owned() }),
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.0.iter().map(|s| text::width(&s.text)).sum()
    }

    /// Writes it without a line feed.
    pub fn write(&self, out: &mut dyn Write, paint: Paint) -> io::Result<()> {
        for span in &self.0 {
            write!(out, "{}", paint.of(span.style, &span.text))?;
        }
        Ok(())
    }
}

/// Wraps spans into lines of at most `columns`. A line feed in a span is a break.
pub fn wrap(spans: &[Span], columns: usize) -> Vec<Line> {
    let mut wrap = Wrap { columns: columns.max(1), ..Wrap::default() };
    for span in spans {
        for grapheme in span.text.graphemes(true) {
            wrap.grapheme(span.style, grapheme);
        }
    }
    wrap.end_line();
    wrap.lines
}

/// Wraps plain text, line by line; the indentation of a line is kept for its continuation.
pub fn wrap_plain(content: &str, style: Style, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for raw in content.split('\n') {
        let raw = raw.trim_end();
        if raw.len() <= columns || text::width(raw) <= columns {
            let mut line = Line::default();
            line.push(style, raw);
            lines.push(line);
            continue;
        }
        let body = raw.trim_start();
        let indent = &raw[..raw.len() - body.len()];
        let indent = if indent.len() * 2 > columns { "" } else { indent };
        let span = Span { style, text: body.to_owned() };
        for line in wrap(&[span], columns - indent.len()) {
            let mut indented = Line::default();
            indented.push(style::PLAIN, indent);
            indented.0.extend(line.0);
            lines.push(indented);
        }
    }
    lines
}

#[derive(Default)]
struct Wrap {
    columns: usize,
    lines: Vec<Line>,
    line: Line,
    used: usize,
    /// White space between the line and the word.
    gap: Line,
    gap_width: usize,
    word: Line,
    word_width: usize,
}

impl Wrap {
    fn grapheme(&mut self, style: Style, grapheme: &str) {
        match grapheme {
            "\n" => {
                self.end_line();
                return;
            }
            " " => {
                self.end_word();
                self.gap.push(style, " ");
                self.gap_width += 1;
                return;
            }
            _ => {}
        }
        let width = text::width(grapheme);
        // Wide signs (Chinese, Japanese, emoji) may stand at the end of a line wherever they are.
        let wide = width > 1;
        if wide {
            self.end_word();
        }
        if self.word_width + width > self.columns {
            self.end_word();
        }
        self.word.push(style, grapheme);
        self.word_width += width;
        if wide {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        if self.word_width == 0 {
            return;
        }
        let fits = self.used + self.gap_width + self.word_width <= self.columns;
        if fits {
            for span in std::mem::take(&mut self.gap).0 {
                self.line.push(span.style, &span.text);
            }
            self.used += self.gap_width;
        } else {
            if self.used > 0 {
                self.lines.push(std::mem::take(&mut self.line));
            }
            self.gap = Line::default();
            self.used = 0;
        }
        self.gap_width = 0;
        for span in std::mem::take(&mut self.word).0 {
            self.line.push(span.style, &span.text);
        }
        self.used += std::mem::take(&mut self.word_width);
    }

    fn end_line(&mut self) {
        self.end_word();
        self.lines.push(std::mem::take(&mut self.line));
        self.used = 0;
        self.gap = Line::default();
        self.gap_width = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, columns: usize) -> Vec<String> {
        wrap_plain(text, style::PLAIN, columns)
            .iter()
            .map(|l| l.0.iter().map(|s| s.text.as_str()).collect())
            .collect()
    }

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("", 8), [""]);
        assert_eq!(lines("a\n\nb", 8), ["a", "", "b"]);
    }

    #[test]
    fn long_words_are_cut_and_wide_ones_counted() {
        assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(lines("日本語です", 4), ["日本", "語で", "す"]);
        assert_eq!(lines("日", 1), ["日"]);
    }

    #[test]
    fn indentation_is_kept() {
        assert_eq!(lines("  one two", 6), ["  one", "  two"]);
    }

    #[test]
    fn a_word_of_two_styles_is_one_word() {
        let spans = [
            Span { style: style::PLAIN, text: "see foo".to_owned() },
            Span { style: style::STRONG, text: "bar now".to_owned() },
        ];
        let wrapped: Vec<String> =
            wrap(&spans, 7).iter().map(|l| l.0.iter().map(|s| s.text.as_str()).collect()).collect();
        assert_eq!(wrapped, ["see", "foobar", "now"]);
    }
}
