//! What code must know of a harness's format beyond its catalogue, and the one list of all formats.
//!
//! A harness says it once, as the constant `FORMAT` of its folder. Nothing else in this crate asks which harness it is
//! dealing with; a test in `xtask` holds that.

use std::borrow::Cow;

use crate::concept::Concept;
use crate::harness::Harness;
use crate::json::Json;
use crate::record::Header;
use crate::tags::{Paths, Tags};
use crate::version::Version;
use crate::{claude_code, codex, cursor_agent, opencode, pi};

/// A harness's format.
#[derive(Debug)]
pub struct Format {
    /// Where the tags of its records stand.
    pub paths: Paths,
    /// What a record with these tags is.
    pub header: fn(&Tags<'_>) -> Header,
    /// The version of the program that a record names as its writer.
    pub version: fn(Json<'_>) -> Option<Version>,
    /// How clearly a record is one of this format.
    pub likeness: fn(Json<'_>) -> Likeness,
    /// What the harness makes of lines that are not UTF-8.
    pub bad_utf8: BadUtf8,
    /// Whether records may be numbered, each by its member `ordinal`.
    pub ordinals: bool,
    /// The files of the catalogue, as TOML.
    pub catalogue: &'static [&'static str],
}

/// How clearly a record is one of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// Nothing speaks for it.
    None,
    /// Its type is one of the format's.
    Type,
    /// It is linked as records of the format are.
    Links,
    /// It carries what nearly every record of the format carries.
    Node,
    /// Only this format has such a record.
    Certain,
}

/// How to treat lines that are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadUtf8 {
    /// The harness skips such a line (a Rust program): it is junk.
    Junk,
    /// The harness decodes it with replacement characters (a JavaScript program), and goes on: so do we.
    Replace,
}

/// The format of a harness.
pub const fn of(harness: Harness) -> &'static Format {
    match harness {
        Harness::Codex => &codex::FORMAT,
        Harness::ClaudeCode => &claude_code::FORMAT,
        Harness::CursorAgent => &cursor_agent::FORMAT,
        Harness::Opencode => &opencode::FORMAT,
        Harness::Pi => &pi::FORMAT,
    }
}

/// Makes the header of a record whose kind was decided: by name, concept and number in the catalogue; nothing of an
/// unknown one.
pub(crate) fn header(
    tags: &Tags<'_>,
    name: &'static str,
    concept: Option<Concept>,
    index: Option<usize>,
) -> Header {
    match index {
        None => Header { name: Cow::Owned(tags.joined()), concept: None, index: None },
        index => Header { name: Cow::Borrowed(name), concept, index },
    }
}
