//! Finding what should not be shared, in one text.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::rules::{RULES, Rules};

/// Something that should not be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) rule: Cow<'static, str>,
}

/// So deep texts in texts are looked at: what was encoded twice, and no further.
const DEEPEST: u8 = 3;

/// What else than secrets is looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Personal {
    pub(super) homes: bool,
    pub(super) emails: bool,
    /// Lower case.
    pub(super) names: Vec<String>,
}

/// Everything in a text, in order, without overlaps.
pub(super) fn scan(text: &str, personal: &Personal) -> Vec<Found> {
    let Some(rules) = RULES.as_ref() else { return Vec::new() };
    let mut found = secrets(text, rules, 0);
    if personal.homes {
        homes(text, &mut found);
    }
    if personal.emails {
        emails(text, &mut found);
    }
    for name in &personal.names {
        names(text, name, &mut found);
    }
    tidy(found)
}

/// Whether a value under this name should not be shared.
pub(super) fn is_secret_under(name: &str, value: &str) -> bool {
    RULES.as_ref().is_some_and(|rules| {
        rules.is_secret_name(name)
            && value.len() <= 4096
            && !value.trim().contains(['\n', ' '])
            && is_value(value.trim(), rules)
    })
}

/// Sorts; of what overlaps the one that begins first and is longest stays.
fn tidy(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|f| (f.range.start, std::cmp::Reverse(f.range.end)));
    let mut end = 0;
    found.retain(|f| {
        let keep = f.range.start >= end && !f.range.is_empty();
        if keep {
            end = f.range.end;
        }
        keep
    });
    found
}

fn secrets(text: &str, rules: &Rules, depth: u8) -> Vec<Found> {
    let mut found = Vec::new();
    private_keys(text, &mut found);
    tokens(text, rules, &mut found);
    jwts(text, &mut found);
    addresses(text, rules, &mut found);
    headers(text, rules, &mut found);
    values(text, rules, &mut found);
    runs(text, rules, depth, &mut found);
    found
}

fn push(found: &mut Vec<Found>, range: Range<usize>, rule: impl Into<Cow<'static, str>>) {
    found.push(Found { range, rule: rule.into() });
}

/// So long is what is looked at as one value. Longer text could ask for the square of its length.
const LONGEST: usize = 16 << 10;

/// The end of what fits from `start` on.
fn while_fits(bytes: &[u8], start: usize, fits: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take(LONGEST).take_while(|b| fits(**b)).count()
}

/// The end of a run, however long.
fn run_end(bytes: &[u8], start: usize, fits: impl Fn(u8) -> bool) -> usize {
    start + bytes.get(start..).map_or(0, |b| b.iter().take_while(|b| fits(**b)).count())
}

/// The beginning of a text, as far as one value goes.
fn near(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether a word can begin here. A backslash and a letter are an escape such as `\n` in a string in a string.
fn is_start(bytes: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|n| bytes.get(n)) else { return true };
    if !before.is_ascii_alphanumeric() && !matches!(before, b'_' | b'-') {
        return true;
    }
    // `%2Fghp_…`, `\nghp_…`
    (at >= 2 && bytes[at - 2] == b'\\' && matches!(before, b'n' | b't' | b'r'))
        || (at >= 3 && bytes[at - 3] == b'%')
}

fn private_keys(text: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    while let Some(start) = text[at..].find("-----BEGIN ").map(|n| at + n) {
        let head_end = near(&text[start + 11..]).find("-----").map(|n| start + 11 + n);
        let Some(head_end) = head_end.filter(|end| end - start < 64) else {
            at = start + 11;
            continue;
        };
        at = head_end;
        if !text[start..head_end].contains("PRIVATE KEY") {
            continue;
        }
        let rest = near(&text[head_end + 5..]);
        let end = rest
            .find("-----END ")
            .and_then(|n| rest[n + 9..].find("-----").map(|m| head_end + 5 + n + 9 + m + 5));
        // A key that is cut off goes on as far as it can.
        let end = end.unwrap_or_else(|| {
            while_fits(text.as_bytes(), head_end + 5, |b| {
                b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\n' | b'\r' | b'\\')
            })
        });
        push(found, start..end, "private-key");
        at = end;
    }
}

