//! 1.x: messages and parts, as people and the model see them.

use recount_formats::Code;

use super::{Case, codes, sent, turns};
use crate::model::ThreadStatus;

const STEP: &str = r#""type":"step-start""#;

fn tool(id: &str, name: &str, state: &str) -> String {
    format!(r#""type":"tool","callID":"{id}","tool":"{name}","state":{{{state}}}"#)
}

#[test]
fn a_prompt_and_its_answers_are_a_turn() {
    let call = tool(
        "c1",
        "bash",
        r#""status":"completed","input":{"command":"ls"},"output":"a\n<bash_metadata>","metadata":{"output":"a\n","exit":0},"time":{"start":1000,"end":1500}"#,
    );
    let mut case = Case::old("");
    case.asks(1, "one");
    case.answers(
        2,
        1,
        r#","finish":"tool-calls""#,
        &[STEP, r#""type":"reasoning","text":"hm""#, &call],
    );
    case.answers(3, 1, r#","finish":"stop""#, &[STEP, r#""type":"text","text":"done""#]);
    case.asks(4, "two");
    let thread = case.thread();
    assert_eq!(
        turns(&thread),
        [
            vec!["Completed", "> one", "think hm", "agent $ ls Completed 0 \"a\\n\"", "done"],
            vec!["InProgress", "> two"]
        ]
    );
    assert_eq!(thread.status, ThreadStatus::Open);
    assert_eq!(thread.usage.responses, 2);
    assert_eq!(thread.model.as_deref(), Some("m"));
}

#[test]
fn messages_are_sorted_by_time_and_parts_by_id() {
    let mut case = Case::old("");
    case.answers(
        3,
        2,
        r#","finish":"stop""#,
        &[STEP, r#""type":"text","text":"x""#, r#""type":"text","text":"y""#],
    );
    case.asks(2, "one");
    let lines: Vec<&str> = case.lines.lines().rev().collect();
    case.lines = lines.join("\n");
    assert_eq!(turns(&case.thread()), [["Completed", "> one", "x", "y"]]);
}

#[test]
fn synthetic_texts_are_no_prompts_and_files_are_mentioned() {
    let mut case = Case::old("");
    case.message(
        1,
        r#""role":"user""#,
        &[
            r#""type":"text","synthetic":true,"text":"Called the Read tool""#,
            r#""type":"file","mime":"text/plain","filename":"a.txt","url":"file:///home/dev/shop/a.txt""#,
            r#""type":"agent","name":"explore""#,
            r#""type":"text","text":"look""#,
            r#""type":"text","ignored":true,"text":"for people""#,
        ],
    );
    assert_eq!(
        turns(&case.thread()),
        [["InProgress", "> @a.txt /home/dev/shop/a.txt|@explore|look|for people"]]
    );
    assert_eq!(sent(&case.view(None)), ["User: Called the Read tool | look"]);
}

#[test]
fn a_command_of_the_user_is_a_turn_of_its_own() {
    let mut case = Case::old("");
    case.message(
        1,
        r#""role":"user""#,
        &[r#""type":"text","synthetic":true,"text":"The following tool was executed by the user""#],
    );
    let call = tool(
        "c1",
        "bash",
        r#""status":"completed","input":{"command":"ls"},"output":"a","metadata":{"output":"a"}"#,
    );
    case.answers(2, 1, "", &[&call]);
    case.asks(3, "go");
    assert_eq!(
        turns(&case.thread()),
        [vec!["Completed", "userShell $ ls Completed - \"a\""], vec!["InProgress", "> go"]]
    );
}

#[test]
fn a_call_of_no_such_tool_keeps_the_name_it_had() {
    let invalid = tool(
        "c1",
        "invalid",
        r#""status":"completed","input":{"tool":"bash","error":"unavailable"},"output":"invalid arguments""#,
    );
    let mut case = Case::old("");
    case.asks(1, "go").answers(2, 1, r#","finish":"stop""#, &[STEP, &invalid]);
    assert_eq!(turns(&case.thread())[0][2], "tool bash Completed Some(false)");
}

#[test]
fn retries_leave_no_empty_messages() {
    let mut case = Case::old("");
    case.asks(1, "go");
    case.answers(2, 1, r#","finish":"stop""#, &[
        STEP,
        r#""type":"text","text":"""#,
        r#""type":"retry","attempt":1,"error":{"name":"APIError","data":{"message":"busy"}},"time":{"created":1}"#,
        r#""type":"text","text":"done""#,
    ]);
    assert_eq!(
        turns(&case.thread()),
        [["Completed", "> go", "Warning Attempt 1 failed: busy", "done"]]
    );
}

#[test]
fn aborted_and_failed_turns() {
    let mut case = Case::old("");
    case.asks(1, "one").answers(
        2,
        1,
        r#","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}"#,
        &[STEP, r#""type":"text","text":"half""#],
    );
    case.asks(3, "two").answers(
        4,
        3,
        r#","error":{"name":"APIError","data":{"message":"busy"}}"#,
        &[],
    );
    case.asks(5, "three");
    let running =
        tool("c1", "bash", r#""status":"running","input":{"command":"sleep"},"time":{"start":1}"#);
    case.answers(6, 5, "", &[STEP, &running]);
    case.lines = case
        .lines
        .replace(r#""time":{"created":16000,"completed":16000}"#, r#""time":{"created":16000}"#);
    case.asks(7, "four");
    let thread = case.thread();
    assert_eq!(
        turns(&thread),
        [
            vec!["Interrupted", "> one", "half"],
            vec!["Failed", "> two", "Error busy"],
            // The program was killed in it, and went on with another prompt.
            vec!["Interrupted", "> three", "agent $ sleep InProgress - \"-\""],
            vec!["InProgress", "> four"],
        ]
    );
    assert_eq!(thread.turns[1].error.as_ref().unwrap().message, "busy");
    // What failed is not sent again; what was broken off is, and a call that never ended is answered.
    assert_eq!(
        sent(&case.view(None)),
        [
            "User: one",
            "Assistant: half",
            "User: two",
            "User: three",
            "Assistant: call c1 bash",
            "Tool: result c1 error \"[Tool execution was interrupted]\"",
            "User: four",
        ]
    );
}

/// Two turns, a wish to compact with its summary, and what follows.
fn compacted(wish: &str, error: &str) -> Case {
    let say = |text: &str| format!(r#""type":"text","text":"{text}""#);
    let mut case = Case::old("");
    case.asks(1, "one").answers(2, 1, r#","finish":"stop""#, &[STEP, &say("a")]);
    case.asks(3, "two").answers(4, 3, r#","finish":"stop""#, &[STEP, &say("b")]);
    case.message(5, r#""role":"user""#, &[&format!(r#""type":"compaction",{wish}"#)]);
    case.answers(
        6,
        5,
        &format!(r#","summary":true,"mode":"compaction","finish":"stop"{error}"#),
        &[STEP, &say("S")],
    );
    case.message(7, r#""role":"user""#, &[r#""type":"text","synthetic":true,"text":"Continue""#]);
    case.answers(8, 7, r#","finish":"stop""#, &[STEP, &say("c")]);
    case
}

#[test]
fn an_automatic_compaction_stands_in_the_middle_of_a_turn() {
    let case = compacted(r#""auto":true"#, "");
    assert_eq!(
        turns(&case.thread()),
        [
            vec!["Completed", "> one", "a"],
            vec!["Completed", "> two", "b", "compaction Some(\"auto\") Some(\"S\")", "c"]
        ]
    );
    let view = case.view(None);
    assert_eq!(
        sent(&view),
        ["User: What did we do so far?", "Assistant: S", "User: Continue", "Assistant: c"]
    );
    assert_eq!((view.compactions, view.dropped_turns), (1, 2));
}

#[test]
fn a_manual_compaction_is_a_turn_of_its_own() {
    let case = compacted(r#""auto":false"#, "");
    assert_eq!(
        turns(&case.thread())[2][..2],
        ["Completed", "compaction Some(\"manual\") Some(\"S\")"]
    );
}

#[test]
fn a_compaction_keeps_a_tail_and_a_failed_one_everything() {
    let view = compacted(r#""auto":true,"tail_start_id":"msg_3""#, "").view(None);
    assert_eq!(
        sent(&view)[..4],
        ["User: What did we do so far?", "Assistant: S", "User: two", "Assistant: b"]
    );
    assert_eq!(view.dropped_turns, 1);
    let case =
        compacted(r#""auto":true"#, r#","error":{"name":"APIError","data":{"message":"no"}}"#);
    assert_eq!(sent(&case.view(None))[0], "User: one");
    assert!(turns(&case.thread())[1].contains(&"Error Compaction failed: no".to_owned()));
}

#[test]
fn results_that_were_cleared_or_broken_off() {
    let cleared = tool(
        "c1",
        "read",
        r#""status":"completed","input":{},"output":"long","time":{"start":1,"end":2,"compacted":3}"#,
    );
    let broken = tool(
        "c2",
        "bash",
        r#""status":"error","input":{"command":"x"},"error":"Tool execution aborted","metadata":{"interrupted":true,"output":"so far"}"#,
    );
    let refused = tool(
        "c3",
        "bash",
        r#""status":"error","input":{"command":"y"},"error":"The user rejected permission to use this specific tool call.""#,
    );
    let seen = tool(
        "c4",
        "read",
        r#""status":"completed","input":{},"output":"img","attachments":[{"type":"file","mime":"image/png","url":"data:image/png;base64,AA=="}]"#,
    );
    let mut case = Case::old("");
    case.asks(1, "go").answers(
        2,
        1,
        r#","finish":"stop""#,
        &[STEP, &cleared, &broken, &refused, &seen],
    );
    assert_eq!(
        sent(&case.view(None))[2..],
        [
            "Tool: result c1 \"[Old tool result content cleared]\"",
            "Tool: result c2 \"so far\"",
            "Tool: result c3 error \"The user rejected permission to use this specific tool call.\"",
            "Tool: result c4 [{\"type\":\"text\",\"text\":\"img\"},{\"type\":\"file\",\"mime\":\"image/png\",\"url\":\"data:image/png;base64,AA==\"}]",
        ]
    );
    assert_eq!(
        turns(&case.thread())[0][2..],
        [
            "tool read Completed Some(true)",
            "agent $ x Failed - \"so far\"",
            "agent $ y Declined - \"The user rejected permission to use this specific tool call.\"",
            "tool read Completed Some(true)",
        ]
    );
}

#[test]
fn subtasks_and_agents() {
    let task = tool(
        "c1",
        "task",
        r#""status":"error","input":{"description":"story","prompt":"Write","subagent_type":"general"},"error":"Tool execution aborted","metadata":{"interrupted":true}"#,
    );
    let mut case = Case::old("");
    case.message(
        1,
        r#""role":"user""#,
        &[r#""type":"subtask","prompt":"Write","description":"story","agent":"general""#],
    );
    case.answers(2, 1, r#","finish":"tool-calls""#, &[&task]);
    case.child("ses_2", "story (@general subagent)");
    let thread = case.thread();
    assert_eq!(
        turns(&thread)[0][1..],
        ["Info Subtask for general: Write", "agent ses_2 Failed \"Tool execution aborted\""]
    );
    assert_eq!(thread.lineage.subagents[0].tool_call_id.as_deref(), Some("c1"));
    assert_eq!(sent(&case.view(None))[0], "User: The following tool was executed by the user");
}

#[test]
fn parts_of_no_message_and_unknown_parts() {
    let mut case = Case::old("");
    case.asks(1, "go").answers(2, 1, r#","finish":"stop""#, &[r#""type":"hologram""#]);
    case.line(r#"{"table":"part","row":"prt_x","id":"prt_x","message_id":"msg_gone","session_id":"ses_1","data":{"type":"text","text":"lost"}}"#);
    let thread = case.thread();
    assert_eq!(codes(&thread), [Code::UnknownRecordType, Code::DanglingParent]);
    assert_eq!(
        turns(&thread)[0][2],
        "Warning A part `hologram` cannot be read or is of an unknown type"
    );
}

#[test]
fn a_staged_revert_is_two_branches() {
    let mut case = Case::old(r#","revert":{"messageID":"msg_3","partID":"prt_x"}"#);
    case.asks(1, "one").answers(2, 1, r#","finish":"stop""#, &[r#""type":"text","text":"a""#]);
    case.asks(3, "two");
    let thread = case.thread();
    assert_eq!(thread.turns.len(), 2);
    assert_eq!(thread.branches[0].leaf, "msg_2");
    assert_eq!(thread.branches[1].abandoned_prompts, ["two"]);
    assert_eq!(case.branch(Some("msg_2")).turns.len(), 1);
}
