//! Ages and durations as a person reads them.

use jiff::Timestamp;

/// How long ago something was, such as `5m`, `3h`, `2d`, `6w`, `1y`.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs();
    let (minute, hour, day, week, year) = (60, 3600, 86_400, 604_800, 31_557_600);
    match seconds {
        // A clock that runs ahead by less than a minute is nothing to talk about.
        i64::MIN..-60 => "ahead".to_owned(),
        -60..60 => "now".to_owned(),
        _ if seconds < hour => format!("{}m", seconds / minute),
        _ if seconds < day => format!("{}h", seconds / hour),
        _ if seconds < 2 * week => format!("{}d", seconds / day),
        _ if seconds < year => format!("{}w", seconds / week),
        _ => format!("{}y", seconds / year),
    }
}

/// A duration, such as `12ms`, `0.3s`, `2.1s`, `42s`, `3m 05s`, `1h 12m`.
pub fn duration(ms: i64) -> String {
    let ms = ms.max(0);
    let seconds = (ms + 500) / 1000;
    match ms {
        0..100 => format!("{ms}ms"),
        100..9_950 => format!("{:.1}s", ms as f64 / 1000.0),
        _ if seconds < 60 => format!("{seconds}s"),
        _ if seconds < 3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ if seconds < 172_800 => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration(-5), "0ms");
        assert_eq!(duration(99), "99ms");
        assert_eq!(duration(340), "0.3s");
        assert_eq!(duration(9_949), "9.9s");
        assert_eq!(duration(9_950), "10s");
        assert_eq!(duration(59_600), "1m 00s");
        assert_eq!(duration(4_320_000), "1h 12m");
        assert_eq!(duration(i64::MAX / 2), "53375995583d 15h");
    }
}
