//! `thread/list`: filters, order, cursors.

use std::fs;
use std::path::Path;

use recount_formats::Harness;
use serde_json::{Value, json};

use crate::support::Home;

const CODEX: Harness = Harness::Codex;

/// Writes a rollout with one prompt. `n` makes its id and its time; `meta` are further fields of its header.
fn rollout(root: &Path, folder: &str, n: u32, meta: &str, prompt: Option<&str>) -> String {
    let id = format!("01a2b000-0000-7000-8000-{n:012}");
    let time = format!("2026-01-02T03:{:02}:{:02}.000Z", n / 60, n % 60);
    let folder = root.join(folder);
    fs::create_dir_all(&folder).unwrap();
    let mut text = format!(
        r#"{{"timestamp":"{time}","type":"session_meta","payload":{{"id":"{id}","timestamp":"{time}","cwd":"/home/dev/shop","cli_version":"0.164.0","originator":"tests"{meta}}}}}"#
    );
    text.push('\n');
    if let Some(prompt) = prompt {
        let prompt = format!(
            r#"{{"timestamp":"{time}","type":"event_msg","payload":{{"type":"user_message","message":"{prompt}"}}}}"#
        );
        text.push_str(&prompt);
        text.push('\n');
    }
    fs::write(folder.join(format!("rollout-2026-01-02T03-00-00-{id}.jsonl")), text).unwrap();
    id
}

const DAY: &str = "sessions/2026/01/02";

