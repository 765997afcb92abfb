//! Rules of the display, one by one.

use recount_formats::Code;
use serde_json::json;

use super::{Files, Rollout, shown, thread_of};
use crate::model::{ThreadStatus, TurnStatus};
use crate::rebuild::{Facts, KnownTurn};

#[test]
fn a_rollback_counts_turns_and_numbers_go_on_from_what_is_left() {
    let rollout = Rollout::legacy()
        .started("a")
        .user("one")
        .agent("1")
        .complete("a")
        .started("b")
        .with("compacted", &json!({"message": "s", "replacement_history": []}))
        .event("context_compacted", json!({}))
        .complete("b")
        .started("c")
        .user("three")
        .complete("c");
    let two =
        rollout.event("thread_rolled_back", json!({"num_turns": 2})).started("d").user("four");
    assert_eq!(
        shown(&two.thread()),
        ["a Completed: item-1 user one, item-2 agent 1", "d Interrupted: item-3 user four"]
    );
    let all = two.event("thread_rolled_back", json!({"num_turns": 9}));
    assert_eq!(all.thread().status, ThreadStatus::Empty);
}

#[test]
fn turns_without_ids_are_named_by_their_record() {
    let early = Rollout::legacy()
        // Codex cannot read this form of settings any more and does not count it.
        .with("turn_context", &json!({"sandbox_policy": {"mode": "read-only"}}))
        .user("one")
        .with("made_up", &json!({}))
        .user("two");
    assert_eq!(
        shown(&early.thread()),
        ["rollout-2 Completed: item-1 user one", "rollout-4 Completed: item-2 user two"]
    );
}

#[test]
fn an_abort_without_an_id_means_the_open_turn() {
    let rollout = Rollout::legacy()
        .started("a")
        .user("sleep")
        .event("turn_aborted", json!({"reason": "interrupted"}))
        .started("b")
        .user("stop")
        .complete("b");
    assert_eq!(
        shown(&rollout.thread()),
        ["a Interrupted: item-1 user sleep", "b Completed: item-2 user stop"]
    );
}

#[test]
fn an_end_finds_its_turn_by_id_and_a_failed_one_tells_why() {
    let rollout = Rollout::legacy()
        .started("a")
        .user("one")
        .started("b")
        .user("two")
        .complete("a")
        .event("task_complete", json!({"turn_id": "b", "error": {"message": "no more", "codex_error_info": {"http_connection_failed": {"http_status_code": 500}}}}));
    let thread = rollout.thread();
    assert_eq!(thread.turns[0].status, TurnStatus::Completed);
    let error = thread.turns[1].error.as_ref().unwrap();
    assert_eq!((thread.turns[1].status, error.message.as_str()), (TurnStatus::Failed, "no more"));
    assert_eq!(
        error.codex_error_info.as_ref().unwrap().as_str(),
        r#"{"httpConnectionFailed":{"httpStatusCode":500}}"#
    );
}

#[test]
fn parts_of_reasoning_are_one_item_until_something_else_is_said() {
    let part = |text: &str| json!({"text": text});
    let rollout = Rollout::legacy()
        .started("a")
        .event("agent_reasoning", part("x"))
        .event("agent_reasoning_raw_content", part("raw"))
        .event("agent_reasoning", part("y"))
        .event("agent_message", json!({"message": ""}))
        .event("agent_message", json!({"message": "hi"}))
        .event("agent_reasoning", part("z"));
    assert_eq!(
        shown(&rollout.thread()),
        [
            r#"a Interrupted: item-1 reasoning ["x", "y"] ["raw"], item-2 agent hi, item-3 reasoning ["z"] []"#
        ]
    );
}

#[test]
fn a_prompt_is_text_then_images() {
    let rollout = Rollout::legacy().event(
        "user_message",
        json!({"message": "  ", "images": ["data:x"], "local_images": ["/home/dev/shop/a.png"]}),
    );
    let thread = rollout.thread();
    assert_eq!(
        shown(&thread),
        ["rollout-1 Completed: item-1 user <data:x> </home/dev/shop/a.png>"]
    );
    assert_eq!(thread.preview.as_deref(), Some("[Image]"));
}

#[test]
fn what_an_editor_puts_before_a_prompt_is_no_preview() {
    let text = "# Context from my IDE setup:\nopen: a.py\n## My request for Codex:\nFix it\n";
    assert_eq!(Rollout::legacy().user(text).thread().preview.as_deref(), Some("Fix it"));
}

#[test]
fn canonical_items_come_in_the_order_of_their_first_record() {
    let text = |t: &str| json!({"content": [{"type": "Text", "text": t}]});
    let rollout = Rollout::paginated()
        // A review's item comes before any record of its turn.
        .item("a", "EnteredReviewMode", "r", json!({"user_facing_hint": "changes"}))
        .started("a")
        .item("a", "AgentMessage", "m1", text("one"))
        .item("a", "AgentMessage", "m2", text("two"))
        .item("a", "AgentMessage", "m1", text("one, again"))
        .complete("a")
        // What ends a turn is said once.
        .event("turn_aborted", json!({"turn_id": "a", "reason": "interrupted"}));
    assert_eq!(
        shown(&rollout.thread()),
        ["a Completed: r review changes, m1 agent one, again, m2 agent two"]
    );
}

