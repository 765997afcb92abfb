//! Screens, as people see them, at several sizes; and what keys do.

use std::fmt::Write as _;

use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use recount_formats::Harness;
use recount_store::{Store, Stores};

use crate::picture::Graphics;
use crate::state::{Opening, Overlay, Picker, State};
use crate::theme::Theme;
use crate::update::{Effect, Message, update};
use crate::worker;
use crate::worker::seek::Sought;

mod app;
mod cells;
mod finds;
mod hands;
mod places;

use app::{App, now};

#[test]
fn the_list_and_the_newest_session() {
    insta::assert_snapshot!("list-80x24", App::new(80, 24).shown());
    insta::assert_snapshot!("list-200x50", App::new(200, 50).shown());
    insta::assert_snapshot!("list-40x20", App::new(40, 20).shown());
}

#[test]
fn a_session_at_several_sizes() {
    for (columns, rows) in [(80, 24), (200, 50), (40, 20)] {
        let mut app = App::new(columns, rows);
        app.open("cent");
        app.keys("g");
        insta::assert_snapshot!(format!("session-{columns}x{rows}"), app.shown());
        app.keys("Or");
        app.keys("g");
        insta::assert_snapshot!(format!("opened-{columns}x{rows}"), app.shown());
    }
}

#[test]
fn the_bar_at_the_bottom_is_one_ground() {
    let mut app = App::new(80, 24);
    app.draw();
    let buffer = app.screen.backend().buffer();
    let grounds: Vec<_> = (0..80).map(|x| buffer[(x, 23)].bg).collect();
    assert!(grounds.iter().all(|g| *g == grounds[0] && *g != ratatui::style::Color::Reset));
}

#[test]
fn a_screen_that_is_too_small_is_no_error() {
    let mut app = App::new(80, 24);
    app.open("cent");
    for (columns, rows) in [(1, 1), (7, 3), (8, 3), (20, 5), (69, 10), (70, 3), (300, 100)] {
        app.resize(columns, rows);
        app.keys("jkdugG?j");
        app.draw();
        app.key(KeyCode::Esc);
        app.keys("h");
        app.draw();
        app.keys("l");
    }
}

#[test]
fn the_help_and_pickers_lie_over_it() {
    let mut app = App::new(80, 24);
    app.keys("?");
    insta::assert_snapshot!("help-80x24", app.shown());
    app.keys("?");
    let mut large = App::new(200, 50);
    large.keys("?");
    insta::assert_snapshot!("help-200x50", large.shown());
    app.open("Empty cart");
    let titles = |app: &App| app.state.conversation.as_ref().unwrap().info.branches.len();
    if titles(&app) < 2 {
        app.keys("hjl");
    }
    app.keys("B");
    insta::assert_snapshot!("branches-80x24", app.shown());
    let leaf = |app: &App| app.state.conversation.as_ref().unwrap().leaf.clone();
    app.keys("g\n");
    assert!(leaf(&app).is_some());
    // Where the session goes on it is followed: that is the session itself.
    app.keys("BG\n");
    assert_eq!(leaf(&app), None);
}

#[test]
fn a_filter_and_a_facet_choose() {
    let mut app = App::new(80, 24);
    let all = app.state.list.len();
    app.keys("/shop cent");
    assert!(app.state.list.len() < all && !app.state.list.is_empty());
    insta::assert_snapshot!("filter-80x24", app.shown());
    app.key(KeyCode::Esc);
    assert_eq!(app.state.list.len(), all);
    app.keys("f");
    let facet = app.state.list.harness.unwrap();
    for n in 0..app.state.list.len() {
        assert_eq!(app.state.list.get(n).unwrap().head.harness, facet);
    }
    app.keys("/no such words");
    assert!(app.shown().contains("nothing fits"));
}

