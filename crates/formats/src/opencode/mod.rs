//! Rows of the opencode database.

pub mod record;
pub mod row;

use crate::format::{self, BadUtf8, Format, Likeness};
use crate::tags::Tagged as _;

pub use record::{Kind, Record, type_of};

/// What code must know of the format beyond its catalogue.
pub const FORMAT: Format = Format {
    paths: Kind::PATHS,
    header: |tags| {
        let kind = Kind::of_tags(tags);
        format::header(tags, kind.name(), kind.concept(), kind.index())
    },
    version: |_| None,
    likeness: |_| Likeness::None,
    bad_utf8: BadUtf8::Replace,
    ordinals: false,
    catalogue: &[include_str!("../../../../catalogue/opencode.toml")],
};