#[test]
fn bases_are_followed_and_checked() {
    let base = Rollout::paginated()
        .started("a")
        .item("a", "UserMessage", "u1", json!({"content": [{"type": "text", "text": "one"}]}))
        .complete("a");
    let end = base.text.len();
    let base = base.started("b").complete("b");
    let fork = |base: serde_json::Value| {
        Rollout { ordinal: Some(4), text: String::new() }
            .with(
                "session_meta",
                &json!({"id": "f", "history_mode": "paginated", "history_base": base}),
            )
            .started("c")
            .complete("c")
    };
    let files = Files([("base".to_owned(), base.text.into_bytes())].into());
    let open = |base| thread_of(fork(base).text.as_bytes(), &files);
    let codes = |thread: &crate::model::Thread| -> Vec<Code> {
        thread.findings.iter().map(|f| f.code).collect()
    };

    let exact =
        open(json!({"thread_id": "base", "end_ordinal_exclusive": 4, "end_byte_offset": end}));
    let whole = ["a Completed: u1 user one", "c Completed: "];
    assert_eq!((shown(&exact), codes(&exact)), (whole.map(String::from).to_vec(), vec![]));

    // The ordinal decides where the byte is wrong.
    for byte in [end - 1, 0, end + 5_000, usize::MAX / 2] {
        let odd =
            open(json!({"thread_id": "base", "end_ordinal_exclusive": 4, "end_byte_offset": byte}));
        assert_eq!(shown(&odd), whole, "{byte}");
        assert_eq!(codes(&odd), [Code::BaseMismatch], "{byte}");
    }
    let gone =
        open(json!({"thread_id": "gone", "end_ordinal_exclusive": 4, "end_byte_offset": end}));
    assert_eq!(
        (shown(&gone), codes(&gone)),
        (vec!["c Completed: ".to_owned()], vec![Code::MissingBase])
    );
}

#[test]
fn bases_in_a_circle_end() {
    let of = |base: &str| {
        Rollout { ordinal: Some(1), ..Rollout::default() }
            .with(
                "session_meta",
                &json!({"id": "x", "history_mode": "paginated", "history_base": {"thread_id": base, "end_ordinal_exclusive": 9, "end_byte_offset": 0}}),
            )
            .text
            .into_bytes()
    };
    let files = Files([("a".to_owned(), of("b")), ("b".to_owned(), of("a"))].into());
    let thread = thread_of(&of("a"), &files);
    assert!(thread.findings.iter().any(|f| f.code == Code::ParentCycle));
}

#[test]
fn what_a_revert_left_behind_is_a_branch() {
    let text = |t: &str| json!({"content": [{"type": "text", "text": t}]});
    let old = Rollout::paginated()
        .started("a")
        .item("a", "UserMessage", "u1", text("kept"))
        .complete("a");
    let base =
        json!({"thread_id": "t", "end_ordinal_exclusive": 4, "end_byte_offset": old.text.len()});
    let old = old.started("b").item("b", "UserMessage", "u2", text("left")).complete("b");
    let new = Rollout { ordinal: Some(4), ..Rollout::default() }
        .with(
            "session_meta",
            &json!({"id": "t", "history_mode": "paginated", "history_base": base}),
        )
        .started("c")
        .item("c", "UserMessage", "u3", text("new"))
        .complete("c");
    let files = Files([("t".to_owned(), old.text.into_bytes())].into());
    let facts = Facts { rollouts: vec!["r".into(), "t".into()], ..Facts::default() };
    let open = |leaf: Option<&str>| {
        super::with(new.text.as_bytes(), &files, &facts, |i| super::super::thread(i, leaf))
    };
    let thread = open(None);
    assert_eq!(shown(&thread), ["a Completed: u1 user kept", "c Completed: u3 user new"]);
    let branches: Vec<_> = thread
        .branches
        .iter()
        .map(|b| (b.leaf.as_str(), b.active, b.abandoned_prompts.join(", ")))
        .collect();
    assert_eq!(branches, [("r", true, String::new()), ("t", false, "left".to_owned())]);
    let left = open(Some("t"));
    assert_eq!(shown(&left), ["a Completed: u1 user kept", "b Completed: u2 user left"]);
    assert_eq!(left.branches, thread.branches);
}

#[test]
fn ordinals_that_repeat_lose_nothing() {
    let mut rollout = Rollout::paginated().started("a").complete("a");
    rollout.ordinal = Some(2);
    let rollout = rollout.started("b").complete("b");
    let thread = rollout.thread();
    assert_eq!(shown(&thread), ["a Completed: ", "b Completed: "]);
    let at: Vec<_> = thread.findings.iter().map(|f| (f.code, f.line)).collect();
    assert_eq!(at, [(Code::OrdinalGap, 4), (Code::LostToHarness, 4)]);
}