fn tokens(text: &str, rules: &Rules, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for hit in rules.starts.find_iter(text) {
        let Some(token) = rules.token(hit.pattern().as_usize()) else { continue };
        let is_address = text[hit.range()].contains('/');
        if !is_address && !is_start(bytes, hit.start()) {
            continue;
        }
        let end = while_fits(bytes, hit.end(), |b| token.signs.has(b));
        let mut tail = &text[hit.end()..end];
        tail = tail.trim_end_matches(['.', '-', '=']);
        let end = hit.end() + tail.len();
        let length = tail.len();
        if length < token.least || token.most.is_some_and(|most| length > most) {
            continue;
        }
        let has = |fits: fn(&u8) -> bool| tail.as_bytes().iter().any(fits);
        if token.mixed && !(has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)) {
            continue;
        }
        // `sk-some-name-of-a-thing`: words are no key.
        if length > 0 && entropy(tail) < 2.8 {
            continue;
        }
        let is_words =
            tail.split(['-', '_']).all(|w| w.len() < 12 && !w.bytes().any(|b| b.is_ascii_digit()));
        if is_words {
            continue;
        }
        push(found, hit.start()..end, token.name.clone());
    }
}

/// `eyJ…`, a dot, `eyJ…` or anything, a dot, a signature.
fn jwts(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let mut at = 0;
    while let Some(start) = text[at..].find("eyJ").map(|n| at + n) {
        let head = while_fits(bytes, start, part);
        at = head.max(start + 3);
        if head - start < 12 || bytes.get(head) != Some(&b'.') || !is_start(bytes, start) {
            continue;
        }
        let body = while_fits(bytes, head + 1, part);
        if body - head < 8 {
            continue;
        }
        let mut end = body;
        while bytes.get(end) == Some(&b'.') {
            let next = while_fits(bytes, end + 1, part);
            if next == end + 1 {
                break;
            }
            end = next;
        }
        push(found, start..end, "jwt");
        at = end;
    }
}

/// Passwords in addresses, `scheme://user:password@host`, and values in their queries.
fn addresses(text: &str, rules: &Rules, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = text[at..].find("://").map(|n| at + n + 3) {
        let authority = while_fits(bytes, start, |b| {
            !b.is_ascii_whitespace()
                && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | b'/' | b'?' | b'#')
        });
        at = start;
        if !text.is_char_boundary(authority) {
            continue;
        }
        // A password may hold any sign: the last `@` before the path counts, or before the end when it looks so.
        if let Some(sign) = text[start..authority].rfind('@').map(|n| start + n)
            && let Some(colon) = text[start..sign].find(':').map(|n| start + n + 1)
            && sign > colon
            && !rules.is_placeholder(&text[colon..sign])
        {
            push(found, colon..sign, "password-in-address");
        }
    }
}

/// `Authorization: Bearer …`, `Basic …`, cookies.
fn headers(text: &str, rules: &Rules, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for word in ["earer ", "asic "] {
        let mut at = 0;
        while let Some(start) = text[at..].find(word).map(|n| at + n + word.len()) {
            at = start;
            let end = while_fits(bytes, start, |b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'-' | b'.' | b'~' | b'+' | b'/' | b'=')
            });
            let value = &text[start..end];
            let begins = start - word.len();
            let capital = begins > 0 && matches!(bytes[begins - 1], b'B' | b'b');
            let basic = word.starts_with("asic")
                && (value.len() < 8
                    || STANDARD_NO_PAD
                        .decode(value.trim_end_matches('='))
                        .ok()
                        .and_then(|b| String::from_utf8(b).ok())
                        .is_none_or(|t| !t.contains(':')));
            if capital && !basic && value.len() >= 8 && is_value(value, rules) {
                push(
                    found,
                    start..end,
                    if word == "asic " { "basic-auth" } else { "bearer-token" },
                );
            }
        }
    }
}

