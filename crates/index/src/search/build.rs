//! A session as documents of the index.
//!
//! Texts come from the one rebuild. Items of branches that were left are documents too, and everything that stands in
//! the records outside of items (instructions, settings, metadata) is one more: whatever word is in a transcript, its
//! session is found.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;
use recount_session::model::{At, Item, Thread};
use recount_store::container::file;
use recount_store::discover::{Discover, Opened};
use recount_store::{SessionHead, discover};
use serde::{Deserialize, Serialize};
use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf, Value};
use tantivy::schema::{Document, Field};
use twox_hash::XxHash3_64;

use super::item::{Role, Touch, indexed};
use super::owned::{Owned, Told};
use super::ranges::Ranges;
use super::schema::Fields;
use super::strings;

/// What rebuilding the branches of one session may cost, in bytes that are read again. The words of those that are left
/// out are still found, as records.
const BRANCHES: usize = 512 << 20;

/// What a list shows of a session, and where it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The harness's id.
    pub harness: String,
    /// The thread's id.
    pub id: String,
    /// The transcript.
    pub path: String,
    /// The title.
    pub title: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The branch of its repository.
    pub git_branch: Option<String>,
    /// The model that answered last.
    pub model: Option<String>,
    /// When it began, RFC 3339.
    pub created_at: Option<String>,
    /// When it was last written, RFC 3339.
    pub updated_at: Option<String>,
    /// The thread that started it.
    pub parent_id: Option<String>,
    /// Whether another agent started it.
    pub is_subagent: bool,
    /// Whether it was archived.
    pub archived: bool,
    /// Turns of the active branch.
    pub turns: u64,
    /// Prompts that a person typed.
    pub human_prompts: u64,
    /// What was wrong or unknown.
    pub findings: u64,
}

/// Where an item is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) turn: String,
    pub(crate) item: String,
    /// The tool, where it is one.
    pub(crate) tool: Option<String>,
    /// The leaf of the branch, when it is not the active one.
    pub(crate) leaf: Option<String>,
    /// Its lines in the transcript, when this is a plain file.
    pub(crate) lines: Vec<Own>,
}

/// What of a line is an item's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Own {
    /// Where the line begins.
    pub(crate) at: u64,
    /// The numbers of its strings in the line; nothing when all of them may be.
    pub(crate) strings: Option<Ranges>,
}

/// A session that was taken apart.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) session: Session,
    pub(crate) documents: Vec<Doc>,
    pub(crate) touched: Vec<(String, Touch)>,
}

/// One document.
#[derive(Debug)]
pub(crate) struct Doc {
    pub(crate) texts: Vec<String>,
    pub(crate) rest: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) role: Role,
    pub(crate) time: i64,
    pub(crate) place: Vec<u8>,
}

/// Rebuilds a session. `elsewhere` tells whether another transcript of that name is indexed by itself: what a session
/// took over from there is found there.
pub(crate) fn build(
    discover: &dyn Discover,
    head: &SessionHead,
    elsewhere: &dyn Fn(&str) -> bool,
) -> io::Result<Built> {
    let opened = discover.open_alone(head)?;
    let mut thread = opened.thread(None);
    let plain = discover.keeps_files() && !file::is_zst(&head.path);
    let mut builder = Builder {
        elsewhere,
        own: Arc::clone(&opened.source),
        plain,
        time: millis(thread.created_at.as_deref())
            .or_else(|| millis(head.updated_at.as_deref()))
            .unwrap_or(0),
        cwd: thread.cwd.clone().or_else(|| head.cwd.clone()),
        seen: HashSet::new(),
        told: Hashes::default(),
        documents: Vec::new(),
        told_by: Vec::new(),
        touched: Vec::new(),
    };
    let session = session(head, &thread);
    builder.thread(&mut thread, None);
    let left: Vec<String> =
        thread.branches.iter().filter(|b| !b.active).map(|b| b.leaf.clone()).collect();
    let most = BRANCHES / opened.bytes.len().max(1);
    for leaf in left.iter().take(most) {
        builder.thread(&mut opened.thread(Some(leaf)), Some(leaf));
    }
    let mut owned = Owned::new(builder.told_by);
    let rest = rest(&opened, &session, builder.told, &mut owned);
    for (document, place) in owned.places() {
        builder.documents[document].place = postcard::to_allocvec(&place).unwrap_or_default();
    }
    builder.documents.push(Doc {
        texts: Vec::new(),
        rest,
        tags: vec![format!("role:{}", Role::Record.name())],
        files: Vec::new(),
        role: Role::Record,
        time: millis(session.updated_at.as_deref()).unwrap_or(builder.time),
        place: Vec::new(),
    });
    builder.touched.sort_unstable();
    builder.touched.dedup();
    Ok(Built { session, documents: builder.documents, touched: builder.touched })
}

