//! Numbers as a person reads them.

/// Bytes, such as `812 B`, `1.4 kB`, `52 MB`.
pub fn bytes(n: u64) -> String {
    scaled(n, 1000.0, &[" B", " kB", " MB", " GB", " TB"])
}

/// A count, such as `812`, `1.4k`, `52M`.
pub fn count(n: u64) -> String {
    scaled(n, 1000.0, &["", "k", "M", "G", "T"])
}

/// A number and its noun.
pub fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn scaled(n: u64, step: f64, units: &[&str]) -> String {
    let mut value = n as f64;
    let mut unit = 0;
    // 999.5 would be rounded to 1000.
    while value >= 999.5 && unit + 1 < units.len() {
        value /= step;
        unit += 1;
    }
    if unit > 0 && value < 9.95 {
        format!("{value:.1}{}", units[unit])
    } else {
        format!("{value:.0}{}", units[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_three_digits() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_400), "1.4 kB");
        assert_eq!(bytes(9_960), "10 kB");
        assert_eq!(bytes(999_700), "1.0 MB");
        assert_eq!(bytes(52_000_000), "52 MB");
        assert_eq!(count(12_345), "12k");
        assert_eq!(count(u64::MAX), "18446744T");
    }
}
