//! Following a thread while it is written.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use recount_formats::Harness;
use recount_serve::connection::Shared;
use serde_json::{Value, json};

use crate::schema::Schemas;
use crate::support::{Client, Home, root, runtime};

#[path = "../../../fixtures/cursor-agent/builder.rs"]
#[allow(unreachable_pub, clippy::format_collect, reason = "shared with the tests of other crates")]
mod chats;

/// What a client knows that was given a thread and is told what changes.
struct Reader {
    turns: Vec<Value>,
    status: Value,
    schemas: Option<Schemas>,
    heard: usize,
}

impl Reader {
    fn of(answer: &Value) -> Self {
        let thread = &answer["result"]["thread"];
        Self {
            turns: thread["turns"].as_array().unwrap().clone(),
            status: thread["status"].clone(),
            schemas: Schemas::find(),
            heard: 0,
        }
    }

    fn turn(&mut self, id: &Value) -> Option<&mut Value> {
        self.turns.iter_mut().rev().find(|turn| turn["id"] == *id)
    }

    fn item(&mut self, turn: &Value, id: &Value) -> Option<&mut Value> {
        let items = self.turn(turn)?["items"].as_array_mut().unwrap();
        items.iter_mut().find(|item| item["id"] == *id)
    }

    fn hear(&mut self, message: &Value) {
        self.heard += 1;
        let method = message["method"].as_str().unwrap();
        let params = &message["params"];
        if let Some(schemas) = &mut self.schemas {
            schemas.check(schema_of(method), params);
        }
        match method {
            "thread/reverted" => {
                let kept = usize::try_from(params["keptTurns"].as_u64().unwrap()).unwrap();
                assert!(kept < self.turns.len());
                self.turns.truncate(kept);
                let last = self.turns.last().map_or(Value::Null, |turn| turn["id"].clone());
                assert_eq!(params["lastTurnId"], last);
            }
            "turn/started" | "turn/completed" => {
                let mut turn = params["turn"].clone();
                assert_eq!(turn["itemsView"], "notLoaded");
                let running = turn["status"] == "inProgress";
                assert_eq!(running, method == "turn/started", "{turn}");
                turn["itemsView"] = json!("full");
                match self.turn(&turn["id"].clone()) {
                    Some(own) => {
                        turn["items"] = own["items"].clone();
                        assert_ne!(*own, turn, "told twice");
                        *own = turn;
                    }
                    None => self.turns.push(turn),
                }
            }
            "item/started" | "item/completed" => {
                let (turn, item) = (&params["turnId"], params["item"].clone());
                if let Some(own) = self.item(turn, &item["id"]) {
                    assert!(method == "item/completed" || *own != item, "told twice");
                    *own = item;
                } else {
                    assert_eq!(method, "item/started", "completed before it began: {item}");
                    let items = self.turn(turn).unwrap()["items"].as_array_mut().unwrap();
                    items.push(item);
                }
            }
            "item/agentMessage/delta" => {
                let item = self.item(&params["turnId"], &params["itemId"]).unwrap();
                let text = format!(
                    "{}{}",
                    item["text"].as_str().unwrap(),
                    params["delta"].as_str().unwrap()
                );
                item["text"] = json!(text);
            }
            "item/commandExecution/outputDelta" => {
                let item = self.item(&params["turnId"], &params["itemId"]).unwrap();
                let had = item["aggregatedOutput"].as_str().unwrap_or("");
                item["aggregatedOutput"] =
                    json!(format!("{had}{}", params["delta"].as_str().unwrap()));
            }
            "thread/status/changed" => self.status = params["status"].clone(),
            "item/reasoning/summaryTextDelta"
            | "item/plan/delta"
            | "thread/tokenUsage/updated"
            | "thread/name/updated" => {}
            other => panic!("{other}"),
        }
    }

    /// Hears all there is until it has been quiet for a while.
    async fn settle(&mut self, client: &mut Client, millis: u64) {
        while let Some(message) = client.hear(millis).await {
            self.hear(&message);
        }
    }
}

