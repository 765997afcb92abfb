//! The members of an object, walked once.

use std::borrow::Cow;

use memchr::memchr;

use super::{Json, Text};

/// The members of an object for looking up several of them: [`Json::get`] walks the whole object each time, which costs
/// much where a member is long.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields<'a> {
    members: Vec<(Text<'a>, Json<'a>)>,
    /// Whether any key is spelled with escapes, so that comparing the text between the quotes is not enough.
    escaped: bool,
}

impl<'a> Fields<'a> {
    /// Walks an object; other values have no members.
    pub fn of(value: Json<'a>) -> Self {
        let members: Vec<_> = value.members().collect();
        let escaped = members.iter().any(|(key, _)| memchr(b'\\', key.raw().as_bytes()).is_some());
        Self { members, escaped }
    }

    /// A member. When a key stands twice, the last one counts, as in JavaScript.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        let fits = |k: &Text<'a>| if self.escaped { k.is(key) } else { k.inner() == key };
        self.members.iter().rev().find(|(k, _)| fits(k)).map(|&(_, value)| value)
    }

    /// A member that is a string, its escapes resolved.
    pub fn str(&self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }

    /// Whether a member is `true`.
    pub fn is_true(&self, key: &str) -> bool {
        self.get(key).and_then(Json::as_bool) == Some(true)
    }

    /// The members in the order in which they stand.
    pub fn iter(&self) -> impl Iterator<Item = (Text<'a>, Json<'a>)> + '_ {
        self.members.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;
    use crate::json::parse;

    #[test]
    fn members_are_found_as_in_the_object() {
        let value = parse(r#"{"a":1,"b":"x\ny","a":true,"\u0063":null}"#).unwrap();
        let fields = Fields::of(value);
        for key in ["a", "b", "c", "d"] {
            assert_eq!(fields.get(key), value.get(key), "{key}");
        }
        assert_eq!(fields.str("b").as_deref(), Some("x\ny"));
        assert!(fields.is_true("a") && !fields.is_true("b"));
        assert_eq!(Fields::of(parse("[1]").unwrap()), Fields::default());
    }
}
