//! Records of Codex rollouts.

pub mod record;

use crate::format::{self, BadUtf8, Format, Likeness};
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
    version: |record| Version::parse(&record.at(&["payload", "cli_version"])?.as_str()?),
    likeness: |record| {
        // Every line of a rollout is an envelope, whatever its type.
        let all = ["timestamp", "payload", "type"].iter().all(|key| record.get(key).is_some());
        if all { Likeness::Certain } else { Likeness::None }
    },
    bad_utf8: BadUtf8::Junk,
    ordinals: true,
    catalogue: &[include_str!("../../../../catalogue/codex.toml")],
};
