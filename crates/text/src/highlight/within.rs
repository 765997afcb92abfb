//! Code that does not stand alone: lines of a diff with signs, lines with numbers before them.

use super::{Kind, Token, lines};

/// Kinds and lengths of the pieces of one line.
type Line = Vec<(Kind, usize)>;

/// A diff as one list of pieces for each of its lines, or nothing for a language that is not known. What was and what came is read
/// as code of its own, hunk by hunk, so that a comment that a change opens does not cover what it replaces. The sign is the
/// beginning of the first piece of a line.
pub fn diff<'a>(language: &str, diff: &'a str) -> Option<Vec<Vec<Token<'a>>>> {
    lines(language, "")?;
    let all: Vec<&str> = diff.split('\n').collect();
    let mut out = Vec::with_capacity(all.len());
    for hunk in all.chunk_by(|a, b| is_code(a) == is_code(b)) {
        if !hunk.first().is_some_and(|line| is_code(line)) {
            out.extend(hunk.iter().map(|line| plain(line)));
            continue;
        }
        let [mut old, mut new] =
            ["-", "+"].map(|own| side(language, hunk, own).unwrap_or_default().into_iter());
        for line in hunk {
            let found = match line.as_bytes().first() {
                Some(b'-') => old.next(),
                Some(b'+') => new.next(),
                _ => {
                    old.next();
                    new.next()
                }
            };
            let sign = usize::from(!line.is_empty());
            out.push(cut(line, sign, &found.unwrap_or_default()));
        }
    }
    Some(out)
}

/// Code with a number before each of its lines, as tools give what they read: the pieces of each line, and how long what stands
/// before its code is. Nothing for a language that is not known. Lines without a number are code, too.
pub fn numbered<'a>(language: &str, text: &'a str) -> Option<Vec<(&'a str, Vec<Token<'a>>)>> {
    let split: Vec<(&str, &str)> = text.split('\n').map(number).collect();
    let code: Vec<&str> = split.iter().map(|(_, code)| *code).collect();
    let mut read = shapes(language, &code.join("\n"))?.into_iter();
    let tokens = |(before, code)| (before, cut(code, 0, &read.next().unwrap_or_default()));
    Some(split.into_iter().map(tokens).collect())
}

/// A number and what parts it from the code, and the code: `12→let`, `12\tlet`, `00012| let`, `12: let`.
fn number(line: &str) -> (&str, &str) {
    let digits = line.trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_digit());
    let has_digits = line.len() - digits.len() > line.len() - line.trim_start_matches(' ').len();
    let code = ["→", "\t", "| ", "|", ": ", ":"].iter().find_map(|mark| digits.strip_prefix(mark));
    match code.filter(|_| has_digits) {
        Some(code) => line.split_at(line.len() - code.len()),
        None => ("", line),
    }
}

/// Whether a line of a diff is a line of the file. An empty one is: editors cut the blank before it.
fn is_code(line: &str) -> bool {
    matches!(line.as_bytes().first(), None | Some(b'+' | b'-' | b' '))
}

/// The lines of one side of a hunk.
fn side(language: &str, hunk: &[&str], own: &str) -> Option<Vec<Line>> {
    let line = |line: &&'_ str| match line.strip_prefix(own).or_else(|| line.strip_prefix(' ')) {
        None if line.is_empty() => Some(String::new()),
        code => code.map(str::to_owned),
    };
    let code: Vec<String> = hunk.iter().filter_map(line).collect();
    shapes(language, &code.join("\n"))
}

fn shapes(language: &str, code: &str) -> Option<Vec<Line>> {
    let shape = |line: Vec<Token<'_>>| line.iter().map(|t| (t.kind, t.text.len())).collect();
    Some(lines(language, code)?.into_iter().map(shape).collect())
}

fn plain(text: &str) -> Vec<Token<'_>> {
    if text.is_empty() { Vec::new() } else { vec![Token { kind: Kind::Plain, text }] }
}

/// A line in pieces of these lengths, behind its sign.
fn cut<'a>(line: &'a str, sign: usize, shape: &Line) -> Vec<Token<'a>> {
    let mut at = 0;
    let mut out = Vec::with_capacity(shape.len() + 1);
    let mut lengths = shape.iter().copied().peekable();
    let mut first = sign;
    if let Some((Kind::Plain, len)) = lengths.peek().copied() {
        first += len;
        lengths.next();
    }
    for (kind, len) in std::iter::once((Kind::Plain, first)).chain(lengths) {
        let Some(text) = line.get(at..at + len).filter(|text| !text.is_empty()) else { continue };
        at += len;
        out.push(Token { kind, text });
    }
    // Nothing is lost, however it was read.
    if let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        out.extend(plain(rest));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Kind, diff, number, numbered};

    #[test]
    fn sides_of_a_diff_are_read_apart() {
        let text = "@@ -1,3 +1,3 @@ fn\n let a = 1;\n-/* was\n+let b = \"é\";\n \n\n-*/ let c\n\\ No newline";
        let lines = diff("rs", text).unwrap();
        let joined = |line: &Vec<super::Token<'_>>| line.iter().map(|t| t.text).collect::<String>();
        assert_eq!(lines.iter().map(joined).collect::<Vec<_>>().join("\n"), text);
        let of = |n: usize, kind| {
            lines[n].iter().filter(|t| t.kind == kind).map(|t| t.text).collect::<Vec<_>>()
        };
        assert!(lines[0].iter().all(|t| t.kind == Kind::Plain));
        assert_eq!((of(1, Kind::Keyword), of(1, Kind::Number)), (vec!["let"], vec!["1"]));
        assert_eq!(of(2, Kind::Comment), ["/* was"]);
        assert_eq!((of(3, Kind::Keyword), of(3, Kind::String)), (vec!["let"], vec!["\"é\""]));
        assert_eq!((of(6, Kind::Comment), of(6, Kind::Keyword)), (vec!["*/"], vec!["let"]));
        assert!(diff("klingon", text).is_none());
    }

    #[test]
    fn numbers_before_code_are_no_code() {
        assert_eq!(number("    31\tlet"), ("    31\t", "let"));
        assert_eq!(number("12→let"), ("12→", "let"));
        assert_eq!(number("00012| let"), ("00012| ", "let"));
        assert_eq!(number("1: let"), ("1: ", "let"));
        for line in ["let 1: x", "  : x", "12 x", "", "→"] {
            assert_eq!(number(line), ("", line));
        }
        let lines = numbered("rs", "  1\tlet a\n  2\t/* b\n  3\tc */ 4\nd").unwrap();
        let code: Vec<_> = lines.iter().map(|(before, code)| (*before, code.len())).collect();
        assert_eq!(code, [("  1\t", 2), ("  2\t", 1), ("  3\t", 3), ("", 1)]);
        assert_eq!((lines[2].1[0].kind, lines[2].1[2].text), (Kind::Comment, "4"));
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_lost(text in "([-+@ ]?[a/*\"'` 1é]{0,6}\n){0,8}[0-9]?[→|: ]?") {
            let lines = diff("js", &text).unwrap();
            let joined = |line: &[super::Token<'_>]| line.iter().map(|t| t.text).collect::<String>();
            let all: Vec<_> = lines.iter().map(|line| joined(line)).collect();
            proptest::prop_assert_eq!(all.join("\n"), text.clone());
            let lines = numbered("js", &text).unwrap();
            let all: Vec<_> = lines.iter().map(|(n, line)| format!("{n}{}", joined(line))).collect();
            proptest::prop_assert_eq!(all.join("\n"), text);
        }
    }
}
