//! Sessions that real versions of pi wrote, against what pi's own session manager makes of them. Where the corpus is
//! not at hand there is nothing to do.

use std::path::{Path, PathBuf};

use recount_formats::json::{self, Json};

use super::{thread_of, view_of};
use crate::model::{Block, Message, Role};

fn corpus() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/pi");
    let mut found = Vec::new();
    for case in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let folders = std::fs::read_dir(case.path().join("home/.pi/agent/sessions"));
        let folders = folders.into_iter().flatten().flatten();
        for file in folders.filter_map(|f| std::fs::read_dir(f.path()).ok()).flatten().flatten() {
            let path = file.path();
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
            let oracle =
                case.path().join("oracle").join(format!("sm-{}.json", stem.unwrap_or_default()));
            if oracle.is_file() {
                found.push((path, oracle));
            }
        }
    }
    found
}

fn text_of(content: Json<'_>) -> String {
    if let Some(text) = content.as_str() {
        return text.into_owned();
    }
    content.elements().filter_map(|b| b.str("text")).collect::<Vec<_>>().join("\n")
}

/// Role and text of what pi projects; what it leaves out when it sends is left out.
fn wanted(context: Json<'_>) -> Vec<(String, Option<String>)> {
    let messages = context.get("messages").unwrap_or(Json::NULL);
    messages
        .elements()
        .filter(|m| m.get("excludeFromContext").and_then(Json::as_bool) != Some(true))
        .map(|m| {
            let role = m.str("role").unwrap_or_default();
            let content = m.get("content").unwrap_or(Json::NULL);
            match &*role {
                "user" | "custom" => ("User".into(), Some(text_of(content))),
                "assistant" => ("Assistant".into(), Some(text_of(content))),
                "toolResult" => ("Tool".into(), Some(text_of(content))),
                "system" => ("System".into(), None),
                _ => ("User".into(), None),
            }
        })
        .collect()
}

fn projected(messages: &[Message]) -> Vec<(String, String)> {
    let text = |block: &Block| match block {
        Block::Text { text } => Some(text.clone()),
        Block::ToolResult { content, .. } => Some(text_of(content.get())),
        _ => None,
    };
    let role = |role: Role| format!("{role:?}");
    let texts = |m: &Message| m.content.iter().filter_map(text).collect::<Vec<_>>().join("\n");
    messages.iter().map(|m| (role(m.role), texts(m))).collect()
}

fn same(case: &Path, want: &[(String, Option<String>)], got: &[Message]) {
    let got = projected(got);
    assert_eq!(want.len(), got.len(), "{}", case.display());
    for (want, got) in want.iter().zip(&got) {
        assert_eq!(want.0, got.0, "{}", case.display());
        if let Some(text) = &want.1 {
            assert_eq!(text, &got.1, "{}", case.display());
        }
    }
}

#[test]
fn threads_equal_those_of_pi() {
    for (path, oracle) in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        let oracle = std::fs::read_to_string(&oracle).unwrap();
        let oracle = json::parse(&oracle).unwrap();
        let thread = thread_of(&bytes, None);
        if oracle.get("leaves").is_none() {
            // pi refuses the file, or runs out of memory.
            assert!(!thread.findings.is_empty(), "{}", path.display());
            continue;
        }
        let header = oracle.get("header").unwrap_or(Json::NULL);
        assert_eq!(Some(&*thread.id), header.str("id").as_deref());
        let named: Vec<_> = oracle
            .get("leaves")
            .unwrap_or(Json::NULL)
            .elements()
            .filter_map(Json::as_str)
            .collect();
        let leaves: Vec<_> = thread.branches.iter().map(|b| &*b.leaf).collect();
        // Version 1 has no ids: pi makes them up while it reads. An entry without id has none in pi's list.
        let made_up = thread.branches.iter().any(|b| b.leaf.starts_with("line-"));
        assert!(made_up || leaves == named, "{}: {leaves:?} {named:?}", path.display());
        assert_eq!(leaves.len(), oracle.get("leaves").unwrap_or(Json::NULL).elements().count());
        if let Some(name) = oracle.str("sessionName") {
            assert_eq!(thread.title.as_deref(), Some(&*name));
        }

        let sums = oracle.get("usageTotalsAllBranches").unwrap_or(Json::NULL);
        let sum = |key| sums.get(key).and_then(Json::as_u64).unwrap_or(0);
        let usage = thread.usage;
        assert_eq!(
            [
                usage.input_tokens,
                usage.output_tokens,
                usage.cached_input_tokens,
                usage.cache_write_tokens
            ],
            [sum("input"), sum("output"), sum("cacheRead"), sum("cacheWrite")],
            "{}",
            path.display()
        );

        let context = oracle.get("defaultContext").unwrap_or(Json::NULL);
        same(&path, &wanted(context), &view_of(&bytes, None).messages);
        for (leaf, context) in oracle.get("contextByLeaf").into_iter().flat_map(Json::members) {
            same(&path, &wanted(context), &view_of(&bytes, Some(&leaf.get())).messages);
        }
    }
}

#[test]
fn undamaged_sessions_have_no_findings() {
    for (path, _) in corpus() {
        if path.to_string_lossy().contains("/damaged-") {
            continue;
        }
        let thread = thread_of(&std::fs::read(&path).unwrap(), None);
        // The source of a fork is found through companions, which this test has none of.
        let missing = recount_formats::Code::MissingFile;
        let findings: Vec<_> = thread.findings.iter().filter(|f| f.code != missing).collect();
        assert!(findings.is_empty(), "{findings:?}");
    }
}
