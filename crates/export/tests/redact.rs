//! Planted secrets are found wherever they stand, and nothing else is hidden.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use recount_export::redact::{Redacted, Redactor};
use recount_export::{Format, Options, Tools};
use recount_session::model::{Item, ItemKind};
use serde_json::json;

use crate::{Agents, whole};

const ALNUM: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8] = b"0123456789abcdef";

/// The same numbers each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    fn of(&mut self, signs: &[u8], count: usize) -> String {
        (0..count).map(|_| signs[self.next() % signs.len()] as char).collect()
    }
}

/// Kinds that are known by what they look like: a beginning, signs and a number of them. The beginnings are cut in two, so
/// that no program that looks for keys finds some here.
const SHAPES: &[(&str, &str, &[u8], usize)] = &[
    ("sk-", "ant-api03-", ALNUM, 80),
    ("sk-", "proj-", ALNUM, 64),
    ("sk", "-", ALNUM, 48),
    ("sk-", "svcacct-", ALNUM, 60),
    ("sk-", "or-v1-", HEX, 64),
    ("sk-", "lf-", HEX, 36),
    ("gh", "p_", ALNUM, 36),
    ("gh", "o_", ALNUM, 36),
    ("gh", "s_", ALNUM, 36),
    ("github", "_pat_", ALNUM, 82),
    ("gl", "pat-", ALNUM, 20),
    ("gl", "rt-", ALNUM, 20),
    ("AK", "IA", UPPER, 16),
    ("AS", "IA", UPPER, 16),
    ("AI", "za", ALNUM, 35),
    ("ya", "29.", ALNUM, 60),
    ("GOC", "SPX-", ALNUM, 28),
    ("xo", "xb-", ALNUM, 48),
    ("xo", "xp-", ALNUM, 64),
    ("xa", "pp-", ALNUM, 60),
    ("sk_", "live_", ALNUM, 24),
    ("rk_", "live_", ALNUM, 24),
    ("wh", "sec_", ALNUM, 32),
    ("S", "G.", ALNUM, 66),
    ("S", "K", HEX, 32),
    ("ke", "y-", HEX, 32),
    ("np", "m_", ALNUM, 36),
    ("py", "pi-", ALNUM, 90),
    ("ruby", "gems_", HEX, 48),
    ("dckr", "_pat_", ALNUM, 28),
    ("h", "f_", ALNUM, 34),
    ("gs", "k_", ALNUM, 52),
    ("pp", "lx-", LOWER, 48),
    ("xa", "i-", ALNUM, 80),
    ("r", "8_", ALNUM, 37),
    ("nv", "api-", ALNUM, 64),
    ("dop", "_v1_", HEX, 64),
    ("HR", "KU-", ALNUM, 58),
    ("nf", "p_", ALNUM, 36),
    ("sb", "p_", HEX, 40),
    ("shp", "at_", HEX, 32),
    ("sq0", "atp-", ALNUM, 22),
    ("ATA", "TT3", ALNUM, 180),
    ("lin", "_api_", ALNUM, 40),
    ("nt", "n_", ALNUM, 46),
    ("fi", "gd_", ALNUM, 40),
    ("PM", "AK-", HEX, 58),
    ("gl", "sa_", ALNUM, 41),
    ("NR", "AK-", UPPER, 27),
    ("sn", "trys_", ALNUM, 90),
    ("pscale", "_tkn_", ALNUM, 43),
    ("da", "pi", HEX, 32),
    ("hv", "s.", ALNUM, 90),
    ("pu", "l-", HEX, 40),
    ("ts", "key-auth-", ALNUM, 34),
    ("AGE-", "SECRET-KEY-1", UPPER, 58),
];

