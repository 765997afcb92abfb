//! Code told apart: comments, strings, numbers and keywords, by families of languages.
//!
//! A reader of transcripts wants to tell code apart at a glance and at once; grammars would cost more to load than a session does
//! to open. What is told wrongly is still word for word there. How a kind looks is for each reader to say.

mod languages;
mod within;

pub use within::{diff, numbered};

use languages::{FAMILIES, Family};

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Names, signs, white space.
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or a character.
    String,
    /// A comment.
    Comment,
    /// A number.
    Number,
}

/// A piece of code of one kind, within a line. Pieces that follow each other are of different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// The code, as it stands there.
    pub text: &'a str,
}

/// The language of a file, by its ending.
pub fn of_path(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(_, ending)| ending)
}

/// Code as one list of pieces for each of its lines, or nothing for a language that is not known. A language is what stands
/// behind a fence, or the ending of a file. Joined, the pieces are the code.
pub fn lines<'a>(language: &str, code: &'a str) -> Option<Vec<Vec<Token<'a>>>> {
    let language = language.split([',', ' ', '{']).next().unwrap_or_default().to_ascii_lowercase();
    let family = FAMILIES.iter().find(|f| f.names.contains(&language.as_str()))?;
    let mut out = Pieces { code, from: 0, kind: Kind::Plain, lines: vec![Vec::new()] };
    let mut reader = Reader::new(family, language == "sql");
    let (mut at, mut before) = (0, ' ');
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, len) = reader.piece(rest, before);
        out.piece(kind, at);
        before = rest[..len].chars().next_back().unwrap_or(' ');
        at += len;
    }
    out.piece(Kind::Plain, at);
    out.end(at);
    Some(out.lines)
}

struct Reader {
    family: &'static Family,
    any_case: bool,
    /// What was looked for up to the end of the code in vain.
    open: Vec<&'static str>,
    /// The words of the language by their lengths: most words are none, and that is to be seen at once.
    keywords: [Vec<&'static str>; LONGEST + 1],
}

/// No word of a language is longer.
const LONGEST: usize = 16;

impl Reader {
    fn new(family: &'static Family, any_case: bool) -> Self {
        let mut keywords: [Vec<&'static str>; LONGEST + 1] = Default::default();
        for word in family.keywords {
            keywords[word.len().min(LONGEST)].push(word);
        }
        Self { family, any_case, open: Vec::new(), keywords }
    }

    fn is_keyword(&self, word: &str) -> bool {
        let first = word.as_bytes().first();
        let alike = &self.keywords[word.len().min(LONGEST)];
        alike.iter().any(|keyword| keyword.as_bytes().first() == first && *keyword == word)
    }

    /// The kind and length of a word that begins here.
    fn word(&self, rest: &str, before: char) -> (Kind, usize) {
        let ascii = rest.bytes().position(|b| !(b.is_ascii_alphanumeric() || b == b'_'));
        let end = match ascii {
            Some(at) if !rest.as_bytes()[at].is_ascii() => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
            }
            end => end,
        };
        let word = &rest[..end.unwrap_or(rest.len())];
        let lower = self.any_case.then(|| word.to_ascii_lowercase());
        let keyword = before != '.' && self.is_keyword(lower.as_deref().unwrap_or(word));
        (if keyword { Kind::Keyword } else { Kind::Plain }, word.len())
    }

    /// The kind and length of what begins here.
    fn piece(&mut self, rest: &str, before: char) -> (Kind, usize) {
        let family = self.family;
        let Some(c) = rest.chars().next() else { return (Kind::Plain, 0) };
        // Nothing else begins with a letter or a blank, and most of all code is that.
        if c == ' ' || c == '\n' || c == '\t' {
            let blank = |b: &u8| matches!(b, b' ' | b'\n' | b'\t');
            return (Kind::Plain, rest.bytes().take_while(blank).count());
        }
        if c.is_ascii_alphabetic() {
            return self.word(rest, before);
        }
        if let Some((start, end)) = family.block_comment.filter(|(s, _)| rest.starts_with(s)) {
            let len = self.closed(rest, start, end).unwrap_or(rest.len());
            return (Kind::Comment, len);
        }
        // `$#` and `foo#bar` are no comments.
        if family.line_comments.iter().any(|s| rest.starts_with(s))
            && (c != '#' || before.is_whitespace())
        {
            return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
        }
        if let Some(quote) = family.long_quotes.iter().find(|q| rest.starts_with(**q))
            && let Some(len) = self.closed(rest, quote, quote)
        {
            return (Kind::String, len);
        }
        if family.quotes.contains(c)
            && let Some(len) = quoted(rest, c)
        {
            return (Kind::String, len);
        }
        if family.character
            && c == '\''
            && let Some(len) = character(rest)
        {
            return (Kind::String, len);
        }
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            return (Kind::Number, end.unwrap_or(rest.len()));
        }
        if c.is_alphabetic() || c == '_' {
            return self.word(rest, before);
        }
        (Kind::Plain, c.len_utf8())
    }

