//! Lines to a tree, its damage, its branches.

use recount_formats::Code;

use super::{codes, file, items, prompts, thread, thread_of};

#[test]
fn a_parent_may_come_after_its_child() {
    let thread = thread(&["a1 u1 says m1 Hi", "u1 - user Hello", "u2 a1 user Bye"]);
    assert_eq!(items(&thread), ["> Hello", "Hi", "> Bye"]);
    assert!(thread.findings.is_empty());
}

#[test]
fn the_chain_goes_through_progress_and_unknown_lines() {
    let thread = thread(&[
        "u1 - user Hello",
        r#"p1 u1 {"type":"progress","data":{"type":"bash_progress"},"toolUseID":"t"}"#,
        r#"x1 p1 {"type":"hologram"}"#,
        "a1 x1 says m1 Hi",
    ]);
    assert_eq!(items(&thread), ["> Hello", "Hi"]);
    assert_eq!(codes(&thread), [(Code::UnknownRecordType, 3)]);
}

#[test]
fn a_missing_parent_is_bridged_to_the_line_before() {
    let thread =
        thread(&["u1 - user One", "a1 u1 says m1 Hi", "u2 gone user Two", "a2 u2 says m2 Ho"]);
    assert_eq!(items(&thread), ["> One", "Hi", "> Two", "Ho"]);
    assert_eq!(codes(&thread), [(Code::DanglingParent, 3)]);
}

#[test]
fn circles_are_cut_at_their_first_line() {
    let circle =
        thread(&["u1 a2 user One", "a1 u1 says m1 Hi", "u2 a1 user Two", "a2 u2 says m2 Ho"]);
    assert_eq!(items(&circle), ["> One", "Hi", "> Two", "Ho"]);
    assert_eq!(codes(&circle), [(Code::ParentCycle, 1)]);
    let own = thread(&["u1 u1 user One", "a1 u1 says m1 Hi"]);
    assert_eq!(items(&own), ["> One", "Hi"]);
    assert_eq!(codes(&own), [(Code::ParentCycle, 1)]);
}

#[test]
fn of_lines_with_the_same_uuid_the_last_one_counts() {
    let thread =
        thread(&["u1 - user One", "a1 u1 says m1 Draft", "u2 a1 user Two", "a1 u1 says m1 Final"]);
    assert_eq!(items(&thread), ["> One", "Final", "> Two"]);
    assert_eq!(codes(&thread), [(Code::DuplicateId, 4)]);
    assert_eq!(thread.usage.responses, 1);
}

#[test]
fn whole_records_on_glued_lines_are_shown_as_recovered() {
    let lines = file(&["u1 - user One", "a1 u1 says m1 Hi", "u2 a1 user Two", "a2 u2 says m2 Ho"]);
    let lines: Vec<&str> = lines.lines().collect();
    let glued = format!("{}\n{}{}\n{}\n", lines[0], lines[1], lines[2], lines[3]);
    let thread = thread_of(glued.as_bytes(), None);
    assert_eq!(items(&thread), ["> One", "Hi", "> Two", "Ho"]);
    assert_eq!(codes(&thread), [(Code::GluedLine, 2)]);
    let recovered: Vec<bool> = thread.items().map(|item| item.recovered).collect();
    assert_eq!(recovered, [false, true, true, false]);
}

