#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::contextualize_config;
use recount_formats::Harness;
use recount_session::model::{Item, ItemKind, Thread, TurnStatus, Usage};

use super::{Change, Known, Part, Poll, Tail};
use crate::head::SessionHead;
use crate::stores::{Store, Stores};

mod recorded;

/// Some interleavings each time; thousands when `PROPTEST_CASES` asks for them, as `.ci/run` does.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    contextualize_config(usual)
}

fn every(_: &Item) -> bool {
    true
}

/// What a reader knows who was given a thread once and is told changes since.
#[derive(Debug, Default)]
struct Reader {
    known: Known,
    turns: Vec<ReaderTurn>,
    usage: Usage,
    name: Option<String>,
    running: bool,
    told: usize,
}

#[derive(Debug)]
struct ReaderTurn {
    id: String,
    over: bool,
    items: Vec<ReaderItem>,
}

#[derive(Debug)]
struct ReaderItem {
    id: String,
    kind: ItemKind,
    complete: bool,
}

impl Reader {
    fn of(thread: &Thread) -> Self {
        let mut reader = Self::default();
        reader.hear(thread);
        reader.told = 0;
        reader
    }

    /// Is told what is new, and looks at nothing else of the thread.
    fn hear(&mut self, thread: &Thread) {
        let new = Known::of(thread, true, every);
        for change in self.known.changes(&new, thread) {
            self.told += 1;
            self.apply(&change, thread);
        }
        assert_eq!(new.changes(&new, thread), [], "a reader who knows all is told nothing");
        self.known = new;
    }

    fn apply(&mut self, change: &Change, thread: &Thread) {
        match change {
            Change::Reverted { keep } => {
                assert!(*keep < self.turns.len(), "nothing went away");
                self.turns.truncate(*keep);
            }
            Change::TurnStarted(n) => {
                assert!(*n <= self.turns.len(), "turns come in their order");
                if *n == self.turns.len() {
                    let id = thread.turns[*n].id.clone();
                    self.turns.push(ReaderTurn { id, over: false, items: Vec::new() });
                } else {
                    self.turns[*n].over = false;
                }
            }
            Change::ItemStarted(t, i) => {
                let item = &thread.turns[*t].items[*i];
                let items = &mut self.turns[*t].items;
                let new =
                    ReaderItem { id: item.id.clone(), kind: item.kind.clone(), complete: false };
                assert!(*i <= items.len(), "items come in their order");
                if *i == items.len() {
                    items.push(new);
                } else {
                    assert_ne!(items[*i].kind, new.kind, "told twice");
                    items[*i] = new;
                }
            }
            Change::ItemGrew { turn, item, part, new } => {
                let text = part.of(&thread.turns[*turn].items[*item]);
                let own = &mut self.turns[*turn].items[*item];
                assert!(!own.complete, "a complete item has grown");
                assert!(!new.is_empty());
                let had = text_mut(&mut own.kind, *part);
                assert_eq!(had.len(), new.start, "told twice, or not at all");
                had.push_str(&text[new.clone()]);
            }
            Change::ItemCompleted(t, i) => {
                let item = &thread.turns[*t].items[*i];
                let own = &mut self.turns[*t].items[*i];
                assert!(!own.complete || own.kind != item.kind, "told twice");
                assert_eq!(own.id, item.id);
                own.kind = item.kind.clone();
                own.complete = true;
            }
            Change::TurnCompleted(n) => self.turns[*n].over = true,
            Change::Usage(more) => {
                assert_ne!(self.usage, thread.usage);
                if thread.usage.total_tokens >= self.usage.total_tokens {
                    let sum = self.usage.total_tokens + more.total_tokens;
                    assert_eq!(sum, thread.usage.total_tokens);
                }
                self.usage = thread.usage;
            }
            Change::Named => {
                assert_ne!(self.name, thread.title);
                self.name.clone_from(&thread.title);
            }
            Change::Running(running) => {
                assert_ne!(self.running, *running);
                self.running = *running;
            }
        }
    }

    fn check(&self, thread: &Thread) {
        let ids = |turns: &[ReaderTurn]| turns.iter().map(|t| t.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&self.turns), thread.turns.iter().map(|t| t.id.clone()).collect::<Vec<_>>());
        for (own, turn) in self.turns.iter().zip(&thread.turns) {
            assert_eq!(own.items.len(), turn.items.len());
            for (own, item) in own.items.iter().zip(&turn.items) {
                assert_eq!((&own.id, &own.kind), (&item.id, &item.kind));
            }
            let runs = self.running && thread.turns.last().is_some_and(|last| last.id == turn.id);
            assert_eq!(own.over, !runs);
        }
        assert_eq!(self.usage, thread.usage);
        assert_eq!(self.name, thread.title);
    }
}