/// One secret of each kind, with what has to be gone afterwards.
fn secrets(random: &mut Random) -> Vec<(String, String, String)> {
    let mut all: Vec<(String, String, String)> = SHAPES
        .iter()
        .map(|(a, b, signs, count)| {
            // A key without digits is no key of these kinds.
            let tail = format!("{}7q{}", random.of(signs, 1), random.of(signs, count - 3));
            let tail = if *signs == UPPER { tail.to_uppercase() } else { tail };
            let tail = if *signs == HEX { tail.replace('q', "a") } else { tail };
            (format!("{a}{b}"), format!("{a}{b}{tail}"), tail)
        })
        .collect();
    let part = |random: &mut Random, text: &str| {
        let more = random.of(ALNUM, 12);
        URL_SAFE_NO_PAD.encode(format!("{{\"{text}\":\"{more}\"}}"))
    };
    let signature = random.of(ALNUM, 43);
    let jwt = format!("{}.{}.{signature}", part(random, "alg"), part(random, "sub"));
    all.push(("jwt".to_owned(), jwt, signature));
    let body = random.of(ALNUM, 64);
    let pem = format!(
        "-----BEGIN RSA PRIVATE{0}-----\n{body}\n{body}\n-----END RSA PRIVATE{0}-----",
        " KEY"
    );
    all.push(("private-key".to_owned(), pem, body));
    let password = random.of(ALNUM, 14);
    all.push((
        "connection".to_owned(),
        format!("postgres://app:{password}@db.internal:5432/shop"),
        password,
    ));
    let value = random.of(ALNUM, 40);
    all.push(("random".to_owned(), value.clone(), value));
    let value = random.of(ALNUM, 24);
    all.push(("bearer".to_owned(), format!("Authorization: Bearer {value}"), value));
    let value = random.of(LOWER, 12);
    all.push(("named".to_owned(), format!("DB_PASSWORD={value}"), value));
    all
}

/// Where a secret can stand in a text.
fn places(secret: &str) -> Vec<(&'static str, String)> {
    let percent: String = secret
        .bytes()
        .map(|b| match b {
            b if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.') => {
                (b as char).to_string()
            }
            b => format!("%{b:02X}"),
        })
        .collect();
    let json = json!({ "note": format!("use {secret} here") }).to_string();
    vec![
        ("prose", format!("Please use {secret} for this, thanks.")),
        ("output", format!("$ cat .env\nexport NAME=1\n{secret}\nPORT=80\n")),
        ("json", json.clone()),
        ("json in json", json!({ "body": json }).to_string()),
        ("json in json in json", json!({ "a": json!({ "body": json }).to_string() }).to_string()),
        ("base64", format!("data: {}", STANDARD.encode(format!("config\nvalue {secret}\n")))),
        ("address", format!("GET https://api.example.com/v1/items?page=2&access={percent} 200")),
        ("diff", format!("@@ -1 +1 @@\n-old\n+{secret}\n")),
        ("quoted", format!("let key = \"{}\";", secret.replace('\n', "\\n"))),
    ]
}

fn redacted(text: &str) -> String {
    Redactor::of_secrets().text(text).unwrap_or_else(|| text.to_owned())
}

