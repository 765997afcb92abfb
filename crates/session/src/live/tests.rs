#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;

use super::plan::{Piece, PlanParser, split};
use super::*;
use crate::model::item::{FileUpdate, PatchKind};

const MESSAGE: &str = "Intro.\n<proposed_plan>\n# Plan\n1. Ä\n</proposed_plan>\nAfter.";

#[test]
fn a_plan_is_taken_out_of_a_message() {
    assert_eq!(split(MESSAGE), ("Intro.\nAfter.".into(), Some("# Plan\n1. Ä\n".into())));
    assert_eq!(split("no plan"), ("no plan".into(), None));
    // Codex closes a plan that the model did not.
    assert_eq!(split("<proposed_plan>\nrest"), (String::new(), Some("rest".into())));
    assert_eq!(
        split("  <proposed_plan>  \nx\n\t</proposed_plan>"),
        (String::new(), Some("x\n".into()))
    );
    // A tag counts only on a line of its own.
    for text in ["see <proposed_plan> here\n", "<proposed_plan>x\n", "<proposed_plans>\n"] {
        assert_eq!(split(text), (text.into(), None));
    }
    // The later of two counts; tags are never text.
    let twice = "<proposed_plan>\na\n</proposed_plan>\nt\n<proposed_plan>\nb\n</proposed_plan>\n";
    assert_eq!(split(twice), ("t\n".into(), Some("b\n".into())));
    assert_eq!(split("a\n</proposed_plan>\nb"), ("a\nb".into(), None));
    let nested = "<proposed_plan>\na\n<proposed_plan>\nb\n</proposed_plan>";
    assert_eq!(split(nested), (String::new(), Some("a\nb\n".into())));
}

#[test]
fn a_line_is_held_only_while_it_could_be_a_tag() {
    let mut parser = PlanParser::default();
    assert_eq!(parser.push("<prop"), []);
    assert_eq!(parser.push("er"), [Piece::Text("<proper".into())]);
    assert_eq!(
        parser.push(" name"),
        [Piece::Text(" name".into())],
        "the rest of the line comes at once"
    );
    assert_eq!(parser.push("\n<proposed_plan>"), [Piece::Text("\n".into())]);
    assert_eq!(parser.push("\nx"), [Piece::PlanStart, Piece::Plan("x".into())]);
    assert_eq!(parser.finish(), [Piece::PlanEnd]);
}

fn joined_pieces(pieces: &[Piece]) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (all.last_mut(), piece) {
            (Some(Piece::Text(last)), Piece::Text(more))
            | (Some(Piece::Plan(last)), Piece::Plan(more)) => last.push_str(more),
            _ => all.push(piece.clone()),
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_a_stream_is_cut_makes_no_difference(
        lines in prop::collection::vec(prop::sample::select(vec![
            "<proposed_plan>", "</proposed_plan>", "text", "", " <proposed_plan> ", "<pro", "</", "ü<proposed_plan>",
        ]), 0..8),
        ended in any::<bool>(),
        cuts in prop::collection::vec(0usize..200, 0..12),
    ) {
        let mut message = lines.join("\n");
        if ended {
            message.push('\n');
        }
        let mut whole = PlanParser::default();
        let mut expected = whole.push(&message);
        expected.extend(whole.finish());
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|&c| message.is_char_boundary(c)).collect();
        cuts.extend([0, message.len()]);
        cuts.sort_unstable();
        let mut parser = PlanParser::default();
        let mut pieces = Vec::new();
        for pair in cuts.windows(2) {
            pieces.extend(parser.push(&message[pair[0]..pair[1].max(pair[0])]));
        }
        pieces.extend(parser.finish());
        prop_assert_eq!(joined_pieces(&pieces), joined_pieces(&expected));
        for piece in joined_pieces(&pieces) {
            if let Piece::Text(text) | Piece::Plan(text) = piece {
                prop_assert!(text.lines().all(|l| l.trim() != "<proposed_plan>" && l.trim() != "</proposed_plan>"));
            }
        }
    }

    #[test]
    fn cut_output_keeps_its_ends_and_its_limit(text in "[a-zäß字\n]{0,400}", limit in 64usize..300) {
        let short = cut::middle(&text, limit);
        prop_assert!(short.len() <= limit);
        if text.len() <= limit {
            prop_assert_eq!(short, text);
        } else {
            prop_assert!(short.contains("chars truncated"));
            prop_assert_eq!(short.chars().next(), text.chars().next());
            prop_assert_eq!(short.chars().last(), text.chars().last());
        }
    }
}

fn live(mode: Mode, plan_mode: bool) -> Live {
    let mut live = Live::new(mode, Some("/w".into()));
    live.apply(&Event::TurnStarted { turn_id: "t".into(), at_ms: 1_500, plan_mode }).unwrap();
    live
}

fn answer(id: &str, text: &str) -> Event {
    let kind = LiveKind::AgentMessage { text: text.into(), phase: None };
    Event::ItemCompleted(LiveItem { id: id.into(), kind })
}

fn delta(id: &str, text: &str) -> Event {
    Event::TextDelta { item_id: id.into(), delta: text.into() }
}

