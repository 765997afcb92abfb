//! Versions of harness programs: `0.164.0`, `2.1.332`.

/// A version. What follows the third number (`-alpha.1`) is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version([u32; 3]);

impl Version {
    /// Reads `1`, `1.2` or `1.2.3`, with or without something behind it; nothing when no number stands first.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = [0; 3];
        let mut parts = text.trim_start_matches('v').split('.');
        for (n, number) in numbers.iter_mut().enumerate() {
            let Some(part) = parts.next() else { break };
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            match part[..digits].parse() {
                Ok(value) => *number = value,
                Err(_) if n == 0 => return None,
                Err(_) => break,
            }
            if digits < part.len() {
                break;
            }
        }
        Some(Self(numbers))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number() {
        let parse = |text| Version::parse(text).unwrap();
        assert!(parse("2.1.310") < parse("2.1.1000"));
        assert_eq!(parse("0.164"), parse("0.164.0-alpha.3"));
        assert_eq!(parse("0.171.0").to_string(), "0.171.0");
        assert_eq!(Version::parse("next"), None);
        assert_eq!(Version::parse(""), None);
        assert_eq!(Version::parse("99999999999"), None);
    }
}
