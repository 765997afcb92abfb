//! Finding in a session.

use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;

use super::app::App;
use super::{line, session};

/// What is marked on the screen, line by line.
fn marked(app: &mut App) -> Vec<String> {
    app.draw();
    let buffer = app.screen.backend().buffer();
    let mut out = Vec::new();
    for y in 0..buffer.area.height {
        let on = |x: &u16| {
            matches!(buffer[(*x, y)].style().bg, Some(Color::Yellow | Color::LightMagenta))
        };
        let text: String =
            (0..buffer.area.width).filter(on).map(|x| buffer[(x, y)].symbol()).collect();
        out.extend((!text.is_empty()).then_some(text));
    }
    out
}

#[test]
fn what_stands_on_the_screen_is_found() {
    let mut app = App::new(200, 50);
    app.open("cent");
    for (query, of) in [("added as f64", 1), ("exit 101", 1), ("prices as f64", 1), ("2 looks", 1)]
    {
        app.keys(&format!("g/{query}\n"));
        assert_eq!(app.state.status, Some(format!("1 of {of}")), "{query}");
        let marks = marked(&mut app);
        assert!(marks.iter().any(|m| m.eq_ignore_ascii_case(query)), "{query}: {marks:?}");
    }
}

#[test]
fn every_find_is_gone_to() {
    let long = (0..3_000).map(|n| format!("row {n} end")).collect::<Vec<_>>().join("\n");
    let wraps = "A sentence that goes on for so long that it is wrapped somewhere in the middle of a phrase";
    let (_folder, stores) = session(&[
        line(0, "user", "Begin here with a row"),
        line(1, "assistant", &format!("```\n{long}\n```")),
        line(2, "user", wraps),
    ]);
    let mut app = App::with(stores, 80, 24);
    app.keys("lg/ROW\n");
    assert_eq!(app.state.status.as_deref(), Some("nothing found"));
    app.keys("g/row\n");
    assert_eq!(app.state.status.as_deref(), Some("1 of 3001"));
    app.keys("n");
    assert!(app.state.status.as_deref().unwrap().starts_with("2 of "));
    assert!(app.shown().contains("row 0 end"));
    for _ in 0..40 {
        app.keys("n");
    }
    assert!(app.shown().contains("row 40 end"));
    app.keys("N");
    assert!(app.shown().contains("row 39 end"));
    app.keys("g/that it is wrapped somewhere in the middle\n");
    assert_eq!(app.state.status.as_deref(), Some("1 of 1"));
    assert_eq!(marked(&mut app).join(" "), "that it is wrapped somewhere in the middle");
}

#[test]
fn what_find_opened_is_closed_again() {
    let mut app = App::new(100, 30);
    app.open("cent");
    app.keys("g");
    let before = app.shown();
    app.keys("/Finished\n");
    app.key(KeyCode::Esc);
    app.keys("g");
    app.keys("/running 2 tests\n");
    assert!(app.shown().contains("running 2 tests"));
    app.key(KeyCode::Esc);
    app.keys("g");
    assert_eq!(app.shown(), before);
    // Reasoning that was opened so is hidden with all other.
    app.keys("/A cent off\n");
    assert!(app.shown().contains("A cent off smells"));
    app.keys("rr");
    assert!(!app.shown().contains("A cent off smells"));
}
