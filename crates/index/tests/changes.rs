//! Whatever happens to transcripts, the index answers as a fresh one would, and writes no more than what is new.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use recount_formats::Harness;
use recount_index::search::{Index, Refreshed, complete};
use recount_store::{Store, Stores};

use crate::search::{
    ONE, Place, TWO, answer, conversation, old, prompt, same_as_fresh, says, search,
};

fn refresh(index: &mut Index, place: &Place) -> Refreshed {
    index.refresh(std::slice::from_ref(&place.store), &|_| {}).unwrap()
}

fn append(path: &Path, text: &str) {
    fs::File::options().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    old(path);
}

#[test]
fn only_what_is_new_is_written() {
    let place = Place::new();
    let words: Vec<(&str, &str)> = (0..20).map(|_| ("alpha", "beta")).collect();
    let all = conversation(ONE, &words);
    place.write(ONE, &all[..38]);
    let mut index = place.index();
    // Thirty-eight items, and what stands outside of them.
    assert_eq!(refresh(&mut index, &place).documents, 39);
    assert_eq!(refresh(&mut index, &place).read, 0);

    append(&place.path(ONE), &all[38..].concat());
    let refreshed = refresh(&mut index, &place);
    assert_eq!(refreshed.read, 1);
    assert!(refreshed.documents <= 3, "{refreshed:?}");
    same_as_fresh(&place, &mut index);

    // A file that was touched and not changed has nothing new.
    append(&place.path(ONE), "");
    assert_eq!(refresh(&mut index, &place).documents, 0);
    same_as_fresh(&place, &mut index);

    // Sessions that grew a hundred times are in one place again.
    let mut parent = format!("{}-a19", &ONE[..4]);
    for n in 0..70 {
        let uuid = format!("more-{n}");
        let text = prompt(&uuid, Some(&parent), ONE, 30, "gamma");
        fs::File::options()
            .append(true)
            .open(place.path(ONE))
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        refresh(&mut index, &place);
        parent = uuid;
    }
    old(&place.path(ONE));
    same_as_fresh(&place, &mut index);
    assert_eq!(place.find(&mut index, "gamma role:user").len(), 70);
}

#[test]
fn an_item_that_changed_in_the_last_turn_is_replaced() {
    let place = Place::new();
    let call =
        r#"{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"echo epsilon"}}"#;
    place.write(ONE, &[prompt("u1", None, ONE, 0, "alpha"), answer("a1", "u1", ONE, 1, call)]);
    let mut index = place.index();
    assert_eq!(place.find(&mut index, "epsilon").len(), 1);
    let result = r#"{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"zeta"}]}"#;
    append(&place.path(ONE), &crate::search::line("r1", Some("a1"), ONE, 2, "user", result));
    let found = search(&mut index, &place.store, "epsilon zeta");
    assert_eq!(found.sessions.len(), 1);
    assert_eq!(found.sessions[0].hits.len(), 1);
    assert_eq!(place.find(&mut index, "epsilon role:tool").len(), 1);
    same_as_fresh(&place, &mut index);
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn any_sequence_of_changes_ends_as_a_fresh_index() {
    const SAID: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    let place = Place::new();
    let mut dice = Dice(7);
    let ids: Vec<String> = (0..4).map(|n| format!("{n}{}", &ONE[1..])).collect();
    let mut parents: Vec<Option<String>> = vec![None; ids.len()];
    let mut index = place.index();
    for step in 0..90 {
        let n = dice.roll(ids.len());
        let path = place.path(&ids[n]);
        match dice.roll(12) {
            0 => {
                let _ = fs::remove_file(&path);
                parents[n] = None;
            }
            1 if path.exists() => {
                let len = fs::metadata(&path).unwrap().len();
                let file = fs::File::options().write(true).open(&path).unwrap();
                file.set_len(dice.roll(len as usize + 1) as u64).unwrap();
            }
            2 if path.exists() => {
                // Rewritten in another order of its words.
                let text = fs::read_to_string(&path).unwrap().replace("alpha", "omega");
                fs::write(&path, text.replace("beta", "alpha").replace("omega", "beta")).unwrap();
            }
            _ => {
                let uuid = format!("{}-{step}", &ids[n][..2]);
                let text =
                    (0..dice.roll(9)).map(|_| SAID[dice.roll(6)]).collect::<Vec<_>>().join(" ");
                let parent = parents[n].replace(uuid.clone());
                let line = match &parent {
                    Some(parent) if dice.roll(2) == 0 => {
                        answer(&uuid, parent, &ids[n], 1, &says(&text))
                    }
                    _ => prompt(&uuid, parent.as_deref(), &ids[n], 1, &text),
                };
                let mut file = fs::File::options().create(true).append(true).open(&path).unwrap();
                file.write_all(line.as_bytes()).unwrap();
            }
        }
        if dice.roll(3) == 0 {
            refresh(&mut index, &place);
        }
        if step % 30 == 29 {
            same_as_fresh(&place, &mut index);
        }
    }
}

/// A store of Codex with one rollout in it.
fn codex(folder: &Path) -> (Store, PathBuf) {
    let root = folder.join("codex");
    let day = root.join("sessions/2026/10/01");
    fs::create_dir_all(&day).unwrap();
    let path = day.join(format!("rollout-2026-10-01T10-00-00-{TWO}.jsonl"));
    let lines = [
        format!(
            r#"{{"timestamp":"2026-10-01T10:00:00.000Z","type":"session_meta","payload":{{"id":"{TWO}","timestamp":"2026-10-01T10:00:00.000Z","cwd":"/home/dev/shop","originator":"codex_cli_rs","cli_version":"0.164.0","source":"cli"}}}}"#
        ),
        r#"{"timestamp":"2026-10-01T10:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"alpha beta","images":[]}}"#.to_owned(),
        r#"{"timestamp":"2026-10-01T10:00:02.000Z","type":"event_msg","payload":{"type":"agent_message","message":"gamma delta"}}"#.to_owned(),
    ];
    fs::write(&path, lines.map(|line| line + "\n").concat()).unwrap();
    old(&path);
    (Store { harness: Harness::Codex, root }, path)
}

#[test]
fn compressed_moved_and_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let (store, path) = codex(folder.path());
    let mut index = Index::open(&folder.path().join("cache")).unwrap();
    let mut ids = |query: &str| {
        let found = search(&mut index, &store, query);
        found.sessions.into_iter().map(|s| s.session).collect::<Vec<_>>()
    };
    assert_eq!(ids("gamma").len(), 1);

    // A name that a person gives stands beside the rollout.
    let names = store.root.join("session_index.jsonl");
    fs::write(&names, format!("{{\"id\":\"{TWO}\",\"thread_name\":\"Zeppelin\"}}\n")).unwrap();
    old(&names);
    assert_eq!(ids("zeppelin")[0].title.as_deref(), Some("Zeppelin"));
    fs::write(&names, format!("{{\"id\":\"{TWO}\",\"thread_name\":\"Airship\"}}\n")).unwrap();
    assert_eq!(ids("airship")[0].title.as_deref(), Some("Airship"));
    assert!(ids("zeppelin").is_empty());

    // Compressed, as Codex does with old ones.
    let compressed = path.with_extension("jsonl.zst");
    let bytes = fs::read(&path).unwrap();
    fs::write(&compressed, zstd::encode_all(&*bytes, 1).unwrap()).unwrap();
    fs::remove_file(&path).unwrap();
    let found = ids("gamma");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, compressed.to_str().unwrap());

    // Archived: another folder.
    let archive = store.root.join("archived_sessions");
    fs::create_dir_all(&archive).unwrap();
    fs::rename(&compressed, archive.join(compressed.file_name().unwrap())).unwrap();
    let found = ids("gamma");
    assert_eq!(found.len(), 1);
    assert!(found[0].archived);

    fs::remove_dir_all(&archive).unwrap();
    assert!(ids("gamma").is_empty());
}