/// What a list shows, from the rebuild and from what the store knows.
fn session(head: &SessionHead, thread: &Thread) -> Session {
    Session {
        harness: head.harness.id().to_owned(),
        id: head.id.clone(),
        path: head.path.to_string_lossy().into_owned(),
        title: head.title.clone().or_else(|| thread.title.clone()),
        cwd: head.cwd.clone().or_else(|| thread.cwd.clone()),
        git_branch: thread.git_branch.clone(),
        model: thread.model.clone().or_else(|| head.model.clone()),
        created_at: head.created_at.clone().or_else(|| thread.created_at.clone()),
        updated_at: head.updated_at.clone().or_else(|| thread.updated_at.clone()),
        parent_id: head.parent_id.clone().or_else(|| thread.lineage.parent_id.clone()),
        is_subagent: head.is_subagent,
        archived: head.archived,
        turns: thread.turns.len() as u64,
        human_prompts: thread.prompts(),
        findings: thread.findings.len() as u64,
    }
}

struct Builder<'a> {
    elsewhere: &'a dyn Fn(&str) -> bool,
    own: Arc<str>,
    plain: bool,
    /// The time of the last item that had one.
    time: i64,
    cwd: Option<String>,
    seen: HashSet<String>,
    /// The lines of the texts of items, by their hashes.
    told: Hashes,
    documents: Vec<Doc>,
    told_by: Vec<Told>,
    touched: Vec<(String, Touch)>,
}

impl Builder<'_> {
    /// Takes the items of a branch that were not seen yet.
    fn thread(&mut self, thread: &mut Thread, leaf: Option<&str>) {
        for turn in &mut thread.turns {
            if let Some(seconds) = turn.started_at {
                self.time = seconds.saturating_mul(1000);
            }
            for item in std::mem::take(&mut turn.items) {
                if self.seen.insert(item.id.clone()) {
                    self.item(item, &turn.id, leaf);
                }
            }
        }
    }

    fn item(&mut self, item: Item, turn: &str, leaf: Option<&str>) {
        let (At::Line { source, .. } | At::Row { source, .. } | At::Blob { source, .. }) = &item.at;
        if *source != self.own && (self.elsewhere)(source) {
            return;
        }
        let mut lines = Vec::new();
        for at in std::iter::once(&item.at).chain(&item.also_at) {
            if let At::Line { source, byte, .. } = at
                && *source == self.own
                && self.plain
            {
                lines.push(Own { at: *byte, strings: None });
            }
        }
        self.time = millis(item.timestamp.as_deref()).unwrap_or(self.time);
        let id = item.id.clone();
        let (role, found) = indexed(item);
        let lines_of = found.texts.iter().flat_map(|text| each_line(text));
        let mut hashes: Vec<u64> = lines_of.map(hash).collect();
        self.told.extend(&hashes);
        let mut tags: Vec<String> = found.tools.iter().map(|tool| format!("tool:{tool}")).collect();
        tags.push(format!("role:{}", role.name()));
        tags.extend(leaf.map(|_| "branch:abandoned".to_owned()));
        let mut files = Vec::new();
        for (path, touch) in found.files {
            let path = absolute(&path, self.cwd.as_deref());
            self.touched.extend(touch.map(|touch| (path.clone(), touch)));
            files.push(path);
        }
        let place = Place {
            turn: turn.to_owned(),
            item: id,
            tool: found.tools.last().cloned(),
            leaf: leaf.map(str::to_owned),
            lines,
        };
        self.documents.push(Doc {
            texts: found.texts,
            rest: Vec::new(),
            tags,
            files,
            role,
            time: self.time,
            place: Vec::new(),
        });
        hashes.sort_unstable();
        hashes.dedup();
        self.told_by.push(Told { document: self.documents.len() - 1, place, hashes });
    }
}

