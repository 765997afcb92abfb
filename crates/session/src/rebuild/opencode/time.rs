//! Times: opencode counts milliseconds.

/// Milliseconds since 1970 as RFC 3339 in UTC.
pub(super) fn rfc3339(ms: i64) -> Option<String> {
    let time = jiff::Timestamp::from_millisecond(ms).ok()?;
    Some(format!("{time:.3}"))
}

/// Milliseconds since 1970 as seconds.
pub(super) fn seconds(ms: i64) -> i64 {
    ms.div_euclid(1000)
}

/// What lies between two times, when the later one is later.
pub(super) fn between(start: Option<i64>, end: Option<i64>) -> Option<i64> {
    end?.checked_sub(start?).filter(|ms| *ms >= 0)
}
