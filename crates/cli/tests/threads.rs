//! `recount thread` writes in a store, and tells what it wrote.

use crate::environment::TestEnvironment;

const ID: &str = "0199aaaa-0000-7000-8000-000000000001";

/// A machine with one Codex thread of two turns.
fn machine() -> TestEnvironment {
    let machine = TestEnvironment::new();
    let mut text = format!(
        "{{\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"type\":\"session_meta\",\"payload\":{{\"id\":\"{ID}\",\"timestamp\":\"2026-01-02T03:04:05.600Z\",\"cwd\":\"/home/dev/shop\",\"originator\":\"t\",\"cli_version\":\"0.140.0\",\"source\":\"cli\"}}}}\n"
    );
    for turn in ["turn-1", "turn-2"] {
        for event in [
            format!("\"type\":\"task_started\",\"turn_id\":\"{turn}\""),
            format!("\"type\":\"user_message\",\"message\":\"Do {turn}\""),
            format!("\"type\":\"task_complete\",\"turn_id\":\"{turn}\""),
        ] {
            text.extend([format!(
                "{{\"timestamp\":\"2026-01-02T03:04:05.678Z\",\"type\":\"event_msg\",\"payload\":{{{event}}}}}\n"
            )]);
        }
    }
    machine
        .file(&format!(".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-{ID}.jsonl"), text);
    machine
}

#[test]
fn what_was_written_is_told() {
    let machine = machine();
    insta::assert_snapshot!("thread-dry-run", machine.print("thread rollback 0199aaaa --dry-run"));
    insta::assert_snapshot!("thread-rollback", machine.print("thread rollback 0199aaaa"));
    insta::assert_snapshot!("thread-name", machine.print("thread name 0199aaaa Checkout"));
    insta::assert_snapshot!("thread-archive", machine.print("thread archive 0199aaaa"));
    assert_eq!(machine.json("ls --all --json")[0]["archived"], true);
    insta::assert_snapshot!("thread-unarchive", machine.print("thread unarchive 0199aaaa"));
    assert_eq!(machine.json("ls --json")[0]["title"], "Checkout");
}

#[test]
fn programs_get_the_same() {
    let machine = machine();
    let fork = machine.json("thread fork 0199aaaa --after turn-1 --json");
    assert_eq!(fork["threadId"], ID);
    assert_eq!((fork["turns"].as_u64(), &fork["removedTurns"][0]), (Some(1), &"turn-2".into()));
    let new = fork["newThreadId"].as_str().unwrap();
    assert_eq!(fork["changes"][0]["action"], "create");
    let shown = machine.json(&format!("show {new} --json"));
    assert_eq!(shown["turns"].as_array().unwrap().len(), 1);
    assert_eq!(shown["thread"]["lineage"]["forkedFromId"], ID);
}

#[test]
fn what_cannot_be_done_is_told() {
    let machine = machine();
    let failure = |arguments: &str| {
        let ran = machine.run(arguments);
        format!("exit {}\n{}", ran.code, ran.stderr)
    };
    insta::assert_snapshot!("thread-no-turn", failure("thread fork 0199aaaa --before turn-9"));
    insta::assert_snapshot!(
        "thread-legacy-revert",
        failure("thread rollback 0199aaaa --before turn-2")
    );
    insta::assert_snapshot!("thread-not-archived", failure("thread unarchive 0199aaaa"));
}
