//! The strings in JSON text, whatever is around them.
//!
//! What records say is searched without knowing their format: the values of all strings count, the keys do not. The
//! scanner does not need the text to be whole.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use recount_formats::json;

/// JSON may stand in strings of JSON, and so on.
const DEPTH: usize = 4;

/// Bytes as text. What is text already, and nearly all is, is not looked at character by character.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Calls `each` with the value of every string in JSON text, keys left out. JSON inside of strings is looked into.
pub(crate) fn each<'a>(text: &'a str, each: &mut dyn FnMut(Cow<'a, str>)) {
    for raw in Values(text) {
        let Some(value) = unescaped(raw) else { continue };
        give(value, each, DEPTH);
    }
}

fn give<'a>(value: Cow<'a, str>, each: &mut dyn FnMut(Cow<'a, str>), depth: usize) {
    if depth > 0 && looks_like_json(&value) && json::parse(&value).is_ok() {
        for raw in Values(&value) {
            if let Some(inner) = unescaped(raw) {
                give(Cow::Owned(inner.into_owned()), each, depth - 1);
            }
        }
        return;
    }
    each(value);
}

fn looks_like_json(value: &str) -> bool {
    let (first, last) = (value.as_bytes().first(), value.trim_end().as_bytes().last());
    matches!((first, last), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')))
}

/// The value of a string literal with its quotes.
fn unescaped(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.get(1..raw.len().checked_sub(1)?)?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    json::parse(raw).ok()?.as_str()
}

/// The string literals of a text that are values, with their quotes.
struct Values<'a>(&'a str);

impl<'a> Iterator for Values<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let start = memchr(b'"', self.0.as_bytes())?;
            let bytes = self.0.as_bytes();
            let mut end = start + 1;
            loop {
                let at = end + memchr2(b'"', b'\\', bytes.get(end..)?)?;
                if bytes[at] == b'"' {
                    end = at + 1;
                    break;
                }
                end = at + 2;
            }
            let literal = &self.0[start..end];
            self.0 = &self.0[end..];
            let after = self.0.bytes().find(|b| !b.is_ascii_whitespace());
            if after != Some(b':') {
                return Some(literal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(text, &mut |s| all.push(s.into_owned()));
        all
    }

    #[test]
    fn values_and_no_keys() {
        assert_eq!(of(r#"{"a":"b","c" : {"d":["e\n\"f\"",1]},"g":""}"#), ["b", "e\n\"f\"", ""]);
        assert_eq!(of(r#"{"arguments":"{\"command\":\"ls \\\"x\\\"\"}"}"#), ["ls \"x\""]);
        assert_eq!(of(r#"{"code":"{ let x = 1 }"}"#), ["{ let x = 1 }"]);
    }

    #[test]
    fn damaged_text() {
        assert_eq!(of(r#"{"a":"b","c":"torn"#), ["b"]);
        assert_eq!(of(r#"{"a":"b\"#), [""; 0]);
        assert_eq!(of(r#"{"a":"é\"#), [""; 0]);
        assert_eq!(of(r#""bad \q escape","ok""#), ["ok"]);
        assert_eq!(of("no strings"), [""; 0]);
    }
}
