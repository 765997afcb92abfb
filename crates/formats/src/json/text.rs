//! Strings and their escapes.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::Json;

/// A JSON string: its text with quotes and escapes as they were written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a>(pub(super) &'a str);

impl<'a> Text<'a> {
    /// Takes the text of a string, quotes included, that was checked.
    pub(crate) const fn of(raw: &'a str) -> Self {
        Self(raw)
    }

    /// The text with quotes and escapes.
    pub const fn raw(self) -> &'a str {
        self.0
    }

    /// The text between the quotes, escapes as they were written.
    pub fn inner(self) -> &'a str {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or("")
    }

    /// The string with its escapes resolved; borrowed when there are none. A lone surrogate becomes U+FFFD.
    pub fn get(self) -> Cow<'a, str> {
        let inner = self.inner();
        if memchr::memchr(b'\\', inner.as_bytes()).is_some() {
            Cow::Owned(unescape(inner))
        } else {
            Cow::Borrowed(inner)
        }
    }

    /// Whether the string is `other`.
    pub fn is(self, other: &str) -> bool {
        let inner = self.inner();
        // An escape is at most six bytes for one, so nothing that is longer still needs to be looked at.
        inner == other
            || (inner.len() > other.len()
                && inner.len() <= other.len().saturating_mul(6)
                && inner.contains('\\')
                && unescape(inner) == other)
    }

    /// The string as a value.
    pub const fn json(self) -> Json<'a> {
        Json(self.0)
    }

    /// How many line feeds the string holds, without resolving it.
    pub fn count_escaped_newlines(self) -> usize {
        let b = self.0.as_bytes();
        memchr_iter(b'\\', b).filter(|&i| b.get(i + 1) == Some(&b'n')).count()
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

fn unescape(inner: &str) -> String {
    let b = inner.as_bytes();
    let mut out = String::with_capacity(inner.len());
    let mut i = 0;
    while let Some(n) = memchr::memchr(b'\\', &b[i..]) {
        out.push_str(&inner[i..i + n]);
        i += n;
        let plain = match b.get(i + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let (c, len) = unescape_unicode(b, i);
                out.push(c);
                i += len;
                continue;
            }
            Some(&c) => char::from(c),
            None => break,
        };
        out.push(plain);
        i += 2;
    }
    out.push_str(inner.get(i..).unwrap_or(""));
    out
}

/// Resolves `\uXXXX` at `i`, with the second half of a surrogate pair; returns the character and the length.
fn unescape_unicode(b: &[u8], i: usize) -> (char, usize) {
    let unit = |i: usize| {
        let digits = b.get(i + 2..i + 6)?;
        if b.get(i..i + 2) != Some(b"\\u") {
            return None;
        }
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let Some(high) = unit(i) else { return ('\u{FFFD}', 2) };
    if (0xD800..0xDC00).contains(&high)
        && let Some(low @ 0xDC00..0xE000) = unit(i + 6)
    {
        let c = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return (char::from_u32(c).unwrap_or('\u{FFFD}'), 12);
    }
    (char::from_u32(high).unwrap_or('\u{FFFD}'), 6)
}
