//! What people see of a format.

use recount_formats::Harness;
use recount_formats::catalogue::Catalogue;

use super::lookup;
use super::prose::Prose;
use super::{overview, page};
use crate::output::{Paint, Screen};

fn written(prose: &Prose, colours: bool) -> String {
    let mut out = Vec::new();
    prose.write(&mut out, Paint(colours)).unwrap();
    String::from_utf8(out).unwrap()
}

fn drawn(columns: usize, colours: bool, harness: Harness, name: &str) -> String {
    let catalogue = Catalogue::of(harness);
    let mut prose = Prose::new(&Screen::of_test(columns, false));
    let found = lookup::find(harness, catalogue, name).unwrap_or_else(|e| panic!("{e:?}"));
    super::write(&mut prose, catalogue, found);
    written(&prose, colours)
}

#[test]
fn a_record_type() {
    insta::assert_snapshot!("task_started-80", drawn(80, false, Harness::Codex, "task_started"));
    insta::assert_snapshot!(
        "compact_boundary-100",
        drawn(100, false, Harness::ClaudeCode, "system / compact_boundary")
    );
}

#[test]
fn a_block_type() {
    insta::assert_snapshot!("tool_result-80", drawn(80, false, Harness::ClaudeCode, "tool_result"));
}

#[test]
fn in_colour() {
    let colours = drawn(60, true, Harness::Codex, "verified_answer").replace('\u{1b}', "␛");
    insta::assert_snapshot!("coloured-60", colours);
}

#[test]
fn the_whole_format_names_every_type_and_topic() {
    for &harness in Harness::ALL {
        let catalogue = Catalogue::of(harness);
        let mut prose = Prose::new(&Screen::of_test(100, false));
        overview::write(&mut prose, catalogue);
        let text = written(&prose, false);
        for record in &catalogue.records {
            let last = record.name.rsplit(" / ").next().unwrap_or_default();
            assert!(text.contains(last), "{harness}: {last}");
        }
        for rule in &catalogue.rules {
            assert!(text.contains(&rule.topic), "{harness}: {}", rule.topic);
        }
    }
}

#[test]
fn prose_stays_on_the_screen() {
    for &harness in Harness::ALL {
        let catalogue = Catalogue::of(harness);
        for columns in [60, 80, 100] {
            let mut prose = Prose::new(&Screen::of_test(columns, false));
            for record in &catalogue.records {
                page::record(&mut prose, catalogue, record);
            }
            for line in written(&prose, false).lines() {
                // Names, types and examples are never cut; words are. Columns (two spaces apart) hold names.
                let text = line.trim_start();
                let prose = text.split(' ').count() > 6
                    && !text.contains("  ")
                    && !text.starts_with(['"', '{', '[']);
                assert!(
                    !prose || crate::output::text::width(line) <= columns,
                    "{harness} {columns}: {line}"
                );
            }
        }
    }
}
