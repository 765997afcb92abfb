//! Stores that cannot be read, or not whole.

use super::*;

/// The chat is listed with a finding, and opening it tells the same.
fn told(home: &Home, id: &str) -> (SessionHead, Thread) {
    let before = home.listing();
    let head = home.find(id);
    let thread = home.thread(id);
    assert_eq!(home.listing(), before, "nothing was touched");
    assert!(!thread.findings.is_empty(), "{id}: the damage is told");
    (head, thread)
}

#[test]
fn what_is_no_database() {
    for (n, bytes) in [&b""[..], b"not a database", &[0; 5000]].into_iter().enumerate() {
        let home = Home::new();
        let folder = home.chat_folder("c1");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("store.db"), bytes).unwrap();
        fs::write(folder.join("meta.json"), r#"{"schemaVersion":1,"title":"Known"}"#).unwrap();
        let (head, thread) = told(&home, "c1");
        assert_eq!(codes(&thread), [Code::Unreadable], "case {n}");
        assert_eq!((head.title.as_deref(), head.findings), (Some("Known"), Some(1)));
    }
}

#[test]
fn a_cut_database_and_other_columns() {
    let home = Home::new();
    let folder = home.add("cut", &chat("cut", &["One", "Two"]));
    let bytes = fs::read(folder.join("store.db")).unwrap();
    fs::write(folder.join("store.db"), &bytes[..2048]).unwrap();
    told(&home, "cut");
    let folder = home.chat_folder("odd");
    fs::create_dir_all(&folder).unwrap();
    let odd = Connection::open(folder.join("store.db")).unwrap();
    odd.execute_batch("CREATE TABLE meta (a); CREATE TABLE other (b)").unwrap();
    odd.close().unwrap();
    assert_eq!(codes(&told(&home, "odd").1), [Code::Unreadable]);
}

#[test]
fn settings_that_are_missing_or_broken() {
    let home = Home::new();
    let change = |id: &str, sql: &str| {
        let folder = home.add(id, &chat(id, &["One"]));
        let connection = connect(&folder);
        connection.execute_batch(sql).unwrap();
        connection.close().unwrap();
        codes(&told(&home, id).1)
    };
    assert_eq!(change("none", "DELETE FROM meta"), [Code::MissingHeader]);
    assert!(change("hex", "UPDATE meta SET value = 'zz'").contains(&Code::InvalidJson));
    assert!(
        change("cut", "UPDATE meta SET value = substr(value, 1, 21)").contains(&Code::InvalidJson)
    );
    // Another key, and JSON as it is: both are read.
    let folder = home.add("plain", &chat("plain", &["One"]));
    let connection = connect(&folder);
    let settings = chat("plain", &["One"]).settings.to_string();
    connection.execute("UPDATE meta SET key = 'settings', value = ?1", [settings]).unwrap();
    connection.close().unwrap();
    assert_eq!(prompts(&home.thread("plain")), ["One"]);
}

#[test]
fn a_missing_root_and_missing_blobs() {
    let home = Home::new();
    let mut lost = chat("lost", &["One"]);
    lost.settings["latestRootBlobId"] = "ab".repeat(32).into();
    home.add("lost", &lost);
    let (head, thread) = told(&home, "lost");
    assert_eq!(codes(&thread), [Code::MissingBlob]);
    assert_eq!(head.findings, Some(1));
    let folder = home.add("holes", &chat("holes", &["One", "Two"]));
    let connection = connect(&folder);
    connection
        .execute_batch("DELETE FROM blobs WHERE CAST(data AS TEXT) LIKE '%Re: One%'")
        .unwrap();
    connection.close().unwrap();
    let (_, thread) = told(&home, "holes");
    assert_eq!(prompts(&thread), ["One", "Two"], "the rest is there");
    assert_eq!(codes(&thread), [Code::MissingBlob, Code::MissingBlob], "an answer and its step");
}

#[test]
fn the_copy_speaks_for_a_store_that_cannot_be_read() {
    let home = Home::new();
    let folder = home.chat_folder("c1");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("store.db"), "broken").unwrap();
    let line = r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nStill here\n</user_query>"}]}}"#;
    home.file("projects/home-dev-shop/agent-transcripts/c1/c1.jsonl", line);
    let (head, thread) = told(&home, "c1");
    assert_eq!(prompts(&thread), ["Still here"]);
    assert_eq!(codes(&thread), [Code::Unreadable]);
    assert_eq!(head.title.as_deref(), Some("Still here"));
    assert_eq!(home.list().len(), 1, "one chat, not two");
}
