//! What clients do to threads.

use std::fs;
use std::path::PathBuf;

use recount_formats::Harness;
use recount_serve::connection::Shared;
use serde_json::{Value, json};

use crate::schema::Schemas;
use crate::support::{Client, Home, runtime};

const ID: &str = "01a2b000-0000-7000-8000-000000000001";

/// A rollout of the old kind with three turns.
fn home() -> (Home, PathBuf) {
    let mut home = Home::new();
    let root = home.empty(Harness::Codex);
    let day = root.join("sessions/2026/01/02");
    fs::create_dir_all(&day).unwrap();
    let mut text = format!(
        r#"{{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{{"id":"{ID}","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/shop","originator":"t","cli_version":"0.140.0","source":"cli","model_provider":"p"}}}}"#
    );
    text.push('\n');
    for n in 1..=3 {
        for payload in [
            format!(
                r#"{{"type":"task_started","turn_id":"turn-{n}","model_context_window":1000}}"#
            ),
            format!(
                r#"{{"type":"user_message","message":"Prompt {n}","images":[],"local_images":[],"text_elements":[]}}"#
            ),
            format!(r#"{{"type":"agent_message","message":"Answer {n}"}}"#),
            format!(
                r#"{{"type":"task_complete","turn_id":"turn-{n}","last_agent_message":"Answer {n}"}}"#
            ),
        ] {
            let line = format!(
                r#"{{"timestamp":"2026-01-02T03:04:0{}.000Z","type":"event_msg","payload":{payload}}}"#,
                n + 5
            );
            text.push_str(&line);
            text.push('\n');
        }
    }
    let path = day.join(format!("rollout-2026-01-02T03-04-05-{ID}.jsonl"));
    fs::write(&path, text).unwrap();
    (home, path)
}

fn turns(thread: &Value) -> Vec<&str> {
    thread["turns"].as_array().unwrap().iter().map(|turn| turn["id"].as_str().unwrap()).collect()
}

#[test]
fn a_rollback_is_the_same_live_and_after_resume() {
    let (home, _) = home();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut follower = Client::connect(&shared).await;
        follower.ask("thread/resume", json!({"threadId": ID})).await;
        let mut client = Client::connect(&shared).await;
        let answer = client.ask("thread/rollback", json!({"threadId": ID, "numTurns": 1})).await;
        let thread = &answer["result"]["thread"];
        assert_eq!(turns(thread), ["turn-1", "turn-2"]);
        let told = follower.hear(1000).await.unwrap();
        assert_eq!(told["method"], "thread/reverted");
        assert_eq!(
            (&told["params"]["keptTurns"], &told["params"]["lastTurnId"]),
            (&json!(2), &json!("turn-2"))
        );
        assert!(follower.hear(200).await.is_none());
        // Another program, another time: the same.
        let mut other = Client::connect(&Shared::new(home.server())).await;
        let again = other.ask("thread/resume", json!({"threadId": ID})).await;
        assert_eq!(turns(&again["result"]["thread"]), ["turn-1", "turn-2"]);
        // More than there are: none is left.
        let answer = client.ask("thread/rollback", json!({"threadId": ID, "numTurns": 99})).await;
        assert_eq!(answer["result"]["thread"]["turns"], json!([]));
        let mut other = Client::connect(&Shared::new(home.server())).await;
        let again = other.ask("thread/resume", json!({"threadId": ID})).await;
        assert_eq!(again["result"]["thread"]["turns"], json!([]));
        let answer = client.ask("thread/rollback", json!({"threadId": ID, "numTurns": 0})).await;
        assert_eq!(answer["error"]["code"], -32602);
    });
}

#[test]
fn a_revert_is_the_same_live_and_after_resume() {
    let samples = Home::samples();
    let mut schemas = Schemas::find();
    let heads = samples.stores.list().0.into_iter().filter(|head| {
        head.harness == Harness::Codex && head.origin.history_mode.as_deref() == Some("paginated")
    });
    let id = heads.max_by_key(|head| head.size).unwrap().id;
    let (legacy, _) = home();
    let params = json!({"threadId": ID, "beforeTurnId": "turn-2"});
    assert_eq!(legacy.refused("thread/revert", params).0, -32600);
    runtime().block_on(async {
        let shared = Shared::new(samples.server());
        let mut follower = Client::connect(&shared).await;
        let resumed = follower.ask("thread/resume", json!({"threadId": id})).await;
        let before = turns(&resumed["result"]["thread"]);
        assert!(before.len() > 1);
        let (kept, cut) = (&before[..before.len() - 1], before[before.len() - 1]);
        let mut client = Client::connect(&shared).await;
        let wrong = json!({"threadId": id, "beforeTurnId": "none"});
        assert_eq!(client.ask("thread/revert", wrong).await["error"]["code"], -32600);
        let params = json!({"threadId": id, "beforeTurnId": cut});
        let answer = client.ask("thread/revert", params).await;
        if let Some(schemas) = &mut schemas {
            schemas.answer("thread/revert", &answer);
        }
        let told = follower.hear(2000).await.unwrap();
        assert_eq!(told["method"], "thread/reverted");
        assert_eq!(told["params"]["keptTurns"], kept.len());
        // What stays is not told again, though it stands in two files now.
        assert_eq!(follower.hear(200).await, None);
        // Another program, another time: the same.
        let mut other = Client::connect(&Shared::new(samples.server())).await;
        let again = other.ask("thread/resume", json!({"threadId": id})).await;
        assert_eq!(turns(&again["result"]["thread"]), kept);
    });
}

