//! Colours for code: comments, strings, numbers and keywords, by families of languages.
//!
//! A reader of transcripts wants to tell code apart at a glance and at once; grammars would cost more to load than a session does
//! to open. What is coloured wrongly is still word for word there.

use anstyle::{AnsiColor, Style};
use recount_text::flow::Line;

struct Family {
    names: &'static [&'static str],
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static str,
    keywords: &'static [&'static str],
}

const C_WORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "defer",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "export",
    "extends",
    "extern",
    "false",
    "final",
    "float",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "go",
    "goto",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "let",
    "long",
    "loop",
    "match",
    "mod",
    "move",
    "mut",
    "namespace",
    "new",
    "nil",
    "null",
    "override",
    "package",
    "private",
    "protected",
    "pub",
    "public",
    "range",
    "ref",
    "return",
    "self",
    "Self",
    "short",
    "static",
    "struct",
    "super",
    "switch",
    "this",
    "throw",
    "throws",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "union",
    "unsafe",
    "unsigned",
    "use",
    "using",
    "var",
    "virtual",
    "void",
    "where",
    "while",
    "yield",
];

const FAMILIES: &[Family] = &[
    Family {
        names: &[
            "rust",
            "rs",
            "c",
            "h",
            "cpp",
            "cc",
            "hpp",
            "c++",
            "java",
            "kt",
            "kotlin",
            "js",
            "jsx",
            "javascript",
            "mjs",
            "ts",
            "tsx",
            "typescript",
            "go",
            "swift",
            "cs",
            "csharp",
            "scala",
            "dart",
            "zig",
            "php",
            "css",
            "scss",
            "json",
            "jsonc",
            "proto",
        ],
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: "\"'`",
        keywords: C_WORDS,
    },
    Family {
        names: &["python", "py", "ruby", "rb", "elixir", "ex", "nim", "julia", "r"],
        line_comments: &["#"],
        block_comment: None,
        quotes: "\"'",
        keywords: &[
            "and", "as", "assert", "async", "await", "begin", "break", "case", "class", "continue",
            "def", "del", "do", "elif", "else", "elsif", "end", "ensure", "except", "False",
            "false", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
            "module", "next", "nil", "None", "nonlocal", "not", "or", "pass", "raise", "rescue",
            "require", "return", "self", "then", "True", "true", "try", "unless", "until", "when",
            "while", "with", "yield",
        ],
    },
    Family {
        names: &[
            "sh",
            "bash",
            "zsh",
            "shell",
            "fish",
            "console",
            "toml",
            "yaml",
            "yml",
            "ini",
            "make",
            "makefile",
            "dockerfile",
            "nix",
            "conf",
        ],
        line_comments: &["#"],
        block_comment: None,
        quotes: "\"'",
        keywords: &[
            "case", "do", "done", "elif", "else", "esac", "exit", "export", "false", "fi", "for",
            "function", "if", "in", "local", "return", "set", "then", "true", "until", "while",
        ],
    },
    Family {
        names: &["sql", "lua", "haskell", "hs", "elm"],
        line_comments: &["--"],
        block_comment: None,
        quotes: "'\"",
        keywords: &[
            "add", "alter", "and", "as", "begin", "by", "case", "column", "commit", "create",
            "delete", "distinct", "do", "drop", "else", "end", "exists", "false", "for", "from",
            "function", "group", "having", "if", "in", "index", "insert", "integer", "into", "is",
            "join", "key", "left", "let", "limit", "local", "module", "nil", "not", "null", "on",
            "or", "order", "primary", "return", "select", "set", "table", "text", "then", "true",
            "type", "union", "unique", "update", "values", "where", "while", "with",
        ],
    },
];

const COMMENT: Style = Style::new().dimmed();
const STRING: Style = AnsiColor::Green.on_default();
const NUMBER: Style = AnsiColor::Cyan.on_default();
const KEYWORD: Style = AnsiColor::Magenta.on_default();
const PLAIN: Style = Style::new();

/// The language of a file, by its ending.
pub fn of_path(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(_, ending)| ending)
}

