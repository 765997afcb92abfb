//! The model view of 2.x.

use super::{Case, sent, tool};

#[test]
fn rows_are_sent_as_messages() {
    let done =
        r#""status":"completed","input":{"command":"ls"},"content":[{"type":"text","text":"a"}]"#;
    let failed = r#""status":"error","input":{},"error":{"type":"x","message":"no"},"content":[{"type":"text","text":"half"}]"#;
    let running = r#""status":"running","input":{},"metadata":{}"#;
    let by_provider =
        tool("c4", "web_search", done).replace(r#""executed":false"#, r#""executed":true"#);
    let blocks = [
        r#"{"type":"reasoning","text":"hm"}"#.to_owned(),
        r#"{"type":"text","text":""}"#.to_owned(),
        r#"{"type":"text","text":"I look"}"#.to_owned(),
        tool("c1", "shell", done),
        tool("c2", "read", failed),
        tool("c3", "read", running),
        by_provider,
    ];
    let mut case = Case::new("");
    case.row(4, "system", r#""text":"rules""#);
    case.row(5, "user", r#""text":"go","files":[{"data":"aGk=","mime":"text/plain","source":{"type":"inline"},"name":"a.txt"},{"data":"AA==","mime":"image/png","source":{"type":"inline"}}]"#);
    case.row(6, "skill", r#""skill":"s","name":"release","text":"How to""#);
    case.row(
        7,
        "shell",
        r#""shellID":"x","command":"pwd","status":"exited","output":{"output":"/"}"#,
    );
    case.row(
        8,
        "shell",
        r#""shellID":"y","command":"serve","status":"running","metadata":{"background":true}"#,
    );
    case.row(9, "synthetic", r#""text":"agent is done""#);
    case.row(10, "agent-switched", r#""agent":"plan""#);
    case.step(11, "tool-calls", &blocks.join(","));
    case.idle(12);
    assert_eq!(
        sent(&case.view(None)),
        [
            "System: rules",
            "User: go | Attached file: a.txt\n\nhi | [image]",
            "User: How to",
            "User: Shell command: pwd\n\n/",
            "User: agent is done",
            "Assistant: think hm | I look | call c1 shell | call c2 read | call c3 read | call c4 web_search | result c4 \"a\"",
            "Tool: result c1 \"a\"",
            "Tool: result c2 error \"no\\nhalf\"",
        ]
    );
}

/// Two turns, a compaction with this inside, and a turn.
fn compacted(inside: &str) -> Case {
    let mut case = Case::new("");
    case.user(4, "one").say(5, "a").idle(6).user(7, "two").say(8, "b").idle(9);
    case.row(10, "compaction", &format!(r#""reason":"auto",{inside}"#));
    case.user(11, "three").say(12, "c").idle(13);
    case
}

fn checkpoint(case: &Case) -> String {
    sent(&case.view(None))[0].clone()
}

#[test]
fn history_begins_at_the_newest_completed_compaction() {
    let case = compacted(r#""status":"completed","summary":"S""#);
    let view = case.view(None);
    assert_eq!(
        sent(&view),
        [
            "User: <conversation-checkpoint>\n<summary>\nS\n</summary>\n</conversation-checkpoint>",
            "User: three",
            "Assistant: c"
        ]
    );
    assert_eq!((view.compactions, view.dropped_turns), (1, 2));
    let case = compacted(r#""status":"failed","error":{"type":"x","message":"no"}"#);
    let view = case.view(None);
    assert_eq!((sent(&view)[0].as_str(), view.compactions), ("User: one", 0));
}

#[test]
fn rows_that_are_kept_are_sent_as_text() {
    let case = compacted(r#""status":"completed","summary":"S","metadata":{"keepID":"msg_7"}"#);
    assert!(checkpoint(&case).ends_with("\n\n<recent-context>\n[User]: two\n\n[Assistant]: b\n</recent-context>\n</conversation-checkpoint>"));
    assert_eq!(case.view(None).dropped_turns, 1);
    // The row is gone: nothing is kept.
    let case = compacted(r#""status":"completed","summary":"S","metadata":{"keepID":"msg_77"}"#);
    assert!(!checkpoint(&case).contains("recent-context"));
}

#[test]
fn kept_text_of_older_builds_is_found_in_its_old_place() {
    for inside in [r#""metadata":{"recent":"R"}"#, r#""recent":"R""#] {
        let case = compacted(&format!(r#""status":"completed","summary":"S",{inside}"#));
        assert!(checkpoint(&case).contains("<recent-context>\nR\n"), "{inside}");
    }
}

#[test]
fn a_window_of_the_provider_is_sent_to_its_own_model() {
    for key in ["native", "providerContext"] {
        let inside = format!(
            r#""status":"completed","summary":"S","model":{{"id":"m","providerID":"p"}},"{key}":{{"messages":[1]}}"#
        );
        assert!(checkpoint(&compacted(&inside)).ends_with("window [1]"), "{key}");
        let other = inside.replace(r#""id":"m""#, r#""id":"other""#);
        assert!(!checkpoint(&compacted(&other)).contains("window"), "{key}");
    }
}

#[test]
fn results_of_early_builds_are_found_in_structured() {
    let early = r#""status":"completed","input":{},"structured":{"n":1},"content":[]"#;
    let mut case = Case::new("");
    case.user(4, "go").step(5, "stop", &tool("c", "read", early)).idle(6);
    assert_eq!(sent(&case.view(None))[2], "Tool: result c {\"n\":1}");
}

#[test]
fn instructions_stand_in_front() {
    let mut case = Case::new("");
    case.user(4, "go");
    case.line(r#"{"table":"instruction_state","row":"ses_1","session_id":"ses_1","epoch_start":0,"through_seq":2,"initial_values":{"AGENTS.md":"h1"},"current_values":{"AGENTS.md":"h2"}}"#);
    case.line(r#"{"table":"instruction_blob","row":"h1","hash":"h1","value":"be brief"}"#);
    case.line(r#"{"table":"instruction_blob","row":"h2","hash":"h2","value":"be long"}"#);
    assert_eq!(sent(&case.view(None)), ["System: be brief", "User: go"]);
}

#[test]
fn a_branch_ends_at_its_leaf() {
    let case = compacted(r#""status":"completed","summary":"S""#);
    assert_eq!(
        sent(&case.view(Some("msg_8"))),
        ["User: one", "Assistant: a", "User: two", "Assistant: b"]
    );
}
