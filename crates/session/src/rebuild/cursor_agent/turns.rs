//! The person's side: turns and steps to items.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use recount_formats::cursor_agent::Message as Wire;
use recount_formats::cursor_agent::message::hex;
use recount_formats::cursor_agent::store::Blobs;
use serde_json::json;

use super::agents::Run;
use super::chat::{Chat, milliseconds, rfc3339};
use super::prompts::ModelCalls;
use super::tools::{self, Surroundings, together};
use super::user;
use crate::json::RawJson;
use crate::model::item::{HookFragment, ItemStatus, NoticeLevel, UserInput};
use crate::model::{At, Item, ItemKind, Turn, TurnStatus};

/// The turns of a conversation, and what else was learnt on the way.
#[derive(Default)]
pub(super) struct Display {
    pub(super) turns: Vec<Turn>,
    /// Calls of agents: the call, the agents, a name.
    pub(super) agents: Vec<(String, Vec<String>, Option<String>)>,
    /// Calls without a result in the last turn.
    pub(super) pending: bool,
    /// How many turns have a timing.
    pub(super) timed: usize,
}

/// Builds the turns of a root that stands in the blob `at`.
pub(super) fn build(
    chat: &Chat<'_>,
    root: &Wire<'_>,
    at: &str,
    thread: &str,
    model: &ModelCalls,
    runs: &[(Option<String>, Run)],
) -> Display {
    let mut by_call: HashMap<&str, Vec<(String, Option<String>)>> = HashMap::new();
    for (agent, run) in runs {
        if let (Some(agent), Some(call)) = (agent, &run.call) {
            by_call.entry(call).or_default().push((agent.clone(), run.status.clone()));
        }
    }
    let agents = |call: &str| by_call.get(call).cloned().unwrap_or_default();
    let around = Surroundings { chat, model, thread, agents: &agents };
    let mut builder = Builder {
        chat,
        source: chat.input.source,
        around,
        ids: HashSet::new(),
        out: Display::default(),
    };
    // Roots of old builds have their turns in a field that today's program does not read (FIELD-NOTES, field 2).
    let old = !root.has("turns");
    let timings: Vec<Wire<'_>> = root.messages("turn_timings").collect();
    builder.out.timed = timings.len();
    let lists: Vec<&[u8]> = root.all_bytes(if old { "turns_old" } else { "turns" }).collect();
    for (n, raw) in lists.into_iter().enumerate() {
        if let Some((blob, bytes)) = builder.fetch(raw, at, old) {
            builder.turn(&Wire::read("ConversationTurnStructure", &bytes), &blob, timings.get(n));
        }
    }
    builder.out
}

/// A turn of bare steps, as the result of a task keeps those of a sub-agent.
pub(super) fn from_steps(
    chat: &Chat<'_>,
    steps: &[Vec<u8>],
    prompt: &str,
    at: &str,
    thread: &str,
) -> Turn {
    let model = ModelCalls::default();
    let agents = |_: &str| Vec::new();
    let around = Surroundings { chat, model: &model, thread, agents: &agents };
    let mut builder = Builder {
        chat,
        source: chat.input.source,
        around,
        ids: HashSet::new(),
        out: Display::default(),
    };
    let mut turn = Turn::new(format!("{thread}:0"));
    turn.status = TurnStatus::Completed;
    let content = vec![UserInput::text(prompt)];
    let kind = ItemKind::UserMessage { content, client_id: None };
    turn.items.push(Item::new(format!("{thread}:prompt"), kind, builder.at(at)));
    for (n, step) in steps.iter().enumerate() {
        let id = format!("{thread}:{}", n + 1);
        builder.step(&Wire::read("ConversationStep", step), at, &id, &mut turn);
    }
    turn
}

struct Builder<'c, 'a> {
    chat: &'c Chat<'a>,
    source: &'c Arc<str>,
    around: Surroundings<'c, 'a>,
    /// Ids that were given to turns and items.
    ids: HashSet<String>,
    out: Display,
}

