//! The model view and compactions.

use super::*;

fn query(request: &str, text: &str) -> Value {
    json!({
        "role": "user", "content": [{ "type": "text", "text": format!("<user_query>\n{text}\n</user_query>") }],
        "providerOptions": { "cursor": { "requestId": request } },
    })
}

fn answer(id: &str, text: &str) -> Value {
    json!({ "role": "assistant", "id": id, "content": [{ "type": "text", "text": text }] })
}

fn summary(text: &str) -> Value {
    json!({ "role": "user", "content": text, "providerOptions": { "cursor": { "isSummary": true } } })
}

/// A chat of four turns.
fn four(chat: &mut Chat) -> (Vec<String>, Vec<String>) {
    let mut turns = Vec::new();
    let mut messages = Vec::new();
    for n in 1..=4 {
        messages.push(chat.prompt(&query(&format!("r{n}"), &format!("Item {n}"))));
        messages.push(chat.prompt(&answer(&n.to_string(), &format!("Did {n}"))));
        let user = chat.put(
            "UserMessage",
            &json!({ "text": format!("Item {n}"), "message_id": format!("m{n}") }),
        );
        let step = chat.put(
            "ConversationStep",
            &json!({ "assistant_message": { "text": format!("Did {n}") } }),
        );
        let turn = json!({ "agent_conversation_turn": { "user_message": user, "steps": [step], "request_id": format!("r{n}") } });
        turns.push(chat.put("ConversationTurnStructure", &turn));
    }
    (turns, messages)
}

#[test]
fn the_model_view_is_the_roots_list() {
    let mut chat = Chat::default();
    let (turns, mut messages) = four(&mut chat);
    // The same blob again: it was sent twice.
    messages.push(messages[1].clone());
    let chat = rooted(chat, &json!({ "turns": turns, "root_prompt_messages_json": messages }));
    let view = view(&chat);
    assert_eq!(view.messages.len(), 9);
    assert_eq!((view.compactions, view.dropped_turns), (0, 0));
}

#[test]
fn a_compaction_stands_behind_the_last_turn_that_was_kept() {
    let mut chat = Chat::default();
    let (turns, messages) = four(&mut chat);
    let system = chat.prompt(&json!({ "role": "system", "content": "You help." }));
    let short = chat.prompt(&summary("Items 1 and 2 are done."));
    let archive = chat.put("ConversationSummaryArchive", &json!({
        "summarized_messages": messages[..4], "summary": "Items 1 and 2 are done.", "window_tail": 2, "summary_message": short,
    }));
    let mut today = vec![system, short];
    today.extend_from_slice(&messages[4..]);
    let chat = rooted(
        chat,
        &json!({ "turns": turns, "root_prompt_messages_json": today, "summary_archives": [archive] }),
    );
    let read = thread(&chat);
    assert_eq!(read.findings, []);
    assert_eq!(
        shown(&read)[6..],
        [
            "# Completed",
            "userMessage Item 3",
            "agentMessage Did 3",
            "contextCompaction Items 1 and 2 are done.",
            "# Completed",
            "userMessage Item 4",
            "agentMessage Did 4",
        ]
    );
    let view = view(&chat);
    assert_eq!(view.messages.len(), 6);
    assert_eq!((view.compactions, view.dropped_turns), (1, 2));
}

#[test]
fn a_compaction_before_an_answer_stands_behind_the_prompt() {
    let mut chat = Chat::default();
    let (turns, messages) = four(&mut chat);
    let short = chat.prompt(&summary("Three."));
    // The prompt of the fourth turn was summarized and kept.
    let archive = chat.put("ConversationSummaryArchive", &json!({
        "summarized_messages": messages[..7], "summary": "Three.", "window_tail": 1, "summary_message": short,
    }));
    let mut today = vec![short];
    today.extend_from_slice(&messages[6..]);
    // Old roots name a single archive.
    let chat = rooted(
        chat,
        &json!({ "turns": turns, "root_prompt_messages_json": today, "summary_archive": archive }),
    );
    let read = shown(&thread(&chat));
    assert_eq!(
        read[9..],
        ["# Completed", "userMessage Item 4", "contextCompaction Three.", "agentMessage Did 4"]
    );
}

#[test]
fn messages_that_cannot_be_read_are_left_out_and_told() {
    let mut chat = Chat::default();
    let good = chat.prompt(&answer("1", "Hi"));
    let torn = chat.bytes(br#"{"role":"user","content":"#);
    let odd = chat.prompt(&json!({ "role": "narrator", "content": "x" }));
    let part = chat.prompt(&json!({ "role": "user", "content": [{ "type": "hologram" }] }));
    let chat = rooted(chat, &json!({ "root_prompt_messages_json": [good, torn, odd, part] }));
    assert_eq!(view(&chat).messages.len(), 2);
    let mut codes = codes(&thread(&chat));
    codes.sort();
    assert_eq!(codes, [Code::DamagedBlob, Code::UnknownRecordType, Code::UnknownBlockType]);
}
