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
    assert!(env.home().join(".cache/recount/search-1/table.db").exists());
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
