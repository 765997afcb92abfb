//! The two programs' answers about the same home.

use serde_json::{Map, Value, json};

use super::cases::Stage;
use super::program::App;

/// How much was compared.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) threads: usize,
    pub(super) turns: usize,
    pub(super) items: usize,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Self) {
        self.threads += other.threads;
        self.turns += other.turns;
        self.items += other.items;
    }
}

/// Members of a thread that are compared. Times of files and what a program is doing with it may differ.
const THREAD: &[&str] = &[
    "id",
    "sessionId",
    "forkedFromId",
    "parentThreadId",
    "preview",
    "historyMode",
    "modelProvider",
    "createdAt",
    "cwd",
    "cliVersion",
    "originator",
    "source",
    "name",
];

/// Compares all answers about the threads of a home.
pub(super) fn homes(
    stage: &mut Stage<'_>,
    threads: &[String],
) -> Result<(Counts, Vec<String>), String> {
    let mut counts = Counts::default();
    let mut found = Vec::new();
    let mut theirs = App::codex(stage.programs, stage.home())?;
    for archived in [false, true] {
        let mut ours = App::recount(stage.programs, stage.home())?;
        let list = json!({"archived": archived, "modelProviders": []});
        let [mut a, b] = [theirs.call("thread/list", &list)?, ours.call("thread/list", &list)?]
            .map(|answer| listed(&answer, threads));
        let before = a.len();
        a.dedup();
        if a.len() < before {
            stage.notes.push("Codex lists a reverted thread twice, recount once".to_owned());
        }
        if a != b {
            found.push(format!("list (archived: {archived}): Codex {a:?}, recount {b:?}"));
        }
    }
    for id in threads {
        let archived = stage.is_archived(id);
        if archived {
            // Codex loads no archived thread, and shows no paginated one that it has not loaded.
            continue;
        }
        counts.threads += 1;
        let resumed = theirs.call("thread/resume", &json!({"threadId": id}))?;
        // A program of its own for each thread: what Codex has just done to the files has to be seen.
        let mut ours = App::recount(stage.programs, stage.home())?;
        let read = json!({"threadId": id, "includeTurns": true});
        let mine = ours.call("thread/read", &read)?;
        let read = theirs.call("thread/read", &read)?;
        for key in THREAD {
            let [a, b] = [&read["thread"][key], &mine["thread"][key]];
            if a != b {
                found.push(format!("thread {id}: `{key}` is {a} for Codex, {b} for recount"));
            }
        }
        let mine = &mine["thread"]["turns"];
        counts.turns += mine.as_array().map_or(0, Vec::len);
        counts.items +=
            mine.as_array().into_iter().flatten().map(|t| len(&t["items"])).sum::<usize>();
        turns(&mut found, "resume", &resumed["thread"]["turns"], mine);
        turns(&mut found, "read", &read["thread"]["turns"], mine);
        let page =
            json!({"threadId": id, "sortDirection": "asc", "itemsView": "full", "limit": 1000});
        let [a, b] =
            [theirs.call("thread/turns/list", &page)?, ours.call("thread/turns/list", &page)?];
        turns(&mut found, "turns/list", &a["data"], &b["data"]);
    }
    Ok((counts, found))
}

/// Ids and names of the threads that are listed.
fn listed(answer: &Value, threads: &[String]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = answer["data"]
        .as_array()
        .into_iter()
        .flatten()
        // Codex lists no thread without a prompt.
        .filter(|t| t["preview"].as_str().is_some_and(|p| !p.is_empty()))
        .map(|t| (t["id"].as_str().unwrap_or_default().to_owned(), t["name"].to_string()))
        .filter(|(id, _)| threads.contains(id))
        .collect();
    all.sort();
    all
}

fn len(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

/// Compares turns, item by item.
fn turns(found: &mut Vec<String>, what: &str, theirs: &Value, mine: &Value) {
    if len(theirs) != len(mine) {
        found.push(format!("{what}: {} turns for Codex, {} for recount", len(theirs), len(mine)));
    }
    let pairs = theirs.as_array().into_iter().flatten().zip(mine.as_array().into_iter().flatten());
    for (a, b) in pairs {
        let id = a["id"].as_str().unwrap_or_default();
        if len(&a["items"]) != len(&b["items"]) {
            let types = |t: &Value| -> Vec<String> {
                t["items"].as_array().into_iter().flatten().map(|i| i["type"].to_string()).collect()
            };
            found.push(format!(
                "{what}, turn {id}: {:?} for Codex, {:?} for recount",
                types(a),
                types(b)
            ));
        }
        let without = |turn: &Value| {
            let mut turn = turn.as_object().cloned().unwrap_or_default();
            turn.remove("items");
            filled(&turn)
        };
        if without(a) != without(b) {
            found.push(format!(
                "{what}, turn {id}: {:?} for Codex, {:?} for recount",
                without(a),
                without(b)
            ));
        }
        let items = a["items"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(b["items"].as_array().into_iter().flatten());
        for (a, b) in items {
            let [x, y] = [a, b].map(|i| filled(i.as_object().unwrap_or(&Map::new())));
            if x != y {
                found.push(format!("{what}, item {}: `{a}` for Codex, `{b}` for recount", a["id"]));
            }
        }
    }
}

/// The members that are not null, at every depth.
fn filled(object: &Map<String, Value>) -> Map<String, Value> {
    object
        .iter()
        .filter(|(_, v)| !v.is_null())
        .map(|(k, v)| (k.clone(), without_nulls(v)))
        .collect()
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(filled(object)),
        Value::Array(all) => Value::Array(all.iter().map(without_nulls).collect()),
        _ => value.clone(),
    }
}
