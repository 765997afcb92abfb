//! The corpus beside the project, where it is: our turns against the answers of Codex's own app-server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Files, thread_of};

pub(super) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/codex");
    path.is_dir().then_some(path)
}

pub(super) fn rollouts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            rollouts(&path, found);
        } else if path.extension().is_some_and(|e| e == "jsonl")
            && path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("rollout-"))
        {
            found.push(path);
        }
    }
}

fn turns(answer: &Path) -> Option<Value> {
    let answer: Value = serde_json::from_slice(&std::fs::read(answer).ok()?).ok()?;
    let turns = answer["result"]["thread"]["turns"].clone();
    turns.is_array().then_some(turns)
}

/// The first place where ours lacks or contradicts something of theirs; more in ours is fine.
fn difference(theirs: &Value, ours: &Value, path: &str) -> Option<String> {
    match (theirs, ours) {
        (Value::Object(a), Value::Object(b)) => {
            a.iter().find_map(|(key, value)| match b.get(key) {
                Some(other) => difference(value, other, &format!("{path}.{key}")),
                None if value.is_null() => None,
                None => Some(format!("{path}.{key} is missing")),
            })
        }
        (Value::Array(a), Value::Array(b)) => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(n, (x, y))| difference(x, y, &format!("{path}[{n}]")))
            .or_else(|| {
                (a.len() != b.len()).then(|| format!("{path}: {} for {}", b.len(), a.len()))
            }),
        _ => (theirs != ours).then(|| format!("{path}: {ours} for {theirs}")),
    }
}

#[test]
fn turns_equal_what_codex_answers() {
    let Some(corpus) = corpus() else { return };
    let mut compared = 0;
    for case in std::fs::read_dir(corpus).unwrap() {
        let case = case.unwrap().path();
        let mut files = Vec::new();
        rollouts(&case.join("home"), &mut files);
        let mut by_thread: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
        let mut bases = Files::default();
        for file in files {
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            let ids = &stem["rollout-2026-01-01T00-00-00-".len()..];
            let (thread, rollout) = ids.split_once('_').unwrap_or((ids, ids));
            bases.0.insert(rollout.to_owned(), std::fs::read(&file).unwrap());
            by_thread.entry(thread.to_owned()).or_default().insert(rollout.to_owned(), file);
        }
        for (id, rollouts) in by_thread {
            let newest = std::fs::read(rollouts.values().next_back().unwrap()).unwrap();
            let answer = |kind: &str| turns(&case.join("oracle").join(format!("{id}.{kind}.json")));
            let some = |turns: &Value| turns.as_array().is_some_and(|t| !t.is_empty());
            // Without its database Codex reads nothing of a paginated thread; after resuming it knows all.
            let Some(theirs) = answer("read").filter(some).or_else(|| answer("resume")) else {
                continue;
            };
            let mut thread = thread_of(&newest, &bases);
            for turn in &mut thread.turns {
                turn.items.retain(|i| !i.recovered);
            }
            let ours = serde_json::to_value(&thread.turns).unwrap();
            let found = difference(&theirs, &ours, "turns");
            assert_eq!(found, None, "{} {id}", case.display());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
