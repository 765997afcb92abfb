//! Markdown as styled, wrapped text.

use anstyle::Style;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::flow::{Line, Span, wrap, wrap_plain};
use crate::paint::{Paint, style};
use crate::text;

/// Colours code: language and code to one line for each of its lines, or nothing when it does not know the language.
pub type Highlight<'a> = &'a dyn Fn(&str, &str) -> Option<Vec<Line>>;

/// Renders Markdown into lines of at most `columns`.
pub fn render(markdown: &str, columns: usize, paint: Paint) -> Vec<Line> {
    render_with(markdown, columns, paint, &|_, _| None)
}

/// [`render`], with code coloured.
pub fn render_with(
    markdown: &str,
    columns: usize,
    paint: Paint,
    highlight: Highlight<'_>,
) -> Vec<Line> {
    let markdown = text::clean(markdown);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut renderer = Renderer::new(columns, paint, highlight);
    for event in Parser::new_ext(&markdown, options) {
        renderer.event(event);
    }
    renderer.flush();
    while renderer.lines.last().is_some_and(|l| l.0.is_empty()) {
        renderer.lines.pop();
    }
    renderer.lines
}

/// What stands at the left of the lines of a quote or list item.
struct Prefix {
    /// For the first line, until it was written.
    first: Option<String>,
    rest: String,
    style: Style,
}

struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Vec<Span>>>,
}

struct Renderer<'a> {
    highlight: Highlight<'a>,
    columns: usize,
    paint: Paint,
    lines: Vec<Line>,
    prefixes: Vec<Prefix>,
    /// Next number of each open list; none for bullets.
    lists: Vec<Option<u64>>,
    spans: Vec<Span>,
    styles: Vec<Style>,
    /// Address of each open link.
    links: Vec<(String, usize)>,
    code: Option<(String, String)>,
    table: Option<Table>,
    /// The next block is set off by a blank line.
    gap: bool,
}

