//! One record as lines.
//!
//! - `out`: lines, as they are made
//! - `call`: commands, looks and tools
//! - `change`: changes of files

use recount_session::history::record::message::{MessageRole, PlainMessage, TextTone};
use recount_session::history::record::other::{PlanUpdate, RateLimits, StepStatus};
use recount_session::history::record::patch::DiffLineKind;
use recount_session::history::{Kind, Record};
use recount_text::flow::{Line, Span, wrap};
use recount_text::paint::style;
use recount_text::{amount, text, time};

use crate::words;

mod call;
mod change;
mod out;

use out::{MOST_LINES, Out, PROSE, beginning, tone};

/// How a record is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns.
    pub columns: usize,
    /// Whether it is opened.
    pub open: bool,
    /// Whether reasoning is shown.
    pub reasoning: bool,
    /// Whether somebody writes the session: what has no result yet is at work.
    pub alive: bool,
    /// Whether there are colours; without them code keeps its ticks.
    pub colours: bool,
}

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

/// Whether some of a text is not drawn for its length.
pub fn is_cut(text: &str) -> bool {
    text.len() > out::MOST_BYTES || text.lines().nth(MOST_LINES).is_some()
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
        Kind::Exec(e) => call::exec(e, &mut out),
        Kind::Explore(e) => call::explore(e, &mut out),
        Kind::ToolCall(t) => call::tool(t, &mut out),
        Kind::RunningTool(t) => {
            out.call("▸", style::WARNING, &t.title, &t.arguments, out.unfinished());
            if look.open {
                out.arguments(&t.arguments);
            }
        }
        Kind::Patch(p) => change::patch(p, &mut out),
        Kind::Diff(d) => {
            let count: usize = d.hunks.iter().map(|h| h.lines.len()).sum();
            out.one(&[
                (style::NAME, out.fold()),
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
                out.more(count.saturating_sub(MOST_LINES));
            }
        }
        Kind::PlanUpdate(p) => plan(p, &mut out),
        Kind::Image(i) => {
            let caption = i.caption.get().map_or("", String::as_str);
            // What has no path of its own is named by its type.
            let sign = if i.path.starts_with("image/") { "▣ " } else { "▣ image " };
            out.one(&[
                (style::NAME, sign),
                (style::PLAIN, &text::line(&i.path)),
                (style::DIM, &format!(" {}", text::line(caption))),
            ]);
        }
        Kind::BackgroundEvent(b) => {
            let mark = record.origin().is_some_and(|o| o.item_type == "contextCompaction");
            if mark {
                let sign = if b.description.is_empty() { "" } else { out.fold() };
                out.rule(&format!("{sign}{}", b.title));
                if look.open {
                    out.markdown(&b.description, 2);
                }
            } else {
                // What stands below it once it is open is not said twice.
                let told = if look.open { "" } else { text::beginning(&b.description, 300) };
                out.one(&[
                    (style::DIM, "· "),
                    (style::NAME, &text::line(&b.title)),
                    (style::DIM, &format!("  {}", text::line(told))),
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

fn message(message: &PlainMessage, out: &mut Out<'_>) {
    let bar = match message.role {
        MessageRole::User => style::PERSON,
        MessageRole::Error => style::BAD,
        _ => style::DIM,
    };
    if let Some(header) = message.header.get() {
        out.one(&[(bar, "▌ "), (style::STRONG, &text::line(&header.label))]);
    }
    // What the model writes is Markdown; what a person types stands as it was typed.
    if message.role == MessageRole::Assistant {
        out.markdown(&words::lines(&message.lines), 2);
        return;
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
    let window = |minutes: Option<&u64>, percent: f64| {
        let long = minutes.map(|minutes| {
            time::duration(i64::try_from(minutes.saturating_mul(60_000)).unwrap_or(i64::MAX))
        });
        format!("{percent:.0} %{}", long.map(|l| format!(" of {l}")).unwrap_or_default())
    };
    let mut told =
        vec![window(limits.primary_window_minutes.get(), limits.primary_used_percent.get())];
    // A window without a length of which nothing was used is one that was not told.
    let (second, percent) =
        (limits.secondary_window_minutes.get(), limits.secondary_used_percent.get());
    if second.is_some() || percent > 0.0 {
        told.push(window(second, percent));
    }
    out.one(&[(style::DIM, &format!("rate limits used: {}", told.join(" · ")))]);
}
