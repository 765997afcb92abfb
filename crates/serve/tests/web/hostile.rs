//! Sessions that attack the page: what stands in them does nothing.

use std::fs;

use axum::http::StatusCode;
use recount_formats::Harness;
use serde_json::json;

use super::{Page, part};
use crate::support::Home;

const ATTACKS: &[&str] = &[
    "<script>alert(1)</script>",
    "</main></body></html><script src=//evil.example/x.js></script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>alert(1)</script>)",
    "[d](<https://x.example/\" onclick=\"alert(1)>)",
    "![i](https://evil.example/pixel.png)",
    "<iframe src=https://evil.example></iframe><style>*{display:none}</style><base href=//evil.example>",
    "<form action=https://evil.example><input name=q autofocus onfocus=alert(1)></form>",
    "\u{202e}evil\u{2066} \u{0}\u{1b}[31m\u{feff}",
    "```html\n<script>alert(1)</script>\n```\n```diff\n+<script>\n```",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#x3c;script&#x3e;",
];

/// A session in which everything that can hold text attacks.
fn attack(home: &mut Home) -> String {
    let root = home.empty(Harness::Pi);
    let folder = root.join("sessions/--home-dev-evil--");
    fs::create_dir_all(&folder).unwrap();
    let id = "019f2c10-7a44-7c1e-9b1d-5e0a4c7d2f98";
    let all = ATTACKS.join("\n\n");
    let time = "2026-11-03T09:12:41.000Z";
    let message = |id: &str, parent: Option<&str>, message: serde_json::Value| json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message});
    let mut lines = vec![
        json!({"type": "session", "version": 3, "id": id, "timestamp": time, "cwd": format!("/home/{}", ATTACKS[0])}),
        message(
            "00000001",
            None,
            json!({"role": "user", "timestamp": 1, "content": [
                {"type": "text", "text": ATTACKS[2]},
                {"type": "text", "text": all},
                {"type": "image", "data": "PHN2Zz4=", "mimeType": "image/svg+xml"},
                {"type": "image", "data": "\" onerror=\"alert(1)", "mimeType": "image/png"},
            ]}),
        ),
        message(
            "00000002",
            Some("00000001"),
            json!({"role": "assistant", "timestamp": 2, "model": ATTACKS[0],
                "provider": "x", "api": "x", "stopReason": "toolUse", "content": [
                {"type": "thinking", "thinking": all},
                {"type": "text", "text": all},
                {"type": "toolCall", "id": ATTACKS[3], "name": ATTACKS[0], "arguments": {ATTACKS[0]: all}},
                {"type": "toolCall", "id": "call2", "name": "bash", "arguments": {"command": all}},
                {"type": "toolCall", "id": "call3", "name": "edit", "arguments": {
                    "path": ATTACKS[2], "oldText": all, "newText": ATTACKS[0]}},
            ]}),
        ),
    ];
    for (n, call) in [ATTACKS[3], "call2", "call3"].into_iter().enumerate() {
        let parent = format!("{:08x}", n + 2);
        lines.push(message(&format!("{:08x}", n + 3), Some(&parent), json!({
            "role": "toolResult", "timestamp": 3, "toolCallId": call, "toolName": "bash", "isError": n == 1,
            "content": [{"type": "text", "text": all}],
        })));
    }
    lines.push(
        json!({"type": "session_info", "id": "00000009", "parentId": "00000005", "timestamp": time,
        "name": ATTACKS[1]}),
    );
    lines.push(
        json!({"type": ATTACKS[0], "id": "0000000a", "parentId": "00000009", "timestamp": time}),
    );
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let file = folder.join(format!("2026-11-03T09-12-40-100Z_{id}.jsonl"));
    fs::write(file, lines.join("\n") + "\n").unwrap();
    id.to_owned()
}

/// The tags of HTML: what stands between `<` and `>`.
fn tags(html: &str) -> Vec<&str> {
    html.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag).collect()
}

