//! One record as lines.

use anstyle::Style;
use recount_session::history::record::exec::{
    Exec, ExecStatus, Explore, ExploreState, ExploreStatus, cut_bytes,
};
use recount_session::history::record::message::{MessageLine, MessageRole, PlainMessage, TextTone};
use recount_session::history::record::other::{PlanUpdate, RateLimits, StepStatus};
use recount_session::history::record::patch::{DiffLineKind, FileChange, Patch, PatchEvent};
use recount_session::history::record::tool::{ToolArgument, ToolCall, ToolStatus};
use recount_session::history::{Kind, Record, Timestamp};
use recount_text::flow::{Line, Span, wrap, wrap_plain};
use recount_text::highlight;
use recount_text::markdown::{diff_style, render_with};
use recount_text::paint::{Paint, style};
use recount_text::{amount, text, time};

use crate::{code, words};

/// How a record is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns.
    pub columns: usize,
    /// Whether it is opened.
    pub open: bool,
    /// Whether reasoning is shown.
    pub reasoning: bool,
    /// Whether there are colours; without them code keeps its ticks.
    pub colours: bool,
}

/// Prose wider than this is hard to read.
const PROSE: usize = 100;
/// So many lines of an output, argument or diff are drawn; the editor shows all of it.
const MOST_LINES: usize = 2_000;
/// So many bytes of a text are drawn.
const MOST_BYTES: usize = 512 << 10;
/// So many lines of what a failed command said stand below it while it is closed.
const LAST_WORDS: usize = 3;

/// Whether a record is a line or two among others of its kind, which no blank line sets apart.
pub fn is_tight(record: &Record, open: bool) -> bool {
    !open
        && matches!(
            record.kind(),
            Kind::Exec(_)
                | Kind::ToolCall(_)
                | Kind::RunningTool(_)
                | Kind::Explore(_)
                | Kind::Patch(_)
                | Kind::Image(_)
                | Kind::WaitStatus(_)
        )
}

/// Whether a record is closed until somebody opens it.
pub fn is_foldable(record: &Record) -> bool {
    match record.kind() {
        Kind::Exec(_)
        | Kind::ToolCall(_)
        | Kind::RunningTool(_)
        | Kind::Explore(_)
        | Kind::Patch(_)
        | Kind::Reasoning(_)
        | Kind::Diff(_) => true,
        Kind::BackgroundEvent(event) => !event.description.is_empty(),
        _ => false,
    }
}

