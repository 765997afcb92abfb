//! The part of a text that shows why it was found.

use std::ops::Range;

use regex::Regex;

use super::compose::in_both_ways;

/// So much of a text is shown, in bytes.
const WIDTH: usize = 240;
/// So much stands before the first match.
const BEFORE: usize = 60;
/// More matches in one text are not looked at.
const MOST: usize = 2000;

/// What is marked.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// Folded words that follow each other with nothing but punctuation between.
    Words {
        parts: Vec<String>,
        /// Whether the last one is a beginning.
        prefix: bool,
        /// Whether it may stand inside of a word.
        inside: bool,
    },
    /// One of several folded words.
    AnyOf(Vec<String>),
    /// A pattern.
    Pattern(Regex),
}

/// A piece of text with matches in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text.
    pub text: String,
    /// The matches, byte ranges in the text.
    pub marks: Vec<Range<usize>>,
    /// Whether text was left out before.
    pub cut_before: bool,
    /// Whether text was left out behind.
    pub cut_after: bool,
}

/// Where a match is, and the number of what it is a match of.
type Match = (Range<usize>, usize);

/// Finds marks in texts.
#[derive(Debug)]
pub(crate) struct Marker {
    words: Vec<Words>,
    patterns: Vec<Regex>,
}

/// Words that follow each other. A pattern of all of them, with all that may stand between, would take longer to be made than a
/// search.
#[derive(Debug)]
struct Words {
    first: Regex,
    /// The others, each at the beginning of what it is looked for in.
    rest: Vec<Regex>,
    prefix: bool,
    inside: bool,
}

/// Between the parts of an identifier stands nothing, or so many signs at most.
const BETWEEN: usize = 40;

impl Words {
    fn new(first: &str, rest: &[String], prefix: bool, inside: bool) -> Option<Self> {
        let rest = rest.iter().map(|part| in_any_case(&format!("^(?:{part})")));
        Some(Self {
            first: in_any_case(first)?,
            rest: rest.collect::<Option<_>>()?,
            prefix,
            inside,
        })
    }

    /// Where they stand in a text: whole words, where no parts are wanted.
    fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut behind = 0;
        self.first.find_iter(text).filter_map(move |found| {
            let mut end = found.end();
            if found.start() < behind {
                return None;
            }
            if !self.inside && !begins(text, found.start()) {
                return None;
            }
            for part in &self.rest {
                let signs = text[end..].char_indices().take(BETWEEN);
                end += signs
                    .take_while(|(_, c)| !c.is_alphanumeric())
                    .last()
                    .map_or(0, |(at, c)| at + c.len_utf8());
                end += part.find(&text[end..])?.end();
            }
            if !self.inside && !self.prefix && !ends(text, end) {
                return None;
            }
            behind = end;
            Some(found.start()..end)
        })
    }
}

fn in_any_case(pattern: &str) -> Option<Regex> {
    let built = regex::RegexBuilder::new(pattern).case_insensitive(true).build();
    built.ok().filter(|_| !pattern.is_empty())
}

impl Marker {
    pub(crate) fn new(marks: &[Mark]) -> Self {
        let mut words = Vec::new();
        let mut patterns = Vec::new();
        for mark in marks {
            match mark {
                Mark::Pattern(regex) => patterns.push(regex.clone()),
                Mark::Words { parts, prefix, inside } => {
                    let parts: Vec<String> = parts.iter().map(|p| in_both_ways(p)).collect();
                    let Some((first, rest)) = parts.split_first() else { continue };
                    words.extend(Words::new(first, rest, *prefix, *inside));
                }
                Mark::AnyOf(all) => {
                    let mut all: Vec<String> = all.iter().map(|p| in_both_ways(p)).collect();
                    // Of two that begin alike the longer one is tried first.
                    all.sort_by_key(|word| std::cmp::Reverse(word.len()));
                    words.extend(Words::new(&all.join("|"), &[], false, false));
                }
            }
        }
        Self { words, patterns }
    }