#[test]
fn damaged_lines_are_findings_and_the_rest_is_shown() {
    let mut bytes = file(&["u1 - user One", "[1,2]", "not json", "a1 u1 says m1 Hi"]).into_bytes();
    let bad = bytes.windows(2).position(|w| w == b"Hi").unwrap();
    bytes[bad] = 0xFF;
    bytes.extend(br#"{"type":"user","uu"#);
    let thread = thread_of(&bytes, None);
    assert_eq!(items(&thread), ["> One", "\u{FFFD}i"]);
    let codes: Vec<Code> = thread.findings.iter().map(|f| f.code).collect();
    let wanted = [Code::NotAnObject, Code::InvalidJson, Code::InvalidUtf8, Code::TornLine];
    assert_eq!(codes, wanted);
}

#[test]
fn an_empty_file_is_an_empty_thread() {
    let thread = thread_of(b"", None);
    assert!(thread.turns.is_empty() && thread.branches.is_empty());
    assert_eq!(codes(&thread), [(Code::EmptyFile, 0)]);
}

#[test]
fn parallel_results_are_no_branches() {
    let lines = [
        "u1 - user Two at once",
        "a1 u1 calls m1 t1 Bash {\"command\":\"slow\"}",
        "a2 a1 calls m1 t2 Bash {\"command\":\"quick\"}",
        "r2 a2 result t2 two",
        "r1 a1 result t1 one",
        "a3 r1 says m2 Done",
    ];
    let thread = thread(&lines);
    assert_eq!(
        items(&thread),
        [
            "> Two at once",
            r#"agent $ slow Completed 0 "one""#,
            r#"agent $ quick Completed 0 "two""#,
            "Done"
        ]
    );
    assert_eq!(thread.branches.len(), 1);
    assert!(thread.findings.is_empty());
}

#[test]
fn results_may_stand_between_the_lines_of_a_response() {
    let thread = thread(&[
        "u1 - user Two",
        "a1 u1 calls m1 t1 Read {}",
        "r1 a1 result t1 one",
        "a2 r1 calls m1 t2 Read {}",
        "r2 a2 result t2 two",
        "a3 r2 says m2 Done",
    ]);
    assert_eq!(
        items(&thread)[1..3],
        ["tool Read Completed Some(true)", "tool Read Completed Some(true)"]
    );
    assert_eq!(thread.branches.len(), 1);
}

#[test]
fn abandoned_branches_are_listed_and_can_be_chosen() {
    let lines = file(&[
        "u1 - user One",
        "a1 u1 says m1 Hi",
        "u2 a1 user Two",
        "a2 u2 says m2 Ho",
        "u3 a2 user Three",
        "u4 a1 user Instead",
        "a4 u4 says m4 Yes",
        "last-prompt a4",
    ]);
    let thread = thread_of(lines.as_bytes(), None);
    assert_eq!(prompts(&thread), ["> One", "> Instead"]);
    let branches: Vec<_> = thread
        .branches
        .iter()
        .map(|b| (&*b.leaf, b.active, b.abandoned_prompts.join("+")))
        .collect();
    assert_eq!(branches, [("a4", true, String::new()), ("u3", false, "Two+Three".into())]);
    let other = thread_of(lines.as_bytes(), Some("u3"));
    assert_eq!(prompts(&other), ["> One", "> Two", "> Three"]);
    assert_eq!(other.branches, thread.branches);
}

#[test]
fn a_leaf_that_is_not_there_gives_the_active_branch_and_a_finding() {
    let lines = file(&["u1 - user One", "a1 u1 says m1 Hi"]);
    let thread = thread_of(lines.as_bytes(), Some("nowhere"));
    assert_eq!(prompts(&thread), ["> One"]);
    assert_eq!(codes(&thread), [(Code::UnknownBranch, 0)]);
}

#[test]
fn the_typed_command_beside_its_compaction_is_no_branch() {
    let thread = thread(&[
        "u1 - user One",
        "a1 u1 says m1 Hi",
        "u2 a1 user /compact",
        "b1 - boundary a1",
        "s1 b1 summary We said hello",
    ]);
    assert_eq!(thread.branches.len(), 1);
    assert_eq!(items(&thread), ["> One", "Hi", r#"compaction Some("manual") We said hello"#]);
}

#[test]
fn a_refused_answer_on_a_side_branch_is_shown() {
    let thread = thread(&[
        "u1 - user Something bad",
        "a1 u1 refuses m1 I cannot help with that",
        "u2 u1 user Something good",
        "a2 u2 says m2 Gladly",
    ]);
    assert_eq!(
        items(&thread),
        [
            "> Something bad",
            "I cannot help with that",
            "Warning the model refused to answer",
            "> Something good",
            "Gladly"
        ]
    );
    assert_eq!(thread.branches.len(), 1);
}

#[test]
fn agents_in_the_file_of_their_session_are_branches_without_prompts() {
    let agent = |id: &str, parent: &str, text: &str| {
        format!(
            r#"{{"type":"user","uuid":"{id}","parentUuid":{parent},"isSidechain":true,"message":{{"content":"{text}"}}}}"#
        )
    };
    let thread = thread(&[
        "u1 - user Go",
        r#"a1 u1 calls m1 t1 Task {"prompt":"look"}"#,
        &agent("s1", "null", "look"),
        "r1 a1 result t1 seen",
        "a2 r1 says m2 Done",
    ]);
    assert_eq!(prompts(&thread), ["> Go"]);
    let branches: Vec<_> =
        thread.branches.iter().map(|b| (&*b.leaf, b.abandoned_prompts.len())).collect();
    assert_eq!(branches, [("a2", 0), ("s1", 0)]);
}
