//! Times as a person reads and writes them.

use jiff::Timestamp;
use jiff::tz::TimeZone;
pub(crate) use recount_export::time::parse;
use recount_index::filter::bound;
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
        bound(text, now(), zone, end).map(Self)
    }

    /// For `--since`: a date is its first moment.
    pub(crate) fn since(text: &str) -> Result<Self, String> {
        Self::read(text, &TimeZone::system(), false)
    }

    /// For `--until`: a date is its last moment.
    pub(crate) fn until(text: &str) -> Result<Self, String> {
        Self::read(text, &TimeZone::system(), true)
    }
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
