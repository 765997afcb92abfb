//! Snapshots are read, refused and written again exactly.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::history::{BadSnapshot, HistoryId, HistoryState, Kind};

fn restored(value: &Value) -> Result<HistoryState, BadSnapshot> {
    HistoryState::restore_from(value.to_string().as_bytes())
}

/// Makes values that a JSON Schema allows, oddities first: absent, null and unknown members, large numbers.
struct Maker<'a> {
    root: &'a Value,
    seed: u64,
}

impl Maker<'_> {
    fn dice(&mut self, sides: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % sides
    }

    fn text(&mut self) -> String {
        let odd = ["", "a", "~/x", "\u{0}", "é\u{1F600}", "id", "type", "\"\\"];
        odd[self.dice(odd.len() as u64) as usize].to_owned()
    }

    fn any(&mut self) -> Value {
        let text = self.text();
        match self.dice(7) {
            0 => Value::Null,
            1 => json!(u64::MAX),
            2 => json!(i64::MIN),
            3 => json!(0.1),
            4 => json!([1, {"deep": [[text]]}]),
            5 => json!({text: null}),
            _ => json!(text),
        }
    }

    fn make(&mut self, schema: &Value, depth: u32) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            let target = self.root.pointer(&name[1..]).unwrap().clone();
            return self.make(&target, depth);
        }
        if let Some(words) = schema["enum"].as_array() {
            return words[self.dice(words.len() as u64) as usize].clone();
        }
        if let Some(all) = schema["anyOf"].as_array() {
            let one = all[self.dice(all.len() as u64) as usize].clone();
            return self.make(&one, depth);
        }
        match schema["type"].as_str() {
            Some("string") if schema["format"] == "date-time" => {
                let times = ["2026-11-02T09:14:05Z", "2024-02-29T23:59:59.123456789+05:30"];
                json!(times[self.dice(2) as usize])
            }
            Some("string") => json!(self.text()),
            Some("boolean") => json!(self.dice(2) == 0),
            Some("number") => json!([0.0, 33.3, 250.0][self.dice(3) as usize]),
            Some("integer") if schema["minimum"] == 0 => {
                json!([0, 7, 1 << 53, u64::MAX][self.dice(4) as usize])
            }
            Some("integer") => json!([0, -1, i64::MIN, i64::MAX][self.dice(4) as usize]),
            Some("null") => Value::Null,
            Some("array") => {
                let count = if depth > 12 { 0 } else { self.dice(3) };
                (0..count).map(|_| self.make(&schema["items"], depth + 1)).collect()
            }
            Some("object") => self.object(schema, depth),
            _ => self.any(),
        }
    }

    fn object(&mut self, schema: &Value, depth: u32) -> Value {
        let mut out = Map::new();
        let mut members = schema["properties"].as_object().cloned().unwrap_or_default();
        // What holds for the kind that was drawn holds too.
        if let Some(cases) = schema["allOf"].as_array() {
            let case = &cases[self.dice(cases.len() as u64) as usize];
            out.insert("type".into(), case["if"]["properties"]["type"]["const"].clone());
            members.remove("type");
            members.remove("payload");
            let then = self.make(&case["then"], depth);
            if let Some(then) = then.as_object() {
                out.extend(then.clone().into_iter().filter(|(name, _)| name != "type"));
            }
            if let Some(more) = case["then"]["properties"].as_object() {
                for (name, schema) in more {
                    out.insert(name.clone(), self.make(schema, depth + 1));
                }
            }
        }
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, schema) in members {
            if required.contains(&json!(name)) || self.dice(2) == 0 {
                let value = self.make(&schema, depth + 1);
                out.entry(name).or_insert(value);
            }
        }
        if let Some(values) = schema.get("additionalProperties").filter(|v| v.is_object()) {
            for _ in 0..self.dice(3) {
                let name = self.text();
                let value = self.make(values, depth + 1);
                out.insert(name, value);
            }
        } else if self.dice(4) == 0 {
            let value = self.any();
            out.insert("x_unknown".into(), value);
        }
        Value::Object(out)
    }
}

/// A snapshot that the schema allows, with ids and lookups that hold together.
fn snapshot(seed: u64) -> Value {
    let root: Value = serde_json::from_str(&crate::history::schema::snapshot()).unwrap();
    let mut maker = Maker { root: &root, seed: seed | 1 };
    let mut value = maker.make(&root, 0);
    let record = root["properties"]["records"]["items"].clone();
    let mut records: Vec<_> = (0..maker.dice(8)).map(|_| maker.make(&record, 2)).collect();
    let mut tools = Map::new();
    for (n, record) in records.iter_mut().enumerate() {
        record["id"] = json!(n * 3);
        if matches!(record["type"].as_str(), Some("tool_call" | "running_tool")) {
            tools.insert(format!("call {n}"), json!(n * 3));
        }
    }
    value["records"] = json!(records);
    value["next_id"] = json!(records.len() * 3);
    value["exec_call_lookup"] = json!({});
    value["tool_call_lookup"] = Value::Object(tools);
    value["stream_lookup"] = json!({});
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_the_schema_allows_comes_back_exactly(seed in any::<u64>()) {
        let value = snapshot(seed);
        let state = restored(&value).map_err(|e| TestCaseError::fail(format!("{e}\n{value:#}")))?;
        prop_assert_eq!(serde_json::to_value(state.snapshot()).unwrap(), value);
    }
}

