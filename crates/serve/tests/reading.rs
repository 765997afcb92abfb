//! Threads: turns, items, search.

use recount_formats::Harness;
use serde_json::{Value, json};

use crate::support::Home;

/// The sample with the most turns.
fn longest(home: &Home) -> (String, Value) {
    let threads = home.stores.list().0.into_iter().map(|session| {
        let answer = home.one("thread/read", json!({"threadId": session.id, "includeTurns": true}));
        (session.id, answer["thread"]["turns"].clone())
    });
    threads.max_by_key(|(_, turns)| turns.as_array().unwrap().len()).unwrap()
}

#[test]
fn turns_are_there_when_they_are_asked_for() {
    let home = Home::samples();
    let (id, _) = longest(&home);
    let without = home.one("thread/read", json!({"threadId": id}));
    assert_eq!(without["thread"]["turns"], json!([]));
    assert_eq!(without["thread"]["status"], json!({"type": "notLoaded"}));
}

#[test]
fn turns_page_by_page_are_the_turns() {
    let home = Home::samples();
    let (id, turns) = longest(&home);
    let turns = turns.as_array().unwrap();
    assert!(turns.len() > 2);
    for limit in 1..=turns.len() {
        let mut all = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = home.one(
                "thread/turns/list",
                json!({"threadId": id, "limit": limit, "cursor": cursor, "itemsView": "full", "sortDirection": "asc"}),
            );
            all.extend(page["data"].as_array().unwrap().iter().cloned());
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(all, *turns);
    }
    // Newest first, as a summary, when nothing else is said.
    let page = home.one("thread/turns/list", json!({"threadId": id, "limit": 1}));
    let last = &page["data"][0];
    assert_eq!(last["id"], turns[turns.len() - 1]["id"]);
    assert_eq!(last["itemsView"], "summary");
    assert!(last["items"].as_array().unwrap().len() <= 2);
    assert_eq!(last["items"][0]["type"], "userMessage");
    // The way back begins with it.
    let back = home.one(
        "thread/turns/list",
        json!({"threadId": id, "sortDirection": "asc", "cursor": page["backwardsCursor"], "itemsView": "notLoaded"}),
    );
    assert_eq!(back["data"][0]["id"], last["id"]);
    assert_eq!(back["data"][0]["items"], json!([]));
    assert_eq!(home.refused("thread/turns/list", json!({"threadId": id, "cursor": "?"})).0, -32602);
    let gone = json!({"turn": "gone", "n": 0, "with": true}).to_string();
    assert_eq!(
        home.refused("thread/turns/list", json!({"threadId": id, "cursor": gone})).0,
        -32600
    );
}

#[test]
fn items_page_by_page_are_the_items() {
    let home = Home::samples();
    let (id, turns) = longest(&home);
    let want: Vec<(Value, Value)> = turns
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|turn| {
            let items = turn["items"].as_array().unwrap().iter();
            items.map(|item| (turn["id"].clone(), item.clone()))
        })
        .collect();
    for direction in ["asc", "desc"] {
        let mut all = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let page = home.one(
                "thread/items/list",
                json!({"threadId": id, "limit": 2, "cursor": cursor, "sortDirection": direction}),
            );
            let data = page["data"].as_array().unwrap();
            all.extend(data.iter().map(|e| (e["turnId"].clone(), e["item"].clone())));
            cursor = page["nextCursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        if direction == "desc" {
            all.reverse();
        }
        assert_eq!(all, want);
    }
    let turn = &turns[1];
    let of_turn = json!({"threadId": id, "turnId": turn["id"]});
    let page = home.one("thread/items/list", of_turn.clone());
    let data = page["data"].as_array().unwrap();
    assert_eq!(data.len(), turn["items"].as_array().unwrap().len());
    // From an item on, without it.
    let mut behind = of_turn.clone();
    behind["cursor"] = json!({"type": "item", "itemId": data[0]["item"]["id"]});
    let rest = home.one("thread/items/list", behind.clone());
    assert_eq!(rest["data"].as_array().unwrap()[..], data[1..]);
    behind.as_object_mut().unwrap().remove("turnId");
    assert_eq!(home.refused("thread/items/list", behind).0, -32602);
    assert_eq!(
        home.refused("thread/items/list", json!({"threadId": id, "turnId": "none"})).0,
        -32600
    );
}

