//! Threads as GitHub-flavoured Markdown.
//!
//! - [`mod@safe`]: what others wrote, made harmless

mod safe;

use std::io::{self, Write};

use recount_session::model::item::NoticeLevel;
use recount_session::model::{Aside, Item, ItemKind, Subagent, Thread, Turn};

pub use self::safe::is_allowed;
pub(crate) use self::safe::{inline, options as syntax};
use crate::ahead::{self, Next};
use crate::family::{Alone, Family, Nest, Whole};
use crate::html::escape::escaped;
use crate::options::{Options, Tools};
use crate::prose;
use crate::told::{self, Part, Places, Told};
use crate::{about, diff, json};
use recount_text::text;

/// Writes a thread.
pub fn write(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut markdown = Markdown::new(out, family, options);
    markdown.whole(whole)?;
    writeln!(markdown.out, "---\n\n*{}*", inline(&prose::written_by(options)))
}

struct Markdown<'a> {
    out: &'a mut dyn Write,
    family: &'a dyn Family,
    options: &'a Options,
    /// Level of the heading of the thread.
    level: usize,
    above: Vec<String>,
}

impl<'a> Markdown<'a> {
    fn new(out: &'a mut dyn Write, family: &'a dyn Family, options: &'a Options) -> Self {
        Self { out, family, options, level: 1, above: Vec::new() }
    }
}