/// Code as one line for each of its lines, or nothing for a language that is not known. The code is harmless already.
pub fn lines(language: &str, code: &str) -> Option<Vec<Line>> {
    let language = language.split([',', ' ', '{']).next().unwrap_or_default().to_ascii_lowercase();
    let family = FAMILIES.iter().find(|f| f.names.contains(&language.as_str()))?;
    let any_case = language == "sql";
    let mut in_comment = false;
    let line = |text: &str| {
        let mut line = Line::default();
        one(family, any_case, text, &mut in_comment, &mut line);
        line
    };
    Some(code.split('\n').map(line).collect())
}

fn one(family: &Family, any_case: bool, text: &str, in_comment: &mut bool, out: &mut Line) {
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let (style, len) = if *in_comment {
            let end = family.block_comment.and_then(|(_, e)| rest.find(e).map(|at| at + e.len()));
            *in_comment = end.is_none();
            (COMMENT, end.unwrap_or(rest.len()))
        } else if let Some((start, end)) = family.block_comment.filter(|(s, _)| rest.starts_with(s))
        {
            let found = rest[start.len()..].find(end).map(|at| start.len() + at + end.len());
            *in_comment = found.is_none();
            (COMMENT, found.unwrap_or(rest.len()))
        } else if family.line_comments.iter().any(|s| rest.starts_with(s))
            // `$#` and `foo#bar` are no comments.
            && (c != '#' || before.is_whitespace())
        {
            (COMMENT, rest.len())
        } else if let Some(len) = family.quotes.contains(c).then(|| quoted(rest, c)).flatten() {
            (STRING, len)
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            let number = c.is_ascii_digit();
            let word_end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let len = if number { end } else { word_end }.unwrap_or(rest.len());
            let lower;
            let word = if any_case {
                lower = rest[..len].to_ascii_lowercase();
                lower.as_str()
            } else {
                &rest[..len]
            };
            let keyword = family.keywords.contains(&word) && before != '.';
            (
                if number {
                    NUMBER
                } else if keyword {
                    KEYWORD
                } else {
                    PLAIN
                },
                len,
            )
        } else {
            (PLAIN, c.len_utf8())
        };
        out.push(style, &rest[..len]);
        before = rest[..len].chars().next_back().unwrap_or(' ');
        rest = &rest[len..];
    }
}

/// The length of a string that begins here. A quote that nothing on its line closes is an apostrophe, or a lifetime.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{COMMENT, KEYWORD, NUMBER, STRING, lines, of_path};

    fn styled(language: &str, code: &str, style: anstyle::Style) -> Vec<String> {
        let lines = lines(language, code).unwrap();
        let spans = lines.iter().flat_map(|l| &l.0).filter(|s| s.style == style);
        spans.map(|s| s.text.clone()).collect()
    }

    #[test]
    fn words_are_told_apart_and_nothing_is_lost() {
        let code = "fn a<'x>(n: u8) { // é \"no\"\n/* two\nlines */ let s = \"a\\\"b\"; 0x1f.fn }";
        assert_eq!(styled("rust", code, KEYWORD), ["fn", "let"]);
        assert_eq!(styled("rust", code, STRING), ["\"a\\\"b\""]);
        assert_eq!(styled("rust", code, COMMENT), ["// é \"no\"", "/* two", "lines */"]);
        assert_eq!(styled("rust", "x = 12 + 1.5", NUMBER), ["12", "1.5"]);
        let all: Vec<String> = lines("rs", code)
            .unwrap()
            .iter()
            .map(|l| l.0.iter().map(|s| s.text.as_str()).collect())
            .collect();
        assert_eq!(all.join("\n"), code);
        assert_eq!(styled("sql", "SELECT a -- x", KEYWORD), ["SELECT"]);
        assert_eq!(styled("sh", "echo $# # x", COMMENT), ["# x"]);
        assert!(lines("klingon", "x").is_none());
        assert_eq!((of_path("src/a.rs"), of_path("b/Makefile")), ("rs", "Makefile"));
    }
}
