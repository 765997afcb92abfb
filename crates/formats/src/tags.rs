//! Telling record types apart while the syntax is checked, so that a header costs no second look at a record.

use std::borrow::Cow;

use crate::json::scan::Visit;
use crate::json::{self, Json, Kind, SyntaxError, Text};

/// Where the tags of a harness's records stand: paths of keys, at most eight of them.
pub type Paths = &'static [&'static [&'static str]];

const MAX_PATHS: usize = 8;
const MAX_DEPTH: usize = 4;

/// The kinds of record of one harness.
pub trait Tagged: Copy {
    /// Where its tags stand, in the order in which they are looked at.
    const PATHS: Paths;

    /// Decides a kind.
    fn of_tags(tags: &Tags<'_>) -> Self;
}

/// The tags of a record: for each path the string that stands there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tags<'a>([Option<Text<'a>>; MAX_PATHS]);

impl<'a> Tags<'a> {
    /// The tag at a path, by the path's number, its escapes resolved.
    pub fn get(&self, path: usize) -> Option<Cow<'a, str>> {
        self.0.get(path).copied().flatten().map(Text::get)
    }

    /// The tags of a record that was parsed before.
    pub fn of(record: Json<'a>, paths: Paths) -> Self {
        parse(record.raw(), paths).map_or_else(|_| Self::default(), |(_, tags)| tags)
    }

    /// All tags, joined as the catalogue spells types; `?` when there is none.
    pub fn joined(&self) -> String {
        let tags: Vec<_> = self.0.iter().flatten().map(|tag| tag.get()).collect();
        if tags.is_empty() { "?".to_owned() } else { tags.join(" / ") }
    }
}

/// Parses a record and collects its tags on the way.
pub fn parse(text: &str, paths: Paths) -> Result<(Json<'_>, Tags<'_>), SyntaxError> {
    let mut collector = Collector {
        text,
        paths,
        tags: Tags::default(),
        live: [0; MAX_DEPTH],
        matched: 0,
        depth: 0,
        pending: (1 << paths.len().min(MAX_PATHS)) - 1,
    };
    let value = json::parse_with(text, &mut collector)?;
    Ok((value, collector.tags))
}

/// Collects tags. Sets of paths are bit sets.
struct Collector<'a> {
    text: &'a str,
    paths: Paths,
    tags: Tags<'a>,
    /// For each level of objects that lie on a path: the paths that lead through it.
    live: [u8; MAX_DEPTH],
    /// How many such levels are open.
    matched: usize,
    /// How many arrays and objects are open.
    depth: usize,
    /// The paths that lead through the value that comes next.
    pending: u8,
}

impl Collector<'_> {
    /// A key that stands twice counts where it stands last, with all that is below it.
    fn forget(&mut self) {
        let mut set = self.pending;
        while set != 0 {
            self.tags.0[set.trailing_zeros() as usize] = None;
            set &= set - 1;
        }
    }

    fn key_on_path(&mut self, start: usize, end: usize, escaped: bool) {
        self.pending = 0;
        let Some(level) = self.matched.checked_sub(1) else { return };
        let key = &self.text.as_bytes()[start + 1..end - 1];
        let mut set = self.live[level];
        while set != 0 {
            let n = set.trailing_zeros() as usize;
            set &= set - 1;
            if let Some(&step) = self.paths[n].get(level)
                && (key == step.as_bytes()
                    || (escaped && Text::of(&self.text[start..end]).is(step)))
            {
                self.pending |= 1 << n;
            }
        }
    }

    fn scalar_on_path(&mut self, kind: Kind, start: usize, end: usize) {
        self.forget();
        if kind == Kind::String && self.depth == self.matched {
            for (n, path) in self.paths.iter().enumerate().take(MAX_PATHS) {
                if self.pending & 1 << n != 0 && path.len() == self.matched {
                    self.tags.0[n] = Some(Text::of(&self.text[start..end]));
                }
            }
        }
        self.pending = 0;
    }
}

impl Visit for Collector<'_> {
    #[inline]
    fn key(&mut self, start: usize, end: usize, escaped: bool) {
        if self.depth == self.matched {
            self.key_on_path(start, end, escaped);
        }
    }

    #[inline]
    fn scalar(&mut self, kind: Kind, start: usize, end: usize) {
        if self.pending != 0 {
            self.scalar_on_path(kind, start, end);
        }
    }
    #[inline]
    fn open(&mut self, kind: Kind, _start: usize) {
        if self.pending != 0 {
            self.forget();
            if kind == Kind::Object && self.depth == self.matched && self.matched < MAX_DEPTH {
                self.live[self.matched] = self.pending;
                self.matched += 1;
            }
            self.pending = 0;
        }
        self.depth += 1;
    }

    #[inline]
    fn close(&mut self, _end: usize) {
        if self.depth == self.matched {
            self.matched -= 1;
        }
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: Paths = &[&["type"], &["payload", "type"], &["payload", "item", "type"]];

    fn joined(text: &str) -> String {
        parse(text, PATHS).unwrap().1.joined()
    }

    #[test]
    fn tags_stand_anywhere_in_the_record() {
        assert_eq!(joined(r#"{"payload":{"x":[{"type":"no"}],"type":"b"},"type":"a"}"#), "a / b");
        assert_eq!(
            joined(r#"{"type":"a","payload":{"item":{"type":"c"},"type":"b"}}"#),
            "a / b / c"
        );
        assert_eq!(joined(r#"{"\u0074ype":"\u0061"}"#), "a");
    }

    #[test]
    fn only_strings_in_objects_on_the_path_are_tags() {
        assert_eq!(joined(r#"{"type":1,"payload":[{"type":"b"}]}"#), "?");
        assert_eq!(joined(r#"{"x":{"type":"a"},"payload":{"y":{"type":"b"}}}"#), "?");
        assert_eq!(joined(r#"[{"type":"a"}]"#), "?");
        assert_eq!(joined(r#""type""#), "?");
        assert_eq!(joined(r#"{"type":["a"],"payload":"type"}"#), "?");
    }

    #[test]
    fn the_last_of_equal_keys_counts_with_all_below_it() {
        assert_eq!(joined(r#"{"type":"a","type":"b"}"#), "b");
        assert_eq!(joined(r#"{"payload":{"type":"b"},"payload":{}}"#), "?");
        assert_eq!(joined(r#"{"payload":{"type":"b"},"payload":1,"type":"a"}"#), "a");
        assert_eq!(joined(r#"{"type":"a","type":{}}"#), "?");
    }
}
