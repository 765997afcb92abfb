//! Takes out what should not be shared: secrets, home folders, addresses, names.
//!
//! - [`rules`]: what secrets look like, as data (`rules.toml`)
//! - [`scan`]: finding them in a text, also in texts in texts
//! - [`mod@walk`]: every text of a thread
//!
//! The same secret becomes the same placeholder throughout the export of a session, numbered in the order of the thread: the same
//! thread gives the same export.

mod rules;
mod scan;
mod walk;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use recount_session::RawJson;
use recount_text::text;
use serde::Serialize;

use self::scan::{Found, Personal};
use crate::family::{Family, Whole};
use crate::options::{Options, Tools};

/// What was taken out, or found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Secret {
    /// The thread that it stands in.
    pub thread_id: String,
    /// The number of the turn, from 1; nothing for what stands above the turns.
    pub turn: Option<usize>,
    /// The item.
    pub item_id: Option<String>,
    /// What kind it is.
    pub rule: String,
    /// What it is replaced by.
    pub placeholder: String,
    /// Its first and last characters, no more than anybody may see.
    pub hint: String,
}

/// Takes things out and remembers what.
#[derive(Debug, Default)]
pub struct Redactor {
    personal: Personal,
    /// The number of each value, by rule.
    numbers: HashMap<(String, String), usize>,
    /// How many values each rule has.
    counts: HashMap<String, usize>,
    place: Place,
    secrets: Vec<Secret>,
    /// What of a thread is written: what is taken out of the rest is not told.
    written: Written,
}

/// What of a thread is written.
#[derive(Debug, Clone, Copy)]
struct Written {
    tools: Tools,
    reasoning: bool,
    branches: bool,
}

impl Default for Written {
    fn default() -> Self {
        Self { tools: Tools::Full, reasoning: true, branches: true }
    }
}

/// Where in a thread it stands what is looked at.
#[derive(Debug, Default, Clone)]
struct Place {
    thread: String,
    turn: Option<usize>,
    item: Option<String>,
}

impl Redactor {
    /// Takes out secrets, home folders, addresses of mail, and these names.
    pub fn new(names: &[String]) -> Self {
        let names = names.iter().map(|n| n.trim().to_lowercase()).collect();
        Self { personal: Personal { homes: true, emails: true, names }, ..Self::default() }
    }

    /// Takes out secrets only.
    pub fn of_secrets() -> Self {
        Self::default()
    }

    /// Tells only of what is written with these options. Everything is taken out all the same.
    #[must_use]
    pub fn telling(mut self, options: &Options) -> Self {
        let Options { tools, reasoning, branches, .. } = *options;
        self.written = Written { tools, reasoning, branches };
        self
    }

    /// Takes everything out of a thread and its branches.
    pub fn apply(&mut self, whole: &mut Whole) {
        walk::whole(whole, self);
    }

    /// What was taken out so far, in the order of the thread.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// How often each rule took something out, and how many different values.
    pub fn summary(&self) -> BTreeMap<&str, (usize, usize)> {
        let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut values = HashSet::new();
        for secret in &self.secrets {
            let row = rows.entry(&secret.rule).or_default();
            row.0 += 1;
            row.1 += usize::from(values.insert(&secret.placeholder));
        }
        rows
    }

    /// Replaces what is found in a text; nothing when there is nothing.
    pub fn text(&mut self, text: &str) -> Option<String> {
        let found = scan::scan(text, &self.personal);
        self.replace(text, &found)
    }

    fn replace(&mut self, text: &str, found: &[Found]) -> Option<String> {
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for found in found {
            out.push_str(&text[done..found.range.start]);
            out.push_str(&self.placeholder(&found.rule, &text[found.range.clone()]));
            done = found.range.end;
        }
        out.push_str(&text[done..]);
        Some(out)
    }

    fn placeholder(&mut self, rule: &str, value: &str) -> String {
        let count = self.counts.entry(rule.to_owned()).or_default();
        let key = (rule.to_owned(), value.to_owned());
        let number = *self.numbers.entry(key).or_insert_with(|| {
            *count += 1;
            *count
        });
        let placeholder = format!("[{rule}-{number}]");
        self.secrets.push(Secret {
            thread_id: self.place.thread.clone(),
            turn: self.place.turn,
            item_id: self.place.item.clone(),
            rule: rule.to_owned(),
            placeholder: placeholder.clone(),
            hint: hint(value),
        });
        placeholder
    }

    /// Replaces what is found in the strings of JSON text, whatever they are nested in.
    fn json(&mut self, raw: &RawJson) -> Option<RawJson> {
        let text = raw.as_str();
        let mut out = String::new();
        let mut done = 0;
        let mut name: Option<String> = None;
        let mut at = 0;
        while let Some(start) = memchr::memchr(b'"', &text.as_bytes()[at..]).map(|n| at + n) {
            let end = string_end(text.as_bytes(), start);
            at = end;
            let Ok(value) = serde_json::from_str::<Cow<'_, str>>(&text[start..end]) else {
                continue;
            };
            let is_name = text[end..].trim_start().starts_with(':');
            let under = name.as_deref().filter(|_| !is_name);
            let replaced = match under {
                Some(name) if scan::is_secret_under(name, &value) => {
                    // A rule that knows the value says more than its name.
                    Some(
                        self.text(&value)
                            .unwrap_or_else(|| self.placeholder("named-secret", &value)),
                    )
                }
                _ => self.text(&value),
            };
            if is_name {
                name = Some(value.into_owned());
            }
            if let Some(replaced) = replaced {
                out.push_str(&text[done..start]);
                out.push_str(&serde_json::Value::String(replaced).to_string());
                done = end;
            }
        }
        if done == 0 {
            return None;
        }
        out.push_str(&text[done..]);
        RawJson::parse(&out).or_else(|| Some(RawJson::string(&out)))
    }
}

/// Behind the quote that ends a string.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(n) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += n;
        match bytes[at] {
            b'"' => return at + 1,
            _ => at += 2,
        }
    }
    bytes.len()
}

/// So many characters of a secret are shown at each end, and only of long ones.
const SHOWN: usize = 3;

fn hint(value: &str) -> String {
    let length = value.chars().count();
    if length < SHOWN * 6 {
        return format!("{length} characters");
    }
    let first = text::line(text::beginning(value, SHOWN)).into_owned();
    let last: String = value.chars().skip(length - SHOWN).collect();
    format!("{first}…{}, {length} characters", text::line(&last))
}

/// A family whose threads are given with everything taken out.
pub struct Redacted<'a> {
    family: &'a dyn Family,
    redactor: RefCell<&'a mut Redactor>,
}

impl<'a> Redacted<'a> {
    /// Takes out of the threads of a family.
    pub fn new(family: &'a dyn Family, redactor: &'a mut Redactor) -> Self {
        Self { family, redactor: RefCell::new(redactor) }
    }
}

impl Family for Redacted<'_> {
    fn thread(&self, id: &str) -> Option<Whole> {
        let mut whole = self.family.thread(id)?;
        self.redactor.borrow_mut().apply(&mut whole);
        Some(whole)
    }
}
