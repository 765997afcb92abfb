//! Codex rollouts to threads.
//!
//! - [`record`]: lines to records, in one pass
//! - [`prefix`]: what a fork or revert inherits
//! - [`legacy`], [`paginated`]: the display, by the two ways in which rollouts keep it; [`turns`] for both
//! - [`recovered`]: what the display lost and the model's records still hold
//! - [`mod@model_view`]: what the model has in front of it
//! - [`items`], [`render`]: stored values as Codex's app-server renders them
//! - [`usage`] counts tokens

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::codex::record::{SessionMeta, TurnContext};
use recount_formats::view::View;
use recount_formats::{Code, Finding, Harness, Json, Position};

use self::legacy::Legacy;
use self::model_view::History;
use self::paginated::Paginated;
use self::prefix::Segments;
use self::record::{Rec, Top};
use self::recovered::Recovered;
use self::turns::Pending;
use super::{Input, KnownTurn};
use crate::model::item::UserInput;
use crate::model::{ItemKind, ModelView, Subagent, Thread, ThreadStatus, TurnStatus};

mod items;
mod legacy;
mod model_view;
mod paginated;
mod prefix;
mod record;
mod recovered;
mod render;
#[cfg(test)]
mod tests;
mod turns;
mod usage;

/// The display view: exactly what Codex's own app-server gives, and recovered items.
pub fn thread(input: Input<'_>) -> Thread {
    let segments = Segments::of(&input);
    let (recs, mut findings) = segments.records();
    findings.extend(segments.findings.iter().cloned());
    let header = Header::of(&recs, segments.all.len() - 1);
    let mut thread = Thread::new(Harness::Codex, thread_id(&input, header.meta.as_ref()));
    thread.findings.clone_from(&input.facts.findings);
    thread.findings.append(&mut findings);
    if header.meta.is_none() && !input.bytes.is_empty() {
        let at = recs.first().map_or(Position::WHOLE, |r| r.at);
        let message = "the file does not begin with `session_meta`; Codex does not read it";
        thread.findings.push(Finding::new(Code::MissingHeader, input.source, at, message));
    }
    if header.paginated {
        thread.findings.extend(ordinal_findings(&recs, &segments));
    }
    lost_to_codex(&mut thread.findings, &input, header.paginated);
    let own = own_records(&recs, header.own_from);
    let (mut turns, open) = display(own, &segments, header.paginated, input.source);
    if let Some(last) = turns.last_mut().filter(|_| open) {
        end_by_database(last, &input.facts.turns);
    }
    thread.findings.extend(lost_turns(&turns, &recs, &segments));
    fill(&mut thread, &input, &recs, &header);
    thread.status = match turns.last() {
        None => ThreadStatus::Empty,
        Some(_) if open => ThreadStatus::Open,
        Some(_) => ThreadStatus::Idle,
    };
    thread.turns = turns.into_iter().map(|t| t.turn).collect();
    outside_first(&mut thread);
    let preview = thread.items().find_map(|i| prompt_of(&i.kind));
    thread.preview = preview;
    let called = |m: &SessionMeta<'_>| items::own(m.agent_path.or(m.agent_nickname));
    thread.title = (input.facts.title.clone())
        .or_else(|| thread.preview.clone())
        .or_else(|| header.meta.as_ref().and_then(called));
    lineage(&mut thread, &input);
    let mut counter = usage::Counter::default();
    let newest = segments.all.len() - 1;
    for (_, rec) in own_records(&recs, header.own_from).filter(|(_, r)| r.segment == newest) {
        counter.record(rec, &thread.id);
    }
    thread.usage = counter.usage();
    thread
}

/// The model view.
pub fn model_view(input: Input<'_>) -> ModelView {
    let segments = Segments::of(&input);
    let (recs, _) = segments.records();
    let mut history = History::default();
    for (seq, rec) in recs.iter().enumerate() {
        history.record(seq, rec);
    }
    let mut view = history.view();
    if let Some(compacted) = history.compacted_at() {
        let header = Header::of(&recs, segments.all.len() - 1);
        let own = own_records(&recs, header.own_from);
        let (turns, _) = display(own, &segments, header.paginated, input.source);
        let ended = |t: &&Pending| t.order.last().is_some_and(|&last| last < compacted);
        view.dropped_turns = turns.iter().filter(ended).count() as u64;
    }
    view
}

/// The thread's own header, and what follows from it for the whole file.
struct Header<'a> {
    meta: Option<SessionMeta<'a>>,
    paginated: bool,
    /// Where the thread's own history begins: what stands before is a sub-agent's copy of its parent's.
    own_from: Option<u64>,
}