/// The lines of a record. None at all: it is not shown. Paths below the working directory are shown from there.
pub fn lines(record: &Record, look: Look, cwd: Option<&str>) -> Vec<Line> {
    let mut out = Out { lines: Vec::new(), look, cwd: cwd.unwrap_or_default() };
    match record.kind() {
        Kind::PlainMessage(m) => message(m, &mut out),
        Kind::AssistantMessage(m) => out.markdown(&m.markdown, 0),
        Kind::AssistantStream(s) => out.markdown(&s.preview_markdown, 0),
        Kind::Reasoning(r) => {
            if look.reasoning || look.open {
                let mut head = Line::default();
                head.push(style::DIM, if r.in_progress { "thinking" } else { "thought" });
                out.lines.push(head);
                out.quoted(&words::reasoning(r));
            } else if !r.hide_when_collapsed {
                let heads: Vec<&str> =
                    r.sections.iter().filter_map(|s| s.heading.get().map(String::as_str)).collect();
                if !heads.is_empty() {
                    out.one(&[
                        (style::DIM, "thought: "),
                        (style::DIM, &text::line(&heads.join(" · "))),
                    ]);
                }
            }
        }
        Kind::Exec(e) => exec(e, &mut out),
        Kind::Explore(e) => explore(e, &mut out),
        Kind::ToolCall(t) => tool(t, &mut out),
        Kind::RunningTool(t) => {
            out.call("▸", style::WARNING, &t.title, &t.arguments, "no result");
            if look.open {
                out.arguments(&t.arguments);
            }
        }
        Kind::Patch(p) => patch(p, &mut out),
        Kind::Diff(d) => {
            let count = d.hunks.iter().map(|h| h.lines.len()).sum();
            out.one(&[
                (style::NAME, "diff "),
                (style::DIM, &amount::plural(count, "line", "lines")),
            ]);
            if look.open {
                for line in d.hunks.iter().flat_map(|h| &h.lines).take(MOST_LINES) {
                    let sign = match line.kind {
                        DiffLineKind::Context => ' ',
                        DiffLineKind::Added => '+',
                        DiffLineKind::Removed => '-',
                    };
                    out.diff_line(&format!("{sign}{}", line.text));
                }
            }
        }
        Kind::PlanUpdate(p) => plan(p, &mut out),
        Kind::Image(i) => {
            let caption = i.caption.get().map_or("", String::as_str);
            out.one(&[
                (style::NAME, "▣ image "),
                (style::PLAIN, &text::line(&i.path)),
                (style::DIM, &format!(" {}", text::line(caption))),
            ]);
        }
        Kind::BackgroundEvent(b) => {
            let mark = record.origin().is_some_and(|o| o.item_type == "contextCompaction");
            if mark {
                out.rule(&b.title);
                if look.open {
                    out.markdown(&b.description, 2);
                }
            } else {
                out.one(&[
                    (style::DIM, "· "),
                    (style::NAME, &text::line(&b.title)),
                    (
                        style::DIM,
                        &format!("  {}", text::line(text::beginning(&b.description, 300))),
                    ),
                ]);
                if look.open {
                    out.plain(&b.description, style::DIM, 2);
                }
            }
        }
        Kind::Notice(n) => {
            if let Some(title) = n.title.get() {
                out.one(&[(style::STRONG, &text::line(title))]);
            }
            out.toned("· ", &n.body);
        }
        Kind::WaitStatus(w) => {
            let summary = w.header.summary.get().map_or("", String::as_str);
            out.one(&[
                (style::DIM, "⧗ "),
                (tone(w.header.title_tone), &text::line(&w.header.title)),
                (tone(w.header.summary_tone), &format!(" {}", text::line(summary))),
            ]);
        }
        Kind::Loading(l) => out.one(&[(style::DIM, &text::line(&l.message))]),
        Kind::UpgradeNotice(u) => out.one(&[(style::WARNING, &text::line(&u.message))]),
        Kind::RateLimits(l) => limits(l, &mut out),
    }
    out.lines
}

struct Out<'a> {
    lines: Vec<Line>,
    look: Look,
    cwd: &'a str,
}

