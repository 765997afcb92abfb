//! Tokens and cost, in the ways in which they can be asked for.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::environment::TestEnvironment;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

/// A line of an answer of Claude Code.
fn answer(id: &str, time: &str, model: &str, output: u64) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"{time}","cwd":"/home/dev/shop","message":{{"id":"{id}","model":"{model}","usage":{{"input_tokens":1000,"output_tokens":{output}}}}}}}"#
    ) + "\n"
}

/// A home with a session of Claude Code, with copies, split lines and its own reckoning.
fn place() -> TestEnvironment {
    let environment = TestEnvironment::new();
    let lines = [
        answer("m1", "2026-11-09T22:30:00Z", "claude-opus-5-5", 1),
        answer("m1", "2026-11-09T22:30:01Z", "claude-opus-5-5", 100),
        answer("m2", "2026-11-10T10:10:00Z", "house-model", 200),
        answer("m3", "2026-11-10T11:10:00Z", "<synthetic>", 0),
        r#"{"type":"cost-state","sessionId":"s","totalCostUSD":1.5,"modelUsage":{"claude-opus-5-5":{"inputTokens":4000,"outputTokens":500,"cacheReadInputTokens":0,"cacheCreationInputTokens":0}}}"#.to_owned(),
    ];
    environment.file(&path(SESSION), lines.concat());
    // A fork repeats the first answer, and what its writer made of the second one is no line.
    let fork = answer("m1", "2026-11-09T22:30:01Z", "claude-opus-5-5", 100)
        .replace(r#""cwd""#, &format!(r#""forkedFrom":{{"sessionId":"{SESSION}"}},"cwd""#));
    environment.file(
        &path("22222222-2222-4222-8222-222222222222"),
        fork + r#"{"type":"assistant","usage""#,
    );
    environment
}

fn path(id: &str) -> String {
    format!(".claude/projects/-home-dev-shop/{id}.jsonl")
}

fn rows(value: &Value) -> BTreeMap<String, (u64, u64)> {
    let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
    let row = |row: &Value| {
        let key = row["key"].as_str().unwrap().to_owned();
        (key, (number(row, "responses"), number(row, "outputTokens")))
    };
    value.as_array().unwrap().iter().map(row).collect()
}

fn row(key: &str, responses: u64, output: u64) -> (String, (u64, u64)) {
    (key.to_owned(), (responses, output))
}

#[test]
fn rows_and_filters() {
    let place = place();
    let ask = |arguments: &str| rows(&place.json(&format!("usage --json {arguments}")));
    let days = [row("2026-11-09", 1, 100), row("2026-11-10", 1, 200)];
    assert_eq!(ask(""), BTreeMap::from(days));
    assert_eq!(
        ask("--timezone Europe/Berlin"),
        BTreeMap::from([row("2026-11-09", 1, 100), row("2026-11-10", 1, 200)])
    );
    assert_eq!(ask("--timezone Asia/Tokyo"), BTreeMap::from([row("2026-11-10", 2, 300)]));
    assert_eq!(ask("--since 2026-11-10"), BTreeMap::from([row("2026-11-10", 1, 200)]));
    assert_eq!(ask("--until 2026-11-09"), BTreeMap::from([row("2026-11-09", 1, 100)]));
    assert_eq!(ask("--model HOUSE"), BTreeMap::from([row("2026-11-10", 1, 200)]));
    assert_eq!(ask("--by session --project /home/dev"), BTreeMap::from([row(SESSION, 2, 300)]));
    assert_eq!(place.run("usage --project /home/de").code, 1);
    assert_eq!(place.run("usage --harness pi").code, 1);
    assert_eq!(place.run("usage --timezone Nowhere/At_All").code, 2);
    let two = place.json("usage --json --by harness,model");
    assert_eq!(two[0]["keys"]["harness"], "claude-code");
    assert_eq!(two.as_array().unwrap().len(), 2);
}

#[test]
fn a_block_of_hours_tells_how_fast_it_was_used() {
    let place = place();
    let blocks = place.json("usage --json --by hour-block");
    assert_eq!(blocks[1]["key"], "2026-11-10 10:00");
    assert_eq!(blocks[1]["burnRate"]["tokensPerMinute"], 1200.0);
    let text = place.print("usage --by hour-block");
    // 1,200 tokens in the 110 minutes since 10:10.
    assert!(text.contains("now: 10 tokens a minute"), "{text}");
    assert!(text.contains("in 3h"), "{text}");
}

#[test]
fn an_audit_tells_why_each_line_counts_or_not() {
    let place = place();
    let entries = place.json("usage --audit --json");
    let said: Vec<(u64, bool, &str)> = entries
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["line"].as_u64().unwrap(), e["counted"] == true, e["reason"].as_str().unwrap()))
        .collect();
    let want = [
        (1, false, "split line"),
        (2, true, "counted"),
        (3, true, "counted"),
        (4, false, "synthetic message"),
        (1, false, "copy"),
        (2, false, "damaged line"),
    ];
    assert_eq!(said, want);
    assert_eq!(entries[4]["instead"]["line"], 2);
    let text = place.print(&format!("usage --audit {SESSION}"));
    assert!(text.ends_with("2 count: 2,300 tokens\n"), "{text}");
}