fn schema_of(method: &str) -> &'static str {
    match method {
        "thread/reverted" => "v2/ThreadRevertedNotification",
        "thread/closed" => "v2/ThreadClosedNotification",
        "thread/status/changed" => "v2/ThreadStatusChangedNotification",
        "thread/name/updated" => "v2/ThreadNameUpdatedNotification",
        "thread/tokenUsage/updated" => "v2/ThreadTokenUsageUpdatedNotification",
        "turn/started" => "v2/TurnStartedNotification",
        "turn/completed" => "v2/TurnCompletedNotification",
        "item/started" => "v2/ItemStartedNotification",
        "item/completed" => "v2/ItemCompletedNotification",
        "item/agentMessage/delta" => "v2/AgentMessageDeltaNotification",
        "item/plan/delta" => "v2/PlanDeltaNotification",
        "item/commandExecution/outputDelta" => "v2/CommandExecutionOutputDeltaNotification",
        "item/reasoning/summaryTextDelta" => "v2/ReasoningSummaryTextDeltaNotification",
        other => panic!("no schema is named for {other}"),
    }
}

/// The longest sample of a harness that keeps lines: its id, its file, its lines.
fn sample(home: &Home, harness: Harness) -> (String, PathBuf, Vec<Vec<u8>>) {
    let sessions =
        home.stores.list().0.into_iter().filter(|s| s.harness == harness && !s.is_subagent);
    let head = sessions.max_by_key(|s| s.size).unwrap();
    let bytes = fs::read(&head.path).unwrap();
    let lines = bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    (head.id, head.path, lines)
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// What another client reads, who follows the thread too.
async fn read(client: &mut Client, id: &str) -> Value {
    let params = json!({"threadId": id, "includeTurns": true});
    client.ask("thread/read", params).await["result"]["thread"].clone()
}

const LINES: [&str; 3] = ["codex", "claude-code", "pi"];

#[test]
fn a_client_that_is_told_everything_knows_what_is_there() {
    for name in LINES {
        let harness = Harness::from_id(name).unwrap();
        let home = Home::samples();
        let (id, path, lines) = sample(&home, harness);
        fs::write(&path, lines[..2].concat()).unwrap();
        runtime().block_on(async {
            let shared = Shared::new(home.server());
            let mut client = Client::connect(&shared).await;
            let answer = client.ask("thread/resume", json!({"threadId": id})).await;
            let mut reader = Reader::of(&answer);
            for (n, line) in lines[2..].iter().enumerate() {
                // Torn, as a reader may catch a writer.
                append(&path, &line[..line.len() / 2]);
                if n % 5 == 0 {
                    tokio::time::sleep(Duration::from_millis(60)).await;
                }
                append(&path, &line[line.len() / 2..]);
                reader.settle(&mut client, if n % 3 == 0 { 120 } else { 1 }).await;
            }
            reader.settle(&mut client, 300).await;
            assert!(reader.heard > 4, "{name}: {}", reader.heard);
            let thread = read(&mut client, &id).await;
            assert_eq!(json!(reader.turns), thread["turns"], "{name}");
            assert_eq!(reader.status, thread["status"], "{name}");

            // It is rewound, written anew, and goes on.
            let half = lines.len() / 2;
            fs::write(&path, lines[..half].concat()).unwrap();
            reader.settle(&mut client, 400).await;
            assert_eq!(json!(reader.turns), read(&mut client, &id).await["turns"], "{name}");
            let beside = path.with_extension("new");
            fs::write(&beside, lines[..lines.len() - 1].concat()).unwrap();
            fs::rename(&beside, &path).unwrap();
            append(&path, &lines[lines.len() - 1]);
            reader.settle(&mut client, 400).await;
            let thread = read(&mut client, &id).await;
            assert_eq!(json!(reader.turns), thread["turns"], "{name}");
            assert!(
                client.ask("thread/unsubscribe", json!({"threadId": id})).await["result"]["status"]
                    == "unsubscribed"
            );
            fs::write(&path, lines[..2].concat()).unwrap();
            assert!(client.hear(300).await.is_none(), "told behind the end");
        });
    }
}

/// One more prompt in a Codex rollout, now.
fn now(kind: &str, payload: &str) -> Vec<u8> {
    let time = jiff::Timestamp::now();
    format!("{{\"timestamp\":\"{time:.3}\",\"type\":\"{kind}\",\"payload\":{payload}}}\n")
        .into_bytes()
}

#[test]
fn a_turn_that_runs_is_told_as_it_happens() {
    let mut home = Home::new();
    let root = home.empty(Harness::Codex);
    let day = root.join("sessions/2026/01/02");
    fs::create_dir_all(&day).unwrap();
    let id = "01a2b000-0000-7000-8000-000000000001";
    let path = day.join(format!("rollout-2026-01-02T03-04-05-{id}.jsonl"));
    let event = |payload: &str| now("event_msg", payload);
    fs::write(
        &path,
        [
            now("session_meta", &format!(r#"{{"id":"{id}","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/shop","originator":"t","cli_version":"0.140.0","source":"cli","model_provider":"p"}}"#)),
            event(r#"{"type":"task_started","turn_id":"turn-1","model_context_window":1000}"#),
            event(r#"{"type":"user_message","message":"Fix the cart","images":[],"local_images":[],"text_elements":[]}"#),
        ]
        .concat(),
    )
    .unwrap();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let answer = client.ask("thread/resume", json!({"threadId": id})).await;
        let thread = &answer["result"]["thread"];
        assert_eq!(thread["status"], json!({"type": "active", "activeFlags": []}));
        assert_eq!(thread["turns"][0]["status"], "inProgress");
        assert_eq!(thread["turns"][0]["items"][0]["content"][0]["text"], "Fix the cart");
        // Who does not follow it cannot know whether it runs; who asks this server hears what the followers know.
        append(&path, &event(r#"{"type":"agent_message","message":"Done."}"#));
        let started = client.hear(5000).await.unwrap();
        assert_eq!(started["method"], "item/started");
        assert_eq!(started["params"]["turnId"], "turn-1");
        assert_eq!(client.hear(5000).await.unwrap()["method"], "item/completed");
        append(&path, &event(r#"{"type":"token_count","info":{"total_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":2,"reasoning_output_tokens":1,"total_tokens":12},"last_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":2,"reasoning_output_tokens":1,"total_tokens":12}}}"#));
        let usage = client.hear(5000).await.unwrap();
        assert_eq!(usage["method"], "thread/tokenUsage/updated");
        assert_eq!(usage["params"]["tokenUsage"]["total"]["inputTokens"], 10);
        assert_eq!(usage["params"]["tokenUsage"]["total"]["cachedInputTokens"], 4);
        append(&path, &event(r#"{"type":"task_complete","turn_id":"turn-1","last_agent_message":"Done."}"#));
        let completed = client.hear(5000).await.unwrap();
        assert_eq!(completed["method"], "turn/completed");
        assert_eq!(completed["params"]["turn"]["status"], "completed");
        let status = client.hear(5000).await.unwrap();
        assert_eq!((&status["method"], &status["params"]["status"]["type"]), (&json!("thread/status/changed"), &json!("idle")));
        fs::write(root.join("session_index.jsonl"), format!("{{\"id\":\"{id}\",\"thread_name\":\"The cart\"}}\n")).unwrap();
        let named = client.hear(5000).await.unwrap();
        assert_eq!((&named["method"], &named["params"]["threadName"]), (&json!("thread/name/updated"), &json!("The cart")));
        // Compressed underneath: the same thread, so nothing is told.
        let bytes = fs::read(&path).unwrap();
        fs::write(day.join(format!("rollout-2026-01-02T03-04-05-{id}.jsonl.zst")), zstd(&bytes)).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(client.hear(400).await.is_none());
        assert_eq!(read(&mut client, id).await["turns"].as_array().unwrap().len(), 1);
    });
}

/// A frame of zstd that holds bytes as they are.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0xA0];
    frame.extend_from_slice(&u32::try_from(bytes.len()).unwrap().to_le_bytes());
    let mut rest = bytes;
    loop {
        let (block, left) = rest.split_at(rest.len().min(100_000));
        let last = u32::from(left.is_empty());
        let header = (u32::try_from(block.len()).unwrap() << 3) | last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
        rest = left;
        if last == 1 {
            return frame;
        }
    }
}

#[test]
fn a_thread_that_was_left_open_long_ago_does_not_run() {
    let home = Home::samples();
    let (id, path, lines) = sample(&home, Harness::Codex);
    // The beginning of an old session: its program was killed.
    let is_prompt = |line: &Vec<u8>| String::from_utf8_lossy(line).contains("UserMessage");
    let prompt = lines.iter().position(is_prompt).unwrap();
    fs::write(&path, lines[..=prompt].concat()).unwrap();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let answer = client.ask("thread/resume", json!({"threadId": id})).await;
        assert_eq!(answer["result"]["thread"]["status"]["type"], "idle");
        assert_ne!(answer["result"]["thread"]["turns"][0]["status"], "inProgress");
    });
}

#[test]
fn a_database_is_followed_like_a_file() {
    let home = Home::samples();
    let sessions = home.stores.list().0;
    let head = sessions
        .iter()
        .filter(|s| s.harness == Harness::Opencode && !s.is_subagent && s.parent_id.is_none())
        .max_by_key(|s| s.updated_at.clone())
        .unwrap()
        .clone();
    let db = rusqlite::Connection::open(&head.path).unwrap();
    db.pragma_update(None, "journal_mode", "WAL").unwrap();
    // The rows of the session, taken away and put back one by one.
    let tables: Vec<(String, i64)> = ["message", "part", "session_message"]
        .iter()
        .filter(|table| {
            db.prepare(&format!("SELECT rowid FROM {table} WHERE session_id = ''")).is_ok()
        })
        .flat_map(|table| {
            let sql = format!("SELECT rowid FROM {table} WHERE session_id = ?1 ORDER BY rowid");
            let mut statement = db.prepare(&sql).unwrap();
            let rows = statement.query_map([&head.id], |r| r.get::<_, i64>(0)).unwrap();
            rows.map(|row| ((*table).to_owned(), row.unwrap())).collect::<Vec<_>>()
        })
        .collect();
    for (table, row) in &tables {
        db.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS kept_{table} AS SELECT rowid AS n, * FROM {table} WHERE 0;
             INSERT INTO kept_{table} SELECT rowid, * FROM {table} WHERE rowid = {row};
             DELETE FROM {table} WHERE rowid = {row};"
        ))
        .unwrap();
    }
    assert!(tables.len() > 4, "{}", tables.len());
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let answer = client.ask("thread/resume", json!({"threadId": head.id})).await;
        let mut reader = Reader::of(&answer);
        assert_eq!(reader.turns.len(), 0);
        for (n, (table, row)) in tables.iter().enumerate() {
            let columns: String = db
                .prepare(&format!("SELECT group_concat('\"' || name || '\"') FROM pragma_table_info('{table}')"))
                .unwrap()
                .query_row([], |r| r.get(0))
                .unwrap();
            db.execute_batch(&format!(
                "INSERT INTO {table} (rowid, {columns}) SELECT n, {columns} FROM kept_{table} WHERE n = {row};"
            ))
            .unwrap();
            reader.settle(&mut client, if n % 4 == 0 { 150 } else { 5 }).await;
        }
        reader.settle(&mut client, 400).await;
        assert!(reader.heard > 4, "{}", reader.heard);
        let thread = read(&mut client, &head.id).await;
        assert!(!reader.turns.is_empty());
        assert_eq!(json!(reader.turns), thread["turns"]);
    });
}

/// A chat as cursor-agent has it in front of it: blobs are only ever added, and the settings name the newest root.
fn put_chat(db: &rusqlite::Connection, chat: &chats::Chat) {
    for (id, data) in &chat.blobs {
        let sql = "INSERT OR IGNORE INTO blobs (id, data) VALUES (?1, ?2)";
        db.execute(sql, rusqlite::params![id, data]).unwrap();
    }
    let settings = chat.settings.to_string();
    let hex = settings.bytes().fold(String::new(), |hex, b| hex + &format!("{b:02x}"));
    db.execute("UPDATE meta SET value = ?1 WHERE key = '0'", [hex]).unwrap();
}

#[test]
fn a_chat_of_blobs_is_followed_like_a_file() {
    let home = Home::samples();
    let text = fs::read_to_string(root().join("fixtures/cursor-agent/chat-cart.json")).unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let id = whole["id"].as_str().unwrap();
    let head = home.stores.with_id(id).unwrap();
    let db = rusqlite::Connection::open(&head.path).unwrap();
    // The turns as they grow, step by step; a turn that runs has no end.
    let mut states = Vec::new();
    for (n, turn) in whole["turns"].as_array().unwrap().iter().enumerate() {
        for steps in 0..=turn["steps"].as_array().map_or(0, Vec::len) {
            let mut state = whole.clone();
            let turns = state["turns"].as_array_mut().unwrap();
            turns.truncate(n + 1);
            if let Some(all) = turns[n]["steps"].as_array_mut() {
                all.truncate(steps);
                turns[n].as_object_mut().unwrap().remove("end");
            }
            states.push(state);
        }
    }
    states.push(whole.clone());
    put_chat(&db, &chats::conversation(&states[0]));
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        let answer = client.ask("thread/resume", json!({"threadId": id})).await;
        let mut reader = Reader::of(&answer);
        assert_eq!(reader.turns.len(), 1);
        for (n, state) in states[1..].iter().enumerate() {
            put_chat(&db, &chats::conversation(state));
            reader.settle(&mut client, if n % 3 == 0 { 150 } else { 5 }).await;
        }
        reader.settle(&mut client, 400).await;
        assert!(reader.heard > 8, "{}", reader.heard);
        let thread = read(&mut client, id).await;
        assert_eq!(reader.turns.len(), whole["turns"].as_array().unwrap().len());
        assert_eq!(json!(reader.turns), thread["turns"]);

        // Rewound: the settings name an older root again.
        put_chat(&db, &chats::conversation(&states[2]));
        reader.settle(&mut client, 400).await;
        assert_eq!(reader.turns.len(), 1);
        assert_eq!(json!(reader.turns), read(&mut client, id).await["turns"]);
    });
}

