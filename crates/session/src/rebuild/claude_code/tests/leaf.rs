//! Which node a conversation goes on from.

use recount_formats::Code;

use super::{codes, prompts, thread};

/// Two branches behind the first answer; the one with `Three` is the newer one.
const BRANCHES: [&str; 6] = [
    "u1 - user One",
    "a1 u1 says m1 Hi",
    "u2 a1 user Two",
    "a2 u2 says m2 Ho",
    "u3 a1 user Three",
    "a3 u3 says m3 Hey",
];

fn with(last: &str) -> crate::model::Thread {
    let mut lines = BRANCHES.to_vec();
    lines.push(last);
    thread(&lines)
}

#[test]
fn a_plain_leaf_goes_on_to_the_newest_tip_below() {
    assert_eq!(prompts(&with("last-prompt a1")), ["> One", "> Three"]);
    assert_eq!(prompts(&with("last-prompt a2")), ["> One", "> Two"]);
    assert_eq!(prompts(&with("last-prompt u1")), ["> One", "> Three"]);
}

#[test]
fn an_explicit_leaf_is_that_node() {
    assert_eq!(prompts(&with("last-prompt a1 explicit")), ["> One"]);
    assert_eq!(prompts(&with("last-prompt a1 rewound")), ["> One"]);
}

#[test]
fn no_usable_leaf_is_the_last_line() {
    let wanted = ["> One", "> Three"];
    assert_eq!(prompts(&thread(&BRANCHES)), wanted);
    assert_eq!(prompts(&with("last-prompt 00000000-0000-0000-0000-000000000000 explicit")), wanted);
    let unknown = with("last-prompt nowhere");
    assert_eq!(prompts(&unknown), wanted);
    assert_eq!(codes(&unknown), [(Code::UnusableLeaf, 7)]);
    assert_eq!(prompts(&with("last-prompt null")), wanted);
}

#[test]
fn an_explicit_null_empties_the_conversation() {
    let empty = with("last-prompt null explicit");
    assert!(empty.turns.is_empty());
    assert_eq!(empty.branches.len(), 2);
    assert!(empty.branches.iter().all(|branch| !branch.active));
}

#[test]
fn what_was_written_behind_an_explicit_leaf_counts() {
    let mut lines = BRANCHES.to_vec();
    lines.extend(["last-prompt null explicit", "u4 - user Anew", "a4 u4 says m4 Hello"]);
    assert_eq!(prompts(&thread(&lines)), ["> Anew"]);
    let mut lines = BRANCHES.to_vec();
    lines.extend(["last-prompt a1 explicit", "u4 a1 user Again", "a4 u4 says m4 Hello"]);
    assert_eq!(prompts(&thread(&lines)), ["> One", "> Again"]);
}

#[test]
fn the_last_of_several_records_counts() {
    let mut lines = vec!["last-prompt a2"];
    lines.extend(BRANCHES);
    lines.push("last-prompt a3");
    assert_eq!(prompts(&thread(&lines)), ["> One", "> Three"]);
}

#[test]
fn the_tip_stands_behind_the_leaf_in_the_file() {
    // The record names the parent of a line that stands before it in the file.
    let lines = [
        "u1 - user One",
        "a2 u2 says m2 Ho",
        "a1 u1 says m1 Hi",
        "u2 a1 user Two",
        "last-prompt u2",
    ];
    assert_eq!(super::items(&thread(&lines)), ["> One", "Hi", "> Two"]);
}

#[test]
fn a_leaf_among_parallel_results_goes_on_behind_the_others() {
    let lines = [
        "u1 - user Two at once",
        "a1 u1 calls m1 t1 Read {}",
        "a2 a1 calls m1 t2 Read {}",
        "r2 a2 result t2 two",
        "last-prompt r2",
        "r1 a1 result t1 one",
        "a3 r1 says m2 Done",
        "u2 a3 user Next",
    ];
    assert_eq!(prompts(&thread(&lines)), ["> Two at once", "> Next"]);
}

#[test]
fn what_a_compaction_dropped_cannot_be_named() {
    let lines = [
        "u1 - user One",
        "a1 u1 says m1 Hi",
        "u2 a1 user /compact",
        "last-prompt u2",
        "b1 - boundary a1",
        "s1 b1 summary We said hello",
        "u3 s1 user Three",
    ];
    assert_eq!(prompts(&thread(&lines)), ["> One", "> Three"]);
}
