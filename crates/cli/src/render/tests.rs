//! Every kind of item, drawn from a thread that is made by hand.

use std::sync::Arc;

use recount_formats::{Code, Finding, Harness, Position};
use recount_session::RawJson;
use recount_session::model::item::{
    ContentItem, Extra, FileUpdate, HookFragment, ItemStatus, NoticeLevel, PatchKind, UserInput,
};
use recount_session::model::{
    At, Branch, Item, ItemKind, Subagent, Thread, Turn, TurnError, TurnStatus,
};

use super::thread::{self, Detail};
use crate::output::Screen;

fn json(text: &str) -> RawJson {
    RawJson::parse(text).unwrap()
}

fn source() -> Arc<str> {
    Arc::from("rollout.jsonl")
}

fn item(n: usize, kind: ItemKind) -> Item {
    Item::new(format!("item-{n}"), kind, At::line(&source(), Position::default()))
}

fn command(line: &str, status: ItemStatus, output: &str, exit: i64, ms: i64) -> ItemKind {
    ItemKind::CommandExecution {
        command: line.to_owned(),
        cwd: Some("/home/dev/shop".to_owned()),
        status,
        source: "agent".to_owned(),
        command_actions: json("[]"),
        aggregated_output: Some(output.to_owned()),
        exit_code: Some(exit),
        duration_ms: Some(ms),
        process_id: None,
        plugin_id: None,
        script_path: None,
    }
}

fn message(text: &str) -> ItemKind {
    ItemKind::AgentMessage {
        text: text.to_owned(),
        phase: None,
        memory_citation: None,
        delivery: None,
        questions: None,
    }
}

fn turn(id: &str, status: TurnStatus, kinds: Vec<ItemKind>) -> Turn {
    let mut turn = Turn::new(id);
    turn.status = status;
    turn.started_at = Some(1_793_628_180);
    turn.duration_ms = Some(42_300);
    turn.items = kinds.into_iter().enumerate().map(|(n, k)| item(n, k)).collect();
    turn
}

fn tool(name: &str, arguments: &str, status: ItemStatus, result: &str) -> ItemKind {
    ItemKind::DynamicToolCall {
        tool: name.to_owned(),
        namespace: None,
        arguments: json(arguments),
        status,
        content_items: Some(vec![ContentItem::InputText { text: result.to_owned() }]),
        success: None,
        duration_ms: None,
    }
}

