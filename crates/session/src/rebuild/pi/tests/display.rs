//! Turns and items.

use recount_formats::Code;

use super::{answer, codes, message, thread, turns};
use crate::model::{ItemKind, ThreadStatus, TurnStatus};

fn statuses(entries: &[&str]) -> Vec<TurnStatus> {
    thread(entries).turns.iter().map(|t| t.status).collect()
}

#[test]
fn a_turn_runs_from_a_prompt_to_the_answer_without_calls() {
    let thread = thread(&[
        "a - user one",
        "b a calls x y",
        "c b result x",
        "d c result y",
        "e d assistant done",
        "f e user two",
    ]);
    assert_eq!(
        turns(&thread),
        [
            vec![
                "> one",
                "agent $ run x Completed 0 \"out x\"",
                "agent $ run y Completed 0 \"out y\"",
                "done"
            ],
            vec!["> two"]
        ]
    );
    let turn = &thread.turns[0];
    assert_eq!((&*turn.id, turn.status, &turn.error), ("a", TurnStatus::Completed, &None));
    assert_eq!(
        (turn.started_at, turn.completed_at, turn.duration_ms),
        (Some(1_793_520_001), Some(1_793_520_005), Some(4000))
    );
    let open = &thread.turns[1];
    assert_eq!((open.status, open.completed_at), (TurnStatus::InProgress, None));
    assert_eq!(thread.status, ThreadStatus::Open);
    let shell = &thread.turns[0].items[1];
    assert_eq!((&*shell.id, shell.also_at.len()), ("x", 1));
    assert_eq!(shell.timestamp.as_deref(), Some("2026-11-01T08:00:02.000Z"));
}

