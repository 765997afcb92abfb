//! The catalogue, compiled for comparing: each value that a record may hold is a node with the JSON types it
//! may have, and a table of its members.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::catalogue::types::{TypeSet, Types};
use crate::catalogue::{BlockType, Catalogue, Field, Presence, RecordType};
use crate::harness::Harness;
use crate::version::Version;

/// A node's number.
pub(super) type NodeId = u32;

/// No node: nothing is known of the value.
pub(super) const UNLISTED: NodeId = u32::MAX;

/// What is known of a value.
#[derive(Debug)]
pub(super) struct Node {
    /// Where it stands, as the catalogue writes it; for messages.
    pub(super) place: String,
    /// The JSON types it may have.
    pub(super) types: TypeSet,
    /// The values that a string may have; none: any.
    pub(super) values: Vec<String>,
    /// An object's members.
    pub(super) members: Members,
    /// What any other member is, in a map.
    pub(super) any_member: NodeId,
    /// Whether members that are not listed are expected.
    pub(super) open: bool,
    /// Members that must be there.
    pub(super) required: Vec<Required>,
    /// What an array's elements are.
    pub(super) elements: NodeId,
    /// The group of blocks that it is, or that its elements are.
    pub(super) group: Option<usize>,
    /// Whether it is a part of the record's own structure, rather than a value inside of it.
    pub(super) own: bool,
    /// Whether it is the record, or the body in which its fields stand.
    pub(super) body: bool,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            place: String::new(),
            types: TypeSet::NONE,
            values: Vec::new(),
            members: Members::default(),
            any_member: UNLISTED,
            open: false,
            required: Vec::new(),
            elements: UNLISTED,
            group: None,
            own: false,
            body: false,
        }
    }
}

/// A member that must be there.
#[derive(Debug)]
pub(super) struct Required {
    /// One of these, by their numbers among the members.
    pub(super) any_of: Vec<usize>,
    /// Their names, for messages.
    pub(super) name: String,
    /// Only files of this version and later have it.
    pub(super) since: Option<Version>,
}

/// The blocks of a group.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The key that holds the tag.
    pub(super) key: String,
    /// By tag.
    pub(super) tagged: Vec<(String, NodeId)>,
    /// The block that takes what no other takes.
    pub(super) untagged: Option<NodeId>,
}

/// The catalogue of one harness, compiled.
#[derive(Debug, Default)]
pub(super) struct Spec {
    nodes: Vec<Node>,
    /// By the record type's number in the catalogue.
    records: Vec<NodeId>,
    groups: Vec<Group>,
    /// The type that a transcript starts with, by its number.
    pub(super) header: Option<usize>,
    /// The newest version that the catalogue speaks of.
    pub(super) newest: Option<Version>,
}

impl Spec {
    /// The compiled catalogue of a harness; an empty one for nobody's.
    pub(super) fn of(harness: Option<Harness>) -> &'static Self {
        static ALL: OnceLock<[OnceLock<Spec>; 6]> = OnceLock::new();
        let number = harness.map_or(5, |harness| harness as usize);
        ALL.get_or_init(Default::default)[number].get_or_init(|| {
            harness.map_or_else(Self::default, |harness| Self::compile(Catalogue::of(harness)))
        })
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The node of a record type.
    pub(super) fn record(&self, index: usize) -> NodeId {
        self.records.get(index).copied().unwrap_or(UNLISTED)
    }

    pub(super) fn group(&self, index: usize) -> Option<&Group> {
        self.groups.get(index)
    }

    pub(super) fn compile(catalogue: &Catalogue) -> Self {
        let mut names: Vec<&str> = catalogue.blocks.iter().map(|b| b.group.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut spec = Self {
            header: catalogue
                .header
                .as_ref()
                .and_then(|name| catalogue.records.iter().position(|r| r.name == *name)),
            newest: newest(catalogue),
            ..Self::default()
        };
        for name in &names {
            let mut group = Group { key: "type".into(), ..Group::default() };
            for block in catalogue.blocks.iter().filter(|b| b.group == *name) {
                let id = spec.add(block_tree(block, &names), block.name.clone());
                if let Some(key) = &block.key {
                    group.key.clone_from(key);
                }
                if block.tag.is_empty() {
                    group.untagged = Some(id);
                }
                for tag in block.tag.split('|').filter(|t| !t.is_empty()) {
                    group.tagged.push((tag.to_owned(), id));
                }
            }
            spec.groups.push(group);
        }
        for record in &catalogue.records {
            let id = spec.add(record_tree(record, catalogue, &names), String::new());
            spec.records.push(id);
        }
        spec
    }

    /// Adds a tree of fields and returns its root's node.
    fn add(&mut self, tree: Tree, place: String) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::default());
        let below = |key: &str| {
            if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
        };
        let mut types = tree.types;
        if types.is_empty() {
            // Only what stands in it is listed.
            types = match (&tree.elements, tree.members.is_empty() && tree.any_member.is_none()) {
                (None, true) => TypeSet::ANY,
                (Some(_), true) => TypeSet::ARRAY.or(TypeSet::NULL),
                (None, false) => TypeSet::OBJECT.or(TypeSet::NULL),
                (Some(_), false) => TypeSet::ARRAY.or(TypeSet::OBJECT).or(TypeSet::NULL),
            };
        }
        let closed = !tree.members.is_empty() && !tree.open;
        let mut required = Vec::new();
        let numbers: BTreeMap<&str, usize> =
            tree.members.iter().enumerate().map(|(n, (key, _))| (key.as_str(), n)).collect();
        for r in &tree.required {
            let any_of: Vec<usize> =
                r.keys.iter().filter_map(|k| numbers.get(k.as_str()).copied()).collect();
            if !any_of.is_empty() {
                required.push(Required { any_of, name: r.keys.join("` or `"), since: r.since });
            }
        }
        let (own, body) = (tree.own, tree.body);
        let mut members = Vec::new();
        for (key, member) in tree.members {
            let place = below(&key);
            let node = self.add(member, place);
            members.push((key, node));
        }
        let any_member = match tree.any_member {
            Some(any) => self.add(*any, below("<key>")),
            None => UNLISTED,
        };
        let elements = match tree.elements {
            Some(elements) => self.add(*elements, format!("{place}[]")),
            None => UNLISTED,
        };
        self.nodes[id as usize] = Node {
            place,
            types,
            values: tree.values,
            members: Members::new(members),
            any_member,
            open: !closed,
            required,
            elements,
            group: tree.group,
            own,
            body,
        };
        id
    }
}

