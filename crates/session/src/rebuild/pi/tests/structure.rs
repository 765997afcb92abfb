//! The tree, versions, names, lineage, usage, and what is wrong with files.

use recount_formats::Code;

use super::{Files, HEADER, codes, file, thread, thread_of, thread_with, turns, view_of};
use crate::model::ThreadStatus;

#[test]
fn one_branch_for_each_leaf_and_the_last_entry_is_active() {
    let lines = file(&[
        "a - user one",
        "b a assistant 1",
        "c b user two",
        "d c assistant 2",
        "e b user three",
        "f e assistant 3",
        "g - user another root",
        r#"h f "type":"session_info","name":"named""#,
    ]);
    let thread = thread_of(lines.as_bytes(), None);
    let branches: Vec<_> = thread
        .branches
        .iter()
        .map(|b| (&*b.leaf, b.active, b.abandoned_prompts.join(",")))
        .collect();
    assert_eq!(
        branches,
        [
            ("d", false, "two".to_owned()),
            ("g", false, "another root".into()),
            ("h", true, String::new())
        ]
    );
    assert_eq!(turns(&thread), [["> one", "1"], ["> three", "3"]]);
    assert!(thread.findings.is_empty());

    let other = thread_of(lines.as_bytes(), Some("d"));
    assert_eq!(turns(&other), [["> one", "1"], ["> two", "2"]]);
    assert!(
        other.branches[2].active,
        "the active branch is that of the file, not the one that is shown"
    );
    let inner = thread_of(lines.as_bytes(), Some("b"));
    assert_eq!(turns(&inner), [["> one", "1"]]);
    let unknown = thread_of(lines.as_bytes(), Some("zz"));
    assert_eq!(
        (turns(&unknown), codes(&unknown)),
        (turns(&thread), vec![(Code::UnknownBranch, 0)])
    );
}

#[test]
fn a_branch_can_be_named_by_a_label() {
    let lines = file(&[
        "a - user one",
        r#"b a "type":"label","targetId":"a","label":"start""#,
        "c b user two",
    ]);
    assert_eq!(
        turns(&thread_of(lines.as_bytes(), Some("start"))),
        [["> one", "Info Label: start"]]
    );
}

#[test]
fn a_dangling_parent_cuts_the_branch() {
    let thread = thread(&["a - user one", "b a assistant 1", "c gone user two"]);
    assert_eq!(turns(&thread), [["> two"]]);
    assert_eq!(codes(&thread), [(Code::DanglingParent, 4)]);
    assert_eq!(thread.branches.len(), 2);
    let lines = file(&["a - user one", "b a assistant 1", "c gone user two"]);
    assert_eq!(view_of(lines.as_bytes(), None).messages.len(), 1);
}

#[test]
fn circles_are_cut_once() {
    let own = thread(&["a - user one", "b b user two"]);
    assert_eq!((codes(&own), turns(&own).len()), (vec![(Code::ParentCycle, 3)], 1));

    let circle = thread(&["a c user one", "b a user two", "c b user three", "d c user four"]);
    assert_eq!(codes(&circle), [(Code::ParentCycle, 2)]);
    assert_eq!(turns(&circle), [["> one"], ["> two"], ["> three"], ["> four"]]);

    // Two circles, and a tail that leads into one of them.
    let two = thread(&["a b user 1", "b a user 2", "c d user 3", "d c user 4", "e d user 5"]);
    assert_eq!(codes(&two), [(Code::ParentCycle, 2), (Code::ParentCycle, 4)]);
    assert_eq!(turns(&two), [["> 3"], ["> 4"], ["> 5"]]);
}

#[test]
fn a_parent_below_its_child_is_found() {
    let thread = thread(&["a b user two", "b - user one", "c a user three"]);
    assert_eq!(turns(&thread), [["> one"], ["> two"], ["> three"]]);
    assert!(thread.findings.is_empty());
}

#[test]
fn an_id_that_stands_twice_means_the_nearest_one_above() {
    let thread = thread(&["a - user one", "b a user two", "b b user three", "c b user four"]);
    assert_eq!(codes(&thread), [(Code::DuplicateId, 4)]);
    assert_eq!(turns(&thread), [["> one"], ["> two"], ["> three"], ["> four"]]);
}

#[test]
fn an_entry_without_id_is_kept() {
    let lines = format!(
        "{}{{\"type\":\"custom\",\"customType\":\"x\",\"parentId\":\"a\",\"timestamp\":\"t\"}}\n{{\"type\":\"custom\",\"customType\":\"x\",\"id\":\"q\",\"timestamp\":\"t\"}}\n",
        file(&["a - user one"])
    );
    let thread = thread_of(lines.as_bytes(), Some("line-3"));
    assert_eq!(turns(&thread), [["> one"]]);
    assert_eq!(codes(&thread), [(Code::MissingField, 3), (Code::MissingField, 4)]);
    assert_eq!(thread.findings[1].pointer, "/parentId");
}

