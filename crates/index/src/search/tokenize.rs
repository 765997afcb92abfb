//! Text as words: what code and prose are searched by.
//!
//! A word is a run of letters, digits and `_`; everything else separates. Words are folded to lower case. An identifier
//! of several parts (`userName`, `user_name`, `HTTPServer`) is indexed whole and as its parts, the whole in the place of
//! its first part, so that phrases run through the parts. In writing without spaces each character is a word, and a
//! search for several is a phrase. Long runs of base64 are no words.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::compose::{composed, is_mark};

/// Longer words are left out; nobody types them.
const LONGEST: usize = 255;
/// Words longer than this are looked at twice: they may be a piece of base64.
const SUSPICIOUS: usize = 32;
/// So long a run of nothing but the characters of base64 is data.
const DATA: usize = 256;

/// A word in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Folded.
    pub text: String,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its place among the words.
    pub position: usize,
    /// How many places it takes: more than one for an identifier as a whole.
    pub places: usize,
}

/// The words of a text.
pub fn words(text: &str) -> Vec<Word> {
    let mut stream = Stream::new(text);
    let mut words = Vec::new();
    while stream.advance() {
        let token = stream.token();
        words.push(Word {
            text: token.text.clone(),
            start: token.offset_from,
            end: token.offset_to,
            position: token.position,
            places: token.position_length,
        });
    }
    words
}

/// Calls `each` with every word of a text.
pub fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut stream = Stream::new(text);
    while stream.advance() {
        each(&stream.token().text);
    }
}

/// The tokenizer under which the fields of text are indexed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Words;

impl Words {
    /// Its name in the schema.
    pub const NAME: &str = "words";
}

impl Tokenizer for Words {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream::new(text)
    }
}

/// The words of one text, one after the other.
#[derive(Debug)]
pub struct Stream<'a> {
    text: &'a str,
    at: usize,
    /// The place of the next word.
    next: usize,
    token: Token,
    /// The parts of the identifier that was just given as a whole; the next one first.
    parts: Vec<(usize, usize)>,
    given: usize,
    /// Up to here it is known that no base64 begins.
    looked: usize,
}

impl<'a> Stream<'a> {
    fn new(text: &'a str) -> Self {
        let token = Token { position: 0, ..Token::default() };
        Self { text, at: 0, next: 0, token, parts: Vec::new(), given: 0, looked: 0 }
    }

    fn give(&mut self, start: usize, end: usize, places: usize) {
        self.token.offset_from = start;
        self.token.offset_to = end;
        self.token.position = self.next;
        self.token.position_length = places;
        self.token.text.clear();
        fold(&self.text[start..end], &mut self.token.text);
    }

    /// The end of the data that the word belongs to, if it does.
    fn data(&mut self, start: usize, end: usize) -> Option<usize> {
        if start < self.looked {
            return None;
        }
        let bytes = self.text.as_bytes();
        let is_data =
            |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'-' | b'_');
        let to = end + bytes[end..].iter().take_while(|b| is_data(b)).count();
        let from =
            start - bytes[..start].iter().rev().take(DATA).take_while(|b| is_data(b)).count();
        let run = &bytes[from..to];
        let mixed = run.len() >= DATA
            && run.iter().any(u8::is_ascii_digit)
            && run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_lowercase);
        if mixed && !reads_as_words(run) {
            return Some(to);
        }
        self.looked = to;
        None
    }
}

