//! A session in parts is the whole session.

use std::fmt::Write as _;
use std::fs;

use axum::http::StatusCode;
use recount_formats::Harness;
use recount_store::discover;
use serde_json::Value;

use super::{Page, part};
use crate::support::Home;

/// All items, so many at a time.
fn parts(page: &Page, id: &str, limit: usize) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    loop {
        let from = items.len();
        let address = format!("/api/sessions/{}/items?from={from}&limit={limit}", part(id));
        let answer = page.json(&address);
        assert_eq!(answer["from"], from);
        let new = answer["items"].as_array().unwrap();
        assert!(new.len() <= limit);
        items.extend(new.iter().cloned());
        if items.len() >= usize::try_from(answer["total"].as_u64().unwrap()).unwrap() {
            return items;
        }
        assert!(!new.is_empty(), "{address} does not go on");
    }
}

#[test]
fn parts_are_the_whole_whatever_their_size() {
    let page = Page::samples();
    for head in page.home.stores.list().0 {
        let discover = discover::of(head.harness).unwrap();
        let thread = discover.open(&head).unwrap().thread(None);
        let whole = parts(&page, &head.id, 500);
        assert_eq!(parts(&page, &head.id, 3), whole, "{}", head.id);
        let ids: Vec<&str> = thread.items().map(|item| item.id.as_str()).collect();
        let given: Vec<&str> = whole.iter().map(|item| item["id"].as_str().unwrap()).collect();
        assert_eq!(given, ids);
        // The turns' places are those of their items.
        let session = page.json(&format!("/api/sessions/{}", part(&head.id)));
        for (n, turn) in session["turns"].as_array().unwrap().iter().enumerate() {
            let first = usize::try_from(turn["firstItem"].as_u64().unwrap()).unwrap();
            let count = usize::try_from(turn["itemCount"].as_u64().unwrap()).unwrap();
            assert_eq!(count, thread.turns[n].items.len());
            for (place, item) in whole[first..first + count].iter().enumerate() {
                assert_eq!(item["turn"], n);
                assert_eq!(item["turnStart"], place == 0);
            }
        }
        // One item is the same as all show it.
        for (item, own) in whole.iter().zip(thread.items()) {
            let id = part(&own.id);
            let one = page.json(&format!("/api/sessions/{}/items/{id}", part(&head.id)));
            if one["index"] == item["index"] {
                assert_eq!(one["html"], item["html"]);
                assert_eq!(one["item"], serde_json::to_value(own).unwrap());
            }
        }
    }
}

/// A session with this many prompts, each of this many bytes.
fn long(home: &mut Home, prompts: usize, bytes: usize) -> String {
    let root = home.empty(Harness::Pi);
    let folder = root.join("sessions/--home-dev-long--");
    fs::create_dir_all(&folder).unwrap();
    let id = "019f2c10-7a44-7c1e-9b1d-5e0a4c7d2f99";
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-11-03T09:12:40.100Z\",\"cwd\":\"/home/dev/long\"}}\n"
    );
    for n in 0..prompts {
        let parent = if n == 0 { "null".to_owned() } else { format!("\"{:08x}\"", n - 1) };
        let words = format!("prompt {n} ").repeat(bytes / 10);
        writeln!(
            text,
            "{{\"type\":\"message\",\"id\":\"{n:08x}\",\"parentId\":{parent},\"timestamp\":\"2026-11-03T09:12:41.000Z\",\
             \"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{words}\"}}],\"timestamp\":1}}}}"
        )
        .unwrap();
    }
    fs::write(folder.join(format!("2026-11-03T09-12-40-100Z_{id}.jsonl")), text).unwrap();
    id.to_owned()
}

#[test]
fn long_texts_are_cut_and_the_rest_is_offered() {
    let mut home = Home::new();
    let id = long(&mut home, 2, 300_000);
    let page = Page::of(home);
    let items = parts(&page, &id, 10);
    let html = items[1]["html"].as_str().unwrap();
    assert!(html.len() < 70_000, "{}", html.len());
    let bytes = usize::try_from(items[1]["bytes"].as_u64().unwrap()).unwrap();
    assert!(bytes > 260_000, "{bytes}");
    let name = items[1]["id"].as_str().unwrap();
    assert!(
        html.contains(&format!("<button type=button class=more data-item=\"{name}\"")),
        "{name}"
    );
    let whole = page.json(&format!("/api/sessions/{id}/items/{}", part(name)));
    let whole = whole["html"].as_str().unwrap();
    assert!(whole.len() > 260_000 && !whole.contains("class=more"));
}

#[test]
fn a_part_is_not_larger_than_a_browser_likes() {
    let mut home = Home::new();
    let id = long(&mut home, 120, 64_000);
    let page = Page::of(home);
    let first = page.get(&format!("/api/sessions/{id}/items?limit=500"));
    assert!(first.body.len() < 6 << 20, "{}", first.body.len());
    let items = parts(&page, &id, 500);
    assert_eq!(items.len(), 120);
    // Without scripts, too, all of them can be read.
    let mut found = 0;
    for number in 1.. {
        let html = page.get(&format!("/s/{id}?page={number}"));
        assert_eq!(html.status, StatusCode::OK);
        found += html.text().matches("<article class=item ").count();
        if !html.text().contains("rel=next") {
            break;
        }
    }
    assert_eq!(found, 120);
}

#[test]
fn an_item_is_found_on_its_page() {
    let mut home = Home::new();
    let id = long(&mut home, 250, 10);
    let page = Page::of(home);
    let items = parts(&page, &id, 100);
    let name = items[230]["id"].as_str().unwrap();
    let html = page.get(&format!("/s/{id}?item={name}"));
    assert!(html.text().contains(&format!("id=\"item-{name}\"")));
    assert!(html.text().contains("Page 3 of 3"));
    assert_eq!(page.get(&format!("/s/{id}?item=none")).status, StatusCode::NOT_FOUND);
}

#[test]
fn images_are_sent_by_themselves() {
    let page = Page::samples();
    let mut seen = 0;
    for id in page.ids() {
        for item in parts(&page, &id, 500) {
            let html = item["html"].as_str().unwrap();
            for image in html.split("<img src=\"").skip(1) {
                let address = image.split('"').next().unwrap();
                let answer = page.get(address);
                assert_eq!(answer.status, StatusCode::OK, "{address}");
                assert_eq!(answer.header("content-type"), "image/png");
                assert!(answer.body.starts_with(b"\x89PNG"));
                seen += 1;
            }
            assert!(!html.contains("base64"), "{id}");
        }
    }
    assert!(seen > 0);
    let id = part(&page.ids()[0]);
    let none = page.get(&format!("/api/sessions/{id}/items/none/images/0"));
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}
