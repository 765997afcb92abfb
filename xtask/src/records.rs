//! Writes `crates/formats/src/<harness>/record/`: the typed views of every record type, from the catalogue.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use recount_formats::catalogue::{Catalogue, Field, RecordType};
use recount_formats::{Concept, Harness};

const HEADER: &str = "// Generated from the catalogue by `cargo xtask generate`. Change `catalogue/`, not this file.\n";

/// A generated file: path below `crates/formats/src` and content.
pub(crate) type File = (String, String);

/// All record modules of one harness.
pub(crate) fn generate(harness: Harness, catalogue: &Catalogue) -> Vec<File> {
    let dir = harness.id().replace('-', "_");
    let groups = groups(catalogue);
    // Groups of a few records share one module; large ones are split so that no file grows beyond reading.
    let mut files: Vec<File> = Vec::new();
    let mut modules: Vec<String> = Vec::new();
    for (name, records) in &groups {
        let mut part = 0;
        let mut text = String::new();
        let flush = |text: &mut String,
                     part: &mut usize,
                     files: &mut Vec<File>,
                     modules: &mut Vec<String>| {
            if text.is_empty() {
                return;
            }
            let module = if *part == 0 { name.clone() } else { format!("{name}_{}", *part + 1) };
            let title = name.replace('_', " ");
            let content = format!(
                "{HEADER}\n//! Typed views of the records of {}: {title}.\n\nuse crate::json::{{Json, Text}};\nuse crate::view::{{List, views}};\n\nviews! {{\n{}\n}}\n",
                catalogue.title,
                text.trim_end()
            );
            files.push((format!("{dir}/record/{module}.rs"), prune_imports(&content)));
            modules.push(module);
            *part += 1;
            text.clear();
        };
        let names = view_names(records, name, catalogue);
        let mut written: Vec<&str> = Vec::new();
        if *name == "line" {
            for envelope in &catalogue.envelopes {
                let mut root = Node::default();
                envelope.fields.iter().for_each(|f| add(&mut root, f));
                let doc = format!("What surrounds a record: the envelope `{}`.", envelope.name);
                struct_of(&format!("{}Envelope", pascal(&envelope.name)), &doc, &root, &mut text);
            }
        }
        for record in records {
            let view = &names[&record.name];
            if written.contains(&view.as_str()) {
                continue;
            }
            written.push(view);
            views_of(record, view, catalogue, &mut text);
            if text.lines().count() > 480 {
                flush(&mut text, &mut part, &mut files, &mut modules);
            }
        }
        flush(&mut text, &mut part, &mut files, &mut modules);
    }
    let all_views = views(catalogue);
    files.push((format!("{dir}/record/mod.rs"), module(catalogue, &modules, &all_views)));
    files.push((format!("{dir}/record/kind.rs"), kind_module(catalogue)));
    files
}

/// The name of each record type's view.
pub(crate) fn views(catalogue: &Catalogue) -> BTreeMap<String, String> {
    groups(catalogue)
        .iter()
        .flat_map(|(name, records)| view_names(records, name, catalogue))
        .collect()
}

fn groups(catalogue: &Catalogue) -> BTreeMap<String, Vec<&RecordType>> {
    let mut groups: BTreeMap<String, Vec<&RecordType>> = BTreeMap::new();
    // A protobuf message is read with its table, not through a view.
    for record in catalogue.records.iter().filter(|r| r.message.is_none()) {
        groups.entry(group(record)).or_default().push(record);
    }
    groups
}

fn prune_imports(content: &str) -> String {
    let body = content.split("views! {").nth(1).unwrap_or_default();
    let mut json: Vec<&str> = Vec::new();
    if body.contains("Json<") {
        json.push("Json");
    }
    if body.contains("Text<") {
        json.push("Text");
    }
    let json = match json.as_slice() {
        [] => String::new(),
        [one] => format!("use crate::json::{one};\n"),
        more => format!("use crate::json::{{{}}};\n", more.join(", ")),
    };
    let view = if body.contains("List<") {
        "use crate::view::{List, views};"
    } else {
        "use crate::view::views;"
    };
    content
        .replace("use crate::json::{Json, Text};\n", &json)
        .replace("use crate::view::{List, views};", view)
}

