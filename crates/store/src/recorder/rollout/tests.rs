#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;

use proptest::prelude::*;
use recount_session::RawJson;
use recount_session::live::{Input, LiveError, LiveItem, LiveKind, TextElement};
use recount_session::model::TurnStatus;
use recount_session::model::item::{At, FileUpdate, ItemStatus, PatchKind};
use serde_json::json;

use super::*;
use crate::discover;
use crate::stores::{Store, Stores};

mod others;

const MODES: [Mode; 3] = [Mode::Limited, Mode::Extended, Mode::Paginated];

fn start(mode: Mode) -> Start {
    Start { mode, cwd: "/home/dev/shop".into(), sync: Sync::Lazy, ..Start::default() }
}

fn find(root: &Path, id: &str) -> SessionHead {
    let store = Store { harness: Harness::Codex, root: root.to_owned() };
    Stores { stores: vec![store] }.find(id).unwrap()
}

/// The thread that the files give, as Codex shows it.
fn replayed(root: &Path, id: &str) -> Vec<Turn> {
    let thread = discover::codex::Codex.open(&find(root, id)).unwrap().thread(None);
    assert_eq!(thread.findings, [], "what is written has no findings");
    comparable(shown(thread))
}

/// Without the places of records, which a view has none of; what nothing ended is interrupted for who reads it.
fn comparable(mut turns: Vec<Turn>) -> Vec<Turn> {
    for turn in &mut turns {
        if turn.status == TurnStatus::InProgress {
            turn.status = TurnStatus::Interrupted;
        }
        for item in &mut turn.items {
            item.at = At::Row { source: "".into(), row: String::new() };
            item.also_at.clear();
            item.timestamp = None;
        }
    }
    turns
}

fn item(id: impl Into<String>, kind: LiveKind) -> Event {
    Event::ItemCompleted(LiveItem { id: id.into(), kind })
}

fn begin(id: &str, at_ms: i64) -> Event {
    Event::TurnStarted { turn_id: id.into(), at_ms, plan_mode: false }
}

fn complete(at_ms: i64) -> Event {
    Event::TurnCompleted { at_ms, last_message: None, error: None }
}

fn prompt(text: &str) -> LiveKind {
    LiveKind::UserMessage(vec![Input::Text { text: text.into(), elements: Vec::new() }])
}

fn command(output: String) -> LiveKind {
    LiveKind::Command {
        command: vec!["bash".into(), "-lc".into(), "ls 'a b'".into()],
        cwd: "/home/dev/shop ü".into(),
        status: ItemStatus::Completed,
        output,
        exit_code: Some(0),
        duration_ms: 1_234,
    }
}

