//! What is read line by line is what the whole rebuild shows.

use std::sync::Arc;

use proptest::prelude::*;
use recount_formats::jsonl::{Reader, lines};
use serde_json::json;

use super::fixtures::{case, folder};
use super::properties::mutated;
use super::{Files, Rollout, corpus, thread_of};
use crate::model::{ItemKind, Thread};
use crate::rebuild::codex::{Needs, Shown};

fn source() -> Arc<str> {
    "rollout.jsonl".into()
}

fn read(bytes: &[u8], mut shown: Shown) -> Result<Thread, Needs> {
    lines(bytes).try_for_each(|line| shown.line(&line))?;
    shown.finish("t", &[])
}

fn quick(bytes: &[u8]) -> Result<Thread, Needs> {
    read(bytes, Shown::new(&source()))
}

/// Somebody else has glanced at the lines.
fn glanced(bytes: &[u8], mut shown: Shown) -> Result<Thread, Needs> {
    let glances = shown.glances();
    lines(bytes).try_for_each(|line| shown.glanced(&line, glances.at(&line)))?;
    shown.finish("t", &[])
}

/// As a store does.
fn line_by_line(bytes: &[u8]) -> Result<Thread, Needs> {
    match quick(bytes) {
        Err(Needs::Count) => {
            let counted = read(bytes, Shown::counting(&source()));
            assert_ne!(counted.as_ref().err(), Some(&Needs::Count));
            counted
        }
        other => other,
    }
}