fn text_mut(kind: &mut ItemKind, part: Part) -> &mut String {
    match (kind, part) {
        (ItemKind::AgentMessage { text, .. } | ItemKind::Plan { text }, Part::Text) => text,
        (ItemKind::CommandExecution { aggregated_output, .. }, Part::Output) => {
            aggregated_output.get_or_insert_default()
        }
        (ItemKind::Reasoning { summary, .. }, Part::Summary(n)) => &mut summary[n],
        (kind, part) => panic!("{kind:?} has no {part:?}"),
    }
}

/// A session of the samples, of which a store has nothing but the beginning at first.
struct Session {
    _folder: tempfile::TempDir,
    harness: Harness,
    /// Whether it is followed for its turns alone.
    alone: bool,
    stores: Stores,
    id: String,
    path: PathBuf,
    lines: Vec<Vec<u8>>,
}

impl Session {
    /// All that are followed in their own way.
    fn kinds() -> [fn() -> Self; 6] {
        [
            || Self::of(Harness::Codex, "paginated", false),
            || Self::of(Harness::Codex, "legacy", false),
            || Self::of(Harness::Codex, "paginated", true),
            || Self::of(Harness::Codex, "legacy", true),
            || Self::of(Harness::ClaudeCode, "", false),
            || Self::of(Harness::Pi, "", false),
        ]
    }

    fn of(harness: Harness, mode: &str, alone: bool) -> Self {
        let samples =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples").join(harness.id());
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("store");
        copy(&samples, &root);
        let stores = Stores { stores: vec![Store { harness, root }] };
        // The longest one is the most interesting.
        let is_it = |head: &SessionHead| {
            mode.is_empty() || head.origin.history_mode.as_deref() == Some(mode)
        };
        let heads = stores.list().0.into_iter().filter(is_it);
        let head = heads.max_by_key(|head| head.size).unwrap();
        let bytes = fs::read(&head.path).unwrap();
        let lines = bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
        Self { _folder: folder, harness, alone, stores, id: head.id, path: head.path, lines }
    }

    fn tail(&self) -> (Tail, super::Snapshot) {
        let head = self.stores.with_id(&self.id).unwrap();
        let open = if self.alone { Tail::open_alone } else { Tail::open };
        open(&self.stores, head).unwrap()
    }

    /// The thread, read by nobody who knows anything.
    fn fresh(&self) -> Thread {
        let head = self.stores.with_id(&self.id).unwrap();
        let discover = crate::discover::of(head.harness).unwrap();
        if self.alone {
            discover.followed(&head).unwrap()
        } else {
            discover.open(&head).unwrap().thread(None)
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::write(&to, fs::read(&from).unwrap()).unwrap();
        }
    }
}

/// What a writer does.
#[derive(Debug, Clone)]
enum Step {
    /// Appends so many lines.
    Append(usize),
    /// Appends a part of the next line, the rest comes with what is appended then.
    Tear(usize),
    /// Shortens the file in place to so many lines.
    Shorten(usize),
    /// Writes so many lines into another file and puts it in the place of this one.
    Replace(usize),
    /// Writes the file anew in place.
    Rewrite(usize),
    /// Compresses or decompresses the file.
    Compress,
    /// The reader looks.
    Look,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1_usize..4).prop_map(Step::Append),
        2 => (1_usize..200).prop_map(Step::Tear),
        1 => (1_usize..12).prop_map(Step::Shorten),
        1 => (1_usize..40).prop_map(Step::Replace),
        1 => (1_usize..40).prop_map(Step::Rewrite),
        1 => Just(Step::Compress),
        8 => Just(Step::Look),
    ];
    prop::collection::vec(step, 4..40)
}

/// Writes as a harness does, and as nobody should.
struct Writer<'a> {
    session: &'a Session,
    /// So many lines are written.
    written: usize,
    /// So many bytes of the next one.
    torn: usize,
    compressed: bool,
}

impl<'a> Writer<'a> {
    fn new(session: &'a Session) -> Self {
        let mut writer = Self { session, written: 0, torn: 0, compressed: false };
        writer.whole(2);
        writer
    }

