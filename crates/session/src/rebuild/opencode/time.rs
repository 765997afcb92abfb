//! Times: opencode counts milliseconds.

pub(super) use crate::time::rfc3339;

/// Milliseconds since 1970 as seconds.
pub(super) fn seconds(ms: i64) -> i64 {
    ms.div_euclid(1000)
}

/// What lies between two times, when the later one is later.
pub(super) fn between(start: Option<i64>, end: Option<i64>) -> Option<i64> {
    end?.checked_sub(start?).filter(|ms| *ms >= 0)
}