fn newest(bytes: &[u8], count: usize) -> Result<Thread, Needs> {
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

/// Compares all ways; whether the rollout could be read line by line, and from its newest turns.
fn compare(bytes: &[u8]) -> (bool, bool) {
    let whole = whole(bytes);
    let shown = line_by_line(bytes);
    let counted = read(bytes, Shown::counting(&source()));
    assert_eq!(shown.as_ref().err(), counted.as_ref().err());
    let by_glances = glanced(bytes, Shown::counting(&source()));
    assert_eq!(shown.as_ref().err(), by_glances.as_ref().err());
    let quick = glanced(bytes, Shown::new(&source()));
    assert!(quick.is_ok() || quick.as_ref().err() == Some(&Needs::Count) || shown.is_err());
    if shown.is_ok() {
        let mut told = Shown::counting(&source()).with_usage();
        lines(bytes).try_for_each(|line| told.line(&line)).unwrap();
        let told = told.finish(&whole.id, &[]).unwrap();
        assert_eq!(told.usage, whole.usage);
        assert_eq!(told.responses, whole.responses);
    }
    for shown in shown.iter().chain(&counted).chain(&by_glances).chain(&quick) {
        assert_eq!(shown.status, whole.status);
        assert_eq!(plain(shown.clone()).turns, whole.turns);
    }
    let mut some = false;
    for count in [1, 3, 1000] {
        let oldest = [read, glanced].map(|read| read(bytes, Shown::oldest(&source(), count)));
        for oldest in oldest.into_iter().flatten() {
            let end = whole.turns.len().min(count);
            compare_part(&plain(oldest), &whole, 0..end);
        }
        if let Ok(newest) = newest(bytes, count) {
            some = true;
            let first = whole.turns.len().saturating_sub(count);
            compare_part(&plain(newest), &whole, first..whole.turns.len());
        }
    }
    (shown.is_ok(), some)
}

/// What was read of some turns is what the whole says of them, and of the others how they went.
fn compare_part(part: &Thread, whole: &Thread, turns: std::ops::Range<usize>) {
    assert_eq!(part.status, whole.status);
    assert_eq!(part.turns.len(), whole.turns.len());
    assert_eq!(part.turns[turns.clone()], whole.turns[turns.clone()], "turns {turns:?}");
    for (one, other) in part.turns.iter().zip(&whole.turns) {
        assert_eq!((&one.id, one.status), (&other.id, other.status));
        assert_eq!(one.completed_at, other.completed_at);
    }
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
    assert_eq!(line_by_line(&bytes).err(), Some(Needs::Whole));
    assert_eq!(line_by_line(b"").err(), Some(Needs::Whole));
    let eventless = Rollout::legacy().message("user", "Only for the model.");
    assert_eq!(line_by_line(eventless.text.as_bytes()).err(), Some(Needs::Whole));
    assert_eq!(newest(Rollout::legacy().user("x").text.as_bytes(), 1).err(), Some(Needs::Whole));
}

#[test]
fn numbers_of_records_are_counted_where_they_are_needed_and_only_there() {
    let opened =
        |rollout: Rollout| rollout.started("a").user("One").message("assistant", "For the model.");
    // What is no record, and what Codex cannot read, would be counted wrongly if it were counted without a look.
    let damaged = |rollout: Rollout| rollout.raw("{\"type\":\"response_item\",\n").raw("\n");
    let announced = opened(damaged(opened(Rollout::legacy()).complete("a")));
    assert!(quick(announced.text.as_bytes()).is_ok());
    let unannounced = damaged(opened(Rollout::legacy()).complete("a"))
        .message("assistant", "No turn is open.")
        .agent("Unasked.");
    assert_eq!(quick(unannounced.text.as_bytes()).err(), Some(Needs::Count));
    let hook = json!({"role": "user", "content": [{"type": "input_text",
        "text": "<hook_prompt hook_run_id=\"h\">Go on.</hook_prompt>"}]});
    let hooked = damaged(opened(Rollout::legacy())).response("message", hook.clone());
    assert_eq!(quick(hooked.text.as_bytes()).err(), Some(Needs::Count));
    let mut named = hook;
    named["id"] = "msg_1".into();
    let named = damaged(opened(Rollout::legacy())).response("message", named);
    assert!(quick(named.text.as_bytes()).is_ok());
    // Where no record opens turns, everything is counted from the first on.
    let old = damaged(Rollout::legacy().user("One").agent("Two")).user("Three");
    assert!(quick(old.text.as_bytes()).is_ok());
    for rollout in [announced, unannounced, hooked, named, old] {
        assert!(compare(rollout.text.as_bytes()).0);
    }
}

#[test]
fn what_a_sub_agent_inherits_is_not_counted() {
    let meta = json!({"id": "t", "cwd": "/home/dev/shop", "subagent_history_start_ordinal": 3});
    let rollout = Rollout { ordinal: Some(0), ..Rollout::default() }
        .with("session_meta", &meta)
        .message("user", "Of the parent.")
        .event("user_message", json!({"message": "Of the parent."}))
        .message("user", "Its own.")
        .event("user_message", json!({"message": "Its own."}));
    let thread = quick(rollout.text.as_bytes()).unwrap();
    let ids: Vec<&str> = thread.turns.iter().map(|turn| turn.id.as_str()).collect();
    assert_eq!(ids, ["rollout-1"]);
    assert!(compare(rollout.text.as_bytes()).0);
}

#[test]
fn words_with_escaped_letters_are_seen() {
    let rollout = Rollout::legacy().started("a").user("One");
    let escaped = [
        ("event_msg", "\\u0065vent_msg"),
        ("event_msg", "event\\u005Fmsg"),
        ("event_msg", "event_ms\\u0067"),
        ("event_msg", "e\\u0076ent_msg"),
        ("\"type\":\"event_msg", "\"t\\u0079pe\":\"event_msg"),
        ("agent_message", "\\u0061gent_message"),
    ];
    for (word, written) in escaped {
        let said = rollout.text.clone()
            + &Rollout::default()
                .event("agent_message", json!({"message": "Two"}))
                .text
                .replace(word, written);
        assert!(said.contains(written));
        let thread = quick(said.as_bytes()).unwrap();
        assert_eq!(thread.turns[0].items.len(), 2, "{written}");
        assert!(compare(said.as_bytes()).0);
    }
    let compacted = rollout.complete("a").text
        + &Rollout::default().with("compacted", &json!({"message": ""})).text;
    for written in ["compacted", "compa\\u0063ted"] {
        let text = compacted.replace("compacted", written);
        assert_eq!(line_by_line(text.as_bytes()).unwrap().turns.len(), 2, "{written}");
        assert!(compare(text.as_bytes()).0);
    }
}

/// A legacy rollout with everything on which the names of turns and items depend.
fn tangled_legacy(steps: &[(u8, u8)]) -> String {
    let mut rollout = Rollout::legacy();
    for (n, (what, turn)) in steps.iter().enumerate() {
        let id = format!("turn-{turn}");
        let hook = json!({"type": "input_text", "text": format!("<hook_prompt hook_run_id=\"h{n}\">Go on.</hook_prompt>")});
        rollout = match what % 24 {
            0..=2 => rollout.started(&id),
            3 => rollout.complete(&id),
            4 => rollout.event("turn_aborted", json!({"turn_id": id, "reason": "interrupted"})),
            5 => rollout.event("turn_aborted", json!({"reason": "interrupted"})),
            6 | 7 => rollout.user(&format!("Prompt {n}")),
            8 => rollout.agent(&format!("Answer {n} \u{1b}[0m event_msg compacted")),
            9 => rollout.event("agent_reasoning", json!({"text": format!("Thought {n}")})),
            10 => rollout.event("thread_rolled_back", json!({"num_turns": turn % 5})),
            11 => rollout.event("context_compacted", json!({})),
            12 => rollout.with("compacted", &json!({"message": "summary"})),
            13 => rollout.response("message", json!({"role": "user", "content": [hook]})),
            14 => rollout.response("message", json!({"role": "user", "id": "h", "content": [hook]})),
            15 => rollout.event("patch_apply_end", json!({"turn_id": id, "call_id": format!("p{turn}"),
                "success": true, "changes": {"/home/dev/shop/a": {"type": "add", "content": format!("{n}")}}})),
            16 => rollout.event("entered_review_mode", json!({"turn_id": id, "item_id": format!("r{n}")})),
            17 => rollout.event("token_count", json!({"info": null})),
            18 => rollout.event("exec_command_end", json!({"turn_id": id, "call_id": format!("c{n}"), "command": ["ls"]})),
            19 => rollout.with("turn_context", &json!({"cwd": "/", "sandbox_policy": {"mode": "read-only"}})),
            20 => rollout.with("turn_context", &json!({"cwd": "/", "sandbox_policy": {"type": "read-only"}})),
            21 => rollout.with("of_the_future", &json!({})).event("of_the_future", json!({})),
            // A line that is cut off, and one behind it on the same line.
            22 => rollout.raw("{\"timestamp\":\"2026-01-01T00:00:01.000Z\",\"type\":\"respo").user("Glued"),
            _ => rollout.output(&format!("o{n}"), "\u{1b}[0m").raw("\n"),
        };
    }
    rollout.text
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
    fn tangled_legacy_turns_read_the_same(
        steps in prop::collection::vec((any::<u8>(), 0..8_u8), 1..60),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in 0..80_usize,
    ) {
        let text = tangled_legacy(&steps);
        let mut bytes = text.as_bytes()[..text.len() - cut.min(text.len() / 2)].to_vec();
        // The header stays: without it all is left to the whole rebuild.
        let header = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |n| n + 1);
        for (at, byte) in flips {
            if bytes.len() > header {
                let at = header + at.index(bytes.len() - header);
                bytes[at] = byte;
            }
        }
        compare(&bytes);
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
