//! Search, and what belongs to it.

use std::fs;

use crate::environment::TestEnvironment;

#[test]
fn search() {
    let env = TestEnvironment::new();
    insta::assert_snapshot!("search-80", env.print("--sample search round* cart"));
    insta::assert_snapshot!(
        "search-coloured-60",
        env.with("COLUMNS", "60").print("--sample --color always search role:user login --hits 1")
    );
    let env = TestEnvironment::new();
    insta::assert_snapshot!(
        "search-context-80",
        env.print("--sample search three_thirds --context 1 --hits 1")
    );
    insta::assert_snapshot!("search-similar-80", env.print("--sample search roundng --limit 1"));
}

#[test]
fn programs() {
    let env = TestEnvironment::new();
    let hits = env.json("--sample search --json float OR rounding");
    let hits = hits.as_array().unwrap();
    assert!(!hits.is_empty());
    for hit in hits {
        assert!(hit["id"].is_string() && hit["score"].as_f64().unwrap() > 0.0);
        let snippet: Vec<char> = hit["snippet"].as_str().unwrap().chars().collect();
        for mark in hit["marks"].as_array().unwrap() {
            let (from, to) =
                (mark[0].as_u64().unwrap() as usize, mark[1].as_u64().unwrap() as usize);
            let marked: String = snippet[from..to].iter().collect();
            assert!(["float", "rounding"].contains(&marked.to_lowercase().as_str()), "{marked}");
        }
    }
    // The hit can be opened by what it says.
    let hit = hits.iter().find(|h| h["itemId"].is_string() && h["branch"].is_null()).unwrap();
    let (id, item) = (hit["id"].as_str().unwrap(), hit["itemId"].as_str().unwrap());
    let shown = env.json(&format!("--sample show {id} --at {item} --json"));
    assert_eq!(shown["turns"][0]["items"][0]["id"], item);
    assert_eq!(shown["turns"][0]["id"], hit["turnId"]);
    let ids = env.print("--sample search --ids float OR rounding");
    assert!(ids.lines().any(|line| line == id));
}

#[test]
fn nothing_found_and_bad_queries() {
    let env = TestEnvironment::new();
    let ran = env.run("--sample search xyzzyxyzzyxyzzy");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let ran = env.run("--sample search --json xyzzyxyzzyxyzzy");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "[]\n"));
    for (query, message) in [
        ("role:cook x", "no role `cook`"),
        ("since:whenever x", "`whenever`"),
        ("/(/", "is no pattern"),
    ] {
        let ran = env.run(&format!("--sample search {query}"));
        assert_eq!(ran.code, 2, "{query}");
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn files() {
    let env = TestEnvironment::new();
    insta::assert_snapshot!("files-80", env.print("--sample files src/cart.rs"));
    let rows = env.json("--sample files cart.rs --json");
    assert!(rows.as_array().unwrap().iter().all(|r| !r["files"].as_array().unwrap().is_empty()));
    let ran = env.run("--sample files nowhere.rs");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, "error: no session touched `nowhere.rs`\n"));
}

#[test]
fn the_index_is_kept() {
    let env = TestEnvironment::new();
    let session = "11111111-1111-4111-8111-111111111111";
    let line = format!(
        r#"{{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"{session}","cwd":"/home/dev/shop","timestamp":"2026-10-01T10:00:00.000Z","message":{{"role":"user","content":"needle"}}}}"#
    );
    let path = format!(".claude/projects/-home-dev-shop/{session}.jsonl");
    env.file(&path, line + "\n");
    assert_eq!(env.print("search --ids needle"), format!("{session}\n"));
    let status = env.json("index status --json");
    assert_eq!((status["transcripts"].as_u64(), status["sessions"].as_u64()), (Some(1), Some(1)));
    assert!(env.home().join(".cache/recount/search-4/1/table.db").exists());
    // Rebuilding gives the same; what is gone is taken out.
    env.print("index rebuild");
    assert_eq!(env.print("search --ids needle"), format!("{session}\n"));
    fs::remove_file(env.home().join(&path)).unwrap();
    assert_eq!(env.json("index prune --json")["sessions"], 0);
    // Without a cache none is made.
    let env = TestEnvironment::new();
    env.run("search --no-cache needle");
    assert!(!env.home().join(".cache").exists());
}

/// A line of a Claude Code session.
#[test]
fn samples_leave_a_persons_index_alone() {
    let env = TestEnvironment::new();
    env.file(".claude/projects/-home-dev-shop/s.jsonl", line("s", 0, "a word") + "\n");
    env.run("search word");
    let status = env.json("index status --json");
    assert_eq!(status["sessions"], 1);
    for action in ["rebuild", "prune", "status"] {
        let samples = env.json(&format!("--sample index {action} --json"));
        assert_ne!(samples["folder"], status["folder"], "{action}");
        assert_eq!(env.json("index status --json"), status, "{action}");
    }
}

fn line(session: &str, n: usize, text: &str) -> String {
    let parent = n.checked_sub(1).map_or("null".to_owned(), |n| format!("\"u{n}\""));
    format!(
        r#"{{"type":"user","uuid":"u{n}","parentUuid":{parent},"sessionId":"{session}","cwd":"/home/dev/shop","timestamp":"2026-10-01T10:00:00.000Z","message":{{"role":"user","content":"{text}"}}}}"#
    ) + "\n"
}

