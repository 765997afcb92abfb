//! The list of prices that recount carries, made from the data of the crate `genai-prices`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use recount_formats::Harness;
use recount_session::usage::usual_provider;
use serde_json::Value;

/// Where the list stands.
pub(crate) const PATH: &str = "crates/index/src/cost/prices.tsv";

/// Names that the data only knows the beginnings of, as providers write them in answers.
const DATED: &[(&str, &str)] = &[
    ("anthropic", "claude-3-5-haiku-20241022"),
    ("anthropic", "claude-3-5-sonnet-20241022"),
    ("anthropic", "claude-3-7-sonnet-20250219"),
    ("anthropic", "claude-haiku-4-5-20251001"),
    ("anthropic", "claude-opus-4-1-20250805"),
    ("anthropic", "claude-opus-4-20250514"),
    ("anthropic", "claude-opus-4-5-20251101"),
    ("anthropic", "claude-sonnet-4-20250514"),
    ("anthropic", "claude-sonnet-4-5-20250929"),
];

/// The names by which the usual providers' models are asked for, and the days from which any price holds, as the data of the
/// crate names them; the prices themselves are then asked of the crate.
pub(crate) fn list() -> Result<String, String> {
    let data = std::fs::read_to_string(data()?).map_err(|e| format!("genai-prices: {e}"))?;
    let data: Value = serde_json::from_str(&data).map_err(|e| format!("genai-prices: {e}"))?;
    let providers: BTreeSet<&str> =
        Harness::ALL.iter().filter_map(|harness| usual_provider(*harness)).collect();
    let mut names: BTreeSet<(&str, &str)> = DATED.iter().copied().collect();
    // Prices without a day hold since ever.
    let mut seconds = BTreeSet::from([0]);
    for provider in data.as_array().into_iter().flatten() {
        let Some(id) = provider["id"].as_str().and_then(|id| providers.get(id)) else { continue };
        for model in provider["models"].as_array().into_iter().flatten() {
            let mut found = Vec::new();
            found.extend(model["id"].as_str());
            strings(&model["match"], &["equals", "starts_with"], &mut found);
            names.extend(found.into_iter().map(|name| (*id, name)));
            let mut days = Vec::new();
            strings(&model["prices"], &["start_date", "end_date"], &mut days);
            for day in days {
                let second = format!("{day}T00:00:00Z").parse::<jiff::Timestamp>();
                seconds
                    .insert(second.map_err(|e| format!("genai-prices: {day}: {e}"))?.as_second());
            }
        }
    }
    let seconds: Vec<i64> = seconds.into_iter().collect();
    Ok(recount_index::cost::list::generate(names, &seconds))
}

/// The strings under these keys, anywhere in a value.
fn strings<'a>(value: &'a Value, keys: &[&str], found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if keys.contains(&key.as_str()) {
                    found.extend(value.as_str());
                }
                strings(value, keys, found);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|value| strings(value, keys, found)),
        _ => {}
    }
}

/// The data's file, in the source of the crate.
fn data() -> Result<PathBuf, String> {
    let out = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(crate::root())
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    let found: Value =
        serde_json::from_slice(&out.stdout).map_err(|e| format!("cargo metadata: {e}"))?;
    let packages = found["packages"].as_array();
    let package = packages.into_iter().flatten().find(|package| package["name"] == "genai-prices");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let manifest = manifest.ok_or("cargo metadata knows no genai-prices")?;
    Ok(PathBuf::from(manifest).with_file_name("data/prices.json"))
}