fn sample() -> Thread {
    let mut thread = Thread::new(Harness::Codex, "0199c0de-7000-7000-8000-00000000000a");
    thread.title = Some("Limit the login endpoint\u{1b}]0;owned\u{7}".to_owned());
    thread.cwd = Some("/home/dev/shop".to_owned());
    thread.git_branch = Some("main".to_owned());
    thread.model = Some("gpt-5.2-codex".to_owned());
    thread.created_at = Some("2026-11-02T14:03:00Z".to_owned());
    thread.updated_at = Some("2026-11-02T14:21:09Z".to_owned());
    thread.usage.responses = 4;
    thread.usage.input_tokens = 12_400;
    thread.usage.cached_input_tokens = 9_100;
    thread.usage.output_tokens = 2_130;
    thread.usage.reasoning_tokens = 640;
    thread.lineage.subagents = vec![Subagent {
        id: "0199c0de-7000-7000-8000-00000000000b".to_owned(),
        tool_call_id: None,
        name: Some("explorer".to_owned()),
    }];
    thread.branches = vec![
        Branch { leaf: "b1".to_owned(), active: true, abandoned_prompts: vec![] },
        Branch {
            leaf: "b2".to_owned(),
            active: false,
            abandoned_prompts: vec!["Use Redis instead".to_owned(), "And now?".to_owned()],
        },
    ];
    thread.findings = vec![Finding::new(Code::TornLine, &source(), Position::default(), "cut")];
    let first = turn(
        "t1",
        TurnStatus::Completed,
        vec![
            ItemKind::UserMessage {
                content: vec![
                    UserInput::text("Limit the login endpoint to five tries a minute.\n\n  keep this indent"),
                    UserInput::LocalImage { path: "/tmp/shot.png".to_owned(), detail: None },
                ],
                client_id: None,
            },
            ItemKind::HookPrompt {
                fragments: vec![HookFragment { text: "Be brief".to_owned(), hook_run_id: "h".to_owned() }],
            },
            ItemKind::Reasoning {
                summary: vec!["**Looking for the handler**\n\nIt may be in `src`.".to_owned()],
                content: vec![],
            },
            message("I'll look at the **code** first, then at `src/login.rs`."),
            command("bash -lc 'rg -n \"fn login\" src'", ItemStatus::Completed, "src/login.rs:3:fn login\n", 0, 120),
            command(
                "bash -lc 'cargo test -p api -- --nocapture some::very::long::test::name::that::does::not::fit'",
                ItemStatus::Failed,
                "running 1 test\n\ntest login_is_limited ... \u{1b}[31mFAILED\u{1b}[0m\n\ntest result: FAILED. 0 passed\n",
                101,
                2_100,
            ),
            tool("Read", r#"{"file_path":"/home/dev/shop/src/login.rs"}"#, ItemStatus::Completed, "fn login() {}"),
            ItemKind::FileChange {
                changes: vec![
                    FileUpdate {
                        path: "/home/dev/shop/src/login.rs".to_owned(),
                        kind: PatchKind::Update { move_path: None },
                        diff: "@@ -1,2 +1,3 @@\n fn login() {\n-    check();\n+    limit();\n+    check();\n".to_owned(),
                    },
                    FileUpdate {
                        path: "/home/dev/shop/src/limit.rs".to_owned(),
                        kind: PatchKind::Add,
                        diff: "pub fn limit() {}\n".to_owned(),
                    },
                ],
                status: ItemStatus::Completed,
            },
            ItemKind::McpToolCall {
                server: "tracker".to_owned(),
                tool: "get_issue".to_owned(),
                status: ItemStatus::Failed,
                arguments: json(r#"{"id":7}"#),
                result: None,
                error: Some(json(r#"{"message":"no such issue"}"#)),
                duration_ms: Some(300),
                extra: Extra::default(),
            },
            ItemKind::WebSearch {
                query: "rust rate limit".to_owned(),
                action: None,
                results: None,
                status: None,
                text: None,
            },
            ItemKind::CollabAgentToolCall {
                tool: "spawnAgent".to_owned(),
                status: ItemStatus::Completed,
                sender_thread_id: "a".to_owned(),
                receiver_thread_ids: vec!["0199c0de-7000-7000-8000-00000000000b".to_owned()],
                prompt: Some("Find all endpoints".to_owned()),
                model: None,
                reasoning_effort: None,
                agents_states: json("{}"),
                result: Some("Two endpoints.".to_owned()),
                description: None,
            },
            ItemKind::ImageView { path: "/home/dev/shop/a.png".to_owned() },
            ItemKind::Sleep { duration_ms: 5_000 },
            ItemKind::Plan { text: "1. Limit\n2. Test".to_owned() },
            message("# Done\n\nThe endpoint answers `429` after five tries:\n\n- one\n- two\n\n```rust\nlimit(5);\n```\n\n| file | lines |\n| --- | ---: |\n| src/login.rs | 3 |"),
        ],
    );
    let mut second = turn(
        "t2",
        TurnStatus::Failed,
        vec![
            ItemKind::UserMessage {
                content: vec![UserInput::text("日本語でもお願いします \u{202e}evil")],
                client_id: None,
            },
            ItemKind::ContextCompaction {
                summary: Some("We limited the endpoint.".to_owned()),
                trigger: Some("auto".to_owned()),
            },
            ItemKind::EnteredReviewMode { review: "uncommitted changes".to_owned() },
            ItemKind::ExitedReviewMode { review: "Looks good.".to_owned() },
            ItemKind::Notice {
                level: NoticeLevel::Warning,
                text: "The model was switched".to_owned(),
            },
            command("sleep 100", ItemStatus::Declined, "", 0, 0),
        ],
    );
    second.error = Some(TurnError {
        message: "stream disconnected before completion".to_owned(),
        codex_error_info: None,
        additional_details: None,
    });
    second.items.last_mut().unwrap().recovered = true;
    thread.turns = vec![first, second];
    thread
}

fn drawn(columns: usize, colours: bool, detail: Detail<'_>) -> String {
    let mut out = Vec::new();
    thread::write(&mut out, &Screen::of_test(columns, colours), &sample(), &[1, 2], detail)
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn conversation() {
    insta::assert_snapshot!("conversation-80", drawn(80, false, Detail::default()));
    insta::assert_snapshot!("conversation-60", drawn(60, false, Detail::default()));
}

#[test]
fn opened() {
    let detail = Detail { full: true, reasoning: true, part: false, leaf: None };
    insta::assert_snapshot!("opened-80", drawn(80, false, detail));
}

#[test]
fn coloured() {
    let colours = drawn(80, true, Detail::default()).replace('\u{1b}', "␛");
    insta::assert_snapshot!("coloured-80", colours);
}

#[test]
fn no_line_is_wider_than_the_screen() {
    for columns in [40, 60, 80, 100] {
        for full in [false, true] {
            let text =
                drawn(columns, false, Detail { full, reasoning: full, part: true, leaf: None });
            for line in text.lines().filter(|l| !l.contains("recount show")) {
                assert!(crate::output::text::width(line) <= columns, "{columns}: {line}");
            }
        }
    }
}