/// The module in which a record's views stand.
fn group(record: &RecordType) -> String {
    let parts: Vec<&str> = record.name.split(" / ").collect();
    match parts.as_slice() {
        [] | [_] => "line".into(),
        ["event_msg", "item_completed", ..] => "item".into(),
        [first, ..] => snake(first),
    }
}

/// The Rust name of a record type.
pub(crate) fn type_name(name: &str) -> String {
    let name = name
        .replace("event_msg / item_completed", "item")
        .replace("event_msg", "event")
        .replace("response_item", "response")
        .replace("realtime_item", "realtime")
        .replace("role=", " ");
    let name = pascal(&name);
    if name == "Item" { "ItemCompleted".into() } else { name }
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut up = true;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(if up { c.to_ascii_uppercase() } else { c });
            up = false;
        } else {
            up = true;
        }
    }
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if lower {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
            lower = false;
        } else if c.is_ascii_alphanumeric() {
            out.push(c);
            lower = true;
        } else {
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            lower = false;
        }
    }
    let out = out.trim_matches('_').to_owned();
    match out.as_str() {
        "type" | "as" | "ref" | "move" | "in" | "loop" | "match" | "mod" | "use" | "self"
        | "box" | "fn" | "raw" | "async" | "default" | "static" | "final" | "override" => {
            format!("{out}_")
        }
        _ => out,
    }
}

/// A field with the fields below it.
#[derive(Default)]
struct Node {
    types: String,
    members: Vec<(String, Node)>,
    elements: Option<Box<Node>>,
}

impl Node {
    fn insert(&mut self, path: &[&str], types: &str) {
        let Some((first, rest)) = path.split_first() else {
            types.clone_into(&mut self.types);
            return;
        };
        if let Some(key) = first.strip_suffix("[]") {
            let node = self.member(key);
            let elements = node.elements.get_or_insert_default();
            elements.insert(rest, types);
            return;
        }
        if first.starts_with(['<', '(']) {
            return;
        }
        self.member(first).insert(rest, types);
    }

    fn member(&mut self, key: &str) -> &mut Self {
        let found = self.members.iter().position(|(k, _)| k == key);
        let n = found.unwrap_or(self.members.len());
        if found.is_none() {
            self.members.push((key.to_owned(), Self::default()));
        }
        &mut self.members[n].1
    }
}

/// The name of each record's view. Records with the same fields share one, when there are at least three of them.
fn view_names(
    records: &[&RecordType],
    group: &str,
    catalogue: &Catalogue,
) -> BTreeMap<String, String> {
    let mut by_body: BTreeMap<String, Vec<&RecordType>> = BTreeMap::new();
    for record in records {
        let mut body = String::new();
        struct_of("X", "", &tree(record, catalogue), &mut body);
        by_body.entry(body).or_default().push(record);
    }
    let mut names = BTreeMap::new();
    let mut shared = 0;
    for same in by_body.values() {
        let common = (same.len() >= 3).then(|| {
            shared += 1;
            format!(
                "{}Plain{}",
                pascal(group),
                if shared == 1 { String::new() } else { shared.to_string() }
            )
        });
        for record in same {
            names.insert(
                record.name.clone(),
                common.clone().unwrap_or_else(|| type_name(&record.name)),
            );
        }
    }
    names
}

/// The fields of a record's body as a tree. What the envelope holds is left to the envelope's own view.
fn tree(record: &RecordType, catalogue: &Catalogue) -> Node {
    let envelope = record
        .envelope
        .as_deref()
        .filter(|_| record.body.is_none())
        .and_then(|n| catalogue.envelope(n));
    let mut root = Node::default();
    for field in catalogue.fields(record) {
        if envelope.is_some_and(|e| e.fields.iter().any(|f| f.name == field.name)) {
            continue;
        }
        add(&mut root, field);
    }
    root
}

fn add(root: &mut Node, field: &Field) {
    for name in field.name.split(" | ") {
        root.insert(&name.split('.').collect::<Vec<_>>(), &field.types);
    }
}

fn views_of(record: &RecordType, name: &str, catalogue: &Catalogue, out: &mut String) {
    let doc = if name == type_name(&record.name) {
        let summary = record.summary.trim().lines().collect::<Vec<_>>().join(" ");
        if summary.is_empty() {
            format!("`{}`", record.name)
        } else {
            format!("`{}`: {summary}", record.name)
        }
    } else {
        "Several record types that have the same fields.".to_owned()
    };
    struct_of(name, &doc, &tree(record, catalogue), out);
}

