//! Calls as lines: commands, looks, tools.

use recount_session::history::Timestamp;
use recount_session::history::record::exec::{
    Exec, ExecStatus, Explore, ExploreState, ExploreStatus, cut_bytes,
};
use recount_session::history::record::tool::{ToolArgument, ToolCall, ToolStatus};
use recount_text::paint::style;
use recount_text::{amount, text, time};

use super::out::Out;
use crate::words;

/// So many lines of what a failed command said stand below it while it is closed.
const LAST_WORDS: usize = 3;

pub(super) fn exec(exec: &Exec, out: &mut Out<'_>) {
    let command = words::command(&exec.command);
    let shown = text::line(text::beginning(&command, 600)).into_owned();
    let took = match (exec.completed_at.get().and_then(Timestamp::millis), exec.started_at.millis())
    {
        (Some(end), Some(start)) if end > start => format!("  {}", time::duration(end - start)),
        _ => String::new(),
    };
    let (mark, end) = match (exec.status, exec.exit_code.get()) {
        (ExecStatus::Running, _) => (style::WARNING, format!("  {}", out.unfinished())),
        (ExecStatus::Success, _) => (style::GOOD, String::new()),
        (ExecStatus::Error, Some(code)) => (style::BAD, format!("  exit {code}")),
        (ExecStatus::Error, None) => (style::BAD, "  failed".to_owned()),
    };
    let room = out.look.columns.saturating_sub(4 + text::width(&end) + text::width(&took));
    let shown = text::fit(&shown, room.max(8)).into_owned();
    out.one(&[
        (mark, out.fold()),
        (mark, "$ "),
        (style::PLAIN, &shown),
        (mark, &end),
        (style::DIM, &took),
    ]);
    let output: String =
        exec.stdout_chunks.iter().chain(&exec.stderr_chunks).map(|c| c.content.as_str()).collect();
    if out.look.open {
        // What did not fit into the line above stands here whole.
        if command.contains('\n') || text::width(&command) > room {
            out.code(&command, "sh", 2);
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

pub(super) fn explore(explore: &Explore, out: &mut Out<'_>) {
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
    // Without colours the sign alone tells.
    let sign = if failed && !out.look.open { "✗ " } else { out.fold() };
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
pub(super) fn telling(arguments: &[ToolArgument]) -> String {
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

pub(super) fn tool(tool: &ToolCall, out: &mut Out<'_>) {
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
        let said = tool.result_preview.get().filter(|r| r.lines.iter().any(|l| !l.is_empty()));
        if let Some(result) = said {
            out.one(&[(style::DIM, "    ─")]);
            out.plain(&result.lines.join("\n"), style::PLAIN, 4);
            if result.truncated {
                out.one(&[(style::DIM, "    … and more")]);
            }
        }
    }
}
