//! Threads as plain text: nothing is wrapped, nothing is coloured.

use std::borrow::Cow;
use std::io::{self, Write};

use recount_session::model::item::NoticeLevel;
use recount_session::model::{Aside, Item, ItemKind, Thread, Turn};

use crate::family::{Family, Nest, Whole};
use crate::options::{Options, Tools};
use crate::prose::{self, turn_facts};
use crate::told::{self, Part, Places};
use crate::{about, call, diff, json};
use recount_text::text;

/// Writes a thread.
pub fn write(
    whole: &Whole,
    family: &dyn Family,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut plain = Plain { out, family, options, indent: 0, above: Vec::new() };
    plain.whole(whole)?;
    plain.line(0, "")?;
    plain.line(0, &prose::written_by(options))
}

struct Plain<'a> {
    out: &'a mut dyn Write,
    family: &'a dyn Family,
    options: &'a Options,
    /// Columns before each line.
    indent: usize,
    above: Vec<String>,
}

impl Plain<'_> {
    fn whole(&mut self, whole: &Whole) -> io::Result<()> {
        let thread = &whole.thread;
        let title = about::title(thread);
        if !title.is_empty() {
            self.block(0, &title)?;
            self.line(0, "")?;
        }
        for (label, value) in about::facts(thread, &self.options.zone, "", false) {
            self.line(2, &format!("{label:<9}{value}"))?;
        }
        if let Some(told) = prose::findings(thread) {
            self.line(2, &format!("{:<9}{told}", "findings"))?;
        }
        let mut nest = Nest::of(thread, self.family, &self.above, self.options.subagents);
        for (n, turn) in thread.turns.iter().enumerate() {
            self.turn(&format!("Turn {}", n + 1), (turn, 0), thread, &mut nest)?;
        }
        if self.options.branches {
            for (_, aside) in prose::asides(whole) {
                self.aside(aside, thread, &mut nest)?;
            }
        }
        for line in prose::left_out(whole, self.options) {
            self.line(0, "")?;
            self.block(0, &line)?;
        }
        for agent in nest.rest() {
            self.agent(agent, &nest)?;
        }
        if !thread.findings.is_empty() {
            self.line(0, "")?;
            self.line(0, "Findings")?;
            for finding in &thread.findings {
                self.block(2, &prose::finding(finding))?;
            }
        }
        Ok(())
    }

    fn aside(&mut self, aside: &Aside, thread: &Thread, nest: &mut Nest<'_>) -> io::Result<()> {
        self.line(0, "")?;
        self.block(0, &format!("=== {}", prose::aside(aside, thread)))?;
        for (n, turn, shared) in aside.own_turns(&thread.turns) {
            let name = format!("Turn {} of this branch", n + 1);
            self.turn(&name, (turn, shared), thread, nest)?;
        }
        self.line(0, "")?;
        self.line(0, "=== End of the branch")
    }

    fn turn(
        &mut self,
        name: &str,
        (turn, skipped): (&Turn, usize),
        thread: &Thread,
        nest: &mut Nest<'_>,
    ) -> io::Result<()> {
        self.line(0, "")?;
        let facts = turn_facts(turn, &self.options.zone);
        let facts = if facts.is_empty() { facts } else { format!(" · {facts}") };
        self.line(0, &format!("--- {name}{facts}"))?;
        for item in turn.items.iter().skip(skipped) {
            self.item(item, thread)?;
            for agent in nest.at(item) {
                self.agent(agent, nest)?;
            }
        }
        if let Some(error) = &turn.error {
            self.line(0, "")?;
            self.block(0, &format!("✗ {}", error.message.trim()))?;
            if let Some(details) = &error.additional_details {
                self.block(2, details)?;
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item, thread: &Thread) -> io::Result<()> {
        let calls = |tools| tools != Tools::None;
        match &item.kind {
            ItemKind::UserMessage { content, .. } => {
                self.line(0, "")?;
                for part in content {
                    for line in prose::input(part).trim_matches('\n').split('\n') {
                        self.line(0, &format!("> {}", text::clean_tabbed(line)))?;
                    }
                }
                Ok(())
            }
            ItemKind::AgentMessage { text, .. } => self.said("", text),
            ItemKind::Plan { text } => self.said("Plan", text),
            ItemKind::Reasoning { .. } if !self.options.reasoning => Ok(()),
            ItemKind::Reasoning { summary, content } => {
                let parts: Vec<&str> = prose::reasoning(summary, content).collect();
                if parts.is_empty() { Ok(()) } else { self.said("Reasoning", &parts.join("\n\n")) }
            }
            ItemKind::EnteredReviewMode { review } => self.said("Review", review),
            ItemKind::ExitedReviewMode { review } => self.said("Review ended", review),
            ItemKind::ContextCompaction { summary, trigger } => {
                let by = trigger.as_deref().map(|t| format!(" ({t})")).unwrap_or_default();
                let name = format!("History compacted{by}");
                self.said(&name, summary.as_deref().unwrap_or(""))
            }
            ItemKind::Notice { level, text } => {
                let label = match level {
                    NoticeLevel::Info => "note",
                    NoticeLevel::Warning => "warning",
                    NoticeLevel::Error => "error",
                };
                self.line(0, "")?;
                self.block(0, &format!("{label}: {}", text.trim()))
            }
            kind if !calls(self.options.tools) && json::is_call(kind) => Ok(()),
            _ => {
                let places = Places { cwd: thread.cwd.as_deref(), home: "" };
                let full = self.options.tools == Tools::Full;
                for told in told::calls(item, places) {
                    self.line(0, "")?;
                    self.line(2, &format!("{}{}", call_line(&told.call), prose::recovered(item)))?;
                    for part in told.parts.iter().filter(|_| full) {
                        match part {
                            Part::Place(place) => self.block(4, &format!("in {place}"))?,
                            Part::Input(input) => self.block(4, input)?,
                            Part::Output(output) => self.block(4, output)?,
                            Part::Image(url) => self.block(4, &prose::image(url))?,
                            Part::Diff(change) => self.block(4, &diff::signed(change))?,
                        }
                    }
                }
                Ok(())
            }
        }
    }

    fn said(&mut self, name: &str, said: &str) -> io::Result<()> {
        self.line(0, "")?;
        if name.is_empty() {
            return self.block(0, said);
        }
        self.block(0, name)?;
        self.block(2, said)
    }

    fn agent(
        &mut self,
        agent: &recount_session::model::Subagent,
        nest: &Nest<'_>,
    ) -> io::Result<()> {
        let nested = nest.open(agent);
        self.line(0, "")?;
        let there = if nested.whole.is_some() { "" } else { " (not there)" };
        self.block(2, &format!("Sub-agent {}{there}", prose::agent(agent)))?;
        let Some(whole) = nested.whole else { return Ok(()) };
        let above = std::mem::replace(&mut self.above, nest.above().to_vec());
        self.indent += 4;
        let written = self.whole(&whole);
        self.indent -= 4;
        self.above = above;
        written
    }

    /// A line that is harmless already.
    fn line(&mut self, indent: usize, line: &str) -> io::Result<()> {
        if line.is_empty() {
            return self.out.write_all(b"\n");
        }
        writeln!(self.out, "{:1$}{line}", "", self.indent + indent)
    }

    /// Foreign text.
    fn block(&mut self, indent: usize, block: &str) -> io::Result<()> {
        let block = block.trim_end().trim_start_matches('\n');
        if block.is_empty() {
            return Ok(());
        }
        let block: Cow<'_, str> = text::clean_tabbed(block);
        block.split('\n').try_for_each(|line| self.line(indent, line))
    }
}

/// A call in one line.
pub(crate) fn call_line(call: &call::Call<'_>) -> String {
    let mut line = format!("{} {}", call.verb, call.object);
    for fact in prose::call_facts(call) {
        line.push_str("  ");
        line.push_str(&fact);
    }
    line
}
