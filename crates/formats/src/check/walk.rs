//! One record compared with the catalogue, in one walk and, when nothing is wrong, without allocating.

use super::spec::{Node, NodeId, Required, Spec, UNLISTED, hash};
use crate::catalogue::types::TypeSet;
use crate::finding::{Code, excerpt};
use crate::json::scan::Visit;
use crate::json::{self, Json, Kind, Text};
use crate::version::Version;

/// Blocks nested deeper than this are not looked into: finding a block's tag means looking ahead, which must
/// not be repeated on every level of a text that is nothing but levels.
const MAX_BLOCK_DEPTH: usize = 64;

/// Something that a walk noticed.
#[derive(Debug)]
pub(super) struct Drift {
    pub(super) code: Code,
    /// JSON pointer.
    pub(super) pointer: String,
    /// The place as the catalogue writes it, for grouping.
    pub(super) place: String,
    pub(super) message: String,
}

/// What a walk needs and may use again for the next record.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    frames: Vec<Frame>,
    /// Which listed members were met, a bit each; the frames' parts lie one behind the other.
    met: Vec<u64>,
    /// Keys of members that are not listed: hash, start, end.
    keys: Vec<(u64, u32, u32)>,
    /// What is wrong only if the program that wrote the record was of this version or later.
    pub(super) pending: Vec<(Version, Drift)>,
    pub(super) drifts: Vec<Drift>,
    /// How many more there would be.
    pub(super) more: usize,
}

/// How many a record may have before the rest is only counted.
const MOST: usize = 100;

/// An array or object that is open.
#[derive(Debug)]
struct Frame {
    node: NodeId,
    object: bool,
    /// Whether the elements of this array are blocks of the node's group.
    blocks: bool,
    /// Where this frame's part of `met` and `keys` begins.
    met: u32,
    keys: u32,
    /// How many members or elements were met.
    count: u32,
    /// The key whose value comes next or is open, quotes included.
    key: (u32, u32),
    /// What that value is.
    next: NodeId,
    /// Whether the key is not listed although the object is closed.
    unlisted: bool,
}

/// Compares a record with its type's node.
pub(super) fn record(
    spec: &'static Spec,
    root: NodeId,
    name: &str,
    record: Json<'_>,
    scratch: &mut Scratch,
) {
    // Offsets are kept in 32 bits.
    if u32::try_from(record.raw().len()).is_err() {
        return;
    }
    scratch.frames.clear();
    scratch.met.clear();
    scratch.keys.clear();
    let mut walk = Walk { spec, root, name, text: record.raw(), scratch };
    // The record was parsed before, so this cannot fail.
    let _ = json::parse_with(record.raw(), &mut walk);
}

struct Walk<'a, 's> {
    spec: &'static Spec,
    root: NodeId,
    /// The record's type.
    name: &'a str,
    text: &'a str,
    scratch: &'s mut Scratch,
}

/// What is known of a value that begins.
struct Expected {
    node: NodeId,
    /// It is an element of an array of blocks.
    block: bool,
    unlisted: bool,
}

impl Walk<'_, '_> {
    fn expected(&mut self) -> Expected {
        let Some(frame) = self.scratch.frames.last_mut() else {
            return Expected { node: self.root, block: false, unlisted: false };
        };
        if frame.object {
            return Expected { node: frame.next, block: false, unlisted: frame.unlisted };
        }
        frame.count += 1;
        Expected { node: frame.next, block: frame.blocks, unlisted: false }
    }

    /// The pointer of the value that begins or is open, or of the object that is open when `key` is given.
    fn pointer(&self, key: Option<&str>) -> String {
        let mut out = String::new();
        let frames = &self.scratch.frames;
        let shown = if key.is_some() { frames.len().saturating_sub(1) } else { frames.len() };
        for frame in &frames[..shown] {
            if frame.object {
                push_step(&mut out, &self.key_text(frame.key));
            } else {
                push_step(&mut out, &frame.count.saturating_sub(1).to_string());
            }
        }
        if let Some(key) = key {
            push_step(&mut out, key);
        }
        out
    }