/// The newest version that a catalogue speaks of.
fn newest(catalogue: &Catalogue) -> Option<Version> {
    let fields = catalogue
        .envelopes
        .iter()
        .flat_map(|e| &e.fields)
        .chain(catalogue.records.iter().flat_map(|r| &r.fields))
        .chain(catalogue.blocks.iter().flat_map(|b| &b.fields));
    fields
        .filter_map(|f| f.since.as_deref())
        .chain(catalogue.records.iter().filter_map(|r| r.since.as_deref()))
        .chain([catalogue.version.as_str()])
        .filter_map(Version::parse)
        .max()
}

/// Fields as a tree.
#[derive(Debug, Default)]
struct Tree {
    types: TypeSet,
    values: Vec<String>,
    members: Vec<(String, Tree)>,
    any_member: Option<Box<Tree>>,
    open: bool,
    required: Vec<MustHave>,
    elements: Option<Box<Tree>>,
    group: Option<usize>,
    own: bool,
    body: bool,
}

#[derive(Debug)]
struct MustHave {
    keys: Vec<String>,
    since: Option<Version>,
}

impl Tree {
    fn member(&mut self, key: &str) -> &mut Self {
        let found = self.members.iter().position(|(k, _)| k == key);
        let n = found.unwrap_or(self.members.len());
        if found.is_none() {
            self.members.push((key.to_owned(), Self::default()));
        }
        &mut self.members[n].1
    }

    /// The tree at a path, made when it is not there yet; nothing for words in brackets, which open their parent.
    fn at(&mut self, path: &str) -> Option<&mut Self> {
        let mut tree = self;
        for step in path.split('.') {
            let key = step.trim_end_matches("[]");
            if key.starts_with('(') {
                tree.open = true;
                return None;
            }
            tree = if key.is_empty() {
                tree
            } else if key.starts_with('<') {
                tree.any_member.get_or_insert_default()
            } else {
                tree.member(key)
            };
            for _ in 0..(step.len() - key.len()) / 2 {
                tree = tree.elements.get_or_insert_default();
            }
        }
        Some(tree)
    }

    fn set_types(&mut self, types: &Types<'_>, nullable: bool) {
        // Words that are no JSON type say nothing, and an empty set lets everything through.
        let nullable = nullable && !types.set.is_empty();
        self.types = if nullable { types.set.or(TypeSet::NULL) } else { types.set };
        self.values = types.values.iter().map(|&v| v.to_owned()).collect();
        if let Some(of) = &types.elements
            && self.elements.is_none()
        {
            self.elements.get_or_insert_default().set_types(of, false);
        }
        if let Some(of) = &types.any_value
            && self.any_member.is_none()
        {
            self.any_member.get_or_insert_default().set_types(of, true);
        }
    }

