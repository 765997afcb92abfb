//! Facts of the protocol that hold without its schemas: spelling, and what is always there.

use serde_json::{Value, json};

use crate::support::Home;

/// Calls `visit` for each object, with the name that leads to it.
fn objects(
    value: &Value,
    name: &str,
    visit: &mut impl FnMut(&str, &serde_json::Map<String, Value>),
) {
    match value {
        Value::Object(map) => {
            visit(name, map);
            for (key, value) in map {
                objects(value, key, visit);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| objects(value, name, visit)),
        _ => {}
    }
}

/// Names that the protocol takes over from elsewhere, as they are spelled there.
const FOREIGN: &[&str] = &[
    "text_elements",
    "thread_spawn",
    "parent_thread_id",
    "agent_path",
    "agent_nickname",
    "agent_role",
    "move_path",
    "memory_consolidation",
    "image_url",
    "file_id",
];

#[test]
fn names_are_spelled_as_the_protocol_spells_them() {
    let home = Home::samples();
    let mut seen = std::collections::BTreeSet::new();
    for (_, answer) in crate::support::everything(&home) {
        objects(&answer, "", &mut |name, map| {
            // What tools were called with and what they answered is theirs.
            if matches!(
                name,
                "arguments" | "result" | "structuredContent" | "results" | "agentsStates"
            ) {
                return;
            }
            for key in map.keys() {
                seen.insert(key.clone());
            }
        });
    }
    for key in &seen {
        let camel = !key.contains('_') && key.starts_with(|c: char| c.is_ascii_lowercase());
        let id = key.contains('-') || key.starts_with(|c: char| c.is_ascii_digit());
        let argument = !camel && !id && !FOREIGN.contains(&key.as_str());
        assert!(!argument || is_argument(key), "{key}");
    }
    for key in ["text_elements", "itemsView", "aggregatedOutput", "modelProvider", "rootTurnId"] {
        assert!(seen.contains(key), "{key}");
    }
}

/// Arguments of tools in the samples.
fn is_argument(key: &str) -> bool {
    matches!(key, "file_path" | "old_string" | "new_string" | "subagent_type" | "run_in_background")
}

#[test]
fn what_is_always_there_is_there() {
    let home = Home::samples();
    let mut turns = 0;
    let mut items = 0;
    for session in home.stores.list().0 {
        let answer = home.one("thread/read", json!({"threadId": session.id, "includeTurns": true}));
        let thread = &answer["thread"];
        for key in [
            "id",
            "sessionId",
            "preview",
            "ephemeral",
            "modelProvider",
            "createdAt",
            "updatedAt",
            "status",
            "cwd",
            "cliVersion",
            "source",
            "turns",
            "projectId",
            "name",
            "gitInfo",
        ] {
            assert!(thread.get(key).is_some(), "{key} of {}", session.id);
        }
        assert!(thread["cwd"].as_str().unwrap().starts_with('/'));
        for turn in thread["turns"].as_array().unwrap() {
            turns += 1;
            // Typed clients tell a failed turn by this field.
            assert!(turn.as_object().unwrap().contains_key("error"));
            assert_eq!(turn["itemsView"], "full");
            let status = turn["status"].as_str().unwrap();
            assert!(matches!(status, "completed" | "interrupted" | "failed"), "{status}");
            for item in turn["items"].as_array().unwrap() {
                items += 1;
                assert!(item["id"].is_string() && item["type"].is_string());
                assert_ne!(item["type"], "notice");
                assert!(item.get("recovered").is_none() && item.get("at").is_none());
                match item["type"].as_str().unwrap() {
                    "agentMessage" => {
                        let phase = &item["phase"];
                        assert!(
                            phase.is_null()
                                || *phase == "commentary"
                                || *phase == "final_answer"
                                || *phase == "partial_answer",
                            "{phase}"
                        );
                    }
                    "userMessage" => {
                        for part in item["content"].as_array().unwrap() {
                            assert!(part["type"] != "text" || part["text_elements"].is_array());
                        }
                    }
                    "commandExecution" => assert!(item["cwd"].is_string()),
                    _ => {}
                }
            }
        }
    }
    assert!(turns > 20 && items > 60, "{turns} turns, {items} items");
}
