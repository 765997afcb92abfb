//! The program without a terminal, for tests.

use std::path::Path;

use jiff::Timestamp;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use recount_formats::Harness;
use recount_store::{SessionHead, Store, Stores};

use crate::state::State;
use crate::theme::Theme;
use crate::update::{Effect, Message, update};
use crate::worker::bill::Prices;
use crate::worker::seek::{Seeker, Sources};
use crate::{view, worker};

/// The program without a terminal: what it asks for is done at once.
pub(super) struct App {
    pub(super) state: State,
    pub(super) screen: Terminal<TestBackend>,
    pub(super) stores: Stores,
    seeker: Option<Seeker>,
    pub(super) copied: Vec<String>,
    pub(super) edited: Vec<String>,
}

const NOW: &str = "2026-11-10T12:00:00Z";

pub(super) fn now() -> Timestamp {
    NOW.parse().unwrap()
}

pub(super) fn samples() -> Stores {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples");
    // Those that are kept as files.
    let stores = ["codex", "claude-code", "pi"]
        .into_iter()
        .filter_map(Harness::from_id)
        .map(|harness| Store { harness, root: samples.join(harness.id()) })
        .collect();
    Stores { stores }
}

impl App {
    pub(super) fn new(columns: u16, rows: u16) -> Self {
        Self::with(samples(), columns, rows)
    }

    pub(super) fn with(stores: Stores, columns: u16, rows: u16) -> Self {
        let state = State::new((columns, rows), Theme::Dark, now());
        let screen = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let (copied, edited) = (Vec::new(), Vec::new());
        let mut app = Self { state, screen, stores, seeker: None, copied, edited };
        let heads = app.heads();
        app.send(Message::Listed(heads));
        app
    }

    /// Times of files are those of the checkout: the samples tell theirs.
    pub(super) fn heads(&self) -> Vec<SessionHead> {
        let mut heads = self.stores.list().0;
        for head in &mut heads {
            head.updated_at.clone_from(&head.created_at);
        }
        heads.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
        heads
    }

    pub(super) fn send(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Open { ticket, session, leaf } => {
                    let head = session.map(|head| *head).or_else(|id| self.stores.find(&id));
                    let message = match worker::load(&head.unwrap(), leaf) {
                        Ok((loaded, responses)) => {
                            let bill = Prices::default().bill(loaded.info.harness, &responses);
                            self.send(Message::Opened(ticket, Box::new(loaded)));
                            Message::Billed(ticket, bill)
                        }
                        Err(why) => Message::Failed(ticket, why),
                    };
                    self.send(message);
                }
                Effect::Copy(text) => self.copied.push(text),
                Effect::Edit(text) => self.edited.push(text),
                Effect::Seek(query) => {
                    let sources =
                        Sources { cache: None, times: |_, _| Err(String::new()), clock: now };
                    let stores = self.stores.clone();
                    let seeker = self.seeker.get_or_insert_with(|| Seeker::new(stores, sources));
                    let sought = seeker.seek(&query, &|_| {});
                    self.send(Message::Sought(query, sought));
                }
                Effect::Picture { ticket, place } => {
                    self.send(Message::Pictured(ticket, place.read().map(Box::new)));
                }
                Effect::Quit
                | Effect::List
                | Effect::Follow(_)
                | Effect::Redraw
                | Effect::Suspend => {}
            }
        }
    }

    pub(super) fn key(&mut self, code: KeyCode) {
        self.send(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Presses keys; `\n` is Enter, `\t` is Tab.
    pub(super) fn keys(&mut self, keys: &str) {
        for c in keys.chars() {
            self.key(match c {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            });
        }
    }

    pub(super) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.send(Message::Mouse(mouse));
    }

    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.backend_mut().resize(columns, rows);
        self.send(Message::Resize(columns, rows));
    }

    pub(super) fn draw(&mut self) {
        let state = &mut self.state;
        self.screen.draw(|frame| view::draw(frame, state)).unwrap();
    }

    /// The screen as text.
    pub(super) fn shown(&mut self) -> String {
        self.draw();
        let buffer = self.screen.backend().buffer();
        let mut out = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..buffer.area.width {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                skip = recount_text::text::width(symbol).saturating_sub(1);
                line.push_str(symbol);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// Opens the session whose title has these words.
    pub(super) fn open(&mut self, words: &str) {
        self.keys(&format!("h/{words}\n"));
        self.keys("\n");
    }
}
