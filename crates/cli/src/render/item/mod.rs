//! What stands in a turn.
//!
//! - [`prose`]: what was said
//! - [`calls`]: what was done

use std::io::{self, Write};

use recount_session::model::item::NoticeLevel;
use recount_session::model::{Item, ItemKind, Thread, Turn};

use super::call::GLANCE;
use super::thread::Detail;
use crate::output::paint::{Paint, style};
use crate::output::{Screen, amount, text};

mod calls;
mod prose;

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
            ItemKind::FileChange { changes, status } => self.changes(changes, *status),
            ItemKind::CollabAgentToolCall { tool, receiver_thread_ids, .. } => {
                let started = if tool == "spawnAgent" { &receiver_thread_ids[..] } else { &[] };
                self.told(item, started)
            }
            ItemKind::SubAgentActivity { kind, agent_thread_id, .. } => {
                let started = std::slice::from_ref(agent_thread_id);
                self.told(item, if kind == "started" { started } else { &[] })
            }
            ItemKind::CommandExecution { .. }
            | ItemKind::McpToolCall { .. }
            | ItemKind::DynamicToolCall { .. }
            | ItemKind::FunctionCallOutput { .. }
            | ItemKind::WebSearch { .. }
            | ItemKind::ImageView { .. }
            | ItemKind::ImageGeneration { .. }
            | ItemKind::Sleep { .. }
            | ItemKind::HookPrompt { .. } => self.told(item, &[]),
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
}
