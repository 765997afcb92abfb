//! The built-in samples: made from the descriptions in `fixtures/cursor-agent`.
//!
//! `RECOUNT_WRITE_FIXTURES=1 cargo test -p recount-store --test cursor_agent` writes them anew.

use serde_json::Value;

use super::*;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples/cursor-agent")
}

fn descriptions() -> [Value; 2] {
    [
        include_str!("../../../../fixtures/cursor-agent/chat-cart.json"),
        include_str!("../../../../fixtures/cursor-agent/chat-stock.json"),
    ]
    .map(|text| serde_json::from_str(text).unwrap())
}

fn write_samples() {
    for description in descriptions() {
        let made = builder::conversation(&description);
        let text = |key: &str| description[key].as_str().unwrap();
        let folder = samples().join("chats").join(text("folder")).join(text("id"));
        let _ = fs::remove_dir_all(&folder);
        write(&folder, &made);
        let copies = samples().join("projects/home-dev-shop/agent-transcripts").join(text("id"));
        fs::create_dir_all(&copies).unwrap();
        fs::write(copies.join(format!("{}.jsonl", text("id"))), builder::lines(&made.copy))
            .unwrap();
    }
}

#[test]
fn samples_are_what_the_descriptions_say() {
    if std::env::var_os("RECOUNT_WRITE_FIXTURES").is_some() {
        write_samples();
    }
    for description in descriptions() {
        let made = builder::conversation(&description);
        let text = |key: &str| description[key].as_str().unwrap();
        let store = samples().join("chats").join(text("folder")).join(text("id")).join("store.db");
        let head = CursorAgent.at_path(&store).unwrap();
        let opened = CursorAgent.open(&head).unwrap();
        let names = opened.companions.names();
        let blobs: Vec<&String> = names.iter().filter(|name| name.len() == 64).collect();
        assert_eq!(
            blobs,
            made.blobs.keys().collect::<Vec<_>>(),
            "run it with RECOUNT_WRITE_FIXTURES=1"
        );
        for (id, data) in &made.blobs {
            assert_eq!(opened.companions.read(id).as_deref(), Some(data.as_slice()), "{id}");
        }
        let settings: Value = serde_json::from_slice(&opened.bytes).unwrap();
        assert_eq!(settings, made.settings);
        let thread = opened.thread(None);
        assert_eq!(thread.findings, [], "a sample is whole");
        assert_eq!(thread.turns.len(), description["turns"].as_array().unwrap().len());
    }
}
