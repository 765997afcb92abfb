//! Tests of the crate as a whole.

#![allow(clippy::unwrap_used, reason = "a test that cannot set up its files has to stop")]

mod agreement;
mod cache;
mod changes;
mod report;
mod search;

/// A file that nobody declared as a module would be a test that never runs.
#[test]
fn no_file_is_forgotten() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let declared = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|m| *m != "main") {
            assert!(declared.contains(&format!("mod {module};")), "{name} is not declared");
        }
    }
}
