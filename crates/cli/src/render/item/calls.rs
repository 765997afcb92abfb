//! What was done: calls, changes, output.

use std::borrow::Cow;
use std::io;

use anstyle::Style;
use recount_export::told::{self, Part, Places};
use recount_session::model::Item;
use recount_session::model::item::{FileUpdate, ItemStatus};

use super::{Items, Last, RECOVERED, TAIL};
use crate::output::flow::wrap_plain;
use crate::output::paint::style;
use crate::output::{text, time};
use crate::render::call::{Call, End, GLANCE};
use crate::render::diff;
use crate::render::thread::home;

impl Items<'_> {
    pub(super) fn before_call(&mut self) -> io::Result<()> {
        if self.last != Last::Call {
            writeln!(self.out)?;
        }
        self.last = Last::Call;
        Ok(())
    }

    /// One line: what was done, to what, how it ended, how long it took.
    pub(super) fn call(&mut self, call: &Call<'_>) -> io::Result<()> {
        self.before_call()?;
        let paint = self.paint;
        let (style, end) = match &call.end {
            End::Quiet => (style::DIM, String::new()),
            End::Good => (style::GOOD, "✓".to_owned()),
            End::Bad(how) => (style::BAD, format!("✗ {how}")),
            End::Declined => (style::WARNING, "✗ declined".to_owned()),
            End::Open => (style::WARNING, "… no result".to_owned()),
        };
        let mut after = String::new();
        // Some harnesses store whole tenths of seconds: nothing is said about what took none.
        if let Some(ms) = call.duration_ms.filter(|ms| *ms > 0) {
            after = format!(" {}", time::duration(ms));
        }
        if self.recovered {
            after.push_str(RECOVERED);
        }
        let tail = text::width(&end) + text::width(&after) + 2;
        let room = self.columns.saturating_sub(2 + text::width(&call.verb) + 1 + tail).max(12);
        let verb = if call.verb == "$" || call.verb == "!" { style::PERSON } else { style::NAME };
        let bad = call.end.is_bad();
        let object = if bad { style::STRONG } else { style::PLAIN };
        write!(
            self.out,
            "  {} {}",
            paint.of(if bad { style::BAD } else { verb }, &call.verb),
            paint.of(object, text::fit(&call.object, room))
        )?;
        if !end.is_empty() || !after.is_empty() {
            write!(self.out, "  {}", paint.of(style, &end))?;
            let after = if end.is_empty() { after.trim_start() } else { &after };
            if !after.is_empty() {
                write!(self.out, "{}", paint.of(style::DIM, after))?;
            }
        }
        writeln!(self.out)
    }

    /// The calls of an item, the threads that it started, and what stands below them.
    pub(super) fn told(&mut self, item: &Item, started: &[String]) -> io::Result<()> {
        let thread = self.thread;
        let home = home();
        for told in told::calls(item, Places { cwd: thread.cwd.as_deref(), home: &home }) {
            self.call(&told.call)?;
            started.iter().try_for_each(|id| self.pointer(id))?;
            let bad = told.call.end.is_bad();
            for part in &told.parts {
                match part {
                    Part::Place(place) if self.detail.full => {
                        self.opened(style::DIM, &format!("in {place}"))?;
                    }
                    Part::Input(input) if self.detail.full => self.opened(style::PLAIN, input)?,
                    Part::Output(output) => self.output(output, bad)?,
                    Part::Image(url) if self.detail.full => {
                        self.opened(style::DIM, &Part::image_words(url))?;
                    }
                    Part::Place(_) | Part::Input(_) | Part::Image(_) | Part::Diff(_) => {}
                }
            }
        }
        Ok(())
    }

    pub(super) fn changes(&mut self, changes: &[FileUpdate], status: ItemStatus) -> io::Result<()> {
        if changes.is_empty() {
            let object = Cow::Borrowed("no file");
            return self.call(&Call {
                verb: "edit".into(),
                object,
                end: End::of(status),
                duration_ms: None,
            });
        }
        for change in changes {
            self.before_call()?;
            let paint = self.paint;
            let home = home();
            let places = Places { cwd: self.thread.cwd.as_deref(), home: &home };
            let (verb, path) = told::change_line(change, places);
            let counts = diff::counts(change);
            let mut end = String::new();
            let style = match status {
                ItemStatus::Completed => style::PLAIN,
                ItemStatus::Failed => {
                    end.push_str("  ✗ failed");
                    style::BAD
                }
                ItemStatus::Declined => {
                    end.push_str("  ✗ declined");
                    style::WARNING
                }
                ItemStatus::InProgress => {
                    end.push_str("  … no result");
                    style::WARNING
                }
            };
            let added = signed("+", counts.added);
            let removed = signed("−", counts.removed);
            let mark = if self.recovered { RECOVERED } else { "" };
            let tail = added.len() + removed.len() + text::width(&end) + text::width(mark);
            let room = self.columns.saturating_sub(3 + verb.len() + tail).max(12);
            let name = if status == ItemStatus::Failed { style::BAD } else { style::NAME };
            write!(self.out, "  {} {}", paint.of(name, verb), text::fit_end(&path, room))?;
            for (style, part) in [
                (style::ADDED, added.as_str()),
                (style::REMOVED, &removed),
                (style, &end),
                (style::DIM, mark),
            ] {
                if !part.is_empty() {
                    write!(self.out, "{}", paint.of(style, part))?;
                }
            }
            writeln!(self.out)?;
            if self.detail.full && !change.diff.is_empty() {
                diff::write(self.out, paint, change, 4, self.columns)?;
                self.last = Last::Opened;
            }
        }
        Ok(())
    }

    /// The command that shows another thread.
    pub(super) fn pointer(&mut self, id: &str) -> io::Result<()> {
        let command = format!("    {} show {}", self.program, text::line(id));
        writeln!(self.out, "{}", self.paint.of(style::ID, command))
    }

    // ---- opened calls

    /// The output of a call: whole when calls are opened, its end when it failed.
    pub(super) fn output(&mut self, output: &str, bad: bool) -> io::Result<()> {
        if self.detail.full {
            return self.opened(style::DIM, output);
        }
        if !bad {
            return Ok(());
        }
        let mut tail: Vec<&str> =
            output.trim_end().rsplit('\n').filter(|l| !l.trim().is_empty()).take(TAIL).collect();
        tail.reverse();
        for line in tail {
            let line = text::clean(text::beginning(line, GLANCE));
            let line = text::fit(line.trim_end(), self.columns.saturating_sub(4)).into_owned();
            writeln!(self.out, "    {}", self.paint.of(style::DIM, line.replace('\n', " ")))?;
        }
        Ok(())
    }

    /// Text below a call.
    pub(super) fn opened(&mut self, style: Style, content: &str) -> io::Result<()> {
        let content = content.trim_end();
        if content.is_empty() {
            return Ok(());
        }
        self.last = Last::Opened;
        for raw in content.trim_start_matches('\n').split('\n') {
            let raw = text::clean(raw.strip_suffix('\r').unwrap_or(raw));
            for line in wrap_plain(&raw, style, self.columns.saturating_sub(4)) {
                self.line(&line, 4)?;
            }
        }
        Ok(())
    }
}

/// ` +3`; nothing for none.
fn signed(sign: &str, lines: usize) -> String {
    if lines == 0 { String::new() } else { format!(" {sign}{lines}") }
}
