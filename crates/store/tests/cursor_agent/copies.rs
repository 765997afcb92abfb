//! Readable copies: for chats whose store is gone.

use super::*;

fn line(text: &str) -> String {
    let text = format!("<user_query>\n{text}\n</user_query>");
    format!(
        "{}\n",
        json!({ "role": "user", "message": { "content": [{ "type": "text", "text": text }] } })
    )
}

const TRANSCRIPTS: &str = "projects/home-dev-shop/agent-transcripts";

#[test]
fn a_copy_counts_when_the_store_is_gone() {
    let home = Home::new();
    home.add("stored", &chat("stored", &["From the store"]));
    home.file(&format!("{TRANSCRIPTS}/stored/stored.jsonl"), &line("From the copy"));
    home.file(&format!("{TRANSCRIPTS}/gone/gone.jsonl"), &line("From the copy"));
    home.file(&format!("{TRANSCRIPTS}/gone/subagents/helper.jsonl"), &line("Help"));
    home.file(&format!("{TRANSCRIPTS}/flat.jsonl"), &line("Flat"));
    home.file(&format!("{TRANSCRIPTS}/text.txt"), "user:\nPlain text\n");
    // The layout of today wins over that of earlier builds, and lines over text.
    home.file(&format!("{TRANSCRIPTS}/gone.jsonl"), &line("Outdated"));
    home.file(&format!("{TRANSCRIPTS}/flat.txt"), "user:\nOutdated\n");

    let list = home.list();
    let shown: Vec<_> =
        list.iter().map(|s| (s.id.as_str(), s.title.as_deref().unwrap_or("-"))).collect();
    assert_eq!(
        shown,
        [
            ("flat", "Flat"),
            ("gone", "From the copy"),
            ("helper", "Help"),
            ("stored", "Chat stored"),
            ("text", "Plain text"),
        ]
    );
    assert_eq!(prompts(&home.thread("stored")), ["From the store"]);
    let gone = home.thread("gone");
    assert_eq!(prompts(&gone), ["From the copy"]);
    assert_eq!(gone.lineage.subagents[0].id, "helper");
    assert_eq!(home.thread("helper").lineage.parent_id.as_deref(), Some("gone"));
    assert_eq!(prompts(&home.thread("text")), ["Plain text"]);
    assert!(home.find("helper").is_subagent);
    // The flat layout has all copies in one folder: none is a sub-agent of another.
    assert_eq!(home.thread("flat").lineage.subagents, []);
    let path = home.root().join(format!("{TRANSCRIPTS}/gone/subagents/helper.jsonl"));
    let head = CursorAgent.at_path(&path).unwrap();
    assert_eq!(
        (head.id.as_str(), head.parent_id.as_deref(), head.root.as_path()),
        ("helper", Some("gone"), home.root())
    );
}

#[test]
fn copies_in_another_root_than_the_stores_are_not_listed_twice() {
    let (config, data) = (Home::new(), Home::new());
    config.add("c1", &chat("c1", &["One"]));
    data.file(&format!("{TRANSCRIPTS}/c1/c1.jsonl"), &line("One"));
    data.file(&format!("{TRANSCRIPTS}/c2/c2.jsonl"), &line("Two"));
    let mut stores = config.stores();
    stores.stores.extend(data.stores().stores);
    let mut ids: Vec<_> = stores.list().0.into_iter().map(|s| s.id).collect();
    ids.sort();
    assert_eq!(ids, ["c1", "c2"]);
    assert!(stores.find("c1").is_ok_and(|head| head.path.ends_with("store.db")));
}

#[test]
fn the_copy_tells_how_a_chat_ended() {
    let home = Home::new();
    home.add("c1", &chat("c1", &["One"]));
    let end = json!({ "type": "turn_ended", "status": "error", "error": "Connection lost" });
    home.file(&format!("{TRANSCRIPTS}/c1/c1.jsonl"), &format!("{}{end}\n", line("One")));
    let thread = home.thread("c1");
    assert_eq!(thread.turns[0].error.as_ref().map(|e| e.message.as_str()), Some("Connection lost"));
}

#[test]
fn terminals_of_the_project_belong_to_the_chat() {
    let home = Home::new();
    let mut made = chat("c1", &[]);
    let output = json!({ "output_location": { "file_path": "/home/dev/.cursor/projects/home-dev-shop/terminals/7.txt" } });
    let step = json!({ "tool_call": { "tool_call_id": "t1", "shell": {
        "args": { "command": "npm run dev" }, "result": { "success": output, "is_background": true } } } });
    let turn = made.turn(&json!({ "text": "Start", "message_id": "m1" }), &[step]);
    let root = made.root(&json!({ "turns": [turn] }));
    made.settings["latestRootBlobId"] = root.into();
    home.add("c1", &made);
    home.file("projects/home-dev-shop/terminals/7.txt", "ready\n");
    let thread = home.thread("c1");
    let item = serde_json::to_value(&thread.turns[0].items[1].kind).unwrap();
    assert_eq!(item["aggregatedOutput"], "ready\n");
}
