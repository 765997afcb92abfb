//! What people and programs see of findings.

use std::fs;
use std::path::PathBuf;

use super::stream::{self, Job, Rebuild};
use super::{Input, Report};
use crate::output::Screen;

/// A rollout with most of what can be wrong, and one without anything wrong.
const DAMAGED: &str = concat!(
    r#"{"timestamp":"2026-05-06T07:08:09.120Z","ordinal":0,"type":"session_meta","payload":{"id":"01b2c3d4-0a0a-7111-8222-000000000001","timestamp":"2026-05-06T07:08:09.101Z","cwd":"/home/dev/shop","originator":"codex_exec","cli_version":"0.98.0","source":"exec","model_provider":"acme","base_instructions":{"text":"Work."},"mood":"fine"}}"#,
    "\n",
    r#"{"timestamp":"2026-05-06T07:08:10.120Z","ordinal":1,"type":"event_msg","payload":{"type":"hologram","size":3}}"#,
    "\n",
    r#"{"timestamp":"2026-05-06T07:08:10.220Z","ordinal":2,"type":"event_msg","payload":{"type":"hologram","size":4}}"#,
    "\n",
    r#"{"timestamp":"2026-05-06T07:08:11.120Z","ordinal":4,"type":"event_msg","payload":{"type":"agent_message"}}"#,
    "\n\0\0\0\n",
    r#"{"timestamp":"2026-05-06T07:08:12.120Z","ordinal":5,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":7},{"type":"smell"}]}}"#,
    "\n",
    r#"{"timestamp":"2026-05-06T07:08:13.120Z","ordinal":6,"type":"event_m"#,
);

fn jobs(folder: &std::path::Path) -> Vec<Job> {
    let files = [("rollout-a.jsonl", DAMAGED), ("rollout-b.jsonl", DAMAGED)];
    let job = |(name, content): (&str, &str)| {
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        let input = Input { name: name.into(), path, harness: None, session: None };
        Job { input, rebuild: Rebuild::No }
    };
    files.into_iter().map(job).collect()
}

fn drawn(columns: usize, verbose: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(folder.path());
    let report =
        stream::run(&jobs, Report::people(Screen::of_test(columns, false), verbose)).unwrap();
    let mut out = Vec::new();
    report.write(jobs.len(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn for_people() {
    insta::assert_snapshot!("check-100", drawn(100, false));
    insta::assert_snapshot!("check-60-verbose", drawn(60, true));
}

#[test]
fn nothing_to_report() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("x.jsonl");
    fs::write(&path, "{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"s\"}\n").unwrap();
    let input = Input { name: "x.jsonl".into(), path, harness: None, session: None };
    let jobs = [Job { input, rebuild: Rebuild::No }];
    let report = stream::run(&jobs, Report::people(Screen::of_test(80, false), false)).unwrap();
    let mut out = Vec::new();
    report.write(1, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "1 file, 1 record, 48 B: nothing to report\n");
}

#[test]
fn a_file_that_is_not_there_is_a_finding_among_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut jobs = jobs(folder.path());
    let path = folder.path().join("gone.jsonl");
    let input = Input { name: "gone.jsonl".into(), path, harness: None, session: None };
    jobs.insert(1, Job { input, rebuild: Rebuild::No });
    let report = stream::run(&jobs, Report::people(Screen::of_test(80, false), false)).unwrap();
    let mut out = Vec::new();
    report.write(jobs.len(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("error    unreadable"), "{text}");
    assert!(text.contains("torn-line ×2"), "{text}");
}

#[test]
fn a_file_of_many_stretches_has_the_same_findings() {
    // Lines of a few kilobytes, so that a file of several stretches is made, with something wrong in each.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollout-big.jsonl");
    let mut text = String::new();
    let mut wrong = 0;
    for n in 0..1500_u32 {
        let odd = if n % 97 == 0 {
            wrong += 1;
            r#","odd":1"#
        } else {
            ""
        };
        let line = format!(
            r#"{{"timestamp":"2026-05-06T07:08:10.120Z","ordinal":{n},"type":"event_msg","payload":{{"type":"agent_message","message":"{}"{odd}}}}}"#,
            "x".repeat(4000)
        );
        text.push_str(&line);
        text.push('\n');
    }
    fs::write(&path, &text).unwrap();
    let input = Input { name: "rollout-big.jsonl".into(), path, harness: None, session: None };
    let jobs = [Job { input, rebuild: Rebuild::No }];
    let report = stream::run(&jobs, Report::people(Screen::of_test(100, false), true)).unwrap();
    let mut out = Vec::new();
    report.write(1, &mut out).unwrap();
    let shown = String::from_utf8(out).unwrap();
    assert!(shown.contains(&format!("unknown-field ×{wrong}")), "{shown}");
    assert!(shown.contains("first at rollout-big.jsonl:1\n"), "{shown}");
    assert!(!shown.contains("ordinal-gap"), "{shown}");
    assert!(shown.contains("1500 records"), "{shown}");
}
