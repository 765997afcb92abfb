//! Makes foreign Markdown harmless inside of a document.
//!
//! What a model or a person wrote keeps its Markdown. It cannot bring HTML, load an image, lead elsewhere than to the web,
//! define links for others, or go on behind its end. Whatever could is escaped with backslashes, so that it reads as it
//! was written.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use recount_text::text;

/// What our own reading of Markdown knows beyond the standard: what GitHub knows, too.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Whether a link may lead there.
pub fn is_allowed(address: &str) -> bool {
    let lower = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    address.starts_with('#')
        || ["http://", "https://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme))
}

/// Levels by which headings go down, so that they stand below those of the document.
const DEEPER: usize = 3;

/// Makes Markdown harmless. It ends with no line feed, and whatever follows after a blank line is not part of it.
pub(crate) fn markdown(markdown: &str) -> String {
    let clean = text::clean_tabbed(markdown.trim_end());
    let mut marks = Marks { escaped: vec![false; clean.len()], inserted: Vec::new() };
    let mut open_fence = None;
    let mut depth = 0_usize;
    // Where code stands, in order.
    let mut code: Vec<Range<usize>> = Vec::new();
    // A link that is taken away may leave one that stood around it: then all are.
    let mut strict = false;
    let parser = Parser::new_ext(&clean, options());
    let definitions: Vec<_> =
        parser.reference_definitions().iter().map(|(_, def)| def.span.clone()).collect();
    for span in definitions {
        // Without its bracket it is no definition, and what stood in it is text.
        marks.all(&clean, span, b"[]()<>!`~");
    }
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => marks.every_sign(&clean, range),
            Event::Text(_) => marks.tags(&clean, range),
            Event::Code(_) => code.push(range),
            Event::Start(tag) => {
                depth += 1;
                match tag {
                    Tag::Link { dest_url, .. } => strict |= !is_allowed(&dest_url),
                    Tag::Image { dest_url, .. } => {
                        strict |= !is_allowed(&dest_url);
                        marks.mark(range.start);
                    }
                    Tag::Heading { level, .. } if clean[range.start..].starts_with('#') => {
                        let level = level as usize;
                        let more = (level + DEEPER).min(6) - level;
                        marks.inserted.push((range.start, "###"[..more].to_owned()));
                    }
                    Tag::CodeBlock(kind) => {
                        if depth == 1 && matches!(kind, CodeBlockKind::Fenced(_)) {
                            open_fence = unclosed(&clean[range.clone()]);
                        }
                        code.push(range);
                    }
                    _ => {}
                }
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if depth == 0 && end != TagEnd::CodeBlock {
                    open_fence = None;
                }
            }
            _ => {}
        }
    }
    if strict {
        let mut done = 0;
        for code in code {
            marks.all(&clean, done..code.start, b"[]<>!");
            done = code.end;
        }
        marks.all(&clean, done..clean.len(), b"[]<>!");
    }
    let changed = marks.escaped.contains(&true);
    let mut out = marks.apply(&clean);
    if let Some(fence) = open_fence {
        out.push('\n');
        out.push_str(&fence);
    }
    if changed && !holds(&out) {
        // An escape that takes a block apart can bring to light what stood in it. Then nothing of it is Markdown.
        let fence = fence(&clean);
        return format!("{fence}\n{clean}\n{fence}");
    }
    out
}

/// Whether Markdown, read again, brings nothing that it must not, and ends where it ends.
fn holds(markdown: &str) -> bool {
    let mut open = 0_usize;
    let mut behind = false;
    for event in Parser::new_ext(&format!("{markdown}\n\nEND"), options()) {
        behind = false;
        match event {
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                return false;
            }
            Event::Start(Tag::Link { dest_url, .. }) if !is_allowed(&dest_url) => return false,
            Event::Start(_) => open += 1,
            Event::End(end) => {
                open = open.saturating_sub(1);
                behind = open == 0 && end == TagEnd::Paragraph;
            }
            _ => {}
        }
    }
    behind
}

/// The fence that would close a block of code, when it has none.
fn unclosed(block: &str) -> Option<String> {
    let sign = block.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = block.chars().take_while(|c| *c == sign).count();
    let lines = block.trim_end_matches('\n').lines().skip(1);
    let closed = lines.last().is_some_and(|last| {
        // Further in it is code.
        let indent = last.bytes().take_while(u8::is_ascii_whitespace).count();
        let last = last.trim_start_matches(' ').trim_end();
        indent <= 3 && last.chars().count() >= length && last.chars().all(|c| c == sign)
    });
    (!closed).then(|| sign.to_string().repeat(length))
}

/// What is changed in a text.
struct Marks {
    /// The bytes that get a backslash.
    escaped: Vec<bool>,
    /// What is put in, by place.
    inserted: Vec<(usize, String)>,
}

impl Marks {
    fn mark(&mut self, at: usize) {
        if let Some(mark) = self.escaped.get_mut(at) {
            *mark = true;
        }
    }

    /// Escapes these signs. What has a backslash already keeps its one.
    fn all(&mut self, text: &str, range: Range<usize>, signs: &[u8]) {
        let bytes = text.as_bytes();
        let mut at = range.start;
        while at < range.end.min(bytes.len()) {
            if bytes[at] == b'\\' {
                at += 2;
                continue;
            }
            if signs.contains(&bytes[at]) {
                self.mark(at);
            }
            at += 1;
        }
    }

