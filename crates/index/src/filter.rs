//! Which sessions and responses are asked for, in the words of a person.

use std::path::Path;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, ZonedDateTime};

/// Reads one end of a span of time: `12h`, `3d`, `2w` before `now`, a date, which as an `end` counts whole, or RFC 3339.
///
/// # Errors
///
/// Says what is expected.
pub fn bound(text: &str, now: Timestamp, zone: &TimeZone, end: bool) -> Result<Timestamp, String> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(time) = text.parse::<ZonedDateTime>() {
        return Ok(time.timestamp());
    }
    if let Ok(time) = text.parse::<jiff::civil::DateTime>()
        && text.contains(['T', ' '])
    {
        return time
            .to_zoned_datetime(zone.clone())
            .map(|t| t.timestamp())
            .map_err(|e| e.to_string());
    }
    if let Ok(date) = text.parse::<Date>() {
        let day = if end { date.tomorrow() } else { Ok(date) };
        let start =
            day.and_then(|d| d.to_zoned_datetime(zone.clone())).map_err(|e| e.to_string())?;
        let time = start.timestamp();
        let shift = SignedDuration::from_nanos(i64::from(end));
        return time.checked_sub(shift).map_err(|e| e.to_string());
    }
    if let Ok(span) = text.parse::<Span>() {
        let span = span.abs();
        return now
            .to_zoned_datetime(zone.clone())
            .checked_sub(span)
            .map(|t| t.timestamp())
            .map_err(|e| e.to_string());
    }
    Err("expected `12h`, `3d`, `2w`, a date such as `2026-11-01`, or RFC 3339".to_owned())
}

/// Whether a working directory is one that the person named: by a part of its path in any case, by the path of a folder
/// above it, or by `.` for the folder `here`.
pub fn in_project(cwd: Option<&str>, project: &str, here: Option<&Path>) -> bool {
    let Some(cwd) = cwd else { return false };
    if project == "." {
        return here.is_some_and(|here| Path::new(cwd).starts_with(here));
    }
    if project.starts_with('/') {
        return Path::new(cwd).starts_with(project);
    }
    has(cwd, project)
}

/// Whether a text has a part, in any case.
pub fn has(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn bounds() {
        let now = at("2026-11-10T12:00:00Z");
        let read = |text, end| bound(text, now, &TimeZone::UTC, end).unwrap();
        assert_eq!(read("3d", false), at("2026-11-07T12:00:00Z"));
        assert_eq!(read("12h", false), at("2026-11-10T00:00:00Z"));
        assert_eq!(read("2w", false), at("2026-10-27T12:00:00Z"));
        assert_eq!(read("2026-11-01", false), at("2026-11-01T00:00:00Z"));
        assert_eq!(read("2026-11-01", true), at("2026-11-01T23:59:59.999999999Z"));
        assert_eq!(read("2026-11-01T10:30", false), at("2026-11-01T10:30:00Z"));
        assert_eq!(read("2026-11-01T10:30:00+02:00", false), at("2026-11-01T08:30:00Z"));
        assert!(bound("yesterdayish", now, &TimeZone::UTC, false).is_err());
    }
}