fn struct_of(name: &str, doc: &str, node: &Node, out: &mut String) {
    let mut nested = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut body = String::new();
    for (key, member) in &node.members {
        let mut ident = snake(key);
        if ident.is_empty() || ident.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        while used.contains(&ident) {
            ident.push_str("_alt");
        }
        let ty = rust_type(&format!("{name}{}", pascal(key)), member, &mut nested);
        let _ = writeln!(body, "        {ident}: {ty} = {key:?},");
        used.push(ident);
    }
    let _ = write!(out, "    /// {doc}\n    {name} {{\n{body}    }}\n\n");
    for (name, node) in nested {
        struct_of(&name, "A part of the record above.", node, out);
    }
}

fn rust_type<'n>(name: &str, node: &'n Node, nested: &mut Vec<(String, &'n Node)>) -> String {
    let mut kinds: Vec<&str> = split_types(&node.types)
        .into_iter()
        .map(|t| t.split(['(', '<']).next().unwrap_or(t))
        .map(|t| if t == "enum" { "string" } else { t })
        .filter(|t| !matches!(*t, "null" | "undefined" | ""))
        .collect();
    kinds.dedup();
    if kinds.is_empty() && !node.members.is_empty() {
        kinds.push("object");
    }
    if kinds.is_empty() && node.elements.is_some() {
        kinds.push("array");
    }
    match kinds.as_slice() {
        ["string"] => "Text<'a>".into(),
        ["integer"] => "i64".into(),
        ["number"] => "f64".into(),
        ["boolean"] => "bool".into(),
        [kind] if !node.members.is_empty() && *kind != "array" => {
            nested.push((name.to_owned(), node));
            format!("{name}<'a>")
        }
        ["array"] => {
            let element = match &node.elements {
                Some(e) if !e.members.is_empty() => {
                    nested.push((format!("{name}Element"), e));
                    format!("{name}Element<'a>")
                }
                _ if node.types.contains("array(string)") => "Text<'a>".into(),
                _ => "Json<'a>".into(),
            };
            format!("List<'a, {element}>")
        }
        _ => "Json<'a>".into(),
    }
}

