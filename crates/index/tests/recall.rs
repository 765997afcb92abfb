//! What has to be looked at in the texts: patterns, punctuation, what may not be there.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

use std::collections::BTreeSet;

use recount_index::search::{How, Index, Touch};

use crate::search::{ONE, Place, TWO, answer, conversation, line, prompt, says, search};

/// The sessions and the items that are found, whatever way.
fn find(place: &Place, query: &str) -> (How, BTreeSet<(String, String)>) {
    let found = search(&mut place.index(), &place.store, query);
    let hits = found
        .sessions
        .iter()
        .flat_map(|s| s.hits.iter().map(|hit| (s.session.id[..1].to_owned(), hit.item.clone())));
    (found.how, hits.collect())
}

/// The sessions in which something is found as asked, by the first letters of their ids.
fn exactly(place: &Place, query: &str) -> String {
    let (how, hits) = find(place, query);
    let ids: BTreeSet<String> = hits.into_iter().map(|(id, _)| id).collect();
    if how == How::Exactly { ids.into_iter().collect() } else { String::new() }
}

fn place(one: &[String], two: &[String]) -> Place {
    let place = Place::new();
    place.write(ONE, one);
    place.write(TWO, two);
    place
}

/// Something in the records that is no item.
fn beside(text: &str) -> String {
    format!("{{\"type\":\"of-the-future\",\"note\":{text}}}\n")
}

#[test]
fn all_hits_of_a_session_are_looked_at() {
    // One prompt behind the other; each without the one before would be a branch of its own.
    let many: Vec<String> = (0..1100)
        .map(|n: u32| {
            let before = n.checked_sub(1).map(|n| format!("u{n}"));
            let text = match n {
                1099 => format!("{} a red.fox at last", "many words ".repeat(300)),
                _ => format!("red fox {n}"),
            };
            prompt(&format!("u{n}"), before.as_deref(), ONE, 0, &text)
        })
        .collect();
    let place = place(&many, &conversation(TWO, &[("red fox", "x")]));
    assert_eq!(exactly(&place, r"/red\.fox/"), "1");
    assert_eq!(exactly(&place, "\"red.fox\""), "1");
    assert_eq!(exactly(&place, "/at.last|nothing.like.it/"), "1");
}

