//! The house rules, as tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// No source file grows beyond reading.
const MOST_LINES: usize = 1500;

/// What each crate may use of the others. A crate that is not listed may not exist.
const ARROWS: &[(&str, &[&str])] = &[
    ("recount-formats", &[]),
    ("recount-text", &[]),
    ("recount-session", &["recount-formats"]),
    ("recount-store", &["recount-formats", "recount-session"]),
    ("recount-export", &["recount-formats", "recount-session", "recount-text"]),
    ("recount-index", &["recount-formats", "recount-session", "recount-store", "recount-export"]),
    (
        "recount-serve",
        &[
            "recount-formats",
            "recount-session",
            "recount-store",
            "recount-text",
            "recount-export",
            "recount-index",
        ],
    ),
    (
        "recount-tui",
        &[
            "recount-text",
            "recount-formats",
            "recount-session",
            "recount-store",
            "recount-export",
            "recount-index",
        ],
    ),
    (
        "recount",
        &[
            "recount-text",
            "recount-formats",
            "recount-session",
            "recount-store",
            "recount-export",
            "recount-index",
            "recount-serve",
            "recount-tui",
        ],
    ),
    (
        "xtask",
        &[
            "recount-export",
            "recount-formats",
            "recount-index",
            "recount-serve",
            "recount-session",
            "recount-store",
        ],
    ),
];

#[test]
fn crates_depend_in_one_direction() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(crate::root())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let metadata: Value = serde_json::from_slice(&out.stdout).unwrap();
    let allowed: BTreeMap<_, _> = ARROWS.iter().copied().collect();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let allowed = allowed.get(name).unwrap_or_else(|| panic!("what may `{name}` use?"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let uses = dependency["name"].as_str().unwrap();
            let ours = dependency["path"].is_string();
            // Tests may look further than the code that they try.
            if ours && dependency["kind"].is_null() {
                assert!(allowed.contains(&uses), "`{name}` must not use `{uses}`");
            }
        }
    }
}

/// All files below a folder with one of these extensions.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                if !path.ends_with("target") && !path.ends_with(".git") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A file that nobody declared as a module would be a test that never runs.
#[test]
fn no_test_file_is_forgotten() {
    let crates = crate::root().join("crates");
    let roots: Vec<PathBuf> = files(&crates, "rs")
        .into_iter()
        .filter(|f| f.ends_with("main.rs") && f.components().any(|c| c.as_os_str() == "tests"))
        .collect();
    assert!(roots.len() > 3, "{roots:?}");
    for root in roots {
        let declared = std::fs::read_to_string(&root).unwrap();
        for entry in std::fs::read_dir(root.parent().unwrap()).unwrap() {
            let path = entry.unwrap().path();
            let is_module = path.extension().is_some_and(|e| e == "rs") && path != root;
            if is_module || path.join("mod.rs").exists() {
                let module = path.file_stem().unwrap().to_str().unwrap();
                let said = declared.contains(&format!("mod {module};"));
                assert!(said, "{} is not declared", path.display());
            }
        }
    }
}

#[test]
fn no_source_file_is_too_long() {
    for path in files(&crate::root(), "rs") {
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn pure_crates_touch_nothing_outside() {
    const FORBIDDEN: &[&str] = &[
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant::now",
        "println!",
        "dbg!",
        "rusqlite",
    ];
    for name in ["formats", "session", "export"] {
        for path in files(&crate::root().join("crates").join(name).join("src"), "rs") {
            // Tests may read fixtures.
            if path.iter().any(|part| part == "tests" || part == "tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (n, line) in text.lines().take_while(|l| *l != "#[cfg(test)]").enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in FORBIDDEN {
                    assert!(!code.contains(word), "{}:{}: {word}", path.display(), n + 1);
                }
            }
        }
    }
}

#[test]
fn generated_files_are_current() {
    for (path, text) in crate::outputs().unwrap() {
        let there = std::fs::read_to_string(crate::root().join(&path)).unwrap_or_default();
        assert!(there == text, "{} is stale: run `cargo xtask generate`", path.display());
    }
}

#[test]
fn nothing_is_left_unfinished() {
    // In two parts, so that this file does not find itself.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];
    for path in files(&crate::root(), "rs") {
        let text = std::fs::read_to_string(&path).unwrap();
        for (n, line) in text.lines().enumerate() {
            for mark in marks {
                let word =
                    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == mark);
                assert!(!word, "{}:{}: {mark}", path.display(), n + 1);
            }
        }
    }
}

/// Folders in which a harness has a folder or a file of its own name.
const OF_HARNESSES: &[&str] = &[
    "crates/formats/src",
    "crates/session/src/rebuild",
    "crates/session/src/usage",
    "crates/store/src/discover",
];

/// The lists of all harnesses, one for each of these folders, and the program's own Codex writer with its view.
const LISTS: &[&str] = &[
    "crates/formats/src/harness.rs",
    "crates/formats/src/format.rs",
    "crates/formats/src/lib.rs",
    "crates/session/src/rebuild/mod.rs",
    "crates/session/src/usage/mod.rs",
    "crates/store/src/discover/mod.rs",
    "crates/session/src/live/",
    "crates/store/src/recorder/",
];

/// A harness may be named in code only where its own code stands. What surrounds this treats all alike: that is what makes
/// another harness a new folder and nothing else.
#[test]
fn code_for_one_harness_stands_in_its_places() {
    const NAMES: &[&str] = &[
        "Codex",
        "ClaudeCode",
        "CursorAgent",
        "Opencode",
        "Pi",
        "codex",
        "claude_code",
        "cursor_agent",
        "opencode",
        "pi",
        "claude-code",
        "cursor-agent",
    ];
    let root = crate::root();
    let mut wrong = Vec::new();
    for path in files(&root.join("crates"), "rs") {
        let place = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let own = OF_HARNESSES.iter().any(|folder| {
            let rest = place.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
            rest.and_then(|rest| rest.split(['/', '.']).next()).is_some_and(|n| NAMES.contains(&n))
        });
        let test = path.iter().any(|part| {
            part == "tests" || part == "tests.rs" || part == "benches" || part == "examples"
        });
        if own || test || LISTS.iter().any(|list| place.starts_with(list)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (n, line) in text.lines().take_while(|l| *l != "#[cfg(test)]").enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            if let Some(word) = words.into_iter().find(|w| NAMES.contains(w)) {
                wrong.push(format!("{place}:{}: {word}", n + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "code for one harness outside of its places:\n{}", wrong.join("\n"));
}

/// A harness that has one part has all.
#[test]
fn each_harness_has_its_folder_and_files() {
    let root = crate::root();
    for harness in recount_formats::Harness::ALL {
        let id = harness.id();
        let name = id.replace('-', "_");
        assert!(root.join("catalogue").join(format!("{id}.toml")).exists(), "catalogue of {id}");
        assert!(root.join("docs/formats").join(format!("{id}.md")).exists(), "pages of {id}");
        assert!(root.join("fixtures/samples").join(id).exists(), "samples of {id}");
        for folder in
            ["crates/formats/src", "crates/session/src/rebuild", "crates/store/src/discover"]
        {
            let folder = root.join(folder);
            let there = folder.join(&name).is_dir() || folder.join(format!("{name}.rs")).is_file();
            assert!(there, "{name} in {}", folder.display());
        }
    }
}
