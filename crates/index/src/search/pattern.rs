//! From a regular expression to the words that a text cannot do without when it fits.
//!
//! The index knows words and their places, and not what stands between them. So an expression becomes runs of words
//! that follow each other, each as far as it is certain; whether a text fits is then looked at in the text.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look};

/// A word of which only a part may be certain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WordPattern {
    /// A pattern of ASCII letters, digits, `_` and `.*`, folded.
    pub(super) pattern: String,
    /// How many characters of it are certain.
    pub(super) certain: usize,
}

impl WordPattern {
    /// Whether it is nothing but a word.
    pub(super) fn is_whole(&self) -> bool {
        !self.pattern.contains('.')
    }
}

/// What is certain of every text that fits: words that follow each other, in runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Certain {
    /// Runs of words; identifiers count as one.
    pub(super) runs: Vec<Vec<WordPattern>>,
    /// Texts in other writing.
    pub(super) texts: Vec<String>,
}

impl Certain {
    pub(super) fn of(hir: &Hir) -> Self {
        let mut walk = Walk::default();
        walk.take(hir);
        walk.open();
        walk.certain
    }
}

#[derive(Default)]
struct Walk {
    certain: Certain,
    run: Vec<WordPattern>,
    word: Option<WordPattern>,
    /// Whether a word may have begun before the next character.
    begun: bool,
    text: String,
    started: bool,
}

impl Walk {
    fn take(&mut self, hir: &Hir) {
        if !self.started {
            (self.started, self.begun) = (true, true);
        }
        match hir.kind() {
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => text.chars().for_each(|c| self.character(c)),
                Err(_) => self.open(),
            },
            HirKind::Capture(capture) => self.take(&capture.sub),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.take(part)),
            HirKind::Class(class) => self.class(class, true, false),
            HirKind::Repetition(repetition) => match repetition.sub.kind() {
                HirKind::Class(class) => self.class(class, repetition.min > 0, true),
                _ if repetition.min > 0 => {
                    self.open();
                    self.take(&repetition.sub);
                    self.open();
                }
                _ => self.open(),
            },
            // Not between words: in one, or between signs.
            HirKind::Look(Look::WordAsciiNegate | Look::WordUnicodeNegate) | HirKind::Empty => {}
            // The beginning or end of a text, a line or a word.
            HirKind::Look(_) => self.gap(),
            HirKind::Alternation(_) => self.open(),
        }
    }

    fn character(&mut self, c: char) {
        if !c.is_ascii() && c.is_alphanumeric() {
            if self.text.is_empty() {
                self.open();
            }
            self.text.push(c);
        } else if !self.text.is_empty() {
            self.open();
            self.character(c);
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let word = self.word();
            word.pattern.push(c.to_ascii_lowercase());
        } else if c.is_ascii() {
            self.gap();
        } else {
            // Signs may be words too.
            self.open();
        }
    }

    fn word(&mut self) -> &mut WordPattern {
        let begun = self.begun;
        self.word.get_or_insert_with(|| WordPattern {
            pattern: if begun { ".*" } else { "" }.to_owned(),
            certain: 0,
        })
    }

    fn class(&mut self, class: &Class, at_least_one: bool, often: bool) {
        let Class::Unicode(class) = class else { return self.open() };
        if let (true, Some(c)) = (at_least_one, same_letter(class)) {
            // A letter in any case.
            self.character(c);
            if often {
                self.anything();
            }
            return;
        }
        let all = |fits: fn(char) -> bool| {
            class.ranges().iter().all(|range| (range.start()..=range.end()).take(1000).all(fits))
        };
        if class.is_ascii() && all(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.text_ends();
            self.anything();
        } else if class.is_ascii() && at_least_one && all(|c| !is_of_word(c)) || is_space(class) {
            if at_least_one { self.gap() } else { self.open() }
        } else {
            self.open();
        }
    }

    /// Characters of a word that nobody knows.
    fn anything(&mut self) {
        let word = self.word();
        if !word.pattern.ends_with(".*") {
            word.pattern.push_str(".*");
        }
    }

    /// Between two words.
    fn gap(&mut self) {
        self.text_ends();
        self.end_word();
        self.begun = false;
    }

    /// Anything may stand here.
    fn open(&mut self) {
        self.text_ends();
        if self.word.is_some() {
            self.anything();
        }
        self.end_word();
        let run = std::mem::take(&mut self.run);
        if !run.is_empty() {
            self.certain.runs.push(run);
        }
        self.begun = true;
    }

    fn text_ends(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.certain.texts.push(text);
            self.begun = true;
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        let whole = word.pattern.as_str();
        let (before, rest) = whole.strip_prefix(".*").map_or(("", whole), |rest| (".*", rest));
        let (rest, behind) = rest.strip_suffix(".*").map_or((rest, ""), |rest| (rest, ".*"));
        // Signs of this kind around a word are no part of it.
        let inner = rest.trim_matches('_');
        if inner.is_empty() && before.is_empty() && behind.is_empty() {
            let run = std::mem::take(&mut self.run);
            if !run.is_empty() {
                self.certain.runs.push(run);
            }
            return;
        }
        let certain = inner.replace(".*", "").len();
        let word = match inner {
            "" => WordPattern { pattern: ".*".to_owned(), certain },
            _ => WordPattern { pattern: [before, inner, behind].concat(), certain },
        };
        self.run.push(word);
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// White space of all kinds, as `\s` has it.
fn is_space(class: &ClassUnicode) -> bool {
    class.ranges().iter().all(|range| range.start().is_whitespace() && range.end().is_whitespace())
}

/// The letter that a class has in both cases, and nothing else.
fn same_letter(class: &ClassUnicode) -> Option<char> {
    let mut all = class.ranges().iter().map(|r| (r.start() == r.end()).then_some(r.start()));
    let first = all.next()??;
    let fold = |c: char| c.to_ascii_lowercase();
    all.all(|c| c.is_some_and(|c| c.is_ascii_alphabetic() && fold(c) == fold(first)))
        .then_some(first)
        .filter(char::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> String {
        let certain = Certain::of(&regex_syntax::parse(pattern).unwrap());
        let runs = certain
            .runs
            .iter()
            .map(|run| run.iter().map(|word| word.pattern.as_str()).collect::<Vec<_>>().join(" "));
        runs.chain(certain.texts.iter().map(|text| format!("{text}!")))
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn words_that_are_certain() {
        assert_eq!(of("foo"), ".*foo.*");
        assert_eq!(of(r"\bfoo\b"), "foo");
        assert_eq!(of("foo bar baz"), ".*foo bar baz.*");
        assert_eq!(of("Foo[a-z]+ bar"), ".*foo.* bar.*");
        assert_eq!(of("foo.*bar"), ".*foo.*|.*bar.*");
        assert_eq!(of(r"foo\s+bar"), ".*foo bar.*");
        assert_eq!(of(r"foo\s*bar"), ".*foo.*|.*bar.*");
        assert_eq!(of(r"fn (\w+)\(self"), ".*fn|self.*");
        assert_eq!(of("foo|bar"), "");
        assert_eq!(of("(?i)foo bar"), ".*foo bar.*");
        assert_eq!(of("日本語 foo"), "foo.*|日本語!");
        assert_eq!(of("__init__.x"), ".*init.*|.*x.*");
        assert_eq!(of("a->b"), ".*a b.*");
        assert_eq!(of(r"foo\Bbar \Bx"), ".*foobar x.*");
    }
}
