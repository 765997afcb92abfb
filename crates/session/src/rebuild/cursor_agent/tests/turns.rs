//! Turns, prompts and tools.

use serde_json::json;

use super::*;
use crate::model::item::{ItemStatus, PatchKind, UserInput};
use crate::model::{ThreadStatus, TurnStatus};

#[test]
fn steps_become_items_in_their_order() {
    let chat = of_steps(&[
        json!({ "thinking_message": { "text": "", "duration_ms": 10 } }),
        json!({ "thinking_message": { "text": "Look first." } }),
        json!({ "assistant_message": { "text": "Done.", "started_at_ms": 1_767_312_000_000_i64 } }),
    ]);
    let thread = thread(&chat);
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "userMessage Go",
            "reasoning -",
            "reasoning Look first.",
            "agentMessage Done."
        ]
    );
    let text = &thread.turns[0].items[3];
    assert_eq!(text.timestamp.as_deref(), Some("2026-01-02T00:00:00.000Z"));
    assert_eq!(thread.preview.as_deref(), Some("Go"));
    assert_eq!(thread.title.as_deref(), Some("Go"), "made from the prompt, since it has no name");
    assert_eq!(thread.status, ThreadStatus::Idle);
}

#[test]
fn equal_blobs_are_shown_as_often_as_they_are_listed() {
    let mut chat = Chat::default();
    let step = json!({ "assistant_message": { "text": "Done." } });
    let user = json!({ "text": "continue", "message_id": "m1" });
    let turn = chat.turn(&user, &[step.clone(), step]);
    let chat = rooted(chat, &json!({ "turns": [turn, turn] }));
    let thread = thread(&chat);
    assert_eq!(thread.turns.len(), 2);
    let ids: Vec<_> = thread.items().map(|item| item.id.clone()).collect();
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!((ids.len(), unique.len()), (6, 6), "{ids:?}");
}

#[test]
fn timings_tell_when_turns_ended() {
    let mut chat = Chat::default();
    let turn = chat.turn(&json!({ "text": "a", "message_id": "m1" }), &[]);
    let open = chat.turn(&json!({ "text": "b", "message_id": "m2" }), &[]);
    let timings = json!([{ "duration_ms": 5000, "timestamp_ms": 1_767_312_005_000_i64 }]);
    let chat = rooted(chat, &json!({ "turns": [turn, open], "turn_timings": timings }));
    let thread = thread(&chat);
    let first = &thread.turns[0];
    assert_eq!(
        (first.started_at, first.completed_at, first.duration_ms),
        (Some(1_767_312_000), Some(1_767_312_005), Some(5000))
    );
    assert_eq!(thread.turns[1].status, TurnStatus::InProgress, "the others have a timing");
    assert_eq!(thread.status, ThreadStatus::Open);
}

#[test]
fn an_agent_in_the_background_does_not_keep_a_turn_open() {
    let mut chat = Chat::default();
    let task =
        json!({ "tool_call": { "task": { "args": { "prompt": "Look" } }, "tool_call_id": "t1" } });
    let turn = chat.turn(&json!({ "text": "a", "message_id": "m1" }), &[task]);
    let timings = json!([{ "duration_ms": 1, "timestamp_ms": 1_767_312_005_000_i64 }]);
    let chat = rooted(chat, &json!({ "turns": [turn], "turn_timings": timings }));
    assert_eq!(thread(&chat).turns[0].status, TurnStatus::Completed);
}

#[test]
fn the_copy_tells_how_the_last_turn_ended_when_it_is_of_that_turn() {
    let mut chat = of_steps(&[]);
    let prompt = |text: &str| json!({ "role": "user", "message": { "content": [{ "type": "text", "text": format!("<user_query>\n{text}\n</user_query>") }] } });
    let end = json!({ "type": "turn_ended", "status": "error", "error": "Connection lost" });
    chat.copy = vec![prompt("Go"), end.clone()];
    let turn = thread(&chat).turns.remove(0);
    assert_eq!(turn.status, TurnStatus::Failed);
    assert_eq!(turn.error.unwrap().message, "Connection lost");
    chat.copy = vec![prompt("Before"), end];
    assert_eq!(thread(&chat).turns[0].status, TurnStatus::Completed, "the copy is behind");
    chat.copy = vec![prompt("Go"), json!({ "type": "turn_ended", "status": "aborted" })];
    assert_eq!(thread(&chat).turns[0].status, TurnStatus::Interrupted);
}

