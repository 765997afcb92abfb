//! Times as transcripts count them.

/// Milliseconds since 1970 as RFC 3339 in UTC; nothing beyond the years that can be written so.
pub fn rfc3339(ms: i64) -> Option<String> {
    let time = jiff::Timestamp::from_millisecond(ms).ok()?;
    Some(format!("{time:.3}"))
}
