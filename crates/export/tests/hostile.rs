//! Text that attacks the reader, in every place that a thread has.

use pulldown_cmark::{Event, Options as Syntax, Parser, Tag};
use recount_export::{Format, Options};

use crate::export;

/// Breaks out of text, attributes, scripts, styles, comments, blocks of code and lists; loads, links, turns, clears.
const EVIL: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'/><svg onload=alert(1)>",
    "</pre></details></main></style></script><iframe src=https://evil.example>",
    "--><!--",
    "]]><![CDATA[",
    "[x](javascript:alert(1)) ![x](https://evil.example/t.png) <javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "```\n````\n~~~\n</details>\n\n# heading",
    "<details><summary>x</summary>\n\n<form action=https://evil.example>",
    "a\u{202e}b\u{200b}c\u{1b}[2J\u{1b}]0;x\u{7}\0\r\nd\u{2028}e",
    "&lt;script&gt;&#60;script&#62; &#x202e;",
    "| a | b |\n|---|---|\n| <b> | `|` |",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "https://evil.example/\" onmouseover=\"alert(1)",
    "\\",
    "\\`\\<b>",
    "> [!NOTE]\n> x\n<b",
    "$x$ @somebody #1",
];

/// The elements and attributes that a page of ours is made of.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "header",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "dl",
    "dt",
    "dd",
    "nav",
    "details",
    "summary",
    "ol",
    "ul",
    "li",
    "main",
    "section",
    "small",
    "div",
    "p",
    "b",
    "span",
    "code",
    "pre",
    "footer",
    "script",
    "em",
    "strong",
    "del",
    "blockquote",
    "hr",
    "br",
    "table",
    "tr",
    "th",
    "td",
    "img",
];
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "href",
    "id",
    "dir",
    "aria-label",
    "open",
    "rel",
    "start",
    "title",
];
const VOID: &[&str] = &["meta", "br", "hr", "img"];

/// Reads a page as strictly as we write it: every tag is one of ours, and every element is closed where it has to be.
fn check_page(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!doctype html>\n").unwrap();
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('\0'), "NUL");
        let (tag, mut next) = after.split_once('>').unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed out of order");
        } else {
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            assert!(ELEMENTS.contains(&name), "<{tag}>");
            let mut attributes = attributes.trim();
            while !attributes.is_empty() {
                let end = attributes.find(['=', ' ']).unwrap_or(attributes.len());
                let key = &attributes[..end];
                assert!(ATTRIBUTES.contains(&key), "{key} in <{tag}>");
                attributes = &attributes[end..];
                if let Some(value) = attributes.strip_prefix('=') {
                    let (value, after) = match value.strip_prefix('"') {
                        Some(value) => value.split_once('"').unwrap(),
                        None => value.split_at(value.find(' ').unwrap_or(value.len())),
                    };
                    if key == "href" {
                        let allowed = ["#", "https://", "http://", "mailto:"];
                        assert!(allowed.iter().any(|a| value.starts_with(a)), "{value}");
                    }
                    attributes = after;
                }
                attributes = attributes.trim_start();
            }
            if name == "style" || name == "script" {
                let (inside, after) = next.split_once(&format!("</{name}>")).unwrap();
                assert!(!inside.contains("evil") && !inside.contains("alert"), "{name}");
                next = after;
            } else if !VOID.contains(&name) {
                open.push(name);
            }
        }
        rest = next;
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn pages_hold() {
    for evil in EVIL {
        let page = export(Format::Html, evil, &Options::default());
        check_page(&page);
        assert!(page.contains("default-src 'none'"));
        for sign in ['\u{202e}', '\u{200b}', '\u{1b}', '\u{7}', '\u{2028}'] {
            assert!(!page.contains(sign), "{evil:?}");
        }
    }
}

#[test]
fn markdown_holds() {
    let syntax = Syntax::ENABLE_TABLES | Syntax::ENABLE_STRIKETHROUGH | Syntax::ENABLE_TASKLISTS;
    let ours = ["<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>"];
    for evil in EVIL {
        let markdown = export(Format::Markdown, evil, &Options::default());
        let mut last_heading = String::new();
        let mut in_heading = false;
        for event in Parser::new_ext(&markdown, syntax) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    let mut rest = html.to_string();
                    for tag in ours {
                        rest = rest.replace(tag, "");
                    }
                    assert!(!rest.contains('<'), "{evil:?}: {html}");
                }
                Event::Start(Tag::Image { .. }) => panic!("{evil:?}: an image"),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    assert!(
                        recount_export::markdown::is_allowed(&dest_url),
                        "{evil:?}: {dest_url}"
                    );
                }
                Event::Start(Tag::Heading { .. }) => {
                    in_heading = true;
                    last_heading.clear();
                }
                Event::End(pulldown_cmark::TagEnd::Heading(_)) => in_heading = false,
                Event::Text(text) if in_heading => last_heading.push_str(&text),
                _ => {}
            }
        }
        // What comes last is ours again: nothing has swallowed it.
        assert_eq!(last_heading, "Findings", "{evil:?}");
        assert!(!markdown.contains('\u{202e}') && !markdown.contains('\u{1b}'), "{evil:?}");
    }
}

#[test]
fn text_holds() {
    for evil in EVIL {
        let text = export(Format::Text, evil, &Options::default());
        let odd = text.chars().find(|c| {
            (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202e}' | '\u{200b}')
        });
        assert_eq!(odd, None, "{evil:?}");
    }
}

#[test]
fn json_keeps_text_as_it_is() {
    for evil in EVIL {
        let json = export(Format::Json, evil, &Options::default());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["thread"]["title"], **evil);
        assert_eq!(json["turns"][0]["items"][3]["text"], **evil);
        assert_eq!(json["branches"][1]["turns"][0]["items"][3]["text"], **evil);
        assert_eq!(json["subagents"][0]["export"]["turns"][0]["items"][3]["text"], **evil);
    }
}

#[test]
fn one_line_of_five_megabytes() {
    let long = "x<".repeat(2_500_000);
    let mut thread = crate::whole("a");
    thread.thread.turns[0].items = vec![recount_session::model::Item::new(
        "i",
        recount_session::model::ItemKind::AgentMessage {
            text: long,
            phase: None,
            memory_citation: None,
            delivery: None,
            questions: None,
        },
        thread.thread.turns[0].items[0].at.clone(),
    )];
    for format in Format::ALL {
        let mut out = Vec::new();
        let options = Options::default();
        recount_export::write(*format, &thread, &recount_export::Alone, &options, &mut out)
            .unwrap();
        assert!(out.len() > 5_000_000);
    }
}