#[test]
fn a_fork_is_another_thread_and_is_followed() {
    let (home, path) = home();
    let mut schemas = Schemas::find();
    let before = fs::read(&path).unwrap();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let params = json!({"threadId": ID, "lastTurnId": "turn-2"});
        let answer = client.ask("thread/fork", params).await;
        if let Some(schemas) = &mut schemas {
            schemas.answer("thread/fork", &answer);
        }
        let thread = &answer["result"]["thread"];
        assert_ne!(thread["id"], ID);
        assert_eq!(thread["forkedFromId"], ID);
        assert_eq!(thread["turns"].as_array().unwrap().len(), 2);
        let loaded = client.ask("thread/loaded/list", json!({})).await;
        assert_eq!(loaded["result"]["data"], json!([thread["id"]]));
        let wrong = json!({"threadId": ID, "lastTurnId": "turn-1", "beforeTurnId": "turn-2"});
        assert_eq!(client.ask("thread/fork", wrong).await["error"]["code"], -32602);
        let wrong = json!({"threadId": ID, "lastTurnId": "none"});
        assert_eq!(client.ask("thread/fork", wrong).await["error"]["code"], -32600);
    });
    assert_eq!(fs::read(&path).unwrap(), before, "the source stays as it is");
}

#[test]
fn threads_are_archived_and_named() {
    let (home, path) = home();
    let mut schemas = Schemas::find();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let mut other = Client::connect(&shared).await;
        let mut done = async |client: &mut Client, method: &str, params: Value| {
            let answer = client.ask(method, params).await;
            assert!(answer.get("error").is_none(), "{method}: {answer}");
            if let Some(schemas) = &mut schemas {
                schemas.answer(method, &answer);
            }
            answer["result"].clone()
        };
        done(&mut client, "thread/name/set", json!({"threadId": ID, "name": "The cart"})).await;
        let read = done(&mut client, "thread/read", json!({"threadId": ID})).await;
        assert_eq!(read["thread"]["name"], "The cart");
        done(&mut client, "thread/archive", json!({"threadId": ID})).await;
        let told = client.hear(500).await.unwrap();
        assert_eq!(
            (&told["method"], &told["params"]["threadId"]),
            (&json!("thread/archived"), &json!(ID))
        );
        // All others hear it too, and nobody hears it twice.
        assert_eq!(other.hear(5000).await.unwrap(), told);
        assert!(other.hear(50).await.is_none() && client.hear(50).await.is_none());
        assert!(!path.exists());
        let list = done(&mut client, "thread/list", json!({})).await;
        assert_eq!(list["data"], json!([]));
        let list = done(&mut client, "thread/list", json!({"archived": true})).await;
        assert_eq!(list["data"][0]["id"], ID);
        done(&mut client, "thread/unarchive", json!({"threadId": ID})).await;
        assert_eq!(client.hear(500).await.unwrap()["method"], "thread/unarchived");
        assert!(path.exists());
        let answer = client.ask("thread/archive", json!({"threadId": "none"})).await;
        assert_eq!(answer["error"]["code"], -32600);
    });
}

#[test]
fn what_a_harness_does_not_have_is_a_bad_request() {
    let home = Home::samples();
    let other = home.stores.list().0.into_iter().find(|s| s.harness == Harness::Opencode).unwrap();
    for (method, params) in [
        ("thread/rollback", json!({"threadId": other.id, "numTurns": 1})),
        ("thread/fork", json!({"threadId": other.id})),
        ("thread/archive", json!({"threadId": other.id})),
        ("thread/name/set", json!({"threadId": other.id, "name": "x"})),
    ] {
        let (code, message) = home.refused(method, params);
        assert_eq!(code, -32600, "{method}: {message}");
        assert!(message.contains("opencode"), "{message}");
    }
}
