//! Messages and reasoning as lines and blocks.

use crate::history::record::message::{InlineSpan, LineKind, MessageLine, TextTone};
use crate::history::record::reasoning::{
    Bullet, CodeBlock, Paragraph, Quote, Reasoning, ReasoningBlock, ReasoningSection, Separator,
};
use crate::history::{Maybe, Unknown};

/// The text of a message, line by line and word for word. Only the kinds of the lines are read from it.
pub(super) fn lines(text: &str) -> Vec<MessageLine> {
    let mut code = false;
    text.lines()
        .map(|line| {
            let trimmed = line.trim_start();
            let fence = trimmed.starts_with("```");
            let kind = if code || fence {
                LineKind::Code
            } else if trimmed.starts_with("- ") || trimmed.starts_with("* ") {
                LineKind::Bullet
            } else if trimmed.starts_with("> ") {
                LineKind::Quote
            } else {
                LineKind::Paragraph
            };
            code ^= fence;
            MessageLine::new(kind, line, TextTone::Default)
        })
        .collect()
}

/// The record of reasoning; nothing when none of it is readable.
pub(super) fn reasoning(summary: &[String], content: &[String], open: bool) -> Option<Reasoning> {
    let readable = |text: &&String| !text.trim().is_empty();
    let mut sections: Vec<_> = summary.iter().filter(readable).map(|t| section(t)).collect();
    let hide = sections.is_empty();
    sections.extend(content.iter().filter(readable).map(|t| section(t)));
    (!sections.is_empty()).then_some(Reasoning {
        in_progress: open,
        sections,
        // What is no summary was not written for anybody.
        hide_when_collapsed: hide,
        other: Unknown::default(),
    })
}

/// A section: a first line in bold is its heading, as models write their summaries.
fn section(text: &str) -> ReasoningSection {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default();
    let bold = first.strip_prefix("**").and_then(|l| l.trim_end().strip_suffix("**"));
    let heading = bold.filter(|h| !h.is_empty() && !h.contains("**"));
    let body = if heading.is_some() { text.get(first.len()..).unwrap_or_default() } else { text };
    let mut blocks = blocks(body);
    // The first words stand for the section when it is closed; they are not said twice.
    let summary = match blocks.first() {
        Some(ReasoningBlock::Paragraph(_)) => match blocks.remove(0) {
            ReasoningBlock::Paragraph(first) => first.spans,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    ReasoningSection {
        summary,
        blocks,
        heading: heading.map(str::to_owned).into(),
        other: Unknown::default(),
    }
}

fn blocks(text: &str) -> Vec<ReasoningBlock> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    let mut lines = text.lines();
    let flush = |paragraph: &mut String, out: &mut Vec<ReasoningBlock>| {
        if !paragraph.is_empty() {
            let spans = spans(&std::mem::take(paragraph));
            out.push(ReasoningBlock::Paragraph(Paragraph { spans, other: Unknown::default() }));
        }
    };
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        let block = if let Some(language) = trimmed.strip_prefix("```") {
            let content: Vec<&str> =
                lines.by_ref().take_while(|l| !l.trim_start().starts_with("```")).collect();
            let language = Some(language.trim().to_owned()).filter(|l| !l.is_empty());
            ReasoningBlock::Code(CodeBlock {
                content: content.join("\n"),
                language: language.into(),
                other: Unknown::default(),
            })
        } else if matches!(trimmed, "---" | "***" | "___") {
            ReasoningBlock::Separator(Separator { other: Unknown::default() })
        } else if let Some(quote) = trimmed.strip_prefix("> ") {
            ReasoningBlock::Quote(Quote { spans: spans(quote), other: Unknown::default() })
        } else if let Some((marker, rest)) = marker(trimmed) {
            ReasoningBlock::Bullet(Bullet {
                indent: (indent / 2) as u64,
                marker: marker.to_owned(),
                spans: spans(rest),
                other: Unknown::default(),
            })
        } else {
            if trimmed.is_empty() {
                flush(&mut paragraph, &mut out);
            } else {
                if !paragraph.is_empty() {
                    paragraph.push('\n');
                }
                paragraph.push_str(trimmed);
            }
            continue;
        };
        flush(&mut paragraph, &mut out);
        out.push(block);
    }
    flush(&mut paragraph, &mut out);
    out
}

/// The sign of a list's entry and what follows it.
fn marker(line: &str) -> Option<(&str, &str)> {
    let (marker, rest) = line.split_once(' ')?;
    let number = marker.strip_suffix(['.', ')']).filter(|n| !n.is_empty() && n.len() < 4);
    let numbered = number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    (matches!(marker, "-" | "*" | "+") || numbered).then_some((marker, rest))
}

/// Running text: bold and code are set so, everything else stays word for word.
fn spans(text: &str) -> Vec<InlineSpan> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let sign = if rest[at..].starts_with("**") { "**" } else { "`" };
        let found = rest[at..].strip_prefix(sign).and_then(|inner| {
            let end = inner.find(sign).filter(|end| *end > 0)?;
            Some((&inner[..end], &inner[end + sign.len()..]))
        });
        let Some((inner, after)) = found else {
            // A sign that nothing closes is text.
            let next = at + rest[at..].chars().next().map_or(1, char::len_utf8);
            push(&mut out, &rest[..next]);
            rest = &rest[next..];
            continue;
        };
        push(&mut out, &rest[..at]);
        let mut span = InlineSpan::plain(inner);
        if sign == "`" {
            span.entity = Maybe::Is(crate::history::record::message::Entity::Code(
                crate::history::record::message::InlineCode { other: Unknown::default() },
            ));
        } else {
            span.emphasis.bold = true;
        }
        out.push(span);
        rest = after;
    }
    push(&mut out, rest);
    out
}

/// Adds plain text, to the span before it where that is plain too.
fn push(out: &mut Vec<InlineSpan>, text: &str) {
    if text.is_empty() {
        return;
    }
    match out.last_mut() {
        Some(last) if !last.emphasis.bold && last.entity.get().is_none() => {
            last.text.push_str(text);
        }
        _ => out.push(InlineSpan::plain(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{reasoning, spans};
    use crate::history::record::reasoning::ReasoningBlock;

    #[test]
    fn a_summary_has_a_heading_and_a_body() {
        let text =
            "**Finding the handler**\n\nFirst `a`.\n\n- one\n  - two\n\n```rust\nlet x;\n```\nend";
        let found = reasoning(&[text.to_owned()], &[], false).unwrap();
        let section = &found.sections[0];
        assert_eq!(section.heading.get().unwrap(), "Finding the handler");
        assert_eq!(section.summary[1].text, "a");
        assert_eq!(section.blocks.len(), 4);
        assert!(matches!(&section.blocks[1], ReasoningBlock::Bullet(b) if b.indent == 1));
        assert!(matches!(&section.blocks[2], ReasoningBlock::Code(c) if c.content == "let x;"));
        assert!(!found.hide_when_collapsed);
        assert!(reasoning(&[], &["x".to_owned()], true).unwrap().hide_when_collapsed);
        assert!(reasoning(&[String::new()], &[" ".to_owned()], true).is_none());
    }

    #[test]
    fn signs_that_nothing_closes_are_text() {
        for text in ["a * b", "``", "**", "`é", "2 ** 3 `x"] {
            let found: String = spans(text).iter().map(|s| s.text.as_str()).collect();
            assert_eq!(found, text);
        }
        let found = spans("use **bold** and `code`!");
        assert_eq!(found.len(), 5);
        assert!(found[1].emphasis.bold && found[3].entity.get().is_some());
    }
}