impl<'a> Renderer<'a> {
    fn new(columns: usize, paint: Paint, highlight: Highlight<'a>) -> Self {
        Self {
            highlight,
            columns,
            paint,
            lines: Vec::new(),
            prefixes: Vec::new(),
            lists: Vec::new(),
            spans: Vec::new(),
            styles: vec![style::PLAIN],
            links: Vec::new(),
            code: None,
            table: None,
            gap: false,
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t)
            | Event::Html(t)
            | Event::InlineHtml(t)
            | Event::InlineMath(t)
            | Event::DisplayMath(t)
            | Event::FootnoteReference(t) => self.text(&t),
            Event::Code(t) => {
                let code = text::line(&t).into_owned();
                let ticks = if self.paint.0 { "" } else { "`" };
                self.span(style::CODE, &format!("{ticks}{code}{ticks}"));
            }
            Event::SoftBreak | Event::HardBreak => self.span(style::PLAIN, "\n"),
            Event::Rule => {
                self.block();
                let width = self.room().min(40);
                self.emit_plain(style::DIM, &"─".repeat(width));
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                self.span(style::PLAIN, if done { "[x] " } else { "[ ] " });
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { level, .. } => {
                self.block();
                self.styles.push(style::HEADING);
                let marks = match level {
                    HeadingLevel::H1 => "# ",
                    HeadingLevel::H2 => "## ",
                    HeadingLevel::H3 => "### ",
                    HeadingLevel::H4 => "#### ",
                    HeadingLevel::H5 => "##### ",
                    HeadingLevel::H6 => "###### ",
                };
                self.span(style::DIM, marks);
            }
            Tag::BlockQuote(_) => {
                self.block();
                self.prefixes.push(Prefix { first: None, rest: "│ ".into(), style: style::DIM });
            }
            Tag::CodeBlock(kind) => {
                self.block();
                let language = match &kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((String::new(), language));
            }
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block();
                } else {
                    self.flush();
                    self.gap = false;
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                let mark = match self.lists.last_mut() {
                    Some(Some(n)) => {
                        let mark = format!("{n}. ");
                        *n = n.saturating_add(1);
                        mark
                    }
                    _ => "• ".to_owned(),
                };
                if std::mem::take(&mut self.gap) {
                    self.blank();
                }
                let rest = " ".repeat(text::width(&mark));
                self.prefixes.push(Prefix { first: Some(mark), rest, style: style::DIM });
            }
            Tag::Table(alignments) => {
                self.block();
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.push_style(Style::italic),
            Tag::Strong => self.push_style(Style::bold),
            Tag::Strikethrough => self.push_style(Style::strikethrough),
            Tag::Link { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.spans.len()));
                self.styles.push(style::LINK);
            }
            Tag::Image { dest_url, .. } => {
                self.span(style::DIM, "[image] ");
                self.links.push((dest_url.into_string(), self.spans.len()));
                self.styles.push(style::EMPHASIS);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.prefixes.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                let empty = self.prefixes.last().is_some_and(|p| p.first.is_some());
                self.flush();
                if empty && self.prefixes.last().is_some_and(|p| p.first.is_some()) {
                    self.emit(Line::default());
                }
                self.prefixes.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(row) = self.table.as_mut().and_then(|t| t.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.table(&table);
                }
                self.gap = true;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                let Some((address, from)) = self.links.pop() else { return };
                let shown: String = self.spans.iter().skip(from).map(|s| s.text.as_str()).collect();
                let address = text::line(&address);
                // A label that is the end of its address hides nothing.
                if !address.is_empty() && !address.ends_with(shown.trim_matches('`')) {
                    self.span(style::DIM, &format!(" ({address})"));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, content: &str) {
        // Entities such as `&#27;` become characters only here.
        let content = text::clean(content);
        if let Some((code, _)) = &mut self.code {
            code.push_str(&content);
            return;
        }
        let current = self.styles.last().copied().unwrap_or_default();
        self.span(current, &content);
    }

    fn span(&mut self, style: Style, content: &str) {
        if !content.is_empty() {
            self.spans.push(Span { style, text: content.to_owned() });
        }
    }

    fn push_style(&mut self, change: fn(Style) -> Style) {
        let current = self.styles.last().copied().unwrap_or_default();
        self.styles.push(change(current));
    }

    /// Begins a block: what is open ends, and a blank line sets it off.
    fn block(&mut self) {
        self.flush();
        if std::mem::take(&mut self.gap) {
            self.blank();
        }
    }

    fn blank(&mut self) {
        let mut line = Line::default();
        // Inside a quote the bar goes on.
        if self.prefixes.iter().any(|p| !p.rest.trim().is_empty()) {
            for prefix in &self.prefixes {
                line.push(prefix.style, &prefix.rest);
            }
        }
        self.lines.push(line);
    }

    fn room(&self) -> usize {
        let taken: usize = self.prefixes.iter().map(|p| text::width(&p.rest)).sum();
        self.columns.saturating_sub(taken).max(8)
    }

    fn emit(&mut self, line: Line) {
        let mut whole = Line::default();
        for prefix in &mut self.prefixes {
            let text = prefix.first.take().unwrap_or_else(|| prefix.rest.clone());
            whole.push(prefix.style, &text);
        }
        whole.0.extend(line.0);
        self.lines.push(whole);
    }

    fn emit_plain(&mut self, style: Style, content: &str) {
        let mut line = Line::default();
        line.push(style, content);
        self.emit(line);
    }

    /// Writes the inline text that has gathered.
    fn flush(&mut self) {
        if self.spans.is_empty() || self.table.is_some() {
            return;
        }
        let mut spans = std::mem::take(&mut self.spans);
        if let Some(last) = spans.last_mut() {
            last.text.truncate(last.text.trim_end_matches('\n').len());
        }
        for line in wrap(&spans, self.room()) {
            self.emit(line);
        }
    }

    fn code_block(&mut self) {
        let Some((code, language)) = self.code.take() else { return };
        let diff = language.starts_with("diff");
        let room = self.room().saturating_sub(4).max(8);
        let code = code.trim_end_matches('\n');
        let mut coloured = (self.highlight)(&language, code).map(Vec::into_iter);
        for raw in code.split('\n') {
            let style = if diff { diff_style(raw) } else { style::CODE };
            // Only a line that need not be wrapped keeps its columns, and so its colours.
            let whole = coloured.as_mut().and_then(Iterator::next);
            let lines = match whole.filter(|line| line.width() <= room) {
                Some(line) => vec![line],
                None => wrap_plain(raw, style, room),
            };
            for line in lines {
                let mut indented = Line::default();
                if !line.0.is_empty() {
                    indented.push(style::PLAIN, "    ");
                }
                indented.0.extend(line.0);
                self.emit(indented);
            }
        }
        self.gap = true;
    }

    fn table(&mut self, table: &Table) {
        let count = table.rows.iter().map(Vec::len).max().unwrap_or(0);
        if count == 0 {
            return;
        }
        let width_of = |cell: &Vec<Span>| cell.iter().map(|s| text::width(&s.text)).sum::<usize>();
        let mut widths: Vec<usize> = (0..count)
            .map(|n| {
                table.rows.iter().filter_map(|r| r.get(n)).map(width_of).max().unwrap_or(0).max(1)
            })
            .collect();
        let room = self.room().saturating_sub((count - 1) * 2).max(count * 4);
        shrink(&mut widths, room);
        for (number, row) in table.rows.iter().enumerate() {
            let cells: Vec<Vec<Line>> = (0..count)
                .map(|n| {
                    let mut spans = row.get(n).cloned().unwrap_or_default();
                    if number == 0 {
                        for span in &mut spans {
                            span.style = span.style.bold();
                        }
                    }
                    wrap(&spans, widths[n])
                })
                .collect();
            for height in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut line = Line::default();
                for (n, cell) in cells.iter().enumerate() {
                    let part = cell.get(height).cloned().unwrap_or_default();
                    let pad = widths[n].saturating_sub(part.width());
                    let left = match table.alignments.get(n) {
                        Some(Alignment::Right) => pad,
                        Some(Alignment::Center) => pad / 2,
                        _ => 0,
                    };
                    line.push(style::PLAIN, &" ".repeat(left));
                    line.0.extend(part.0);
                    if n + 1 < count {
                        line.push(style::PLAIN, &" ".repeat(pad - left + 2));
                    }
                }
                self.emit(line);
            }
            if number == 0 {
                let rule: Vec<String> = widths.iter().map(|w| "─".repeat(*w)).collect();
                self.emit_plain(style::DIM, &rule.join("  "));
            }
        }
    }
}

