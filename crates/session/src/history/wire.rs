//! How records are read and written as JSON, with nothing lost.
//!
//! Not by serde's derive: with it, members that are carried through (`flatten`) cost the place of an error, numbers
//! beyond 64 bits, and the difference between an absent member and a `null` one. The macros here make plain structs and
//! enums from the same list of members that the reader, the writer and the JSON Schema use.

use std::collections::HashSet;
use std::fmt::Write as _;

use recount_formats::Json;
use recount_formats::json::Kind;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::json::RawJson;

/// What is wrong with a value, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The place, innermost name first.
    place: Vec<String>,
    what: String,
}

impl Fault {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { place: Vec::new(), what: what.into() }
    }

    /// The fault as seen from the value that holds the faulty one.
    pub(super) fn under(mut self, name: impl Into<String>) -> Self {
        self.place.push(name.into());
        self
    }

    /// The place as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        self.place.iter().rev().fold(String::new(), |mut pointer, name| {
            let _ = write!(pointer, "/{}", name.replace('~', "~0").replace('/', "~1"));
            pointer
        })
    }

    pub(super) fn what(&self) -> &str {
        &self.what
    }
}

/// A type that is read from JSON.
pub(super) trait Read: Sized {
    /// Reads a value.
    fn read(value: Json<'_>) -> Result<Self, Fault>;
}

fn expected(what: &str, value: Json<'_>) -> Fault {
    Fault::new(format!("expected {what}, found {}", value.kind().name()))
}

impl Read for String {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        let text = value.text().ok_or_else(|| expected("string", value))?;
        // Half a surrogate pair is JSON but no text: kept as something else it would no longer be what was written.
        serde_json::from_str(text.raw()).map_err(|_| Fault::new("the string is not valid Unicode"))
    }
}

impl Read for bool {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        value.as_bool().ok_or_else(|| expected("boolean", value))
    }
}

impl Read for u64 {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.kind() != Kind::Number {
            return Err(expected("integer", value));
        }
        value
            .as_u64()
            .ok_or_else(|| Fault::new(format!("{value:?} is no integer from 0 to 2^64-1")))
    }
}

impl Read for i64 {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.kind() != Kind::Number {
            return Err(expected("integer", value));
        }
        value.as_i64().ok_or_else(|| Fault::new(format!("{value:?} is no 64-bit integer")))
    }
}

impl Read for RawJson {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        Ok(Self::new(value))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if !value.is_array() {
            return Err(expected("array", value));
        }
        let read = |(n, element)| T::read(element).map_err(|f| f.under(usize::to_string(&n)));
        value.elements().enumerate().map(read).collect()
    }
}

/// An optional member: a snapshot that says `null` says so again when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Maybe<T> {
    /// The member is not there.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// The member has a value.
    Is(T),
}

impl<T> Maybe<T> {
    /// The value, if there is one.
    pub const fn get(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl<T> From<Option<T>> for Maybe<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Is)
    }
}

impl<T: Read> Read for Maybe<T> {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        if value.is_null() { Ok(Self::Null) } else { T::read(value).map(Self::Is) }
    }
}

/// Writes a member unless it is absent.
pub(super) fn write_optional<M: SerializeMap, T: Serialize>(
    map: &mut M,
    name: &'static str,
    value: &Maybe<T>,
) -> Result<(), M::Error> {
    match value {
        Maybe::Absent => Ok(()),
        Maybe::Null => map.serialize_entry(name, &()),
        Maybe::Is(value) => map.serialize_entry(name, value),
    }
}

/// Members of an object that the schema does not name, in order. They are carried through.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
// Nearly always empty: one word then.
#[expect(clippy::box_collection, reason = "one word instead of three in every object")]
pub struct Unknown(Option<Box<Vec<(String, RawJson)>>>);

impl Unknown {
    /// The members.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.0.iter().flat_map(|all| all.iter()).map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn push(&mut self, name: &str, value: Json<'_>) {
        self.0.get_or_insert_default().push((name.to_owned(), RawJson::new(value)));
    }

    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}

