//! Names in each harness's own way.

use super::*;

const SESSION: &str = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

fn title(home: &Home, id: &str) -> Option<String> {
    let head = home.head(id);
    let thread = discover::of(home.harness).unwrap().open(&head).unwrap().thread(None);
    assert_eq!(head.title, thread.title);
    thread.title
}

#[test]
fn codex_keeps_names_in_its_index_and_its_row() {
    for (paginated, column) in [(true, "name"), (false, "title")] {
        let home = Home::codex(paginated);
        drop(home.database());
        let before = home.read(FILE);
        let report = home.editor(ID).name("  Ship it\n").unwrap();
        assert_eq!(report.name.as_deref(), Some("Ship it"));
        assert_eq!(home.cell(column).as_deref(), Some("Ship it"));
        assert_eq!(
            home.read("session_index.jsonl"),
            format!(
                "{{\"id\":\"{ID}\",\"thread_name\":\"Ship it\",\"updated_at\":\"2026-03-04T05:06:07.089000000Z\"}}\n"
            )
        );
        assert_eq!(home.read(FILE), before);
        assert_eq!(title(&home, ID).as_deref(), Some("Ship it"));
        home.editor(ID).name("Again").unwrap();
        assert_eq!(title(&home, ID).as_deref(), Some("Again"));
        assert!(
            matches!(home.editor(ID).name(" "), Err(EditError::Invalid(_))),
            "Codex refuses it too"
        );
    }
}

#[test]
fn a_fork_has_the_name_of_its_source() {
    let home = Home::codex(false);
    home.editor(ID).name("Mine").unwrap();
    let fork = home.editor(ID).fork(&Cut::End).unwrap();
    assert_eq!(title(&home, &fork.new_thread_id.unwrap()).as_deref(), Some("Mine"));
}

fn claude() -> (Home, String) {
    let home = Home::empty(Harness::ClaudeCode);
    let file = format!("projects/-home-dev-shop/{SESSION}.jsonl");
    home.write(&file, &format!("{{\"parentUuid\":null,\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/home/dev/shop\",\"sessionId\":\"{SESSION}\",\"version\":\"2.1.310\",\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"Add a section\"}},\"uuid\":\"u1\",\"timestamp\":\"2026-01-02T03:04:05.678Z\"}}\n"));
    (home, file)
}

#[test]
fn claude_code_gets_the_records_of_rename() {
    let (home, file) = claude();
    let before = home.read(&file);
    home.editor(SESSION).name("Docs work").unwrap();
    assert_eq!(
        home.read(&file),
        format!(
            "{before}{{\"type\":\"custom-title\",\"customTitle\":\"Docs work\",\"sessionId\":\"{SESSION}\"}}\n{{\"type\":\"agent-name\",\"agentName\":\"Docs work\",\"sessionId\":\"{SESSION}\"}}\n"
        )
    );
    assert_eq!(title(&home, SESSION).as_deref(), Some("Docs work"));
    home.write(&file, &home.read(&file));
    home.editor(SESSION).name("").unwrap();
    assert_eq!(
        title(&home, SESSION).as_deref(),
        Some("Add a section"),
        "an empty name takes it away"
    );
}

#[test]
fn a_session_at_work_gets_no_name() {
    let (home, file) = claude();
    let pid = std::process::id();
    home.write(
        &format!("sessions/{pid}.json"),
        &format!("{{\"pid\":{pid},\"sessionId\":\"{SESSION}\"}}"),
    );
    let held = home.editor(SESSION).name("n");
    assert!(matches!(&held, Err(EditError::Held(held)) if held.by[0].pid == pid), "{held:?}");
    fs::remove_file(home.path(&format!("sessions/{pid}.json"))).unwrap();
    // Written a moment ago: somebody is at it.
    fs::write(home.path(&file), home.read(&file)).unwrap();
    assert!(matches!(home.editor(SESSION).name("n"), Err(EditError::Held(_))));
}

fn pi(version: Option<u8>) -> (Home, String) {
    let home = Home::empty(Harness::Pi);
    let version = version.map_or_else(String::new, |v| format!("\"version\":{v},"));
    let file = "sessions/--home-dev-shop--/2026-01-01T11-00-00-000Z_00000000-0000-4000-8000-000000000001.jsonl".to_owned();
    home.write(&file, &format!("{{\"type\":\"session\",{version}\"id\":\"00000000-0000-4000-8000-000000000001\",\"timestamp\":\"2026-01-01T11:00:00.000Z\",\"cwd\":\"/home/dev/shop\"}}\n{{\"type\":\"message\",\"id\":\"a1b2c3d4\",\"parentId\":null,\"timestamp\":\"2026-01-01T11:00:01.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"Hello\",\"timestamp\":1}}}}\n"));
    (home, file)
}

#[test]
fn pi_gets_an_entry_on_its_last_one() {
    let (home, file) = pi(Some(3));
    let id = "00000000-0000-4000-8000-000000000001";
    let before = home.read(&file);
    home.editor(id).name(" two\n lines ").unwrap();
    let text = home.read(&file);
    let entry: serde_json::Value =
        serde_json::from_str(text.strip_prefix(&before).unwrap()).unwrap();
    assert_eq!(entry["type"], "session_info");
    assert_eq!(entry["parentId"], "a1b2c3d4");
    assert_eq!(entry["name"], "two lines");
    assert_eq!(entry["id"].as_str().map(str::len), Some(8));
    assert_eq!(entry["timestamp"], "2026-03-04T05:06:07.089Z");
    assert_eq!(title(&home, id).as_deref(), Some("two lines"));
    assert_eq!(home.turns(id).len(), 1, "the conversation is the same");
    let (home, _) = pi(None);
    assert!(
        matches!(home.editor(id).name("n"), Err(EditError::Invalid(_))),
        "version 1 has no ids"
    );
}

#[test]
fn what_a_harness_does_not_have_is_said() {
    let (home, _) = claude();
    let editor = home.editor(SESSION);
    for result in [
        editor.fork(&Cut::End),
        editor.rollback(1),
        editor.revert("t"),
        editor.archive(),
        editor.unarchive(),
    ] {
        assert!(matches!(result, Err(EditError::Unsupported { .. })));
    }
    let mut head = home.head(SESSION);
    head.harness = Harness::Opencode;
    assert!(matches!(Editor::new(&head).name("n"), Err(EditError::Unsupported { .. })));
    assert_eq!(now().as_second(), 1_772_600_767);
}
