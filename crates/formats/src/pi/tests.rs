//! pi's records against its catalogue.

use std::sync::Arc;

use super::{Kind, type_of};
use crate::catalogue::Catalogue;
use crate::check::{Checker, Known};
use crate::{Code, Harness, json, jsonl};

fn codes(text: &str) -> Vec<(Code, u64)> {
    let mut checker = Checker::new(Some(Harness::Pi));
    checker.begin(&Arc::from("s.jsonl"), Known::of(Some(Harness::Pi), text.as_bytes()));
    for line in jsonl::lines(text.as_bytes()) {
        checker.line(&line);
    }
    let (_, found) = checker.end();
    found.into_iter().map(|f| (f.finding.code, f.finding.line)).collect()
}

#[test]
fn examples_are_of_their_type_and_without_drift() {
    let catalogue = Catalogue::of(Harness::Pi);
    assert_eq!((catalogue.records.len(), catalogue.blocks.len()), (18, 4));
    let header = &catalogue.records[0].example;
    for record in &catalogue.records {
        let example = json::parse(&record.example).unwrap();
        // The example of the wrapper holds a message, which has a role.
        if record.name != "message" {
            assert_eq!(type_of(example), record.name);
        }
        assert_ne!(Kind::of(example), Kind::Unknown);
        assert_eq!(codes(&format!("{header}\n{}\n", record.example)), [], "{}", record.name);
    }
}

#[test]
fn old_roles_and_unknown_ones() {
    let kind = |text| Kind::of(json::parse(text).unwrap());
    assert_eq!(kind(r#"{"type":"message","message":{"role":"hookMessage"}}"#), Kind::MessageCustom);
    assert_eq!(kind(r#"{"type":"message","message":{"role":"oracle"}}"#), Kind::Unknown);
    assert_eq!(kind(r#"{"type":"message"}"#), Kind::Message);
}

#[test]
fn only_versions_with_a_tree_are_asked_for_its_fields() {
    let entry = r#"{"type":"session_info","timestamp":"t","name":"n"}"#;
    let file = |version: &str| {
        let header = format!(r#"{{"type":"session"{version},"id":"s","timestamp":"t","cwd":"/"}}"#);
        codes(&format!("{header}\n{entry}\n"))
    };
    assert_eq!(file(""), []);
    let missing = (Code::MissingField, 2);
    assert_eq!(file(",\"version\":3"), [missing, missing]);
    assert_eq!(file(",\"version\":2"), [missing, missing]);
    // JavaScript leaves out what is undefined: a label that is taken away, the exit code of a cancelled command.
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;
    let gone = r#"{"type":"label","id":"a","parentId":null,"timestamp":"t","targetId":"b"}"#;
    assert_eq!(codes(&format!("{header}\n{gone}\n")), []);
}