/// Splits `a|b(c|d)` at the bars outside of brackets.
fn split_types(types: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (i, c) in types.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            '|' if depth == 0 => {
                out.push(types[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(types[start..].trim());
    out
}

/// Decides a record's kind step by step: which path to look at, and what each value leads to.
#[derive(Default)]
struct Trie {
    kind: Option<String>,
    next: BTreeMap<String, BTreeMap<String, Trie>>,
}

impl Trie {
    fn insert(&mut self, tags: &[(String, String)], kind: &str) {
        match tags.split_first() {
            None => self.kind = Some(kind.to_owned()),
            Some(((path, value), rest)) => {
                self.next
                    .entry(path.clone())
                    .or_default()
                    .entry(value.clone())
                    .or_default()
                    .insert(rest, kind);
            }
        }
    }

    /// The expression that decides: a match on the tag at the path that comes next.
    fn expression(&self, paths: &[String]) -> String {
        let own = format!("Self::{}", self.kind.as_deref().unwrap_or("Unknown"));
        self.next.iter().rev().fold(own, |without, (path, values)| {
            let number = paths.iter().position(|p| p == path).unwrap_or(usize::MAX);
            // Values that lead to the same kind share an arm.
            let mut arms: Vec<(String, String)> = Vec::new();
            for (value, trie) in values {
                let expression = trie.expression(paths);
                match arms.iter_mut().find(|(_, e)| *e == expression) {
                    Some((pattern, _)) => {
                        let _ = write!(pattern, " | {value:?}");
                    }
                    None => arms.push((format!("{value:?}"), expression)),
                }
            }
            let arms: String =
                arms.iter().map(|(pattern, e)| format!("Some({pattern}) => {e},\n")).collect();
            // A value that the catalogue lacks is an unknown type, not the more general one.
            let without = if without == "Self::Unknown" {
                "_ => Self::Unknown,".to_owned()
            } else {
                format!("None => {without},\nSome(_) => Self::Unknown,")
            };
            format!("match tags.get({number}).as_deref() {{\n{arms}{without}\n}}")
        })
    }
}

fn parse_tags(tags: impl Iterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    tags.filter_map(|t| {
        t.as_ref().split_once('=').map(|(p, v)| (p.trim().to_owned(), v.trim().to_owned()))
    })
    .collect()
}

fn module(catalogue: &Catalogue, modules: &[String], views: &BTreeMap<String, String>) -> String {
    let mut variants = String::new();
    let mut arms = String::new();
    let mut without = String::new();
    for record in &catalogue.records {
        let name = type_name(&record.name);
        let Some(view) = views.get(&record.name) else {
            let _ = write!(without, "Kind::{name} | ");
            continue;
        };
        let _ = writeln!(variants, "    /// `{}`\n    {name}({view}<'a>),", record.name);
        let body = record.body.as_deref().map_or("Some(record)".into(), |b| {
            let keys = b.split('.').map(|k| format!("{k:?}")).collect::<Vec<_>>().join(", ");
            format!("record.at(&[{keys}])")
        });
        let _ = writeln!(
            arms,
            "            Kind::{name} => {body}.and_then(View::view).map(Record::{name}),"
        );
    }
    let mods = modules.iter().map(|m| format!("mod {m};\n")).collect::<String>();
    let uses = modules.iter().map(|m| format!("pub use {m}::*;\n")).collect::<String>();
    format!(
        "{HEADER}
//! Every record type of {title}: its kind, and a typed view of its body.

use crate::json::Json;
use crate::view::View;

mod kind;
{mods}
pub use kind::{{Kind, type_of}};
{uses}
/// A record, decoded: a typed view of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record<'a> {{
{variants}    /// A type that the catalogue lacks, or a body that is no object: the record, whole.
    Unknown(Json<'a>),
}}

impl<'a> Record<'a> {{
    /// Decodes a record. Never fails.
    pub fn decode(record: Json<'a>) -> Self {{
        let known = match Kind::of(record) {{
{arms}            {without}Kind::Unknown => None,
        }};
        known.unwrap_or(Self::Unknown(record))
    }}
}}
",
        title = catalogue.title,
    )
}

fn kind_module(catalogue: &Catalogue) -> String {
    let mut trie = Trie::default();
    let mut paths: Vec<String> = Vec::new();
    let mut kinds = String::new();
    for record in &catalogue.records {
        let name = type_name(&record.name);
        let mut lists = vec![parse_tags(record.tag.iter())];
        lists.extend(record.aliases.iter().map(|a| parse_tags(a.split(" & "))));
        for tags in &lists {
            trie.insert(tags, &name);
            for (path, _) in tags {
                if !paths.contains(path) {
                    paths.push(path.clone());
                }
            }
        }
        let concept = Concept::from_name(&record.concept)
            .map_or("MetadataOther".into(), |c| format!("{c:?}"));
        let _ = writeln!(kinds, "    {name} = {:?}, {concept};", record.name);
    }
    let detect = trie.expression(&paths);
    let paths = paths
        .iter()
        .map(|p| {
            format!("&[{}]", p.split('.').map(|k| format!("{k:?}")).collect::<Vec<_>>().join(", "))
        })
        .collect::<Vec<_>>()
        .join(", ");
    format!(
        "{HEADER}
//! The kinds of record of {title}, and how they are told apart.

use crate::concept::Concept;
use crate::json::Json;
use crate::tags::{{Paths, Tagged, Tags}};
use crate::view::kinds;

kinds! {{
{kinds}}}

impl Tagged for Kind {{
    const PATHS: Paths = &[{paths}];

    fn of_tags(tags: &Tags<'_>) -> Self {{
        {detect}
    }}
}}

impl Kind {{
    /// Decides the kind of a record.
    pub fn of(record: Json<'_>) -> Self {{
        Self::of_tags(&Tags::of(record, Self::PATHS))
    }}
}}

/// The name of a record's type, made from its own tags when the catalogue lacks it.
pub fn type_of(record: Json<'_>) -> String {{
    let tags = Tags::of(record, Kind::PATHS);
    match Kind::of_tags(&tags) {{
        Kind::Unknown => tags.joined(),
        kind => kind.name().to_owned(),
    }}
}}
",
        title = catalogue.title,
    )
}