/// One thing that happens; what does not fit is left out.
#[derive(Debug, Clone)]
enum Op {
    Event(Event),
    /// An item whose id is made from its number.
    Item(LiveKind),
    Start(bool),
    Stream(String),
    Resume,
    RevertAt(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let text = prop::sample::select(vec![
        "",
        " ",
        "Hello",
        "ä 字\n\"quoted\" \\ \u{0}\u{2028}",
        "<proposed_plan>\nplan\n</proposed_plan>",
        "a\n<proposed_plan>\nb\n</proposed_plan>\nc",
        "<proposed_plan>",
    ])
    .prop_map(str::to_owned)
    .boxed();
    let t = move || text.clone();
    let message = (t(), t(), any::<bool>()).prop_map(|(a, b, image)| {
        let span = |s: &str| {
            s.chars().next().map(|c| TextElement {
                start: 0,
                end: c.len_utf8(),
                placeholder: Some("@x".into()),
            })
        };
        let mut content = vec![
            Input::Text { elements: span(&a).into_iter().collect(), text: a },
            Input::Text { elements: span(&b).into_iter().collect(), text: b },
        ];
        if image {
            content.insert(1, Input::Image("data:image/png;base64,AA".into()));
            content.push(Input::LocalImage("/home/dev/shop/p.png".into()));
        }
        LiveKind::UserMessage(content)
    });
    let status = || {
        prop::sample::select(vec![ItemStatus::Completed, ItemStatus::Failed, ItemStatus::Declined])
    };
    let tool = prop_oneof![
        (t(), status(), 0i64..9_999).prop_map(|(output, status, duration_ms)| LiveKind::Command {
            command: vec!["echo".into(), output.clone()],
            cwd: "/home/dev/shop".into(),
            status,
            output,
            exit_code: (status == ItemStatus::Completed).then_some(0),
            duration_ms,
        }),
        (t(), status(), any::<bool>()).prop_map(|(diff, status, moved)| LiveKind::FileChange {
            changes: vec![
                FileUpdate { path: "/tmp/z".into(), kind: PatchKind::Add, diff: diff.clone() },
                FileUpdate {
                    path: "/home/dev/shop/a".into(),
                    kind: PatchKind::Update { move_path: moved.then(|| "/home/dev/shop/b".into()) },
                    diff,
                },
                FileUpdate { path: "/etc/a".into(), kind: PatchKind::Delete, diff: String::new() },
            ],
            status,
        }),
        (t(), 0u8..3).prop_map(|(text, how)| LiveKind::Mcp {
            server: "docs".into(),
            tool: "search".into(),
            arguments: RawJson::parse("{\n \"q\": 123456789012345678901 }").unwrap(),
            result: match how {
                0 => Err(text),
                n => Ok(RawJson::of(
                    &json!({"content": [{"type": "text", "text": text}], "isError": n == 1})
                )),
            },
            duration_ms: 7,
        }),
        t().prop_map(|query| LiveKind::WebSearch {
            action: RawJson::of(&json!({"type": "search", "query": query})),
            query
        }),
        Just(LiveKind::ImageView { path: "/home/dev/shop/a b%.png".into() }),
        (0i64..5_000).prop_map(|duration_ms| LiveKind::Sleep { duration_ms }),
    ];
    let others = others::kinds(&t);
    prop_oneof![
        4 => any::<bool>().prop_map(Op::Start),
        4 => message.prop_map(Op::Item),
        4 => (t(), any::<bool>()).prop_map(|(text, last)| Op::Item(LiveKind::AgentMessage {
            text,
            phase: last.then(|| "final_answer".into()),
        })),
        2 => (prop::collection::vec(t(), 0..3), prop::collection::vec(t(), 0..2))
            .prop_map(|(summary, content)| Op::Item(LiveKind::Reasoning { summary, content })),
        1 => t().prop_map(|text| Op::Item(LiveKind::Plan(text))),
        4 => tool.prop_map(Op::Item),
        4 => others.prop_map(Op::Item),
        2 => t().prop_map(Op::Stream),
        1 => t().prop_map(|message| Op::Event(Event::Compacted {
            item_id: "compaction".into(), message, replacement: Some(RawJson::parse("[]").unwrap()),
        })),
        4 => Just(Op::Event(Event::TurnCompleted { at_ms: 9_000, last_message: Some("x".into()), error: None })),
        1 => Just(Op::Event(Event::TurnCompleted {
            at_ms: 9_000, last_message: None,
            error: Some(LiveError { message: "no".into(), code: Some("usage_limit_exceeded".into()) }),
        })),
        1 => Just(Op::Event(Event::TurnAborted { at_ms: 8_000, reason: "interrupted".into() })),
        2 => (1u32..4).prop_map(|turns| Op::Event(Event::RolledBack { turns })),
        1 => (0usize..4).prop_map(Op::RevertAt),
        1 => Just(Op::Event(Event::Settings(RawJson::of(&json!({"model": "m"}))))),
        1 => Just(Op::Event(Event::Tokens(RawJson::of(&json!(null))))),
        1 => Just(Op::Resume),
    ]
}

/// A UI that only follows changes.
fn follow(view: &mut Vec<Turn>, changes: Vec<Change>) {
    for change in changes {
        match change {
            Change::TurnAdded(turn) => view.push(turn),
            Change::TurnChanged(turn) => {
                let there = view.iter_mut().find(|t| t.id == turn.id).unwrap();
                *there = Turn { items: std::mem::take(&mut there.items), ..turn };
            }
            Change::TurnsRemoved(ids) => view.retain(|t| !ids.contains(&t.id)),
            Change::ItemAdded { turn_id, item } => {
                view.iter_mut().find(|t| t.id == turn_id).unwrap().items.push(item);
            }
            Change::ItemChanged { turn_id, item } => {
                let turn = view.iter_mut().find(|t| t.id == turn_id).unwrap();
                let there = turn.items.iter_mut().find(|i| i.id == item.id).unwrap();
                *there = item;
            }
            Change::TextAppended { turn_id, item_id, delta } => {
                use recount_session::model::ItemKind::{AgentMessage, Plan};
                let turn = view.iter_mut().find(|t| t.id == turn_id).unwrap();
                let item = turn.items.iter_mut().find(|i| i.id == item_id).unwrap();
                let (AgentMessage { text, .. } | Plan { text }) = &mut item.kind else { panic!() };
                text.push_str(&delta);
            }
            Change::ItemRemoved { turn_id, item_id } => {
                let turn = view.iter_mut().find(|t| t.id == turn_id).unwrap();
                turn.items.retain(|i| i.id != item_id);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 160, ..ProptestConfig::default() })]

    /// The law of the recorder: what stands in the files is what the view was.
    #[test]
    fn a_replay_gives_the_view(mode in prop::sample::select(MODES.to_vec()), ops in prop::collection::vec(op(), 0..40)) {
        let home = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::start(home.path(), &start(mode)).unwrap();
        let id = recorder.thread_id().to_owned();
        let mut view: Vec<Turn> = Vec::new();
        for (n, op) in ops.into_iter().enumerate() {
            let event = match op {
                Op::Event(event) => event,
                Op::Item(kind) => item(format!("i-{n}"), kind),
                Op::Start(plan_mode) => {
                    Event::TurnStarted { turn_id: Recorder::new_turn_id(), at_ms: 5_500, plan_mode }
                }
                Op::Stream(delta) => Event::TextDelta { item_id: "stream".into(), delta },
                Op::RevertAt(at) => {
                    let Some(turn) = recorder.live().turns().get(at) else { continue };
                    Event::Reverted { before: turn.id.clone() }
                }
                Op::Resume => {
                    if !recorder.is_written() {
                        continue;
                    }
                    let expected = comparable(recorder.live().stored().to_vec());
                    drop(recorder);
                    let extended = mode == Mode::Extended;
                    recorder = Recorder::resume(&find(home.path(), &id), extended, Sync::Lazy).unwrap();
                    prop_assert_eq!(&comparable(recorder.live().turns().to_vec()), &expected);
                    view = recorder.live().turns().to_vec();
                    continue;
                }
            };
            if let Ok(changes) = recorder.record(&event) {
                follow(&mut view, changes);
            }
            prop_assert_eq!(&view[..], recorder.live().turns());
        }
        if recorder.is_written() {
            let stored = comparable(recorder.live().stored().to_vec());
            drop(recorder);
            prop_assert_eq!(replayed(home.path(), &id), stored);
        } else {
            prop_assert!(!home.path().join("sessions").exists());
        }
    }
}

/// A thread of a few turns.
fn sample(root: &Path, mode: Mode, turns: i64) -> Recorder {
    let mut recorder = Recorder::start(root, &start(mode)).unwrap();
    for n in 1..=turns {
        let events = [
            begin(&format!("turn-{n}"), n * 1_000),
            item(format!("u{n}"), prompt("Do it")),
            item(format!("c{n}"), command("out\n".into())),
            item(format!("a{n}"), LiveKind::AgentMessage { text: "Done ä".into(), phase: None }),
            complete(n * 1_000 + 500),
        ];
        for event in &events {
            recorder.record(event).unwrap();
        }
    }
    recorder
}

#[test]
fn nothing_is_written_before_there_is_something() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::start(home.path(), &start(Mode::Paginated)).unwrap();
    assert!(recorder.name("n").is_err());
    recorder.record(&Event::RolledBack { turns: 1 }).unwrap();
    assert!(!recorder.is_written() && !home.path().join("sessions").exists());
    recorder.record(&begin("t", 0)).unwrap();
    let text = fs::read_to_string(recorder.path()).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(
        text.starts_with("{\"timestamp\":\"")
            && text.contains("\"ordinal\":0,\"type\":\"session_meta\"")
    );
    assert!(text.contains("\"ordinal\":1,"));
}

