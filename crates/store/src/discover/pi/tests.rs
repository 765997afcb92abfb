//! Where pi keeps its sessions, on stores that the tests make.

use super::*;
use crate::stores::{Store, Stores};

const TIME: &str = "2026-11-03T09-12-40-100Z";

fn session(id: &str, rest: &str) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-11-03T09:12:40.100Z\",\"cwd\":\"/home/dev/shop\"{rest}}}\n"
    )
}

fn prompt_line(text: &str) -> String {
    format!(
        "{{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-11-03T09:13:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"timestamp\":1}}}}\n"
    )
}

fn answer_line(model: &str) -> String {
    format!(
        "{{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2026-11-03T09:14:00.000Z\",\"message\":{{\"role\":\"assistant\",\"content\":[],\"model\":\"{model}\",\"timestamp\":1}}}}\n"
    )
}

fn name_line(name: &str) -> String {
    format!(
        "{{\"type\":\"session_info\",\"id\":\"n\",\"parentId\":\"b\",\"timestamp\":\"2026-11-03T09:15:00.000Z\",\"name\":\"{name}\"}}\n"
    )
}

/// An agent folder with these files below `sessions`.
fn store(files: &[(&str, String)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = dir.path().join("sessions").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

fn list(dir: &tempfile::TempDir) -> Vec<SessionHead> {
    let mut listing = Pi.list(dir.path());
    assert!(listing.findings.is_empty());
    listing.sessions.sort_by(|a, b| a.id.cmp(&b.id));
    listing.sessions
}

#[test]
fn variables_and_settings_say_where_stores_are() {
    let home = tempfile::tempdir().unwrap();
    let agent = home.path().join(".pi/agent");
    let roots = |vars: &[(&str, &str)]| {
        let vars = vars.iter().copied().chain([("HOME", home.path().to_str().unwrap())]);
        Pi.roots(&vars.collect::<Environment>())
    };
    assert_eq!(roots(&[]), std::slice::from_ref(&agent));
    assert_eq!(roots(&[("PI_CODING_AGENT_DIR", "/srv/pi")]), [PathBuf::from("/srv/pi")]);
    assert_eq!(roots(&[("PI_CODING_AGENT_DIR", "~/elsewhere")]), [home.path().join("elsewhere")]);
    assert_eq!(
        roots(&[("PI_CODING_AGENT_SESSION_DIR", "~/all")]),
        [agent.clone(), home.path().join("all")]
    );
    fs::create_dir_all(agent.join("sessions")).unwrap();
    fs::write(agent.join("settings.json"), "{\"sessionDir\":\"~/set\"}").unwrap();
    assert_eq!(roots(&[]), [agent.clone(), home.path().join("set")]);
    fs::write(agent.join("settings.json"), "{\"sessionDir\":\"~/.pi/agent/sessions/x\"}").unwrap();
    assert_eq!(roots(&[]), [agent], "what lies in a store is not a store of its own");
    assert!(Pi.roots(&Environment::default()).is_empty());
}

#[test]
fn sessions_are_listed_from_their_ends() {
    let long = "x".repeat(HEAD + TAIL);
    let middle =
        format!("{{\"type\":\"custom\",\"id\":\"c\",\"customType\":\"x\",\"data\":\"{long}\"}}\n");
    let dir = store(&[
        (
            &format!("--home-dev-shop--/{TIME}_one.jsonl"),
            session("one", "") + &prompt_line("first words") + &answer_line("m1"),
        ),
        (
            &format!("flat/{TIME}_two.jsonl"),
            session("two", "") + &prompt_line("x") + &name_line("named") + &answer_line("m2"),
        ),
        (
            &format!("{TIME}_three.jsonl"),
            session("three", "") + &prompt_line("x") + &name_line("named") + &name_line(""),
        ),
        (
            &format!("flat/{TIME}_four.jsonl"),
            session("four", "")
                + &middle
                + &prompt_line("far")
                + &middle
                + &name_line("in the middle")
                + &middle
                + &answer_line("m4"),
        ),
        (
            &format!("flat/{TIME}_five.jsonl"),
            session("five", "") + &middle + &prompt_line("far") + &middle,
        ),
        ("flat/notes.jsonl", "{\"type\":\"session_info\",\"name\":\"no session\"}\n".into()),
        ("flat/readme.md", "# no session".into()),
        (&format!("../{TIME}_zero.jsonl"), session("zero", "")),
    ]);
    let sessions = list(&dir);
    let told: Vec<_> = sessions
        .iter()
        .map(|s| {
            (
                &*s.id,
                s.title.as_deref(),
                s.model.as_deref(),
                s.updated_at.as_deref().map(|t| &t[..16]),
            )
        })
        .collect();
    let answered = Some("2026-11-03T09:14");
    assert_eq!(told[1], ("four", Some("in the middle"), Some("m4"), answered));
    assert_eq!(told[2], ("one", Some("first words"), Some("m1"), answered));
    assert_eq!(told[3], ("three", Some("x"), None, Some("2026-11-03T09:15")));
    assert_eq!(told[4], ("two", Some("named"), Some("m2"), answered));
    assert_eq!(told[5].0, "zero");
    assert_eq!((told.len(), told[0].0, told[0].1), (6, "five", Some("far")));
    assert_ne!(
        told[0].3,
        Some("2026-11-03T09:12"),
        "the file's time, where its last line is too long"
    );
    assert_eq!(sessions[2].cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(sessions[2].created_at.as_deref(), Some("2026-11-03T09:12:40.100Z"));
}

#[test]
fn a_session_is_found_by_either_of_its_ids() {
    let dir = store(&[
        (&format!("k/{TIME}_in-name.jsonl"), session("in-header", "")),
        (&format!("k/{TIME}_in-header-too.jsonl"), session("in-header-too", "")),
        (&format!("k/{TIME}_lost.jsonl"), prompt_line("no header")),
        ("k/odd.jsonl", session("odd-name", "")),
    ]);
    let stores = Stores { stores: vec![Store { harness: Harness::Pi, root: dir.path().into() }] };
    let find = |id: &str| stores.find(id).map(|head| head.id).map_err(|_| ());
    assert_eq!(find("in-header"), Ok("in-header".into()));
    assert_eq!(find("in-name"), Ok("in-header".into()));
    assert_eq!(find("in-n"), Ok("in-header".into()));
    assert_eq!(find("in-header-"), Ok("in-header-too".into()));
    assert_eq!(find("in-"), Err(()), "it fits both");
    assert_eq!(find("los"), Ok("lost".into()));
    assert_eq!(find("odd"), Ok("odd-name".into()));
    assert_eq!(find("nowhere"), Err(()));
}

#[test]
fn forks_name_the_session_they_are_from() {
    let from = |file: &str| format!(",\"parentSession\":\"/elsewhere/{file}\"");
    let dir = store(&[
        (&format!("k/{TIME}_in-name.jsonl"), session("in-header", "")),
        (
            &format!("other/{TIME}_fork.jsonl"),
            session("fork", &from(&format!("{TIME}_in-name.jsonl"))),
        ),
        (
            &format!("other/{TIME}_orphan.jsonl"),
            session("orphan", &from(&format!("{TIME}_gone.jsonl"))),
        ),
        (&format!("other/{TIME}_evil.jsonl"), session("evil", &from("..\\\\..\\\\secret"))),
    ]);
    let from: Vec<_> = list(&dir).into_iter().map(|s| (s.id, s.forked_from_id)).collect();
    let expect = |id: &str, from: Option<&str>| (id.to_owned(), from.map(str::to_owned));
    assert_eq!(
        from,
        [
            expect("evil", None),
            expect("fork", Some("in-header")),
            expect("in-header", None),
            expect("orphan", Some("gone"))
        ]
    );
    let path = dir.path().join(format!("sessions/other/{TIME}_fork.jsonl"));
    let head = Pi.at_path(&path).unwrap();
    assert_eq!((head.forked_from_id.as_deref(), &*head.root), (Some("in-header"), dir.path()));
    let opened = Pi.open(&head).unwrap();
    assert_eq!(opened.thread(None).lineage.forked_from_id.as_deref(), Some("in-header"));
    assert_eq!(opened.companions.names().len(), 4);
    for name in ["header/../k", "header/..", "header/", "k", "header/a\0b"] {
        assert!(opened.companions.read(name).is_none(), "{name}");
    }
}

#[test]
fn paths_are_told_from_other_files() {
    let dir = store(&[
        (&format!("--home-dev-shop--/{TIME}_one.jsonl"), session("one", "")),
        (&format!("--home-dev-shop--/{TIME}_lost.jsonl"), String::new()),
        ("rollout.jsonl", "{\"type\":\"session_meta\",\"payload\":{}}\n".into()),
    ]);
    let at = |name: &str| Pi.at_path(&dir.path().join("sessions").join(name));
    assert_eq!(at(&format!("--home-dev-shop--/{TIME}_one.jsonl")).unwrap().root, dir.path());
    assert_eq!(at(&format!("--home-dev-shop--/{TIME}_lost.jsonl")).unwrap().id, "lost");
    assert!(at("rollout.jsonl").is_none());
    assert_eq!(root_of(Path::new("/a/--b--/c.jsonl")), Path::new("/a"));
    assert_eq!(root_of(Path::new("/a/b/c.jsonl")), Path::new("/a/b"));
    assert_eq!(root_of(Path::new("/a/sessions/b/c.jsonl")), Path::new("/a"));
}