    /// The matches in a text, each with the number of what it is a match of.
    fn find(&self, text: &str) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for (n, words) in self.words.iter().enumerate() {
            let whole = |range: Range<usize>| {
                let rest = if words.prefix { rest_of_word(&text[range.end..]) } else { 0 };
                range.start..range.end + rest
            };
            found.extend(words.find(text).take(MOST).map(|range| (whole(range), n)));
        }
        for (n, regex) in self.patterns.iter().enumerate() {
            let matches = regex.find_iter(text).map(|m| m.range()).filter(|r| !r.is_empty());
            found.extend(matches.take(MOST).map(|range| (range, self.words.len() + n)));
        }
        found.sort_by_key(|(range, _)| (range.start, range.end));
        found
    }

    /// Whether something may be marked in the strings of JSON text. Words stand there as they are, but for letters that are written
    /// as numbers; what fits a pattern may be written in another way.
    pub(crate) fn may_fit(&self, json: &str) -> bool {
        !self.patterns.is_empty()
            || self.words.iter().any(|words| words.first.is_match(json))
            || (!self.words.is_empty() && json.contains("\\u"))
    }

    /// Whether anything is marked in a text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// Whether all marks are in one piece of a text.
    pub(crate) fn fits_whole(&self, text: &str) -> bool {
        window(&self.find(text)).is_some_and(|(different, _)| different == self.all())
    }

    fn all(&self) -> usize {
        self.words.len() + self.patterns.len()
    }

    /// The best piece of some texts: the one with the most different marks, the earliest of equals. Without a match it
    /// is the beginning. `context` gives so many whole lines around the match instead of a piece of fixed length.
    pub(crate) fn snippet(&self, texts: &[String], context: Option<usize>) -> Snippet {
        let mut best: Option<(usize, &str, usize, Vec<Match>)> = None;
        let all = self.all();
        for text in texts {
            let found = self.find(text);
            let Some((different, first)) = window(&found) else { continue };
            if best.as_ref().is_none_or(|(most, ..)| different > *most) {
                best = Some((different, text, first, found));
                if different == all {
                    break;
                }
            }
        }
        let Some((_, text, first, found)) = best else {
            let text = telling(texts);
            return cut(text, 0..boundary(text, WIDTH.min(text.len())), &[]);
        };
        let at = found.get(first).map_or(0..0, |(range, _)| range.clone());
        let range = match context {
            Some(lines) => around(text, &at, lines),
            None => piece(text, &at),
        };
        cut(text, range, &found)
    }
}

/// The text that tells most: the one with the most words, the first of equals. Records begin with ids and times.
fn telling(texts: &[String]) -> &str {
    let words = |text: &&String| text.split_whitespace().take(WIDTH).count();
    texts.iter().rev().max_by_key(words).map_or("", String::as_str)
}

/// How much of a word a text begins with.
fn rest_of_word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())
}

/// Whether a word begins there: at a change from punctuation, or inside of an identifier at a capital or `_`.
fn begins(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let here = text[at..].chars().next();
    match (before, here) {
        (Some(b), Some(h)) if b.is_alphanumeric() && h.is_alphanumeric() => {
            (h.is_uppercase() && !b.is_uppercase())
                || (h.is_uppercase() && text[at..].chars().nth(1).is_some_and(char::is_lowercase))
                || !h.is_ascii()
        }
        _ => true,
    }
}

fn ends(text: &str, at: usize) -> bool {
    let last = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    match (last, after) {
        (Some(l), Some(a)) if l.is_alphanumeric() && a.is_alphanumeric() => {
            (a.is_uppercase() && !l.is_uppercase())
                || (a.is_uppercase() && text[at..].chars().nth(1).is_some_and(char::is_lowercase))
                || !l.is_ascii()
        }
        _ => true,
    }
}

/// How many different marks the best piece has, and the number of its first match.
fn window(found: &[Match]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for (n, (range, _)) in found.iter().enumerate() {
        let end = range.start + WIDTH - BEFORE;
        let mut kinds: Vec<usize> =
            found[n..].iter().take_while(|(r, _)| r.end <= end).take(64).map(|(_, k)| *k).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let different = kinds.len().max(1);
        if best.is_none_or(|(most, _)| different > most) {
            best = Some((different, n));
        }
    }
    best
}

/// A piece of fixed length with the match in it.
fn piece(text: &str, at: &Range<usize>) -> Range<usize> {
    let mut start = at.start.saturating_sub(BEFORE);
    let mut end = (start + WIDTH).max(at.end).min(text.len());
    // At the end of a text more of what stands before fits.
    if end == text.len() {
        start = start.min(end.saturating_sub(WIDTH));
    }
    start = boundary(text, start);
    end = boundary(text, end);
    // Not in the middle of a word.
    if start > 0
        && let Some(n) = text[start..at.start].find(char::is_whitespace)
    {
        start += n + 1;
    }
    start = boundary(text, start).min(at.start);
    if end < text.len()
        && let Some(n) = text[at.end..end.max(at.end)].rfind(char::is_whitespace)
    {
        end = at.end + n;
    }
    start..end.max(at.end)
}

/// Whole lines around the match.
fn around(text: &str, at: &Range<usize>, lines: usize) -> Range<usize> {
    let mut start = text[..at.start].rfind('\n').map_or(0, |n| n + 1);
    let mut end = text[at.end..].find('\n').map_or(text.len(), |n| at.end + n);
    for _ in 0..lines {
        if start == 0 && end == text.len() {
            break;
        }
        if start > 0 {
            start = text[..start - 1].rfind('\n').map_or(0, |n| n + 1);
        }
        if end < text.len() {
            end = text[end + 1..].find('\n').map_or(text.len(), |n| end + 1 + n);
        }
    }
    // A line can be megabytes long.
    let most = WIDTH * lines.saturating_mul(2).saturating_add(1).min(100);
    if end - start > most * 4 {
        let piece = piece(text, at);
        start = start.max(boundary(text, piece.start.saturating_sub(most)));
        end = end.min(boundary(text, piece.end + most));
    }
    start..end
}

