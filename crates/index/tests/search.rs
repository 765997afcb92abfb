//! Search finds every word, whatever happens to the transcripts and to the index.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use recount_formats::Harness;
use recount_index::search::{Found, How, Index, Options, Query, Role, Touch};
use recount_store::Store;
use recount_store::container::sqlite;

pub(crate) const ONE: &str = "11111111-1111-4111-8111-111111111111";
pub(crate) const TWO: &str = "22222222-2222-4222-8222-222222222222";

pub(crate) struct Place {
    folder: tempfile::TempDir,
    pub(crate) store: Store,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("claude");
        fs::create_dir_all(root.join("projects/-home-dev-shop")).unwrap();
        Self { store: Store { harness: Harness::ClaudeCode, root }, folder }
    }

    pub(crate) fn path(&self, id: &str) -> PathBuf {
        self.store.root.join(format!("projects/-home-dev-shop/{id}.jsonl"))
    }

    pub(crate) fn write(&self, id: &str, lines: &[String]) {
        let path = self.path(id);
        fs::write(&path, lines.concat()).unwrap();
        old(&path);
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// The folder of the index in the cache.
    pub(crate) fn home(&self) -> PathBuf {
        fs::read_dir(self.cache()).unwrap().next().unwrap().unwrap().path()
    }

    /// The index that counts.
    pub(crate) fn folder(&self) -> PathBuf {
        let entries = fs::read_dir(self.home()).unwrap().flatten();
        let number = |name: std::ffi::OsString| name.to_str()?.parse::<u64>().ok();
        let newest = entries.filter_map(|entry| number(entry.file_name())).max().unwrap();
        self.home().join(newest.to_string())
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(&self.cache()).unwrap()
    }

    /// What a query finds after a refresh: session and item of each hit.
    pub(crate) fn find(&self, index: &mut Index, query: &str) -> BTreeSet<(String, String)> {
        let found = search(index, &self.store, query);
        if found.how == How::Exactly { hits(&found) } else { BTreeSet::new() }
    }
}

/// Makes a file old enough to be believed.
pub(crate) fn old(path: &Path) {
    let time = SystemTime::now() - Duration::from_mins(1);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    // The time of the entry itself cannot be set.
    std::thread::sleep(Duration::from_millis(220));
}

pub(crate) fn search(index: &mut Index, store: &Store, query: &str) -> Found {
    let refreshed = index.refresh(std::slice::from_ref(store), &|_| {}).unwrap();
    let times = |_, text: &str| text.parse::<i64>().map_err(|e| e.to_string());
    let query = Query::parse(query, &times).unwrap();
    let options = Options {
        sessions: 1000,
        each: 1000,
        context: None,
        snippets: true,
        now: 1_790_000_000_000,
    };
    index.search(&refreshed, &query, &options).unwrap()
}

fn hits(found: &Found) -> BTreeSet<(String, String)> {
    let all = found
        .sessions
        .iter()
        .flat_map(|s| s.hits.iter().map(|h| (s.session.id.clone(), h.item.clone())));
    all.collect()
}

fn ids(found: &Found) -> BTreeSet<&str> {
    found.sessions.iter().map(|s| s.session.id.as_str()).collect()
}

pub(crate) fn line(
    uuid: &str,
    parent: Option<&str>,
    session: &str,
    time: u32,
    kind: &str,
    message: &str,
) -> String {
    let parent = parent.map_or("null".to_owned(), |p| format!("\"{p}\""));
    format!(
        r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"sessionId":"{session}","isSidechain":false,"userType":"external","cwd":"/home/dev/shop","version":"2.1.310","gitBranch":"main","timestamp":"2026-10-01T10:{time:02}:00.000Z","message":{message}}}"#
    ) + "\n"
}