#[test]
fn prices_are_the_persons_then_the_datas_and_unknown_ones_are_named() {
    let place = place().with("XDG_CONFIG_HOME", "/nowhere");
    let unpriced = place.json("usage --json --by model");
    let by_key = |rows: &Value, key: &str| {
        rows.as_array().unwrap().iter().find(|row| row["key"] == key).cloned().unwrap()
    };
    assert_eq!(by_key(&unpriced, "house-model")["costUsd"], Value::Null);
    assert_eq!(by_key(&unpriced, "house-model")["unpriced"]["house-model"], 1);
    assert!(place.print("usage").contains("No price is known for house-model (1 responses)"));
    let config = place.home().join("config");
    let place = place.with("XDG_CONFIG_HOME", config.to_str().unwrap());
    place.file("config/recount/config.toml", "[prices.house-model]\ninput = 1\noutput = 10\n");
    let priced = by_key(&place.json("usage --json --by model"), "house-model");
    // 1,000 tokens in and 200 out.
    assert!((priced["costUsd"].as_f64().unwrap() - 0.003).abs() < 1e-12, "{priced}");
    let stored = by_key(&place.json("usage --json --by model --cost stored"), "house-model");
    assert_eq!(stored["costUsd"], Value::Null);
    place.file("config/recount/config.toml", "[prices.house-model]\ninputs = 1\n");
    let ran = place.run("usage");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("config.toml"), "{}", ran.stderr);
}

#[test]
fn what_the_harness_claims_stands_beside() {
    let place = place();
    let named = place.json(&format!("usage {SESSION} --json"));
    assert_eq!(named[0]["totalTokens"], 2300);
    assert_eq!(named[0]["claimed"]["totalTokens"], 4500);
    assert_eq!(named[0]["claimed"]["costUsd"], 1.5);
    let text = place.print(&format!("usage {SESSION}"));
    assert!(
        text.contains("itself counts 4.5k tokens (2.2k more than the responses above), $1.50"),
        "{text}"
    );
    let all = place.json("usage --by session --json");
    assert!(all[0].get("claimed").is_none());
}

#[test]
fn without_a_cache_nothing_is_touched() {
    let place = place();
    let cache = place.home().join("cache");
    let place = place.with("RECOUNT_CACHE_DIR", cache.to_str().unwrap());
    place.print("usage --no-cache");
    place.run_with("statusline --no-cache", "{}");
    assert!(!cache.exists());
    place.print("usage");
    assert!(cache.exists());
}