#[test]
fn an_answer_streams_and_its_completion_counts() {
    let mut live = live(Mode::Paginated, false);
    assert!(matches!(&live.apply(&delta("a", "He")).unwrap()[..], [Change::ItemAdded { .. }]));
    let more = live.apply(&delta("a", "llo")).unwrap();
    assert!(matches!(&more[..], [Change::TextAppended { delta, .. }] if delta == "llo"));
    assert!(live.stored()[0].items.is_empty(), "nothing is kept of what is not complete");
    let done = live.apply(&answer("a", "Hello!")).unwrap();
    assert!(matches!(&done[..], [Change::ItemChanged { .. }]));
    assert_eq!(live.turns()[0].items, live.stored()[0].items);
    assert_eq!(live.apply(&answer("a", "again")), Err(Misfit::ItemKnown("a".into())));
}

#[test]
fn a_streamed_plan_is_an_item_of_its_own() {
    let mut live = live(Mode::Paginated, true);
    for c in MESSAGE.chars() {
        live.apply(&delta("a", &c.to_string())).unwrap();
    }
    let texts = |live: &Live| -> Vec<(String, String)> {
        live.turns()[0]
            .items
            .iter()
            .map(|i| match &i.kind {
                ItemKind::AgentMessage { text, .. } | ItemKind::Plan { text } => {
                    (i.id.clone(), text.clone())
                }
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let shown = texts(&live);
    assert_eq!(shown[0].1, "Intro.\nAfter.");
    assert_eq!(shown[1], ("t-plan".into(), "# Plan\n1. Ä\n".into()));
    live.apply(&answer("a", MESSAGE)).unwrap();
    assert_eq!(texts(&live), shown);
    // An answer that is nothing but a plan leaves no empty message.
    live.apply(&delta("b", "x")).unwrap();
    let gone = live.apply(&answer("b", "<proposed_plan>\nother\n</proposed_plan>")).unwrap();
    assert!(matches!(&gone[0], Change::ItemRemoved { item_id, .. } if item_id == "b"));
    assert_eq!(texts(&live)[1].1, "other\n", "one plan a turn: the last");
    assert_eq!(live.turns()[0].items.len(), 2);
}

#[test]
fn what_is_still_running_goes_with_its_turn() {
    let mut live = live(Mode::Paginated, false);
    live.apply(&delta("a", "half an ans")).unwrap();
    let changes =
        live.apply(&Event::TurnAborted { at_ms: 3_700, reason: "interrupted".into() }).unwrap();
    assert!(matches!(&changes[..], [Change::ItemRemoved { .. }, Change::TurnChanged(_)]));
    let turn = &live.turns()[0];
    assert_eq!(turn.status, TurnStatus::Interrupted);
    assert_eq!(
        (turn.started_at, turn.completed_at, turn.duration_ms),
        (Some(1), Some(3), Some(2_200))
    );
}

#[test]
fn events_that_do_not_fit_change_nothing() {
    let item = |kind| Event::ItemCompleted(LiveItem { id: "i".into(), kind });
    let mut open = live(Mode::Limited, false);
    let span = TextElement { start: 1, end: 2, placeholder: None };
    let file = FileUpdate { path: "/w/a".into(), kind: PatchKind::Add, diff: String::new() };
    let completed = crate::model::item::ItemStatus::Completed;
    for (event, misfit) in [
        (Event::TurnStarted { turn_id: "u".into(), at_ms: 0, plan_mode: false }, Misfit::TurnOpen),
        (Event::RolledBack { turns: 1 }, Misfit::TurnOpen),
        (
            item(LiveKind::UserMessage(vec![Input::Text {
                text: "ä".into(),
                elements: vec![span],
            }])),
            Misfit::BadSpan,
        ),
        (
            item(LiveKind::FileChange { changes: vec![file.clone(), file], status: completed }),
            Misfit::FileTwice("/w/a".into()),
        ),
        (delta("", "x"), Misfit::NoId),
    ] {
        let before = open.turns().to_vec();
        assert_eq!(open.apply(&event), Err(misfit));
        assert_eq!(open.turns(), before);
    }
    let known = Event::TurnAborted { at_ms: 0, reason: "bored".into() };
    assert!(matches!(open.apply(&known), Err(Misfit::Unsupported(_))));
    open.apply(&Event::TurnCompleted { at_ms: 2, last_message: None, error: None }).unwrap();
    assert_eq!(open.apply(&answer("a", "x")), Err(Misfit::NoTurn));
    let again = Event::TurnStarted { turn_id: "t".into(), at_ms: 0, plan_mode: false };
    assert_eq!(open.apply(&again), Err(Misfit::TurnKnown("t".into())));
    open.apply(&Event::RolledBack { turns: 9 }).unwrap();
    assert!(open.turns().is_empty() && open.stored().is_empty());
    assert_eq!(open.apply(&again), Err(Misfit::TurnKnown("t".into())), "ids are used once");
    assert!(matches!(
        open.apply(&Event::Reverted { before: "t".into() }),
        Err(Misfit::Unsupported(_))
    ));
}
