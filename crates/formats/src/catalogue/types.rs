//! What a field's `type` says: `string|array(string)|null`, taken apart.

/// A set of JSON types. `number` includes `integer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TypeSet(u8);

impl TypeSet {
    /// No type.
    pub const NONE: Self = Self(0);
    /// `null`
    pub const NULL: Self = Self(1);
    /// `true` or `false`
    pub const BOOLEAN: Self = Self(1 << 1);
    /// A whole number.
    pub const INTEGER: Self = Self(1 << 2);
    /// Any number.
    pub const NUMBER: Self = Self(1 << 3 | 1 << 2);
    /// A string.
    pub const STRING: Self = Self(1 << 4);
    /// An array.
    pub const ARRAY: Self = Self(1 << 5);
    /// An object.
    pub const OBJECT: Self = Self(1 << 6);
    /// Any value.
    pub const ANY: Self = Self(0x7F);

    /// The types of both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all types of `other` are among these.
    pub const fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is no type.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Display for TypeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMES: &[(TypeSet, &str)] = &[
            (TypeSet::STRING, "string"),
            (TypeSet::NUMBER, "number"),
            (TypeSet::INTEGER, "integer"),
            (TypeSet::BOOLEAN, "boolean"),
            (TypeSet::OBJECT, "object"),
            (TypeSet::ARRAY, "array"),
            (TypeSet::NULL, "null"),
        ];
        if *self == Self::ANY {
            return f.write_str("any value");
        }
        let mut left = *self;
        let mut first = true;
        for (set, name) in NAMES {
            if !left.is_empty() && left.holds(*set) {
                f.write_str(if first { "" } else { " or " })?;
                f.write_str(name)?;
                first = false;
                left = Self(left.0 & !set.0);
            }
        }
        Ok(())
    }
}

/// The types of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Types<'a> {
    /// The JSON types.
    pub set: TypeSet,
    /// The values that a string may have; none: any.
    pub values: Vec<&'a str>,
    /// The types of an array's elements, where they are said.
    pub elements: Option<Box<Types<'a>>>,
    /// The types of a map's values, where they are said.
    pub any_value: Option<Box<Types<'a>>>,
    /// Whether the field may be left out although it is required.
    pub undefined: bool,
}

impl<'a> Types<'a> {
    /// Takes a `type` apart. Words that are no JSON type (names of structures) say nothing about the type.
    pub fn parse(text: &'a str) -> Self {
        let mut types = Self::default();
        for part in split(text, '|') {
            let (word, detail) = match part.split_once('(') {
                Some((word, detail)) => (word.trim(), detail.strip_suffix(')').unwrap_or(detail)),
                None => (part, ""),
            };
            let set = match word {
                "string" => TypeSet::STRING,
                "integer" => TypeSet::INTEGER,
                "number" => TypeSet::NUMBER,
                "boolean" => TypeSet::BOOLEAN,
                "null" => TypeSet::NULL,
                "any" => TypeSet::ANY,
                "enum" => {
                    types.values.extend(split(detail, '|'));
                    TypeSet::STRING
                }
                "array" => {
                    types.elements = Self::of_detail(detail);
                    TypeSet::ARRAY
                }
                "object" => {
                    // `object(key, value)` is a map; `object(Name)` is a structure.
                    types.any_value = split(detail, ',').get(1).and_then(|d| Self::of_detail(d));
                    TypeSet::OBJECT
                }
                "undefined" => {
                    types.undefined = true;
                    TypeSet::NONE
                }
                _ => TypeSet::NONE,
            };
            types.set = types.set.or(set);
        }
        types
    }

    fn of_detail(detail: &'a str) -> Option<Box<Self>> {
        let types = Self::parse(detail);
        (!types.set.is_empty()).then(|| Box::new(types))
    }
}

/// Splits at a separator outside of brackets.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            _ if c == separator && depth == 0 => {
                out.push(text[start..i].trim());
                start = i + c.len_utf8();
            }
            _ => {}
        }
    }
    out.push(text[start..].trim());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_taken_apart() {
        let types = Types::parse("enum(a|b)|array(string(uuid))|null");
        assert_eq!(types.values, ["a", "b"]);
        assert_eq!(types.set, TypeSet::STRING.or(TypeSet::ARRAY).or(TypeSet::NULL));
        assert_eq!(types.elements.unwrap().set, TypeSet::STRING);
        assert_eq!(Types::parse("array(ContentItem)").elements, None);
        assert_eq!(Types::parse("object(string, number)").any_value.unwrap().set, TypeSet::NUMBER);
        assert_eq!(Types::parse("object(path, FileChange)").any_value, None);
        assert!(Types::parse("integer|undefined").undefined);
        assert_eq!(Types::parse("any").set, TypeSet::ANY);
    }

    #[test]
    fn a_number_may_be_whole() {
        assert!(TypeSet::NUMBER.holds(TypeSet::INTEGER));
        assert!(!TypeSet::INTEGER.holds(TypeSet::NUMBER));
        assert_eq!(TypeSet::NUMBER.or(TypeSet::STRING).to_string(), "string or number");
        assert_eq!(TypeSet::INTEGER.to_string(), "integer");
    }
}
