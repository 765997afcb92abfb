//! Letters with marks, which Unicode writes in two ways: `é` as one character, or as `e` with a mark behind it, as macOS does in
//! the names of files. Words are indexed with one character for both.

use icu_normalizer::properties::{
    CanonicalCompositionBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};

/// Whether a character is such a mark.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The letter with the mark, as one character; nothing when there is none.
pub(super) fn composed(letter: char, mark: char) -> Option<char> {
    CanonicalCompositionBorrowed::new().compose(letter, mark)
}

/// The letter and the mark of which a letter is made.
fn parted(letter: char) -> Option<(char, char)> {
    match CanonicalDecompositionBorrowed::new().decompose(letter) {
        Decomposed::Expansion(bare, mark) if is_mark(mark) => Some((bare, mark)),
        _ => None,
    }
}

/// A pattern for a folded word, however its letters are written.
pub(super) fn in_both_ways(word: &str) -> String {
    if word.is_ascii() {
        return regex::escape(word);
    }
    word.chars().map(either).collect()
}

fn either(c: char) -> String {
    let one = regex::escape(c.encode_utf8(&mut [0; 4]));
    match parted(c).filter(|_| !c.is_ascii()) {
        Some((bare, mark)) => format!("(?:{one}|{}{mark})", either(bare)),
        None => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_their_marks() {
        assert_eq!(composed('e', '\u{301}'), Some('é'));
        assert_eq!(composed('ê', '\u{301}'), Some('ế'));
        assert_eq!(composed('и', '\u{306}'), Some('й'));
        assert_eq!(composed('x', '\u{301}'), None);
        let both = regex::Regex::new(&format!("^{}$", in_both_ways("tiếng"))).unwrap();
        for text in ["tiếng", "tie\u{302}\u{301}ng", "tiê\u{301}ng"] {
            assert!(both.is_match(text), "{text}");
        }
        assert!(!both.is_match("tieng"));
        assert_eq!(in_both_ways("a_b"), "a_b");
    }
}