#[test]
fn files_without_a_proper_header_are_read() {
    let whole = file(&["a - user one", "b a assistant 1"]);
    let entries = whole.split_once('\n').map_or("", |(_, rest)| rest);
    let without = thread_of(entries.as_bytes(), None);
    assert_eq!((codes(&without), turns(&without).len()), (vec![(Code::MissingHeader, 1)], 1));

    let garbage = thread_of(format!("%%%\n{whole}").as_bytes(), None);
    assert_eq!((codes(&garbage), &*garbage.id), (vec![(Code::InvalidJson, 1)], "s"));

    let late = thread_of(format!("{entries}{HEADER}\n{HEADER}\n").as_bytes(), None);
    assert_eq!(codes(&late), [(Code::MissingHeader, 3), (Code::DuplicateId, 4)]);
    assert_eq!(&*late.id, "s");

    let future = whole.replace("\"version\":3", "\"version\":7");
    assert_eq!(codes(&thread_of(future.as_bytes(), None)), [(Code::FutureVersion, 1)]);
    let nameless = whole.replace("\"id\":\"s\",", "");
    assert_eq!(codes(&thread_of(nameless.as_bytes(), None)), [(Code::MissingField, 1)]);

    let nothing = thread_of(b"", None);
    assert_eq!(
        (codes(&nothing), nothing.status),
        (vec![(Code::EmptyFile, 0)], ThreadStatus::Empty)
    );
    let other = thread_of(b"[1]\n{\"hello\":1}\n", None);
    let found = [(Code::NotAnObject, 1), (Code::UnknownRecordType, 2), (Code::MissingHeader, 2)];
    assert_eq!(codes(&other), found);
}