    fn content(&self, lines: usize) -> Vec<u8> {
        self.session.lines[..lines.min(self.session.lines.len())].concat()
    }

    fn zst(&self) -> PathBuf {
        let mut path = self.session.path.clone().into_os_string();
        path.push(".zst");
        path.into()
    }

    fn plain(&mut self) {
        if self.compressed {
            let bytes = zstd::decode_all(&*fs::read(self.zst()).unwrap()).unwrap();
            fs::write(&self.session.path, bytes).unwrap();
            fs::remove_file(self.zst()).unwrap();
            self.compressed = false;
        }
    }

    fn whole(&mut self, lines: usize) {
        fs::write(&self.session.path, self.content(lines)).unwrap();
        (self.written, self.torn) = (lines.min(self.session.lines.len()), 0);
    }

    fn append(&self, bytes: &[u8]) {
        let mut file = OpenOptions::new().append(true).open(&self.session.path).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn step(&mut self, step: &Step, can_compress: bool) {
        match *step {
            Step::Append(n) => {
                self.plain();
                for _ in 0..n {
                    let Some(line) = self.session.lines.get(self.written) else { return };
                    self.append(&line[self.torn..]);
                    (self.written, self.torn) = (self.written + 1, 0);
                }
            }
            Step::Tear(n) => {
                self.plain();
                let Some(line) = self.session.lines.get(self.written) else { return };
                let to = (self.torn + n).min(line.len() - 1);
                self.append(&line[self.torn..to]);
                self.torn = to;
            }
            Step::Shorten(n) => {
                self.plain();
                let lines = n.min(self.written);
                let len = self.content(lines).len() as u64;
                let file = OpenOptions::new().write(true).open(&self.session.path).unwrap();
                file.set_len(len).unwrap();
                (self.written, self.torn) = (lines, 0);
            }
            Step::Replace(n) => {
                self.plain();
                let lines = n.min(self.session.lines.len());
                let beside = self.session.path.with_extension("part");
                fs::write(&beside, self.content(lines)).unwrap();
                fs::rename(&beside, &self.session.path).unwrap();
                (self.written, self.torn) = (lines, 0);
            }
            Step::Rewrite(n) => {
                self.plain();
                self.whole(n.max(1));
            }
            Step::Compress => {
                if !can_compress || self.torn > 0 {
                    return;
                }
                if self.compressed {
                    self.plain();
                } else {
                    let bytes = fs::read(&self.session.path).unwrap();
                    fs::write(self.zst(), zstd::encode_all(&*bytes, 1).unwrap()).unwrap();
                    fs::remove_file(&self.session.path).unwrap();
                    self.compressed = true;
                }
            }
            Step::Look => {}
        }
    }
}

fn look(tail: &mut Tail, reader: &mut Reader) -> bool {
    match tail.poll().unwrap() {
        Poll::Quiet => false,
        Poll::Changed(snapshot) => {
            reader.hear(&snapshot.thread);
            reader.check(&snapshot.thread);
            true
        }
        Poll::Gone => panic!("the session is gone"),
    }
}

/// Looks until nothing can come any more: long enough and often enough, for the machine may be busy with other tests.
fn settle(tail: &mut Tail, reader: &mut Reader) {
    let mut quiet = Instant::now();
    let mut looks = 0;
    while quiet.elapsed() < Duration::from_millis(90) || looks < 8 {
        looks += 1;
        if look(tail, reader) {
            (quiet, looks) = (Instant::now(), 0);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

proptest! {
    #![proptest_config(config(40))]

    /// Whatever a writer does and whenever the reader looks, in the end the reader knows what stands there.
    #[test]
    fn a_reader_knows_what_stands_there(steps in steps(), kind in 0_usize..6) {
        let session = Session::kinds()[kind]();
        let mut writer = Writer::new(&session);
        let (mut tail, first) = session.tail();
        let mut reader = Reader::of(&first.thread);
        for step in &steps {
            writer.step(step, session.harness == Harness::Codex);
            if matches!(step, Step::Look) {
                look(&mut tail, &mut reader);
            }
        }
        settle(&mut tail, &mut reader);
        reader.check(&session.fresh());
    }
}

/// A writer that does not wait for the reader, which looks as often as it can.
#[test]
fn a_writer_waits_for_nobody() {
    for kind in Session::kinds() {
        for round in 0..4_u64 {
            let session = kind();
            let mut writer = Writer::new(&session);
            let (mut tail, first) = session.tail();
            let mut reader = Reader::of(&first.thread);
            std::thread::scope(|scope| {
                let writing = scope.spawn(|| {
                    let mut seed = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
                    for _ in 0..80 {
                        seed ^= seed << 13;
                        seed ^= seed >> 7;
                        seed ^= seed << 17;
                        let n = usize::try_from(seed >> 33).unwrap();
                        let step = match n % 12 {
                            0 => Step::Replace(n % 30 + 1),
                            1 => Step::Rewrite(n % 30 + 1),
                            2 => Step::Shorten(n % 9 + 1),
                            3 => Step::Compress,
                            4 | 5 => Step::Tear(n % 90 + 1),
                            _ => Step::Append(n % 3 + 1),
                        };
                        writer.step(&step, writer.session.harness == Harness::Codex);
                        std::thread::sleep(Duration::from_micros(seed % 3000));
                    }
                    // What was torn is written to its end, and what was compressed is readable at once.
                    writer.step(&Step::Append(1), false);
                });
                while !writing.is_finished() {
                    look(&mut tail, &mut reader);
                }
                writing.join().unwrap();
            });
            settle(&mut tail, &mut reader);
            reader.check(&session.fresh());
        }
    }
}

#[test]
fn a_line_is_told_within_two_hundred_milliseconds() {
    for kind in Session::kinds() {
        let session = kind();
        let mut writer = Writer::new(&session);
        let (mut tail, first) = session.tail();
        let mut reader = Reader::of(&first.thread);
        let (mut told, mut waited) = (0, Vec::new());
        while writer.written < session.lines.len() {
            std::thread::sleep(Duration::from_millis(1));
            let before = reader.told;
            writer.step(&Step::Append(1), false);
            let written = Instant::now();
            while !look(&mut tail, &mut reader) {
                assert!(written.elapsed() < Duration::from_secs(10), "line {}", writer.written);
                std::thread::sleep(Duration::from_millis(20));
            }
            waited.push(written.elapsed());
            told += usize::from(reader.told > before);
        }
        let harness = session.harness;
        assert!(told > 3, "{harness}: {told}");
        // Not each of them: the machine may be busy with other tests.
        waited.sort();
        let median = waited[waited.len() / 2];
        assert!(median < Duration::from_millis(200), "{harness}: {median:?}");
        assert!(!reader.turns.is_empty());
    }
}

#[test]
fn a_text_that_grows_is_told_piece_by_piece() {
    use recount_session::model::{At, ThreadStatus, Turn};
    let row = At::Row { source: "db".into(), row: "part 1".into() };
    let message = |text: &str| ItemKind::AgentMessage {
        text: text.into(),
        phase: None,
        memory_citation: None,
        delivery: None,
        questions: None,
    };
    let thread = |text: &str, open: bool| {
        let mut thread = Thread::new(Harness::Opencode, "t");
        let mut turn = Turn::new("1");
        turn.items.push(Item::new("m", message(text), row.clone()));
        if open {
            thread.status = ThreadStatus::Open;
        } else {
            turn.status = TurnStatus::Completed;
        }
        thread.turns.push(turn);
        thread
    };
    let changes = |old: &Thread, new: &Thread| {
        Known::of(old, true, every).changes(&Known::of(new, true, every), new)
    };
    let part = Part::Text;
    let grew = |new| Change::ItemGrew { turn: 0, item: 0, part, new };
    let (started, completed) = (Change::ItemStarted(0, 0), Change::ItemCompleted(0, 0));
    assert_eq!(changes(&thread("Hel", true), &thread("Hello", true)), [grew(3..5)]);
    // The text was replaced: it is told anew.
    let replaced = changes(&thread("Hel", true), &thread("Hi", true));
    assert_eq!(replaced, std::slice::from_ref(&started));
    assert_eq!(
        changes(&thread("Hel", true), &thread("Hello", false)),
        [grew(3..5), completed.clone(), Change::TurnCompleted(0), Change::Running(false)]
    );
    assert_eq!(changes(&thread("Hello", false), &thread("Hello!", false)), [completed]);
    let empty = Thread::new(Harness::Opencode, "t");
    assert_eq!(
        changes(&empty, &thread("Hel", true)),
        [Change::TurnStarted(0), started, Change::Running(true)]
    );
    assert_eq!(
        changes(&thread("Hel", true), &empty),
        [Change::Reverted { keep: 0 }, Change::Running(false)]
    );
}
