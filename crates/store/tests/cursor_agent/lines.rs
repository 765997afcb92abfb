//! Stores as lines: each record once, and by its type.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::Arc;

use recount_formats::check;
use recount_formats::json;
use recount_formats::record;

use super::*;

/// The lines of a store or of one conversation in it.
fn lines(path: &Path, id: Option<&str>) -> Vec<String> {
    let mut text = String::new();
    CursorAgent.lines(path, id).unwrap().unwrap().read_to_string(&mut text).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(str::to_owned).collect()
}

/// How many lines of each type, without `blob: ` and the package.
fn types(lines: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        let header = record::header_of(Harness::CursorAgent, json::parse(line).unwrap());
        assert!(header.is_known(), "{line}");
        let name = header.name.replace("blob: ", "").replace("agent.v1.", "");
        *counts.entry(name).or_default() += 1;
    }
    counts
}

fn expected(types: &[(&str, usize)]) -> BTreeMap<String, usize> {
    types.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

/// What the catalogue has against these lines.
fn against(lines: &[String]) -> Vec<String> {
    let bytes = lines.join("\n") + "\n";
    let source: Arc<str> = "store.db".into();
    let (_, found) = check::transcript(Some(Harness::CursorAgent), &source, bytes.as_bytes());
    found.into_iter().map(|f| format!("{:?} {}", f.finding.code, f.finding.message)).collect()
}

#[test]
fn every_record_is_a_line() {
    let home = Home::new();
    let mut chat = chat("c1", &["One", "Two"]);
    let lost = chat.bytes(b"nothing names this");
    let store = home.add("c1", &chat).join("store.db");
    let before = home.listing();
    let all = lines(&store, None);
    assert_eq!(home.listing(), before, "nothing was touched");
    assert_eq!(
        types(&all),
        expected(&[
            ("meta / '0'", 1),
            ("meta.json", 1),
            ("ConversationStateStructure (root checkpoint)", 1),
            ("prompt message JSON / role=system", 1),
            ("prompt message JSON / role=user", 3),
            ("prompt message JSON / role=assistant", 2),
            ("ConversationTurnStructure / agent_conversation_turn", 2),
            ("UserMessage", 2),
            ("ConversationStep / assistant_message", 2),
            ("superseded root checkpoints and steps (unreachable)", 3),
        ])
    );
    assert!(all[0].starts_with(r#"{"meta['0']":{"#), "the settings come first: {}", all[0]);
    assert!(all.iter().any(|line| line.contains(&lost)), "beside the two former roots: {lost}");
    assert_eq!(against(&all), [""; 0]);
}

#[test]
fn what_nobody_knows_stands_under_its_number() {
    let home = Home::new();
    let mut chat = chat("c1", &[]);
    // A step whose tool is field 1234, and a user message that has a field 900.
    let tool =
        builder::encoded("ConversationStep", &json!({ "tool_call": { "1234": { "1": "x" } } }));
    let tool = chat.bytes(&tool);
    let user = chat.put("UserMessage", &json!({ "text": "Hello", "message_id": "m1", "900": 7 }));
    let turn = chat.put(
        "ConversationTurnStructure",
        &json!({ "agent_conversation_turn": { "user_message": user, "steps": [tool] } }),
    );
    let root = chat.root(&json!({ "turns": [turn] }));
    let store = home.add("c1", &chat.with_root("c1", &root)).join("store.db");
    let all = lines(&store, None);
    types(&all);
    let has = |kind: &str, part: &str| {
        all.iter().any(|line| line.ends_with(&format!(r#""as":"{kind}"}}"#)) && line.contains(part))
    };
    assert!(has("ConversationStep / tool_call", r#"{"tool_call":{"1234":"#), "{all:#?}");
    assert!(has("UserMessage", r#""900":7"#), "{all:#?}");
}

#[test]
fn a_broken_store_still_has_lines() {
    let home = Home::new();
    let folder = home.chat_folder("c1");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("store.db"), "not a database").unwrap();
    let lines = CursorAgent.lines(&folder.join("store.db"), None);
    let mut text = String::new();
    if let Some(Ok(mut reader)) = lines {
        reader.read_to_string(&mut text).unwrap();
    }
    assert!(text.lines().all(|line| json::parse(line).is_ok()), "{text}");
}

#[test]
fn a_copy_as_text_has_the_lines_of_the_other_form() {
    let home = Home::new();
    home.file(
        "projects/home-dev-shop/agent-transcripts/old-1.txt",
        "user:\n<user_query>\nWhere is the cart?\n</user_query>\n\nassistant:\nIn src/cart.ts.\n",
    );
    let path = home.root().join("projects/home-dev-shop/agent-transcripts/old-1.txt");
    let all = lines(&path, None);
    assert_eq!(types(&all), expected(&[("jsonl / role=user", 1), ("jsonl / role=assistant", 1)]));
    assert!(all[0].contains("Where is the cart?"), "{}", all[0]);
    assert_eq!(against(&all), [""; 0]);
}
