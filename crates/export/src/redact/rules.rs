//! The rules, as data.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;

/// One kind of token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    /// What it is called.
    pub(super) name: String,
    /// What it begins with.
    pub(super) starts: Vec<String>,
    /// What follows.
    pub(super) signs: Signs,
    /// So many of them at least.
    pub(super) least: usize,
    /// So many of them at most.
    pub(super) most: Option<usize>,
    /// Whether letters and digits both have to be among them: for beginnings that are words.
    #[serde(default)]
    pub(super) mixed: bool,
}

/// Characters that a token is made of.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Signs {
    Alnum,
    Word,
    Dotted,
    Base64,
    Hex,
    Upper,
}

impl Signs {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=')
            }
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    token: Vec<Token>,
    names: Names,
    placeholders: Placeholders,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    secret: Vec<String>,
    never: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placeholders {
    starts: Vec<String>,
}

/// The rules, ready for use.
#[derive(Debug)]
pub(super) struct Rules {
    file: File,
    /// Finds the beginnings of tokens, the longest one at each place.
    pub(super) starts: AhoCorasick,
    /// The token of each beginning.
    of_start: Vec<usize>,
}

/// The rules of this program.
pub(super) static RULES: LazyLock<Option<Rules>> =
    LazyLock::new(|| Rules::read(include_str!("rules.toml")).ok());

impl Rules {
    fn read(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        let mut starts = Vec::new();
        let mut of_start = Vec::new();
        for (n, token) in file.token.iter().enumerate() {
            for start in &token.starts {
                starts.push(start.as_str());
                of_start.push(n);
            }
        }
        let starts = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&starts)
            .map_err(|e| e.to_string())?;
        Ok(Self { file, starts, of_start })
    }

    /// The token with this beginning.
    pub(super) fn token(&self, start: usize) -> Option<&Token> {
        self.file.token.get(*self.of_start.get(start)?)
    }

    /// Whether a secret stands under this name.
    pub(super) fn is_secret_name(&self, name: &str) -> bool {
        if name.len() > 80 {
            return false;
        }
        let name: String =
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let ends = |names: &[String]| names.iter().any(|n| name.ends_with(n.as_str()));
        // Short names are names only when they are all there is: `mapping` is no `pin`.
        let secret =
            |n: &String| if n.len() <= 4 { name == *n } else { name.ends_with(n.as_str()) };
        self.file.names.secret.iter().any(secret) && !ends(&self.file.names.never)
    }

    /// Whether a value only stands for a secret.
    pub(super) fn is_placeholder(&self, value: &str) -> bool {
        let lower = value.get(..value.len().min(32)).unwrap_or(value).to_ascii_lowercase();
        self.file.placeholders.starts.iter().any(|start| lower.starts_with(start.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_can_be_read() {
        Rules::read(include_str!("rules.toml")).unwrap();
        assert!(RULES.is_some());
    }

    #[test]
    fn names() {
        let rules = RULES.as_ref().unwrap();
        for name in ["password", "DB_PASSWORD", "x-api-key", "aws_secret_access_key", "PIN"] {
            assert!(rules.is_secret_name(name), "{name}");
        }
        for name in ["max_tokens", "mapping", "public_key", "author", "cost"] {
            assert!(!rules.is_secret_name(name), "{name}");
        }
    }
}