impl Out<'_> {
    /// A path, from the working directory where it lies below that.
    fn path<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.cwd).and_then(|rest| rest.strip_prefix('/'));
        below.filter(|rest| !self.cwd.is_empty() && !rest.is_empty()).unwrap_or(path)
    }

    fn paint(&self) -> Paint {
        Paint(self.look.colours)
    }

    /// One line, cut to the room.
    fn one(&mut self, parts: &[(Style, &str)]) {
        let mut line = Line::default();
        let mut room = self.look.columns;
        for (style, part) in parts {
            let part = text::fit(part, room);
            room = room.saturating_sub(text::width(&part));
            line.push(*style, &part);
        }
        self.lines.push(line);
    }

    fn indented(&mut self, indent: usize, lines: impl IntoIterator<Item = Line>) {
        for line in lines {
            let mut whole = Line::default();
            if !line.0.is_empty() {
                whole.push(style::PLAIN, &" ".repeat(indent));
            }
            whole.0.extend(line.0);
            self.lines.push(whole);
        }
    }

    fn markdown(&mut self, markdown: &str, indent: usize) {
        let (shown, more) = beginning(markdown);
        let columns = self.look.columns.saturating_sub(indent).clamp(8, PROSE);
        let lines = render_with(shown, columns, self.paint(), &code::lines);
        self.indented(indent, lines);
        self.more(more);
    }

    /// Text that is quieter than what surrounds it, with a bar at its side.
    fn quoted(&mut self, markdown: &str) {
        let columns = self.look.columns.saturating_sub(2).clamp(8, PROSE);
        for line in render_with(beginning(markdown).0, columns, self.paint(), &|_, _| None) {
            let mut whole = Line::default();
            whole.push(style::DIM, "┊ ");
            for span in line.0 {
                whole.push(span.style.dimmed(), &span.text);
            }
            self.lines.push(whole);
        }
    }

    fn plain(&mut self, content: &str, style: Style, indent: usize) {
        let (shown, more) = beginning(content);
        let shown = text::clean(shown.trim_end_matches('\n'));
        let columns = self.look.columns.saturating_sub(indent).max(8);
        let mut count = 0;
        for raw in shown.split('\n').take(MOST_LINES) {
            count += 1;
            self.indented(indent, wrap_plain(raw, style, columns));
        }
        self.more(more + shown.split('\n').count() - count);
    }

    fn more(&mut self, lines: usize) {
        if lines > 0 {
            self.one(&[(style::DIM, &format!("  … {lines} more; `e` shows all of it"))]);
        }
    }

    fn arguments(&mut self, arguments: &[ToolArgument]) {
        self.plain(&words::arguments(arguments), style::DIM, 4);
    }

    /// The head of a call: sign, what was done, to what, and how it went.
    fn call(
        &mut self,
        sign: &str,
        style: Style,
        title: &str,
        arguments: &[ToolArgument],
        end: &str,
    ) {
        let title = text::line(text::beginning(title, 200)).into_owned();
        let told = telling(arguments);
        let told = self.path(&told);
        let room = self.look.columns.saturating_sub(text::width(&title) + 3 + text::width(end) + 2);
        let told = text::fit(told, room.max(8)).into_owned();
        self.one(&[
            (style, sign),
            (style::PLAIN, " "),
            (style::NAME, &title),
            (style::PLAIN, " "),
            (style::PLAIN, &told),
            (style::DIM, &format!("  {end}")),
        ]);
    }

    fn diff_line(&mut self, raw: &str) {
        let line = text::clean(raw);
        let style = diff_style(&line);
        let style = if style == style::PLAIN { style::DIM } else { style };
        let (sign, rest) = line.split_at(line.chars().next().map_or(0, char::len_utf8));
        let columns = self.look.columns.saturating_sub(5).max(8);
        for (n, part) in wrap_plain(rest, style, columns).into_iter().enumerate() {
            let mut whole = Line::default();
            whole.push(style::PLAIN, "    ");
            whole.push(style, if n == 0 { sign } else { " " });
            whole.0.extend(part.0);
            self.lines.push(whole);
        }
    }

    /// A line across, with words in it.
    fn rule(&mut self, title: &str) {
        let title = format!(" {} ", text::line(title));
        let room = self.look.columns.min(PROSE).saturating_sub(text::width(&title) + 2);
        self.one(&[(style::DIM, "──"), (style::WARNING, &title), (style::DIM, &"─".repeat(room))]);
    }

    /// Lines as their writer toned them.
    fn toned(&mut self, sign: &str, lines: &[MessageLine]) {
        for (n, line) in lines.iter().enumerate() {
            let mut spans = vec![Span {
                style: style::DIM,
                text: if n == 0 { sign.to_owned() } else { " ".repeat(text::width(sign)) },
            }];
            spans.extend(
                line.spans
                    .iter()
                    .map(|s| Span { style: tone(s.tone), text: text::clean(&s.text).into_owned() }),
            );
            self.lines.extend(wrap(&spans, self.look.columns.clamp(8, PROSE)));
        }
    }
}

