//! Rules of the model view.

use serde_json::json;

use super::{Rollout, sent};

fn history(texts: &[&str]) -> serde_json::Value {
    let message = |t: &&str| json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": t}]});
    texts.iter().map(message).collect()
}

#[test]
fn calls_and_outputs_come_in_pairs() {
    let rollout = Rollout::legacy()
        .message("user", "go")
        .call("c1", "exec_command", r#"{"cmd":"ls"}"#)
        .call("c2", "x", "not json")
        .output("c1", "Process exited with code 1\nOutput:\n")
        .output("c9", "of nothing")
        .response("tool_search_call", json!({"call_id": "c3", "arguments": {}}));
    assert_eq!(
        sent(&rollout.view()),
        [
            "user go",
            r#"assistant c1=exec_command({"cmd":"ls"})"#,
            r#"assistant c2=x("not json")"#,
            r#"tool c2:"aborted"!"#,
            r#"tool c1:"Process exited with code 1\nOutput:\n"!"#,
            "assistant c3=tool_search({})",
            "tool c3:[]",
        ]
    );
}

#[test]
fn a_history_of_its_own_replaces_all_even_when_it_is_empty() {
    let rollout = Rollout::legacy()
        .started("a")
        .user("one")
        .complete("a")
        .with("compacted", &json!({"message": "s", "replacement_history": history(&["kept"])}))
        .message("user", "two");
    let view = rollout.view();
    assert_eq!(sent(&view), ["user kept", "user two"]);
    assert_eq!((view.compactions, view.dropped_turns), (1, 1));
    let rollout = rollout.with("compacted", &json!({"message": "s", "replacement_history": []}));
    assert!(sent(&rollout.view()).is_empty());
}

#[test]
fn without_one_the_prompts_stay_and_the_summary_comes_behind() {
    let rollout = Rollout::legacy()
        .message("user", "<environment_context>")
        .message("user", "one")
        .message("assistant", "1")
        .with("compacted", &json!({"message": "all about one"}))
        .message("user", "two");
    assert_eq!(sent(&rollout.view()), ["user one", "user all about one", "user two"]);
    // Its summary is rolled back like a prompt.
    let rollout = rollout.event("thread_rolled_back", json!({"num_turns": 2}));
    assert_eq!(sent(&rollout.view()), ["user one"]);
}

#[test]
fn only_the_newest_prompts_are_kept() {
    let long = "x".repeat(90_000);
    let rollout = Rollout::legacy()
        .message("user", "old")
        .message("user", &long)
        .with("compacted", &json!({"message": "s"}));
    let lengths: Vec<usize> = sent(&rollout.view()).iter().map(String::len).collect();
    assert_eq!(lengths, [90_005, 6]);
}

#[test]
fn a_rollback_past_a_compaction_brings_back_what_it_replaced() {
    let rollout = Rollout::legacy()
        .message("user", "one")
        .message("assistant", "1")
        .message("user", "two")
        .with("compacted", &json!({"message": "", "replacement_history": history(&["summary"])}))
        .message("user", "three");
    let back = |n: u64| {
        sent(
            &Rollout { text: rollout.text.clone(), ordinal: None }
                .event("thread_rolled_back", json!({"num_turns": n}))
                .view(),
        )
    };
    assert_eq!(back(1), ["user summary"]);
    assert_eq!(back(2), ["user one", "assistant 1"]);
    assert_eq!(back(0), ["user summary", "user three"]);
}

#[test]
fn what_surrounds_a_prompt_goes_with_it_and_the_beginning_stays() {
    let rollout = Rollout::legacy()
        .message("developer", "<permissions instructions>")
        .message("user", "one")
        .message("assistant", "1")
        .message("developer", "<model_switch>")
        .message("user", "<environment_context>")
        .message("user", "two")
        .message("user", "<turn_aborted>")
        .event("thread_rolled_back", json!({"num_turns": 1}));
    assert_eq!(
        sent(&rollout.view()),
        ["developer <permissions instructions>", "user one", "assistant 1"]
    );
    let rollout = rollout.event("thread_rolled_back", json!({"num_turns": 5}));
    assert_eq!(sent(&rollout.view()), ["developer <permissions instructions>"]);
}

#[test]
fn messages_of_other_agents_are_prompts() {
    let rollout = Rollout::legacy()
        .message("user", "one")
        .response(
            "agent_message",
            json!({"author": "/root", "content": [{"type": "input_text", "text": "go on"}]}),
        )
        .message("assistant", "2")
        .event("thread_rolled_back", json!({"num_turns": 1}));
    assert_eq!(sent(&rollout.view()), ["user one"]);
}

#[test]
fn what_is_no_text_is_kept() {
    let rollout = Rollout::legacy()
        .response("message", json!({"role": "user", "content": [
            {"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:x"}, {"type": "input_text", "text": "b"},
        ]}))
        .response("reasoning", json!({"summary": [], "encrypted_content": "g"}))
        .response("compaction", json!({"encrypted_content": "g"}))
        .response("ghost_snapshot", json!({"ghost_commit": {}}))
        .response("web_search_call", json!({"status": "completed"}));
    let view = sent(&rollout.view());
    assert_eq!(view[..3], ["user a\nb | image", "assistant reasoning ", "assistant compaction"]);
    assert!(view[3].contains("web_search_call"));
    assert_eq!(view.len(), 4);
}
