//! Foreign text in HTML.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use recount_text::text;

/// Text that is escaped where it is printed.
struct Escaped<'a>(Cow<'a, str>);

/// Foreign text, made harmless and escaped, for content and for attributes in quotes.
pub fn escaped(text: &str) -> impl fmt::Display + '_ {
    Escaped(text::clean_tabbed(text))
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pieces(&self.0, |piece| f.write_str(piece))
    }
}

/// Writes foreign text, made harmless and escaped.
pub(crate) fn write(out: &mut dyn Write, text: &str) -> io::Result<()> {
    pieces(&text::clean_tabbed(text), |piece| out.write_all(piece.as_bytes()))
}

fn pieces<E>(text: &str, mut put: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    let bytes = text.as_bytes();
    let mut done = 0;
    let mut at = 0;
    while at < bytes.len() {
        // Signs are rare: whole pieces without any are passed over at once.
        const PIECE: usize = 32;
        if let Some(piece) = bytes.get(at..at + PIECE)
            && piece.iter().fold(true, |plain, b| plain & entity(*b).is_none())
        {
            at += PIECE;
            continue;
        }
        for _ in 0..PIECE.min(bytes.len() - at) {
            if let Some(entity) = entity(bytes[at]) {
                put(&text[done..at])?;
                put(entity)?;
                done = at + 1;
            }
            at += 1;
        }
    }
    put(&text[done..])
}

const fn entity(byte: u8) -> Option<&'static str> {
    match byte {
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'&' => Some("&amp;"),
        b'"' => Some("&quot;"),
        b'\'' => Some("&#39;"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn signs_are_entities_wherever_they_stand() {
        assert_eq!(escaped("a<b>&\"'").to_string(), "a&lt;b&gt;&amp;&quot;&#39;");
        for before in 0..70 {
            let text = format!("{}<ü>", "x".repeat(before));
            assert_eq!(escaped(&text).to_string(), format!("{}&lt;ü&gt;", "x".repeat(before)));
        }
    }

    #[test]
    fn nothing_invisible_is_written() {
        assert_eq!(escaped("a\u{202e}b\u{1b}[31mc\0").to_string(), "a⟨U+202E⟩bc␀");
        assert_eq!(escaped("a\tb\r\nc").to_string(), "a\tb\nc");
    }
}
