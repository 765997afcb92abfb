//! What single items look like.

use std::fmt::Write as _;

use super::app::App;
use super::{line, session};
use crate::theme::Theme;
use crate::update::Message;

/// A call of a tool, with its result if there is one.
fn call(n: usize, name: &str, input: &str, result: Option<&str>) -> Vec<String> {
    let mut out = vec![line(n, "assistant", "x").replace(
        r#"{"type":"text","text":"x"}"#,
        &format!(r#"{{"type":"tool_use","id":"t{n}","name":"{name}","input":{input}}}"#),
    )];
    out.extend(result.map(|result| {
        line(n + 1, "user", "x").replace(
            r#""content":"x""#,
            &format!(
                r#""content":[{{"type":"tool_result","tool_use_id":"t{n}","content":"{result}"}}]"#
            ),
        )
    }));
    out
}

#[test]
fn a_command_without_a_result_runs_while_somebody_writes() {
    let mut lines = vec![line(0, "user", "Go on")];
    lines.extend(call(1, "Bash", r#"{"command":"sleep 60"}"#, None));
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 80, 24);
    app.keys("l");
    assert!(app.shown().contains("▸ $ sleep 60  no result"));
    let written = app.state.now;
    app.state.conversation.as_mut().unwrap().head.updated_at = Some(written.to_string());
    app.send(Message::Tick(written));
    assert!(app.shown().contains("▸ $ sleep 60  running"));
}

#[test]
fn what_is_long_tells_how_much_is_not_drawn() {
    let mut rows = String::new();
    for n in 0..2_500 {
        let _ = write!(rows, "row {n}\\n");
    }
    let mut lines = vec![line(0, "user", "Go on")];
    lines.extend(call(1, "Bash", r#"{"command":"make rows"}"#, Some(&rows)));
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 100, 30);
    app.keys("lOG");
    assert!(
        app.shown().contains("… 500 lines more, 4.5 kB; the editor shows all of it"),
        "{}",
        app.shown()
    );
    // What is found there is counted and said to be there.
    app.keys("/row 2499\n");
    let status = app.state.status.clone().unwrap();
    assert_eq!(status, "1 of 1, in what is not drawn here; e shows all of it");
}

#[test]
fn nothing_is_told_twice() {
    let mut lines = vec![line(0, "user", "Go on")];
    lines.extend(call(1, "Mystery", "{}", Some("")));
    lines.push(line(3, "assistant", "Done"));
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 100, 30);
    app.keys("lgO");
    let shown = app.shown();
    let body: Vec<&str> = shown
        .lines()
        .skip(4)
        .map(|l| l.split('│').next_back().unwrap_or_default().trim())
        .collect();
    let at = body.iter().position(|l| l.contains("Mystery")).unwrap();
    assert_eq!(body[at + 1..at + 3], ["", "Done"], "{shown}");
    // Without colours, too, what failed looks otherwise.
    app.state.theme = Theme::Plain;
    app.draw();
}
