//! Puts the commit into `recount --version`. Without git the version stands alone.

use std::path::Path;
use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let text = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=RECOUNT_VERSION={text}");
    println!("cargo::rerun-if-changed=build.rs");
    // The samples are part of the program.
    println!("cargo::rerun-if-changed=../../fixtures/samples");
    // The log of HEAD changes with every commit and checkout, and with nothing else; `.git/index` would change
    // with every `git add`.
    for path in ["logs/HEAD", "HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", path])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
            return;
        }
    }
}

/// The short hash and the day of the commit that is checked out.
fn commit() -> Option<String> {
    git(&["log", "-1", "--format=%h %cd", "--date=short", "--abbrev=9"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
