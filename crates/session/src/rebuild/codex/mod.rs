//! Codex rollouts to threads.
//!
//! - [`record`]: lines to records, in one pass
//! - [`prefix`]: what a fork or revert inherits; [`states`]: what a revert leaves behind
//! - [`legacy`], [`paginated`]: the display, by the two ways in which rollouts keep it; [`eventless`] for
//!   files that keep none; [`turns`] for all
//! - [`recovered`]: what the display lost and the model's records still hold
//! - [`mod@model_view`]: what the model has in front of it
//! - [`mod@shown`]: the display alone, line by line
//! - [`items`], [`render`]: stored values as Codex's app-server renders them
//! - [`mod@layout`]: where turns stand in the files, for forks and reverts
//! - [`lineage`], [`preview`]: sub-agents, the prompt that lists show; [`usage`] counts tokens
//! - [`findings`]: what is wrong with a rollout beyond its single records

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::codex::record::{SessionMeta, TurnContext};
use recount_formats::view::View;
use recount_formats::{Code, Finding, Harness, Position, finding};

use self::eventless::Eventless;
pub use self::layout::{Layout, Place, TurnPlace, layout, records_before};
use self::legacy::Legacy;
use self::model_view::History;
use self::paginated::Paginated;
use self::prefix::Segments;
pub use self::preview::preview_of;
use self::preview::prompt_of;
use self::record::{Rec, Top};
use self::recovered::Recovered;
pub use self::shown::{Glance, Glances, Needs, Newest, Shown};
use self::turns::Pending;
use super::{Input, KnownTurn};
use crate::model::{ItemKind, ModelView, Thread, ThreadStatus, TurnStatus};
use crate::rebuild::meanwhile::meanwhile;

mod eventless;
mod findings;
pub(crate) mod items;
mod layout;
mod legacy;
mod limits;
mod lineage;
mod model_view;
mod paginated;
mod prefix;
mod preview;
mod record;
mod recovered;
pub(crate) mod render;
mod shown;
mod states;
#[cfg(test)]
mod tests;
mod turns;
mod usage;

/// The display view: exactly what Codex's own app-server gives, and recovered items. `leaf` names another
/// state of a reverted thread.
pub fn thread(input: Input<'_>, leaf: Option<&str>) -> Thread {
    let mut thread = states::of(input, leaf, state);
    thread.branches = states::branches(&input, leaf, &thread, state);
    if let Some(leaf) = leaf.filter(|leaf| states::is_unknown(&input, leaf, &thread.id)) {
        let text = format!("no state `{}`: the current one was taken", finding::excerpt(leaf));
        let found = Finding::new(Code::UnknownBranch, input.source, Position::WHOLE, text);
        thread.findings.push(found);
    }
    thread
}

/// The thread as one rollout tells it.
fn state(input: Input<'_>) -> Thread {
    let segments = Segments::of(&input);
    let (recs, found) = segments.records();
    let header = Header::of(&recs, segments.all.len() - 1);
    let id = thread_id(&input, header.meta.as_ref());
    let count = || usage::usage(&input, &segments, &id);
    let (responses, mut thread) = meanwhile(input.bytes.len(), count, || {
        let mut thread = Thread::new(Harness::Codex, id.clone());
        thread.findings.clone_from(&input.facts.findings);
        thread.findings.extend(found);
        thread.findings.extend(segments.findings.iter().cloned());
        told(&mut thread, &input, (&segments, &recs), &header);
        thread
    });
    thread.bill(responses);
    thread
}

/// Everything that the records tell but for the tokens.
fn told(
    thread: &mut Thread,
    input: &Input<'_>,
    (segments, recs): (&Segments<'_>, &[Rec<'_>]),
    header: &Header<'_>,
) {
    thread.findings.extend(findings::header(header, input, recs));
    if header.paginated {
        thread.findings.extend(findings::ordinals(recs, segments));
    }
    findings::lost_to_codex(&mut thread.findings, input, header.paginated);
    let own = own_records(recs, header.own_from);
    let (mut turns, open) = display(own, segments, header.paginated, input.source);
    thread.status = status_of(&mut turns, open, &input.facts.turns);
    thread.findings.extend(findings::lost_turns(&turns, recs, segments));
    fill(thread, input, recs, header);
    thread.turns = turns.into_iter().map(|t| t.turn).collect();
    outside_first(thread);
    let preview = thread.items().find_map(|i| prompt_of(&i.kind));
    thread.preview = preview;
    let called = |m: &SessionMeta<'_>| items::own(m.agent_path.or(m.agent_nickname));
    thread.title = (input.facts.title.clone())
        .or_else(|| thread.preview.clone())
        .or_else(|| header.meta.as_ref().and_then(called));
    lineage::messages(&mut thread.turns, recs);
    lineage::subagents(thread, input);
    thread.rate_limits = limits::last(recs);
    thread.window = limits::window(recs);
}

/// The model view.
pub fn model_view(input: Input<'_>, leaf: Option<&str>) -> ModelView {
    states::of(input, leaf, state_view)
}

fn state_view(input: Input<'_>) -> ModelView {
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
    let recs: Vec<_> = recs.collect();
    let mut turns = if !recs.iter().any(|(_, r)| eventless::is_display(r)) {
        let mut builder = Eventless::default();
        for (seq, rec) in recs {
            builder.record(seq, rec, place(rec));
            recovered.record(seq, rec, builder.open_turn(), place(rec));
        }
        builder.finish()
    } else if paginated {
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
    recovered.finish(&mut turns);
    recovered::tidy(&mut turns);
    let open = settle(&mut turns);
    (turns, open)
}

/// Takes turns without an end for interrupted; whether the last one has none.
fn settle(turns: &mut [Pending]) -> bool {
    let open = turns.last().is_some_and(|t| !t.ended && t.turn.status == TurnStatus::InProgress);
    for turn in turns {
        turn.settle();
    }
    open
}

/// What a thread is doing whose last turn has no end in its rollout (`open`); the database may know one.
fn status_of(turns: &mut [Pending], open: bool, known: &[KnownTurn]) -> ThreadStatus {
    let Some(last) = turns.last_mut() else { return ThreadStatus::Empty };
    let runs = open && !end_by_database(last, known);
    if runs { ThreadStatus::Open } else { ThreadStatus::Idle }
}

/// A turn whose end was cut off with the last line may have its end in Codex's own database, from which
/// Codex still shows it. Whether it has.
fn end_by_database(pending: &mut Pending, known: &[KnownTurn]) -> bool {
    let turn = &mut pending.turn;
    let Some(known) = known.iter().find(|k| k.id == turn.id) else { return false };
    turn.status = known.status;
    turn.error.clone_from(&known.error);
    turn.started_at = known.started_at;
    turn.completed_at = known.completed_at;
    turn.duration_ms = known.duration_ms;
    true
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
