//! What clients do to threads: each is written at once, as the harness would have written it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use recount_store::SessionHead;
use recount_store::recorder::edit::{Cut, EditError, Editor};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::protocol::params::ThreadOnly;
use crate::rpc::{self, Error};

/// The methods.
pub const METHODS: &[&str] = &[
    "thread/archive",
    "thread/fork",
    "thread/name/set",
    "thread/revert",
    "thread/rollback",
    "thread/unarchive",
];

/// The threads that are being changed: one change of a thread at a time, another one is refused.
#[derive(Debug, Default)]
pub struct Edits(Mutex<BTreeSet<String>>);

/// A thread that is being changed.
#[derive(Debug)]
struct Turn<'a> {
    edits: &'a Edits,
    id: &'a str,
}

impl Edits {
    fn begin<'a>(&'a self, id: &'a str) -> Result<Turn<'a>, Error> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.insert(id.to_owned()) {
            Ok(Turn { edits: self, id })
        } else {
            Err(Error::invalid_request(format!("another change of thread {id} is in progress")))
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.edits.0.lock().unwrap_or_else(PoisonError::into_inner).remove(self.id);
    }
}

/// `ThreadForkParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fork {
    last_turn_id: Option<String>,
    before_turn_id: Option<String>,
    ephemeral: Option<bool>,
}

/// What `thread/rollback` took before Codex replaced it by `thread/revert`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rollback {
    num_turns: u64,
}

/// `ThreadRevertParams`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Revert {
    before_turn_id: String,
}

/// `ThreadSetNameParams`
#[derive(Debug, Deserialize)]
struct SetName {
    name: String,
}

/// The thread that a method is about.
pub fn thread_of(method: &str, raw: &RawValue) -> Result<String, Error> {
    rpc::params(method, raw).map(|params: ThreadOnly| params.thread_id)
}

/// Does it. Gives the id of the thread that is there afterwards: another one after a fork.
pub fn run(
    edits: &Edits,
    head: &SessionHead,
    method: &str,
    raw: &RawValue,
) -> Result<String, Error> {
    let _turn = edits.begin(&head.id)?;
    let editor = Editor::new(head);
    let done = match method {
        "thread/fork" => {
            let params: Fork = rpc::params(method, raw)?;
            if params.ephemeral == Some(true) {
                return Err(Error::invalid_request("recount keeps no thread in memory only"));
            }
            editor.fork(&match (params.last_turn_id, params.before_turn_id) {
                (None, None) => Cut::End,
                (Some(turn), None) => Cut::After(turn),
                (None, Some(turn)) => Cut::Before(turn),
                (Some(_), Some(_)) => {
                    let text = "`lastTurnId` and `beforeTurnId` cannot be given together";
                    return Err(Error::params(text));
                }
            })
        }
        "thread/rollback" => {
            let params: Rollback = rpc::params(method, raw)?;
            if params.num_turns == 0 {
                return Err(Error::params("`numTurns` has to be at least 1"));
            }
            editor.rollback(params.num_turns)
        }
        "thread/revert" => editor.revert(&rpc::params::<Revert>(method, raw)?.before_turn_id),
        "thread/archive" => editor.archive(),
        "thread/unarchive" => editor.unarchive(),
        "thread/name/set" => editor.name(&rpc::params::<SetName>(method, raw)?.name),
        _ => return Err(crate::methods::not_served(method)),
    };
    match done {
        Ok(report) => Ok(report.new_thread_id.unwrap_or(report.thread_id)),
        Err(error @ EditError::Io { .. }) => Err(Error::internal(error.to_string())),
        Err(error) => Err(Error::invalid_request(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_change_of_the_same_thread_is_refused() {
        let edits = Edits::default();
        let first = edits.begin("a").unwrap();
        let error = edits.begin("a").unwrap_err();
        assert_eq!(error.code, -32600, "{error}");
        edits.begin("b").unwrap();
        drop(first);
        edits.begin("a").unwrap();
    }
}