#[test]
fn planted_secrets_are_found() {
    let mut random = Random(7);
    let kinds = secrets(&mut random);
    assert!(kinds.len() >= 60, "{}", kinds.len());
    let mut planted = 0;
    let mut missed = Vec::new();
    for round in 0..3 {
        let kinds = if round == 0 { kinds.clone() } else { secrets(&mut random) };
        for (kind, secret, core) in kinds {
            for (place, text) in places(&secret) {
                planted += 1;
                // In another coding, the decoded text counts.
                let shown = redacted(&text);
                let encoded =
                    place == "base64" && shown.contains(&STANDARD.encode("config\nvalue"));
                if shown.contains(&core) || encoded {
                    missed.push(format!("{kind} in {place}: {text}"));
                }
            }
        }
    }
    assert!(planted >= 200);
    println!("{planted} planted, {} missed", missed.len());
    // What a bare value without a name may look like has limits: it may be missed in another coding.
    assert!(
        missed.len() * 200 <= planted,
        "{planted} planted, {} missed\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// What stands in transcripts every day and is no secret.
const HARMLESS: &[&str] = &[
    "commit 8f14e45fceea167a5a36dedd4bea2543c4e9a1f2\nAuthor: none",
    "6513270e-269e-4d37-b2a7-4de452e6b438",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "\"integrity\": \"sha512-9Qm3Zr0VqZ3yXW7JkF5pD1nTuL8bRcE2sGhYvA6wNxKoI4jMfHlBtOqPzUiVdCeSa7g1k5m3n9b8v6c4x2zWQ==\"",
    "SHA256:Qm3Zr0VqZ3yXW7JkF5pD1nTuL8bRcE2sGhYvA6wNxKo",
    "let token = lexer.next_token()?;",
    "fn check(password: &str, secret: &Secret) -> bool {",
    "password: String,",
    "const TOKEN: &str = env!(\"TOKEN\");",
    "\"max_tokens\": 4096, \"input_tokens\": 12345678",
    "token_type: bearer",
    "export API_KEY=$API_KEY",
    "api_key = os.environ[\"API_KEY\"]",
    "api_key: process.env.API_KEY",
    "password=<your password>",
    "PASSWORD=changeme",
    "Authorization: Bearer $TOKEN",
    "https://example.com/a/very/long/path/to/some/file_with_words-and-dashes/index.html?page=12",
    "crates/session/src/rebuild/claude_code/tests/properties.rs:120:9",
    "sk-learn-contrib-extra-package-name",
    "AbstractSingletonProxyFactoryBeanImplementationForTestingPurposes",
    "The key-value store keeps each key-value-pair apart.",
    "npm_config_registry=https://registry.npmjs.org/",
    "hf_transfer is installed",
    "a secret: nobody knows it",
    "Pin: 4",
    "git@github.com:example/shop.git",
    "at Object.<anonymous> (/app/node_modules/jest-circus/build/legacy-code-todo-rewrite/jestAdapterInit.js:12)",
    "rust_begin_unwind_5f2d3c1b0a9e8d7c6b5a4f3e2d1c0b9a",
    "ok 1 - test_token_is_refreshed_when_it_is_older_than_a_day",
    "msg_01XFDUDYJgAACzvnptvVoYEL toolu_01A09q90qw90lq917835lq9",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "Cookie: the server sets none",
    "signature = (name, arguments)",
    "session_id: Option<String>",
    "1.2.3.4:8080 2026-11-09T09:12:04.000Z",
];

#[test]
fn nothing_else_is_hidden() {
    let wrong: Vec<String> = HARMLESS
        .iter()
        .map(|text| (text, redacted(text)))
        .filter(|(text, shown)| *text != shown)
        .map(|(text, shown)| format!("{text}\n  became {shown}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} wrongly hidden\n{}",
        wrong.len(),
        HARMLESS.len(),
        wrong.join("\n")
    );
}

/// What stays: ids, and the names of tools and models.
const IDS: &[&str] = &[
    "id",
    "leaf",
    "parentId",
    "forkedFromId",
    "continuedIn",
    "senderThreadId",
    "receiverThreadIds",
    "agentThreadId",
    "fileId",
    "hookRunId",
    "tool",
    "server",
    "namespace",
    "model",
    "status",
    "trigger",
];

/// The places in which a text stands: the type of the object, and the key.
fn holders(
    value: &serde_json::Value,
    (kind, key): (&str, &str),
    text: &str,
    found: &mut Vec<(String, String)>,
) {
    match value {
        serde_json::Value::String(string) if string.contains(text) => {
            found.push((kind.to_owned(), key.to_owned()));
        }
        serde_json::Value::Array(all) => {
            for value in all {
                holders(value, (kind, key), text, found);
            }
        }
        serde_json::Value::Object(all) => {
            let kind = all.get("type").and_then(serde_json::Value::as_str).unwrap_or_default();
            for (key, value) in all {
                assert!(!key.contains(text), "a key");
                holders(value, (kind, key), text, found);
            }
        }
        _ => {}
    }
}

/// The bytes of images stay, one in a prompt and one that was drawn; the time is text in this test only.
const KEPT: &[(&str, &str)] = &[("image", "url"), ("imageGeneration", "result"), ("", "updatedAt")];

#[test]
fn every_place_of_a_thread_is_looked_at() {
    let mut random = Random(3);
    let core = random.of(ALNUM, 34);
    let secret = format!("{}{}7q{core}", "gh", "p_");
    for format in Format::ALL {
        let mut whole = whole(&secret);
        // Ids are what the harness resumes by; here they are secrets, too.
        whole.thread.id = "thread".to_owned();
        whole.thread.updated_at = None;
        let mut redactor = Redactor::new(&[]);
        redactor.apply(&mut whole);
        let family = Agents(secret.clone());
        let family = Redacted::new(&family, &mut redactor);
        let mut out = Vec::new();
        recount_export::write(*format, &whole, &family, &Options::default(), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        if *format == Format::Json {
            let mut left = Vec::new();
            holders(&serde_json::from_str(&out).unwrap(), ("", ""), &secret, &mut left);
            left.retain(|(_, key)| !IDS.contains(&key.as_str()));
            left.retain(|(kind, key)| !KEPT.contains(&(kind, key)));
            assert!(left.is_empty(), "{left:?}");
        }
        assert!(out.contains("[github-token-1]"), "{}", format.name());
    }
}

#[test]
fn only_what_is_written_is_told() {
    let mut random = Random(5);
    let secret = format!("{}{}7q{}", "gh", "p_", random.of(ALNUM, 34));
    let told = |options: &Options| {
        let mut whole = whole(&secret);
        let mut redactor = Redactor::new(&[]).telling(options);
        redactor.apply(&mut whole);
        let items = whole
            .thread
            .items()
            .chain(whole.asides.iter().flat_map(|a| &a.turns).flat_map(|t| &t.items));
        let is_command = |item: &&Item| matches!(item.kind, ItemKind::CommandExecution { .. });
        let calls: Vec<String> = items.filter(is_command).map(|item| item.id.clone()).collect();
        let of_calls = redactor
            .secrets()
            .iter()
            .filter(|s| s.item_id.as_ref().is_some_and(|id| calls.contains(id)));
        (of_calls.count(), redactor.summary()["github-token"])
    };
    let (calls, all) = told(&Options::default());
    let (some, fewer) = told(&Options { tools: Tools::Summary, ..Options::default() });
    let (none, fewest) = told(&Options {
        tools: Tools::None,
        reasoning: false,
        branches: false,
        ..Options::default()
    });
    assert!(calls > some && some > 0 && none == 0, "{calls} {some} {none}");
    assert!(all.0 > fewer.0 && fewer.0 > fewest.0 && fewest.0 > 0, "{all:?} {fewer:?} {fewest:?}");
    // It is one value, and told as one.
    assert_eq!((all.1, fewer.1, fewest.1), (1, 1, 1));
}

#[test]
fn placeholders_are_the_same_for_the_same() {
    let mut redactor = Redactor::new(&["Ada Lovelace".to_owned()]);
    let text = "/home/ada/shop and /home/bob/x, mail ada@shop.example or bob@shop.example; ada lovelace /home/ada";
    assert_eq!(
        redactor.text(text).unwrap(),
        "/home/[user-1]/shop and /home/[user-2]/x, mail [email-1] or [email-2]; [name-1] /home/[user-1]"
    );
    let rows = redactor.summary();
    assert_eq!(rows["user"], (3, 2));
    assert_eq!(rows["email"], (2, 2));
}

#[test]
fn homes_of_all_systems() {
    let shown = |text: &str| Redactor::new(&[]).text(text).unwrap();
    assert_eq!(shown("C:\\Users\\ada\\shop"), "C:\\Users\\[user-1]\\shop");
    assert_eq!(shown("\"C:\\\\Users\\\\ada\\\\shop\""), "\"C:\\\\Users\\\\[user-1]\\\\shop\"");
    assert_eq!(shown("/Users/ada.l/x"), "/Users/[user-1]/x");
    assert_eq!(shown("projects/-home-ada-shop/x"), "projects/-home-[user-1]-shop/x");
}

#[test]
fn hostile_text_takes_no_time() {
    for piece in [
        "password=",
        "://",
        "\"",
        "-----BEGIN PRIVATE KEY",
        "eyJ",
        "Bearer ",
        "@a.b",
        "sk-",
        "%41",
        "\\",
        "/home/",
        "a:b@",
        "hooks.slack.com/services/",
        "AKIA",
        "= ",
        "\u{1f600}@",
    ] {
        let text = piece.repeat(60_000 / piece.len());
        let start = std::time::Instant::now();
        let _ = Redactor::new(&["ada".to_owned()]).text(&text);
        println!("{piece}: {:?}", start.elapsed());
        assert!(start.elapsed().as_secs() < 10, "{piece}: {:?}", start.elapsed());
    }
}