/// Paths in arguments may be relative to the working directory.
fn absolute(path: &str, cwd: Option<&str>) -> String {
    let rooted = Path::new(path).has_root() || path.starts_with('~') || path.contains(':');
    match cwd {
        Some(cwd) if !rooted => plain_path(&format!("{cwd}/{path}")),
        _ => plain_path(path),
    }
}

/// A path without `//`, `.` and `..`, as far as it tells itself. Others than those with `/`, and addresses, stay as they are.
pub(super) fn plain_path(path: &str) -> String {
    let is_plain = |part: &str| !matches!(part, "." | "..");
    if path.contains("://") || (!path.contains("//") && path.split('/').all(is_plain)) {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", None) if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    let end = if path.ends_with('/') && !parts.is_empty() { "/" } else { "" };
    [root, &parts.join("/"), end].concat()
}

/// Milliseconds since 1970.
pub(crate) fn millis(time: Option<&str>) -> Option<i64> {
    time?.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
}

/// The lines that stand in the records outside of the texts of items, each once. Records hold most texts several times,
/// with other things around them.
fn rest(opened: &Opened, session: &Session, told: Hashes, owned: &mut Owned) -> Vec<String> {
    let mut rest = Rest { seen: told, texts: Vec::new() };
    let about = [
        Some(session.id.as_str()),
        session.title.as_deref(),
        session.cwd.as_deref(),
        session.git_branch.as_deref(),
        session.model.as_deref(),
    ];
    about.into_iter().flatten().for_each(|text| rest.string(text));
    let mut at = 0;
    while at < opened.bytes.len() {
        let bytes = &opened.bytes[at..];
        let end = memchr(b'\n', bytes).map_or(bytes.len(), |n| n + 1);
        let line = String::from_utf8_lossy(&bytes[..end]);
        let mut line_of = owned.line(at as u64);
        strings::each(&line, &mut |text| {
            if let Some(line) = &mut line_of {
                line.string(&text);
            }
            rest.string(&words_of_machines(&text));
        });
        at += end;
    }
    for part in opened.companions.parts() {
        let Some(bytes) = opened.companions.read(&part) else { continue };
        strings::each(&String::from_utf8_lossy(&bytes), &mut |text| {
            rest.string(&words_of_machines(&text));
        });
    }
    rest.texts
}

/// The lines of a text that are not empty, without the white space around them: what is cut out of records loses it.
pub(super) fn each_line(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = memchr(b'\n', text.as_bytes());
        rest = end.map(|end| &text[end + 1..]);
        Some(text[..end.unwrap_or(text.len())].trim())
    })
    .filter(|line| !line.is_empty())
}

/// A line of a file is the same with its number in front, and with the sign that it has in a patch.
fn bare(line: &str) -> &str {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let line =
        numbered.strip_prefix(['\t', '→', '|', ':']).filter(|_| numbered != line).unwrap_or(line);
    line.trim_start_matches(['+', '-']).trim_start()
}

/// Hashes need not be hashed again.
pub(super) type Hashes = HashSet<u64, BuildHasherDefault<AsItIs>>;

#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = XxHash3_64::oneshot(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

pub(super) fn hash(line: &str) -> u64 {
    XxHash3_64::oneshot(bare(line).as_bytes())
}

struct Rest {
    /// The lines that were seen, by their hashes.
    seen: Hashes,
    texts: Vec<String>,
}

impl Rest {
    fn string(&mut self, text: &str) {
        let mut new = String::new();
        for line in each_line(text) {
            if self.seen.insert(hash(line)) {
                if !new.is_empty() {
                    new.push('\n');
                }
                new.push_str(line);
            }
        }
        if !new.is_empty() {
            self.texts.push(new);
        }
    }
}

