//! Readable copies.

use super::*;
use crate::model::TurnStatus;

fn read(name: &str, text: &str) -> (Thread, ModelView) {
    let source: Arc<str> = name.into();
    let facts = Facts { id: Some("c1".into()), ..Facts::default() };
    let files = Files(std::iter::once(("subagents/a1.jsonl".to_owned(), Vec::new())).collect());
    let input =
        Input { source: &source, bytes: text.as_bytes(), facts: &facts, companions: &files };
    (super::super::thread(input, None), super::super::model_view(input, None))
}

#[test]
fn lines_become_turns() {
    let text = concat!(
        r#"{"type":"metadata","metadata":{"overview":"All about the cart"}}"#,
        "\n",
        r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nWhy?\n</user_query>"}]}}"#,
        "\n",
        r#"{"role":"assistant","message":{"content":[{"type":"text","text":"Let me look.\n\n[REDACTED]"},{"type":"tool_use","name":"Shell","input":{"command":"ls"}},{"type":"tool_use","name":"StrReplace","input":{"path":"a","old_string":"x\n","new_string":"y\n"}},{"type":"tool_use","name":"CallMcpTool","input":{"server":"linear","toolName":"list"}},{"type":"tool_use","name":null,"input":{}}]}}"#,
        "\n",
        r#"{"role":"user","message":{"content":[{"type":"text","text":"No tag"}]}}"#,
        "\n",
        r#"{"type":"turn_ended","status":"aborted"}"#,
        "\n",
        r#"{"role":"assist"#,
    );
    let (thread, view) = read("c1.jsonl", text);
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "userMessage Why?",
            "notice Overview: All about the cart",
            "reasoning -",
            "agentMessage Let me look.",
            "commandExecution ls completed",
            "fileChange  completed",
            "mcpToolCall list completed",
            "dynamicToolCall  completed",
            "# Interrupted",
            "userMessage No tag",
        ]
    );
    assert_eq!(codes(&thread), [Code::TornLine]);
    assert_eq!(thread.findings[0].line, 6);
    assert_eq!(thread.title.as_deref(), Some("Why?"));
    assert_eq!(thread.lineage.subagents[0].id, "a1");
    assert_eq!(view.messages.len(), 3);
}

#[test]
fn a_text_that_only_mentions_the_mark_stays() {
    let text = r#"{"role":"assistant","message":{"content":[{"type":"text","text":"It says [REDACTED] here, and at the end [REDACTED]"}]}}"#;
    let (thread, _) = read("c1.jsonl", text);
    assert_eq!(
        shown(&thread)[1],
        "agentMessage It says [REDACTED] here, and at the end [REDACTED]"
    );
}

#[test]
fn unknown_lines_are_told() {
    let (thread, _) = read("c1.jsonl", "{\"type\":\"novel\"}\n[1]\n");
    let mut codes = codes(&thread);
    codes.sort();
    assert_eq!(codes, [Code::NotAnObject, Code::UnknownRecordType]);
}

#[test]
fn the_text_form_of_early_builds() {
    let text = "user:\n<user_query>\nOld question\n</user_query>\n\nassistant:\n[Thinking] hm\nOld answer.\n[Tool call] Read\n  path: src/a.ts\n\n[Tool result] Read\nMore.\n\nuser:\nAgain\n";
    let (thread, view) = read("c1.txt", text);
    assert_eq!(
        shown(&thread),
        [
            "# Completed",
            "userMessage Old question",
            "reasoning hm",
            "agentMessage Old answer.",
            "dynamicToolCall read completed",
            "# Completed",
            "userMessage Again",
        ]
    );
    assert_eq!(thread.turns[0].status, TurnStatus::Completed);
    let call = serde_json::to_value(&thread.turns[0].items[3].kind).unwrap();
    assert_eq!(call["arguments"], json!({ "path": "src/a.ts" }));
    assert_eq!(call["contentItems"][0]["text"], "More.");
    assert_eq!(view.messages.len(), 3);
}