pub(crate) fn prompt(
    uuid: &str,
    parent: Option<&str>,
    session: &str,
    time: u32,
    text: &str,
) -> String {
    let message = format!(r#"{{"role":"user","content":{}}}"#, serde_json::Value::from(text));
    line(uuid, parent, session, time, "user", &message)
}

pub(crate) fn answer(uuid: &str, parent: &str, session: &str, time: u32, content: &str) -> String {
    let message = format!(
        r#"{{"id":"msg_{uuid}","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{content}],"stop_reason":"end_turn","usage":{{"input_tokens":1,"output_tokens":1}}}}"#
    );
    line(uuid, Some(parent), session, time, "assistant", &message)
}

pub(crate) fn says(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, serde_json::Value::from(text))
}

pub(crate) fn conversation(id: &str, words: &[(&str, &str)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut parent: Option<String> = None;
    for (n, (asked, answered)) in words.iter().enumerate() {
        let (user, model) = (format!("{}-u{n}", &id[..4]), format!("{}-a{n}", &id[..4]));
        lines.push(prompt(&user, parent.as_deref(), id, n as u32, asked));
        lines.push(answer(&model, &user, id, n as u32, &says(answered)));
        parent = Some(model);
    }
    lines
}

#[test]
fn what_a_query_can_say() {
    let place = Place::new();
    let lines = conversation(
        ONE,
        &[
            (
                "Why does getUserName fail with connection refused?",
                "The retry loop in src/net/client.rs gives up.",
            ),
            ("Explain the 日本語 text", "It says `std::io::Error` -> naïve café"),
        ],
    );
    place.write(ONE, &lines);
    place.write(
        TWO,
        &conversation(TWO, &[("connection was not refused", "userName is fine, superuser too")]),
    );
    let mut index = place.index();
    let mut of = |query: &str| {
        let found = search(&mut index, &place.store, query);
        assert_eq!(found.how, How::Exactly, "{query}");
        ids(&found).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("connection"), [ONE, TWO]);
    assert_eq!(of("CONNECTION Refused"), [ONE, TWO]);
    assert_eq!(of("\"connection refused\""), [ONE]);
    assert_eq!(of("connection -loop"), [ONE, TWO]);
    assert_eq!(of("connection -getUserName"), [TWO]);
    assert_eq!(of("retry OR superuser"), [ONE, TWO]);
    assert_eq!(of("userName"), [ONE, TWO]);
    assert_eq!(of("user_name"), [ONE, TWO]);
    assert_eq!(of("getuser*"), [ONE]);
    assert_eq!(of("super*"), [TWO]);
    assert_eq!(of("client.rs"), [ONE]);
    assert_eq!(of("src/net/cli*"), [ONE]);
    assert_eq!(of("std::io"), [ONE]);
    assert_eq!(of("\"` -> naïve\""), [ONE]);
    assert_eq!(of("本語"), [ONE]);
    assert_eq!(of("/retry.*gives/"), [ONE]);
    assert_eq!(of("/getuser[a-z]+ fail/"), [ONE]);
    assert_eq!(of("connection -/not +refused/"), [ONE]);
    assert_eq!(of("->"), [ONE]);
    assert_eq!(of("role:user connection"), [ONE, TWO]);
    assert_eq!(of("role:assistant retry"), [ONE]);
    assert_eq!(of("harness:claude-code project:shop retry"), [ONE]);
    assert_eq!(of("branch:main superuser"), [TWO]);
    assert_eq!(of("since:1790848800000 loop"), [ONE]);
    // What stands outside of the conversation.
    assert_eq!(of("external"), [ONE, TWO]);
}

#[test]
fn what_is_not_there_is_looked_for_in_other_ways() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha beta", "gamma"), ("delta", "zqxneedle")]));
    let mut index = place.index();
    let mut how = |query: &str| {
        let found = search(&mut index, &place.store, query);
        (found.sessions.len(), found.how)
    };
    assert_eq!(how("alpha gamma"), (1, How::Across));
    assert_eq!(how("xneedl"), (1, How::Parts));
    assert_eq!(how("gemma"), (1, How::Similar));
    assert_eq!(how("completelyelsewhere"), (0, How::Exactly));
    assert_eq!(how("\"beta alpha\""), (1, How::Parts));
}

