//! Lines to entries: the header, the nodes of the tree, and what is wrong with the lines.

use std::borrow::Cow;
use std::sync::Arc;

use recount_formats::finding::excerpt;
use recount_formats::json::Json;
use recount_formats::jsonl::{self, Body, Content};
use recount_formats::pi::record::Session;
use recount_formats::pi::{Kind, Version, type_of};
use recount_formats::view::View as _;
use recount_formats::{Code, Finding, Position};

use super::content;

/// How an entry names its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parent<'a> {
    /// It is a root.
    None,
    /// By id.
    Id(Cow<'a, str>),
    /// It is the entry on the line before: version 1 has no ids.
    Previous,
}

/// A node of the tree.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// Where it stands.
    pub(super) at: Position,
    /// What it is.
    pub(super) kind: Kind,
    /// All of it.
    pub(super) json: Json<'a>,
    /// The message in it, `null` when there is none.
    pub(super) message: Json<'a>,
    /// Its id, made from its line when it has none.
    pub(super) id: Cow<'a, str>,
    /// Its parent.
    pub(super) parent: Parent<'a>,
    /// When it was appended.
    pub(super) timestamp: Option<Cow<'a, str>>,
    /// Whether it stands on a line that pi cannot read.
    pub(super) recovered: bool,
}

impl Entry<'_> {
    /// When it was appended, in milliseconds since 1970.
    pub(super) fn millis(&self) -> Option<i64> {
        let time: jiff::Timestamp = self.timestamp.as_deref()?.parse().ok()?;
        Some(time.as_millisecond())
    }
}

/// A file, read.
#[derive(Debug)]
pub(super) struct Transcript<'a> {
    /// The header.
    pub(super) header: Option<Session<'a>>,
    /// The nodes in the order of the file.
    pub(super) entries: Vec<Entry<'a>>,
    /// For each JSON value of the file, the header too, which entry it is. Version 1 counts so.
    pub(super) values: Vec<Option<usize>>,
}

/// What to do with lines on which several records are glued together, or one is torn and has another behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// pi passes over them: so the model never gets what stands there.
    Skip,
    /// The records that are whole are shown to people.
    Recover,
}

/// Reads the lines of a file.
pub(super) fn read<'a>(
    content: &'a Content<'_>,
    source: &Arc<str>,
    broken: Broken,
    findings: &mut Vec<Finding>,
) -> Transcript<'a> {
    let mut find =
        |code, at, message: String| findings.push(Finding::new(code, source, at, message));
    if content.bytes().is_empty() {
        find(Code::EmptyFile, Position::WHOLE, "the file has no bytes".into());
    }
    let mut header: Option<(Position, Session<'a>)> = None;
    let mut nodes: Vec<Node<'a>> = Vec::new();
    let mut values = Vec::new();
    for (line, kind) in content.parsed_as::<Kind>() {
        if line.mended {
            let message = "bytes that are not UTF-8 were replaced, as pi does it".to_owned();
            find(Code::InvalidUtf8, line.at, message);
        }
        let json = match line.body {
            Body::Blank => continue,
            Body::Junk(code, message) => {
                find(code, line.at, message);
                if broken == Broken::Recover {
                    nodes.extend(whole(content, line.at));
                }
                continue;
            }
            Body::Value(json) => json,
        };
        if !json.is_object() {
            values.push(None);
            find(Code::NotAnObject, line.at, format!("`{}` is no entry", excerpt(json.raw())));
            continue;
        }
        let kind = kind.unwrap_or(Kind::Unknown);
        if kind == Kind::Session {
            values.push(None);
            match (&header, Session::view(json)) {
                (None, Some(view)) => {
                    if !nodes.is_empty() {
                        let message =
                            "entries stand before the header: pi does not open such a file";
                        find(Code::MissingHeader, line.at, message.into());
                    }
                    header = Some((line.at, view));
                }
                _ => find(
                    Code::DuplicateId,
                    line.at,
                    "a further header: the first one counts".into(),
                ),
            }
            continue;
        }
        if matches!(kind, Kind::Unknown | Kind::Message) {
            let name = type_of(json);
            find(
                Code::UnknownRecordType,
                line.at,
                format!("unknown record type `{}`", excerpt(&name)),
            );
        }
        values.push(Some(nodes.len()));
        nodes.push(Node { at: line.at, kind, json, recovered: false });
    }

    let version = if let Some((at, view)) = &header {
        let version = Version::of_header(view.raw);
        if let Version::Future(n) = version {
            let message = format!("version {n} of the format: read as version 3, the newest known");
            find(Code::FutureVersion, *at, message);
        }
        if view.id.is_none() {
            find(
                Code::MissingField,
                *at,
                "the header has no id: pi does not open such a file".into(),
            );
        }
        version
    } else {
        if !content.bytes().is_empty() {
            let at = nodes.first().map_or(Position { line: 1, byte: 0, len: 0 }, |n| n.at);
            find(Code::MissingHeader, at, "no header: pi does not open such a file".into());
        }
        let ids = nodes.is_empty() || nodes.iter().any(|n| n.json.get("id").is_some());
        if ids { Version::V3 } else { Version::V1 }
    };
    let entries = nodes.into_iter().map(|node| {
        let at = node.at;
        let (entry, missing) = entry(node, version);
        for field in missing {
            let message = format!("the entry has no `{field}`");
            findings.push(
                Finding::new(Code::MissingField, source, at, message)
                    .with_pointer(format!("/{field}")),
            );
        }
        entry
    });
    Transcript { entries: entries.collect(), header: header.map(|(_, view)| view), values }
}

/// A record that is no header.
#[derive(Clone, Copy)]
struct Node<'a> {
    at: Position,
    kind: Kind,
    json: Json<'a>,
    recovered: bool,
}

/// The whole records on a line that is no JSON value. Headers are left out: one that is glued to something says
/// nothing certain about the file.
fn whole<'a>(content: &'a Content<'_>, at: Position) -> impl Iterator<Item = Node<'a>> {
    let records = content.text(at).map(jsonl::recover).unwrap_or_default();
    let node = move |(offset, json): (usize, Json<'a>)| {
        let at =
            Position { line: at.line, byte: at.byte + offset as u64, len: json.raw().len() as u64 };
        Node { at, kind: Kind::of(json), json, recovered: true }
    };
    records.into_iter().map(node).filter(|n| !matches!(n.kind, Kind::Session | Kind::Unknown))
}

/// Makes the entry; tells which fields of the tree it lacks.
fn entry(node: Node<'_>, version: Version) -> (Entry<'_>, Vec<&'static str>) {
    let Node { at, kind, json, recovered } = node;
    let [id, parent, timestamp, message] =
        content::pick(json, ["id", "parentId", "timestamp", "message"]);
    let id = id.and_then(Json::as_str);
    let mut missing = Vec::new();
    let parent = if version.is_tree() {
        if id.is_none() {
            missing.push("id");
        }
        if parent.is_none() {
            missing.push("parentId");
        }
        parent.and_then(Json::as_str).map_or(Parent::None, Parent::Id)
    } else {
        // Whatever ids a file without a version may have: pi strings its lines together (contract: versioning).
        Parent::Previous
    };
    let entry = Entry {
        at,
        kind,
        json,
        message: message.unwrap_or(Json::NULL),
        id: id.unwrap_or_else(|| Cow::Owned(format!("line-{}", at.line))),
        parent,
        timestamp: timestamp.and_then(Json::as_str),
        recovered,
    };
    (entry, missing)
}