#[test]
fn a_search_finds_what_was_said() {
    let home = Home::samples();
    let (id, turns) = longest(&home);
    let mut found = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = home.one(
            "thread/searchOccurrences",
            json!({"threadId": id, "searchTerm": "THE", "limit": 2, "cursor": cursor}),
        );
        found.extend(page["data"].as_array().unwrap().iter().cloned());
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let said: String = turns
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|turn| turn["items"].as_array().unwrap())
        .filter_map(|item| match item["type"].as_str()? {
            "agentMessage" => Some(item["text"].as_str()?.to_lowercase()),
            "userMessage" => Some(item["content"][0]["text"].as_str()?.to_lowercase()),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(found.len(), said.matches("the").count());
    assert!(found.len() > 2);
    for hit in &found {
        let units: Vec<u16> = hit["snippet"].as_str().unwrap().encode_utf16().collect();
        let at =
            |key: &str| usize::try_from(hit["snippetMatchRange"][key].as_u64().unwrap()).unwrap();
        let part = String::from_utf16(&units[at("start")..at("end")]).unwrap();
        assert_eq!(part.to_lowercase(), "the");
        // The cursor leads to the turn.
        let page = home.one(
            "thread/turns/list",
            json!({"threadId": id, "cursor": hit["turnCursor"], "sortDirection": "asc", "limit": 1}),
        );
        assert_eq!(page["data"][0]["id"], hit["turnId"]);
    }
    assert_eq!(
        home.refused("thread/searchOccurrences", json!({"threadId": id, "searchTerm": ""})).0,
        -32602
    );
}

#[test]
fn threads_that_are_followed_are_loaded() {
    let home = Home::samples();
    let (id, turns) = longest(&home);
    let thread = json!({"threadId": id});
    let answers = home.ask(&[
        ("thread/unsubscribe", thread.clone()),
        ("thread/loaded/list", json!({})),
        ("thread/resume", thread.clone()),
        (
            "thread/resume",
            json!({"threadId": id, "excludeTurns": true, "initialTurnsPage": {"limit": 1}}),
        ),
        ("thread/loaded/list", json!({})),
        ("thread/resume", json!({"threadId": id, "path": "/elsewhere"})),
        ("thread/resume", json!({"threadId": id, "history": []})),
        ("thread/unsubscribe", thread.clone()),
        ("thread/unsubscribe", thread),
        ("thread/loaded/list", json!({})),
    ]);
    let result = |n: usize| &answers[n]["result"];
    assert_eq!(result(0)["status"], "notLoaded");
    assert_eq!(result(1)["data"], json!([]));
    assert_eq!(result(2)["thread"]["turns"], turns);
    assert_eq!(result(2)["thread"]["status"]["type"], "idle");
    assert_eq!(result(3)["thread"]["turns"], json!([]));
    assert_eq!(result(3)["initialTurnsPage"]["data"].as_array().unwrap().len(), 1);
    assert_eq!(result(4)["data"], json!([id]));
    assert_eq!(answers[5]["error"]["code"], -32600);
    assert_eq!(answers[6]["error"]["code"], -32600);
    assert_eq!(result(7)["status"], "unsubscribed");
    assert_eq!(result(8)["status"], "notLoaded");
    assert_eq!(result(9)["data"], json!([]));
}

/// A rollout of some megabytes that is not read as a whole for a page at one of its ends.
fn large(home: &mut Home, id: &str, paginated: bool) {
    let root = home.empty(Harness::ALL[0]);
    let day = root.join("sessions/2026/01/02");
    std::fs::create_dir_all(&day).unwrap();
    let mut text = String::new();
    let mut ordinal = 0;
    let mut put = |kind: &str, payload: Value| {
        let mut record = json!({
            "timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload,
        });
        if paginated {
            record["ordinal"] = ordinal.into();
        }
        text.push_str(&record.to_string());
        text.push('\n');
        ordinal += 1;
    };
    let mut meta = json!({"id": id, "timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/x", "source": "cli",
        "cli_version": "0.164.0", "originator": "t"});
    if paginated {
        meta["history_mode"] = "paginated".into();
    }
    put("session_meta", meta);
    for n in 0..60 {
        let turn = format!("turn-{n}");
        let said = format!("{n} {}", "word ".repeat(5_000));
        put("event_msg", json!({"type": "task_started", "turn_id": turn, "started_at": n}));
        put("response_item", json!({"type": "message", "role": "user", "content": []}));
        if paginated {
            for (kind, content) in
                [("UserMessage", "text"), ("AgentMessage", "Text"), ("AgentMessage", "Text")]
            {
                let item = json!({"type": kind, "id": format!("{kind}-{n}-{}", content.len()),
                    "content": [{"type": content, "text": said}]});
                put("event_msg", json!({"type": "item_completed", "turn_id": turn, "item": item}));
            }
        } else {
            put("event_msg", json!({"type": "user_message", "message": said}));
            put("event_msg", json!({"type": "agent_message", "message": said}));
            put(
                "response_item",
                json!({"type": "function_call_output", "call_id": "c", "output": said}),
            );
        }
        if n == 30 && !paginated {
            // What came since turn 20 is gone, and the numbers of items go on from there.
            put("event_msg", json!({"type": "thread_rolled_back", "num_turns": 10}));
        }
        if n != 58 {
            put(
                "event_msg",
                json!({"type": "task_complete", "turn_id": turn, "completed_at": n, "duration_ms": 7}),
            );
        }
    }
    // One of them ends late, and one far away gets an item.
    put(
        "event_msg",
        json!({"type": "turn_aborted", "turn_id": "turn-58", "reason": "interrupted"}),
    );
    if paginated {
        let item = json!({"type": "AgentMessage", "id": "late", "content": [{"type": "Text", "text": "late"}]});
        put("event_msg", json!({"type": "item_completed", "turn_id": "turn-1", "item": item}));
    } else {
        put(
            "event_msg",
            json!({"type": "patch_apply_end", "turn_id": "turn-1", "call_id": "late", "success": true, "changes": {}}),
        );
        // A turn that nothing opened is called by the number of its record.
        put("event_msg", json!({"type": "agent_message", "message": "Unasked."}));
    }
    assert!(text.len() > 4 << 20);
    std::fs::write(day.join(format!("rollout-2026-01-02T03-04-05-{id}.jsonl")), text).unwrap();
}

#[test]
fn a_page_at_an_end_of_a_large_thread_is_the_one_that_all_of_it_gives() {
    let mut home = Home::new();
    let threads = [
        ("01a2b000-0000-7000-8000-000000000001", true, 60),
        ("01a2b000-0000-7000-8000-000000000002", false, 51),
    ];
    for (id, paginated, _) in threads {
        large(&mut home, id, paginated);
    }
    let pages = [
        ("notLoaded", 7, "desc"),
        ("summary", 25, "asc"),
        ("full", 100, "desc"),
        ("full", 5, "asc"),
    ];
    for (id, _, turns) in threads {
        for (view, limit, order) in pages {
            // Each connection has a server of its own: this one reads one end first, and the whole thread behind.
            let page =
                json!({"threadId": id, "limit": limit, "itemsView": view, "sortDirection": order});
            let first = home.one("thread/turns/list", page.clone());
            let (mut next, mut back, mut turned) = (page.clone(), page.clone(), page.clone());
            next["cursor"] = first["nextCursor"].clone();
            back["cursor"] = first["backwardsCursor"].clone();
            turned["sortDirection"] = if order == "asc" { "desc" } else { "asc" }.into();
            let pages = [turned, page, next, back].map(|page| ("thread/turns/list", page));
            let all = ("thread/items/list", json!({"threadId": id, "limit": 1}));
            let results = |questions: &[(&str, Value)]| -> Vec<Value> {
                home.ask(questions).iter().map(|answer| answer["result"].clone()).collect()
            };
            let from_the_end = results(&pages);
            let from_all = results(&[&[all][..], &pages].concat());
            assert_eq!(from_the_end, from_all[1..], "{id} {view} {limit} {order}");
            assert_eq!(first, from_all[2]);
            assert_eq!(first["data"].as_array().unwrap().len(), turns.min(limit));
            assert_eq!(from_all[2]["data"], from_all[4]["data"]);
            assert_eq!(first["nextCursor"].is_null(), limit == 100);
        }
        // Fewer turns after more, and more after fewer, on one connection.
        let sizes = [3, 2, 100, 4];
        for order in ["desc", "asc"] {
            let page = |n: &usize| json!({"threadId": id, "limit": n, "itemsView": "full", "sortDirection": order});
            let pages: Vec<_> = sizes.iter().map(|n| ("thread/turns/list", page(n))).collect();
            for (size, answer) in sizes.iter().zip(home.ask(&pages)) {
                let got = answer["result"]["data"].as_array().unwrap().clone();
                assert_eq!(got.len(), turns.min(*size));
                let full = |turn: &Value| turn["items"].as_array().unwrap().len() >= 2;
                assert!(
                    got.iter().filter(|turn| !full(turn)).count() <= usize::from(turns == 51),
                    "{size}"
                );
            }
        }
    }
}
