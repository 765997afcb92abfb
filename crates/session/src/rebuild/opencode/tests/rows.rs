//! Rows that are damaged, unknown or alone, and what is counted.

use recount_formats::Code;

use super::{Case, codes, turns};
use crate::model::ThreadStatus;

#[test]
fn a_row_that_holds_no_json_is_told_and_the_rest_is_read() {
    let mut case = Case::new("");
    case.user(4, "one").say(5, "a").idle(6);
    case.line(r#"{"table":"session_message","row":"msg_7","id":"msg_7","session_id":"ses_1","type":"user","seq":7,"time_created":17000,"time_updated":17000,"data":"{\"text\": \"cut"}"#);
    case.say(8, "b").idle(9);
    let thread = case.thread();
    assert_eq!(codes(&thread), [Code::InvalidJson]);
    assert!(thread.findings[0].message.starts_with("session_message msg_7"));
    assert_eq!(turns(&thread)[0], ["Completed", "> one", "a"]);
    assert_eq!(turns(&thread)[1].last().unwrap(), "b");
}

#[test]
fn unknown_rows_blocks_and_states_are_kept_and_told() {
    let mut case = Case::new("");
    case.user(4, "one").row(5, "hologram", r#""x":1"#);
    case.step(6, "stop", r#"{"type":"dream","text":"z"},{"type":"tool","id":"a","name":"read","state":{"status":"paused","input":{}}}"#);
    case.idle(7);
    let thread = case.thread();
    assert_eq!(
        codes(&thread),
        [Code::UnknownRecordType, Code::UnknownBlockType, Code::UnknownBlockType]
    );
    assert_eq!(
        turns(&thread)[0][1..],
        [
            "> one",
            "Warning A row `hologram` is of an unknown type",
            "Warning A block `dream` is of an unknown type",
            "tool read Failed Some(false)"
        ]
    );
}

#[test]
fn rows_without_their_session_are_shown_as_lost() {
    let mut case = Case::default();
    case.user(4, "one").say(5, "a").idle(6);
    case.facts.id = Some("ses_1".into());
    let thread = case.thread();
    assert_eq!(thread.id, "ses_1");
    assert_eq!(codes(&thread), [Code::LostToHarness]);
    assert_eq!(thread.created_at.as_deref(), Some("1970-01-01T00:00:14.000Z"));
    assert_eq!(thread.turns.len(), 1);
}

#[test]
fn a_session_without_rows_is_empty() {
    let thread = Case::new("").thread();
    assert_eq!((thread.status, thread.title.as_deref()), (ThreadStatus::Empty, Some("Cart")));
    assert_eq!(codes(&thread), []);
}

#[test]
fn steps_and_compactions_are_counted_once_each() {
    let mut case = Case::new("");
    case.user(4, "one").say(5, "a").say(6, "b").idle(7);
    case.row(8, "compaction", r#""status":"completed","reason":"auto","summary":"S","cost":0.25,"tokens":{"input":100,"output":20,"reasoning":0,"cache":{"read":0,"write":0}}"#);
    // One that failed before it reported anything is no response.
    case.row(9, "assistant", r#""content":[],"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}"#);
    case.row(10, "assistant", r#""content":[]"#);
    let usage = case.thread().usage;
    assert_eq!(usage.responses, 3);
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.reasoning_tokens), (120, 24, 2));
    assert_eq!((usage.cached_input_tokens, usage.cache_write_tokens), (6, 8));
    assert_eq!((usage.total_tokens, usage.cost_usd), (160, Some(1.25)));
}

#[test]
fn what_a_fork_copied_is_paid_for_in_its_source() {
    let mut case = Case::new(
        r#","fork_session_id":"ses_0","fork_boundary":{"type":"through","messageID":"msg_x"}"#,
    );
    case.user(4, "one").say(5, "a").idle(6);
    case.lines = case.lines.replace("msg_5", "msg_0c45ffff0001AbCdEfGhIjKlMn_5");
    case.user(16, "two").say(17, "b").idle(18);
    assert_eq!(case.thread().lineage.forked_from_id.as_deref(), Some("ses_0"));
    // The source is gone: nobody else counts the copies.
    assert_eq!(case.thread().usage.responses, 2);
    case.file("session/ses_0", "");
    assert_eq!(case.thread().usage.responses, 1);
}

#[test]
fn absurd_numbers_count_nothing() {
    let mut case = Case::new("");
    for seq in 4..6 {
        case.row(seq, "assistant", r#""content":[],"tokens":{"input":18446744073709551615,"output":-3,"reasoning":5,"cache":7},"cost":1e999"#);
    }
    let usage = case.thread().usage;
    assert_eq!((usage.input_tokens, usage.total_tokens, usage.reasoning_tokens), (0, 10, 10));
    assert_eq!(usage.cost_usd, None);
}