#[test]
fn the_schema_makes_every_kind() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 1..600_u64 {
        for record in
            snapshot(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))["records"].as_array().unwrap()
        {
            seen.insert(record["type"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(seen.len(), Kind::NAMES.len());
}

fn small() -> Value {
    json!({
        "records": [
            {"id": 1, "type": "exec", "payload": {
                "call_id": "c", "command": ["ls"], "parsed": [], "action": "list", "status": "running",
                "stdout_chunks": [], "stderr_chunks": [], "wait_active": false, "wait_notes": [],
                "started_at": "2026-11-02T09:14:05Z",
            }},
            {"id": 2, "type": "loading", "payload": {"message": "…"}},
        ],
        "next_id": 3,
        "exec_call_lookup": {"c": 1},
        "tool_call_lookup": {},
        "stream_lookup": {},
    })
}

/// The place that is named after a change of the snapshot.
fn place(change: impl FnOnce(&mut Value)) -> String {
    let mut value = small();
    change(&mut value);
    match restored(&value) {
        Err(BadSnapshot::Value { pointer, .. }) => pointer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    assert!(restored(&small()).is_ok());
    assert_eq!(place(|v| v["records"][1]["id"] = json!(1)), "/records/1/id");
    assert_eq!(place(|v| v["next_id"] = json!(2)), "/next_id");
    assert_eq!(place(|v| v["exec_call_lookup"]["d/e~"] = json!(9)), "/exec_call_lookup/d~1e~0");
    assert_eq!(place(|v| v["exec_call_lookup"]["c"] = json!(2)), "/exec_call_lookup/c");
    assert_eq!(place(|v| v["exec_call_lookup"] = json!({"d": 1})), "/exec_call_lookup/d");
    assert_eq!(place(|v| v["records"][1]["payload"] = json!({})), "/records/1/payload/message");
    assert_eq!(place(|v| v["records"][1]["type"] = json!("new")), "/records/1/type");
    assert_eq!(
        place(|v| v["records"][0]["payload"]["status"] = json!("ok")),
        "/records/0/payload/status"
    );
    let fraction = json!({"offset": 0.5, "content": ""});
    assert_eq!(
        place(|v| v["records"][0]["payload"]["stdout_chunks"] = json!([fraction])),
        "/records/0/payload/stdout_chunks/0/offset"
    );
    assert_eq!(place(|v| *v = json!([])), "");
}

#[test]
fn text_that_is_no_json_is_named_with_its_line() {
    let text = "{\n  \"records\": [,]}";
    let Err(BadSnapshot::Syntax { line: 2, column, .. }) =
        HistoryState::restore_from(text.as_bytes())
    else {
        panic!()
    };
    assert_eq!(column, 15);
    assert!(matches!(
        HistoryState::restore_from(b"\n\n\xff"),
        Err(BadSnapshot::Syntax { line: 3, .. })
    ));
    // A member that stands twice, and half a character, would not survive.
    let twice = small().to_string().replace("\"next_id\":3", "\"next_id\":3,\"next_id\":4");
    assert!(HistoryState::restore_from(twice.as_bytes()).is_err());
    let half = small().to_string().replace('…', "\\ud800");
    assert!(HistoryState::restore_from(half.as_bytes()).is_err());
}

#[test]
fn spelling_survives_where_it_says_something() {
    let text = small()
        .to_string()
        .replace("\"message\":\"…\"", "\"message\":\"\",\"x\":12345678901234567890123,\"y\":1.10");
    let state = HistoryState::restore_from(text.as_bytes()).unwrap();
    let written = serde_json::to_string(&state.snapshot()).unwrap();
    assert!(written.contains("\"x\":12345678901234567890123,\"y\":1.10"), "{written}");
    assert_eq!(state.exec_by_call("c").unwrap().id(), HistoryId(1));
}

#[test]
fn an_origin_of_another_program_is_carried_through() {
    let mut value = small();
    value["records"][1]["origin"] = json!("elsewhere");
    value["records"][0]["origin"] = json!({"turn": 1, "item_type": "a", "item_id": "b", "more": 2});
    let state = restored(&value).unwrap();
    assert!(state.get(HistoryId(2)).unwrap().origin().is_none());
    assert_eq!(state.get(HistoryId(1)).unwrap().origin().unwrap().turn, 1);
    assert_eq!(serde_json::to_value(state.snapshot()).unwrap(), value);
}