    /// The length up to the end of what goes over lines. Each end is missed once only, or code with many beginnings and no end
    /// would be read as often.
    fn closed(&mut self, rest: &str, start: &str, end: &'static str) -> Option<usize> {
        if self.open.contains(&end) {
            return None;
        }
        let found = rest.get(start.len()..)?.find(end);
        if found.is_none() {
            self.open.push(end);
        }
        found.map(|at| start.len() + at + end.len())
    }
}

/// Pieces, gathered and cut into lines.
struct Pieces<'a> {
    code: &'a str,
    from: usize,
    kind: Kind,
    lines: Vec<Vec<Token<'a>>>,
}

impl Pieces<'_> {
    /// A piece begins.
    fn piece(&mut self, kind: Kind, at: usize) {
        if kind != self.kind {
            self.end(at);
            self.kind = kind;
        }
    }

    /// What was gathered ends.
    fn end(&mut self, at: usize) {
        let text = self.code.get(self.from..at).unwrap_or_default();
        self.from = at;
        for (n, text) in text.split('\n').enumerate() {
            if n > 0 {
                self.lines.push(Vec::new());
            }
            if let Some(line) = self.lines.last_mut().filter(|_| !text.is_empty()) {
                line.push(Token { kind: self.kind, text });
            }
        }
    }
}

/// The length of a string that begins here. A quote that nothing on its line closes is an apostrophe.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The length of a character in quotes. What else begins with `'` is a lifetime or a label.
fn character(text: &str) -> Option<usize> {
    if text.starts_with("'\\") {
        return quoted(text, '\'');
    }
    let mut chars = text.char_indices().skip(1);
    chars.next().filter(|(_, c)| !matches!(c, '\'' | '\n'))?;
    chars.next().filter(|(_, c)| *c == '\'').map(|(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::{Kind, lines, of_path};

    fn of(language: &str, code: &str, kind: Kind) -> Vec<String> {
        let lines = lines(language, code).unwrap();
        lines.iter().flatten().filter(|t| t.kind == kind).map(|t| t.text.to_owned()).collect()
    }

    fn joined(language: &str, code: &str) -> String {
        let lines = lines(language, code).unwrap();
        let line = |l: &Vec<super::Token<'_>>| l.iter().map(|t| t.text).collect::<String>();
        lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn words_are_told_apart_and_nothing_is_lost() {
        let code = "fn a<'x, 'y>(n: u8) { // é \"no\"\n/* two\nlines */ let s = \"a\\\"b\"; 0x1f.fn '\\'' 'é' }\n";
        assert_eq!(of("rust", code, Kind::Keyword), ["fn", "let"]);
        assert_eq!(of("rust", code, Kind::String), ["\"a\\\"b\"", "'\\''", "'é'"]);
        assert_eq!(of("rust", code, Kind::Comment), ["// é \"no\"", "/* two", "lines */"]);
        assert_eq!(of("rust", "x = 12 + 1.5", Kind::Number), ["12", "1.5"]);
        assert_eq!(joined("rs", code), code);
        assert_eq!(of("SQL", "SELECT a -- x", Kind::Keyword), ["SELECT"]);
        assert_eq!(of("sh", "echo $# # x", Kind::Comment), ["# x"]);
        assert_eq!(of("html", "<a b=\"c\"><!-- d\n-->", Kind::Comment), ["<!-- d", "-->"]);
        assert!(lines("klingon", "x").is_none());
        assert_eq!((of_path("src/a.rs"), of_path("b/Makefile")), ("rs", "Makefile"));
    }

    #[test]
    fn strings_go_over_lines_where_they_may() {
        let code = "a = \"\"\"one\n'two\"\"\"\nb = 'it' # don't";
        assert_eq!(of("py", code, Kind::String), ["\"\"\"one", "'two\"\"\"", "'it'"]);
        assert_eq!(joined("py", code), code);
        assert_eq!(of("ts", "`a\nb` 'c'", Kind::String), ["`a", "b`", "'c'"]);
        assert!(of("ts", "`a\n'b", Kind::String).is_empty());
        assert!(of("py", "it's\nso's", Kind::String).is_empty());
    }

    #[test]
    fn what_is_never_closed_is_looked_for_once() {
        let code = "`x\n".repeat(200_000);
        assert_eq!(joined("js", &code).len(), code.len());
        assert_eq!(joined("py", &"\"\"\"".repeat(3)).len(), 9);
    }
}
