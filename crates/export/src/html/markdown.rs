//! Markdown as HTML. HTML in it is text, images are words, links lead to the web.

use std::io::{self, Write};

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use super::escape::{self, escaped};
use super::{code, diff};
use crate::markdown::{is_allowed, syntax};
use recount_text::text;

/// Writes Markdown as HTML.
pub(crate) fn write(out: &mut dyn Write, markdown: &str) -> io::Result<()> {
    let markdown = text::clean_tabbed(markdown);
    let mut writer =
        Writer { out, links: Vec::new(), table: Vec::new(), cell: 0, head: false, code: None };
    Parser::new_ext(&markdown, syntax()).try_for_each(|event| writer.event(event))
}

struct Writer<'a> {
    out: &'a mut dyn Write,
    /// The addresses of open links and images that lead nowhere; nothing for those that lead somewhere.
    links: Vec<Option<String>>,
    table: Vec<Alignment>,
    cell: usize,
    head: bool,
    /// The language and the text of a block of code that is gathered.
    code: Option<(String, String)>,
}

impl Writer<'_> {
    fn put(&mut self, html: &str) -> io::Result<()> {
        self.out.write_all(html.as_bytes())
    }

    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => {
                    code.push_str(&text);
                    Ok(())
                }
                None => escape::write(self.out, &text),
            },
            Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => escape::write(self.out, &text),
            Event::Code(code) => write!(self.out, "<code>{}</code>", escaped(&code)),
            Event::SoftBreak => self.put("\n"),
            Event::HardBreak => self.put("<br>\n"),
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(done) => self.put(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) -> io::Result<()> {
        match tag {
            Tag::Paragraph => self.put("<p>"),
            Tag::HtmlBlock => self.put("<p class=raw>"),
            Tag::Heading { level, .. } => write!(self.out, "<p class=\"h h{}\">", level_of(level)),
            Tag::BlockQuote(_) => self.put("<blockquote>"),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
                Ok(())
            }
            Tag::List(None) => self.put("<ul>\n"),
            Tag::List(Some(1)) => self.put("<ol>\n"),
            Tag::List(Some(first)) => writeln!(self.out, "<ol start={first}>"),
            Tag::Item => self.put("<li>"),
            Tag::Table(alignments) => {
                self.table = alignments;
                self.put("<div class=wide><table>\n")
            }
            Tag::TableHead => {
                self.head = true;
                self.cell = 0;
                self.put("<tr>")
            }
            Tag::TableRow => {
                self.cell = 0;
                self.put("<tr>")
            }
            Tag::TableCell => {
                let class = match self.table.get(self.cell) {
                    Some(Alignment::Right) => " class=r",
                    Some(Alignment::Center) => " class=c",
                    _ => "",
                };
                self.cell += 1;
                let name = if self.head { "th" } else { "td" };
                write!(self.out, "<{name}{class}>")
            }
            Tag::Emphasis => self.put("<em>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { dest_url, .. } if is_allowed(&dest_url) => {
                self.links.push(None);
                write!(self.out, "<a href=\"{}\" rel=\"noreferrer\">", escaped(&dest_url))
            }
            Tag::Link { dest_url, .. } => {
                self.links.push(Some(dest_url.to_string()));
                Ok(())
            }
            Tag::Image { dest_url, .. } => {
                self.links.push(Some(dest_url.to_string()));
                self.put("[image: ")
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, tag: TagEnd) -> io::Result<()> {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) => self.put("</p>\n"),
            TagEnd::BlockQuote(_) => self.put("</blockquote>\n"),
            TagEnd::CodeBlock => match self.code.take() {
                Some((language, code)) if language.starts_with("diff") => {
                    diff::write(self.out, "", &code)
                }
                Some((language, code)) => {
                    self.put("<pre><code>")?;
                    code::write(self.out, &language, &code)?;
                    self.put("</code></pre>\n")
                }
                None => Ok(()),
            },
            TagEnd::List(false) => self.put("</ul>\n"),
            TagEnd::List(true) => self.put("</ol>\n"),
            TagEnd::Item => self.put("</li>\n"),
            TagEnd::Table => self.put("</table></div>\n"),
            TagEnd::TableHead => {
                self.head = false;
                self.put("</tr>\n")
            }
            TagEnd::TableRow => self.put("</tr>\n"),
            TagEnd::TableCell => self.put(if self.head { "</th>" } else { "</td>" }),
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link => match self.links.pop().flatten() {
                None => self.put("</a>"),
                Some(address) => self.address(&address),
            },
            TagEnd::Image => {
                self.put("]")?;
                match self.links.pop().flatten() {
                    Some(address) if !address.starts_with("data:") => self.address(&address),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Where something leads that is no link here.
    fn address(&mut self, address: &str) -> io::Result<()> {
        if address.is_empty() {
            return Ok(());
        }
        write!(self.out, " <code>({})</code>", escaped(text::beginning(address, 600)))
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

#[cfg(test)]
mod tests {
    fn html(markdown: &str) -> String {
        let mut out = Vec::new();
        super::write(&mut out, markdown).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn blocks() {
        assert_eq!(
            html("# A\n\n- b\n- **c**"),
            "<p class=\"h h1\">A</p>\n<ul>\n<li>b</li>\n<li><strong>c</strong></li>\n</ul>\n"
        );
        assert_eq!(html("```\na < b\n```"), "<pre><code>a &lt; b\n</code></pre>\n");
        assert_eq!(html("    a < b\n"), "<pre><code>a &lt; b\n</code></pre>\n");
        assert_eq!(
            html("```rust\nif a < b\n```"),
            "<pre><code><span class=k>if</span> a &lt; b\n</code></pre>\n"
        );
        assert_eq!(
            html("|a|b|\n|-|-:|\n|1|2|"),
            "<div class=wide><table>\n<tr><th>a</th><th class=r>b</th></tr>\n<tr><td>1</td><td class=r>2</td></tr>\n</table></div>\n"
        );
        assert_eq!(html("```diff\n+a\n```"), "<pre class=diff><span class=add>+a\n</span></pre>\n");
    }

    #[test]
    fn hostile_text_does_nothing() {
        assert_eq!(
            html("<script>alert(1)</script>"),
            "<p class=raw>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"
        );
        assert_eq!(html("a <img src=x onerror=y>"), "<p>a &lt;img src=x onerror=y&gt;</p>\n");
        assert_eq!(html("[a](javascript:x)"), "<p>a <code>(javascript:x)</code></p>\n");
        assert_eq!(html("[a](JaVaScRiPt:x)"), "<p>a <code>(JaVaScRiPt:x)</code></p>\n");
        assert_eq!(html("[a](data:text/html,x)"), "<p>a <code>(data:text/html,x)</code></p>\n");
        assert_eq!(html("[a](//x.example)"), "<p>a <code>(//x.example)</code></p>\n");
        assert_eq!(
            html("[a](<https://x.example/\"onclick=y>)"),
            "<p><a href=\"https://x.example/&quot;onclick=y\" rel=\"noreferrer\">a</a></p>\n"
        );
        assert_eq!(
            html("![a](https://x.example/i)"),
            "<p>[image: a] <code>(https://x.example/i)</code></p>\n"
        );
        assert_eq!(html("&lt;script&gt; &#x202e;"), "<p>&lt;script&gt; ⟨U+202E⟩</p>\n");
    }
}
