//! What a person types: words, `"phrases"`, `-not`, `OR`, `prefix*`, `/regex/`, `field:value`.
//!
//! All terms have to fit; `OR` joins the two beside it. What is no known field is text: `std::io` and `error:` are
//! words. Time is told by the caller, who knows the clock.

use recount_formats::Harness;
use regex::Regex;

/// A query.
#[derive(Debug, Clone)]
pub struct Query {
    /// All of them have to fit.
    pub(crate) terms: Vec<Term>,
}

/// One or several of which one has to fit.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) any: Vec<Atom>,
    pub(crate) not: bool,
}

/// What a term asks for.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    /// Words side by side, as they were typed.
    Text {
        text: String,
        quoted: bool,
        prefix: bool,
    },
    /// Text that fits a pattern.
    Regex(Regex),
    Harness(String),
    Project(String),
    Role(super::Role),
    Tool(String),
    File(String),
    Branch(String),
    /// Milliseconds since 1970.
    Since(i64),
    Until(i64),
}

/// The end of a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its beginning: `since:`.
    Since,
    /// Its end: `until:`.
    Until,
}

/// Reads a time as a person writes it, and gives milliseconds since 1970.
pub type Times<'a> = &'a dyn Fn(End, &str) -> Result<i64, String>;

impl Query {
    /// Reads a query. An error says what to write instead.
    pub fn parse(text: &str, times: Times<'_>) -> Result<Self, String> {
        let mut terms: Vec<Term> = Vec::new();
        let mut rest = text.trim_start();
        let mut or = false;
        while !rest.is_empty() {
            let (piece, after) = piece(rest);
            rest = after.trim_start();
            if piece.raw == "OR" && !terms.is_empty() && !rest.is_empty() {
                or = true;
                continue;
            }
            // The word that is usual elsewhere says what is meant anyway.
            if piece.raw == "AND" && !terms.is_empty() && !rest.is_empty() {
                continue;
            }
            let not = piece.not;
            let before = terms.last().is_some_and(|last| last.not);
            if or && (not || before) {
                return Err(format!(
                    "what may not be there cannot be one of several: write `{}` without the `OR`",
                    piece.raw
                ));
            }
            let Some(atom) = atom(&piece, times)? else { continue };
            match terms.last_mut() {
                Some(last) if or => last.any.push(atom),
                _ => terms.push(Term { any: vec![atom], not }),
            }
            or = false;
        }
        if terms.is_empty() {
            return Err(
                "nothing to search for: give a word, a \"phrase\" or /a pattern/".to_owned()
            );
        }
        Ok(Self { terms })
    }

    /// Whether words are looked for, which others may be like.
    pub(crate) fn has_words(&self) -> bool {
        let mut atoms = self.terms.iter().filter(|term| !term.not).flat_map(|term| &term.any);
        atoms.any(|atom| matches!(atom, Atom::Text { .. }))
    }
}

/// A piece of a query as it was typed.
struct Piece<'a> {
    not: bool,
    raw: &'a str,
    field: Option<&'a str>,
    value: &'a str,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Plain,
    Quoted,
    Pattern,
}

const FIELDS: [&str; 8] =
    ["harness", "project", "role", "tool", "file", "branch", "since", "until"];

/// The first piece and what follows it.
fn piece(text: &str) -> (Piece<'_>, &str) {
    let (not, body) = match text.strip_prefix('-') {
        // `->` and `--` are text.
        Some(body) if body.starts_with(|c: char| c.is_alphanumeric() || "\"/_".contains(c)) => {
            (true, body)
        }
        _ => (false, text),
    };
    let field = body.split_once(':').map(|(name, _)| name).filter(|name| FIELDS.contains(name));
    let value = field.map_or(body, |name| &body[name.len() + 1..]);
    let start = text.len() - value.len();
    let made = |kind, value, len: usize| {
        let end = start + len;
        (Piece { not, raw: &text[..end], field, value, kind }, &text[end..])
    };
    if let Some(inner) = value.strip_prefix('"') {
        return match inner.find('"') {
            Some(n) => made(Kind::Quoted, &inner[..n], n + 2),
            None => made(Kind::Quoted, inner, value.len()),
        };
    }
    if field.is_none()
        && let Some(n) = pattern(value)
    {
        return made(Kind::Pattern, &value[1..=n], n + 2);
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    made(Kind::Plain, &value[..end], end)
}

/// The length of the pattern when the text begins with one: `/…/` up to white space or the end. A pattern with spaces
/// has no other `/` in it.
fn pattern(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('/')?;
    let word = inner.find(char::is_whitespace).unwrap_or(inner.len());
    if word > 1 && inner[..word].ends_with('/') && !inner[..word].ends_with("\\/") {
        return Some(word - 1);
    }
    let end = inner.find('/')?;
    let closed = inner[end + 1..].chars().next().is_none_or(char::is_whitespace);
    (end > 0 && closed).then_some(end)
}

fn atom(piece: &Piece<'_>, times: Times<'_>) -> Result<Option<Atom>, String> {
    let value = piece.value;
    let owned = value.to_owned();
    if let Some(field) = piece.field
        && value.trim_matches('*').trim().is_empty()
    {
        return Err(format!("`{field}:` needs something behind it: see `recount search --help`"));
    }
    Ok(Some(match piece.field {
        Some("harness") => {
            let name = owned.to_lowercase();
            let known: Vec<&str> = Harness::ALL.iter().map(|harness| harness.id()).collect();
            if !known.iter().any(|id| id.starts_with(&name)) {
                return Err(format!("no harness `{value}`: known are {}", known.join(", ")));
            }
            Atom::Harness(name)
        }
        Some("project") => Atom::Project(owned),
        Some("role") => {
            let role = super::Role::named(&owned.to_lowercase()).ok_or_else(|| {
                let known: Vec<&str> = super::Role::ALL.iter().map(|r| r.name()).collect();
                format!("no role `{value}`: known are {}", known.join(", "))
            })?;
            Atom::Role(role)
        }
        Some("tool") => Atom::Tool(owned.to_lowercase()),
        Some("file") => Atom::File(owned),
        Some("branch") => Atom::Branch(owned),
        Some("since") => Atom::Since(times(End::Since, value)?),
        Some("until") => Atom::Until(times(End::Until, value)?),
        _ if piece.kind == Kind::Pattern => Atom::Regex(regex(value)?),
        _ if value.is_empty() => return Ok(None),
        _ => {
            let quoted = piece.kind == Kind::Quoted;
            let cut = value.strip_suffix('*').filter(|_| !quoted).map(|v| v.trim_end_matches('*'));
            match cut {
                Some("") => return Ok(None),
                Some(word) if word.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                    Atom::Text { text: word.to_owned(), quoted, prefix: true }
                }
                // Nothing but punctuation is found by reading.
                _ if super::tokenize::words(value).is_empty() => {
                    Atom::Regex(regex(&regex::escape(value))?)
                }
                _ => Atom::Text { text: owned, quoted, prefix: false },
            }
        }
    }))
}

