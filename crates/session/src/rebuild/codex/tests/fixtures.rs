//! Our fixtures, as they read. `RECOUNT_UPDATE=1` writes what is expected anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{Files, sent, short, thread_of, view_of};

pub(super) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// The newest rollout of a case, and the others by rollout id.
pub(super) fn case(path: &Path) -> (Vec<u8>, Files) {
    let mut rollouts: Vec<PathBuf> = std::fs::read_dir(path)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    rollouts.sort();
    let newest = std::fs::read(rollouts.pop().unwrap()).unwrap();
    let mut files = Files::default();
    for rollout in rollouts {
        let stem = rollout.file_stem().unwrap().to_str().unwrap().to_owned();
        files.0.insert(stem[stem.len() - 36..].to_owned(), std::fs::read(rollout).unwrap());
    }
    (newest, files)
}

fn read_aloud(bytes: &[u8], files: &Files) -> String {
    let mut out = String::new();
    let thread = thread_of(bytes, files);
    let _ = writeln!(
        out,
        "{} {:?}\ntitle {:?}\nmodel {:?}, branch {:?}, {:?} to {:?}",
        thread.id,
        thread.status,
        thread.title,
        thread.model,
        thread.git_branch,
        thread.created_at,
        thread.updated_at
    );
    let _ = writeln!(out, "{:?}", thread.lineage);
    let u = thread.usage;
    let _ = writeln!(
        out,
        "{} responses, {} in, {} cached, {} out",
        u.responses, u.input_tokens, u.cached_input_tokens, u.output_tokens
    );
    for finding in &thread.findings {
        let _ = writeln!(out, "{finding}");
    }
    for turn in &thread.turns {
        let error = turn.error.as_ref().map_or("", |e| &e.message);
        let _ = writeln!(
            out,
            "\nturn {} {:?} {:?} {:?} {:?} {error}",
            turn.id, turn.status, turn.started_at, turn.completed_at, turn.duration_ms
        );
        for item in &turn.items {
            let recovered = if item.recovered { " (recovered)" } else { "" };
            let at = serde_json::to_value(&item.at).unwrap();
            let _ = writeln!(
                out,
                "  {}{recovered} at {}+{}: {}",
                item.id,
                at["line"],
                item.also_at.len(),
                short(&item.kind).replace('\n', "⏎")
            );
        }
    }
    let view = view_of(bytes, files);
    let _ = writeln!(
        out,
        "\nsent, {} compactions, {} turns dropped",
        view.compactions, view.dropped_turns
    );
    for message in sent(&view) {
        let _ = writeln!(out, "  {}", message.replace('\n', "⏎"));
    }
    out
}

#[test]
fn fixtures_read_as_expected() {
    let mut cases = 0;
    for entry in std::fs::read_dir(folder("codex")).unwrap() {
        let path = entry.unwrap().path();
        let (bytes, files) = case(&path);
        let got = read_aloud(&bytes, &files);
        let expected = path.join("expected.txt");
        if std::env::var("RECOUNT_UPDATE").is_ok_and(|v| v == "1") {
            std::fs::write(&expected, &got).unwrap();
        }
        let want = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(got, want, "{}", path.display());
        cases += 1;
    }
    assert!(cases >= 7);
}