/// What the records behind the header and the beginning of the first turn are.
fn tags_of(rollout: &str) -> Vec<String> {
    let records = rollout.lines().skip(2).map(|l| {
        let record: serde_json::Value = serde_json::from_str(l).unwrap();
        let payload = &record["payload"];
        let tag = payload["item"]["type"].as_str().or(payload["type"].as_str());
        tag.unwrap().to_owned()
    });
    records.collect()
}

#[test]
fn each_mode_keeps_what_codex_keeps() {
    let tags = |mode| -> Vec<String> {
        let home = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::start(home.path(), &start(mode)).unwrap();
        let mcp = LiveKind::Mcp {
            server: "s".into(),
            tool: "t".into(),
            arguments: RawJson::null(),
            result: Err("no".into()),
            duration_ms: 1,
        };
        let patch = LiveKind::FileChange { changes: Vec::new(), status: ItemStatus::Completed };
        let web = LiveKind::WebSearch {
            query: "q".into(),
            action: RawJson::of(&json!({"type": "other"})),
        };
        let kinds = [
            prompt("p"),
            command("o".into()),
            patch,
            mcp,
            web,
            LiveKind::ImageView { path: "/a".into() },
            LiveKind::Plan("x".into()),
            LiveKind::Sleep { duration_ms: 1 },
        ];
        recorder.record(&begin("t", 0)).unwrap();
        for (n, kind) in kinds.into_iter().enumerate() {
            recorder.record(&item(n.to_string(), kind)).unwrap();
        }
        let error = Some(LiveError { message: "e".into(), code: None });
        recorder.record(&Event::TurnCompleted { at_ms: 1, last_message: None, error }).unwrap();
        tags_of(&fs::read_to_string(recorder.path()).unwrap())
    };
    assert_eq!(tags(Mode::Limited), ["user_message", "Plan", "Extension", "task_complete"]);
    assert_eq!(
        tags(Mode::Extended),
        [
            "user_message",
            "exec_command_end",
            "patch_apply_end",
            "mcp_tool_call_end",
            "web_search_end",
            "view_image_tool_call",
            "Plan",
            "Extension",
            "error",
            "task_complete"
        ]
    );
    assert_eq!(
        tags(Mode::Paginated),
        [
            "UserMessage",
            "CommandExecution",
            "FileChange",
            "McpToolCall",
            "WebSearch",
            "ImageView",
            "Plan",
            "Extension",
            "task_complete"
        ]
    );
}

