//! Our fixtures, as they read. `RECOUNT_UPDATE=1` writes what is expected anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::model_view::shown;
use super::{short, thread_of, view_of};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn read_aloud(bytes: &[u8]) -> String {
    let mut out = String::new();
    let thread = thread_of(bytes, None);
    let (title, model) = (thread.title.as_deref(), thread.model.as_deref());
    let _ = writeln!(out, "{} {:?} {:?} {:?}", thread.id, thread.status, title, model);
    let usage = thread.usage;
    let _ = writeln!(
        out,
        "{} responses, {} in, {} cached, {} out, {:.6} USD",
        usage.responses,
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.output_tokens,
        usage.cost_usd.unwrap_or(0.0)
    );
    for finding in &thread.findings {
        let _ = writeln!(out, "{finding}");
    }
    for branch in &thread.branches {
        let end = thread_of(bytes, Some(&branch.leaf));
        let active = if branch.active { ", active" } else { "" };
        let _ = writeln!(out, "\nbranch {}{active}: {:?}", branch.leaf, branch.abandoned_prompts);
        for turn in &end.turns {
            let _ = writeln!(out, "  turn {} {:?} {:?}", turn.id, turn.status, turn.duration_ms);
            for item in &turn.items {
                let recovered = if item.recovered { " (recovered)" } else { "" };
                let _ = writeln!(
                    out,
                    "    {}{recovered}: {}",
                    item.id,
                    short(&item.kind).replace('\n', "⏎")
                );
            }
        }
        let view = view_of(bytes, Some(&branch.leaf));
        let _ = writeln!(
            out,
            "  sent, {} compactions, {} turns dropped",
            view.compactions, view.dropped_turns
        );
        for message in shown(&view) {
            let _ = writeln!(out, "    {}", message.replace('\n', "⏎"));
        }
    }
    out
}

#[test]
fn fixtures_read_as_expected() {
    let mut cases = 0;
    for case in std::fs::read_dir(folder("pi")).unwrap() {
        let case = case.unwrap().path();
        let got = read_aloud(&std::fs::read(case.join("session.jsonl")).unwrap());
        let expected = case.join("expected.txt");
        if std::env::var("RECOUNT_UPDATE").is_ok_and(|v| v == "1") {
            std::fs::write(&expected, &got).unwrap();
        }
        let want = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(got, want, "{}", case.display());
        cases += 1;
    }
    assert!(cases >= 4);
}

#[test]
fn samples_are_without_blemish() {
    let mut sessions = 0;
    for file in std::fs::read_dir(folder("samples/pi/sessions/--home-dev-shop--")).unwrap() {
        let thread = thread_of(&std::fs::read(file.unwrap().path()).unwrap(), None);
        // The source of a fork is found through companions, which this test has none of.
        let missing = recount_formats::Code::MissingFile;
        let findings: Vec<_> = thread.findings.iter().filter(|f| f.code != missing).collect();
        assert!(findings.is_empty(), "{findings:?}");
        assert!(thread.turns.len() > 1 && thread.usage.responses > 1);
        sessions += 1;
    }
    assert_eq!(sessions, 3);
}
