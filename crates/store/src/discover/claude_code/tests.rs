//! Where sessions and their agents are found, and what lists show of them.

use std::fs;
use std::path::{Path, PathBuf};

use recount_formats::Code;
use tempfile::TempDir;

use super::ClaudeCode;
use crate::discover::Discover;
use crate::environment::Environment;
use crate::head::SessionHead;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";
const PROJECT: &str = "projects/-home-dev-shop";

/// A store in a folder that goes when this goes.
struct Store(TempDir);

impl Store {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, content: &str) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn list(&self) -> Vec<SessionHead> {
        let mut sessions = ClaudeCode.list(self.root()).sessions;
        sessions.sort_by(|a, b| a.id.cmp(&b.id));
        sessions
    }

    fn ids(&self) -> Vec<String> {
        self.list().into_iter().map(|head| head.id).collect()
    }

    fn head(&self, id: &str) -> SessionHead {
        self.list().into_iter().find(|head| head.id == id).unwrap()
    }
}

fn line(session: &str, uuid: &str, second: u32, text: &str) -> String {
    format!(
        r#"{{"parentUuid":null,"isSidechain":false,"type":"user","message":{{"role":"user","content":"{text}"}},"uuid":"{uuid}","timestamp":"2026-11-01T08:00:{second:02}.000Z","cwd":"/home/dev/shop","sessionId":"{session}"}}"#
    ) + "\n"
}

