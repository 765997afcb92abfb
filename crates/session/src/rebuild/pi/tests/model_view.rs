//! What the model gets.

use super::{answer, file, message, view_of};
use crate::model::{Block, ModelView, Role};

/// The messages, a line for each.
pub(super) fn shown(view: &ModelView) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text { text } => text.clone(),
        Block::ToolCall { id, name, arguments } => {
            format!("call {id} {name} {}", arguments.as_str())
        }
        Block::ToolResult { id, content, is_error } => {
            format!("result {id} {} {is_error}", content.as_str())
        }
        Block::Raw { value } | Block::Image { value } => value.as_str().to_owned(),
        other => format!("{other:?}"),
    };
    let role = |role| match role {
        Role::System => "system",
        Role::Developer => "developer",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let messages = view.messages.iter();
    messages
        .map(|m| {
            format!(
                "{}: {}",
                role(m.role),
                m.content.iter().map(block).collect::<Vec<_>>().join(" | ")
            )
        })
        .collect()
}

fn view(entries: &[&str]) -> Vec<String> {
    shown(&view_of(file(entries).as_bytes(), None))
}

const SUMMARY: &str = "user: The conversation history before this point was compacted into the following summary:\n\n<summary>\nshort\n</summary>";

fn compaction(id: &str, parent: &str, first: &str) -> String {
    format!(
        r#"{id} {parent} "type":"compaction","summary":"short","firstKeptEntryId":"{first}","tokensBefore":1"#
    )
}

#[test]
fn the_last_edit_of_an_entry_counts() {
    let edit = |id: &str, parent: &str, target: &str, to: &str| {
        format!(r#"{id} {parent} "type":"context_edit","targetId":"{target}","replacement":{to}"#)
    };
    let lines = file(&[
        "a - user one",
        "b a calls x",
        "c b result x",
        "d c assistant 1",
        &edit("e", "d", "a", r#"{"content":"first"}"#),
        &edit("f", "e", "a", r#"{"content":[{"type":"text","text":"second"}]}"#),
        &edit("g", "f", "c", r#"{"content":"cut"}"#),
        &edit("h", "g", "d", "null"),
    ]);
    let edited = view_of(lines.as_bytes(), None);
    assert_eq!(
        shown(&edited),
        [
            "user: second",
            r#"assistant: call x bash {"command":"run x"}"#,
            r#"tool: result x [{"text":"cut","type":"text"}] false"#
        ]
    );
    assert_eq!(edited.dropped_turns, 1);
    // Before the edits nothing is edited.
    assert_eq!(shown(&view_of(lines.as_bytes(), Some("d")))[0], "user: one");
}

#[test]
fn a_compaction_keeps_what_it_says() {
    let kept = |first: &str| {
        let compaction = compaction("d", "c", first);
        view(&["a - user one", "b a assistant 1", "c b user two", &compaction, "e d user three"])
    };
    assert_eq!(kept("b"), [SUMMARY, "assistant: 1", "user: two", "user: three"]);
    assert_eq!(kept("d"), [SUMMARY, "user: three"]);
    assert_eq!(kept("nowhere"), [SUMMARY, "user: three"]);
    let view = view_of(
        file(&[
            "a - user one",
            "b a assistant 1",
            "c b user two",
            &compaction("d", "c", "c"),
            "e d user three",
        ])
        .as_bytes(),
        None,
    );
    assert_eq!((view.compactions, view.dropped_turns), (1, 1));
}

#[test]
fn only_the_last_compaction_of_the_branch_counts() {
    let (one, two) = (compaction("b", "a", "a"), compaction("d", "c", "a"));
    let lines = ["a - user one", &one, "c b user two", &two, "e d user three", "f c user other"];
    assert_eq!(view(&lines[..5]), [SUMMARY, "user: one", "user: two", "user: three"]);
    assert_eq!(view(&lines), [SUMMARY, "user: one", "user: two", "user: other"]);
}

#[test]
fn a_checkpoint_stands_for_the_system_messages_that_are_kept() {
    let system = message(r#""role":"system","content":"old","timestamp":1"#);
    let compaction = compaction("c", "b", "a")
        + r#","systemMessage":{"role":"system","content":"all","sections":{"s":"S","gone":null},"toolsAdded":[{"name":"t"}],"timestamp":1}"#;
    let later = message(
        r#""role":"system","content":"","sections":{"s":"new"},"toolsRemoved":[{"name":"t"}],"timestamp":1"#,
    );
    assert_eq!(
        view(&["a - user one", &format!("b a {system}"), &compaction, &format!("d c {later}")]),
        [
            r#"system: all | S | {"sections":{"gone":null}} | {"toolsAdded":[{"name":"t"}]}"#,
            SUMMARY,
            "user: one",
            r#"system: new | {"toolsRemoved":[{"name":"t"}]}"#
        ]
    );
}

#[test]
fn what_else_the_model_gets() {
    let bash = |more: &str| {
        message(&format!(r#""role":"bashExecution","command":"c",{more},"timestamp":1"#))
    };
    let blocks =
        r#"{"type":"thinking","thinking":"hm","thinkingSignature":"s"},{"type":"text","text":"t"}"#;
    let lines = [
        format!("a - {}", bash(r#""output":"o","exitCode":3,"cancelled":false,"truncated":true,"fullOutputPath":"/tmp/o""#)),
        format!("b a {}", bash(r#""output":"","cancelled":true,"truncated":false"#)),
        format!("c b {}", bash(r#""output":"o","exitCode":0,"cancelled":false,"truncated":false,"excludeFromContext":true"#)),
        format!("d c {}", message(r#""role":"hookMessage","customType":"e","content":"old note","display":false,"timestamp":1"#)),
        r#"e d "type":"custom_message","customType":"e","content":[{"type":"text","text":"note"}],"display":true"#.into(),
        r#"f e "type":"custom","customType":"e","data":1"#.into(),
        r#"g f "type":"branch_summary","fromId":"root","summary":"elsewhere""#.into(),
        r#"h g "type":"branch_summary","fromId":"root","summary":"""#.into(),
        format!("i h {}", answer(blocks, "error", 1)),
        format!("j i {}", message(r#""role":"user","content":[{"type":"image","data":"x","mimeType":"m"}],"timestamp":1"#)),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(
        view(&lines),
        [
            "user: Ran `c`\n```\no\n```\n\nCommand exited with code 3\n\n[Output truncated. Full output: /tmp/o]",
            "user: Ran `c`\n(no output)\n\n(command cancelled)",
            "user: old note",
            "user: note",
            "user: The following is a summary of a branch that this conversation came back from:\n\n<summary>\nelsewhere</summary>",
            r#"assistant: {"type":"thinking","thinking":"hm","thinkingSignature":"s"} | t"#,
            r#"user: {"type":"image","data":"x","mimeType":"m"}"#,
        ]
    );
}
