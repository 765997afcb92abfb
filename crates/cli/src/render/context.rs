//! The model view as a person reads it.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use recount_session::model::{Block, Message, ModelView, Role};

use super::call;
use crate::output::flow::wrap_plain;
use crate::output::paint::style;
use crate::output::{Screen, amount, text};

/// Writes a model view: a line a block, or every block whole.
pub(crate) fn write(
    out: &mut dyn Write,
    screen: &Screen,
    view: &ModelView,
    full: bool,
) -> io::Result<()> {
    let characters: usize = view.messages.iter().flat_map(|m| &m.content).map(size).sum();
    let mut facts = vec![
        amount::plural(view.messages.len(), "message", "messages"),
        format!("{} characters", amount::count(characters as u64)),
    ];
    if view.compactions > 0 {
        facts.push(amount::plural(count(view.compactions), "compaction", "compactions"));
    }
    if view.dropped_turns > 0 {
        let turns = amount::plural(count(view.dropped_turns), "turn", "turns");
        facts.push(format!("{turns} no longer there word for word"));
    }
    writeln!(out, "{}", screen.paint.of(style::DIM, facts.join(", ")))?;
    for (n, message) in view.messages.iter().enumerate() {
        if full || n == 0 {
            writeln!(out)?;
        }
        write_message(out, screen, n + 1, message, full)?;
    }
    Ok(())
}

fn count(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn role(role: Role) -> (&'static str, Style) {
    match role {
        Role::System => ("system", style::WARNING),
        Role::Developer => ("developer", style::WARNING),
        Role::User => ("user", style::PERSON),
        Role::Assistant => ("assistant", style::NAME),
        Role::Tool => ("tool", style::DIM),
    }
}

fn write_message(
    out: &mut dyn Write,
    screen: &Screen,
    number: usize,
    message: &Message,
    full: bool,
) -> io::Result<()> {
    let paint = screen.paint;
    let (name, name_style) = role(message.role);
    if message.content.is_empty() {
        return writeln!(out, "{number:>4}  {}", paint.of(name_style, name));
    }
    for (n, block) in message.content.iter().enumerate() {
        let (number, name) = if n == 0 { (number.to_string(), name) } else { (String::new(), "") };
        let (kind, content) = parts(block);
        let bytes = amount::count(size(block) as u64);
        write!(
            out,
            "{}  {} {}",
            paint.of(style::DIM, format_args!("{number:>4}")),
            paint.of(name_style, format_args!("{name:<10}")),
            paint.of(style::DIM, format_args!("{bytes:>5}")),
        )?;
        let label = kind.as_deref().map(|k| format!("  {k}")).unwrap_or_default();
        write!(out, "{}", paint.of(style::NAME, &label))?;
        if full {
            writeln!(out)?;
            for raw in content.trim_end().split('\n') {
                for line in
                    wrap_plain(&text::clean(raw), style::PLAIN, screen.prose().saturating_sub(6))
                {
                    if !line.0.is_empty() {
                        write!(out, "      ")?;
                        line.write(out, paint)?;
                    }
                    writeln!(out)?;
                }
            }
        } else {
            let room = screen.prose().saturating_sub(24 + text::width(&label));
            let glance = text::line(text::beginning(&content, 300));
            writeln!(out, "  {}", text::fit(&glance, room))?;
        }
    }
    Ok(())
}

/// What kind of block it is, unless plain text, and what it says.
fn parts(block: &Block) -> (Option<Cow<'static, str>>, Cow<'_, str>) {
    match block {
        Block::Text { text } => (None, Cow::Borrowed(text)),
        Block::ToolCall { name, arguments, .. } => {
            let name = text::line(name);
            (Some(format!("call {name}").into()), Cow::Borrowed(arguments.as_str()))
        }
        Block::ToolResult { content, is_error, .. } => {
            let kind = if *is_error { "error" } else { "result" };
            (Some(kind.into()), Cow::Owned(call::result_text(content.get())))
        }
        Block::Reasoning { text } => (Some("reasoning".into()), Cow::Borrowed(text)),
        Block::Image { .. } => (Some("image".into()), Cow::Borrowed("")),
        Block::Document { .. } => (Some("document".into()), Cow::Borrowed("")),
        Block::Audio { .. } => (Some("audio".into()), Cow::Borrowed("")),
        Block::Compaction { value } => {
            (Some("compaction".into()), Cow::Owned(call::result_text(value.get())))
        }
        Block::Raw { value } => (Some("raw".into()), Cow::Borrowed(value.as_str())),
    }
}

fn size(block: &Block) -> usize {
    match block {
        Block::Text { text } | Block::Reasoning { text } => text.chars().count(),
        Block::ToolCall { arguments, .. } => arguments.as_str().chars().count(),
        Block::ToolResult { content, .. } => content.as_str().chars().count(),
        Block::Image { value }
        | Block::Document { value }
        | Block::Audio { value }
        | Block::Compaction { value }
        | Block::Raw { value } => value.as_str().chars().count(),
    }
}
