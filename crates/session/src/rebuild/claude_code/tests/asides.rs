//! What other branches have beyond the active one.

use super::{file, prompts, thread_of, with_branches};
use crate::model::{Aside, Thread};

/// The shared turns and those of the branch are what the branch shows when it is asked for alone.
fn holds(bytes: &[u8]) -> (Thread, Vec<Aside>) {
    let (active, asides) = with_branches(bytes);
    assert_eq!(active, thread_of(bytes, None));
    let others: Vec<&str> =
        active.branches.iter().filter(|b| !b.active).map(|b| b.leaf.as_str()).collect();
    assert_eq!(others, asides.iter().map(|a| a.leaf.as_str()).collect::<Vec<_>>());
    for aside in &asides {
        let alone = thread_of(bytes, Some(&aside.leaf));
        assert_eq!(alone.turns[..aside.shared_turns], active.turns[..aside.shared_turns]);
        let ids = |turns: &[crate::model::Turn]| -> Vec<Vec<String>> {
            turns.iter().map(|t| t.items.iter().map(|i| i.id.clone()).collect()).collect()
        };
        assert_eq!(ids(&alone.turns[aside.shared_turns..]), ids(&aside.turns));
    }
    (active, asides)
}

#[test]
fn a_branch_begins_with_the_turn_that_differs() {
    let (active, asides) = holds(
        file(&[
            "u1 - user One",
            "a1 u1 says m1 Hi",
            "u2 a1 user Two",
            "a2 u2 says m2 Ho",
            "u3 a1 user Three",
            "a3 u3 says m3 Hey",
        ])
        .as_bytes(),
    );
    assert_eq!(prompts(&active), ["> One", "> Three"]);
    assert_eq!(asides.len(), 1);
    assert_eq!((asides[0].shared_turns, asides[0].turns.len()), (1, 1));
}

#[test]
fn a_branch_within_a_turn_has_that_turn_whole() {
    let (active, asides) = holds(
        file(&[
            "u1 - user One",
            "a1 u1 calls m1 c1 Bash {\"command\":\"ls\"}",
            "r1 a1 result c1 first",
            "a2 r1 says m2 Ho",
            "r2 a1 result c1 second",
            "a3 r2 says m3 Hey",
        ])
        .as_bytes(),
    );
    assert_eq!(active.turns.len(), 1);
    assert_eq!(asides.len(), 1);
    assert_eq!((asides[0].shared_turns, asides[0].turns.len()), (0, 1));
}

#[test]
fn branches_from_the_beginning_share_nothing() {
    let lines = ["u1 - user One", "a1 u1 says m1 Hi", "u2 - user Two", "a2 u2 says m2 Ho"];
    let (_, asides) = holds(file(&lines).as_bytes());
    assert_eq!((asides[0].shared_turns, asides[0].turns.len()), (0, 1));
}

#[test]
fn corpus() {
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude-code");
    let Ok(cases) = std::fs::read_dir(root) else { return };
    let mut folders: Vec<_> = cases.flatten().map(|e| e.path()).collect();
    let mut branches = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "jsonl") {
                branches += holds(&std::fs::read(&path).unwrap()).1.len();
            }
        }
    }
    assert!(branches > 5, "{branches}");
}
