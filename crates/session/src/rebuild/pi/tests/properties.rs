//! Whatever the bytes are, a rebuild ends, tells the same twice, and loses no entry.

use std::path::Path;

use proptest::prelude::*;

use super::{file, thread_of, view_of};

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    std::fs::read(path).unwrap()
}

fn rebuild_all(bytes: &[u8]) {
    let thread = thread_of(bytes, None);
    view_of(bytes, None);
    for branch in thread.branches.iter().take(3) {
        let _ = thread_of(bytes, Some(&branch.leaf));
        view_of(bytes, Some(&branch.leaf));
    }
    serde_json::to_string(&thread.turns).unwrap();
}

/// Entries whose parents are anything: circles, gaps, selves, twins.
fn any_tree() -> impl Strategy<Value = String> {
    prop::collection::vec((0_u8..12, 0_u8..14, 0_u8..6), 0..40).prop_map(|entries| {
        let lines: Vec<String> = entries
            .into_iter()
            .map(|(id, parent, kind)| {
                let parent = if parent == 13 { "-".to_owned() } else { format!("e{parent}") };
                let rest = match kind {
                    0 => "user hello".to_owned(),
                    1 => "assistant hi".to_owned(),
                    2 => "calls x y".to_owned(),
                    3 => "result x".to_owned(),
                    4 => format!(r#""type":"compaction","summary":"s","firstKeptEntryId":"e{id}","tokensBefore":1"#),
                    _ => format!(r#""type":"context_edit","targetId":"e{id}","replacement":null"#),
                };
                format!("e{id} {parent} {rest}")
            })
            .collect();
        file(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        rebuild_all(&bytes);
    }

    #[test]
    fn any_parents(lines in any_tree()) {
        rebuild_all(lines.as_bytes());
        let thread = thread_of(lines.as_bytes(), None);
        // Each entry lies on the path of some leaf: every prompt is shown on a branch.
        let prompts = lines.matches("\"role\":\"user\"").count();
        let shown: usize = thread.branches.iter().map(|b| b.abandoned_prompts.len()).sum();
        let active = thread.items().filter(|i| matches!(i.kind, crate::model::ItemKind::UserMessage { .. })).count();
        prop_assert!(shown + active >= prompts);
        prop_assert_eq!(&thread, &thread_of(lines.as_bytes(), None));
    }

    #[test]
    fn mutated_fixtures(
        which in 0_usize..4,
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        swap in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let name = ["version-1", "version-2", "context", "damaged"][which];
        let mut bytes = fixture(&format!("pi/{name}/session.jsonl"));
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
        let (a, b) = (swap.0.index(lines.len()), swap.1.index(lines.len()));
        lines.swap(a, b);
        bytes = lines.concat();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        rebuild_all(&bytes);
    }
}

#[test]
fn deep_and_wide_trees_are_quick() {
    // A chain of prompts that was left, with a leaf on each of many lines, would ask for their product of text.
    let mut lines: Vec<String> = vec!["p0 - user x".into()];
    lines.extend((1..2000).map(|n| format!("p{n} p{} user x", n - 1)));
    lines.extend((0..2000).map(|n| format!("l{n} p1999 assistant y")));
    lines.push("z - user active".into());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let thread = thread_of(file(&lines).as_bytes(), None);
    assert_eq!(thread.branches.len(), 2001);
    assert_eq!(thread.branches[0].abandoned_prompts.len(), 2000);
    let named: usize = thread.branches.iter().map(|b| b.abandoned_prompts.len()).sum();
    assert!(named < 200_000, "{named}");
}
