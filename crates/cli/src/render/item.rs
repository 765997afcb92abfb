//! What stands in a turn.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;
use recount_session::model::item::{
    ContentItem, FileUpdate, HookFragment, ItemStatus, NoticeLevel, PatchKind, UserInput,
};
use recount_session::model::{Item, ItemKind, Thread, Turn};

use super::call::{self, Call, End, GLANCE};
use super::diff;
use super::thread::Detail;
use crate::output::flow::{Line, wrap_plain};
use crate::output::markdown;
use crate::output::paint::{Paint, style};
use crate::output::{Screen, amount, text, time};

/// Lines of a failed call that are shown although it is not opened.
const TAIL: usize = 3;
/// Lines of a prompt that are shown when calls are not opened.
const PROMPT: usize = 40;

/// The mark of items that the harness's own display has lost; what it means stands at the end.
pub(crate) const RECOVERED: &str = " °";

/// What was written last, for the blank lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Rule,
    Prose,
    Call,
    Opened,
}

/// Writes items.
pub(crate) struct Items<'a> {
    out: &'a mut dyn Write,
    paint: Paint,
    columns: usize,
    program: &'a str,
    thread: &'a Thread,
    detail: Detail<'a>,
    last: Last,
    /// Whether the item that is written was recovered.
    recovered: bool,
    /// Sections and characters of reasoning that were passed over.
    hidden: Option<(String, usize)>,
}

impl<'a> Items<'a> {
    pub(crate) fn new(
        out: &'a mut dyn Write,
        screen: &'a Screen,
        thread: &'a Thread,
        detail: Detail<'a>,
    ) -> Self {
        Self {
            out,
            paint: screen.paint,
            columns: screen.prose(),
            program: &screen.program,
            thread,
            detail,
            last: Last::Rule,
            recovered: false,
            hidden: None,
        }
    }