#[test]
fn a_file_without_a_header_is_read() {
    let rollout = Rollout::default().user("one").agent("1");
    let thread = rollout.thread();
    assert_eq!(thread.turns.len(), 1);
    let finding = &thread.findings[0];
    assert_eq!((finding.code, finding.line), (Code::MissingHeader, 1));
}

#[test]
fn the_database_knows_an_end_that_was_cut_off() {
    let rollout =
        Rollout::paginated().started("a").raw(r#"{"timestamp":"2026-01-01T00:00:02.000Z","ord"#);
    assert_eq!(rollout.thread().status, ThreadStatus::Open);
    let known = KnownTurn {
        id: "a".into(),
        status: TurnStatus::Completed,
        error: None,
        started_at: Some(1),
        completed_at: Some(5),
        duration_ms: Some(4000),
    };
    let facts = Facts { turns: vec![known], ..Facts::default() };
    let thread = super::with(rollout.text.as_bytes(), &Files::default(), &facts, |i| {
        super::super::thread(i, None)
    });
    assert_eq!(
        (thread.turns[0].status, thread.turns[0].completed_at),
        (TurnStatus::Completed, Some(5))
    );
    assert_eq!(thread.findings[0].code, Code::TornLine);
}

#[test]
fn a_record_beyond_64_bits_is_kept_though_codex_loses_it() {
    let rollout = Rollout::legacy()
        .raw("{\"timestamp\":\"2026-01-01T00:00:01.000Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"big\",\"n\":99999999999999999999999}}\n");
    assert_eq!(shown(&rollout.thread()), ["rollout-1 Completed: item-1 user big"]);
}

#[test]
fn records_glued_on_one_line_are_all_read() {
    let one = Rollout::default().event("user_message", json!({"message": "one"})).text;
    let two = Rollout::default().event("agent_message", json!({"message": "two"})).text;
    let rollout = Rollout::legacy().raw(one.trim_end()).raw(&two);
    let thread = rollout.thread();
    assert_eq!(shown(&thread), ["rollout-1 Completed: item-1 user one, item-2 agent two"]);
    assert_eq!(thread.findings[0].code, Code::GluedLine);
}

#[test]
fn copies_of_other_headers_do_not_count() {
    let rollout = Rollout::legacy()
        .with(
            "session_meta",
            &json!({"id": "parent", "cwd": "/elsewhere", "history_mode": "paginated"}),
        )
        .user("one");
    let thread = rollout.thread();
    assert_eq!((thread.id.as_str(), thread.cwd.as_deref()), ("t", Some("/home/dev/shop")));
    assert_eq!(shown(&thread), ["rollout-3 Completed: item-1 user one"]);
}

#[test]
fn usage_is_counted_once_a_response() {
    let counter = |n: i64| json!({"info": {"total_token_usage": {"input_tokens": n, "cached_input_tokens": n / 2, "output_tokens": 3, "total_tokens": n + 3}}});
    let counters = Rollout::legacy()
        .event("token_count", counter(10))
        .event("token_count", counter(10))
        .event("token_count", json!({"info": null}))
        .event("token_count", counter(30));
    let usage = counters.thread().usage;
    assert_eq!((usage.responses, usage.input_tokens, usage.cached_input_tokens), (2, 15, 15));

    let record = |thread: &str| json!({"thread_id": thread, "usage": {"input_tokens": 8, "output_tokens": 1}});
    let records = counters
        .with("token_usage_record", &record("t"))
        // A copy from the thread that this one was forked from.
        .with("token_usage_record", &record("parent"));
    // The counters before them are those of an older program, which did not write records yet.
    assert_eq!(records.thread().usage.responses, 3);
    assert_eq!(records.thread().usage.input_tokens, 15 + 8);
}

#[test]
fn the_newest_rate_limits_are_kept() {
    let limits = |used: f64| json!({"type": "token_count", "rate_limits": {"primary": {"used_percent": used, "window_minutes": 300}}});
    let rollout = Rollout::legacy()
        .started("a")
        .event("token_count", limits(10.0))
        .event("token_count", limits(36.5))
        .event(
            "token_count",
            json!({"info": {"last_token_usage": {"total_tokens": 1200}, "model_context_window": 4000}}),
        )
        .event("token_count", json!({"info": null, "rate_limits": null}))
        .complete("a");
    let thread = rollout.thread();
    let window = thread.window.unwrap();
    assert_eq!((window.used_tokens, window.max_tokens), (1200, Some(4000)));
    let told = thread.rate_limits.unwrap();
    assert!((told.primary.unwrap().used_percent - 36.5).abs() < 1e-9);
    assert_eq!(told.primary.unwrap().window_minutes, Some(300));
    assert_eq!(told.secondary, None);
}