/// As much of a text as is drawn, and how many lines are not.
fn beginning(content: &str) -> (&str, usize) {
    if content.len() <= MOST_BYTES {
        return (content, 0);
    }
    let end = (0..=MOST_BYTES).rev().find(|n| content.is_char_boundary(*n)).unwrap_or(0);
    (&content[..end], content[end..].lines().count())
}

fn tone(tone: TextTone) -> Style {
    match tone {
        TextTone::Default => style::PLAIN,
        TextTone::Dim | TextTone::Info => style::DIM,
        TextTone::Primary => style::STRONG,
        TextTone::Success => style::GOOD,
        TextTone::Warning => style::WARNING,
        TextTone::Error => style::BAD,
    }
}

fn message(message: &PlainMessage, out: &mut Out<'_>) {
    let bar = match message.role {
        MessageRole::User => style::PERSON,
        MessageRole::Error => style::BAD,
        _ => style::DIM,
    };
    if let Some(header) = message.header.get() {
        out.one(&[(bar, "▌ "), (style::STRONG, &text::line(&header.label))]);
    }
    let columns = out.look.columns.saturating_sub(2).clamp(8, PROSE);
    let mut count = 0;
    for line in message.lines.iter().take(MOST_LINES) {
        let spans: Vec<Span> = line
            .spans
            .iter()
            .map(|s| {
                let style = if message.role == MessageRole::User && s.tone == TextTone::Default {
                    style::STRONG
                } else {
                    tone(s.tone)
                };
                Span { style, text: text::clean(beginning(&s.text).0).into_owned() }
            })
            .collect();
        count += 1;
        for wrapped in wrap(&spans, columns) {
            let mut whole = Line::default();
            whole.push(bar, "▌ ");
            whole.0.extend(wrapped.0);
            out.lines.push(whole);
        }
    }
    out.more(message.lines.len() - count);
}

fn exec(exec: &Exec, out: &mut Out<'_>) {
    let command = words::command(&exec.command);
    let shown = text::line(text::beginning(&command, 600)).into_owned();
    let took = match (exec.completed_at.get().and_then(Timestamp::millis), exec.started_at.millis())
    {
        (Some(end), Some(start)) if end > start => format!("  {}", time::duration(end - start)),
        _ => String::new(),
    };
    let (mark, end) = match (exec.status, exec.exit_code.get()) {
        (ExecStatus::Running, _) => (style::WARNING, "  no result".to_owned()),
        (ExecStatus::Success, _) => (style::GOOD, String::new()),
        (ExecStatus::Error, Some(code)) => (style::BAD, format!("  exit {code}")),
        (ExecStatus::Error, None) => (style::BAD, "  failed".to_owned()),
    };
    let room = out.look.columns.saturating_sub(2 + text::width(&end) + text::width(&took));
    let shown = text::fit(&shown, room.max(8)).into_owned();
    out.one(&[(mark, "$ "), (style::PLAIN, &shown), (mark, &end), (style::DIM, &took)]);
    let output: String =
        exec.stdout_chunks.iter().chain(&exec.stderr_chunks).map(|c| c.content.as_str()).collect();
    if out.look.open {
        if command.contains('\n') {
            out.plain(&command, style::CODE, 2);
        }
        let cut = cut_bytes(&exec.stdout_chunks) + cut_bytes(&exec.stderr_chunks);
        if cut > 0 {
            out.one(&[(style::DIM, &format!("    … {} before this", amount::bytes(cut)))]);
        }
        if !output.trim().is_empty() {
            out.plain(&output, style::DIM, 4);
        }
    } else if exec.status == ExecStatus::Error {
        let last: Vec<&str> = output
            .trim_end()
            .lines()
            .rev()
            .filter(|l| !l.trim().is_empty())
            .take(LAST_WORDS)
            .collect();
        for line in last.iter().rev() {
            let line = text::line(text::beginning(line, 300)).into_owned();
            out.one(&[(style::DIM, "    "), (style::DIM, &line)]);
        }
    }
}

