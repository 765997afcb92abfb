//! The display view: prompts apart from what the program writes, turns, notices.

use super::{Files, file, items, prompts, thread, thread_with};
use crate::model::{ItemKind, ThreadStatus, TurnStatus};

#[test]
fn only_what_a_person_typed_is_a_prompt() {
    let thread = thread(&[
        "u1 - user Hello",
        "a1 u1 says m1 Hi",
        "u2 a1 meta <local-command-caveat>not typed</local-command-caveat>",
        "u3 u2 user <local-command-stdout>\u{1b}[2mdone\u{1b}[22m</local-command-stdout>",
        r#"u4 u3 {"type":"user","message":{"role":"user","content":"<task-notification>\n<task-id>x</task-id>\n<summary>It ended</summary>\n</task-notification>"},"promptSource":"system"}"#,
        r#"u5 u4 {"type":"user","message":{"role":"user","content":"raw"},"origin":{"kind":"peer","name":"bob","body":"ping"}}"#,
        r#"u6 u5 {"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"Look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]},"promptSource":"sdk"}"#,
    ]);
    assert_eq!(
        items(&thread),
        ["> Hello", "Hi", "Info done", "Info It ended", "Info bob: ping", "> Look|[image]"]
    );
}

#[test]
fn prompts_typed_during_a_tool_stand_in_attachments() {
    let queued = |id: &str, parent: &str, prompt: &str, kind: &str| {
        format!(
            r#"{id} {parent} {{"type":"attachment","attachment":{{"type":"queued_command","prompt":"{prompt}","commandMode":"prompt","origin":{{"kind":"{kind}"}}}}}}"#
        )
    };
    let typed = queued("q1", "r1", "Use two jobs", "human");
    let news = queued(
        "q2",
        "q1",
        "<task-notification><summary>Built</summary></task-notification>",
        "task-notification",
    );
    let thread = thread(&[
        "u1 - user Build",
        "a1 u1 calls m1 t1 Bash {\"command\":\"make\"}",
        "r1 a1 result t1 built",
        &typed,
        &news,
        "a2 q2 says m2 Done",
    ]);
    assert_eq!(prompts(&thread), ["> Build", "> Use two jobs"]);
    assert_eq!(thread.turns.len(), 1);
    assert_eq!(items(&thread)[3], "Info Built");
}

#[test]
fn slash_commands_and_shell_commands_are_shown_as_typed() {
    let thread = thread(&[
        "u1 - user <command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>",
        "u2 u1 user <local-command-stdout>Set model to opus</local-command-stdout>",
        "u3 u2 user <bash-input>ls</bash-input>",
        "u4 u3 user <bash-stdout>a.txt</bash-stdout><bash-stderr>oops</bash-stderr>",
        r#"s1 u4 {"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"}"#,
    ]);
    assert_eq!(
        items(&thread),
        [
            "> /model opus",
            "Info Set model to opus",
            "userShell $ ls Completed - \"a.txt\\noops\"",
            "> /cost"
        ]
    );
    assert_eq!(thread.turns.len(), 3);
    assert_eq!(thread.status, ThreadStatus::Idle);
}

#[test]
fn a_turn_ends_as_the_file_tells() {
    let status = |lines: &[&str]| thread(lines).turns.iter().map(|t| t.status).collect::<Vec<_>>();
    let asked = "u1 - user Go";
    assert_eq!(status(&[asked, "a1 u1 says m1 Done"]), [TurnStatus::Completed]);
    assert_eq!(status(&[asked]), [TurnStatus::InProgress]);
    assert_eq!(status(&[asked, "a1 u1 calls m1 t1 Bash {}"]), [TurnStatus::InProgress]);
    assert_eq!(
        status(&[asked, "a1 u1 calls m1 t1 Bash {}", "u2 a1 user Next"]),
        [TurnStatus::Interrupted, TurnStatus::InProgress]
    );
    assert_eq!(
        status(&[asked, "a1 u1 says m1 Par", "u2 a1 user [Request interrupted by user]"]),
        [TurnStatus::Interrupted]
    );
    assert_eq!(
        status(&[
            asked,
            r#"a1 u1 {"type":"assistant","isApiErrorMessage":true,"message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400"}]}}"#
        ]),
        [TurnStatus::Failed]
    );
    let ended = r#"r1 a1 {"type":"user","toolEndsTurn":true,"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#;
    assert_eq!(
        status(&[asked, "a1 u1 calls m1 t1 StructuredOutput {}", ended]),
        [TurnStatus::Completed]
    );
}

