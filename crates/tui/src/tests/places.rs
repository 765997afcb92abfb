//! What is shown is what was asked for: opening, going back, following, and where the selection stays.

use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use recount_store::Stores;

use super::app::{App, now};
use super::{line, opening, session};
use crate::state::{Focus, State};
use crate::theme::Theme;
use crate::update::{Effect, Message, update};
use crate::worker::bill::Prices;
use crate::worker::seek::Sources;
use crate::worker::{self, Workers};

fn shown(app: &App) -> (String, PathBuf) {
    app.state.conversation.as_ref().unwrap().session()
}

#[test]
fn a_session_that_was_named_is_opened_whatever_comes_first() {
    let id = "f64";
    let mut app = App::new(80, 24);
    let heads = app.heads();
    let wanted = heads.iter().rfind(|h| !h.is_subagent).unwrap().clone();
    let open = |app: &App, ticket: u64| {
        let session = app.stores.find(&wanted.id).unwrap();
        Message::Opened(ticket, Box::new(worker::load(&session, None).unwrap().0))
    };
    for listed_first in [true, false] {
        app.state = State::new((80, 24), Theme::Dark, now());
        let asked = update(&mut app.state, Message::Named(wanted.id.clone()));
        assert!(
            matches!(&asked[..], [Effect::Open { ticket: 1, session: Err(id), .. }] if *id == wanted.id)
        );
        let (listed, opened) = (Message::Listed(heads.clone()), open(&app, 1));
        let both = if listed_first { [listed, opened] } else { [opened, listed] };
        for message in both {
            app.send(message);
        }
        assert_eq!(shown(&app).0, wanted.id);
        assert_eq!(app.state.list.place().unwrap().0, wanted.id);
        assert_eq!(app.state.focus, Focus::Conversation);
        // What there is not is told, and the list is there instead.
        app.state = State::new((80, 24), Theme::Dark, now());
        update(&mut app.state, Message::Named(id.to_owned()));
        let both =
            [Message::Listed(heads.clone()), Message::Failed(1, "no session `f64`".to_owned())];
        let both = if listed_first {
            both
        } else {
            both.into_iter().rev().collect::<Vec<_>>().try_into().unwrap()
        };
        for message in both {
            app.send(message);
        }
        assert!(app.shown().contains("no session `f64`"));
        assert_eq!(app.state.focus, Focus::List);
        assert_eq!(shown(&app), app.state.list.place().unwrap());
    }
}

#[test]
fn beside_the_list_stands_what_is_selected_in_it() {
    let mut app = App::new(80, 24);
    let agree = |app: &mut App, after: &str| {
        app.draw();
        assert_eq!(shown(app), app.state.list.place().unwrap(), "{after}");
    };
    app.keys("jj");
    let third = shown(&app);
    // What is selected stays so as long as it is shown.
    for keys in ["a", "a", "/e", "\n"] {
        app.keys(keys);
        agree(&mut app, keys);
    }
    app.key(KeyCode::Esc);
    agree(&mut app, "Esc");
    app.keys("GG");
    let last = shown(&app);
    assert_ne!(last, third);
    app.keys("/cent");
    agree(&mut app, "/cent");
    assert_ne!(shown(&app), last);
    app.key(KeyCode::Esc);
    agree(&mut app, "Esc");
    assert_eq!(shown(&app), last);
    for _ in 0..4 {
        app.keys("f");
        agree(&mut app, "f");
    }
    app.keys("pjj\n");
    agree(&mut app, "p");
    app.key(KeyCode::Esc);
    agree(&mut app, "Esc");
    // A list that was read anew takes nobody elsewhere.
    let heads = app.heads();
    app.send(Message::Listed(heads));
    agree(&mut app, "listed");
}