fn explore(explore: &Explore, out: &mut Out<'_>) {
    let running = explore
        .entries
        .iter()
        .any(|e| matches!(e.status, ExploreStatus::State(ExploreState::Running)));
    let failed = explore.entries.iter().any(|e| matches!(e.status, ExploreStatus::Failed(_)));
    let mark = if running {
        style::WARNING
    } else if failed {
        style::BAD
    } else {
        style::GOOD
    };
    let sign = if out.look.open { "▾ " } else { "▸ " };
    let what: Vec<String> = explore
        .entries
        .iter()
        .map(|e| {
            let words: Vec<String> = e.command.iter().map(|w| out.path(w).to_owned()).collect();
            text::line(text::beginning(&words::command(&words), 120)).into_owned()
        })
        .collect();
    let count = amount::plural(what.len(), "look", "looks");
    out.one(&[
        (mark, sign),
        (style::NAME, &count),
        (style::DIM, "  "),
        (style::DIM, &what.join(" · ")),
    ]);
}

/// The arguments that tell best what a call is about.
fn telling(arguments: &[ToolArgument]) -> String {
    const FIRST: &[&str] = &[
        "description",
        "pattern",
        "file_path",
        "filePath",
        "path",
        "query",
        "url",
        "command",
        "prompt",
    ];
    let named = FIRST.iter().find_map(|name| arguments.iter().find(|a| a.name == *name));
    let Some(argument) = named.or_else(|| arguments.first()) else { return String::new() };
    let told = words::arguments(std::slice::from_ref(argument));
    let told = told.split_once(": ").map_or(told.as_str(), |(_, value)| value);
    text::line(text::beginning(told, 300)).into_owned()
}

fn tool(tool: &ToolCall, out: &mut Out<'_>) {
    let took =
        tool.duration_ms.get().map(|ms| time::duration(i64::try_from(*ms).unwrap_or(i64::MAX)));
    let (sign, mark) = match tool.status {
        ToolStatus::Running => ("▸", style::WARNING),
        ToolStatus::Success => (if out.look.open { "▾" } else { "▸" }, style::GOOD),
        ToolStatus::Failed => ("✗", style::BAD),
    };
    out.call(sign, mark, &tool.title, &tool.arguments, &took.unwrap_or_default());
    if let Some(error) = tool.error_message.get() {
        let error = text::line(text::beginning(error, 300)).into_owned();
        out.one(&[(style::BAD, "    "), (style::BAD, &error)]);
    }
    if out.look.open {
        out.arguments(&tool.arguments);
        if let Some(result) = tool.result_preview.get() {
            out.one(&[(style::DIM, "    ─")]);
            out.plain(&result.lines.join("\n"), style::PLAIN, 4);
            if result.truncated {
                out.one(&[(style::DIM, "    … and more")]);
            }
        }
    }
}

fn patch(patch: &Patch, out: &mut Out<'_>) {
    let (sign, mark) = match patch.event {
        PatchEvent::ApplySuccess => ("✎ ", style::GOOD),
        PatchEvent::ApplyBegin => ("✎ ", style::WARNING),
        PatchEvent::ApplyFailure => ("✗ ", style::BAD),
        PatchEvent::Proposed => ("? ", style::WARNING),
    };
    for (path, change) in &patch.changes.0 {
        let (word, added, removed) = match change {
            FileChange::Add(file) => ("new ", file.content.lines().count(), 0),
            FileChange::Delete(file) => {
                ("gone ", 0, file.content.get().map_or(0, |c| c.lines().count()))
            }
            FileChange::Update(file) => {
                let of = |sign: char, head: &str| {
                    let counts = |l: &&str| l.starts_with(sign) && !l.starts_with(head);
                    file.unified_diff.lines().filter(counts).count()
                };
                ("", of('+', "+++ "), of('-', "--- "))
            }
        };
        let counts = format!("  +{added} −{removed}");
        let room = out.look.columns.saturating_sub(2 + word.len() + text::width(&counts));
        let path = text::line(out.path(path)).into_owned();
        out.one(&[
            (mark, sign),
            (style::DIM, word),
            (style::NAME, &text::fit_end(&path, room.max(8))),
            (style::ADDED, &format!("  +{added}")),
            (style::REMOVED, &format!(" −{removed}")),
        ]);
        if out.look.open {
            file(path.as_str(), change, out);
        }
    }
    if let Some(failure) = patch.failure.get() {
        out.one(&[(style::BAD, "    "), (style::BAD, &text::line(&failure.message))]);
    }
}