/// Hands over the members of an object. A name that stands twice is refused: one of the values would be lost.
pub(super) fn members<'a>(
    value: Json<'a>,
    mut each: impl FnMut(String, Json<'a>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if !value.is_object() {
        return Err(expected("object", value));
    }
    let mut seen = HashSet::new();
    for (key, value) in value.members() {
        let name = String::read(key.json())?;
        if !seen.insert(name.clone()) {
            return Err(Fault::new("the member stands twice").under(name));
        }
        each(name, value)?;
    }
    Ok(())
}

/// The tag of an object that says which of several it is.
pub(super) fn tag<'a>(
    value: Json<'a>,
    name: &'static str,
) -> Result<std::borrow::Cow<'a, str>, Fault> {
    if !value.is_object() {
        return Err(expected("object", value));
    }
    let tag = value.get(name).ok_or_else(|| missing(name))?;
    tag.as_str().ok_or_else(|| expected("string", tag).under(name))
}

pub(super) fn missing(name: &str) -> Fault {
    Fault::new("the required member is missing").under(name)
}

pub(super) fn no_word(found: &str, words: &[&str]) -> Fault {
    let found: String = found.chars().take(40).collect();
    Fault::new(format!("`{}` is none of {}", found.escape_debug(), words.join(", ")))
}

/// An object whose keys are data, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map<T>(pub Vec<(String, T)>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Read> Read for Map<T> {
    fn read(value: Json<'_>) -> Result<Self, Fault> {
        let mut all = Vec::new();
        members(value, |name, value| {
            let value = T::read(value).map_err(|f| f.under(name.clone()))?;
            all.push((name, value));
            Ok(())
        })?;
        Ok(Self(all))
    }
}

