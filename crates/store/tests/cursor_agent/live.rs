//! Databases of a running or killed program: the last commit is read, and nothing is touched.

use super::*;

/// A chat whose second prompt stands in the WAL only; the writer is still alive.
fn live(home: &Home) -> Connection {
    let folder = home.chat_folder("live");
    let writer = connect(&folder);
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0").unwrap();
    fill(&writer, &chat("live", &["On disk"]));
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    fill(&writer, &chat("live", &["On disk", "In the log"]));
    writer
}

fn read(home: &Home) -> Vec<String> {
    let before = home.listing();
    let list = home.list();
    assert_eq!(list.len(), 1);
    let read = prompts(&home.thread("live"));
    home.open("live").model_view(None);
    assert_eq!(home.listing(), before, "nothing was touched");
    assert_eq!(list[0].turns, Some(read.len() as u64), "the list sees the same");
    read
}

#[test]
fn a_living_writer() {
    let home = Home::new();
    let writer = live(&home);
    assert_eq!(read(&home), ["On disk", "In the log"]);
    // In the middle of a transaction: nobody waits, and nothing of it is seen.
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM meta").unwrap();
    assert_eq!(read(&home), ["On disk", "In the log"]);
}

#[test]
fn what_a_killed_writer_leaves() {
    let alive = Home::new();
    let _writer = live(&alive);
    let folder = alive.chat_folder("live");
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    let (db, wal, shm) = (bytes("store.db"), bytes("store.db-wal"), bytes("store.db-shm"));
    let cases: [(&[u8], Option<&[u8]>, &[&str]); 6] = [
        (&wal, None, &["On disk", "In the log"]),
        (&wal, Some(&shm), &["On disk", "In the log"]),
        (&wal, Some(b"of something else"), &["On disk", "In the log"]),
        // The last commit is torn off, or the log belongs to another database.
        (&wal[..wal.len() - 10], None, &["On disk"]),
        (&wal[..40], Some(&shm), &["On disk"]),
        (&[7; 500], None, &["On disk"]),
    ];
    for (n, (wal, shm, expected)) in cases.into_iter().enumerate() {
        let home = Home::new();
        let folder = home.chat_folder("live");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("store.db"), &db).unwrap();
        fs::write(folder.join("store.db-wal"), wal).unwrap();
        if let Some(shm) = shm {
            fs::write(folder.join("store.db-shm"), shm).unwrap();
        }
        assert_eq!(read(&home), expected, "case {n}");
    }
}

#[test]
fn a_chat_that_grows_while_it_is_read() {
    let home = Home::new();
    let writer = live(&home);
    let opened = home.open("live");
    fill(&writer, &chat("live", &["On disk", "In the log", "Later"]));
    // The log is folded into the database under the reader.
    writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let thread = opened.thread(None);
    assert_eq!(prompts(&thread), ["On disk", "In the log"], "the state at which it was opened");
    assert_eq!(thread.findings, []);
    assert_eq!(prompts(&home.thread("live")).len(), 3);
}