impl<'a> Header<'a> {
    fn of(recs: &[Rec<'a>], own: usize) -> Self {
        // Copies of other threads' headers follow in legacy forks: only the first counts.
        let meta = recs
            .iter()
            .find(|r| r.segment == own && r.top != Top::Unknown)
            .filter(|r| r.top == Top::SessionMeta)
            .or_else(|| recs.iter().find(|r| r.segment == own && r.top == Top::SessionMeta))
            .and_then(|r| SessionMeta::view(r.payload));
        let mode = meta.and_then(|m| m.history_mode);
        let paginated = match (meta, mode) {
            (_, Some(mode)) => mode.is("paginated"),
            (Some(_), None) => false,
            // Without a header the records tell: only paginated ones are numbered.
            (None, _) => recs.iter().any(|r| r.ordinal.is_some()),
        };
        let own_from =
            meta.and_then(|m| m.subagent_history_start_ordinal).and_then(|n| u64::try_from(n).ok());
        Self { meta, paginated, own_from }
    }
}

fn thread_id(input: &Input<'_>, meta: Option<&SessionMeta<'_>>) -> String {
    let stored = meta.and_then(|m| m.id).map(|id| id.get().into_owned());
    input.facts.id.clone().or(stored).unwrap_or_default()
}

/// Gaps and doubles among the ordinals. Codex's projection stops for good at such a place, so that it shows
/// nothing of what follows (corpus-reports: `dup-ordinal-interrupted`).
fn ordinal_findings(recs: &[Rec<'_>], segments: &Segments<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (n, (segment, at, what)) in paginated::ordinal_problems(recs).into_iter().enumerate() {
        let Some(source) = segments.all.get(segment).map(|s| &s.source) else { continue };
        findings.push(Finding::new(Code::OrdinalGap, source, at, what));
        if n == 0 {
            let message =
                "Codex's own history can end here; the records behind are shown all the same";
            findings.push(Finding::new(Code::LostToHarness, source, at, message));
        }
    }
    findings
}

/// Turns that only have items: Codex shows neither.
fn lost_turns(turns: &[Pending], recs: &[Rec<'_>], segments: &Segments<'_>) -> Vec<Finding> {
    let lost = turns.iter().filter(|t| t.lost);
    lost.filter_map(|t| {
        let first = recs.get(*t.order.first()?)?;
        let source = &segments.all.get(first.segment)?.source;
        let message =
            format!("no record opens or ends turn `{}`; Codex does not show it", t.turn.id);
        Some(Finding::new(Code::LostToHarness, source, first.at, message))
    })
    .collect()
}

/// What makes Codex refuse a legacy file as a whole.
fn lost_to_codex(findings: &mut Vec<Finding>, input: &Input<'_>, paginated: bool) {
    let reason = if input.bytes.is_empty() {
        Some((Position::WHOLE, "Codex does not read an empty file"))
    } else if paginated {
        None
    } else {
        let own = |f: &&Finding| f.source == *input.source;
        findings.iter().filter(own).find(|f| f.code == Code::InvalidUtf8).map(|f| {
            let at = Position { line: f.line, byte: f.byte, len: 0 };
            (at, "Codex does not read a legacy file with a line that is not UTF-8; the other lines are shown")
        })
    };
    findings.extend(
        reason.map(|(at, message)| Finding::new(Code::LostToHarness, input.source, at, message)),
    );
}

fn own_records<'r, 'a>(
    recs: &'r [Rec<'a>],
    from: Option<u64>,
) -> impl Iterator<Item = (usize, &'r Rec<'a>)> {
    recs.iter()
        .enumerate()
        .filter(move |(_, r)| from.zip(r.ordinal).is_none_or(|(from, n)| n >= from))
}

/// The turns that Codex shows, with recovered items, and whether the last one has no end.
fn display<'r, 'a: 'r>(
    recs: impl Iterator<Item = (usize, &'r Rec<'a>)>,
    segments: &Segments<'_>,
    paginated: bool,
    source: &Arc<str>,
) -> (Vec<Pending>, bool) {
    let place = |r: &Rec<'_>| segments.all.get(r.segment).map_or(source, |s| &s.source);
    let mut recovered = Recovered::new(paginated);
    let mut turns = if paginated {
        let mut builder = Paginated::default();
        for (seq, rec) in recs {
            builder.record(seq, rec, place(rec));
            recovered.record(seq, rec, builder.open_turn(), place(rec));
        }
        builder.finish()
    } else {
        let mut builder = Legacy::new();
        for (seq, rec) in recs {
            builder.record(seq, rec, place(rec));
            recovered.record(seq, rec, builder.open_turn(), place(rec));
        }
        builder.finish()
    };
    let open = turns.last().is_some_and(|t| !t.ended && t.turn.status == TurnStatus::InProgress);
    recovered.finish(&mut turns);
    recovered::tidy(&mut turns);
    for turn in &mut turns {
        turn.settle();
    }
    (turns, open)
}

/// A turn whose end was cut off with the last line may have its end in Codex's own database, from which
/// Codex still shows it.
fn end_by_database(pending: &mut Pending, known: &[KnownTurn]) {
    let turn = &mut pending.turn;
    let Some(known) = known.iter().find(|k| k.id == turn.id) else { return };
    turn.status = known.status;
    turn.error.clone_from(&known.error);
    turn.started_at = known.started_at;
    turn.completed_at = known.completed_at;
    turn.duration_ms = known.duration_ms;
}

