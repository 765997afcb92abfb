//! Events change the state, changes keep a view as the state is, snapshots hold all of it.

use proptest::prelude::*;

use crate::history::record::exec::{ExecAction, ExecStatus, WaitNote};
use crate::history::record::message::TextTone;
use crate::history::record::tool::{Loading, ToolStatus};
use crate::history::{
    Change, Event, HistoryId, HistoryState, Kind, Maybe, OutputStream, Record, Refused, Timestamp,
    Unknown,
};

fn now() -> Timestamp {
    Timestamp::parse("2026-11-02T09:14:05Z").unwrap()
}

fn loading(message: &str) -> Kind {
    Loading { message: message.to_owned(), other: Unknown::default() }.into()
}

fn insert(kind: Kind) -> Event {
    Event::Insert { before: None, kind, origin: None }
}

fn event() -> impl Strategy<Value = Event> {
    let name = prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned);
    let id = (1..12_u64).prop_map(HistoryId);
    let text = prop_oneof![
        1 => Just(String::new()),
        8 => Just("é\n".to_owned()),
        1 => Just("x".repeat(100_000)),
    ];
    prop_oneof![
        2 => prop::option::of(id.clone()).prop_map(|before| Event::Insert { before, kind: loading("…"), origin: None }),
        1 => id.clone().prop_map(|id| Event::Replace { id, kind: loading("!"), origin: None }),
        2 => id.clone().prop_map(|id| Event::Remove { id }),
        1 => prop::option::of(id).prop_map(|id| Event::TruncateAfter { id }),
        3 => name.clone().prop_map(|call_id| Event::ExecStarted {
            call_id, command: vec!["ls".into()], parsed: Vec::new(), action: ExecAction::List, at: now(),
        }),
        3 => (name.clone(), text.clone(), any::<bool>()).prop_map(|(call_id, content, out)| Event::ExecOutput {
            call_id, content, at: now(),
            stream: if out { OutputStream::Stdout } else { OutputStream::Stderr },
        }),
        1 => (name.clone(), any::<bool>()).prop_map(|(call_id, active)| Event::ExecWaiting {
            call_id, active, total_ms: Some(5), at: now(),
            note: active.then(|| WaitNote {
                message: "still there".into(), tone: TextTone::Dim, timestamp: now(), other: Unknown::default(),
            }),
        }),
        2 => name.clone().prop_map(|call_id| Event::ExecFinished {
            call_id, exit_code: Some(0), status: ExecStatus::Success, at: now(),
        }),
        3 => name.clone().prop_map(|call_id| Event::ToolStarted {
            call_id, title: "fetch".into(), arguments: Vec::new(), at: now(),
        }),
        1 => name.clone().prop_map(|call_id| Event::ToolWaiting {
            call_id, cap_ms: Some(9), has_target: true, has_call_id: false, at: now(),
        }),
        2 => name.clone().prop_map(|call_id| Event::ToolFinished {
            call_id, status: ToolStatus::Failed, duration_ms: Some(3), result: None, error: Some("no".into()),
        }),
        3 => (name.clone(), text).prop_map(|(stream_id, delta)| Event::StreamText {
            stream_id, delta, sequence: None, at: now(),
        }),
        2 => (name, prop::option::of(Just("All of it.".to_owned()))).prop_map(|(stream_id, markdown)| Event::StreamFinished {
            stream_id, markdown, citations: vec!["x".into()], metadata: None, token_usage: None, at: now(),
        }),
    ]
}

/// A screen that only follows changes.
#[derive(Default)]
struct View(Vec<Record>);

impl View {
    fn apply(&mut self, change: Change, state: &HistoryState) {
        let place = |view: &Self, id: HistoryId| view.0.iter().position(|r| r.id() == id).unwrap();
        match change {
            Change::Inserted { id, before } => {
                let at = before.map_or(self.0.len(), |before| place(self, before));
                self.0.insert(at, state.get(id).unwrap().clone());
            }
            Change::Replaced { id } => {
                let at = place(self, id);
                self.0[at] = state.get(id).unwrap().clone();
            }
            Change::Removed { id } => {
                let at = place(self, id);
                self.0.remove(at);
            }
            Change::TruncatedAfter { id } => {
                let keep = id.map_or(0, |id| place(self, id) + 1);
                self.0.truncate(keep);
            }
        }
    }
}

