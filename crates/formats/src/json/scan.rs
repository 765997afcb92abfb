//! The one walk over JSON text: checks the syntax and tells a visitor what it meets.
//!
//! Checking, telling record types apart and comparing with the catalogue are visitors of the same walk, so
//! that a record is read once for each of them and no second grammar exists. Nesting is kept on the heap:
//! its depth is no danger.

use wide::u8x32;

use super::{Kind, SyntaxError};

/// What a walk tells as it goes. Offsets are in the text that is walked.
pub(crate) trait Visit {
    /// A key, quotes included; `escaped` when a backslash stands in it.
    fn key(&mut self, _start: usize, _end: usize, _escaped: bool) {}
    /// A value that is neither array nor object.
    fn scalar(&mut self, _kind: Kind, _start: usize, _end: usize) {}
    /// An array or object begins.
    fn open(&mut self, _kind: Kind, _start: usize) {}
    /// The innermost array or object ends; `end` is behind its bracket.
    fn close(&mut self, _end: usize) {}
}

/// Only the syntax is of interest.
impl Visit for () {}

const fn error<T>(at: usize, what: &'static str) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, what, truncated: false })
}

const fn cut<T>(at: usize) -> Result<T, SyntaxError> {
    Err(SyntaxError { at, what: "the text ends inside a value", truncated: true })
}

/// The white space of JSON.
pub(super) const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

#[inline]
pub(super) fn skip_space(b: &[u8], mut i: usize) -> usize {
    while i < b.len() && is_space(b[i]) {
        i += 1;
    }
    i
}

/// The containers that are open, innermost first: one bit each, set for an object.
#[derive(Default)]
struct Nesting {
    /// Full words of outer levels.
    outer: Vec<u64>,
    /// The newest level is the lowest bit.
    inner: u64,
    depth: usize,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.inner);
            self.inner = 0;
        }
        self.depth += 1;
        self.inner = self.inner << 1 | u64::from(object);
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.inner >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or(0);
        }
    }

    const fn in_object(&self) -> bool {
        self.inner & 1 == 1
    }
}

/// Walks one value from `i` and returns the offset behind it.
pub(crate) fn walk<V: Visit>(
    b: &[u8],
    mut i: usize,
    visitor: &mut V,
) -> Result<usize, SyntaxError> {
    let mut nesting = Nesting::default();
    loop {
        // A value is expected at i.
        i = skip_space(b, i);
        let Some(&c) = b.get(i) else { return cut(i) };
        let start = i;
        match c {
            b'"' => {
                i = check_string(b, i)?.0;
                visitor.scalar(Kind::String, start, i);
            }
            b'{' | b'[' => {
                let object = c == b'{';
                visitor.open(if object { Kind::Object } else { Kind::Array }, start);
                i = skip_space(b, i + 1);
                let Some(&next) = b.get(i) else { return cut(i) };
                if next == if object { b'}' } else { b']' } {
                    i += 1;
                    visitor.close(i);
                } else {
                    nesting.push(object);
                    if object {
                        i = check_key(b, i, visitor)?;
                    }
                    continue;
                }
            }
            b'-' | b'0'..=b'9' => {
                i = check_number(b, i)?;
                visitor.scalar(Kind::Number, start, i);
            }
            b't' => {
                i = check_word(b, i, b"true")?;
                visitor.scalar(Kind::Bool, start, i);
            }
            b'f' => {
                i = check_word(b, i, b"false")?;
                visitor.scalar(Kind::Bool, start, i);
            }
            b'n' => {
                i = check_word(b, i, b"null")?;
                visitor.scalar(Kind::Null, start, i);
            }
            _ => return error(i, "a value is expected"),
        }
        // A value ended at i: close containers until one goes on.
        loop {
            if nesting.depth == 0 {
                return Ok(i);
            }
            i = skip_space(b, i);
            let Some(&c) = b.get(i) else { return cut(i) };
            let object = nesting.in_object();
            match c {
                b',' => {
                    i += 1;
                    if object {
                        i = check_key(b, skip_space(b, i), visitor)?;
                    }
                    break;
                }
                b'}' | b']' if object == (c == b'}') => {
                    i += 1;
                    nesting.pop();
                    visitor.close(i);
                }
                _ => return error(i, "a comma or a closing bracket is expected"),
            }
        }
    }
}

#[inline]
fn check_key<V: Visit>(b: &[u8], start: usize, visitor: &mut V) -> Result<usize, SyntaxError> {
    match b.get(start) {
        Some(b'"') => {}
        Some(_) => return error(start, "a key in quotes is expected"),
        None => return cut(start),
    }
    let (end, escaped) = check_string(b, start)?;
    visitor.key(start, end, escaped);
    let i = skip_space(b, end);
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

/// Checks a string whose opening quote is at `i`; returns the offset behind its closing quote, and whether
/// there is an escape in it.
#[inline]
fn check_string(b: &[u8], i: usize) -> Result<(usize, bool), SyntaxError> {
    let mut i = i + 1;
    let mut escaped = false;
    loop {
        i = find_string_stop(b, i);
        match b.get(i) {
            Some(b'"') => return Ok((i + 1, escaped)),
            Some(b'\\') => {
                escaped = true;
                i = check_escape(b, i)?;
            }
            Some(_) => return error(i, "a control character stands in a string"),
            None => return cut(b.len()),
        }
    }
}

/// Checks an escape whose backslash is at `i`; returns the offset behind it.
#[inline]
fn check_escape(b: &[u8], i: usize) -> Result<usize, SyntaxError> {
    match b.get(i + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(i + 2),
        Some(b'u') => {
            for n in i + 2..i + 6 {
                match b.get(n) {
                    Some(c) if c.is_ascii_hexdigit() => {}
                    Some(_) => return error(n, "four hexadecimal digits are expected"),
                    None => return cut(b.len()),
                }
            }
            Ok(i + 6)
        }
        Some(_) => error(i + 1, "an unknown escape"),
        None => cut(b.len()),
    }
}

/// The offset of the next byte from `i` on that ends a stretch of plain characters in a string: a quote, a
/// backslash or a control character; else the end.
#[inline]
pub(super) fn find_string_stop(b: &[u8], mut i: usize) -> usize {
    const QUOTES: u8x32 = u8x32::new([b'"'; 32]);
    const SLASHES: u8x32 = u8x32::new([b'\\'; 32]);
    const CONTROLS: u8x32 = u8x32::new([0x1F; 32]);
    while let Some(chunk) = b.get(i..).and_then(<[u8]>::first_chunk::<32>) {
        let c = u8x32::new(*chunk);
        let stops = c.simd_eq(QUOTES) | c.simd_eq(SLASHES) | c.min(CONTROLS).simd_eq(c);
        let mask = stops.to_bitmask();
        if mask != 0 {
            return i + mask.trailing_zeros() as usize;
        }
        i += 32;
    }
    let rest = b.get(i..).unwrap_or_default();
    rest.iter().position(|&c| c == b'"' || c == b'\\' || c < 0x20).map_or(b.len(), |n| i + n)
}
