//! What the model has in front of it.

use super::{Files, file, sent, view_of, view_with};

fn view(lines: &[&str]) -> Vec<String> {
    sent(&view_of(file(lines).as_bytes(), None))
}

#[test]
fn user_lines_merge_and_attachments_stand_around_them() {
    let beside = r#"x2 x1 {"type":"attachment","attachment":{"type":"remote"},"rendered":[{"content":"beside"}],"renderedRole":"user","renderedBesideToolResult":true}"#;
    assert_eq!(
        view(&[
            "u1 - user Hello",
            "u2 u1 meta injected",
            "x0 u2 rendered system <system-reminder>\none\n</system-reminder>",
            "x1 x0 rendered user front",
            beside,
            "x3 x2 rendered system two",
            "a1 x3 says m1 Hi",
        ]),
        [
            "User: (front) | (beside\n) | Hello\n | injected",
            "System: (one\n\ntwo)",
            "Assistant: Hi"
        ]
    );
}

#[test]
fn what_stands_beside_a_result_goes_into_it() {
    let beside = |content: &str| {
        let lines = [
            "u1 - user Go".to_owned(),
            "a1 u1 calls m1 t1 Read {}".to_owned(),
            format!(
                r#"r1 a1 {{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t1","content":{content}}}]}}}}"#
            ),
            r#"x1 r1 {"type":"attachment","attachment":{"type":"remote"},"rendered":[{"content":"more "}],"renderedRole":"user","renderedBesideToolResult":true}"#.to_owned(),
            "a2 x1 says m2 Done".to_owned(),
        ];
        view(&lines.iter().map(String::as_str).collect::<Vec<_>>())[2].clone()
    };
    assert_eq!(beside(r#""out""#), r#"Tool: [t1 "out\n\nmore"]"#);
    assert_eq!(
        beside(r#"[{"type":"text","text":"out"}]"#),
        r#"Tool: [t1 [{"type":"text","text":"out"},{"text":"more","type":"text"}]]"#
    );
}

#[test]
fn parallel_results_stand_in_the_order_of_the_file() {
    assert_eq!(
        view(&[
            "u1 - user Two",
            "a1 u1 calls m1 t1 Bash {}",
            "a2 a1 calls m1 t2 Bash {}",
            "r2 a2 result t2 two",
            "r1 a1 result t1 one",
            "a3 r1 says m2 Done",
        ]),
        [
            "User: Two",
            "Assistant: [Bash t1] | [Bash t2]",
            r#"Tool: [t2 "two"] | [t1 "one"]"#,
            "Assistant: Done"
        ]
    );
    // Early results between the lines of a response come behind all of them.
    assert_eq!(
        view(&[
            "u1 - user Two",
            "a1 u1 calls m1 t1 Bash {}",
            "r1 a1 result t1 one",
            "a2 r1 calls m1 t2 Bash {}",
            "r2 a2 result t2 two",
            "a3 r2 says m2 Done",
        ])[1..3],
        ["Assistant: [Bash t1] | [Bash t2]", r#"Tool: [t1 "one"] | [t2 "two"]"#]
    );
}

#[test]
fn a_call_without_result_is_left_out_but_at_the_end() {
    let call = ["u1 - user Go", "a0 u1 says m1 Look", "a1 a0 calls m1 t1 Bash {}"];
    let mut lines = call.to_vec();
    lines.extend(["u2 a1 user Next", "a2 u2 says m2 Done"]);
    assert_eq!(view(&lines), ["User: Go", "Assistant: Look", "User: Next", "Assistant: Done"]);
    let end = view(&call);
    assert_eq!(end.len(), 4);
    assert!(end[2].starts_with(r#"Tool: [t1! "[Tool call interrupted:"#));
    assert_eq!(end[3], "Assistant: No response requested.");
}

#[test]
fn a_result_without_call_leaves_an_empty_message() {
    assert_eq!(
        view(&["u1 - user Go", "a1 u1 says m1 Hm", "r1 a1 result t9 lost", "a2 r1 says m2 Done"]),
        ["User: Go", "Assistant: Hm", "User: (no content)", "Assistant: Done"]
    );
}

#[test]
fn the_end_gets_an_answer_unless_it_has_one() {
    assert_eq!(view(&["u1 - user Go"]), ["User: Go", "Assistant: No response requested."]);
    let error = r#"a1 u1 {"type":"assistant","isApiErrorMessage":true,"message":{"id":"e","content":[{"type":"text","text":"API Error"}]}}"#;
    assert_eq!(view(&["u1 - user Go", error]), ["User: Go"]);
    let ended = r#"r1 a1 {"type":"user","toolEndsTurn":true,"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#;
    assert_eq!(view(&["u1 - user Go", "a1 u1 calls m1 t1 X {}", ended]).len(), 3);
    assert!(view(&[]).is_empty());
}

#[test]
fn compaction_keeps_the_summary_and_what_it_names() {
    let kept = r#""preservedMessages":{"anchorUuid":"s1","uuids":["a2"]}"#;
    let lines = [
        "u1 - user One",
        "a1 u1 says m1 Hi",
        "u2 a1 user Two",
        "a2 u2 says m2 Ho",
        &format!("b1 - boundary a2 {kept}"),
        "s1 b1 summary So far",
        "u3 s1 user Three",
        "a3 u3 says m3 Hey",
    ];
    let whole = view_of(file(&lines).as_bytes(), None);
    assert_eq!(sent(&whole), ["User: So far", "Assistant: Ho", "User: Three", "Assistant: Hey"]);
    assert_eq!((whole.compactions, whole.dropped_turns), (1, 2));
    // The branch before it still has all.
    let before = view_of(file(&lines).as_bytes(), Some("a2"));
    assert_eq!(sent(&before), ["User: One", "Assistant: Hi", "User: Two", "Assistant: Ho"]);
}

#[test]
fn a_segment_is_kept_when_it_hangs_together() {
    let segment = |head: &str| {
        let boundary = format!(
            r#"b1 - boundary a2 "preservedSegment":{{"headUuid":"{head}","anchorUuid":"s1","tailUuid":"a2"}}"#
        );
        view(&[
            "u1 - user One",
            "a1 u1 says m1 Hi",
            "u2 a1 user Two",
            "a2 u2 says m2 Ho",
            &boundary,
            "s1 b1 summary So far",
        ])
    };
    assert_eq!(segment("u2").join(" / "), "User: So far\n | Two / Assistant: Ho");
    assert_eq!(segment("gone").join(" / "), "User: So far / Assistant: No response requested.");
}

#[test]
fn what_is_kept_of_the_beginning_stands_before_the_summary() {
    let with = |anchor: &str| {
        let boundary =
            format!(r#"b1 - boundary a2 "preservedMessages":{{{anchor}"uuids":["u1","a1"]}}"#);
        view(&[
            "u1 - user One",
            "a1 u1 says m1 Hi",
            "u2 a1 user Two",
            "a2 u2 says m2 Ho",
            &boundary,
            "s1 b1 summary The rest",
            "a3 s1 says m3 Go on",
        ])
    };
    let wanted = "User: One / Assistant: Hi / User: The rest / Assistant: Go on";
    assert_eq!(with(r#""anchorUuid":"b1","#).join(" / "), wanted);
    assert_eq!(with("").join(" / "), wanted);
}

#[test]
fn results_that_were_taken_out_are_replaced() {
    let lines = [
        "u1 - user Go",
        "a1 u1 calls m1 t1 Read {}",
        "r1 a1 result t1 long",
        "a2 r1 calls m2 t2 Read {}",
        "r2 a2 result t2 longer",
        r#"c1 r2 {"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"compactedToolIds":["t1"]}}"#,
        r#"{"type":"content-replacement","sessionId":"s","replacements":[{"kind":"tool-result","toolUseId":"t2","replacement":"short"}]}"#,
        "a3 c1 says m3 Done",
    ];
    let view = view(&lines);
    assert_eq!(view[2], r#"Tool: [t1 "[Old tool result content cleared]"]"#);
    assert_eq!(view[4], r#"Tool: [t2 "short"]"#);
}

#[test]
fn thoughts_of_another_model_are_left_out() {
    let other = r#"a1 u1 {"type":"assistant","message":{"id":"m1","model":"claude-haiku-5","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}}"#;
    assert_eq!(
        view(&[
            "u1 - user Go",
            other,
            "u2 a1 user Next",
            "a2 u2 thinks m2 so",
            "a3 a2 says m2 Done"
        ]),
        ["User: Go", "Assistant: Hi", "User: Next", "Assistant: [think so] | Done"]
    );
}

#[test]
fn lines_that_the_program_cannot_read_are_not_sent() {
    let lines = file(&["u1 - user One", "a1 u1 says m1 Hi", "u2 a1 user Two", "a2 u2 says m2 Ho"]);
    let lines: Vec<&str> = lines.lines().collect();
    let glued = format!("{}\n{}{}\n{}\n", lines[0], lines[1], lines[2], lines[3]);
    assert_eq!(sent(&view_of(glued.as_bytes(), None)), ["User: One", "Assistant: Ho"]);
}

#[test]
fn attachments_beside_the_path_are_not_sent() {
    let lines = ["u1 - user Go", "x1 u1 rendered user aside", "a1 u1 says m1 Done"];
    assert_eq!(view(&lines), ["User: Go", "Assistant: Done"]);
}

#[test]
fn commands_are_sent_in_the_role_of_the_user() {
    let command = r#"c1 a1 {"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"}"#;
    let other = r#"c2 c1 {"type":"system","subtype":"informational","content":"not sent"}"#;
    assert_eq!(
        view(&[
            "u1 - user Go",
            "a1 u1 says m1 Hi",
            command,
            other,
            "u2 c2 user Next",
            "a2 u2 says m2 Done"
        ])[2],
        "User: <command-name>/cost</command-name>\n | Next"
    );
}

#[test]
fn a_forked_agent_has_the_session_in_front_of_it() {
    let session = file(&[
        "u1 - user One",
        "a1 u1 says m1 Hi",
        "u2 a1 user Two",
        "a2 u2 calls m2 t1 Agent {}",
    ]);
    let agent = file(&[
        r#"{"type":"fork-context-ref","agentId":"f1","parentSessionId":"s","parentLastUuid":"u2"}"#,
        r#"a3 - calls m2 t1 Agent {"prompt":"look"}"#,
        r#"u3 a3 {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Fork started"},{"type":"text","text":"look"}]}}"#,
        "a4 u3 says m4 Seen",
    ]);
    let files = Files([("s.jsonl", session)].into());
    let view = view_with(agent.as_bytes(), None, &files);
    assert_eq!(
        sent(&view),
        [
            "User: One",
            "Assistant: Hi",
            "User: Two",
            "Assistant: [Agent t1]",
            r#"Tool: [t1 "Fork started"]"#,
            "User: look",
            "Assistant: Seen"
        ]
    );
}

#[test]
fn a_file_that_refers_to_itself_ends() {
    let own = file(&[
        r#"{"type":"fork-context-ref","parentSessionId":"s","parentLastUuid":"u1"}"#,
        "u1 - user One",
    ]);
    let files = Files([("s.jsonl", own.clone())].into());
    assert_eq!(view_with(own.as_bytes(), None, &files).messages.len(), 3);
}
