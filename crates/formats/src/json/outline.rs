//! The structure of a text, noted while the text is checked: for readers that look at many members of many records.
//!
//! [`Json`] finds each member by walking the text once more. An [`Outline`] walks it once, and a member is then a few
//! comparisons away.

use std::borrow::Cow;

use super::scan::{Visit, is_space, skip_space, walk};
use super::{Json, Kind, SyntaxError, Text};

/// Nodes that are kept for the next text.
const KEPT: usize = 1 << 14;

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Offsets of the key, quotes included; both 0 for an element of an array.
    key: (u32, u32),
    start: u32,
    end: u32,
    /// The number of the next node that is not inside of this one.
    next: u32,
    escaped: bool,
}

/// The structure of one text. It is made to be used again for the next one, without new memory.
#[derive(Debug, Default, Clone)]
pub struct Outline {
    nodes: Vec<Node>,
    open: Vec<u32>,
    key: (u32, u32),
    escaped: bool,
}

impl Outline {
    /// Checks that `text` is one JSON value with nothing but white space around it, and notes its structure. Text of
    /// more than four gigabytes is not looked at.
    pub fn read<'o>(&'o mut self, text: &'o str) -> Result<Part<'o>, SyntaxError> {
        self.nodes.clear();
        self.nodes.shrink_to(KEPT);
        self.open.clear();
        self.key = (0, 0);
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError { at: 0, what: "the text is too long", truncated: false });
        }
        let b = text.as_bytes();
        let end = walk(b, skip_space(b, 0), self)?;
        if let Some(n) = b[end..].iter().position(|b| !is_space(*b)) {
            let what = "something stands behind the value";
            return Err(SyntaxError { at: end + n, what, truncated: false });
        }
        Ok(Part { nodes: &self.nodes, text, at: 0 })
    }

    fn push(&mut self, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        let (key, escaped) = (std::mem::take(&mut self.key), std::mem::take(&mut self.escaped));
        self.nodes.push(Node { key, start: start as u32, end: end as u32, next, escaped });
    }
}

impl Visit for Outline {
    #[inline]
    fn key(&mut self, start: usize, end: usize, escaped: bool) {
        self.key = (start as u32, end as u32);
        self.escaped = escaped;
    }

    #[inline]
    fn scalar(&mut self, _kind: Kind, start: usize, end: usize) {
        self.push(start, end);
    }

    #[inline]
    fn open(&mut self, _kind: Kind, start: usize) {
        self.open.push(self.nodes.len() as u32);
        self.push(start, start);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if let Some(node) = self.open.pop().and_then(|n| self.nodes.get_mut(n as usize)) {
            node.end = end as u32;
            node.next = next;
        }
    }
}

/// A value in a text whose structure is noted.
#[derive(Debug, Clone, Copy)]
pub struct Part<'o> {
    nodes: &'o [Node],
    text: &'o str,
    at: u32,
}

impl<'o> Part<'o> {
    fn node(self) -> Option<&'o Node> {
        self.nodes.get(self.at as usize)
    }

    /// The value without its structure.
    #[inline]
    pub fn json(self) -> Json<'o> {
        let text = self.node().and_then(|n| self.text.get(n.start as usize..n.end as usize));
        text.map_or(Json::NULL, Json)
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.json().is_object()
    }

    /// Whether it is this string.
    pub fn is(self, text: &str) -> bool {
        self.json().text().is_some_and(|t| t.is(text))
    }

    /// The string with its escapes resolved, or nothing when it is no string.
    pub fn as_str(self) -> Option<Cow<'o, str>> {
        self.json().as_str()
    }

    /// The values in it, one after another.
    fn children(self) -> impl Iterator<Item = (&'o Node, Self)> {
        let end = self.node().map_or(0, |node| node.next);
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let part = Self { at, ..self };
            let node = part.node()?;
            at = node.next;
            Some((node, part))
        })
    }

    /// The members of an object in the order in which they stand, doubles included; nothing for other values.
    pub fn members(self) -> impl Iterator<Item = (Cow<'o, str>, Self)> {
        let text = self.text;
        self.children().filter(|(node, _)| node.key.1 > 0).map(move |(node, part)| {
            let raw = text.get(node.key.0 as usize..node.key.1 as usize).unwrap_or("\"\"");
            let key = Text::of(raw);
            (if node.escaped { key.get() } else { Cow::Borrowed(key.inner()) }, part)
        })
    }

    /// The elements of an array; nothing for other values.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        self.children().filter(|(node, _)| node.key.1 == 0).map(|(_, part)| part)
    }

    /// A member of an object. When a key stands twice, the last one counts, as in JavaScript.
    pub fn get(self, key: &str) -> Option<Self> {
        let (mut found, end) = (None, self.node().map_or(0, |node| node.next));
        let mut at = self.at + 1;
        while at < end {
            let Some(node) = self.nodes.get(at as usize) else { break };
            // Nearly all keys differ in their length or are written as they are.
            let len = (node.key.1 - node.key.0) as usize;
            if len == key.len() + 2 || node.escaped {
                let raw = self.text.get(node.key.0 as usize..node.key.1 as usize).unwrap_or("");
                let raw = Text::of(raw);
                let is_it = if node.escaped { raw.is(key) } else { raw.inner() == key };
                if is_it {
                    found = Some(at);
                }
            }
            at = node.next;
        }
        found.map(|at| Self { at, ..self })
    }

    /// A member of a member, and so on.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |value, key| value.get(key))
    }

    /// A member that is a string, its escapes resolved.
    pub fn str(self, key: &str) -> Option<Cow<'o, str>> {
        self.get(key)?.as_str()
    }
}