/// Ids, hashes and times are millions of words that nobody looks for: of those only the words that people made are left, such as
/// those of a name with a number behind it. What is none of that is left as it is.
fn words_of_machines(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if bytes.len() < 16 || bytes.len() > 128 {
        return Cow::Borrowed(text);
    }
    let is_time = bytes.len() < 40
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes[4] == b'-'
        && bytes[10] == b'T';
    if is_time {
        return Cow::Borrowed("");
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let one_word = bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if !one_word || digits < 4 {
        return Cow::Borrowed(text);
    }
    let parts = || text.split(['-', '_']);
    let is_random = |part: &str| {
        part.len() >= RANDOM
            && part.bytes().any(|b| b.is_ascii_digit())
            && part.bytes().any(|b| b.is_ascii_alphabetic())
    };
    let is_word = |part: &&str| {
        part.len() >= WORD
            && part.bytes().all(|b| b.is_ascii_alphabetic())
            && !part.bytes().all(|b| b.is_ascii_hexdigit())
    };
    if !parts().any(is_random) && parts().any(|part| is_word(&part)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(parts().filter(is_word).collect::<Vec<_>>().join("-"))
}

/// So long a mixture of letters and digits was made by a machine.
const RANDOM: usize = 8;
/// So many letters are a word.
const WORD: usize = 3;

/// Opens the sessions of a source.
pub(crate) fn heads(harness: recount_formats::Harness, path: &Path) -> Vec<SessionHead> {
    let Some(discover) = discover::of(harness) else { return Vec::new() };
    if discover.keeps_files() {
        discover.at_path(path).into_iter().collect()
    } else {
        discover.all_at_path(path)
    }
}

impl Doc {
    /// Tells documents apart: two with the same fingerprint are the same.
    pub(crate) fn print(&self) -> u64 {
        let mut hasher = XxHash3_64::new();
        let mut part = |kind: u8, bytes: &[u8]| {
            hasher.write(&[kind]);
            hasher.write(&(bytes.len() as u64).to_le_bytes());
            hasher.write(bytes);
        };
        self.texts.iter().for_each(|text| part(0, text.as_bytes()));
        self.rest.iter().for_each(|text| part(1, text.as_bytes()));
        self.tags.iter().for_each(|text| part(2, text.as_bytes()));
        self.files.iter().for_each(|text| part(3, text.as_bytes()));
        part(4, &self.role.number().to_le_bytes());
        part(5, &self.time.to_le_bytes());
        part(6, &self.place);
        hasher.finish()
    }
}

/// A document with its number.
#[derive(Debug)]
pub(crate) struct Numbered {
    pub(crate) doc: Doc,
    pub(crate) number: u64,
    pub(crate) fields: Arc<Fields>,
}

/// A value of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaf<'a> {
    Text(&'a str),
    U64(u64),
    I64(i64),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> for Leaf<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Leaf::Text(text) => ReferenceValueLeaf::Str(text),
            Leaf::U64(n) => ReferenceValueLeaf::U64(n),
            Leaf::I64(n) => ReferenceValueLeaf::I64(n),
            Leaf::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}

impl Document for Numbered {
    type Value<'a> = Leaf<'a>;
    type FieldsValuesIter<'a> = std::vec::IntoIter<(Field, Leaf<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let (doc, fields) = (&self.doc, &self.fields);
        let mut all = Vec::with_capacity(doc.texts.len() + doc.rest.len() + 8);
        all.extend(doc.texts.iter().map(|text| (fields.text, Leaf::Text(text))));
        all.extend(doc.rest.iter().map(|text| (fields.rest, Leaf::Text(text))));
        all.extend(doc.tags.iter().map(|tag| (fields.tag, Leaf::Text(tag))));
        all.extend(doc.files.iter().map(|file| (fields.file, Leaf::Text(file))));
        all.push((fields.number, Leaf::U64(self.number)));
        all.push((fields.time, Leaf::I64(doc.time)));
        all.push((fields.role, Leaf::U64(doc.role.number())));
        all.push((fields.place, Leaf::Bytes(&doc.place)));
        all.into_iter()
    }
}
