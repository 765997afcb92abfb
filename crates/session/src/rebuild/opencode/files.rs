//! The files beside the database: full tool results and captures of shells.
//!
//! Names of companions, as the store gives them:
//! - `tool-output/<name>`: the full text of a tool result
//! - `shell/<project>/<sh id>.out`: what a shell printed
//! - `session/<id>`: no file, but that another session stands in the same store (the source of a fork)

use std::sync::Arc;

use recount_formats::{Code, Finding, Json, Position};

use super::super::Companions;

/// The files of a session, and what was found wrong with them.
pub(super) struct Files<'a> {
    companions: &'a dyn Companions,
    names: Option<Vec<String>>,
    source: &'a Arc<str>,
    /// Files that a row names and that are gone.
    pub(super) findings: Vec<Finding>,
}

impl<'a> Files<'a> {
    pub(super) fn new(companions: &'a dyn Companions, source: &'a Arc<str>) -> Self {
        Self { companions, names: None, source, findings: Vec::new() }
    }

    /// The full text of a result that was cut: `metadata.outputPath` leads to it. The path is absolute and goes
    /// stale when a home is moved, so only its last part counts, in the store's own folder.
    pub(super) fn full_output(&mut self, metadata: Json<'_>) -> Option<String> {
        let path = metadata.str("outputPath")?;
        let name = path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
        if let Some(text) = self.read(&format!("tool-output/{name}")) {
            return Some(text);
        }
        self.findings.push(Finding::new(
            Code::MissingFile,
            self.source,
            Position::WHOLE,
            format!("tool-output/{name} is gone: opencode keeps full results for seven days"),
        ));
        None
    }

    /// All that a shell printed.
    pub(super) fn capture(&mut self, shell: &str) -> Option<String> {
        let end = format!("/{shell}.out");
        let companions = self.companions;
        let names = self.names.get_or_insert_with(|| companions.names());
        let name = names.iter().find(|n| n.starts_with("shell/") && n.ends_with(&end))?.clone();
        self.read(&name)
    }

    fn read(&self, name: &str) -> Option<String> {
        let bytes = self.companions.read(name)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}
