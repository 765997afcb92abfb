//! The catalogues held against the format contracts, where these are at hand (`../shared/seeds/contracts.json`):
//! all their facts are here, and none of their sentences.

#![allow(clippy::unwrap_used, reason = "what fails here ends the test")]

use std::collections::BTreeSet;
use std::path::Path;

use recount_formats::Harness;
use recount_formats::catalogue::{Catalogue, Field, Presence};
use serde_json::Value;

/// The contracts of the harnesses that have a catalogue; nothing where the file is not at hand.
fn contracts() -> Vec<(Harness, Value)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds/contracts.json");
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let all: Value = serde_json::from_str(&text).unwrap();
    all["contracts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (Harness::from_id(c["harness"].as_str().unwrap()).unwrap(), c.clone()))
        .filter(|(harness, _)| !Catalogue::of(*harness).records.is_empty())
        .collect()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// A field's name without what is only a matter of notation.
fn plain(name: &str) -> String {
    name.replace("payload.", "").replace(' ', "")
}

fn has(ours: &[&Field], name: &str, required: bool) -> Result<(), String> {
    let is = |f: &Field, wanted: &str| {
        plain(&f.name) == wanted || f.name.split(" | ").any(|one| plain(one) == wanted)
    };
    let wanted = plain(name);
    let bare = wanted.replace("[]", "");
    let found = ours
        .iter()
        .find(|f| is(f, &wanted))
        .or_else(|| ours.iter().find(|f| plain(&f.name).replace("[]", "") == bare));
    match found {
        None => Err(format!("no field `{name}`")),
        Some(field) if (field.presence == Presence::Required) != required => {
            Err(format!("`{name}` should be {}", if required { "required" } else { "optional" }))
        }
        Some(_) => Ok(()),
    }
}

/// The fields that a name stands for. Of opencode's tables the contract names several columns at once (`a/b`), columns of
/// three tables in one record (`instruction_state.epoch_start`), and members of two kinds of block in one (`agents[].name`):
/// what these have in common with ours is the name.
fn names(harness: Harness, name: &str) -> Vec<String> {
    match harness {
        Harness::Opencode => {}
        Harness::CursorAgent => return name.split(" / ").map(str::to_owned).collect(),
        _ => return vec![name.to_owned()],
    }
    let merged = name.starts_with("instruction_")
        || ["agents[].", "skills[].", "*."].iter().any(|p| name.starts_with(p));
    if name.contains('(') || merged {
        return Vec::new();
    }
    let (path, last) = name.rsplit_once('.').map_or(("", name), |(path, last)| (path, last));
    let full = |one: &str| if path.is_empty() { one.to_owned() } else { format!("{path}.{one}") };
    last.split('/').map(full).collect()
}

/// The fields of protobuf messages that a name stands for, with their numbers: `2 started_at_ms / 3 completed_at_ms`, and
/// `1 thinking_message.1 text` for a field of a message inside. Lists of bare numbers name nothing.
fn numbered(name: &str) -> Vec<(Option<u32>, &str)> {
    name.split(" / ")
        .map(|part| part.rsplit(['.', '…']).next().unwrap_or(part))
        .map(|part| match part.split_once(' ') {
            Some((number, name)) => (number.parse().ok(), name),
            None => (None, part),
        })
        .filter(|(_, name)| !name.contains(['(', ')', ',']))
        .collect()
}

/// Whether a message has the fields that a name stands for.
fn has_numbered(ours: &[&Field], name: &str, required: bool) -> Result<(), String> {
    for (number, name) in numbered(name) {
        let found = ours.iter().find(|f| f.name.rsplit('.').next() == Some(name));
        match found {
            None => return Err(format!("no field `{name}`")),
            Some(field) if number.is_some() && field.number != number => {
                return Err(format!("`{name}` should be number {number:?}"));
            }
            Some(field) if (field.presence == Presence::Required) != required => {
                return Err(format!("`{name}`: presence"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

#[test]
fn merged_names_of_opencode_are_here() {
    let catalogue = Catalogue::of(Harness::Opencode);
    let record = catalogue
        .record("instruction_entry / instruction_state / instruction_blob (rows)")
        .unwrap();
    for name in [
        "value",
        "removed",
        "epoch_start",
        "through_seq",
        "initial_values",
        "current_values",
        "hash",
    ] {
        assert!(record.fields.iter().any(|f| f.name == name), "{name}");
    }
    let block = catalogue.block("user.agents[] / user.skills[]").unwrap();
    for name in ["name", "id", "text", "mention"] {
        assert!(block.fields.iter().any(|f| f.name == name), "{name}");
    }
}

#[test]
fn every_fact_of_the_contract_is_here() {
    let mut wrong = Vec::new();
    for (harness, contract) in contracts() {
        let catalogue = Catalogue::of(harness);
        for record in list(&contract, "records") {
            let name = text(record, "type");
            let Some(ours) = catalogue.record(name) else {
                wrong.push(format!("{harness}: no record type `{name}`"));
                continue;
            };
            if ours.concept != text(record, "concept") {
                wrong.push(format!("{harness} `{name}`: concept {}", text(record, "concept")));
            }
            let mut fields = catalogue.fields(ours);
            let envelope = ours.envelope.as_deref().and_then(|e| catalogue.envelope(e));
            fields.extend(envelope.into_iter().flat_map(|e| &e.fields));
            for field in list(record, "fields") {
                let required = field["required"].as_bool().unwrap_or_default();
                if ours.message.is_some() {
                    if let Err(e) = has_numbered(&fields, text(field, "name"), required) {
                        wrong.push(format!("{harness} `{name}`: {e}"));
                    }
                    continue;
                }
                for one in names(harness, text(field, "name")) {
                    if let Err(e) = has(&fields, &one, required) {
                        wrong.push(format!("{harness} `{name}`: {e}"));
                    }
                }
            }
        }
        for block in list(&contract, "contentBlocks") {
            let name = text(block, "type");
            // What opencode keeps as a row of its own is a record.
            let ours = catalogue.block(name).map(|b| (&b.concept, b.fields.iter().collect()));
            let ours =
                ours.or_else(|| catalogue.record(name).map(|r| (&r.concept, catalogue.fields(r))));
            let Some((concept, fields)): Option<(&String, Vec<&Field>)> = ours else {
                wrong.push(format!("{harness}: no block type `{name}`"));
                continue;
            };
            if *concept != text(block, "concept") {
                wrong.push(format!("{harness} `{name}`: concept {}", text(block, "concept")));
            }
            for field in list(block, "fields") {
                let required = field["required"].as_bool().unwrap_or_default();
                for one in names(harness, text(field, "name")) {
                    if let Err(e) = has(&fields, &one, required) {
                        wrong.push(format!("{harness} `{name}`: {e}"));
                    }
                }
            }
        }
        for topic in list(&contract, "linking") {
            let topic = text(topic, "topic");
            if !catalogue.rules.iter().any(|r| r.topic == topic) {
                wrong.push(format!("{harness}: no rule about `{topic}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Sentences of at least 25 characters.
fn sentences(text: &str, out: &mut BTreeSet<String>) {
    let plain: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in plain.split(". ").flat_map(|s| s.split("; ")) {
        let sentence = sentence.trim_end_matches(['.', ';']).to_lowercase();
        // A list of names, types or a path is a fact and no prose.
        if sentence.len() >= 25 && sentence.split(' ').count() >= 4 {
            out.insert(sentence);
        }
    }
}

/// What is not said in sentences: names, types, paths, values.
const NO_PROSE: &[&str] =
    &["type", "name", "path", "field", "topic", "tag", "aliases", "example", "reference"];

fn prose(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => sentences(text, out),
        Value::Array(values) => values.iter().for_each(|v| prose(v, out)),
        Value::Object(members) => {
            for (key, value) in members {
                if !NO_PROSE.contains(&key.as_str()) {
                    prose(value, out);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn no_sentence_of_the_contract_is_here() {
    for (harness, contract) in contracts() {
        let mut theirs = BTreeSet::new();
        prose(&contract, &mut theirs);
        let mut ours = BTreeSet::new();
        prose(&serde_json::to_value(Catalogue::of(harness)).unwrap(), &mut ours);
        let same: Vec<_> = theirs.intersection(&ours).collect();
        assert!(same.is_empty(), "{harness}: {same:#?}");
    }
}
