//! Where ClaudeCode keeps its sessions.

use std::io;
use std::path::{Path, PathBuf};

use recount_formats::Harness;

use super::{Discover, Listing, Opened};
use crate::environment::Environment;
use crate::head::SessionHead;

/// How ClaudeCode keeps its sessions.
#[derive(Debug)]
pub struct ClaudeCode;

impl Discover for ClaudeCode {
    fn harness(&self) -> Harness {
        Harness::ClaudeCode
    }

    fn roots(&self, _environment: &Environment) -> Vec<PathBuf> {
        Vec::new()
    }

    fn list(&self, _root: &Path) -> Listing {
        Listing::default()
    }

    fn at_path(&self, _path: &Path) -> Option<SessionHead> {
        None
    }

    fn open(&self, head: &SessionHead) -> io::Result<Opened> {
        Err(io::Error::new(io::ErrorKind::NotFound, head.path.display().to_string()))
    }
}
