//! Following a thread that a recorder writes: it reverts into new files, is rolled back, compressed and archived.

use proptest::prelude::*;
use recount_session::live::{Event, Input, LiveItem, LiveKind, Mode};

use super::*;
use crate::recorder::Sync;
use crate::recorder::edit::Editor;
use crate::recorder::rollout::{Recorder, Start};

#[derive(Debug, Clone)]
enum Step {
    /// A turn with a prompt and so many answers.
    Turn(usize),
    /// An answer more in a turn that runs.
    Begin,
    /// The turn that runs is over.
    End,
    /// Back to before the turn with this number; a paginated thread gets a new file.
    Revert(usize),
    /// The last turns go.
    Rollback(u32),
    /// The writer ends and another one goes on.
    Resume,
    /// Compressed, as Codex does with old threads, and archived.
    Archive,
    /// The reader looks.
    Look,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0_usize..3).prop_map(Step::Turn),
        2 => Just(Step::Begin),
        2 => Just(Step::End),
        2 => (0_usize..4).prop_map(Step::Revert),
        1 => (1_u32..3).prop_map(Step::Rollback),
        1 => Just(Step::Resume),
        1 => Just(Step::Archive),
        8 => Just(Step::Look),
    ];
    prop::collection::vec(step, 4..30)
}

fn item(n: usize, kind: LiveKind) -> Event {
    Event::ItemCompleted(LiveItem { id: format!("i-{n}"), kind })
}

fn answer(n: usize) -> Event {
    item(n, LiveKind::AgentMessage { text: format!("Answer {n}"), phase: None })
}

struct Thread {
    root: PathBuf,
    mode: Mode,
    id: String,
    recorder: Option<Recorder>,
    items: usize,
}

impl Thread {
    fn stores(&self) -> Stores {
        Stores { stores: vec![Store { harness: Harness::Codex, root: self.root.clone() }] }
    }

    fn head(&self) -> crate::SessionHead {
        self.stores().with_id(&self.id).unwrap()
    }

    fn recorder(&mut self) -> &mut Recorder {
        if self.recorder.is_none() {
            let head = self.head();
            if head.archived {
                Editor::new(&head).unarchive().unwrap();
            }
            let extended = self.mode == Mode::Extended;
            let resumed = Recorder::resume(&self.head(), extended, Sync::Lazy).unwrap();
            self.recorder = Some(resumed);
        }
        self.recorder.as_mut().unwrap()
    }

    fn next(&mut self) -> usize {
        self.items += 1;
        self.items
    }

    fn begin(&mut self) {
        let n = self.next();
        let prompt = Input::Text { text: format!("Prompt {n}"), elements: Vec::new() };
        let started = Event::TurnStarted {
            turn_id: Recorder::new_turn_id(),
            at_ms: jiff::Timestamp::now().as_millisecond(),
            plan_mode: false,
        };
        let recorder = self.recorder();
        // A turn that runs already is ended by the next one.
        let _ = recorder.record(&started);
        let _ = recorder.record(&item(n, LiveKind::UserMessage(vec![prompt])));
    }

    fn end(&mut self) {
        let at_ms = jiff::Timestamp::now().as_millisecond();
        let _ = self.recorder().record(&Event::TurnCompleted {
            at_ms,
            last_message: None,
            error: None,
        });
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Turn(answers) => {
                self.begin();
                for _ in 0..answers {
                    let n = self.next();
                    let _ = self.recorder().record(&answer(n));
                }
                self.end();
            }
            Step::Begin => {
                self.begin();
                let n = self.next();
                let _ = self.recorder().record(&answer(n));
            }
            Step::End => self.end(),
            Step::Revert(at) => {
                let turn = self.recorder().live().turns().get(at).map(|turn| turn.id.clone());
                if let Some(before) = turn {
                    let _ = self.recorder().record(&Event::Reverted { before });
                }
            }
            Step::Rollback(turns) => {
                let _ = self.recorder().record(&Event::RolledBack { turns });
            }
            Step::Resume => self.recorder = None,
            Step::Archive => {
                self.recorder = None;
                let head = self.head();
                if !head.archived {
                    Editor::new(&head).archive().unwrap();
                }
            }
            Step::Look => {}
        }
    }
}

proptest! {
    #![proptest_config(config(24))]

    /// Whatever happens to the files of a thread, in the end the reader knows what stands there.
    #[test]
    fn a_reader_knows_what_a_recorder_writes(
        mode in prop::sample::select(vec![Mode::Limited, Mode::Extended, Mode::Paginated]),
        steps in steps(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let start = Start { mode, cwd: "/home/dev/shop".into(), sync: Sync::Lazy, ..Start::default() };
        let recorder = Recorder::start(folder.path(), &start).unwrap();
        let id = recorder.thread_id().to_owned();
        let root = folder.path().to_owned();
        let mut thread = Thread { root, mode, id, recorder: Some(recorder), items: 0 };
        thread.step(&Step::Turn(1));
        let (mut tail, first) = Tail::open(&thread.stores(), thread.head()).unwrap();
        let mut reader = Reader::of(&first.thread);
        for step in &steps {
            thread.step(step);
            if matches!(step, Step::Look) {
                look(&mut tail, &mut reader);
            }
        }
        settle(&mut tail, &mut reader);
        let head = thread.head();
        let fresh = crate::discover::of(head.harness).unwrap().open(&head).unwrap().thread(None);
        reader.check(&fresh);
    }
}
