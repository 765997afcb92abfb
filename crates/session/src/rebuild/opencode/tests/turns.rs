//! The display view of 2.x.

use recount_formats::Code;

use super::{Case, codes, tool, turns};
use crate::model::{ItemKind, ThreadStatus};

#[test]
fn idle_rows_end_turns_and_steered_prompts_do_not() {
    let mut case = Case::new("");
    case.user(4, "one").step(5, "tool-calls", "").user(6, "and this").say(7, "both").idle(8);
    case.user(11, "two").say(12, "done");
    case.row(13, "idle", r#""outcome":"interrupted""#);
    let thread = case.thread();
    assert_eq!(
        turns(&thread),
        [vec!["Completed", "> one", "> and this", "both"], vec!["Interrupted", "> two", "done"]]
    );
    let turn = &thread.turns[0];
    assert_eq!(
        (turn.id.as_str(), turn.started_at, turn.completed_at),
        ("msg_4", Some(14), Some(18))
    );
    assert_eq!(turn.duration_ms, Some(4000));
    assert_eq!(thread.status, ThreadStatus::Idle);
}

#[test]
fn rows_are_put_in_the_order_of_seq_whatever_their_ids_and_times() {
    let mut case = Case::new("");
    case.say(9, "last").idle(10).user(4, "first");
    assert_eq!(turns(&case.thread()), [["Completed", "> first", "last"]]);
}

#[test]
fn a_turn_without_an_end_is_in_progress() {
    let mut case = Case::new("");
    case.user(4, "go").row(
        5,
        "assistant",
        &format!(
            r#""content":[{},{}]"#,
            tool("a", "shell", r#""status":"running","input":{"command":"sleep 9"},"metadata":{}"#),
            tool("b", "write", r#""status":"streaming","input":"{\"pa""#)
        ),
    );
    let thread = case.thread();
    assert_eq!(
        turns(&thread),
        [["InProgress", "> go", "agent $ sleep 9 InProgress - \"-\"", "file  InProgress"]]
    );
    assert_eq!(thread.status, ThreadStatus::Open);
    assert_eq!(thread.turns[0].completed_at, None);
}

#[test]
fn settings_and_commands_of_the_user_leave_no_turn_open() {
    let mut case = Case::new("");
    case.user(4, "go").say(5, "done").idle(6);
    case.row(7, "agent-switched", r#""agent":"plan""#);
    case.row(8, "model-switched", r#""model":{"id":"big","variant":"high"}"#);
    case.row(9, "shell", r#""shellID":"sh_1","command":"ls","status":"exited","exit":0,"output":{"output":"a\n","truncated":false}"#);
    assert_eq!(
        turns(&case.thread())[1],
        [
            "Completed",
            "Info Agent: plan",
            "Info Model: big (high)",
            "userShell $ ls Completed 0 \"a\\n\""
        ]
    );
}

#[test]
fn an_imported_part_has_a_turn_for_each_prompt() {
    let mut case = Case::new("");
    case.user(0, "one").say(1, "a").user(2, "two").say(3, "b");
    // What 2.x added: its events took numbers, so the next row does not follow on.
    case.row(6, "system", r#""text":"The tools have changed""#);
    case.user(7, "three").say(8, "c").idle(9);
    assert_eq!(
        turns(&case.thread()),
        [
            vec!["Completed", "> one", "a"],
            vec!["Completed", "> two", "b"],
            vec!["Completed", "Info The tools have changed", "> three", "c"]
        ]
    );
}

#[test]
fn a_session_that_began_in_2x_is_not_taken_for_an_imported_one() {
    let mut case = Case::new("");
    case.user(1, "one").say(2, "a").user(3, "steered").say(4, "b").idle(5);
    assert_eq!(case.thread().turns.len(), 1);
}

#[test]
fn a_failed_turn_tells_its_error_once() {
    let mut case = Case::new("");
    let error = r#""error":{"type":"provider","message":"overloaded","status":529,"response":{"body":"busy"}}"#;
    case.user(4, "go").row(5, "assistant", &format!(r#""content":[],{error}"#));
    case.row(6, "idle", &format!(r#""outcome":"failed",{error}"#));
    let thread = case.thread();
    assert_eq!(turns(&thread), [["Failed", "> go"]]);
    let error = thread.turns[0].error.as_ref().unwrap();
    assert_eq!(
        (error.message.as_str(), error.additional_details.as_deref()),
        ("overloaded", Some("busy"))
    );
}

#[test]
fn a_prompt_brings_its_files_agents_and_skills() {
    let mut case = Case::new("");
    case.row(
        4,
        "user",
        r#""text":"look","files":[{"data":"AAEC","mime":"image/png","source":{"type":"inline"},"name":"p"},{"data":"aGk=","mime":"text/plain","source":{"type":"uri","uri":"file:///home/dev/shop/a.txt"},"name":"a.txt"}],"agents":[{"name":"explore"}]"#,
    );
    case.say(5, "ok").idle(6);
    assert_eq!(
        turns(&case.thread())[0][1],
        "> look|[image data:image/png;base64,AAEC]|@a.txt /home/dev/shop/a.txt|@explore"
    );
}

#[test]
fn tools_become_the_items_that_they_are() {
    let done = |input: &str, text: &str, meta: &str| {
        format!(
            r#""status":"completed","input":{input},"content":[{{"type":"text","text":"{text}"}}],"metadata":{meta}"#
        )
    };
    let blocks = [
        tool("1", "shell", &done(r#"{"command":"make"}"#, "out", r#"{"exit":7}"#)),
        tool("2", "edit", &done(r#"{"path":"a","oldString":"x","newString":"y"}"#, "ok", "{}")),
        tool(
            "3",
            "patch",
            r#""status":"error","input":{"patchText":"*** Update File: b\n@@\n-x\n+y"},"error":{"type":"tool.execution","message":"no such file"}"#,
        ),
        tool("4", "github_create_issue", &done("{}", "#1", "{}")),
        tool("5", "websearch", &done(r#"{"query":"q"}"#, "hits", "{}")),
        tool("6", "webfetch", &done(r#"{"url":"https://example.org"}"#, "page", "{}")),
        tool("7", "read", &done(r#"{"path":"a"}"#, "text", "{}")),
        tool(
            "8",
            "shell",
            r#""status":"error","input":{"command":"rm"},"error":{"type":"permission","message":"Permission denied"}"#,
        ),
        tool(
            "9",
            "shell",
            r#""status":"error","input":{"command":"cat"},"error":{"type":"x","message":"cat: permission denied"},"content":[{"type":"text","text":"partial"}]"#,
        ),
    ];
    let mut case = Case::new("");
    case.user(4, "go").step(5, "stop", &blocks.join(",")).idle(6);
    assert_eq!(
        turns(&case.thread())[0][2..],
        [
            "agent $ make Completed 7 \"out\"",
            "file a Completed",
            "file b Failed",
            "mcp github.create_issue Completed",
            "web q Some(Completed)",
            "web https://example.org Some(Completed)",
            "tool read Completed Some(true)",
            "agent $ rm Declined - \"Permission denied\"",
            "agent $ cat Failed - \"partial\"",
        ]
    );
}

#[test]
fn the_full_text_of_a_cut_result_is_found_beside_the_database() {
    let cut = r#""status":"completed","input":{"command":"seq 9"},"content":[{"type":"text","text":"1…"}],"metadata":{"truncated":true,"outputPath":"/old/home/opencode/tool-output/tool_1"}"#;
    let mut case = Case::new("");
    case.user(4, "go").step(5, "stop", &tool("a", "shell", cut)).idle(6);
    let thread = case.thread();
    assert_eq!(codes(&thread), [Code::MissingFile]);
    assert_eq!(turns(&thread)[0][2], "agent $ seq 9 Completed - \"1…\"");
    case.file("tool-output/tool_1", "1 2 3");
    let thread = case.thread();
    assert_eq!(codes(&thread), []);
    assert_eq!(turns(&thread)[0][2], "agent $ seq 9 Completed - \"1 2 3\"");
}

#[test]
fn captures_tell_what_shells_printed() {
    let background = r#""status":"completed","input":{"command":"serve"},"content":[{"type":"text","text":"moved to the background"}],"metadata":{"status":"running","shellID":"sh_2"}"#;
    let mut case = Case::new("");
    case.row(4, "shell", r#""shellID":"sh_1","command":"build","status":"exited","exit":0,"output":{"output":"tail","truncated":true}"#);
    case.user(5, "go").step(6, "stop", &tool("a", "shell", background)).idle(7);
    case.file("shell/p/sh_1.out", "all of it").file("shell/p/sh_2.out", "listening");
    assert_eq!(
        turns(&case.thread()),
        [[
            "Completed",
            "userShell $ build Completed 0 \"all of it\"",
            "> go",
            "agent $ serve Completed - \"listening\""
        ]]
    );
}

#[test]
fn agents_are_linked_to_their_sessions() {
    let call = |id: &str, state: &str| tool(id, "subagent", state);
    let named = r#""status":"completed","input":{"agent":"explore","description":"find","prompt":"Find it"},"content":[{"type":"text","text":"<subagent sessionID=\"ses_b\" state=\"completed\">\nthere\n</subagent>"}],"metadata":{"sessionID":"ses_b"}"#;
    let aborted = r#""status":"error","input":{"agent":"general","description":"write","prompt":"Write"},"error":{"type":"aborted","message":"Tool execution aborted"}"#;
    let mut case = Case::new("");
    case.user(4, "go").step(5, "tool-calls", &[call("c1", named), call("c2", aborted)].join(","));
    case.row(6, "synthetic", r#""text":"<subagent sessionID=\"ses_c\" state=\"completed\">late</subagent>","metadata":{"source":"subagent","childID":"ses_c","agent":"general","state":"completed"}"#);
    case.idle(7);
    case.child("ses_a", "lost").child("ses_b", "find").child("ses_c", "write");
    let thread = case.thread();
    assert_eq!(
        turns(&thread)[0][2..],
        [
            "agent ses_b Completed \"there\"",
            "agent ses_c Failed \"late\"",
            "activity ses_c completed"
        ]
    );
    let linked: Vec<_> = thread
        .lineage
        .subagents
        .iter()
        .map(|s| (s.id.as_str(), s.tool_call_id.as_deref()))
        .collect();
    assert_eq!(linked, [("ses_b", Some("c1")), ("ses_c", Some("c2")), ("ses_a", None)]);
}

#[test]
fn a_staged_revert_is_two_branches_until_the_next_prompt() {
    let mut case = Case::new(r#","revert":{"messageID":"msg_7"}"#);
    case.user(4, "one").say(5, "a").idle(6).user(7, "two").say(8, "b").idle(9);
    let thread = case.thread();
    assert_eq!(thread.turns.len(), 2);
    assert!(turns(&thread)[1][1].starts_with("Warning A revert is staged"));
    let branches: Vec<_> = thread
        .branches
        .iter()
        .map(|b| (b.leaf.as_str(), b.active, b.abandoned_prompts.join(",")))
        .collect();
    assert_eq!(branches, [("msg_6", true, String::new()), ("msg_9", false, "two".into())]);
    assert_eq!(turns(&case.branch(Some("msg_6"))), [["Completed", "> one", "a"]]);
    let unknown = case.branch(Some("msg_77"));
    assert_eq!((codes(&unknown), turns(&unknown)), (vec![Code::UnknownBranch], turns(&thread)));
}

#[test]
fn a_staged_revert_to_nowhere_is_a_finding() {
    let mut case = Case::new(r#","revert":{"messageID":"msg_77"}"#);
    case.user(4, "one").say(5, "a").idle(6);
    let thread = case.thread();
    assert_eq!(codes(&thread), [Code::UnusableLeaf]);
    assert_eq!(turns(&thread), [["Completed", "> one", "a"]]);
}

#[test]
fn waiting_input_is_told_and_no_prompt() {
    let mut case = Case::new("");
    case.user(4, "go").say(5, "ok").idle(6);
    case.line(r#"{"table":"session_inbox","row":"msg_9","id":"msg_9","session_id":"ses_1","type":"user","payload":{"text":"and this"},"delivery":"queue","enqueued_seq":9,"time_created":20000}"#);
    assert_eq!(
        turns(&case.thread()),
        [["Completed", "> go", "ok", "Info Waiting (queue): user: and this"]]
    );
}

#[test]
fn a_move_changes_where_commands_run_but_not_where_the_session_began() {
    let mut case = Case::new("");
    let run = tool(
        "a",
        "shell",
        r#""status":"completed","input":{"command":"pwd"},"content":[{"type":"text","text":"/x"}]"#,
    );
    case.row(4, "location-switched", r#""location":{"directory":"/home/dev/shop"},"previous":{"location":{"directory":"/home/dev/old"}}"#);
    case.user(5, "go").step(6, "stop", &run).idle(7);
    let thread = case.thread();
    assert_eq!(thread.cwd.as_deref(), Some("/home/dev/old"));
    let ItemKind::CommandExecution { cwd, .. } = &thread.turns[0].items[2].kind else { panic!() };
    assert_eq!(cwd.as_deref(), Some("/home/dev/shop"));
}

#[test]
fn compactions_in_each_state() {
    let mut case = Case::new("");
    case.row(4, "compaction", r#""status":"completed","reason":"auto","summary":"S""#);
    case.row(
        5,
        "compaction",
        r#""status":"failed","reason":"manual","error":{"type":"p","message":"no"}"#,
    );
    case.row(6, "compaction", r#""status":"running","reason":"manual","summary":"""#);
    assert_eq!(
        turns(&case.thread()),
        [[
            "InProgress",
            "compaction Some(\"auto\") Some(\"S\")",
            "Error Compaction failed: no",
            "Info Compaction (manual) has begun and not ended"
        ]]
    );
}