/// Values under names: `name=value`, `name: value`, `"name": "value"`, also in strings in strings, `--name value`.
fn values(text: &str, rules: &Rules, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    // What is part of a value is not looked at again.
    let mut done = 0;
    for at in memchr::memchr3_iter(b':', b'=', b' ', bytes) {
        if at < done {
            continue;
        }
        let mut name_end = at;
        let quoted = |b: u8| matches!(b, b'"' | b'\'' | b'\\' | b'`' | b']');
        while name_end > 0
            && (quoted(bytes[name_end - 1]) || (bytes[at] != b' ' && bytes[name_end - 1] == b' '))
        {
            name_end -= 1;
        }
        let mut start = name_end;
        while start > 0 && is_name(bytes[start - 1]) && name_end - start < 64 {
            start -= 1;
        }
        let name = &text[start..name_end];
        // Behind a space only options take a value: `--token x`.
        if name.len() < 3
            || (bytes[at] == b' ' && !name.starts_with("--"))
            || !rules.is_secret_name(name)
        {
            continue;
        }
        let mut value = at + 1;
        while value < bytes.len()
            && (quoted(bytes[value]) || matches!(bytes[value], b' ' | b'=' | b'>' | b'~'))
        {
            value += 1;
        }
        if value < at + 1 || value - at > 8 || text[at..value].contains('\n') {
            continue;
        }
        let in_quotes = value > 0 && matches!(bytes[value - 1], b'"' | b'\'' | b'`');
        let quote = if in_quotes { bytes[value - 1] } else { 0 };
        let end = while_fits(bytes, value, |b| {
            b != quote
                && !b.is_ascii_control()
                && !matches!(b, b'\\' | b'"' | b'`')
                && (in_quotes
                    || !(b.is_ascii_whitespace()
                        || matches!(b, b',' | b';' | b'&' | b'\'' | b')' | b'}' | b']' | b'<')))
        });
        if !text.is_char_boundary(end) || !text.is_char_boundary(value) {
            continue;
        }
        let shown = &text[value..end];
        if shown.len() > 256 {
            done = end;
        }
        if in_quotes && shown.contains(' ') {
            continue;
        }
        // Code that reads a secret is none: `token = next_token(x)`, `password: String`.
        if is_value(shown, rules) && (in_quotes || !is_code(shown)) {
            push(found, value..end, "named-secret");
            done = end;
        }
    }
}

fn is_code(value: &str) -> bool {
    value.contains(['(', '[', '{', '|', '*'])
        || (!value.bytes().any(|b| b.is_ascii_digit())
            && value.bytes().all(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'_' | b'.' | b':' | b'-' | b'/' | b'?' | b'$')
            }))
        || value.contains("::")
        || value.starts_with(['/', '.', '~', '@', '-'])
}

/// Whether something under the name of a secret is one.
fn is_value(value: &str, rules: &Rules) -> bool {
    let letters = value.chars().filter(|c| c.is_alphanumeric()).count();
    value.len() >= 6
        && letters >= 4
        && !rules.is_placeholder(value)
        && !value.bytes().all(|b| b.is_ascii_digit() && value.len() < 10)
        && entropy(value) >= 1.9
        // A name in capitals stands for a value.
        && !(value.len() < 40
            && value.contains('_')
            && value.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'))
}

/// Long runs of signs: text that was encoded, and values that are too random to be words.
fn runs(text: &str, rules: &Rules, depth: u8, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let fits = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'_' | b'-' | b'=' | b'%' | b'.')
    };
    let mut at = 0;
    while at < bytes.len() {
        if !fits(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let end = run_end(bytes, at, fits);
        at = end;
        if end - start < 20 {
            continue;
        }
        let run = &text[start..end];
        // Hashes of content, as lock files and fingerprints have them.
        let hash = ["sha1-", "sha256-", "sha384-", "sha512-"].iter().any(|h| run.starts_with(h));
        if hash || text[..start].ends_with("SHA256:") {
            continue;
        }
        // Images and other data in base64 are no text and no key.
        if end - start > 1_000_000
            || text[..start].ends_with(";base64,") && !text[..start].ends_with("text/plain;base64,")
        {
            continue;
        }
        if depth < DEEPEST && encoded(run, rules, depth) {
            let inside = run.trim_start_matches(['/', '.', '=']);
            push(found, end - inside.len()..end, "encoded-secret");
            continue;
        }
        // The parts of paths and of names with dots are looked at for themselves.
        let mut from = start;
        for part in run.split_inclusive(['.', '=', '%']) {
            let part_end = from + part.len();
            let part = part.trim_end_matches(['.', '=', '%']);
            if is_random(part) {
                push(found, from..from + part.len(), "random-value");
            }
            from = part_end;
        }
    }
}

