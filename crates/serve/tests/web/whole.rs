//! All sessions together: lists, search, usage, files, findings, and their pages.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use recount_formats::Harness;
use serde_json::Value;

use super::{Page, part, settled};
use crate::support::{Home, root};

fn ids(answer: &Value) -> BTreeSet<String> {
    let rows = answer["sessions"].as_array().unwrap();
    rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_list_is_filtered_and_comes_in_parts() {
    let page = Page::samples();
    let heads = page.home.stores.list().0;
    let all = settled(&page, "/api/sessions?all=1&limit=1000");
    assert_eq!(all["total"], heads.len());
    let shown: Vec<&str> =
        all["sessions"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    let listed: Vec<&str> = heads.iter().map(|head| head.id.as_str()).collect();
    assert_eq!(shown, listed);

    let usual = page.json("/api/sessions");
    let plain = heads.iter().filter(|head| !head.is_subagent && !head.archived).count();
    assert_eq!(usual["total"], plain);
    let mut parts = BTreeSet::new();
    for offset in 0..plain {
        parts.extend(ids(&page.json(&format!("/api/sessions?offset={offset}&limit=1"))));
    }
    assert_eq!(parts, ids(&usual));

    for (harness, facet) in
        usual["facets"]["harness"].as_array().unwrap().iter().map(|f| (&f["value"], f))
    {
        let only = page.json(&format!("/api/sessions?harness={}", harness.as_str().unwrap()));
        assert_eq!(only["total"], facet["count"]);
        assert!(only["sessions"].as_array().unwrap().iter().all(|row| row["harness"] == *harness));
    }
    let project = page.json("/api/sessions?project=/home/dev/shop");
    assert!(project["total"].as_u64().unwrap() > 0);
    assert!(
        project["sessions"].as_array().unwrap().iter().all(|row| row["cwd"] == "/home/dev/shop")
    );
    assert_eq!(page.json("/api/sessions?since=2099-01-01")["total"], 0);
    assert_eq!(page.json("/api/sessions?until=1999-01-01")["total"], 0);
    // What forms leave empty asks for nothing.
    let empty = page.json("/api/sessions?q=&harness=&project=&model=&since=&until=&all=");
    assert_eq!(ids(&empty), ids(&usual));
}

#[test]
fn what_rows_count_is_what_sessions_hold() {
    let page = Page::samples();
    let all = settled(&page, "/api/sessions?all=1&limit=1000");
    page.json("/api/usage");
    let counted = page.json("/api/sessions?all=1&limit=1000");
    let mut tokens = 0;
    for row in counted["sessions"].as_array().unwrap() {
        let id = part(row["id"].as_str().unwrap());
        let session = page.json(&format!("/api/sessions/{id}"));
        assert_eq!(row["turns"], session["turns"].as_array().unwrap().len(), "{id}");
        assert_eq!(row["findings"], session["findings"], "{id}");
        let own: u64 = session["usage"]
            .as_array()
            .unwrap()
            .iter()
            .map(|u| u["totalTokens"].as_u64().unwrap())
            .sum();
        assert_eq!(row["totalTokens"].as_u64().unwrap_or(0), own, "{id}");
        tokens += own;
    }
    assert_eq!(all["total"], counted["total"]);
    // Each response counts once, however it is asked for.
    for by in ["day", "model", "session", "harness,week", "hour-block"] {
        let usage = page.json(&format!("/api/usage?by={by}"));
        assert_eq!(usage["total"]["totalTokens"], tokens, "{by}");
    }
    let heat = page.json("/api/usage/heatmap?timezone=UTC");
    let days: u64 =
        heat["days"].as_array().unwrap().iter().map(|d| d["responses"].as_u64().unwrap()).sum();
    let hours: u64 = heat["hours"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|day| day.as_array().unwrap())
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(days, hours);
    assert!(days > 0);
}

#[test]
fn a_search_finds_what_was_said_and_where() {
    let page = Page::samples();
    settled(&page, "/api/sessions?all=1&limit=1000");
    let found = page.json("/api/search?q=cart");
    let hits = found["hits"].as_array().unwrap();
    assert!(hits.len() > 3 && found["fuzzy"] == false);
    for hit in hits.iter().filter(|hit| hit["itemId"].is_string()) {
        let id = part(hit["id"].as_str().unwrap());
        let branch = hit["branch"].as_str().map(|leaf| format!("?branch={}", part(leaf)));
        let item = part(hit["itemId"].as_str().unwrap());
        let address = format!("/api/sessions/{id}/items/{item}{}", branch.unwrap_or_default());
        assert_eq!(page.get(&address).status, StatusCode::OK, "{address}");
        let marked: String = hit["snippet"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|piece| piece["mark"] == true)
            .map(|piece| piece["text"].as_str().unwrap().to_lowercase())
            .collect();
        assert!(marked.contains("cart"), "{hit}");
    }
    // Of each session five at most are shown, and all are counted.
    let mut in_sessions: Vec<(&Value, u64)> = Vec::new();
    for hit in hits {
        let all = hit["inSession"].as_u64().unwrap();
        if in_sessions.last().is_none_or(|(id, _)| **id != hit["id"]) {
            in_sessions.push((&hit["id"], all));
        }
        let shown = hits.iter().filter(|other| other["id"] == hit["id"]).count() as u64;
        assert!(shown <= 5 && shown <= all, "{hit}");
    }
    assert_eq!(found["all"], in_sessions.iter().map(|(_, all)| all).sum::<u64>());
    assert!(found["all"].as_u64() > found["total"].as_u64(), "{}", found["total"]);
    let mut parts: Vec<Value> = Vec::new();
    while parts.len() < hits.len() {
        let part = page.json(&format!("/api/search?q=cart&limit=2&offset={}", parts.len()));
        assert_eq!(part["total"], found["total"]);
        parts.extend(part["hits"].as_array().unwrap().iter().cloned());
    }
    let places = |hits: &[Value]| {
        hits.iter().map(|hit| (hit["id"].clone(), hit["itemId"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(places(&parts), places(hits));
    // The list finds the same sessions.
    let listed = ids(&page.json("/api/sessions?all=1&q=cart&limit=1000"));
    let found: BTreeSet<String> =
        hits.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect();
    assert!(found.is_subset(&listed));
    // Half a query is an answer, too.
    assert!(page.json("/api/search?q=since:")["error"].is_string());
    assert_eq!(page.json("/api/search?q=")["total"], 0);
}

#[test]
fn files_lead_to_who_changed_them() {
    let page = Page::samples();
    settled(&page, "/api/sessions?all=1&limit=1000");
    let files = page.json("/api/files");
    let first = &files["files"][0];
    let path = first["path"].as_str().unwrap();
    let touched = page.json(&format!("/api/files?path={}", part(path)));
    let sessions = touched["sessions"].as_array().unwrap();
    assert_eq!(first["sessions"], sessions.len());
    let changed = sessions.iter().filter(|s| s["action"] == "changed").count();
    assert_eq!(first["changes"], changed);
    for session in sessions {
        let id = part(session["id"].as_str().unwrap());
        let item = part(session["itemId"].as_str().unwrap());
        let item = page.json(&format!("/api/sessions/{id}/items/{item}"));
        let text = item["item"].to_string();
        let name = path.rsplit('/').next().unwrap();
        assert!(text.contains(name), "{text}");
        if session["action"] == "changed" {
            assert_ne!(item["item"]["tool"], "read", "{text}");
        }
    }
    assert_eq!(page.json("/api/files?path=no/such/file")["sessions"].as_array().unwrap().len(), 0);
}

#[test]
fn damage_is_found() {
    let mut home = Home::new();
    home.add(Harness::ClaudeCode, &root().join("fixtures/samples/claude-code"));
    let store = home.stores.stores[0].root.clone();
    let head = home.stores.list().0.remove(0);
    let mut bytes = std::fs::read(&head.path).unwrap();
    bytes.extend(b"{\"type\":\"assistant\",\"damaged\n");
    std::fs::write(&head.path, bytes).unwrap();
    assert!(head.path.starts_with(store));
    let page = Page::of(home);
    settled(&page, "/api/sessions?all=1&limit=1000");
    let findings = page.json("/api/findings");
    let all = findings["findings"].as_array().unwrap();
    let own: Vec<&Value> = all.iter().filter(|f| f["sessionId"] == head.id.as_str()).collect();
    assert!(!own.is_empty(), "{findings}");
    assert!(own.iter().any(|f| f["line"].as_u64().unwrap() > 1));
    let severity = own[0]["severity"].as_str().unwrap();
    let same = page.json(&format!("/api/findings?severity={severity}&id={}", part(&head.id)));
    assert!(same["findings"].as_array().unwrap().iter().all(|f| f["severity"] == severity));
    assert_eq!(page.json("/api/findings?harness=pi")["total"], 0);
    let html = page.get("/findings");
    assert!(html.text().contains(own[0]["code"].as_str().unwrap()));
}

#[test]
fn every_page_is_read_without_scripts() {
    let page = Page::samples();
    settled(&page, "/api/sessions?all=1&limit=1000");
    for (address, name, text) in [
        ("/", "sessions", "Fix cart totals that are off by a cent"),
        ("/?q=banner", "sessions", "Does the new banner fit into the header?"),
        ("/usage", "usage", "claude-opus-5-5"),
        ("/usage?by=project", "usage", "/home/dev/shop"),
        ("/files", "files", "/home/dev/shop/src/cart.rs"),
        ("/files?path=src/cart.rs", "files", "changed"),
        ("/search?q=banner", "search", "<mark>banner</mark>"),
        ("/formats", "formats", "opencode"),
        ("/formats/codex", "formats", "event_msg / task_started"),
        ("/formats/codex/event_msg%20%2F%20task_started", "formats", "Fields"),
        ("/findings", "findings", "Findings"),
    ] {
        let answer = page.get(address);
        assert_eq!(answer.status, StatusCode::OK, "{address}");
        let html = answer.text();
        assert!(html.contains(&format!("<body data-page=\"{name}\"")), "{address}");
        assert!(html.contains("<main id=\"main\">") && html.contains("<h1"), "{address}");
        assert!(html.contains(text), "{address}: {html}");
    }
    for id in page.ids() {
        let session = page.get(&format!("/s/{}", part(&id)));
        assert_eq!(session.status, StatusCode::OK, "{id}");
        assert!(session.text().contains(&format!("data-session=\"{id}\"")), "{id}");
        assert_eq!(page.get(&format!("/s/{}/timeline", part(&id))).status, StatusCode::OK, "{id}");
    }
    let nowhere = page.get("/no/such/page");
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND);
    assert!(nowhere.text().contains("data-page=\"error\""));
}

#[test]
fn the_beginning_of_an_id_leads_to_its_session() {
    let page = Page::samples();
    let all = page.json("/api/sessions");
    let id = all["sessions"][0]["id"].as_str().unwrap().to_owned();
    let led = page.get(&format!("/s/{}", part(&id[..id.len() - 2])));
    assert_eq!(led.status, StatusCode::SEE_OTHER);
    assert_eq!(led.header("location").replace("%2D", "-"), format!("/s/{id}"));
    // What begins several ids, or none, leads nowhere.
    for id in ["0", "nothing-begins-so", "%2Fetc%2Fpasswd"] {
        assert_eq!(page.get(&format!("/s/{id}")).status, StatusCode::NOT_FOUND, "{id}");
    }
}

#[test]
fn branches_are_shown_with_the_place_where_they_leave() {
    let page = Page::samples();
    let mut seen = 0;
    for id in page.ids() {
        let base = format!("/api/sessions/{}", part(&id));
        let session = page.json(&base);
        let items =
            |branch: &str| page.json(&format!("{base}/items?limit=500{branch}"))["items"].clone();
        let own = items("");
        for branch in
            session["branches"].as_array().unwrap().iter().filter(|b| b["active"] == false)
        {
            let leaf = branch["leaf"].as_str().unwrap();
            let other = items(&format!("&branch={}", part(leaf)));
            let at = usize::try_from(branch["forkAt"].as_u64().unwrap()).unwrap();
            for n in 0..at {
                assert_eq!(own[n]["id"], other[n]["id"], "{id} {leaf} {n}");
            }
            assert_ne!(own[at]["id"], other[at]["id"], "{id} {leaf}");
            let html = page.get(&format!("/s/{}?branch={}", part(&id), part(leaf)));
            assert!(html.text().contains("aria-label=Branches"));
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_branch_of_nothing_but_damage_leaves_nowhere() {
    let mut home = Home::new();
    home.add(Harness::ClaudeCode, &root().join("fixtures/samples/claude-code"));
    let head = home.stores.list().0.remove(0);
    let mut bytes = std::fs::read(&head.path).unwrap();
    bytes.extend(b"{\"type\":\"assistant\",\"message\":null,\"uuid\":\"x\",\"parentUuid\":7}\n");
    std::fs::write(&head.path, bytes).unwrap();
    let page = Page::of(home);
    let session = page.json(&format!("/api/sessions/{}", part(&head.id)));
    let branches = session["branches"].as_array().unwrap();
    let damaged = branches.iter().find(|branch| branch["leaf"] == "x").unwrap();
    assert!(damaged["forkAt"].is_null(), "{damaged}");
}

#[test]
fn words_within_a_session_are_found_in_any_case() {
    let page = Page::samples();
    let id = part("6513270e-269e-4d37-b2a7-4de452e6b438");
    let find = |words: &str| page.json(&format!("/api/sessions/{id}/find?q={}", part(words)));
    let upper = find("CART TOTALS");
    let lower = find("cart totals");
    assert_eq!(upper, lower);
    let all = find("cart");
    assert!(all["total"].as_u64().unwrap() > 3);
    for found in all["matches"].as_array().unwrap() {
        let item = part(found["id"].as_str().unwrap());
        let item = page.json(&format!("/api/sessions/{id}/items/{item}"));
        assert_eq!(item["index"], found["index"]);
        let pieces = found["snippet"].as_array().unwrap();
        let marked = pieces.iter().filter(|piece| piece["mark"] == true);
        assert!(marked.clone().count() > 0, "{found}");
        assert!(marked.into_iter().all(|p| p["text"].as_str().unwrap().to_lowercase() == "cart"));
    }
    // It is a text and no pattern.
    assert_eq!(find("c.rt")["total"], 0);
    assert_eq!(find("(")["truncated"], false);
}
