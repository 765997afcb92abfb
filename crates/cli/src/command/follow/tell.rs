//! What is told of a change.

use std::io::{self, Write};

use recount_session::model::item::{FileUpdate, ItemKind, ItemStatus, UserInput};
use recount_session::model::{Item, Turn, Usage};
use recount_store::SessionHead;
use recount_store::tail::{Change, Part, Snapshot};
use serde::Serialize;

use crate::args::{Follow, Global};
use crate::error::Error;
use crate::output::paint::style;
use crate::output::{self, Screen, text, time};
use crate::render::item::Items;
use crate::render::thread::Detail;

/// An event for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    event: &'static str,
    id: &'a str,
    harness: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<About<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<&'a Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'a Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<bool>,
}

/// A turn without its items.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About<'a> {
    id: &'a str,
    status: recount_session::model::TurnStatus,
    error: &'a Option<recount_session::model::TurnError>,
    started_at: Option<i64>,
    completed_at: Option<i64>,
    duration_ms: Option<i64>,
}

impl<'a> Message<'a> {
    fn new(event: &'static str, head: &'a SessionHead) -> Self {
        Self {
            event,
            id: &head.id,
            harness: head.harness.id(),
            title: None,
            turn_id: None,
            turn: None,
            item: None,
            item_id: None,
            part: None,
            text: None,
            keep: None,
            usage: None,
            running: None,
        }
    }

    fn turn(mut self, turn: &'a Turn) -> Self {
        self.turn_id = Some(&turn.id);
        self.turn = Some(About {
            id: &turn.id,
            status: turn.status,
            error: &turn.error,
            started_at: turn.started_at,
            completed_at: turn.completed_at,
            duration_ms: turn.duration_ms,
        });
        self
    }
}

/// Tells people or programs what happens.
pub(super) struct Teller {
    screen: Screen,
    programs: bool,
    all: bool,
    full: bool,
    reasoning: bool,
    /// The item that was told last before it was complete.
    begun: Option<String>,
}

impl Teller {
    pub(super) fn new(global: &Global, args: &Follow) -> Self {
        Self {
            screen: Screen::of(global),
            programs: global.json || global.jsonl,
            all: args.all,
            full: args.full,
            reasoning: args.reasoning,
            begun: None,
        }
    }

    pub(super) fn is_for_programs(&self) -> bool {
        self.programs
    }

    /// Tells the last items that are there when following begins.
    pub(super) fn begin(&mut self, snapshot: &Snapshot, last: usize) -> Result<(), Error> {
        let thread = &snapshot.thread;
        let mut out = output::stdout();
        if self.programs {
            let event = Message {
                title: thread.title.as_deref(),
                ..Message::new("session", &snapshot.head)
            };
            line(&mut out, &event)?;
        } else {
            let title = text::line(thread.title.as_deref().unwrap_or(&snapshot.head.id));
            writeln!(out, "{}\n", self.screen.paint.of(style::STRONG, title))?;
        }
        out.flush()?;
        let all =
            thread.turns.iter().flat_map(|turn| turn.items.iter().map(move |item| (turn, item)));
        let all: Vec<(&Turn, &Item)> = all.collect();
        for (turn, item) in all.iter().skip(all.len().saturating_sub(last)) {
            self.item("itemCompleted", snapshot, turn, item)?;
        }
        Ok(())
    }

    /// Tells that there is a session that was not there before.
    pub(super) fn session(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let head = &snapshot.head;
        if self.programs {
            let event = Message {
                title: snapshot.thread.title.as_deref(),
                ..Message::new("session", head)
            };
            return print(&event);
        }
        self.line(head, "new", head.cwd.as_deref().unwrap_or(""))
    }

    /// Tells that a session is nowhere any more.
    pub(super) fn gone(&mut self, head: &SessionHead) -> Result<(), Error> {
        if self.programs {
            return print(&Message::new("gone", head));
        }
        self.line(head, "gone", &head.path.display().to_string())
    }

