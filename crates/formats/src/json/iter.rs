//! Walking the members of an object and the elements of an array, in text that was checked before.

use super::scan::{find_string_stop, is_space, skip_space};
use super::{Json, Text};

/// The offset behind the string whose opening quote is at `i`, in text that was checked.
fn skip_string(b: &[u8], i: usize) -> usize {
    let mut i = i + 1;
    loop {
        i = find_string_stop(b, i);
        match b.get(i) {
            Some(b'"') => return i + 1,
            Some(_) => i += 2,
            None => return i,
        }
    }
}

/// The offset behind the value at `i`, in text that was checked.
fn skip_value(b: &[u8], mut i: usize) -> usize {
    match b.get(i) {
        Some(b'"') => skip_string(b, i),
        Some(b'{' | b'[') => {
            let mut depth = 0_u64;
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

/// The members of an object. See [`Json::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
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
    pub(super) text: &'a str,
    pub(super) at: usize,
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

/// The members of the object that begins at `start` in text that was checked, whatever stands behind it.
pub(crate) fn members_from(text: &str, start: usize) -> Members<'_> {
    let text = text.get(start..).unwrap_or_default();
    Members { text, at: if text.starts_with('{') { 1 } else { text.len() } }
}

/// The length of the value with which checked text begins.
pub(crate) fn first_len(text: &str) -> usize {
    skip_value(text.as_bytes(), 0)
}
