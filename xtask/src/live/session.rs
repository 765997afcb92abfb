//! What an agent does: every kind of item and every end of a turn.

use recount_session::RawJson;
use recount_session::live::agents::{AgentActivity, AgentCall, AgentEvent, AgentState, Receiver};
use recount_session::live::review::{Review, ReviewFinding, ReviewTarget};
use recount_session::live::{Event, Input, LiveError, LiveItem, LiveKind, TextElement};
use recount_session::model::item::{ContentItem, FileUpdate, ItemStatus, PatchKind};
use recount_store::recorder::Recorder;
use serde_json::json;

/// The working directory.
pub(super) const CWD: &str = "/home/dev/shop";
/// When the first turn begins.
const START: i64 = 1_796_000_000_000;

/// A turn that begins in second `at`.
pub(super) fn begin(at: i64, plan_mode: bool) -> Event {
    Event::TurnStarted { turn_id: Recorder::new_turn_id(), at_ms: START + at * 1_000, plan_mode }
}

pub(super) fn end(at: i64) -> Event {
    Event::TurnCompleted { at_ms: START + at * 1_000 + 250, last_message: None, error: None }
}

fn item(id: &str, kind: LiveKind) -> Event {
    Event::ItemCompleted(LiveItem { id: id.to_owned(), kind })
}

fn text(text: &str) -> Input {
    Input::Text { text: text.to_owned(), elements: Vec::new() }
}

fn answer(id: &str, text: &str, phase: Option<&str>) -> Event {
    let phase = phase.map(str::to_owned);
    item(id, LiveKind::AgentMessage { text: text.to_owned(), phase })
}

fn message(role: &str, kind: &str, text: &str) -> Event {
    Event::Response(RawJson::of(&json!({
        "type": "message", "role": role, "content": [{"type": kind, "text": text}],
    })))
}

/// A prompt and an answer.
pub(super) fn simple(at: i64, prompt: &str) -> Vec<Event> {
    vec![
        begin(at, false),
        message("user", "input_text", prompt),
        item("u", LiveKind::UserMessage(vec![text(prompt)])),
        answer("a", &format!("Done: {prompt}"), Some("final_answer")),
        message("assistant", "output_text", &format!("Done: {prompt}")),
        end(at),
    ]
}

/// Everything.
pub(super) fn full() -> Vec<Event> {
    let mut all = Vec::new();
    all.extend(inputs(0));
    all.extend(tools(10));
    all.extend(others(15));
    all.extend(plans(20));
    all.extend(compaction(30));
    all.extend(ends(40));
    all.extend(simple(60, "At last ✓"));
    all
}

fn inputs(at: i64) -> Vec<Event> {
    let prompt = "Look at @src/lib.rs, 日本語 & \"quotes\" \\ \u{2028}";
    let element = TextElement { start: 8, end: 19, placeholder: Some("@src/lib.rs".to_owned()) };
    let content = vec![
        Input::Text { text: prompt.to_owned(), elements: vec![element] },
        Input::Image("data:image/png;base64,iVBORw0KGgo=".to_owned()),
        Input::Text {
            text: "ünd more".to_owned(),
            elements: vec![TextElement { start: 0, end: 5, placeholder: None }],
        },
        Input::LocalImage(format!("{CWD}/shot.png")),
    ];
    vec![
        begin(at, false),
        message("user", "input_text", prompt),
        item("u", LiveKind::UserMessage(content)),
        item(
            "r1",
            LiveKind::Reasoning {
                summary: vec!["**First**".to_owned(), "**Second**".to_owned()],
                content: vec!["raw thoughts".to_owned()],
            },
        ),
        item(
            "r2",
            LiveKind::Reasoning { summary: vec!["**Third**".to_owned()], content: Vec::new() },
        ),
        answer("a1", "On it.", Some("commentary")),
        item(
            "r3",
            LiveKind::Reasoning { summary: vec!["**Fourth**".to_owned()], content: Vec::new() },
        ),
        answer("a2", "Seen.", Some("final_answer")),
        message("assistant", "output_text", "Seen."),
        end(at),
    ]
}