impl Markdown<'_> {
    fn heading(&mut self, below: usize, text: &str) -> io::Result<()> {
        let marks = "######".get(..self.level + below).unwrap_or("######");
        writeln!(self.out, "{marks} {text}\n")
    }

    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}\n")
    }

    fn whole(&mut self, whole: &Whole) -> io::Result<()> {
        let thread = &whole.thread;
        let title = about::title(thread);
        let title = if title.is_empty() { "Session".to_owned() } else { inline(&title) };
        self.heading(0, &title)?;
        self.out.write_all(b"| | |\n|---|---|\n")?;
        for (label, value) in about::facts(thread, &self.options.zone, "", false) {
            writeln!(self.out, "| {label} | {} |", inline(&value))?;
        }
        if let Some(told) = prose::findings(thread) {
            writeln!(self.out, "| findings | {told} |")?;
        }
        self.out.write_all(b"\n")?;
        let mut nest = Nest::of(thread, self.family, &self.above, self.options.subagents);
        let options = self.options;
        let mut ahead = ahead::of(thread.items().collect(), move |item: &&Item, out| {
            Markdown::new(out, &Alone, options).item(item, thread)
        });
        for (n, turn) in thread.turns.iter().enumerate() {
            let name = format!("Turn {}", n + 1);
            self.turn((1, &name), (turn, 0), thread, &mut nest, ahead.as_deref_mut())?;
        }
        if self.options.branches {
            for (_, aside) in prose::asides(whole) {
                self.aside(aside, thread, &mut nest)?;
            }
        }
        for line in prose::left_out(whole, self.options) {
            self.paragraph(&format!("*{}*", inline(&line)))?;
        }
        for agent in nest.rest() {
            self.agent(agent, &nest)?;
        }
        if !thread.findings.is_empty() {
            self.heading(1, "Findings")?;
            for finding in &thread.findings {
                writeln!(self.out, "* {}", inline(&prose::finding(finding)))?;
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn aside(&mut self, aside: &Aside, thread: &Thread, nest: &mut Nest<'_>) -> io::Result<()> {
        self.heading(1, &inline(&prose::aside(aside, thread)))?;
        for (n, turn, shared) in aside.own_turns(&thread.turns) {
            let name = format!("Turn {} of this branch", n + 1);
            self.turn((2, &name), (turn, shared), thread, nest, None)?;
        }
        Ok(())
    }

    fn turn(
        &mut self,
        (below, name): (usize, &str),
        (turn, skipped): (&Turn, usize),
        thread: &Thread,
        nest: &mut Nest<'_>,
        mut ahead: Option<&mut Next<'_>>,
    ) -> io::Result<()> {
        let facts = prose::turn_facts(turn, &self.options.zone);
        let facts = if facts.is_empty() { facts } else { format!(" · {facts}") };
        self.heading(below, &format!("{name}{facts}"))?;
        for item in turn.items.iter().skip(skipped) {
            match &mut ahead {
                Some(next) => self.out.write_all(&next()?)?,
                None => self.item(item, thread)?,
            }
            for agent in nest.at(item) {
                self.agent(agent, nest)?;
            }
        }
        if let Some(error) = &turn.error {
            let message = text::line(&error.message);
            self.paragraph(&format!("**✗ {}**", inline(&message)))?;
            if let Some(details) = &error.additional_details {
                self.fenced(details, "")?;
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item, thread: &Thread) -> io::Result<()> {
        match &item.kind {
            ItemKind::UserMessage { content, .. } => {
                let parts: Vec<_> = content.iter().map(prose::input).collect();
                self.quoted(&parts.join("\n"))
            }
            ItemKind::AgentMessage { text, .. } => self.paragraph(&safe::markdown(text)),
            ItemKind::Plan { text } => {
                self.paragraph("**Plan**")?;
                self.paragraph(&safe::markdown(text))
            }
            ItemKind::Reasoning { .. } if !self.options.reasoning => Ok(()),
            ItemKind::Reasoning { summary, content } => {
                let parts: Vec<&str> = prose::reasoning(summary, content).collect();
                if parts.is_empty() {
                    return Ok(());
                }
                self.folded("Reasoning", &parts.join("\n\n"))
            }
            ItemKind::EnteredReviewMode { review } => {
                let review = text::line(text::beginning(review, 600));
                self.paragraph(&format!("**Review:** {}", inline(&review)))
            }
            ItemKind::ExitedReviewMode { review } => {
                self.paragraph("**Review ended**")?;
                self.paragraph(&safe::markdown(review))
            }
            ItemKind::ContextCompaction { summary, trigger } => {
                let by = trigger.as_deref().map(|t| format!(" ({})", text::line(t)));
                let name = format!("History compacted{}", by.unwrap_or_default());
                match summary.as_deref().filter(|s| !s.trim().is_empty()) {
                    Some(summary) => self.folded(&name, summary),
                    None => self.paragraph(&format!("**{}**", inline(&name))),
                }
            }
            ItemKind::Notice { level, text } => {
                let label = match level {
                    NoticeLevel::Info => "NOTE",
                    NoticeLevel::Warning => "WARNING",
                    NoticeLevel::Error => "CAUTION",
                };
                writeln!(self.out, "> [!{label}]")?;
                self.quoted(text.trim())
            }
            kind if self.options.tools == Tools::None && json::is_call(kind) => Ok(()),
            _ => {
                let places = Places { cwd: thread.cwd.as_deref(), home: "" };
                told::calls(item, places).iter().try_for_each(|told| self.call(told, item))
            }
        }
    }

    fn call(&mut self, told: &Told<'_>, item: &Item) -> io::Result<()> {
        let call = &told.call;
        let line = format!("{} {}", call.verb, call.object);
        let mut facts: Vec<String> = prose::call_facts(call);
        if item.recovered {
            facts.push("recovered".to_owned());
        }
        let facts = facts.join(" ");
        if told.parts.is_empty() || self.options.tools != Tools::Full {
            // Agents make lists with `-`: another sign begins another list.
            return writeln!(self.out, "* {} {}\n", safe::code(line.trim()), inline(&facts));
        }
        let facts = if facts.is_empty() { facts } else { format!(" {facts}") };
        writeln!(
            self.out,
            "<details><summary><code>{}</code>{}</summary>\n",
            escaped(line.trim()),
            escaped(&facts)
        )?;
        for part in &told.parts {
            match part {
                Part::Place(place) => {
                    self.paragraph(&format!("in {}", safe::code(&text::line(place))))?;
                }
                Part::Input(input) => self.fenced(input, "")?,
                Part::Output(output) => self.fenced(output, "")?,
                Part::Image(url) => self.paragraph(&inline(&prose::image(url)))?,
                Part::Diff(change) => self.fenced(&diff::signed(change), "diff")?,
            }
        }
        self.out.write_all(b"</details>\n\n")
    }

    fn agent(&mut self, agent: &Subagent, nest: &Nest<'_>) -> io::Result<()> {
        let nested = nest.open(agent);
        let name = prose::agent(agent);
        let Some(whole) = nested.whole else {
            return self.paragraph(&format!("*Sub-agent {} (not there)*", inline(&name)));
        };
        writeln!(self.out, "<details><summary>Sub-agent {}</summary>\n", escaped(&name))?;
        let above = std::mem::replace(&mut self.above, nest.above().to_vec());
        self.level += 2;
        let written = self.whole(&whole);
        self.level -= 2;
        self.above = above;
        written?;
        self.out.write_all(b"</details>\n\n")
    }

    /// Prose that is folded.
    fn folded(&mut self, name: &str, prose: &str) -> io::Result<()> {
        writeln!(self.out, "<details><summary>{}</summary>\n", escaped(name))?;
        self.paragraph(&safe::markdown(prose))?;
        self.out.write_all(b"</details>\n\n")
    }

    /// What a person typed: its lines stay lines.
    fn quoted(&mut self, typed: &str) -> io::Result<()> {
        let safe = safe::markdown(typed.trim_matches('\n'));
        let mut lines = safe.split('\n').peekable();
        while let Some(line) = lines.next() {
            let line = line.trim_end();
            let goes_on =
                !line.is_empty() && lines.peek().is_some_and(|next| !next.trim().is_empty());
            let mark = if line.is_empty() { ">" } else { "> " };
            writeln!(self.out, "{mark}{line}{}", if goes_on { "  " } else { "" })?;
        }
        self.out.write_all(b"\n")
    }

    fn fenced(&mut self, content: &str, language: &str) -> io::Result<()> {
        let content = text::clean_tabbed(content.trim_end().trim_start_matches('\n'));
        if content.is_empty() {
            return Ok(());
        }
        let fence = safe::fence(&content);
        writeln!(self.out, "{fence}{language}\n{content}\n{fence}\n")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser, Tag};

    use super::safe;

    /// What is made of foreign Markdown, read again, with something behind it.
    fn holds(markdown: &str) {
        let safe = format!("{}\n\nBEHIND", safe::markdown(markdown));
        let mut last = String::new();
        let mut inside = 0;
        for event in Parser::new_ext(&safe, super::syntax()) {
            match event {
                Event::Html(_) | Event::InlineHtml(_) => panic!("HTML in {safe:?}"),
                Event::Start(Tag::Image { .. }) => panic!("image in {safe:?}"),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    assert!(safe::is_allowed(&dest_url), "{dest_url} in {safe:?}");
                }
                Event::Start(Tag::Paragraph) => inside = 0,
                Event::Start(_) => inside += 1,
                Event::Text(text) => last = text.to_string(),
                _ => {}
            }
        }
        assert_eq!((last.as_str(), inside), ("BEHIND", 0), "{safe:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn foreign_markdown_stays_inside(parts in proptest::collection::vec(
            prop_oneof![
                Just("<script>"), Just("</details>"), Just("<!--"), Just("-->"), Just("<a href=x>"),
                Just("["), Just("]"), Just("("), Just(")"), Just("](javascript:x)"), Just("![a]"),
                Just("(https://x.example)"), Just("[a]: javascript:x"), Just("\n"), Just("\n\n"),
                Just("```"), Just("~~~"), Just("`"), Just("# "), Just("> "), Just("- "), Just("    "),
                Just("\\"), Just("<"), Just(">"), Just("|"), Just("|-|\n"), Just("*"), Just("&lt;"), Just("a"),
                Just("<javascript:x>"), Just("<?php"), Just("<![CDATA["), Just("\t"), Just("1. "), Just("!"),
            ],
            0..24,
        )) {
            holds(&parts.concat());
        }
    }
}
