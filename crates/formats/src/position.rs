//! Where something stands in its source.

use serde::Serialize;

/// The place of a record in a line-based transcript.
///
/// Bytes are counted in the *uncompressed* content, from the start of the file, so that a position stays
/// true whether a rollout is plain or `.zst`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Position {
    /// Line number, the first line is 1.
    pub line: u64,
    /// Offset of the line's first byte.
    pub byte: u64,
    /// Length of the line in bytes, its line ending included.
    pub len: u64,
}

impl Position {
    /// The place of a whole file, for findings that concern no line.
    pub const WHOLE: Self = Self { line: 0, byte: 0, len: 0 };
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.byte)
    }
}
