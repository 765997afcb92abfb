//! What a record is, whatever the harness: its type, its concept, and whether the catalogue has it.

use std::borrow::Cow;

use crate::concept::Concept;
use crate::format;
use crate::harness::Harness;
use crate::json::Json;
use crate::tags::{Paths, Tags};

/// What a record is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The name of its type as the catalogue spells it, else its tags joined in the same way.
    pub name: Cow<'static, str>,
    /// What it means; nothing for an unknown type.
    pub concept: Option<Concept>,
    /// Its number in the catalogue's list of records; nothing for an unknown type.
    pub index: Option<usize>,
}

impl Header {
    /// Whether the catalogue has the type.
    pub const fn is_known(&self) -> bool {
        self.index.is_some()
    }
}

/// Where the tags of a harness's records stand.
pub const fn paths(harness: Harness) -> Paths {
    format::of(harness).paths
}

/// What the record with these tags is.
pub fn header(harness: Harness, tags: &Tags<'_>) -> Header {
    (format::of(harness).header)(tags)
}

/// What a record that was parsed before is.
pub fn header_of(harness: Harness, record: Json<'_>) -> Header {
    header(harness, &Tags::of(record, paths(harness)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn each_example_is_of_its_type() {
        for &harness in Harness::ALL {
            let catalogue = Catalogue::of(harness);
            // What a blob of a database is, its place decides.
            let lines = harness != Harness::CursorAgent;
            for record in &catalogue.records {
                let Ok(example) = crate::json::parse(&record.example) else {
                    assert!(!lines, "{harness} {}", record.name);
                    continue;
                };
                let header = header_of(harness, example);
                // The example of a wrapper is one of the records that it wraps.
                let inner = header.name.strip_prefix(record.name.as_str());
                assert!(
                    !lines || inner.is_some_and(|rest| rest.is_empty() || rest.starts_with(" / ")),
                    "{harness} {}: the example is `{}`",
                    record.name,
                    header.name
                );
                if let Some(index) = header.index {
                    let meant = &catalogue.records[index];
                    assert_eq!(meant.name, header.name, "kinds have the order of the catalogue");
                    assert_eq!(header.concept, Concept::from_name(&meant.concept));
                    assert!(header.concept.is_some(), "{}", meant.concept);
                }
            }
        }
    }
}
