//! Any bytes end, and nothing panics.

use proptest::prelude::*;
use recount_formats::cursor_agent::Message;
use recount_formats::cursor_agent::schema::Schema;

use super::*;
use crate::rebuild::cursor_agent::head;

/// A chat in which much can go wrong.
fn rich() -> Chat {
    let description: Value = serde_json::from_str(include_str!(
        "../../../../../../fixtures/cursor-agent/chat-cart.json"
    ))
    .unwrap();
    builder::conversation(&description)
}

/// Reads everything that can be read of a chat.
fn read_all(chat: &Chat) {
    let agents = with(chat, &Facts::default(), head::head).agents;
    with(chat, &Facts::default(), head::inline_agents);
    let thread = thread(chat);
    assert!(serde_json::to_string(&thread.turns).is_ok());
    view(chat);
    for id in agents {
        agent(chat, &id.id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_in_any_blob(which in any::<prop::sample::Index>(), bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut chat = rich();
        let id = which.get(&chat.blobs.keys().cloned().collect::<Vec<_>>()).clone();
        chat.blobs.insert(id, bytes);
        read_all(&chat);
    }

    #[test]
    fn changed_and_cut_blobs(which in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut chat = rich();
        let id = which.get(&chat.blobs.keys().cloned().collect::<Vec<_>>()).clone();
        let blob = chat.blobs.get_mut(&id).unwrap();
        if !blob.is_empty() {
            let at = at.index(blob.len());
            if cut { blob.truncate(at) } else { blob[at] = byte }
        }
        read_all(&chat);
    }

    #[test]
    fn blobs_in_each_others_places(a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        // Ids that lead elsewhere make circles: a turn that is a root, a step that is a turn.
        let mut chat = rich();
        let ids: Vec<String> = chat.blobs.keys().cloned().collect();
        let bytes = chat.blobs[a.get(&ids)].clone();
        chat.blobs.insert(b.get(&ids).clone(), bytes);
        read_all(&chat);
    }

    #[test]
    fn every_message_reads_any_bytes(name in any::<prop::sample::Index>(), bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let names = Schema::get().names();
        let message = Message::read(names[name.index(names.len())], &bytes);
        prop_assert!(message.fields().count() <= bytes.len());
        let json = super::super::value::object(&message);
        prop_assert!(serde_json::to_string(&json).is_ok());
    }

    #[test]
    fn any_copy(text in "(\\{\"role\":\"(user|assistant)\",\"message\":\\{\"content\":\\[[a-z\":{}, ]{0,20}\\]\\}\\}|[^\n]{0,40}|user:|assistant:|\\[Tool call\\] x|\\[Thinking\\])(\n[^\n]{0,30}){0,6}") {
        for name in ["c.jsonl", "c.txt"] {
            let source: Arc<str> = name.into();
            let facts = Facts::default();
            let files = Files::default();
            let input = Input { source: &source, bytes: text.as_bytes(), facts: &facts, companions: &files };
            super::super::thread(input, None);
            super::super::model_view(input, None);
        }
    }
}