#[test]
fn what_stands_outside_of_items_is_read_as_it_is() {
    let mut lines = conversation(ONE, &[("alpha", "beta")]);
    lines.push(beside(r#""they say \"hivalue\" on the \u00e9tag\u00e8re""#));
    lines.push(beside(r#""first\nstartword and\nmore onlyendword\nlast""#));
    lines.extend((0..30).map(|n| beside(&format!("\"peach plum {n}\""))));
    lines.push(beside(r#""peach.plum""#));
    lines.push(beside(r#"["claude-sonnet-4-5-20250929","feature-2024-branchy"]"#));
    lines.push(beside(r#"["toolu_01Ab3dEf5hIj7lMnOpQrStUv","walnut-7f3a9c1e-x"]"#));
    let place = place(&lines, &conversation(TWO, &[("peach plum", "x")]));
    for query in [
        "/say \"hivalue\"/",
        "/étagère/",
        "étagère",
        "/^startword/",
        "/onlyendword$/",
        "\"peach.plum\"",
        "sonnet",
        "\"claude-sonnet-4-5-20250929\"",
        "branchy",
        "walnut",
    ] {
        assert_eq!(exactly(&place, query), "1", "{query}");
    }
    assert_eq!(exactly(&place, "toolu_01Ab3dEf5hIj7lMnOpQrStUv"), "", "what machines made");
}

#[test]
fn patterns_run_through_identifiers() {
    let place = place(
        &conversation(ONE, &[("one_two_three_four_five_six_seven = quagga", "x")]),
        &conversation(TWO, &[("foobar, foo bar", "x")]),
    );
    assert_eq!(exactly(&place, "/one_two_three_four_five_six_seven = quagga/"), "1");
    assert_eq!(exactly(&place, r"/foo\Bbar/"), "2");
}

#[test]
fn terms_that_are_looked_at_may_be_in_several_items() {
    let place = place(
        &conversation(ONE, &[("peculiar.token", "x"), ("y", "walnut")]),
        &conversation(TWO, &[("peculiar token", "x"), ("y", "walnut")]),
    );
    for query in ["/peculiar.token/ walnut", "peculiar walnut"] {
        let (how, hits) = find(&place, query);
        let ids: BTreeSet<&str> = hits.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!((how, ids), (How::Across, BTreeSet::from(["1", "2"])), "{query}");
    }
    for query in [r"/peculiar\.token/ walnut", "\"peculiar.token\" walnut"] {
        let (how, hits) = find(&place, query);
        assert_eq!(how, How::Across, "{query}");
        assert!(hits.len() == 2 && hits.iter().all(|(id, _)| id == "1"), "{query}: {hits:?}");
    }
}

#[test]
fn each_of_several_alternatives_is_looked_at() {
    let place = place(
        &conversation(ONE, &[("alpha", "x"), ("zebra", "y")]),
        &conversation(TWO, &[("a b", "x")]),
    );
    assert_eq!(exactly(&place, "/zebra|nothingx/ OR omega"), "1");
    assert_eq!(exactly(&place, "\"a->b\" OR alpha"), "1");
    assert_eq!(exactly(&place, "alpha OR /a.b/"), "12");
    assert_eq!(find(&place, "/zebra|nothingx/ OR role:tool").1.len(), 1);
}

#[test]
fn an_item_is_not_the_record_in_which_it_stands() {
    let thinks = r#"{"type":"thinking","thinking":"an okapi","signature":"x"}"#;
    let calls = r#"{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"grep tapir"}}"#;
    let content = format!("{thinks},{},{calls}", says("a bongo"));
    let lines = [prompt("u1", None, ONE, 0, "go"), answer("a1", "u1", ONE, 1, &content)];
    let place = place(&lines, &conversation(TWO, &[("x", "y")]));
    assert_eq!(exactly(&place, "role:assistant /okapi|nothingx/"), "");
    assert_eq!(exactly(&place, "role:assistant /bongo|nothingx/"), "1");
    assert_eq!(exactly(&place, "role:reasoning /okapi|nothingx/"), "1");
    assert_eq!(exactly(&place, "role:tool /bongo|nothingx/"), "");
    assert_eq!(exactly(&place, "role:tool /tapir|nothingx/"), "1");
    // The same record holds both.
    assert_eq!(exactly(&place, "-/okapi/ bongo"), "1");
    // Nor is it what stands around it.
    assert_eq!(exactly(&place, "role:user /2026-10-01T10/"), "");
    let found = search(&mut place.index(), &place.store, "role:tool");
    assert!(found.sessions[0].hits[0].snippet.text.contains("tapir"));
}

#[test]
fn what_may_not_be_there() {
    let place = place(
        &conversation(ONE, &[("a b alone", "hello"), ("filler", "zebux")]),
        &conversation(TWO, &[("a->b", "other")]),
    );
    // The words are there, the signs between them are not.
    assert_eq!(exactly(&place, "-\"a->b\" alone"), "1");
    assert_eq!(exactly(&place, "-\"a b\" alone"), "");
    // Without anything that is looked for it is sessions that may not have it.
    assert_eq!(exactly(&place, "-hello"), "2");
    assert_eq!(exactly(&place, "-/hell[o]/"), "2");
    assert_eq!(exactly(&place, "role:user -hello"), "12");
    assert_eq!(exactly(&place, "-\"a->b\""), "1");
    // With something, it is places.
    assert_eq!(exactly(&place, "filler -zebux"), "1");
}

#[test]
fn files_are_found_however_they_are_written() {
    let call = |id: &str, name: &str, input: &str| {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#)
    };
    let result = |id: &str, error: bool| {
        let content = format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"done","is_error":{error}}}]}}"#
        );
        line(&format!("r-{id}"), Some("a1"), ONE, 2, "user", &content)
    };
    let calls = [
        call(
            "t1",
            "Edit",
            r#"{"file_path":"/home/dev/shop/failed.rs","old_string":"a","new_string":"b"}"#,
        ),
        call(
            "t2",
            "Edit",
            r#"{"file_path":"/home/dev/shop/src//read_me.rs","old_string":"a","new_string":"b"}"#,
        ),
        call(
            "t3",
            "mcp__files__move_file",
            r#"{"source":"/home/dev/old.rs","destination":"/home/dev/x/../new.rs"}"#,
        ),
        call("t4", "Bash", r#"{"command":"ls"}"#),
    ];
    let lines = [
        prompt("u1", None, ONE, 0, "go"),
        answer("a1", "u1", ONE, 1, &calls.join(",")),
        result("t1", true),
        result("t2", false),
        result("t3", false),
        result("t4", false),
    ];
    let place = place(&lines, &conversation(TWO, &[("x", "y")]));
    let mut index = place.index();
    let touch = |index: &mut Index, path: &str| {
        let stores = std::slice::from_ref(&place.store);
        let (found, _) = index.ask(stores, &|_| (), |i, now| i.touched(now, path)).unwrap();
        found.into_iter().flat_map(|t| t.files).map(|(_, touch)| touch).collect::<Vec<Touch>>()
    };
    assert!(touch(&mut index, "failed.rs").is_empty(), "nothing was changed");
    for path in ["src//read_me.rs", "/home/dev/shop/../shop/src/read_me.rs", "./read_me.rs"] {
        assert_eq!(touch(&mut index, path), [Touch::Change], "{path}");
    }
    assert_eq!(touch(&mut index, "/home/dev/new.rs"), [Touch::Change]);
    assert_eq!(touch(&mut index, "old.rs"), [Touch::Change]);
    for query in
        ["file:read_m*", "file:read_*", "file:rea*", "tool:bash", "tool:ba*", "file:failed"]
    {
        assert_eq!(exactly(&place, query), "1", "{query}");
    }
    assert_eq!(exactly(&place, "file:x*"), "");
}

#[test]
fn letters_with_marks_are_the_same_however_they_are_written() {
    let place = place(
        &conversation(ONE, &[("une e\u{301}cole", "x")]),
        &conversation(TWO, &[("une \u{e9}cole", "y")]),
    );
    for query in ["\u{e9}cole", "e\u{301}cole", "\u{c9}COLE"] {
        assert_eq!(exactly(&place, query), "12", "{query:?}");
        let found = search(&mut place.index(), &place.store, query);
        assert!(found.sessions.iter().all(|s| s.hits[0].snippet.marks.len() == 1));
    }
}