#[test]
fn long_output_is_cut() {
    for (mode, limit) in [(Mode::Extended, 10_000), (Mode::Paginated, 64 << 10)] {
        let home = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::start(home.path(), &start(mode)).unwrap();
        recorder.record(&begin("t", 0)).unwrap();
        recorder.record(&item("c", command(format!("first{}last", "ä\n".repeat(60_000))))).unwrap();
        let text = fs::read_to_string(recorder.path()).unwrap();
        let record: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let payload = &record["payload"];
        let output = payload["aggregated_output"]
            .as_str()
            .or(payload["item"]["aggregated_output"].as_str())
            .unwrap();
        assert!(output.len() <= limit && output.len() > limit - 8, "{}", output.len());
        assert!(
            output.starts_with("first")
                && output.ends_with("last")
                && output.contains(" chars truncated…")
        );
    }
    let home = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::start(home.path(), &start(Mode::Paginated)).unwrap();
    recorder.record(&begin("t", 0)).unwrap();
    let result = RawJson::of(
        &json!({"content": [{"type": "text", "text": "\"".repeat(90_000)}], "isError": true}),
    );
    let mcp = LiveKind::Mcp {
        server: "s".into(),
        tool: "t".into(),
        arguments: RawJson::null(),
        result: Ok(result),
        duration_ms: 1,
    };
    recorder.record(&item("m", mcp)).unwrap();
    assert_eq!(
        replayed(home.path(), recorder.thread_id()),
        comparable(recorder.live().stored().to_vec())
    );
    let last = fs::read_to_string(recorder.path()).unwrap();
    assert!(last.lines().last().unwrap().len() < 140_000);
}

