//! Our fixtures, as they read. `RECOUNT_UPDATE=1` writes what is expected anew.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{sent, short, thread_with, view_with};
use crate::rebuild::Companions;

pub(super) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// The files in a session's folder.
struct Beside(PathBuf);

impl Companions for Beside {
    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for kind in ["subagents", "tool-results"] {
            for file in std::fs::read_dir(self.0.join(kind)).into_iter().flatten().flatten() {
                names.push(format!("{kind}/{}", file.file_name().to_string_lossy()));
            }
        }
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        std::fs::read(self.0.join(name)).ok().map(Cow::Owned)
    }
}

fn read_aloud(bytes: &[u8], beside: &Beside) -> String {
    let mut out = String::new();
    let thread = thread_with(bytes, None, beside);
    let title = thread.title.as_deref().unwrap_or("-");
    let _ = writeln!(out, "{} {title:?} {:?} {:?}", thread.id, thread.status, thread.model);
    let usage = thread.usage;
    let _ = writeln!(
        out,
        "{} responses, {} in, {} cached, {} out",
        usage.responses, usage.input_tokens, usage.cached_input_tokens, usage.output_tokens
    );
    for agent in &thread.lineage.subagents {
        let _ = writeln!(out, "agent {} {:?} {:?}", agent.id, agent.tool_call_id, agent.name);
    }
    for finding in &thread.findings {
        let _ = writeln!(out, "{finding}");
    }
    for branch in &thread.branches {
        let end = thread_with(bytes, Some(&branch.leaf), beside);
        let active = if branch.active { ", active" } else { "" };
        let _ = writeln!(out, "\nbranch {}{active}: {:?}", branch.leaf, branch.abandoned_prompts);
        for turn in &end.turns {
            let _ = writeln!(out, "  turn {} {:?} {:?}", turn.id, turn.status, turn.duration_ms);
            for item in &turn.items {
                let recovered = if item.recovered { " (recovered)" } else { "" };
                let text = short(&item.kind).replace('\n', "⏎");
                let _ = writeln!(out, "    {}{recovered}: {text}", item.id);
            }
        }
        let view = view_with(bytes, Some(&branch.leaf), beside);
        let (compactions, dropped) = (view.compactions, view.dropped_turns);
        let _ = writeln!(out, "  sent, {compactions} compactions, {dropped} turns dropped");
        for message in sent(&view) {
            let _ = writeln!(out, "    {}", message.replace('\n', "⏎"));
        }
    }
    out
}

#[test]
fn fixtures_read_as_expected() {
    let mut cases = 0;
    for case in std::fs::read_dir(folder("claude-code")).unwrap() {
        let case = case.unwrap().path();
        let bytes = std::fs::read(case.join("session.jsonl")).unwrap();
        let got = read_aloud(&bytes, &Beside(case.join("session")));
        let expected = case.join("expected.txt");
        if std::env::var("RECOUNT_UPDATE").is_ok_and(|v| v == "1") {
            std::fs::write(&expected, &got).unwrap();
        }
        let want = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(got, want, "{}", case.display());
        cases += 1;
    }
    assert!(cases >= 5, "{cases}");
}

#[test]
fn samples_are_without_blemish() {
    let mut sessions = 0;
    for project in std::fs::read_dir(folder("samples/claude-code/projects")).unwrap() {
        for file in std::fs::read_dir(project.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|e| e != "jsonl") {
                continue;
            }
            let beside = Beside(path.with_extension(""));
            let thread = thread_with(&std::fs::read(&path).unwrap(), None, &beside);
            assert!(thread.findings.is_empty(), "{:?}", thread.findings);
            assert!(thread.turns.len() > 1 && thread.usage.responses > 1);
            sessions += 1;
        }
    }
    assert!(sessions >= 2);
}
