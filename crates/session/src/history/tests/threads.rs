//! Threads become records, and follow what is added to them.

use std::sync::Arc;

use recount_formats::Harness;
use serde_json::{Value, json};

use crate::RawJson;
use crate::history::thread::{Follower, history, images};
use crate::history::{Change, HistoryState, Kind};
use crate::model::item::{
    ContentItem, FileUpdate, ItemKind, ItemStatus, NoticeLevel, PatchKind, UserInput,
};
use crate::model::thread::{RateLimits, RateWindow};
use crate::model::{At, Item, Thread, Turn, TurnStatus};

fn item(id: &str, kind: ItemKind) -> Item {
    let source: Arc<str> = "s".into();
    let mut item = Item::new(id, kind, At::Line { source, line: 1, byte: 0 });
    item.timestamp = Some("2026-11-02T09:14:05Z".into());
    item
}

fn command(id: &str, command: &str, status: ItemStatus) -> Item {
    item(
        id,
        ItemKind::CommandExecution {
            command: command.into(),
            cwd: Some("/home/dev/shop".into()),
            status,
            source: "agent".into(),
            command_actions: RawJson::of(&json!([])),
            aggregated_output: Some("out\n".into()),
            exit_code: Some(0),
            duration_ms: Some(1500),
            process_id: None,
            plugin_id: None,
            script_path: None,
        },
    )
}

fn tool(id: &str, tool: &str, arguments: &Value, text: &str) -> Item {
    item(
        id,
        ItemKind::DynamicToolCall {
            tool: tool.into(),
            namespace: None,
            arguments: RawJson::of(arguments),
            status: ItemStatus::Completed,
            content_items: Some(vec![ContentItem::InputText { text: text.into() }]),
            success: Some(true),
            duration_ms: None,
        },
    )
}

fn prompt(id: &str, text: &str) -> Item {
    item(id, ItemKind::UserMessage { content: vec![UserInput::text(text)], client_id: None })
}

fn answer(id: &str, text: &str) -> Item {
    let text = text.to_owned();
    item(
        id,
        ItemKind::AgentMessage {
            text,
            phase: None,
            memory_citation: None,
            delivery: None,
            questions: None,
        },
    )
}

fn thread(items: Vec<Item>) -> Thread {
    let mut thread = Thread::new(Harness::Codex, "t");
    let mut turn = Turn::new("turn-1");
    turn.items = items;
    turn.status = TurnStatus::Completed;
    thread.turns.push(turn);
    thread
}

fn names(state: &HistoryState) -> Vec<&str> {
    state.records().map(|r| r.kind().name()).collect()
}

#[test]
fn looks_stand_behind_their_group() {
    let state = history(&thread(vec![
        prompt("u", "Where?"),
        command("a", "rg total src", ItemStatus::Completed),
        tool("b", "Read", &json!({"file_path": "src/cart.rs"}), "fn total"),
        command("c", "cargo test", ItemStatus::Completed),
        answer("d", "There."),
    ]));
    assert_eq!(
        names(&state),
        ["plain_message", "explore", "exec", "tool_call", "exec", "assistant_message"]
    );
    let written = serde_json::to_value(state.snapshot()).unwrap();
    assert_eq!(
        written["records"][1]["payload"],
        json!({
            "entries": [
                {"command": ["rg total src"], "status": "success", "cwd": "/home/dev/shop"},
                {"command": ["read", "src/cart.rs"], "status": "success"},
            ],
            "trailing": false,
        })
    );
    let exec = &written["records"][2]["payload"];
    assert_eq!(exec["completed_at"], "2026-11-02T09:14:06.5Z");
    assert_eq!(exec["stdout_chunks"], json!([{"offset": 0, "content": "out\n"}]));
    assert_eq!(written["tool_call_lookup"], json!({"b": 4}));
    assert_eq!(written["exec_call_lookup"], json!({"a": 3, "c": 5}));
    assert_eq!(written["records"][4]["origin"]["item_type"], "commandExecution");
    assert_eq!(HistoryState::restore_from(written.to_string().as_bytes()).unwrap(), state);
}