#[test]
fn text_that_is_typed_while_the_model_works_stays_in_the_turn() {
    let steered = |typed: &str| {
        let steer = format!(
            "d c {}",
            message(&format!(r#""role":"user","content":"also","timestamp":{typed}"#))
        );
        statuses(&["a - user one", "b a calls x", "c b result x", &steer, "e d assistant done"])
    };
    assert_eq!(steered("1793520002500"), [TurnStatus::Completed]);
    // The program was killed after the result, and the person came back later.
    assert_eq!(steered("1793520900000"), [TurnStatus::Interrupted, TurnStatus::Completed]);
    // A call without result: nothing was running any more.
    assert_eq!(
        statuses(&["a - user one", "b a calls x", "c b user two", "d c assistant 2"]),
        [TurnStatus::Interrupted, TurnStatus::Completed]
    );
}

#[test]
fn how_turns_end() {
    let ended = |stop: &str, more: &str| {
        let answer = answer(r#"{"type":"text","text":"…"}"#, stop, 1)
            .replace("\"stopReason\"", &format!("{more}\"stopReason\""));
        let thread = thread(&["a - user one", &format!("b a {answer}")]);
        (
            thread.turns[0].status,
            thread.turns[0].error.as_ref().map(|e| e.message.clone()),
            turns(&thread)[0][2..].join("|"),
        )
    };
    assert_eq!(ended("stop", "").0, TurnStatus::Completed);
    assert_eq!(
        ended("aborted", "\"errorMessage\":\"x\","),
        (TurnStatus::Interrupted, None, String::new())
    );
    assert_eq!(
        ended("error", "\"errorMessage\":\"500\","),
        (TurnStatus::Failed, Some("500".into()), String::new())
    );
    assert_eq!(ended("error", "").1.as_deref(), Some("the response failed"));
    let (status, _, notice) = ended("length", "");
    assert_eq!(
        (status, &*notice),
        (TurnStatus::Completed, "Warning The response was cut off at the limit of tokens.")
    );
    assert_eq!(ended("deferred", "").0, TurnStatus::InProgress);
    assert_eq!(ended("someday", "").0, TurnStatus::Completed);
}

#[test]
fn a_failure_before_another_try_is_told_in_its_place() {
    let failed =
        answer("", "error", 1).replace("\"stopReason\"", "\"errorMessage\":\"500\",\"stopReason\"");
    let thread = thread(&[
        "a - user one",
        &format!("b a {failed}"),
        r#"c b "type":"context_edit","targetId":"b","replacement":null"#,
        "d c assistant at last",
    ]);
    assert_eq!(turns(&thread), [["> one", "Error 500", "at last"]]);
    assert_eq!((thread.turns[0].status, &thread.turns[0].error), (TurnStatus::Completed, &None));
    assert_eq!(thread.turns[0].items[1].id, "b");
}

#[test]
fn what_happens_between_turns_stands_at_the_end_of_the_one_before() {
    let bash = message(
        r#""role":"bashExecution","command":"ls","output":"a\n","exitCode":0,"cancelled":false,"truncated":false,"timestamp":1"#,
    );
    let stopped = message(
        r#""role":"bashExecution","command":"sleep 9","output":"","cancelled":true,"truncated":false,"timestamp":1"#,
    );
    let thread = thread(&[
        &format!("a - {bash}"),
        "b a user one",
        "c b assistant 1",
        &format!("d c {stopped}"),
        r#"e d "type":"compaction","summary":"short","firstKeptEntryId":"b","tokensBefore":1"#,
        r#"f e "type":"branch_summary","fromId":"root","summary":"elsewhere""#,
        r#"g f "type":"thinking_level_change","thinkingLevel":"high""#,
        r#"h g "type":"thinking_level_change","thinkingLevel":"low""#,
        r#"i h "type":"model_change","provider":"p","modelId":"other""#,
        r#"j i "type":"label","targetId":"c","label":"good""#,
        "k j user two",
    ]);
    assert_eq!(
        turns(&thread),
        [
            vec![
                "userShell $ ls Completed 0 \"a\\n\"",
                "> one",
                "1",
                "Info Label: good",
                "userShell $ sleep 9 Failed - \"\"",
                "compaction short",
                "Info Came back from another branch of the conversation:\nelsewhere",
                "Info Thinking level: low",
                "Info Model: p/other",
            ],
            vec!["> two"]
        ]
    );
    assert_eq!(thread.turns[0].id, "b");
}

#[test]
fn messages_of_extensions() {
    let note = |id: &str, parent: &str, text: &str, display: bool| {
        format!(
            r#"{id} {parent} "type":"custom_message","customType":"ext","content":"{text}","display":{display}"#
        )
    };
    let thread = thread(&[
        &note("a", "-", "before", true),
        "b a user one",
        &note("c", "b", "to the prompt", true),
        "d c assistant 1",
        &note("e", "d", "between", true),
        "f e user two",
        "g f assistant 2",
        &note("h", "g", "sets the model going, unseen", false),
        "i h assistant 3",
        &note("j", "i", "sets it going again", true),
        "k j calls x",
        &note("l", "k", "within", true),
        "m l result x",
        "n m assistant 4",
    ]);
    assert_eq!(
        turns(&thread),
        [
            vec!["Info ext: before", "> one", "Info ext: to the prompt", "1", "Info ext: between"],
            vec!["> two", "2"],
            vec!["3"],
            vec![
                "Info ext: sets it going again",
                "agent $ run x Completed 0 \"out x\"",
                "Info ext: within",
                "4"
            ]
        ]
    );
    assert_eq!(thread.turns[2].id, "h");
}

/// The item of a call with these arguments and, if any, this result.
fn called(name: &str, arguments: &str, result: &str) -> Vec<String> {
    let call = format!(r#"{{"type":"toolCall","id":"x","name":"{name}","arguments":{arguments}}}"#);
    let asked = format!("b a {}", answer(&call, "toolUse", 1));
    let answered = format!(
        "c b {}",
        message(&format!(
            r#""role":"toolResult","toolCallId":"x","toolName":"{name}",{result},"timestamp":1"#
        ))
    );
    turns(&thread(&["a - user one", &asked, &answered, "d c assistant done"]))[0][1..].to_vec()
}

const OK: &str = r#""content":[{"type":"text","text":"fine"}],"isError":false"#;

#[test]
fn shell_commands() {
    let ran = |output: &str| {
        let result = format!(r#""content":[{{"type":"text","text":"{output}"}}],"isError":true"#);
        called("bash", r#"{"command":"make"}"#, &result)[0].clone()
    };
    assert_eq!(ran("a\\n\\n\\nCommand exited with code 2"), "agent $ make Failed 2 \"a\\n\"");
    assert_eq!(ran("Command exited with code 1"), "agent $ make Failed 1 \"\"");
    assert_eq!(ran("Command aborted"), "agent $ make Failed - \"Command aborted\"");
    assert_eq!(
        ran("Command exited with code x"),
        "agent $ make Failed - \"Command exited with code x\""
    );
    assert_eq!(called("bash", "{}", OK)[0], "tool bash Completed 1 parts");
}

#[test]
fn edits_and_writes() {
    let edit =
        r#"{"path":"a.txt","edits":[{"oldText":"b","newText":"B"},{"oldText":"c","newText":""}]}"#;
    let with =
        |details: &str| called("edit", edit, &format!("{OK},\"details\":{details}"))[0].clone();
    let change = |diff: &str| format!("file a.txt Update {{ move_path: None }} Completed {diff:?}");
    assert_eq!(
        with(r#"{"patch":"--- a\n+++ a\n@@ -1 +1 @@\n-b\n+B\n","diff":"x"}"#),
        change("@@ -1 +1 @@\n-b\n+B\n")
    );
    assert_eq!(with(r#"{"diff":" 1 a\n-2 b\n+2 B"}"#), change("@@ -1,2 +1,2 @@\n a\n-b\n+B\n"));
    assert_eq!(with(r#"{"diff":"who knows"}"#), change("who knows"));
    assert_eq!(with("{}"), change("@@ @@\n-b\n+B\n@@ @@\n-c\n"));
    let old = called("edit", r#"{"path":"a.txt","oldText":"b","newText":"B"}"#, OK);
    assert_eq!(old[0], change("@@ @@\n-b\n+B\n"));
    let failed =
        called("edit", edit, r#""content":[{"type":"text","text":"no such text"}],"isError":true"#);
    assert!(failed[0].contains("Failed"));
    assert_eq!(failed[1..], ["Error no such text", "done"]);
    assert_eq!(
        called("write", r#"{"path":"n.txt","content":"new\n"}"#, OK)[0],
        "file n.txt Add Completed \"new\\n\""
    );
    assert_eq!(called("write", r#"{"path":"n.txt"}"#, OK)[0], "tool write Completed 1 parts");
}

#[test]
fn other_tools_and_those_that_they_call() {
    let image = r#""content":[{"type":"text","text":"a"},{"type":"image","data":"eA==","mimeType":"image/png"}],"isError":false"#;
    assert_eq!(called("read", r#"{"path":"a.png"}"#, image)[0], "tool read Completed 2 parts");
    let nested = r#""content":[],"isError":true,"nestedCalls":{"calls":[{"id":"n1","name":"read","status":"ok"},{"name":"bash","status":"error","error":"no"},{"id":"n3","name":"x","status":"unfinished"}],"complete":false}"#;
    assert_eq!(
        called("code", "{}", nested),
        [
            "tool code Failed 0 parts",
            "tool read Completed 0 parts",
            "tool bash Failed 1 parts",
            "tool x Failed 0 parts",
            "done"
        ]
    );
}

#[test]
fn calls_and_results_that_lack_each_other() {
    let lone = thread(&[
        "a - user one",
        "b a calls x y",
        "c b result y",
        "d c result z",
        "e d assistant done",
    ]);
    assert_eq!(
        turns(&lone)[0][1..],
        [
            "agent $ run x Failed - \"-\"",
            "agent $ run y Completed 0 \"out y\"",
            "tool bash Completed 1 parts",
            "done"
        ]
    );
    assert_eq!(codes(&lone), [(Code::OrphanResult, 5), (Code::UnansweredCall, 3)]);

    let running = thread(&["a - user one", "b a calls x y", "c b result y"]);
    assert_eq!(turns(&running)[0][1], "agent $ run x InProgress - \"-\"");
    assert!(running.findings.is_empty());

    // The person went back to before the result, which stands on another branch.
    let left =
        thread(&["a - user one", "b a calls x", "c b result x", "d b user two", "e d assistant 2"]);
    assert!(left.findings.is_empty());

    // Some providers count calls anew in each response.
    let again = thread(&[
        "a - user one",
        "b a calls x",
        "c b result x",
        "d c calls x",
        "e d result x",
        "f e assistant 2",
    ]);
    assert!(again.findings.is_empty());
    assert_eq!(
        again
            .items()
            .filter(|i| matches!(i.kind, ItemKind::CommandExecution { exit_code: Some(0), .. }))
            .count(),
        2
    );
}

#[test]
fn parts_of_answers_and_prompts() {
    let blocks = r#"{"type":"thinking","thinking":"hm","thinkingSignature":"s"},{"type":"thinking","thinking":"","redacted":true},{"type":"text","text":"","textSignature":"x"},{"type":"text","text":"a","textSignature":"{\"v\":1,\"id\":\"t\",\"phase\":\"commentary\"}"},{"type":"text","text":"b","textSignature":"t2"},{"type":"video","data":"…"}"#;
    let prompt = message(
        r#""role":"user","content":[{"type":"text","text":"see"},{"type":"image","data":"eA==","mimeType":"image/png"}],"timestamp":1"#,
    );
    let thread = thread(&[&format!("a - {prompt}"), &format!("b a {}", answer(blocks, "stop", 2))]);
    assert_eq!(
        turns(&thread),
        [["> see|[image]", "think hm", "think ", "a", "b", r#"{"type":"video","data":"…"}"#]]
    );
    let ids: Vec<_> = thread.items().map(|i| &*i.id).collect();
    assert_eq!(ids, ["a", "b.0", "b.1", "b", "b.4", "b.5"]);
    let phase = |n: usize| match &thread.turns[0].items[n].kind {
        ItemKind::AgentMessage { phase, .. } => phase.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!((phase(3).as_deref(), phase(4)), (Some("commentary"), None));
}
