//! Records of Claude Code transcripts.

pub mod record;

use crate::format::{self, BadUtf8, Format, Likeness};
use crate::json::Json;
use crate::tags::Tagged as _;
use crate::version::Version;

pub use record::{Kind, Record, type_of};

/// What code must know of the format beyond its catalogue.
pub const FORMAT: Format = Format {
    paths: Kind::PATHS,
    header: |tags| {
        let kind = Kind::of_tags(tags);
        format::header(tags, kind.name(), kind.concept(), kind.index())
    },
    version: |record| Version::parse(&record.get("version")?.as_str()?),
    likeness,
    bad_utf8: BadUtf8::Replace,
    ordinals: false,
    catalogue: &[
        include_str!("../../../../catalogue/claude-code.toml"),
        include_str!("../../../../catalogue/claude-code.attachments.toml"),
    ],
};

fn likeness(record: Json<'_>) -> Likeness {
    let has = |key: &str| record.get(key).is_some();
    // Nodes of its tree name the session and a version. Loose records are told by type.
    if has("sessionId") && (has("parentUuid") || has("version")) {
        Likeness::Node
    } else if Kind::of(record) == Kind::Unknown {
        Likeness::None
    } else {
        Likeness::Type
    }
}