#[test]
fn words_that_were_said_are_found_through_the_index() {
    let mut app = App::new(200, 50);
    // No title has this word, and the last word may go on.
    app.keys("/three_thi");
    assert_eq!(app.state.list.len(), 1);
    let row = app.state.list.get(0).unwrap();
    assert!(row.title.starts_with("Fix cart totals"));
    let found = app.state.list.found(&row.head.id).unwrap();
    assert!(found.hits >= 2 && found.snippet.text.contains("three_thirds"));
    insta::assert_snapshot!("found-200x50", app.shown());
    // It is opened where they were said.
    app.keys("\n");
    let conversation = app.state.conversation.as_ref().unwrap();
    let record = conversation.selected_record().unwrap();
    assert!(crate::words::of(record).contains("three_thirds"));
    assert_eq!(conversation.search.as_ref().unwrap().query, "three_thirds");
    app.keys("h/ no_such_word");
    assert!(app.state.list.is_empty());
    // What was typed is given up, then what was kept.
    app.key(KeyCode::Esc);
    assert_eq!(app.state.list.len(), 1);
    app.key(KeyCode::Esc);
    assert_eq!(app.state.list.len(), app.state.list.count());
    // Titles come first, at once; then the best of what was said. An answer to what is typed no more is dropped.
    app.keys("/cart");
    let ids = |app: &App| -> Vec<String> {
        (0..app.state.list.len()).map(|n| app.state.list.get(n).unwrap().head.id.clone()).collect()
    };
    let before = ids(&app);
    let titled = |n: usize| app.state.list.get(n).unwrap().title.to_lowercase().contains("cart");
    let first_without = (0..before.len()).find(|n| !titled(*n)).unwrap_or(before.len());
    assert!((first_without..before.len()).all(|n| !titled(n)));
    app.send(Message::Sought("car".to_owned(), Sought::Found(Vec::new())));
    assert_eq!(ids(&app), before);
    app.send(Message::Sought("cart".to_owned(), Sought::Reading(3, 40)));
    assert!(app.shown().contains("reading 3 of 40"));
    app.send(Message::Sought("cart".to_owned(), Sought::Failed("no index".to_owned())));
    assert!(app.shown().contains("no index"));
    assert_eq!(app.state.list.len(), first_without);
}

#[test]
fn a_project_is_picked() {
    let mut app = App::new(80, 24);
    let all = app.state.list.len();
    app.keys("p");
    insta::assert_snapshot!("projects-80x24", app.shown());
    app.keys("j\n");
    let project = app.state.list.project.clone().unwrap();
    assert!(app.state.list.len() < all && !app.state.list.is_empty());
    for n in 0..app.state.list.len() {
        assert_eq!(app.state.list.get(n).unwrap().head.cwd.as_ref(), Some(&project));
    }
    assert!(app.shown().contains(" in "));
    app.key(KeyCode::Esc);
    assert_eq!(app.state.list.len(), all);
}

#[test]
fn a_picture_lies_over_it() {
    let mut app = App::new(80, 24);
    app.open("banner");
    app.keys("gj\n");
    insta::assert_snapshot!("picture-80x24", app.shown());
    let buffer = app.screen.backend().buffer();
    let coloured = |c: &&ratatui::buffer::Cell| {
        c.symbol() == "▀" && matches!(c.fg, ratatui::style::Color::Rgb(..))
    };
    assert_eq!(buffer.content().iter().filter(coloured).count(), 1);
    // Any key takes it away.
    app.keys("q");
    assert!(app.state.overlay.is_none());
    // A terminal that draws pictures itself is told where.
    app.state.graphics = Graphics::Kitty;
    app.keys("\n");
    app.draw();
    assert!(app.state.areas.picture.is_some());
    // What belongs to a session that was left is not shown.
    app.key(KeyCode::Esc);
    app.send(Message::Pictured(999, Err("late".to_owned())));
    assert_ne!(app.state.status.as_deref(), Some("late"));
}

#[test]
fn what_the_index_remembers_stands_there_until_the_stores_are_read() {
    let mut app = App::new(80, 24);
    let heads = app.heads();
    app.state = State::new((80, 24), Theme::Dark, now());
    let mut old = heads.iter().find(|h| !h.is_subagent).unwrap().clone();
    old.title = Some("As it was".to_owned());
    app.send(Message::Remembered(vec![old.clone()]));
    let shown = app.shown();
    assert!(shown.contains("As it was") && shown.contains("reading…"), "{shown}");
    assert!(app.state.conversation.is_none());
    // It is opened by its id: where it is may have changed.
    let effects = update(&mut app.state, Message::Key(KeyCode::Enter.into()));
    assert!(matches!(&effects[..], [Effect::Open { session: Err(id), .. }] if *id == old.id));
    app.send(Message::Listed(heads.clone()));
    assert!(!app.shown().contains("As it was"));
    // What comes too late changes nothing.
    app.send(Message::Remembered(vec![old]));
    assert!(!app.shown().contains("As it was"));
}