fn command(
    id: &str,
    line: &str,
    status: ItemStatus,
    output: String,
    exit_code: Option<i64>,
) -> Event {
    let command = ["bash", "-lc", line].map(str::to_owned).to_vec();
    let cwd = format!("{CWD}/a b");
    item(id, LiveKind::Command { command, cwd, status, output, exit_code, duration_ms: 1_234 })
}

fn change(name: &str, kind: PatchKind, diff: &str) -> FileUpdate {
    FileUpdate { path: format!("{CWD}/{name}"), kind, diff: diff.to_owned() }
}

fn mcp(id: &str, result: Result<RawJson, String>) -> Event {
    let arguments = RawJson::of(&json!({"q": "x", "n": [1, null]}));
    let (server, tool) = ("docs".to_owned(), "search".to_owned());
    item(id, LiveKind::Mcp { server, tool, arguments, result, duration_ms: 1_005 })
}

fn tools(at: i64) -> Vec<Event> {
    let done = ItemStatus::Completed;
    let diff = "@@ -1 +1 @@\n-a\n+b\n";
    let target = format!("{CWD}/moved.rs");
    vec![
        begin(at, false),
        message("user", "input_text", "Use tools"),
        item("u", LiveKind::UserMessage(vec![text("Use tools")])),
        command("c1", "ls 'x y' | wc", done, "two\nlines\n".to_owned(), Some(0)),
        command("c2", "false", ItemStatus::Failed, String::new(), Some(1)),
        command("c3", "rm -rf /", ItemStatus::Declined, String::new(), None),
        command("c4", "seq 1 99999", done, "line ä\n".repeat(20_000), Some(0)),
        item(
            "f1",
            LiveKind::FileChange {
                changes: vec![
                    change("z.rs", PatchKind::Add, "new\n"),
                    change("a.rs", PatchKind::Update { move_path: None }, diff),
                    change("b.rs", PatchKind::Delete, "old\n"),
                    change("c.rs", PatchKind::Update { move_path: Some(target) }, diff),
                ],
                status: done,
            },
        ),
        item(
            "f2",
            LiveKind::FileChange {
                changes: vec![change("d.rs", PatchKind::Add, "x")],
                status: ItemStatus::Declined,
            },
        ),
        mcp("m1", Ok(RawJson::of(&json!({"content": [{"type": "text", "text": "found"}]})))),
        mcp("m2", Ok(RawJson::of(&json!({"content": [], "isError": true})))),
        mcp("m3", Err("no such server".to_owned())),
        item(
            "w",
            LiveKind::WebSearch {
                query: "weather".to_owned(),
                action: RawJson::of(&json!({"type": "search", "query": "weather"})),
            },
        ),
        item("v", LiveKind::ImageView { path: format!("{CWD}/ä b%.png") }),
        item("s", LiveKind::Sleep { duration_ms: 1_500 }),
        answer("a", "Used.", None),
        message("assistant", "output_text", "Used."),
        end(at),
    ]
}