fn again(state: &HistoryState) -> HistoryState {
    let text = serde_json::to_vec(&state.snapshot()).unwrap();
    HistoryState::restore_from(&text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_state_restored_at_any_point_goes_on_as_the_same(
        events in prop::collection::vec((event(), prop::bool::weighted(0.2)), 1..50),
    ) {
        let mut state = HistoryState::new();
        let mut other = HistoryState::new();
        let mut view = View::default();
        for (event, restore) in events {
            if restore {
                other = again(&other);
            }
            let done = state.apply(event.clone());
            prop_assert_eq!(done, other.apply(event));
            prop_assert!(state == other);
            if let Ok(change) = done {
                view.apply(change, &state);
            }
            prop_assert!(view.0.iter().eq(state.records()));
        }
        prop_assert!(again(&state) == state);
    }
}

#[test]
fn a_command_is_found_by_its_call() {
    let mut state = HistoryState::new();
    // Output may come before anybody said that the command runs.
    let output = |content: &str| Event::ExecOutput {
        call_id: "c".into(),
        stream: OutputStream::Stdout,
        content: content.into(),
        at: now(),
    };
    let first = state.apply(output("one\n")).unwrap();
    assert_eq!(first, Change::Inserted { id: HistoryId(1), before: None });
    state
        .apply(Event::ExecStarted {
            call_id: "c".into(),
            command: vec!["make".into()],
            parsed: Vec::new(),
            action: ExecAction::Run,
            at: now(),
        })
        .unwrap();
    state.apply(output("two\n")).unwrap();
    let done = Event::ExecFinished {
        call_id: "c".into(),
        exit_code: Some(2),
        status: ExecStatus::Error,
        at: now(),
    };
    assert_eq!(state.apply(done), Ok(Change::Replaced { id: HistoryId(1) }));
    let Kind::Exec(exec) = state.exec_by_call("c").unwrap().kind() else { panic!() };
    assert_eq!(exec.command, ["make"]);
    assert_eq!(exec.stdout_chunks[1].offset, 4);
    assert_eq!((exec.exit_code, exec.status), (Maybe::Is(2), ExecStatus::Error));
    assert_eq!(state.len(), 1);
}

#[test]
fn a_stream_becomes_a_message_and_is_found_again() {
    let mut state = HistoryState::new();
    for delta in ["Hel", "lo"] {
        let (stream_id, delta) = ("s".into(), delta.into());
        state.apply(Event::StreamText { stream_id, delta, sequence: None, at: now() }).unwrap();
    }
    let end = |markdown: Option<&str>| Event::StreamFinished {
        stream_id: "s".into(),
        markdown: markdown.map(str::to_owned),
        citations: Vec::new(),
        metadata: None,
        token_usage: None,
        at: now(),
    };
    state.apply(end(None)).unwrap();
    let text = |state: &HistoryState| match state.message_by_stream("s").unwrap().kind() {
        Kind::AssistantMessage(message) => message.markdown.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(&state), "Hello");
    state.apply(end(Some("Hello!"))).unwrap();
    assert_eq!(text(&state), "Hello!");
    assert_eq!(state.len(), 1);
}

#[test]
fn a_rewind_forgets_what_led_to_what_is_gone() {
    let mut state = HistoryState::new();
    state.apply(insert(loading("first"))).unwrap();
    let tool = |name: &str| Event::ToolStarted {
        call_id: name.into(),
        title: "fetch".into(),
        arguments: Vec::new(),
        at: now(),
    };
    state.apply(tool("t")).unwrap();
    state.apply(Event::TruncateAfter { id: Some(HistoryId(1)) }).unwrap();
    assert!(state.tool_by_call("t").is_none());
    assert_eq!((state.len(), state.next_id()), (1, HistoryId(3)));
    // The id is not given again.
    assert_eq!(state.apply(tool("t")), Ok(Change::Inserted { id: HistoryId(3), before: None }));
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let mut state = HistoryState::new();
    let gone = HistoryId(7);
    assert_eq!(state.apply(Event::Remove { id: gone }), Err(Refused::NoSuchRecord(gone)));
    let full = br#"{"records":[],"next_id":18446744073709551615,"exec_call_lookup":{},"tool_call_lookup":{},"stream_lookup":{}}"#;
    let mut state = HistoryState::restore_from(full).unwrap();
    assert_eq!(state.apply(insert(loading("x"))), Err(Refused::OutOfIds));
    assert!(state.is_empty());
}

#[test]
fn many_records_come_and_go_in_little_time() {
    let mut state = HistoryState::new();
    for n in 0..300_000_u64 {
        state.apply(insert(loading("x"))).unwrap();
        if n >= 10 {
            state.apply(Event::Remove { id: HistoryId(n - 9) }).unwrap();
        }
    }
    assert_eq!(state.len(), 10);
    assert_eq!(state.records().next().unwrap().id(), HistoryId(299_991));
    assert!(again(&state) == state);
}
