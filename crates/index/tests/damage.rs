//! Whatever happens to the index itself, it answers as a fresh one, and is never stuck.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use recount_index::search::{Index, Options, Query};

use crate::search::{ONE, Place, TWO, conversation};

const THREE: &str = "33333333-3333-4333-8333-333333333333";

/// What is found by an index that was just opened, as a command does it.
fn ask(place: &Place, query: &str) -> BTreeSet<String> {
    ask_of(&mut place.index(), place, query)
}

fn ask_of(index: &mut Index, place: &Place, query: &str) -> BTreeSet<String> {
    let query = Query::parse(query, &|_, _| Ok(0)).unwrap();
    let options = Options { sessions: 100, each: 3, context: None, snippets: true, now: 0 };
    let stores = std::slice::from_ref(&place.store);
    let (found, _) = index.ask(stores, &|_| (), |i, now| i.search(now, &query, &options)).unwrap();
    found.sessions.into_iter().map(|s| s.session.id).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in files(from) {
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Two sessions in an index that was written several times, and removed from.
fn indexed() -> Place {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta"), ("gamma", "delta")]));
    assert_eq!(ask(&place, "alpha").len(), 1);
    place.write(TWO, &conversation(TWO, &[("alpha", "zeta")]));
    assert_eq!(ask(&place, "alpha").len(), 2);
    place.write(ONE, &conversation(ONE, &[("alpha", "beta"), ("gamma", "epsilon")]));
    assert_eq!(ask(&place, "epsilon").len(), 1);
    place
}

fn answers(place: &Place, after: &str) {
    assert_eq!(ask(place, "alpha").len(), 2, "{after}");
    assert_eq!(ask(place, "epsilon"), BTreeSet::from([ONE.to_owned()]), "{after}");
    assert!(ask(place, "delta").is_empty(), "{after}");
    assert!(ask(place, "/alph[a]/").len() == 2, "{after}");
    let status = place.index().status(std::slice::from_ref(&place.store)).unwrap();
    assert_eq!((status.changed, status.damaged), (0, false), "{after}");
}

type Damage<'a> = &'a dyn Fn(&Path);

#[test]
fn whatever_file_is_damaged_the_index_is_made_anew() {
    let kinds: [(&str, Damage); 4] = [
        ("empty", &|path| fs::write(path, "").unwrap()),
        ("gone", &|path| fs::remove_file(path).unwrap()),
        ("cut", &|path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("other", &|path| fs::write(path, "neither this nor that").unwrap()),
    ];
    let place = indexed();
    let kept = place.cache().with_extension("kept");
    copy(&place.cache(), &kept);
    for (kind, damage) in kinds {
        for ending in ["term", "idx", "pos", "fast", "fieldnorm", "store", "meta.json", "table.db"]
        {
            let _ = fs::remove_dir_all(place.home());
            copy(&kept, &place.cache());
            let folder = place.folder();
            for path in files(&folder.join("text")).into_iter().chain(files(&folder)) {
                if path.to_string_lossy().ends_with(ending) {
                    damage(&path);
                }
            }
            answers(&place, &format!("{ending} {kind}"));
        }
    }
    fs::remove_dir_all(place.folder().join("text")).unwrap();
    answers(&place, "no text index");
    fs::remove_dir_all(place.home()).unwrap();
    answers(&place, "nothing");
}

#[test]
fn what_is_not_what_was_written_is_told_and_mended() {
    let place = indexed();
    let stores = std::slice::from_ref(&place.store);
    let of = |ending: &str| {
        let all = files(&place.folder().join("text"));
        all.into_iter().find(|path| path.extension().is_some_and(|e| e == ending)).unwrap()
    };
    for ending in ["store", "idx"] {
        let path = of(ending);
        let mut bytes = fs::read(&path).unwrap();
        bytes[0] ^= 0x55;
        fs::write(&path, bytes).unwrap();
        assert!(place.index().status(stores).unwrap().damaged, "{ending}");
        assert!(place.index().mend(stores, &|_| ()).unwrap());
        answers(&place, ending);
        assert!(!place.index().mend(stores, &|_| ()).unwrap());
    }
}

/// A process that ends while it writes the text index leaves files whose names the next ones want.
#[test]
fn files_of_an_interrupted_commit_are_in_nobodys_way() {
    let place = indexed();
    let text = place.folder().join("text");
    let parts: BTreeSet<String> = files(&text)
        .iter()
        .filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".idx").map(str::to_owned))
        .collect();
    for part in &parts {
        for stamp in 0..64 {
            let path = text.join(format!("{part}.{stamp}.del"));
            if !path.exists() {
                fs::write(path, "half").unwrap();
            }
        }
    }
    let left = |ending: &str| {
        files(&text).iter().filter(|p| p.to_string_lossy().ends_with(ending)).count()
    };
    assert!(left(".del") >= 64);
    for n in 0..3 {
        let word = format!("omega{n}");
        place.write(ONE, &conversation(ONE, &[("alpha", "beta"), ("gamma", &word)]));
        assert_eq!(ask(&place, &word).len(), 1);
    }
    assert!(left(".del") <= left(".idx"), "{} are left", left(".del"));
    // In its own folder still: nothing had to be made anew.
    assert_eq!(place.folder().join("text"), text);
}

/// What a power failure takes away: the last of what was written in the table.
#[test]
fn a_table_that_is_behind_does_not_tell_of_other_documents() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    assert_eq!(ask(&place, "beta").len(), 1);
    for behind in 1..4 {
        let table = place.folder().join("table.db");
        let before = fs::read(&table).unwrap();
        for n in 0..behind {
            let word = format!("lost{n}");
            place.write(TWO, &conversation(TWO, &[("alpha", &word)]));
            assert_eq!(ask(&place, &word).len(), 1);
        }
        for ending in ["-wal", "-shm"] {
            let _ = fs::remove_file(place.folder().join(format!("table.db{ending}")));
        }
        fs::write(&table, before).unwrap();
        fs::remove_file(place.path(TWO)).unwrap();
        place.write(THREE, &conversation(THREE, &[("alpha", "zeta"), ("gamma", "delta")]));
        assert_eq!(ask(&place, "zeta"), BTreeSet::from([THREE.to_owned()]), "{behind}");
        for n in 0..behind {
            assert!(ask(&place, &format!("lost{n}")).is_empty(), "{behind}");
        }
        assert_eq!(ask(&place, "alpha").len(), 2);
        fs::remove_file(place.path(THREE)).unwrap();
        assert_eq!(ask(&place, "alpha").len(), 1);
    }
}

