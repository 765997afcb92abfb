//! Records a small session as Codex would, and shows what a UI gets meanwhile.
//!
//! ```sh
//! cargo run -p recount-store --example record -- FOLDER [limited|extended|paginated]
//! CODEX_HOME=FOLDER codex resume        # Codex goes on with it
//! recount --store codex=FOLDER show ID
//! ```
//!
//! An agent of your own does the same: one [`Recorder`] for a thread, one [`Recorder::record`] for each thing that
//! happens. What comes back are the changes of the view; drawing them in order is all that a UI has to do.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::error::Error;
use std::path::Path;

use recount_session::RawJson;
use recount_session::live::agents::{AgentActivity, AgentEvent};
use recount_session::live::{Event, Input, LiveItem, LiveKind, Mode, TextElement};
use recount_session::model::item::{FileUpdate, ItemStatus, PatchKind};
use recount_store::recorder::{Recorder, Start};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let Some(folder) = args.next() else {
        eprintln!("usage: record FOLDER [limited|extended|paginated]");
        return Ok(());
    };
    let mode = match args.next().as_deref() {
        Some("limited") => Mode::Limited,
        Some("extended") => Mode::Extended,
        _ => Mode::Paginated,
    };
    let start = Start { mode, cwd: "/home/dev/shop".to_owned(), ..Start::default() };
    let mut recorder = Recorder::start(Path::new(&folder), &start)?;
    for event in session() {
        for change in recorder.record(&event)? {
            println!("{change:?}");
        }
    }
    println!("{}\n{}", recorder.thread_id(), recorder.path().display());
    Ok(())
}

/// Two turns: one with tools and a streamed answer, one that proposes a plan.
fn session() -> Vec<Event> {
    let item =
        |id: &str, kind: LiveKind| Event::ItemCompleted(LiveItem { id: id.to_owned(), kind });
    let start = |plan_mode, at_ms| Event::TurnStarted {
        turn_id: Recorder::new_turn_id(),
        at_ms,
        plan_mode,
    };
    let prompt = "Tidy @src/lib.rs";
    let element = TextElement { start: 5, end: 16, placeholder: Some("@src/lib.rs".to_owned()) };
    let text = Input::Text { text: prompt.to_owned(), elements: vec![element] };
    let plan = "Here it is.\n<proposed_plan>\n1. Measure\n2. Cut\n</proposed_plan>\n";
    let mut events = vec![
        start(false, 1_796_000_000_000),
        // What the model gets stands beside what the person sees.
        message("user", "input_text", prompt),
        item("user-1", LiveKind::UserMessage(vec![text])),
        item(
            "reasoning-1",
            LiveKind::Reasoning { summary: vec!["**Looking**".to_owned()], content: Vec::new() },
        ),
        item(
            "call-1",
            LiveKind::Command {
                command: ["bash", "-lc", "cat src/lib.rs"].map(str::to_owned).to_vec(),
                cwd: "/home/dev/shop".to_owned(),
                status: ItemStatus::Completed,
                output: "pub fn  shop() {}\n".to_owned(),
                exit_code: Some(0),
                duration_ms: 12,
            },
        ),
        item(
            "call-2",
            LiveKind::FileChange {
                changes: vec![FileUpdate {
                    path: "/home/dev/shop/src/lib.rs".to_owned(),
                    kind: PatchKind::Update { move_path: None },
                    diff: "@@ -1 +1 @@\n-pub fn  shop() {}\n+pub fn shop() {}\n".to_owned(),
                }],
                status: ItemStatus::Completed,
            },
        ),
    ];
    events.push(item(
        "agent-1",
        LiveKind::AgentActivity(AgentActivity {
            what: AgentEvent::Started,
            // A sub-agent has a thread of its own.
            thread_id: Recorder::new_turn_id(),
            path: "/root/tester".to_owned(),
            model: None,
            reasoning_effort: None,
        }),
    ));
    events.extend(streamed("answer-1", "Tidied."));
    events.push(message("assistant", "output_text", "Tidied."));
    events.push(Event::TurnCompleted {
        at_ms: 1_796_000_004_200,
        last_message: Some("Tidied.".to_owned()),
        error: None,
    });
    let text = Input::Text { text: "Now plan the rest".to_owned(), elements: Vec::new() };
    events.push(start(true, 1_796_000_010_000));
    events.push(message("user", "input_text", "Now plan the rest"));
    events.push(item("user-2", LiveKind::UserMessage(vec![text])));
    events.extend(streamed("answer-2", plan));
    events.push(message("assistant", "output_text", plan));
    events.push(Event::TurnCompleted {
        at_ms: 1_796_000_012_000,
        last_message: Some(plan.to_owned()),
        error: None,
    });
    events
}

/// An answer in pieces, and its completion.
fn streamed(id: &str, text: &str) -> Vec<Event> {
    let mut events: Vec<Event> = text
        .split_inclusive(' ')
        .map(|delta| Event::TextDelta { item_id: id.to_owned(), delta: delta.to_owned() })
        .collect();
    let kind = LiveKind::AgentMessage { text: text.to_owned(), phase: None };
    events.push(Event::ItemCompleted(LiveItem { id: id.to_owned(), kind }));
    events
}

/// A message as the Responses API has it.
fn message(role: &str, kind: &str, text: &str) -> Event {
    Event::Response(RawJson::of(&serde_json::json!({
        "type": "message", "role": role, "content": [{"type": kind, "text": text}],
    })))
}