#[test]
fn snippets_say_why() {
    let place = Place::new();
    let before = "word ".repeat(200);
    place.write(
        ONE,
        &conversation(ONE, &[("hello", &format!("{before} the Needle is here {before}"))]),
    );
    let mut index = place.index();
    let found = search(&mut index, &place.store, "needle");
    let hit = &found.sessions[0].hits[0];
    assert_eq!(hit.role, Role::Assistant);
    let marked: Vec<&str> =
        hit.snippet.marks.iter().map(|m| &hit.snippet.text[m.clone()]).collect();
    assert_eq!(marked, ["Needle"]);
    assert!(hit.snippet.cut_before && hit.snippet.cut_after && hit.snippet.text.len() < 300);
    assert!(!hit.turn.is_empty());
}

#[test]
fn tools_and_their_files() {
    let place = Place::new();
    let call = r#"{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/home/dev/shop/src/cart.ts"}}"#;
    let result = r#"{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"export const basket = 1"}]}"#;
    place.write(
        ONE,
        &[
            prompt("u1", None, ONE, 0, "read it"),
            answer("a1", "u1", ONE, 1, call),
            line("r1", Some("a1"), ONE, 2, "user", result),
            answer("a2", "r1", ONE, 3, &says("done")),
        ],
    );
    let mut index = place.index();
    for query in ["basket", "tool:read basket", "file:cart.ts", "file:src/cart.ts basket"] {
        assert_eq!(place.find(&mut index, query).len(), 1, "{query}");
    }
    assert!(place.find(&mut index, "tool:read gone").is_empty());
    assert!(place.find(&mut index, "tool:shell basket").is_empty());
    let refreshed = index.refresh(std::slice::from_ref(&place.store), &|_| {}).unwrap();
    let touched = index.touched(&refreshed, "src/cart.ts").unwrap();
    assert_eq!(touched.len(), 1);
    assert_eq!(touched[0].files, [("/home/dev/shop/src/cart.ts".to_owned(), Touch::Read)]);
    assert!(index.touched(&refreshed, "art.ts").unwrap().is_empty());
}

#[test]
fn branches_that_were_left() {
    let place = Place::new();
    place.write(
        ONE,
        &[
            prompt("u1", None, ONE, 0, "first"),
            answer("a1", "u1", ONE, 1, &says("common")),
            prompt("u2", Some("a1"), ONE, 2, "forgotten"),
            answer("a2", "u2", ONE, 3, &says("deserted")),
            prompt("u3", Some("a1"), ONE, 4, "instead"),
            answer("a3", "u3", ONE, 5, &says("kept")),
        ],
    );
    let mut index = place.index();
    assert_eq!(place.find(&mut index, "branch:abandoned deserted").len(), 1);
    assert!(place.find(&mut index, "branch:active role:assistant deserted").is_empty());
    assert_eq!(place.find(&mut index, "branch:active role:assistant kept").len(), 1);
    let found = search(&mut index, &place.store, "deserted role:assistant");
    assert!(found.sessions[0].hits[0].leaf.is_some());
    assert_eq!(place.find(&mut index, "common role:assistant").len(), 1);
}

/// The words of these conversations.
const WORDS: [&str; 8] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "opus", "external"];

/// An index is worth what a fresh one is.
pub(crate) fn same_as_fresh(place: &Place, index: &mut Index) {
    let mut fresh = Index::temporary().unwrap();
    for word in WORDS {
        let (kept, new) = (place.find(index, word), place.find(&mut fresh, word));
        assert_eq!(kept, new, "{word}");
    }
}

