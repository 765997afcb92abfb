//! What was said: prompts, answers, reasoning, notices.

use std::borrow::Cow;
use std::io;

use anstyle::Style;
use recount_session::model::item::UserInput;

use super::{Items, Last, PROMPT, RECOVERED};
use crate::output::flow::{Line, wrap_plain};
use crate::output::markdown;
use crate::output::paint::{Paint, style};
use crate::output::{amount, text};
use crate::render::call::GLANCE;

impl Items<'_> {
    /// A blank line before prose.
    pub(super) fn prose(&mut self) -> io::Result<()> {
        self.last = Last::Prose;
        writeln!(self.out)
    }

    pub(super) fn heading(&mut self, name: &str) -> io::Result<()> {
        self.prose()?;
        write!(self.out, "{}", self.paint.of(style::STRONG, name))?;
        if self.recovered {
            write!(self.out, "{}", self.paint.of(style::DIM, RECOVERED))?;
        }
        writeln!(self.out)
    }

    pub(super) fn markdown(&mut self, text: &str, indent: usize) -> io::Result<()> {
        let mark = if self.recovered { text::width(RECOVERED) } else { 0 };
        let columns = self.columns.saturating_sub(indent);
        let mut lines = markdown::render(text, columns.saturating_sub(mark), self.paint);
        if self.recovered
            && let Some(last) = lines.last_mut()
        {
            last.push(style::DIM, RECOVERED);
        }
        lines.iter().try_for_each(|line| self.line(line, indent))
    }

    pub(super) fn line(&mut self, line: &Line, indent: usize) -> io::Result<()> {
        if !line.0.is_empty() {
            write!(self.out, "{:indent$}", "")?;
            line.write(self.out, self.paint)?;
        }
        writeln!(self.out)
    }

    pub(super) fn user(&mut self, content: &[UserInput]) -> io::Result<()> {
        self.prose()?;
        let mut lines = Vec::new();
        for part in content {
            let (style, shown) = user_part(part);
            lines.extend(wrap_plain(
                shown.trim_matches('\n'),
                style,
                self.columns.saturating_sub(2),
            ));
        }
        let more = lines.len().saturating_sub(PROMPT);
        let fold = !self.detail.full && more > 3;
        if fold {
            lines.truncate(PROMPT);
        }
        let bar = self.paint.of(style::PERSON, "┃").to_string();
        if self.recovered
            && let Some(last) = lines.last_mut()
        {
            last.push(style::DIM, RECOVERED);
        }
        for line in &lines {
            write!(self.out, "{bar}")?;
            if !line.0.is_empty() {
                write!(self.out, " ")?;
                line.write(self.out, self.paint)?;
            }
            writeln!(self.out)?;
        }
        if lines.is_empty() {
            writeln!(self.out, "{bar}")?;
        }
        if fold {
            let note = format!("{more} more lines (--full)");
            writeln!(self.out, "{bar} {}", self.paint.of(style::DIM, note))?;
        }
        Ok(())
    }

    /// A label and text that is wrapped beside it.
    pub(super) fn labelled(&mut self, style: Style, label: &str, content: &str) -> io::Result<()> {
        let content = text::clean(content);
        let indent = text::width(label);
        let lines = wrap_plain(content.trim(), style, self.columns.saturating_sub(indent));
        let mut blank = false;
        for (n, line) in lines.iter().enumerate() {
            // One blank line sets off as well as three.
            let before = std::mem::replace(&mut blank, line.0.is_empty());
            if blank && before {
                continue;
            }
            if n == 0 {
                write!(self.out, "{}", self.paint.of(style, label))?;
                line.write(self.out, self.paint)?;
                writeln!(self.out)?;
            } else {
                self.line(line, indent)?;
            }
        }
        Ok(())
    }

    pub(super) fn divider(&mut self, style: Style, name: &str, more: &str) -> io::Result<()> {
        let room = self.columns.saturating_sub(text::width(name) + 6);
        let more = text::fit(more, room);
        let mut used = 4 + text::width(name);
        write!(self.out, "{} {}", self.paint.of(style::DIM, "╌╌"), self.paint.of(style, name))?;
        if !more.is_empty() {
            write!(self.out, "{} {more}", self.paint.of(style::DIM, ":"))?;
            used += 2 + text::width(&more);
        }
        let dashes = "╌".repeat(self.columns.saturating_sub(used));
        writeln!(self.out, " {}", self.paint.of(style::DIM, dashes))
    }

    // ---- reasoning

    pub(super) fn reasoning(&mut self, summary: &[String], content: &[String]) -> io::Result<()> {
        let parts: Vec<&str> = summary
            .iter()
            .chain(content)
            .map(String::as_str)
            .filter(|p| !p.trim().is_empty())
            .collect();
        let Some(first) = parts.first() else { return Ok(()) };
        if !self.detail.reasoning {
            let size: usize = parts.iter().map(|p| p.chars().count()).sum();
            let (_, all) = self.hidden.get_or_insert_with(|| {
                let heading = first.trim().lines().next().unwrap_or("");
                (text::line(text::beginning(heading, GLANCE)).replace("**", ""), 0)
            });
            *all += size;
            return Ok(());
        }
        self.prose()?;
        let columns = self.columns.saturating_sub(2);
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                writeln!(self.out, "{}", self.paint.of(style::DIM, "┊"))?;
            }
            for mut line in markdown::render(part, columns, Paint(false)) {
                line.0.iter_mut().for_each(|s| s.style = style::DIM);
                write!(self.out, "{}", self.paint.of(style::DIM, "┊"))?;
                if !line.0.is_empty() {
                    write!(self.out, " ")?;
                    line.write(self.out, self.paint)?;
                }
                writeln!(self.out)?;
            }
        }
        Ok(())
    }

    /// One line for reasoning that is not shown.
    pub(super) fn reasoning_line(&mut self) -> io::Result<()> {
        let Some((heading, size)) = self.hidden.take() else { return Ok(()) };
        self.before_call()?;
        // What is shown whole needs no size.
        let more = size > heading.chars().count() + 4;
        let size = if more {
            format!(" ({} characters)", amount::count(size as u64))
        } else {
            String::new()
        };
        let room = self.columns.saturating_sub(9 + size.len());
        let line = format!("  think {}{size}", text::fit(&heading, room));
        self.last = Last::Call;
        writeln!(self.out, "{}", self.paint.of(style::DIM, line))
    }
}

fn user_part(part: &UserInput) -> (Style, Cow<'_, str>) {
    let label = |kind: &str, what: &str| {
        let what = text::line(text::beginning(what, GLANCE));
        (
            style::DIM,
            Cow::Owned(format!("[{kind}{}{what}]", if what.is_empty() { "" } else { " " })),
        )
    };
    match part {
        UserInput::Text { text, .. } => (style::PLAIN, text::clean(text)),
        UserInput::Image { url, file_id, .. } => {
            let url = url.as_deref().filter(|u| !u.starts_with("data:"));
            label("image", url.or(file_id.as_deref()).unwrap_or(""))
        }
        UserInput::LocalImage { path, .. } => label("image", path),
        UserInput::Audio { url } => label("audio", if url.starts_with("data:") { "" } else { url }),
        UserInput::LocalAudio { path } => label("audio", path),
        UserInput::Skill { name, .. } => label("skill", name),
        UserInput::Mention { name, path } => {
            label("mention", if path.is_empty() { name } else { path })
        }
    }
}
