//! An object whose members were found once: contents of rows are large, and are asked for many members.

use std::borrow::Cow;

use recount_formats::{Json, Text};

/// The members of an object; none when the value is no object.
#[derive(Debug, Clone, Default)]
pub(super) struct Object<'a> {
    members: Vec<(Text<'a>, Json<'a>)>,
    is_object: bool,
}

impl<'a> Object<'a> {
    /// Finds the members.
    pub(super) fn of(value: Json<'a>) -> Self {
        Self { members: value.members().collect(), is_object: value.is_object() }
    }

    /// Finds the members of a member.
    pub(super) fn in_member(&self, key: &str) -> Self {
        self.get(key).map_or_else(Self::default, Self::of)
    }

    /// Whether the value is an object.
    pub(super) const fn is_object(&self) -> bool {
        self.is_object
    }

    /// A member. When a key stands twice, the last one counts.
    pub(super) fn get(&self, key: &str) -> Option<Json<'a>> {
        self.members.iter().rev().find(|(k, _)| k.is(key)).map(|(_, value)| *value)
    }

    /// A member that has several names.
    pub(super) fn get_any(&self, keys: &[&str]) -> Option<Json<'a>> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// A member of a member, and so on.
    pub(super) fn at(&self, path: &[&str]) -> Option<Json<'a>> {
        let (first, rest) = path.split_first()?;
        self.get(first)?.at(rest)
    }

    /// A member that is a string.
    pub(super) fn str(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }

    /// A member that is a string.
    pub(super) fn string(&self, key: &str) -> Option<String> {
        self.str(key).map(Cow::into_owned)
    }

    /// A member that is a whole number.
    pub(super) fn number(&self, key: &str) -> Option<i64> {
        self.get(key)?.as_i64()
    }

    /// A member that is a truth.
    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.get(key)?.as_bool()
    }

    /// The elements of a member that is an array.
    pub(super) fn list(&self, key: &str) -> impl Iterator<Item = Json<'a>> + use<'a> {
        self.get(key).into_iter().flat_map(Json::elements)
    }
}