#[test]
fn changes_of_all_kinds_are_seen() {
    let place = Place::new();
    let mut index = place.index();
    assert!(place.find(&mut index, "alpha").is_empty());
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    place.write(TWO, &conversation(TWO, &[("alpha", "zeta")]));
    assert_eq!(place.find(&mut index, "alpha").len(), 2);
    same_as_fresh(&place, &mut index);

    // Appended.
    place.write(ONE, &conversation(ONE, &[("alpha", "beta"), ("gamma", "delta")]));
    assert_eq!(place.find(&mut index, "delta").len(), 1);
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    same_as_fresh(&place, &mut index);

    // Rewritten in the same length, with the same time of writing.
    let time = fs::metadata(place.path(ONE)).unwrap().modified().unwrap();
    let text = fs::read_to_string(place.path(ONE)).unwrap().replace("\"beta\"", "\"zeta\"");
    fs::write(place.path(ONE), text).unwrap();
    fs::File::options().append(true).open(place.path(ONE)).unwrap().set_modified(time).unwrap();
    assert!(place.find(&mut index, "beta").is_empty());
    same_as_fresh(&place, &mut index);

    // Cut short.
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    assert!(place.find(&mut index, "delta").is_empty());
    same_as_fresh(&place, &mut index);

    // Gone, and a new one.
    fs::remove_file(place.path(TWO)).unwrap();
    place.write(
        "33333333-3333-4333-8333-333333333333",
        &conversation("3333", &[("epsilon", "zeta")]),
    );
    assert_eq!(place.find(&mut index, "zeta").len(), 1);
    same_as_fresh(&place, &mut index);
}

#[test]
fn one_writes_and_others_read() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    let mut index = place.index();
    assert_eq!(place.find(&mut index, "alpha").len(), 1);
    let lock = fs::File::options().write(true).open(place.home().join("lock")).unwrap();
    lock.lock().unwrap();
    place.write(TWO, &conversation(TWO, &[("alpha", "zeta")]));
    let refreshed = index.refresh(std::slice::from_ref(&place.store), &|_| {}).unwrap();
    assert!(refreshed.busy);
    assert_eq!(place.find(&mut index, "alpha").len(), 1);
    lock.unlock().unwrap();
    assert_eq!(place.find(&mut index, "alpha").len(), 2);
}

#[test]
fn what_was_opened_before_it_changed_is_opened_again() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    assert_eq!(place.find(&mut place.index(), "alpha").len(), 1);
    // This one writes itself.
    let mut index = place.index();
    index.warm_up();
    std::thread::sleep(Duration::from_millis(50));
    place.write(TWO, &conversation(TWO, &[("alpha", "zeta")]));
    assert_eq!(place.find(&mut index, "alpha").len(), 2);
    // Another one writes: what it took out is not found, and what it wrote is.
    let mut index = place.index();
    index.warm_up();
    std::thread::sleep(Duration::from_millis(50));
    place.write(TWO, &conversation(TWO, &[("omega", "zeta")]));
    place.index().refresh(std::slice::from_ref(&place.store), &|_| {}).unwrap();
    assert_eq!(place.find(&mut index, "omega").len(), 1);
    index.warm_up();
    assert_eq!(place.find(&mut index, "alpha").len(), 1);
}

/// The sample stores of all harnesses, their databases made from scripts.
fn samples(to: &Path) -> Vec<Store> {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let from = entry.unwrap().path();
            let to = to.join(from.file_name().unwrap());
            if from.is_dir() {
                copy(&from, &to);
            } else if from.extension().is_some_and(|e| e == "sql") {
                let script = fs::read_to_string(&from).unwrap();
                sqlite::build(&to.with_extension(""), &script).unwrap();
            } else {
                fs::copy(&from, &to).unwrap();
            }
        }
    }
    copy(Path::new("../../fixtures/samples"), to);
    Harness::ALL.iter().map(|h| Store { harness: *h, root: to.join(h.id()) }).collect()
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            into.push(path);
        }
    }
}

#[test]
fn every_file_with_a_word_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let stores = samples(folder.path());
    let mut index = Index::temporary().unwrap();
    let refreshed = index.refresh(&stores, &|_| {}).unwrap();
    let mut paths = Vec::new();
    stores.iter().filter(|s| s.root.exists()).for_each(|s| files(&s.root, &mut paths));
    // Words as `grep -w` sees them, of the values and not of the keys.
    let mut with: HashMap<String, BTreeSet<String>> = HashMap::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            words(&value, &mut |word| {
                with.entry(word.to_lowercase()).or_default().insert(path.display().to_string());
            });
        }
    }
    let mut all: Vec<_> = with.into_iter().collect();
    all.sort();
    assert!(all.len() > 400, "{}", all.len());
    let options = Options { sessions: 1000, each: 1, context: None, snippets: false, now: 0 };
    for (word, paths) in all.iter().step_by(all.len() / 300) {
        let query = Query::parse(word, &|_, _| Ok(0)).unwrap();
        let found = index.search(&refreshed, &query, &options).unwrap();
        let found: BTreeSet<&str> =
            found.sessions.iter().map(|s| s.session.path.as_str()).collect();
        for path in paths {
            // Files beside transcripts are no sessions.
            if refreshed_has(&stores, path) {
                assert!(found.contains(path.as_str()), "`{word}` in {path}");
            }
        }
    }
}