/// Whether most of the letters and digits stand in runs of small letters, as in paths and long identifiers: in base64 a run of
/// three is rare, and a seventh of it are in such.
fn reads_as_words(run: &[u8]) -> bool {
    let all = run.iter().filter(|b| b.is_ascii_alphanumeric()).count();
    let runs = run.split(|b| !b.is_ascii_lowercase()).map(<[u8]>::len);
    let in_words: usize = runs.filter(|length| *length >= 3).sum();
    in_words * 5 > all * 2
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if let Some(&(start, end)) = self.parts.get(self.given) {
            self.given += 1;
            self.give(start, end, 1);
            self.next += 1;
            return true;
        }
        self.parts.clear();
        self.given = 0;
        loop {
            let Some((start, end, kind)) = word(self.text, self.at) else {
                self.at = self.text.len();
                return false;
            };
            self.at = end;
            if kind == Kind::Plain && end - start <= SUSPICIOUS {
                self.give(start, end, 1);
                self.next += 1;
                return true;
            }
            if end - start > SUSPICIOUS
                && let Some(end) = self.data(start, end)
            {
                self.at = end;
                continue;
            }
            let (start, end) = trimmed(self.text, start, end);
            if start == end || end - start > LONGEST {
                continue;
            }
            if kind == Kind::Mixed {
                split(self.text, start, end, &mut self.parts);
            }
            if self.parts.len() < 2 {
                self.parts.clear();
                self.give(start, end, 1);
                self.next += 1;
            } else {
                // The parts follow, the first in the same place.
                let places = self.parts.len();
                self.give(start, end, places);
            }
            return true;
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// What a word is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing to split or trim.
    Plain,
    /// It has capitals or `_`.
    Mixed,
}

/// The next word from `at` on.
fn word(text: &str, mut at: usize) -> Option<(usize, usize, Kind)> {
    let bytes = text.as_bytes();
    loop {
        let b = *bytes.get(at)?;
        if b < 0x80 {
            if CLASS[usize::from(b)] != 0 {
                break;
            }
            at += 1;
            continue;
        }
        let c = text[at..].chars().next()?;
        if alone(c) {
            return Some((at, at + c.len_utf8(), Kind::Plain));
        }
        if c.is_alphanumeric() {
            break;
        }
        at += c.len_utf8();
    }
    let start = at;
    let mut seen = 0;
    while let Some(&b) = bytes.get(at) {
        if b < 0x80 {
            let class = CLASS[usize::from(b)];
            if class == 0 {
                break;
            }
            seen |= class;
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        if alone(c) || !(c.is_alphanumeric() || joins(c)) {
            break;
        }
        seen |= if c.is_uppercase() { UPPER } else { LOWER };
        at += c.len_utf8();
    }
    Some((start, at, if seen & (UPPER | JOIN) == 0 { Kind::Plain } else { Kind::Mixed }))
}

const LOWER: u8 = 1;
const UPPER: u8 = 2;
const JOIN: u8 = 4;

/// What ASCII characters do in words; 0 for those that separate.
const CLASS: [u8; 128] = {
    let mut class = [0; 128];
    let mut b = 0;
    while b < 128 {
        let c = b as u8;
        class[b] = if c.is_ascii_uppercase() {
            UPPER
        } else if c.is_ascii_alphanumeric() {
            LOWER
        } else if c == b'_' {
            JOIN
        } else {
            0
        };
        b += 1;
    }
    class
};

/// Whether a character is a word by itself: writing that puts no spaces between words, and pictures.
fn alone(c: char) -> bool {
    matches!(u32::from(c),
        0xe00..=0xeff | 0x1000..=0x109f | 0x1780..=0x17ff
        | 0x2600..=0x27bf
        | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x3130..=0x318f | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0xff66..=0xff9f
        | 0x1f300..=0x1faff | 0x20000..=0x3ffff)
}

/// Marks that stand on the letter before.
fn joins(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x591..=0x5c7 | 0x610..=0x61a | 0x64b..=0x65f | 0x900..=0xdff)
}

/// A word without `_` at its ends.
fn trimmed(text: &str, start: usize, end: usize) -> (usize, usize) {
    let word = &text[start..end];
    let from = start + (word.len() - word.trim_start_matches('_').len());
    let to = end - (word.len() - word.trim_end_matches('_').len());
    if from >= to { (start, start) } else { (from, to) }
}

/// The parts of an identifier.
fn split(text: &str, start: usize, end: usize, parts: &mut Vec<(usize, usize)>) {
    let mut from = start;
    let mut before: Option<char> = None;
    let mut chars = text[start..end].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let at = start + at;
        if c == '_' {
            if from < at {
                parts.push((from, at));
            }
            from = at + 1;
            before = None;
            continue;
        }
        let lower_next = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let begins = c.is_uppercase()
            && before.is_some_and(|b| !b.is_uppercase() || lower_next)
            && from < at;
        if begins {
            parts.push((from, at));
            from = at;
        }
        before = Some(c);
    }
    if from < end {
        parts.push((from, end));
    }
}