#[test]
fn the_header_tells_what_there_is_room_for() {
    let mut app = App::new(200, 24);
    app.open("cent");
    let second = |app: &mut App| {
        let shown = app.shown();
        let line = shown.lines().nth(1).unwrap().to_owned();
        line.split('│').next_back().unwrap().to_owned()
    };
    let wide = second(&mut app);
    for part in ["% of 1.0M", "claude-code", "claude-opus", "2 turns", "tokens", "$0.14"] {
        assert!(wide.contains(part), "{wide}");
    }
    // What was spent stays longest, and nothing is cut in the middle.
    for columns in (40..200).rev() {
        app.resize(columns, 24);
        let line = second(&mut app);
        assert!(line.contains("$0.14") && !line.contains('…'), "{columns}: {line}");
    }
}

#[test]
fn what_is_found_is_opened_and_marked() {
    let mut app = App::new(100, 30);
    app.open("cent");
    app.keys("g/three_thirds\n");
    assert_eq!(app.state.status.as_deref(), Some("1 of 3"));
    let shown = app.shown();
    assert!(shown.contains("three_thirds"), "{shown}");
    let buffer = app.screen.backend().buffer();
    let marked = buffer.content().iter().filter(|c| c.style().bg == Theme::Dark.found_here().bg);
    assert!(marked.count() >= "three_thirds".len());
    app.keys("n");
    assert_eq!(app.state.status.as_deref(), Some("2 of 3"));
    app.keys("nn");
    assert_eq!(app.state.status.as_deref(), Some("1 of 3"));
    app.keys("N");
    assert_eq!(app.state.status.as_deref(), Some("3 of 3"));
    app.keys("/not there\n");
    assert_eq!(app.state.status.as_deref(), Some("nothing found"));
}

#[test]
fn into_a_sub_agent_and_back() {
    let mut app = App::new(100, 30);
    app.open("cent");
    app.keys("s");
    assert_eq!(app.state.stack.len(), 1);
    insta::assert_snapshot!("sub-agent-100x30", app.shown());
    // A branch is another view of the sub-agent: the way back stays.
    app.state.overlay = Some(Overlay::Branches(Picker {
        title: "branches",
        rows: vec!["one".to_owned()],
        values: vec!["one".to_owned()],
        selected: 0,
    }));
    app.keys("\n");
    assert_eq!(app.state.conversation.as_ref().unwrap().leaf.as_deref(), Some("one"));
    assert_eq!(app.state.stack.len(), 1);
    // What is still being opened when somebody goes back is not shown any more.
    app.state.opening = Some(opening(9_000, "slow"));
    app.key(KeyCode::Backspace);
    assert!(app.state.stack.is_empty() && app.state.opening.is_none());
    assert!(app.state.ticket > 9_000);
    assert!(app.shown().contains("Fix cart totals"));
}

#[test]
fn turns_copies_and_the_editor() {
    let mut app = App::new(100, 30);
    app.open("cent");
    app.keys("g}y");
    assert_eq!(app.copied, ["Let an agent find every other place where prices are f64"]);
    app.keys("{e");
    assert!(app.edited[0].starts_with("Totals in the cart are off"));
    app.keys("Y");
    assert!(app.copied[1].starts_with("cd /home/dev/shop && claude --resume "), "{:?}", app.copied);
    app.keys("}}");
    assert_eq!(app.state.status.as_deref(), Some("no more turns"));
}

#[test]
fn the_mouse_scrolls_selects_and_opens() {
    let mut app = App::new(100, 30);
    app.draw();
    app.mouse(MouseEventKind::Down(MouseButton::Left), 4, 5);
    assert_eq!(app.state.list.selected, 1);
    app.mouse(MouseEventKind::ScrollDown, 4, 5);
    assert_eq!(app.state.list.selected, 2);
    app.open("cent");
    app.keys("g");
    let top = app.shown();
    app.mouse(MouseEventKind::ScrollDown, 60, 10);
    assert_ne!(app.shown(), top);
    app.mouse(MouseEventKind::ScrollUp, 60, 10);
    let line = app.shown().lines().position(|l| l.contains("exit 101")).unwrap();
    app.mouse(MouseEventKind::Down(MouseButton::Left), 60, line as u16);
    assert!(app.shown().contains("running 2 tests"));
}

#[test]
fn every_line_is_reached_by_scrolling() {
    let mut app = App::new(60, 12);
    app.open("cent");
    app.keys("Og");
    let mut seen = Vec::new();
    for _ in 0..400 {
        let conversation = app.state.conversation.as_mut().unwrap();
        let lines: Vec<String> =
            conversation.visible().iter().map(|(c, l)| format!("{c} {l}")).collect();
        if seen.last() == Some(&lines) {
            break;
        }
        seen.push(lines);
        app.keys("J");
    }
    // Each step shows one line more, and going back shows the same again.
    for pair in seen.windows(2) {
        assert_eq!(pair[0][1..], pair[1][..pair[1].len() - 1]);
    }
    for lines in seen.iter().rev().skip(1) {
        app.keys("K");
        let conversation = app.state.conversation.as_mut().unwrap();
        let again: Vec<String> =
            conversation.visible().iter().map(|(c, l)| format!("{c} {l}")).collect();
        assert_eq!(*lines, again);
    }
}

