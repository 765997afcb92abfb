//! What is read line by line is what the whole rebuild shows.

use std::sync::Arc;

use proptest::prelude::*;
use recount_formats::jsonl::{Reader, lines};
use serde_json::json;

use super::fixtures::{case, folder};
use super::properties::mutated;
use super::{Files, Rollout, corpus, thread_of};
use crate::model::{ItemKind, Thread};
use crate::rebuild::codex::{NeedsWhole, Shown};

fn source() -> Arc<str> {
    "rollout.jsonl".into()
}

fn line_by_line(bytes: &[u8]) -> Result<Thread, NeedsWhole> {
    let mut shown = Shown::new(&source());
    lines(bytes).try_for_each(|line| shown.line(&line))?;
    shown.finish("t", &[])
}

fn newest(bytes: &[u8], count: usize) -> Result<Thread, NeedsWhole> {
    let mut skim = Shown::skim(&source());
    lines(bytes).try_for_each(|line| skim.line(&line))?;
    let (mut thread, mut newest) = skim.newest("t", &[], count)?;
    let (line, byte) = (newest.from.line, newest.from.byte);
    let mut rest = Reader::new(&bytes[byte as usize..]).starting_at(line - 1, byte);
    while let Some(line) = rest.next_line().unwrap() {
        newest.line(&line)?;
    }
    newest.finish(&mut thread)?;
    Ok(thread)
}

/// The whole rebuild without what clients of the protocol are not shown.
fn whole(bytes: &[u8]) -> Thread {
    let mut thread = thread_of(bytes, &Files::default());
    for turn in &mut thread.turns {
        turn.items.retain(|item| !item.recovered);
    }
    plain(thread)
}

/// Without what is taken from records for the model alone.
fn plain(mut thread: Thread) -> Thread {
    for item in thread.turns.iter_mut().flat_map(|turn| &mut turn.items) {
        if let ItemKind::ContextCompaction { summary, .. } = &mut item.kind {
            *summary = None;
            item.also_at.clear();
        }
        if let ItemKind::SubAgentActivity { message, .. } = &mut item.kind {
            *message = None;
        }
    }
    thread
}

/// Compares both ways; whether the rollout could be read line by line, and from its newest turns.
fn compare(bytes: &[u8]) -> (bool, bool) {
    let whole = whole(bytes);
    let shown = line_by_line(bytes);
    if let Ok(shown) = &shown {
        assert_eq!(shown.status, whole.status);
        assert_eq!(plain(shown.clone()).turns, whole.turns);
    }
    let mut some = false;
    for count in [1, 3, 1000] {
        let Ok(newest) = newest(bytes, count) else { continue };
        let newest = plain(newest);
        some = true;
        assert_eq!(newest.status, whole.status);
        assert_eq!(newest.turns.len(), whole.turns.len());
        let first = whole.turns.len().saturating_sub(count);
        assert_eq!(newest.turns[first..], whole.turns[first..], "the last {count}");
        for (one, other) in newest.turns.iter().zip(&whole.turns) {
            assert_eq!((&one.id, one.status), (&other.id, other.status));
            assert_eq!(one.completed_at, other.completed_at);
        }
    }
    (shown.is_ok(), some)
}

#[test]
fn the_corpus_reads_the_same_line_by_line() {
    let Some(corpus) = corpus::corpus() else { return };
    let mut files = Vec::new();
    corpus::rollouts(&corpus, &mut files);
    let (mut all, mut newest) = (0, 0);
    for file in &files {
        let (shown, some) = compare(&std::fs::read(file).unwrap());
        all += usize::from(shown);
        newest += usize::from(some);
    }
    // Forks, empty files and those without events are left to the whole rebuild.
    assert!(
        all * 10 > files.len() * 7 && newest * 3 > files.len(),
        "{all}, {newest} of {}",
        files.len()
    );
}

#[test]
fn what_depends_on_other_files_is_left_to_the_whole_rebuild() {
    let (bytes, _) = case(&folder("codex/fork"));
    assert_eq!(line_by_line(&bytes).err(), Some(NeedsWhole));
    assert_eq!(line_by_line(b"").err(), Some(NeedsWhole));
    let eventless = Rollout::legacy().message("user", "Only for the model.");
    assert_eq!(line_by_line(eventless.text.as_bytes()).err(), Some(NeedsWhole));
    assert_eq!(newest(Rollout::legacy().user("x").text.as_bytes(), 1).err(), Some(NeedsWhole));
}

/// A paginated rollout whose turns overlap, come twice, come late and have items from far away.
fn tangled(steps: &[(u8, u8)]) -> String {
    let mut rollout = Rollout::paginated();
    for (n, (what, turn)) in steps.iter().enumerate() {
        let turn = format!("turn-{turn}");
        let message = |id: usize| {
            json!({"turn_id": turn, "item": {"type": "AgentMessage", "id": format!("m{id}"),
                "content": [{"type": "Text", "text": format!("said {n} event_msg \u{1b}[0m")}]}})
        };
        rollout = match what % 8 {
            0 | 1 => rollout.started(&turn),
            2 => rollout.complete(&turn),
            3 => rollout.event("turn_aborted", json!({"turn_id": turn, "reason": "interrupted"})),
            4 => rollout.event("item_completed", message(n)),
            // The same item once more.
            5 => rollout.event("item_completed", message(n / 4)),
            6 => rollout.message("assistant", "for the model \u{1b}[0m"),
            // Two records on one line.
            _ => {
                let mut glued = rollout.started(&turn).event("item_completed", message(n));
                let last = glued.text.trim_end().rfind('\n').unwrap_or(0);
                glued.text.replace_range(last..=last, "");
                glued
            }
        };
    }
    rollout.text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn tangled_turns_read_the_same(
        steps in prop::collection::vec((any::<u8>(), 0..12_u8), 1..60),
        cut in 0..80_usize,
    ) {
        let text = tangled(&steps);
        compare(&text.as_bytes()[..text.len() - cut.min(text.len() / 2)]);
    }

    #[test]
    fn mutated_fixtures_read_the_same(
        which in 0..4_usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        moves in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..4),
    ) {
        let name = ["codex/legacy", "codex/paginated", "codex/damaged", "codex/review"][which];
        let (bytes, _) = case(&folder(name));
        compare(&mutated(&bytes, flips, moves));
    }
}