    fn key_text(&self, (start, end): (u32, u32)) -> std::borrow::Cow<'_, str> {
        Text::of(&self.text[start as usize..end as usize]).get()
    }

    /// The place of the value that begins, for grouping, when no node says it.
    fn place_of_key(&self) -> String {
        let Some(frame) = self.scratch.frames.last() else { return String::new() };
        let place = self.spec.node(frame.node).map_or("", |n| n.place.as_str());
        if frame.object {
            let dot = if place.is_empty() { "" } else { "." };
            format!("{place}{dot}{}", self.key_text(frame.key))
        } else {
            format!("{place}[]")
        }
    }

    /// Whether there is room for one more drift; counts it when there is none.
    fn is_full(&mut self) -> bool {
        let full = self.scratch.drifts.len() + self.scratch.pending.len() >= MOST;
        self.scratch.more += usize::from(full);
        full
    }

    fn drift(&mut self, code: Code, place: String, message: String) {
        let pointer = self.pointer(None);
        self.scratch.drifts.push(Drift { code, pointer, place, message });
    }

    #[cold]
    fn unlisted(&mut self, value: &str) {
        if self.is_full() {
            return;
        }
        let place = self.place_of_key();
        let message = format!(
            "`{}` is not in the catalogue of `{}`: `{}`",
            excerpt(&place),
            self.name,
            excerpt(value)
        );
        self.drift(Code::UnknownField, place, message);
    }

    #[cold]
    fn wrong_type(&mut self, node: &Node, kind: Kind, value: &str) {
        if self.is_full() {
            return;
        }
        let what = match kind {
            Kind::Null => String::new(),
            Kind::Array | Kind::Object => format!(" ({})", kind.name()),
            _ => format!(" ({}: `{}`)", kind.name(), excerpt(value)),
        };
        let is = if kind == Kind::Null { "null" } else { "of another type" };
        let place = node.place.clone();
        let message = format!(
            "`{}` of `{}` is {is}{what}, {} is expected",
            excerpt(&place),
            self.name,
            node.types
        );
        self.drift(Code::WrongType, place, message);
    }

    #[cold]
    fn unknown_value(&mut self, node: &Node, value: &str) {
        if self.is_full() {
            return;
        }
        let place = node.place.clone();
        let message = format!(
            "`{}` of `{}` is {}, which is none of the known values",
            excerpt(&place),
            self.name,
            excerpt(value)
        );
        self.drift(Code::UnknownValue, place, message);
    }

    #[cold]
    fn unknown_block(&mut self, node: Option<&Node>, tag: Option<&str>, kind: Kind) {
        if self.is_full() {
            return;
        }
        let place = node.map(|n| n.place.clone()).unwrap_or_default();
        let what = match tag {
            Some(tag) => format!("a block of type `{}`", excerpt(tag)),
            None if kind == Kind::Object => "a block without a type".to_owned(),
            None => format!("a block that is no object ({})", kind.name()),
        };
        let message = format!(
            "{what} stands in `{}` of `{}`; the catalogue has none such",
            excerpt(&place),
            self.name
        );
        let place = format!("{place}:{}", tag.unwrap_or(kind.name()));
        self.drift(Code::UnknownBlockType, place, message);
    }

    #[cold]
    fn missing(&mut self, node: &Node, required: &Required) {
        if self.is_full() {
            return;
        }
        let first = node.members.key(required.any_of[0]);
        let dot = if node.place.is_empty() { "" } else { "." };
        let message = format!(
            "`{}{dot}{}` is missing in a record of type `{}`",
            node.place, required.name, self.name
        );
        let drift = Drift {
            code: if node.own { Code::MissingField } else { Code::AbsentMember },
            pointer: self.pointer(Some(first)),
            place: format!("{}{dot}{first}", node.place),
            message,
        };
        match required.since {
            None => self.scratch.drifts.push(drift),
            Some(since) => self.scratch.pending.push((since, drift)),
        }
    }

    #[cold]
    fn duplicate(&mut self, key: &str) {
        if self.is_full() {
            return;
        }
        let Some(frame) = self.scratch.frames.last() else { return };
        let place = self.spec.node(frame.node).map_or("", |n| n.place.as_str());
        let dot = if place.is_empty() { "" } else { "." };
        let drift = Drift {
            code: Code::DuplicateKey,
            pointer: self.pointer(Some(key)),
            place: format!("{place}{dot}{key}"),
            message: format!(
                "the key `{}` stands more than once in one object; the last one counts",
                excerpt(key)
            ),
        };
        self.scratch.drifts.push(drift);
    }

    /// The node of a block, found by looking ahead for its tag.
    fn block(&mut self, node: Option<&'static Node>, kind: Kind, start: usize) -> NodeId {
        let Some(group) = node.and_then(|n| n.group).and_then(|g| self.spec.group(g)) else {
            return UNLISTED;
        };
        if self.scratch.frames.len() > MAX_BLOCK_DEPTH {
            return UNLISTED;
        }
        if kind != Kind::Object {
            return group.untagged.unwrap_or_else(|| {
                self.unknown_block(node, None, kind);
                UNLISTED
            });
        }
        let tag = json::members_from(self.text, start)
            .find(|(key, _)| key.is(&group.key))
            .and_then(|(_, value)| value.text())
            .map(Text::get);
        let known = tag
            .as_ref()
            .and_then(|tag| group.tagged.iter().find(|(name, _)| name == tag))
            .map(|(_, id)| *id)
            .or(group.untagged);
        known.unwrap_or_else(|| {
            self.unknown_block(node, tag.as_deref(), kind);
            UNLISTED
        })
    }

    fn check_types(&mut self, node: &Node, kind: Kind, start: usize, end: usize) {
        let set = match kind {
            Kind::Null => TypeSet::NULL,
            Kind::Bool => TypeSet::BOOLEAN,
            Kind::Number if is_whole(&self.text.as_bytes()[start..end]) => TypeSet::INTEGER,
            Kind::Number => TypeSet::NUMBER,
            Kind::String => TypeSet::STRING,
            Kind::Array => TypeSet::ARRAY,
            Kind::Object => TypeSet::OBJECT,
        };
        if !node.types.holds(set) {
            self.wrong_type(node, kind, &self.text[start..end]);
        } else if kind == Kind::String && !node.values.is_empty() {
            let text = Text::of(&self.text[start..end]);
            if !node.values.iter().any(|v| text.is(v)) {
                self.unknown_value(node, &self.text[start..end]);
            }
        }
    }

    fn close_object(&mut self) {
        let Some(frame) = self.scratch.frames.last() else { return };
        let (met, keys, count) = (frame.met as usize, frame.keys as usize, frame.count);
        let node = self.spec.node(frame.node);
        if let Some(node) = node {
            // An object that says nothing but its own type is a bare word in another form.
            let bare =
                count <= 1 && !node.body && (count == 0 || self.key_text(frame.key) == *"type");
            if !bare {
                for required in &node.required {
                    let is_met = |n: &usize| self.scratch.met[met + n / 64] >> (n % 64) & 1 == 1;
                    if !required.any_of.iter().any(is_met) {
                        self.missing(node, required);
                    }
                }
            }
        }
        if self.scratch.keys.len() > keys + 1 {
            self.find_duplicates(keys);
        }
        self.scratch.met.truncate(met);
        self.scratch.keys.truncate(keys);
    }

    /// Tells of keys that are not listed and stand more than once.
    fn find_duplicates(&mut self, first: usize) {
        let text = self.text;
        let raw = |&(_, start, end): &(u64, u32, u32)| &text[start as usize..end as usize];
        let keys = &mut self.scratch.keys[first..];
        // Most objects have few members; and those that have many are sorted once.
        if keys.len() <= 8 {
            let twice = |n: usize| keys[..n].iter().any(|k| k.0 == keys[n].0);
            if !(1..keys.len()).any(twice) {
                return;
            }
        }
        keys.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| raw(a).cmp(raw(b))));
        let mut doubles: Vec<(u64, u32, u32)> =
            keys.windows(2).filter(|w| raw(&w[0]) == raw(&w[1])).map(|w| w[0]).collect();
        doubles.dedup_by(|a, b| raw(a) == raw(b));
        for double in doubles {
            let key = Text::of(raw(&double)).get().into_owned();
            self.duplicate(&key);
        }
    }
}

