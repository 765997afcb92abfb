//! Makes foreign text harmless.
//!
//! A transcript can hold anything. What is printed for people holds no control characters but line feeds, no
//! escape sequences, and nothing invisible or turning the writing direction: such characters are shown as
//! visible signs. Only the sequences that set colours or erase to the end of a line are left out without a
//! trace, because command output is full of them and they say nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// How many columns a tab takes.
const TAB: &str = "    ";

/// Makes text harmless; line feeds stay.
pub fn clean(text: &str) -> Cow<'_, str> {
    match first_odd(text, false) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(cleaned(text, first, false)),
    }
}

/// Makes text harmless where tabs do no harm; line feeds and tabs stay.
pub fn clean_tabbed(text: &str) -> Cow<'_, str> {
    match first_odd(text, true) {
        None => Cow::Borrowed(text),
        Some(first) => Cow::Owned(cleaned(text, first, true)),
    }
}

/// Where the first character stands that is not shown as it is.
fn first_odd(text: &str, tabs: bool) -> Option<usize> {
    // Most text is ASCII: it is looked at in pieces that fit the processor's registers.
    const PIECE: usize = 32;
    let bytes = text.as_bytes();
    let harmless = |b: u8| (b' '..=b'~').contains(&b) || (b == b'\n') | tabs && (b == b'\t');
    let mut at = 0;
    loop {
        while let Some(piece) = bytes.get(at..at + PIECE)
            && piece.iter().fold(true, |all, &b| all & harmless(b))
        {
            at += PIECE;
        }
        let end = (at + PIECE).min(bytes.len());
        while at < end {
            if harmless(bytes[at]) {
                at += 1;
                continue;
            }
            match text.get(at..).and_then(|rest| rest.chars().next()) {
                Some(c) if plain(c) => at += c.len_utf8(),
                _ => return Some(at),
            }
        }
        if at >= bytes.len() {
            return None;
        }
    }
}

/// Makes text harmless and one line: runs of white space become one space.
pub fn line(text: &str) -> Cow<'_, str> {
    let text = clean(text);
    let single = !text.starts_with(char::is_whitespace)
        && !text.ends_with(char::is_whitespace)
        && !text.contains('\n')
        && !text.contains("  ");
    if single {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// The first `chars` characters, so that a list does not clean megabytes for one line.
pub fn beginning(text: &str, chars: usize) -> &str {
    match text.char_indices().nth(chars) {
        None => text,
        Some((end, _)) => &text[..end],
    }
}

/// Columns on a terminal. The text is harmless already.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// Cuts one harmless line to `columns`, with `…` where something is missing.
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    if text.len() <= columns || width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut used = 1;
    for grapheme in text.graphemes(true) {
        let more = grapheme.width();
        if used + more > columns {
            break;
        }
        used += more;
        out.push_str(grapheme);
    }
    out.truncate(out.trim_end().len());
    if columns > 0 {
        out.push('…');
    }
    Cow::Owned(out)
}

/// Cuts one harmless line to `columns` at its beginning, for paths.
pub fn fit_end(text: &str, columns: usize) -> Cow<'_, str> {
    if text.len() <= columns || width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let mut used = 1;
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > columns {
            break;
        }
        start = at;
    }
    Cow::Owned(format!("…{}", &text[start..]))
}

/// Whether a character is shown as it is wherever it stands.
fn plain(c: char) -> bool {
    match c {
        ' '..='~' | '\n' => true,
        _ if c < '\u{a0}' => false,
        _ => !invisible(c),
    }
}

/// Characters that take no space, turn the direction, or smuggle text that nobody sees.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn cleaned(text: &str, first: usize, tabs: bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let (before, mut rest) = text.split_at(first);
    out.push_str(before);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\t' => out.push_str(TAB),
            '\r' if rest.starts_with('\n') => {}
            '\u{1b}' => match colour_sequence(rest) {
                Some(len) => rest = &rest[len..],
                None => out.push('␛'),
            },
            // Joiners make one sign of several emoji and shape Arabic and Indic letters; between such they stay.
            '\u{200c}' | '\u{200d}'
                if out.chars().next_back().is_some_and(joins)
                    && rest.chars().next().is_some_and(joins) =>
            {
                out.push(c);
            }
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('�')),
            '\u{7f}' => out.push('␡'),
            _ => {
                let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
            }
        }
        // Most of what is cleaned is harmless still.
        let plain;
        (plain, rest) = rest.split_at(first_odd(rest, tabs).unwrap_or(rest.len()));
        out.push_str(plain);
    }
    out
}

fn joins(c: char) -> bool {
    c >= '\u{600}' && plain(c)
}

/// The length of what follows ESC when it only sets colours, erases to the end of the line, or selects ASCII.
fn colour_sequence(rest: &str) -> Option<usize> {
    if rest.starts_with("(B") {
        return Some(2);
    }
    let body = rest.strip_prefix('[')?;
    let end = body.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'))?;
    body[end..].starts_with(['m', 'K']).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(clean("fn main() {}\n// süß 日本語 🚀"), Cow::Borrowed(_)));
        assert!(matches!(line("one line"), Cow::Borrowed(_)));
    }

    #[test]
    fn colours_vanish_and_other_sequences_are_shown() {
        assert_eq!(clean("\u{1b}[1;31merror\u{1b}[0m: x\u{1b}[K\u{1b}(B"), "error: x");
        assert_eq!(clean("\u{1b}[2J\u{1b}]0;owned\u{7}"), "␛[2J␛]0;owned␇");
        assert_eq!(clean("\u{1b}[31"), "␛[31");
        assert_eq!(clean("\u{1b}"), "␛");
        assert_eq!(clean("\u{9b}2J\u{7f}\0"), "⟨U+009B⟩2J␡␀");
    }

    #[test]
    fn nothing_invisible_and_nothing_turning_is_printed() {
        assert_eq!(clean("abc\u{202e}fed"), "abc⟨U+202E⟩fed");
        assert_eq!(clean("a\u{200b}b\u{feff}"), "a⟨U+200B⟩b⟨U+FEFF⟩");
        assert_eq!(clean("hi\u{e0041}"), "hi⟨U+E0041⟩");
        assert_eq!(clean("a\u{200d}b"), "a⟨U+200D⟩b");
        assert_eq!(clean("👩\u{200d}💻"), "👩\u{200d}💻");
    }

    #[test]
    fn line_ends_and_tabs() {
        assert_eq!(clean("a\r\nb\rc\td"), "a\nb␍c    d");
        assert_eq!(line("  a \n\n b\t c "), "a b c");
    }

    #[test]
    fn what_is_odd_is_found_wherever_it_stands() {
        for before in 0..70 {
            let text = format!("{}\u{1b}[2J", "x".repeat(before));
            assert_eq!(clean(&text), format!("{}␛[2J", "x".repeat(before)));
            let text = format!("{}ü日\u{202e}", "ü".repeat(before));
            assert_eq!(clean(&text), format!("{}ü日⟨U+202E⟩", "ü".repeat(before)));
        }
        assert!(matches!(clean_tabbed("a\tb\n"), Cow::Borrowed(_)));
        assert_eq!(clean_tabbed("a\tb\u{7}"), "a\tb␇");
    }

    #[test]
    fn cut_by_columns() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 5), "abcd…");
        assert_eq!(fit("ab cdef", 4), "ab…");
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_end("/home/dev/shop", 8), "…ev/shop");
    }
}
