//! What is added to the display, and what is not.

use serde_json::json;

use super::{Rollout, shown};

fn turn(rollout: Rollout) -> String {
    shown(&rollout.complete("a").thread()).remove(0)
}

fn legacy() -> Rollout {
    Rollout::legacy().started("a")
}

#[test]
fn commands_of_all_versions() {
    let shell = r#"{"command":["bash","-lc","ls"],"workdir":"/tmp"}"#;
    let rollout = legacy()
        .call("c1", "shell", shell)
        .output("c1", r#"{"output":"a\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#)
        .call("c2", "exec_command", r#"{"cmd":"false"}"#)
        .output("c2", "Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\n")
        .response("local_shell_call", json!({"call_id": "c3", "action": {"command": ["pwd"]}}))
        .call("c4", "shell_command", r#"{"command":"sleep 9"}"#);
    assert_eq!(
        turn(rollout),
        r#"a Completed: +c1 $ bash -lc ls [agent Completed Some(0)] "a\n", +c2 $ false [unifiedExecStartup Failed Some(1)] "", +c3 $ pwd [agent InProgress None] "", +c4 $ sleep 9 [agent InProgress None] """#
    );
}

#[test]
fn what_is_displayed_is_not_added() {
    let rollout = Rollout::paginated()
        .started("a")
        .call("c1", "exec_command", r#"{"cmd":"ls"}"#)
        .item(
            "a",
            "CommandExecution",
            "c1",
            json!({"command": ["ls"], "status": "completed", "process_id": "7"}),
        )
        .output("c1", "Process running with session ID 7\nOutput:\n")
        .call("c2", "write_stdin", r#"{"session_id":7,"chars":"q"}"#)
        .output("c2", "Process exited with code 0\nOutput:\n")
        .response("web_search_call", json!({"action": {"type": "search", "query": "x"}}))
        .item("a", "WebSearch", "w", json!({"query": "x"}));
    assert_eq!(turn(rollout), "a Completed: c1 $ ls [agent Completed None] \"\", w web x");
}

#[test]
fn input_goes_on_with_the_command_that_waits_for_it() {
    let rollout = legacy()
        .call("c1", "exec_command", r#"{"cmd":"cat"}"#)
        .output("c1", "Process running with session ID 7\nOutput:\none\n")
        .call("c2", "write_stdin", r#"{"session_id":7,"chars":"two"}"#)
        .output("c2", "Process exited with code 3\nOutput:\ntwo\n")
        .call("c3", "write_stdin", r#"{"session_id":8,"chars":"x"}"#)
        .output("c3", "no such session");
    assert_eq!(
        turn(rollout),
        r#"a Completed: +c1 $ cat [unifiedExecStartup Failed Some(3)] "one\ntwo\n", +c3 $ x [unifiedExecInteraction Completed None] "no such session""#
    );
}

#[test]
fn tools_of_all_kinds() {
    let rollout = legacy()
        .call("c1", "mcp__db__query", r#"{"q":1}"#)
        .output("c1", "Wall time: 0.1 seconds\nOutput:\n42")
        .response("function_call", json!({"call_id": "c2", "name": "query", "namespace": "mcp__db__", "arguments": "{}"}))
        .call("c3", "update_plan", r#"{"plan":[]}"#)
        .call("c4", "view_image", r#"{"path":"a.png"}"#)
        .output("c4", "unsupported call: view_image")
        .call("c5", "exec_command", "{not json")
        .call("c6", "spawn_agent", r#"{"message":"go"}"#)
        .output("c6", r#"{"agent_id":"child"}"#)
        .response("custom_tool_call", json!({"call_id": "c7", "name": "apply_patch", "input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}))
        .response("custom_tool_call_output", json!({"call_id": "c7", "output": "patch rejected by user"}))
        .response("tool_search_call", json!({"call_id": "c8", "arguments": {"query": "x"}}));
    assert_eq!(
        turn(rollout),
        "a Completed: +c1 mcp db.query Completed, +c2 mcp db.query InProgress, \
         +c3 tool update_plan {\"plan\":[]} InProgress, +c4 tool view_image {\"path\":\"a.png\"} Failed, \
         +c5 tool exec_command \"{not json\" InProgress, +c6 agents spawnAgent [\"child\"] Completed, \
         +c7 files Declined D /home/dev/shop/a \"\", +c8 tool tool_search {\"query\":\"x\"} InProgress"
    );
}

#[test]
fn they_stand_where_they_were_called() {
    let rollout = legacy()
        .user("one")
        .call("c1", "exec_command", r#"{"cmd":"ls"}"#)
        .output("c1", "Process exited with code 0\nOutput:\n")
        .agent("done")
        .complete("a")
        .started("b")
        .response("function_call", json!({"call_id": "c2", "name": "x", "arguments": "1", "internal_chat_message_metadata_passthrough": {"turn_id": "a"}}));
    let all = shown(&rollout.thread());
    assert_eq!(
        all[0],
        "a Completed: item-1 user one, +c1 $ ls [unifiedExecStartup Completed Some(0)] \"\", item-2 agent done, +c2 tool x 1 InProgress"
    );
    assert_eq!(all[1], "b Interrupted: ");
}

#[test]
fn what_was_rolled_back_stays_away() {
    let rollout = legacy()
        .call("c1", "exec_command", r#"{"cmd":"ls"}"#)
        .complete("a")
        .event("thread_rolled_back", json!({"num_turns": 1}))
        .started("b");
    assert_eq!(shown(&rollout.thread()), ["b Interrupted: "]);
}

#[test]
fn ends_of_commands_that_codex_no_longer_shows() {
    let rollout = legacy()
        .call("c1", "exec_command", r#"{"cmd":"ls"}"#)
        .event("exec_command_end", json!({"call_id": "c1", "turn_id": "a", "command": ["bash", "-lc", "ls"], "status": "completed", "aggregated_output": "x\n", "exit_code": 0}))
        .output("c1", "cut")
        .event("view_image_tool_call", json!({"call_id": "c2", "path": "/home/dev/shop/a.png"}))
        .event("error", json!({"message": "stream cut"}));
    assert_eq!(
        turn(rollout),
        "a Completed: +c1 $ bash -lc ls [agent Completed Some(0)] \"x\\n\", +c2 image /home/dev/shop/a.png, +record-7 notice stream cut"
    );
}

#[test]
fn messages_whose_event_was_damaged() {
    let typed =
        |text: &str| json!({"role": "user", "content": [{"type": "input_text", "text": text}]});
    let rollout = legacy()
        .response("message", typed("<environment_context>"))
        .response("message", typed("lost prompt"))
        .raw("{\"timestamp\": garbage\n")
        .message("assistant", "lost answer")
        .agent("not lost");
    assert_eq!(
        turn(rollout),
        "a Completed: +record-4 user lost prompt, +record-6 agent lost answer, item-1 agent not lost"
    );
    // Where nothing is damaged, the model's messages say nothing new.
    assert_eq!(turn(legacy().message("assistant", "quiet")), "a Completed: ");
}

#[test]
fn a_file_without_events_is_read_by_what_the_model_was_told() {
    let rollout = Rollout::legacy()
        .message("developer", "rules")
        .message("user", "# AGENTS.md instructions")
        .message("user", "one")
        .call("c1", "shell", r#"{"command":["ls"]}"#)
        .message("assistant", "done")
        .message("user", "two");
    assert_eq!(
        shown(&rollout.thread()),
        [
            "rollout-3 Completed: +record-4 user one, +c1 $ ls [agent InProgress None] \"\", +record-6 agent done",
            "rollout-6 Completed: +record-7 user two",
        ]
    );
}

#[test]
fn compactions_have_their_summaries() {
    let rollout = legacy()
        .with("compacted", &json!({"message": "Before: all of it."}))
        .event("context_compacted", json!({}))
        .with("compacted", &json!({"message": "", "replacement_history": []}))
        .event("context_compacted", json!({}))
        .with("compacted", &json!({"message": "No marker."}));
    assert_eq!(
        turn(rollout),
        "a Completed: item-1 compaction Some(\"Before: all of it.\"), item-2 compaction None, \
         +compacted-7 compaction Some(\"No marker.\")"
            .replace("compacted-7", "record-7")
    );
}

#[test]
fn what_the_person_ran_in_the_shell() {
    let text = "<user_shell_command>\n<command>\nexit 7\n</command>\n<result>\nExit code: 7\nDuration: 0.0100 seconds\nOutput:\nbye\n</result>\n</user_shell_command>";
    assert_eq!(
        turn(legacy().message("user", text)),
        "a Completed: +record-3 $ exit 7 [userShell Failed Some(7)] \"bye\""
    );
}