fn refreshed_has(stores: &[Store], path: &str) -> bool {
    let of = |s: &Store| recount_store::discover::of(s.harness).map(|d| d.files(&s.root));
    stores.iter().filter_map(of).flatten().any(|file| file == Path::new(path))
}

fn words(value: &serde_json::Value, each: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => {
            // Ids and times are no words.
            for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
                if word.len() > 3 && word.chars().all(char::is_alphabetic) && text.contains(' ') {
                    each(word);
                }
            }
        }
        serde_json::Value::Array(all) => all.iter().for_each(|v| words(v, each)),
        serde_json::Value::Object(all) => all.values().for_each(|v| words(v, each)),
        _ => {}
    }
}

#[test]
fn all_harnesses_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let stores = samples(folder.path());
    let mut index = Index::temporary().unwrap();
    index.refresh(&stores, &|_| {}).unwrap();
    for harness in Harness::ALL {
        let refreshed = index.refresh(&stores, &|_| {}).unwrap();
        let query =
            Query::parse(&format!("harness:{} role:user", harness.id()), &|_, _| Ok(0)).unwrap();
        let options = Options { sessions: 9, each: 3, context: None, snippets: true, now: 0 };
        let found = index.search(&refreshed, &query, &options).unwrap();
        assert!(!found.sessions.is_empty(), "{harness}");
        for hit in found.sessions.iter().flat_map(|s| &s.hits) {
            assert!(!hit.snippet.text.is_empty(), "{harness} {hit:?}");
        }
    }
}

/// The records of a cursor-agent chat are many blobs: what stands in them outside of items is found too.
#[test]
fn what_stands_in_blobs_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut stores = samples(folder.path());
    stores.retain(|store| store.harness == Harness::CursorAgent);
    let found = search(&mut Index::temporary().unwrap(), &stores[0], "user_query");
    assert!(!found.sessions.is_empty());
    for session in &found.sessions {
        assert!(session.hits.iter().any(|hit| hit.role == Role::Record));
        assert!(session.hits[0].snippet.text.contains("user_query"), "{:?}", session.hits);
    }
}

/// Where a chat has a database, its readable copy is not looked at: the items of that have other names.
#[test]
fn copies_are_looked_at_where_there_is_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut stores = samples(folder.path());
    stores.retain(|store| store.harness == Harness::CursorAgent);
    let moved = folder.path().join("elsewhere");
    fs::create_dir_all(&moved).unwrap();
    fs::rename(stores[0].root.join("projects"), moved.join("projects")).unwrap();
    stores.push(Store { harness: Harness::CursorAgent, root: moved });
    let mut index = Index::temporary().unwrap();
    let query = Query::parse("role:user", &|_, _| Ok(0)).unwrap();
    let options = Options { sessions: 99, each: 99, context: None, snippets: true, now: 0 };
    let mut endings = |stores: &[Store]| -> BTreeSet<(String, bool)> {
        let ask = |i: &Index, now: &_| i.search(now, &query, &options);
        let found = index.ask(stores, &|_| (), ask).unwrap().0.sessions;
        let hits = found.iter().flat_map(|s| s.hits.iter().map(|hit| (s.session.id.clone(), hit)));
        hits.map(|(id, hit)| (id, hit.item.starts_with("line-"))).collect()
    };
    let (both, alone) = (endings(&stores), endings(&stores[1..]));
    assert!(!both.is_empty() && both.iter().all(|(_, is_copy)| !is_copy), "{both:?}");
    assert!(!alone.is_empty() && alone.iter().all(|(_, is_copy)| *is_copy), "{alone:?}");
}