#[test]
fn shell_mode_is_a_command_of_the_person() {
    let mut chat = Chat::default();
    let mut turn = |command: &str, output: &Value| {
        let command = chat.put("ShellCommand", &json!({ "command": command }));
        let output = chat.put("ShellOutput", output);
        chat.put("ConversationTurnStructure", &json!({ "shell_conversation_turn": { "shell_command": command, "shell_output": output } }))
    };
    // The output of `true` has no bytes at all: everything in it is default.
    let turns = [
        turn("true", &json!({})),
        turn("false", &json!({ "stdout": "out", "stderr": "err\n", "exit_code": -9 })),
    ];
    let thread = thread(&rooted(chat, &json!({ "turns": turns })));
    assert_eq!(thread.findings, []);
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "commandExecution true completed",
            "# Completed",
            "commandExecution false failed"
        ]
    );
    let ItemKind::CommandExecution { source, exit_code, aggregated_output, .. } =
        &thread.turns[1].items[0].kind
    else {
        panic!("a command")
    };
    assert_eq!((source.as_str(), *exit_code), ("userShell", Some(-9)));
    assert_eq!(aggregated_output.as_deref(), Some("out\nerr\n"));
}

#[test]
fn long_prompts_stand_in_blobs_and_attachments_are_shown() {
    let mut chat = Chat::default();
    let long = chat.bytes(b"A very long prompt");
    let png = chat.bytes(b"\x89PNG\r\n");
    let user = json!({
        "text": "", "text_blob_id": long, "message_id": "m1",
        "selected_context": {
            "selected_images": [
                { "blob_id": png },
                { "data": "ffd8ff", "mime_type": "image/jpeg" },
                { "path": "/home/dev/shop/a.png" },
                { "prompt_upload_ref": { "upload_id": "up-1" } },
            ],
            "files": [{ "path": "/home/dev/shop/src/cart.ts", "relative_path": "src/cart.ts" }],
            "past_chats": [{ "agent_id": "c1", "name": "Yesterday" }],
        },
    });
    let turn = chat.turn(&user, &[]);
    let thread = thread(&rooted(chat, &json!({ "turns": [turn] })));
    assert_eq!(thread.findings, []);
    let ItemKind::UserMessage { content, .. } = &thread.turns[0].items[0].kind else { panic!() };
    let image = |url: &str| UserInput::Image { url: Some(url.into()), file_id: None, detail: None };
    assert_eq!(
        content[..],
        [
            UserInput::text("A very long prompt"),
            image("data:image/png;base64,iVBORw0K"),
            image("data:image/jpeg;base64,/9j/"),
            UserInput::LocalImage { path: "/home/dev/shop/a.png".into(), detail: None },
            UserInput::Image { url: None, file_id: Some("up-1".into()), detail: None },
            UserInput::Mention {
                name: "src/cart.ts".into(),
                path: "/home/dev/shop/src/cart.ts".into()
            },
            UserInput::Mention { name: "Yesterday".into(), path: "c1".into() },
        ]
    );
}

#[test]
fn what_the_program_wrote_is_no_prompt() {
    let mut chat = Chat::default();
    let user = json!({
        "text": "Task 7 is done.", "message_id": "m1", "is_simulated_msg": true,
        "simulated_msg_reason": "BACKGROUND_TASK_COMPLETION",
        "simulated_message_metadata": { "title": "Tests" },
        "hook_additional_contexts": [{ "hook_event_name": "prompt", "content": "Be brief." }],
    });
    let turn = chat.turn(&user, &[]);
    let thread = thread(&rooted(chat, &json!({ "turns": [turn] })));
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "notice Background task completion (Tests): Task 7 is done.",
            "hookPrompt Be brief."
        ]
    );
    assert_eq!(thread.preview, None);
}

