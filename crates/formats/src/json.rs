//! A borrowed view of JSON text that loses nothing.
//!
//! Why not a library: the harnesses write what strict Rust readers refuse or round. JavaScript writes lone
//! surrogates (`"\ud83d"`), nesting has no limit, numbers may exceed 64 bits (corpus-reports: a record that
//! Codex itself loses), keys may repeat. Here a value is its text; [`parse`] checks the syntax once, and
//! every view after that is a slice of the same bytes, so offsets, number spelling, escapes and key order
//! stay exactly what the harness wrote.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2};

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

const fn error<T>(at: usize, what: &'static str) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, what, truncated: false })
}

const fn cut<T>(at: usize) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, what: "the text ends inside a value", truncated: true })
}

/// Checks that `text` is one JSON value with nothing but white space around it.
pub fn parse(text: &str) -> Result<Json<'_>, SyntaxError> {
    let (value, rest) = parse_first(text)?;
    let end = text.len() - rest.len();
    match rest.bytes().position(|b| !is_space(b)) {
        None => Ok(value),
        Some(n) => error(end + n, "something stands behind the value"),
    }
}

/// Reads the first JSON value of `text` and returns what follows it. For lines on which values are glued together.
pub fn parse_first(text: &str) -> Result<(Json<'_>, &str), SyntaxError> {
    let start = text.bytes().position(|b| !is_space(b)).unwrap_or(text.len());
    let end = check_value(text.as_bytes(), start)?;
    Ok((Json(&text[start..end]), &text[end..]))
}

const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

fn skip_space(b: &[u8], mut i: usize) -> usize {
    while i < b.len() && is_space(b[i]) {
        i += 1;
    }
    i
}

/// Checks one value from `i` and returns the offset behind it. Nesting is kept on the heap, so depth is no danger.
fn check_value(b: &[u8], mut i: usize) -> Result<usize, SyntaxError> {
    // One bit per open container: set for an object. The newest is the lowest bit of `top`; full words go to `deep`.
    let mut deep: Vec<u64> = Vec::new();
    let mut top = 0_u64;
    let mut depth = 0_usize;
    loop {
        // A value is expected at i.
        i = skip_space(b, i);
        let Some(&c) = b.get(i) else { return cut(i) };
        match c {
            b'"' => i = check_string(b, i)?,
            b'{' | b'[' => {
                let object = c == b'{';
                i = skip_space(b, i + 1);
                let Some(&next) = b.get(i) else { return cut(i) };
                if next == if object { b'}' } else { b']' } {
                    i += 1;
                } else {
                    if depth > 0 && depth.is_multiple_of(64) {
                        deep.push(top);
                        top = 0;
                    }
                    depth += 1;
                    top = top << 1 | u64::from(object);
                    if object {
                        i = check_key(b, i)?;
                    }
                    continue;
                }
            }
            b't' => i = check_word(b, i, b"true")?,
            b'f' => i = check_word(b, i, b"false")?,
            b'n' => i = check_word(b, i, b"null")?,
            b'-' | b'0'..=b'9' => i = check_number(b, i)?,
            _ => return error(i, "a value is expected"),
        }
        // A value ended at i: close containers until one goes on.
        loop {
            if depth == 0 {
                return Ok(i);
            }
            i = skip_space(b, i);
            let Some(&c) = b.get(i) else { return cut(i) };
            let object = top & 1 == 1;
            match c {
                b',' => {
                    i = skip_space(b, i + 1);
                    if object {
                        i = check_key(b, i)?;
                    }
                    break;
                }
                b'}' | b']' if object == (c == b'}') => {
                    i += 1;
                    depth -= 1;
                    top >>= 1;
                    if depth > 0 && depth.is_multiple_of(64) {
                        top = deep.pop().unwrap_or(0);
                    }
                }
                _ => return error(i, "a comma or a closing bracket is expected"),
            }
        }
    }
}

fn check_key(b: &[u8], i: usize) -> Result<usize, SyntaxError> {
    match b.get(i) {
        Some(b'"') => {}
        Some(_) => return error(i, "a key in quotes is expected"),
        None => return cut(i),
    }
    let i = skip_space(b, check_string(b, i)?);
    match b.get(i) {
        Some(b':') => Ok(i + 1),
        Some(_) => error(i, "a colon is expected"),
        None => cut(i),
    }
}

fn check_word(b: &[u8], i: usize, word: &[u8]) -> Result<usize, SyntaxError> {
    let rest = &b[i..];
    if rest.starts_with(word) {
        Ok(i + word.len())
    } else if word.starts_with(rest) {
        cut(b.len())
    } else {
        error(i, "a value is expected")
    }
}