#[test]
fn a_client_that_does_not_read_keeps_nobody_waiting() {
    let home = Home::samples();
    let (id, path, lines) = sample(&home, Harness::Codex);
    fs::write(&path, lines[..2].concat()).unwrap();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut slow = Client::connect(&shared).await;
        let answer = slow.ask("thread/resume", json!({"threadId": id})).await;
        let mut slow_reader = Reader::of(&answer);
        let mut quick = Client::connect(&shared).await;
        let answer = quick.ask("thread/resume", json!({"threadId": id})).await;
        let mut reader = Reader::of(&answer);
        for line in &lines[2..] {
            append(&path, line);
            reader.settle(&mut quick, 60).await;
        }
        reader.settle(&mut quick, 300).await;
        let thread = read(&mut quick, &id).await;
        assert_eq!(json!(reader.turns), thread["turns"]);
        // When it reads at last, it is told what it has missed.
        slow_reader.settle(&mut slow, 300).await;
        assert_eq!(json!(slow_reader.turns), thread["turns"]);
    });
}

#[test]
fn what_a_client_does_not_want_it_does_not_hear() {
    let home = Home::samples();
    let (id, path, lines) = sample(&home, Harness::Codex);
    fs::write(&path, lines[..2].concat()).unwrap();
    let hello = json!({"id": 0, "method": "initialize", "params": {
        "clientInfo": {"name": "t", "version": "1"},
        "capabilities": {"optOutNotificationMethods": ["item/started", "turn/started"]}
    }});
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect_with(&shared, &hello.to_string()).await;
        client.ask("thread/resume", json!({"threadId": id})).await;
        append(&path, &lines[2..].concat());
        let mut heard = 0;
        while let Some(message) = client.hear(400).await {
            heard += 1;
            assert!(!message["method"].as_str().unwrap().ends_with("/started"), "{message}");
        }
        assert!(heard > 2);
    });
}

#[test]
fn a_thread_that_was_quiet_for_long_is_heard_as_soon() {
    let home = Home::samples();
    let (id, path, lines) = sample(&home, Harness::Codex);
    fs::write(&path, lines[..2].concat()).unwrap();
    runtime().block_on(async {
        let shared = Shared::new(home.server());
        let mut client = Client::connect(&shared).await;
        client.ask("thread/resume", json!({"threadId": id})).await;
        let mut waits = Vec::new();
        for n in 0..3 {
            while client.hear(2_300).await.is_some() {}
            let begins = format!(r#"{{"type":"task_started","turn_id":"turn-{n}"}}"#);
            append(&path, &now("event_msg", &begins));
            let written = std::time::Instant::now();
            assert!(client.hear(5_000).await.is_some());
            waits.push(written.elapsed());
        }
        // Not each of them: the machine may be busy with other tests.
        waits.sort();
        assert!(waits[0] < std::time::Duration::from_millis(200), "{waits:?}");
    });
}