/// Reviews, other agents, the client's tools, pictures.
fn others(at: i64) -> Vec<Event> {
    let agent = "01a2b000-0000-7000-8000-000000000002".to_owned();
    let activity = |what| {
        LiveKind::AgentActivity(AgentActivity {
            what,
            thread_id: agent.clone(),
            path: "/root/tester".to_owned(),
            model: Some("gpt-5.5".to_owned()),
            reasoning_effort: None,
        })
    };
    let call = AgentCall {
        tool: "wait".to_owned(),
        status: ItemStatus::Completed,
        sender_thread_id: "01a2b000-0000-7000-8000-000000000001".to_owned(),
        receivers: vec![Receiver {
            thread_id: agent.clone(),
            nickname: Some("Ada".to_owned()),
            role: None,
        }],
        prompt: Some("Test it".to_owned()),
        model: None,
        reasoning_effort: None,
        states: vec![(agent.clone(), AgentState::Completed(Some("12 pass".to_owned())))],
    };
    let finding = ReviewFinding {
        title: "[P1] Off by one".to_owned(),
        body: "One too many.\nTwice.".to_owned(),
        confidence: 0.9,
        priority: 1,
        path: format!("{CWD}/a.rs"),
        lines: (3, 4),
    };
    let found = Review {
        findings: vec![finding],
        correctness: "patch is incorrect".to_owned(),
        explanation: "One bug.".to_owned(),
        confidence: 0.8,
    };
    vec![
        begin(at, false),
        item("u", LiveKind::UserMessage(vec![text("Review it")])),
        item(
            "e1",
            LiveKind::ReviewEntered {
                target: ReviewTarget::BaseBranch("main".to_owned()),
                hint: "changes against 'main'".to_owned(),
            },
        ),
        item("e2", LiveKind::ReviewExited(Some(found))),
        item("e3", LiveKind::ReviewExited(None)),
        item("g1", activity(AgentEvent::Started)),
        item("g2", activity(AgentEvent::Interacted)),
        item("g3", activity(AgentEvent::Completed)),
        item("g4", LiveKind::AgentCall(call)),
        item(
            "d",
            LiveKind::Dynamic {
                namespace: Some("tickets".to_owned()),
                tool: "open".to_owned(),
                arguments: RawJson::of(&json!({"title": "ä"})),
                status: ItemStatus::Completed,
                content: Some(vec![ContentItem::InputText { text: "Ticket 8".to_owned() }]),
                success: Some(true),
                duration_ms: 2_001,
            },
        ),
        item(
            "i",
            LiveKind::ImageGeneration {
                status: "completed".to_owned(),
                revised_prompt: Some("A red square".to_owned()),
                result: "AAECAwQ=".to_owned(),
                saved_path: Some(format!("{CWD}/ä b.png")),
            },
        ),
        end(at),
    ]
}

fn plans(at: i64) -> Vec<Event> {
    let proposal = "Intro.\n<proposed_plan>\n# Plan\n\n1. Ä\n</proposed_plan>\nOutro.";
    vec![
        begin(at, true),
        message("user", "input_text", "Plan"),
        item("u", LiveKind::UserMessage(vec![text("Plan")])),
        Event::TextDelta { item_id: "a".to_owned(), delta: "Intro.\n<propo".to_owned() },
        Event::TextDelta { item_id: "a".to_owned(), delta: "sed_plan>\n# Pl".to_owned() },
        answer("a", proposal, None),
        message("assistant", "output_text", proposal),
        end(at),
        // Outside of plan mode the tags are text like any other.
        begin(at + 5, false),
        item("u", LiveKind::UserMessage(vec![text("No plan")])),
        answer("a", proposal, None),
        end(at + 5),
    ]
}

fn compaction(at: i64) -> Vec<Event> {
    let kept = json!([{
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": "Summary of it all"}],
    }]);
    vec![
        begin(at, false),
        Event::Compacted {
            item_id: Recorder::new_turn_id(),
            message: "Summary of it all".to_owned(),
            replacement: Some(RawJson::of(&kept)),
        },
        end(at),
    ]
}

fn ends(at: i64) -> Vec<Event> {
    let prompt = |words: &str| item("u", LiveKind::UserMessage(vec![text(words)]));
    let error = |code: Option<&str>| {
        Some(LiveError { message: "It broke".to_owned(), code: code.map(str::to_owned) })
    };
    vec![
        begin(at, false),
        prompt("Fail"),
        Event::TurnCompleted {
            at_ms: START + at * 1_000 + 900,
            last_message: None,
            error: error(Some("usage_limit_exceeded")),
        },
        begin(at + 2, false),
        prompt("Fail otherwise"),
        answer("a", "Half", None),
        Event::TurnCompleted {
            at_ms: START + at * 1_000 + 2_900,
            last_message: None,
            error: error(None),
        },
        begin(at + 4, false),
        prompt("Stop"),
        answer("a", "Some", None),
        Event::TurnAborted { at_ms: START + at * 1_000 + 4_500, reason: "interrupted".to_owned() },
        begin(at + 6, false),
        Event::TurnAborted { at_ms: START + at * 1_000 + 6_100, reason: "replaced".to_owned() },
    ]
}