/// The next boundary of a character, downwards.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn cut(text: &str, range: Range<usize>, found: &[Match]) -> Snippet {
    let mut marks: Vec<Range<usize>> = Vec::new();
    for (mark, _) in found {
        if mark.start < range.start || mark.end > range.end {
            continue;
        }
        let mark = mark.start - range.start..mark.end - range.start;
        match marks.last_mut() {
            Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
            _ => marks.push(mark),
        }
    }
    Snippet {
        cut_before: !text[..range.start].trim().is_empty(),
        cut_after: !text[range.end..].trim().is_empty(),
        text: text[range].to_owned(),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[&[&str]]) -> Marker {
        let marks: Vec<Mark> = all
            .iter()
            .map(|parts| Mark::Words {
                parts: parts.iter().map(|p| (*p).to_owned()).collect(),
                prefix: false,
                inside: false,
            })
            .collect();
        Marker::new(&marks)
    }

    fn shown(snippet: &Snippet) -> String {
        let mut out = String::new();
        let mut at = 0;
        for mark in &snippet.marks {
            out += &snippet.text[at..mark.start];
            out += &["[", &snippet.text[mark.clone()], "]"].concat();
            at = mark.end;
        }
        out += &snippet.text[at..];
        let (before, after) = (snippet.cut_before, snippet.cut_after);
        format!("{}{out}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
    }

    #[test]
    fn whole_words_and_parts_of_identifiers() {
        let of =
            |parts: &[&str], text: &str| shown(&words(&[parts]).snippet(&[text.to_owned()], None));
        assert_eq!(
            of(&["user"], "superuser, userName, a User_x"),
            "superuser, [user]Name, a [User]_x"
        );
        assert_eq!(of(&["user", "name"], "getUserName user-name"), "get[UserName] [user-name]");
        assert_eq!(of(&["本", "語"], "日本語です"), "日[本語]です");
        assert_eq!(of(&["école"], "une e\u{301}cole"), "une [e\u{301}cole]");
    }

    #[test]
    fn the_piece_with_the_most_different_matches() {
        let text = format!("alpha {} alpha beta {}", "x ".repeat(300), "y ".repeat(300));
        let snippet = words(&[&["alpha"], &["beta"]]).snippet(&[text], None);
        assert!(shown(&snippet).contains("[alpha] [beta]"));
        assert!(snippet.cut_before && snippet.cut_after);
        assert!(snippet.text.len() <= WIDTH);
    }

    #[test]
    fn what_a_text_may_stand_for() {
        let two = words(&[&["two"]]);
        assert!(two.may_fit("twotwo two") && two.may_fit("four two") && !two.may_fit("one"));
        assert!(two.may_fit(&crate::search::strings::lossy(b"\xff TWO")) && !two.may_fit(""));
        assert!(words(&[&["été"]]).may_fit(r"l'\u00e9t\u00e9"));
        let patterns = Marker::new(&[Mark::Pattern(Regex::new("^say \"f").unwrap())]);
        assert!(patterns.may_fit(r#""one\nsay \"four\"""#));
    }

    #[test]
    fn words_of_a_phrase_stand_close_together() {
        let phrase = words(&[&["one", "two"]]);
        let of = |text: &str| shown(&phrase.snippet(&[text.to_owned()], None));
        assert_eq!(of("one, one — TWO!"), "one, [one — TWO]!");
        assert_eq!(of(&format!("one{}two", ".".repeat(40))), format!("[one{}two]", ".".repeat(40)));
        assert!(!phrase.fits(&format!("one{}two", ".".repeat(41))));
        assert!(
            !phrase.fits("one twofold") && !phrase.fits("two one") && phrase.fits("x one\ntwo")
        );
        let twice = words(&[&["data", "data"]]).snippet(&["mydata data data".to_owned()], None);
        assert_eq!(shown(&twice), "mydata [data data]");
        assert!(phrase.fits_whole("a one two") && !words(&[&["one"], &["two"]]).fits_whole("one"));
    }

    #[test]
    fn whole_lines() {
        let text = "one\ntwo\nthree needle\nfour\nfive\n".to_owned();
        let snippet = words(&[&["needle"]]).snippet(std::slice::from_ref(&text), Some(1));
        assert_eq!(shown(&snippet), "…two\nthree [needle]\nfour…");
        // As many as there are: no look for more.
        let all = words(&[&["needle"]]).snippet(std::slice::from_ref(&text), Some(usize::MAX));
        assert_eq!(shown(&all), text.replace("needle", "[needle]"));
    }

    #[test]
    fn no_match_is_the_beginning() {
        let snippet = words(&[&["needle"]]).snippet(&[String::new(), "hay".to_owned()], None);
        assert_eq!(shown(&snippet), "hay");
        let long = "é".repeat(500);
        assert_eq!(words(&[]).snippet(&[long], None).text.chars().count(), WIDTH / 2);
    }
}