#[test]
fn a_turn_has_the_time_that_was_measured_else_that_of_its_lines() {
    let lines = [
        r#"u1 - {"type":"user","promptId":"p1","message":{"content":"Go"}}"#,
        "a1 u1 says m1 Done",
        r#"d1 a1 {"type":"system","subtype":"turn_duration","durationMs":4321}"#,
        "u2 d1 user Next",
        "a2 u2 says m2 Done",
    ];
    let thread = thread(&lines);
    let times: Vec<_> = thread
        .turns
        .iter()
        .map(|t| (&*t.id, t.started_at, t.completed_at, t.duration_ms))
        .collect();
    let start = 1_793_520_000;
    assert_eq!(
        times,
        [
            ("p1", Some(start), Some(start + 2), Some(4321)),
            ("u2", Some(start + 3), Some(start + 4), Some(1000))
        ]
    );
}

#[test]
fn an_error_of_the_api_is_told_with_the_turn() {
    let thread = thread(&[
        "u1 - user Go",
        r#"e1 u1 {"type":"system","subtype":"api_error","error":{"formatted":"429 slow down"},"retryAttempt":1,"maxRetries":4}"#,
        r#"a1 e1 {"type":"assistant","isApiErrorMessage":true,"error":"unknown","message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400"}]}}"#,
    ]);
    assert_eq!(
        items(&thread),
        ["> Go", "Warning API error: 429 slow down (retry 1 of 4)", "Error API Error: 400"]
    );
    assert_eq!(thread.turns[0].error.as_ref().unwrap().message, "API Error: 400");
    assert_eq!(thread.usage.responses, 0);
}