/// Folds a word to lower case.
fn fold(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.push_str(word);
        out.make_ascii_lowercase();
        return;
    }
    for c in word.chars() {
        if is_mark(c)
            && let Some(whole) = out.chars().next_back().and_then(|letter| composed(letter, c))
        {
            out.pop();
            out.push(whole);
            continue;
        }
        match c {
            // A final sigma is the same letter.
            'ς' => out.push('σ'),
            _ => out.extend(c.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(String, usize)> {
        words(text).into_iter().map(|w| (w.text, w.position)).collect()
    }

    fn texts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn identifiers_whole_and_in_parts() {
        let at = |w: &str, p| (w.to_owned(), p);
        assert_eq!(
            of("let userName = x"),
            [at("let", 0), at("username", 1), at("user", 1), at("name", 2), at("x", 3)]
        );
        assert_eq!(texts("max_retry_count"), ["max_retry_count", "max", "retry", "count"]);
        assert_eq!(texts("HTTPServer"), ["httpserver", "http", "server"]);
        assert_eq!(texts("parseJSON"), ["parsejson", "parse", "json"]);
        assert_eq!(texts("utf8Decoder"), ["utf8decoder", "utf8", "decoder"]);
        assert_eq!(texts("__init__ _ Name DONE"), ["init", "name", "done"]);
        assert_eq!(texts("A_B"), ["a_b", "a", "b"]);
    }

    #[test]
    fn punctuation_separates() {
        assert_eq!(texts("src/main.rs:12"), ["src", "main", "rs", "12"]);
        assert_eq!(texts("foo->bar::baz(\"q\")"), ["foo", "bar", "baz", "q"]);
        assert_eq!(texts("  \n->{}();"), [""; 0]);
    }

    #[test]
    fn all_writing() {
        assert_eq!(texts("naïve ÜBER Straße"), ["naïve", "über", "straße"]);
        assert_eq!(texts("日本語のtest"), ["日", "本", "語", "の", "test"]);
        assert_eq!(texts("한국어 테스트"), ["한", "국", "어", "테", "스", "트"]);
        assert_eq!(texts("привет МИР"), ["привет", "мир"]);
        assert_eq!(texts("ok 🚀!"), ["ok", "🚀"]);
        assert_eq!(texts("ΟΔΟΣ"), texts("οδος"));
        assert_eq!(texts("हिन्दी"), ["हिन्दी"]);
        assert_eq!(texts("E\u{301}cole e\u{301}te\u{301}"), ["école", "été"]);
    }

    #[test]
    fn data_is_no_text() {
        let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ/9hAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg".repeat(20);
        assert_eq!(texts(&format!("see {data} end")).first().map(String::as_str), Some("see"));
        assert!(texts(&format!("see {data} end")).len() < 6);
        assert_eq!(texts(&format!("see {data} end")).last().map(String::as_str), Some("end"));
        // Long, and yet words.
        let path = "/home/dev/a_rather_long_name_of_a_folder_in_which_things_are/x".repeat(9);
        assert!(texts(&path).len() > 100);
        assert_eq!(texts(&"a".repeat(300)), [""; 0]);
        let path = "/packages/PackageFolder3NumberedLong/DirectoryNameForTesting".repeat(6);
        assert_eq!(texts(&path).iter().filter(|word| *word == "numbered").count(), 6);
        let ruled = format!("Thing_With_A_Long_Name_Test_number_1_of_many{}", "=".repeat(260));
        assert!(texts(&ruled).contains(&"thing_with_a_long_name_test_number_1_of_many".to_owned()));
    }

    #[test]
    fn places_in_the_text() {
        let text = "é getUser";
        let all: Vec<&str> = words(text).iter().map(|w| &text[w.start..w.end]).collect();
        assert_eq!(all, ["é", "getUser", "get", "User"]);
    }
}
