//! What stands in a turn.
//!
//! - [`prose`]: what was said
//! - [`calls`]: what was done

use std::borrow::Cow;
use std::io::{self, Write};

use recount_session::model::item::{ContentItem, ItemStatus, NoticeLevel};
use recount_session::model::{Item, ItemKind, Thread, Turn};

use super::call::{self, Call, End, GLANCE};
use super::thread::Detail;
use crate::output::paint::{Paint, style};
use crate::output::{Screen, amount, text, time};

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
}

fn named(name: &str, about: &str) -> String {
    let name = text::line(name);
    if about.is_empty() { name.into_owned() } else { format!("{name} {about}") }
}
