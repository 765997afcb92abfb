//! The program as people and other programs meet it.
//!
//! - [`environment`]: a home, a clock and a terminal of its own for each test
//! - [`people`]: what people see, kept as snapshots
//! - [`machines`]: the shapes of JSON, against DESIGN.md
//! - [`exports`]: files that are written to be shared
//! - [`failures`]: errors, their places and exit codes
//! - [`follow`]: following sessions while they are written
//! - [`hostile`]: transcripts that attack the terminal
//! - [`search`]: search and its index
//! - [`serve`]: the page in the browser
//! - [`threads`]: commands that write in a store
//! - [`usage`]: tokens and cost, in the ways in which they can be asked for
//! - [`documents`]: the commands of the README work as it says

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod environment;
mod exports;
mod failures;
mod follow;
mod hostile;
mod machines;
mod people;
mod search;
mod serve;
mod threads;
mod usage;

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