    /// Escapes every sign that could mean something, backslashes too: in HTML they mean nothing.
    fn every_sign(&mut self, text: &str, range: Range<usize>) {
        for (n, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
            if byte.is_ascii_punctuation() {
                self.mark(range.start + n);
            }
        }
    }

    /// Escapes what another reader might take for a tag.
    fn tags(&mut self, text: &str, range: Range<usize>) {
        let bytes = text.as_bytes();
        for at in memchr::memchr_iter(b'<', &bytes[range.clone()]).map(|n| range.start + n) {
            let is_tag = bytes
                .get(at + 1)
                .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'));
            let has_backslash = at > 0 && bytes[at - 1] == b'\\';
            if is_tag && !has_backslash {
                self.mark(at);
            }
        }
    }

    fn apply(mut self, text: &str) -> String {
        self.inserted.sort();
        let mut inserted = self.inserted.iter().peekable();
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        let mut done = 0;
        let marks = self.escaped.iter().enumerate().filter(|(_, escaped)| **escaped);
        for at in marks.map(|(at, _)| at).chain([text.len()]) {
            while let Some((place, what)) = inserted.next_if(|(place, _)| *place <= at) {
                out.push_str(&text[done..*place]);
                out.push_str(what);
                done = *place;
            }
            out.push_str(&text[done..at]);
            if at < text.len() {
                out.push('\\');
            }
            done = at;
        }
        out
    }
}

/// One harmless line as text that no Markdown is made of.
pub(crate) fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~' | '$' | '!'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// One harmless line as code.
pub(crate) fn code(line: &str) -> String {
    let ticks = "`".repeat(longest_run(line, b'`') + 1);
    let space =
        if line.starts_with('`') || line.ends_with('`') || ticks.len() > 1 { " " } else { "" };
    format!("{ticks}{space}{line}{space}{ticks}")
}

/// The fence that nothing in the content closes.
pub(crate) fn fence(content: &str) -> Cow<'static, str> {
    match longest_run(content, b'`') {
        0..=2 => Cow::Borrowed("```"),
        n => Cow::Owned("`".repeat(n + 1)),
    }
}

fn longest_run(text: &str, sign: u8) -> usize {
    let bytes = text.as_bytes();
    let mut longest = 0;
    let mut at = 0;
    while let Some(next) = memchr::memchr(sign, &bytes[at..]) {
        let start = at + next;
        let run = bytes[start..].iter().take_while(|b| **b == sign).count();
        longest = longest.max(run);
        at = start + run;
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_shown_as_it_was_written() {
        assert_eq!(markdown("a <b onclick=x>c</b>"), r"a \<b onclick\=x\>c\<\/b\>");
        assert_eq!(
            markdown("<script>\nalert(1)\n</script>\n"),
            "\\<script\\>\nalert\\(1\\)\n\\<\\/script\\>"
        );
        assert_eq!(markdown("`<b>` stays"), "`<b>` stays");
        assert_eq!(markdown("2 < 3 \\<b>"), "2 < 3 \\<b>");
    }

    #[test]
    fn links_lead_to_the_web_only() {
        assert_eq!(markdown("[a](https://x.example)"), "[a](https://x.example)");
        assert_eq!(markdown("[a](javascript:x)"), r"\[a\](javascript:x)");
        assert_eq!(markdown("[o [a](javascript:x) `[b]`"), r"\[o \[a\](javascript:x) `[b]`");
        assert_eq!(
            markdown("[[a](javascript:x)](javascript:y)"),
            r"\[\[a\](javascript:x)\](javascript:y)"
        );
        assert_eq!(markdown("<javascript:x>"), r"\<javascript:x\>");
        assert_eq!(markdown("![a](https://x.example/i.png)"), r"\![a](https://x.example/i.png)");
        assert_eq!(markdown("[a]: https://x.example\n\n[a]"), "\\[a\\]: https://x.example\n\n[a]");
    }

    #[test]
    fn what_is_open_is_closed() {
        assert_eq!(markdown("```sh\nls"), "```sh\nls\n```");
        assert_eq!(markdown("~~~~\nls\n~~~"), "~~~~\nls\n~~~\n~~~~");
        assert_eq!(markdown("```\nls\n```"), "```\nls\n```");
        assert_eq!(markdown("```"), "```\n```");
    }

    #[test]
    fn headings_go_down() {
        assert_eq!(markdown("# A\n\n##### B"), "#### A\n\n###### B");
    }

    #[test]
    fn what_closes_no_fence_is_no_end() {
        for (open, closed) in [
            ("~~~\na\n    ~~~", "~~~\na\n    ~~~\n~~~"),
            ("```\na\n\t```", "```\na\n\t```\n```"),
            ("```\na\n   ```", "```\na\n   ```"),
            ("```\na\n``", "```\na\n``\n```"),
        ] {
            assert_eq!(markdown(open), closed, "{open:?}");
        }
    }

    #[test]
    fn code_and_fences_hold_any_ticks() {
        assert_eq!(code("ls"), "`ls`");
        assert_eq!(code("a `b` ``c"), "``` a `b` ``c ```");
        assert_eq!(fence("no ticks"), "```");
        assert_eq!(fence("````x"), "`````");
    }
}