#[test]
fn an_index_is_made_anew_beside_the_one_that_others_read() {
    let place = indexed();
    let stores = std::slice::from_ref(&place.store);
    let mut other = place.index();
    let before = place.folder();
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let look = |_| {
        // In the midst of it.
        seen.fetch_max(ask(&place, "alpha").len(), std::sync::atomic::Ordering::Relaxed);
    };
    let (mut made, refreshed) = Index::rebuild(&place.cache(), stores, &look).unwrap().unwrap();
    assert_eq!((seen.into_inner(), refreshed.read), (2, 2));
    assert!(!before.exists() && place.folder() != before);
    assert_eq!(ask_of(&mut made, &place, "alpha").len(), 2);
    // One that was open before goes on, also with what is new.
    place.write(THREE, &conversation(THREE, &[("alpha", "omega")]));
    assert_eq!(ask_of(&mut other, &place, "omega").len(), 1);
    assert_eq!(ask_of(&mut other, &place, "alpha").len(), 3);
    // Two at once: one says so.
    let lock = fs::File::options().write(true).open(place.home().join("lock")).unwrap();
    lock.lock().unwrap();
    assert!(Index::rebuild(&place.cache(), stores, &|_| ()).unwrap().is_none());
}

/// Killed while an index is made anew, or taken away: what is left in between.
#[test]
fn an_interrupted_rebuild_leaves_the_old_index() {
    let place = indexed();
    fs::create_dir_all(place.home().join("new/text")).unwrap();
    fs::write(place.home().join("new/table.db"), "half").unwrap();
    fs::create_dir_all(place.home().join("gone-1")).unwrap();
    let before = place.folder();
    answers(&place, "new");
    assert_eq!(place.folder(), before);
    place.write(TWO, &conversation(TWO, &[("alpha", "zeta"), ("alpha", "zeta")]));
    answers(&place, "written");
    assert_eq!(files(&place.home()).len(), 2, "the lock and the index");
}

#[test]
fn who_comes_while_the_first_index_is_made_waits() {
    let place = Place::new();
    place.write(ONE, &conversation(ONE, &[("alpha", "beta")]));
    drop(place.index());
    let lock = fs::File::options().write(true).open(place.home().join("lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| ask(&place, "alpha").len());
        std::thread::sleep(Duration::from_millis(200));
        assert!(!second.is_finished());
        lock.unlock().unwrap();
        assert_eq!(second.join().unwrap(), 1);
    });
}

#[test]
fn where_no_index_can_be_kept_one_is_made_for_the_run() {
    let place = indexed();
    fs::remove_dir_all(place.home()).unwrap();
    // Nobody can make a file there, whoever asks.
    fs::write(place.cache().join("search-4"), "no folder").unwrap();
    let mut index = place.index();
    assert!(index.note().is_some() && !index.is_read_only());
    assert_eq!(ask_of(&mut index, &place, "alpha").len(), 2);
}

#[test]
fn where_nobody_can_take_the_lock_it_is_read() {
    let place = indexed();
    fs::remove_file(place.home().join("lock")).unwrap();
    fs::create_dir(place.home().join("lock")).unwrap();
    let mut index = place.index();
    assert!(index.is_read_only() && index.note().is_some());
    place.write(THREE, &conversation(THREE, &[("alpha", "omega")]));
    assert_eq!(ask_of(&mut index, &place, "alpha").len(), 2);
    assert!(ask_of(&mut index, &place, "\"omega\"").is_empty());
    let status = index.status(std::slice::from_ref(&place.store)).unwrap();
    assert_eq!((status.damaged, status.changed), (false, 1));
    // What cannot be read is made for the run.
    fs::remove_dir_all(place.folder().join("text")).unwrap();
    assert_eq!(ask_of(&mut index, &place, "alpha").len(), 3);
    assert!(!index.is_read_only());
}