/// Makes columns narrower until they fit, the widest first.
fn shrink(widths: &mut [usize], room: usize) {
    loop {
        let total: usize = widths.iter().sum();
        let Some(most) = widths.iter().copied().max() else { return };
        if total <= room || most <= 4 {
            return;
        }
        let next = widths.iter().copied().filter(|w| *w < most).max().unwrap_or(4).max(4);
        let wide = widths.iter().filter(|w| **w == most).count();
        let step = (total - room).div_ceil(wide).min(most - next).max(1);
        for width in widths.iter_mut().filter(|w| **w == most) {
            *width = most - step;
        }
    }
}

/// The style of a line of a diff.
pub fn diff_style(line: &str) -> Style {
    match line.as_bytes().first() {
        Some(b'+') => style::ADDED,
        Some(b'-') => style::REMOVED,
        Some(b'@') => style::HUNK,
        _ => style::PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str, columns: usize) -> String {
        render(markdown, columns, Paint(false))
            .iter()
            .map(|l| l.0.iter().map(|s| s.text.as_str()).collect::<String>())
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn blocks_are_set_off() {
        let got = plain(
            "# Title\ntext\nmore\n\n- a\n- b\n  - c\n\n> quoted\n\n```rust\nfn x() {}\n```\nend",
            40,
        );
        assert_eq!(
            got,
            "# Title\n\ntext\nmore\n\n• a\n• b\n  • c\n\n│ quoted\n\n    fn x() {}\n\nend"
        );
    }

    #[test]
    fn lists_wrap_below_their_text() {
        assert_eq!(plain("1. one two three\n2. four", 11), "1. one two\n   three\n2. four");
        assert_eq!(plain("- a\n\n  b\n\n- c", 20), "• a\n\n  b\n\n• c");
        assert_eq!(plain("- [x] done\n- [ ] open", 20), "• [x] done\n• [ ] open");
    }

    #[test]
    fn tables_fit() {
        let table =
            "| name | what it does |\n| --- | ---: |\n| a | one two three four |\n| bb | x |";
        assert_eq!(
            plain(table, 60),
            "name        what it does\n────  ──────────────────\na     one two three four\nbb                     x"
        );
        assert!(plain(table, 20).lines().all(|l| text::width(l) <= 20));
    }

    #[test]
    fn links_show_where_they_lead() {
        assert_eq!(plain("[bank](https://evil.example)", 60), "bank (https://evil.example)");
        assert_eq!(plain("[src/a.rs](/home/dev/src/a.rs)", 60), "src/a.rs");
        assert_eq!(plain("`code` and **strong**", 60), "`code` and strong");
    }

    #[test]
    fn entities_make_no_control_characters() {
        assert_eq!(plain("a &#27;[2J b", 60), "a ␛[2J b");
        assert_eq!(plain("a &#x202e; b", 60), "a ⟨U+202E⟩ b");
        assert_eq!(plain("[x](<&#27;c>)", 60), "x (␛c)");
    }
}