#[test]
fn version_1_is_a_list() {
    let lines = r#"{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}
{"type":"message","timestamp":"t","message":{"role":"user","content":"one","timestamp":1}}
{"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"1"}],"stopReason":"stop","timestamp":2}}
{"type":"message","timestamp":"t","message":{"role":"user","content":"two","timestamp":3}}
{"type":"compaction","timestamp":"t","summary":"short","firstKeptEntryIndex":3,"tokensBefore":9}
{"type":"message","timestamp":"t","message":{"role":"user","content":"three","timestamp":4}}
"#;
    let thread = thread_of(lines.as_bytes(), None);
    assert!(thread.findings.is_empty(), "{:?}", thread.findings);
    assert_eq!(
        turns(&thread),
        [vec!["> one", "1"], vec!["> two", "compaction short"], vec!["> three"]]
    );
    assert_eq!(thread.branches[0].leaf, "line-6");
    let view = view_of(lines.as_bytes(), Some("an id that pi made up while it read the file"));
    assert_eq!((view.messages.len(), view.compactions, view.dropped_turns), (3, 1, 1));
}

#[test]
fn names_come_and_go() {
    let named = |names: &[&str]| {
        let names = names
            .iter()
            .enumerate()
            .map(|(n, name)| format!("n{n} a \"type\":\"session_info\",\"name\":\"{name}\""));
        let entries: Vec<String> =
            std::iter::once("a - user  first words".into()).chain(names).collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        thread(&entries).title.unwrap_or_default()
    };
    assert_eq!(named(&[]), " first words");
    assert_eq!(named(&["one", " two  words "]), "two  words");
    assert_eq!(named(&["one", ""]), " first words");
}

#[test]
fn what_is_known_of_the_session() {
    let thread = thread(&[
        r#"m - "type":"model_change","provider":"p","modelId":"chosen""#,
        "a m user one",
        "b a assistant 1",
        r#"c b "type":"model_change","provider":"p","modelId":"later""#,
    ]);
    assert_eq!(thread.model.as_deref(), Some("m"), "the one that answered");
    assert_eq!(thread.cwd.as_deref(), Some("/home/dev/shop"));
    assert_eq!(thread.created_at.as_deref(), Some("2026-11-01T08:00:00.000Z"));
    assert_eq!(thread.updated_at.as_deref(), Some("2026-11-01T08:00:04.000Z"));
    assert_eq!(thread.preview.as_deref(), Some("one"));
}

#[test]
fn the_header_of_the_source_tells_what_a_fork_is_from() {
    let fork = |source: &str| {
        let header = HEADER.replace("\"cwd\"", &format!("\"parentSession\":\"{source}\",\"cwd\""));
        let files = Files(&[
            (
                "header/2026-01-01T00-00-00-000Z_in-name.jsonl",
                "{\"type\":\"session\",\"id\":\"in-header\"}\n",
            ),
            ("header/empty.jsonl", ""),
        ]);
        let thread = thread_with(header.as_bytes(), None, &files);
        (thread.lineage.forked_from_id.clone(), codes(&thread))
    };
    let there = "/elsewhere/2026-01-01T00-00-00-000Z_in-name.jsonl";
    assert_eq!(fork(there), (Some("in-header".into()), vec![]));
    assert_eq!(fork(r"C:\\x\\2026-01-01T00-00-00-000Z_in-name.jsonl").0, Some("in-header".into()));
    let gone = "/elsewhere/2026-02-01T00-00-00-000Z_gone_id.jsonl";
    assert_eq!(fork(gone), (Some("gone_id".into()), vec![(Code::MissingFile, 1)]));
    assert_eq!(fork("/elsewhere/empty.jsonl"), (None, vec![(Code::MissingFile, 1)]));
    let old = HEADER
        .replace("\"cwd\"", "\"branchedFrom\":\"/2026-01-01T00-00-00-000Z_old.jsonl\",\"cwd\"");
    assert_eq!(thread_of(old.as_bytes(), None).lineage.forked_from_id.as_deref(), Some("old"));
}

#[test]
fn usage_is_summed_over_all_branches_and_each_response_counts_once() {
    let bill = r#""usage":{"input":100,"output":20,"cacheRead":0,"cacheWrite":0,"reasoning":5,"totalTokens":120,"cost":{"total":1}}"#;
    let entry = |head: &str| format!("{head},{bill}");
    let lines: Vec<String> = vec![
        "a - user one".into(),
        "b a assistant 1".into(),
        "c a assistant 2".into(),
        entry(r#"d c "type":"compaction","summary":"s","firstKeptEntryId":"d","tokensBefore":1"#),
        entry(r#"e d "type":"branch_summary","fromId":"b","summary":"s""#),
        entry(r#"f e "type":"usage","kind":"cache_warm","provider":"p","model":"m""#),
        format!(r#"g f "type":"message","message":{{"role":"toolResult","toolCallId":"x","toolName":"t","content":[],"isError":false,"timestamp":1,{bill}}}"#),
        format!(r#"h g "type":"message","message":{{"role":"assistant","content":[],"responseId":"r1","stopReason":"stop","timestamp":1,{bill}}}"#),
        format!(r#"i h "type":"message","message":{{"role":"assistant","content":[],"responseId":"r1","stopReason":"stop","timestamp":1,{bill}}}"#),
        format!(
            r#"i2 i "type":"message","message":{{"role":"assistant","content":[],"responseId":"r1","stopReason":"stop","timestamp":2,{bill}}}"#
        ),
        r#"j i "type":"message","message":{"role":"assistant","content":[],"stopReason":"aborted","timestamp":1,"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"total":0}}}"#.into(),
        r#"k j "type":"message","message":{"role":"assistant","content":[],"stopReason":"stop","timestamp":1,"usage":{"input":-5,"output":99999999999999999999999999,"cacheRead":1e300}}"#.into(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let usage = thread(&lines).usage;
    assert_eq!((usage.responses, usage.input_tokens, usage.output_tokens), (8, 620, 124));
    assert_eq!((usage.cached_input_tokens, usage.cache_write_tokens), (6, 2));
    assert_eq!((usage.reasoning_tokens, usage.total_tokens), (30, 752));
    assert_eq!(usage.cost_usd, Some(7.0));
}

#[test]
fn records_on_broken_lines_are_shown_but_were_never_sent() {
    let good = file(&["a - user one", "b a assistant 1"]);
    let more = file(&["a - user one", "b a assistant 1", "c b user two", "d c assistant 2"]);
    let glued: String = more.lines().skip(3).collect();
    let lines = format!("{good}{glued}\n");
    let thread = thread_of(lines.as_bytes(), None);
    assert_eq!(codes(&thread), [(Code::GluedLine, 4)]);
    assert_eq!(turns(&thread), [["> one", "1"], ["> two", "2"]]);
    let items: Vec<_> = thread.items().map(|item| item.recovered).collect();
    assert_eq!(items, [false, false, true, true]);
    assert_eq!(view_of(lines.as_bytes(), None).messages.len(), 2);
}

#[test]
fn a_list_without_ids_is_one_branch_whatever_it_is_called() {
    let lines = concat!(
        r#"{"type":"session","id":"s","timestamp":"2025-12-01T10:00:00.000Z","cwd":"/home/dev/shop"}"#,
        "\n",
        r#"{"type":"message","timestamp":"2025-12-01T10:00:01.000Z","message":{"role":"user","content":"one"}}"#,
        "\n",
    );
    let named = thread_of(lines.as_bytes(), Some("3b3c5d17"));
    assert_eq!(turns(&named), turns(&thread_of(lines.as_bytes(), None)));
    assert!(codes(&named).iter().all(|(code, _)| *code != Code::UnknownBranch));
}