    fn insert(&mut self, prefix: Option<&str>, field: &Field, groups: &[&str]) {
        let types = Types::parse(&field.types);
        let optional = field.presence == Presence::Optional || types.undefined;
        let names: Vec<String> = field
            .name
            .split(" | ")
            .map(|name| prefix.map_or_else(|| name.to_owned(), |p| format!("{p}.{name}")))
            .collect();
        for name in &names {
            let Some(tree) = self.at(name) else { continue };
            tree.set_types(&types, optional || names.len() > 1);
            if let Some(group) = &field.blocks {
                tree.group = groups.binary_search(&group.as_str()).ok();
            }
        }
        // Protobuf leaves out whatever has its default, required or not.
        if optional || field.in_files == Some(Presence::Optional) || field.number.is_some() {
            return;
        }
        // Elements, values of maps and free words cannot be asked for.
        let key = |name: &str| {
            let (parent, key) = name.rsplit_once('.').unwrap_or(("", name));
            let askable = !key.ends_with("[]") && !key.starts_with(['<', '(']);
            askable.then(|| (parent.to_owned(), key.to_owned()))
        };
        let Some(keys) = names.iter().map(|n| key(n)).collect::<Option<Vec<_>>>() else { return };
        let parent = keys[0].0.clone();
        if keys.iter().any(|(p, _)| *p != parent) {
            return;
        }
        let tree = if parent.is_empty() { Some(self) } else { self.at(&parent) };
        if let Some(tree) = tree {
            tree.required.push(MustHave {
                keys: keys.into_iter().map(|(_, key)| key).collect(),
                since: field.since.as_deref().and_then(Version::parse),
            });
        }
    }
}

fn record_tree(record: &RecordType, catalogue: &Catalogue, groups: &[&str]) -> Tree {
    let mut root = Tree { types: TypeSet::OBJECT, ..Tree::default() };
    let body = record.body.as_deref();
    let fields = catalogue.fields(record);
    if let Some(envelope) = record.envelope.as_deref().and_then(|n| catalogue.envelope(n)) {
        for field in &envelope.fields {
            // What the record's own page says of a field counts.
            if body.is_some() || !fields.iter().any(|f| f.name == field.name) {
                root.insert(None, field, groups);
            }
        }
    }
    if let Some(body) = body.and_then(|b| root.at(b)) {
        body.types = TypeSet::OBJECT;
    }
    for field in fields {
        root.insert(body, field, groups);
    }
    (root.own, root.body) = (true, true);
    // Tags count as listed. The objects in which they stand are the record itself, and closed in any case:
    // something new in them is worth a word even where nobody knows the full list.
    root.open = false;
    let tags = record.tag.iter().map(String::as_str);
    for tag in tags.chain(record.aliases.iter().flat_map(|a| a.split(" & "))) {
        let Some((path, _)) = tag.split_once('=') else { continue };
        if let Some(tree) = root.at(path.trim())
            && tree.types.is_empty()
        {
            tree.types = TypeSet::STRING;
        }
        own(&mut root, path.trim());
    }
    if let Some(body) = body {
        own(&mut root, body);
        if let Some(body) = root.at(body) {
            (body.own, body.body) = (true, true);
            // What a protobuf message has beyond its table has a number for a name. The rebuild tells that, also for
            // messages inside of messages, which are not listed here.
            body.open = record.message.is_some();
        }
    }
    root
}

/// Marks the objects above a path as parts of the record itself.
fn own(root: &mut Tree, path: &str) {
    let mut tree = root;
    for key in path.split('.') {
        tree.own = true;
        tree = tree.member(key);
    }
}

fn block_tree(block: &BlockType, groups: &[&str]) -> Tree {
    let mut root = Tree { open: block.open, ..Tree::default() };
    for field in &block.fields {
        root.insert(None, field, groups);
    }
    if !block.tag.is_empty() {
        let tag = root.at(block.key.as_deref().unwrap_or("type"));
        if let Some(tag) = tag.filter(|t| t.types.is_empty()) {
            tag.types = TypeSet::STRING;
        }
    }
    root
}

/// Members by key: a small table with open addressing.
#[derive(Debug, Default)]
pub(super) struct Members {
    all: Vec<(String, NodeId)>,
    /// Numbers of members plus one; 0 is free. Its length is a power of two.
    slots: Vec<u16>,
}

impl Members {
    fn new(all: Vec<(String, NodeId)>) -> Self {
        if all.is_empty() {
            return Self::default();
        }
        let mut slots = vec![0; (all.len() * 2).next_power_of_two()];
        for (n, (key, _)) in all.iter().enumerate() {
            let mut at = hash(key.as_bytes()) as usize;
            while slots[at & (slots.len() - 1)] != 0 {
                at += 1;
            }
            let len = slots.len();
            slots[at & (len - 1)] = n as u16 + 1;
        }
        Self { all, slots }
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    /// A member's key by its number.
    pub(super) fn key(&self, n: usize) -> &str {
        self.all.get(n).map_or("", |(key, _)| key)
    }

    /// Finds a member by its key and the key's [`hash`].
    pub(super) fn find(&self, key: &[u8], hash: u64) -> Option<(usize, NodeId)> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize;
        loop {
            let n = usize::from(self.slots[at & mask]).checked_sub(1)?;
            let (name, node) = &self.all[n];
            if name.as_bytes() == key {
                return Some((n, *node));
            }
            at += 1;
        }
    }
}

/// A quick hash of a key. Keys are short; what stands in the middle of a long one is left out, because equal
/// hashes are always followed by a comparison.
pub(super) fn hash(key: &[u8]) -> u64 {
    let (head, tail) = match (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => (key.iter().fold(0, |n, &c| n << 8 | u64::from(c)), 0),
    };
    let mixed =
        (head ^ tail.rotate_left(29) ^ key.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}