fn many(n: u32) -> (Home, Vec<String>) {
    let mut home = Home::new();
    let root = home.empty(CODEX);
    let ids = (0..n)
        .map(|n| rollout(&root, DAY, n, r#","source":"cli""#, Some(&format!("Prompt {n}"))))
        .collect();
    (home, ids)
}

fn ids(page: &Value) -> Vec<String> {
    let data = page["data"].as_array().unwrap();
    data.iter().map(|thread| thread["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pages_follow_each_other_in_both_directions() {
    let (home, all) = many(7);
    for (direction, mut want) in
        [("asc", all.clone()), ("desc", all.iter().rev().cloned().collect())]
    {
        let mut cursor = Value::Null;
        let mut turns = 0;
        while turns < 10 {
            turns += 1;
            let page = home.one(
                "thread/list",
                json!({"limit": 3, "sortDirection": direction, "cursor": cursor}),
            );
            let got = ids(&page);
            assert_eq!(got, want[..got.len()]);
            want.drain(..got.len());
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(want.is_empty());
        assert_eq!(turns, 3);
    }
}

#[test]
fn the_way_back_begins_with_the_first_of_the_page() {
    let (home, all) = many(6);
    let first = home.one("thread/list", json!({"limit": 2}));
    let second = home.one("thread/list", json!({"limit": 2, "cursor": first["nextCursor"]}));
    assert_eq!(ids(&second), [all[3].clone(), all[2].clone()]);
    let back = home.one(
        "thread/list",
        json!({"limit": 10, "sortDirection": "asc", "cursor": second["backwardsCursor"]}),
    );
    assert_eq!(ids(&back), all[3..]);
    let empty = home.one("thread/list", json!({"searchTerm": "no such text"}));
    assert_eq!((&empty["data"], &empty["backwardsCursor"]), (&json!([]), &Value::Null));
}

#[test]
fn threads_of_the_same_moment_are_neither_lost_nor_doubled() {
    let mut home = Home::new();
    let root = home.empty(CODEX);
    let mut all: Vec<String> = (0..5)
        .map(|n| {
            let id = rollout(&root, DAY, n, "", Some("At once"));
            let path = root.join(DAY).join(format!("rollout-2026-01-02T03-00-00-{id}.jsonl"));
            let text = fs::read_to_string(&path).unwrap();
            let time = text[14..38].to_owned();
            fs::write(&path, text.replace(&time, "2026-01-02T03:04:05.678Z")).unwrap();
            id
        })
        .collect();
    let mut found = Vec::new();
    let mut cursor = Value::Null;
    for _ in 0..3 {
        let page = home.one("thread/list", json!({"limit": 2, "cursor": cursor}));
        found.extend(ids(&page));
        cursor = page["nextCursor"].clone();
    }
    all.reverse();
    assert_eq!(found, all);
    assert_eq!(cursor, Value::Null);
}

#[test]
fn lists_are_sorted_as_they_are_asked_for() {
    let mut home = Home::new();
    let root = home.empty(CODEX);
    let [first, second, third] =
        [1, 2, 3].map(|n| rollout(&root, DAY, n, r#","source":"cli""#, Some("Prompt")));
    // The first one goes on when the others are over.
    let path = root.join(DAY).join(format!("rollout-2026-01-02T03-00-00-{first}.jsonl"));
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(r#"{"timestamp":"2026-01-02T04:00:00.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Done"}}"#);
    text.push('\n');
    fs::write(&path, text).unwrap();
    let sorted = |params: Value| ids(&home.one("thread/list", params));
    let by_creation = [third.as_str(), &second, &first];
    let by_change = [first.as_str(), &third, &second];
    assert_eq!(sorted(json!({})), by_creation);
    assert_eq!(sorted(json!({"sortKey": "created_at"})), by_creation);
    for key in ["updated_at", "recency_at"] {
        assert_eq!(sorted(json!({"sortKey": key})), by_change, "{key}");
        let ascending = sorted(json!({"sortKey": key, "sortDirection": "asc"}));
        assert_eq!(ascending, [second.as_str(), &third, &first], "{key}");
    }
}

#[test]
fn sources_tell_what_a_person_began() {
    let mut home = Home::new();
    let root = home.empty(CODEX);
    let cli = rollout(&root, DAY, 1, r#","source":"cli""#, Some("one"));
    let editor = rollout(&root, DAY, 2, r#","source":"vscode""#, Some("two"));
    let exec = rollout(&root, DAY, 3, r#","source":"exec""#, Some("three"));
    let mcp = rollout(&root, DAY, 4, r#","source":"mcp""#, Some("four"));
    let child = rollout(
        &root,
        DAY,
        5,
        &format!(
            r#","parent_thread_id":"{cli}","source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"{cli}","depth":1,"agent_nickname":"Ohm"}}}}}}"#
        ),
        Some("five"),
    );
    let grandchild = rollout(
        &root,
        DAY,
        6,
        &format!(r#","parent_thread_id":"{child}","source":{{"subagent":"review"}}"#),
        Some("six"),
    );
    let silent = rollout(&root, DAY, 7, r#","source":"cli""#, None);
    let of = |params: Value| ids(&home.one("thread/list", params));
    let kinds = |kinds: Value| of(json!({"sourceKinds": kinds}));
    assert_eq!(of(json!({})), [editor.clone(), cli.clone()]);
    assert_eq!(kinds(json!([])), [editor.clone(), cli.clone()]);
    assert_eq!(kinds(json!(["exec"])), [exec]);
    assert_eq!(kinds(json!(["appServer"])), [mcp]);
    assert_eq!(kinds(json!(["subAgent"])), [grandchild.clone(), child.clone()]);
    assert_eq!(kinds(json!(["subAgentReview"])), [grandchild.as_str()]);
    assert_eq!(kinds(json!(["subAgentThreadSpawn"])), [child.as_str()]);
    assert_eq!(of(json!({"parentThreadId": cli})), [child.as_str()]);
    assert_eq!(of(json!({"ancestorThreadId": cli})), [grandchild, child.clone()]);
    assert_eq!(of(json!({"excludedThreadIds": [editor]})), [cli.as_str()]);
    let thread = &home.one("thread/read", json!({"threadId": child}))["thread"];
    assert_eq!(thread["source"]["subAgent"]["thread_spawn"]["agent_nickname"], "Ohm");
    assert_eq!((&thread["agentNickname"], &thread["parentThreadId"]), (&json!("Ohm"), &json!(cli)));
    // Nobody has said anything in it: no list shows it, but who knows it can read it.
    home.one("thread/read", json!({"threadId": silent}));
    let (code, _) =
        home.refused("thread/list", json!({"parentThreadId": "a", "ancestorThreadId": "b"}));
    assert_eq!(code, -32602);
    let many: Vec<String> = (0..101).map(|n| n.to_string()).collect();
    assert_eq!(home.refused("thread/list", json!({"excludedThreadIds": many})).0, -32602);
    assert_eq!(home.refused("thread/list", json!({"sortKey": "section_position"})).0, -32602);
}

#[test]
fn filters_limit_lists() {
    let mut home = Home::new();
    let root = home.empty(CODEX);
    let azure = rollout(&root, DAY, 1, r#","model_provider":"azure""#, Some("Fix the CART"));
    let plain = rollout(&root, DAY, 2, "", Some("Write notes"));
    let archived = rollout(&root, "archived_sessions", 3, "", Some("Old"));
    let of = |params: Value| ids(&home.one("thread/list", params));
    assert_eq!(of(json!({"modelProviders": ["azure"]})), [azure.as_str()]);
    assert_eq!(of(json!({"modelProviders": []})), [plain.clone(), azure.clone()]);
    assert_eq!(of(json!({"archived": true})), [archived]);
    assert_eq!(of(json!({"archived": false})), [plain.clone(), azure.clone()]);
    assert_eq!(of(json!({"searchTerm": "cart"})), [azure.as_str()]);
    assert_eq!(of(json!({"cwd": "/home/dev/shop"})).len(), 2);
    assert_eq!(of(json!({"cwd": ["/home/dev", "/home/dev/shop"]})).len(), 2);
    assert_eq!(of(json!({"cwd": ["/home/dev"]})), [""; 0]);
    assert_eq!(of(json!({"projectId": "p"})), [""; 0]);
    assert_eq!(of(json!({"projectId": null})).len(), 2);
    assert_eq!(of(json!({"originators": ["others"]})), [""; 0]);
    // Nothing in a rollout tells the provider: Codex takes the one that is configured.
    let provider = |id: &str| {
        home.one("thread/read", json!({"threadId": id}))["thread"]["modelProvider"].clone()
    };
    assert_eq!(provider(&plain), "openai");
    fs::write(root.join("config.toml"), "model_provider = \"local\"\n[x]\nmodel_provider = 1\n")
        .unwrap();
    assert_eq!((provider(&plain), provider(&azure)), (json!("local"), json!("azure")));
}

#[test]
fn threads_of_all_harnesses_stand_in_one_list() {
    let home = Home::samples();
    let page = home.one("thread/list", json!({"limit": 100}));
    let threads = page["data"].as_array().unwrap();
    for harness in Harness::ALL {
        let id = harness.id();
        let own: Vec<_> = threads.iter().filter(|thread| thread["harness"] == id).collect();
        assert!(!own.is_empty(), "{id}");
        let only = home.one("thread/list", json!({"limit": 100, "harnesses": [id]}));
        assert_eq!(only["data"].as_array().unwrap().len(), own.len());
        for thread in own {
            assert!(!thread["modelProvider"].as_str().unwrap().is_empty());
            let source = &thread["source"];
            assert!(*source == json!({"custom": id}) || source.is_string(), "{source}");
            assert!(thread["preview"].as_str().is_some_and(|preview| !preview.is_empty()));
        }
    }
    assert_eq!(home.refused("thread/list", json!({"harnesses": ["emacs"]})).0, -32602);
}
