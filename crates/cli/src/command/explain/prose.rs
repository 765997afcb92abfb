//! Wrapped text with headings. `Code` in back ticks is coloured.

use std::io;

use anstyle::Style;

use crate::error::Error;
use crate::output::flow::{Line, Span, wrap};
use crate::output::paint::style;
use crate::output::{Paint, Screen, text};

/// A text under construction.
pub(super) struct Prose {
    lines: Vec<Line>,
    columns: usize,
}

impl Prose {
    pub(super) fn new(screen: &Screen) -> Self {
        Self { lines: Vec::new(), columns: screen.prose() }
    }

    /// Prints it, through the pager when it is long.
    pub(super) fn print(self, screen: &Screen) -> Result<(), Error> {
        let mut out = screen.output();
        self.write(&mut out, screen.paint)?;
        out.finish()?;
        Ok(())
    }

    /// Writes it.
    pub(super) fn write(&self, out: &mut dyn io::Write, paint: Paint) -> io::Result<()> {
        for line in &self.lines {
            line.write(out, paint)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// How many columns it may take.
    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Adds a line of pieces as it is.
    pub(super) fn line(&mut self, pieces: &[(Style, &str)]) {
        let mut line = Line::default();
        for (style, piece) in pieces {
            line.push(*style, piece);
        }
        self.lines.push(line);
    }

    /// Adds an empty line, unless there is one.
    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|l| !l.0.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// The title, and what stands at the right end of its line.
    pub(super) fn title(&mut self, title: &str, right: &str) {
        let used = text::width(title) + text::width(right);
        let space = " ".repeat(self.columns.saturating_sub(used).max(2));
        self.line(&[(style::HEADING, title), (style::PLAIN, &space), (style::NAME, right)]);
        self.line(&[(style::DIM, &"─".repeat(self.columns))]);
    }

    /// A heading above a section.
    pub(super) fn heading(&mut self, heading: &str) {
        self.gap();
        self.line(&[(style::PERSON, &heading.replace('`', ""))]);
    }

    /// A paragraph.
    pub(super) fn paragraph(&mut self, indent: usize, content: &str) {
        self.hanging(indent, &[], indent, content);
    }

    /// A name with its text beside it.
    pub(super) fn entry(&mut self, name: &str, content: &str) {
        if content.trim().is_empty() {
            return;
        }
        let label = format!("{name:<12}");
        self.hanging(0, &[(style::DIM, &label)], 12, content);
    }

    /// A paragraph that begins with a head; its further lines are indented.
    pub(super) fn hanging(
        &mut self,
        first: usize,
        head: &[(Style, &str)],
        rest: usize,
        content: &str,
    ) {
        let spans = spans(content);
        let taken = first + head.iter().map(|(_, t)| text::width(t)).sum::<usize>();
        let mut line = Line::default();
        line.push(style::PLAIN, &" ".repeat(first));
        for (style, piece) in head {
            line.push(*style, piece);
        }
        // The first line has the room that the head leaves; the others begin at the indentation.
        let room = self.columns.saturating_sub(rest.max(taken)).max(20);
        let mut wrapped = wrap(&spans, room).into_iter();
        if taken <= rest {
            line.push(style::PLAIN, &" ".repeat(rest - taken));
            if let Some(begun) = wrapped.next() {
                line.0.extend(begun.0);
            }
            self.lines.push(line);
        } else {
            self.lines.push(line);
            wrapped = wrap(&spans, self.columns.saturating_sub(rest).max(20)).into_iter();
        }
        for more in wrapped {
            let mut line = Line::default();
            line.push(style::PLAIN, &" ".repeat(rest));
            line.0.extend(more.0);
            self.lines.push(line);
        }
    }

    /// An item of a list.
    pub(super) fn item(&mut self, indent: usize, content: &str) {
        self.hanging(indent, &[(style::DIM, "• ")], indent + 2, content);
    }
}

/// Text as spans: paragraphs are one line, what stands in back ticks is code.
fn spans(content: &str) -> Vec<Span> {
    let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
    content
        .split('`')
        .enumerate()
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(n, piece)| Span {
            style: if n % 2 == 1 { style::CODE } else { style::PLAIN },
            text: piece.to_owned(),
        })
        .collect()
}