#[test]
fn compactions_stand_in_their_turns() {
    let auto = thread(&[
        "u1 - user Go",
        "a1 u1 calls m1 t1 Read {}",
        "r1 a1 result t1 x",
        r#"b1 - {"type":"system","subtype":"compact_boundary","logicalParentUuid":"r1","compactMetadata":{"trigger":"auto"}}"#,
        "s1 b1 summary So far",
        "a2 s1 says m2 Done",
    ]);
    assert_eq!(auto.turns.len(), 1);
    assert_eq!(items(&auto)[2..], [r#"compaction Some("auto") So far"#, "Done"]);

    let manual = thread(&[
        "u1 - user Go",
        "a1 u1 says m1 Done",
        "b1 - boundary a1",
        "s1 b1 summary So far",
        "u2 s1 user <command-name>/compact</command-name><command-args>keep names</command-args>",
        "u3 u2 user Next",
    ]);
    let turns: Vec<usize> = manual.turns.iter().map(|turn| turn.items.len()).collect();
    assert_eq!(turns, [2, 2, 1]);
    assert_eq!(
        items(&manual)[2..4],
        ["> /compact keep names", r#"compaction Some("manual") So far"#]
    );
}

#[test]
fn hooks_are_told() {
    let attachment = |id: &str, parent: &str, inside: &str| {
        format!(r#"{id} {parent} {{"type":"attachment","attachment":{{{inside}}}}}"#)
    };
    let lines = [
        "u1 - user Go".to_owned(),
        attachment(
            "h1",
            "u1",
            r#""type":"hook_success","content":"Remember the tests","toolUseID":"x""#,
        ),
        attachment(
            "h2",
            "h1",
            r#""type":"hook_non_blocking_error","hookName":"PreToolUse:Bash","stderr":"oops""#,
        ),
        attachment(
            "h3",
            "h2",
            r#""type":"hook_blocking_error","hookName":"Stop","blockingError":{"blockingError":"not yet"}"#,
        ),
        attachment("h4", "h3", r#""type":"hook_success","content":"""#),
        "a1 h4 says m1 Done".to_owned(),
    ];
    let thread = thread(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        items(&thread),
        [
            "> Go",
            "hook Remember the tests",
            "Warning PreToolUse:Bash: oops",
            "Error Blocked by Stop: not yet",
            "Done"
        ]
    );
}

#[test]
fn a_blocked_prompt_is_a_notice() {
    let thread = thread(&[
        r#"s1 - {"type":"system","subtype":"informational","level":"warning","content":"Blocked by hook\n\nOriginal prompt: hello"}"#,
    ]);
    assert_eq!(items(&thread), ["Warning Blocked by hook\n\nOriginal prompt: hello"]);
}

#[test]
fn agents_are_linked_to_their_calls() {
    let lines = file(&[
        "u1 - user Go",
        r#"a1 u1 calls m1 t1 Agent {"description":"Look","prompt":"find it","subagent_type":"Explore"}"#,
        r#"r1 a1 {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"wrapped"}]}]},"toolUseResult":{"status":"completed","agentId":"f1","content":[{"type":"text","text":"It is here"}]}}"#,
        r#"a2 r1 calls m2 t2 Task {"description":"Wait","prompt":"later"}"#,
        r#"r2 a2 {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"launched"}]},"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"f2"}}"#,
        "a3 r2 says m3 Started",
        r#"u2 a3 {"type":"user","origin":{"kind":"task-notification"},"message":{"content":"<task-notification>\n<task-id>f2</task-id>\n<tool-use-id>t2</tool-use-id>\n<status>completed</status>\n<summary>Agent \"Wait\" finished</summary>\n<result>All well</result>\n</task-notification>"}}"#,
    ]);
    let meta = r#"{"agentType":"Explore","description":"Look","toolUseId":"t1"}"#.to_owned();
    let warmup = file(&["w1 - user Warmup"]);
    let files = Files(
        [
            ("agent-junk.jsonl", warmup),
            ("subagents/agent-f2.jsonl", String::new()),
            ("subagents/deep/er/agent-f1.jsonl", String::new()),
            ("subagents/deep/er/agent-f1.meta.json", meta),
        ]
        .into(),
    );
    let thread = thread_with(lines.as_bytes(), None, &files);
    let agents: Vec<_> = thread
        .lineage
        .subagents
        .iter()
        .map(|a| (&*a.id, a.tool_call_id.as_deref(), a.name.as_deref()))
        .collect();
    assert_eq!(agents, [("f1", Some("t1"), Some("Look")), ("f2", Some("t2"), None)]);
    assert_eq!(
        items(&thread)[1..],
        [
            r#"agent ["f1"] Completed Some("Explore: Look") Some("It is here")"#,
            r#"agent ["f2"] Completed Some("Wait") Some("All well")"#,
            "Started",
            "Info Agent \"Wait\" finished"
        ]
    );
}

#[test]
fn a_forked_agent_begins_with_what_it_was_asked() {
    let lines = file(&[
        r#"{"type":"fork-context-ref","agentId":"f1","parentSessionId":"s","parentLastUuid":"u1"}"#,
        r#"a1 - calls m1 t1 Agent {"prompt":"look closer","subagent_type":"fork"}"#,
        r#"u1 a1 {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Fork started"},{"type":"text","text":"<fork-boilerplate>…"}]}}"#,
        "a2 u1 says m2 Seen",
    ]);
    let thread = super::thread_of(lines.as_bytes(), None);
    assert_eq!(items(&thread), ["> look closer", "Seen"]);
    // The copied line counts in the parent.
    assert_eq!(thread.usage.responses, 1);
}

#[test]
fn forks_and_continuations_are_told() {
    let fork = thread(&[
        r#"u1 - {"type":"user","message":{"content":"One"},"forkedFrom":{"sessionId":"old","messageUuid":"u1"}}"#,
        r#"{"type":"continued-in","sessionId":"s","continuedInSessionId":"new"}"#,
    ]);
    assert_eq!(fork.lineage.forked_from_id.as_deref(), Some("old"));
    assert_eq!(fork.lineage.continued_in.as_deref(), Some("new"));
}

#[test]
fn titles_come_from_the_person_then_the_program_then_the_prompt() {
    let title = |more: &[&str]| {
        let mut lines = vec!["u1 - user Fix\n  the cart", "a1 u1 says m1 Done"];
        lines.extend(more);
        thread(&lines).title.unwrap()
    };
    let (ai, name) = (
        r#"{"type":"ai-title","aiTitle":"Mend it"}"#,
        r#"{"type":"agent-name","agentName":"bob"}"#,
    );
    let custom = r#"{"type":"custom-title","customTitle":"Mine"}"#;
    let summary = r#"{"type":"summary","leafUuid":"a1","summary":"Old kind"}"#;
    let foreign = r#"{"type":"summary","leafUuid":"zz","summary":"Not ours"}"#;
    assert_eq!(title(&[]), "Fix the cart");
    assert_eq!(title(&[summary, foreign]), "Old kind");
    assert_eq!(title(&[summary, ai]), "Mend it");
    assert_eq!(title(&[custom, ai, name]), "Mine");
    assert_eq!(title(&[r#"{"type":"custom-title","customTitle":""}"#, ai]), "Mend it");
}

#[test]
fn items_know_where_they_come_from() {
    let lines = file(&["u1 - user Go", "a1 u1 calls m1 t1 Bash {}", "r1 a1 result t1 ok"]);
    let thread = super::thread_of(lines.as_bytes(), None);
    let command = thread.items().last().unwrap();
    assert!(matches!(command.kind, ItemKind::CommandExecution { .. }));
    let at = serde_json::to_value(&command.at).unwrap();
    let second = lines.find('\n').unwrap() + 1;
    assert_eq!(at, serde_json::json!({ "source": "s.jsonl", "line": 2, "byte": second }));
    assert_eq!(serde_json::to_value(&command.also_at).unwrap()[0]["line"], 3);
}
