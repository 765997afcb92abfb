//! What a client is told unasked.

use recount_session::model::{ItemKind, Thread, TurnStatus, Usage};
use recount_store::SessionHead;
use recount_store::tail::{Change, Part};
use serde::Serialize;

use super::item::ThreadItem;
use super::thread::{Status, cwd_of, millis, turn_dto};
use super::turn::{ItemsView, Running, TurnDto};
use crate::rpc;

/// A notification: its method and its line.
#[derive(Debug, Clone)]
pub struct Notification {
    /// The method, by which a client can say that it does not want it.
    pub method: &'static str,
    /// The line.
    pub line: Vec<u8>,
}

impl Notification {
    fn new(method: &'static str, params: &impl Serialize) -> Self {
        Self { method, line: rpc::notification(method, params) }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfThread<'a, T> {
    thread_id: &'a str,
    #[serde(flatten)]
    more: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemGrew<'a> {
    thread_id: &'a str,
    turn_id: &'a str,
    item_id: &'a str,
    delta: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_index: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemEvent<'a> {
    thread_id: &'a str,
    turn_id: &'a str,
    item: ThreadItem<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at_ms: Option<i64>,
}

/// `ThreadRevertedNotification`, and what recount adds: a client that knows it can go on without reading the thread anew.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reverted<'a> {
    /// How many turns stay.
    kept_turns: usize,
    /// The last of them.
    last_turn_id: Option<&'a str>,
}

#[derive(Serialize)]
struct TurnEvent<'a> {
    turn: TurnDto<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Named<'a> {
    thread_name: Option<&'a str>,
}

#[derive(Serialize)]
struct StatusIs {
    status: Status,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenUsage<'a> {
    turn_id: &'a str,
    token_usage: ThreadTokenUsage,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadTokenUsage {
    total: Breakdown,
    last: Breakdown,
    model_context_window: Option<u64>,
}

/// `TokenUsageBreakdown`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names are the protocol's")]
struct Breakdown {
    total_tokens: i64,
    input_tokens: i64,
    cached_input_tokens: i64,
    cache_write_input_tokens: i64,
    output_tokens: i64,
    reasoning_output_tokens: i64,
}

impl From<&Usage> for Breakdown {
    fn from(usage: &Usage) -> Self {
        // The protocol counts cached tokens as a part of the input; recount keeps them apart.
        let input = usage
            .input_tokens
            .saturating_add(usage.cached_input_tokens)
            .saturating_add(usage.cache_write_tokens);
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Self {
            total_tokens: number(usage.total_tokens),
            input_tokens: number(input),
            cached_input_tokens: number(usage.cached_input_tokens),
            cache_write_input_tokens: number(usage.cache_write_tokens),
            output_tokens: number(usage.output_tokens),
            reasoning_output_tokens: number(usage.reasoning_tokens),
        }
    }
}

/// The notification of a change of a thread. `running` is whether its last turn runs, `now` is in Unix milliseconds.
pub fn of_change(
    change: &Change,
    head: &SessionHead,
    thread: &Thread,
    running: Running,
    now: i64,
) -> Option<Notification> {
    let id = head.id.as_str();
    let cwd = cwd_of(head);
    Some(match change {
        Change::Reverted { keep } => {
            let last = keep.checked_sub(1).and_then(|n| thread.turns.get(n));
            let more = Reverted { kept_turns: *keep, last_turn_id: last.map(|t| t.id.as_str()) };
            Notification::new("thread/reverted", &OfThread { thread_id: id, more })
        }
        Change::TurnStarted(n) | Change::TurnCompleted(n) => {
            thread.turns.get(*n)?;
            let mut turn = turn_dto(thread, *n, ItemsView::NotLoaded, running, cwd);
            let method = if matches!(change, Change::TurnStarted(_)) {
                // It may be over by now: that is told next.
                turn.status = TurnStatus::InProgress;
                "turn/started"
            } else {
                "turn/completed"
            };
            Notification::new(method, &OfThread { thread_id: id, more: TurnEvent { turn } })
        }
        Change::ItemStarted(t, i) | Change::ItemCompleted(t, i) => {
            let turn = thread.turns.get(*t)?;
            let item = turn.items.get(*i)?;
            let at = millis(item.timestamp.as_deref()).unwrap_or(now);
            let started = matches!(change, Change::ItemStarted(..));
            let event = ItemEvent {
                thread_id: id,
                turn_id: &turn.id,
                item: ThreadItem { item, cwd },
                started_at_ms: started.then_some(at),
                completed_at_ms: (!started).then_some(at),
            };
            Notification::new(if started { "item/started" } else { "item/completed" }, &event)
        }
        Change::ItemGrew { turn, item, part, new } => {
            let turn = thread.turns.get(*turn)?;
            let item = turn.items.get(*item)?;
            let plan = matches!(item.kind, ItemKind::Plan { .. });
            let (method, summary_index) = match part {
                Part::Text if plan => ("item/plan/delta", None),
                Part::Text => ("item/agentMessage/delta", None),
                Part::Output => ("item/commandExecution/outputDelta", None),
                Part::Summary(n) => ("item/reasoning/summaryTextDelta", Some(*n)),
            };
            let delta = part.of(item).get(new.clone())?;
            let event = ItemGrew {
                thread_id: id,
                turn_id: &turn.id,
                item_id: &item.id,
                delta,
                summary_index,
            };
            Notification::new(method, &event)
        }
        Change::Usage(last) => {
            let more = TokenUsage {
                turn_id: thread.turns.last().map_or("", |turn| turn.id.as_str()),
                token_usage: ThreadTokenUsage {
                    total: (&thread.usage).into(),
                    last: last.into(),
                    model_context_window: thread.context.and_then(|context| context.max_tokens),
                },
            };
            Notification::new("thread/tokenUsage/updated", &OfThread { thread_id: id, more })
        }
        Change::Named => {
            let more = Named { thread_name: super::thread::name_with(head, thread) };
            Notification::new("thread/name/updated", &OfThread { thread_id: id, more })
        }
        Change::Running(_) => {
            let more = StatusIs { status: Status::loaded(running == Running::Yes) };
            Notification::new("thread/status/changed", &OfThread { thread_id: id, more })
        }
    })
}

/// A thread whose files are gone.
pub fn closed(id: &str) -> Notification {
    Notification::new("thread/closed", &serde_json::json!({"threadId": id}))
}

/// A thread that was put among the archived ones, or taken back.
pub fn archived(id: &str, archived: bool) -> Notification {
    let method = if archived { "thread/archived" } else { "thread/unarchived" };
    Notification::new(method, &serde_json::json!({"threadId": id}))
}
