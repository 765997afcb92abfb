//! Rows: each response in exactly one, under the right name.

use recount_formats::Harness;
use recount_index::report::{By, Row, counted, rows};
use recount_index::scan::{Scanned, Source};
use recount_session::usage::{Scanner, resolve, scan};

fn session(id: &str, model: &str, cwd: &str, times: &[&str]) -> Scanned {
    let lines: Vec<String> = times
        .iter()
        .enumerate()
        .map(|(n, time)| {
            format!(
                r#"{{"type":"assistant","timestamp":"{time}","cwd":"{cwd}","message":{{"id":"{id}-{n}","model":"{model}","usage":{{"input_tokens":1,"output_tokens":10}}}}}}"#
            )
        })
        .collect();
    let scanner = Scanner::new(Harness::ClaudeCode, id, false).unwrap();
    let transcript = scan(scanner, lines.join("\n").as_bytes());
    Scanned { source: Source::at(Harness::ClaudeCode, id.into()), transcript }
}

fn names(scanned: &[Scanned], by: &[By], zone: &str) -> Vec<(String, u64)> {
    let resolved = resolve(scanned);
    let zone = jiff::tz::TimeZone::get(zone).unwrap();
    let found: Vec<Row> = rows(counted(scanned, &resolved).map(|c| (c, Some(0.5))), by, &zone);
    found.iter().map(|row| (row.keys.join(" "), row.usage.responses)).collect()
}

fn owned(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(key, n)| ((*key).to_owned(), *n)).collect()
}

#[test]
fn days_weeks_and_months_are_those_of_the_zone() {
    let times = ["2025-12-28T23:30:00Z", "2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00Z"];
    let scanned = [session("s", "m", "/home/dev/shop", &times)];
    let days = [("2025-12-28", 1), ("2025-12-31", 1), ("2026-01-01", 1)];
    assert_eq!(names(&scanned, &[By::Day], "UTC"), owned(&days));
    let days = [("2025-12-29", 1), ("2026-01-01", 2)];
    assert_eq!(names(&scanned, &[By::Day], "Europe/Berlin"), owned(&days));
    // Half an hour more than whole hours.
    let days = [("2025-12-29", 1), ("2026-01-01", 2)];
    assert_eq!(names(&scanned, &[By::Day], "Asia/Kolkata"), owned(&days));
    let weeks = [("2025-W52", 1), ("2026-W01", 2)];
    assert_eq!(names(&scanned, &[By::Week], "UTC"), owned(&weeks));
    let months = [("2025-12", 2), ("2026-01", 1)];
    assert_eq!(names(&scanned, &[By::Month], "UTC"), owned(&months));
}

#[test]
fn blocks_begin_with_the_hour_of_their_first_response() {
    let one = session("a", "m", "/a", &["2026-01-01T10:40:00Z", "2026-01-01T15:10:00Z"]);
    let other = session("b", "m", "/b", &["2026-01-01T14:59:00Z", "2026-01-01T20:30:00Z"]);
    let want = [("2026-01-01 10:00", 2), ("2026-01-01 15:00", 1), ("2026-01-01 20:00", 1)];
    assert_eq!(names(&[one, other], &[By::HourBlock], "UTC"), owned(&want));
}

#[test]
fn every_key_can_be_combined_with_every_other() {
    let scanned = [
        session("a", "m1", "/home/dev/shop", &["2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z"]),
        session("b", "m2", "/home/dev/till", &["2026-01-01T11:00:00Z"]),
    ];
    for &first in By::ALL {
        for &second in By::ALL {
            let found = names(&scanned, &[first, second], "UTC");
            let responses: u64 = found.iter().map(|(_, n)| n).sum();
            assert_eq!(responses, 3, "{first:?} {second:?}");
            let sides = |by: By| names(&scanned, &[by], "UTC");
            for (key, _) in &found {
                let fits = |by: By, at: fn(&str, &str) -> bool| {
                    sides(by).iter().any(|(name, _)| at(key, name))
                };
                assert!(fits(first, |key, name| key.starts_with(name)), "{key}");
                assert!(fits(second, |key, name| key.ends_with(name)), "{key}");
            }
        }
    }
    let want = [("2026-01 m1", 1), ("2026-01 m2", 1), ("2026-02 m1", 1)];
    assert_eq!(names(&scanned, &[By::Month, By::Model], "UTC"), owned(&want));
}
