//! Errors name the place and the next step; exit codes are those of DESIGN.md.

use crate::environment::TestEnvironment;

fn failure(environment: &TestEnvironment, arguments: &str) -> String {
    let ran = environment.run(arguments);
    assert_ne!(ran.code, 0, "{arguments}");
    assert_eq!(ran.stdout, "", "{arguments}");
    format!("exit {}\n{}", ran.code, ran.stderr)
}

#[test]
fn a_machine_without_sessions() {
    let bare = TestEnvironment::new();
    insta::assert_snapshot!("nothing", failure(&bare, ""));
    insta::assert_snapshot!("nothing-ls", failure(&bare, "ls"));
    // Machines want an empty list, and the exit code.
    let ran = bare.run("ls --json");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "[]\n"));
}

#[test]
fn ids_that_fit_nothing_or_too_much() {
    let bare = TestEnvironment::new();
    insta::assert_snapshot!("unknown-id", failure(&bare, "--sample show ffff"));
    insta::assert_snapshot!("ambiguous-id", failure(&bare, "--sample show 01a1"));
    insta::assert_snapshot!("unknown-turn", failure(&bare, "--sample show 01a19c92 --turn 9"));
    insta::assert_snapshot!("unknown-item", failure(&bare, "--sample show 01a19c92 --at nope"));
    insta::assert_snapshot!(
        "unknown-branch",
        failure(&bare, "--sample show 6513270e --branch nope")
    );
    insta::assert_snapshot!("no-fit", failure(&bare, "--sample ls --project nowhere"));
}

#[test]
fn wrong_usage() {
    let bare = TestEnvironment::new();
    insta::assert_snapshot!("bad-store", failure(&bare, "--store emacs=/x ls"));
    insta::assert_snapshot!("tui-without-terminal", failure(&bare, "--sample tui"));
    insta::assert_snapshot!("bad-time", failure(&bare, "ls --since yesterdayish"));
    insta::assert_snapshot!("bad-command", failure(&bare, "lst"));
}

#[test]
fn files_that_cannot_be_read() {
    let bare = TestEnvironment::new();
    insta::assert_snapshot!("no-file", failure(&bare, "raw nowhere.jsonl"));
    bare.file("notes.txt", "hello");
    insta::assert_snapshot!("no-transcript", failure(&bare, "show notes.txt"));
}

#[test]
fn snapshots_that_cannot_be_restored() {
    let bare = TestEnvironment::new();
    bare.file("torn.json", "{\n  \"records\": [");
    insta::assert_snapshot!("torn-snapshot", failure(&bare, "history --restore torn.json --json"));
    bare.file(
        "bad.json",
        r#"{"records":[{"id":1,"type":"loading","payload":{}}],"next_id":2,"exec_call_lookup":{},"tool_call_lookup":{},"stream_lookup":{}}"#,
    );
    insta::assert_snapshot!("bad-snapshot", failure(&bare, "history --restore bad.json --json"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_recount"))
        .args(["--sample", "show", "01a19c92", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}