#[test]
fn following_is_told_and_switched() {
    let mut app = App::new(80, 24);
    app.open("cent");
    // Nobody writes it any more.
    app.state.conversation.as_mut().unwrap().info.open = true;
    assert!(!app.shown().contains("following"));
    app.state.conversation.as_mut().unwrap().head.updated_at =
        Some("2026-11-10T11:59:30Z".to_owned());
    insta::assert_snapshot!("following-80x24", app.shown());
    // Whoever is not at the end goes there; whoever is stays there.
    let follows = |app: &App| app.state.conversation.as_ref().unwrap().follow;
    app.keys("gF");
    assert!(follows(&app) && app.state.conversation.as_mut().unwrap().at_end());
    app.keys("F");
    assert!(!follows(&app));
    app.key(KeyCode::End);
    assert!(app.shown().contains("not following"));
    app.keys("F");
    assert!(follows(&app) && !app.shown().contains("not following"));
}

fn opening(ticket: u64, id: &str) -> Opening {
    Opening { ticket, id: id.to_owned(), title: "It".to_owned() }
}

/// A store with one Claude Code session of these lines.
fn session(lines: &[String]) -> (tempfile::TempDir, Stores) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("projects/-home-dev-shop");
    std::fs::create_dir_all(&project).unwrap();
    std::fs::write(
        project.join("11111111-2222-4333-8444-555555555555.jsonl"),
        lines.join("\n") + "\n",
    )
    .unwrap();
    let store = Store { harness: Harness::ClaudeCode, root: folder.path().to_owned() };
    (folder, Stores { stores: vec![store] })
}

fn line(n: usize, role: &str, text: &str) -> String {
    let parent = if n == 0 { "null".to_owned() } else { format!("\"u{}\"", n - 1) };
    let mut escaped = String::new();
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b) if b.is_ascii_alphanumeric() || b == b' ' => escaped.push(char::from(b)),
            _ => write!(escaped, "\\u{unit:04x}").unwrap(),
        }
    }
    let text = escaped;
    let content = match role {
        "user" => format!("\"{text}\""),
        _ => format!("[{{\"type\":\"text\",\"text\":\"{text}\"}}]"),
    };
    format!(
        r#"{{"type":"{role}","uuid":"u{n}","parentUuid":{parent},"sessionId":"11111111-2222-4333-8444-555555555555","timestamp":"2026-11-09T10:00:00Z","cwd":"/home/dev/shop","version":"2.1.0","message":{{"role":"{role}","id":"m{n}","model":"m","content":{content}}}}}"#
    )
}

#[test]
fn hostile_text_is_shown_harmlessly() {
    let hostile = "a\u{1b}[2Jb\u{1b}]0;owned\u{7}c\u{202e}d\u{200b}e\u{9b}1m\r\u{8}f 日本語のテキスト 👩\u{200d}💻 end";
    let (_folder, stores) = session(&[line(0, "user", hostile), line(1, "assistant", hostile)]);
    for columns in [80, 30, 9] {
        let mut app = App::with(stores.clone(), columns, 24);
        app.keys("\nO");
        app.draw();
        for cell in app.screen.backend().buffer().content() {
            for c in cell.symbol().chars() {
                let bad = c.is_control()
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}' | '\u{feff}');
                assert!(!bad, "{:?}", cell.symbol());
            }
        }
        app.keys("h");
        app.draw();
    }
    let mut app = App::with(stores, 80, 24);
    app.keys("\n");
    insta::assert_snapshot!("hostile-80x24", app.shown());
}