#[test]
fn commands() {
    let command = |result: Value| match item_of(&call(
        "shell",
        "t1",
        json!({ "command": "make", "working_directory": "/home/dev/shop" }),
        result,
    )) {
        ItemKind::CommandExecution { status, aggregated_output, exit_code, .. } => {
            (status, aggregated_output, exit_code)
        }
        other => panic!("{other:?}"),
    };
    let some = |text: &str| Some(text.to_owned());
    // An exit code of 0 is not on the wire.
    assert_eq!(
        command(json!({ "success": { "stdout": "ok\n" } })),
        (ItemStatus::Completed, some("ok\n"), Some(0))
    );
    assert_eq!(
        command(json!({ "failure": { "exit_code": 2, "stdout": "a", "stderr": "b" } })),
        (ItemStatus::Failed, some("a\nb"), Some(2))
    );
    assert_eq!(
        command(
            json!({ "failure": { "exit_code": -1, "interleaved_output": "both", "stdout": "a" } })
        ),
        (ItemStatus::Failed, some("both"), Some(-1))
    );
    assert_eq!(
        command(json!({ "rejected": { "reason": "No" } })),
        (ItemStatus::Declined, some("No"), None)
    );
    assert_eq!(
        command(json!({ "permission_denied": { "error": "read only" } })).0,
        ItemStatus::Declined
    );
    assert_eq!(
        command(json!({ "spawn_error": { "error": "ENOENT" } })),
        (ItemStatus::Failed, some("ENOENT"), None)
    );
    assert_eq!(command(json!({ "timeout": { "timeout_ms": 5 } })).0, ItemStatus::Failed);
    // One that runs on has no exit code yet.
    assert_eq!(
        command(json!({ "success": { "pid": 7 }, "is_background": true })),
        (ItemStatus::Completed, some(""), None)
    );
}

#[test]
fn the_output_of_a_background_shell_is_found_by_its_file_name_only() {
    let step = call(
        "shell",
        "t1",
        json!({ "command": "npm run dev" }),
        json!({ "success": { "output_location": { "file_path": "/elsewhere/terminals/7.txt" } }, "is_background": true }),
    );
    let mut chat = of_steps(&[step]);
    chat.blobs.insert("terminals/7.txt".into(), b"ready".to_vec());
    let ItemKind::CommandExecution { aggregated_output, .. } =
        &thread(&chat).turns[0].items[1].kind
    else {
        panic!()
    };
    assert_eq!(aggregated_output.as_deref(), Some("ready"));
}

#[test]
fn a_call_without_a_result_is_in_progress() {
    let chat = of_steps(&[
        json!({ "tool_call": { "shell": { "args": { "command": "make" } }, "tool_call_id": "t1" } }),
    ]);
    let thread = thread(&chat);
    assert_eq!(
        shown(&thread),
        ["# InProgress", "userMessage Go", "commandExecution make inProgress"]
    );
}

#[test]
fn edits_become_diffs() {
    let edit = |args: Value, result: Value| match item_of(&call("edit", "t1", args, result)) {
        ItemKind::FileChange { mut changes, status } => (changes.remove(0), status),
        other => panic!("{other:?}"),
    };
    let (change, status) = edit(
        json!({ "path": "a.ts" }),
        json!({ "success": { "before_full_file_content": "a\nb\n", "after_full_file_content": "a\nc\n" } }),
    );
    assert_eq!(change.diff, "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    assert_eq!(
        (change.kind, status),
        (PatchKind::Update { move_path: None }, ItemStatus::Completed)
    );
    // No content before: the file is new.
    let (change, _) = edit(
        json!({ "path": "a.ts" }),
        json!({ "success": { "after_full_file_content": "new\n", "diff_string": "+new" } }),
    );
    assert_eq!((change.diff.as_str(), change.kind), ("new\n", PatchKind::Add));
    // Results of old builds have the diff alone.
    let (change, _) =
        edit(json!({ "path": "a.ts" }), json!({ "success": { "diff_string": "-a\n+b" } }));
    assert_eq!(change.diff, "-a\n+b");
    let (change, status) = edit(
        json!({ "path": "a.ts", "stream_content": "x" }),
        json!({ "rejected": { "reason": "No" } }),
    );
    assert_eq!((change.diff.as_str(), status), ("x", ItemStatus::Declined));
    let (_, status) =
        edit(json!({ "path": "a.ts" }), json!({ "file_not_found": { "path": "a.ts" } }));
    assert_eq!(status, ItemStatus::Failed);
    let (_, status) =
        edit(json!({ "path": "a.ts" }), json!({ "write_permission_denied": { "path": "a.ts" } }));
    assert_eq!(status, ItemStatus::Declined);
    let deleted = item_of(&call(
        "delete",
        "t1",
        json!({ "path": "a.ts" }),
        json!({ "success": { "prev_content": "old" } }),
    ));
    let ItemKind::FileChange { changes, .. } = deleted else { panic!() };
    assert_eq!((changes[0].kind.clone(), changes[0].diff.as_str()), (PatchKind::Delete, "old"));
}

