//! Tool calls to items.

use super::{Files, file, items, thread, thread_with};

/// A call, and a result with details of the program's own.
fn answered(name: &str, input: &str, content: &str, more: &str) -> Vec<String> {
    let lines = [
        "u1 - user Go".to_owned(),
        format!("a1 u1 calls m1 t1 {name} {input}"),
        format!(
            r#"r1 a1 {{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t1","content":{content}}}]}},{more}}}"#
        ),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    items(&thread(&lines))[1..].to_vec()
}

fn failed(name: &str, input: &str, text: &str, more: &str) -> String {
    let lines = [
        "u1 - user Go".to_owned(),
        format!("a1 u1 calls m1 t1 {name} {input}"),
        format!(
            r#"r1 a1 {{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t1","content":"{text}","is_error":true}}]}}{more}}}"#
        ),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    items(&thread(&lines))[1].clone()
}

#[test]
fn commands_have_output_and_exit_code() {
    let input = r#"{"command":"ls"}"#;
    assert_eq!(
        answered("Bash", input, r#""a""#, r#""toolUseResult":{"stdout":"a","stderr":"warn"}"#),
        [r#"agent $ ls Completed 0 "a\nwarn""#]
    );
    assert_eq!(failed("Bash", input, "Exit code 3\\nout", ""), r#"agent $ ls Failed 3 "out""#);
    assert_eq!(
        answered(
            "Bash",
            input,
            r#""running""#,
            r#""toolUseResult":{"stdout":"","backgroundTaskId":"b1"}"#
        ),
        ["agent $ ls Completed - \"-\""]
    );
    assert_eq!(
        answered(
            "Bash",
            input,
            r#""a""#,
            r#""toolUseResult":{"stdout":"a","stderr":"","interrupted":true}"#
        ),
        [r#"agent $ ls Failed - "a""#]
    );
}

#[test]
fn refused_calls_are_declined() {
    let input = r#"{"command":"rm"}"#;
    let declined = r#"agent $ rm Declined - "-""#;
    assert_eq!(failed("Bash", input, "no", r#","toolDenialKind":"user-rejected""#), declined);
    assert_eq!(
        failed("Bash", input, "no", r#","permissionDecision":{"decision":"reject"}"#),
        declined
    );
    let words = "The user doesn't want to proceed with this tool use. STOP";
    assert_eq!(failed("Bash", input, words, ""), declined);
}

#[test]
fn long_outputs_are_found_again_beside_the_session() {
    let lines = file(&[
        "u1 - user Go",
        r#"a1 u1 calls m1 t1 Bash {"command":"seq"}"#,
        "r1 a1 result t1 <persisted-output>\nOutput too large. Full output saved to: /elsewhere/s/tool-results/b1.txt\n\nPreview:\n1",
    ]);
    let files = Files([("tool-results/b1.txt", "1\n2\n3\n".to_owned())].into());
    let found = thread_with(lines.as_bytes(), None, &files);
    assert_eq!(items(&found)[1], r#"agent $ seq Completed 0 "1\n2\n3\n""#);
    // Without the file the preview is all there is.
    let lost = super::thread_of(lines.as_bytes(), None);
    assert!(items(&lost)[1].contains("Preview"));
}

#[test]
fn edits_have_diffs() {
    let edit = r#"{"file_path":"a.rs","old_string":"two","new_string":"TWO"}"#;
    let patch = r#""toolUseResult":{"filePath":"a.rs","structuredPatch":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":[" one","-two","+TWO"]}]}"#;
    assert_eq!(
        answered("Edit", edit, r#""ok""#, patch),
        [r#"file a.rs Update { move_path: None } Completed "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n""#]
    );
    assert_eq!(
        failed("Edit", edit, "no such text", ""),
        r#"file a.rs Update { move_path: None } Failed "@@ -1 +1 @@\n-two\n\\ No newline at end of file\n+TWO\n\\ No newline at end of file\n""#
    );
    let write = r#"{"file_path":"b.rs","content":"new\n"}"#;
    assert_eq!(
        answered(
            "Write",
            write,
            r#""ok""#,
            r#""toolUseResult":{"type":"create","content":"new\n"}"#
        ),
        [r#"file b.rs Add Completed "new\n""#]
    );
    let whole = r#""toolUseResult":{"type":"update","content":"new\n","originalFile":"old\n","structuredPatch":[]}"#;
    assert_eq!(
        answered("Write", write, r#""ok""#, whole),
        [r#"file b.rs Update { move_path: None } Completed "@@ -1 +1 @@\n-old\n+new\n""#]
    );
}

#[test]
fn tools_of_servers_are_told_apart() {
    assert_eq!(
        answered("mcp__tiny__add_up", "{}", r#"[{"type":"text","text":"5"}]"#, r#""x":1"#),
        [
            r#"mcp tiny add_up Completed Some({"content":[{"type":"text","text":"5"}],"structuredContent":null}) None"#
        ]
    );
    assert_eq!(
        failed("mcp__tiny__add_up", "{}", "gone", ""),
        r#"mcp tiny add_up Failed None Some({"message":"gone"})"#
    );
    assert_eq!(
        answered("mcp__odd", "{}", r#""x""#, r#""x":1"#),
        ["tool mcp__odd Completed Some(true)"]
    );
}

#[test]
fn searches_and_fetches_are_web_searches() {
    assert_eq!(
        answered("WebSearch", r#"{"query":"rust"}"#, r#""found""#, r#""x":1"#),
        [r#"web rust Some(Completed) Some("found")"#]
    );
    assert_eq!(
        answered("WebFetch", r#"{"url":"https://example.com"}"#, r#""page""#, r#""x":1"#),
        [r#"web https://example.com Some(Completed) Some("page")"#]
    );
    let server = thread(&[
        "u1 - user Go",
        r#"a1 u1 {"type":"assistant","message":{"id":"m1","content":[{"type":"server_tool_use","id":"st1","name":"web_search","input":{"query":"x"}}],"stop_reason":"end_turn"}}"#,
        r#"a2 a1 {"type":"assistant","message":{"id":"m1","content":[{"type":"web_search_tool_result","tool_use_id":"st1","content":[]}],"stop_reason":"end_turn"}}"#,
    ]);
    assert_eq!(items(&server)[1..], ["web x Some(Completed) None"]);
    assert!(server.findings.is_empty());
}

#[test]
fn a_plan_is_shown_with_its_call() {
    assert_eq!(
        answered("ExitPlanMode", r##"{"plan":"# Plan"}"##, r#""approved""#, r#""x":1"#),
        ["plan # Plan", "tool ExitPlanMode Completed Some(true)"]
    );
}

#[test]
fn anything_else_is_a_dynamic_call() {
    assert_eq!(answered("Skill", "{}", r#""ok""#, r#""x":1"#), ["tool Skill Completed Some(true)"]);
    let error = failed("TodoWrite", "{}", "<tool_use_error>Error: no</tool_use_error>", "");
    assert_eq!(error, "tool TodoWrite Failed Some(false)");
}

#[test]
fn unknown_blocks_are_kept_whole() {
    let thread = thread(&[
        "u1 - user Go",
        r#"a1 u1 {"type":"assistant","message":{"id":"m1","content":[{"type":"hologram","x":1}],"stop_reason":"end_turn"}}"#,
    ]);
    assert_eq!(items(&thread)[1..], [r#"Info hologram: {"type":"hologram","x":1}"#]);
    assert_eq!(super::codes(&thread), [(recount_formats::Code::UnknownBlockType, 2)]);
}

#[test]
fn calls_and_results_without_each_other_are_findings() {
    let thread = thread(&[
        "u1 - user Go",
        "a1 u1 calls m1 t1 Bash {}",
        "u2 a1 user Next",
        "r9 u2 result t9 lost",
        "a2 r9 says m2 Done",
    ]);
    let codes: Vec<_> = super::codes(&thread);
    assert_eq!(
        codes,
        [(recount_formats::Code::UnansweredCall, 2), (recount_formats::Code::OrphanResult, 4)]
    );
}