impl Visit for Walk<'_, '_> {
    fn key(&mut self, start: usize, end: usize, escaped: bool) {
        let Some(frame) = self.scratch.frames.last_mut() else { return };
        frame.key = (start as u32, end as u32);
        frame.count += 1;
        let raw = &self.text[start + 1..end - 1];
        let unescaped;
        let key = if escaped {
            unescaped = Text::of(&self.text[start..end]).get();
            unescaped.as_bytes()
        } else {
            raw.as_bytes()
        };
        let hash = hash(key);
        let Some(node) = self.spec.node(frame.node) else {
            (frame.next, frame.unlisted) = (UNLISTED, false);
            self.scratch.keys.push((hash, start as u32, end as u32));
            return;
        };
        let Some((n, next)) = node.members.find(key, hash) else {
            frame.next = node.any_member;
            frame.unlisted = node.any_member == UNLISTED && !node.open;
            self.scratch.keys.push((hash, start as u32, end as u32));
            return;
        };
        (frame.next, frame.unlisted) = (next, false);
        let word = &mut self.scratch.met[frame.met as usize + n / 64];
        let bit = 1 << (n % 64);
        let again = *word & bit != 0;
        *word |= bit;
        if again {
            let key = self.key_text((start as u32, end as u32)).into_owned();
            self.duplicate(&key);
        }
    }