#[test]
fn mcp_tools() {
    let mcp = |result: Value| {
        let args = json!({ "name": "linear-list", "provider_identifier": "linear", "tool_name": "list", "args": { "q": 1, "deep": [true, null] } });
        serde_json::to_value(item_of(&call("mcp", "t1", args, result))).unwrap()
    };
    let item = mcp(
        json!({ "success": { "content": [{ "text": { "text": "A" } }, { "image": { "data": "89504e47", "mime_type": "image/png" } }] } }),
    );
    assert_eq!(item["server"], "linear");
    assert_eq!(item["tool"], "list");
    assert_eq!(item["arguments"], json!({ "q": 1, "deep": [true, null] }));
    assert_eq!(
        item["result"]["content"][1],
        json!({ "type": "image", "data": "iVBORw==", "mimeType": "image/png" })
    );
    assert_eq!(item["status"], "completed");
    // The tool ran and said that it failed.
    let item =
        mcp(json!({ "success": { "content": [{ "text": { "text": "500" } }], "is_error": true } }));
    assert_eq!((&item["status"], &item["error"]["message"]), (&json!("failed"), &json!("500")));
    let item = mcp(json!({ "rejected": { "reason": "No" } }));
    assert_eq!((&item["status"], &item["error"]["message"]), (&json!("declined"), &json!("No")));
}

