//! What is wrong or unknown in the input. Findings never stop a read.

use std::sync::Arc;

use serde::Serialize;

use crate::position::Position;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Info,
    /// Something is new or odd; it was kept whole but may be shown incompletely.
    Warning,
    /// Content is damaged or missing.
    Error,
}

impl Severity {
    /// The name as it is printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// The kinds of finding. The names are stable: programs may match on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Code {
            /// All codes, in the order of this list.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name as it is printed, such as `unknown-record-type`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// How much a finding of this kind matters.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),* }
            }
        }
    };
}

codes! {
    // ---- bytes and lines
    /// The file has no bytes.
    EmptyFile = "empty-file", Warning;
    /// The file starts with a byte order mark.
    ByteOrderMark = "byte-order-mark", Info;
    /// A line is not UTF-8.
    InvalidUtf8 = "invalid-utf8", Error;
    /// A line holds NUL bytes, as a crash of the file system leaves them.
    NulBytes = "nul-bytes", Error;
    /// A line is not JSON.
    InvalidJson = "invalid-json", Error;
    /// The last line has no line ending and is not JSON: a write was cut off.
    TornLine = "torn-line", Error;
    /// A line holds several JSON values glued together, or a value with something behind it.
    GluedLine = "glued-line", Error;
    /// A line is longer than the limit and was skipped.
    OversizedRecord = "oversized-record", Error;
    /// A line is JSON, but no object.
    NotAnObject = "not-an-object", Error;
    /// A key stands twice in one object; the last one counts.
    DuplicateKey = "duplicate-key", Warning;
    /// The compressed stream is damaged or cut off; what could be decompressed was read.
    DamagedCompression = "damaged-compression", Error;
    /// A file or database could not be read.
    Unreadable = "unreadable", Error;
    /// A blob that another one names is not in its store.
    MissingBlob = "missing-blob", Error;
    /// A blob is not what the field that names it says; what could be read of it was.
    DamagedBlob = "damaged-blob", Error;
    // ---- drift from the catalogue
    /// The type of a record is not in the catalogue; the record was kept whole.
    UnknownRecordType = "unknown-record-type", Warning;
    /// The type of a content block is not in the catalogue; it was kept whole.
    UnknownBlockType = "unknown-block-type", Warning;
    /// A field is not in the catalogue; it was kept whole.
    UnknownField = "unknown-field", Info;
    /// A value is none of those that the catalogue lists.
    UnknownValue = "unknown-value", Info;
    /// A field that every record of the type has is missing.
    MissingField = "missing-field", Warning;
    /// A member of a nested object that is described as always there is missing.
    AbsentMember = "absent-member", Info;
    /// A field has another JSON type than the catalogue says.
    WrongType = "wrong-type", Warning;
    // ---- one thread
    /// The file does not start with the header that its harness writes first.
    MissingHeader = "missing-header", Warning;
    /// The header names a version that the catalogue does not describe.
    FutureVersion = "future-version", Warning;
    /// Two records have the same id.
    DuplicateId = "duplicate-id", Warning;
    /// A parent names no record.
    DanglingParent = "dangling-parent", Warning;
    /// Parents form a circle; it was cut.
    ParentCycle = "parent-cycle", Error;
    /// Ordinals are skipped, repeated or go backwards.
    OrdinalGap = "ordinal-gap", Warning;
    /// A tool result answers no call.
    OrphanResult = "orphan-result", Warning;
    /// A tool call has no result although the thread went on.
    UnansweredCall = "unanswered-call", Info;
    /// A thread that this one builds on is not there.
    MissingBase = "missing-base", Error;
    /// The place in another thread where this one begins does not match it.
    BaseMismatch = "base-mismatch", Warning;
    /// A file that a record names is not there.
    MissingFile = "missing-file", Warning;
    /// The harness's own index or database tells less or other than the transcript; the transcript counts.
    StaleIndex = "stale-index", Warning;
    /// The harness itself would not show this thread, or not all of it.
    LostToHarness = "lost-to-harness", Warning;
    /// The chosen leaf is unusable; another one was taken as the harness does.
    UnusableLeaf = "unusable-leaf", Info;
    /// The branch that was asked for is not there; the active one was taken.
    UnknownBranch = "unknown-branch", Info;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing wrong or unknown in the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What kind of finding it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// The file or database, as it was named to the reader.
    pub source: Arc<str>,
    /// Line number from 1, or 0 when it concerns the whole source.
    pub line: u64,
    /// Byte offset in the source's uncompressed content.
    pub byte: u64,
    /// JSON pointer (RFC 6901) inside the record; empty for the whole record.
    pub pointer: String,
    /// One line for a person, values in backticks, no full stop at the end.
    pub message: String,
}

impl Finding {
    /// A finding about the record at `at`.
    pub fn new(code: Code, source: &Arc<str>, at: Position, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            source: Arc::clone(source),
            line: at.line,
            byte: at.byte,
            pointer: String::new(),
            message: message.into(),
        }
    }

    /// Says where inside the record it is.
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}: {}", self.source, self.line, self.byte, self.code, self.message)
    }
}

/// Shortens a value from the input for use in a message: one line, at most 60 characters, no control characters.
pub fn excerpt(text: &str) -> String {
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == 60 {
            out.push('…');
            break;
        }
        out.push(if c.is_control() { '\u{FFFD}' } else { c });
    }
    out
}