#[test]
fn keys_go_to_what_is_seen() {
    for leave in ["h", "\t"] {
        let mut app = App::new(80, 24);
        app.keys("lw");
        assert!(app.state.wide && !app.shown().contains("Sessions"));
        app.keys(leave);
        assert!(!app.state.wide && app.shown().contains("Sessions"));
    }
    let mut app = App::new(80, 24);
    app.keys("w");
    app.key(KeyCode::Esc);
    assert!(app.state.focus == Focus::List && app.shown().contains("Sessions"));
    // Where one pane has room, nothing is hidden.
    let mut narrow = App::new(60, 20);
    narrow.keys("w");
    assert!(!narrow.state.wide && narrow.state.focus == Focus::List);
    assert!(narrow.shown().contains("one pane"));
}

#[test]
fn a_sub_agent_goes_on_in_its_session() {
    let mut app = App::new(100, 30);
    app.open("cent");
    let main = shown(&app).0;
    app.keys("s");
    assert_ne!(shown(&app).0, main);
    app.keys("Y");
    assert_eq!(app.copied, [format!("cd /home/dev/shop && claude --resume {main}")]);
    // One that was opened from the list leads to its session, too.
    app.key(KeyCode::Backspace);
    app.key(KeyCode::Backspace);
    assert!(app.state.status.as_deref().unwrap().contains("no sub-agent"));
    app.keys("h");
    app.key(KeyCode::Esc);
    app.keys("a");
    let agent = (0..app.state.list.len())
        .find(|n| app.state.list.get(*n).unwrap().head.parent_id.as_ref() == Some(&main));
    app.state.list.selected = agent.unwrap();
    app.keys("\n");
    assert_ne!(shown(&app).0, main);
    app.key(KeyCode::Backspace);
    assert_eq!(shown(&app).0, main);
    assert_eq!(app.state.list.place().unwrap().0, main);
}

#[test]
fn enter_steps_in_only_where_something_leads_there() {
    let mut app = App::new(100, 30);
    app.open("cent");
    app.keys("g\n");
    assert!(app.state.stack.is_empty() && app.state.status.is_none());
    let before = shown(&app);
    app.keys("G\n");
    assert_eq!(shown(&app), before);
}

#[test]
fn what_stands_in_a_group_is_shown_whole() {
    for columns in [60, 80, 100] {
        let mut app = App::new(columns, 40);
        app.open("cent");
        app.keys("Og");
        for _ in 0..30 {
            let shown = app.shown();
            let lines = shown.lines().skip(3).map(|l| l.split('│').next_back().unwrap_or(l));
            for line in lines.filter(|l| l.starts_with("      ")) {
                assert!(!line.trim_end_matches(['▐', ' ']).ends_with('…'), "{line}");
            }
            app.keys("J");
        }
    }
}

fn prose(from: usize, to: usize) -> Vec<String> {
    let role = |n: usize| if n.is_multiple_of(2) { "user" } else { "assistant" };
    (from..to).map(|n| line(n, role(n), &format!("Line {n}"))).collect()
}

#[test]
fn the_selection_stays_when_the_end_is_on_the_screen() {
    let mut lines = prose(0, 40);
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 100, 30);
    app.keys("lkkk");
    let selected = |app: &App| app.state.conversation.as_ref().unwrap().selected();
    assert_eq!(selected(&app), 36);
    app.keys("tww");
    app.resize(120, 40);
    assert_eq!(selected(&app), 36);
    let grow = |app: &mut App, lines: &[String]| {
        let head = app.state.conversation.as_ref().unwrap().head.clone();
        std::fs::write(&head.path, lines.join("\n") + "\n").unwrap();
        let ticket = app.state.ticket;
        app.send(Message::Grown(ticket, Box::new(worker::again(&head).unwrap())));
    };
    lines.extend(prose(40, 42));
    grow(&mut app, &lines);
    assert_eq!(selected(&app), 36);
    assert!(app.shown().contains("Line 41"));
    // Whoever stands on the end goes along.
    app.keys("G");
    lines.extend(prose(42, 44));
    grow(&mut app, &lines);
    assert_eq!(selected(&app), 43);
}

