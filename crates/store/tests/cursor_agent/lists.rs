//! Lists, ids, forks, sub-agents.

use recount_store::{Environment, FindError};

use super::*;

#[test]
fn chats_and_sessions_of_editors_are_listed() {
    let home = Home::new();
    home.add("c1", &chat("c1", &["One", "Two"]));
    let mut editor = chat("e1", &["In the editor"]);
    editor.sidecar =
        Some(json!({ "schemaVersion": 1, "cwd": "/home/dev/shop", "title": "From the editor" }));
    editor.settings["name"] = "New Agent".into();
    write(&home.root().join("acp-sessions/e1"), &editor);
    // What is no chat.
    fs::create_dir_all(home.chat_folder("empty")).unwrap();
    home.file("chats/notes/readme.txt", "x");
    home.file("prompt_history.json", "[]");
    home.file("projects/home-dev-shop/worker.log", "x");

    let list = home.list();
    assert_eq!(list.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), ["c1", "e1"]);
    let first = &list[0];
    assert_eq!(first.title.as_deref(), Some("Chat c1"));
    assert_eq!(first.cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(first.model.as_deref(), Some("example-model"));
    assert_eq!(first.turns, Some(2));
    assert_eq!(first.created_at.as_deref(), Some("2026-01-02T00:00:00.000Z"));
    assert_eq!(first.updated_at.as_deref(), Some("2026-01-02T00:05:00.000Z"));
    assert_eq!(list[1].title.as_deref(), Some("From the editor"));
    assert_eq!(prompts(&home.thread("e1")), ["In the editor"]);
    assert_eq!(home.thread("e1").findings, []);
}

#[test]
fn a_chat_is_found_by_the_beginning_of_its_id_and_by_its_path() {
    let home = Home::new();
    let folder = home.add("abc-1", &chat("abc-1", &["One"]));
    home.add("abd-2", &chat("abd-2", &["Two"]));
    assert_eq!(home.find("abc").id, "abc-1");
    assert!(matches!(home.stores().find("ab"), Err(FindError::Ambiguous(both)) if both.len() == 2));
    assert!(matches!(home.stores().find("x"), Err(FindError::NotFound { .. })));
    let head = CursorAgent.at_path(&folder.join("store.db")).unwrap();
    assert_eq!((head.id.as_str(), head.root.as_path()), ("abc-1", home.root()));
    assert_eq!(prompts(&CursorAgent.open(&head).unwrap().thread(None)), ["One"]);
}

#[test]
fn a_fork_is_known_by_its_first_prompt() {
    let home = Home::new();
    let source = chat("a-source", &["One", "Two"]);
    home.add("a-source", &source);
    let mut fork = source.clone();
    fork.settings["agentId"] = "b-fork".into();
    fork.settings["name"] = "Chat a-source (forked)".into();
    fork.settings["createdAt"] = 1_767_312_100_000_i64.into();
    home.add("b-fork", &fork);
    // A fork of the fork that was given another name.
    let mut again = fork.clone();
    again.settings["agentId"] = "c-again".into();
    again.settings["name"] = "Another way".into();
    again.settings["createdAt"] = 1_767_312_200_000_i64.into();
    home.add("c-again", &again);
    // The same words, typed anew, are no fork.
    let other = chat("d-other", &["One", "Two"]);
    home.add("d-other", &other);

    let list = home.list();
    let sources: Vec<_> = list.iter().map(|s| s.forked_from_id.as_deref()).collect();
    assert_eq!(sources, [None, Some("a-source"), Some("b-fork"), None]);
    assert_eq!(home.find("b-fork").forked_from_id.as_deref(), Some("a-source"), "found as listed");
    assert_eq!(home.thread("c-again").lineage.forked_from_id.as_deref(), Some("b-fork"));
    assert_eq!(home.thread("a-source").lineage.forked_from_id, None);
}

#[test]
fn sub_agents_inside_and_in_stores_of_their_own() {
    let home = Home::new();
    let mut parent = chat("parent", &[]);
    let user = json!({ "text": "Go", "message_id": "m1" });
    let inner = parent.turn(&json!({ "text": "Look", "message_id": "m2" }), &[]);
    let steps = json!([{ "assistant_message": { "text": "Found." } }]);
    let bare = json!({ "tool_call": { "tool_call_id": "t3", "task": {
        "args": { "prompt": "Bare", "description": "Bare" }, "result": { "success": { "agent_id": "bare-steps", "conversation_steps": steps } } } } });
    let turn = parent.turn(&user, &[bare]);
    let root = parent.root(&json!({ "turns": [turn], "subagent_states": { "inside": { "conversation_state": { "turns": [inner] } } } }));
    parent.settings["latestRootBlobId"] = root.into();
    home.add("parent", &parent);
    let mut own = chat("own", &["Look elsewhere"]);
    own.settings["subagentInfo"] =
        json!({ "parentAgentId": "parent", "toolCallId": "t2", "typeName": "explore" });
    own.sidecar = Some(json!({ "schemaVersion": 1, "isSubagent": true, "hasConversation": true }));
    home.add("own", &own);

    let list = home.list();
    let shown: Vec<_> =
        list.iter().map(|s| (s.id.as_str(), s.is_subagent, s.parent_id.as_deref())).collect();
    assert_eq!(
        shown,
        [("inside", true, Some("parent")), ("own", true, Some("parent")), ("parent", false, None)]
    );
    let lineage = home.thread("parent").lineage.subagents;
    let agents: Vec<_> =
        lineage.iter().map(|a| (a.id.as_str(), a.tool_call_id.as_deref())).collect();
    assert_eq!(agents, [("bare-steps", Some("t3")), ("inside", None), ("own", Some("t2"))]);
    assert_eq!(prompts(&home.thread("inside")), ["Look"]);
    assert_eq!(home.thread("inside").lineage.parent_id.as_deref(), Some("parent"));
    assert_eq!(prompts(&home.thread("own")), ["Look elsewhere"]);
    assert_eq!(prompts(&home.thread("bare-s")), ["Bare"], "in no list, and found all the same");
}

#[test]
fn roots_follow_the_programs_variables() {
    let roots = |vars: &[(&str, &str)]| {
        let environment: Environment = vars.iter().map(|(k, v)| (*k, *v)).collect();
        let roots = CursorAgent.roots(&environment);
        roots.iter().map(|r| r.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(roots(&[("HOME", "/h")]), ["/h/.cursor"]);
    assert_eq!(roots(&[("HOME", "/h"), ("CURSOR_CONFIG_DIR", "/c")]), ["/c", "/h/.cursor"]);
    assert_eq!(
        roots(&[("HOME", "/h"), ("CURSOR_CONFIG_DIR", "/c"), ("CURSOR_DATA_DIR", "/d")]),
        ["/c", "/d"]
    );
    assert_eq!(roots(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]), ["/x/cursor", "/h/.cursor"]);
    assert_eq!(roots(&[]), Vec::<String>::new());
}