fn agent_line(session: &str, agent: &str, text: &str) -> String {
    line(session, "a", 5, text)
        .replace(r#""isSidechain":false"#, &format!(r#""isSidechain":true,"agentId":"{agent}""#))
}

fn main_file() -> String {
    format!("{PROJECT}/{SESSION}.jsonl")
}

#[test]
fn the_root_is_named_by_the_environment_or_below_home() {
    let roots =
        |vars: &[(&str, &str)]| ClaudeCode.roots(&vars.iter().copied().collect::<Environment>());
    assert_eq!(roots(&[("HOME", "/home/dev")]), [Path::new("/home/dev/.claude")]);
    let named = [("HOME", "/home/dev"), ("CLAUDE_CONFIG_DIR", "/etc/claude")];
    assert_eq!(roots(&named), [Path::new("/etc/claude")]);
    assert!(roots(&[]).is_empty());
}

#[test]
fn sessions_and_agents_of_all_layouts_are_listed() {
    let store = Store::new();
    store.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    let folder = format!("{PROJECT}/{SESSION}");
    store.write(&format!("{folder}/subagents/agent-a1.jsonl"), &agent_line(SESSION, "a1", "One"));
    store.write(
        &format!("{folder}/subagents/agent-a1.meta.json"),
        r#"{"description":"Look around","toolUseId":"t1","spawnDepth":1}"#,
    );
    store.write(
        &format!("{folder}/subagents/deep/er/agent-a2.jsonl"),
        &agent_line(SESSION, "a2", "Two"),
    );
    store.write(
        &format!("{PROJECT}/agent-0a0b0c0d.jsonl"),
        &agent_line(SESSION, "0a0b0c0d", "Three"),
    );
    store.write(&format!("{folder}/tool-results/x.txt"), "not listed");
    store.write("projects/-home-dev-other/99999999-2222-4333-8444-555555555555.jsonl", "");
    store.write("history.jsonl", "not a session\n");
    assert_eq!(
        store.ids(),
        ["0a0b0c0d", SESSION, "99999999-2222-4333-8444-555555555555", "a1", "a2"]
    );
    for id in ["a1", "a2", "0a0b0c0d"] {
        let agent = store.head(id);
        assert!(agent.is_subagent, "{id}");
        assert_eq!(agent.parent_id.as_deref(), Some(SESSION), "{id}");
    }
    assert_eq!(store.head("a1").title.as_deref(), Some("Look around"));
    assert_eq!(store.head("a2").title.as_deref(), Some("Two"));
}

#[test]
fn the_parent_of_an_agent_that_an_agent_started_is_that_agent() {
    let store = Store::new();
    store.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    let agents = format!("{PROJECT}/{SESSION}/subagents");
    let call = r#"{"type":"assistant","isSidechain":true,"agentId":"a1","uuid":"x","message":{"content":[{"type":"tool_use","id":"t2","name":"Agent","input":{}}]}}"#;
    let first = format!("{}{call}\n", agent_line(SESSION, "a1", "One"));
    store.write(&format!("{agents}/agent-a1.jsonl"), &first);
    store.write(&format!("{agents}/agent-a2.jsonl"), &agent_line(SESSION, "a2", "Two"));
    store.write(&format!("{agents}/agent-a2.meta.json"), r#"{"toolUseId":"t2","spawnDepth":2}"#);
    assert_eq!(store.head("a2").parent_id.as_deref(), Some("a1"));
    let opened = ClaudeCode.open(&store.head("a2")).unwrap();
    assert_eq!(opened.thread(None).lineage.parent_id.as_deref(), Some("a1"));
    // Claude Code goes on with sessions only: with the one that both work for.
    for id in ["a1", "a2", SESSION] {
        assert_eq!(ClaudeCode.resume(&store.head(id)), ["claude", "--resume", SESSION], "{id}");
    }
}

#[test]
fn titles_are_found_where_they_are_kept() {
    let title = |more: &str, beside: Option<&str>, index: Option<&str>| {
        let store = Store::new();
        store.write(&main_file(), &format!("{}{more}", line(SESSION, "u", 1, "First prompt")));
        if let Some(beside) = beside {
            store.write(&format!("{PROJECT}/{SESSION}/custom-title.json"), beside);
        }
        if let Some(index) = index {
            store.write(&format!("{PROJECT}/sessions-index.json"), index);
        }
        let head = store.head(SESSION);
        let thread = ClaudeCode.open(&head).unwrap().thread(None);
        assert_eq!(head.title, thread.title);
        head.title.unwrap()
    };
    let ai =
        format!("{{\"type\":\"ai-title\",\"aiTitle\":\"Made\",\"sessionId\":\"{SESSION}\"}}\n");
    assert_eq!(title("", None, None), "First prompt");
    assert_eq!(title(&ai, None, None), "Made");
    assert_eq!(title(&ai, Some(r#"{"customTitle":"Given"}"#), None), "Given");
    assert_eq!(title(&ai, Some("not json"), Some("{}")), "Made");
    let index = format!(r#"{{"entries":[{{"sessionId":"{SESSION}","summary":"Summed up"}}]}}"#);
    assert_eq!(title("", None, Some(&index)), "Summed up");
}

#[test]
fn long_files_are_read_at_both_ends() {
    let store = Store::new();
    let filler = format!("{{\"type\":\"mode\",\"mode\":\"{}\"}}\n", "x".repeat(70 << 10));
    let start = line(SESSION, "u", 1, &format!("Look at this {}", "y".repeat(40 << 10)));
    let content = format!(
        "{start}{filler}{filler}{}{{\"type\":\"custom-title\",\"customTitle\":\"At the end\"}}\n",
        line(SESSION, "v", 9, "Last")
    );
    store.write(&main_file(), &content);
    let head = store.head(SESSION);
    assert_eq!(head.title.as_deref(), Some("At the end"));
    assert_eq!(head.cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(head.created_at.as_deref(), Some("2026-11-01T08:00:01.000Z"));
    assert_eq!(head.updated_at.as_deref(), Some("2026-11-01T08:00:09.000Z"));
    assert_eq!(head.size, content.len() as u64);
}

#[test]
fn empty_files_are_listed_and_opened() {
    let store = Store::new();
    store.write(&main_file(), "");
    let head = store.head(SESSION);
    assert_eq!((head.size, head.found[0].code), (0, Code::EmptyFile));
    assert!(head.updated_at.is_some());
    assert!(ClaudeCode.open(&head).unwrap().thread(None).turns.is_empty());
}

#[test]
fn ids_are_found_by_their_beginning() {
    let store = Store::new();
    store.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    store.write(
        &format!("{PROJECT}/{SESSION}/subagents/agent-a1.jsonl"),
        &agent_line(SESSION, "a1", "x"),
    );
    let found = |prefix: &str| -> Vec<String> {
        ClaudeCode.find(store.root(), prefix).into_iter().map(|head| head.id).collect()
    };
    assert_eq!(found("1111"), [SESSION]);
    assert_eq!(found("a1"), ["a1"]);
    assert!(found("zz").is_empty());
}

#[test]
fn of_a_session_that_moved_the_newest_file_is_found() {
    let store = Store::new();
    store.write(&main_file(), &line(SESSION, "u", 1, "Before"));
    let moved = store.write(
        &format!("projects/-home-dev-shop-worktree/{SESSION}.jsonl"),
        &line(SESSION, "u", 30, "After"),
    );
    let found = ClaudeCode.find(store.root(), SESSION);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, moved);
    let listing = ClaudeCode.list(store.root());
    assert_eq!(listing.sessions.len(), 1);
    assert_eq!(listing.sessions[0].path, moved);
    assert_eq!(listing.findings[0].code, Code::DuplicateId);
}

#[test]
fn forks_are_linked_to_their_source() {
    let store = Store::new();
    let (source, fork) =
        ("aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002");
    let began = |session: &str, second: u32| {
        format!(
            r#"{{"type":"queue-operation","operation":"dequeue","timestamp":"2026-11-01T08:00:{second:02}.000Z","sessionId":"{session}"}}"#
        ) + "\n"
    };
    let of_source = began(source, 0) + &line(source, "first", 1, "Hello");
    store.write(&format!("{PROJECT}/{source}.jsonl"), &of_source);
    let of_fork =
        began(fork, 20) + &line(fork, "first", 1, "Hello") + &line(fork, "own", 21, "Else");
    store.write(&format!("{PROJECT}/{fork}.jsonl"), &of_fork);
    assert_eq!(store.head(fork).forked_from_id.as_deref(), Some(source));
    assert_eq!(store.head(source).forked_from_id, None);
    let lineage = |id: &str| ClaudeCode.open(&store.head(id)).unwrap().thread(None).lineage;
    assert_eq!(lineage(fork).forked_from_id.as_deref(), Some(source));
    assert_eq!(lineage(source).forked_from_id, None);
}

#[test]
fn a_path_tells_its_session() {
    let store = Store::new();
    let path = store.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    let head = ClaudeCode.at_path(&path).unwrap();
    assert_eq!((&*head.id, head.root.as_path()), (SESSION, store.root()));
    let agent = format!("{PROJECT}/{SESSION}/subagents/agent-a1.jsonl");
    let agent = ClaudeCode.at_path(&store.write(&agent, &agent_line(SESSION, "a1", "x"))).unwrap();
    assert_eq!((&*agent.id, agent.parent_id.as_deref()), ("a1", Some(SESSION)));
    // A copy anywhere else is known by its content.
    let copy = store.write("elsewhere/copy.jsonl", &line(SESSION, "u", 1, "Hello"));
    assert_eq!(ClaudeCode.at_path(&copy).unwrap().id, "copy");
    let other =
        store.write("elsewhere/rollout.jsonl", "{\"type\":\"session_meta\",\"payload\":{}}\n");
    assert!(ClaudeCode.at_path(&other).is_none());
    assert!(ClaudeCode.at_path(&store.write("elsewhere/x.txt", "x")).is_none());
}

#[test]
fn only_files_of_the_session_can_be_read_through_it() {
    let store = Store::new();
    let secret = store.write("secret.txt", "secret");
    store.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    let folder = format!("{PROJECT}/{SESSION}");
    store.write(&format!("{folder}/tool-results/out.txt"), "whole");
    store.write(
        &format!("{PROJECT}/agent-0a0b0c0d.jsonl"),
        &agent_line(SESSION, "0a0b0c0d", "Mine"),
    );
    store.write(
        &format!("{PROJECT}/agent-0e0e0e0e.jsonl"),
        &agent_line("another", "0e0e0e0e", "Not mine"),
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        &secret,
        store.root().join(format!("{folder}/tool-results/link.txt")),
    )
    .unwrap();
    let companions = ClaudeCode.open(&store.head(SESSION)).unwrap().companions;
    assert_eq!(companions.names(), ["agent-0a0b0c0d.jsonl", "tool-results/out.txt"]);
    assert_eq!(companions.read("tool-results/out.txt").as_deref(), Some(&b"whole"[..]));
    for name in ["tool-results/link.txt", "../../secret.txt", &*secret.to_string_lossy()] {
        assert!(companions.read(name).is_none(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_store_are_not_followed() {
    let (store, other) = (Store::new(), Store::new());
    other.write(&main_file(), &line(SESSION, "u", 1, "Hello"));
    fs::create_dir_all(store.root().join("projects")).unwrap();
    let (project, link) = (other.root().join(PROJECT), store.root().join(PROJECT));
    std::os::unix::fs::symlink(project, link).unwrap();
    assert!(store.ids().is_empty());
}