#[test]
fn what_was_read_before_all_was_there_stays() {
    let lines = prose(0, 400);
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 100, 30);
    app.keys("l");
    let head = app.state.conversation.as_ref().unwrap().head.clone();
    let opened = recount_store::discover::of(head.harness).unwrap().open(&head).unwrap();
    app.state.conversation = None;
    app.state.opening = Some(opening(70, &head.id));
    app.send(Message::First(70, Box::new(worker::newest(&head, opened, 20_000).unwrap())));
    app.keys("kkkkkkkkkkkk/Line 37\n");
    let body = |app: &mut App| {
        app.shown()
            .lines()
            .skip(3)
            .map(|l| l.trim_end_matches('▐').trim_end().to_owned())
            .take(25)
            .collect::<Vec<_>>()
    };
    let before = body(&mut app);
    app.send(Message::Opened(70, Box::new(worker::load(&head, None).unwrap().0)));
    assert_eq!(body(&mut app), before);
    assert_eq!(app.state.conversation.as_ref().unwrap().len(), 400);
}

/// The program with its workers, but without a terminal.
struct Live {
    state: State,
    workers: Workers,
    found: Receiver<Message>,
}

impl Live {
    fn new(stores: Stores) -> Self {
        let sources = Sources { cache: None, times: |_, _| Err(String::new()), clock: now };
        let (workers, found) = Workers::start(stores, sources, Prices::default());
        workers.list();
        Self { state: State::new((100, 30), Theme::Dark, now()), workers, found }
    }

    fn send(&mut self, message: Message) {
        for effect in update(&mut self.state, message) {
            match effect {
                Effect::Open { ticket, session, leaf } => self.workers.open(ticket, session, leaf),
                Effect::Follow(on) => self.workers.follow(on),
                _ => {}
            }
        }
    }

    fn key(&mut self, code: KeyCode) {
        self.send(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Takes what comes until it is as wanted.
    fn until(&mut self, what: &str, is: impl Fn(&State) -> bool) {
        for _ in 0..600 {
            if is(&self.state) {
                return;
            }
            if let Ok(message) = self.found.recv_timeout(Duration::from_millis(50)) {
                self.send(message);
            }
        }
        panic!("{what}");
    }
}

#[test]
fn who_comes_back_from_a_sub_agent_follows_on() {
    let mut lines = prose(0, 4);
    let (folder, stores) = session(&lines);
    let project = folder.path().join("projects/-home-dev-shop");
    let main = "11111111-2222-4333-8444-555555555555";
    let agents = project.join(main).join("subagents");
    std::fs::create_dir_all(&agents).unwrap();
    let agent =
        line(0, "user", "Look around").replacen('{', r#"{"isSidechain":true,"agentId":"a1","#, 1);
    std::fs::write(agents.join("agent-a1.jsonl"), agent + "\n").unwrap();
    let mut live = Live::new(stores);
    let at = |id: &'static str| {
        move |s: &State| {
            s.opening.is_none() && s.conversation.as_ref().is_some_and(|c| c.head.id == id)
        }
    };
    live.until("the list", |s| s.list.listed);
    live.until("the session", at(main));
    live.key(KeyCode::Char('l'));
    live.key(KeyCode::Char('g'));
    // Written before, while the sub-agent is looked at, and afterwards: it is all there, and once.
    let grow = |lines: &mut Vec<String>| {
        let n = lines.len();
        lines.extend(prose(n, n + 2));
        std::fs::write(project.join(format!("{main}.jsonl")), lines.join("\n") + "\n").unwrap();
    };
    let all = |n: usize| move |s: &State| s.conversation.as_ref().is_some_and(|c| c.len() == n);
    grow(&mut lines);
    live.until("what was written before", all(6));
    live.key(KeyCode::Char('s'));
    live.until("the sub-agent", at("a1"));
    grow(&mut lines);
    live.key(KeyCode::Backspace);
    assert_eq!(live.state.conversation.as_ref().unwrap().head.id, main);
    live.until("what was written meanwhile", all(8));
    assert_eq!(live.state.conversation.as_ref().unwrap().selected(), 0);
    grow(&mut lines);
    live.until("what was written afterwards", all(10));
}
