//! Every answer, held against the schemas that Codex publishes, where they stand beside the repository.

use std::collections::BTreeMap;

use jsonschema::Validator;
use recount_formats::Harness;
use serde_json::{Value, json};

use crate::support::{Home, everything, shared};

/// The schemas, each read when it is needed.
#[derive(Default)]
pub(crate) struct Schemas(BTreeMap<String, Validator>);

impl Schemas {
    /// Nothing when the schemas are not there.
    pub(crate) fn find() -> Option<Self> {
        shared("codex-protocol").map(|_| Self::default())
    }

    fn get(&mut self, name: &str) -> &Validator {
        self.0.entry(name.to_owned()).or_insert_with(|| {
            let path = shared(&format!("codex-protocol/{name}.json")).unwrap();
            let schema: Value =
                serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            jsonschema::validator_for(&schema).unwrap()
        })
    }

    /// Holds a value against a schema.
    pub(crate) fn check(&mut self, name: &str, value: &Value) {
        let errors: Vec<String> = self
            .get(name)
            .iter_errors(value)
            .map(|e| format!("{} at {}", e, e.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }

    /// Holds an answer against the schema of its method's.
    pub(crate) fn answer(&mut self, method: &str, answer: &Value) {
        match answer.get("result") {
            None => self.check("JSONRPCError", answer),
            Some(result) => {
                self.check("JSONRPCResponse", answer);
                self.check(response_of(method), result);
            }
        }
    }
}

fn response_of(method: &str) -> &'static str {
    match method {
        "initialize" => "v1/InitializeResponse",
        "thread/list" => "v2/ThreadListResponse",
        "thread/loaded/list" => "v2/ThreadLoadedListResponse",
        "thread/read" => "v2/ThreadReadResponse",
        "thread/resume" => "v2/ThreadResumeResponse",
        "thread/fork" => "v2/ThreadForkResponse",
        "thread/revert" => "v2/ThreadRevertResponse",
        "thread/archive" => "v2/ThreadArchiveResponse",
        "thread/unarchive" => "v2/ThreadUnarchiveResponse",
        "thread/name/set" => "v2/ThreadSetNameResponse",
        "thread/unsubscribe" => "v2/ThreadUnsubscribeResponse",
        "thread/turns/list" => "v2/ThreadTurnsListResponse",
        "thread/items/list" => "v2/ThreadItemsListResponse",
        "thread/searchOccurrences" => "v2/ThreadSearchOccurrencesResponse",
        other => panic!("no schema is named for {other}"),
    }
}

#[test]
fn answers_about_samples_are_as_the_schemas_say() {
    let Some(mut schemas) = Schemas::find() else { return };
    let home = Home::samples();
    let greeting = home.send(&[crate::support::hello()]).remove(0);
    schemas.answer("initialize", &greeting);
    let answers = everything(&home);
    assert!(answers.len() > 50, "{}", answers.len());
    for (method, answer) in answers {
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        schemas.answer(method, &answer);
    }
}

#[test]
fn answers_about_the_corpus_are_as_the_schemas_say() {
    let Some(mut schemas) = Schemas::find() else { return };
    // Every one with `RECOUNT_ALL=1`; a part of them says nearly as much in a quarter of the time.
    let each = if std::env::var_os("RECOUNT_ALL").is_some() { 1 } else { 4 };
    for harness in Harness::ALL {
        for case in crate::corpus::cases(*harness).into_iter().step_by(each) {
            let mut home = Home::new();
            home.add(*harness, &case.join("home"));
            for (method, answer) in everything(&home) {
                schemas.answer(method, &answer);
            }
        }
    }
}

#[test]
fn refusals_are_as_the_schemas_say() {
    let Some(mut schemas) = Schemas::find() else { return };
    let home = Home::samples();
    for (method, params) in [
        ("thread/read", json!({"threadId": "none"})),
        ("thread/read", json!({})),
        ("turn/start", json!({"threadId": "x", "input": []})),
        ("nonsense", json!(null)),
    ] {
        let answer = home.ask(&[(method, params)]).remove(0);
        schemas.check("JSONRPCError", &answer);
    }
}
