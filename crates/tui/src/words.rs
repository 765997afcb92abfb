//! One record as plain text, for finding and copying. Nothing in it is made harmless yet.

use std::fmt::Write as _;

use recount_session::history::record::exec::ExecStatus;
use recount_session::history::record::message::{InlineSpan, MessageLine};
use recount_session::history::record::patch::{DiffLineKind, FileChange};
use recount_session::history::record::reasoning::{Reasoning, ReasoningBlock};
use recount_session::history::record::tool::{ArgumentValue, ToolArgument};
use recount_session::history::{Kind, Record};
use recount_text::amount;

/// All text of a record.
pub fn of(record: &Record) -> String {
    match record.kind() {
        Kind::PlainMessage(m) => lines(&m.lines),
        Kind::Notice(n) => {
            let title = n.title.get().map(|t| format!("{t}\n")).unwrap_or_default();
            title + &lines(&n.body)
        }
        Kind::WaitStatus(w) => [Some(&w.header.title), w.header.summary.get()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join(": "),
        Kind::Loading(l) => l.message.clone(),
        Kind::RunningTool(t) => format!("{}\n{}", t.title, arguments(&t.arguments)),
        Kind::ToolCall(t) => {
            let result = t.result_preview.get().map(|r| r.lines.join("\n"));
            let parts = [
                Some(t.title.clone()),
                Some(arguments(&t.arguments)),
                result,
                t.error_message.get().cloned(),
            ];
            parts.into_iter().flatten().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Kind::PlanUpdate(p) => {
            let steps = p.steps.iter().map(|s| format!("[{}] {}", s.status.word(), s.description));
            std::iter::once(p.name.clone()).chain(steps).collect::<Vec<_>>().join("\n")
        }
        Kind::UpgradeNotice(u) => u.message.clone(),
        Kind::Reasoning(r) => reasoning(r),
        Kind::Exec(e) => {
            let out = e.stdout_chunks.iter().chain(&e.stderr_chunks).map(|c| c.content.as_str());
            format!("$ {}\n{}", command(&e.command), out.collect::<String>())
        }
        Kind::AssistantStream(s) => s.preview_markdown.clone(),
        Kind::AssistantMessage(m) => m.markdown.clone(),
        Kind::Diff(d) => {
            let mut out = String::new();
            for hunk in &d.hunks {
                out.push_str(&hunk.header);
                out.push('\n');
                for line in &hunk.lines {
                    out.push(match line.kind {
                        DiffLineKind::Context => ' ',
                        DiffLineKind::Added => '+',
                        DiffLineKind::Removed => '-',
                    });
                    out.push_str(&line.text);
                    out.push('\n');
                }
            }
            out
        }
        Kind::Image(i) => [Some(&i.path), i.caption.get()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<_>>()
            .join("\n"),
        Kind::Explore(e) => {
            e.entries.iter().map(|e| command(&e.command)).collect::<Vec<_>>().join("\n")
        }
        Kind::RateLimits(l) => {
            format!("{} % {} %", l.primary_used_percent.get(), l.secondary_used_percent.get())
        }
        Kind::Patch(p) => {
            let change = |(path, change): &(String, FileChange)| match change {
                FileChange::Add(file) => format!("{path}\n{}", file.content),
                FileChange::Delete(file) => {
                    format!("{path}\n{}", file.content.get().map_or("", String::as_str))
                }
                FileChange::Update(file) => format!("{path}\n{}", file.unified_diff),
            };
            p.changes.0.iter().map(change).collect::<Vec<_>>().join("\n")
        }
        Kind::BackgroundEvent(b) => format!("{}\n{}", b.title, b.description),
    }
}

/// What is drawn of a record beside its text.
pub fn around(record: &Record) -> String {
    match record.kind() {
        Kind::Exec(e) => match (e.status, e.exit_code.get()) {
            (ExecStatus::Error, Some(code)) => format!("exit {code}"),
            (ExecStatus::Error, None) => "failed".to_owned(),
            (ExecStatus::Running, _) => "no result running".to_owned(),
            (ExecStatus::Success, _) => String::new(),
        },
        Kind::Explore(e) => amount::plural(e.entries.len(), "look", "looks"),
        Kind::RunningTool(_) => "no result running".to_owned(),
        Kind::Image(_) => "image".to_owned(),
        _ => String::new(),
    }
}

/// A command as a person would type it: the script that a shell was started for.
pub fn command(words: &[String]) -> String {
    match words {
        [program, flags, script]
            if flags.starts_with('-')
                && flags.ends_with('c')
                && program.rsplit('/').next().is_some_and(|p| p.ends_with("sh")) =>
        {
            script.clone()
        }
        _ => words.join(" "),
    }
}

/// The text of spans.
pub fn spans(spans: &[InlineSpan]) -> String {
    spans.iter().map(|s| s.text.as_str()).collect()
}

/// The text of lines.
pub fn lines(lines: &[MessageLine]) -> String {
    lines.iter().map(|l| spans(&l.spans)).collect::<Vec<_>>().join("\n")
}

/// Arguments, one a line.
pub fn arguments(arguments: &[ToolArgument]) -> String {
    let one = |a: &ToolArgument| match &a.value {
        ArgumentValue::Text(text) => format!("{}: {}", a.name, text.text),
        ArgumentValue::Json(value) => format!("{}: {}", a.name, value.value.as_str()),
        ArgumentValue::Secret(_) => format!("{}: •••", a.name),
    };
    arguments.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Reasoning as Markdown.
pub fn reasoning(reasoning: &Reasoning) -> String {
    let mut out = String::new();
    for section in &reasoning.sections {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        if let Some(heading) = section.heading.get() {
            let _ = write!(out, "**{heading}**\n\n");
        }
        out.push_str(&spans(&section.summary));
        for block in &section.blocks {
            out.push_str(match block {
                ReasoningBlock::Bullet(_) => "\n",
                _ => "\n\n",
            });
            match block {
                ReasoningBlock::Paragraph(p) => out.push_str(&spans(&p.spans)),
                ReasoningBlock::Bullet(b) => {
                    out.push_str(&"  ".repeat(b.indent.min(20) as usize));
                    let _ = write!(out, "{} {}", b.marker, spans(&b.spans));
                }
                ReasoningBlock::Code(c) => {
                    let language = c.language.get().map_or("", String::as_str);
                    let _ = write!(out, "```{language}\n{}\n```", c.content);
                }
                ReasoningBlock::Quote(q) => {
                    let _ = write!(out, "> {}", spans(&q.spans));
                }
                ReasoningBlock::Separator(_) => out.push_str("---"),
            }
        }
    }
    out
}