#[test]
fn the_web_plans_and_other_tools() {
    let search = item_of(&call(
        "web_search",
        "t1",
        json!({ "search_term": "rust" }),
        json!({ "success": { "references": [{ "title": "T", "url": "https://example.org" }] } }),
    ));
    let search = serde_json::to_value(search).unwrap();
    assert_eq!((&search["type"], &search["query"]), (&json!("webSearch"), &json!("rust")));
    assert_eq!(search["results"][0]["url"], "https://example.org");
    let fetch = item_of(&call(
        "web_fetch",
        "t1",
        json!({ "url": "https://example.org" }),
        json!({ "success": { "markdown": "# T" } }),
    ));
    let fetch = serde_json::to_value(fetch).unwrap();
    assert_eq!((&fetch["action"]["type"], &fetch["text"]), (&json!("openPage"), &json!("# T")));
    let thread = thread(&of_steps(&[call(
        "create_plan",
        "t1",
        json!({ "plan": "1. Look" }),
        json!({ "success": {} }),
    )]));
    assert_eq!(shown(&thread)[2..], ["dynamicToolCall create_plan completed", "plan 1. Look"]);
    let lints = item_of(&call(
        "read_lints",
        "t1",
        json!({ "paths": ["a.ts"] }),
        json!({ "success": { "total_files": 1 } }),
    ));
    let lints = serde_json::to_value(lints).unwrap();
    assert_eq!(lints["arguments"], json!({ "paths": ["a.ts"] }));
    assert_eq!(lints["contentItems"][0]["text"], r#"{"total_files":1}"#);
}

#[test]
fn text_that_was_read_may_stand_in_a_blob() {
    let mut chat = Chat::default();
    let content = chat.bytes(b"{\"role\":\"user\",\"content\":\"only a file\"}");
    let turn = chat.turn(
        &json!({ "text": "Go", "message_id": "m1" }),
        &[call(
            "read",
            "t1",
            json!({ "path": "a.json" }),
            json!({ "success": { "content_blob_id": content } }),
        )],
    );
    let thread = thread(&rooted(chat, &json!({ "turns": [turn] })));
    let item = serde_json::to_value(&thread.turns[0].items[1].kind).unwrap();
    assert_eq!(item["contentItems"][0]["text"], r#"{"role":"user","content":"only a file"}"#);
}

#[test]
fn a_tool_of_a_newer_build_is_kept_with_its_number() {
    let mut chat = Chat::default();
    let step = json!({ "tool_call": { "95": { "1": { "1": "future" }, "2": { "1": { "1": "done" } } }, "tool_call_id": "t1" } });
    let turn = chat.turn(&json!({ "text": "Go", "message_id": "m1" }), &[step]);
    let made = rooted(chat.clone(), &json!({ "turns": [turn] }));
    let read = thread(&made);
    assert_eq!(codes(&read), [Code::UnknownBlockType]);
    let item = serde_json::to_value(&read.turns[0].items[1].kind).unwrap();
    assert_eq!((&item["tool"], &item["arguments"]), (&json!("tool_95"), &json!({ "1": "future" })));
    assert_eq!(item["status"], "completed");
    // The model's side knows its name.
    let answer = chat.prompt(&json!({ "role": "assistant", "id": "1", "content": [{ "type": "tool-call", "toolCallId": "t1", "toolName": "Frobnicate", "args": {} }] }));
    let read =
        thread(&rooted(chat, &json!({ "turns": [turn], "root_prompt_messages_json": [answer] })));
    let item = serde_json::to_value(&read.turns[0].items[1].kind).unwrap();
    assert_eq!((&item["tool"], &item["namespace"]), (&json!("Frobnicate"), &json!("field 95")));
}

#[test]
fn a_stand_in_is_shown_as_the_step_that_it_stands_for() {
    let mut chat = Chat::default();
    let whole = chat.put(
        "ConversationStep",
        &call("read", "t1", json!({ "path": "huge" }), json!({ "success": { "content": "HHH" } })),
    );
    let step = json!({ "tool_call": { "truncated": { "original_step_blob_id": whole, "args": {} }, "tool_call_id": "t1" } });
    let turn = chat.turn(&json!({ "text": "Go", "message_id": "m1" }), &[step]);
    let thread = thread(&rooted(chat, &json!({ "turns": [turn] })));
    assert_eq!(shown(&thread)[2], "dynamicToolCall read completed");
    let item = serde_json::to_value(&thread.turns[0].items[1].kind).unwrap();
    assert_eq!(item["contentItems"][0]["text"], "HHH");
    assert!(
        thread.turns[0].items[1]
            .also_at
            .iter()
            .any(|at| matches!(at, crate::model::At::Blob { blob, .. } if *blob == whole))
    );
}

#[test]
fn pending_calls_are_ids_or_whole_messages() {
    let mut chat = Chat::default();
    let turn = chat.turn(
        &json!({ "text": "Go", "message_id": "m1" }),
        &[json!({ "assistant_message": { "text": "Running." } })],
    );
    let message = json!({ "role": "assistant", "id": "2", "content": [{ "type": "tool-call", "toolCallId": "t1", "toolName": "Shell", "args": { "command": "make" } }] });
    let chat = rooted(
        chat,
        &json!({ "turns": [turn], "pending_tool_calls": [message.to_string(), "t2"] }),
    );
    let thread = thread(&chat);
    assert_eq!(
        shown(&thread)[2..],
        [
            "agentMessage Running.",
            "commandExecution make inProgress",
            "dynamicToolCall  inProgress"
        ]
    );
    assert_eq!(
        thread.turns[0].items.iter().map(|i| i.id.as_str()).skip(2).collect::<Vec<_>>(),
        ["t1", "t2"]
    );
    assert_eq!(thread.turns[0].status, TurnStatus::InProgress);
    assert_eq!(view(&chat).messages.len(), 0, "a pending answer was not sent yet");
}

#[test]
fn roots_of_old_builds_have_their_turns_in_another_field() {
    let mut chat = Chat::default();
    let turn = chat.turn(&json!({ "text": "Old", "message_id": "m1" }), &[]);
    let made = rooted(chat.clone(), &json!({ "turns_old": [turn] }));
    assert_eq!(shown(&thread(&made)), ["# Completed", "userMessage Old"]);
    // Inside of the root instead of in blobs.
    let made = rooted(chat.clone(), &json!({ "turns_old": [hex_turn()] }));
    assert_eq!(shown(&thread(&made)), ["# Completed", "userMessage Older"]);
    let new = chat.turn(&json!({ "text": "New", "message_id": "m2" }), &[]);
    let made = rooted(chat, &json!({ "turns_old": [turn], "turns": [new] }));
    assert_eq!(shown(&thread(&made)), ["# Completed", "userMessage New"], "today's field counts");
}

/// A turn with its prompt inside, in hexadecimal.
fn hex_turn() -> String {
    let user = builder::encoded("UserMessage", &json!({ "text": "Older", "message_id": "m0" }));
    let hex = |bytes: &[u8]| recount_formats::cursor_agent::message::hex(bytes);
    let turn = json!({ "agent_conversation_turn": { "user_message": hex(&user) } });
    hex(&builder::encoded("ConversationTurnStructure", &turn))
}

#[test]
fn a_store_without_turns_shows_what_the_model_was_sent() {
    let mut chat = Chat::default();
    let messages = [
        json!({ "role": "system", "content": "You help." }),
        json!({ "role": "user", "content": "<user_info>\nlinux\n</user_info>" }),
        json!({ "role": "user", "content": [{ "type": "text", "text": "<user_query>\nList\n</user_query>" }], "providerOptions": { "cursor": { "requestId": "r1" } } }),
        json!({ "role": "assistant", "id": "1", "content": [{ "type": "redacted-reasoning", "data": "x" }, { "type": "text", "text": "Looking." }, { "type": "tool-call", "toolCallId": "t1", "toolName": "Shell", "args": { "command": "ls" } }] }),
        json!({ "role": "tool", "id": "t1", "content": [{ "type": "tool-result", "toolCallId": "t1", "toolName": "Shell", "result": "a.txt" }] }),
    ];
    let ids: Vec<String> = messages.iter().map(|m| chat.prompt(m)).collect();
    let thread = thread(&rooted(chat, &json!({ "root_prompt_messages_json": ids })));
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "userMessage List",
            "reasoning -",
            "agentMessage Looking.",
            "commandExecution ls completed"
        ]
    );
    assert_eq!(thread.turns[0].id, "r1");
}