fn check_number(b: &[u8], mut i: usize) -> Result<usize, SyntaxError> {
    let digits = |mut i: usize| {
        let start = i;
        while matches!(b.get(i), Some(b'0'..=b'9')) {
            i += 1;
        }
        if i > start {
            Ok(i)
        } else if i == b.len() {
            cut(i)
        } else {
            error(i, "a digit is expected")
        }
    };
    if b[i] == b'-' {
        i += 1;
    }
    i = if b.get(i) == Some(&b'0') { i + 1 } else { digits(i)? };
    if b.get(i) == Some(&b'.') {
        i = digits(i + 1)?;
    }
    if matches!(b.get(i), Some(b'e' | b'E')) {
        i += 1;
        if matches!(b.get(i), Some(b'+' | b'-')) {
            i += 1;
        }
        i = digits(i)?;
    }
    Ok(i)
}

/// Checks a string whose opening quote is at `i`; returns the offset behind its closing quote.
fn check_string(b: &[u8], i: usize) -> Result<usize, SyntaxError> {
    let mut i = i + 1;
    loop {
        let stop = find_string_stop(b, i);
        let Some(n) = stop else {
            return match control(&b[i..]) {
                Some(n) => error(i + n, "a control character stands in a string"),
                None => cut(b.len()),
            };
        };
        if let Some(n) = control(&b[i..n]) {
            return error(i + n, "a control character stands in a string");
        }
        i = n;
        if b[i] == b'"' {
            return Ok(i + 1);
        }
        match b.get(i + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => i += 2,
            Some(b'u') => {
                for n in i + 2..i + 6 {
                    match b.get(n) {
                        Some(c) if c.is_ascii_hexdigit() => {}
                        Some(_) => return error(n, "four hexadecimal digits are expected"),
                        None => return cut(b.len()),
                    }
                }
                i += 6;
            }
            Some(_) => return error(i + 1, "an unknown escape"),
            None => return cut(b.len()),
        }
    }
}

/// The offset of the next quote or backslash. Most strings are short, so look a little by hand before calling memchr.
fn find_string_stop(b: &[u8], i: usize) -> Option<usize> {
    let near = b.len().min(i + 16);
    for (n, &c) in b[i..near].iter().enumerate() {
        if c == b'"' || c == b'\\' {
            return Some(i + n);
        }
    }
    memchr2(b'"', b'\\', &b[near..]).map(|n| near + n)
}

/// The offset of the first control character. A whole block is folded without branches, so that it runs as vector code.
#[expect(clippy::needless_bitwise_bool, reason = "a lazy `||` would branch at every byte")]
fn control(b: &[u8]) -> Option<usize> {
    let mut start = 0;
    for block in b.chunks(64) {
        if block.iter().fold(false, |any, &c| any | (c < 0x20)) {
            return block.iter().position(|&c| c < 0x20).map(|n| start + n);
        }
        start += block.len();
    }
    None
}

/// The offset behind the string whose opening quote is at `i`, in text that was checked.
fn skip_string(b: &[u8], i: usize) -> usize {
    let mut i = i + 1;
    while let Some(n) = find_string_stop(b, i) {
        if b[n] == b'"' {
            return n + 1;
        }
        i = n + 2;
        if i > b.len() {
            break;
        }
    }
    b.len()
}

/// The offset behind the value at `i`, in text that was checked.
fn skip_value(b: &[u8], mut i: usize) -> usize {
    match b.get(i) {
        Some(b'"') => skip_string(b, i),
        Some(b'{' | b'[') => {
            let mut depth = 0_usize;
            while i < b.len() {
                match b[i] {
                    b'"' => {
                        i = skip_string(b, i);
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return i + 1;
                        }
                    }
                    _ => {}
                }
                i += 1;
            }
            b.len()
        }
        _ => {
            while i < b.len() && !matches!(b[i], b',' | b'}' | b']') && !is_space(b[i]) {
                i += 1;
            }
            i
        }
    }
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

/// A JSON string: its text with quotes and escapes as they were written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a>(&'a str);

impl<'a> Text<'a> {
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
        inner == other
            || (inner.len() > other.len() && inner.contains('\\') && unescape(inner) == other)
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

/// The members of an object. See [`Json::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Text<'a>, Json<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let b = self.text.as_bytes();
        let mut i = skip_space(b, self.at);
        if b.get(i) == Some(&b',') {
            i = skip_space(b, i + 1);
        }
        if b.get(i) != Some(&b'"') {
            self.at = b.len();
            return None;
        }
        let key_end = skip_string(b, i);
        let key = Text(&self.text[i..key_end]);
        let colon = skip_space(b, key_end);
        let start = skip_space(b, colon + 1);
        let end = skip_value(b, start);
        self.at = end;
        Some((key, Json(self.text.get(start..end)?)))
    }
}

/// The elements of an array. See [`Json::elements`].
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let b = self.text.as_bytes();
        let mut i = skip_space(b, self.at);
        if b.get(i) == Some(&b',') {
            i = skip_space(b, i + 1);
        }
        if matches!(b.get(i), None | Some(b']')) {
            self.at = b.len();
            return None;
        }
        let end = skip_value(b, i);
        self.at = end;
        Some(Json(self.text.get(i..end)?))
    }
}
