//! Which version of pi's format a file has, by its header (catalogue: `versioning`).

use crate::json::Json;

/// The newest version that the catalogue describes.
pub const CURRENT: u64 = 3;

/// A version of pi's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// A plain list of records without ids and parents (before 0.31.0).
    V1,
    /// The tree, with the role `hookMessage` (before 0.35.0).
    V2,
    /// The tree as it is written today.
    V3,
    /// A number that the catalogue does not know yet.
    Future(u64),
}

impl Version {
    /// The version that a header names. Without a number it is version 1; what is no number counts as today's,
    /// as pi treats it: only what is smaller than the current number is brought up to date.
    pub fn of_header(header: Json<'_>) -> Self {
        let Some(version) = header.get("version").filter(|v| !v.is_null()) else {
            return Self::V1;
        };
        match version.as_f64() {
            Some(n) if n < 2.0 => Self::V1,
            Some(n) if n < 3.0 => Self::V2,
            Some(n) if n > CURRENT as f64 => Self::Future(n as u64),
            _ => Self::V3,
        }
    }

    /// Whether entries have ids and parents.
    pub fn is_tree(self) -> bool {
        self > Self::V1
    }

    /// The first release that wrote it, for fields that only files of some release on have.
    pub const fn release(self) -> Option<&'static str> {
        match self {
            Self::V1 => None,
            Self::V2 => Some("0.31.0"),
            Self::V3 | Self::Future(_) => Some("0.35.0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Version;
    use crate::json::parse;

    #[test]
    fn header_names_the_version() {
        let version = |text| Version::of_header(parse(text).unwrap());
        assert_eq!(version(r#"{"type":"session"}"#), Version::V1);
        assert_eq!(version(r#"{"version":null}"#), Version::V1);
        assert_eq!(version(r#"{"version":2}"#), Version::V2);
        assert_eq!(version(r#"{"version":3}"#), Version::V3);
        assert_eq!(version(r#"{"version":4}"#), Version::Future(4));
        assert_eq!(version(r#"{"version":"3"}"#), Version::V3);
        assert_eq!(version(r#"{"version":-1e300}"#), Version::V1);
        assert!(!Version::V1.is_tree() && Version::V2.is_tree() && Version::Future(9).is_tree());
    }
}
