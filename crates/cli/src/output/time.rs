//! Times as a person reads and writes them.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, ZonedDateTime};
pub(crate) use recount_export::time::parse;
pub(crate) use recount_text::time::{age, duration};

/// The clock. `RECOUNT_NOW` sets it, so that ages can be tested.
pub(crate) fn now() -> Timestamp {
    std::env::var("RECOUNT_NOW")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(Timestamp::now)
}

/// One end of a span of time, as the command line gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound(pub(crate) Timestamp);

impl Bound {
    /// Reads an end in a given time zone.
    pub(crate) fn read(text: &str, zone: &TimeZone, end: bool) -> Result<Self, String> {
        bound(text, now(), zone, end)
    }

    /// For `--since`: a date is its first moment.
    pub(crate) fn since(text: &str) -> Result<Self, String> {
        bound(text, now(), &TimeZone::system(), false)
    }

    /// For `--until`: a date is its last moment.
    pub(crate) fn until(text: &str) -> Result<Self, String> {
        bound(text, now(), &TimeZone::system(), true)
    }
}

fn bound(text: &str, now: Timestamp, zone: &TimeZone, end: bool) -> Result<Bound, String> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(Bound(time));
    }
    if let Ok(time) = text.parse::<ZonedDateTime>() {
        return Ok(Bound(time.timestamp()));
    }
    if let Ok(time) = text.parse::<jiff::civil::DateTime>()
        && text.contains(['T', ' '])
    {
        return time
            .to_zoned_datetime(zone.clone())
            .map(|t| Bound(t.timestamp()))
            .map_err(|e| e.to_string());
    }
    if let Ok(date) = text.parse::<Date>() {
        let day = if end { date.tomorrow() } else { Ok(date) };
        let start =
            day.and_then(|d| d.to_zoned_datetime(zone.clone())).map_err(|e| e.to_string())?;
        let time = start.timestamp();
        let shift = SignedDuration::from_nanos(i64::from(end));
        return time.checked_sub(shift).map(Bound).map_err(|e| e.to_string());
    }
    if let Ok(span) = text.parse::<Span>() {
        let span = span.abs();
        return now
            .to_zoned_datetime(zone.clone())
            .checked_sub(span)
            .map(|t| Bound(t.timestamp()))
            .map_err(|e| e.to_string());
    }
    Err("expected `12h`, `3d`, `2w`, a date such as `2026-11-01`, or RFC 3339".to_owned())
}

/// The time of day, with the day when it is another one than `before`.
pub(crate) fn time_of_day(time: Timestamp, before: Option<Timestamp>, zone: &TimeZone) -> String {
    let at = time.to_zoned_datetime(zone.clone());
    let same = before.is_some_and(|b| b.to_zoned_datetime(zone.clone()).date() == at.date());
    at.strftime(if same { "%H:%M" } else { "%Y-%m-%d %H:%M" }).to_string()
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
        let read = |text, end| bound(text, now, &TimeZone::UTC, end).unwrap().0;
        assert_eq!(read("3d", false), at("2026-11-07T12:00:00Z"));
        assert_eq!(read("12h", false), at("2026-11-10T00:00:00Z"));
        assert_eq!(read("2w", false), at("2026-10-27T12:00:00Z"));
        assert_eq!(read("2026-11-01", false), at("2026-11-01T00:00:00Z"));
        assert_eq!(read("2026-11-01", true), at("2026-11-01T23:59:59.999999999Z"));
        assert_eq!(read("2026-11-01T10:30", false), at("2026-11-01T10:30:00Z"));
        assert_eq!(read("2026-11-01T10:30:00+02:00", false), at("2026-11-01T08:30:00Z"));
        assert!(bound("yesterdayish", now, &TimeZone::UTC, false).is_err());
    }

    #[test]
    fn ages() {
        let now = at("2026-11-10T12:00:00Z");
        let of = |text| age(at(text), now);
        assert_eq!(of("2026-11-10T11:59:30Z"), "now");
        assert_eq!(of("2026-11-10T11:55:00Z"), "5m");
        assert_eq!(of("2026-11-10T09:00:00Z"), "3h");
        assert_eq!(of("2026-11-08T11:00:00Z"), "2d");
        assert_eq!(of("2026-10-08T11:00:00Z"), "4w");
        assert_eq!(of("2024-10-08T11:00:00Z"), "2y");
        assert_eq!(of("2027-01-01T00:00:00Z"), "ahead");
    }
}