    /// Tells what has changed.
    pub(super) fn changes(&mut self, snapshot: &Snapshot, changes: &[Change]) -> Result<(), Error> {
        let (thread, head) = (&snapshot.thread, &snapshot.head);
        for change in changes {
            match change {
                Change::Reverted { keep } if self.programs => {
                    print(&Message { keep: Some(*keep), ..Message::new("reverted", head) })?;
                }
                Change::Reverted { keep } => {
                    self.line(head, "reverted", &format!("back to turn {keep}"))?;
                }
                Change::TurnStarted(n) | Change::TurnCompleted(n) if self.programs => {
                    let started = matches!(change, Change::TurnStarted(_));
                    let event = if started { "turnStarted" } else { "turnCompleted" };
                    if let Some(turn) = thread.turns.get(*n) {
                        print(&Message::new(event, head).turn(turn))?;
                    }
                }
                Change::ItemStarted(turn, item) | Change::ItemCompleted(turn, item) => {
                    let started = matches!(change, Change::ItemStarted(..));
                    let event = if started { "itemStarted" } else { "itemCompleted" };
                    if let Some(turn) = thread.turns.get(*turn)
                        && let Some(item) = turn.items.get(*item)
                    {
                        self.item(event, snapshot, turn, item)?;
                    }
                }
                Change::ItemGrew { turn, item, part, new } if self.programs => {
                    if let Some(turn) = thread.turns.get(*turn)
                        && let Some(item) = turn.items.get(*item)
                    {
                        print(&Message {
                            turn_id: Some(&turn.id),
                            item_id: Some(&item.id),
                            part: Some(name(*part)),
                            text: part.of(item).get(new.clone()),
                            ..Message::new("itemGrew", head)
                        })?;
                    }
                }
                Change::TurnCompleted(n) => {
                    if let Some(error) = thread.turns.get(*n).and_then(|turn| turn.error.as_ref()) {
                        self.line(head, "failed", &error.message)?;
                    }
                }
                Change::Usage(usage) if self.programs => {
                    print(&Message { usage: Some(usage), ..Message::new("usage", head) })?;
                }
                Change::Named if self.programs => {
                    print(&Message {
                        title: thread.title.as_deref(),
                        ..Message::new("named", head)
                    })?;
                }
                Change::Running(running) if self.programs => {
                    print(&Message { running: Some(*running), ..Message::new("running", head) })?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn item(
        &mut self,
        event: &'static str,
        snapshot: &Snapshot,
        turn: &Turn,
        item: &Item,
    ) -> Result<(), Error> {
        if self.programs {
            let event = Message {
                turn_id: Some(&turn.id),
                item: Some(item),
                ..Message::new(event, &snapshot.head)
            };
            return print(&event);
        }
        let started = event == "itemStarted";
        // What is complete at once is told once; a call is told when it begins, and again with its result.
        if started && !is_open(item) {
            return Ok(());
        }
        if self.all {
            let known = self.begun.as_deref() == Some(item.id.as_str());
            self.begun = started.then(|| item.id.clone());
            let Some((label, what)) = glance(item) else { return Ok(()) };
            if known && !ended_badly(item) {
                return Ok(());
            }
            return self.line(&snapshot.head, &label, &what);
        }
        let mut one = Turn::new(turn.id.clone());
        one.items.push(item.clone());
        let detail = Detail { full: self.full, reasoning: self.reasoning, part: true, leaf: None };
        let mut out = output::stdout();
        Items::new(&mut out, &self.screen, &snapshot.thread, detail).turn(&one)?;
        if matches!(item.kind, ItemKind::UserMessage { .. } | ItemKind::AgentMessage { .. }) {
            writeln!(out)?;
        }
        out.flush()?;
        Ok(())
    }

    /// One line for something that happened in a session.
    fn line(&mut self, head: &SessionHead, label: &str, what: &str) -> Result<(), Error> {
        let paint = self.screen.paint;
        let now = time::now().to_zoned_datetime(self.screen.zone.clone());
        let id = text::line(text::beginning(&head.id, 8)).into_owned();
        let project =
            head.cwd.as_deref().and_then(|cwd| cwd.rsplit(['/', '\\']).find(|p| !p.is_empty()));
        let project = text::line(project.unwrap_or("")).into_owned();
        let clock = now.strftime("%H:%M:%S").to_string();
        let label = text::fit(&text::line(label), 10).into_owned();
        let place = text::fit(&format!("{} {project}", head.harness), 24).into_owned();
        let used = clock.len() + 1 + 8 + 1 + 24 + 1 + 10 + 1;
        let room = self.screen.columns.map_or(usize::MAX, |c| c.saturating_sub(used).max(20));
        let what = text::line(text::beginning(what, 2000)).into_owned();
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text::width(text)));
        let mut out = output::stdout();
        writeln!(
            out,
            "{} {}{} {}{} {}{} {}",
            paint.of(style::DIM, &clock),
            paint.of(style::ID, &id),
            pad(&id, 8),
            paint.of(style::DIM, &place),
            pad(&place, 24),
            paint.of(style::NAME, &label),
            pad(&label, 10),
            text::fit(&what, room)
        )?;
        out.flush()?;
        Ok(())
    }
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Text => "text",
        Part::Output => "output",
        Part::Summary(_) => "summary",
    }
}

fn line(out: &mut dyn Write, event: &Message<'_>) -> Result<(), Error> {
    serde_json::to_writer(&mut *out, event).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn print(event: &Message<'_>) -> Result<(), Error> {
    let mut out = output::stdout();
    line(&mut out, event)?;
    out.flush()?;
    Ok(())
}

fn is_open(item: &Item) -> bool {
    item.kind.status() == Some(ItemStatus::InProgress)
}

fn ended_badly(item: &Item) -> bool {
    matches!(item.kind.status(), Some(ItemStatus::Failed | ItemStatus::Declined))
}

/// An item in a word and a line.
fn glance(item: &Item) -> Option<(String, String)> {
    let of = |label: &str, text: &str| Some((label.to_owned(), text.to_owned()));
    let bad = if ended_badly(item) { "✗ " } else { "" };
    match &item.kind {
        ItemKind::UserMessage { content, .. } => {
            let texts = content.iter().filter_map(|part| match part {
                UserInput::Text { text, .. } => Some(text.as_str()),
                _ => None,
            });
            of("user", &texts.collect::<Vec<_>>().join(" "))
        }
        ItemKind::AgentMessage { text, .. } => of("assistant", text),
        ItemKind::Plan { text } => of("plan", text),
        ItemKind::CommandExecution { command, exit_code, .. } => {
            let exit = exit_code.filter(|code| *code != 0).map(|code| format!(" (exit {code})"));
            of("$", &format!("{bad}{command}{}", exit.unwrap_or_default()))
        }
        ItemKind::FileChange { changes, .. } => {
            let paths: Vec<&str> =
                changes.iter().map(|FileUpdate { path, .. }| path.as_str()).collect();
            of("edit", &format!("{bad}{}", paths.join(", ")))
        }
        ItemKind::McpToolCall { server, tool, arguments, .. } => {
            of(tool, &format!("{bad}{server} {}", arguments.as_str()))
        }
        ItemKind::DynamicToolCall { tool, arguments, .. } => {
            of(tool, &format!("{bad}{}", first(arguments.get())))
        }
        ItemKind::CollabAgentToolCall { description, prompt, .. } => {
            of("agent", description.as_deref().or(prompt.as_deref()).unwrap_or(""))
        }
        ItemKind::WebSearch { query, .. } => of("web", query),
        ItemKind::ContextCompaction { .. } => of("compacted", ""),
        ItemKind::Notice { text, .. } => of("notice", text),
        ItemKind::EnteredReviewMode { review } | ItemKind::ExitedReviewMode { review } => {
            of("review", review)
        }
        _ => None,
    }
}

/// The first string among the arguments of a call: what it is about, nearly always.
fn first(arguments: recount_formats::json::Json<'_>) -> String {
    let text = arguments.members().find_map(|(_, value)| value.as_str());
    text.map_or_else(|| arguments.raw().to_owned(), std::borrow::Cow::into_owned)
}