#[test]
fn killed_at_any_moment_by_two_at_once() {
    const WORDS: [&str; 4] = ["alpha", "beta", "gamma", "delta"];
    let env = TestEnvironment::new();
    let sessions: Vec<String> =
        (0..30).map(|n| format!("{n:08}-1111-4111-8111-111111111111")).collect();
    let mut written = 0;
    for round in 0..12_usize {
        for (n, session) in sessions.iter().enumerate() {
            let path = env.home().join(format!(".claude/projects/-home-dev-shop/{session}.jsonl"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let mut text = fs::read_to_string(&path).unwrap_or_default();
            for _ in 0..20 {
                let said = [WORDS[(n + round) % 4], WORDS[written % 4]].join(" ");
                text += &line(session, text.lines().count(), &said);
                written += 1;
            }
            fs::write(&path, text).unwrap();
        }
        let mut children = [env.start("search --ids alpha"), env.start("search --ids beta")];
        // The system's own measure of time is random enough.
        std::thread::sleep(std::time::Duration::from_millis((round as u64 * 37) % 200));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    std::thread::sleep(std::time::Duration::from_millis(250));
    for word in WORDS {
        let hits = |more: &str| {
            let rows = env.run(&format!("search --jsonl --limit 1000 --hits 100000 {more} {word}"));
            let rows = rows.stdout.lines().map(|row| {
                let row: serde_json::Value = serde_json::from_str(row).unwrap();
                (row["id"].to_string(), row["itemId"].to_string())
            });
            rows.collect::<std::collections::BTreeSet<_>>()
        };
        let (kept, fresh) = (hits(""), hits("--no-cache"));
        assert!(kept.len() > 1000, "{}", kept.len());
        assert!(kept == fresh, "`{word}`: {} hits, in a fresh index {}", kept.len(), fresh.len());
    }
}

#[test]
fn lists_use_the_index() {
    let env = TestEnvironment::new();
    let sessions = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
    for (n, session) in sessions.iter().enumerate() {
        let text = line(session, 0, "first") + &line(session, 1, ["alpha", "beta"][n]);
        env.file(&format!(".claude/projects/-home-dev-shop/{session}.jsonl"), text);
    }
    // What was written just now is not believed to stay.
    std::thread::sleep(std::time::Duration::from_millis(250));
    let turns = |list: &serde_json::Value| list[0]["turns"].as_u64();
    assert_eq!(turns(&env.json("ls --json")), None);
    let found = env.json("ls --json --search beta");
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!((&found[0]["id"], turns(&found)), (&sessions[1].into(), Some(2)));
    let list = env.json("ls --json");
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert_eq!((turns(&list), list[1]["humanPrompts"].as_u64()), (Some(2), Some(2)));
    assert_eq!(turns(&env.json("ls --json --no-cache")), None);
    let full = env.json("ls --json --full");
    for key in ["turns", "humanPrompts", "model"] {
        assert_eq!(list[0][key], full[0][key], "{key}");
    }
    assert_eq!(env.run("ls --search nowhere").code, 1);
    // What grew is read for the list, too.
    let file = format!(".claude/projects/-home-dev-shop/{}.jsonl", sessions[1]);
    let grown = line(sessions[1], 0, "first") + &line(sessions[1], 1, "beta");
    env.file(&file, grown + &line(sessions[1], 2, "gamma"));
    std::thread::sleep(std::time::Duration::from_millis(250));
    let list = env.json("ls --json");
    let own = list.as_array().unwrap().iter().find(|s| s["id"] == sessions[1]).unwrap();
    assert_eq!(own["turns"], 3);
}

#[test]
fn lists_tell_tokens_and_cost() {
    let env = TestEnvironment::new();
    let list = env.json("--sample ls --json --usage --all");
    let usage = env.json("--sample usage --json --by session");
    let usage = usage.as_array().unwrap();
    let mut told = 0;
    for session in list.as_array().unwrap() {
        let row = usage.iter().find(|row| row["key"] == session["id"]);
        let field = |name: &str| row.map_or(&serde_json::Value::Null, |row| &row[name]);
        for name in ["totalTokens", "costUsd"] {
            let own = session["usage"].get(name).unwrap_or(&serde_json::Value::Null);
            assert_eq!(own, field(name), "{session}");
        }
        told += usize::from(row.is_some());
    }
    assert!(told > 2);
    insta::assert_snapshot!("ls-usage-80", env.print("--sample ls --usage"));
    // Nobody asked: no keys.
    assert!(env.json("--sample ls --json")[0].get("usage").is_none());
}

/// What is found can be opened, on branches that were left too, and by the words that the hit is shown with.
#[test]
fn a_hit_on_a_branch_that_was_left_opens() {
    let env = TestEnvironment::new();
    let session = "33333333-3333-4333-8333-333333333333";
    let line = |id: &str, parent: &str, minute: u32, text: &str| {
        format!(
            r#"{{"type":"user","uuid":"{id}","parentUuid":{parent},"sessionId":"{session}","cwd":"/home/dev/shop","timestamp":"2026-10-01T10:{minute:02}:00.000Z","message":{{"role":"user","content":"{text}"}}}}"#
        ) + "\n"
    };
    let lines = [
        line("u1", "null", 0, "first"),
        line("u2", "\"u1\"", 1, "deserted"),
        line("u3", "\"u1\"", 2, "instead"),
    ];
    env.file(&format!(".claude/projects/-home-dev-shop/{session}.jsonl"), lines.concat());
    let hits = env.json("search --json deserted");
    let (item, leaf) = (hits[0]["itemId"].as_str().unwrap(), hits[0]["branch"].as_str().unwrap());
    assert!(env.print("search deserted").contains(&format!("on the branch {leaf} that was left")));
    let shown = env.print(&format!("show {session} --at {item}"));
    assert!(shown.contains("deserted") && !shown.contains("instead"), "{shown}");
    for arguments in ["search deserted --limit 0", "search deserted --hits 0"] {
        assert_eq!(env.run(arguments).code, 2, "{arguments}");
    }
}
