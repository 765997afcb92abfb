//! Records of cursor-agent: blobs of a chat's store, lines of its readable copy, settings and sidecars.
//!
//! - [`schema`]: the catalogue's tables of protobuf messages, by name
//! - [`message`]: a message read with its table
//! - [`encode`]: JSON to a message
//! - [`store`]: what a blob is by the way that leads to it, and the settings row
//! - [`record`]: typed views of the JSON records

pub mod encode;
pub mod message;
pub mod record;
pub mod schema;
pub mod store;

use crate::format::{self, BadUtf8, Format, Likeness};
use crate::tags::Tagged as _;

pub use message::Message;
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
    catalogue: &[
        include_str!("../../../../catalogue/cursor-agent.toml"),
        include_str!("../../../../catalogue/cursor-agent.wire.toml"),
    ],
};