#[test]
fn charts() {
    let place = place();
    let text = place.print("usage --by day --plot --cost stored");
    assert!(text.contains('█') && text.contains("2026-11-09"), "{text}");
    place.print("usage --by day --svg days.svg --json");
    let picture = std::fs::read_to_string(place.home().join("days.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("2026-11-10"));
}

#[test]
fn the_status_line_tells_session_day_and_block() {
    let place = place();
    place.file("config/recount/config.toml", "[prices.house-model]\ninput = 1\noutput = 10\n");
    let config = place.home().join("config");
    let place = place.with("XDG_CONFIG_HOME", config.to_str().unwrap());
    let input = format!(r#"{{"session_id":"{SESSION}","model":{{"display_name":"House"}}}}"#);
    let ran = place.run_with("statusline", &input);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for part in ["House", "$0.0030 today", "block, 3h", "1.0k context"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    // Its own figures go before ours.
    let told = r#"{"model":{"id":"m"},"cost":{"total_cost_usd":2},"context_window":{"used_percentage":41.6}}"#;
    let ran = place.run_with("statusline", told);
    assert!(ran.stdout.starts_with("m · $2.00 session"), "{}", ran.stdout);
    assert!(ran.stdout.contains("42% context"), "{}", ran.stdout);
    assert_eq!(place.run_with("statusline", "no json").code, 3);
}

#[test]
fn the_status_line_takes_whatever_it_is_told() {
    let place = place();
    for told in [
        r#"{"session_id":null,"model":null,"cost":null,"context_window":null}"#,
        r#"{"session_id":3,"model":"claude","cost":{"total_cost_usd":"0.5"},"context_window":[]}"#,
        r#"{"cost":{"total_cost_usd":1e300},"context_window":{"used_percentage":-5}}"#,
        r#"{"cost":{"total_cost_usd":-1},"cost":{},"context_window":{"used_percentage":1e300}}"#,
    ] {
        let ran = place.run_with("statusline", told);
        // One response of today is of a model without a price.
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, "Claude Code · ? today · ? block, 3h 00m left\n"),
            "{told}"
        );
    }
    let part = place.run_with("statusline", r#"{"model":{"id":null,"display_name":"O"}}"#);
    assert!(part.stdout.starts_with("O · "), "{}", part.stdout);
    // Nothing was used.
    let nothing = TestEnvironment::new().run_with("statusline", "{}");
    assert_eq!(nothing.stdout, "Claude Code · $0.00 today\n");
    // A clock was wrong.
    let future = TestEnvironment::new();
    future.file(&path(SESSION), answer("m", "2999-01-01T00:00:00Z", "claude-opus-5-5", 1));
    assert_eq!(future.run_with("statusline", "{}").stdout, "Claude Code · $0.00 today\n");
}

#[test]
fn prices_that_are_none_are_refused() {
    let place = place();
    let config = place.home().join("config");
    let place = place.with("XDG_CONFIG_HOME", config.to_str().unwrap());
    for wrong in [
        "",
        "input = 1",
        "input = -1\noutput = 1",
        "input = nan\noutput = 1",
        "input = 1\noutput = inf",
    ] {
        place.file("config/recount/config.toml", format!("[prices.house-model]\n{wrong}\n"));
        let ran = place.run("usage");
        assert_eq!(
            (ran.code, ran.stderr.contains("config.toml")),
            (2, true),
            "{wrong}: {}",
            ran.stderr
        );
    }
    // What is cached costs what input does, unless it is said.
    let cached = answer("m9", "2026-11-10T10:20:00Z", "house-model", 0)
        .replace(r#""input_tokens":1000"#, r#""input_tokens":0,"cache_read_input_tokens":1000000"#);
    place.file(&path("33333333-3333-4333-8333-333333333333"), cached);
    place.file("config/recount/config.toml", "[prices.house-model]\ninput = 1\noutput = 10\n");
    let rows = place.json("usage --json --by session --model house");
    let cost = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["key"] == "33333333-3333-4333-8333-333333333333");
    assert!((cost.unwrap()["costUsd"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{rows}");
}

#[test]
fn costs_that_are_none_are_computed_or_named() {
    let environment = TestEnvironment::new();
    let with = |id: &str, model: &str, cost: &str| {
        answer(id, "2026-11-09T22:30:00Z", model, 100).replacen(
            '{',
            &format!(r#"{{"costUSD":{cost},"#),
            1,
        )
    };
    let lines = [
        with("a", "no-such-model", "0"),
        with("b", "nor-this", "-5"),
        with("c", "claude-opus-5-5", "1e300"),
    ];
    environment.file(&path(SESSION), lines.concat());
    let rows = environment.json("usage --json --by model");
    for row in rows.as_array().unwrap() {
        let is_known = row["key"] == "claude-opus-5-5";
        assert_eq!(row["costUsd"].as_f64().is_some_and(|cost| cost < 1.0), is_known, "{row}");
        assert_eq!(row.get("unpriced").is_some(), !is_known, "{row}");
    }
    // Absurd numbers of tokens count nothing.
    let absurd = answer("d", "2026-11-09T22:30:00Z", "claude-opus-5-5", 7)
        .replace(r#""input_tokens":1000"#, r#""input_tokens":10000000000000000000"#);
    environment.file(&path(SESSION), absurd);
    assert_eq!(environment.json("usage --json")[0]["totalTokens"], 7);
}

#[test]
fn an_audit_shows_what_is_asked_for() {
    let place = place();
    // A copy goes with its source, and what is no response with its file.
    assert_eq!(place.run("usage --audit --since 2030-01-01").code, 1);
    assert_eq!(place.run("usage --audit --harness pi").code, 1);
    let day = place.json("usage --audit --json --until 2026-11-09");
    let said: Vec<_> =
        day.as_array().unwrap().iter().map(|e| e["reason"].as_str().unwrap()).collect();
    assert_eq!(said, ["split line", "counted", "copy"]);
    // Sessions of a database have each their own lines.
    let samples = place.json("--sample usage --audit --json --harness opencode");
    let sessions: std::collections::BTreeSet<_> =
        samples.as_array().unwrap().iter().map(|e| e["session"].as_str().unwrap()).collect();
    assert!(sessions.len() > 1);
    assert!(
        place
            .print("--sample usage --audit --harness opencode")
            .contains("opencode.db, session ses_")
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    let environment = TestEnvironment::new();
    environment
        .file("share/opencode/opencode.db", "this is no database, and no more will be read of it");
    let data = environment.home().join("share");
    let environment = environment.with("XDG_DATA_HOME", data.to_str().unwrap());
    let ran = environment.run("usage --no-cache");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("opencode.db"), "{}", ran.stderr);
}
