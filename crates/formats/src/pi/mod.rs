//! Records of pi transcripts.
//!
//! - [`record`]: every record type
//! - [`version`]: which of the three versions of the format a file has

pub mod record;
#[cfg(test)]
mod tests;
pub mod version;

use crate::format::{self, BadUtf8, Format, Likeness};
use crate::json::Json;
use crate::tags::Tagged as _;

pub use record::{Kind, Record, type_of};
pub use version::Version;

/// What code must know of the format beyond its catalogue.
pub const FORMAT: Format = Format {
    paths: Kind::PATHS,
    header: |tags| {
        let kind = Kind::of_tags(tags);
        format::header(tags, kind.name(), kind.concept(), kind.index())
    },
    version: release,
    likeness,
    bad_utf8: BadUtf8::Replace,
    ordinals: false,
    catalogue: &[include_str!("../../../../catalogue/pi.toml")],
};

/// The release that the header's version of the format came with: the header counts versions of the format, not of the
/// program.
fn release(record: Json<'_>) -> Option<crate::version::Version> {
    if record.str("type")? != "session" {
        return None;
    }
    crate::version::Version::parse(Version::of_header(record).release()?)
}

fn likeness(record: Json<'_>) -> Likeness {
    let has = |key: &str| record.get(key).is_some();
    // Its header; Claude Code has no such record.
    if record.str("type").as_deref() == Some("session") && has("cwd") {
        Likeness::Certain
    } else if has("parentId") && has("id") {
        Likeness::Links
    } else {
        Likeness::None
    }
}