/// Capitals in a pattern mean capitals; without any, case does not matter.
fn regex(pattern: &str) -> Result<Regex, String> {
    // Those of `\B` and `\W` are none.
    let mut escaped = false;
    let capitals = pattern.chars().any(|c| {
        let is_sign = escaped;
        escaped = c == '\\' && !is_sign;
        c.is_uppercase() && !is_sign
    });
    regex::RegexBuilder::new(pattern)
        .case_insensitive(!capitals)
        .multi_line(true)
        .size_limit(4 << 20)
        .build()
        .map_err(|e| format!("/{pattern}/ is no pattern: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let times = |_: End, text: &str| text.parse::<i64>().map_err(|e| e.to_string());
        match Query::parse(text, &times) {
            Err(e) => format!("error {e}"),
            Ok(query) => {
                let terms = query.terms.iter().map(|term| {
                    let any: Vec<String> = term.any.iter().map(|a| format!("{a:?}")).collect();
                    format!("{}{}", if term.not { "-" } else { "" }, any.join("|"))
                });
                terms.collect::<Vec<_>>().join(" ")
            }
        }
        .replace("Text { text: ", "{")
        .replace(", quoted: false", "")
        .replace(", quoted: true", " q")
        .replace(", prefix: false }", "}")
        .replace(", prefix: true }", "*}")
    }

    #[test]
    fn pieces() {
        assert_eq!(shape("foo bar"), r#"{"foo"} {"bar"}"#);
        assert_eq!(shape("a OR b c"), r#"{"a"}|{"b"} {"c"}"#);
        assert_eq!(shape("a -b -\"c d\""), r#"{"a"} -{"b"} -{"c d" q}"#);
        assert_eq!(shape("\"not closed"), r#"{"not closed" q}"#);
        assert_eq!(shape("auth* x"), r#"{"auth"*} {"x"}"#);
        assert_eq!(
            shape("std::io error: - a-b"),
            r#"{"std::io"} {"error:"} Regex(Regex("\\-")) {"a-b"}"#
        );
        assert_eq!(shape("->"), r#"Regex(Regex("\\->"))"#);
        assert_eq!(shape("OR"), r#"{"OR"}"#);
        assert_eq!(shape("a AND b"), r#"{"a"} {"b"}"#);
        for query in ["a OR -b", "-b OR a"] {
            assert!(shape(query).starts_with("error what may not be there"), "{query}");
        }
    }

    #[test]
    fn fields() {
        assert_eq!(shape("role:user x"), r#"Role(User) {"x"}"#);
        assert_eq!(shape("-tool:Bash file:\"a b.rs\" z"), r#"-Tool("bash") File("a b.rs") {"z"}"#);
        assert_eq!(shape("since:5 until:7"), "Since(5) Until(7)");
        assert_eq!(shape("harness:pi OR harness:codex"), r#"Harness("pi")|Harness("codex")"#);
        assert!(shape("role:cook").starts_with("error no role `cook`: known are user, "));
        assert!(shape("since:tomorrow").starts_with("error"));
        assert!(shape("harness:cook").starts_with("error no harness `cook`: known are codex, "));
        for empty in ["harness:", "tool:", "file:\"\"", "project:", "branch:", "tool:*"] {
            assert!(shape(empty).contains(":` needs something behind it"), "{empty}");
        }
    }

    #[test]
    fn patterns() {
        assert_eq!(shape("/foo.*bar/ x"), r#"Regex(Regex("foo.*bar")) {"x"}"#);
        assert_eq!(shape("/foo bar/"), r#"Regex(Regex("foo bar"))"#);
        assert_eq!(shape("/home/dev/shop x"), r#"{"/home/dev/shop"} {"x"}"#);
        assert!(shape("/(/").starts_with("error /(/ is no pattern"));
    }

    #[test]
    fn capitals_in_patterns() {
        let fits = |pattern: &str, text: &str| regex(pattern).unwrap().is_match(text);
        assert!(fits(r"foo\Bbar", "fooBar") && fits(r"a\W\\b", r"A.\B"));
        assert!(!fits("Foo", "foo") && !fits(r"\\B", r"\b"));
    }

    #[test]
    fn nothing() {
        assert!(shape("  ").starts_with("error nothing"));
        assert!(shape("\"\"").starts_with("error nothing"));
        assert!(shape("*").starts_with("error nothing"));
    }
}
