//! Answers of Codex's own server, where the corpus stands beside the repository.

use std::fs;
use std::path::PathBuf;

use recount_formats::Harness;
use serde_json::{Value, json};

use crate::support::{Home, shared};

/// The cases of a harness; none without the corpus.
pub(crate) fn cases(harness: Harness) -> Vec<PathBuf> {
    let Some(folder) = shared(&format!("corpus/{}", harness.id())) else { return Vec::new() };
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|case| case.join("home").is_dir())
        .collect();
    cases.sort();
    cases
}

fn read(path: &PathBuf) -> Option<Value> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

/// Whether everything of Codex's answer stands in ours; ours may have more.
fn has(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => theirs
            .iter()
            .all(|(key, value)| ours.get(key).map_or(value.is_null(), |own| has(value, own))),
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(a, b)| has(a, b))
        }
        _ => theirs == ours,
    }
}

/// All entries of the pages that Codex gave.
fn pages(answers: &Value) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for answer in answers.as_array()? {
        all.extend(answer["result"]["data"].as_array()?.iter().cloned());
    }
    Some(all)
}

/// All entries of our pages, however small they are, and as often as they are asked for from both ends.
fn ours(home: &Home, method: &str, params: &Value, limit: u32) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut params = params.clone();
        params["limit"] = json!(limit);
        params["cursor"] = cursor;
        let page = home.one(method, params);
        all.extend(page["data"].as_array().unwrap().iter().cloned());
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return all;
        }
    }
}

#[test]
fn turns_and_items_come_as_codex_gives_them() {
    let mut compared = 0;
    for case in cases(Harness::ALL[0]) {
        let mut home = Home::new();
        home.add(Harness::ALL[0], &case.join("home"));
        let Ok(oracle) = fs::read_dir(case.join("oracle")) else { continue };
        for path in oracle.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let Some((id, kind)) = name.split_once('.') else { continue };
            let (method, params) = match kind {
                "turns-asc-full.json" => (
                    "thread/turns/list",
                    json!({"threadId": id, "sortDirection": "asc", "itemsView": "full"}),
                ),
                "turns-desc-summary.json" => ("thread/turns/list", json!({"threadId": id})),
                "items-asc.json" => ("thread/items/list", json!({"threadId": id})),
                _ => continue,
            };
            let Some(theirs) = read(&path).as_ref().and_then(pages) else { continue };
            // Without its databases Codex finds nothing; the rollout has it all.
            if theirs.is_empty() {
                continue;
            }
            let mut own = ours(&home, method, &params, 40);
            if method == "thread/items/list" {
                for entry in theirs.iter().zip(&mut own) {
                    // The times at which an item began and ended are not kept apart.
                    entry.1["startedAtMs"] = entry.0["startedAtMs"].clone();
                    entry.1["completedAtMs"] = entry.0["completedAtMs"].clone();
                }
            }
            // A turn that a killed program left open: Codex's projection knows no answer of it.
            if kind == "turns-desc-summary.json" {
                for (theirs, own) in theirs.iter().zip(&mut own) {
                    let open = theirs["completedAt"].is_null();
                    if open && theirs["items"].as_array().is_some_and(|items| items.len() == 1) {
                        own["items"] = theirs["items"].clone();
                    }
                }
            }
            assert!(has(&json!(theirs), &json!(own)), "{}\n{theirs:#?}\n{own:#?}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 100 || shared("corpus").is_none(), "{compared}");
}