#[test]
fn an_earlier_state_is_chosen_by_its_root() {
    let mut chat = Chat::default();
    let first = chat.turn(&json!({ "text": "First", "message_id": "m1" }), &[]);
    let second = chat.turn(&json!({ "text": "Second", "message_id": "m2" }), &[]);
    let before = chat.root(&json!({ "turns": [first] }));
    let undone = chat.root(&json!({ "turns": [first, second] }));
    let chat = chat.with_root(ID, &before);
    assert_eq!(shown(&thread(&chat)).len(), 2, "what a rewind took out is not shown");
    let read = |leaf: &str| {
        with(&chat, &Facts::default(), |input| super::super::thread(input, Some(leaf)))
    };
    assert_eq!(shown(&read(&undone)).len(), 4);
    assert_eq!(codes(&read("nothing")), [Code::UnknownBranch]);
}

#[test]
fn how_full_the_context_is_is_told_and_usage_is_not_made_up() {
    let chat = rooted(
        Chat::default(),
        &json!({ "token_details": { "used_tokens": 8200, "max_tokens": 200_000 } }),
    );
    let thread = thread(&chat);
    let context = thread.context.unwrap();
    assert_eq!((context.used_tokens, context.max_tokens), (8200, Some(200_000)));
    assert_eq!(thread.usage, crate::model::Usage::default());
    assert_eq!(thread.status, ThreadStatus::Empty);
}

#[test]
fn settings_and_sidecar() {
    let mut chat = rooted(
        Chat::default(),
        &json!({ "previous_workspace_uris": ["file:///home/dev/other"], "active_branch_name": "main" }),
    );
    chat.settings["name"] = "Fix the cart".into();
    let read = thread(&chat);
    assert_eq!(read.id, ID);
    assert_eq!(read.title.as_deref(), Some("Fix the cart"));
    assert_eq!(read.cwd.as_deref(), Some("/home/dev/other"));
    assert_eq!(read.git_branch.as_deref(), Some("main"));
    assert_eq!(read.created_at.as_deref(), Some("2026-01-02T00:00:00.000Z"));
    chat.settings["name"] = "New Agent".into();
    chat.sidecar = Some(
        json!({ "schemaVersion": 1, "title": "From the list", "cwd": "/home/dev/shop", "updatedAtMs": 1_767_312_300_000_i64 }),
    );
    let read = thread(&chat);
    assert_eq!(read.title.as_deref(), Some("From the list"));
    assert_eq!(read.cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(read.updated_at.as_deref(), Some("2026-01-02T00:05:00.000Z"));
}