/// What the header and the settings tell.
fn fill(thread: &mut Thread, input: &Input<'_>, recs: &[Rec<'_>], header: &Header<'_>) {
    if let Some(meta) = &header.meta {
        thread.cwd = items::own(meta.cwd);
        thread.git_branch = items::own(meta.git.and_then(|g| g.branch));
        thread.created_at = items::own(meta.timestamp);
        thread.lineage.forked_from_id = items::own(meta.forked_from_id);
        thread.lineage.parent_id = items::own(meta.parent_thread_id).or_else(|| {
            let spawn = meta.source?.at(&["subagent", "thread_spawn"])?;
            spawn.str("parent_thread_id").map(Cow::into_owned)
        });
    }
    let first_time = || recs.iter().find_map(Rec::time);
    thread.created_at = thread.created_at.take().or_else(first_time);
    thread.updated_at =
        recs.iter().rev().find_map(Rec::time).or_else(|| input.facts.updated_at.clone());
    thread.model = recs
        .iter()
        .rev()
        .filter(|r| r.top == Top::TurnContext)
        .find_map(|r| items::own(TurnContext::view(r.payload)?.model));
    if thread.lineage.parent_id.is_none() {
        thread.lineage.parent_id.clone_from(&input.facts.parent_id);
    }
}

/// Files outside of the working directory come first among those that a patch changed. Codex sorts by path;
/// the recorded answers were given where such paths sorted first (`tools-*`: `/proc/…` before the project).
fn outside_first(thread: &mut Thread) {
    let Some(cwd) = &thread.cwd else { return };
    for item in thread.turns.iter_mut().flat_map(|t| &mut t.items) {
        if let ItemKind::FileChange { changes, .. } = &mut item.kind {
            changes.sort_by_key(|c| c.path.starts_with(cwd.as_str()));
        }
    }
}

/// The threads that this one started: from its own items, and as the store knows them.
fn lineage(thread: &mut Thread, input: &Input<'_>) {
    let mut children: Vec<Subagent> = Vec::new();
    let mut add = |id: &str, call: Option<&str>, name: Option<&str>| {
        if id.is_empty() {
            return;
        }
        match children.iter_mut().find(|c| c.id == id) {
            Some(known) => {
                known.tool_call_id = known.tool_call_id.take().or(call.map(str::to_owned));
                known.name = known.name.take().or(name.map(str::to_owned));
            }
            None => children.push(Subagent {
                id: id.to_owned(),
                tool_call_id: call.map(str::to_owned),
                name: name.map(str::to_owned),
            }),
        }
    };
    for item in thread.items() {
        match &item.kind {
            ItemKind::SubAgentActivity { kind, agent_thread_id, agent_path, .. } => {
                let call = (kind == "started").then_some(item.id.as_str());
                add(agent_thread_id, call, Some(agent_path.as_str()).filter(|p| !p.is_empty()));
            }
            ItemKind::CollabAgentToolCall { tool, receiver_thread_ids, .. } => {
                for id in receiver_thread_ids {
                    add(id, (tool == "spawnAgent").then_some(item.id.as_str()), None);
                }
            }
            _ => {}
        }
    }
    for child in &input.facts.children {
        add(&child.id, child.tool_call_id.as_deref(), child.name.as_deref());
    }
    children.retain(|c| c.id != thread.id);
    thread.lineage.subagents = children;
}

/// The prompt that a record holds, for lists: the first one of a thread is its preview.
///
/// `payload` is the payload of an `event_msg`: a `user_message`, or an `item_completed` with a user message.
pub fn preview_of(payload: Json<'_>) -> Option<String> {
    let content = match &*payload.str("type")? {
        "user_message" => {
            legacy::user_inputs(&recount_formats::codex::record::EventUserMessage::view(payload)?)
        }
        "item_completed" => match items::completed(payload.get("item")?)?.1 {
            ItemKind::UserMessage { content, .. } => content,
            _ => return None,
        },
        _ => return None,
    };
    preview(&content)
}

fn prompt_of(kind: &ItemKind) -> Option<String> {
    match kind {
        ItemKind::UserMessage { content, .. } => preview(content),
        _ => None,
    }
}

/// Editors put the state of the editor before what was typed, and this line between.
const TYPED_BEHIND: &str = "## My request for Codex:";

fn preview(content: &[UserInput]) -> Option<String> {
    let mut text = String::new();
    let mut image = false;
    for part in content {
        match part {
            UserInput::Text { text: part, .. } => text.push_str(part),
            UserInput::Image { .. } | UserInput::LocalImage { .. } => image = true,
            _ => {}
        }
    }
    let typed =
        text.find(TYPED_BEHIND).map_or(text.as_str(), |n| &text[n + TYPED_BEHIND.len()..]).trim();
    match typed {
        "" if image => Some("[Image]".to_owned()),
        "" => None,
        typed => Some(typed.to_owned()),
    }
}