#[test]
fn new_folders_are_seen() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    let mut index = place.index();
    // Twice: then it is kept which folders there are.
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    let project = place.store.root.join("projects/-home-dev-bank");
    fs::create_dir_all(&project).unwrap();
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    std::thread::sleep(std::time::Duration::from_millis(250));
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    let path = project.join(format!("{TWO}.jsonl"));
    fs::write(&path, conversation(TWO, &[("alpha", "beta")]).concat()).unwrap();
    assert_eq!(place.find(&mut index, "beta").len(), 2);
    // An agent's transcript, in folders that were not there.
    let agents = project.join(format!("{TWO}/subagents"));
    fs::create_dir_all(&agents).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(250));
    assert_eq!(place.find(&mut index, "beta").len(), 2);
    let text = conversation(TWO, &[("epsilon", "zeta")]).concat();
    fs::write(agents.join("agent-a1.jsonl"), text).unwrap();
    assert_eq!(search(&mut index, &place.store, "epsilon").sessions.len(), 1);
}

#[test]
fn other_versions_go() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    let other = place.cache().join("search-0");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("table.db"), "of another version").unwrap();
    let mut index = place.index();
    assert_eq!(place.find(&mut index, "beta").len(), 1);
    assert!(!other.exists());
    // An index that says it is of this version and is not.
    drop(index);
    let folder = place.folder();
    fs::remove_file(folder.join("table.db")).unwrap();
    let mut schema = tantivy_schema();
    schema.push(' ');
    fs::write(folder.join("text/meta.json"), schema).unwrap();
    assert_eq!(place.find(&mut place.index(), "beta").len(), 1);
}

/// The description of a text index with other fields.
fn tantivy_schema() -> String {
    r#"{"index_settings":{"docstore_compression":"none","docstore_blocksize":16384},"segments":[],"schema":[{"name":"other","type":"u64","options":{"indexed":false,"fieldnorms":false,"fast":true,"stored":false}}],"opstamp":0}"#.to_owned()
}

#[test]
fn lists_show_what_the_index_knows() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta"), ("gamma", "delta")]));
    let stores = Stores { stores: vec![place.store.clone()] };
    let counts = || {
        let (mut sessions, _) = stores.list();
        complete(&place.cache(), &mut sessions);
        (sessions[0].turns, sessions[0].human_prompts)
    };
    // Nobody knows before there is an index, and none is made.
    assert_eq!(counts(), (None, None));
    assert!(!place.cache().exists());
    refresh(&mut place.index(), &place);
    assert_eq!(counts(), (Some(2), Some(2)));
    // What may be wrong is not told.
    append(&place.path(ONE), &prompt("u9", Some("1111-a1"), ONE, 9, "epsilon"));
    assert_eq!(counts(), (None, None));
    refresh(&mut place.index(), &place);
    assert_eq!(counts(), (Some(3), Some(3)));
}