impl Builder<'_, '_> {
    /// The message that a field names, and the blob in which it stands. Old lists may hold the message itself.
    fn fetch<'m>(&self, raw: &'m [u8], at: &str, inline: bool) -> Option<(String, Cow<'m, [u8]>)> {
        let id = hex(raw);
        if let Some(bytes) = self.chat.get(&id) {
            return Some((id, Cow::Owned(bytes.into_owned())));
        }
        (inline && raw.len() != 32).then(|| (at.to_owned(), Cow::Borrowed(raw)))
    }

    /// An id that nothing else has. Equal blobs stand in several places.
    fn unique(&mut self, id: String) -> String {
        if self.ids.insert(id.clone()) {
            return id;
        }
        // There are fewer ids than numbers, so one of them is free.
        let free = (2..=self.ids.len() + 2).map(|n| format!("{id}#{n}"));
        let again = free.into_iter().find(|id| !self.ids.contains(id)).unwrap_or(id);
        self.ids.insert(again.clone());
        again
    }

    fn at(&self, blob: &str) -> At {
        At::Blob { source: Arc::clone(self.source), blob: blob.to_owned() }
    }

    fn turn(&mut self, turn: &Wire<'_>, blob: &str, timing: Option<&Wire<'_>>) {
        let mut out = if let Some(shell) = turn.message("shell_conversation_turn") {
            self.shell(&shell, blob)
        } else {
            let agent = turn.message("agent_conversation_turn");
            self.agent(
                &agent.unwrap_or_else(|| Wire::read("AgentConversationTurnStructure", b"")),
                blob,
            )
        };
        if let Some(timing) = timing {
            time(&mut out, timing);
        }
        out.status = TurnStatus::Completed;
        self.out.turns.push(out);
    }

    /// A command that the person ran.
    fn shell(&mut self, turn: &Wire<'_>, blob: &str) -> Turn {
        let read = |field: &str| {
            let (at, bytes) = self.fetch(turn.bytes(field)?, blob, true)?;
            Some((at, bytes.into_owned()))
        };
        let command = read("shell_command").unwrap_or_default();
        let output = read("shell_output");
        let text = Wire::read("ShellCommand", &command.1).text("command").unwrap_or_default();
        let shown = output.as_ref().map(|(_, bytes)| Wire::read("ShellOutput", bytes));
        let exit_code = shown.as_ref().map(|o| i64::from(o.int("exit_code").unwrap_or(0) as i32));
        let id = self.unique(blob.to_owned());
        let mut out = Turn::new(id.clone());
        let kind = ItemKind::CommandExecution {
            command: text,
            cwd: None,
            status: match exit_code {
                None => ItemStatus::InProgress,
                Some(0) => ItemStatus::Completed,
                Some(_) => ItemStatus::Failed,
            },
            source: "userShell".into(),
            command_actions: RawJson::of(&json!([])),
            aggregated_output: shown.as_ref().map(|o| {
                together(&o.str("stdout").unwrap_or_default(), &o.str("stderr").unwrap_or_default())
            }),
            exit_code,
            duration_ms: None,
            process_id: None,
            plugin_id: None,
            script_path: None,
        };
        let id = self.unique(format!("{id}:0"));
        let mut item = Item::new(id, kind, self.at(blob));
        item.also_at.extend(
            [&command.0]
                .into_iter()
                .chain(output.as_ref().map(|o| &o.0))
                .filter(|b| !b.is_empty())
                .map(|b| self.at(b)),
        );
        out.items.push(item);
        out
    }

    /// A prompt and what the agent did.
    fn agent(&mut self, turn: &Wire<'_>, blob: &str) -> Turn {
        let inline = true;
        let user = turn.bytes("user_message").and_then(|raw| self.fetch(raw, blob, inline));
        let user = user.map(|(at, bytes)| (at, bytes.into_owned()));
        let message = user.as_ref().map(|(_, bytes)| Wire::read("UserMessage", bytes));
        let id = turn
            .text("request_id")
            .or_else(|| message.as_ref()?.text("message_id"))
            .unwrap_or_else(|| blob.to_owned());
        let id = self.unique(id);
        let mut out = Turn::new(id.clone());
        if let (Some(message), Some((at, _))) = (&message, &user) {
            self.prompt(message, at, &mut out);
        }
        self.out.pending = false;
        let steps: Vec<&[u8]> = turn.all_bytes("steps").collect();
        for (n, raw) in steps.into_iter().enumerate() {
            if let Some((at, bytes)) = self.fetch(raw, blob, inline) {
                self.step(
                    &Wire::read("ConversationStep", &bytes),
                    &at,
                    &format!("{id}:{}", n + 1),
                    &mut out,
                );
            }
        }
        out
    }

    fn prompt(&mut self, message: &Wire<'_>, at: &str, out: &mut Turn) {
        let started = message.uint("started_at_ms").and_then(|ms| milliseconds(ms as i64));
        let completed = message.uint("completed_at_ms").and_then(|ms| milliseconds(ms as i64));
        out.started_at = started.map(|ms| ms / 1000);
        out.completed_at = completed.map(|ms| ms / 1000);
        out.duration_ms = started.zip(completed).map(|(a, b)| b - a).filter(|ms| *ms >= 0);
        let id = message.text("message_id").unwrap_or_else(|| format!("{}:0", out.id));
        let id = self.unique(id);
        let kind = if message.flag("is_simulated_msg") {
            ItemKind::Notice { level: NoticeLevel::Info, text: user::notice(self.chat, message) }
        } else {
            ItemKind::UserMessage { content: user::content(self.chat, message), client_id: None }
        };
        let mut item = Item::new(id.clone(), kind, self.at(at));
        item.timestamp = started.and_then(rfc3339);
        out.items.push(item);
        let hooks = message.messages("hook_additional_contexts").filter_map(|h| h.text("content"));
        self.hooks(hooks.collect(), &id, at, out);
    }

    fn hooks(&mut self, texts: Vec<String>, id: &str, at: &str, out: &mut Turn) {
        if texts.is_empty() {
            return;
        }
        let fragments = texts
            .into_iter()
            .map(|text| HookFragment { text, hook_run_id: String::new() })
            .collect();
        let id = self.unique(format!("{id}:hooks"));
        out.items.push(Item::new(id, ItemKind::HookPrompt { fragments }, self.at(at)));
    }

    fn step(&mut self, step: &Wire<'_>, at: &str, id: &str, out: &mut Turn) {
        let Some((table, message)) = step.case_message("message") else {
            // A kind of step of a newer build: shown by what it holds, so that it is not lost.
            if step.unknown().next().is_some() {
                let text = super::value::object(step).to_string();
                let id = self.unique(id.to_owned());
                let kind = ItemKind::Notice { level: NoticeLevel::Info, text };
                out.items.push(Item::new(id, kind, self.at(at)));
            }
            return;
        };
        let kind = match table.name.as_str() {
            "assistant_message" => ItemKind::AgentMessage {
                text: message.str("text").unwrap_or_default().into_owned(),
                phase: None,
                memory_citation: None,
                delivery: None,
                questions: None,
            },
            "thinking_message" => ItemKind::Reasoning {
                summary: Vec::new(),
                content: message.text("text").into_iter().collect(),
            },
            _ => return self.call(&message, at, id, out),
        };
        let id = self.unique(id.to_owned());
        let mut item = Item::new(id, kind, self.at(at));
        item.timestamp = message.uint("started_at_ms").and_then(|ms| rfc3339(ms as i64));
        out.items.push(item);
    }

    fn call(&mut self, call: &Wire<'_>, at: &str, id: &str, out: &mut Turn) {
        let shown = tools::show(call, self.around);
        self.out.pending |= shown.pending;
        // The call's id stays as it is even when it comes twice: both are the same call.
        let id = match shown.id {
            Some(id) => {
                self.ids.insert(id.clone());
                id
            }
            None => self.unique(id.to_owned()),
        };
        if let ItemKind::CollabAgentToolCall { receiver_thread_ids, description, .. } = &shown.kind
            && !receiver_thread_ids.is_empty()
        {
            let agents = receiver_thread_ids.clone();
            self.out.agents.push((id.clone(), agents, description.clone()));
        }
        let mut item = Item::new(id.clone(), shown.kind, self.at(at));
        item.also_at = shown.blobs.iter().map(|blob| self.at(blob)).collect();
        item.timestamp = shown.timestamp;
        out.items.push(item);
        if let Some(text) = shown.plan {
            let id = self.unique(format!("{id}:plan"));
            out.items.push(Item::new(id, ItemKind::Plan { text }, self.at(at)));
        }
        self.hooks(shown.hooks, &id, at, out);
    }
}

/// A timing tells how long a turn took and when it ended.
fn time(turn: &mut Turn, timing: &Wire<'_>) {
    let duration = timing.uint("duration_ms").map(|ms| ms as i64);
    let end = timing.uint("timestamp_ms").and_then(|ms| milliseconds(ms as i64));
    turn.duration_ms = duration.or(turn.duration_ms);
    if let Some(end) = end {
        turn.completed_at = turn.completed_at.or(Some(end / 1000));
        turn.started_at =
            turn.started_at.or_else(|| Some(end.checked_sub(duration.unwrap_or(0))? / 1000));
    }
}