impl<T: Serialize> Serialize for Map<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Members of an object, for those that a tag or another object stands around.
pub(super) trait Members: Sized {
    /// Reads the members, except for one that belongs to what stands around.
    fn read_members(value: Json<'_>, except: Option<&'static str>) -> Result<Self, Fault>;
    /// Writes the members into an open object.
    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Makes a struct that is an object in JSON: required members, `?` optional ones, `+` ours, which the schema's text
/// does not have: a member of that name that is something else is carried through as unknown.
macro_rules! object {
    (
        $(#[doc = $doc:literal])+
        $name:ident {
            $( $(#[doc = $fdoc:literal])+ $field:ident: $type:ty, )*
            $( ? $(#[doc = $odoc:literal])+ $optional:ident: $otype:ty, )*
            $( + $(#[doc = $edoc:literal])+ $ours:ident: $etype:ty, )*
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $fdoc])+ pub $field: $type, )*
            $( $(#[doc = $odoc])+ pub $optional: $crate::history::wire::Maybe<$otype>, )*
            $( $(#[doc = $edoc])+ pub $ours: $crate::history::wire::Maybe<$etype>, )*
            /// Members that the schema does not name.
            pub other: $crate::history::wire::Unknown,
        }

        impl $crate::history::wire::Members for $name {
            #[allow(unused_mut, unused_variables, reason = "some objects have no members")]
            fn read_members(
                value: recount_formats::Json<'_>,
                except: Option<&'static str>,
            ) -> Result<Self, $crate::history::wire::Fault> {
                #[allow(unused_imports, reason = "by what members there are")]
                use $crate::history::wire::{Maybe, Read, Unknown, members, missing};
                $( let mut $field: Option<$type> = None; )*
                $( let mut $optional: Maybe<$otype> = Maybe::Absent; )*
                $( let mut $ours: Maybe<$etype> = Maybe::Absent; )*
                let mut other = Unknown::default();
                members(value, |name, value| {
                    match name.as_str() {
                        $( stringify!($field) => {
                            $field = Some(Read::read(value).map_err(|f| f.under(name))?);
                        } )*
                        $( stringify!($optional) => {
                            $optional = Read::read(value).map_err(|f| f.under(name))?;
                        } )*
                        $( stringify!($ours) if let Ok(Maybe::Is(read)) = Read::read(value) => {
                            $ours = Maybe::Is(read);
                        } )*
                        other if Some(other) == except => {}
                        _ => other.push(&name, value),
                    }
                    Ok(())
                })?;
                Ok(Self {
                    $( $field: $field.ok_or_else(|| missing(stringify!($field)))?, )*
                    $( $optional, )*
                    $( $ours, )*
                    other,
                })
            }

            fn write_members<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( map.serialize_entry(stringify!($field), &self.$field)?; )*
                $( $crate::history::wire::write_optional(map, stringify!($optional), &self.$optional)?; )*
                $( $crate::history::wire::write_optional(map, stringify!($ours), &self.$ours)?; )*
                self.other.write(map)
            }
        }

        impl $crate::history::wire::Read for $name {
            fn read(value: recount_formats::Json<'_>) -> Result<Self, $crate::history::wire::Fault> {
                $crate::history::wire::Members::read_members(value, None)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $crate::history::wire::Members::write_members(self, &mut map)?;
                map.end()
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            #[allow(unused_variables, unused_mut, reason = "some objects have no members")]
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #[allow(unused_imports, reason = "by what members there are")]
                use $crate::history::schema::{describe, nullable, object};
                let mut all = serde_json::Map::new();
                $( all.insert(
                    stringify!($field).into(),
                    describe(generator.subschema_for::<$type>(), concat!($($fdoc),+)),
                ); )*
                $( all.insert(
                    stringify!($optional).into(),
                    describe(nullable(generator.subschema_for::<$otype>()), concat!($($odoc),+)),
                ); )*
                // Ours are described and not constrained: other writers may mean something else by the name.
                $( all.insert(stringify!($ours).into(), describe(true.into(), concat!($($edoc),+))); )*
                object(concat!($($doc),+), &all, &[$( stringify!($field), )*])
            }
        }
    };
}

/// Makes an enum whose values are words.
macro_rules! words {
    (
        $(#[doc = $doc:literal])+
        $name:ident { $( $(#[doc = $vdoc:literal])+ $variant:ident = $word:literal, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[doc = $vdoc])+ $variant, )+ }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$( Self::$variant, )+];

            /// The word.
            pub const fn word(self) -> &'static str {
                match self { $( Self::$variant => $word, )+ }
            }
        }

        impl $crate::history::wire::Read for $name {
            fn read(value: recount_formats::Json<'_>) -> Result<Self, $crate::history::wire::Fault> {
                let text = <String as $crate::history::wire::Read>::read(value)?;
                match text.as_str() {
                    $( $word => Ok(Self::$variant), )+
                    _ => Err($crate::history::wire::no_word(&text, &[$( $word, )+])),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::history::schema::words(concat!($($doc),+), &[$( $word, )+])
            }
        }
    };
}

/// Makes an enum of objects that the member `type` tells apart.
macro_rules! tagged {
    (
        $(#[doc = $doc:literal])+
        $name:ident { $( $(#[doc = $vdoc:literal])+ $variant:ident($type:ty) = $word:literal, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name { $( $(#[doc = $vdoc])+ $variant($type), )+ }

        impl $crate::history::wire::Read for $name {
            fn read(value: recount_formats::Json<'_>) -> Result<Self, $crate::history::wire::Fault> {
                use $crate::history::wire::{Members, no_word, tag};
                let found = tag(value, "type")?;
                match found.as_ref() {
                    $( $word => <$type>::read_members(value, Some("type")).map(Self::$variant), )+
                    other => Err(no_word(other, &[$( $word, )+]).under("type")),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;
                use $crate::history::wire::Members as _;
                let mut map = serializer.serialize_map(None)?;
                match self {
                    $( Self::$variant(value) => {
                        map.serialize_entry("type", $word)?;
                        value.write_members(&mut map)?;
                    } )+
                }
                map.end()
            }
        }

        #[cfg(any(test, feature = "schema"))]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::history::schema::tagged(
                    concat!($($doc),+),
                    &[$( ($word, <$type as schemars::JsonSchema>::json_schema(generator)), )+],
                )
            }
        }
    };
}

pub(super) use {object, tagged, words};