    fn scalar(&mut self, kind: Kind, start: usize, end: usize) {
        let expected = self.expected();
        if expected.unlisted {
            self.unlisted(&self.text[start..end]);
            return;
        }
        let Some(node) = self.spec.node(expected.node) else { return };
        if expected.block {
            self.block(Some(node), kind, start);
            return;
        }
        self.check_types(node, kind, start, end);
    }

    fn open(&mut self, kind: Kind, start: usize) {
        let expected = self.expected();
        if expected.unlisted {
            let end = start + json::first_len(&self.text[start..]);
            self.unlisted(&self.text[start..end]);
        }
        let listed = self.spec.node(expected.node);
        let mut node = if expected.unlisted { UNLISTED } else { expected.node };
        let object = kind == Kind::Object;
        let mut blocks = false;
        if let Some(listed) = listed.filter(|_| !expected.unlisted) {
            if expected.block {
                node = self.block(Some(listed), kind, start);
            } else {
                self.check_types(listed, kind, start, start);
                if listed.group.is_some() {
                    blocks = !object;
                    if object {
                        node = self.block(Some(listed), kind, start);
                    }
                }
            }
        }
        let spec = self.spec.node(node);
        let met = self.scratch.met.len() as u32;
        if object {
            let words = spec.map_or(0, |n| n.members.len().div_ceil(64));
            self.scratch.met.resize(met as usize + words, 0);
        }
        self.scratch.frames.push(Frame {
            node,
            object,
            blocks,
            met,
            keys: self.scratch.keys.len() as u32,
            count: 0,
            key: (0, 0),
            // The elements of an array of blocks carry the array's own node, which names the group.
            next: if blocks { node } else { spec.map_or(UNLISTED, |n| n.elements) },
            unlisted: false,
        });
    }

    fn close(&mut self, _end: usize) {
        if self.scratch.frames.last().is_some_and(|f| f.object) {
            self.close_object();
        }
        self.scratch.frames.pop();
    }
}

fn push_step(out: &mut String, step: &str) {
    out.push('/');
    for c in step.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
}

/// Whether a number is written without fraction and exponent, or has none by value.
fn is_whole(number: &[u8]) -> bool {
    if !number.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
        return true;
    }
    std::str::from_utf8(number)
        .ok()
        .and_then(|n| n.parse::<f64>().ok())
        .is_some_and(|n| n.fract() == 0.0)
}
