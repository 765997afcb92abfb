//! Whatever the bytes are, a rebuild ends, tells the same twice, and loses no prompt.

use proptest::prelude::*;

use super::fixtures::folder;
use super::{file, thread_of, view_of};
use crate::model::ItemKind;

fn rebuild_all(bytes: &[u8]) {
    let thread = thread_of(bytes, None);
    view_of(bytes, None);
    for branch in thread.branches.iter().take(3) {
        let _ = thread_of(bytes, Some(&branch.leaf));
        view_of(bytes, Some(&branch.leaf));
    }
    for finding in &thread.findings {
        assert!(finding.byte <= bytes.len() as u64);
    }
    serde_json::to_string(&thread.turns).unwrap();
}

/// Lines whose parents are anything: circles, gaps, selves, twins.
fn any_tree() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((0_u8..12, 0_u8..14, 0_u8..9, 0_u8..3), 0..40).prop_map(|lines| {
        lines
            .into_iter()
            .map(|(id, parent, kind, m)| {
                let parent = if parent == 13 { "-".to_owned() } else { format!("n{parent}") };
                let what = match kind {
                    0 | 1 => format!("user hello {id}"),
                    2 => format!("says m{m} hi"),
                    3 => format!("calls m{m} t{m} Bash {{}}"),
                    4 => format!("result t{m} out"),
                    5 => format!(
                        "boundary n{m} \"preservedMessages\":{{\"uuids\":[\"n{id}\",\"n{m}\"]}}"
                    ),
                    6 => "summary so far".to_owned(),
                    7 => "rendered system note".to_owned(),
                    _ => {
                        return format!(
                            "last-prompt n{id}{}",
                            if m == 0 { " explicit" } else { "" }
                        );
                    }
                };
                format!("n{id} {parent} {what}")
            })
            .collect()
    })
}

fn fixture(n: usize) -> Vec<u8> {
    let mut cases: Vec<_> = std::fs::read_dir(folder("claude-code"))
        .unwrap()
        .map(|case| case.unwrap().path().join("session.jsonl"))
        .collect();
    cases.sort();
    std::fs::read(&cases[n % cases.len()]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        rebuild_all(&bytes);
    }

    #[test]
    fn any_parents(lines in any_tree()) {
        let text = file(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        rebuild_all(text.as_bytes());
        let thread = thread_of(text.as_bytes(), None);
        // Each message lies on the path to some leaf: every prompt is shown on a branch.
        let is_prompt = |item: &&crate::model::Item| matches!(item.kind, ItemKind::UserMessage { .. });
        let shown: usize = thread.branches.iter().map(|b| b.abandoned_prompts.len()).sum();
        let active = thread.items().filter(is_prompt).count();
        let written: std::collections::HashMap<&str, &str> = lines
            .iter()
            .filter(|line| !line.starts_with("last-prompt"))
            .filter_map(|line| Some((line.split(' ').next()?, line.as_str())))
            .collect();
        let prompts = written.values().filter(|line| line.contains(" user hello")).count();
        prop_assert!(shown + active >= prompts, "{shown} + {active} < {prompts}");
        prop_assert_eq!(&thread, &thread_of(text.as_bytes(), None));
    }

    #[test]
    fn mutated_fixtures(
        which in 0_usize..8,
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
        torn in any::<bool>(),
    ) {
        let bytes = fixture(which);
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
        for (a, b) in swaps {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
        }
        let mut bytes = lines.concat();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if torn {
            bytes.truncate(cut.index(bytes.len()));
        }
        rebuild_all(&bytes);
    }

    /// Which line stands where matters for leaves, not for the tree: with the leaf named, any order reads alike.
    #[test]
    fn shuffled_lines_read_alike(order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle()) {
        const LINES: [&str; 8] = [
            "u1 - user One",
            "a1 u1 thinks m1 hm",
            "a2 a1 calls m1 t1 Bash {\"command\":\"ls\"}",
            "r1 a2 result t1 a.txt",
            "a3 r1 says m2 Done",
            "u2 a3 user Two",
            "a4 u2 says m3 Yes",
            "last-prompt a4 explicit",
        ];
        let ordered = thread_of(file(&LINES).as_bytes(), Some("a4"));
        let shuffled: Vec<&str> = order.into_iter().map(|n| LINES[n]).collect();
        let shuffled = thread_of(file(&shuffled).as_bytes(), Some("a4"));
        prop_assert_eq!(super::items(&ordered), super::items(&shuffled));
    }
}
