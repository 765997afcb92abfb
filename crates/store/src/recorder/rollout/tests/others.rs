//! Reviews, other agents, the client's tools and pictures.

use recount_session::live::agents::{
    AgentActivity, AgentCall, AgentEvent, AgentState, Receiver, TOOLS,
};
use recount_session::live::review::{Review, ReviewFinding, ReviewTarget};
use recount_session::model::ItemKind;
use recount_session::model::item::ContentItem;

use super::*;

const AGENT: &str = "01a2b000-0000-7000-8000-000000000002";

fn activity(what: AgentEvent, text: String) -> LiveKind {
    LiveKind::AgentActivity(AgentActivity {
        what,
        thread_id: AGENT.into(),
        path: format!("/root/{text}"),
        model: (what == AgentEvent::Started).then_some(text),
        reasoning_effort: None,
    })
}

fn call(tool: &str, state: AgentState, text: Option<String>) -> AgentCall {
    AgentCall {
        tool: tool.into(),
        status: ItemStatus::Completed,
        sender_thread_id: "01a2b000-0000-7000-8000-000000000001".into(),
        receivers: vec![Receiver { thread_id: AGENT.into(), nickname: text.clone(), role: None }],
        prompt: text,
        model: None,
        reasoning_effort: Some("low".into()),
        states: vec![(AGENT.into(), state), ("z".into(), AgentState::NotFound)],
    }
}

fn review(text: String, findings: usize) -> Review {
    let finding = ReviewFinding {
        title: "[P1] Off by one".into(),
        body: format!("{text}\nsecond line"),
        confidence: 0.9,
        priority: 1,
        path: "/home/dev/shop/a.rs".into(),
        lines: (3, 4),
    };
    Review {
        findings: vec![finding; findings],
        correctness: "patch is incorrect".into(),
        explanation: text,
        confidence: 0.8,
    }
}

/// Kinds of items for the property test.
pub(super) fn kinds(text: &dyn Fn() -> BoxedStrategy<String>) -> BoxedStrategy<LiveKind> {
    let some = |text: String| Some(text).filter(|t| !t.is_empty());
    let events = [
        AgentEvent::Started,
        AgentEvent::Interacted,
        AgentEvent::Interrupted,
        AgentEvent::Completed,
    ];
    let targets = (text(), 0u8..4).prop_map(move |(text, n)| match n {
        0 => ReviewTarget::UncommittedChanges,
        1 => ReviewTarget::BaseBranch(text),
        2 => ReviewTarget::Commit { title: some(text), sha: "89abcde".into() },
        _ => ReviewTarget::Custom(text),
    });
    let states = (text(), 0u8..6).prop_map(move |(text, n)| match n {
        0 => AgentState::Pending,
        1 => AgentState::Running,
        2 => AgentState::Interrupted,
        3 => AgentState::Shutdown,
        4 => AgentState::Failed(text),
        _ => AgentState::Completed(some(text)),
    });
    prop_oneof![
        (text(), prop::sample::select(events.to_vec()))
            .prop_map(|(text, what)| activity(what, text)),
        (text(), states, prop::sample::select(TOOLS.to_vec())).prop_map(
            move |(text, state, tool)| { LiveKind::AgentCall(call(tool, state, some(text))) }
        ),
        (text(), any::<bool>(), any::<bool>()).prop_map(move |(text, failed, some_content)| {
            let content = vec![
                ContentItem::InputText { text: text.clone() },
                ContentItem::InputImage { image_url: "data:image/png;base64,AA".into() },
                ContentItem::InputAudio { audio_url: text.clone() },
            ];
            LiveKind::Dynamic {
                namespace: some(text),
                tool: "lookup".into(),
                arguments: RawJson::parse("{\n \"id\": 123456789012345678901 }").unwrap(),
                status: if failed { ItemStatus::Failed } else { ItemStatus::Completed },
                content: some_content.then_some(content),
                success: some_content.then_some(!failed),
                duration_ms: 31,
            }
        }),
        (text(), any::<bool>()).prop_map(move |(text, saved)| LiveKind::ImageGeneration {
            status: "completed".into(),
            revised_prompt: some(text.clone()),
            result: "AAECAwQ=".into(),
            saved_path: saved.then(|| "/home/dev/a b%.png".to_owned()),
        }),
        (text(), targets).prop_map(|(hint, target)| LiveKind::ReviewEntered { target, hint }),
        (text(), 0usize..4).prop_map(|(text, n)| {
            LiveKind::ReviewExited(n.checked_sub(1).map(|n| review(text, n)))
        }),
    ]
    .boxed()
}