/// Whether a run is text in another coding that holds a secret.
fn encoded(run: &str, rules: &Rules, depth: u8) -> bool {
    let has_secret = |text: &str| !secrets(text, rules, depth + 1).is_empty();
    if run.contains('%') {
        let decoded = percent_decoded(run);
        if decoded != run && has_secret(&decoded) && secrets(run, rules, DEEPEST).is_empty() {
            return true;
        }
    }
    if run.len() < 24 {
        return false;
    }
    let bare = run.trim_end_matches('=').trim_start_matches(['/', '.', '=']);
    let decoded = STANDARD_NO_PAD.decode(bare).or_else(|_| URL_SAFE_NO_PAD.decode(bare));
    decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok()).is_some_and(|text| {
        text.chars().all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))
            && has_secret(&text)
    })
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a run is too random for words, names, paths and hashes: capitals, small letters and digits mixed throughout.
fn is_random(run: &str) -> bool {
    if run.len() < 32 || run.len() > 512 || run.matches(['/', '-', '_']).count() > run.len() / 8 {
        return false;
    }
    let has = |fits: fn(&u8) -> bool| run.as_bytes().iter().filter(|b| fits(b)).count();
    let (upper, lower, digits) =
        (has(u8::is_ascii_uppercase), has(u8::is_ascii_lowercase), has(u8::is_ascii_digit));
    // Hashes of commits and content are hexadecimal and no secrets; nor are words in camel case.
    if upper * 8 < run.len() || lower * 8 < run.len() || digits * 16 < run.len() {
        return false;
    }
    let changes = run.as_bytes().windows(2).filter(|w| class(w[0]) != class(w[1])).count();
    entropy(run) > 4.2 && changes * 3 > run.len()
}

fn class(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// Bits for each byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let all = text.len() as f64;
    counts
        .iter()
        .filter(|n| **n > 0)
        .map(|n| {
            let part = f64::from(*n) / all;
            -part * part.log2()
        })
        .sum()
}

/// The folder of a person's name in a path.
fn homes(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for (mark, ends) in [
        ("/home/", b"/"),
        ("/Users/", b"/"),
        ("\\Users\\", b"\\"),
        ("\\\\Users\\\\", b"\\"),
        ("-home-", b"-"),
        ("-Users-", b"-"),
    ] {
        let mut at = 0;
        while let Some(start) = text[at..].find(mark).map(|n| at + n + mark.len()) {
            at = start;
            let before = start - mark.len();
            // `-home-` is only a path where one begins: in the names of folders of projects.
            if ends == b"-"
                && before > 0
                && !matches!(bytes[before - 1], b'/' | b' ' | b'"' | b'\n')
            {
                continue;
            }
            let end = while_fits(bytes, start, |b| {
                (b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') || !b.is_ascii())
                    || (ends != b"-" && b == b'-')
            });
            let name = text[start..end].trim_end_matches('.');
            if !name.is_empty() && !matches!(name, "Shared" | "Public" | "linuxbrew" | "runner") {
                push(found, start..start + name.len(), "user");
            }
        }
    }
}

fn emails(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    for sign in memchr::memchr_iter(b'@', bytes) {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+');
        let mut start = sign;
        while start > 0 && fits(bytes[start - 1]) && sign - start < 64 {
            start -= 1;
        }
        // `\nsomebody@…` in a string in a string.
        if start > 0 && bytes[start - 1] == b'\\' && start < sign {
            start += 1;
        }
        let end =
            while_fits(bytes, sign + 1, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
        let domain = text[sign + 1..end].trim_end_matches(['.', '-']);
        let name = &text[start..sign];
        let top = domain.rsplit('.').next().unwrap_or("");
        let is_address = !name.is_empty()
            && name != "git"
            && !name.starts_with("noreply")
            && domain.contains('.')
            && top.len() >= 2
            && top.bytes().all(|b| b.is_ascii_alphabetic())
            // `user:password@host` is an address of another kind.
            && bytes.get(start.wrapping_sub(1)) != Some(&b':');
        if is_address {
            push(found, start..sign + 1 + domain.len(), "email");
        }
    }
}

/// A name that was given, as whole words.
fn names(text: &str, name: &str, found: &mut Vec<Found>) {
    if name.is_empty() {
        return;
    }
    // Lower case may have another length: such texts are compared as they are.
    let lower = text.to_lowercase();
    let lower = if lower.len() == text.len() { lower } else { text.to_owned() };
    let mut at = 0;
    while let Some(start) = lower[at..].find(name).map(|n| at + n) {
        let end = start + name.len();
        at = end;
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let whole =
            !is_word(lower[..start].chars().next_back()) && !is_word(lower[end..].chars().next());
        if whole && text.is_char_boundary(start) && text.is_char_boundary(end) {
            push(found, start..end, "name");
        }
    }
}
