//! Stores that lack something.

use super::*;
use crate::model::ThreadStatus;

#[test]
fn whatever_is_missing_is_told_and_the_rest_is_shown() {
    let mut chat = Chat::default();
    let gone = "ab".repeat(32);
    let step = chat.put("ConversationStep", &json!({ "assistant_message": { "text": "Here." } }));
    let turn = chat.put("ConversationTurnStructure", &json!({ "agent_conversation_turn": { "user_message": gone, "steps": [gone, step], "request_id": "r1" } }));
    let chat = rooted(
        chat,
        &json!({
            "turns": [gone, turn], "root_prompt_messages_json": [gone], "todos": [gone], "summary_archives": [gone],
            "file_states_v2": { "/home/dev/shop/a.ts": { "content": gone } }, "subagent_state_refs": { "s": gone },
        }),
    );
    let read = thread(&chat);
    assert_eq!(shown(&read), ["# Completed", "agentMessage Here."]);
    // A turn, a prompt message, a user message, a step, a to-do item, an archive, a file, a sub-agent.
    assert_eq!(codes(&read), [Code::MissingBlob; 8]);
}

#[test]
fn a_cut_blob_keeps_what_could_be_read() {
    let mut chat = Chat::default();
    let mut step =
        builder::encoded("ConversationStep", &json!({ "assistant_message": { "text": "Whole." } }));
    step.extend([0x0A, 0x50, b'x']);
    let step = chat.bytes(&step);
    let turn = chat.put(
        "ConversationTurnStructure",
        &json!({ "agent_conversation_turn": { "steps": [step] } }),
    );
    let read = thread(&rooted(chat, &json!({ "turns": [turn] })));
    assert_eq!(shown(&read), ["# Completed", "agentMessage Whole."]);
    assert_eq!(codes(&read), [Code::DamagedBlob]);
    assert!(read.findings[0].message.contains("at byte"), "{}", read.findings[0].message);
}

#[test]
fn a_lost_root_leaves_the_copy() {
    let mut chat = Chat::default().with_root(ID, &"cd".repeat(32));
    chat.copy = vec![
        json!({ "role": "user", "message": { "content": [{ "type": "text", "text": "<user_query>\nHi\n</user_query>" }] } }),
        json!({ "role": "assistant", "message": { "content": [{ "type": "text", "text": "[REDACTED]\n\nHello." }] } }),
    ];
    let read = thread(&chat);
    assert_eq!(codes(&read), [Code::MissingBlob]);
    assert_eq!(
        shown(&read),
        ["# Completed", "userMessage Hi", "reasoning -", "agentMessage Hello."]
    );
}

#[test]
fn settings_that_cannot_be_read() {
    let mut chat = Chat::default();
    assert_eq!(codes(&thread(&chat)), [Code::MissingHeader]);
    chat.settings = json!("no object");
    assert_eq!(codes(&thread(&chat)), [Code::InvalidJson]);
    chat.settings = json!({ "agentId": ID, "latestRootBlobId": "", "name": "New Agent" });
    let read = thread(&chat);
    assert_eq!((codes(&read), read.status), (vec![], ThreadStatus::Empty), "nothing was said yet");
}

#[test]
fn unknown_fields_are_told_once() {
    let step = json!({ "assistant_message": { "text": "a", "77": "new" } });
    let chat = of_steps(&[
        step.clone(),
        json!({ "assistant_message": { "text": "b", "77": "new" } }),
        step,
    ]);
    let read = thread(&chat);
    assert_eq!(codes(&read), [Code::UnknownField]);
    assert!(read.findings[0].message.contains("field 77 of AssistantMessage"));
}

#[test]
fn a_step_of_an_unknown_kind_is_shown_as_it_is() {
    let chat = of_steps(&[json!({ "9": "something new" })]);
    let read = thread(&chat);
    assert_eq!(shown(&read)[2], r#"notice {"9":"something new"}"#);
    assert_eq!(codes(&read), [Code::UnknownRecordType, Code::UnknownField]);
}