/// One of each.
fn each() -> Vec<LiveKind> {
    vec![
        LiveKind::ReviewEntered {
            target: ReviewTarget::UncommittedChanges,
            hint: "changes".into(),
        },
        LiveKind::ReviewExited(Some(review("One bug.".into(), 1))),
        activity(AgentEvent::Started, "tester".into()),
        activity(AgentEvent::Completed, "tester".into()),
        LiveKind::AgentCall(call("wait", AgentState::Running, None)),
        LiveKind::Dynamic {
            namespace: None,
            tool: "lookup".into(),
            arguments: RawJson::null(),
            status: ItemStatus::Completed,
            content: None,
            success: None,
            duration_ms: 2,
        },
        LiveKind::ImageGeneration {
            status: "completed".into(),
            revised_prompt: None,
            result: "AA".into(),
            saved_path: None,
        },
    ]
}

#[test]
fn each_mode_keeps_of_others_what_codex_keeps() {
    let tags = |mode| -> Vec<String> {
        let home = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::start(home.path(), &start(mode)).unwrap();
        recorder.record(&begin("t", 0)).unwrap();
        for (n, kind) in each().into_iter().enumerate() {
            recorder.record(&item(n.to_string(), kind)).unwrap();
        }
        // What is seen while it happens is all of it, whatever the file keeps.
        assert_eq!(recorder.live().turns()[0].items.len(), each().len());
        assert_eq!(
            replayed(home.path(), recorder.thread_id()),
            comparable(recorder.live().stored().to_vec())
        );
        tags_of(&fs::read_to_string(recorder.path()).unwrap())
    };
    let legacy = [
        "entered_review_mode",
        "exited_review_mode",
        "sub_agent_activity",
        "SubAgentActivity",
        "image_generation_end",
    ];
    assert_eq!(tags(Mode::Limited), legacy);
    assert_eq!(tags(Mode::Extended), legacy);
    assert_eq!(
        tags(Mode::Paginated),
        [
            "EnteredReviewMode",
            "ExitedReviewMode",
            "SubAgentActivity",
            "SubAgentActivity",
            "CollabAgentToolCall",
            "DynamicToolCall",
            "ImageGeneration",
        ]
    );
}

#[test]
fn what_codex_could_not_read_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::start(home.path(), &start(Mode::Paginated)).unwrap();
    recorder.record(&begin("t", 0)).unwrap();
    let mut declined = call("wait", AgentState::Running, None);
    declined.status = ItemStatus::Declined;
    let mut running = call("wait", AgentState::Running, None);
    running.status = ItemStatus::InProgress;
    let unsure = Review { confidence: f64::NAN, ..Review::default() };
    let bad = [
        LiveKind::AgentCall(call("hire", AgentState::Running, None)),
        LiveKind::AgentCall(declined),
        LiveKind::AgentCall(running),
        LiveKind::ReviewExited(Some(unsure)),
    ];
    let before = fs::read(recorder.path()).unwrap();
    for kind in bad {
        let refused = recorder.record(&item("x", kind));
        assert!(matches!(refused, Err(RecordError::Misfit(_))), "{refused:?}");
    }
    assert_eq!(fs::read(recorder.path()).unwrap(), before);
}

/// What the records say as people read it.
#[test]
fn a_review_reads_as_codex_tells_it() {
    let home = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::start(home.path(), &start(Mode::Limited)).unwrap();
    recorder.record(&begin("t", 0)).unwrap();
    recorder.record(&item("r", LiveKind::ReviewExited(Some(review("Why.".into(), 1))))).unwrap();
    let turns = replayed(home.path(), recorder.thread_id());
    let ItemKind::ExitedReviewMode { review } = &turns[0].items[0].kind else { panic!() };
    let text = "Why.\n\nReview comment:\n\n- [P1] Off by one — /home/dev/shop/a.rs:3-4\n  Why.\n  second line";
    assert_eq!((turns[0].items[0].id.as_str(), review.as_str()), ("r", text));
}
