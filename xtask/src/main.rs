//! Tasks with logic.
//!
//! - `cargo xtask generate [--check]`: typed views and pages from the catalogue, the JSON Schemas, the list of prices
//! - `cargo xtask seen FOLDER…`: counts the record types in real files, for `docs/coverage.md`
//! - `cargo xtask live codex [--write]`: the real Codex reads what recount writes; see `live`
//!
//! Its tests hold the house rules: see `tidy`.
#![allow(clippy::print_stderr, reason = "a tool for the terminal")]
#![allow(clippy::format_collect, reason = "generated text is small")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use recount_formats::Harness;
use recount_formats::catalogue::Catalogue;

mod coverage;
mod docs;
mod live;
mod prices;
mod records;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod tidy;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["generate"] => generate(false),
        ["generate", "--check"] => generate(true),
        ["seen", folders @ ..] if !folders.is_empty() => seen(folders),
        ["live", "codex"] => live::run(false),
        ["live", "codex", "--write"] => live::run(true),
        _ => {
            eprintln!(
                "usage: cargo xtask generate [--check]\n       cargo xtask seen FOLDER…\n       cargo xtask live codex [--write]"
            );
            ExitCode::from(2)
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Everything that is generated, by path from the workspace's folder.
fn outputs() -> Result<Vec<(PathBuf, String)>, String> {
    let mut all = Vec::new();
    let mut catalogues = Vec::new();
    for &harness in Harness::ALL {
        let Some(catalogue) = read_catalogue(harness)? else { continue };
        for (path, text) in records::generate(harness, &catalogue) {
            all.push((Path::new("crates/formats/src").join(path), format_rust(&text)?));
        }
        for (path, text) in docs::pages(&catalogue) {
            all.push((Path::new("docs/formats").join(path), text));
        }
        catalogues.push((harness, catalogue));
    }
    let plain: Vec<Catalogue> = catalogues.iter().map(|(_, c)| c.clone()).collect();
    let (path, text) = docs::index(&plain);
    all.push((Path::new("docs/formats").join(path), text));
    all.push((PathBuf::from("docs/export.schema.json"), recount_export::json::schema()));
    all.push((PathBuf::from("docs/openapi.json"), recount_serve::web::openapi::document()));
    let seen = std::fs::read_to_string(root().join(SEEN)).unwrap_or_default();
    let seen = toml::from_str(&seen).map_err(|e| format!("{SEEN}: {e}"))?;
    let mut fixtures = coverage::Counts::new();
    coverage::count(&root().join("fixtures"), &mut fixtures);
    all.push((PathBuf::from("docs/coverage.md"), coverage::page(&catalogues, &seen, &fixtures)));
    all.push((PathBuf::from(HISTORY_SCHEMA), recount_session::history::schema::snapshot()));
    all.push((PathBuf::from(prices::PATH), prices::list()?));
    Ok(all)
}

/// The JSON Schema of a history state.
const HISTORY_SCHEMA: &str = "docs/history.schema.json";

/// Where it stands what was seen in real files.
const SEEN: &str = "catalogue/seen.toml";

fn seen(folders: &[&str]) -> ExitCode {
    let mut counts = coverage::Counts::new();
    for folder in folders {
        coverage::count(Path::new(folder), &mut counts);
    }
    match std::fs::write(root().join(SEEN), coverage::seen_file(&counts)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {SEEN}: {e}");
            ExitCode::from(3)
        }
    }
}

/// Reads a harness's catalogue from disk, not from the binary, so that one run suffices after an edit.
fn read_catalogue(harness: Harness) -> Result<Option<Catalogue>, String> {
    let dir = std::env::var_os("RECOUNT_CATALOGUE")
        .map_or_else(|| root().join("catalogue"), PathBuf::from);
    let mut all: Option<Catalogue> = None;
    let mut names: Vec<PathBuf> = std::fs::read_dir(&dir)
        .map_err(|e| format!("{}: {e}", dir.display()))?
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .filter(|p| {
            p.file_name()
                .and_then(|n| n.to_str())
                .is_some_and(|n| n.split('.').next() == Some(harness.id()))
        })
        .collect();
    // `claude-code.toml` before `claude-code.attachments.toml`.
    names.sort_by_key(|p| (p.as_os_str().len(), p.clone()));
    for path in names {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = Catalogue::from_toml(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        match &mut all {
            None => all = Some(file),
            Some(all) => all.merge(file),
        }
    }
    Ok(all)
}

fn format_rust(text: &str) -> Result<String, String> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new("rustfmt")
        .arg("--config-path")
        .arg(root().join("rustfmt.toml"))
        .args(["--edition", "2024"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("rustfmt: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("rustfmt takes no input")?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().map_err(|e| format!("rustfmt: {e}"))?;
    writer
        .join()
        .map_err(|_| "rustfmt: the writer failed")?
        .map_err(|e| format!("rustfmt: {e}"))?;
    if !out.status.success() {
        return Err("rustfmt could not read generated code".into());
    }
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

fn generate(check: bool) -> ExitCode {
    let outputs = match outputs() {
        Ok(outputs) => outputs,
        Err(e) => {
            eprintln!("error: {e}");
            return ExitCode::from(3);
        }
    };
    let mut stale = 0;
    for (path, text) in &outputs {
        let full = root().join(path);
        if std::fs::read_to_string(&full).is_ok_and(|old| old == *text) {
            continue;
        }
        stale += 1;
        if check {
            eprintln!("stale: {}", path.display());
            continue;
        }
        let written = full
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&full, text));
        if let Err(e) = written {
            eprintln!("error: {}: {e}", full.display());
            return ExitCode::from(3);
        }
        eprintln!("wrote {}", path.display());
    }
    if check && stale > 0 {
        eprintln!("{stale} generated files are stale: run `cargo xtask generate`");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
