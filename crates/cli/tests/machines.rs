//! The shapes of JSON, as DESIGN.md promises them.

use serde_json::Value;

use crate::environment::TestEnvironment;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[track_caller]
fn has_keys(value: &Value, wanted: &[&str]) {
    for key in wanted {
        assert!(value.get(key).is_some(), "`{key}` is missing, there are {:?}", keys(value));
    }
}

#[test]
fn ls() {
    let list = TestEnvironment::new().json("--sample ls --all --json");
    assert!(list.as_array().unwrap().len() >= 4);
    for session in list.as_array().unwrap() {
        has_keys(
            session,
            &[
                "id",
                "harness",
                "title",
                "cwd",
                "createdAt",
                "updatedAt",
                "model",
                "path",
                "turns",
                "humanPrompts",
                "parentId",
                "forkedFromId",
                "isSubagent",
                "archived",
                "findings",
            ],
        );
    }
    let times: Vec<&str> =
        list.as_array().unwrap().iter().map(|s| s["updatedAt"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "newest first: {times:?}");
    let full = TestEnvironment::new().json("--sample ls --full --json");
    for session in full.as_array().unwrap() {
        assert!(session["turns"].is_u64() && session["humanPrompts"].is_u64(), "{session}");
    }
}

#[test]
fn one_value_a_line() {
    let lines = TestEnvironment::new().print("--sample ls --jsonl");
    assert!(lines.lines().count() >= 4);
    for line in lines.lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap().is_object());
    }
}

#[test]
fn show() {
    for session in TestEnvironment::new().json("--sample ls --all --json").as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        let shown = TestEnvironment::new().json(&format!("--sample show {id} --json"));
        has_keys(&shown, &["thread", "turns", "branches", "usage", "findings"]);
        let thread = &shown["thread"];
        has_keys(
            thread,
            &[
                "id",
                "harness",
                "title",
                "cwd",
                "gitBranch",
                "model",
                "createdAt",
                "updatedAt",
                "preview",
                "status",
                "lineage",
            ],
        );
        assert_eq!(thread["id"], session["id"]);
        has_keys(&thread["lineage"], &["parentId", "forkedFromId", "subagents", "continuedIn"]);
        let turns = shown["turns"].as_array().unwrap();
        assert!(!turns.is_empty(), "{id}");
        for turn in turns {
            has_keys(
                turn,
                &["id", "status", "error", "startedAt", "completedAt", "durationMs", "items"],
            );
            for item in turn["items"].as_array().unwrap() {
                has_keys(item, &["type", "id", "at"]);
                let has = |key: &str| item["at"].get(key).is_some();
                let place: &[_] = if has("row") {
                    &["source", "row"]
                } else if has("blob") {
                    &["source", "blob"]
                } else {
                    &["source", "line", "byte"]
                };
                has_keys(&item["at"], place);
            }
        }
        // The samples are whole: nothing in them is unknown.
        assert_eq!(shown["findings"], Value::Array(vec![]), "{id}");
        has_keys(
            &shown["usage"],
            &[
                "responses",
                "inputTokens",
                "cachedInputTokens",
                "cacheWriteTokens",
                "outputTokens",
                "reasoningTokens",
                "totalTokens",
                "costUsd",
            ],
        );
        // A store of cursor-agent tells how full the context is, not what was used.
        if session["harness"] == "cursor-agent" {
            assert_eq!(shown["usage"]["responses"], 0, "{id}");
            if session["isSubagent"] == false {
                has_keys(&thread["contextTokens"], &["usedTokens", "maxTokens"]);
            }
        } else {
            assert!(shown["usage"]["responses"].as_u64().unwrap() > 0, "{id}");
        }
    }
}

#[test]
fn context() {
    for id in ["01a19c92", "6513270e"] {
        let view = TestEnvironment::new().json(&format!("--sample context {id} --json"));
        has_keys(&view, &["messages", "compactions", "droppedTurns"]);
        let roles = ["system", "developer", "user", "assistant", "tool"];
        for message in view["messages"].as_array().unwrap() {
            assert!(roles.contains(&message["role"].as_str().unwrap()), "{message}");
            for block in message["content"].as_array().unwrap() {
                has_keys(block, &["type"]);
            }
        }
    }
}

#[test]
fn usage() {
    let environment = TestEnvironment::new();
    let all = environment.json("--sample ls --all --json");
    for by in ["session", "project", "harness", "day", "week", "month", "model", "hour-block"] {
        let rows = environment.json(&format!("--sample usage --by {by} --json"));
        for row in rows.as_array().unwrap() {
            has_keys(
                row,
                &[
                    "key",
                    "responses",
                    "inputTokens",
                    "cachedInputTokens",
                    "cacheWriteTokens",
                    "outputTokens",
                    "reasoningTokens",
                    "totalTokens",
                    "costUsd",
                ],
            );
        }
        if by == "session" {
            let ids: Vec<_> = all.as_array().unwrap().iter().map(|head| &head["id"]).collect();
            for row in rows.as_array().unwrap() {
                assert!(ids.contains(&&row["key"]), "{row}");
            }
        }
    }
    let one = environment.json("--sample usage 6513270e --json");
    let shown = environment.json("--sample show 6513270e --json");
    assert_eq!(one[0]["outputTokens"], shown["usage"]["outputTokens"]);
}

#[test]
fn an_audit_sums_to_the_total() {
    let environment = TestEnvironment::new();
    let entries = environment.json("--sample usage --audit --json");
    let rows = environment.json("--sample usage --by harness --json");
    let sum = |rows: &serde_json::Value, key: &str| -> u64 {
        rows.as_array().unwrap().iter().map(|row| row[key].as_u64().unwrap()).sum()
    };
    let counted: serde_json::Value =
        entries.as_array().unwrap().iter().filter(|e| e["counted"] == true).cloned().collect();
    assert_eq!(counted.as_array().unwrap().len() as u64, sum(&rows, "responses"));
    for key in
        ["inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens", "totalTokens"]
    {
        assert_eq!(sum(&counted, key), sum(&rows, key), "{key}");
    }
    assert!(entries.as_array().unwrap().iter().any(|e| e["counted"] == false));
}

#[test]
fn raw_gives_the_bytes_back() {
    let environment = TestEnvironment::new();
    let content = "{\"a\":1}\r\n\n\u{feff}not json\n{\"b\": 1e400, \"b\":\"\\ud83d\"}";
    environment.file("a.jsonl", content);
    assert_eq!(environment.print("raw a.jsonl"), content);
}

#[test]

fn raw_takes_ids_of_all_harnesses() {
    let environment = TestEnvironment::new();
    let all = environment.json("--sample ls --all --json");
    for session in all.as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        let raw = environment.print(&format!("--sample raw {id}"));
        let first: Value = serde_json::from_str(raw.lines().next().unwrap()).unwrap();
        assert!(first.is_object(), "{id}: {first}");
    }
}

#[test]
fn a_history_comes_back_as_it_was() {
    let environment = TestEnvironment::new();
    let printed = environment.run("--sample history 01a19c92 --json").stdout;
    let value: Value = serde_json::from_str(&printed).unwrap();
    has_keys(
        &value,
        &["records", "next_id", "exec_call_lookup", "tool_call_lookup", "stream_lookup"],
    );
    environment.file("history.json", &printed);
    assert_eq!(environment.run("history --restore history.json --json").stdout, printed);
}