/// A crash at any byte: what is left reads back to the last whole record, and the thread goes on.
#[test]
fn a_crash_at_any_byte_costs_at_most_one_record() {
    for mode in MODES {
        let home = tempfile::tempdir().unwrap();
        let recorder = sample(home.path(), mode, 2);
        let (id, path) = (recorder.thread_id().to_owned(), recorder.path().to_owned());
        drop(recorder);
        let whole = fs::read(&path).unwrap();
        let header = memchr::memchr(b'\n', &whole).unwrap() + 1;
        let mut lines_before = 1;
        let mut last_whole = Vec::new();
        for cut in header..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let thread = discover::codex::Codex.open(&find(home.path(), &id)).unwrap().thread(None);
            let turns = comparable(shown(thread));
            // A record that lacks nothing but its line ending counts already.
            let complete = whole[..cut].ends_with(b"\n") || whole[cut..].starts_with(b"\n");
            if complete {
                last_whole = turns;
                lines_before += usize::from(whole[..cut].ends_with(b"\n"));
            } else {
                assert_eq!(turns, last_whole, "{mode:?} cut at {cut}");
            }
            // Going on is slow: at some places of each line it is tried.
            if cut % 211 == 0 || complete {
                let mut recorder =
                    Recorder::resume(&find(home.path(), &id), mode == Mode::Extended, Sync::Lazy)
                        .unwrap();
                recorder.record(&begin("after", 99_000)).unwrap();
                recorder.record(&item("u", prompt("On"))).unwrap();
                let expected = comparable(recorder.live().stored().to_vec());
                drop(recorder);
                let thread =
                    discover::codex::Codex.open(&find(home.path(), &id)).unwrap().thread(None);
                assert_eq!(comparable(shown(thread)), expected, "{mode:?} resumed at {cut}");
                assert_eq!(expected.len(), last_whole.len() + 1);
            }
        }
        assert!(lines_before > 8);
    }
}

#[test]
fn one_recorder_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let recorder = sample(home.path(), Mode::Paginated, 3);
    let head = find(home.path(), recorder.thread_id());
    assert!(matches!(
        Recorder::resume(&head, false, Sync::Lazy),
        Err(RecordError::Edit(EditError::Held(_)))
    ));
    assert!(matches!(Editor::new(&head).archive(), Err(EditError::Held(_))));
    // Its own commands go through it.
    assert_eq!(recorder.name("Mine").unwrap().name.as_deref(), Some("Mine"));
    let fork = recorder.fork(&Cut::After("turn-1".into())).unwrap();
    assert_eq!(replayed(home.path(), fork.new_thread_id.as_deref().unwrap()).len(), 1);
    let id = recorder.thread_id().to_owned();
    let archived = recorder.archive().unwrap();
    assert!(archived.path.starts_with(home.path().join("archived_sessions")));
    assert!(
        Recorder::resume(&find(home.path(), &id), false, Sync::Lazy).is_ok(),
        "the lock was given back"
    );
}

#[test]
fn a_compressed_rollout_is_restored() {
    let home = tempfile::tempdir().unwrap();
    let recorder = sample(home.path(), Mode::Limited, 3);
    let (id, path) = (recorder.thread_id().to_owned(), recorder.path().to_owned());
    let stored = comparable(recorder.live().stored().to_vec());
    drop(recorder);
    let bytes = fs::read(&path).unwrap();
    fs::write(path.with_extension("jsonl.zst"), zstd::encode_all(&bytes[..], 3).unwrap()).unwrap();
    fs::remove_file(&path).unwrap();
    let recorder = Recorder::resume(&find(home.path(), &id), false, Sync::Data).unwrap();
    assert_eq!((recorder.path(), fs::read(&path).unwrap()), (&*path, bytes));
    assert!(!path.with_extension("jsonl.zst").exists());
    assert_eq!(comparable(recorder.live().turns().to_vec()), stored);
}

#[test]
fn a_paginated_thread_goes_on_behind_a_revert() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = sample(home.path(), Mode::Paginated, 3);
    let first = recorder.path().to_owned();
    let before = fs::read(&first).unwrap();
    recorder.record(&Event::Reverted { before: "turn-2".into() }).unwrap();
    assert_ne!(recorder.path(), first);
    assert_eq!(fs::read(&first).unwrap(), before);
    recorder.record(&begin("turn-4", 9_000)).unwrap();
    recorder.record(&complete(9_900)).unwrap();
    let id = recorder.thread_id().to_owned();
    let turns = replayed(home.path(), &id);
    assert_eq!(turns.iter().map(|t| t.id.as_str()).collect::<Vec<_>>(), ["turn-1", "turn-4"]);
    recorder.record(&Event::RolledBack { turns: 2 }).unwrap();
    assert!(replayed(home.path(), &id).is_empty());
}

#[test]
fn ids_of_turns_are_new_each_time() {
    let ids: std::collections::HashSet<String> =
        (0..1_000).map(|_| Recorder::new_turn_id()).collect();
    assert_eq!(ids.len(), 1_000);
    assert!(ids.iter().all(|id| id.as_bytes()[14] == b'7'));
}