fn is_harmless(place: &str, html: &str, is_page: bool) {
    let own = [r#"script src="/assets/theme.js""#, r#"script type="module" src="/assets/app.js""#];
    for tag in tags(html) {
        let name = tag.trim_start_matches('/').split([' ', '\n', '\t', '/']).next().unwrap();
        let known = [
            "!doctype",
            "html",
            "head",
            "meta",
            "title",
            "link",
            "body",
            "header",
            "nav",
            "main",
            "form",
            "input",
            "label",
            "select",
            "option",
            "button",
            "h1",
            "h2",
            "h3",
            "p",
            "a",
            "b",
            "small",
            "span",
            "div",
            "article",
            "details",
            "summary",
            "pre",
            "code",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "em",
            "strong",
            "del",
            "blockquote",
            "br",
            "hr",
            "img",
            "mark",
            "time",
        ];
        if name == "script" {
            assert!(is_page && (tag == "/script" || own.contains(&tag)), "{place}: <{tag}>");
            continue;
        }
        assert!(known.contains(&name), "{place}: <{tag}>");
        // Values in quotes say nothing; what is left are names.
        let names: String = tag.split('"').step_by(2).collect();
        for word in names.split([' ', '\n', '\t']).skip(1) {
            assert!(!word.to_ascii_lowercase().starts_with("on"), "{place}: <{tag}>");
            assert!(!word.starts_with("style"), "{place}: <{tag}>");
        }
        for address in tag.split("href=\"").skip(1).chain(tag.split("src=\"").skip(1)) {
            let address = address.split('"').next().unwrap();
            let ours = address.is_empty() || address.starts_with('/') && !address.starts_with("//");
            let web =
                name == "a" && (address.starts_with("https://") || address.starts_with("http://"));
            assert!(ours || web || address.starts_with(['#', '?']), "{place}: <{tag}>");
        }
    }
    for sign in ['\u{202e}', '\u{2066}', '\u{0}', '\u{1b}', '\u{feff}'] {
        assert!(!html.contains(sign), "{place}: {sign:?}");
    }
}

#[test]
fn nothing_of_a_session_runs_or_leads_elsewhere() {
    let mut home = Home::new();
    let id = attack(&mut home);
    let page = Page::of(home);
    let items = page.json(&format!("/api/sessions/{id}/items?limit=500"));
    let all = items["items"].as_array().unwrap();
    assert!(all.len() > 5, "{}", all.len());
    for item in all {
        is_harmless(item["type"].as_str().unwrap(), item["html"].as_str().unwrap(), false);
        let name = part(item["id"].as_str().unwrap());
        let whole = page.json(&format!("/api/sessions/{id}/items/{name}"));
        is_harmless("whole", whole["html"].as_str().unwrap(), false);
    }
    let mut addresses = vec![
        "/".to_owned(),
        "/?all=1".to_owned(),
        format!("/s/{id}"),
        format!("/s/{id}/timeline"),
        "/usage".to_owned(),
        "/usage?by=project".to_owned(),
        "/files".to_owned(),
        "/findings".to_owned(),
        "/formats".to_owned(),
    ];
    for attack in ATTACKS {
        // What is asked for comes back on the page.
        let asked = part(attack);
        addresses.extend([
            format!("/?q={asked}&project={asked}&since=3d"),
            format!("/?model={asked}"),
            format!("/search?q={asked}"),
            format!("/files?path={asked}"),
            format!("/s/{asked}"),
            format!("/s/{id}?branch={asked}"),
            format!("/s/{id}?item={asked}"),
            format!("/usage?timezone={asked}"),
            format!("/formats/{asked}"),
            format!("/formats/pi/{asked}"),
            format!("/{asked}"),
        ]);
    }
    for address in addresses {
        let answer = page.get(&address);
        assert_ne!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "{address}");
        assert!(answer.header("content-type").starts_with("text/html"), "{address}");
        is_harmless(&address, answer.text(), true);
    }
    let shown = page.get(&format!("/s/{id}"));
    assert!(shown.text().contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn json_is_no_page() {
    let mut home = Home::new();
    let id = attack(&mut home);
    let page = Page::of(home);
    for address in [
        "/api/sessions".to_owned(),
        format!("/api/sessions/{id}"),
        format!("/api/sessions/{id}/items"),
        format!("/api/sessions/{id}/find?q=script"),
        "/api/search?q=alert".to_owned(),
        format!("/api/sessions/{}", part(ATTACKS[0])),
    ] {
        let answer = page.get(&address);
        assert_eq!(answer.header("content-type"), "application/json", "{address}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{address}");
        answer.json();
    }
}
