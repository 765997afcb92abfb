//! Typed views of objects: structs whose fields are slices of the record's own text.
//!
//! A view never fails: a member that is missing or has another JSON type is `None`, and the object itself
//! stays at hand as `raw`. Drift is told by [`crate::check`], not by decoding.

use crate::json::{Json, Kind, Text};

/// A type that can be read from a value.
pub trait View<'a>: Sized {
    /// Reads it; nothing when the value has another JSON type.
    fn view(value: Json<'a>) -> Option<Self>;
}

impl<'a> View<'a> for Json<'a> {
    fn view(value: Json<'a>) -> Option<Self> {
        Some(value)
    }
}

impl<'a> View<'a> for Text<'a> {
    fn view(value: Json<'a>) -> Option<Self> {
        value.text()
    }
}

impl View<'_> for bool {
    fn view(value: Json<'_>) -> Option<Self> {
        value.as_bool()
    }
}

impl View<'_> for i64 {
    fn view(value: Json<'_>) -> Option<Self> {
        value.as_i64()
    }
}

impl View<'_> for f64 {
    fn view(value: Json<'_>) -> Option<Self> {
        value.as_f64()
    }
}

/// An array whose elements are read one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct List<'a, T> {
    raw: Json<'a>,
    of: std::marker::PhantomData<T>,
}

impl<'a, T: View<'a>> List<'a, T> {
    /// The elements that have the expected type.
    pub fn iter(self) -> impl Iterator<Item = T> + 'a
    where
        T: 'a,
    {
        self.raw.elements().filter_map(T::view)
    }
}

impl<'a, T> List<'a, T> {
    /// The array itself.
    pub const fn raw(self) -> Json<'a> {
        self.raw
    }
}

impl<'a, T> View<'a> for List<'a, T> {
    fn view(value: Json<'a>) -> Option<Self> {
        (value.kind() == Kind::Array).then_some(Self { raw: value, of: std::marker::PhantomData })
    }
}

/// Defines views. The generated modules `record` of the harnesses consist of its calls.
macro_rules! views {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $field:ident: $ty:ty = $key:literal, )* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(missing_docs, reason = "the fields are described in the catalogue: `recount explain`")]
        pub struct $name<'a> {
            $( pub $field: Option<$ty>, )*
            /// The object itself, whole.
            pub raw: $crate::json::Json<'a>,
        }

        impl<'a> $crate::view::View<'a> for $name<'a> {
            fn view(value: $crate::json::Json<'a>) -> Option<Self> {
                if !value.is_object() {
                    return None;
                }
                #[allow(unused_mut, reason = "a record without fields")]
                let mut view = Self { $( $field: None, )* raw: value };
                #[allow(unused_variables, reason = "a record without fields")]
                for (key, member) in value.members() {
                    match &*key.get() {
                        $( $key => view.$field = $crate::view::View::view(member), )*
                        _ => {}
                    }
                }
                Some(view)
            }
        }
    )*};
}
pub(crate) use views;

/// Defines the enum `Kind` of a harness.
macro_rules! kinds {
    ($( $variant:ident = $name:literal, $concept:ident; )*) => {
        /// The kinds of record, in the order of the catalogue.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind {
            $( #[doc = concat!("`", $name, "`")] $variant, )*
            /// A type that the catalogue lacks.
            Unknown,
        }

        impl Kind {
            /// All kinds but `Unknown`.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name that the catalogue gives it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* Self::Unknown => "?" }
            }

            /// Its number in the catalogue's list of records; nothing for an unknown one.
            pub const fn index(self) -> Option<usize> {
                match self { Self::Unknown => None, kind => Some(kind as usize) }
            }

            /// What a record of this kind means; nothing for an unknown one.
            pub const fn concept(self) -> Option<Concept> {
                match self { $(Self::$variant => Some(Concept::$concept),)* Self::Unknown => None }
            }
        }
    };
}
pub(crate) use kinds;