fn file(path: &str, change: &FileChange, out: &mut Out<'_>) {
    let (content, sign) = match change {
        FileChange::Update(file) => {
            let lines = file.unified_diff.lines();
            let mut count = 0;
            for line in lines.take(MOST_LINES) {
                count += 1;
                out.diff_line(line);
            }
            out.more(file.unified_diff.lines().count() - count);
            return;
        }
        FileChange::Add(file) => (file.content.as_str(), "+"),
        FileChange::Delete(file) => (file.content.get().map_or("", String::as_str), "-"),
    };
    let content = text::clean(beginning(content).0).into_owned();
    let mark = if sign == "+" { style::ADDED } else { style::REMOVED };
    let coloured = code::lines(highlight::of_path(path), &content);
    let room = out.look.columns.saturating_sub(5).max(8);
    for (n, raw) in content.lines().enumerate().take(MOST_LINES) {
        let whole = coloured.as_ref().and_then(|c| c.get(n)).filter(|l| l.width() <= room);
        let Some(line) = whole else {
            out.diff_line(&format!("{sign}{raw}"));
            continue;
        };
        let mut shown = Line::default();
        shown.push(style::PLAIN, "    ");
        shown.push(mark, sign);
        shown.0.extend(line.0.iter().cloned());
        out.lines.push(shown);
    }
    out.more(content.lines().count().saturating_sub(MOST_LINES));
}

fn plan(plan: &PlanUpdate, out: &mut Out<'_>) {
    let progress = format!("  {} of {} done", plan.progress.completed, plan.progress.total);
    out.one(&[(style::STRONG, &text::line(&plan.name)), (style::DIM, &progress)]);
    for step in &plan.steps {
        let (sign, mark) = match step.status {
            StepStatus::Pending => ("○ ", style::PLAIN),
            StepStatus::InProgress => ("◐ ", style::WARNING),
            StepStatus::Complete => ("● ", style::DIM),
            StepStatus::Skipped => ("⊘ ", style::DIM),
        };
        let spans = [Span { style: mark, text: text::clean(&step.description).into_owned() }];
        for (n, line) in
            wrap(&spans, out.look.columns.saturating_sub(4).clamp(8, PROSE)).into_iter().enumerate()
        {
            let mut whole = Line::default();
            whole.push(mark, if n == 0 { "  " } else { "    " });
            if n == 0 {
                whole.push(mark, sign);
            }
            whole.0.extend(line.0);
            out.lines.push(whole);
        }
    }
}

fn limits(limits: &RateLimits, out: &mut Out<'_>) {
    let window = |minutes: Option<&u64>| match minutes {
        Some(minutes) => {
            time::duration(i64::try_from(minutes.saturating_mul(60_000)).unwrap_or(i64::MAX))
        }
        None => "window".to_owned(),
    };
    let first = format!(
        "{} {:.0} %",
        window(limits.primary_window_minutes.get()),
        limits.primary_used_percent.get()
    );
    let second = format!(
        "{} {:.0} %",
        window(limits.secondary_window_minutes.get()),
        limits.secondary_used_percent.get()
    );
    out.one(&[(style::DIM, &format!("rate limits used: {first} · {second}"))]);
}