#[test]
fn a_session_that_grows_is_followed() {
    let mut lines = vec![line(0, "user", "Go on"), line(1, "assistant", "First")];
    let (folder, stores) = session(&lines);
    let mut app = App::with(stores, 80, 24);
    app.keys("\n");
    assert!(app.shown().contains("First"));
    let grow = |app: &mut App, lines: &[String]| {
        let path = app.state.conversation.as_ref().unwrap().head.path.clone();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let head = app.state.conversation.as_ref().unwrap().head.clone();
        let loaded = worker::again(&head).unwrap();
        let ticket = app.state.ticket;
        app.send(Message::Grown(ticket, Box::new(loaded)));
    };
    for n in 2..40 {
        lines.push(line(n, if n % 2 == 0 { "user" } else { "assistant" }, &format!("Line {n}")));
    }
    grow(&mut app, &lines);
    assert!(app.shown().contains("Line 39"));
    // Whoever reads further up is left alone.
    app.keys("g");
    let top = app.shown();
    lines.push(line(40, "user", "Line 40"));
    grow(&mut app, &lines);
    assert_eq!(
        app.shown().lines().skip(3).collect::<Vec<_>>(),
        top.lines().skip(3).collect::<Vec<_>>()
    );
    // What is read for a session that was left belongs to nobody.
    let head = app.state.conversation.as_ref().unwrap().head.clone();
    app.send(Message::Grown(999, Box::new(worker::again(&head).unwrap())));
    drop(folder);
}

#[test]
fn a_long_session_lays_out_only_what_is_seen() {
    let text = "word ".repeat(60);
    let lines: Vec<String> =
        (0..4_000).map(|n| line(n, if n % 2 == 0 { "user" } else { "assistant" }, &text)).collect();
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 120, 40);
    app.keys("\n");
    let start = std::time::Instant::now();
    for _ in 0..200 {
        app.keys("K");
        app.draw();
    }
    // Unoptimized, on a busy machine: an order of magnitude from what it takes, two from laying out everything.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn the_newest_turns_stand_there_before_all_is_read() {
    let lines: Vec<String> = (0..400)
        .map(|n| line(n, if n % 2 == 0 { "user" } else { "assistant" }, &format!("Line {n}")))
        .collect();
    let (_folder, stores) = session(&lines);
    let mut app = App::with(stores, 100, 30);
    app.keys("\n");
    let whole = app.shown();
    let head = app.state.conversation.as_ref().unwrap().head.clone();
    let open = || recount_store::discover::of(head.harness).unwrap().open(&head).unwrap();
    let mut first = App::with(app.stores.clone(), 100, 30);
    first.state.conversation = None;
    first.state.opening = Some(opening(70, &head.id));
    let newest = worker::newest(&head, open(), 20_000).unwrap();
    first.send(Message::First(70, Box::new(newest)));
    // All but the head is as it will be.
    let shown = first.shown();
    let body = |s: &str| {
        let lines = s.lines().skip(3).take(26);
        lines
            .map(|l| l.split('│').next_back().unwrap_or_default().replace('▎', " "))
            .collect::<Vec<_>>()
    };
    assert_eq!(body(&shown), body(&whole));
    assert!(shown.contains("reading all of it…") && !whole.contains("reading all of it…"));
    assert!(first.state.conversation.as_ref().unwrap().len() < 200);
    let (loaded, _) = worker::load(&head, None).unwrap();
    first.send(Message::Opened(70, Box::new(loaded)));
    assert!(!first.shown().contains("reading all of it…"));
    assert_eq!(first.state.conversation.as_ref().unwrap().len(), 400);
    assert!(first.state.stack.is_empty());
    // Less than a turn is nothing to look at.
    assert!(worker::newest(&head, open(), 300).is_none());
}

#[test]
fn sessions_that_are_being_written_come_first() {
    let mut app = App::new(80, 24);
    let mut heads = app.heads();
    let last = heads.len() - 1;
    heads[last].updated_at = Some("2026-11-10T11:59:30Z".to_owned());
    let id = heads[last].id.clone();
    heads[last].is_subagent = false;
    app.send(Message::Listed(heads));
    let first = app.state.list.get(0).unwrap();
    assert!(first.alive && first.head.id == id);
    assert!(app.shown().contains('●'));
}

#[test]
fn themes_differ_in_colours_only() {
    let mut app = App::new(80, 24);
    app.open("cent");
    // Without colours code keeps its ticks.
    app.keys("g");
    let dark = app.shown();
    app.keys("t");
    assert_eq!(app.state.theme, Theme::Light);
    let lines = |s: &str| s.lines().take(23).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&app.shown()), lines(&dark));
    app.keys("t");
    assert_eq!(app.state.theme, Theme::Plain);
    app.draw();
    let plain = app.screen.backend().buffer().content().iter().all(|c| {
        let style = c.style();
        let none =
            |c: Option<ratatui::style::Color>| c.is_none_or(|c| c == ratatui::style::Color::Reset);
        none(style.fg) && none(style.bg)
    });
    assert!(plain);
}
