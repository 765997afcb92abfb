//! Whatever the bytes are, a rebuild ends, tells the same twice, and places its findings.

use proptest::prelude::*;

use super::fixtures::{case, folder};
use super::{Files, thread_of, view_of};

fn rebuild_all(bytes: &[u8], files: &Files) -> crate::model::Thread {
    let thread = thread_of(bytes, files);
    view_of(bytes, files);
    serde_json::to_string(&thread.turns).unwrap();
    for finding in &thread.findings {
        let lines = memchr::memchr_iter(b'\n', bytes).count() as u64 + 1;
        if &*finding.source == "rollout.jsonl" {
            assert!(finding.line <= lines && finding.byte <= bytes.len() as u64, "{finding}");
        }
    }
    thread
}

const CASES: [&str; 7] = ["legacy", "paginated", "fork", "subagent", "damaged", "early", "review"];

/// Lines moved, then bytes changed.
pub(super) fn mutated(
    bytes: &[u8],
    flips: Vec<(prop::sample::Index, u8)>,
    moves: Vec<(prop::sample::Index, prop::sample::Index)>,
) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    for (from, to) in moves {
        let line = lines.remove(from.index(lines.len()));
        lines.insert(to.index(lines.len() + 1), line);
    }
    let mut bytes = lines.concat();
    for (at, byte) in flips {
        let at = at.index(bytes.len());
        bytes[at] = byte;
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        rebuild_all(&bytes, &Files::default());
    }

    #[test]
    fn mutated_fixtures(
        which in 0..CASES.len(),
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        moves in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..4),
    ) {
        let (bytes, files) = case(&folder("codex").join(CASES[which]));
        let mut bytes = mutated(&bytes, flips, moves);
        bytes.truncate(cut.index(bytes.len()) + 1);
        let thread = rebuild_all(&bytes, &files);
        prop_assert_eq!(thread, thread_of(&bytes, &files));
    }

    /// A line that is broken costs that line, not the file.
    #[test]
    fn prompts_survive_a_broken_line(broken in 1_usize..12) {
        let mut rollout = super::Rollout::legacy();
        for n in 0..12 {
            rollout = if n == broken {
                rollout.raw("{\"timestamp\":\"2026\n")
            } else {
                rollout.event("user_message", serde_json::json!({"message": format!("p{n}")}))
            };
        }
        let thread = rollout.thread();
        prop_assert_eq!(thread.turns.len(), 11);
        prop_assert_eq!(thread.findings[0].line as usize, broken + 2);
    }
}
