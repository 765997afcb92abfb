//! The mouse, what lies over the panes, typing, and what the bar says about keys.

use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use recount_formats::Harness;
use recount_store::{Store, Stores};

use super::app::App;
use crate::state::{Focus, Input, Overlay};
use crate::update::Message;

const CLICK: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

fn line_of(app: &mut App, words: &str) -> (u16, u16) {
    let shown = app.shown();
    let (y, line) = shown.lines().enumerate().find(|(_, l)| l.contains(words)).unwrap();
    let before = &line[..line.find(words).unwrap()];
    (recount_text::text::width(before) as u16, y as u16)
}

#[test]
fn the_mouse_picks_and_filters() {
    let mut app = App::new(80, 24);
    app.keys("p");
    app.draw();
    app.mouse(MouseEventKind::ScrollDown, 30, 12);
    assert!(matches!(&app.state.overlay, Some(Overlay::Projects(p)) if p.selected == 1));
    let (x, y) = line_of(&mut app, "/home/dev/atlas");
    app.mouse(CLICK, x, y);
    assert_eq!(app.state.list.project.as_deref(), Some("/home/dev/atlas"));
    // Beside it, it closes and picks nothing.
    app.keys("p");
    app.draw();
    app.mouse(CLICK, 0, 0);
    assert!(app.state.overlay.is_none() && app.state.list.project.is_some());
    app.key(KeyCode::Esc);
    let (x, y) = line_of(&mut app, "claude-code pi");
    app.mouse(CLICK, x + 2, y);
    assert_eq!(app.state.list.harness, Some(Harness::ClaudeCode));
    let (x, y) = line_of(&mut app, "/ filter");
    app.mouse(CLICK, x + 2, y);
    assert!(app.state.input.is_some());
    app.keys("cent");
    app.draw();
    app.mouse(CLICK, 4, 4);
    assert!(app.state.input.is_none());
    assert_eq!(app.state.list.filter, "cent");
}

#[test]
fn the_help_scrolls_as_far_as_there_is_something() {
    let mut app = App::new(80, 24);
    app.keys("?");
    for _ in 0..30 {
        app.keys("j");
    }
    let last = app.shown();
    assert!(last.contains("Keys, and more above") && last.contains("quit"));
    app.keys("k");
    assert_ne!(app.shown(), last);
    app.keys("g");
    assert!(app.shown().contains("Keys, and more below"));
    app.keys("G");
    assert_eq!(app.shown(), last);
    app.mouse(MouseEventKind::ScrollUp, 30, 12);
    assert!(app.shown().contains("more above and below"));
    app.resize(40, 20);
    assert!(app.shown().lines().any(|l| l.contains('…')));
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none());
}

#[test]
fn the_bar_tells_what_keys_do_there() {
    let bar = |app: &mut App| app.shown().lines().last().unwrap().trim_end().to_owned();
    let mut app = App::new(80, 24);
    assert!(bar(&mut app).ends_with("? keys · q quit"));
    app.keys("l");
    assert!(bar(&mut app).contains("h list") && bar(&mut app).ends_with("? keys · q quit"));
    app.keys("?");
    assert_eq!(bar(&mut app), " Esc close · j k scroll");
    app.key(KeyCode::Esc);
    app.keys("hp");
    assert!(bar(&mut app).contains("Enter pick · Esc close"));
    app.key(KeyCode::Esc);
    app.open("banner");
    app.keys("gj\n");
    assert_eq!(bar(&mut app), " any key closes");
    app.keys("x");
    app.resize(40, 20);
    assert!(bar(&mut app).ends_with("? keys · q quit"));
}

#[test]
fn what_was_said_goes_when_it_is_over() {
    let mut app = App::new(80, 24);
    app.keys("R");
    assert!(app.shown().contains("listing…"));
    let heads = app.heads();
    app.send(Message::Listed(heads));
    assert!(!app.shown().contains("listing…"));
    app.send(Message::Done("copied: it".to_owned()));
    app.mouse(MouseEventKind::ScrollDown, 4, 5);
    assert!(!app.shown().contains("copied"));
}

#[test]
fn long_words_are_typed_where_they_can_be_seen() {
    let mut app = App::new(80, 24);
    app.keys("/");
    app.send(Message::Paste("one\ttwo\nthree four five six seven eight\n".to_owned()));
    assert_eq!(app.state.list.filter, "one two three four five six seven eight");
    insta::assert_snapshot!("typing-80x24", app.shown());
    app.key(KeyCode::Home);
    app.keys("zero ");
    assert!(app.shown().contains(" /zero ▏one two"));
    app.key(KeyCode::Esc);
    assert!(app.state.list.filter.is_empty());
    app.keys("l/");
    app.send(Message::Paste("x".repeat(200) + " end"));
    assert!(app.shown().lines().last().unwrap().trim_end().ends_with("xx end▏"));
    app.key(KeyCode::Left);
    app.keys("n");
    assert!(
        matches!(&app.state.input, Some(Input::Find { query, .. }) if query.ends_with(" ennd"))
    );
}

#[test]
fn in_the_list_keys_act_on_what_is_selected() {
    let mut app = App::new(60, 20);
    app.keys("\nhjF");
    assert!(app.state.conversation.as_ref().unwrap().follow);
    assert!(app.shown().contains("this session is not open"));
    // What was looked for without words leaves the facts of a session where they are.
    app.keys("/harness:pi");
    assert!(app.shown().contains("pi · shop"));
}

#[test]
fn without_sessions_it_says_where_it_looked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store { harness: Harness::Pi, root: folder.path().to_owned() };
    let mut app = App::with(Stores { stores: vec![store] }, 80, 24);
    app.state.places = vec![(Harness::Pi, "/home/dev/.pi/agent".into())];
    let shown = app.shown();
    assert!(
        shown.contains("no sessions in") && shown.contains("pi /home/dev/.pi/agent"),
        "{shown}"
    );
    assert_eq!(app.state.focus, Focus::List);
}
