//! Times as a person reads them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Reads a time of a transcript.
pub fn parse(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

/// A day and a time of day, such as `2026-11-02 14:03`.
pub fn day_and_time(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// From one time to another, the day only once when it is the same.
pub fn span(from: Timestamp, to: Timestamp, zone: &TimeZone) -> String {
    let start = day_and_time(from, zone);
    let end = day_and_time(to, zone);
    if start == end {
        return start;
    }
    match end.split_once(' ') {
        Some((day, time)) if start.starts_with(day) => format!("{start} – {time}"),
        _ => format!("{start} – {end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_name_a_day_once() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let of = |a, b| span(at(a), at(b), &TimeZone::UTC);
        assert_eq!(of("2026-11-02T14:03:00Z", "2026-11-02T14:03:09Z"), "2026-11-02 14:03");
        assert_eq!(of("2026-11-02T14:03:00Z", "2026-11-02T15:00:00Z"), "2026-11-02 14:03 – 15:00");
        assert_eq!(
            of("2026-11-02T14:03:00Z", "2026-11-03T15:00:00Z"),
            "2026-11-02 14:03 – 2026-11-03 15:00"
        );
    }
}