    /// Writes the items of a turn and the error that ended it.
    pub(crate) fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        for item in &turn.items {
            if !matches!(item.kind, ItemKind::Reasoning { .. }) {
                self.reasoning_line()?;
            }
            self.item(item)?;
        }
        self.reasoning_line()?;
        if let Some(error) = &turn.error {
            self.prose()?;
            self.labelled(style::BAD, "✗ ", &error.message)?;
            if let Some(details) = &error.additional_details
                && self.detail.full
            {
                self.labelled(style::DIM, "  ", details)?;
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        self.recovered = item.recovered;
        match &item.kind {
            ItemKind::UserMessage { content, .. } => self.user(content),
            ItemKind::AgentMessage { text, .. } => {
                self.prose()?;
                self.markdown(text, 0)
            }
            ItemKind::Reasoning { summary, content } => self.reasoning(summary, content),
            ItemKind::Plan { text } => {
                self.heading("Plan")?;
                self.markdown(text, 2)
            }
            ItemKind::CommandExecution {
                command,
                cwd,
                status,
                source,
                aggregated_output,
                exit_code,
                duration_ms,
                ..
            } => {
                let script = call::script(command);
                let glance = text::line(text::beginning(&script, GLANCE));
                let end = match (*status, *exit_code) {
                    (ItemStatus::Failed, Some(code)) => End::Bad(format!("exit {code}")),
                    (ItemStatus::Completed, Some(code)) if code != 0 => {
                        End::Bad(format!("exit {code}"))
                    }
                    (status, _) => End::of(status),
                };
                let bad = end.is_bad();
                let verb = if source == "userShell" { "!" } else { "$" };
                self.call(&Call {
                    verb: verb.into(),
                    object: Cow::Borrowed(&glance),
                    end,
                    duration_ms: *duration_ms,
                })?;
                if self.detail.full {
                    if let Some(cwd) =
                        cwd.as_deref().filter(|c| Some(*c) != self.thread.cwd.as_deref())
                    {
                        self.opened(style::DIM, &format!("in {}", super::thread::tilde(cwd)))?;
                    }
                    if script.len() > glance.len() || script.contains('\n') {
                        self.opened(style::PLAIN, &script)?;
                    }
                }
                self.output(aggregated_output.as_deref().unwrap_or(""), bad)
            }
            ItemKind::FileChange { changes, status } => self.changes(changes, *status),
            ItemKind::McpToolCall {
                server,
                tool,
                status,
                arguments,
                result,
                error,
                duration_ms,
                ..
            } => {
                let name = format!("{server}.{tool}");
                let object = named(&name, &call::arguments(arguments, |path| self.relative(path)));
                let end = End::of(*status);
                let bad = end.is_bad();
                self.call(&Call {
                    verb: "mcp".into(),
                    object: object.into(),
                    end,
                    duration_ms: *duration_ms,
                })?;
                self.json_arguments(arguments)?;
                let failure = error.as_ref().map(|e| {
                    let value = e.get();
                    value.str("message").map_or_else(|| call::result_text(value), Cow::into_owned)
                });
                let answer = result.as_ref().map(|r| call::result_text(r.get()));
                self.output(failure.or(answer).as_deref().unwrap_or(""), bad)
            }
            ItemKind::DynamicToolCall {
                tool,
                namespace,
                arguments,
                status,
                content_items,
                success,
                duration_ms,
            } => {
                let name = match namespace {
                    Some(namespace) if !namespace.is_empty() => format!("{namespace}.{tool}"),
                    _ => tool.clone(),
                };
                let object = call::arguments(arguments, |path| self.relative(path));
                let end = match (*status, *success) {
                    (ItemStatus::Completed, Some(false)) => End::of(ItemStatus::Failed),
                    (status, _) => End::of(status),
                };
                let bad = end.is_bad();
                self.call(&Call {
                    verb: text::line(&name),
                    object: object.into(),
                    end,
                    duration_ms: *duration_ms,
                })?;
                self.json_arguments(arguments)?;
                let empty: &[ContentItem] = &[];
                self.output(&call::content_text(content_items.as_deref().unwrap_or(empty)), bad)
            }
            ItemKind::FunctionCallOutput { name, output, .. } => {
                self.call(&Call {
                    verb: "result".into(),
                    object: text::line(name),
                    ..Call::default()
                })?;
                self.output(&call::result_text(output.get()), false)
            }
            ItemKind::CollabAgentToolCall {
                tool,
                status,
                receiver_thread_ids,
                prompt,
                result,
                description,
                ..
            } => {
                self.agent(
                    tool,
                    *status,
                    receiver_thread_ids,
                    prompt.as_deref(),
                    description.as_deref(),
                )?;
                if self.detail.full
                    && let Some(prompt) = prompt
                {
                    self.opened(style::PLAIN, prompt)?;
                }
                self.output(result.as_deref().unwrap_or(""), false)
            }
            ItemKind::SubAgentActivity { kind, agent_thread_id, agent_path, .. } => {
                let name = if agent_path.is_empty() { agent_thread_id } else { agent_path };
                let object = format!("{} {}", text::line(name), text::line(kind));
                self.call(&Call {
                    verb: "agent".into(),
                    object: object.into(),
                    ..Call::default()
                })?;
                if kind == "started" { self.pointer(agent_thread_id) } else { Ok(()) }
            }
            ItemKind::WebSearch { query, action, results, status, text: answer } => {
                let kind = action.as_ref().and_then(|a| a.get().str("type").map(Cow::into_owned));
                let page = action.as_ref().and_then(|a| a.get().str("url").map(Cow::into_owned));
                let (verb, object) = match (kind.as_deref(), page) {
                    (Some("openPage" | "open_page" | "fetch"), Some(url)) => ("fetch", url),
                    (Some("findInPage" | "find_in_page"), _) => ("find", query.clone()),
                    _ => ("search", query.clone()),
                };
                let object = text::line(text::beginning(&object, GLANCE)).into_owned();
                let end = status.map_or(End::Quiet, End::of);
                let bad = end.is_bad();
                self.call(&Call {
                    verb: verb.into(),
                    object: object.into(),
                    end,
                    duration_ms: None,
                })?;
                let found = results.as_ref().map(|r| call::result_text(r.get()));
                self.output(answer.as_deref().or(found.as_deref()).unwrap_or(""), bad)
            }
            ItemKind::ImageView { path } => {
                let object = self.relative(&text::line(path));
                self.call(&Call { verb: "image".into(), object: object.into(), ..Call::default() })
            }
            ItemKind::Sleep { duration_ms } => {
                let object = time::duration(*duration_ms);
                self.call(&Call { verb: "sleep".into(), object: object.into(), ..Call::default() })
            }
            ItemKind::ImageGeneration { status, revised_prompt, saved_path, .. } => {
                let object = revised_prompt.as_deref().or(saved_path.as_deref()).unwrap_or("");
                let object = text::line(text::beginning(object, GLANCE));
                let end = match status.as_str() {
                    "completed" | "generating" => End::Good,
                    "" => End::Quiet,
                    other => End::Bad(text::line(text::beginning(other, 40)).into_owned()),
                };
                self.call(&Call { verb: "draw".into(), object, end, duration_ms: None })?;
                if let Some(path) = saved_path {
                    self.opened(style::DIM, &self.relative(&text::line(path)))?;
                }
                Ok(())
            }
            ItemKind::EnteredReviewMode { review } => {
                self.prose()?;
                let review = text::line(text::beginning(review, GLANCE));
                self.divider(style::STRONG, "Review", &review)
            }
            ItemKind::ExitedReviewMode { review } => {
                self.heading("Review ended")?;
                self.markdown(review, 2)
            }
            ItemKind::ContextCompaction { summary, trigger } => {
                self.prose()?;
                let by =
                    trigger.as_deref().map(|t| format!(" ({})", text::line(t))).unwrap_or_default();
                self.divider(style::WARNING, &format!("history compacted{by}"), "")?;
                match summary.as_deref().filter(|s| !s.trim().is_empty()) {
                    Some(summary) if self.detail.full => {
                        writeln!(self.out)?;
                        self.markdown(summary, 2)
                    }
                    Some(summary) => {
                        let size = amount::count(summary.chars().count() as u64);
                        let line = format!("  summary, {size} characters (--full)");
                        writeln!(self.out, "{}", self.paint.of(style::DIM, line))
                    }
                    None => Ok(()),
                }
            }
            ItemKind::HookPrompt { fragments } => self.hook(fragments),
            ItemKind::Notice { level, text } => {
                let (style, label) = match level {
                    NoticeLevel::Info => (style::DIM, "note: "),
                    NoticeLevel::Warning => (style::WARNING, "warning: "),
                    NoticeLevel::Error => (style::BAD, "error: "),
                };
                self.prose()?;
                self.labelled(style, label, text)
            }
        }
    }

    // ---- prose

    /// A blank line before prose.
    fn prose(&mut self) -> io::Result<()> {
        self.last = Last::Prose;
        writeln!(self.out)
    }

    fn heading(&mut self, name: &str) -> io::Result<()> {
        self.prose()?;
        write!(self.out, "{}", self.paint.of(style::STRONG, name))?;
        if self.recovered {
            write!(self.out, "{}", self.paint.of(style::DIM, RECOVERED))?;
        }
        writeln!(self.out)
    }

    fn markdown(&mut self, text: &str, indent: usize) -> io::Result<()> {
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

    fn line(&mut self, line: &Line, indent: usize) -> io::Result<()> {
        if !line.0.is_empty() {
            write!(self.out, "{:indent$}", "")?;
            line.write(self.out, self.paint)?;
        }
        writeln!(self.out)
    }

    fn user(&mut self, content: &[UserInput]) -> io::Result<()> {
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
    fn labelled(&mut self, style: Style, label: &str, content: &str) -> io::Result<()> {
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

    fn divider(&mut self, style: Style, name: &str, more: &str) -> io::Result<()> {
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

    fn hook(&mut self, fragments: &[HookFragment]) -> io::Result<()> {
        let all: Vec<&str> = fragments.iter().map(|f| f.text.as_str()).collect();
        let all = all.join("\n");
        let glance = text::line(text::beginning(&all, GLANCE)).into_owned();
        self.call(&Call { verb: "hook".into(), object: glance.into(), ..Call::default() })?;
        if self.detail.full { self.opened(style::DIM, &all) } else { Ok(()) }
    }

    // ---- reasoning

    fn reasoning(&mut self, summary: &[String], content: &[String]) -> io::Result<()> {
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
    fn reasoning_line(&mut self) -> io::Result<()> {
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

    // ---- calls

    fn before_call(&mut self) -> io::Result<()> {
        if self.last != Last::Call {
            writeln!(self.out)?;
        }
        self.last = Last::Call;
        Ok(())
    }

    /// One line: what was done, to what, how it ended, how long it took.
    fn call(&mut self, call: &Call<'_>) -> io::Result<()> {
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

    fn changes(&mut self, changes: &[FileUpdate], status: ItemStatus) -> io::Result<()> {
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
            let path = self.relative(&text::line(&change.path));
            let (verb, path) = match &change.kind {
                PatchKind::Add => ("add", path),
                PatchKind::Delete => ("delete", path),
                PatchKind::Update { move_path: Some(to) } => {
                    ("move", format!("{path} to {}", self.relative(&text::line(to))))
                }
                PatchKind::Update { move_path: None } => ("edit", path),
            };
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

    fn agent(
        &mut self,
        tool: &str,
        status: ItemStatus,
        receivers: &[String],
        prompt: Option<&str>,
        description: Option<&str>,
    ) -> io::Result<()> {
        let about = description.or(prompt).unwrap_or("");
        let about = text::line(text::beginning(about, GLANCE));
        let object =
            if tool == "spawnAgent" { about.into_owned() } else { named(&words(tool), &about) };
        self.call(&Call {
            verb: "agent".into(),
            object: object.into(),
            end: End::of(status),
            duration_ms: None,
        })?;
        if tool == "spawnAgent" {
            for id in receivers {
                self.pointer(id)?;
            }
        }
        Ok(())
    }

    /// The command that shows another thread.
    fn pointer(&mut self, id: &str) -> io::Result<()> {
        let command = format!("    {} show {}", self.program, text::line(id));
        writeln!(self.out, "{}", self.paint.of(style::ID, command))
    }

    // ---- opened calls

    fn json_arguments(&mut self, arguments: &recount_session::RawJson) -> io::Result<()> {
        let value = arguments.get();
        let members = value.members().count();
        // One short member stands in the line of the call already.
        let told = match members {
            0 => value.is_null() || value.is_object(),
            1 => value.raw().len() < self.columns && !value.raw().contains("\\n"),
            _ => false,
        };
        if !self.detail.full || told {
            return Ok(());
        }
        let mut shown = String::new();
        if value.is_object() {
            for (key, member) in value.members() {
                let member = member.as_str().unwrap_or_else(|| Cow::Borrowed(member.raw()));
                let _ = writeln!(shown, "{}: {member}", key.get());
            }
        } else {
            shown.push_str(&call::result_text(value));
        }
        self.opened(style::PLAIN, &shown)
    }

    /// The output of a call: whole when calls are opened, its end when it failed.
    fn output(&mut self, output: &str, bad: bool) -> io::Result<()> {
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
    fn opened(&mut self, style: Style, content: &str) -> io::Result<()> {
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

    /// A path relative to the thread's working directory.
    fn relative(&self, path: &str) -> String {
        let cwd = self.thread.cwd.as_deref().unwrap_or("").trim_end_matches('/');
        match path.strip_prefix(cwd).filter(|_| !cwd.is_empty()) {
            Some("" | "/") => ".".to_owned(),
            Some(rest) if rest.starts_with('/') => rest[1..].to_owned(),
            _ => super::thread::tilde(path),
        }
    }
}

/// ` +3`; nothing for none.
fn signed(sign: &str, lines: usize) -> String {
    if lines == 0 { String::new() } else { format!(" {sign}{lines}") }
}

fn named(name: &str, about: &str) -> String {
    let name = text::line(name);
    if about.is_empty() { name.into_owned() } else { format!("{name} {about}") }
}

/// `sendInput` as `send input`.
fn words(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
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
