//! A borrowed view of JSON text that loses nothing.
//!
//! Why not a library: the harnesses write what strict Rust readers refuse or round. JavaScript writes lone
//! surrogates (`"\ud83d"`), nesting has no limit, numbers may exceed 64 bits (corpus-reports: a record that
//! Codex itself loses), keys may repeat. Here a value is its text; [`parse`] checks the syntax once, and
//! every view after that is a slice of the same bytes, so offsets, number spelling, escapes and key order
//! stay exactly what the harness wrote.

use std::borrow::Cow;

mod fields;
mod iter;
mod outline;
pub(crate) mod scan;
mod text;

pub use fields::Fields;
pub use iter::{Elements, Members};
pub(crate) use iter::{first_len, members_from};
pub use outline::{Outline, Part};
use scan::{Visit, is_space};
pub use text::Text;

/// A syntactically valid JSON value: exactly its text, without white space around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Json<'a>(&'a str);

/// The JSON type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, of any size.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The name as JSON Schema spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// Why text is not JSON, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset in the text.
    pub at: usize,
    /// What was wrong there.
    pub what: &'static str,
    /// Whether the text ended too early (a torn line), rather than being wrong in the middle.
    pub truncated: bool,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl std::error::Error for SyntaxError {}

/// Checks that `text` is one JSON value with nothing but white space around it.
pub fn parse(text: &str) -> Result<Json<'_>, SyntaxError> {
    parse_with(text, &mut ())
}

/// Reads the first JSON value of `text` and returns what follows it. For lines on which values are glued together.
pub fn parse_first(text: &str) -> Result<(Json<'_>, &str), SyntaxError> {
    parse_first_with(text, &mut ())
}

/// [`parse`], telling a visitor what the value holds. On an error the visitor has seen what stands before it.
pub(crate) fn parse_with<'a>(
    text: &'a str,
    visitor: &mut impl Visit,
) -> Result<Json<'a>, SyntaxError> {
    let (value, rest) = parse_first_with(text, visitor)?;
    match rest.bytes().position(|b| !is_space(b)) {
        None => Ok(value),
        Some(n) => Err(SyntaxError {
            at: text.len() - rest.len() + n,
            what: "something stands behind the value",
            truncated: false,
        }),
    }
}

fn parse_first_with<'a>(
    text: &'a str,
    visitor: &mut impl Visit,
) -> Result<(Json<'a>, &'a str), SyntaxError> {
    let b = text.as_bytes();
    let start = scan::skip_space(b, 0);
    let end = scan::walk(b, start, visitor)?;
    Ok((Json(&text[start..end]), &text[end..]))
}

impl<'a> Json<'a> {
    /// The value `null`.
    pub const NULL: Json<'static> = Json("null");

    /// The value's text, exactly as it was written.
    pub const fn raw(self) -> &'a str {
        self.0
    }

    /// The JSON type.
    pub fn kind(self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// The string, or nothing when it is no string.
    pub fn text(self) -> Option<Text<'a>> {
        (self.kind() == Kind::String).then_some(Text(self.0))
    }

    /// The string with its escapes resolved, or nothing when it is no string.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.text().map(Text::get)
    }

    /// The boolean, or nothing when it is none.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The number as a signed integer. A number with a fraction of zero (`1.0`, `1e3`) counts; one out of range does not.
    pub fn as_i64(self) -> Option<i64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.0.parse().ok().or_else(|| {
            let float = self.as_f64()?;
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        })
    }

    /// The number as an unsigned integer, by the rule of [`Json::as_i64`].
    pub fn as_u64(self) -> Option<u64> {
        if self.kind() != Kind::Number {
            return None;
        }
        self.0.parse().ok().or_else(|| self.as_i64().and_then(|n| u64::try_from(n).ok()))
    }

    /// The number, rounded to what a double holds.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == Kind::Number { self.0.parse().ok() } else { None }
    }

    /// The members of an object in the order in which they stand, doubles included; nothing for other values.
    pub fn members(self) -> Members<'a> {
        Members { text: self.0, at: if self.is_object() { 1 } else { self.0.len() } }
    }

    /// The elements of an array; nothing for other values.
    pub fn elements(self) -> Elements<'a> {
        Elements { text: self.0, at: if self.is_array() { 1 } else { self.0.len() } }
    }

    /// A member of an object. When a key stands twice, the last one counts, as in JavaScript.
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        let mut found = None;
        for (k, v) in self.members() {
            if k.is(key) {
                found = Some(v);
            }
        }
        found
    }

    /// A member of a member, and so on.
    pub fn at(self, path: &[&str]) -> Option<Json<'a>> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// A member that is a string, its escapes resolved.
    pub fn str(self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }

    /// The offset of `inner` in this value, when it is a part of it.
    pub fn offset_of(self, inner: Json<'_>) -> Option<usize> {
        let offset = (inner.0.as_ptr() as usize).checked_sub(self.0.as_ptr() as usize)?;
        (offset + inner.0.len() <= self.0.len()).then_some(offset)
    }
}

impl std::fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