#[test]
fn every_kind_of_item_becomes_a_record() {
    let update = |path: &str| FileUpdate {
        path: path.into(),
        kind: PatchKind::Update { move_path: None },
        diff: "@@ -1 +1 @@\n-a\n+b\n".into(),
    };
    let mut thread = thread(vec![
        item(
            "u",
            ItemKind::UserMessage {
                content: vec![
                    UserInput::text("Look:\n```\nx\n```"),
                    UserInput::Image {
                        url: Some("data:image/png;base64,AAAA".into()),
                        file_id: None,
                        detail: None,
                    },
                ],
                client_id: None,
            },
        ),
        item(
            "r",
            ItemKind::Reasoning { summary: vec!["**Head**\n\nBody".into()], content: vec![] },
        ),
        item(
            "f",
            ItemKind::FileChange {
                changes: vec![update("a"), update("b"), update("a")],
                status: ItemStatus::Declined,
            },
        ),
        tool("p", "TodoWrite", &json!({"todos": [{"content": "x", "status": "completed"}]}), "ok"),
        tool(
            "x",
            "fetch",
            &json!({"url": "http://h", "token": "abc"}),
            "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
        ),
        item("n", ItemKind::Notice { level: NoticeLevel::Warning, text: "Model: x".into() }),
        item("c", ItemKind::ContextCompaction { summary: None, trigger: Some("auto".into()) }),
        item("i", ItemKind::ImageView { path: "a.png".into() }),
    ]);
    thread.turns[0].status = TurnStatus::Interrupted;
    thread.rate_limits = Some(RateLimits {
        primary: Some(RateWindow { used_percent: 36.5, ..RateWindow::default() }),
        secondary: None,
    });
    let state = history(&thread);
    assert_eq!(
        names(&state),
        [
            "plain_message",
            "image",
            "reasoning",
            "patch",
            "patch",
            "plan_update",
            "tool_call",
            "diff",
            "notice",
            "background_event",
            "image",
            "notice",
            "rate_limits",
        ]
    );
    let written = serde_json::to_value(state.snapshot()).unwrap();
    let payload = |n: usize| &written["records"][n]["payload"];
    assert_eq!(payload(1)["path"], "image/png, 3 bytes");
    assert_eq!(payload(3)["event"], "proposed");
    assert_eq!(payload(5)["progress"], json!({"completed": 1, "total": 1}));
    // What must not be read over a shoulder is not in the state.
    assert!(!written.to_string().contains("abc"));
    assert_eq!(payload(12)["primary_used_percent"], 36.5);
    assert_eq!(HistoryState::restore_from(written.to_string().as_bytes()).unwrap(), state);
}

#[test]
fn following_lets_only_the_difference_happen() {
    let mut all = thread(vec![prompt("u", "Go"), command("a", "cat x", ItemStatus::InProgress)]);
    all.turns[0].status = TurnStatus::InProgress;
    let mut follower = Follower::new();
    assert_eq!(follower.update(&all).len(), 3);
    assert!(follower.update(&all).is_empty());
    let ids: Vec<_> = follower.state().records().map(super::super::Record::id).collect();
    // The command ends, another look comes: the group and the command change, one record is new.
    all.turns[0].items[1] = command("a", "cat x", ItemStatus::Completed);
    all.turns[0].items.push(command("b", "ls", ItemStatus::Completed));
    let changes = follower.update(&all);
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[0], Change::Replaced { id: ids[1] });
    assert_eq!(changes[1], Change::Replaced { id: ids[2] });
    assert!(matches!(changes[2], Change::Inserted { before: None, .. }));
    assert!(records_of(follower.state()).eq(records_of(&history(&all))));
    // A rewind, and another way from there.
    all.turns[0].items.truncate(1);
    all.turns[0].items.push(answer("d", "Other"));
    let changes = follower.update(&all);
    assert_eq!(changes[0], Change::TruncatedAfter { id: Some(ids[0]) });
    assert!(records_of(follower.state()).eq(records_of(&history(&all))));
    // Something appears between.
    all.turns[0].items.insert(1, answer("e", "Between"));
    assert!(matches!(follower.update(&all)[..], [Change::Inserted { before: Some(_), .. }]));
    assert!(records_of(follower.state()).eq(records_of(&history(&all))));
}

fn records_of(state: &HistoryState) -> impl Iterator<Item = &Kind> {
    state.records().map(super::super::Record::kind)
}

#[test]
fn items_that_share_an_id_are_records_of_their_own() {
    let state = history(&thread(vec![answer("a", "1"), answer("a", "2"), answer("a", "3")]));
    assert_eq!(state.len(), 3);
}

#[test]
fn images_are_named_in_the_order_of_their_records() {
    let image = |url: &str| UserInput::Image { url: Some(url.into()), file_id: None, detail: None };
    let data = "data:image/png;base64,AAAA";
    let content = vec![UserInput::text("look"), image(data), image("https://example.com/b.png")];
    let asked = item("1", ItemKind::UserMessage { content, client_id: None });
    let seen = item("2", ItemKind::ImageView { path: "/home/dev/c.png".into() });
    let mut given = tool("3", "screenshot", &json!({}), "done");
    if let ItemKind::DynamicToolCall { content_items: Some(items), .. } = &mut given.kind {
        items.push(ContentItem::InputImage { image_url: data.into() });
    }
    let named = |item: &Item| images(&item.kind);
    assert_eq!(named(&asked), [data, "https://example.com/b.png"]);
    assert_eq!(named(&seen), ["/home/dev/c.png"]);
    assert_eq!(named(&given), [data]);
    let state = history(&thread(vec![asked, seen, given]));
    let shown = state.records().filter(|r| matches!(r.kind(), Kind::Image(_))).count();
    assert_eq!(shown, 4);
}
